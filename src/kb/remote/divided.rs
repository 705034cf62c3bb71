//! A query in two parts: what a server finds, and what is made of it here.
//!
//! Servers agree on patterns, and differ in the order of texts, in the digits of means, in which value SAMPLE takes. So what a
//! query does last with the solutions of its pattern (SPARQL 1.1 Query Language, section 18.2.4 and 18.2.5) is done here, over their
//! rows: order, slices, what is projected and calculated, and groups with another aggregate than COUNT.

use std::mem;

use oxigraph::model::Variable;
use spargebra::Query;
use spargebra::algebra::{AggregateExpression, AggregateFunction, Expression, GraphPattern, QueryDataset};
use spargebra::term::GroundTerm;

use crate::sparql::parts;

/// The pattern of a query.
pub(crate) fn pattern_of(query: &mut Query) -> &mut GraphPattern {
    let (Query::Select { pattern, .. }
    | Query::Ask { pattern, .. }
    | Query::Construct { pattern, .. }
    | Query::Describe { pattern, .. }) = query;
    pattern
}

/// The SELECT query for a server. What is left of the query is over its rows, in their columns: see [`rest`].
pub(crate) fn asked_there(query: &Query) -> Query {
    let mut query = query.clone();
    let dataset: Option<QueryDataset> = query.dataset().cloned();
    let whole = pattern_of(&mut query);
    let shape = Shape::of(whole);
    let core = mem::take(core(whole, Depth::Around));
    let mut variables: Vec<Variable> = Vec::new();
    core.on_in_scope_variable(|variable| {
        if !variables.contains(variable) && shape.needs(variable) {
            variables.push(variable.clone());
        }
    });
    let mut pattern = GraphPattern::Project { inner: Box::new(core), variables };
    if shape.is_distinct && !shape.is_grouped {
        pattern = GraphPattern::Distinct { inner: Box::new(pattern) };
    }
    if let Some(length) = shape.most.filter(|_| !shape.is_grouped && !shape.is_ordered) {
        pattern = GraphPattern::Slice { inner: Box::new(pattern), start: 0, length: Some(length) };
    }
    Query::Select { dataset, pattern, base_iri: None }
}

/// What is left of a query to be done over the rows that were found.
pub(crate) fn rest(query: &Query, variables: Vec<Variable>, bindings: Vec<Vec<Option<GroundTerm>>>) -> Query {
    let mut query = query.clone();
    let (Query::Select { dataset, .. }
    | Query::Ask { dataset, .. }
    | Query::Construct { dataset, .. }
    | Query::Describe { dataset, .. }) = &mut query;
    *dataset = None;
    *core(pattern_of(&mut query), Depth::Around) = GraphPattern::Values { variables, bindings };
    query
}

/// A query that counts the rows of a SELECT query.
pub(crate) fn counting(query: &Query) -> Query {
    let mut query = query.clone();
    let rows = mem::take(pattern_of(&mut query));
    let [counted, shown] = ["counted", "rows"].map(Variable::new_unchecked);
    let aggregates = vec![(counted.clone(), AggregateExpression::CountSolutions { distinct: false })];
    let group = GraphPattern::Group { inner: Box::new(rows), variables: Vec::new(), aggregates };
    let named = GraphPattern::Extend {
        inner: Box::new(group),
        variable: shown.clone(),
        expression: Expression::Variable(counted),
    };
    *pattern_of(&mut query) = GraphPattern::Project { inner: Box::new(named), variables: vec![shown] };
    query
}

/// Shows a pattern and each that it is made of, those of EXISTS too.
pub(crate) fn each_pattern(pattern: &mut GraphPattern, look: &mut impl FnMut(&mut GraphPattern)) {
    look(pattern);
    for expression in parts::expressions_mut(pattern) {
        each_in_expression(expression, look);
    }
    for inner in parts::patterns_mut(pattern) {
        each_pattern(inner, look);
    }
}

fn each_in_expression(expression: &mut Expression, look: &mut impl FnMut(&mut GraphPattern)) {
    if let Expression::Exists(inner) = expression {
        each_pattern(inner, look);
    }
    for operand in parts::operands_mut(expression) {
        each_in_expression(operand, look);
    }
}

