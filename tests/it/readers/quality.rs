//! `qassay check`: what it finds in real files is what the survey found, and its RDF says what its JSON says.

use std::collections::BTreeMap;

use crate::common::mirror;
use oxigraph::io::RdfFormat;
use oxigraph::sparql::QueryResults;
use oxigraph::store::Store;
use qassay::base::iri::Mint;
use qassay::base::issue::IssueCode;
use qassay::profiles::ontology::TERMS;
use qassay::report::json;
use qassay::report::quality::Quality;
use qassay::sources::file::source::Source;
use qassay::sources::quality::inspection::Inspection;
use serde_json::Value;

const QALD: &str = "ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf";

fn inspect(path: &str) -> Inspection {
    let source = Source::open(&mirror().join(QALD).join(path)).expect("a file of the mirror");
    Inspection::of(source).expect("a readable file")
}

/// How many values the issues of one kind are about: each names the first and counts the others.
fn values(inspection: &Inspection, code: IssueCode) -> usize {
    let others = |message: &str| {
        let (_, rest) = message.rsplit_once("(and ")?;
        rest.split(' ').next()?.parse::<usize>().ok()
    };
    inspection
        .issues
        .iter()
        .filter(|issue| issue.code == code)
        .map(|issue| 1 + others(&issue.message).unwrap_or_default())
        .sum()
}

fn questions(inspection: &Inspection, code: IssueCode) -> Vec<&str> {
    let issues = inspection.issues.iter().filter(|issue| issue.code == code);
    issues.filter_map(|issue| issue.place.question.as_deref()).collect()
}

/// Numbers that other software counted in the same files.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn what_the_survey_found_is_found() {
    use IssueCode::{BracketedIri, EscapedEntity, InvalidIri, SuspiciousIri};
    for (file, code, expected) in [
        // 222 IRIs in brackets; the one that holds a space is no IRI at all
        ("7/data/qald-7-test-hybrid.json", BracketedIri, 221),
        ("7/data/qald-7-test-hybrid.json", InvalidIri, 1),
        // 92 IRIs of DBpedia with `&amp;` in a CDATA section, and a home page
        ("5/data/qald-5_train.xml", SuspiciousIri, 93),
        ("5/data/qald-5_train.json", SuspiciousIri, 93),
        ("2/data/dbpedia-train-answers.xml", EscapedEntity, 20),
        ("2/data/musicbrainz-train-answers.xml", EscapedEntity, 46),
        ("2/data/participants-challenge-answers.xml", EscapedEntity, 58),
    ] {
        let inspection = inspect(file);
        assert_eq!(values(&inspection, code), expected, "{file} {}", code.name());
    }
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn types_that_contradict_their_answers_are_found() {
    for (file, expected) in [
        ("4/data/qald-4_multilingual_test_withanswers.xml", ["24", "45"]),
        ("7/data/qald-7-train-multilingual.json", ["55", "55"]),
        ("7/data/qald-7-train-hybrid.json", ["68", "68"]),
        ("8/data/qald-8-train-multilingual.json", ["47", "213"]),
        ("6/data/qald-6-train-multilingual.json", ["314", "314"]),
        ("5/data/qald-5_test.xml", ["14", "14"]),
    ] {
        let inspection = inspect(file);
        let found = questions(&inspection, IssueCode::AnswerTypeContradicted);
        assert!(expected.iter().all(|id| found.contains(id)), "{file}: {found:?}");
    }
    // The labels beside the IRIs of QALD-2 are no contradiction.
    let labelled = inspect("2/data/dbpedia-train-answers.xml");
    assert!(questions(&labelled, IssueCode::AnswerTypeContradicted).len() < 10);
}

/// Prefixes that are declared, with IRIs that are not theirs.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn prefixes_that_mean_something_else_are_found() {
    for (file, expected) in [
        ("5/data/qald-5_train.xml", "299"),
        ("5/data/qald-5_test.xml", "25"),
        ("5/data/DOI/qald-5.xml", "299"),
    ] {
        let inspection = inspect(file);
        let found = questions(&inspection, IssueCode::OddPrefix);
        assert!(found.contains(&expected), "{file}: {found:?}");
    }
}

