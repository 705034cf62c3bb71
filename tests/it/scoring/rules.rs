//! The rules of the default profile, one test each, on small files: what the experiment types beside QA compare
//! (C2KB, P2KB, RE2KB, AT, AIT2KB), what matches, and what is skipped with which reason.

use crate::common::in_process::Program;
use qassay::references::ReferenceKind;
use serde_json::{Value, json};

const PREFIXES: &str = "PREFIX dbo: <http://dbpedia.org/ontology/> PREFIX dbr: <http://dbpedia.org/resource/> \
PREFIX wd: <http://www.wikidata.org/entity/> PREFIX wdt: <http://www.wikidata.org/prop/direct/> \
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> ";

/// One link, from DBpedia to Wikidata.
const LINK: &str = "<http://dbpedia.org/resource/Berlin> <http://www.w3.org/2002/07/owl#sameAs> <http://www.wikidata.org/entity/Q64> .\n";

/// Two links between properties and classes.
const SCHEMA_LINKS: &str =
    "@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix dbo: <http://dbpedia.org/ontology/> .
dbo:capital owl:sameAs <http://www.wikidata.org/prop/direct/P36> .
dbo:City owl:sameAs <http://www.wikidata.org/entity/Q515> .
";

/// Place > City > Capital, Place > Lake; and two classes that are parts of each other.
const CLASSES: &str = "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix dbo: <http://dbpedia.org/ontology/> .
dbo:City rdfs:subClassOf dbo:Place . dbo:Capital rdfs:subClassOf dbo:City . dbo:Lake rdfs:subClassOf dbo:Place .
dbo:Round rdfs:subClassOf dbo:Circle . dbo:Circle rdfs:subClassOf dbo:Round .
";

const OF_QUERIES: [&str; 4] = ["C2KB", "P2KB", "RE2KB", "AIT2KB"];

fn plain() -> Program {
    Program::new("qassay", None, &[])
}

fn with(kind: ReferenceKind, text: &str) -> Program {
    Program::new("qassay", None, &[(kind, text)])
}

/// A question with a query and the answer dbr:X. A pattern alone stands for a SELECT query of all variables.
fn asks(id: u32, query: &str) -> Value {
    let mut question = answers(id, &[json!({ "type": "uri", "value": "http://dbpedia.org/resource/X" })]);
    let is_pattern = query.starts_with('{');
    let query = if is_pattern { format!("{PREFIXES}SELECT * WHERE {query}") } else { query.to_owned() };
    question["query"] = json!({ "sparql": query });
    question
}

/// A question with answers and no query.
fn answers(id: u32, values: &[Value]) -> Value {
    let bindings: Vec<Value> = values.iter().map(|value| json!({ "x": value })).collect();
    json!({
        "id": id.to_string(),
        "question": [{ "language": "en", "string": "Which?" }],
        "answers": [{ "head": { "vars": ["x"] }, "results": { "bindings": bindings } }],
    })
}

fn boolean(id: u32, value: bool) -> Value {
    let mut question = answers(id, &[]);
    question["answers"] = json!([{ "head": {}, "boolean": value }]);
    question
}

/// The question with one more key.
fn and(mut question: Value, key: &str, value: Value) -> Value {
    question[key] = value;
    question
}

fn file(questions: &[Value]) -> String {
    json!({ "dataset": { "id": "rules" }, "questions": questions }).to_string()
}

fn evaluate(program: &Program, gold: &[Value], system: &[Value]) -> Value {
    program.json(&file(gold), &file(system))
}

/// A question that both sides answer alike: with it every experiment type has something to compare.
fn anchor() -> Value {
    asks(99, "{ ?x a dbo:Anchor ; dbo:anchor dbr:Anchor }")
}

fn row<'a>(evaluation: &'a Value, experiment: &str, id: &str) -> &'a Value {
    let questions = evaluation["experiments"][experiment]["questions"].as_array();
    let questions = questions.unwrap_or_else(|| panic!("{experiment}: {}", evaluation["skipped"]));
    questions.iter().find(|question| question["id"] == id).unwrap_or(&Value::Null)
}

fn counts(evaluation: &Value, experiment: &str, id: &str) -> [Option<u64>; 3] {
    ["tp", "fp", "fn"].map(|count| row(evaluation, experiment, id)[count].as_u64())
}

/// The counts of one pair of questions: tp, fp, fn.
#[track_caller]
fn is(program: &Program, experiment: &str, gold: Value, system: Value, expected: [u64; 3]) {
    let found = evaluate(program, &[gold, anchor()], &[system, anchor()]);
    assert_eq!(counts(&found, experiment, "1"), expected.map(Some), "{experiment}");
    assert_eq!(row(&found, experiment, "99")["f1"], 1, "the anchor");
}

