//! What an evaluation needs to know of a knowledge base.

use std::collections::{BTreeMap, BTreeSet};

use crate::read::{Cell, CellKind, Document, Question};

/// The most bytes of a text that may be a label.
const LONGEST_LABEL: usize = 300;

/// What a gold standard and the answers of systems name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// All resources among the answers: for links and types.
    pub resources: BTreeSet<String>,
    /// Texts that stand where the other side has a resource: which resources are called so?
    pub texts: BTreeSet<String>,
    /// Resources that stand where the other side has a text: what are they called?
    pub called: BTreeSet<String>,
    /// The languages of the questions, in lower case.
    pub languages: BTreeSet<String>,
}

/// The answers of one question on one side.
#[derive(Default)]
struct Side {
    resources: BTreeSet<String>,
    texts: BTreeSet<String>,
}

impl Needs {
    /// What the evaluation of these answers needs. Questions belong together by their ids.
    pub fn of(gold: &Document, answers: &[&Document]) -> Self {
        let mut needs = Self::default();
        let texts = gold.questions.iter().flat_map(|question| &question.texts);
        needs.languages =
            texts.filter_map(|text| text.language.as_deref()).map(str::to_ascii_lowercase).collect();
        let gold = by_id(gold);
        for system in answers.iter().map(|document| by_id(document)) {
            for (id, theirs) in &system {
                if let Some(ours) = gold.get(id) {
                    needs.compare(ours, theirs);
                    needs.compare(theirs, ours);
                }
            }
            needs.resources.extend(system.into_values().flat_map(|side| side.resources));
        }
        needs.resources.extend(gold.into_values().flat_map(|side| side.resources));
        needs
    }

    fn compare(&mut self, side: &Side, other: &Side) {
        if !other.resources.is_empty() {
            self.texts.extend(side.texts.iter().cloned());
        }
        if !other.texts.is_empty() {
            self.called.extend(side.resources.iter().cloned());
        }
    }
}

fn by_id(document: &Document) -> BTreeMap<&str, Side> {
    let mut sides: BTreeMap<&str, Side> = BTreeMap::new();
    for question in &document.questions {
        let side = sides.entry(&question.id).or_default();
        cells(question).for_each(|cell| side.add(cell));
    }
    sides
}

fn cells(question: &Question) -> impl Iterator<Item = &Cell> {
    question.answers.sets.iter().flat_map(|set| &set.rows).flat_map(|row| &row.cells)
}

impl Side {
    fn add(&mut self, cell: &Cell) {
        let value = cell.value.trim();
        let seems_iri = value.starts_with("http://") || value.starts_with("https://");
        match cell.kind {
            CellKind::Uri => self.resources.insert(value.to_owned()),
            CellKind::Unknown if seems_iri => self.resources.insert(value.to_owned()),
            CellKind::Literal | CellKind::Unknown if is_text(cell) => self.texts.insert(value.to_owned()),
            _ => false,
        };
    }
}

/// Whether a literal may be a label: no number, no date, not a page long.
fn is_text(cell: &Cell) -> bool {
    let of_text =
        ["http://www.w3.org/2001/XMLSchema#string", "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"];
    let value = cell.value.trim();
    cell.datatype.as_deref().is_none_or(|datatype| of_text.contains(&datatype))
        && (1..=LONGEST_LABEL).contains(&value.len())
        && value.parse::<f64>().is_err()
}