fn example() -> Inspection {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example/borealis.json");
    Inspection::of(Source::open(&path).expect("the example")).expect("a readable file")
}

/// Every count of the JSON is a measurement of the RDF, every issue an annotation.
#[test]
fn the_rdf_says_what_the_json_says() {
    let inspection = example();
    let json = json::value(&Quality::of(&inspection));
    let quads =
        qassay::report::quality::quality_quads(&Mint::default(), &[example(), inspection]).expect("RDF");
    let store = Store::new().expect("a store");
    store.load_from_slice(RdfFormat::NQuads, &quads).expect("N-Quads");
    let counts = rows(
        &store,
        "SELECT ?metric ?part ?value WHERE { GRAPH ?g {
            ?file dqv:hasQualityMeasurement ?m . ?m dqv:isMeasurementOf ?metric ; dqv:computedOn ?file ; dqv:value ?value .
            OPTIONAL { ?m qassay:measuredPart ?part } } }",
    );
    let mut expected = BTreeMap::new();
    for ((_, concept), count) in
        qassay::sources::quality::contents::COUNTS.iter().zip(json["counts"].as_object().unwrap().values())
    {
        expected.insert((format!("<https://w3id.org/qassay/code#{concept}>"), String::new()), count.clone());
    }
    for (metric, parts) in
        [("fileTexts", "languages"), ("fileAnswerTypes", "answerTypes"), ("fileAnswerKinds", "answerKinds")]
    {
        for (part, count) in json[parts].as_object().unwrap() {
            let metric = format!("<https://w3id.org/qassay/code#{metric}>");
            expected.insert((metric, format!("\"{part}\"")), count.clone());
        }
    }
    let found: BTreeMap<(String, String), Value> = counts
        .into_iter()
        .map(|row| {
            let number: u64 = row[2].trim_start_matches('"').split('"').next().unwrap().parse().unwrap();
            ((row[0].clone(), row[1].clone()), Value::from(number))
        })
        .collect();
    assert_eq!(found, expected);
    let issues = rows(
        &store,
        "SELECT ?type ?text WHERE { GRAPH ?g { ?file dqv:hasQualityAnnotation ?a .
            ?a a dqv:QualityAnnotation, qassay:Issue ; oa:hasTarget ?file ; oa:motivatedBy dqv:qualityAssessment ;
               dct:type ?type ; dct:description ?text } }",
    );
    assert_eq!(issues.len(), json["issues"].as_array().unwrap().len());
    assert!(issues.len() >= 3, "the example has issues");
}

#[test]
fn every_metric_of_a_file_is_defined() {
    let facts = TERMS.facts();
    let definition = "http://www.w3.org/2004/02/skos/core#definition";
    let parts = ["fileTexts", "fileAnswerTypes", "fileAnswerKinds"];
    for metric in qassay::sources::quality::contents::COUNTS.iter().map(|(_, concept)| *concept).chain(parts)
    {
        let concept = format!("https://w3id.org/qassay/code#{metric}");
        assert!(facts.text(&concept, definition).is_some(), "{metric} is not defined");
    }
}

fn rows(store: &Store, query: &str) -> Vec<Vec<String>> {
    let prefixes = "PREFIX dqv: <http://www.w3.org/ns/dqv#> PREFIX oa: <http://www.w3.org/ns/oa#>
        PREFIX dct: <http://purl.org/dc/terms/> PREFIX qassay: <https://w3id.org/qassay/ns#> ";
    let evaluator = oxigraph::sparql::SparqlEvaluator::new();
    let parsed = evaluator.parse_query(&format!("{prefixes}{query}")).expect("a query");
    let QueryResults::Solutions(solutions) = parsed.on_store(store).execute().expect("results") else {
        panic!("no rows")
    };
    let variables = solutions.variables().to_vec();
    solutions
        .map(|solution| {
            let solution = solution.expect("a row");
            variables.iter().map(|v| solution.get(v).map_or_else(String::new, ToString::to_string)).collect()
        })
        .collect()
}
