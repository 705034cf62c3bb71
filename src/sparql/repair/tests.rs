//! Repairs are reported, leave alone what they should, and do not take long. Shapes and meanings have files of their own.

use std::collections::BTreeSet;

use crate::sparql::features::QueryGraph;
use crate::sparql::read::analyse;
use crate::sparql::repair::{REPAIRS, repair};
use crate::sparql::tests::{graph, names};

/// The names of the repairs of a query, and the text after them.
pub(crate) fn repaired(query: &str) -> (String, String) {
    let QueryGraph { repairs, repaired, .. } =
        analyse(query).unwrap_or_else(|error| panic!("{query}: {error}"));
    let names: Vec<&str> = repairs.iter().map(crate::sparql::repair::Repair::name).collect();
    (names.join(" "), repaired.unwrap_or_else(|| query.to_owned()))
}

/// Spaces do not count.
fn words(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
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

/// Near to what is repaired, and nothing that anybody can be sure about.
#[test]
fn what_is_not_repaired() {
    for query in [
        "ASK { ?x unknown:a 1 }",
        "ASK { ?x geo:lat 1 }",
        "ASK { ?uri text:\"style text:\"art deco\" . }",
        "ASK { ?x <u:p> ?res:Charlie_Chaplin . }",
        // two braces; one that may be the one or the other; and one with something else
        "ASK { { ?x ?p ?y",
        "ASK { { ?x ?p ?y . ?x ?p 1 }",
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

/// Repairs are linear: texts as long as allowed take no longer than the parser.
#[test]
fn long_texts_are_repaired_or_refused() {
    let repeated = |piece: &str, bytes: usize| piece.repeat(bytes / piece.len());
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
        drop(analyse(&repeated(piece, 90_000)));
        for (open, close) in
            [("SELECT ?x { ", " }"), ("\"", "\""), ("SELECT ", " { ?x ?y }"), ("ASK { ?x ?y ", "")]
        {
            drop(analyse(&format!("{open}{}{close}", repeated(piece, 20_000))));
        }
    }
}