/// The counts of one pair of queries, without links.
#[track_caller]
fn queries(experiment: &str, gold: &str, system: &str, expected: [u64; 3]) {
    is(&plain(), experiment, asks(1, gold), asks(1, system), expected);
}

fn skipped<'a>(evaluation: &'a Value, experiment: &str) -> &'a Value {
    assert!(evaluation["experiments"][experiment].is_null(), "{experiment} has scores");
    &evaluation["skipped"][experiment]["code"]
}

fn skipped_questions(evaluation: &Value, experiment: &str) -> Value {
    let questions = evaluation["experiments"][experiment]["skippedQuestions"].as_array();
    let skipped = questions.into_iter().flatten();
    skipped.map(|question| json!([question["id"], question["code"]])).collect()
}

// C2KB: the resources of the query

#[test]
fn c2kb_compares_subjects_and_objects() {
    queries(
        "C2KB",
        "{ dbr:A dbo:p ?x . ?x dbo:q dbr:B }",
        "{ dbr:A dbo:other ?y . ?y dbo:q dbr:C }",
        [1, 1, 1],
    );
}

#[test]
fn c2kb_without_links_other_resources_differ() {
    queries("C2KB", "{ dbr:Berlin dbo:p ?x }", "{ wd:Q64 dbo:p ?x }", [0, 1, 1]);
}

#[test]
fn c2kb_links_hold_in_both_directions() {
    let program = with(ReferenceKind::Links, LINK);
    let [berlin, q64] = ["{ dbr:Berlin dbo:p ?x }", "{ wd:Q64 dbo:p ?x }"];
    is(&program, "C2KB", asks(1, berlin), asks(1, q64), [1, 0, 0]);
    is(&program, "C2KB", asks(1, q64), asks(1, berlin), [1, 0, 0]);
}

#[test]
fn c2kb_link_after_normalisation() {
    let program = with(ReferenceKind::Links, LINK);
    let page = "{ <https://www.wikidata.org/wiki/Q64> dbo:p ?x }";
    is(&program, "C2KB", asks(1, "{ dbr:Berlin dbo:p ?x }"), asks(1, page), [1, 0, 0]);
}

#[test]
fn c2kb_one_resource_of_the_system_meets_one_of_two_linked() {
    let program = with(ReferenceKind::Links, LINK);
    let both = asks(1, "{ dbr:Berlin dbo:p wd:Q64 }");
    is(&program, "C2KB", both, asks(1, "{ dbr:Berlin dbo:p ?x }"), [1, 0, 1]);
}

/// Two spellings of one resource match in both directions.
#[track_caller]
fn normalised(one: &str, other: &str) {
    let [one, other] = [one, other].map(|iri| format!("{{ <{iri}> dbo:p ?x }}"));
    for experiment in ["C2KB", "RE2KB"] {
        queries(experiment, &one, &other, [1, 0, 0]);
        queries(experiment, &other, &one, [1, 0, 0]);
    }
}

#[test]
fn normalisation_percent_encoding() {
    normalised("http://dbpedia.org/resource/K%C3%B6ln", "http://dbpedia.org/resource/Köln");
}

#[test]
fn normalisation_unicode() {
    normalised("http://dbpedia.org/resource/Ko\u{308}ln", "http://dbpedia.org/resource/Köln");
}

#[test]
fn normalisation_scheme() {
    normalised("https://example.org/a", "http://example.org/a");
}

#[test]
fn normalisation_dbpedia_language_host() {
    normalised("http://en.dbpedia.org/resource/A", "http://dbpedia.org/resource/A");
}

#[test]
fn normalisation_dbpedia_page() {
    normalised("http://dbpedia.org/page/A", "http://dbpedia.org/resource/A");
}

#[test]
fn normalisation_wikidata_page() {
    normalised("http://www.wikidata.org/wiki/Q64", "http://www.wikidata.org/entity/Q64");
}

#[test]
fn normalisation_wikidata_host() {
    normalised("http://wikidata.org/entity/Q64", "http://www.wikidata.org/entity/Q64");
}

#[test]
fn normalisations_together() {
    normalised("https://en.dbpedia.org/page/K%C3%B6ln", "http://dbpedia.org/resource/Ko\u{308}ln");
}

#[test]
fn c2kb_resources_are_a_set() {
    queries("C2KB", "{ dbr:A dbo:p ?x . dbr:A dbo:q ?x }", "{ dbr:A dbo:p ?x }", [1, 0, 0]);
}

#[test]
fn c2kb_classes_are_resources_and_properties_are_none() {
    queries("C2KB", "{ ?x a dbo:City ; dbo:p ?y }", "{ ?x a dbo:Town ; dbo:q ?y }", [0, 1, 1]);
}

