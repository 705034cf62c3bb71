//! Rows in an order that says nothing but is always the same.

use std::collections::HashMap;

use crate::base::vocab::{rdf, xsd};
use crate::sources::document::{AnswerSet, Cell, CellKind, Row};

/// Sorts the rows by their texts, unless their order says something, and names blank nodes in the order of the rows:
/// labels mean nothing outside of a reply, and servers give others each time.
pub(crate) fn settle(answers: &mut AnswerSet, is_ordered: bool) {
    let AnswerSet { variables, rows, .. } = answers;
    if !is_ordered {
        rows.sort_by(|a, b| key(variables, a).cmp(&key(variables, b)));
    }
    let mut names: HashMap<String, usize> = HashMap::new();
    let blanks =
        rows.iter_mut().flat_map(|row| &mut row.cells).filter(|cell| cell.kind == CellKind::BlankNode);
    for cell in blanks {
        let next = names.len();
        let number = *names.entry(std::mem::take(&mut cell.value)).or_insert(next);
        cell.value = format!("b{number}");
    }
}

/// What a row is sorted by: unbound, blank nodes, IRIs, literals.
fn key<'a>(variables: &'a [String], row: &'a Row) -> Vec<(u8, &'a str, &'a str, &'a str)> {
    let cell = |variable: &String| row.cells.iter().find(|cell| cell.variable == *variable);
    variables.iter().map(|variable| cell(variable).map_or((0, "", "", ""), of_cell)).collect()
}

fn of_cell(cell: &Cell) -> (u8, &str, &str, &str) {
    match cell.kind {
        CellKind::BlankNode => (1, "", "", ""),
        CellKind::Uri => (2, &cell.value, "", ""),
        CellKind::Literal | CellKind::Unknown => {
            let language = cell.language.as_deref().unwrap_or_default();
            let datatype = if language.is_empty() { xsd::STRING } else { rdf::LANG_STRING };
            (3, &cell.value, cell.datatype.as_deref().unwrap_or(datatype), language)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_blank_nodes_named() {
        let cell = |variable: &str, kind, value: &str| Cell {
            variable: variable.to_owned(),
            kind,
            value: value.to_owned(),
            ..Cell::default()
        };
        let row =
            |x: &str, y| Row { cells: vec![cell("x", CellKind::BlankNode, x), cell("y", CellKind::Uri, y)] };
        let make = |rows| AnswerSet {
            variables: vec!["x".to_owned(), "y".to_owned()],
            rows,
            ..AnswerSet::default()
        };
        let told = |set: &AnswerSet| {
            let row = |row: &Row| row.cells.iter().map(|c| c.value.as_str()).collect::<Vec<_>>().join(" ");
            set.rows.iter().map(row).collect::<Vec<_>>().join(", ")
        };
        let mut once = make(vec![row("p", "c"), row("q", "a"), row("p", "b"), Row::default()]);
        let mut twice = make(vec![row("n1", "a"), Row::default(), row("n7", "b"), row("n7", "c")]);
        let mut ordered = once.clone();
        settle(&mut once, false);
        settle(&mut twice, false);
        settle(&mut ordered, true);
        assert_eq!(told(&once), ", b0 a, b1 b, b1 c");
        assert_eq!(once, twice);
        assert_eq!(told(&ordered), "b0 c, b1 a, b0 b, ");
    }
}
