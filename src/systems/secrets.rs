//! Secrets that a server repeats: they are taken out of its reply before anybody keeps or reads it. What stands there in
//! a spelling that cannot be taken out is not kept at all.

use std::borrow::Cow;
use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use flate2::read::{MultiGzDecoder, ZlibDecoder};
use memchr::{memchr, memmem};
use percent_encoding::percent_decode;

use crate::sources::failure_kind::FailureKind;
use crate::systems::failure::AskFailure;
use crate::systems::reply::{MOST_UNPACKED, RawReply};
use crate::systems::template::Values;

/// The fewest bytes of a secret that is looked for in replies.
const LEAST_SECRET: usize = 6;

/// How often a text may be escaped again: JSON in a text of JSON is usual.
const MOST_LAYERS: usize = 4;

/// The secrets of a run.
#[derive(Debug)]
pub(crate) struct KnownSecrets(Vec<KnownSecret>);

#[derive(Debug)]
struct KnownSecret {
    value: String,
    /// What stands for it where it was taken out.
    place: String,
    /// It, and what each base64 that holds it has of it.
    spellings: Vec<Vec<u8>>,
}

impl KnownSecrets {
    /// The values of the environment, long ones first: one may hold another.
    pub(crate) fn of(values: &Values) -> Self {
        let long = values.secrets().filter(|(_, value)| value.len() >= LEAST_SECRET);
        let mut all: Vec<KnownSecret> = long.map(|(name, value)| KnownSecret::new(name, value)).collect();
        all.sort_by_key(|secret| std::cmp::Reverse(secret.value.len()));
        Self(all)
    }

    /// The reply without secrets.
    ///
    /// # Errors
    /// Where it repeats one in a spelling that cannot be taken out, or nobody can say whether it does.
    pub(crate) fn out_of(&self, mut reply: RawReply) -> Result<RawReply, AskFailure> {
        if self.0.is_empty() {
            return Ok(reply);
        }
        for secret in &self.0 {
            for (_, value) in &mut reply.headers {
                *value = value.replace(&secret.value, &secret.place);
            }
            reply.body = secret.out_of(&reply.body);
        }
        let unpacked = unpacked(&reply.body);
        if unpacked.len() as u64 > MOST_UNPACKED {
            let message = format!("more than {MOST_UNPACKED} bytes, unpacked; it is not kept");
            return Err(AskFailure::new(FailureKind::TooLarge, message));
        }
        let mut head = reply.headers.iter();
        if head.any(|(name, value)| self.is_name(name) || self.is_in(value.as_bytes()))
            || [&reply.body, &unpacked].into_iter().any(|body| self.is_in(body))
        {
            let message = "the reply repeats a secret in a spelling that cannot be taken out; it is not kept";
            return Err(AskFailure::new(FailureKind::Protocol, message));
        }
        Ok(reply)
    }

    /// A failure whose message has no secrets.
    pub(crate) fn out_of_failure(&self, mut failure: AskFailure) -> AskFailure {
        let secrets = self.0.iter();
        failure.message =
            secrets.fold(failure.message, |text, secret| text.replace(&secret.value, &secret.place));
        if self.is_in(failure.message.as_bytes()) {
            "(the message repeats a secret)".clone_into(&mut failure.message);
        }
        failure
    }

    /// Whether the name of a header, whose case is lost, holds a secret.
    fn is_name(&self, name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        self.0.iter().any(|secret| name.contains(&secret.value.to_ascii_lowercase()))
    }

    /// Whether a text holds a secret in any of the spellings that are known.
    fn is_in(&self, text: &[u8]) -> bool {
        let mut text = Cow::Borrowed(text);
        if self.is_plain_in(&text) {
            return true;
        }
        for _ in 0..MOST_LAYERS {
            let mut is_plain = true;
            for resolve in [without_nul, without_json_escapes, without_percents] {
                if let Some(resolved) = resolve(&text) {
                    (text, is_plain) = (Cow::Owned(resolved), false);
                    if self.is_plain_in(&text) {
                        return true;
                    }
                }
            }
            if is_plain {
                return false;
            }
        }
        false
    }

