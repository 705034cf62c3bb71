//! The cell of a notebook: the table of some evaluations, and of each how its questions fell. It needs nothing from outside, and
//! its style touches nothing else of the page that it becomes a part of.

use askama::Template;

use crate::base::error::{Error, Result};
use crate::record::results::Results;
use crate::report::table::{Align, Table};
use crate::site::evaluation::{bar, strip};
use crate::site::page::{Strip, StripShape, WordKind, Words};

/// So many evaluations have drawings.
const DRAWN: usize = 8;

#[derive(Template)]
#[template(config = "src/site/askama.toml", path = "notebook.html")]
struct NotebookCell {
    table: Table,
    /// Whether a column has numbers.
    numbers: Vec<bool>,
    drawings: Vec<(String, Strip, Strip)>,
}

/// The cell: HTML without a frame.
///
/// # Errors
/// Where it cannot be drawn.
pub fn notebook_cell(table: &Table, results: &[Results]) -> Result<String> {
    let drawing = |one: &Results| {
        let main = one.experiments.first()?;
        let name = format!("{}, {}, {}", one.submission.name, one.profile.name, main.name);
        Some((told(&name), bar(main), strip(one, main)))
    };
    let drawings = results.iter().filter_map(drawing).take(DRAWN).collect();
    let all = |texts: &[String]| texts.iter().map(|text| told(text)).collect();
    let table = Table {
        title: told(&table.title),
        columns: table.columns.clone(),
        rows: table.rows.iter().map(|row| all(row)).collect(),
        alerts: all(&table.alerts),
        notes: all(&table.notes),
        ..Table::default()
    };
    let numbers = table.columns.iter().map(|column| column.align == Align::Right).collect();
    let cell = NotebookCell { table, numbers, drawings };
    cell.render().map_err(|error| Error::system(format!("cannot draw the cell: {error}")))
}

/// A text of a stranger, with what could command a reader escaped.
fn told(text: &str) -> String {
    Words::foreign(text).text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::table::Column;

    #[test]
    fn what_strangers_wrote_is_no_markup() {
        let table = Table {
            title: "<script>".to_owned(),
            columns: vec![Column::text("system", "system"), Column::number("P", "p")],
            rows: vec![vec!["<img src=x>".to_owned(), "0.5".to_owned()]],
            ..Table::default()
        };
        let cell = notebook_cell(&table, &[]).unwrap();
        assert!(!cell.contains("<script>") && !cell.contains("<img"), "{cell}");
        assert!(cell.contains("<td class=\"n\">0.5</td>"), "{cell}");
    }
}
