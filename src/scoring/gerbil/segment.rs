//! The form-encoding of the last segment of a URI, as Java's `URLEncoder` and `URLDecoder` write it.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What `URLEncoder` writes as an escape; blanks become plus signs afterwards.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'.').remove(b'-').remove(b'*').remove(b'_').remove(b' ');

/// The URI with its last segment decoded if that holds an escape, else encoded; none where nothing changes
/// (statement 4.2.2 b).
pub(crate) fn variant(uri: &str) -> Option<String> {
    let (head, segment) = uri.split_at(uri.rfind(['/', '#'])? + 1);
    let changed = if has_escape(segment) { decoded(segment)? } else { encoded(segment) };
    (changed != segment).then(|| format!("{head}{changed}"))
}

fn has_escape(text: &str) -> bool {
    text.as_bytes().windows(3).any(|window| escaped_byte(window).is_some())
}

/// The byte that `%hh` at the start of this text stands for.
fn escaped_byte(text: &[u8]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|value| u8::try_from(value).ok());
    match text {
        [b'%', high, low, ..] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    }
}

/// `URLDecoder.decode`: also `+` as a blank; nothing where an escape is broken (Java throws there). Bytes that
/// are no UTF-8 become U+FFFD.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let (byte, left) = match first {
            b'%' => (escaped_byte(rest)?, &rest[3..]),
            b'+' => (b' ', after),
            other => (other, after),
        };
        bytes.push(byte);
        rest = left;
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// `URLEncoder.encode` with UTF-8.
fn encoded(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string().replace(' ', "+")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s_4_2_2_encoding_of_the_last_segment() {
        let cases = [
            ("http://a/Köln", Some("http://a/K%C3%B6ln")),
            ("http://a/K%c3%b6ln", Some("http://a/Köln")),
            ("http://a/b (c),d~e", Some("http://a/b+%28c%29%2Cd%7Ee")),
            ("http://a/b%20c+d", Some("http://a/b c d")),
            ("http://a/C++", Some("http://a/C%2B%2B")),
            ("http://ä/b#c'd", Some("http://ä/b#c%27d")),
            ("http://a/%41%zz", None),
            ("http://a/b.c-d_e*", None),
            ("http://a/", None),
            ("8é", None),
        ];
        for (uri, expected) in cases {
            assert_eq!(variant(uri).as_deref(), expected, "{uri}");
        }
    }
}
