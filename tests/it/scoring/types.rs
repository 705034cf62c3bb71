//! AIT2KB where neither file nor query says the types of the items: the classes of the answers by `rdf:type`. Every
//! expectation is computed by hand.

use crate::common::in_process::Program;
use qassay::base::iri::Mint;
use qassay::record::publish::kinds::GraphKind;
use qassay::references::{ReferenceInput, ReferenceKind};
use qassay::sources::file::source::Source;
use serde_json::{Value, json};

const PREFIXES: &str = "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> . \
@prefix dbr: <http://dbpedia.org/resource/> . @prefix dbo: <http://dbpedia.org/ontology/> . @prefix wd: <http://www.wikidata.org/entity/> . ";

const TYPES: &str = "dbr:Berlin a owl:Thing , owl:NamedIndividual , dbo:City , dbo:Place . dbr:Bonn a dbo:City , dbo:Place .
dbr:Rhine a dbo:River , dbo:Place . dbr:Nowhere a owl:Thing . dbr:Somewhere a dbo:Place . dbr:Loop a dbo:Round , dbo:Circle .
";

const CLASSES: &str = "dbo:City rdfs:subClassOf dbo:Place . dbo:River rdfs:subClassOf dbo:Place .
dbo:Round rdfs:subClassOf dbo:Circle . dbo:Circle rdfs:subClassOf dbo:Round . ";

fn dbr(name: &str) -> Value {
    json!({ "type": "uri", "value": format!("http://dbpedia.org/resource/{name}") })
}

fn number(text: &str) -> Value {
    json!({ "type": "literal", "value": text })
}

/// A question with answers, and perhaps a pattern of its query.
fn side(pattern: &str, values: &[Value]) -> Value {
    let bindings: Vec<Value> = values.iter().map(|value| json!({ "x": value })).collect();
    let mut question = json!({
        "id": "1",
        "question": [{ "language": "en", "string": "Which?" }],
        "answers": [{ "head": { "vars": ["x"] }, "results": { "bindings": bindings } }],
    });
    if !pattern.is_empty() {
        let prefixes =
            "PREFIX dbo: <http://dbpedia.org/ontology/> PREFIX dbr: <http://dbpedia.org/resource/> ";
        question["query"] = json!({ "sparql": format!("{prefixes}SELECT ?x WHERE {pattern}") });
    }
    question
}

fn file(side: &Value) -> String {
    json!({ "questions": [side] }).to_string()
}

fn program(others: &[(ReferenceKind, &str)]) -> Program {
    let texts: Vec<(ReferenceKind, String)> = [(ReferenceKind::Types, TYPES)]
        .iter()
        .chain(others)
        .map(|(kind, text)| (*kind, format!("{PREFIXES}{text}")))
        .collect();
    let references: Vec<(ReferenceKind, &str)> =
        texts.iter().map(|(kind, text)| (*kind, text.as_str())).collect();
    Program::new("qassay", None, &references)
}

/// The experiment type in the JSON output.
fn ait(program: &Program, gold: &Value, system: &Value) -> Value {
    program.json(&file(gold), &file(system))["experiments"]["AIT2KB"].clone()
}

fn counts(experiment: &Value) -> [u64; 3] {
    let question = &experiment["questions"][0];
    ["tp", "fp", "fn"]
        .map(|count| question[count].as_u64().unwrap_or_else(|| panic!("no counts: {experiment}")))
}

#[test]
fn the_classes_of_the_answers_count_where_nothing_else_says_them() {
    let program = program(&[]);
    let of =
        |gold: &str, system: &str| counts(&ait(&program, &side("", &[dbr(gold)]), &side("", &[dbr(system)])));
    assert_eq!(of("Berlin", "Bonn"), [2, 0, 0], "City and Place; a thing and an individual is everything");
    assert_eq!(of("Berlin", "Rhine"), [1, 1, 1]);
    let unknown = ait(&program, &side("", &[dbr("Berlin")]), &side("", &[dbr("Unknown")]));
    assert_eq!(unknown, Value::Null, "the submission has no class in any question: skipped");
    let several =
        ait(&program, &side("", &[dbr("Berlin"), dbr("Rhine")]), &side("", &[dbr("Bonn"), number("7")]));
    assert_eq!(counts(&several), [2, 0, 1], "the union of the classes, each once");
    assert_eq!(several["origins"], json!({ "gold": { "types": 1 }, "system": { "types": 1 } }));
}

