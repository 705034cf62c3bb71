//! What a query cannot do without: triple patterns that every row needs a statement for.

use spargebra::Query;
use spargebra::algebra::GraphPattern;
use spargebra::term::TriplePattern;

/// The triple patterns over the default graph that every row of a SELECT query needs a statement for. There may be others.
pub fn required(query: &Query) -> Vec<&TriplePattern> {
    let mut all = Vec::new();
    if let Query::Select { pattern, .. } = query {
        collect(pattern, &mut all);
    }
    all
}

fn collect<'q>(pattern: &'q GraphPattern, all: &mut Vec<&'q TriplePattern>) {
    match pattern {
        GraphPattern::Bgp { patterns } => all.extend(patterns),
        GraphPattern::Join { left, right } | GraphPattern::Lateral { left, right } => {
            collect(left, all);
            collect(right, all);
        }
        GraphPattern::LeftJoin { left, .. } | GraphPattern::Minus { left, .. } => collect(left, all),
        GraphPattern::Filter { inner, .. }
        | GraphPattern::Extend { inner, .. }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Project { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Slice { inner, .. } => collect(inner, all),
        // Of nothing there are no groups, unless all is one.
        GraphPattern::Group { inner, variables, .. } if !variables.is_empty() => collect(inner, all),
        GraphPattern::Group { .. }
        | GraphPattern::Union { .. }
        | GraphPattern::Graph { .. }
        | GraphPattern::Path { .. }
        | GraphPattern::Values { .. }
        | GraphPattern::Service { .. } => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparql::named_query::NamedQuery;

    #[test]
    fn every_row_needs_them() {
        for (text, expected) in [
            ("SELECT * { ?s <urn:p> ?o ; a ?c }", 2),
            (
                "SELECT DISTINCT ?s { ?s <urn:p> ?o FILTER NOT EXISTS { ?s <urn:q> ?o } } ORDER BY ?s LIMIT 1",
                1,
            ),
            ("SELECT * { ?s <urn:p> ?o OPTIONAL { ?s <urn:q> ?x } MINUS { ?s <urn:r> ?o } }", 1),
            ("SELECT * { { ?s <urn:p> ?o } UNION { ?s <urn:q> ?o } }", 0),
            ("SELECT * { { SELECT ?s (COUNT(*) AS ?n) { ?s <urn:p> ?o } GROUP BY ?s } ?s <urn:q> ?x }", 2),
            ("SELECT (COUNT(*) AS ?n) { ?s <urn:p> ?o }", 0),
            ("SELECT * { GRAPH ?g { ?s <urn:p> ?o } VALUES ?s { <urn:a> } ?s <urn:p>* ?x }", 0),
        ] {
            let query = NamedQuery::written("test", text).unwrap();
            assert_eq!(required(query.algebra()).len(), expected, "{text}");
        }
    }
}
