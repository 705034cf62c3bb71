//! Rows of the compact index as numbers of terms: no text is copied and looked up again for each of them.

use oxigraph::model::Term;
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
    let evaluator = SparqlEvaluator::new().for_query(query.algebra().clone());
    let results = evaluator.on_queryable_dataset(Seen { index, as_numbers: true }).execute();
    let QueryResults::Solutions(rows) = results.map_err(|error| query.failed(&error))? else {
        return Err(query.is_not("SELECT"));
    };
    for row in rows {
        show(row.map_err(|error| query.failed(&error))?.values(), &number_of)?;
    }
    Ok(())
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
    use oxigraph::model::BlankNode;

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
}