    fn is_plain_in(&self, text: &[u8]) -> bool {
        let mut spellings = self.0.iter().flat_map(|secret| &secret.spellings);
        spellings.any(|spelling| memmem::find(text, spelling).is_some())
    }
}

impl KnownSecret {
    fn new(name: &str, value: &str) -> Self {
        let mut spellings = vec![value.as_bytes().to_vec()];
        for before in 0..3 {
            let bytes = [&[0; 2][..before], value.as_bytes()].concat();
            // Only what depends on no byte before or behind the secret.
            let whole = (before * 8).div_ceil(6)..bytes.len() * 8 / 6;
            let encoded = [STANDARD_NO_PAD.encode(&bytes), URL_SAFE_NO_PAD.encode(&bytes)];
            spellings.extend(encoded.map(|text| text.as_bytes()[whole.clone()].to_vec()));
        }
        Self { value: value.to_owned(), place: format!("{{{name}}}"), spellings }
    }

    fn out_of(&self, text: &[u8]) -> Vec<u8> {
        let (mut kept, mut from) = (Vec::with_capacity(text.len()), 0);
        for at in memmem::find_iter(text, self.value.as_bytes()) {
            kept.extend_from_slice(&text[from..at]);
            kept.extend_from_slice(self.place.as_bytes());
            from = at + self.value.len();
        }
        kept.extend_from_slice(&text[from..]);
        kept
    }
}

/// What gzip or zlib packed, whatever the head says, as far as it can be unpacked; at most one byte too much.
fn unpacked(packed: &[u8]) -> Vec<u8> {
    let (mut content, most) = (Vec::new(), MOST_UNPACKED + 1);
    let read = match packed {
        [0x1f, 0x8b, ..] => MultiGzDecoder::new(packed).take(most).read_to_end(&mut content),
        [0x78, ..] => ZlibDecoder::new(packed).take(most).read_to_end(&mut content),
        _ => Ok(0),
    };
    // What comes before an error is looked at, too.
    drop(read);
    content
}

/// UTF-16 as ASCII, as far as it is that.
fn without_nul(text: &[u8]) -> Option<Vec<u8>> {
    memchr(0, text)?;
    Some(text.iter().copied().filter(|byte| *byte != 0).collect())
}

fn without_percents(text: &[u8]) -> Option<Vec<u8>> {
    match Cow::from(percent_decode(text)) {
        Cow::Borrowed(_) => None,
        Cow::Owned(resolved) => Some(resolved),
    }
}

fn without_json_escapes(text: &[u8]) -> Option<Vec<u8>> {
    memchr(b'\\', text)?;
    let (mut resolved, mut rest) = (Vec::with_capacity(text.len()), text);
    while let Some(at) = memchr(b'\\', rest) {
        resolved.extend_from_slice(&rest[..at]);
        let (bytes, length) = json_escape(&rest[at + 1..]);
        resolved.extend(bytes);
        rest = &rest[at + 1 + length..];
    }
    resolved.extend_from_slice(rest);
    Some(resolved)
}

/// What stands for an escape of JSON, and how long it is behind its backslash.
fn json_escape(text: &[u8]) -> (Vec<u8>, usize) {
    match text {
        [b'u', ..] => match (unit(text), text.get(5..).filter(|rest| rest.starts_with(b"\\u"))) {
            (Some(first), Some(rest)) if (0xd800..0xdc00).contains(&first) => {
                let units = [first, unit(&rest[1..]).unwrap_or_default()];
                (String::from_utf16_lossy(&units).into_bytes(), 11.min(text.len()))
            }
            (Some(one), _) => (String::from_utf16_lossy(&[one]).into_bytes(), 5),
            (None, _) => (Vec::new(), 0),
        },
        [b'n', ..] => (b"\n".to_vec(), 1),
        [b'r', ..] => (b"\r".to_vec(), 1),
        [b't', ..] => (b"\t".to_vec(), 1),
        [other, ..] => (vec![*other], 1),
        [] => (Vec::new(), 0),
    }
}

