//! What knowledge bases answered, as tables.

use crate::kb::answered_by::AnsweredBy;
use crate::kb::compare::{Change, Comparison};
use crate::kb::outcome::Outcome;
use crate::kb::snapshot::AnswerSnapshot;
use crate::report::table::{Column, Table};

/// How many rows of a difference are shown for people.
const SHOWN: usize = 3;

/// A list of answer snapshots.
pub fn answer_snapshots(snapshots: &[AnswerSnapshot]) -> Table {
    let row = |snapshot: &AnswerSnapshot| {
        let (who, time) = match &snapshot.answered_by {
            AnsweredBy::Snapshot { iri, .. } => (iri.clone(), String::new()),
            AnsweredBy::Endpoint { url, time } => (url.clone(), time.clone()),
        };
        let entries = &snapshot.entries;
        let answered = entries.values().filter(|entry| entry.outcome.answers().is_some()).count();
        vec![snapshot.key(), who, time, entries.len().to_string(), answered.to_string()]
    };
    Table {
        title: "Answers of knowledge bases".to_owned(),
        columns: vec![
            Column::text("key", "key"),
            Column::text("who answered", "oracle"),
            Column::text("when", "time"),
            Column::number("queries", "queries"),
            Column::number("answered", "answered"),
        ],
        rows: snapshots.iter().map(row).collect(),
        ..Table::default()
    }
}

/// The queries of one answer snapshot.
pub fn answers(snapshot: &AnswerSnapshot) -> Table {
    let rows = snapshot.entries.iter().map(|(checksum, entry)| {
        let (rows, message) = match &entry.outcome {
            Outcome::Answered(answers) => match answers.boolean {
                Some(boolean) => (boolean.to_string(), String::new()),
                None => (answers.rows.len().to_string(), String::new()),
            },
            Outcome::Failed(failure) => (String::new(), failure.message.clone()),
        };
        let outcome = entry.outcome.name().to_owned();
        vec![checksum[..16].to_owned(), outcome, rows, message, on_one_line(&entry.query)]
    });
    Table {
        title: format!("Answer snapshot {}", snapshot.key()),
        columns: vec![
            Column::text("query", "checksum"),
            Column::text("outcome", "outcome"),
            Column::number("rows", "rows"),
            Column::text("message", "message"),
            Column::text("text", "query"),
        ],
        rows: rows.collect(),
        ..Table::default()
    }
}

/// How many queries changed in which way, on one line.
pub fn compared_counts(compared: &[Comparison]) -> String {
    let count = |name: &str| compared.iter().filter(|comparison| comparison.change.name() == name).count();
    let counts: Vec<String> = Change::NAMES
        .into_iter()
        .map(|name| (name, count(name)))
        .filter(|(name, count)| *count > 0 || *name == "same")
        .map(|(name, count)| format!("{count} {name}"))
        .collect();
    format!("{} queries: {}", compared.len(), counts.join(", "))
}

/// The queries that do not have the same answers.
pub fn compared(compared: &[Comparison]) -> Table {
    let different = compared.iter().filter(|comparison| comparison.change != Change::Same);
    let row = |comparison: &Comparison| {
        let Comparison { checksum, query, change } = comparison;
        let (added, removed, detail) = match change {
            Change::Changed { added, removed } => {
                (added.len().to_string(), removed.len().to_string(), shown(added, removed))
            }
            Change::OtherOutcome(before, after) => {
                (String::new(), String::new(), format!("{before} → {after}"))
            }
            _ => Default::default(),
        };
        vec![checksum[..16].to_owned(), change.name().to_owned(), added, removed, detail, on_one_line(query)]
    };
    Table {
        title: "What differs".to_owned(),
        columns: vec![
            Column::text("query", "checksum"),
            Column::text("change", "change"),
            Column::number("added", "added"),
            Column::number("removed", "removed"),
            Column::text("detail", "detail"),
            Column::text("text", "query"),
        ],
        rows: different.map(row).collect(),
        ..Table::default()
    }
}

fn shown(added: &[String], removed: &[String]) -> String {
    let some = |sign: char, rows: &[String]| {
        let mut shown: Vec<String> = rows.iter().take(SHOWN).map(|row| format!("{sign} {row}")).collect();
        if rows.len() > SHOWN {
            shown.push(format!("{sign} …"));
        }
        shown
    };
    [some('+', added), some('-', removed)].concat().join("; ")
}

fn on_one_line(query: &str) -> String {
    query.split_whitespace().collect::<Vec<_>>().join(" ")
}
