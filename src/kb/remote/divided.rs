//! A query in parts: what a server finds, and what is made of it here.
//!
//! Servers agree on patterns, and differ in what they calculate: in the order of texts, in the digits of means, in which value SAMPLE
//! takes. Virtuoso joins nothing with an IRI that IF or COALESCE gave, and ends a query where STRDT has nothing to work on. So a server
//! finds the parts of a pattern (SPARQL 1.1 Query Language, section 18.2.2) in which nothing is calculated but counts, and filters ask
//! for terms and not for values; what is calculated, compared, ordered, sliced and joined with that is done here, over their rows.

use std::collections::BTreeMap;
use std::mem;

use oxigraph::model::{Literal, NamedNode, Variable};
use spargebra::Query;
use spargebra::algebra::{AggregateExpression, AggregateFunction, Expression, Function, GraphPattern};
use spargebra::term::{GroundTerm, NamedNodePattern, TermPattern};

use crate::kb::remote::agreed::is_own;
use crate::sparql::parts;

/// The rows of a part: its columns, and what is in them.
pub(crate) type PartRows = (Vec<Variable>, Vec<Vec<Option<GroundTerm>>>);

/// The pattern of a query.
pub(crate) fn pattern_of(query: &mut Query) -> &mut GraphPattern {
    let (Query::Select { pattern, .. }
    | Query::Ask { pattern, .. }
    | Query::Construct { pattern, .. }
    | Query::Describe { pattern, .. }) = query;
    pattern
}

/// The SELECT queries for a server. What is left of the query is over their rows: see [`rest`].
pub(crate) fn asked_there(query: &Query) -> Vec<Query> {
    let mut query = query.clone();
    let dataset = query.dataset().cloned();
    let is_ask = matches!(query, Query::Ask { .. });
    let whole = pattern_of(&mut query);
    let shape = Leftover::of(whole, is_ask);
    let mut asked = Vec::new();
    each_part(whole, &mut |part| {
        let part = mem::take(part);
        let mut variables: Vec<Variable> = Vec::new();
        part.on_in_scope_variable(|variable| {
            if !variables.contains(variable) && shape.needs(variable) {
                variables.push(variable.clone());
            }
        });
        let mut pattern = part;
        if variables.is_empty() {
            // Only how often it is there matters.
            let variable = Variable::new_unchecked("there");
            variables.push(variable.clone());
            let expression = Expression::Literal(Literal::from(true));
            pattern = GraphPattern::Extend { inner: Box::new(pattern), variable, expression };
        }
        pattern = GraphPattern::Project { inner: Box::new(pattern), variables };
        if shape.is_distinct {
            pattern = GraphPattern::Distinct { inner: Box::new(pattern) };
        }
        if shape.most.is_some() {
            pattern = GraphPattern::Slice { inner: Box::new(pattern), start: 0, length: shape.most };
        }
        asked.push(Query::Select { dataset: dataset.clone(), pattern, base_iri: None });
    });
    asked
}

/// What is left of a query to be done over the rows of its parts.
pub(crate) fn rest(query: &Query, parts: Vec<PartRows>) -> Query {
    let mut query = query.clone();
    let (Query::Select { dataset, .. }
    | Query::Ask { dataset, .. }
    | Query::Construct { dataset, .. }
    | Query::Describe { dataset, .. }) = &mut query;
    *dataset = None;
    let mut parts = parts.into_iter();
    each_part(pattern_of(&mut query), &mut |part| {
        let (variables, bindings) = parts.next().unwrap_or_default();
        *part = GraphPattern::Values { variables, bindings };
    });
    // The columns of nothing are known by what is shown of it.
    let whole = pattern_of(&mut query);
    if let GraphPattern::Values { variables, .. } = &*whole {
        let variables = variables.clone();
        *whole = GraphPattern::Project { inner: Box::new(mem::take(whole)), variables };
    }
    query
}

/// The columns of a SELECT query of [`asked_there`].
pub(crate) fn columns(query: &Query) -> Vec<Variable> {
    let mut query = query.clone();
    within_projection(pattern_of(&mut query)).map(|(variables, _)| variables).unwrap_or_default()
}

