//! Runs one query on a store, within limits.

use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::HashMap;

use oxigraph::model::{NamedNode, Term};
use oxigraph::sparql::{CancellationToken, QueryEvaluationError, QueryResults, QuerySolutionIter};

use crate::base::error::Result;
use crate::base::rdf::dataset::Dataset as _;
use crate::base::rdf::store::Store;
use crate::base::vocab::xsd;
use crate::kb::admit::{Admitted, admit};
use crate::kb::ask::Limits;
use crate::kb::outcome::{Cause, Outcome};
use crate::kb::{casts, load};
use crate::sources::document::{AnswerSet, CellKind, Row};
use crate::sources::format;

/// The most bytes that the values of an answer may have, however much memory is allowed.
const MOST_BYTES: u64 = 64 << 20;

/// What comes of a query. Whoever cancels it by the token did so at the time limit.
/// An error is one of the store, which cannot be read: it says nothing about the query.
pub(crate) fn evaluate(
    store: &oxigraph::store::Store,
    text: &str,
    limits: &Limits,
    token: CancellationToken,
) -> Result<Outcome> {
    let unreadable = Cell::new(None);
    let has_graph = |graph: &NamedNode| {
        store.contains_named_graph(graph).unwrap_or_else(|error| {
            unreadable.set(Some(error));
            false
        })
    };
    let admitted = admit(text, has_graph);
    if let Some(error) = unreadable.into_inner() {
        return Err(load::failed(&error));
    }
    let Admitted { query, is_ordered } = match admitted {
        Ok(admitted) => admitted,
        Err(failure) => return Ok(Outcome::Failed(failure)),
    };
    let dataset = Store::of(store.clone(), casts::evaluator().with_cancellation_token(token));
    match dataset.run(&query) {
        Ok(QueryResults::Boolean(boolean)) => {
            Ok(Outcome::Answered(AnswerSet { boolean: Some(boolean), ..AnswerSet::default() }))
        }
        Ok(QueryResults::Solutions(solutions)) => rows(solutions, is_ordered, limits),
        Ok(QueryResults::Graph(_)) => Ok(Outcome::failed(Cause::Refused, "it gives statements, no answers")),
        Err(error) => failed(&error, limits),
    }
}

/// It was stopped at the time limit.
pub(crate) fn timed_out(limits: &Limits) -> Outcome {
    Outcome::failed(Cause::TimedOut, format!("stopped at the time limit of {} s", limits.time.as_secs_f64()))
}

/// It was stopped at the memory limit.
pub(crate) fn out_of_memory(limits: &Limits) -> Outcome {
    let mebibytes = limits.memory >> 20;
    Outcome::failed(Cause::OutOfMemory, format!("stopped at the memory limit of {mebibytes} MiB"))
}

fn failed(error: &QueryEvaluationError, limits: &Limits) -> Result<Outcome> {
    Ok(match error {
        QueryEvaluationError::Dataset(error) => return Err(load::failed(error)),
        QueryEvaluationError::Cancelled => timed_out(limits),
        QueryEvaluationError::Service(_)
        | QueryEvaluationError::UnboundService
        | QueryEvaluationError::InvalidServiceName(_)
        | QueryEvaluationError::UnsupportedService(_) => Outcome::failed(Cause::Refused, error.to_string()),
        _ => Outcome::failed(Cause::Failed, error.to_string()),
    })
}

fn rows(solutions: QuerySolutionIter<'_>, is_ordered: bool, limits: &Limits) -> Result<Outcome> {
    let variables: Vec<String> = solutions.variables().iter().map(|v| v.as_str().to_owned()).collect();
    let (mut rows, mut bytes): (Vec<Vec<Option<Term>>>, u64) = (Vec::new(), 0);
    let most_bytes = MOST_BYTES.min(limits.memory);
    for solution in solutions {
        let solution = match solution {
            Ok(solution) => solution,
            Err(error) => return failed(&error, limits),
        };
        if rows.len() as u64 >= limits.rows {
            let message = format!("it has more than {} rows", limits.rows);
            return Ok(Outcome::failed(Cause::TooManyRows, message));
        }
        bytes += solution.values().iter().flatten().map(size).sum::<u64>();
        if bytes > most_bytes {
            let message = format!("its answers have more than {most_bytes} bytes");
            return Ok(Outcome::failed(Cause::OutOfMemory, message));
        }
        rows.push(solution.values().to_vec());
    }
    if !is_ordered {
        rows.sort_by(|a, b| compare(a, b));
    }
    let mut blanks = HashMap::new();
    let mut cell = |variable: &String, term: Option<Term>| Some(cell(variable, term?, &mut blanks));
    let rows: Vec<Row> = rows
        .into_iter()
        .map(|row| Row { cells: variables.iter().zip(row).filter_map(|(v, term)| cell(v, term)).collect() })
        .collect();
    Ok(Outcome::Answered(AnswerSet { variables, rows, has_bindings: true, ..AnswerSet::default() }))
}

fn size(term: &Term) -> u64 {
    match term {
        Term::NamedNode(node) => node.as_str().len() as u64,
        Term::BlankNode(node) => node.as_str().len() as u64,
        Term::Literal(literal) => literal.value().len() as u64,
    }
}

/// The order of rows that have none: by their texts. Blank nodes come first, and among them those of earlier statements.
fn compare(a: &[Option<Term>], b: &[Option<Term>]) -> Ordering {
    fn key(term: Option<&Term>) -> (u8, &str, &str, &str) {
        match term {
            None => (0, "", "", ""),
            Some(Term::BlankNode(_)) => (1, "", "", ""),
            Some(Term::NamedNode(node)) => (2, node.as_str(), "", ""),
            Some(Term::Literal(literal)) => {
                (3, literal.value(), literal.datatype().as_str(), literal.language().unwrap_or_default())
            }
        }
    }
    fn label(term: Option<&Term>) -> (usize, &str) {
        match term {
            // Numbers of one length: `b10` comes after `b9`.
            Some(Term::BlankNode(node)) => (node.as_str().len(), node.as_ref().as_str()),
            _ => (0, ""),
        }
    }
    let by = |a: &[Option<Term>], b: &[Option<Term>]| {
        a.iter().map(|t| key(t.as_ref())).cmp(b.iter().map(|t| key(t.as_ref())))
    };
    by(a, b).then_with(|| a.iter().map(|t| label(t.as_ref())).cmp(b.iter().map(|t| label(t.as_ref()))))
}

fn cell(variable: &str, term: Term, blanks: &mut HashMap<String, usize>) -> crate::sources::document::Cell {
    let mut cell = crate::sources::document::Cell {
        variable: variable.to_owned(),
        ..crate::sources::document::Cell::default()
    };
    match term {
        Term::NamedNode(node) => (cell.kind, cell.value) = (CellKind::Uri, node.into_string()),
        Term::BlankNode(node) => {
            let next = blanks.len();
            let number = *blanks.entry(node.into_string()).or_insert(next);
            (cell.kind, cell.value) = (CellKind::BlankNode, format!("b{number}"));
        }
        Term::Literal(literal) => {
            let (value, datatype, language) = literal.destruct();
            (cell.kind, cell.value, cell.language) = (CellKind::Literal, value, language);
            let datatype = datatype.map(NamedNode::into_string);
            cell.datatype = datatype.filter(|datatype| datatype != xsd::STRING && cell.language.is_none());
        }
    }
    cell
}
