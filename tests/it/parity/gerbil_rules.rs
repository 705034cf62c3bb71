//! Statements of `ontology/gerbil.md` that the fixtures do not hold, from the file to the counts.

use crate::common::in_process::Program;
use qassay::profiles::same_as::Mode;
use qassay::references::ReferenceKind;
use serde_json::{Value, json};

const PREFIXES: &str = "PREFIX dbo: <http://dbpedia.org/ontology/> PREFIX dbr: <http://dbpedia.org/resource/> \
PREFIX wd: <http://www.wikidata.org/entity/> PREFIX wdt: <http://www.wikidata.org/prop/direct/> ";
const LINK: &str = "<http://dbpedia.org/resource/Paris> <http://www.w3.org/2002/07/owl#sameAs> <http://www.wikidata.org/entity/Q75> .\n";
const PARIS: &str = "http://dbpedia.org/resource/Paris";
const Q75: &str = "http://www.wikidata.org/entity/Q75";

fn unlinked() -> Program {
    Program::new("gerbil", Some(Mode::None), &[])
}

fn linked(mode: Mode) -> Program {
    Program::new("gerbil", Some(mode), &[(ReferenceKind::Links, LINK)])
}

fn question(id: u32, answers: &[&str], pattern: Option<&str>) -> Value {
    let binding = |text: &&str| json!({ "x": { "type": "uri", "value": text } });
    let bindings: Vec<Value> = answers.iter().map(binding).collect();
    let mut question = json!({
        "id": id.to_string(),
        "question": [{ "language": "en", "string": "Which?" }],
        "answers": [{ "head": { "vars": ["x"] }, "results": { "bindings": bindings } }],
    });
    if let Some(pattern) = pattern {
        question["query"] = json!({ "sparql": format!("{PREFIXES}SELECT * WHERE {pattern}") });
    }
    question
}

fn file(questions: &[Value]) -> String {
    json!({ "questions": questions }).to_string()
}

fn evaluate(program: &Program, gold: &[Value], system: &[Value]) -> Value {
    program.json(&file(gold), &file(system))
}

/// tp, fp and fn of a question in the order of the file.
#[track_caller]
fn counts(evaluation: &Value, experiment: &str, position: usize) -> [u64; 3] {
    let question = &evaluation["experiments"][experiment]["questions"][position];
    ["tp", "fp", "fn"].map(|count| question[count].as_u64().expect("a count"))
}

fn answers(program: &Program, gold: &[&str], system: &[&str]) -> [u64; 3] {
    let found = evaluate(program, &[question(1, gold, None)], &[question(1, system, None)]);
    counts(&found, "QA", 0)
}

#[test]
fn s_1_2_4_qald_f1_of_wrong_answers_is_undefined() {
    let found = evaluate(&unlinked(), &[question(1, &[PARIS], None)], &[question(1, &[Q75], None)]);
    let measures = found["experiments"]["QA"]["measures"].as_object().expect("measures");
    assert_eq!((&measures["macroF1"], &measures["macroF1Qald"]), (&json!(0), &Value::Null));
}

#[test]
fn s_1_4_2_dropped_questions_have_no_items() {
    // what is not asked in English is dropped, with its query
    let mut german = question(2, &[], Some("{ ?x dbo:p dbr:A }"));
    german["question"][0]["language"] = json!("de");
    let side = [question(1, &[], None), german];
    let found = evaluate(&unlinked(), &side, &side);
    for experiment in ["P2KB", "RE2KB"] {
        assert!(found["experiments"][experiment].is_null(), "{experiment}");
        assert_eq!(found["skipped"][experiment]["code"], "skip-no-items");
    }
    let c2kb = &found["experiments"]["C2KB"];
    assert_eq!(c2kb["measures"]["questionCount"], 1);
    assert_eq!(c2kb["skippedQuestions"][0]["code"], "skip-no-text");
}

