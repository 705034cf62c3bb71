//! A query as a text that says the same.
//!
//! The printer of `spargebra` 0.4.8 leaves out brackets: `2 / (3 + 4)` becomes `2 / 3 + 4`, and a group with FILTER becomes
//! one with the patterns around it. Such parts are written here in a way that needs no brackets of that kind.

use std::mem;

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
    pattern(outermost);
    query.to_string()
}

fn pattern(whole: &mut GraphPattern) {
    parts::patterns_mut(whole).into_iter().for_each(pattern);
    parts::expressions_mut(whole).into_iter().for_each(expression);
    match whole {
        GraphPattern::Join { left, .. }
        | GraphPattern::Lateral { left, .. }
        | GraphPattern::Minus { left, .. }
        | GraphPattern::Extend { inner: left, .. } => group(left),
        GraphPattern::LeftJoin { left, right, .. } => {
            group(left);
            group(right);
        }
        _ => {}
    }
}

/// A group with FILTER, joined with nothing: then it stands in braces.
fn group(part: &mut GraphPattern) {
    if matches!(part, GraphPattern::Filter { .. }) {
        let right = Box::new(mem::take(part));
        *part = GraphPattern::Join { left: Box::default(), right };
    }
}

fn expression(whole: &mut Expression) {
    if let Expression::Exists(inner) = whole {
        pattern(inner);
    }
    let is_operator = needs_brackets(whole);
    for operand in parts::operands_mut(whole) {
        expression(operand);
        if is_operator && needs_brackets(operand) {
            // The first that has a value, of one: a call needs no brackets.
            let only = mem::replace(operand, Expression::Coalesce(Vec::new()));
            *operand = Expression::Coalesce(vec![only]);
        }
    }
}

/// Whether an expression is printed without brackets and would need them as a part of another such expression.
fn needs_brackets(expression: &Expression) -> bool {
    matches!(
        expression,
        Expression::Add(..)
            | Expression::Subtract(..)
            | Expression::Multiply(..)
            | Expression::Divide(..)
            | Expression::UnaryPlus(_)
            | Expression::UnaryMinus(_)
    ) || matches!(expression, Expression::Not(negated) if !matches!(**negated, Expression::Exists(_)))
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
            "SELECT (SUM(2 * (?a + 1)) AS ?s) { VALUES ?a { 1 2 } } GROUP BY (?a - (1 - 1)) HAVING (SUM(?a) > 1 - (1 - 1)) ORDER BY (2 * (?s - 1))",
        ] {
            let query = SparqlParser::new().parse_query(text).unwrap();
            let printed = printed(&query);
            assert_eq!(rows(&printed), rows(text), "{text}\n{printed}");
            assert!(!rows(text).is_empty(), "{text}");
        }
    }
}
