//! The answers of one query: in one order, and as a text, SPARQL 1.1 Query Results JSON, always spelled the same.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use crate::base::error::{Error, Result};
use crate::base::vocab::{rdf, xsd};
use crate::sources::document::{AnswerSet, Cell, CellKind, Row};

/// The text of answers.
pub(crate) fn write(answers: &AnswerSet) -> String {
    if let Some(boolean) = answers.boolean {
        return json!({ "head": {}, "boolean": boolean }).to_string();
    }
    let rows: Vec<Value> = answers.rows.iter().map(|row| row.cells.iter().map(binding).collect()).collect();
    json!({ "head": { "vars": answers.variables }, "results": { "bindings": rows } }).to_string()
}

fn binding(cell: &Cell) -> (String, Value) {
    let kind = match cell.kind {
        CellKind::Uri => "uri",
        CellKind::BlankNode => "bnode",
        CellKind::Literal | CellKind::Unknown => "literal",
    };
    let mut term = Map::new();
    term.insert("type".to_owned(), kind.into());
    if let Some(language) = &cell.language {
        term.insert("xml:lang".to_owned(), language.as_str().into());
    }
    if let Some(datatype) = &cell.datatype {
        term.insert("datatype".to_owned(), datatype.as_str().into());
    }
    term.insert("value".to_owned(), cell.value.as_str().into());
    (cell.variable.clone(), term.into())
}

/// The answers of a text that [`write`] made.
pub(crate) fn read(text: &str) -> Result<AnswerSet> {
    let wrong = || Error::input("the results are no SPARQL Query Results JSON");
    let value: Value = serde_json::from_str(text).map_err(|_| wrong())?;
    if let Some(boolean) = value.get("boolean").and_then(Value::as_bool) {
        return Ok(AnswerSet { boolean: Some(boolean), ..AnswerSet::default() });
    }
    let list = |path: &str| value.pointer(path).and_then(Value::as_array).ok_or_else(wrong);
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let variables = list("/head/vars")?.iter().map(|v| text(v).ok_or_else(wrong)).collect::<Result<_>>()?;
    let cell = |(variable, term): (&String, &Value)| {
        let field = |name: &str| term.get(name).and_then(text);
        let kind = match term.get("type").and_then(Value::as_str)? {
            "uri" => CellKind::Uri,
            "bnode" => CellKind::BlankNode,
            _ => CellKind::Literal,
        };
        let (datatype, language) = (field("datatype"), field("xml:lang"));
        let (variable, value) = (variable.clone(), field("value")?);
        Some(Cell { variable, kind, value, datatype, language, ..Cell::default() })
    };
    let row = |row: &Value| {
        let cells = row.as_object().ok_or_else(wrong)?.iter().map(cell).collect::<Option<_>>();
        Ok(Row { cells: cells.ok_or_else(wrong)? })
    };
    let rows = list("/results/bindings")?.iter().map(row).collect::<Result<_>>()?;
    Ok(AnswerSet { variables, rows, has_bindings: true, ..AnswerSet::default() })
}

/// Sorts the rows by their texts, unless their order says something, and names blank nodes in the order of the rows:
/// labels mean nothing outside of a reply, and servers give others each time.
pub(crate) fn settle(answers: &mut AnswerSet, is_ordered: bool) {
    let AnswerSet { variables, rows, .. } = answers;
    if !is_ordered {
        rows.sort_by(|a, b| key(variables, a).cmp(key(variables, b)));
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
fn key<'a>(variables: &'a [String], row: &'a Row) -> impl Iterator<Item = (u8, &'a str, &'a str, &'a str)> {
    let cell = |variable: &String| row.cells.iter().find(|cell| cell.variable == *variable);
    variables.iter().map(move |variable| cell(variable).map_or((0, "", "", ""), of_cell))
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
        let row = |x: &str, y| Row {
            cells: [cell("x", CellKind::BlankNode, x), cell("y", CellKind::Uri, y)].into(),
        };
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
