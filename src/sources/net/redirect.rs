//! Redirects, and where they may lead.

use reqwest::blocking::{Request, Response};
use reqwest::header::{CONTENT_TYPE, LOCATION};
use reqwest::{Method, StatusCode, Url};

use crate::sources::net::failure::Failure;

/// Where redirects may lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Redirects {
    /// To any server: what arrives is checked.
    Anywhere,
    /// To the same server, or to its safer side: what is asked, and by whom, is for it only.
    SameServer,
}

/// Sends the request to where a redirect says; says whether the reply is one. The query stays the same, save where the
/// reply is elsewhere (303).
pub(crate) fn follow(
    response: &Response,
    request: &mut Request,
    allowed: Redirects,
) -> Result<bool, Failure> {
    let status = response.status();
    let is_redirect = matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308);
    let Some(location) = response.headers().get(LOCATION).filter(|_| is_redirect) else { return Ok(false) };
    let to = location.to_str().ok().and_then(|location| request.url().join(location).ok());
    let to = to.ok_or(Failure::NoAddress)?;
    if allowed == Redirects::SameServer && !stays(request.url(), &to) {
        return Err(Failure::OtherServer(shown(to)));
    }
    if status == StatusCode::SEE_OTHER {
        *request.method_mut() = Method::GET;
        *request.body_mut() = None;
        request.headers_mut().remove(CONTENT_TYPE);
    }
    *request.url_mut() = to;
    Ok(true)
}

/// Whether a redirect stays where it is: the same host and port, or from http to https.
fn stays(from: &Url, to: &Url) -> bool {
    let has_secret = !to.username().is_empty() || to.password().is_some();
    let is_safer =
        from.scheme() == "http" && to.scheme() == "https" && from.port().is_none() && to.port().is_none();
    let is_same = from.scheme() == to.scheme() && from.port_or_known_default() == to.port_or_known_default();
    from.host_str() == to.host_str() && !has_secret && (is_same || is_safer)
}

/// An address without secrets; nothing where they cannot be taken out. What stands behind `?` may be a ticket.
fn shown(mut address: Url) -> Option<String> {
    address.set_query(None);
    address.set_username("").ok()?;
    address.set_password(None).ok()?;
    Some(address.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_stay_on_a_host_and_get_no_less_safe() {
        let url = |text: &str| Url::parse(text).unwrap();
        for (from, to, stay) in [
            ("http://a/x", "http://a/y", true),
            ("http://a/x", "https://a/x", true),
            ("https://a/x", "http://a/x", false),
            ("http://a/x", "http://b/x", false),
            ("http://a/x", "http://a:81/x", false),
            ("http://a:80/x", "http://a/x", true),
            ("http://a:81/x", "https://a/x", false),
            ("http://a/x", "http://n:w@a/x", false),
        ] {
            assert_eq!(stays(&url(from), &url(to)), stay, "{from} {to}");
        }
        assert_eq!(shown(url("http://n:w@a/x?ticket=1")).as_deref(), Some("http://a/x"));
    }
}
