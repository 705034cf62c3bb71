//! Two answer snapshots side by side: what changed from the one to the other.

use std::collections::{BTreeMap, BTreeSet};

use crate::kb::outcome::Outcome;
use crate::kb::snapshot::{AnswerSnapshot, AnsweredQuery};
use crate::sources::document::{AnswerSet, Cell, CellKind, Row};

/// What became of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// The same answers, or the same kind of failure.
    Same,
    /// Other rows, or another boolean.
    Changed {
        /// What only the second has.
        added: Vec<String>,
        /// What only the first has.
        removed: Vec<String>,
    },
    /// The same rows in another order, where the query orders them.
    Reordered,
    /// Answers once and a failure once, or two kinds of failure: the names of both outcomes.
    OtherOutcome(&'static str, &'static str),
    /// Only the first has the query.
    OnlyFirst,
    /// Only the second has it.
    OnlySecond,
}

/// One query of two snapshots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The checksum of the query.
    pub checksum: String,
    /// Its text.
    pub query: String,
    /// What became of it.
    pub change: Change,
}

impl Change {
    /// The names of all kinds, in the order of reports.
    pub const NAMES: [&'static str; 6] =
        ["same", "changed", "reordered", "other outcome", "only in the first", "only in the second"];

    /// The name of its kind.
    pub fn name(&self) -> &'static str {
        Self::NAMES[match self {
            Self::Same => 0,
            Self::Changed { .. } => 1,
            Self::Reordered => 2,
            Self::OtherOutcome(..) => 3,
            Self::OnlyFirst => 4,
            Self::OnlySecond => 5,
        }]
    }
}

/// Compares two snapshots, query by query, in the order of their checksums.
pub fn compare(first: &AnswerSnapshot, second: &AnswerSnapshot) -> Vec<Comparison> {
    let checksums: BTreeSet<&String> = first.entries.keys().chain(second.entries.keys()).collect();
    let compared = checksums.into_iter().filter_map(|checksum| {
        let (change, entry) = match (first.entries.get(checksum), second.entries.get(checksum)) {
            (Some(a), Some(b)) => (changed(a, b), a),
            (Some(a), None) => (Change::OnlyFirst, a),
            (None, Some(b)) => (Change::OnlySecond, b),
            (None, None) => return None,
        };
        Some(Comparison { checksum: checksum.clone(), query: entry.query.clone(), change })
    });
    compared.collect()
}

fn changed(a: &AnsweredQuery, b: &AnsweredQuery) -> Change {
    let (Outcome::Answered(a), Outcome::Answered(b)) = (&a.outcome, &b.outcome) else {
        let (a, b) = (a.outcome.name(), b.outcome.name());
        return if a == b { Change::Same } else { Change::OtherOutcome(a, b) };
    };
    let (a, b) = (lines(a), lines(b));
    if a == b {
        return Change::Same;
    }
    let (added, removed) = (without(&b, &a), without(&a, &b));
    if added.is_empty() && removed.is_empty() {
        Change::Reordered
    } else {
        Change::Changed { added, removed }
    }
}

/// What the first has more often than the second, in its order.
fn without(lines: &[String], others: &[String]) -> Vec<String> {
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    for line in others {
        *left.entry(line).or_default() += 1;
    }
    let mut is_new = |line: &str| match left.get_mut(line) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    lines.iter().filter(|line| is_new(line)).cloned().collect()
}

/// Answers as lines.
fn lines(answers: &AnswerSet) -> Vec<String> {
    match answers.boolean {
        Some(boolean) => vec![boolean.to_string()],
        None => answers.rows.iter().map(line).collect(),
    }
}

/// A row as people read it. Blank nodes have no names that last.
fn line(row: &Row) -> String {
    let cell = |cell: &Cell| {
        let value = match (cell.kind, &cell.language, &cell.datatype) {
            (CellKind::Uri, ..) => format!("<{}>", cell.value),
            (CellKind::BlankNode, ..) => "[]".to_owned(),
            (_, Some(language), _) => format!("{:?}@{language}", cell.value),
            (_, None, Some(datatype)) => format!("{:?}^^<{datatype}>", cell.value),
            (..) => format!("{:?}", cell.value),
        };
        format!("?{} {value}", cell.variable)
    };
    row.cells.iter().map(cell).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kb::answered_by::AnsweredBy;
    use crate::kb::outcome::Cause;

    fn rows(values: &[&str]) -> Outcome {
        let cell = |value: &&str| Cell {
            variable: "x".to_owned(),
            kind: if value.starts_with('_') { CellKind::BlankNode } else { CellKind::Uri },
            value: (*value).to_owned(),
            ..Cell::default()
        };
        let rows = values.iter().map(|value| Row { cells: [cell(value)].into() }).collect();
        Outcome::Answered(AnswerSet { rows, ..AnswerSet::default() })
    }

    fn boolean(value: bool) -> Outcome {
        Outcome::Answered(AnswerSet { boolean: Some(value), ..AnswerSet::default() })
    }

    #[test]
    fn every_kind_of_change_is_told() {
        let cases = [
            ("same", Some(rows(&["a", "_:1"])), Some(rows(&["a", "_:2"]))),
            ("other", Some(rows(&["a", "b", "b"])), Some(rows(&["b", "c"]))),
            ("order", Some(rows(&["a", "b"])), Some(rows(&["b", "a"]))),
            ("ask", Some(boolean(true)), Some(boolean(false))),
            ("late", Some(rows(&[])), Some(Outcome::failed(Cause::TimedOut, "1 s"))),
            (
                "twice",
                Some(Outcome::failed(Cause::TimedOut, "1 s")),
                Some(Outcome::failed(Cause::TimedOut, "2 s")),
            ),
            ("gone", Some(rows(&[])), None),
            ("new", None, Some(rows(&[]))),
        ];
        let snapshot = |second: bool| {
            let answered_by = AnsweredBy::Endpoint { url: "http://a".to_owned(), time: String::new() };
            let outcome = |(query, a, b): &(&str, Option<Outcome>, Option<Outcome>)| {
                Some(((*query).to_owned(), if second { b } else { a }.clone()?))
            };
            AnswerSnapshot::new(answered_by, cases.iter().filter_map(outcome))
        };
        let compared = compare(&snapshot(false), &snapshot(true));
        let mut told: Vec<String> = compared.iter().map(|c| format!("{}: {:?}", c.query, c.change)).collect();
        told.sort();
        assert_eq!(
            told,
            [
                "ask: Changed { added: [\"false\"], removed: [\"true\"] }",
                "gone: OnlyFirst",
                "late: OtherOutcome(\"answered\", \"timed-out\")",
                "new: OnlySecond",
                "order: Reordered",
                "other: Changed { added: [\"?x <c>\"], removed: [\"?x <a>\", \"?x <b>\"] }",
                "same: Same",
                "twice: Same",
            ]
        );
    }
}
