//! One line of the table.

use crate::sources::catalogue::{Entry, EntryKind, TableRow};

/// The columns of `datasets/catalogue.tsv`, in order.
pub const TABLE_COLUMNS: [&str; 27] = [
    "name",
    "title",
    "kind",
    "family",
    "version",
    "publisher",
    "licence",
    "languages",
    "kb",
    "kb_version",
    "questions",
    "counted",
    "repository",
    "commit",
    "path",
    "sha256",
    "bytes",
    "format",
    "dataset_id",
    "lacks",
    "damage",
    "instead",
    "previous",
    "next",
    "gerbil",
    "table1",
    "absent",
];

/// Reads a line.
///
/// # Panics
/// Not on input: the table is part of the program, and a test reads it.
pub(crate) fn parse(line: &'static str) -> Entry {
    let mut cells = line.split('\t');
    let mut next = || cells.next().expect("a line of datasets/catalogue.tsv has 27 cells");
    Entry {
        name: next(),
        title: next(),
        kind: kind(next()),
        family: next(),
        version: next(),
        publisher: next(),
        licence: next(),
        languages: next().split(',').filter(|language| *language != "not known").collect(),
        kb: next(),
        kb_version: next(),
        questions: number(next()),
        counted: next(),
        repository: next(),
        commit: next(),
        path: next(),
        sha256: next(),
        bytes: number(next()),
        format: next(),
        dataset_id: next(),
        lacks: next(),
        damage: next(),
        instead: next(),
        previous: next().split_whitespace().collect(),
        next: next().split_whitespace().collect(),
        gerbil: next().split_whitespace().collect(),
        table1: next().split("; ").filter(|cell| !cell.is_empty()).map(table_row).collect(),
        absent: next(),
    }
}

fn kind(cell: &str) -> EntryKind {
    EntryKind::ALL.into_iter().find(|kind| kind.name() == cell).expect("a kind of file")
}

fn number(cell: &str) -> Option<u64> {
    (!cell.is_empty()).then(|| cell.parse().expect("a number"))
}

/// `NAME=NUMBER=RULE`.
fn table_row(cell: &'static str) -> TableRow {
    let mut parts = cell.splitn(3, '=');
    let mut next = || parts.next().expect("NAME=NUMBER=RULE");
    TableRow { name: next(), questions: next().parse().expect("a number"), rule: next() }
}