#[test]
fn c2kb_constants_of_values_and_filters_are_resources() {
    queries("C2KB", "{ VALUES ?x { dbr:A } ?x dbo:p ?y }", "{ dbr:A dbo:p ?y }", [1, 0, 0]);
    queries("C2KB", "{ ?x dbo:p ?y FILTER(?y != dbr:A) }", "{ ?x dbo:p dbr:A }", [1, 0, 0]);
}

// P2KB: the properties of the query

#[test]
fn p2kb_compares_properties() {
    queries("P2KB", "{ ?x dbo:p dbr:A ; dbo:q dbr:B }", "{ ?x dbo:p dbr:C ; dbo:r dbr:D }", [1, 1, 1]);
}

#[test]
fn p2kb_no_wildcards_among_unknown_properties() {
    queries("P2KB", "{ ?x wdt:P1 wd:Q1 }", "{ ?x wdt:P2 wd:Q1 }", [0, 1, 1]);
}

#[test]
fn p2kb_type_is_a_property() {
    queries("P2KB", "{ ?x a dbo:City }", "{ ?x a dbo:Town }", [1, 0, 0]);
}

#[test]
fn p2kb_properties_are_a_set() {
    queries("P2KB", "{ ?x dbo:p dbr:A , dbr:B }", "{ ?x dbo:p dbr:A }", [1, 0, 0]);
}

#[test]
fn p2kb_properties_are_normalised() {
    queries("P2KB", "{ ?x <https://dbpedia.org/ontology/p> dbr:A }", "{ ?x dbo:p dbr:A }", [1, 0, 0]);
}

#[test]
fn p2kb_links_between_properties() {
    let program = with(ReferenceKind::Links, SCHEMA_LINKS);
    let [dbpedia, wikidata] = ["{ dbr:A dbo:capital ?x }", "{ wd:Q1 wdt:P36 ?x }"];
    is(&program, "P2KB", asks(1, dbpedia), asks(1, wikidata), [1, 0, 0]);
    is(&plain(), "P2KB", asks(1, dbpedia), asks(1, wikidata), [0, 1, 1]);
}

#[test]
fn p2kb_each_property_of_a_path_counts() {
    queries("P2KB", "{ ?x (dbo:p|dbo:q)+ dbr:A }", "{ ?x dbo:p dbr:A }", [1, 0, 1]);
}

// RE2KB: the triple patterns of the query

#[test]
fn re2kb_variables_have_no_names() {
    let gold = "{ ?u dbo:p dbr:A . ?u dbo:q ?z }";
    queries("RE2KB", gold, "{ ?q dbo:q ?r . ?q dbo:p dbr:A }", [2, 0, 0]);
    queries("RE2KB", gold, "{ _:b dbo:q [] . ?q dbo:p dbr:A }", [2, 0, 0]);
}

#[test]
fn re2kb_the_join_does_not_count() {
    queries("RE2KB", "{ ?u dbo:p ?v . ?v dbo:q dbr:A }", "{ ?x dbo:p ?y . ?u dbo:q dbr:A }", [2, 0, 0]);
}

#[test]
fn re2kb_the_position_counts() {
    queries("RE2KB", "{ dbr:A dbo:p ?x }", "{ ?x dbo:p dbr:A }", [0, 1, 1]);
    queries("RE2KB", "{ dbr:A dbo:p dbr:B }", "{ dbr:B dbo:p dbr:A }", [0, 1, 1]);
}

#[test]
fn re2kb_the_property_counts() {
    queries("RE2KB", "{ dbr:A dbo:p ?x }", "{ dbr:A dbo:q ?x }", [0, 1, 1]);
    queries("RE2KB", "{ dbr:A ?p ?x }", "{ dbr:A ?q ?y }", [1, 0, 0]);
    queries("RE2KB", "{ dbr:A ?p ?x }", "{ dbr:A dbo:p ?x }", [0, 1, 1]);
}

#[test]
fn re2kb_patterns_are_a_bag() {
    let [once, twice] = ["{ dbr:A dbo:p ?x }", "{ dbr:A dbo:p ?x . dbr:A dbo:p ?y }"];
    queries("RE2KB", twice, once, [1, 0, 1]);
    queries("RE2KB", once, twice, [1, 1, 0]);
    queries("RE2KB", twice, twice, [2, 0, 0]);
}

#[test]
fn re2kb_bag_of_two_spellings() {
    let gold = "{ dbr:A dbo:p ?x . dbr:A dbo:p ?y }";
    let other = "<http://en.dbpedia.org/resource/A>";
    queries("RE2KB", gold, &format!("{{ {other} dbo:p ?x . {other} dbo:p ?y }}"), [2, 0, 0]);
    queries("RE2KB", gold, &format!("{{ {other} dbo:p ?x . dbr:A dbo:p ?y }}"), [2, 0, 0]);
    queries("RE2KB", gold, &format!("{{ {other} dbo:p ?x }}"), [1, 0, 1]);
}

