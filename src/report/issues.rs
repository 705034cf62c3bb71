//! What is odd about inputs, the worst first; notes folded into counts.

use std::cmp::Reverse;
use std::collections::HashSet;

use crate::base::issue::{Issue, Severity};
use crate::base::text::with_choices;
use crate::record::results::Results;
use crate::report::table::{Column, Table};

/// The issues of evaluations by severity, errors first: each on a row. Folded, the notes of a kind about a file are one row,
/// which tells how many there are.
pub fn issues(results: &[Results], is_folded: bool) -> Table {
    let mut table = Table { title: "Issues".to_owned(), ..Table::default() };
    table.columns = ["severity", "issue", "file", "place", "message"]
        .map(|heading| Column::text(heading, heading))
        .to_vec();
    let mut seen = HashSet::new();
    let mut found: Vec<(&str, &Issue)> = Vec::new();
    for one in results {
        let names: Vec<(&str, &str)> = one.file_names().filter(|(_, name)| !name.is_empty()).collect();
        for (file, issue) in &one.issues {
            let name =
                names.iter().find(|(sha256, _)| sha256 == file).map_or(file.as_str(), |(_, name)| *name);
            // Several profiles read the same files.
            if seen.insert((name, issue)) {
                found.push((name, issue));
            }
        }
    }
    found.sort_by_key(|(_, issue)| Reverse(issue.severity()));
    let mut notes: Vec<((&str, &str), usize, usize)> = Vec::new();
    for (file, issue) in found {
        let kind = (file, issue.code.name());
        let is_note = is_folded && issue.severity() == Severity::Note;
        if let Some((_, _, count)) = notes.iter_mut().find(|(known, ..)| is_note && *known == kind) {
            *count += 1;
            continue;
        }
        if is_note {
            notes.push((kind, table.rows.len(), 1));
        }
        let place = issue.place.to_string();
        let row = [issue.severity().name(), issue.code.name(), file, &place, &issue.message];
        table.rows.push(row.map(str::to_owned).to_vec());
    }
    let folded: Vec<(usize, usize)> =
        notes.into_iter().filter(|(.., count)| *count > 1).map(|(_, row, count)| (row, count)).collect();
    for (row, count) in &folded {
        let cells = &mut table.rows[*row];
        cells[4] = format!("{count} such notes, the first at {}: {}", cells[3], cells[4]);
        cells[3].clear();
    }
    if !folded.is_empty() {
        table.notes.push(with_choices("notes of a kind are one row; `⌥all-issues` lists each"));
    }
    table
}
