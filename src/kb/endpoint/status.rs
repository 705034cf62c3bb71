//! What the status of a reply means.

use reqwest::StatusCode;
use reqwest::header::WWW_AUTHENTICATE;

use crate::base::error::Error;
use crate::kb::endpoint::credentials::Credentials;
use crate::kb::endpoint::exchange::Trouble;
use crate::kb::outcome::{Cause, Outcome};
use crate::sources::net::patience::Again;
use crate::sources::net::reply::WholeReply;

/// The most characters that are shown of an error.
const MOST_CHARACTERS: usize = 300;

/// Gives the reply back if it brings results.
pub(crate) fn check(reply: WholeReply, credentials: &Credentials) -> Result<WholeReply, Trouble> {
    // Virtuoso has answers for a query that it interrupted: a part of them.
    if reply.header("x-sql-state").is_some_and(is_timeout) {
        let why = reply.header("x-sql-message").unwrap_or("the query was interrupted");
        let why = format!("the endpoint gives a part of the answers only: {}", shortened(why));
        return Err(Trouble::lasting(Cause::TimedOut, why));
    }
    let said = first_line(&reply);
    let status = reply.status;
    let told = format!("the endpoint says {status}{said}");
    let lasting = |cause| Trouble::lasting(cause, told.as_str());
    Err(match status {
        StatusCode::OK => return Ok(reply),
        StatusCode::UNAUTHORIZED | StatusCode::PROXY_AUTHENTICATION_REQUIRED | StatusCode::FORBIDDEN => {
            Trouble::Fatal(unknown_asker(&reply, credentials))
        }
        StatusCode::NOT_FOUND | StatusCode::GONE => {
            Trouble::Fatal(Error::system(format!("there is no endpoint: the server says {status}")))
        }
        StatusCode::METHOD_NOT_ALLOWED | StatusCode::UNSUPPORTED_MEDIA_TYPE => Trouble::Fatal(Error::system(
            format!("this is no endpoint, or takes no queries by POST: the server says {status}"),
        )),
        StatusCode::TOO_MANY_REQUESTS | StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE => {
            Trouble::Failed(Outcome::failed(Cause::Failed, told), Again::after(reply.asked_wait()))
        }
        StatusCode::REQUEST_TIMEOUT | StatusCode::GATEWAY_TIMEOUT => lasting(Cause::TimedOut),
        _ if is_virtuoso_timeout(&said) => lasting(Cause::TimedOut),
        _ if status.is_success() => lasting(Cause::BadReply),
        _ => lasting(Cause::Failed),
    })
}

/// The states of Virtuoso for a query that took too long.
fn is_timeout(state: &str) -> bool {
    matches!(state, "S1TAT" | "S1T00")
}

fn is_virtuoso_timeout(said: &str) -> bool {
    said.split_once("Virtuoso ")
        .is_some_and(|(_, rest)| is_timeout(rest.split(' ').next().unwrap_or_default()))
}

/// The server wants to know who asks, or does not like who asks.
fn unknown_asker(reply: &WholeReply, credentials: &Credentials) -> Error {
    let status = reply.status;
    let error =
        Error::system(format!("the endpoint lets only those ask whom it knows: the server says {status}"));
    let schemes = reply.header(WWW_AUTHENTICATE).unwrap_or_default().to_ascii_lowercase();
    if schemes.starts_with("digest") && !schemes.contains("basic") && !schemes.contains("bearer") {
        return error
            .hint("it wants Digest authentication, which qassay does not have; Basic and Bearer are known");
    }
    error.hint(if credentials.are_given() {
        "it does not accept the name and password, or the token, of the environment"
    } else {
        "set QASSAY_ENDPOINT_USER and QASSAY_ENDPOINT_PASSWORD, or QASSAY_ENDPOINT_TOKEN, in the environment"
    })
}

/// The first line of an error, behind a colon; nothing where it has none.
pub(crate) fn first_line(reply: &WholeReply) -> String {
    if reply.status.is_success() {
        return String::new();
    }
    let text = String::from_utf8_lossy(&reply.body);
    let line = match title(&text) {
        Some(title) => title,
        None if text.trim_start().starts_with('<') => "",
        None => text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default(),
    };
    if line.is_empty() { String::new() } else { format!(": {}", shortened(line)) }
}

/// The title of a page of HTML.
fn title(text: &str) -> Option<&str> {
    let lower = text.to_ascii_lowercase();
    let start = lower.find("<title>")? + "<title>".len();
    let end = start + lower.get(start..)?.find("</title>")?;
    text.get(start..end).map(str::trim)
}

fn shortened(text: &str) -> String {
    let text = text.trim().trim_end_matches('.');
    let mut short: String = text.chars().filter(|c| !c.is_control()).take(MOST_CHARACTERS).collect();
    if text.chars().count() > MOST_CHARACTERS {
        short.push('…');
    }
    short
}
