//! What queries can touch, by hand.

use super::*;
use crate::base::rdf::contents::ContentsCollector;
use crate::sparql::named_query::NamedQuery;

fn touched(text: &str) -> Touched {
    Touched::by(NamedQuery::written("test", &format!("PREFIX : <u:> {text}")).unwrap().algebra())
}

/// Which of some lines of the graph `u:g` are touched.
fn lines(text: &str) -> String {
    let statements = ["a p b", "a q b", "b p c", "a type C", "b type D"];
    let touched = touched(text);
    let Some(graph) = touched.of_graph("u:g", true) else { return "no graph".to_owned() };
    let property = |name: &str| if name == "type" { rdf::TYPE.to_owned() } else { format!("u:{name}") };
    let line = |statement: &str| {
        let terms: Vec<&str> = statement.split(' ').collect();
        format!("<u:{}> <{}> <u:{}> <u:g> .\n", terms[0], property(terms[1]), terms[2])
    };
    let found = statements.into_iter().filter(|statement| passes(&graph, &line(statement)));
    found.collect::<Vec<_>>().join(", ")
}

/// Whether a line is let through.
fn passes(graph: &TouchedGraph<'_>, line: &str) -> bool {
    let (mut filter, mut out) = (LineFilter::new(graph, false), Vec::new());
    filter.line(line.as_bytes(), &mut out);
    filter.end(&mut out);
    assert_eq!(
        (out == line.as_bytes(), filter.passed),
        (filter.passed == 1, u64::from(!out.is_empty() || line.is_empty()))
    );
    filter.passed == 1
}

#[test]
fn what_a_query_can_touch() {
    const ALL: &str = "a p b, a q b, b p c, a type C, b type D";
    for (text, expected) in [
        ("SELECT * { ?s :p ?o }", "a p b, b p c"),
        ("SELECT * { :a :p ?o }", "a p b"),
        ("SELECT * { ?s :p :c }", "b p c"),
        ("SELECT * { ?s a :C }", "a type C"),
        ("SELECT * { ?s a :C ; :q ?x }", "a q b, a type C"),
        ("SELECT * { ?s ?p ?o }", ALL),
        ("SELECT * { :b ?p ?o }", "b p c, b type D"),
        ("ASK { ?s a ?c OPTIONAL { ?s :q ?o } MINUS { ?s :p :c } }", "a q b, b p c, a type C, b type D"),
        ("ASK { ?s a :C FILTER EXISTS { ?s :q ?o } }", "a q b, a type C"),
        ("SELECT (EXISTS { ?s :p :b } AS ?x) { ?s a :D }", "a p b, b type D"),
        ("SELECT (COUNT(*) AS ?n) { { SELECT ?s { ?s :q ?o } GROUP BY ?s } }", "a q b"),
        ("ASK { ?s :p|^:q ?o }", "a p b, a q b, b p c"),
        ("ASK { ?s !:p ?o }", ALL),
        ("ASK { ?s :p+ ?o }", "a p b, b p c"),
        ("ASK { ?s :p* ?o }", ALL),
        ("ASK { :a :p* ?o }", "a p b, b p c"),
        ("ASK { ?s a :C ; :p* ?o }", "a p b, b p c, a type C"),
        ("ASK { ?s a :C . _:s :p* ?o }", ALL),
        ("ASK { ?s a :C OPTIONAL { ?s :p* ?o } }", "a p b, b p c, a type C"),
        ("ASK { ?s :p* ?o OPTIONAL { ?s a :C } }", ALL),
        ("ASK { ?s a :C { SELECT (COUNT(*) AS ?n) { ?s :p* ?o } } }", ALL),
        ("ASK { ?s :q/:p? ?o }", "a p b, a q b, b p c"),
        ("CONSTRUCT { ?s :new ?o } WHERE { ?s :q ?o }", "a q b"),
        ("DESCRIBE :a", ALL),
        ("DESCRIBE ?s { ?s :q ?o }", ALL),
        ("SELECT * { GRAPH ?g { ?s :q ?o } }", "a q b"),
        ("SELECT * { GRAPH :g { ?s :q ?o } }", "a q b"),
        ("SELECT * { GRAPH :h { ?s :q ?o } }", "no graph"),
        ("SELECT * { GRAPH :h { ?s :q ?o } ?s :p :c }", "b p c"),
        ("SELECT * { GRAPH ?g { } }", ALL),
        ("SELECT * { GRAPH ?g { OPTIONAL { ?s :q ?o } } }", ALL),
        ("SELECT * { GRAPH ?g { { ?s :q ?o } UNION { BIND(1 AS ?x) } } }", ALL),
        ("SELECT * { GRAPH :h { } }", "no graph"),
        ("SELECT * { GRAPH ?g { SELECT (COUNT(*) AS ?n) { ?s :q ?o } } }", ALL),
        ("SELECT * { GRAPH ?g { SELECT ?s (COUNT(*) AS ?n) { ?s :q ?o } GROUP BY ?s } }", "a q b"),
        ("SELECT * FROM :g { ?s :q ?o }", "a q b"),
        ("SELECT * FROM :h { ?s :q ?o }", "no graph"),
        ("SELECT * FROM :h { GRAPH ?g { ?s :q ?o } }", "no graph"),
        ("SELECT * FROM NAMED :g { ?s :q ?o }", "no graph"),
        ("SELECT * FROM NAMED :g { GRAPH ?g { ?s :q ?o } }", "a q b"),
        ("SELECT * { SERVICE :x { ?s :q ?o } }", ALL),
        ("SELECT * { VALUES ?x { 1 } }", "no graph"),
        ("SELECT * { ?s :q ?x LATERAL { SELECT ?y { ?s :p ?y } LIMIT 1 } }", "a p b, a q b, b p c"),
    ] {
        assert_eq!(lines(text), expected, "{text}");
    }
}

