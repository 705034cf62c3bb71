//! The rules of the module, one by one.

use std::collections::BTreeSet;

use proptest::prelude::*;

use crate::sparql::features::{QueryForm, QueryGraph};
use crate::sparql::read::analyse;
use crate::sparql::walk::markings;

pub(crate) const PREFIXES: &str = "PREFIX : <u:> PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> \
    PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> PREFIX wd: <http://www.wikidata.org/entity/> \
    PREFIX wdt: <http://www.wikidata.org/prop/direct/> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> ";

#[track_caller]
pub(crate) fn graph(query: &str) -> QueryGraph {
    let graph = analyse(&format!("{PREFIXES}{query}")).expect(query);
    assert_eq!(graph.repairs, [], "{query}");
    graph
}

/// The patterns, with the namespace of the tests left out.
fn patterns(query: &str) -> Vec<String> {
    graph(query).patterns.iter().map(|pattern| pattern.text().replace("u:", "")).collect()
}

pub(crate) fn names(nodes: &[oxigraph::model::NamedNode]) -> String {
    let name = |node: &oxigraph::model::NamedNode| {
        node.as_str().rsplit(['/', '#', ':']).next().unwrap_or_default().to_owned()
    };
    nodes.iter().map(name).collect::<Vec<_>>().join(" ")
}

#[test]
fn patterns_count_wherever_they_stand() {
    let query = "SELECT (EXISTS { ?x :z ?y } AS ?e) { ?x :a :A { ?x :b :B } UNION { ?x :c :C } OPTIONAL { ?x :d 1 } \
        MINUS { ?x :e ?y } GRAPH :G { ?x :f ?y } SERVICE :S { ?x :g ?y } { SELECT ?x { ?x :h ?y } } \
        FILTER NOT EXISTS { ?x :i ?y } BIND(EXISTS { ?x :j ?y } AS ?z) ?x :a :A }";
    let properties = names(&graph(query).properties);
    assert_eq!(properties, "a b c d e f g h j i z");
    assert_eq!(patterns(query)[0], "? <a> <A>");
    assert_eq!(patterns(query).iter().filter(|text| *text == "? <a> <A>").count(), 2, "a bag");
    assert_eq!(graph(query).patterns.len(), 12);
}

#[test]
fn other_forms() {
    let construct = graph("CONSTRUCT { ?x :q :Q } WHERE { ?x :p :P }");
    assert_eq!((construct.form, names(&construct.resources).as_str()), (QueryForm::Construct, "P"));
    let describe = graph("DESCRIBE :A ?x { ?x :p :P }");
    assert_eq!((describe.form, describe.patterns.len()), (QueryForm::Describe, 1));
    assert_eq!(names(&describe.resources), "P A");
    assert_eq!(names(&graph("DESCRIBE :A").resources), "A");
    let ask = graph("ASK { ?x a :C }");
    assert_eq!((ask.form, ask.item_types.len()), (QueryForm::Ask, 0));
}

#[test]
fn patterns_have_one_text() {
    assert_eq!(
        patterns("ASK { ?x ?p _:b . [] :p \"a\\\"\\n\"@EN, 01 }"),
        ["? ? ?", "? <p> \"a\\\"\\n\"@en", "? <p> \"01\"^^<http://www.w3.org/2001/XMLSchema#integer>",]
    );
    assert_eq!(patterns("ASK { ?x :a/:b ?y }"), patterns("ASK { ?x :a ?t . ?t :b ?y }"));
    assert_eq!(patterns("ASK { ?x ^:a :y }"), patterns("ASK { :y :a ?x }"));
    for (path, text) in [
        (":b|:a|:b", "(<a>|<b>|<b>)"),
        (":a*", "(<a>*)"),
        ("((:a)/((:b)))+", "((<a>/<b>)+)"),
        ("^:a?", "(<a>?)"),
        ("(^(:a/:b|:c))*", "((^<b>/^<a>|^<c>)*)"),
        ("!(:b|^:c|:a)", "(!(<a>|<b>)|!(^<c>))"),
        ("(:a*)*", "((<a>*)*)"),
        ("(:a|:b)/:c*", ""),
    ] {
        let found = patterns(&format!("ASK {{ ?x {path} ?y }}"));
        if text.is_empty() {
            assert_eq!(found, ["? (<a>|<b>) ?", "? (<c>*) ?"]);
        } else {
            assert_eq!(found, [format!("? {text} ?")], "{path}");
        }
    }
    assert_eq!(names(&graph("ASK { ?x (:a/^:b)*|!(:c) ?y }").properties), "a b c");
}

