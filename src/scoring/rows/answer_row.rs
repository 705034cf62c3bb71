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

#[cfg(test)]
mod tests {
    use super::*;

    fn question(boolean: Option<bool>, lines: &[&[(&str, &str)]]) -> Question {
        let cell = |&(variable, value): &(&str, &str)| Cell {
            variable: variable.to_owned(),
            value: value.to_owned(),
            ..Cell::default()
        };
        let rows = lines.iter().map(|cells| Row { cells: cells.iter().map(cell).collect() }).collect();
        let mut question = Question::default();
        question.answers.state = AnswerState::Given;
        question.answers.sets = vec![AnswerSet { boolean, rows, ..AnswerSet::default() }];
        question
    }

    fn cells(question: &Question, reading: Reading, role: Party) -> Vec<usize> {
        rows(question, reading, role).iter().map(|row| row.cells.len()).collect()
    }

    #[test]
    fn columns_of_names_are_left_out_in_gold_of_spinach_only() {
        let both = question(None, &[&[("x", "a"), ("xLabel", "A"), ("xDescription", "b"), ("Labels", "c")]]);
        assert_eq!(cells(&both, Reading::SpinachRows, Party::Gold), [2]);
        assert_eq!(cells(&both, Reading::SpinachRows, Party::System), [4]);
        assert_eq!(cells(&both, Reading::GraspRows, Party::Gold), [4]);
        // a row of names alone is there, and shares nothing
        let names = question(None, &[&[("xLabel", "A")]]);
        assert_eq!(cells(&names, Reading::SpinachRows, Party::Gold), [0]);
    }

    #[test]
    fn a_row_is_there_as_often_as_in_the_file_and_in_its_order() {
        let table = question(None, &[&[("x", "b")], &[("x", "a")], &[("y", "b")]]);
        let read = rows(&table, Reading::GraspRows, Party::System);
        let texts: Vec<&str> = read.iter().map(|row| row.text.as_str()).collect();
        assert_eq!(texts, [r#"["b"]"#, r#"["a"]"#, r#"["b"]"#]);
        assert_eq!(read[0], read[2], "whatever the variable is called");
    }

    #[test]
    fn a_boolean_is_a_row_where_there_are_none() {
        let alone = rows(&question(Some(true), &[]), Reading::SpinachRows, Party::Gold);
        assert_eq!(alone, [AnswerRow::of_boolean(true)]);
        let text = rows(&question(None, &[&[("x", "true")]]), Reading::SpinachRows, Party::Gold);
        assert_ne!(alone[0].cells, text[0].cells, "a text is no boolean");
        let beside = question(Some(true), &[&[("x", "a")]]);
        assert_eq!(cells(&beside, Reading::SpinachRows, Party::Gold), [1]);
        assert!(!is_boolean(&beside) && is_boolean(&question(Some(false), &[])));
    }

    #[test]
    fn a_table_says_yes_if_it_has_a_row() {
        assert_eq!(has_rows(&question(None, &[&[("x", "a")]])), Some(true));
        let mut empty = question(None, &[]);
        assert_eq!(has_rows(&empty), Some(false));
        empty.answers.state = AnswerState::Absent;
        assert_eq!(has_rows(&empty), None, "no answer says nothing");
        assert_eq!(has_rows(&question(Some(false), &[])), None, "a boolean speaks for itself");
    }
}