#[test]
fn re2kb_links_and_normalisation_in_each_position() {
    let links = format!(
        "{LINK}<http://dbpedia.org/ontology/capital> <http://www.w3.org/2002/07/owl#sameAs> <http://www.wikidata.org/prop/direct/P36> .\n"
    );
    let program = with(ReferenceKind::Links, &links);
    for (gold, system) in [
        ("{ dbr:Berlin dbo:p ?x }", "{ wd:Q64 dbo:p ?x }"),
        ("{ ?x dbo:p dbr:Berlin }", "{ ?x dbo:p <https://www.wikidata.org/wiki/Q64> }"),
        ("{ ?x dbo:capital dbr:Berlin }", "{ ?x wdt:P36 wd:Q64 }"),
    ] {
        is(&program, "RE2KB", asks(1, gold), asks(1, system), [1, 0, 0]);
        is(&program, "RE2KB", asks(1, system), asks(1, gold), [1, 0, 0]);
        is(&plain(), "RE2KB", asks(1, gold), asks(1, system), [0, 1, 1]);
    }
}

#[test]
fn re2kb_literals_of_one_value() {
    queries("RE2KB", "{ ?x dbo:n \"1\"^^xsd:integer }", "{ ?x dbo:n \"01\"^^xsd:integer }", [1, 0, 0]);
    queries("RE2KB", "{ ?x dbo:n 1.50 }", "{ ?x dbo:n 1.5 }", [1, 0, 0]);
    queries("RE2KB", "{ ?x dbo:n 1 }", "{ ?x dbo:n 2 }", [0, 1, 1]);
    queries("RE2KB", "{ ?x dbo:b true }", "{ ?x dbo:b \"1\"^^xsd:boolean }", [1, 0, 0]);
}

#[test]
fn re2kb_a_number_is_no_text() {
    queries("RE2KB", "{ ?x dbo:n 1 }", "{ ?x dbo:n \"1\" }", [0, 1, 1]);
}

#[test]
fn re2kb_language_tags_do_not_count() {
    queries("RE2KB", "{ ?x rdfs:label \"Köln\"@en }", "{ ?x rdfs:label \"Köln\" }", [1, 0, 0]);
    queries("RE2KB", "{ ?x rdfs:label \"Köln\"@en }", "{ ?x rdfs:label \"Ko\u{308}ln\"@de }", [1, 0, 0]);
    queries("RE2KB", "{ ?x rdfs:label \"Köln\"@en }", "{ ?x rdfs:label \"Bonn\"@en }", [0, 1, 1]);
}

#[test]
fn re2kb_a_path_is_one_pattern() {
    queries("RE2KB", "{ ?x (dbo:p|dbo:q)+ dbr:A }", "{ ?y (dbo:p|dbo:q)+ dbr:A }", [1, 0, 0]);
    queries("RE2KB", "{ ?x (dbo:p|dbo:q)+ dbr:A }", "{ ?x (dbo:p|dbo:r)+ dbr:A }", [0, 1, 1]);
    queries("RE2KB", "{ ?x dbo:p* dbr:A }", "{ ?x dbo:p dbr:A }", [0, 1, 1]);
}

#[test]
fn re2kb_what_follows_a_path_counts() {
    queries("RE2KB", "{ ?x dbo:p* dbr:A ; dbo:q dbr:B }", "{ ?x dbo:p* dbr:A ; dbo:q dbr:B }", [2, 0, 0]);
}

#[test]
fn re2kb_a_sequence_is_its_patterns() {
    queries("RE2KB", "{ dbr:A dbo:p/dbo:q ?x }", "{ dbr:A dbo:p ?t . ?t dbo:q ?x }", [2, 0, 0]);
    queries("RE2KB", "{ dbr:A dbo:p/dbo:q ?x }", "{ dbr:A dbo:p ?x }", [1, 0, 1]);
}

#[test]
fn re2kb_an_inverse_is_the_other_direction() {
    queries("RE2KB", "{ dbr:A ^dbo:p ?x }", "{ ?x dbo:p dbr:A }", [1, 0, 0]);
}

#[test]
fn re2kb_subqueries_and_exists_count() {
    let gold =
        "{ ?x dbo:p dbr:A { SELECT ?x WHERE { ?x dbo:q dbr:B } } FILTER NOT EXISTS { ?x dbo:r dbr:C } }";
    queries("RE2KB", gold, gold, [3, 0, 0]);
    queries("RE2KB", gold, "{ ?x dbo:p dbr:A }", [1, 0, 2]);
}

// What a query must be

