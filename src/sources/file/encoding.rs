//! From the encoding of a file to UTF-8: as its first bytes or its XML declaration say, as the user says, or by a guess.
//!
//! UTF-8 stays as it is. A guess is told, and never made for UTF-8 with a few bad bytes: that is damage.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::base::error::{Error, Result};
use crate::base::issue::{Issue, IssueCode, Place};
use crate::base::text::with_choices;
use crate::sources::file::text::{line_at, without_mark};

/// Labels for messages; every label of the web's encoding standard is understood.
const EXAMPLES: &str =
    "utf-8, windows-1252, iso-8859-1, gb18030, euc-kr and the others of the web's encoding standard";

/// How far the declaration of an XML file may reach.
const DECLARATION: usize = 256;

/// Content in UTF-8 that was in another encoding.
#[derive(Debug, Clone)]
pub(crate) struct Decoded {
    /// The content.
    pub(crate) content: Vec<u8>,
    /// What was done.
    pub(crate) issue: Issue,
}

/// The encoding of a label such as `windows-1252`.
pub(crate) fn by_label(label: &str) -> Result<&'static Encoding> {
    Encoding::for_label(label.as_bytes())
        .ok_or_else(|| Error::input(format!("`{label}` is no encoding")).allowed(EXAMPLES))
}

/// The content in UTF-8; none where it is UTF-8 already, or damaged UTF-8, or no text at all.
pub(crate) fn decode(content: &[u8], forced: Option<&'static Encoding>) -> Result<Option<Decoded>> {
    if let Some(encoding) = forced {
        return decode_as(content, encoding, &with_choices("as the option `⌥encoding` says"));
    }
    for (mark, encoding) in [(&b"\xff\xfe"[..], UTF_16LE), (b"\xfe\xff", UTF_16BE)] {
        if content.starts_with(mark) {
            return decode_as(content, encoding, "as its byte order mark says");
        }
    }
    if let Some(encoding) = declared(content) {
        return decode_as(content, encoding, "as its XML declaration says");
    }
    match std::str::from_utf8(content) {
        Ok(_) => Ok(None),
        Err(_) => guess(content),
    }
}

/// The encoding that an XML declaration names, if it can be the one.
fn declared(content: &[u8]) -> Option<&'static Encoding> {
    let start = content.get(..content.len().min(DECLARATION)).unwrap_or_default();
    let declaration = start.strip_prefix(b"<?xml")?;
    let end = declaration.windows(2).position(|window| window == b"?>")?;
    let text = std::str::from_utf8(&declaration[..end]).ok()?;
    let value = text.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let label = value[1..].split(quote).next()?;
    // a declaration that can be read byte by byte is not in UTF-16, whatever it says
    Encoding::for_label(label.as_bytes()).filter(|found| found.is_ascii_compatible() && *found != UTF_8)
}

fn decode_as(content: &[u8], encoding: &'static Encoding, reason: &str) -> Result<Option<Decoded>> {
    if encoding == UTF_8 {
        return Ok(None);
    }
    let text = text_of(content, encoding).map_err(|offset| undecodable(content, offset, encoding, reason))?;
    if text.as_bytes() == content {
        return Ok(None);
    }
    let message = format!("the file is read as {}, {reason}", encoding.name());
    Ok(Some(decoded(text, IssueCode::EncodingDeclared, message)))
}

