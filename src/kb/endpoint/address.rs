//! The address of an endpoint.

use reqwest::Url;

use crate::base::error::{Error, Result};

/// Parameters that hold secrets: addresses are shown in messages and kept in archives.
const SECRET: [&str; 10] =
    ["apikey", "api_key", "api-key", "key", "token", "access_token", "auth", "password", "passwd", "secret"];

/// The address, if it is one of a server and holds no secret.
pub(crate) fn check(address: &str) -> Result<Url> {
    let instead = "addresses are shown and kept: set QASSAY_ENDPOINT_USER and QASSAY_ENDPOINT_PASSWORD, or \
                   QASSAY_ENDPOINT_TOKEN, in the environment";
    let url =
        Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let Some(mut url) = url else {
        // An address that cannot be read may hold a password all the same.
        let shown = if address.contains('@') { "this".to_owned() } else { format!("`{address}`") };
        return Err(Error::input(format!("{shown} is no address of an endpoint"))
            .allowed("an address that begins with https:// or http://"));
    };
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Error::input("the address of the endpoint holds a name or a password").hint(instead));
    }
    if let Some((name, _)) =
        url.query_pairs().find(|(name, _)| SECRET.contains(&name.to_ascii_lowercase().as_str()))
    {
        return Err(Error::input(format!(
            "the address of the endpoint has a parameter `{name}`, which looks secret"
        ))
        .hint(instead));
    }
    url.set_fragment(None);
    Ok(url)
}

/// Whether it is on this machine.
pub(crate) fn is_local(url: &Url) -> bool {
    matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"))
}

/// Whether a redirect stays where it is: the same host and port, or from http to https.
pub(crate) fn stays(from: &Url, to: &Url) -> bool {
    let has_secret = !to.username().is_empty() || to.password().is_some();
    let is_safer =
        from.scheme() == "http" && to.scheme() == "https" && from.port().is_none() && to.port().is_none();
    let is_same = from.scheme() == to.scheme() && from.port_or_known_default() == to.port_or_known_default();
    from.host_str() == to.host_str() && !has_secret && (is_same || is_safer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_do_not_belong_into_addresses() {
        for address in [
            "http://name:word@a.example/sparql",
            "http://name@a.example/sparql",
            "https://a.example/sparql?apikey=12345",
            "https://a.example/sparql?Access_Token=12345",
            "ht!tp://name:word@a.example",
            "a.example/sparql",
            "ftp://a.example/sparql",
            "http://",
        ] {
            let told = check(address).unwrap_err().to_string();
            assert!(!told.contains("word@") && !told.contains("12345"), "{told}");
        }
        let url = check("https://a.example/sparql?default-graph-uri=http://dbpedia.org#there").unwrap();
        assert_eq!(url.as_str(), "https://a.example/sparql?default-graph-uri=http://dbpedia.org");
    }

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
    }
}
