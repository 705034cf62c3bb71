//! From bytes to text, and from offsets to lines.

use std::borrow::Cow;

use crate::base::error::{Error, Result};
use crate::base::issue::{IssueCode, Place};
use crate::sources::format::notes::Notes;

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The bytes without a UTF-8 byte order mark.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes)
}

/// Whether the bytes begin like UTF-16 without mark: with an ASCII character and a null byte.
pub(crate) fn looks_like_utf16(bytes: &[u8]) -> bool {
    matches!(bytes, [0, 1..=127, ..] | [1..=127, 0, ..])
}

/// The error for UTF-16 content without mark: the encoding of all other content is known by now.
pub(crate) fn utf16_error() -> Error {
    Error::input("the file is encoded in UTF-16 without byte order mark")
        .hint("name the order of its bytes: `⌥encoding utf-16le` or `⌥encoding utf-16be`")
}

/// The text of a file. A byte order mark is skipped and noted.
pub(crate) fn decode<'a>(bytes: &'a [u8], notes: &mut Notes) -> Result<&'a str> {
    if looks_like_utf16(bytes) {
        return Err(utf16_error());
    }
    let content = without_mark(bytes);
    let text = std::str::from_utf8(content).map_err(|error| not_utf8(bytes, content, &error))?;
    // `contains` is fast, `position` is not, and hardly any file has a null byte
    if bytes.contains(&0) {
        let offset = bytes.iter().position(|byte| *byte == 0).unwrap_or_default();
        return Err(Error::input(format!("a null byte at offset {offset}: this is no text"))
            .at(format!("line {}", line_at(bytes, offset)))
            .hint("the file is damaged or in another encoding: fetch it again or convert it to UTF-8"));
    }
    if content.len() < bytes.len() {
        notes.enter(Place::line(1));
        notes.add(
            IssueCode::ByteOrderMark,
            &"start of the file",
            "the file begins with a byte order mark; it is skipped",
        );
        notes.enter(Place::default());
    }
    Ok(text)
}

fn not_utf8(bytes: &[u8], content: &[u8], error: &std::str::Utf8Error) -> Error {
    let offset = bytes.len() - content.len() + error.valid_up_to();
    let byte = bytes.get(offset).copied().unwrap_or_default();
    Error::input(format!("the byte 0x{byte:02X} at offset {offset} is not UTF-8"))
        .at(format!("line {}", line_at(bytes, offset)))
        .hint("the file is damaged: fetch it again, or name its encoding if it has another, e.g. `⌥encoding windows-1252`")
}

/// A place for people: line and column of a byte offset, both from 1.
pub(crate) fn line_and_column(text: &str, offset: usize) -> String {
    let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
    let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
    format!("line {}, column {column}", newlines(before) + 1)
}

/// The line of a byte offset, from 1.
pub(crate) fn line_at(bytes: &[u8], offset: usize) -> u64 {
    newlines(&bytes[..offset]) + 1
}

/// The line of a byte offset, counted from the beginning: for what is rarely asked.
pub(crate) fn line_of(text: &str, offset: usize) -> u64 {
    line_at(text.as_bytes(), offset.min(text.len()))
}

fn newlines(bytes: &[u8]) -> u64 {
    // sums of bytes that cannot overflow are many times as fast as sums of longer numbers
    let few = |bytes: &[u8]| bytes.iter().map(|byte| u8::from(*byte == b'\n')).sum::<u8>();
    bytes.chunks(255).map(|bytes| u64::from(few(bytes))).sum()
}

/// A part of a text for as long as the text lives, where it is one; else a copy.
pub(crate) fn part_of<'a>(text: &'a str, part: Cow<str>) -> Cow<'a, str> {
    let from = part.as_ptr().addr().wrapping_sub(text.as_ptr().addr());
    let found = match &part {
        Cow::Borrowed(part) => from.checked_add(part.len()).and_then(|to| text.get(from..to)),
        Cow::Owned(_) => None,
    };
    found.map_or_else(|| Cow::Owned(part.into_owned()), Cow::Borrowed)
}

/// Counts lines for offsets that only grow, so that a whole file costs one pass.
#[derive(Debug)]
pub(crate) struct LineCounter<'a> {
    text: &'a str,
    offset: usize,
    line: u64,
}

impl<'a> LineCounter<'a> {
    /// Lines of this text, from 1.
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, offset: 0, line: 1 }
    }

    /// The line of a byte offset; an offset before the last one asked for gives the line of that one.
    pub(crate) fn at(&mut self, offset: usize) -> u64 {
        let end = offset.min(self.text.len());
        if let Some(between) = self.text.as_bytes().get(self.offset..end) {
            self.line += newlines(between);
            self.offset = end;
        }
        self.line
    }

    /// The line where a part of the text begins. `part` must be a slice of the text.
    pub(crate) fn of(&mut self, part: &str) -> u64 {
        self.at(part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_once() {
        let text = "a\nb\n\nc";
        let mut lines = LineCounter::new(text);
        assert_eq!([lines.at(0), lines.of(&text[2..]), lines.at(5), lines.at(99)], [1, 2, 4, 4]);
    }

    #[test]
    fn many_lines_are_counted() {
        let text = "\n".repeat(1000);
        assert_eq!([newlines(text.as_bytes()), line_of(&text, 700), line_of(&text, 9999)], [1000, 701, 1001]);
    }

    #[test]
    fn parts_are_borrowed_and_copies_are_not() {
        let text = "ab\u{e9}c".to_owned();
        assert!(matches!(part_of(&text, Cow::Borrowed(&text[1..4])), Cow::Borrowed("b\u{e9}")));
        let other = "ab".to_owned();
        assert!(matches!(part_of(&text, Cow::Borrowed(&other)), Cow::Owned(copy) if copy == "ab"));
        assert!(matches!(part_of(&text, Cow::Owned(other)), Cow::Owned(copy) if copy == "ab"));
    }

    #[test]
    fn odd_encodings_are_told() {
        let mut notes = Notes::default();
        assert_eq!(decode("\u{feff}{}".as_bytes(), &mut notes).expect("text"), "{}");
        assert_eq!(notes.into_issues()[0].code, IssueCode::ByteOrderMark);
        let error = |bytes: &[u8]| decode(bytes, &mut Notes::default()).expect_err("an error").to_string();
        insta::assert_snapshot!(error(b"{\n\"Beyonc\xe9\"}"), @r"
        line 2: the byte 0xE9 at offset 9 is not UTF-8.
        hint: the file is damaged: fetch it again, or name its encoding if it has another, e.g. `encoding windows-1252`
        ");
        insta::assert_snapshot!(error(b"{\0}\0"), @r"
        the file is encoded in UTF-16 without byte order mark.
        hint: name the order of its bytes: `encoding utf-16le` or `encoding utf-16be`
        ");
        insta::assert_snapshot!(error(b"{\n\"a\0\"}"), @r"
        line 2: a null byte at offset 4: this is no text.
        hint: the file is damaged or in another encoding: fetch it again or convert it to UTF-8
        ");
    }
}
