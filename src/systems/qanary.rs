//! QANARY: a pipeline is run, then its triple store is asked what its components annotated (systems.md 3.3).

use std::cmp::Reverse;

use oxigraph::model::NamedNode;
use serde_json::Value;

use crate::base::error::Result as Checked;
use crate::measures::fraction::Fraction;
use crate::sources::document::{AnswerSet, Cell, CellKind};
use crate::sources::failure_kind::FailureKind;
use crate::sources::format::numeral::decimal;
use crate::sources::format::results;
use crate::sparql::named_query::NamedQuery;
use crate::sparql::print::printed;
use crate::systems::dialogue::Dialogue;
use crate::systems::exchange::Transport;
use crate::systems::failure::AskFailure;
use crate::systems::reply::{RawReply, SystemReply, read_results};
use crate::systems::rules::{NoQuery, Taken, take_query};

/// Where a pipeline has its SPARQL endpoint. The reply names another one too, which may be an internal address or hold a
/// password: only the server that was asked is asked again.
const SPARQL: &str = "/sparql";

/// What a component annotated.
#[derive(Debug, Clone, PartialEq)]
struct Annotated {
    found: String,
    score: Option<Fraction>,
    index: Option<Fraction>,
    time: String,
}

/// Runs the pipeline and reads what it found.
///
/// # Errors
/// Where the pipeline failed, or its endpoint does.
pub(crate) fn ask(question: &Dialogue<'_>, transport: &mut dyn Transport) -> Result<SystemReply, AskFailure> {
    let started = transport.call(&question.first()?)?;
    let graph = graph(question, &started)?;
    let mut reply = SystemReply::default();
    let answers = annotations(question, "ask/qanary-answer", &graph, transport, &mut reply)?;
    // The latest: the pipeline itself adds a new one when it knows better.
    if let Some(last) = answers.iter().max_by_key(|one| (&one.time, &one.score, Reverse(&one.index))) {
        // Some components escape the quotes twice.
        let is_json = serde_json::from_str::<Value>(&last.found).is_ok();
        let text = if is_json { last.found.clone() } else { last.found.replace("\\\"", "\"") };
        read_results(&Value::String(text), &mut reply);
    }
    let queries = annotations(question, "ask/qanary-query", &graph, transport, &mut reply)?;
    let best = queries.iter().max_by_key(|one| (&one.score, Reverse(&one.index), &one.time));
    if let Some(best) = best {
        reply.confidence = best.score.as_ref().map(Fraction::to_decimal);
        match take_query(&best.found, &question.protocol.reply.query_rules) {
            Ok(Taken { query, notes }) => {
                reply.query = Some(query);
                reply.notes.extend(notes);
            }
            Err(NoQuery::Empty) => {}
            Err(NoQuery::NotSparql) => reply.notes.push("what is annotated as the query is none".to_owned()),
        }
    }
    Ok(reply)
}

/// The graph of the question, as the reply to the first call names it.
fn graph(question: &Dialogue<'_>, started: &RawReply) -> Result<NamedNode, AskFailure> {
    if !(200..300).contains(&started.status) {
        let failure = question.protocol.read_reply(started, question.values).err();
        return Err(
            failure.unwrap_or_else(|| AskFailure::new(FailureKind::Shape, "the pipeline did not run"))
        );
    }
    let said: Value = serde_json::from_slice(&started.body)
        .map_err(|error| AskFailure::new(FailureKind::NotJson, format!("no JSON ({error})")))?;
    let graph = ["outGraph", "inGraph"].iter().find_map(|key| said.get(key)?.as_str());
    let graph = graph.and_then(|graph| NamedNode::new(graph).ok());
    graph.ok_or_else(|| AskFailure::new(FailureKind::Shape, "the reply names no graph of the question"))
}

/// What is annotated in the graph, as a query asks for it.
fn annotations(
    question: &Dialogue<'_>,
    query: &str,
    graph: &NamedNode,
    transport: &mut dyn Transport,
    reply: &mut SystemReply,
) -> Result<Vec<Annotated>, AskFailure> {
    let text =
        bound(query, graph).map_err(|error| AskFailure::new(FailureKind::Protocol, error.to_string()))?;
    let asked = question.post_form(SPARQL, "query", &text, "application/sparql-results+json");
    let received = transport.call(&asked)?;
    if received.status != 200 {
        let read = question.protocol.read_reply(&received, question.values);
        return Err(read.err().unwrap_or_else(|| AskFailure::new(FailureKind::Shape, "no SPARQL results")));
    }
    let body = String::from_utf8_lossy(&received.body);
    let (answers, issues) = results::in_reply(&body);
    reply.notes.extend(issues.into_iter().map(|issue| issue.message));
    let set = answers.sets.into_iter().next();
    let set = set.filter(|set| set.has_bindings).ok_or_else(|| {
        let shown = crate::base::text::beginning(body.trim(), 200);
        AskFailure::new(FailureKind::Shape, format!("the endpoint of the pipeline gives no rows: {shown}"))
    })?;
    Ok(rows(&set))
}