fn guess(content: &[u8]) -> Result<Option<Decoded>> {
    if is_damaged_utf8(content) || is_binary(content) || declares_utf8(content) {
        return Ok(None);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(content, true);
    let encoding = detector.guess(None, Utf8Detection::Deny);
    let reason = "which is the best guess";
    let text = text_of(content, encoding).map_err(|offset| undecodable(content, offset, encoding, reason))?;
    let count = text.chars().filter(|character| !character.is_ascii()).count();
    let message = format!(
        "the file is not UTF-8; it is read as {}, a guess from what is not ASCII in it ({count} characters); \
         `qassay check --encoding` shows it in others, and a file in UTF-8 needs no guess",
        encoding.name()
    );
    Ok(Some(decoded(text, IssueCode::EncodingGuessed, message)))
}

fn decoded(text: String, code: IssueCode, message: String) -> Decoded {
    let issue = Issue::new(code, &Place::line(1).with_path("start of the file"), message);
    Decoded { content: text.into_bytes(), issue }
}

/// Whether most of what is not ASCII is UTF-8: other encodings hardly ever look like it.
fn is_damaged_utf8(content: &[u8]) -> bool {
    let (mut good, mut bad) = (0_usize, 0_usize);
    for chunk in content.utf8_chunks() {
        good += chunk.valid().chars().filter(|character| !character.is_ascii()).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    good > bad
}

/// No text has control characters but for white space.
fn is_binary(content: &[u8]) -> bool {
    content.iter().any(|byte| *byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c))
}

/// An XML file that says so is wrong about itself in one way or another: no guess.
fn declares_utf8(content: &[u8]) -> bool {
    let start = content.get(..content.len().min(DECLARATION)).unwrap_or_default().to_ascii_lowercase();
    let declaration = start.split(|byte| *byte == b'>').next().unwrap_or_default();
    without_mark(declaration).starts_with(b"<?xml") && declaration.windows(5).any(|window| window == b"utf-8")
}

/// The text, or the offset of the first byte that the encoding does not have.
fn text_of(content: &[u8], encoding: &'static Encoding) -> Result<String, usize> {
    let mut decoder = encoding.new_decoder_with_bom_removal();
    let mut text = String::with_capacity(content.len() + content.len() / 2 + 16);
    let mut offset = 0;
    loop {
        let rest = content.get(offset..).unwrap_or_default();
        let (result, read) = decoder.decode_to_string_without_replacement(rest, &mut text, true);
        offset += read;
        match result {
            DecoderResult::InputEmpty => return Ok(text),
            DecoderResult::OutputFull => text.reserve(rest.len() + 16),
            DecoderResult::Malformed(length, after) => {
                return Err(offset.saturating_sub(usize::from(length) + usize::from(after)));
            }
        }
    }
}

fn undecodable(content: &[u8], offset: usize, encoding: &'static Encoding, reason: &str) -> Error {
    let byte = content.get(offset).copied().unwrap_or_default();
    let name = encoding.name();
    Error::input(format!("the byte 0x{byte:02X} at offset {offset} is not {name}, {reason}"))
        .at(format!("line {}", line_at(content, offset)))
        .hint("name the encoding of the file: `⌥encoding LABEL`, e.g. windows-1252, gb18030 or euc-kr")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(content: &[u8]) -> Option<(String, String)> {
        let found = decode(content, None).expect("text")?;
        Some((
            String::from_utf8(found.content).expect("UTF-8"),
            format!("{}: {}", found.issue.code.name(), found.issue.message),
        ))
    }

    #[test]
    fn utf_8_stays() {
        for text in [
            "",
            "a",
            "\u{feff}é",
            "<?xml version='1.0' encoding='iso-8859-1'?><a/>",
            "<?xml encoding=\"utf-16\"?><a>é</a>",
        ] {
            assert_eq!(read(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn marks_and_declarations_are_obeyed() {
        let (text, told) = read(b"\xff\xfe{\0\xe9\0").expect("decoded");
        assert_eq!(
            (text.as_str(), told.as_str()),
            ("{é", "encoding-declared: the file is read as UTF-16LE, as its byte order mark says")
        );
        assert_eq!(read(b"\xfe\xff\0{").map(|(text, _)| text).as_deref(), Some("{"));
        let (text, told) =
            read(b"<?xml version=\"1.0\" encoding = 'ISO-8859-1' ?><a>\xe9</a>").expect("decoded");
        assert!(
            text.ends_with("<a>é</a>")
                && told.starts_with("encoding-declared: the file is read as windows-1252"),
            "{told}"
        );
        // what is declared is obeyed even where UTF-8 would do
        let (text, _) = read("<?xml version='1.0' encoding='latin1'?><a>é</a>".as_bytes()).expect("decoded");
        assert!(text.ends_with("<a>Ã©</a>"), "{text}");
    }

    #[test]
    fn guesses_are_told() {
        let (text, told) = read(
            "Königsberg, Malmö, Besançon, Göteborg: größer"
                .chars()
                .map(|c| u8::try_from(u32::from(c)).expect("Latin-1"))
                .collect::<Vec<_>>()
                .as_slice(),
        )
        .expect("decoded");
        assert_eq!(text, "Königsberg, Malmö, Besançon, Göteborg: größer");
        insta::assert_snapshot!(told, @"encoding-guessed: the file is not UTF-8; it is read as windows-1252, a guess from what is not ASCII in it (6 characters); `qassay check --encoding` shows it in others, and a file in UTF-8 needs no guess");
        let original = "俄罗斯贝加尔湖的面积有多大？\t贝加尔湖是世界上最深，容量最大的淡水湖。\t0\r\n";
        let (bytes, _, _) = encoding_rs::GB18030.encode(original);
        let (text, told) = read(&bytes).expect("decoded");
        assert_eq!(text, original);
        assert!(
            told.starts_with("encoding-guessed")
                && told.contains(" GBK, a guess from what is not ASCII in it (34 characters)"),
            "{told}"
        );
    }

    #[test]
    fn damage_and_binary_data_are_no_encoding() {
        for content in [
            &b"caf\xc3\xa9, na\xc3\xafve, \xc3\xa9t\xc3"[..],
            b"\x1f\xff\x00",
            b"<?xml encoding='UTF-8'?>\xe9",
            b"PK\x03\x04\xff",
        ] {
            assert_eq!(read(content), None, "{content:?}");
        }
    }

    #[test]
    fn what_cannot_be_decoded_is_an_error_with_its_place() {
        let told = [
            decode(b"<?xml version='1.0' encoding='euc-kr'?>\n<a>\xff</a>", None),
            decode(b"ab\n\xa1", Some(by_label("gb18030").expect("an encoding"))),
            decode(b"\xff\xfea\0b", None),
            by_label("klingon").map(|_| None),
        ]
        .map(|result| result.expect_err("an error").to_string());
        insta::assert_snapshot!(told.join("\n---\n"), @r"
        line 2: the byte 0xFF at offset 43 is not EUC-KR, as its XML declaration says.
        hint: name the encoding of the file: `encoding LABEL`, e.g. windows-1252, gb18030 or euc-kr
        ---
        line 2: the byte 0xA1 at offset 3 is not gb18030, as the option `encoding` says.
        hint: name the encoding of the file: `encoding LABEL`, e.g. windows-1252, gb18030 or euc-kr
        ---
        line 1: the byte 0x62 at offset 4 is not UTF-16LE, as its byte order mark says.
        hint: name the encoding of the file: `encoding LABEL`, e.g. windows-1252, gb18030 or euc-kr
        ---
        `klingon` is no encoding.
        allowed: utf-8, windows-1252, iso-8859-1, gb18030, euc-kr and the others of the web's encoding standard
        ");
        assert!(decode(b"\xff", Some(UTF_8)).expect("as it is").is_none());
    }
}