/// The number of `uXXXX`.
fn unit(text: &[u8]) -> Option<u16> {
    let digits = std::str::from_utf8(text.get(1..5)?).ok()?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::engine::general_purpose::STANDARD;
    use flate2::Compression;
    use flate2::read::{GzEncoder, ZlibEncoder};

    const SECRET: &str = "sk-TOP/SECRET+12é";

    fn kept(header: &str, body: &[u8]) -> Result<RawReply, AskFailure> {
        let values = Values::default().with("env:KEY", SECRET).with("env:SHORT", "a").with("kb", "dbpedia");
        let headers = vec![("X-Key".to_owned(), header.to_owned())];
        KnownSecrets::of(&values).out_of(RawReply { status: 401, headers, body: body.to_vec() })
    }

    #[test]
    fn a_secret_that_a_server_repeats_is_taken_out() {
        let reply = kept(SECRET, format!("{SECRET} is no key of dbpedia, {SECRET}").as_bytes()).unwrap();
        assert_eq!(reply.body, b"{env:KEY} is no key of dbpedia, {env:KEY}");
        assert_eq!(reply.headers[0].1, "{env:KEY}");
    }

    #[test]
    fn a_secret_in_another_spelling_is_not_kept() {
        let percent = "sk%2DTOP%2FSECRET%2B12%C3%A9";
        let escaped: Vec<String> = SECRET.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
        let escaped = escaped.concat();
        let json = SECRET.replace('/', "\\/");
        let twice = serde_json::to_string(&json).unwrap();
        for text in [percent, &escaped, &json, &twice, &percent.replace('%', "\\u0025")] {
            let body = format!("{{\"error\": \"no key: {text}.\"}}");
            let failure = kept("", body.as_bytes()).unwrap_err();
            assert_eq!(failure.kind, FailureKind::Protocol, "{body}");
            assert!(failure.message.contains("repeats a secret"), "{body}");
            assert!(kept(text, b"").is_err(), "{text}");
        }
        for before in ["", "a", "ab", "abc"] {
            let text = format!("{before}{SECRET}:x");
            assert!(kept("", STANDARD.encode(&text).as_bytes()).is_err(), "{text}");
            assert!(kept("", URL_SAFE_NO_PAD.encode(&text).as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn a_secret_in_packed_bytes_or_utf_16_is_not_kept() {
        let ascii = "sk-TOP/SECRET+12";
        let secrets = KnownSecrets::of(&Values::default().with("env:KEY", ascii));
        let is_kept = |body: Vec<u8>| secrets.out_of(RawReply { body, ..RawReply::default() }).is_ok();
        assert!(!is_kept(ascii.encode_utf16().flat_map(u16::to_le_bytes).collect()));
        assert!(!is_kept(ascii.encode_utf16().flat_map(u16::to_be_bytes).collect()));
        for (text, is_fine) in [(ascii, false), ("sk-another", true)] {
            let (mut gzip, mut zlib) = (Vec::new(), Vec::new());
            GzEncoder::new(text.as_bytes(), Compression::fast()).read_to_end(&mut gzip).unwrap();
            ZlibEncoder::new(text.as_bytes(), Compression::fast()).read_to_end(&mut zlib).unwrap();
            assert_eq!((is_kept(gzip), is_kept(zlib)), (is_fine, is_fine), "{text}");
        }
    }

    #[test]
    fn other_replies_stay_as_they_are() {
        for body in [r#"{"a": "\u00e9\ud83d\ude00\/ \ud800 \u12 50% %zz\"#, "x^y", "sk-TOP/SECRET", ""] {
            assert_eq!(kept("50%25", body.as_bytes()).unwrap().body, body.as_bytes());
        }
    }

    #[test]
    fn the_message_of_a_failure_has_no_secrets() {
        let secrets = KnownSecrets::of(&Values::default().with("env:KEY", SECRET));
        let message =
            |text: String| secrets.out_of_failure(AskFailure::new(FailureKind::Redirect, text)).message;
        assert_eq!(message(format!("to <http://a/{SECRET}>")), "to <http://a/{env:KEY}>");
        assert_eq!(
            message("to <http://a/sk-TOP%2FSECRET%2B12%C3%A9>".into()),
            "(the message repeats a secret)"
        );
        assert_eq!(message("to <http://a/>".into()), "to <http://a/>");
    }
}
