//! The answers of one query as a text: SPARQL 1.1 Query Results JSON, always spelled the same.

use serde_json::{Map, Value, json};

use crate::base::error::{Error, Result};
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
        Some(Cell { variable, kind, value, datatype, language, datatype_first: false })
    };
    let row = |row: &Value| {
        let cells = row.as_object().ok_or_else(wrong)?.iter().map(cell).collect::<Option<_>>();
        Ok(Row { cells: cells.ok_or_else(wrong)? })
    };
    let rows = list("/results/bindings")?.iter().map(row).collect::<Result<_>>()?;
    Ok(AnswerSet { variables, rows, has_bindings: true, ..AnswerSet::default() })
}
