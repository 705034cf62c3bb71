//! Canonical N-Quads: sorted lines, no blank nodes, one way to write every term.
//!
//! Without blank nodes the canonical form of RDF Dataset Canonicalization (RDFC-1.0, section 4.4.3 and 5) is
//! just the sorted canonical N-Quads lines. Published graphs are written from our own terms and never dumped
//! from a store, because the store rewrites typed literals.

use std::io::{self, Write};
use std::ops::Range;

use oxigraph::model::TermRef;

use crate::base::vocab::xsd;

/// Lines of one named graph, collected and then written in byte order.
///
/// Small graphs collect everything and write once. Large graphs write subject by subject, in the order of
/// [`subject_order`], so that only one subject is in memory.
#[derive(Debug)]
pub struct Lines {
    ending: String,
    subject: String,
    buffer: Vec<u8>,
    ranges: Vec<Range<usize>>,
    /// Whether the collected lines may have several subjects.
    mixed: bool,
    count: u64,
}

impl Lines {
    /// Lines for the graph with this name.
    pub fn new(graph: &str) -> Self {
        Self {
            ending: format!(" <{graph}> .\n"),
            subject: String::new(),
            buffer: Vec::new(),
            ranges: Vec::new(),
            mixed: false,
            count: 0,
        }
    }

    /// The statements that follow are about this subject.
    pub fn subject(&mut self, iri: &str) -> &mut Self {
        self.subject.clear();
        self.subject.push_str(iri);
        self.mixed = !self.ranges.is_empty();
        self
    }

    /// The number of different lines written so far.
    pub fn written(&self) -> u64 {
        self.count
    }

    /// Whether something was collected and not written yet.
    pub fn has_statements(&self) -> bool {
        !self.ranges.is_empty()
    }

    fn line(&mut self, predicate: &str, object: impl FnOnce(&mut Vec<u8>)) -> &mut Self {
        let start = self.buffer.len();
        self.buffer.push(b'<');
        self.buffer.extend_from_slice(self.subject.as_bytes());
        self.buffer.extend_from_slice(b"> <");
        self.buffer.extend_from_slice(predicate.as_bytes());
        self.buffer.extend_from_slice(b"> ");
        object(&mut self.buffer);
        self.buffer.extend_from_slice(self.ending.as_bytes());
        self.ranges.push(start..self.buffer.len());
        self
    }

    /// The object is an IRI.
    pub fn iri(&mut self, predicate: &str, object: &str) -> &mut Self {
        self.line(predicate, |out| push_iri(out, object))
    }

    /// The object is a plain string.
    pub fn text(&mut self, predicate: &str, object: &str) -> &mut Self {
        self.line(predicate, |out| push_quoted(out, object))
    }

    /// The object is a literal of this datatype, in a lexical form that no store rewrites.
    pub fn typed(&mut self, predicate: &str, lexical: &str, datatype: &str) -> &mut Self {
        self.line(predicate, |out| {
            push_quoted(out, lexical);
            if datatype != xsd::STRING {
                out.extend_from_slice(b"^^");
                push_iri(out, datatype);
            }
        })
    }

    /// The object is a number of things.
    pub fn integer(&mut self, predicate: &str, object: u64) -> &mut Self {
        self.typed(predicate, &object.to_string(), xsd::INTEGER)
    }

    /// The object is an IRI or a literal.
    pub fn term<'a>(&mut self, predicate: &str, object: impl Into<TermRef<'a>>) -> &mut Self {
        let object = object.into();
        self.line(predicate, |out| match object {
            TermRef::NamedNode(node) => push_iri(out, node.as_str()),
            TermRef::Literal(literal) => {
                push_quoted(out, literal.value());
                if let Some(language) = literal.language() {
                    out.push(b'@');
                    out.extend_from_slice(language.as_bytes());
                } else if literal.datatype().as_str() != xsd::STRING {
                    out.extend_from_slice(b"^^");
                    push_iri(out, literal.datatype().as_str());
                }
            }
            TermRef::BlankNode(node) => unreachable!("published graphs have no blank nodes, not even {node}"),
        })
    }

    /// The object is a text in a language; the tag is lower-cased and `_` becomes `-`.
    /// Without a language, or with a tag that is none, it is a plain string.
    pub fn text_in(&mut self, predicate: &str, text: &str, language: Option<&str>) -> &mut Self {
        let tag = language.and_then(crate::base::rdf::language::language_tag);
        self.line(predicate, |out| {
            push_quoted(out, text);
            if let Some(tag) = tag {
                out.push(b'@');
                out.extend_from_slice(tag.as_bytes());
            }
        })
    }

    /// Writes what was collected in byte order, without repeated lines, and starts anew.
    pub fn write_to(&mut self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        let buffer = &self.buffer;
        // Lines of one subject differ only behind it.
        let common = if self.mixed { 0 } else { self.subject.len() };
        let different = |line: &Range<usize>| &buffer[line.start + common..line.end];
        self.ranges.sort_unstable_by(|a, b| different(a).cmp(different(b)));
        self.ranges.dedup_by(|a, b| buffer[a.clone()] == buffer[b.clone()]);
        for line in &self.ranges {
            out.write_all(&buffer[line.clone()])?;
        }
        self.count += self.ranges.len() as u64;
        self.ranges.clear();
        self.buffer.clear();
        self.mixed = false;
        Ok(())
    }
}

