//! Tests: a repaired query means what the query means that somebody would write by hand.

use std::collections::BTreeSet;

use oxigraph::model::{GraphName, NamedNode, Quad, Term};
use oxigraph::sparql::{QueryResults, SparqlEvaluator};
use oxigraph::store::Store;

use crate::sparql::repair::REPAIRS;
use crate::sparql::repair::tests::repaired;

/// A small graph: three people, their children and birth years, two cities.
fn store() -> Store {
    let store = Store::new().expect("a store");
    let node = |name: &str| NamedNode::new(format!("http://dbpedia.org/ontology/{name}")).expect("an IRI");
    let number = |number: i32| Term::from(oxigraph::model::Literal::from(number));
    let mut triples: Vec<(&str, &str, Term)> = vec![
        ("ann", "child", node("bob").into()),
        ("ann", "child", node("cid").into()),
        ("bob", "child", node("dan").into()),
        ("ann", "year", number(1900)),
        ("bob", "year", number(1930)),
        ("cid", "year", number(1940)),
        ("dan", "year", number(1960)),
        ("ann", "height", number(160)),
        ("bob", "height", number(180)),
        ("Berlin_(city)", "child", node("Paris,_Texas").into()),
    ];
    for person in ["ann", "bob"] {
        triples.push((person, "kind", node("Parent").into()));
    }
    for (subject, predicate, object) in triples {
        for graph in [GraphName::DefaultGraph, node("graph").into()] {
            let quad = Quad::new(node(subject), node(predicate), object.clone(), graph);
            store.insert(&quad).expect("inserted");
        }
    }
    store
}

/// The rows of a query without the names of its variables, sorted; `true` or `false` for ASK.
fn rows(store: &Store, query: &str) -> Vec<String> {
    let query = SparqlEvaluator::new().parse_query(query).unwrap_or_else(|error| panic!("{query}: {error}"));
    match query.on_store(store).execute().expect("executed") {
        QueryResults::Boolean(boolean) => vec![boolean.to_string()],
        QueryResults::Solutions(solutions) => {
            let row = |solution: oxigraph::sparql::QuerySolution| {
                let cells = solution
                    .values()
                    .iter()
                    .map(|cell| cell.as_ref().map_or("-".to_owned(), Term::to_string));
                cells.collect::<Vec<_>>().join(" ")
            };
            let mut rows: Vec<String> = solutions.map(|solution| row(solution.expect("a row"))).collect();
            rows.sort();
            rows
        }
        QueryResults::Graph(_) => Vec::new(),
    }
}

