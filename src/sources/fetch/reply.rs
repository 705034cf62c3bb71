//! What a reply says about its body.

use std::time::Duration;

use reqwest::StatusCode;
use reqwest::blocking::Response;
use reqwest::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, ETAG, HeaderName, RETRY_AFTER};

/// The text of a header.
fn header(response: &Response, name: HeaderName) -> Option<&str> {
    response.headers().get(name)?.to_str().ok().map(str::trim)
}

/// Whether the body continues what is here: a part of the file that begins at this byte.
pub(crate) fn continues_at(response: &Response, here: u64) -> bool {
    let range = || header(response, CONTENT_RANGE)?.strip_prefix("bytes ")?.split_once('-');
    response.status() == StatusCode::PARTIAL_CONTENT
        && range().and_then(|(start, _)| start.trim().parse().ok()) == Some(here)
}

/// The size of the body as announced, where it is the size of the bytes that count.
pub(crate) fn announced(response: &Response) -> Option<u64> {
    encoding(response).is_none().then(|| header(response, CONTENT_LENGTH)?.parse().ok())?
}

/// The encoding of the body, where it has one.
pub(crate) fn encoding(response: &Response) -> Option<&str> {
    header(response, CONTENT_ENCODING).filter(|encoding| !matches!(*encoding, "" | "identity"))
}

/// The strong tag of the file: with a weak one, ranges of different bytes could be joined.
pub(crate) fn strong_tag(response: &Response) -> Option<String> {
    header(response, ETAG).filter(|tag| tag.starts_with('"')).map(str::to_owned)
}

/// How long the server wants us to wait, in seconds. A date is not looked at: clocks differ.
pub(crate) fn asked_wait(response: &Response) -> Option<Duration> {
    header(response, RETRY_AFTER)?.parse().ok().map(Duration::from_secs)
}
