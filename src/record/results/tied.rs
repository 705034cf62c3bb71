//! Rows of a gold answer that tie: which there are, how many are wanted, and which of them counted in a question.

use std::collections::{BTreeMap, BTreeSet};

use oxigraph::model::Term;
use serde::{Deserialize, Serialize};

use crate::scoring::evaluation::Evaluation;
use crate::scoring::experiment::Experiment;
use crate::scoring::gold::takes_ties;
use crate::scoring::pairs::tied::row_terms;
use crate::sources::input::answer::LabelColumns;
use crate::sources::input::term;
use crate::sparql::dataset::Solution;

/// Rows that tie, of which some are right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExplainedTies {
    /// How many of them are right, whichever.
    pub wanted: u64,
    /// The rows, in their order.
    pub rows: Vec<ExplainedRow>,
}

/// A row that ties.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExplainedRow {
    /// Its terms in N-Triples, sorted.
    pub terms: BTreeSet<String>,
    /// Whether it is one of those that counted.
    #[serde(rename = "counted")]
    pub is_counted: bool,
}

/// The ties of a question of an evaluation; none in experiment types that are not told of them.
pub(super) fn of(evaluation: &Evaluation, experiment: &Experiment, position: usize) -> Vec<ExplainedTies> {
    let ties = evaluation.cases.asked.ties(position).filter(|_| takes_ties(&experiment.rules));
    let counted = &experiment.matching.questions[position].counted_rows;
    let groups = ties.into_iter().flat_map(|ties| &ties.groups).zip(counted);
    let explained = groups.map(|(group, counted)| ExplainedTies {
        wanted: group.wanted as u64,
        rows: group
            .rows
            .iter()
            .enumerate()
            .map(|(number, row)| ExplainedRow {
                terms: row_terms(row, LabelColumns::Answers).iter().map(Term::to_string).collect(),
                is_counted: counted.contains(&number),
            })
            .collect(),
    });
    explained.collect()
}

/// The ties that a graph tells, from the rows of `explain/ties`; `counted` are the nodes of the rows that counted.
pub(super) fn read(rows: &[Solution], counted: &[String]) -> Vec<ExplainedTies> {
    let number =
        |node: &str| node.rsplit('/').next().and_then(|last| last.parse::<u64>().ok()).unwrap_or_default();
    let mut groups: BTreeMap<u64, (u64, BTreeMap<u64, ExplainedRow>)> = BTreeMap::new();
    for found in rows {
        let [Some(group), Some(wanted), Some(row), term] = &found[..] else { continue };
        let row = term::text(row);
        let (wanted, rows) = (term::text(wanted), groups.entry(number(&term::text(group))).or_default());
        rows.0 = wanted.parse().unwrap_or_default();
        let known = rows.1.entry(number(&row)).or_default();
        known.is_counted = counted.iter().any(|counted| *counted == row);
        known.terms.extend(term.as_ref().map(Term::to_string));
    }
    let explained = |(wanted, rows): (u64, BTreeMap<u64, ExplainedRow>)| ExplainedTies {
        wanted,
        rows: rows.into_values().collect(),
    };
    groups.into_values().map(explained).collect()
}
