//! Statements by what they are about, and by what they name: the lines of canonical N-Quads with two indexes.

use std::ops::Range;
use std::sync::OnceLock;

use memchr::{memchr, memchr_iter};
use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::{GraphName, NamedNode, NamedOrBlankNode, Quad, Term};

use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::profiles::ontology_quads;

/// The statements of some graphs, as they are written. They are parsed where they are asked for.
#[derive(Debug, Default)]
pub(crate) struct StatementLines {
    bytes: Vec<u8>,
    /// The lines about subjects, as they came.
    pieces: Vec<SubjectLines>,
    /// The same in the order of the subjects.
    about: OnceLock<Vec<SubjectLines>>,
    /// Objects that are IRIs, with the subjects of the statements, in order.
    naming: OnceLock<Vec<(Range<usize>, Range<usize>)>>,
}

/// Lines about a subject, one after the other: where its IRI is, and where they are.
#[derive(Debug, Clone)]
struct SubjectLines {
    subject: Range<usize>,
    lines: Range<usize>,
}

impl StatementLines {
    /// Adds a graph.
    pub(crate) fn add(&mut self, content: &[u8]) {
        (self.about, self.naming) = (OnceLock::new(), OnceLock::new());
        let mut start = self.bytes.len();
        self.bytes.extend_from_slice(content);
        for end in memchr_iter(b'\n', &self.bytes[start..]).map(|end| start + end + 1).collect::<Vec<_>>() {
            let lines = start..end;
            start = end;
            let Some(subject) = iri_at(&self.bytes[..end], lines.start) else { continue };
            let last = self.pieces.last().filter(|last| last.lines.end == lines.start);
            if last.is_some_and(|last| self.text(&last.subject) == self.text(&subject)) {
                self.pieces.last_mut().expect("it was looked at").lines.end = end;
            } else {
                self.pieces.push(SubjectLines { subject, lines });
            }
        }
    }

    /// An IRI by its place.
    fn text(&self, place: &Range<usize>) -> &str {
        std::str::from_utf8(&self.bytes[place.clone()]).unwrap_or_default()
    }

    fn about(&self) -> &[SubjectLines] {
        self.about.get_or_init(|| {
            let mut all = self.pieces.clone();
            // The lines of one subject stay in the order of the graphs.
            all.sort_by(|one, other| self.bytes[one.subject.clone()].cmp(&self.bytes[other.subject.clone()]));
            all
        })
    }

    /// Whether something is said of a subject.
    pub(crate) fn has(&self, subject: &str) -> bool {
        self.from(subject).next().is_some_and(|(known, _)| known == subject)
    }

    /// The pieces about subjects from one on.
    fn from(&self, subject: &str) -> impl Iterator<Item = (&str, &SubjectLines)> {
        let all = self.about();
        let first = all.partition_point(|piece| self.text(&piece.subject) < subject);
        all[first..].iter().map(|piece| (self.text(&piece.subject), piece))
    }

    /// All subjects, in order.
    pub(crate) fn subjects(&self) -> impl Iterator<Item = &str> {
        once_each(self.about().iter().map(|piece| self.text(&piece.subject)))
    }

    /// The subjects that begin so, in order.
    pub(crate) fn below<'s>(&'s self, beginning: &'s str) -> impl Iterator<Item = &'s str> {
        let subjects = self.from(beginning).map(|(subject, _)| subject);
        once_each(subjects.take_while(move |subject| subject.starts_with(beginning)))
    }

    /// What is said of a subject.
    pub(crate) fn of(&self, subject: &str) -> Result<Vec<Quad>> {
        let mut quads = Vec::new();
        for (_, piece) in self.from(subject).take_while(|(known, _)| *known == subject) {
            for quad in RdfParser::from_format(RdfFormat::NQuads).for_slice(&self.bytes[piece.lines.clone()])
            {
                quads.push(quad.map_err(|error| {
                    Error::input(format!("the N-Quads about <{subject}> cannot be read: {error}"))
                })?);
            }
        }
        Ok(quads)
    }

    /// The subjects of which something is said that names an IRI, in order.
    pub(crate) fn naming<'s>(&'s self, object: &'s str) -> impl Iterator<Item = &'s str> {
        let all = self.naming.get_or_init(|| self.index());
        let first = all.partition_point(|(known, _)| self.text(known) < object);
        let same = all[first..].iter().take_while(move |(known, _)| self.text(known) == object);
        once_each(same.map(|(_, subject)| self.text(subject)))
    }

    fn index(&self) -> Vec<(Range<usize>, Range<usize>)> {
        let mut all = Vec::new();
        for SubjectLines { subject, lines } in &self.pieces {
            let mut start = lines.start;
            for end in memchr_iter(b'\n', &self.bytes[lines.clone()]) {
                let end = lines.start + end;
                // `<subject> <predicate> <object> …`
                let predicate = iri_at(&self.bytes[..end], start + subject.len() + 3);
                let object = predicate.and_then(|known| iri_at(&self.bytes[..end], known.end + 2));
                all.extend(object.map(|object| (object, subject.clone())));
                start = end + 1;
            }
        }
        let key = |place: &Range<usize>| &self.bytes[place.clone()];
        all.sort_by(|one, other| (key(&one.0), key(&one.1)).cmp(&(key(&other.0), key(&other.1))));
        all
    }
}

/// Texts in order, each once.
fn once_each<'s>(texts: impl Iterator<Item = &'s str>) -> impl Iterator<Item = &'s str> {
    let mut before = None;
    texts.filter(move |text| before.replace(*text) != Some(*text))
}

/// Where the IRI is that stands between the brackets at a place.
fn iri_at(bytes: &[u8], place: usize) -> Option<Range<usize>> {
    let rest = bytes.get(place..)?.strip_prefix(b"<")?;
    let end = memchr(b'>', rest)?;
    std::str::from_utf8(&rest[..end]).is_ok().then_some(place + 1..place + 1 + end)
}

/// The IRI of a subject; of a blank node nothing.
pub(crate) fn named(quad: &Quad) -> Option<&str> {
    match &quad.subject {
        NamedOrBlankNode::NamedNode(node) => Some(node.as_str()),
        NamedOrBlankNode::BlankNode(_) => None,
    }
}

/// What the ontology says, the profiles included.
pub(crate) fn ontology_lines() -> &'static StatementLines {
    static LINES: OnceLock<StatementLines> = OnceLock::new();
    LINES.get_or_init(|| {
        let graph = GraphName::from(NamedNode::new_unchecked(Mint::default().ontology_graph()));
        let mut quads: Vec<String> = ontology_quads(&graph).map(|quad| format!("{quad} .\n")).collect();
        quads.sort_unstable();
        quads.dedup();
        let mut lines = StatementLines::default();
        lines.add(quads.concat().as_bytes());
        lines
    })
}

/// The text of a term: an IRI or a lexical form.
pub(crate) fn text_of(term: &Term) -> &str {
    match term {
        Term::NamedNode(node) => node.as_str(),
        Term::BlankNode(node) => node.as_str(),
        Term::Literal(literal) => literal.value(),
    }
}
