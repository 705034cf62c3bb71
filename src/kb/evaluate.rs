//! Runs one query on a store, within limits.

use crate::base::error::Result;
use crate::base::vocab::xsd;
use crate::kb::ask::Limits;
use crate::kb::load;
use crate::kb::outcome::{Cause, Outcome, Unanswered};
use crate::kb::results::settle;
use crate::sources::document::{AnswerSet, CellKind, Row};
use crate::sources::format::results::file::cell;
use crate::sparql::dataset::Dataset as _;
use crate::sparql::features::Feature;
use crate::sparql::limits::refuse_heavy;
use crate::sparql::read::analyse;
use crate::sparql::store::Store;
use oxigraph::model::{Literal, NamedNode, Term};
use oxigraph::sparql::{
    CancellationToken, QueryEvaluationError, QueryResults, QuerySolutionIter, SparqlEvaluator,
};
use oxsdatatypes::{Boolean, Decimal, Double, Float, Integer};
use spargebra::algebra::GraphPattern;
use spargebra::{Query, SparqlParser};
use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::HashSet;

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
    let permitted = permit(text, has_graph);
    if let Some(error) = unreadable.into_inner() {
        return Err(load::failed(&error));
    }
    let Permitted { query, is_ordered } = match permitted {
        Ok(permitted) => permitted,
        Err(failure) => return Ok(Outcome::Failed(failure)),
    };
    let dataset = Store::of(store.clone(), evaluator().with_cancellation_token(token));
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
    let (mut rows, mut bytes): (Vec<Row>, u64) = (Vec::new(), 0);
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
        rows.push(Row { cells: solution.iter().map(|(name, term)| cell(name.as_str(), term)).collect() });
    }
    rows.sort_by(|a, b| if is_ordered { Ordering::Equal } else { labels(a).cmp(labels(b)) });
    let mut answers = AnswerSet { variables, rows, has_bindings: true, ..AnswerSet::default() };
    settle(&mut answers, is_ordered);
    Ok(Outcome::Answered(answers))
}

fn size(term: &Term) -> u64 {
    match term {
        Term::NamedNode(node) => node.as_str().len() as u64,
        Term::BlankNode(node) => node.as_str().len() as u64,
        Term::Literal(literal) => literal.value().len() as u64,
    }
}

/// The labels of the blank nodes of a row: where rows differ in nothing else, those of earlier statements come first.
fn labels(row: &Row) -> impl Iterator<Item = (usize, &str)> {
    let blanks = row.cells.iter().filter(|cell| cell.kind == CellKind::BlankNode);
    // Numbers of one length: `b10` comes after `b9`.
    blanks.map(|cell| (cell.value.len(), cell.value.as_str()))
}

/// A query that is run.
pub(crate) struct Permitted {
    /// What is run.
    pub(crate) query: Query,
    /// Whether the order of its rows says something.
    pub(crate) is_ordered: bool,
}

/// A query about a graph that the knowledge base does not have.
pub(crate) fn other_graph(name: &str) -> Unanswered {
    let message = format!("it names the graph <{name}> by FROM, which the knowledge base does not have");
    Unanswered { cause: Cause::Refused, message }
}

/// Refuses what is no query, is too heavy to parse, calls others, names other graphs, or is neither SELECT nor ASK.
pub(crate) fn permit(text: &str, has_graph: impl Fn(&NamedNode) -> bool) -> Result<Permitted, Unanswered> {
    let failure = |cause, message: String| Unanswered { cause, message };
    let unparsable = |message: String| failure(Cause::Unparsable, message);
    let refused = |message: String| failure(Cause::Refused, message);
    refuse_heavy(text)?;
    let query = SparqlParser::new().parse_query(text).map_err(|error| unparsable(error.to_string()))?;
    let (pattern, dataset) = match &query {
        Query::Select { pattern, dataset, .. } | Query::Ask { pattern, dataset, .. } => (pattern, dataset),
        Query::Construct { .. } => {
            return Err(refused("CONSTRUCT gives no answers, SELECT and ASK do".to_owned()));
        }
        Query::Describe { .. } => {
            return Err(refused("DESCRIBE gives no answers, SELECT and ASK do".to_owned()));
        }
    };
    if let Some(dataset) = dataset {
        let named = dataset.default.iter().chain(dataset.named.iter().flatten());
        if let Some(graph) = named.into_iter().find(|graph| !has_graph(graph)) {
            return Err(other_graph(graph.as_str()));
        }
    }
    let facts = analyse(text)?;
    if facts.features.contains(&Feature::Service) {
        return Err(refused("it calls SERVICE, and nothing outside the knowledge base is asked".to_owned()));
    }
    if let Some(property) = facts.properties.iter().find(|property| property.as_str().starts_with("bif:")) {
        return Err(refused(format!("{property} is a function of Virtuoso, not SPARQL")));
    }
    let is_ordered = is_ordered(pattern);
    Ok(Permitted { query, is_ordered })
}