/// The columns of a pattern, and what they are shown of.
fn within_projection(pattern: &mut GraphPattern) -> Option<(Vec<Variable>, &mut GraphPattern)> {
    match pattern {
        GraphPattern::Distinct { inner } | GraphPattern::Slice { inner, .. } => within_projection(inner),
        GraphPattern::Project { inner, variables } => Some((variables.clone(), inner)),
        _ => None,
    }
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

/// A SELECT query that finds a part of the rows: those whose values have a hash in a range, each by four digits. Every row is in
/// one range, the same whenever it is asked for.
pub(crate) fn ranged(query: &Query, [from, to]: [u32; 2]) -> Query {
    let mut query = query.clone();
    let Some((variables, at)) = within_projection(pattern_of(&mut query)) else { return query };
    let call = |function, arguments| Expression::FunctionCall(function, arguments);
    let literal = |literal: Literal| Expression::Literal(literal);
    let text = |variable: Variable| {
        let text = call(Function::Str, vec![Expression::Variable(variable)]);
        Expression::Coalesce(vec![text, literal(Literal::new_simple_literal(""))])
    };
    let texts = call(Function::Concat, variables.into_iter().map(text).collect());
    let digits = vec![call(Function::Md5, vec![texts]), literal(Literal::from(1)), literal(Literal::from(4))];
    let digits = call(Function::SubStr, digits);
    let bound = |number: u32| Box::new(literal(Literal::new_simple_literal(format!("{number:04x}"))));
    let mut expr = Expression::GreaterOrEqual(Box::new(digits.clone()), bound(from));
    if to < HASHES {
        expr = Expression::And(Box::new(expr), Box::new(Expression::Less(Box::new(digits), bound(to))));
    }
    *at = GraphPattern::Filter { expr, inner: Box::new(mem::take(at)) };
    query
}

/// How many different hashes there are.
pub(crate) const HASHES: u32 = 1 << 16;

/// Shows each pattern that a pattern is made of, those of EXISTS too, and then itself.
pub(crate) fn each_pattern(pattern: &mut GraphPattern, look: &mut impl FnMut(&mut GraphPattern)) {
    for expression in parts::expressions_mut(pattern) {
        each_in_expression(expression, look);
    }
    for inner in parts::patterns_mut(pattern) {
        each_pattern(inner, look);
    }
    look(pattern);
}

/// Sees to it that a pattern finds graphs by the names that they have in the archive, where they have others on the server: `called` has
/// both. Where a query only shows the variable of GRAPH, the rows tell it, and nothing is changed. Where it is compared or joined with
/// something, the graphs of other names are found apart, each beside the name that it has here.
pub(crate) fn name_graphs(whole: &mut GraphPattern, called: &BTreeMap<String, String>) {
    let (looked_at, mut number) = (looked_at(whole), 0);
    let named = |name: &String| NamedNode::new_unchecked(name.as_str());
    each_pattern(whole, &mut |pattern| {
        let GraphPattern::Graph { name: NamedNodePattern::Variable(graph), inner } = pattern else { return };
        if called.is_empty() || !looked_at.contains(graph) {
            return;
        }
        number += 1;
        let (graph, there) = (graph.clone(), Variable::new_unchecked(format!("there_{number}")));
        let apart = GraphPattern::Graph { name: there.clone().into(), inner: inner.clone() };
        let pairs = called.iter().map(|(there, here)| [there, here].map(|name| Some(named(name).into())));
        let bindings = pairs.map(Vec::from).collect();
        let told = GraphPattern::Values { variables: vec![there, graph.clone()], bindings };
        let others = called.keys().map(|name| named(name).into()).collect();
        let expr = Expression::Not(Box::new(Expression::In(Box::new(graph.into()), others)));
        let own = GraphPattern::Filter { expr, inner: Box::new(mem::take(pattern)) };
        let apart = GraphPattern::Join { left: Box::new(told), right: Box::new(apart) };
        *pattern = GraphPattern::Union { left: Box::new(own), right: Box::new(apart) };
    });
}

/// The variables that a pattern compares, or joins with what stands in statements.
fn looked_at(whole: &mut GraphPattern) -> Vec<Variable> {
    let mut looked_at = Vec::new();
    each_pattern(whole, &mut |pattern| {
        each_place(pattern, |place| {
            if let TermPattern::Variable(variable) = place {
                looked_at.push(variable.clone());
            }
        });
        match &*pattern {
            GraphPattern::Bgp { patterns } => {
                looked_at.extend(patterns.iter().filter_map(|pattern| match &pattern.predicate {
                    NamedNodePattern::Variable(variable) => Some(variable.clone()),
                    NamedNodePattern::NamedNode(_) => None,
                }));
            }
            GraphPattern::Values { variables, .. } => looked_at.extend(variables.iter().cloned()),
            GraphPattern::Extend { variable, .. } => looked_at.push(variable.clone()),
            _ => {}
        }
        for expression in parts::expressions(pattern) {
            parts::each(expression, &mut |part| {
                if let Expression::Variable(variable) = part {
                    looked_at.push(variable.clone());
                }
            });
        }
    });
    looked_at
}

/// Shows the subjects and objects of a pattern itself, not those of what it is made of.
pub(crate) fn each_place(pattern: &mut GraphPattern, mut look: impl FnMut(&mut TermPattern)) {
    match pattern {
        GraphPattern::Bgp { patterns } => {
            for pattern in patterns {
                look(&mut pattern.subject);
                look(&mut pattern.object);
            }
        }
        GraphPattern::Path { subject, object, .. } => {
            look(subject);
            look(object);
        }
        _ => {}
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

/// A name in a query by which some server would do more than SPARQL 1.1 says: a function of its own, or a property of Virtuoso
/// that searches texts.
pub(crate) fn own_name(query: &Query) -> Option<NamedNode> {
    let (mut query, mut found) = (query.clone(), None);
    each_pattern(pattern_of(&mut query), &mut |pattern| {
        if let GraphPattern::Bgp { patterns } = &*pattern {
            let properties = patterns.iter().filter_map(|pattern| match &pattern.predicate {
                NamedNodePattern::NamedNode(property) => Some(property),
                NamedNodePattern::Variable(_) => None,
            });
            let own = properties.into_iter().find(|property| property.as_str().starts_with("bif:"));
            found = found.take().or_else(|| own.cloned());
        }
        for expression in parts::expressions(pattern) {
            parts::each(expression, &mut |part| {
                if let Expression::FunctionCall(Function::Custom(function), _) = part
                    && !function.as_str().starts_with(XSD)
                {
                    found.get_or_insert_with(|| function.clone());
                }
            });
        }
    });
    found
}

/// The datatypes, whose names are those of casts.
const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

/// Shows each part of a pattern that a server finds.
fn each_part(pattern: &mut GraphPattern, look: &mut impl FnMut(&mut GraphPattern)) {
    if is_found_there(pattern) {
        return look(pattern);
    }
    for inner in parts::patterns_mut(pattern) {
        each_part(inner, look);
    }
}

/// Whether a pattern is found by a server as a whole: nothing in it is done here, or it cannot be done without the graphs.
fn is_found_there(pattern: &GraphPattern) -> bool {
    let looks = |expression: &Expression| {
        let mut looks = false;
        parts::each(expression, &mut |part| looks |= matches!(part, Expression::Exists(_)));
        looks
    };
    matches!(pattern, GraphPattern::Graph { .. } | GraphPattern::Service { .. })
        || parts::expressions(pattern).into_iter().any(looks)
        || is_agreed(pattern)
}

/// Whether nothing that a server finds of a query is compared by value or calculated there, within EXISTS and GRAPH neither; nor is
/// the first of some rows taken (SAMPLE), which come in another order.
pub(crate) fn is_agreed_within(query: &Query) -> bool {
    let (mut query, mut is_agreed) = (query.clone(), true);
    each_pattern(pattern_of(&mut query), &mut |pattern| {
        let GraphPattern::Group { aggregates, .. } = &*pattern else { return };
        is_agreed &= !aggregates.iter().any(|(_, aggregate)| {
            matches!(aggregate, AggregateExpression::FunctionCall { name: AggregateFunction::Sample, .. })
        });
    });
    each_part(pattern_of(&mut query), &mut |part| {
        each_pattern(part, &mut |pattern| is_agreed &= !is_own(pattern, true));
    });
    is_agreed
}

/// Whether servers agree on a pattern.
fn is_agreed(pattern: &GraphPattern) -> bool {
    !is_own(pattern, false) && parts::patterns(pattern).into_iter().all(is_agreed)
}

/// What a server may leave out, where a query is one part and what is done with its rows.
#[derive(Default)]
struct Leftover {
    /// Whether a row that comes again is of no use.
    is_distinct: bool,
    /// The most rows that are wanted.
    most: Option<usize>,
    /// The variables that are needed; none: all.
    needed: Option<Vec<Variable>>,
}

impl Leftover {
    fn of(pattern: &GraphPattern, is_ask: bool) -> Self {
        let (mut shape, mut at) = (Self { most: is_ask.then_some(1), ..Self::default() }, pattern);
        // Whether each row is of use for one row at most, and in any order.
        let mut is_counted = true;
        while !is_found_there(at) {
            match at {
                GraphPattern::Slice { start, length, .. } if shape.needed.is_none() => {
                    shape.most = length.map(|length| start.saturating_add(length));
                }
                GraphPattern::Distinct { .. } | GraphPattern::Reduced { .. } if shape.needed.is_none() => {
                    shape.is_distinct = true;
                }
                GraphPattern::Project { variables, .. } if shape.needed.is_none() => {
                    shape.needed = Some(variables.clone());
                }
                GraphPattern::OrderBy { .. } | GraphPattern::Filter { .. } => is_counted = false,
                GraphPattern::Extend { .. } => {}
                GraphPattern::Group { variables, .. } => {
                    (shape.is_distinct, is_counted) = (false, false);
                    shape.needed.get_or_insert_default().extend(variables.iter().cloned());
                }
                // Several parts, or a query in the query.
                _ => return Self::default(),
            }
            for expression in parts::expressions(at) {
                parts::each(expression, &mut |part| {
                    if let Expression::Variable(variable) | Expression::Bound(variable) = part
                        && let Some(needed) = &mut shape.needed
                    {
                        needed.push(variable.clone());
                    }
                });
            }
            let Some(inner) = parts::patterns(at).pop() else { return Self::default() };
            at = inner;
        }
        shape.most = shape.most.filter(|_| is_counted);
        shape
    }

    fn needs(&self, variable: &Variable) -> bool {
        self.needed.as_ref().is_none_or(|needed| needed.contains(variable))
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
    fn what_only_some_server_knows_is_seen() {
        for (text, own) in [
            ("SELECT * { ?s ?p ?o FILTER(<http://www.w3.org/2001/XMLSchema#integer>(?o) > 1) }", None),
            ("SELECT * { ?s ?p ?o FILTER(<bif:exec>(?o) > 1) }", Some("bif:exec")),
            ("SELECT * { ?s ?p ?o FILTER EXISTS { ?o ?q ?r FILTER(<urn:f>(?r) && true) } }", Some("urn:f")),
            ("ASK { GRAPH ?g { ?s <bif:contains> ?o } }", Some("bif:contains")),
            ("SELECT ?s { ?s ?p ?o } ORDER BY <urn:f>(?o)", Some("urn:f")),
        ] {
            let query = SparqlParser::new().parse_query(text).unwrap();
            assert_eq!(own_name(&query).as_ref().map(NamedNode::as_str), own, "{text}");
        }
    }

    #[test]
    fn what_is_compared_where_only_a_server_can_is_seen() {
        for (text, is_agreed) in [
            ("SELECT ?s { ?s ?p ?o FILTER(?o > 1) }", true),
            (
                "SELECT ?s { ?s ?p ?o FILTER NOT EXISTS { ?o ?q ?r FILTER(?r != <urn:a> || EXISTS { ?r ?t ?s }) } }",
                true,
            ),
            ("SELECT ?s { ?s ?p ?o FILTER NOT EXISTS { ?o ?q ?r FILTER(?r > 1) } }", false),
            ("SELECT ?s { ?s ?p ?o BIND(EXISTS { ?o ?q ?r } AS ?e) }", false),
            // What has no value is no IRI for Virtuoso, and an error in SPARQL.
            ("SELECT ?s { GRAPH ?g { ?s ?p ?o FILTER(!ISIRI(?o)) } }", true),
            ("SELECT ?s { GRAPH ?g { ?s ?p ?o OPTIONAL { ?o ?q ?r } FILTER(!ISIRI(?r)) } }", false),
            ("SELECT ?s { GRAPH ?g { ?s ?p ?o FILTER(?o = \"x\") } }", true),
            ("SELECT ?s { GRAPH ?g { ?s ?p ?o FILTER(?o != \"x\") } }", false),
            ("SELECT ?s { GRAPH ?g { ?s ?p ?o FILTER(?o NOT IN (<urn:a>, <urn:b>)) } }", true),
            ("SELECT ?s { GRAPH ?g { ?s ?p ?o FILTER(CONTAINS(?o, \"x\")) } }", false),
            ("SELECT ?s { GRAPH ?g { ?s ?p ?o FILTER(CONTAINS(STR(?o), \"x\")) } }", true),
            ("SELECT ?s (SAMPLE(?o) AS ?one) { ?s ?p ?o } GROUP BY ?s", false),
            ("SELECT ?s { GRAPH ?g { ?s ?p ?o } }", true),
            ("SELECT ?s { GRAPH ?g { ?s ?p ?o } FILTER(STRENDS(STR(?g), \"x\")) }", true),
        ] {
            let query = SparqlParser::new().parse_query(text).unwrap();
            assert_eq!(is_agreed_within(&query), is_agreed, "{text}");
        }
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
                "SELECT DISTINCT ?s WHERE { ?s <urn:q> \"x\" . }",
            ),
            (
                "SELECT ?s (AVG(?o) AS ?mean) { ?s <urn:p> ?o } GROUP BY ?s HAVING (SUM(?o) > 5) ORDER BY ?mean",
                "SELECT ?s ?o WHERE { ?s <urn:p> ?o . }",
            ),
            (
                "SELECT (COUNT(*) AS ?n) { ?s <urn:p> ?o FILTER(?o > 2) }",
                "SELECT ?o WHERE { ?s <urn:p> ?o . }",
            ),
            (
                "SELECT (COUNT(*) AS ?n) { ?s ?p ?o FILTER(?p IN (<urn:p>, <urn:q>) && !ISIRI(?o)) }",
                "COUNT(*)",
            ),
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
            ("SELECT ?t { { SELECT DISTINCT ?t { ?s <urn:q> ?t } ORDER BY ?t LIMIT 1 } }", "SELECT ?s ?t"),
            (
                "SELECT ?s ?z ?t { ?s <urn:p> ?o BIND(IF(?o > 2, ?s, ?o) AS ?z) OPTIONAL { ?z <urn:q> ?t } <urn:a> <urn:p> 1 } ORDER BY ?s ?z ?t",
                "SELECT ?z ?t WHERE { ?z <urn:q> ?t . } | SELECT (",
            ),
            ("ASK { ?s <urn:p> 7 }", "LIMIT 1"),
            ("ASK { ?s <urn:p> ?o BIND(?o + 1 AS ?n) ?t <urn:p> ?n FILTER(?n > 4) }", " | "),
        ] {
            let query = SparqlParser::new().parse_query(text).unwrap();
            let all = asked_there(&query);
            let asked = all.iter().map(printed).collect::<Vec<_>>().join(" | ");
            assert!(asked.contains(there), "{text}: {asked}");
            let ground = |row: Vec<Option<Term>>| {
                row.into_iter().map(|term| term.and_then(|term| GroundTerm::try_from(term).ok())).collect()
            };
            let part = |asked: &Query| {
                let asked = SparqlParser::new().parse_query(&printed(asked)).unwrap();
                let (variables, found) = rows(&store, &asked);
                let (_, counted) = rows(&store, &counting(&asked));
                let counted = counted[0][0].as_ref().unwrap().to_string();
                assert_eq!(counted.split('"').nth(1), Some(found.len().to_string().as_str()));
                let ranges = [[0, HASHES / 3], [HASHES / 3, HASHES - 1], [HASHES - 1, HASHES]];
                let counts = ranges.map(|range| rows(&store, &ranged(&asked, range)).1.len());
                assert!(counts.into_iter().sum::<usize>() >= found.len(), "{text}: {counts:?}");
                (variables, found.into_iter().map(ground).collect())
            };
            let rest = rest(&query, all.iter().map(part).collect());
            let nothing = Store::in_memory().unwrap();
            if let Query::Ask { .. } = query {
                let answer =
                    |store: &Store, query| matches!(store.run(query).unwrap(), QueryResults::Boolean(true));
                assert_eq!(answer(&nothing, &rest), answer(&store, &query), "{text}");
                continue;
            }
            assert_eq!(rows(&nothing, &rest), rows(&store, &query), "{text}");
        }
    }
}