#[test]
fn missing_prefixes_are_known() {
    let query = "SELECT ?x WHERE { ?x dbo:p dbr:A }";
    for experiment in ["C2KB", "P2KB", "RE2KB"] {
        queries(experiment, "{ ?x dbo:p dbr:A }", query, [1, 0, 0]);
    }
}

#[test]
fn a_gold_query_that_is_no_sparql_skips_its_question() {
    let gold = [asks(1, "SELECT ?x WHERE {"), anchor()];
    let found = evaluate(&plain(), &gold, &[asks(1, "{ ?x dbo:p dbr:A }"), anchor()]);
    for experiment in OF_QUERIES {
        assert_eq!(skipped_questions(&found, experiment), json!([["1", "skip-gold-query-unreadable"]]));
        assert!(row(&found, experiment, "1").is_null());
        assert_eq!(found["experiments"][experiment]["measures"]["questionCount"], 1);
        assert_eq!(found["experiments"][experiment]["measures"]["macroF1"], 1);
    }
    assert_eq!(counts(&found, "QA", "1"), [Some(1), Some(0), Some(0)], "answers are compared all the same");
}

#[test]
fn a_system_query_that_is_no_sparql_skips_its_question() {
    let gold = [asks(1, "{ ?x dbo:p dbr:A }"), anchor()];
    let found = evaluate(&plain(), &gold, &[asks(1, "SELECT ?x WHERE {"), anchor()]);
    for experiment in OF_QUERIES {
        assert_eq!(skipped_questions(&found, experiment), json!([["1", "skip-system-query-unreadable"]]));
        assert_eq!(found["experiments"][experiment]["measures"]["questionCount"], 1);
    }
}

#[test]
fn a_gold_question_without_query_is_skipped() {
    let gold = [answers(1, &[]), anchor()];
    let found = evaluate(&plain(), &gold, &[asks(1, "{ ?x dbo:p dbr:A }"), anchor()]);
    for experiment in OF_QUERIES {
        assert_eq!(skipped_questions(&found, experiment), json!([["1", "skip-gold-query-absent"]]));
    }
}

#[test]
fn a_system_question_without_query_misses_all() {
    let gold = [asks(1, "{ ?x a dbo:City ; dbo:p dbr:A }"), anchor()];
    let found = evaluate(&plain(), &gold, &[answers(1, &[]), anchor()]);
    for (experiment, missed) in [("C2KB", 2), ("P2KB", 2), ("RE2KB", 2), ("AIT2KB", 1)] {
        assert_eq!(counts(&found, experiment, "1"), [0, 0, missed].map(Some), "{experiment}");
        assert_eq!(row(&found, experiment, "1")["status"], "empty");
        assert_eq!(skipped_questions(&found, experiment), json!([]));
        assert_eq!(found["experiments"][experiment]["measures"]["macroF1"], 0.5);
    }
}

#[test]
fn a_question_that_was_not_submitted_misses_all() {
    let gold = [asks(1, "{ ?x a dbo:City ; dbo:p dbr:A }"), anchor()];
    let found = evaluate(&plain(), &gold, &[anchor()]);
    for (experiment, missed) in [("C2KB", 2), ("P2KB", 2), ("RE2KB", 2), ("AIT2KB", 1), ("AT", 1)] {
        assert_eq!(counts(&found, experiment, "1"), [0, 0, missed].map(Some), "{experiment}");
        assert_eq!(row(&found, experiment, "1")["status"], "missing");
    }
}

#[test]
fn a_system_without_queries_is_not_scored_on_queries() {
    let x = json!({ "type": "uri", "value": "http://dbpedia.org/resource/X" });
    let found = evaluate(&plain(), &[anchor()], &[answers(99, &[x])]);
    for experiment in OF_QUERIES {
        assert_eq!(skipped(&found, experiment), "skip-system-query-absent", "{experiment}");
        assert!(found["skipped"][experiment]["reason"].is_string());
    }
    assert_eq!(counts(&found, "QA", "99"), [1, 0, 0].map(Some));
    assert_eq!(counts(&found, "AT", "99"), [1, 0, 0].map(Some));
}

#[test]
fn a_system_whose_queries_are_no_sparql_is_not_scored_on_queries() {
    let found = evaluate(&plain(), &[anchor()], &[asks(99, "SELECT nothing")]);
    for experiment in OF_QUERIES {
        assert_eq!(skipped(&found, experiment), "skip-system-query-unreadable", "{experiment}");
    }
}

#[test]
fn a_gold_standard_without_queries_is_no_measure_of_queries() {
    let found = evaluate(&plain(), &[answers(99, &[])], &[anchor()]);
    for experiment in OF_QUERIES {
        assert_eq!(skipped(&found, experiment), "skip-gold-query-absent", "{experiment}");
    }
}