/// Whether ORDER BY decides the order of the rows.
fn is_ordered(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::OrderBy { .. } => true,
        GraphPattern::Project { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Slice { inner, .. } => is_ordered(inner),
        _ => false,
    }
}

/// The types derived from `xsd:integer` with their smallest and largest values, as far as 64 bits reach.
const INTEGERS: [(&str, i64, i64); 12] = [
    ("long", i64::MIN, i64::MAX),
    ("int", -2_147_483_648, 2_147_483_647),
    ("short", -32_768, 32_767),
    ("byte", -128, 127),
    ("nonNegativeInteger", 0, i64::MAX),
    ("positiveInteger", 1, i64::MAX),
    ("nonPositiveInteger", i64::MIN, 0),
    ("negativeInteger", i64::MIN, -1),
    ("unsignedLong", 0, i64::MAX),
    ("unsignedInt", 0, 4_294_967_295),
    ("unsignedShort", 0, 65_535),
    ("unsignedByte", 0, 255),
];

/// What is done to white space.
type Normalise = fn(&str) -> String;

/// An evaluator that knows these functions.
pub(crate) fn evaluator() -> SparqlEvaluator {
    let named = |name: &str| NamedNode::new_unchecked(format!("{}{name}", xsd::NAMESPACE));
    let mut evaluator = SparqlEvaluator::new();
    for (name, least, most) in INTEGERS {
        let cast = move |arguments: &[Term]| {
            let number = i64::from(integer(only(arguments)?)?);
            (least..=most).contains(&number).then(|| Literal::from(number).into())
        };
        evaluator = evaluator.with_custom_function(named(name), cast);
    }
    let texts: [(&str, Normalise); 3] =
        [("normalizedString", replaced), ("token", collapsed), ("anyURI", collapsed)];
    for (name, normalise) in texts {
        let datatype = named(name);
        let cast = move |arguments: &[Term]| {
            let text = match only(arguments)? {
                Term::NamedNode(node) => node.as_str().to_owned(),
                Term::Literal(literal) => literal.value().to_owned(),
                Term::BlankNode(_) => return None,
            };
            Some(Literal::new_typed_literal(normalise(&text), datatype.clone()).into())
        };
        evaluator = evaluator.with_custom_function(named(name), cast);
    }
    evaluator
}

/// The argument of a constructor function.
fn only(arguments: &[Term]) -> Option<&Term> {
    match arguments {
        [argument] => Some(argument),
        _ => None,
    }
}

/// A value cast to `xsd:integer`: numbers lose what stands behind the point, a text must be an integer.
fn integer(term: &Term) -> Option<Integer> {
    let Term::Literal(literal) = term else { return None };
    let value = literal.value();
    if literal.language().is_some() {
        return None;
    }
    match literal.datatype().as_str() {
        xsd::DECIMAL => value.parse::<Decimal>().ok()?.try_into().ok(),
        xsd::DOUBLE => value.parse::<Double>().ok()?.try_into().ok(),
        xsd::FLOAT => value.parse::<Float>().ok()?.try_into().ok(),
        xsd::BOOLEAN => Some(value.parse::<Boolean>().ok()?.into()),
        xsd::STRING | xsd::INTEGER => value.trim().parse().ok(),
        datatype => {
            let derived: HashSet<&str> = INTEGERS.iter().map(|(name, ..)| *name).collect();
            let name = datatype.strip_prefix(xsd::NAMESPACE)?;
            derived.contains(name).then(|| value.trim().parse().ok())?
        }
    }
}

/// White space replaced by spaces.
fn replaced(text: &str) -> String {
    text.replace(['\t', '\n', '\r'], " ")
}

/// White space at the ends removed, and runs of it one space.
fn collapsed(text: &str) -> String {
    text.split([' ', '\t', '\n', '\r']).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}
