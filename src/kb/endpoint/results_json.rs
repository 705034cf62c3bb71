//! SPARQL 1.1 Query Results JSON as servers write it.
//!
//! The strict parser of `sparesults` refuses a whole table for one IRI with a space in it, and the blank nodes of Virtuoso
//! (`nodeID://b1`): here, values stay as written, and what is none is an error.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::base::vocab::xsd;
use crate::sources::document::{AnswerSet, Cell, CellKind, Row};

#[derive(Deserialize)]
struct Document {
    #[serde(default)]
    head: Head,
    boolean: Option<bool>,
    results: Option<Table>,
}

#[derive(Default, Deserialize)]
struct Head {
    #[serde(default)]
    vars: Vec<String>,
}

#[derive(Deserialize)]
struct Table {
    bindings: Vec<BTreeMap<String, Term>>,
}

#[derive(Deserialize)]
struct Term {
    #[serde(rename = "type")]
    kind: String,
    value: String,
    #[serde(rename = "xml:lang")]
    language: Option<String>,
    datatype: Option<String>,
}

/// Reads a whole result. Cells are in the order of the variables, whatever the order of the server.
pub(crate) fn read(text: &str) -> Result<AnswerSet, String> {
    let document: Document = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if let Some(boolean) = document.boolean {
        return Ok(AnswerSet { boolean: Some(boolean), ..AnswerSet::default() });
    }
    let table = document.results.ok_or("it has neither `results` nor `boolean`")?;
    let variables = document.head.vars;
    let rows = table.bindings.into_iter().map(|row| self::row(row, &variables)).collect::<Result<_, _>>()?;
    Ok(AnswerSet { variables, rows, has_bindings: true, ..AnswerSet::default() })
}

fn row(mut row: BTreeMap<String, Term>, variables: &[String]) -> Result<Row, String> {
    let mut cells = Vec::with_capacity(row.len());
    for variable in variables {
        if let Some(term) = row.remove(variable) {
            cells.push(cell(variable, term)?);
        }
    }
    match row.keys().next() {
        Some(other) => Err(format!("a row binds `{other}`, which the head does not name")),
        None => Ok(Row { cells }),
    }
}

fn cell(variable: &str, term: Term) -> Result<Cell, String> {
    let kind = match term.kind.as_str() {
        "uri" => CellKind::Uri,
        "bnode" => CellKind::BlankNode,
        "literal" | "typed-literal" => CellKind::Literal,
        other => return Err(format!("`{other}` is no kind of value")),
    };
    let language = term.language.filter(|tag| !tag.is_empty());
    // The datatypes of texts go without saying.
    let datatype = term.datatype.filter(|datatype| language.is_none() && datatype != xsd::STRING);
    Ok(Cell {
        variable: variable.to_owned(),
        kind,
        value: term.value,
        datatype,
        language,
        datatype_first: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_as_written() {
        let set = read(
            r#"{ "head": { "link": [], "vars": ["s", "o"] }, "results": { "distinct": false, "ordered": true, "bindings": [
            { "o": { "type": "typed-literal", "datatype": "http://d", "value": "01" }, "s": { "type": "uri", "value": "http://a b" } },
            { "s": { "type": "bnode", "value": "nodeID://b1" }, "o": { "type": "literal", "xml:lang": "en-GB", "value": "x" } }, {} ] } }"#,
        )
        .unwrap();
        let told: Vec<String> = set
            .rows
            .iter()
            .map(|row| {
                let cell = |c: &Cell| {
                    format!("{}={:?}:{}:{:?}{:?}", c.variable, c.kind, c.value, c.datatype, c.language)
                };
                row.cells.iter().map(cell).collect::<Vec<_>>().join(" ")
            })
            .collect();
        assert_eq!(
            told,
            [
                r#"s=Uri:http://a b:NoneNone o=Literal:01:Some("http://d")None"#,
                r#"s=BlankNode:nodeID://b1:NoneNone o=Literal:x:NoneSome("en-GB")"#,
                "",
            ]
        );
    }

    #[test]
    fn what_is_no_whole_result_is_an_error() {
        for text in [
            r#"{"head": {"vars": ["x"]}, "results": {"bindings": [ {"x": {"type": "uri", "value": "http://a"}} ]"#,
            r#"{"head": {"vars": ["x"]}, "results": {"bindings": [{"x": {"type": "uri", "value": null}}]}}"#,
            r#"{"head": {"vars": ["x"]}, "results": {"bindings": [{"x": {"type": "triple", "value": {}}}]}}"#,
            r#"{"head": {"vars": ["x"]}, "results": {"bindings": [{"x": {"type": "iri", "value": "http://a"}}]}}"#,
            r#"{"head": {"vars": ["x"]}, "results": {"bindings": [{"y": {"type": "uri", "value": "http://a"}}]}}"#,
            r#"{"head": {"vars": ["x"]}, "results": {}}"#,
            r#"{"error": "busy"}"#,
            r#"{"head": {}, "boolean": true} {}"#,
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        assert_eq!(read(r#"{"head": {}, "boolean": false}"#).unwrap().boolean, Some(false));
    }
}