/// How far down in a query something is: what is around its projection, what is projected, what is grouped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    Around,
    Projected,
    Grouped,
}

impl Depth {
    /// That of what a pattern is made of.
    fn below(self, pattern: &GraphPattern) -> Self {
        match pattern {
            GraphPattern::Project { .. } => Self::Projected,
            GraphPattern::Group { .. } => Self::Grouped,
            _ => self,
        }
    }
}

/// The part of a pattern that a server finds. What looks at the graphs is there: EXISTS too.
fn core(pattern: &mut GraphPattern, depth: Depth) -> &mut GraphPattern {
    if !is_here(pattern, depth) {
        return pattern;
    }
    let below = depth.below(pattern);
    match pattern {
        GraphPattern::Slice { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Project { inner, .. }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Extend { inner, .. }
        | GraphPattern::Filter { inner, .. }
        | GraphPattern::Group { inner, .. } => core(inner, below),
        other => other,
    }
}

/// Whether something is done here with what is below it.
fn is_here(pattern: &GraphPattern, depth: Depth) -> bool {
    let looks = |expression: &Expression| {
        let mut looks = false;
        parts::each(expression, &mut |part| looks |= matches!(part, Expression::Exists(_)));
        looks
    };
    if depth == Depth::Grouped || parts::expressions(pattern).into_iter().any(looks) {
        return false;
    }
    match pattern {
        // Below a projection they are those of another query.
        GraphPattern::Slice { .. }
        | GraphPattern::Distinct { .. }
        | GraphPattern::Reduced { .. }
        | GraphPattern::Project { .. } => depth == Depth::Around,
        GraphPattern::OrderBy { .. } | GraphPattern::Extend { .. } => true,
        GraphPattern::Filter { inner, .. } => is_group(inner) && is_here(inner, depth),
        GraphPattern::Group { aggregates, .. } => aggregates.iter().any(|(_, aggregate)| {
            !matches!(
                aggregate,
                AggregateExpression::CountSolutions { .. }
                    | AggregateExpression::FunctionCall { name: AggregateFunction::Count, .. }
            )
        }),
        _ => false,
    }
}

/// Whether a pattern is a group, or what HAVING leaves of one.
fn is_group(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::Filter { inner, .. } | GraphPattern::Extend { inner, .. } => is_group(inner),
        other => matches!(other, GraphPattern::Group { .. }),
    }
}

/// What is done here with what a server finds.
#[derive(Default)]
struct Shape {
    is_distinct: bool,
    is_ordered: bool,
    is_grouped: bool,
    /// The most rows that are wanted.
    most: Option<usize>,
    /// The variables that are shown; none: all.
    shown: Option<Vec<Variable>>,
    /// Those that something is made of.
    used: Vec<Variable>,
}

impl Shape {
    fn of(pattern: &GraphPattern) -> Self {
        let (mut shape, mut at, mut depth) = (Self::default(), pattern, Depth::Around);
        while is_here(at, depth) {
            match at {
                GraphPattern::Slice { start, length, .. } => {
                    shape.most = length.map(|length| start.saturating_add(length));
                }
                GraphPattern::Distinct { .. } | GraphPattern::Reduced { .. } => shape.is_distinct = true,
                GraphPattern::Project { variables, .. } => shape.shown = Some(variables.clone()),
                GraphPattern::Group { variables, .. } => {
                    shape.is_grouped = true;
                    shape.used.extend(variables.iter().cloned());
                }
                GraphPattern::OrderBy { .. } => shape.is_ordered = true,
                _ => {}
            }
            for expression in parts::expressions(at) {
                parts::each(expression, &mut |part| {
                    if let Expression::Variable(variable) | Expression::Bound(variable) = part {
                        shape.used.push(variable.clone());
                    }
                });
            }
            depth = depth.below(at);
            let Some(inner) = parts::patterns(at).pop() else { break };
            at = inner;
        }
        shape
    }

    fn needs(&self, variable: &Variable) -> bool {
        self.shown.as_ref().is_none_or(|shown| shown.contains(variable)) || self.used.contains(variable)
    }
}

