//! Takes Turtle and `TriG` apart into sentences: all up to a full stop, a block of a graph, a directive.
//!
//! Only what is malformed is read this way, so that the rest is not lost.

use std::ops::Range;

/// A sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sentence {
    /// Where it stands.
    pub(crate) bytes: Range<usize>,
    /// The line where it begins, from 1.
    pub(crate) line: u64,
    /// The line where it ends.
    pub(crate) last_line: u64,
    /// Whether it states a prefix or the base.
    pub(crate) is_directive: bool,
}

/// The sentences of a text, in order.
pub(crate) fn sentences(text: &[u8]) -> impl Iterator<Item = Sentence> {
    let (mut at, mut line) = (0, 1);
    std::iter::from_fn(move || {
        let start = skip_space(text, at);
        line += line_ends(&text[at..start]);
        at = start;
        if start == text.len() {
            return None;
        }
        let end = sentence_end(text, start);
        let first = line;
        line += line_ends(&text[start..end]);
        at = end;
        let is_directive = text[start] == b'@' || is_sparql_directive(&text[start..]);
        Some(Sentence { bytes: start..end, line: first, last_line: line, is_directive })
    })
}

fn line_ends(text: &[u8]) -> u64 {
    let is_end = |at: usize| text[at] == b'\n' || (text[at] == b'\r' && text.get(at + 1) != Some(&b'\n'));
    (0..text.len()).filter(|at| is_end(*at)).count() as u64
}

/// Behind space and comments.
fn skip_space(text: &[u8], mut at: usize) -> usize {
    while at < text.len() {
        match text[at] {
            b'#' => at = line_end(text, at),
            byte if byte.is_ascii_whitespace() => at += 1,
            _ => break,
        }
    }
    at
}

fn line_end(text: &[u8], at: usize) -> usize {
    text[at..].iter().position(|byte| matches!(byte, b'\n' | b'\r')).map_or(text.len(), |end| at + end)
}

fn is_sparql_directive(text: &[u8]) -> bool {
    [&b"prefix"[..], b"base"].iter().any(|word| {
        text.len() > word.len()
            && text[..word.len()].eq_ignore_ascii_case(word)
            && text[word.len()].is_ascii_whitespace()
    })
}

/// Behind the full stop, the closing bracket of a graph, or the IRI of a SPARQL directive.
fn sentence_end(text: &[u8], start: usize) -> usize {
    let is_directive = is_sparql_directive(&text[start..]);
    let (mut at, mut depth) = (start, 0_usize);
    while at < text.len() {
        match text[at] {
            b'#' => at = line_end(text, at),
            b'<' => {
                at = iri_end(text, at);
                if is_directive {
                    return at;
                }
            }
            b'"' | b'\'' => at = string_end(text, at),
            b'\\' => at += 2,
            b'{' => (at, depth) = (at + 1, depth + 1),
            b'}' if depth <= 1 => return at + 1,
            b'}' => (at, depth) = (at + 1, depth - 1),
            b'.' if depth == 0 && text.get(at + 1).is_none_or(|next| !continues(*next)) => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

/// Whether a byte behind a full stop makes it a part of a name or a number.
fn continues(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b':' | b'%' | b'\\' | b'-' | b'.')
        || !byte.is_ascii()
}

/// Behind an IRI; one that is not closed ends with its line.
fn iri_end(text: &[u8], at: usize) -> usize {
    let end = text[at..].iter().position(|byte| matches!(byte, b'>' | b'\n' | b'\r'));
    end.map_or(text.len(), |end| at + end + 1)
}

/// Behind a string; a short one that is not closed ends with its line.
fn string_end(text: &[u8], at: usize) -> usize {
    let quote = text[at];
    let long = text[at..].starts_with(&[quote; 3]);
    let mut at = at + if long { 3 } else { 1 };
    while at < text.len() {
        match text[at] {
            b'\\' => at += 2,
            b'\n' | b'\r' if !long => return at,
            byte if byte == quote && !long => return at + 1,
            byte if byte == quote && text[at..].starts_with(&[quote; 3]) => {
                // A long string may end with more quotes than three.
                let more = text[at..].iter().take_while(|byte| **byte == quote).count();
                return at + more.min(5);
            }
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_stops_end_sentences_elsewhere_than_in_names_numbers_and_strings() {
        let text = "@prefix a: <http://a.b/> . # x. y\nPREFIX b: <http://b#>\n\na:b.c a:d 1.5, \"x. y\",\n '''z\n. ''''. \
                    a:e a:f \"open . \n. <g> { a:h a:i a:j . a:k a:l a:m }\n<x> <y> <z>.<u> <v> <w>.";
        let found: Vec<(String, u64, u64, bool)> = sentences(text.as_bytes())
            .map(|s| (text[s.bytes].to_owned(), s.line, s.last_line, s.is_directive))
            .collect();
        let expected = [
            ("@prefix a: <http://a.b/> .", 1, 1, true),
            ("PREFIX b: <http://b#>", 2, 2, true),
            ("a:b.c a:d 1.5, \"x. y\",\n '''z\n. ''''.", 4, 6, false),
            ("a:e a:f \"open . \n.", 6, 7, false),
            ("<g> { a:h a:i a:j . a:k a:l a:m }", 7, 7, false),
            ("<x> <y> <z>.", 8, 8, false),
            ("<u> <v> <w>.", 8, 8, false),
        ];
        assert_eq!(found, expected.map(|(text, line, last, is)| (text.to_owned(), line, last, is)));
    }
}