#[test]
fn s_3_1_1_the_last_query_that_parses_counts() {
    let side = |last: &str| {
        let sparql = |pattern: &str| format!("{PREFIXES}SELECT * WHERE {pattern}");
        let text =
            |language: &str, query: &str| json!({ "language": language, "question": "?", "SPARQL": query });
        json!({ "questions": [{ "question": {
            "id": "1",
            "language": [text("en", &sparql("{ ?x dbo:p dbr:A }")), text("de", &sparql(last))],
            "answers": { "head": { "vars": ["x"] }, "results": { "bindings": [] } },
        } }] })
        .to_string()
    };
    let found =
        |last: &str| unlinked().json(&side(last), &file(&[question(1, &[], Some("{ ?x dbo:q dbr:B }"))]));
    assert_eq!(counts(&found("{ ?x dbo:q dbr:B }"), "P2KB", 0), [1, 0, 0]);
    assert_eq!(counts(&found("{ no SPARQL }"), "P2KB", 0), [0, 1, 1]);
    // a path first: it parses, and nothing is marked
    assert_eq!(counts(&found("{ ?x dbo:p/dbo:q dbr:B }"), "P2KB", 0), [0, 1, 0]);
}

#[test]
fn s_3_8_gold_meanings_are_expanded_and_those_of_the_system_are_not() {
    let [dbpedia, wikidata] =
        ["{ dbr:Paris dbo:p ?x }", "{ wd:Q75 dbo:p ?x }"].map(|p| question(1, &[], Some(p)));
    let program = linked(Mode::Closure);
    let there = evaluate(&program, std::slice::from_ref(&dbpedia), std::slice::from_ref(&wikidata));
    assert_eq!((counts(&there, "C2KB", 0), counts(&there, "RE2KB", 0)), ([2, 0, 0], [1, 0, 0]));
    let back = evaluate(&program, &[wikidata], &[dbpedia]);
    assert_eq!((counts(&back, "C2KB", 0), counts(&back, "RE2KB", 0)), ([1, 1, 1], [0, 1, 1]));
}

#[test]
fn s_3_9_missing_queries() {
    let with = || question(1, &[], Some("{ ?x dbo:p dbr:A }"));
    let without = || question(1, &[], None);
    let other = || question(2, &[], Some("{ ?x dbo:p dbr:A }"));
    for (gold, system, c2kb, p2kb, re2kb) in [
        (with(), without(), [0, 0, 2], [0, 0, 1], [0, 0, 1]),
        (without(), with(), [0, 2, 0], [0, 1, 0], [0, 1, 0]),
        (without(), without(), [0, 0, 0], [0, 0, 0], [0, 0, 0]),
    ] {
        let found = evaluate(&unlinked(), &[gold, other()], &[system, other()]);
        let counted = ["C2KB", "P2KB", "RE2KB"].map(|experiment| counts(&found, experiment, 0));
        assert_eq!(counted, [c2kb, p2kb, re2kb]);
    }
    let found = evaluate(&unlinked(), &[without()], &[without()]);
    assert_eq!(found["experiments"]["C2KB"]["measures"]["macroF1"], 1);
    assert!(found["experiments"]["P2KB"].is_null() && found["experiments"]["RE2KB"].is_null());
}

#[test]
fn s_4_3_4_an_empty_and_a_full_cache() {
    let (empty, full) = (linked(Mode::Closure), linked(Mode::Equivalence));
    assert_eq!(answers(&empty, &[PARIS], &[Q75]), [0, 1, 1]);
    assert_eq!(answers(&full, &[PARIS], &[Q75]), [1, 0, 0]);
    assert_eq!(answers(&empty, &[Q75, PARIS], &[Q75, PARIS]), [1, 1, 1]);
    assert_eq!(answers(&full, &[Q75, PARIS], &[Q75, PARIS]), [1, 0, 1]);
}

#[test]
fn s_a_2_the_order_of_keys_changes_answers() {
    let cell = |cell: &str| {
        format!(
            r#"{{"questions":[{{"id":"1","question":[{{"language":"en","string":"?"}}],"answers":[{{"head":{{"vars":["x"]}},"results":{{"bindings":[{{"x":{cell}}}]}}}}]}}]}}"#
        )
    };
    let date = "http://www.w3.org/2001/XMLSchema#date";
    let first = cell(&format!(r#"{{"datatype":"{date}","type":"typed-literal","value":"1990-1-5Z"}}"#));
    let last = cell(&format!(r#"{{"type":"typed-literal","value":"1990-1-5Z","datatype":"{date}"}}"#));
    let program = unlinked();
    let found = |gold: &str, system: &str| counts(&program.json(gold, system), "QA", 0);
    let normal = cell(r#"{"type":"literal","value":"1990-01-05"}"#);
    assert_eq!((found(&first, &normal), found(&last, &normal)), ([1, 0, 0], [0, 1, 1]));
}