/// Queries to repair, what somebody would write by hand, and a piece of the results.
const BY_HAND: &[(&str, &str, &str)] = &[
    (
        "ASK { dbo:ann dbo:child dbo:bob }",
        "ASK { <http://dbpedia.org/ontology/ann> ?p <http://dbpedia.org/ontology/bob> }",
        "true",
    ),
    (
        "SELECT COUNT(DISTINCT ?x) { ?x dbo:child ?y }",
        "SELECT (COUNT(DISTINCT ?x) AS ?c) { ?x dbo:child ?y }",
        "3",
    ),
    (
        "SELECT COUNT(DISTINCT ?y AS ?y) { ?x dbo:child ?y }",
        "SELECT (COUNT(DISTINCT ?y) AS ?c) { ?x dbo:child ?y }",
        "4",
    ),
    ("SELECT (MAX(?y)) { ?x dbo:year ?y }", "SELECT (MAX(?y) AS ?m) { ?x dbo:year ?y }", "1960"),
    (
        "select ?a/?b as ?share { dbo:bob dbo:height ?a . dbo:ann dbo:height ?b }",
        "SELECT (?a / ?b AS ?c) { dbo:bob dbo:height ?a . dbo:ann dbo:height ?b }",
        "1.125",
    ),
    (
        "SELECT (?a-?b) { dbo:bob dbo:year ?a . dbo:ann dbo:year ?b }",
        "SELECT (?a - ?b AS ?c) { dbo:bob dbo:year ?a . dbo:ann dbo:year ?b }",
        "30",
    ),
    (
        "select distinct(?x) { ?x dbo:child ?y ; dbo:year ?z }",
        "SELECT DISTINCT ?x { ?x dbo:child ?y ; dbo:year ?z }",
        "ann",
    ),
    (
        "SELECT ?x { ?x dbo:child ?y ; dbo:year ?z } ORDER BY DESC(COUNT(?y)) LIMIT 1",
        "SELECT ?x { ?x dbo:child ?y ; dbo:year ?z } GROUP BY ?x ORDER BY DESC(COUNT(?y)) LIMIT 1",
        "ann",
    ),
    (
        "SELECT ?x { ?x dbo:child ?y } HAVING (COUNT(?y) > 1)",
        "SELECT ?x { { SELECT ?x (COUNT(?y) AS ?c) { ?x dbo:child ?y } GROUP BY ?x } FILTER(?c > 1) }",
        "ann",
    ),
    (
        "select avg(?n) as ?r { select count(?y) as ?n ?x { ?x dbo:child ?y ; dbo:year ?z } }",
        "SELECT (AVG(?n) AS ?r) { { SELECT ?x (COUNT(?y) AS ?n) { ?x dbo:child ?y ; dbo:year ?z } GROUP BY ?x } }",
        "1.5",
    ),
    (
        "SELECT ?x { ?x dbo:child ?y } GROUP BY ?x HAVING COUNT(?y)>1",
        "SELECT ?x { ?x dbo:child ?y } GROUP BY ?x HAVING (COUNT(?y) > 1)",
        "ann",
    ),
    (
        "SELECT ?x { SELECT ?x FROM dbo:graph { ?x dbo:child dbo:dan } }",
        "SELECT ?x FROM dbo:graph { ?x dbo:child dbo:dan }",
        "bob",
    ),
    (
        "SELECT ?x { ?x dbo:year ?y FILTER(?y > 1950 && NOT regex(str(?x), \"ann\")) }",
        "SELECT ?x { ?x dbo:year ?y FILTER(?y > 1950 && !regex(str(?x), \"ann\")) }",
        "dan",
    ),
    ("\u{feff}SELECT ?x { ?x dbo:child dbo:dan }", "SELECT ?x { ?x dbo:child dbo:dan }", "bob"),
    ("SELECT ?x { ?x dbo:child dbo:dan .", "SELECT ?x { ?x dbo:child dbo:dan }", "bob"),
    (
        "SELECT ?x { ?x dbo:child http://dbpedia.org/ontology/dan. }",
        "SELECT ?x { ?x dbo:child dbo:dan }",
        "bob",
    ),
    (
        "SELECT ?x { ?x dbo:child :a . :a dbo:child dbo:dan }",
        "SELECT ?x { ?x dbo:child ?a . ?a dbo:child dbo:dan }",
        "ann",
    ),
    (
        "ASK { dbo:Berlin_(city) dbo:child dbo:Paris,_Texas . }",
        "ASK { <http://dbpedia.org/ontology/Berlin_(city)> dbo:child <http://dbpedia.org/ontology/Paris,_Texas> }",
        "true",
    ),
    (
        "SELECT (?y + 1 AS ?y) { dbo:ann dbo:year ?y }",
        "SELECT (?y + 1 AS ?z) { dbo:ann dbo:year ?y }",
        "1901",
    ),
    (
        "\"SELECT ?x { ?x dbo:year ?y FILTER(str(?y) = \"\"1900\"\") }\"",
        "SELECT ?x { ?x dbo:year ?y FILTER(?y = 1900) }",
        "ann",
    ),
];

/// A repaired query has the results of the query that somebody would write by hand, and some results at all.
#[test]
fn repaired_queries_mean_what_is_written() {
    let store = store();
    let dbo = "PREFIX dbo: <http://dbpedia.org/ontology/> ";
    let mut seen = BTreeSet::new();
    for &(query, by_hand, result) in BY_HAND {
        let (names, repaired) = repaired(query);
        seen.extend(names.split(' ').map(str::to_owned));
        let found = rows(&store, &repaired);
        assert_eq!(found, rows(&store, &format!("{dbo}{by_hand}")), "{repaired}");
        assert!(found.iter().any(|row| row.contains(result)), "{found:?}");
    }
    // Pseudo queries have no results.
    let all: BTreeSet<String> =
        REPAIRS.iter().map(|kind| kind.name.to_owned()).filter(|name| !name.starts_with("text-")).collect();
    assert_eq!(seen, all, "a repair is not tested");
}
