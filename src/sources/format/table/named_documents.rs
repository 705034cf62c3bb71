//! The documents that a file of rankings names, each kept once, and which lines name one again.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

use crate::base::shared::SharedList;
use crate::sources::document::Cell;
use crate::sources::format::drafts::literal;

/// The documents of a file: many rankings have the same ones.
#[derive(Default)]
pub(crate) struct NamedDocuments<'t> {
    numbers: HashMap<&'t str, u32, FxBuildHasher>,
    cells: Vec<SharedList<Cell>>,
}

impl<'t> NamedDocuments<'t> {
    /// The number of a document, new or known.
    pub(crate) fn number(&mut self, document: &'t str) -> u32 {
        *self.numbers.entry(document).or_insert_with(|| {
            self.cells.push(SharedList::Shared(Arc::new([literal("document", document)])));
            u32::try_from(self.cells.len() - 1).expect("memory ends before four billion documents")
        })
    }

    /// The number of a document, if it is known.
    pub(crate) fn find(&self, document: &str) -> Option<u32> {
        self.numbers.get(document).copied()
    }

    /// The document as the cells of a row or candidate.
    pub(crate) fn cells(&self, number: u32) -> SharedList<Cell> {
        self.cells[number as usize].clone()
    }
}

/// What a line says again of a question.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Repeats {
    /// The same document, in the same second field.
    Line,
    /// The same document, with another second field.
    Document,
}

/// A question, by its position, and a document.
type QuestionDocument = (usize, u32);

/// The lines that were read: millions, of which next to none is there again.
#[derive(Default)]
pub(crate) struct SeenLines<'t> {
    /// For each document the question that named it last, and the second field of the first line that did: all that
    /// has to be known while the lines of each question stand together.
    last: Vec<Option<(usize, &'t str)>>,
    /// The second field of the first line of each document of each question, as soon as a question comes back.
    first: Option<HashMap<QuestionDocument, &'t str, FxBuildHasher>>,
    /// Further second fields.
    others: HashSet<(QuestionDocument, &'t str), FxBuildHasher>,
}

impl<'t> SeenLines<'t> {
    /// A question comes back after another one: from now on all lines have to be known. `read` are those so far.
    pub(crate) fn of_all(&mut self, read: impl Iterator<Item = (QuestionDocument, &'t str)>) {
        if self.first.is_none() {
            let mut first: HashMap<QuestionDocument, &'t str, FxBuildHasher> = HashMap::default();
            for (named, group) in read {
                first.entry(named).or_insert(group);
            }
            self.first = Some(first);
        }
    }

    /// What a line says again, if it does. `group` is its second field.
    pub(crate) fn repeats(&mut self, named: QuestionDocument, group: &'t str) -> Option<Repeats> {
        match self.first_group(named, group)? {
            first if first == group => Some(Repeats::Line),
            _ if self.others.insert((named, group)) => Some(Repeats::Document),
            _ => Some(Repeats::Line),
        }
    }

    /// The second field of the first line that names a document of a question; nothing where it is this line.
    fn first_group(&mut self, named: QuestionDocument, group: &'t str) -> Option<&'t str> {
        if let Some(first) = &mut self.first {
            return match first.entry(named) {
                Entry::Vacant(entry) => {
                    entry.insert(group);
                    None
                }
                Entry::Occupied(first) => Some(first.get()),
            };
        }
        let (question, document) = (named.0, named.1 as usize);
        if self.last.len() <= document {
            self.last.resize(document + 1, None);
        }
        let last = &mut self.last[document];
        let known = last.filter(|(last, _)| *last == question);
        if known.is_none() {
            *last = Some((question, group));
        }
        known.map(|(_, group)| group)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_has_one_number() {
        let mut documents = NamedDocuments::default();
        assert_eq!(["a", "b", "a"].map(|name| documents.number(name)), [0, 1, 0]);
        assert_eq!((documents.find("b"), documents.find("c")), (Some(1), None));
        assert_eq!(documents.cells(1)[0].value, "b");
    }

    /// Lines of question, document and second field, and what each repeats: wherever the questions stand.
    #[test]
    fn repeated_lines_are_found() {
        let lines = [
            ((0, 7), "0", None),
            ((0, 7), "0", Some(Repeats::Line)),
            ((0, 7), "1", Some(Repeats::Document)),
            ((0, 7), "1", Some(Repeats::Line)),
            ((1, 7), "1", None),
            ((0, 7), "0", Some(Repeats::Line)),
            ((0, 8), "0", None),
            ((1, 7), "1", Some(Repeats::Line)),
        ];
        let mut seen = SeenLines::default();
        for (at, (named, group, expected)) in lines.iter().enumerate() {
            if at == 5 {
                seen.of_all(lines[..at].iter().map(|(named, group, _)| (*named, *group)));
            }
            assert_eq!(seen.repeats(*named, group), *expected, "line {at}");
        }
    }
}