#[test]
fn a_gold_standard_whose_queries_are_no_sparql() {
    let found = evaluate(&plain(), &[asks(99, "SELECT nothing")], &[anchor()]);
    for experiment in OF_QUERIES {
        assert_eq!(skipped(&found, experiment), "skip-gold-query-unreadable", "{experiment}");
    }
}

#[test]
fn queries_without_resources_are_no_measure_of_resources() {
    let query = "{ ?x dbo:p ?y }";
    let found = evaluate(&plain(), &[asks(1, query)], &[asks(1, query)]);
    assert_eq!(skipped(&found, "C2KB"), "skip-no-items");
    assert_eq!(skipped(&found, "AIT2KB"), "skip-no-items");
    assert_eq!(counts(&found, "P2KB", "1"), [1, 0, 0].map(Some));
}

#[test]
fn both_empty_is_perfect() {
    let found =
        evaluate(&plain(), &[asks(1, "{ ?x ?p ?y }"), anchor()], &[asks(1, "{ ?a ?b ?c }"), anchor()]);
    for experiment in ["C2KB", "P2KB", "AIT2KB"] {
        assert_eq!(counts(&found, experiment, "1"), [0, 0, 0].map(Some), "{experiment}");
        for measure in ["precision", "recall", "f1"] {
            assert_eq!(row(&found, experiment, "1")[measure], 1, "{experiment} {measure}");
        }
    }
    let found = evaluate(&plain(), &[answers(1, &[])], &[answers(1, &[])]);
    assert_eq!(row(&found, "QA", "1")["f1"], 1);
}

#[test]
fn one_side_empty_is_zero() {
    for (gold, system, expected) in
        [("{ ?x ?p ?y }", "{ ?x dbo:p dbr:A }", [0, 1, 0]), ("{ ?x dbo:p dbr:A }", "{ ?x ?p ?y }", [0, 0, 1])]
    {
        let found = evaluate(&plain(), &[asks(1, gold), anchor()], &[asks(1, system), anchor()]);
        assert_eq!(counts(&found, "C2KB", "1"), expected.map(Some));
        for measure in ["precision", "recall", "f1"] {
            assert_eq!(row(&found, "C2KB", "1")[measure], 0, "{measure}");
        }
    }
}

// Annotations (eQALD) stand for the query

/// A question with annotations: IRI and kind.
fn annotated(question: Value, annotations: &[(&str, Option<&str>)]) -> Value {
    let annotation = |(iri, kind): &(&str, Option<&str>)| {
        let mut annotation = json!({ "char_begin": "0", "char_end": "1", "URI": iri });
        if let Some(kind) = kind {
            annotation["type"] = json!(kind);
        }
        annotation
    };
    let annotations: Vec<Value> = annotations.iter().map(annotation).collect();
    and(question, "question", json!([{ "language": "en", "string": "Which?", "annotations": annotations }]))
}

#[test]
fn annotations_win_over_the_query() {
    let query = "{ dbr:B dbo:q ?x }";
    let marks = [
        ("http://dbpedia.org/resource/A", Some("ENTITY")),
        ("http://dbpedia.org/ontology/City", Some("CLASS")),
        ("http://dbpedia.org/ontology/p", Some("PROPERTY")),
    ];
    let gold = annotated(asks(1, query), &marks);
    let system = asks(1, "{ dbr:A dbo:p ?x . ?x a dbo:City }");
    is(&plain(), "C2KB", gold.clone(), system.clone(), [2, 0, 0]);
    is(&plain(), "P2KB", gold.clone(), system.clone(), [1, 1, 0]);
    is(&plain(), "C2KB", gold.clone(), asks(1, query), [0, 1, 2]);
    // patterns are not annotated
    is(&plain(), "RE2KB", gold.clone(), asks(1, query), [1, 0, 0]);
    is(&plain(), "C2KB", system, gold, [2, 0, 0]);
}

#[test]
fn annotations_stand_for_a_query_that_is_not_there() {
    let a = ("http://dbpedia.org/resource/A", None);
    is(&plain(), "C2KB", annotated(answers(1, &[]), &[a]), asks(1, "{ ?x dbo:p dbr:A }"), [1, 0, 0]);
}

#[test]
fn annotations_are_a_set() {
    let a = ("http://dbpedia.org/resource/A", Some("entity"));
    is(&plain(), "C2KB", annotated(answers(1, &[]), &[a, a]), asks(1, "{ ?x dbo:p dbr:A }"), [1, 0, 0]);
}

// AT: the answer type

/// The counts of the answer types of two questions.
#[track_caller]
fn types(gold: Value, system: Value, same: bool) {
    let found = evaluate(&plain(), &[gold], &[system]);
    let expected = if same { [1, 0, 0] } else { [0, 1, 1] };
    assert_eq!(counts(&found, "AT", "1"), expected.map(Some));
}

