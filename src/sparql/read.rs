//! From the text of a query to what it asks.

use crate::sparql::collect::{Edge, Mention, Reach, Statement, items};
use crate::sparql::edit::Edited;
use crate::sparql::error::Unparsable;
use crate::sparql::features::{Pattern, Position, Predicate, QueryForm, QueryGraph, features};
use crate::sparql::item_types::item_types;
use crate::sparql::lexer::Token;
use crate::sparql::limits::{refuse_deep, refuse_long};
use crate::sparql::repair::{REPAIRS, Repair};
use crate::sparql::{lexer, order, parse, repair};
use oxigraph::model::NamedNode;
use spargebra::Query;
use spargebra::algebra::{GraphPattern, PropertyPathExpression as Path};
use spargebra::term::TermPattern;
use std::collections::BTreeSet;

/// Reads what a query asks, by the rules of [the module](super).
pub fn analyse(text: &str) -> Result<QueryGraph, Unparsable> {
    refuse_long(text)?;
    let tokens = lexer::tokens(text);
    refuse_deep(&tokens)?;
    match parse::parse_tokens(text, &tokens) {
        Ok(query) => Ok(graph(&query, (text, &tokens), Vec::new())),
        Err(error) => repaired(text, error),
    }
}

/// Whether a text is a query as it stands, without any repair; if not, why. Jena accepts the same of the queries of
/// the QALD XML files: all were compared one by one.
pub fn check(text: &str) -> Result<(), Unparsable> {
    refuse_long(text)?;
    let tokens = lexer::tokens(text);
    refuse_deep(&tokens)?;
    parse::parse_tokens(text, &tokens).map(drop)
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
    graph(&query, (&edited.text, &lexer::tokens(&edited.text)), repairs)
}

fn graph(query: &Query, (text, tokens): (&str, &[Token<'_>]), repairs: Vec<Repair>) -> QueryGraph {
    let (form, pattern) = parts(query);
    let items = order::textual(items(pattern, Reach::All), text);
    let patterns: Vec<Pattern> = items
        .iter()
        .filter_map(|item| match item {
            Mention::Statement(statement) => Some(pattern_of(statement)),
            Mention::Constant(_) => None,
        })
        .collect();
    QueryGraph {
        form,
        features: features(tokens, form, &patterns),
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
        Edge::Path(path) => Predicate::Path(text(path)),
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

fn resources<'a>(item: &Mention<'a>) -> Vec<&'a NamedNode> {
    match item {
        Mention::Constant(node) => vec![node],
        Mention::Statement(statement) => {
            let node = |term: &'a TermPattern| match term {
                TermPattern::NamedNode(node) => Some(node),
                _ => None,
            };
            node(statement.subject).into_iter().chain(node(statement.object)).collect()
        }
    }
}

fn properties<'a>(item: &Mention<'a>) -> Vec<&'a NamedNode> {
    let mut found = Vec::new();
    if let Mention::Statement(statement) = item {
        match statement.edge {
            Edge::Variable => {}
            Edge::Property(property) => found.push(property),
            Edge::Path(path) => properties_path(path, &mut found),
        }
    }
    found
}

fn distinct<'a>(nodes: impl Iterator<Item = &'a NamedNode>) -> Vec<NamedNode> {
    nodes.cloned().collect::<indexmap::IndexSet<_>>().into_iter().collect()
}

/// How strongly the operators of a path bind, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Alternative,
    Sequence,
    Element,
    Primary,
}

/// The path as text: `^` before IRIs only, alternatives in order, brackets where they are needed.
pub(crate) fn text(path: &Path) -> String {
    spell(path, false).0
}

/// The IRIs of a path in the order of the text.
pub(crate) fn properties_path<'a>(path: &'a Path, found: &mut Vec<&'a NamedNode>) {
    match path {
        Path::NamedNode(property) => found.push(property),
        Path::NegatedPropertySet(set) => found.extend(set),
        Path::Reverse(inner) | Path::ZeroOrMore(inner) | Path::OneOrMore(inner) | Path::ZeroOrOne(inner) => {
            properties_path(inner, found);
        }
        Path::Sequence(left, right) | Path::Alternative(left, right) => {
            properties_path(left, found);
            properties_path(right, found);
        }
    }
}

fn spell(path: &Path, is_inverse: bool) -> (String, Strength) {
    let inverse = if is_inverse { "^" } else { "" };
    match path {
        Path::NamedNode(property) => (format!("{inverse}{property}"), Strength::Element),
        Path::Reverse(inner) => spell(inner, !is_inverse),
        Path::Sequence(left, right) => {
            let (first, second) = if is_inverse { (right, left) } else { (left, right) };
            let part = |path| bracketed(spell(path, is_inverse), Strength::Sequence);
            (format!("{}/{}", part(first), part(second)), Strength::Sequence)
        }
        Path::Alternative(..) => {
            let mut parts = Vec::new();
            alternatives(path, is_inverse, &mut parts);
            parts.sort_unstable();
            (parts.join("|"), Strength::Alternative)
        }
        Path::ZeroOrMore(inner) => repeated(inner, is_inverse, '*'),
        Path::OneOrMore(inner) => repeated(inner, is_inverse, '+'),
        Path::ZeroOrOne(inner) => repeated(inner, is_inverse, '?'),
        Path::NegatedPropertySet(set) => {
            let mut names: Vec<String> = set.iter().map(|name| format!("{inverse}{name}")).collect();
            names.sort_unstable();
            names.dedup();
            (format!("!({})", names.join("|")), Strength::Primary)
        }
    }
}

fn alternatives(path: &Path, is_inverse: bool, parts: &mut Vec<String>) {
    match path {
        Path::Alternative(left, right) => {
            alternatives(left, is_inverse, parts);
            alternatives(right, is_inverse, parts);
        }
        Path::Reverse(inner) => alternatives(inner, !is_inverse, parts),
        _ => parts.push(spell(path, is_inverse).0),
    }
}

fn repeated(inner: &Path, is_inverse: bool, operator: char) -> (String, Strength) {
    // `^<p>*` is the inverse of the repetition, which relates the same things as the repetition of the inverse.
    let inner = bracketed(spell(inner, is_inverse), Strength::Element);
    (format!("{inner}{operator}"), Strength::Element)
}

fn bracketed((text, strength): (String, Strength), least: Strength) -> String {
    let is_repeated = least == Strength::Element && text.ends_with(['*', '+', '?']);
    if strength < least || is_repeated { format!("({text})") } else { text }
}
