//! Who calls, and what he may do: no page of a stranger speaks for its reader, and some servers want a token.

use axum::http::StatusCode;
use axum::http::header::{AUTHORIZATION, HeaderMap, HeaderName, ORIGIN};

use crate::base::token::SecretToken;
use crate::serve::place::RunAccess;
use crate::serve::platform::Platform;
use crate::serve::replies::HttpProblem;
use crate::workbench::tokens::TokenScope;

/// Where a browser says that a request comes from (Fetch Metadata).
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The token that a program shows (RFC 6750, section 2.1).
pub(crate) fn bearer(headers: &HeaderMap) -> Option<SecretToken> {
    let stated = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = stated.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| SecretToken::parse(token.trim()))?
}

/// An error where the page of another site sends something by somebody's browser. `is_program`: programs call here too, which say
/// nothing about pages.
pub(crate) fn same_origin(
    platform: &Platform,
    headers: &HeaderMap,
    is_program: bool,
) -> Result<(), HttpProblem> {
    let text = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let own = platform.place.origin();
    let is_same = match (text(&FETCH_SITE), text(&ORIGIN)) {
        // What a browser says of where a page is from cannot be forged by that page; it says more than the name.
        (Some("same-origin"), None | Some("null")) => true,
        (Some(site), _) if site != "same-origin" && site != "none" => false,
        (_, Some(origin)) => platform.place.is_origin(origin),
        (Some(_), None) => true,
        (None, None) => is_program,
    };
    if is_same {
        return Ok(());
    }
    if text(&FETCH_SITE).is_none() && text(&ORIGIN).is_none() {
        return Err(HttpProblem::new(StatusCode::FORBIDDEN, "origin", "nothing says which page sent this")
            .allowed(&format!("the forms of {own}"))
            .hint(&format!("programs have {}api/v1, or send `Origin: {own}`", platform.place.url)));
    }
    Err(HttpProblem::new(StatusCode::FORBIDDEN, "origin", "this was sent by the page of another site")
        .allowed(&format!("the forms of {own}")))
}

/// An error where runs are done by another server of the archive.
pub(crate) fn owning(platform: &Platform) -> Result<(), HttpProblem> {
    if platform.desk.is_owner() {
        return Ok(());
    }
    Err(HttpProblem::new(StatusCode::FORBIDDEN, "access", "another server of this archive does that"))
}

/// An error where somebody may not do something here.
pub(crate) fn allowed(
    platform: &Platform,
    headers: &HeaderMap,
    scope: TokenScope,
) -> Result<(), HttpProblem> {
    let refused = |title: &str| HttpProblem::new(StatusCode::FORBIDDEN, "access", title);
    match platform.access {
        RunAccess::Anyone => Ok(()),
        RunAccess::Nobody => {
            Err(refused("this server is for reading").hint("`qassay evaluate` does it on your machine"))
        }
        RunAccess::Token => match bearer(headers) {
            Some(token) if platform.tokens.allow(&token, scope).map_err(HttpProblem::told)? => Ok(()),
            Some(_) => Err(refused("this token is not good for that, or no longer")),
            None => Err(HttpProblem::new(
                StatusCode::UNAUTHORIZED,
                "access",
                "who begins runs here shows a token",
            )
            .allowed("the header `Authorization: Bearer TOKEN`")
            .hint("who runs this server gives tokens away: `qassay token new`")),
        },
    }
}
