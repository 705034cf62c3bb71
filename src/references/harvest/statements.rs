//! Statements as a file.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use oxigraph::model::{Literal, NamedNode, Term, Triple};

use crate::references::harvest::Origin;
use crate::references::harvest::template::Found;
use crate::sources::document::{Cell, CellKind};

/// Statements, each once, in the order of their lines.
pub(crate) struct Statements {
    /// What they are, for the head of the file.
    what: &'static str,
    asked: usize,
    /// How many texts are no IRIs and were not asked for.
    odd: usize,
    lines: BTreeSet<String>,
    /// How many statements have a term that RDF cannot hold: an IRI with a space, a tag that is none.
    unwritten: usize,
}

impl Statements {
    pub(crate) fn new(what: &'static str, asked: usize, odd: usize) -> Self {
        Self { what, asked, odd, lines: BTreeSet::new(), unwritten: 0 }
    }

    pub(crate) fn add(&mut self, found: &[Found], property: &'static str) {
        for Found { subject, object } in found {
            let subject = NamedNode::new(&subject.value).ok().filter(|_| subject.kind == CellKind::Uri);
            match subject.zip(term(object)) {
                Some((subject, object)) => {
                    let triple = Triple::new(subject, NamedNode::new_unchecked(property), object);
                    self.lines.insert(format!("{triple} ."));
                }
                None => self.unwritten += 1,
            }
        }
    }

    /// The file.
    pub(crate) fn write(self, origin: Origin<'_>) -> Vec<u8> {
        let Self { what, asked, odd, lines, unwritten } = self;
        let mut text = String::new();
        let mut line = |words: String| writeln!(text, "{words}").expect("writing to memory cannot fail");
        // Comments end with the line.
        let one_line = |text: &str| text.replace(char::is_control, " ");
        line(format!("# {what}: {} statements about {asked} resources or texts", lines.len()));
        line(format!("# from <{}>", one_line(origin.source)));
        line(format!("# at {}, by qassay {}", one_line(origin.time), env!("CARGO_PKG_VERSION")));
        if odd > 0 {
            line(format!("# not asked for, because they are no IRIs: {odd}"));
        }
        if unwritten > 0 {
            line(format!("# not written, because a term of theirs is no RDF: {unwritten}"));
        }
        lines.into_iter().for_each(line);
        text.into_bytes()
    }
}

fn term(cell: &Cell) -> Option<Term> {
    match (cell.kind, &cell.language, &cell.datatype) {
        (CellKind::Uri, ..) => NamedNode::new(&cell.value).ok().map(Term::from),
        (CellKind::BlankNode | CellKind::Unknown, ..) => None,
        (CellKind::Literal, Some(tag), _) => {
            Literal::new_language_tagged_literal(&cell.value, tag).ok().map(Term::from)
        }
        (CellKind::Literal, None, Some(datatype)) => {
            Some(Literal::new_typed_literal(&cell.value, NamedNode::new(datatype).ok()?).into())
        }
        (CellKind::Literal, None, None) => Some(Literal::new_simple_literal(&cell.value).into()),
    }
}
