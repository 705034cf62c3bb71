//! What an evaluation needs to know of a knowledge base.

use std::collections::BTreeSet;

use oxigraph::model::NamedNode;

use crate::sources::document::{Cell, CellKind, Document, Question};
use crate::sources::input::asked::Asked;

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
    /// The languages of the questions and of texts among the answers, in lower case.
    pub languages: BTreeSet<String>,
    /// The classes that the files state as types of answers; those of queries and resources are added by who knows them.
    pub classes: BTreeSet<String>,
    /// What queries are about, resources and properties: for links.
    pub queried: BTreeSet<String>,
}

/// The answers of a system, and for each gold question the position of its answer among them.
pub type Aligned<'a> = (&'a Document, &'a [Option<usize>]);

/// The answers of one question on one side.
#[derive(Default)]
struct AnswerNames {
    resources: BTreeSet<String>,
    texts: BTreeSet<String>,
    languages: BTreeSet<String>,
    classes: BTreeSet<String>,
}

impl Needs {
    /// What the evaluation of these answers needs.
    pub fn of(gold: &Document, answers: &[Aligned<'_>]) -> Self {
        let mut needs = Self::default();
        let texts = gold.questions.iter().flat_map(|question| &question.texts);
        needs.languages =
            texts.filter_map(|text| text.language.as_deref()).map(str::to_ascii_lowercase).collect();
        let gold: Vec<AnswerNames> = gold.questions.iter().map(AnswerNames::of).collect();
        for (document, positions) in answers {
            let theirs: Vec<AnswerNames> = document.questions.iter().map(AnswerNames::of).collect();
            for (ours, position) in gold.iter().zip(*positions) {
                if let Some(theirs) = position.and_then(|position| theirs.get(position)) {
                    needs.compare(ours, theirs);
                    needs.compare(theirs, ours);
                }
            }
            needs.take(theirs);
        }
        needs.take(gold);
        needs
    }

    /// Needs what both need.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.resources.extend(other.resources);
        self.texts.extend(other.texts);
        self.called.extend(other.called);
        self.languages.extend(other.languages);
        self.classes.extend(other.classes);
        self.queried.extend(other.queried);
        self
    }

    /// Adds what a query is about.
    pub fn add_query(&mut self, query: &Asked) {
        if let Asked::Graph(graph) = query {
            let text = |iri: &NamedNode| iri.as_str().to_owned();
            self.classes.extend(graph.item_types.iter().map(text));
            self.queried.extend(graph.resources.iter().chain(&graph.properties).map(text));
        }
    }

    /// All whose links are needed.
    pub fn linked(&self) -> BTreeSet<String> {
        self.resources.iter().chain(&self.classes).chain(&self.queried).cloned().collect()
    }

    fn take(&mut self, sides: Vec<AnswerNames>) {
        for side in sides {
            self.resources.extend(side.resources);
            self.languages.extend(side.languages);
            self.classes.extend(side.classes);
        }
    }

    fn compare(&mut self, side: &AnswerNames, other: &AnswerNames) {
        if !other.resources.is_empty() {
            self.texts.extend(side.texts.iter().cloned());
        }
        if !other.texts.is_empty() {
            self.called.extend(side.resources.iter().cloned());
        }
    }
}

fn cells(question: &Question) -> impl Iterator<Item = &Cell> {
    question.answers.sets.iter().flat_map(|set| &set.rows).flat_map(|row| &row.cells)
}

impl AnswerNames {
    fn of(question: &Question) -> Self {
        let stated = question.answer_item_types.iter().map(|class| class.trim().to_owned());
        let mut side = Self { classes: stated.collect(), ..Self::default() };
        cells(question).for_each(|cell| side.add(cell));
        side
    }

    fn add(&mut self, cell: &Cell) {
        let value = cell.value.trim();
        let seems_iri = value.starts_with("http://") || value.starts_with("https://");
        match cell.kind {
            CellKind::Uri => self.resources.insert(value.to_owned()),
            CellKind::Unknown if seems_iri => self.resources.insert(value.to_owned()),
            CellKind::Literal | CellKind::Unknown if is_text(cell) => {
                self.languages.extend(cell.language.as_deref().map(str::to_ascii_lowercase));
                self.texts.insert(value.to_owned())
            }
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
