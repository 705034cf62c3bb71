//! What queries ask: against the markings of the original GERBIL. How real queries parse: tests/it/sparql/repairs.rs.

use std::fs;
use std::path::Path;

use crate::common::{mirror, shared};
use qassay::sources::document::{QueryKind, Question};
use qassay::sources::file::source::Source;
use qassay::sources::format::read;
use qassay::sparql::java::LiteralText;
use qassay::sparql::walk::{Marking, markings};
use serde_json::{Value, json};

/// A marking as the fixtures write it: its class and its Java text.
fn written(marking: &Marking) -> Value {
    let annotation = |iri: &String| format!("Annotation [uri=[{iri}]]");
    let property = |iri: &String| format!("Property [uri=[{iri}]]");
    match marking {
        Marking::Annotation(iri) => json!(["Annotation", annotation(iri)]),
        Marking::Property(iri) => json!(["Property", property(iri)]),
        Marking::Relation { subject, predicate, object, literal } => {
            let subject = subject.as_ref().map_or("null".to_owned(), annotation);
            let object = match (object, literal) {
                (Some(iri), _) => annotation(iri),
                (None, None) => "\"null\"".to_owned(),
                (None, Some(LiteralText::Text(text))) => format!("\"{text}\""),
                (None, Some(LiteralText::Identity)) => {
                    "\"org.apache.jena.datatypes.BaseDatatype$TypedValue@<identity>\"".to_owned()
                }
            };
            json!(["Relation", format!("Relation [{subject}, {}, {object}]", property(predicate))])
        }
    }
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn markings_are_those_of_the_original() {
    let shared = shared();
    let fixtures = shared.join("specs/gerbil-fixtures/sparql_markings_and_subexperiments.jsonl");
    let mut compared = 0;
    for line in fs::read_to_string(fixtures).expect("the fixtures").lines() {
        let case: Value = serde_json::from_str(line).expect("JSON");
        let (Some(query), Value::Array(expected)) = (case["query"].as_str(), &case["markings"]) else {
            continue;
        };
        let found: Vec<Value> = markings(query).iter().map(written).collect();
        assert_eq!(&found, expected, "{}", case["name"]);
        compared += 1;
    }
    assert_eq!(compared, 25, "fixtures are left out");
}

/// The questions of a file.
fn questions(mirror: &Path, file: &str) -> Vec<Question> {
    let source = Source::open(&mirror.join(file)).expect("a file of the mirror");
    read(&source).map(|(document, _)| document.questions).unwrap_or_default()
}

fn queries(question: &Question) -> impl Iterator<Item = &str> {
    question.queries.iter().filter(|query| query.kind == QueryKind::Sparql).map(|query| query.text.as_str())
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn as_many_questions_without_relations_as_in_the_original() {
    let mirror = mirror();
    let files = [
        ("KGQA/QALD-10/89caa86371c7a65c6c87a64e0eeaa0e247ff5fe5/data/qald_10/qald_10.json", 394, 68),
        ("6/data/qald-6-test-multilingual.json", 100, 4),
        ("6/data/qald-6-train-multilingual.json", 350, 30),
        ("6/data/qald-6-train-hybrid.json", 49, 49),
        ("7/data/qald-7-test-multilingual.json", 43, 0),
        ("7/data/qald-7-test-en-wikidata.json", 50, 6),
        ("7/data/qald-7-train-multilingual.json", 215, 0),
        ("7/data/qald-7-train-en-wikidata.json", 100, 13),
        ("8/data/qald-8-test-multilingual.json", 41, 2),
        ("8/data/qald-8-train-multilingual.json", 219, 0),
        (
            "KGQA/QALD_9_plus/5b116c9b53cac0cc3c3c64dd211a46311499e76d/data/qald_9_plus_test_dbpedia.json",
            150,
            25,
        ),
        ("9/data/qald-9-test-multilingual.json", 150, 25),
        ("9/data/qald-9-train-multilingual.json", 408, 13),
    ];
    let mut different = Vec::new();
    for (file, expected_questions, without) in files {
        let path = if file.starts_with("KGQA") {
            file.to_owned()
        } else {
            format!("ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf/{file}")
        };
        let questions = questions(&mirror, &path);
        assert_eq!(questions.len(), expected_questions, "{file}");
        let has_relation = |question: &Question| {
            queries(question).flat_map(markings).any(|marking| matches!(marking, Marking::Relation { .. }))
        };
        let found: Vec<&str> =
            questions.iter().filter(|q| !has_relation(q)).map(|question| question.id.as_str()).collect();
        if found.len() != without {
            different.push(format!("{file}: {} and not {without}: {found:?}", found.len()));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}