#[test]
fn lines_that_are_spelled_otherwise_are_left_to_the_parser() {
    let touched = touched("ASK { :a :p :b }");
    let graph = touched.of_graph("u:g", true).unwrap();
    for (line, expected) in [
        ("<u:a> <u:p> <u:b> <u:g> .", true),
        ("<u:a> <u:p> \"b\" <u:g> .", false),
        ("<u:a> <u:q> <u:b> <u:g> .", false),
        ("<u:a>  <u:q> <u:b> <u:g> .", true),
        (" <u:x> <u:q> <u:b> <u:g> .", true),
        ("<u:\\u0061> <u:p> <u:b> <u:g> .", true),
        ("<u:a> <u:p> <u:\\u0062> <u:g> .", true),
        ("_:a <u:q> <u:b> <u:g> .", true),
        ("<u:x> <u:q> _:b <u:g> .", true),
        ("# nothing", true),
        ("", true),
    ] {
        assert_eq!(passes(&graph, line), expected, "{line}");
    }
}

#[test]
fn copies_are_made_where_they_are_read() {
    let copies = |text: &str, in_default: bool| {
        touched(text).of_graph("u:g", in_default).map(|graph| (graph.copies.default, graph.copies.named))
    };
    assert_eq!(copies("ASK { ?s :p ?o }", true), Some((true, false)));
    assert_eq!(copies("ASK { ?s :p ?o }", false), None, "links are in no default graph");
    assert_eq!(copies("ASK { GRAPH ?g { ?s :p ?o } }", true), Some((false, true)));
    assert_eq!(copies("ASK { ?s :p ?o GRAPH ?g { ?s :q ?o } }", true), Some((true, true)));
    assert_eq!(copies("ASK FROM :g { ?s :p ?o }", false), Some((false, true)));
    assert_eq!(copies("ASK { ?s :p 1 }", true), Some((true, true)), "for the hint about numbers");
}

/// What a graph holds whose lines these are: subject, property, object.
fn contents(lines: &[&str]) -> GraphContents {
    let mut collector = ContentsCollector::new("u:about");
    for line in lines {
        let terms: Vec<String> = line.split(' ').map(|term| format!("<{term}>")).collect();
        collector.add(format!("{} <u:g> .\n", terms.join(" ")).as_bytes());
    }
    collector.finish().1.unwrap()
}

#[test]
fn graphs_without_property_or_class_are_not_needed() {
    let contents = contents(&[&format!("u:a:1 {} u:C", rdf::TYPE), "u:a:1 u:p u:b"]);
    let can = |text: &str| touched(text).of_graph("u:g", true).unwrap().can_be_in("u:about", &contents);
    assert!(can("ASK { ?s :p ?o }") && can("ASK { ?s a :C }") && can("ASK { ?s ?p ?o }"));
    assert!(can("ASK { ?s a ?c }") && can("ASK { <u:a:7> :p ?o }"));
    assert!(!can("ASK { ?s :q ?o }") && !can("ASK { ?s a :D }") && !can("ASK { <u:b:1> :p ?o }"));
    assert!(can("ASK { ?s :q ?o OPTIONAL { ?s :p ?o } }"));
}

