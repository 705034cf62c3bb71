//! The cell of a notebook: the table of some evaluations, and of each how its questions fell. It needs nothing from outside, and
//! its style touches nothing else of the page that it becomes a part of.

use askama::Template;

use crate::base::error::{Error, Result};
use crate::base::text::counted;
use crate::record::results::{Results, TypeResults};
use crate::report::table::{Align, Table};
use crate::site::evaluation::{bar, strip_of_first};
use crate::site::page::{Strip, StripShape, WordKind, Words};

/// So many evaluations have drawings. A notebook keeps each of its cells, and shows all of them at once: what is large is asked for.
const DRAWN: usize = 8;

/// So many questions of each evaluation are drawn.
const QUESTIONS: usize = 500;

/// So many rows of the table, and so many notes, are shown.
const ROWS: usize = 120;

#[derive(Template)]
#[template(config = "src/site/askama.toml", path = "notebook.html")]
struct NotebookCell {
    table: Table,
    /// Whether a column has numbers.
    numbers: Vec<bool>,
    drawings: Vec<(String, Strip, Strip)>,
    /// What is not shown, and where it is.
    more: Vec<String>,
}

/// The cell: HTML without a frame.
///
/// # Errors
/// Where it cannot be drawn.
pub fn notebook_cell(table: &Table, results: &[Results]) -> Result<String> {
    let drawing = |one: &Results| {
        let main = one.experiments.first()?;
        let name = format!("{}, {}, {}", one.submission.name, one.profile.name, main.name);
        Some((told(&name), bar(main), first_questions(one, main)))
    };
    let drawings = results.iter().filter_map(drawing).take(DRAWN).collect();
    let left = |all: usize, shown: usize, what: &str, place: &str| {
        let left = all.saturating_sub(shown);
        (left > 0).then(|| format!("{} more: {place}", counted(left as u64, what)))
    };
    let more = [
        left(table.rows.len(), ROWS, "row", "print(results), results.to_pandas()"),
        left(table.notes.len(), ROWS, "note", "print(results)"),
        left(results.len(), DRAWN, "drawing", "results.to_pandas(\"questions\"), results.html()"),
    ];
    let all = |texts: &[String]| texts.iter().take(ROWS).map(|text| told(text)).collect();
    let table = Table {
        title: told(&table.title),
        columns: table.columns.clone(),
        rows: table.rows.iter().take(ROWS).map(|row| all(row)).collect(),
        alerts: all(&table.alerts),
        notes: all(&table.notes),
        ..Table::default()
    };
    let numbers = table.columns.iter().map(|column| column.align == Align::Right).collect();
    let cell = NotebookCell { table, numbers, drawings, more: more.into_iter().flatten().collect() };
    cell.render().map_err(|error| Error::system(format!("cannot draw the cell: {error}")))
}

/// F1 of as many questions as a cell has room for.
fn first_questions(results: &Results, main: &TypeResults) -> Strip {
    let drawn = strip_of_first(results, main, QUESTIONS);
    let (all, name) = (main.questions.len(), &main.name);
    let (which, rest) = match all.saturating_sub(QUESTIONS) {
        0 => (format!("each of the {all} questions"), String::new()),
        left => (
            format!("each of the first {QUESTIONS} of {all} questions"),
            format!(" {left} more are in results.to_pandas(\"questions\") and results.html()."),
        ),
    };
    let label = format!(
        "F1 in {name} of {which}, in the order of the gold file; the lane below has the colour of the outcome.{rest}"
    );
    Strip { caption: vec![Words::plain(&label)], label, ..drawn }
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

    #[test]
    fn what_is_not_shown_is_told() {
        let table = |rows: usize| Table {
            columns: vec![Column::text("system", "system")],
            rows: (0..rows).map(|row| vec![format!("system {row}")]).collect(),
            notes: vec!["a note".to_owned(); rows],
            ..Table::default()
        };
        let cell = notebook_cell(&table(ROWS), &[]).unwrap();
        assert!(cell.contains("system 119") && !cell.contains(" more: "), "{cell}");
        let cell = notebook_cell(&table(ROWS + 2), &[]).unwrap();
        assert!(!cell.contains("system 120") && cell.contains("2 rows more: print(results)"), "{cell}");
        assert!(cell.contains("2 notes more: print(results)"), "{cell}");
    }
}
