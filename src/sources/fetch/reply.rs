//! What a reply says about its body.

use reqwest::StatusCode;
use reqwest::header::{CONTENT_LENGTH, CONTENT_RANGE, ETAG};

use crate::sources::net::reply::Reply;

/// Whether the body continues what is here: a part of the file that begins at this byte.
pub(crate) fn continues_at(reply: &Reply, here: u64) -> bool {
    let range = || reply.header(CONTENT_RANGE)?.strip_prefix("bytes ")?.split_once('-');
    reply.status == StatusCode::PARTIAL_CONTENT
        && range().and_then(|(start, _)| start.trim().parse().ok()) == Some(here)
        && reply.encoding().is_none()
}

/// The size of the body as announced, where it is the size of the bytes that count.
pub(crate) fn announced(reply: &Reply) -> Option<u64> {
    reply.encoding().is_none().then(|| reply.header(CONTENT_LENGTH)?.parse().ok())?
}

/// The strong tag of the file: with a weak one, ranges of different bytes could be joined.
pub(crate) fn strong_tag(reply: &Reply) -> Option<String> {
    reply.header(ETAG).filter(|tag| tag.starts_with('"')).map(str::to_owned)
}