#[cfg(test)]
mod tests {
    use oxigraph::model::Term;
    use oxigraph::sparql::QueryResults;
    use spargebra::SparqlParser;

    use super::*;
    use crate::sparql::dataset::Dataset as _;
    use crate::sparql::print::printed;
    use crate::sparql::store::Store;

    fn rows(store: &Store, query: &Query) -> (Vec<Variable>, Vec<Vec<Option<Term>>>) {
        let QueryResults::Solutions(rows) = store.run(query).unwrap() else { panic!("{query}") };
        let variables = rows.variables().to_vec();
        (variables, rows.map(|row| row.unwrap().values().to_vec()).collect())
    }

    #[test]
    fn the_two_parts_find_what_the_query_finds() {
        let store = Store::in_memory().unwrap();
        let turtle = "@prefix : <urn:> . :a :p 1, 2, 3 ; :q \"x\" . :b :p 3, 4 ; :q \"Y\" . :c :p 5 .";
        store.load_turtle(turtle, "urn:g").unwrap();
        for (text, there) in [
            ("SELECT * { ?s <urn:p> ?o } ORDER BY DESC(?o) ?s", "SELECT ?s ?o WHERE { ?s <urn:p> ?o . }"),
            (
                "SELECT DISTINCT ?s { ?s <urn:p> ?o } ORDER BY ?s LIMIT 2 OFFSET 1",
                "SELECT DISTINCT ?s WHERE { ?s <urn:p> ?o . }",
            ),
            (
                "SELECT DISTINCT ?s { ?s <urn:q> \"x\" } LIMIT 2 OFFSET 1",
                "SELECT DISTINCT ?s WHERE { ?s <urn:q> \"x\" . } LIMIT 3",
            ),
            (
                "SELECT ?s (AVG(?o) AS ?mean) { ?s <urn:p> ?o } GROUP BY ?s HAVING (SUM(?o) > 5) ORDER BY ?mean",
                "SELECT ?s ?o WHERE { ?s <urn:p> ?o . }",
            ),
            ("SELECT (COUNT(*) AS ?n) { ?s <urn:p> ?o FILTER(?o > 2) }", "COUNT(*)"),
            (
                "SELECT ?s ?x { ?s <urn:p> ?o BIND(?o * 2 AS ?x) } ORDER BY ?s ?x",
                "SELECT ?s ?o WHERE { ?s <urn:p> ?o . }",
            ),
            (
                "SELECT ?s { ?s <urn:p> ?o FILTER EXISTS { ?s <urn:q> ?t } } ORDER BY ?o ?s",
                "SELECT ?s ?o WHERE { ?s <urn:p> ?o . FILTER(EXISTS { ?s <urn:q> ?t . }) }",
            ),
            (
                "SELECT ?s (EXISTS { ?s <urn:q> ?t } AS ?e) { ?s <urn:p> ?o } ORDER BY ?s ?o",
                "(EXISTS { ?s <urn:q> ?t . } AS ?e)",
            ),
            ("SELECT ?t { { SELECT DISTINCT ?t { ?s <urn:q> ?t } ORDER BY ?t LIMIT 1 } }", "LIMIT 1"),
        ] {
            let query = SparqlParser::new().parse_query(text).unwrap();
            let asked = asked_there(&query);
            assert!(printed(&asked).contains(there), "{text}: {}", printed(&asked));
            let asked = SparqlParser::new().parse_query(&printed(&asked)).unwrap();
            let (variables, found) = rows(&store, &asked);
            let (_, counted) = rows(&store, &counting(&asked));
            assert_eq!(
                counted[0][0].as_ref().unwrap().to_string().split('"').nth(1).unwrap(),
                found.len().to_string()
            );
            let ground = |row: Vec<Option<Term>>| {
                row.into_iter().map(|term| term.and_then(|term| term.try_into().ok()))
            };
            let rest = rest(&query, variables, found.into_iter().map(|row| ground(row).collect()).collect());
            assert_eq!(rows(&Store::in_memory().unwrap(), &rest), rows(&store, &query), "{text}");
        }
    }
}
