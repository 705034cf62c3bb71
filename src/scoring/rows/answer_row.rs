//! The rows of an answer with their cells as terms.

use oxigraph::model::{Literal, Term};

use crate::profiles::rules::Reading;
use crate::scoring::skip::Party;
use crate::sources::document::{AnswerSet, AnswerState, Cell, Question, Row};
use crate::sources::input::term;

/// A row as it is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AnswerRow {
    /// Its cells in their order, each as N-Triples write a term: kind, value, datatype and language count.
    pub(crate) cells: Vec<String>,
    /// What it is called where it is shown.
    text: String,
}

/// What the columns are called that name another column.
const NAMING_COLUMNS: [&str; 2] = ["Label", "Description"];

impl AnswerRow {
    fn of_row(row: &Row, is_left_out: impl Fn(&Cell) -> bool) -> Self {
        let cells = row.cells.iter().filter(|cell| !is_left_out(cell));
        let cells = cells.map(|cell| term::of_cell(cell).term.to_string()).collect();
        let values: Vec<&str> = row.cells.iter().map(|cell| cell.value.as_str()).collect();
        Self { cells, text: serde_json::Value::from(values).to_string() }
    }

    /// A boolean as a row. It is no term, so that no row of a table is equal to it.
    pub(crate) fn of_boolean(value: bool) -> Self {
        Self { cells: vec![value.to_string()], text: value.to_string() }
    }

    /// The row as a term, for people.
    pub(crate) fn meant(&self) -> Term {
        Literal::new_simple_literal(self.text.as_str()).into()
    }
}

/// The rows of an answer, each as often as it is there; a boolean where there are none.
pub(crate) fn rows(question: &Question, reading: Reading, role: Party) -> Vec<AnswerRow> {
    let names = |cell: &Cell| NAMING_COLUMNS.iter().any(|ending| cell.variable.ends_with(ending));
    let is_left_out = |cell: &Cell| reading == Reading::SpinachRows && role == Party::Gold && names(cell);
    let sets = &question.answers.sets;
    let rows = sets.iter().flat_map(|set| &set.rows).map(|row| AnswerRow::of_row(row, is_left_out));
    let rows: Vec<AnswerRow> = rows.collect();
    match boolean(sets) {
        Some(value) if rows.is_empty() => vec![AnswerRow::of_boolean(value)],
        _ => rows,
    }
}

/// What a system's answer says to a question of yes or no, where it is the result of another kind of query: whether it has
/// a row. Nothing where it is a boolean, or there is no result.
pub(crate) fn has_rows(question: &Question) -> Option<bool> {
    let has_result = matches!(question.answers.state, AnswerState::Given | AnswerState::Empty);
    let is_table = has_result && question.error.is_none() && boolean(&question.answers.sets).is_none();
    is_table.then(|| question.answers.sets.iter().any(|set| !set.rows.is_empty()))
}

/// Whether an answer says yes or no, and has no rows.
pub(crate) fn is_boolean(question: &Question) -> bool {
    let sets = &question.answers.sets;
    boolean(sets).is_some() && sets.iter().all(|set| set.rows.is_empty())
}

fn boolean(sets: &[AnswerSet]) -> Option<bool> {
    sets.iter().find_map(|set| set.boolean)
}
