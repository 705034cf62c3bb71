//! Rows of the compact index as numbers of terms: no text is copied and looked up again for each of them.

use oxigraph::model::{Term, Variable};
use oxigraph::sparql::{QueryResults, SparqlEvaluator};
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern};

use crate::base::error::Result;
use crate::sparql::dataset::Dataset as _;
use crate::sparql::index::{Index, Seen, number_of};
use crate::sparql::named_query::NamedQuery;
use crate::sparql::parts;

/// Shows each row of a SELECT query as the numbers that the index gives its terms, in no particular order; none where a
/// variable has no term, or one that the index does not know. An error of `each` ends it.
pub fn each_row_of_numbers(
    index: &Index,
    query: &NamedQuery,
    mut each: impl FnMut(&[Option<u32>]) -> Result<()>,
) -> Result<()> {
    let mut numbers = Vec::new();
    let mut show = |row: &[Option<Term>], number: &dyn Fn(&Term) -> Option<u32>| {
        numbers.clear();
        numbers.extend(row.iter().map(|term| term.as_ref().and_then(number)));
        each(&numbers)
    };
    if !only_joins(query.algebra()) {
        return index.each_row(query, &mut |row| show(row, &|term| index.number(term)));
    }
    run(index, query, u32::MAX, |row| show(row, &number_of))
}

/// Shows each row of a SELECT query with the number of the term that a variable of it has, in no particular order. All such
/// numbers are below a bound, under which there are IRIs and literals only: these terms are not written out, where the query
/// does no more with the variable than to join it. Rows without such a number are passed over. An error of `each` ends it.
pub fn each_row_with_number(
    index: &Index,
    query: &NamedQuery,
    (variable, bound): (&Variable, u32),
    mut each: impl FnMut(u32, &[Option<Term>]) -> Result<()>,
) -> Result<()> {
    let (Query::Select { pattern, .. }
    | Query::Ask { pattern, .. }
    | Query::Construct { pattern, .. }
    | Query::Describe { pattern, .. }) = query.algebra();
    let bound_where_joined = if is_asked(pattern, variable) { 0 } else { bound };
    let place = in_scope(pattern).iter().position(|shown| shown == variable);
    let Some(place) = place else { return Ok(()) };
    run(index, query, bound_where_joined, |row| {
        let term = row.get(place).and_then(Option::as_ref);
        let number = term.and_then(|term| match bound_where_joined {
            0 => index.number(term),
            _ => number_of(term),
        });
        number.filter(|number| *number < bound).map_or(Ok(()), |number| each(number, row))
    })
}

/// Runs a SELECT query in which terms with a number below a bound are the blank nodes that carry it.
fn run(
    index: &Index,
    query: &NamedQuery,
    numbers_below: u32,
    mut each: impl FnMut(&[Option<Term>]) -> Result<()>,
) -> Result<()> {
    let evaluator = SparqlEvaluator::new().for_query(query.algebra().clone());
    let results = evaluator.on_queryable_dataset(Seen { index, numbers_below }).execute();
    let QueryResults::Solutions(rows) = results.map_err(|error| query.failed(&error))? else {
        return Err(query.is_not("SELECT"));
    };
    for row in rows {
        each(row.map_err(|error| query.failed(&error))?.values())?;
    }
    Ok(())
}

/// The variables that a SELECT query shows.
fn in_scope(pattern: &GraphPattern) -> &[Variable] {
    match pattern {
        GraphPattern::Project { variables, .. } => variables,
        GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Slice { inner, .. } => in_scope(inner),
        _ => &[],
    }
}

/// Whether an expression looks at a variable, EXISTS included.
fn is_asked(pattern: &GraphPattern, variable: &Variable) -> bool {
    let mut asked = false;
    for expression in parts::expressions(pattern) {
        parts::each(expression, &mut |part| match part {
            Expression::Variable(used) | Expression::Bound(used) => asked |= used == variable,
            Expression::Exists(inner) => asked |= is_asked(inner, variable),
            _ => {}
        });
    }
    asked || parts::patterns(pattern).into_iter().any(|inner| is_asked(inner, variable))
}

/// Whether a query looks at no term but to join it, or to give it to another variable: then it is the same what its terms
/// are called.
fn only_joins(query: &Query) -> bool {
    matches!(query, Query::Select { pattern, .. } if joins(pattern))
}

fn joins(pattern: &GraphPattern) -> bool {
    let is_ordered_or_grouped = matches!(pattern, GraphPattern::OrderBy { .. } | GraphPattern::Group { .. });
    !is_ordered_or_grouped
        && parts::expressions(pattern)
            .into_iter()
            .all(|expression| matches!(expression, Expression::Variable(_)))
        && parts::patterns(pattern).into_iter().all(joins)
}

#[cfg(test)]
mod tests {
    use oxigraph::model::{BlankNode, Literal};

    use super::*;