#[test]
fn without_types_nothing_changes() {
    let plain = Program::new("qassay", None, &[]);
    assert_eq!(ait(&plain, &side("", &[dbr("Berlin")]), &side("", &[dbr("Berlin")])), Value::Null);
}

#[test]
fn what_the_file_or_the_query_says_wins_on_each_side() {
    let program = program(&[]);
    let city = "{ ?x a dbo:City }";
    let asked = ait(&program, &side(city, &[dbr("Berlin")]), &side("", &[dbr("Berlin")]));
    assert_eq!(counts(&asked), [1, 1, 0], "the system's classes are City and Place");
    assert_eq!(asked["origins"], json!({ "gold": { "query": 1 }, "system": { "types": 1 } }));
    let mut stated = side("{ ?x dbo:p ?y }", &[dbr("Berlin")]);
    stated["answeritemtype"] = json!(["http://dbpedia.org/ontology/River"]);
    let stated = ait(&program, &stated, &side(city, &[dbr("Berlin")]));
    assert_eq!(counts(&stated), [0, 1, 1]);
    assert_eq!(stated["origins"], json!({ "gold": { "stated": 1 }, "system": { "query": 1 } }));
    let asks_nothing = ait(&program, &side("{ ?x dbo:p ?y }", &[dbr("Bonn")]), &side(city, &[dbr("Rhine")]));
    assert_eq!(counts(&asks_nothing), [1, 0, 1], "the query asks for no class, so that of the answer counts");
}

#[test]
fn gold_without_a_known_class_is_not_scored() {
    let program = program(&[]);
    for gold in ["Unknown", "Nowhere"] {
        let mut other = side("{ ?x dbo:p ?y }", &[dbr(gold)]);
        other["id"] = json!("2");
        let two = json!({ "questions": [side("", &[dbr("Berlin")]), other] });
        let json = program.json(&two.to_string(), &two.to_string());
        let experiment = &json["experiments"]["AIT2KB"];
        assert_eq!(experiment["questions"].as_array().map(Vec::len), Some(1), "{experiment}");
        assert_eq!(experiment["skippedQuestions"][0]["code"], "skip-gold-item-types-unknown");
    }
    // Numbers have no classes: a class of the system is wrong.
    let two = |system: Value| {
        let berlin = || side("", &[dbr("Berlin")]);
        let other = |value: Value| {
            let mut other = side("{ ?y dbo:p ?x }", &[value]);
            other["id"] = json!("2");
            other
        };
        let gold = json!({ "questions": [berlin(), other(number("7"))] });
        let system = json!({ "questions": [berlin(), other(system)] });
        let json = program.json(&gold.to_string(), &system.to_string());
        let question = &json["experiments"]["AIT2KB"]["questions"][1];
        ["tp", "fp", "fn"].map(|count| question[count].as_u64())
    };
    assert_eq!(two(number("8")), [Some(0), Some(0), Some(0)]);
    assert_eq!(two(dbr("Rhine")), [Some(0), Some(2), Some(0)]);
}

#[test]
fn with_a_hierarchy_only_the_most_specific_classes_of_each_answer_count() {
    let program = program(&[(ReferenceKind::Classes, CLASSES)]);
    let of =
        |gold: &str, system: &str| counts(&ait(&program, &side("", &[dbr(gold)]), &side("", &[dbr(system)])));
    assert_eq!(of("Berlin", "Bonn"), [1, 0, 0], "City");
    assert_eq!(of("Berlin", "Rhine"), [0, 1, 1], "City and River");
    assert_eq!(of("Berlin", "Somewhere"), [0, 1, 1], "City and Place");
    assert_eq!(of("Loop", "Loop"), [2, 0, 0], "parts of each other");
    let asked = ait(&program, &side("{ ?x a dbo:City }", &[dbr("Berlin")]), &side("", &[dbr("Berlin")]));
    assert_eq!(counts(&asked), [1, 0, 0]);
}

#[test]
fn the_types_of_linked_resources_count() {
    let program =
        program(&[(ReferenceKind::Links, "dbr:Berlin owl:sameAs wd:Q64 . dbo:City owl:sameAs wd:Q515 .")]);
    let q64 = json!({ "type": "uri", "value": "https://www.wikidata.org/wiki/Q64" });
    assert_eq!(counts(&ait(&program, &side("", &[q64]), &side("", &[dbr("Berlin")]))), [2, 0, 0]);
}