fn literal(text: &str) -> Value {
    json!({ "type": "literal", "value": text })
}

fn typed(text: &str, datatype: &str) -> Value {
    json!({ "type": "literal", "value": text, "datatype": format!("http://www.w3.org/2001/XMLSchema#{datatype}") })
}

#[test]
fn at_stated_types() {
    let stated = |name: &str| and(answers(1, &[]), "answertype", json!(name));
    types(stated("resource"), stated("resource"), true);
    types(stated("resource"), stated("List"), true);
    types(stated("uri"), stated("Resource "), true);
    types(stated("number"), stated("num"), true);
    types(stated("number"), stated("string"), false);
}

#[test]
fn at_a_stated_type_wins_over_the_answers() {
    let stated = and(answers(1, &[literal("x")]), "answertype", json!("number"));
    types(stated.clone(), answers(1, &[literal("7")]), true);
    types(stated, answers(1, &[literal("x")]), false);
}

#[test]
fn at_inferred_types() {
    let stated = |name: &str| and(answers(1, &[]), "answertype", json!(name));
    let iri = json!({ "type": "uri", "value": "http://dbpedia.org/resource/X" });
    types(stated("resource"), answers(1, &[iri.clone(), iri.clone()]), true);
    types(stated("boolean"), boolean(1, false), true);
    types(stated("number"), answers(1, &[literal("7.5")]), true);
    types(stated("number"), answers(1, &[typed("7", "nonNegativeInteger")]), true);
    types(stated("date"), answers(1, &[typed("1990-01-01", "date")]), true);
    types(stated("date"), answers(1, &[literal("1990-01-01")]), true);
    types(stated("string"), answers(1, &[literal("seven")]), true);
    types(stated("resource"), answers(1, &[literal("seven")]), false);
    types(boolean(1, true), boolean(1, false), true);
    types(answers(1, &[iri]), boolean(1, false), false);
}

#[test]
fn at_answers_of_several_types_have_none() {
    let mixed =
        answers(1, &[json!({ "type": "uri", "value": "http://dbpedia.org/resource/X" }), literal("x")]);
    let plain_x = answers(2, &[literal("x")]);
    let found = evaluate(&plain(), &[mixed.clone(), plain_x.clone()], &[mixed.clone(), plain_x.clone()]);
    assert_eq!(skipped_questions(&found, "AT"), json!([["1", "skip-gold-type-absent"]]));
    let stated = and(answers(1, &[]), "answertype", json!("string"));
    let found = evaluate(&plain(), &[stated, plain_x.clone()], &[mixed, plain_x]);
    assert_eq!(counts(&found, "AT", "1"), [0, 0, 1].map(Some));
}

#[test]
fn at_without_types() {
    let nothing = || answers(1, &[]);
    let stated = and(nothing(), "answertype", json!("string"));
    let found = evaluate(&plain(), &[nothing()], std::slice::from_ref(&stated));
    assert_eq!(skipped(&found, "AT"), "skip-gold-type-absent");
    let found = evaluate(&plain(), &[stated], &[nothing()]);
    assert_eq!(skipped(&found, "AT"), "skip-system-type-absent");
}

// AIT2KB: the types of the answer items

fn item_types(id: u32, types: &[&str]) -> Value {
    let types: Vec<String> = types.iter().map(|name| format!("http://dbpedia.org/ontology/{name}")).collect();
    and(answers(id, &[]), "answeritemtype", json!(types))
}

#[test]
fn ait2kb_from_the_queries() {
    queries("AIT2KB", "{ ?x a dbo:City }", "{ ?y a dbo:City ; dbo:p dbr:A }", [1, 0, 0]);
    queries("AIT2KB", "{ ?x a dbo:City }", "{ ?x a dbo:Town }", [0, 1, 1]);
    queries("AIT2KB", "{ ?x wdt:P31/wdt:P279* wd:Q515 }", "{ ?x wdt:P31 wd:Q515 }", [1, 0, 0]);
}

#[test]
fn ait2kb_only_of_what_is_asked_for() {
    let query = |pattern: &str| format!("{PREFIXES}SELECT ?x WHERE {pattern}");
    let gold = query("{ ?x a dbo:Person . ?c a dbo:City ; dbo:mayor ?x }");
    queries("AIT2KB", &gold, &query("{ ?x a dbo:Person }"), [1, 0, 0]);
    let counted = format!("{PREFIXES}SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE {{ ?x a dbo:Person }}");
    queries("AIT2KB", &gold, &counted, [1, 0, 0]);
}