#[test]
fn patterns_are_in_the_order_of_the_text() {
    let query = "ASK { :1 :a [ :b [ :c :2 ] ; :d (:3 [ :e :4 ]) ], :5 . [ :f [ :g :6 ] ] :h [ :i :7 ] . \
        _:x :j :8 . ?y :k _:x }";
    let found = patterns(query);
    let shown: Vec<&str> = found.iter().map(|text| text.split(' ').nth(1).unwrap_or_default()).collect();
    let (first, rest) = (
        "<http://www.w3.org/1999/02/22-rdf-syntax-ns#first>",
        "<http://www.w3.org/1999/02/22-rdf-syntax-ns#rest>",
    );
    assert_eq!(
        shown,
        [
            "<a>", "<b>", "<c>", "<d>", first, rest, first, "<e>", rest, "<a>", "<f>", "<g>", "<h>", "<i>",
            "<j>", "<k>"
        ]
    );
}

#[test]
fn resources_are_constants_and_no_names_of_functions() {
    let query = "SELECT (:A AS ?a) (MAX(:f(:B)) AS ?b) { GRAPH :G { ?x :p \"l\"^^:D } VALUES (?v ?w) { (:C UNDEF) (1 :E) } \
        BIND(IF(true, :F, :H) AS ?i) FILTER(?x NOT IN (:I, :J) && xsd:string(:K) = 'u:L') } \
        HAVING(?x != :M) ORDER BY (?x = :N)";
    let found: BTreeSet<String> = names(&graph(query).resources).split(' ').map(str::to_owned).collect();
    assert_eq!(found.into_iter().collect::<String>(), "ABCEFHIJKMN");
    assert_eq!(names(&graph("ASK { :A :p :B, :A . :B a :p }").resources), "A B p");
}

/// Texts of the words that the grammar knows.
fn words() -> impl Strategy<Value = String> {
    let words = [
        "SELECT",
        "DISTINCT",
        "COUNT",
        "ASK",
        "DESCRIBE",
        "CONSTRUCT",
        "WHERE",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ".",
        ";",
        ",",
        "?x",
        "$y",
        "<u:a>",
        "dbo:a",
        "text:\"a\"",
        "_:b",
        "'l'",
        "\"l\"@en",
        "^^",
        "xsd:integer",
        "1",
        "1e5",
        "a",
        "/",
        "|",
        "^",
        "*",
        "+",
        "?",
        "!",
        "UNION",
        "OPTIONAL",
        "MINUS",
        "FILTER",
        "NOT",
        "EXISTS",
        "BIND",
        "AS",
        "VALUES",
        "UNDEF",
        "GRAPH",
        "GROUP",
        "ORDER",
        "BY",
        "HAVING",
        "LIMIT",
        "#",
        "\n",
        "<",
        "=",
        "&&",
        "PREFIX",
        "BASE",
        "é:ü.ö",
        "REGEX",
        "\\",
        "\"",
        "where {",
        "text:",
        "text:\"t\"",
        "http://a.b/c#d",
        "dbr:A,_B",
        "(c)",
        "&",
        "–",
        ":x",
        "FROM",
        "SELECT ?x {",
        "COUNT(?x)",
        "(?x AS ?x)",
    ];
    proptest::collection::vec((proptest::sample::select(words.to_vec()), any::<bool>()), 0..40).prop_map(
        |words| words.into_iter().flat_map(|(word, space)| [word, if space { " " } else { "" }]).collect(),
    )
}

/// Any text is analysed to the same twice, and what is repaired needs no more repair.
fn never_too_odd(text: &str) -> Result<(), TestCaseError> {
    let first = analyse(text);
    prop_assert_eq!(&first, &analyse(text), "the same again");
    drop(markings(text));
    if let Ok(graph) = first {
        let shown = format!("{graph:?}");
        prop_assert!(!shown.contains("BlankNode"), "{}", shown);
        if spargebra::SparqlParser::new().parse_query(text).is_ok() {
            prop_assert!(graph.repairs.is_empty() && graph.repaired.is_none(), "{}", shown);
        }
        if let Some(repaired) = graph.repaired {
            let again = analyse(&repaired);
            prop_assert!(again.is_ok_and(|again| again.repairs.is_empty()), "{}", repaired);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn no_text_is_too_odd(text in prop_oneof![any::<String>(), words(), words().prop_map(|w| format!("SELECT * WHERE {{ {w} }}"))]) {
        never_too_odd(&text)?;
    }
}

#[test]
fn what_was_too_odd_once() {
    never_too_odd("DISTINCT SELECT SELECT ?x {SELECT").unwrap();
}
