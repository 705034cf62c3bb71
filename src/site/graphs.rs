//! Statements by what they are about, and by what they name: the lines of canonical N-Quads with two indexes.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Bound, Range};
use std::sync::OnceLock;

use memchr::memchr_iter;
use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::{NamedOrBlankNode, Quad, Term};

use crate::base::error::{Error, Result};

/// The statements of some graphs, as they are written. They are parsed where they are asked for.
#[derive(Debug, Default)]
pub(crate) struct StatementLines {
    bytes: Vec<u8>,
    /// The lines about a subject, in pieces.
    about: BTreeMap<String, Vec<Range<usize>>>,
    /// The subjects of statements that have an IRI as object.
    naming: OnceLock<BTreeMap<String, BTreeSet<String>>>,
}

impl StatementLines {
    /// Adds a graph.
    pub(crate) fn add(&mut self, content: &[u8]) {
        let mut start = self.bytes.len();
        self.bytes.extend_from_slice(content);
        let ends: Vec<usize> = memchr_iter(b'\n', &self.bytes[start..]).map(|end| start + end + 1).collect();
        for end in ends {
            let line = start..end;
            start = end;
            let Some(subject) = subject(&self.bytes[line.clone()]) else { continue };
            let known = self.about.get_mut(subject);
            match known {
                Some(pieces) => match pieces.last_mut() {
                    Some(last) if last.end == line.start => last.end = line.end,
                    _ => pieces.push(line),
                },
                None => drop(self.about.insert(subject.to_owned(), vec![line])),
            }
        }
    }

    /// Whether something is said of a subject.
    pub(crate) fn has(&self, subject: &str) -> bool {
        self.about.contains_key(subject)
    }

    /// All subjects, in order.
    pub(crate) fn subjects(&self) -> impl Iterator<Item = &str> {
        self.about.keys().map(String::as_str)
    }

    /// The subjects that begin so, in order.
    pub(crate) fn below<'s>(&'s self, beginning: &'s str) -> impl Iterator<Item = &'s str> {
        let from = self.about.range::<str, _>((Bound::Included(beginning), Bound::Unbounded));
        from.map(|(subject, _)| subject.as_str()).take_while(move |subject| subject.starts_with(beginning))
    }

    /// What is said of a subject.
    pub(crate) fn of(&self, subject: &str) -> Result<Vec<Quad>> {
        let pieces = self.about.get(subject).into_iter().flatten();
        let mut quads = Vec::new();
        for piece in pieces {
            for quad in RdfParser::from_format(RdfFormat::NQuads).for_slice(&self.bytes[piece.clone()]) {
                quads.push(quad.map_err(|error| {
                    Error::input(format!("the N-Quads about <{subject}> cannot be read: {error}"))
                })?);
            }
        }
        Ok(quads)
    }

    /// The subjects of which something is said that names an IRI, in order.
    pub(crate) fn naming(&self, object: &str) -> impl Iterator<Item = &str> {
        let all = self.naming.get_or_init(|| self.index());
        all.get(object).into_iter().flatten().map(String::as_str)
    }

    fn index(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for subject in self.about.keys() {
            for quad in self.of(subject).unwrap_or_default() {
                if let Term::NamedNode(object) = quad.object {
                    all.entry(object.into_string()).or_default().insert(subject.clone());
                }
            }
        }
        all
    }
}

/// The subject of a line, where it is an IRI.
fn subject(line: &[u8]) -> Option<&str> {
    let end = line.iter().position(|byte| *byte == b'>')?;
    std::str::from_utf8(line.get(1..end)?).ok().filter(|_| line[0] == b'<')
}

/// The IRI of a subject; of a blank node nothing.
pub(crate) fn named(quad: &Quad) -> Option<&str> {
    match &quad.subject {
        NamedOrBlankNode::NamedNode(node) => Some(node.as_str()),
        NamedOrBlankNode::BlankNode(_) => None,
    }
}