#[test]
fn ait2kb_from_the_file() {
    is(&plain(), "AIT2KB", item_types(1, &["City", "Place"]), item_types(1, &["City"]), [1, 0, 1]);
    is(&plain(), "AIT2KB", item_types(1, &["City", "City"]), asks(1, "{ ?x a dbo:City }"), [1, 0, 0]);
}

#[test]
fn ait2kb_the_file_wins_over_the_query() {
    let gold =
        and(asks(1, "{ ?x a dbo:Town }"), "answeritemtype", json!(["http://dbpedia.org/ontology/City"]));
    is(&plain(), "AIT2KB", gold, asks(1, "{ ?x a dbo:City }"), [1, 0, 0]);
}

#[test]
fn ait2kb_links_between_classes() {
    let program = with(ReferenceKind::Links, SCHEMA_LINKS);
    is(&program, "AIT2KB", asks(1, "{ ?x a dbo:City }"), asks(1, "{ ?x wdt:P31 wd:Q515 }"), [1, 0, 0]);
}

const HIERARCHICAL: [&str; 6] = [
    "hierarchicalMicroPrecision",
    "hierarchicalMicroRecall",
    "hierarchicalMicroF1",
    "hierarchicalMacroPrecision",
    "hierarchicalMacroRecall",
    "hierarchicalMacroF1",
];

/// The hierarchical measures of some questions with these types: precision, recall and F1, micro and macro.
#[track_caller]
fn hierarchical(questions: &[(&[&str], &[&str])], expected: [f64; 6]) {
    let gold: Vec<Value> = (1..).zip(questions).map(|(id, (gold, _))| item_types(id, gold)).collect();
    let system: Vec<Value> = (1..).zip(questions).map(|(id, (_, system))| item_types(id, system)).collect();
    let found = evaluate(&with(ReferenceKind::Classes, CLASSES), &gold, &system);
    let measures = &found["experiments"]["AIT2KB"]["measures"];
    for (name, expected) in HIERARCHICAL.into_iter().zip(expected) {
        let value = measures[name].as_f64().unwrap_or(f64::NAN);
        assert!((value - expected).abs() < 1e-9, "{name}: {value}, by hand {expected}");
    }
}

#[test]
fn hierarchical_the_same_class() {
    hierarchical(&[(&["City"], &["City"])], [1.0; 6]);
}

#[test]
fn hierarchical_too_general() {
    // City, Capital of Place, City, Capital, Lake
    let (precision, recall, f1) = (0.5, 1.0, 2.0 / 3.0);
    hierarchical(&[(&["City"], &["Place"])], [precision, recall, f1, precision, recall, f1]);
}

#[test]
fn hierarchical_too_special() {
    let (precision, recall, f1) = (1.0, 0.5, 2.0 / 3.0);
    hierarchical(&[(&["City"], &["Capital"])], [precision, recall, f1, precision, recall, f1]);
}

#[test]
fn hierarchical_beside() {
    hierarchical(&[(&["City"], &["Lake"])], [0.0; 6]);
}

#[test]
fn hierarchical_circles_end() {
    hierarchical(&[(&["Round"], &["Circle"])], [1.0; 6]);
}

#[test]
fn hierarchical_unknown_classes_have_themselves() {
    hierarchical(&[(&["Unknown"], &["Unknown"])], [1.0; 6]);
    hierarchical(&[(&["Unknown", "Lake"], &["Unknown"])], [1.0, 0.5, 2.0 / 3.0, 1.0, 0.5, 2.0 / 3.0]);
}

#[test]
fn hierarchical_micro_and_macro() {
    // tp, fp, fn: 2 2 0 (too general), 1 0 1 (too special), 0 1 2 (beside)
    let questions: [(&[&str], &[&str]); 3] =
        [(&["City"], &["Place"]), (&["City"], &["Capital"]), (&["City"], &["Lake"])];
    let (micro_p, micro_r) = (3.0 / 6.0, 3.0 / 6.0);
    let macro_values = [(0.5 + 1.0) / 3.0, (1.0 + 0.5) / 3.0, (2.0 / 3.0 + 2.0 / 3.0) / 3.0];
    let [p, r, f] = macro_values;
    hierarchical(&questions, [micro_p, micro_r, 0.5, p, r, f]);
}

#[test]
fn hierarchical_without_classes_is_undefined() {
    let side = [item_types(1, &["City"])];
    let found = evaluate(&plain(), &side, &side);
    for name in HIERARCHICAL {
        assert!(found["experiments"]["AIT2KB"]["measures"][name].is_null(), "{name}");
    }
    assert_eq!(found["classes"], json!([]));
}

#[test]
fn classes_are_for_hierarchical_measures_only() {
    let program = with(ReferenceKind::Classes, CLASSES);
    is(&program, "AIT2KB", asks(1, "{ ?x a dbo:City }"), asks(1, "{ ?x a dbo:Place }"), [0, 1, 1]);
}
