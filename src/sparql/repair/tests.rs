//! Each repair: what it does, what it leaves alone, and that the meaning is the one that people wrote.

use std::collections::BTreeSet;

use oxigraph::model::{GraphName, NamedNode, Quad, Term};
use oxigraph::sparql::{QueryResults, SparqlEvaluator};
use oxigraph::store::Store;

use super::{REPAIRS, repair};
use crate::sparql::tests::{graph, names};
use crate::sparql::{QueryGraph, analyse};

/// The names of the repairs of a query, and the text after them.
fn repaired(query: &str) -> (String, String) {
    let QueryGraph { repairs, repaired, .. } =
        analyse(query).unwrap_or_else(|error| panic!("{query}: {error}"));
    let names: Vec<&str> = repairs.iter().map(super::Repair::name).collect();
    (names.join(" "), repaired.unwrap_or_else(|| query.to_owned()))
}

/// Spaces do not count.
fn words(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text with one space wherever pieces meet.
fn pieces(text: &str) -> Vec<String> {
    crate::sparql::lexer::tokens(text).iter().map(|token| token.text.to_owned()).collect()
}

#[test]
fn repairs_are_reported() {
    for (query, expected) in [
        ("SELECT ?x { ?x dbo:a dbr:B ; dbo:c 1 }", "prefix prefix"),
        ("SELECT COUNT(DISTINCT ?x) WHERE { ?x <u:p> 1 }", "bare-call"),
        ("SELECT DISTINCT COUNT(?x) { ?x <u:p> 1 }", "bare-call"),
        ("SELECT COUNT(?x) AS ?c WHERE { ?x <u:p> 1 }", "bare-call"),
        ("SELECT COUNT(DISTINCT ?x AS ?x) WHERE { ?x <u:p> 1 }", "bare-call"),
        ("SELECT (COUNT(?x)) WHERE { ?x <u:p> 1 }", "no-name"),
        ("SELECT (COUNT(?x)) AS ?c WHERE { ?x <u:p> 1 }", "bare-call"),
        ("SELECT DISTINCT (?x) { ?x <u:p> 1 }", "bracketed-variable"),
        ("SELECT ?x { ?x <u:p> ?y } ORDER BY DESC(COUNT(?y)) LIMIT 1", "no-group"),
        ("SELECT ?x COUNT(?y) { ?x <u:p> ?y }", "bare-call no-group"),
    ] {
        assert_eq!(repaired(query).0, expected, "{query}");
    }
    let message = |query: &str| analyse(query).expect(query).repairs[0].to_string();
    assert_eq!(
        message("ASK { ?x dbo:a 1 }"),
        "the prefix `dbo:` is not declared; it is taken as public endpoints do"
    );
    assert_eq!(message("SELECT COUNT(?x) { ?x <u:p> 1 }"), "a call in SELECT has no brackets and no name");
    let typed = analyse("SELECT COUNT(?x) { ?x rdf:type dbo:City }").expect("a query");
    assert_eq!(names(&typed.item_types), "City", "through the repair");
}

#[test]
fn queries_that_need_no_repair() {
    for query in [
        "SELECT ?x ?x { ?x :p :J._R._R._Tolkien }",
        "SELECT ?x { BIND(CONCAT ('a', 'b') AS ?x) FILTER(COALESCE (?x, 1)) }",
    ] {
        graph(query);
    }
    assert_eq!(names(&graph("ASK { ?x :p :J._R._R._Tolkien }").resources), "J._R._R._Tolkien");
}

/// Queries in the shapes of real ones, the repairs they need, and what these make of them.
const SHAPES: &[(&str, &str, &str)] = &[
    // S: 9-test 22, QALD-5 380, 6-datacube 25, qbench1 28
    ("SELECT COUNT(?y AS ?y) { ?x <u:p> ?y }", "bare-call", "SELECT (COUNT(?y ) AS ?call1) { ?x <u:p> ?y }"),
    ("SELECT (?h1-?h2) { ?h1 <u:p> ?h2 }", "no-name", "SELECT (?h1-?h2 AS ?call1) { ?h1 <u:p> ?h2 }"),
    ("select ?a/?b { ?a <u:p> ?b }", "bare-call", "select (?a/?b AS ?call1) { ?a <u:p> ?b }"),
    (
        "select ?c sum(?a)/sum(?b)*100 as ?share { ?c ?a ?b }",
        "bare-call no-group",
        "select ?c (sum(?a)/sum(?b)*100 as ?share) { ?c ?a ?b } GROUP BY ?c",
    ),
    ("SELECT ?x AS ?y { ?x ?p ?z }", "bare-call", "SELECT (?x AS ?y) { ?x ?p ?z }"),
    // X
    (
        "select distinct(?x)from <g:h> { ?x ?p ?y }",
        "bracketed-variable",
        "select distinct ?x from <g:h> { ?x ?p ?y }",
    ),
    // X with a name, and A: 6-datacube 66 and 12
    (
        "select distinct(year(?y)) as ?y { ?x ?p ?y }",
        "alias-in-scope bare-call",
        "select distinct ((year(?y)) as ?call1) { ?x ?p ?y }",
    ),
    // G in a sub-query, HAVING without GROUP BY: qbench1 2, QALD-1 23
    (
        "select avg(?s) as ?r { select sum(?a) as ?s ?y { ?o ?y ?a } }",
        "bare-call no-group",
        "select (avg(?s) as ?r) { select (sum(?a) as ?s) ?y { ?o ?y ?a } GROUP BY ?y }",
    ),
    (
        "SELECT ?x { ?x ?p ?y } HAVING (COUNT(?y) > 3)",
        "no-group",
        "SELECT ?x { ?x ?p ?y } GROUP BY ?x HAVING (COUNT(?y) > 3)",
    ),
    // H: qbench1 26
    (
        "SELECT ?x { ?x ?p ?y } GROUP BY ?x HAVING SUM(?y)>SUM(?z) ORDER BY ?x",
        "bare-having",
        "SELECT ?x { ?x ?p ?y } GROUP BY ?x HAVING (SUM(?y)>SUM(?z)) ORDER BY ?x",
    ),
    // F: 6-datacube 23
    (
        "select ?x { select ?x from <g:h> where { ?x ?p ?y } } group by ?x",
        "inner-from",
        "select ?x from <g:h> { select ?x where { ?x ?p ?y } } group by ?x",
    ),
    // N, B, I, U
    ("ASK { ?x ?p ?y FILTER (NOT regex(?y,\"R\")) }", "not", "ASK { ?x ?p ?y FILTER (! regex(?y,\"R\")) }"),
    ("ASK { ?x ?p ?y .", "last-brace", "ASK { ?x ?p ?y . }"),
    (
        "ASK { ?x a http://dbpedia.org/class/yago/X#y . }",
        "bare-iri",
        "ASK { ?x a <http://dbpedia.org/class/yago/X#y> . }",
    ),
    ("ASK { ?x <u:p> :a . :a <u:q> 1 }", "blank-label", "ASK { ?x <u:p> _:a . _:a <u:q> 1 }"),
    // E: 4-hybrid-train 2 and 17, 6-test-hybrid 25, NLQ
    (
        "PREFIX : <u:> ASK { :Martin_Luther_King,_Jr. :p ?x . }",
        "local-name",
        "PREFIX : <u:> ASK { :Martin_Luther_King\\,_Jr\\. :p ?x . }",
    ),
    (
        "PREFIX : <u:> ASK { ?x :p :Shreve,_Lamb_&_Harmon . }",
        "local-name",
        "PREFIX : <u:> ASK { ?x :p :Shreve\\,_Lamb_\\&_Harmon . }",
    ),
    (
        "PREFIX : <u:> ASK { ?x :p :Austin_Powers_(character), :AC/DC . }",
        "local-name",
        "PREFIX : <u:> ASK { ?x :p :Austin_Powers_\\(character\\), :AC\\/DC . }",
    ),
    (
        "PREFIX d: <u:> ASK { ?x ?p d:a\u{2013}b }",
        "local-name",
        "PREFIX d: <u:> ASK { ?x ?p <u:a\u{2013}b> }",
    ),
    // P: NLQ, qbench
    (
        "ASK { ?x qb:dataSet ls:a ; lso:p dbpedia-ko:b }",
        "prefix prefix prefix prefix",
        "PREFIX qb: <http://purl.org/linked-data/cube#> PREFIX ls: <http://linkedspending.aksw.org/instance/> \
             PREFIX lso: <http://linkedspending.aksw.org/ontology/> PREFIX dbpedia-ko: <http://ko.dbpedia.org/resource/> \
             ASK { ?x qb:dataSet ls:a ; lso:p dbpedia-ko:b }",
    ),
    (
        "select * { dbpedia-ko:고구려 prop-ko:직책 ?x. ?x dcterms:subject dbpedia-ko:분류:1914년_설립 }",
        "prefix prefix prefix",
        "PREFIX dbpedia-ko: <http://ko.dbpedia.org/resource/> PREFIX prop-ko: <http://ko.dbpedia.org/property/> \
             PREFIX dcterms: <http://purl.org/dc/terms/> \
             select * { dbpedia-ko:고구려 prop-ko:직책 ?x. ?x dcterms:subject dbpedia-ko:분류:1914년_설립 }",
    ),
    // T and T2, Q: 7-train-hybrid 94, 6-test-hybrid 11, 7-test-hybrid.xml 1000
    (
        "ASK { ?x text:\"is a\" text:'city' . ?x a text:\"t\" }",
        "text-term",
        "ASK { ?x <http://okbqa.org/text#is%20a> <http://okbqa.org/text#city> . ?x a <http://okbqa.org/text#t> }",
    ),
    (
        "ASK { { ?x text:\"a\" . } UNION { ?x text:\"b\" } ?x <u:p> 1 ; text:\"c\" ; <u:q> 2 }",
        "text-statement",
        "ASK { { ?x <http://okbqa.org/text#> \"a\" . } UNION { ?x <http://okbqa.org/text#> \"b\" } \
             ?x <u:p> 1 ; <http://okbqa.org/text#> \"c\" ; <u:q> 2 }",
    ),
    (
        "\"ask where { ?proj text:\\\"\"other\"\" . ?proj text:\\\"\"solar systems\\\"\" . }\"",
        "escaped-text text-statement",
        "ask where { ?proj <http://okbqa.org/text#> \"other\" . ?proj <http://okbqa.org/text#> \"solar systems\" . }",
    ),
];

/// What each repair does.
#[test]
fn what_each_repair_does() {
    for &(query, expected, text) in SHAPES {
        let (mut found, repaired) = repaired(query);
        if expected == "alias-in-scope bare-call" {
            found = found.split(' ').collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(" ");
        }
        assert_eq!(found, expected, "{query}");
        if expected.starts_with("prefix") {
            assert!(text.ends_with(query), "{repaired}");
            let prologue = text.strip_suffix(query).unwrap_or_default().split("PREFIX ").skip(1);
            assert!(
                prologue.into_iter().all(|declaration| repaired.contains(declaration.trim())),
                "{repaired}"
            );
        } else {
            assert_eq!(pieces(&repaired), pieces(text), "{query}");
        }
    }
}

/// Near to what is repaired, and nothing that anybody can be sure about.
#[test]
fn what_is_not_repaired() {
    for query in [
        "ASK { ?x unknown:a 1 }",
        "ASK { ?x geo:lat 1 }",
        "ASK { ?uri text:\"style text:\"art deco\" . }",
        "ASK { ?x <u:p> ?res:Charlie_Chaplin . }",
        // two braces, and one with something else
        "ASK { { ?x ?p ?y",
        "ASK { ?x ?p ?y FILTER(?x",
        // other graphs for the outer pattern
        "SELECT ?x { ?x ?p ?y { SELECT ?x FROM <g:h> { ?x ?p ?y } } }",
        // NOT binds weaker than `=`, `!` stronger
        "ASK { ?x ?p ?y FILTER(NOT (?x) = ?y) }",
        // `:p` is no node
        "ASK { :a :p ?x }",
        // which of the years is the one of the sum?
        "SELECT YEAR(?y) { ?o ?y ?a } ORDER BY DESC(SUM(?a))",
        "SELECT ?x (STR(?y)) (COUNT(?z) AS ?c) { ?x ?y ?z }",
        "ASK { ?x ?p \"a\"@en @de }",
        "",
        "\"",
        "\"\"",
    ] {
        let found = analyse(query);
        assert!(found.is_err(), "{query}: {:?}", found.map(|graph| graph.repaired));
    }
}

/// Each repair alone, over valid queries that look like what it repairs: it changes nothing, or its change is not needed
/// and `analyse` does not use it.
#[test]
fn valid_queries_are_left_alone() {
    for query in [
        "PREFIX text: <http://okbqa.org/text#> ASK { ?x text: \"a\" ; text:keyword \"b\" }",
        "SELECT (COUNT(?x) AS ?c) (AVG(?s) AS ?s) { ?x ?p ?s } GROUP BY ?x HAVING (COUNT(?p) > 1) (AVG(?s) < 2)",
        "SELECT (COUNT(*) AS ?c) { ?x ?p ?y FILTER(?c > 1) }",
        "SELECT ?x FROM <g:h> FROM NAMED <g:i> { { SELECT ?x { ?x ?p ?y } } FILTER(?x NOT IN (1)) FILTER NOT EXISTS { ?x ?p 1 } }",
        "PREFIX : <u:> ASK { :a :p :b,:c,_:d ; :p (:e :f) , (1) . ?x :a/:b ?y FILTER(:f(true) && :g(1)/COUNT(?x)) }",
        "PREFIX http: <u:> ASK { ?x http:a http:b }",
        "PREFIX dbo: <u:odd/> ASK { ?x dbo:a 1 }",
        "SELECT * { ?x ?p ?y } ORDER BY ?x",
        "SELECT ?call1 (1+2 AS ?y) (?x AS ?z) { ?call1 ?p ?x }",
    ] {
        let query =
            if query.contains("COUNT(?x))") { query.replace("COUNT(?x)", "?x") } else { query.to_owned() };
        let found = analyse(&query).unwrap_or_else(|error| panic!("{query}: {error}"));
        assert_eq!((found.repairs, found.repaired), (Vec::new(), None), "{query}");
    }
}

/// The examples of the table are what the repairs do, each alone.
#[test]
fn examples_show_what_repairs_do() {
    for kind in REPAIRS {
        let others: Vec<&str> =
            REPAIRS.iter().map(|kind| kind.name).filter(|name| *name != kind.name).collect();
        let (before, after) = kind.example;
        let (edited, repairs) = repair(before, &others).expect(before);
        assert_eq!(words(&edited.text), words(after), "{}", kind.name);
        assert_eq!(repairs.len(), 1, "{}", kind.name);
        assert_eq!(repair(after, &others).expect(after).1, [], "{}: once is enough", kind.name);
    }
    let names: BTreeSet<&str> = REPAIRS.iter().map(|kind| kind.name).collect();
    assert_eq!(names.len(), REPAIRS.len());
}

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

/// Repairs are linear: texts as long as allowed take no longer than the parser.
#[test]
fn long_texts_are_repaired_or_refused() {
    let times = 90_000;
    let repeated = |piece: &str| piece.repeat(times / piece.len());
    for piece in [
        "text:\"a\" ",
        "http://a ",
        "dbr:a,_b ",
        "a:b(c",
        ":a ",
        "NOT f(",
        "{",
        "}",
        "{ SELECT ",
        "FROM <a> ",
        "HAVING ",
        "HAVING a > ",
        "SELECT (?x) ",
        "SELECT (f(?x)) ",
        "COUNT(?x) ",
        "?call1 ?x ",
        "(?x AS ?x) ",
        "SELECT COUNT(?x) { ?x ?y ",
        "a\u{2013}:\u{2013} ",
        "\\\"\" ",
        "\"\"\"\" ",
        "SELECT ?x { { SELECT ?x FROM <a> { ",
        "u:a/b",
        "&_",
        "dbo:a\u{2013} ",
    ] {
        for (open, close) in
            [("", ""), ("SELECT ?x { ", " }"), ("\"", "\""), ("SELECT ", " { ?x ?y }"), ("ASK { ?x ?y ", "")]
        {
            drop(analyse(&format!("{open}{}{close}", repeated(piece))));
        }
    }
}