/// The order of subjects in a canonical file: that of their bytes with the closing `>`.
pub fn subject_order(a: &str, b: &str) -> std::cmp::Ordering {
    let common = a.len().min(b.len());
    let next = |text: &str| text.as_bytes().get(common).copied().unwrap_or(b'>');
    let beginnings = a.as_bytes()[..common].cmp(&b.as_bytes()[..common]);
    beginnings.then_with(|| next(a).cmp(&next(b))).then_with(|| a.len().cmp(&b.len()))
}

/// Writes a large graph subject by subject: sorts the subjects, lets `fill` state what it knows about each.
pub fn write_subjects<T>(
    out: &mut (impl Write + ?Sized),
    graph: &str,
    mut subjects: Vec<(String, T)>,
    mut fill: impl FnMut(&T, &mut Lines),
) -> io::Result<u64> {
    subjects.sort_by(|a, b| subject_order(&a.0, &b.0));
    let mut lines = Lines::new(graph);
    let mut subjects = subjects.into_iter().peekable();
    while let Some((subject, what)) = subjects.next() {
        lines.subject(&subject);
        fill(&what, &mut lines);
        // What two entries say about one subject belongs in one sorted block.
        if subjects.peek().is_none_or(|(next, _)| *next != subject) {
            lines.write_to(out)?;
        }
    }
    Ok(lines.written())
}

/// Subjects that stand together in a canonical file: all begin with one prefix, with which those of no other region begin.
pub struct SubjectRegion<'a, T> {
    prefix: String,
    subjects: Box<dyn FnOnce() -> Vec<(String, T)> + 'a>,
}

impl<'a, T: 'a> SubjectRegion<'a, T> {
    /// The subjects are made when it is their turn. The prefix ends with `/`.
    pub fn new(prefix: String, subjects: impl FnOnce() -> Vec<(String, T)> + 'a) -> Self {
        Self { prefix, subjects: Box::new(subjects) }
    }

    /// A subject alone.
    pub fn one(subject: String, what: T) -> Self {
        Self::new(subject.clone(), move || vec![(subject, what)])
    }
}

/// Writes a large graph region by region, so that only the subjects of one are in memory: see [`write_subjects`].
pub fn write_regions<T>(
    out: &mut (impl Write + ?Sized),
    graph: &str,
    mut regions: Vec<SubjectRegion<'_, T>>,
    mut fill: impl FnMut(&T, &mut Lines),
) -> io::Result<u64> {
    regions.sort_by(|a, b| subject_order(&a.prefix, &b.prefix));
    let mut count = 0;
    for SubjectRegion { prefix, subjects } in regions {
        let subjects = subjects();
        debug_assert!(subjects.iter().all(|(subject, _)| subject.starts_with(&prefix)), "{prefix}");
        count += write_subjects(out, graph, subjects, &mut fill)?;
    }
    Ok(count)
}

fn push_iri(out: &mut Vec<u8>, iri: &str) {
    out.push(b'<');
    out.extend_from_slice(iri.as_bytes());
    out.push(b'>');
}

/// A quoted string with the escapes of canonical N-Quads and no others.
fn push_quoted(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    let mut rest = text.as_bytes();
    while let Some(at) = rest.iter().position(|&byte| byte < 0x20 || matches!(byte, b'"' | b'\\' | 0x7f)) {
        out.extend_from_slice(&rest[..at]);
        match rest[at] {
            b'\x08' => out.extend_from_slice(b"\\b"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\x0c' => out.extend_from_slice(b"\\f"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            byte => out.extend_from_slice(format!("\\u{byte:04X}").as_bytes()),
        }
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(lines: &mut Lines) -> String {
        let mut out = Vec::new();
        lines.write_to(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn lines_are_sorted_escaped_and_not_repeated() {
        let mut lines = Lines::new("http://g");
        lines.subject("http://s/2").text("http://p", "a\"\\\n\u{1}\u{7f}é");
        lines.subject("http://s/1").integer("http://p", 7).integer("http://p", 7);
        lines.text_in("http://p", "Rio", Some("pt_BR")).text_in("http://p", "?", Some("no tag"));
        assert_eq!(
            written(&mut lines),
            "<http://s/1> <http://p> \"7\"^^<http://www.w3.org/2001/XMLSchema#integer> <http://g> .\n\
             <http://s/1> <http://p> \"?\" <http://g> .\n\
             <http://s/1> <http://p> \"Rio\"@pt-br <http://g> .\n\
             <http://s/2> <http://p> \"a\\\"\\\\\\n\\u0001\\u007Fé\" <http://g> .\n"
        );
        assert_eq!(lines.written(), 4);
    }

    #[test]
    fn subject_by_subject_is_the_same_as_all_at_once() {
        let subjects = ["http://s/1", "http://s/10", "http://s/1/gold", "http://s/2"];
        let mut all = Lines::new("http://g");
        for subject in subjects {
            all.subject(subject).text("http://p", "x").iri("http://o", "http://x");
        }
        let mut out = Vec::new();
        let count = write_subjects(
            &mut out,
            "http://g",
            subjects.iter().map(|s| ((*s).to_owned(), ())).collect(),
            |(), lines| {
                lines.text("http://p", "x").iri("http://o", "http://x");
            },
        )
        .unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), written(&mut all));
        assert_eq!(count, 8);
    }
}
