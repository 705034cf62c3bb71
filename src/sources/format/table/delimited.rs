//! Tables with delimiters as real files have them: whether quotes are those of RFC 4180, and where records begin.

use memchr::{memchr, memchr_iter, memchr2_iter};

use crate::base::error::{Error, Result};
use crate::base::issue::{IssueCode, Place};
use crate::sources::format::notes::Notes;

/// Whether quotes are read as RFC 4180 has them. In tables with tabs they are not, if one of them breaks its rule.
///
/// With commas that is an error: nobody can say where the field ends, and lines would be swallowed.
pub(crate) fn are_quotes_read(text: &str, delimiter: u8, notes: &mut Notes) -> Result<bool> {
    let Some(line) = first_broken(text, delimiter) else { return Ok(true) };
    let what = "a field begins with a quote and does not end with one";
    if delimiter != b'\t' {
        return Err(Error::input(what)
            .at(format!("line {line}"))
            .allowed("quotes around a whole field, those in it doubled (RFC 4180)"));
    }
    notes.enter(Place::line(line));
    notes.add(IssueCode::NotWellFormed, &"quotes", format!("{what}; all quotes are characters like others"));
    Ok(false)
}

/// The line of the first field that begins with a quote and does not end with one.
fn first_broken(text: &str, delimiter: u8) -> Option<u64> {
    let bytes = text.as_bytes();
    let is_edge = |byte: &u8| *byte == delimiter || matches!(byte, b'\n' | b'\r');
    let mut at = 0;
    while let Some(next) = memchr(b'"', &bytes[at..]) {
        let quote = at + next;
        at = quote + 1;
        if bytes[..quote].last().is_none_or(is_edge) {
            match quoted(&bytes[at..]).map(|length| at + length) {
                Some(end) if bytes.get(end).is_none_or(is_edge) => at = end,
                _ => return Some(1 + memchr_iter(b'\n', &bytes[..quote]).map(|_| 1).sum::<u64>()),
            }
        }
    }
    None
}

/// The length of a field behind its first quote, with its last one; none where the quote is not closed.
fn quoted(rest: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(next) = memchr(b'"', &rest[at..]) {
        at += next + 1;
        if rest.get(at) != Some(&b'"') {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// Counts lines up to records that come in their order.
#[derive(Debug)]
pub(crate) struct CsvLines<'a> {
    text: &'a [u8],
    at: usize,
    line: u64,
}

impl<'a> CsvLines<'a> {
    /// Begins at the first line of a text.
    pub(crate) fn of(text: &'a str) -> Self {
        Self { text: text.as_bytes(), at: 0, line: 1 }
    }

    /// The line of a record, from 1; it is not before those asked for earlier.
    pub(crate) fn line(&mut self, record: &csv::StringRecord) -> u64 {
        let told = record.position().map_or(0, csv::Position::byte);
        let told = usize::try_from(told).unwrap_or(usize::MAX);
        let is_break = |byte: &u8| matches!(byte, b'\r' | b'\n');
        let blank = self.text.iter().skip(told).take_while(|byte| is_break(byte)).count();
        let start = told.saturating_add(blank).min(self.text.len());
        let from = self.at.min(start);
        for at in memchr2_iter(b'\n', b'\r', &self.text[from..start]).map(|at| from + at) {
            let ends = self.text[at] == b'\n' || self.text.get(at + 1) != Some(&b'\n');
            self.line += u64::from(ends);
        }
        self.at = self.at.max(start);
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_quotes_have_a_line() {
        let cases = [
            ("a,\"b\"\n\"c\"\"d\n\",e", None),
            ("a \"b\" c,d", None),
            ("\"\",\"\"\"\"", None),
            ("a\n\"b\"c\n", Some(2)),
            ("\"a\nb\"\n\"c\n", Some(3)),
            ("\"", Some(1)),
        ];
        for (text, line) in cases {
            assert_eq!(first_broken(text, b','), line, "{text}");
        }
    }

    #[test]
    fn every_kind_of_line_end() {
        for end in ["\n", "\r\n", "\r"] {
            let text = ["a,b", "1,2", "", "\"3", "4\",5", "6,7", ""].join(end);
            let mut table = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
            let mut lines = CsvLines::of(&text);
            let found: Vec<u64> = table.records().map(|record| lines.line(&record.unwrap())).collect();
            assert_eq!(found, [2, 4, 6], "{end:?}");
        }
    }
}
