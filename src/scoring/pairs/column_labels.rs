//! States in the index what resources are called in their own rows: what `queries/match/column-label.rq` joins on.
//!
//! Only what can match gets a key: a text, and a resource on the other side whose row has the text as its label.

use std::collections::{BTreeMap, BTreeSet};

use oxigraph::model::Term;

use crate::base::vocab::qassay;
use crate::profiles::rules::ExperimentRules;
use crate::references::labels::is_text;
use crate::references::literal::text_key;
use crate::scoring::block::Block;
use crate::scoring::pairs::candidates::SideItems;
use crate::scoring::pairs::keyed_items;
use crate::sources::document::Question;
use crate::sources::input::answer::{LabelColumn, label_of};
use crate::sources::input::term;
use crate::sparql::index::Index;

/// The rule of labels in columns.
const COLUMN_LABEL: &str = "match-column-label";

/// Items by what they are called: numbers of terms.
type Called = BTreeMap<String, BTreeSet<u32>>;

/// Adds the keys of labels in columns to the graph `code:role-keys`.
pub(crate) fn add(index: &mut Index, rules: &ExperimentRules, block: &Block<'_>, sides: [&SideItems; 2]) {
    if !rules.has_rule(COLUMN_LABEL) {
        return;
    }
    for (case, question) in block.iter().zip(0..) {
        let answers = [Some(case.gold.question), case.system.map(|answer| answer.question)];
        for (named, other) in [(0, 1), (1, 0)] {
            let called = answers[named].map(|answer| called(index, answer)).unwrap_or_default();
            if called.is_empty() {
                continue;
            }
            let texts = texts(index, &sides[other].items[question]);
            for (key, texts) in texts.into_iter().filter(|(key, _)| called.contains_key(key)) {
                let key = (qassay::COLUMN_LABEL_KEY, key.as_str());
                for (side, terms) in [(named, &called[key.1]), (other, &texts)] {
                    let Some(answer) = sides[side].answers[question] else { continue };
                    keyed_items::state(index, key, answer, terms.iter().copied());
                }
            }
        }
    }
}

/// The resources of an answer by the labels in their rows.
fn called(index: &Index, answer: &Question) -> Called {
    let mut called = Called::new();
    for row in answer.answers.sets.iter().flat_map(|set| &set.rows).filter(|row| row.cells.len() > 1) {
        for cell in &row.cells {
            let Some((LabelColumn::Name, resource)) = label_of(row, cell) else { continue };
            let resource = index.number(&term::of_cell(resource).term);
            called.entry(text_key(&cell.value, true, true)).or_default().extend(resource);
        }
    }
    called.retain(|name, _| !name.is_empty());
    called
}

/// The texts among items.
fn texts(index: &Index, items: &[u32]) -> Called {
    let mut texts = Called::new();
    for &item in items {
        if let Term::Literal(literal) = index.term(item)
            && is_text(literal)
        {
            texts.entry(text_key(literal.value(), true, true)).or_default().insert(item);
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::{AnswerSet, Cell, CellKind, Row};

    #[test]
    fn names_in_a_row_are_labels_of_its_resource_and_descriptions_are_none() {
        let cell = |variable: &str, kind, value: &str| Cell {
            variable: variable.to_owned(),
            kind,
            value: value.to_owned(),
            ..Cell::default()
        };
        let cells = vec![
            cell("x", CellKind::Uri, "http://e/a"),
            cell("xLabel", CellKind::Literal, " A "),
            cell("xDescription", CellKind::Literal, "a letter"),
        ];
        let mut question = Question::default();
        question.answers.sets =
            vec![AnswerSet { rows: vec![Row { cells: cells.into() }], ..AnswerSet::default() }];
        let mut index = Index::new();
        let resource = index.intern_iri("http://e/a");
        assert_eq!(called(&index, &question), Called::from([("A".to_owned(), BTreeSet::from([resource]))]));
    }
}