    const TEXTS: [&str; 6] = [
        "SELECT ?s ?x WHERE { GRAPH ?g { ?s <http://e/p> ?o } BIND(?o AS ?x) GRAPH ?g { ?x <http://e/p> ?o2 } }",
        "SELECT ?s ?o WHERE { GRAPH ?g { ?s <http://e/p> ?o } }",
        "SELECT ?s ?o WHERE { GRAPH ?g { ?s <http://e/p> ?o . ?o <http://e/p> ?x } OPTIONAL { GRAPH ?g { ?x <http://e/p> ?o } } }",
        "SELECT ?s ?x WHERE { GRAPH <http://e/g> { ?s <http://e/p> ?o } VALUES ?x { <http://e/a> <http://e/nowhere> } }",
        "SELECT ?s ?x WHERE { GRAPH ?g { ?s ?p ?o } FILTER(STRENDS(STR(?s), \"a\")) BIND(?o AS ?x) }",
        "SELECT ?s (COUNT(?o) AS ?n) WHERE { GRAPH ?g { ?s ?p ?o } } GROUP BY ?s",
    ];

    #[test]
    fn the_numbers_are_those_of_the_terms() {
        let mut index = Index::new();
        let table = index.table("http://e/g", "http://e/p");
        let [a, b, c] = ["a", "b", "c"].map(|name| index.intern_iri(format!("http://e/{name}")));
        let blank = index.intern(BlankNode::new_from_unique_id(u128::from(a)));
        let node = index.node();
        for (subject, object) in [(a, b), (b, c), (c, a), (c, blank), (a, node), (node, b)] {
            index.add(table, subject, object);
        }
        index.freeze();
        assert_eq!([node, a].map(Index::place_of_node), [Some(0), None]);
        for (text, joins) in TEXTS.into_iter().zip([true, true, true, true, false, false]) {
            let query = NamedQuery::written("test", text).unwrap();
            assert_eq!(only_joins(query.algebra()), joins, "{text}");
            let (mut numbers, mut expected) = (Vec::new(), Vec::new());
            each_row_of_numbers(&index, &query, |row| {
                numbers.push(row.to_vec());
                Ok(())
            })
            .unwrap();
            for row in index.select(&query).unwrap() {
                let row = row.iter().map(|term| term.as_ref().and_then(|term| index.number(term)));
                expected.push(row.collect::<Vec<_>>());
            }
            numbers.sort_unstable();
            expected.sort_unstable();
            assert!(!numbers.is_empty() && numbers == expected, "{text}: {numbers:?}, {expected:?}");
        }
    }

    #[test]
    fn a_variable_that_is_joined_gives_numbers_beside_terms() {
        let mut index = Index::new();
        let [a, b] = ["a", "b"].map(|name| index.intern_iri(format!("http://e/{name}")));
        let of = [index.table("http://e/g", "http://e/p"), index.table("http://e/g", "http://e/q")];
        let [x, y] = ["x", "y"].map(|text| index.intern(Literal::new_simple_literal(text)));
        for (table, subject, object) in [(of[0], a, x), (of[0], b, y), (of[1], a, b), (of[1], b, a)] {
            index.add(table, subject, object);
        }
        index.freeze();
        for (text, is_joined) in [
            ("SELECT ?t ?s WHERE { GRAPH ?g { ?s <http://e/p> ?o } BIND(UCASE(?o) AS ?t) }", true),
            (
                "SELECT DISTINCT ?s ?t WHERE { GRAPH ?g { ?s <http://e/p> ?t FILTER EXISTS { ?s <http://e/q> ?x } } }",
                true,
            ),
            (
                "SELECT ?s (COUNT(?o) AS ?t) WHERE { GRAPH ?g { ?s <http://e/p>|<http://e/q> ?o } } GROUP BY ?s",
                true,
            ),
            ("SELECT ?s ?t WHERE { GRAPH ?g { ?s <http://e/p> ?o } BIND(STR(?s) AS ?t) }", false),
            (
                "SELECT ?s ?t WHERE { GRAPH ?g { ?s <http://e/p> ?t FILTER EXISTS { ?s <http://e/q> ?x FILTER(?x != ?s) } } }",
                false,
            ),
            ("SELECT ?s ?t WHERE { GRAPH ?g { ?s <http://e/p> ?t } } ORDER BY ?s", false),
        ] {
            let query = NamedQuery::written("test", text).unwrap();
            let variable = Variable::new_unchecked("s");
            let Query::Select { pattern, .. } = query.algebra() else { panic!("{text}") };
            assert_eq!(is_asked(pattern, &variable), !is_joined, "{text}");
            let mut found = Vec::new();
            each_row_with_number(&index, &query, (&variable, 2), |number, row| {
                let others = row.iter().flatten().filter(|term| !matches!(term, Term::BlankNode(_)));
                found.push((number, others.map(Term::to_string).max().unwrap_or_default()));
                Ok(())
            })
            .unwrap();
            found.sort_unstable();
            let numbers: Vec<u32> = found.iter().map(|(number, _)| *number).collect();
            assert_eq!(numbers, [a, b], "{text}");
            assert!(found[0].1 != found[1].1 || text.contains("COUNT"), "{text}: {found:?}");
        }
    }
}
