//! A query as a text that says the same.
//!
//! The printer of `spargebra` 0.4.8 leaves out brackets: `2 / (3 + 4)` becomes `2 / 3 + 4`, a group with FILTER becomes one
//! with the patterns around it, and a sub-query that stands alone lends its LIMIT to the query around it. Such parts are
//! written here in a way that needs no brackets of that kind. What is printed right stays as it is, letter by letter: the
//! answers of a knowledge base are kept with the texts that it was asked.

use std::mem;

use oxigraph::model::Variable;
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern};

use crate::sparql::parts;

/// The text of a query, for whoever reads SPARQL 1.1.
pub fn printed(query: &Query) -> String {
    let mut query = query.clone();
    let (Query::Select { pattern: outermost, .. }
    | Query::Ask { pattern: outermost, .. }
    | Query::Construct { pattern: outermost, .. }
    | Query::Describe { pattern: outermost, .. }) = &mut query;
    select(outermost);
    query.to_string()
}

/// What is printed as one SELECT: modifiers, the projection with what is calculated there, and the pattern behind WHERE.
fn select(mut at: &mut GraphPattern) {
    let (mut projected, mut is_ordered, mut shown) = (None::<Vec<Variable>>, false, Vec::new());
    loop {
        let is_of_select = match at {
            GraphPattern::Slice { .. } | GraphPattern::Distinct { .. } | GraphPattern::Reduced { .. } => {
                projected.is_none()
            }
            GraphPattern::Project { variables, .. } => {
                let is_first = projected.is_none();
                projected.get_or_insert_with(|| variables.clone());
                is_first
            }
            GraphPattern::OrderBy { .. } => !mem::replace(&mut is_ordered, true),
            GraphPattern::Extend { variable, expression, .. } => {
                let is_projected = projected.as_ref().is_some_and(|all| all.contains(variable));
                let is_shown = is_projected && shown.iter().all(|other| parts::is_free_of(other, variable));
                shown.push(expression.clone());
                is_shown
            }
            _ => false,
        };
        if !is_of_select {
            break;
        }
        parts::expressions_mut(at).into_iter().for_each(expression);
        let Some(inner) = parts::patterns_mut(at).pop() else { return };
        at = inner;
    }
    if is_modified(at) {
        group(at);
    }
    pattern(at);
}

/// Whether a pattern is a SELECT whose modifiers would be taken for those of the SELECT around it.
fn is_modified(pattern: &GraphPattern) -> bool {
    matches!(
        pattern,
        GraphPattern::Slice { .. }
            | GraphPattern::Distinct { .. }
            | GraphPattern::Reduced { .. }
            | GraphPattern::OrderBy { .. }
    )
}

fn pattern(whole: &mut GraphPattern) {
    if is_modified(whole) || matches!(whole, GraphPattern::Project { .. }) {
        return select(whole);
    }
    match whole {
        GraphPattern::Join { left, right } => {
            // `a { b c }` is printed without its braces, and says the same only where b is no OPTIONAL or MINUS.
            while let GraphPattern::Join { left: middle, right: last } = &mut **right {
                let first = Box::new(GraphPattern::Join { left: mem::take(left), right: mem::take(middle) });
                (*left, *right) = (first, mem::take(last));
            }
            unfilter(left);
        }
        GraphPattern::Lateral { left, .. }
        | GraphPattern::Minus { left, .. }
        | GraphPattern::Extend { inner: left, .. } => unfilter(left),
        GraphPattern::LeftJoin { left, right, .. } => {
            unfilter(left);
            unfilter(right);
        }
        _ => {}
    }
    parts::patterns_mut(whole).into_iter().for_each(pattern);
    parts::expressions_mut(whole).into_iter().for_each(expression);
}

fn unfilter(part: &mut GraphPattern) {
    if matches!(part, GraphPattern::Filter { .. }) {
        group(part);
    }
}

/// Joined with nothing, a part stands in braces.
fn group(part: &mut GraphPattern) {
    let right = Box::new(mem::take(part));
    *part = GraphPattern::Join { left: Box::default(), right };
}

fn expression(whole: &mut Expression) {
    if let Expression::Exists(inner) = whole {
        pattern(inner);
    }
    let around = strength(whole);
    for (number, operand) in parts::operands_mut(whole).into_iter().enumerate() {
        expression(operand);
        // Of operators as strong as each other the left one comes first.
        if around < ALONE && strength(operand) < around + u8::from(number > 0 || around == SIGN) {
            // The first that has a value, of one: a call needs no brackets.
            let only = mem::replace(operand, Expression::Coalesce(Vec::new()));
            *operand = Expression::Coalesce(vec![only]);
        }
    }
}