fn bound(query: &str, graph: &NamedNode) -> Checked<String> {
    Ok(printed(NamedQuery::find(query)?.with("graph", &[graph.clone().into()])?.algebra()))
}

/// What helps to choose between annotations, by the variables of our queries.
const HELP: [&str; 4] = ["score", "index", "time", "component"];

/// The rows of annotations. Endpoints that answer with queries of their own call what was found by other names: then it is
/// the first text.
fn rows(set: &AnswerSet) -> Vec<Annotated> {
    let row = |cells: &[Cell]| {
        let value =
            |name: &str| cells.iter().find(|cell| cell.variable == name).map(|cell| cell.value.as_str());
        let number = |name: &str| value(name).and_then(|text| Fraction::parse(&decimal(text, 0)?));
        let is_text =
            |cell: &&Cell| cell.kind == CellKind::Literal && !HELP.contains(&cell.variable.as_str());
        let first = || cells.iter().find(is_text).map(|cell| cell.value.as_str());
        Some(Annotated {
            found: value("found").or_else(first)?.to_owned(),
            score: number("score"),
            index: number("index"),
            time: value("time").unwrap_or_default().to_owned(),
        })
    };
    set.rows.iter().filter_map(|one| row(&one.cells)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::testing::{Script, ask};

    const STARTED: &str = r#"{"endpoint":"http://user:pw@internal/sparql","inGraph":"urn:graph:1","outGraph":"urn:graph:1","question":"q"}"#;

    fn results(rows: &[&str]) -> String {
        format!(r#"{{"head":{{"vars":["found"]}},"results":{{"bindings":[{}]}}}}"#, rows.join(","))
    }

    fn row(found: &str, score: &str, index: u32) -> String {
        let found = Value::from(found);
        format!(
            r#"{{"found":{{"type":"literal","value":{found}}},"score":{{"type":"literal","value":"{score}"}},
                "index":{{"type":"literal","value":"{index}"}}}}"#
        )
    }

    #[test]
    fn the_best_annotations_count() {
        let answer =
            r#"{"head":{"vars":["a"]},"results":{"bindings":[{"a":{"type":"uri","value":"http://a/b"}}]}}"#;
        let escaped = answer.replace('"', "\\\"");
        for answer in [answer, &escaped] {
            let answers = results(&[&row(answer, "", 0)]);
            let queries = results(&[
                &row("SELECT ?no {}", "0.2", 0),
                &row("SELECT ?yes {}", "0.9", 0),
                &row("SELECT ?later {}", "0.9", 1),
            ]);
            let mut script = Script::of([(201, STARTED), (200, &answers), (200, &queries)]);
            let reply = ask("qanary", &mut script).unwrap();
            assert_eq!(reply.answers[0].rows[0].cells[0].value, "http://a/b");
            assert_eq!(reply.query.as_deref(), Some("SELECT ?yes {}"));
            assert_eq!(reply.confidence.as_deref(), Some("0.9"));
            assert!(script.asked[1].starts_with("POST /sparql HTTP/1.1\r\nHost: system.example:8080\r\n"));
            assert!(script.asked[1].contains("%3Curn%3Agraph%3A1%3E"), "{}", script.asked[1]);
        }
    }

    #[test]
    fn nothing_annotated_is_no_answer_and_a_failed_component_is_an_error() {
        let none = results(&[]);
        let mut script = Script::of([(201, STARTED), (200, &none), (200, &none)]);
        assert_eq!(ask("qanary", &mut script).unwrap(), SystemReply::default());
        let mut failed = Script::of([(500, r#"{"status":500,"error":"Internal Server Error"}"#)]);
        let failure = ask("qanary", &mut failed).unwrap_err();
        assert_eq!(
            (failure.kind, failure.message.as_str()),
            (FailureKind::HttpStatus, "Internal Server Error")
        );
        let mut no_graph = Script::of([(201, "{}")]);
        assert_eq!(ask("qanary", &mut no_graph).unwrap_err().kind, FailureKind::Shape);
        let mut broken = Script::of([(201, STARTED), (200, "<html>")]);
        assert_eq!(ask("qanary", &mut broken).unwrap_err().kind, FailureKind::Shape);
    }
}