#[test]
fn observations_say_that_the_items_are_classes_of_answers() {
    let program = program(&[]);
    let gold = file(&side("{ ?x a dbo:City }", &[dbr("Berlin")]));
    let scores =
        program.score(gold.as_bytes(), file(&side("", &[dbr("Berlin")])).as_bytes(), |evaluation, _| {
            let mut scores = Vec::new();
            qassay::record::publish::graphs::write(
                &mut scores,
                &Mint::default(),
                evaluation,
                GraphKind::Scores,
            )
            .expect("written");
            String::from_utf8(scores).expect("UTF-8")
        });
    let said: Vec<&str> = scores.lines().filter(|line| line.contains("ItemOrigin>")).collect();
    let [said] = said[..] else { panic!("one statement: {said:?}") };
    assert!(said.contains("/obs/AIT2KB/1> <https://w3id.org/qassay/ns#systemItemOrigin> <https://w3id.org/qassay/code#items-types> "));
}

#[test]
fn labels_and_types_are_found_within_a_dump() {
    let mint = Mint::default();
    let kinds = |text: &str| {
        let source =
            Source::from_bytes("dump.ttl", format!("{PREFIXES}{text}").into_bytes()).expect("a source");
        let of = |kind| ReferenceInput::open_within(kind, source.clone(), &mint).expect("RDF");
        let found: Vec<ReferenceInput> =
            [ReferenceKind::Labels, ReferenceKind::Classes, ReferenceKind::Types]
                .into_iter()
                .filter_map(of)
                .collect();
        assert!(found.iter().all(|found| found.issues().is_empty()), "other statements are no issue");
        found.iter().map(|found| (found.kind, found.stated().unwrap().len())).collect::<Vec<_>>()
    };
    assert_eq!(
        kinds("dbr:A a dbo:City ; rdfs:label \"A\"@en , \"B\"@en ; dbo:p 1 . [] a dbo:Place ."),
        [(ReferenceKind::Labels, 2), (ReferenceKind::Types, 1)]
    );
    assert_eq!(kinds("dbr:A a dbo:City ."), [(ReferenceKind::Types, 1)]);
    assert_eq!(kinds("dbo:City rdfs:subClassOf dbo:Place ."), [(ReferenceKind::Classes, 1)]);
    assert_eq!(kinds("dbr:A dbo:p 1 ."), []);
    assert_eq!(kinds(""), []);
}

/// Why AIT2KB is skipped as a whole.
fn skipped(program: &Program, gold: &[Value], system: &[Value]) -> Value {
    let questions = |sides: &[Value]| {
        let numbered = sides.iter().zip(1..).map(|(side, number)| {
            let mut side = side.clone();
            side["id"] = json!(number.to_string());
            side
        });
        json!({ "questions": numbered.collect::<Vec<_>>() }).to_string()
    };
    program.json(&questions(gold), &questions(system))["skipped"]["AIT2KB"].clone()
}

#[test]
fn where_the_types_have_nothing_about_the_answers_the_reason_says_so() {
    let program = program(&[]);
    let query = "{ ?x dbo:p ?y }";
    let system_unknown = [
        // without a query, with one that asks for no class, and beside a question whose answers are no resources
        vec![side("", &[dbr("Unknown")])],
        vec![side(query, &[dbr("Nowhere")])],
        vec![side("", &[dbr("Unknown")]), side(query, &[number("7")])],
    ];
    for system in system_unknown {
        let gold = vec![side("", &[dbr("Berlin")]); system.len()];
        let skipped = skipped(&program, &gold, &system);
        assert_eq!(skipped["code"], "skip-system-item-types-unknown", "{system:?}");
        let reason = skipped["reason"].as_str().expect("a reason");
        assert!(reason.contains("the set of types has nothing about its answers"), "{reason}");
    }
    let literal = || side(query, &[number("7")]);
    for gold in [vec![side(query, &[dbr("Unknown")])], vec![side("", &[dbr("Unknown")]), literal()]] {
        let system = vec![side("", &[dbr("Berlin")]); gold.len()];
        let skipped = skipped(&program, &gold, &system);
        assert_eq!(skipped["code"], "skip-gold-item-types-unknown", "{gold:?}");
        let reason = skipped["reason"].as_str().expect("a reason");
        assert!(reason.contains("the set of types has nothing about the gold answers"), "{reason}");
    }
    // nothing that could have a class
    let none = skipped(&program, &[literal()], &[side("", &[dbr("Berlin")])]);
    assert_eq!(none["code"], "skip-no-items");
}