/// How strongly an expression without brackets holds its parts together.
const SIGN: u8 = 3;
/// See [`SIGN`]: in brackets, or needing none.
const ALONE: u8 = 4;

fn strength(expression: &Expression) -> u8 {
    match expression {
        Expression::Add(..) | Expression::Subtract(..) => 1,
        Expression::Multiply(..) | Expression::Divide(..) => 2,
        Expression::UnaryPlus(_) | Expression::UnaryMinus(_) => SIGN,
        Expression::Not(negated) if !matches!(**negated, Expression::Exists(_)) => SIGN,
        _ => ALONE,
    }
}

#[cfg(test)]
mod tests {
    use oxigraph::sparql::{QueryResults, SparqlEvaluator};
    use oxigraph::store::Store;
    use spargebra::SparqlParser;

    use super::*;

    fn rows(query: &str) -> Vec<String> {
        let query =
            SparqlEvaluator::new().parse_query(query).unwrap_or_else(|error| panic!("{query}: {error}"));
        let QueryResults::Solutions(rows) = query.on_store(&Store::new().unwrap()).execute().unwrap() else {
            panic!("no rows")
        };
        rows.map(|row| format!("{:?}", row.unwrap())).collect()
    }

    #[test]
    fn a_printed_query_says_the_same() {
        for text in [
            "SELECT (2 * 3 / (2 * 3 + 1 - (4 - 1)) AS ?x) {}",
            "SELECT (-(1 + 2) - (-3) AS ?x) (!(!true) AS ?y) (1 - (2 - (3 - 4)) + 5 AS ?z) {}",
            "SELECT ?a { { VALUES ?a { 1 2 } FILTER(!BOUND(?b)) } VALUES ?b { 3 } }",
            "SELECT * { VALUES ?a { 1 2 } OPTIONAL { { VALUES ?b { 3 } FILTER(?a = 1 || ?b = 3) } } }",
            "SELECT * { { VALUES ?a { 1 2 } FILTER(!BOUND(?b)) } BIND(7 AS ?b) }",
            "SELECT * { VALUES ?a { 1 2 } FILTER NOT EXISTS { VALUES ?c { 1 } FILTER(?c = 3 - (2 - ?a)) } }",
            "SELECT (2 * 3 + 4 / 5 - 1 AS ?x) (2 + -?x AS ?y) (-?x * 2 + 1 AS ?z) {}",
            "SELECT ?a { { SELECT ?a ?b { VALUES (?a ?b) { (1 1) (1 2) (2 3) } } ORDER BY DESC(?b) LIMIT 2 } }",
            "SELECT ?a { { SELECT DISTINCT ?a { VALUES (?a ?b) { (1 1) (1 2) (2 3) } } } } LIMIT 5",
            "SELECT ?a ?b ?c { VALUES (?a ?b) { (1 1) (1 2) } { { VALUES ?a { 1 } MINUS { VALUES ?b { 2 } } } { VALUES ?c { 3 } } } }",
            "SELECT ?x ?y { VALUES ?a { 1 } FILTER(!BOUND(?x)) BIND(?a + 1 AS ?z) } ORDER BY (?x + ?y)",
            "SELECT (?a + 1 AS ?x) (?x * 2 AS ?y) { VALUES ?a { 1 2 } FILTER(?a > 1 && !BOUND(?x)) }",
            "SELECT (SUM(2 * (?a + 1)) AS ?s) { VALUES ?a { 1 2 } } GROUP BY (?a - (1 - 1)) HAVING (SUM(?a) > 1 - (1 - 1)) ORDER BY (2 * (?s - 1))",
        ] {
            let query = SparqlParser::new().parse_query(text).unwrap();
            let printed = printed(&query);
            assert_eq!(rows(&printed), rows(text), "{text}\n{printed}");
            assert!(!rows(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn what_is_printed_right_is_left_alone() {
        for text in [
            "SELECT ?x (?n * 2 + 1 AS ?m) WHERE { ?x <u:p> ?n . FILTER((?n > -1)) } ORDER BY ASC(?n) LIMIT 2",
            "SELECT ?x WHERE { ?x <u:p> ?n . OPTIONAL { ?x <u:q> ?m . } FILTER(!BOUND(?m)) }",
            "SELECT ?x WHERE { {SELECT ?x WHERE { ?x <u:p> ?n . FILTER(NOT EXISTS { ?n <u:q> ?x . }) }} }",
        ] {
            let query = SparqlParser::new().parse_query(text).unwrap();
            assert_eq!(printed(&query), query.to_string());
        }
    }
}