/// The lines that are let through of a graph of observations and one of aggregates; `None` where a graph need not be read.
fn of_both(text: &str) -> [Option<String>; 2] {
    let scores = [
        "u:e:obs/1 u:f1 u:x",
        "u:e:obs/1 u:of u:e",
        "u:e:obs/2 u:f1 u:y",
        "u:e:obs/2 u:of u:e",
        "u:s:e u:by u:x",
    ];
    let measures = [
        "u:e:agg/1 u:of u:e",
        "u:e:agg/1 u:value u:x",
        "u:e:agg/2 u:of u:e",
        "u:e:agg/2 u:value u:y",
        "u:s:e u:on u:x",
    ];
    let held = [contents(&scores), contents(&measures)];
    let holders: Vec<Holder<'_>> =
        held.iter().map(|contents| Holder { about: "u:about", contents: Some(contents) }).collect();
    let touched = touched(text).narrowed(&holders);
    [(scores, &held[0]), (measures, &held[1])].map(|(lines, held)| {
        let graph = touched.of_graph("u:g", true).filter(|graph| graph.can_be_in("u:about", held))?;
        let (mut filter, mut out) = (LineFilter::new(&graph, true), Vec::new());
        for line in lines {
            let terms: Vec<String> = line.split(' ').map(|term| format!("<{term}>")).collect();
            filter.line(format!("{} <u:g> .\n", terms.join(" ")).as_bytes(), &mut out);
        }
        filter.end(&mut out);
        let told = String::from_utf8(out).unwrap().replace(" <u:g> .\n", ", ").replace(['<', '>'], "");
        Some(told.replace("u:e:", "").replace("u:", "").trim_end_matches(", ").to_owned())
    })
}

#[test]
fn subjects_that_lack_something_that_is_asked_are_left_out() {
    for (text, scores, measures) in [
        ("?a :value ?v ; :of ?e", None, Some("agg/1 of e, agg/1 value x, agg/2 of e, agg/2 value y")),
        ("?a :value :y ; :of ?e", None, Some("agg/2 of e, agg/2 value y")),
        ("?a :value :z ; :of ?e", None, Some("")),
        ("?a :value :y ; ?any ?e", None, Some("agg/2 of e, agg/2 value y")),
        ("?a :value :y ; :of :other", None, Some("")),
        ("?o :f1 :x ; :of ?e . ?s :by ?y", Some("obs/1 f1 x, obs/1 of e, s:e by x"), None),
        ("?o :of ?e . ?p :f1 :y", Some("obs/1 of e, obs/2 f1 y, obs/2 of e"), Some("agg/1 of e, agg/2 of e")),
        // Both graphs say something of the subject.
        ("?s :by ?x ; :on ?y", Some("s:e by x"), Some("s:e on x")),
        ("?s :by :z ; :on ?y", Some(""), Some("s:e on x")),
        // One of them says all that is asked by name, both what is asked with a variable.
        ("?s :by ?x ; ?any ?y", Some("s:e by x"), Some("s:e on x")),
        // Other patterns, other subjects.
        (
            "?o :value :y OPTIONAL { ?o :f1 :y ; :of ?e }",
            Some("obs/2 f1 y, obs/2 of e"),
            Some("agg/2 value y"),
        ),
        (
            "?o :value :y OPTIONAL { ?o :of ?e }",
            Some("obs/1 of e, obs/2 of e"),
            Some("agg/1 of e, agg/2 of e, agg/2 value y"),
        ),
        ("?x :value :y . _:x :f1 :x", Some("obs/1 f1 x"), Some("agg/2 value y")),
        ("?o :of ?e ; :f1 ?f ; :value ?v", None, None),
    ] {
        let expected = [scores, measures].map(|told| told.map(str::to_owned));
        assert_eq!(of_both(&format!("ASK {{ {text} }}")), expected, "{text}");
    }
}

#[test]
fn where_one_graph_may_hold_anything_nothing_is_left_out() {
    let held = contents(&["u:a:1 u:p u:x", "u:b:1 u:q u:x"]);
    let known = Holder { about: "u:about", contents: Some(&held) };
    let unknown = Holder { about: "u:other", contents: None };
    let line = "<u:a:1> <u:p> <u:x> <u:g> .\n";
    for (holders, is_left_out) in [(vec![known], true), (vec![known, unknown], false)] {
        let touched = touched("ASK { ?s :p ?o ; :q ?x }").narrowed(&holders);
        let graph = touched.of_graph("u:g", true).unwrap();
        assert_eq!((graph.can_be_in("u:about", &held), passes(&graph, line)), (!is_left_out, !is_left_out));
    }
}

#[test]
fn of_long_subjects_nothing_is_held_back_for_long() {
    let lines: Vec<String> =
        (0..40_000).map(|number| format!("<u:a:1> <u:p> <u:{number:05}> <u:g> .\n")).collect();
    let mut collector = ContentsCollector::new("u:about");
    for line in &lines {
        collector.add(line.as_bytes());
    }
    collector.add(b"<u:a:2> <u:q> <u:x> <u:g> .\n");
    let held = collector.finish().1.unwrap();
    let touched =
        touched("ASK { ?s :p ?o ; :q ?x }").narrowed(&[Holder { about: "u:about", contents: Some(&held) }]);
    let graph = touched.of_graph("u:g", true).unwrap();
    for (number, expected) in [(40_000, 40_000), (10, 0)] {
        let (mut filter, mut out) = (LineFilter::new(&graph, true), Vec::new());
        for line in &lines[..number] {
            filter.line(line.as_bytes(), &mut out);
        }
        filter.end(&mut out);
        assert_eq!(
            (filter.passed, out.len()),
            (expected, lines[0].len() * usize::try_from(expected).unwrap())
        );
    }
}
