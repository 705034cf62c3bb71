//! From the text of a query to what it asks.

use std::collections::BTreeSet;

use oxigraph::model::NamedNode;
use spargebra::Query;
use spargebra::algebra::GraphPattern;
use spargebra::term::TermPattern;

use crate::sparql::collect::{Edge, Item, Reach, Statement, items};
use crate::sparql::edit::Edited;
use crate::sparql::error::Unparsable;
use crate::sparql::features::features;
use crate::sparql::graph::{Pattern, Position, Predicate, QueryForm, QueryGraph};
use crate::sparql::item_types::item_types;
use crate::sparql::limits::{refuse_deep, refuse_long};
use crate::sparql::repair::{REPAIRS, Repair};
use crate::sparql::{lexer, order, parse, path, repair};

/// Reads what a query asks, by the rules of [the module](super).
pub fn analyse(text: &str) -> Result<QueryGraph, Unparsable> {
    refuse_long(text)?;
    refuse_deep(&lexer::tokens(text))?;
    match parse::parse(text) {
        Ok(query) => Ok(graph(&query, text, Vec::new())),
        Err(error) => repaired(text, error),
    }
}

/// Whether a text is a query as it stands, without any repair; if not, why. Jena accepts the same of the queries of
/// the QALD XML files: all were compared one by one.
pub fn check(text: &str) -> Result<(), Unparsable> {
    refuse_long(text)?;
    refuse_deep(&lexer::tokens(text))?;
    parse::parse(text).map(drop)
}

/// What a query asks after repairs. If it still cannot be read, what is wrong is what no repair can help.
fn repaired(text: &str, error: Unparsable) -> Result<QueryGraph, Unparsable> {
    let (edited, repairs) = repair::repair(text, &[])?;
    if let Some(lost) = text.find(char::REPLACEMENT_CHARACTER) {
        let error =
            Unparsable::at(text, lost, "characters of the text are lost: a U+FFFD stands in their place");
        let query = parse::parse(&edited.text).map_err(|_| error)?;
        return Ok(only_needed(text, query, edited, repairs));
    }
    if repairs.is_empty() {
        return Err(repair::unknown_prefix(&edited).unwrap_or(error));
    }
    match parse::parse(&edited.text) {
        Ok(query) => Ok(only_needed(text, query, edited, repairs)),
        Err(error) => Err(repair::unknown_prefix(&edited).unwrap_or(error).in_original(text, &edited)),
    }
}

/// What a query asks after those of its repairs without which it does not parse.
fn only_needed(text: &str, mut query: Query, mut edited: Edited, mut repairs: Vec<Repair>) -> QueryGraph {
    let names: BTreeSet<&str> = repairs.iter().map(Repair::name).collect();
    let mut unused: Vec<&str> =
        REPAIRS.iter().map(|kind| kind.name).filter(|name| !names.contains(name)).collect();
    // One kind alone is needed: the text does not parse as it stands.
    for name in names.iter().filter(|_| names.len() > 1) {
        unused.push(*name);
        let fewer = repair::repair(text, &unused);
        match fewer.and_then(|(edited, repairs)| Ok((parse::parse(&edited.text)?, edited, repairs))) {
            Ok(found) => (query, edited, repairs) = found,
            Err(_) => drop(unused.pop()),
        }
    }
    graph(&query, &edited.text, repairs)
}

fn graph(query: &Query, text: &str, repairs: Vec<Repair>) -> QueryGraph {
    let (form, pattern) = parts(query);
    let items = order::textual(items(pattern, Reach::All), text);
    let patterns: Vec<Pattern> = items
        .iter()
        .filter_map(|item| match item {
            Item::Statement(statement) => Some(pattern_of(statement)),
            Item::Constant(_) => None,
        })
        .collect();
    QueryGraph {
        form,
        features: features(text, form, &patterns),
        patterns,
        resources: distinct(items.iter().flat_map(resources)),
        properties: distinct(items.iter().flat_map(properties)),
        item_types: if form == QueryForm::Select { item_types(pattern) } else { Vec::new() },
        repaired: (!repairs.is_empty()).then(|| text.to_owned()),
        repairs,
    }
}

/// The form of a query and its WHERE part.
pub(crate) fn parts(query: &Query) -> (QueryForm, &GraphPattern) {
    match query {
        Query::Select { pattern, .. } => (QueryForm::Select, pattern),
        Query::Ask { pattern, .. } => (QueryForm::Ask, pattern),
        Query::Construct { pattern, .. } => (QueryForm::Construct, pattern),
        Query::Describe { pattern, .. } => (QueryForm::Describe, pattern),
    }
}

fn pattern_of(statement: &Statement<'_>) -> Pattern {
    let predicate = match statement.edge {
        Edge::Variable => Predicate::Variable,
        Edge::Property(property) => Predicate::Property(property.clone()),
        Edge::Path(path) => Predicate::Path(path::text(path)),
    };
    Pattern { subject: position(statement.subject), predicate, object: position(statement.object) }
}

fn position(term: &TermPattern) -> Position {
    match term {
        TermPattern::Variable(_) | TermPattern::BlankNode(_) => Position::Variable,
        TermPattern::NamedNode(node) => Position::Term(node.clone().into()),
        TermPattern::Literal(literal) => Position::Term(literal.clone().into()),
    }
}

fn resources<'a>(item: &Item<'a>) -> Vec<&'a NamedNode> {
    match item {
        Item::Constant(node) => vec![node],
        Item::Statement(statement) => {
            let node = |term: &'a TermPattern| match term {
                TermPattern::NamedNode(node) => Some(node),
                _ => None,
            };
            node(statement.subject).into_iter().chain(node(statement.object)).collect()
        }
    }
}

fn properties<'a>(item: &Item<'a>) -> Vec<&'a NamedNode> {
    let mut found = Vec::new();
    if let Item::Statement(statement) = item {
        match statement.edge {
            Edge::Variable => {}
            Edge::Property(property) => found.push(property),
            Edge::Path(path) => path::properties(path, &mut found),
        }
    }
    found
}

fn distinct<'a>(nodes: impl Iterator<Item = &'a NamedNode>) -> Vec<NamedNode> {
    nodes.cloned().collect::<indexmap::IndexSet<_>>().into_iter().collect()
}
