//! From the bytes of a reply to answers.

use crate::base::vocab::xsd;
use crate::kb::ask::Limits;
use crate::kb::endpoint::query::Sendable;
use crate::kb::outcome::{Cause, Outcome};
use crate::kb::results::settle;
use crate::sources::document::{AnswerSet, Cell, CellKind, Row};
use crate::sources::format::results::file::{ResultsSyntax, strict_results};
use crate::sources::net::reply::WholeReply;
use reqwest::header::CONTENT_TYPE;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The limits on rows that servers are often given. A reply with just as many is a warning.
const COMMON_LIMITS: [u64; 8] = [1_000, 2_000, 5_000, 10_000, 50_000, 100_000, 1_000_000, 1_048_576];

/// A table of texts, which does not say by itself what it is.
const TSV: &str = "text/tab-separated-values";

/// The outcome, and a warning.
pub(crate) fn outcome(asked: &Sendable, reply: &WholeReply, limits: &Limits) -> (Outcome, Option<String>) {
    let mut answers = match read(reply) {
        Ok(answers) => answers,
        Err(why) => return (Outcome::failed(Cause::BadReply, why), None),
    };
    if answers.boolean.is_some() != asked.is_ask {
        let why =
            if asked.is_ask { "the reply to ASK is a table" } else { "the reply to SELECT is yes or no" };
        return (Outcome::failed(Cause::BadReply, why), None);
    }
    let count = answers.rows.len() as u64;
    let too_many = |why: String| (Outcome::failed(Cause::TooManyRows, why), None);
    if count > limits.rows {
        return too_many(format!("it has more than {} rows", limits.rows));
    }
    // A query that wants no more has all.
    let may_be_cut = asked.limit.is_none_or(|limit| limit > count);
    // Virtuoso says how many rows it gives at most, where there are as many.
    let most: Option<u64> = reply.header("x-sparql-maxrows").and_then(|most| most.parse().ok());
    if may_be_cut && most.is_some_and(|most| count >= most) {
        return too_many(format!("the endpoint gives {count} rows at most, and there may be more"));
    }
    let warning = (may_be_cut && COMMON_LIMITS.contains(&count)).then(|| {
        format!("a reply has exactly {count} rows: the endpoint may have cut it there without saying so")
    });
    settle(&mut answers, asked.is_ordered);
    (Outcome::Answered(answers), warning)
}

/// Reads results by what they are: headers lie.
fn read(reply: &WholeReply) -> Result<AnswerSet, String> {
    let bytes = reply.body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&reply.body);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        format!("the reply is not UTF-8: the byte 0x{:02X} at offset {at}", bytes[at])
    })?;
    let begin = text.trim_start();
    let stated = reply.header(CONTENT_TYPE).unwrap_or_default().to_ascii_lowercase();
    let media_type = match stated.split(';').next().unwrap_or_default().trim() {
        "" => "no media type",
        other => other,
    };
    if begin.is_empty() && media_type != TSV {
        return Err("the reply is empty".to_owned());
    }
    let read = |what: &str, read: Result<AnswerSet, String>| {
        read.map_err(|why| format!("the reply ({media_type}) is no whole result in {what}: {why}"))
    };
    match begin.chars().next() {
        Some('{') => read("JSON", read_results_json(text)),
        Some('<') if is_html(begin) => Err(format!("the reply ({media_type}) is a page of HTML")),
        Some('<') if begin.starts_with("<?xml") || begin.starts_with("<sparql") => {
            read("XML", strict_results(ResultsSyntax::Xml, text))
        }
        _ if media_type == TSV => read("TSV", strict_results(ResultsSyntax::Tsv, text)),
        _ => Err(format!("the reply ({media_type}) holds no results")),
    }
}

fn is_html(text: &str) -> bool {
    let begin: String = text.chars().take(2000).collect::<String>().to_ascii_lowercase();
    begin.starts_with("<!doctype html") || begin.contains("<html")
}

#[derive(Deserialize)]
struct JsonResults {
    #[serde(default)]
    head: JsonHead,
    boolean: Option<bool>,
    results: Option<JsonBindings>,
}

#[derive(Default, Deserialize)]
struct JsonHead {
    #[serde(default)]
    vars: Vec<String>,
}

#[derive(Deserialize)]
struct JsonBindings {
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
pub(crate) fn read_results_json(text: &str) -> Result<AnswerSet, String> {
    let document: JsonResults = serde_json::from_str(text).map_err(|error| error.to_string())?;
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
        None => Ok(Row { cells: cells.into() }),
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
    Ok(Cell { variable: variable.to_owned(), kind, value: term.value, datatype, language, ..Cell::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_as_written() {
        let set = read_results_json(
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
            assert!(read_results_json(text).is_err(), "{text}");
        }
        assert_eq!(read_results_json(r#"{"head": {}, "boolean": false}"#).unwrap().boolean, Some(false));
    }
}
