//! Why two profiles count a question differently: each rule of GERBIL is named where it makes the difference, and
//! nowhere else. One small case a rule.

use std::fs;

use crate::common::{Ran, program};
use serde_json::{Value, json};
use tempfile::TempDir;

const DBR: &str = "http://dbpedia.org/resource/";

fn cell(value: &str) -> Value {
    json!({"x": {"type": if value.contains("://") { "uri" } else { "literal" }, "value": value}})
}

/// A file of one question with these answers and this query.
fn file(answers: &[Value], query: Option<&str>) -> String {
    let mut question = json!({
        "id": "1", "answertype": "resource", "question": [{"language": "en", "string": "Which?"}],
        "answers": [{"head": {"vars": ["x"]}, "results": {"bindings": answers}}],
    });
    if let Some(query) = query {
        question["query"] = json!({ "sparql": query });
    }
    json!({"dataset": {"id": "small"}, "questions": [question]}).to_string()
}

/// The reasons between the default profile and GERBIL in an experiment type, as `profile rule`, with the counts.
fn reasons(gold: &str, answers: &str, experiment: &str, options: &[&str]) -> (Value, Vec<String>) {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("gold.json"), gold).expect("a file");
    fs::write(folder.path().join("answers.json"), answers).expect("a file");
    let label =
        |name: &str| format!("<{DBR}{name}> <http://www.w3.org/2000/01/rdf-schema#label> \"Berlin\"@en .\n");
    let labels = [label("Berlin"), label("Berlin,_Connecticut")].concat();
    fs::write(folder.path().join("labels.nt"), labels).expect("a file");
    let mut command = program(folder.path());
    command.args(["evaluate", "gold.json", "answers.json", "--profile", "qassay,gerbil", "--format", "json"]);
    command.args(["--no-archive"]).args(options);
    let json = Ran::of(&mut command).json();
    let all = json["differences"].as_array().expect("differences").clone();
    let Some(found) = all.iter().find(|difference| difference["experiment"] == experiment) else {
        return (Value::Null, Vec::new());
    };
    let reason = |reason: &Value| format!("{} {}", text(&reason["profile"]), text(&reason["rule"]));
    let reasons = found["reasons"].as_array().expect("reasons").iter().map(reason).collect();
    (found["counts"].clone(), reasons)
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn of_answers(gold: &[&str], system: &[&str]) -> Vec<String> {
    let cells = |values: &[&str]| values.iter().map(|value| cell(value)).collect::<Vec<_>>();
    reasons(&file(&cells(gold), None), &file(&cells(system), None), "QA", &[]).1
}

fn of_queries(gold: &str, system: &str, experiment: &str) -> Vec<String> {
    let answers = [cell("http://dbpedia.org/resource/X")];
    reasons(&file(&answers, Some(gold)), &file(&answers, Some(system)), experiment, &[]).1
}

const DBO: &str = "PREFIX dbo: <http://dbpedia.org/ontology/> PREFIX dbr: <http://dbpedia.org/resource/> \
                   PREFIX foaf: <http://xmlns.com/foaf/0.1/> PREFIX dbp: <http://dbpedia.org/property/> ";

fn query(pattern: &str) -> String {
    format!("{DBO} SELECT ?u WHERE {{ {pattern} }}")
}

#[test]
fn the_same_counts_need_no_reason() {
    let a = format!("{DBR}A");
    assert_eq!(of_answers(&[&a], &[&a]), Vec::<String>::new());
}

#[test]
fn a_rule_that_gerbil_does_not_have() {
    assert_eq!(of_answers(&["8"], &["8.0"]), ["qassay match-value-untyped"]);
    assert_eq!(of_answers(&["Bonn"], &[" Bonn"]), ["qassay match-text"]);
}

#[test]
fn one_literal_makes_strings_of_all() {
    let a = format!("{DBR}A");
    assert_eq!(of_answers(&[&a, "foo bar"], &[&a, "foo bar"]), ["gerbil diff-typed-as-strings"]);
}

#[test]
fn a_label_that_is_looked_up() {
    let gold = file(&[cell(&format!("{DBR}Berlin"))], None);
    let (counts, reasons) = reasons(&gold, &file(&[cell("Berlin")], None), "QA", &["--labels", "labels.nt"]);
    // Both look it up; the other resource that is called so is an error for GERBIL.
    assert_eq!(counts, json!({"qassay": [1, 0, 0], "gerbil": [1, 1, 0]}));
    assert_eq!(reasons, ["gerbil diff-label", "qassay match-label"]);
}

#[test]
fn a_date_that_the_loader_rewrites() {
    let date = |value: &str| {
        let date = "http://www.w3.org/2001/XMLSchema#date";
        json!({"x": {"type": "typed-literal", "datatype": date, "value": value}})
    };
    // Java's lenient dates run over the end of a month, which no rule of the default profile does.
    let (gold, answers) = (file(&[date("2009-6-31")], None), file(&[date("2009-07-01")], None));
    let (_, reasons) = reasons(&gold, &answers, "QA", &[]);
    assert_eq!(reasons, ["gerbil diff-rewritten"]);
}

#[test]
fn properties_among_the_concepts() {
    let (gold, system) = (query("dbr:A dbo:a ?u"), query("dbr:A dbo:b ?u"));
    assert_eq!(of_queries(&gold, &system, "C2KB"), ["gerbil diff-concepts"]);
}

#[test]
fn a_wildcard() {
    let (gold, system) = (query("?u dbp:a dbr:A"), query("?u foaf:z dbr:A"));
    assert_eq!(of_queries(&gold, &system, "P2KB"), ["gerbil match-gerbil-emerging"]);
}

#[test]
fn repeated_markings() {
    let both = query("?u dbo:a dbr:A . ?u dbo:a dbr:B");
    assert_eq!(of_queries(&both, &both, "P2KB"), ["gerbil diff-listed", "gerbil diff-used-again"]);
}

#[test]
fn a_query_that_only_we_repair() {
    let broken = "SELECT ?u WHERE { ?u dbo:a <http://dbpedia.org/resource/A> }";
    assert_eq!(of_queries(&query("?u dbo:a dbr:A"), broken, "RE2KB"), ["gerbil diff-query-unread"]);
}

#[test]
fn a_walk_that_ends_early() {
    let path = query("?u dbo:a/dbo:b dbr:A . ?u dbo:c dbr:C");
    assert_eq!(of_queries(&path, &path, "RE2KB"), Vec::<String>::new(), "without any relation it is skipped");
    let late = query("?u dbo:c dbr:C . ?u dbo:a/dbo:b dbr:A");
    assert_eq!(of_queries(&late, &late, "RE2KB"), ["gerbil diff-walk"]);
}

#[test]
fn a_part_that_is_not_visited() {
    let inner = query("?u dbo:a dbr:A { SELECT ?u WHERE { ?u dbo:b dbr:B } }");
    let found = of_queries(&inner, &inner, "RE2KB");
    assert!(found.contains(&"gerbil diff-not-visited".to_owned()), "{found:?}");
}

#[test]
fn every_reason_has_a_definition_and_those_of_gerbil_a_statement() {
    let folder = TempDir::new().expect("a folder");
    let a = format!("{DBR}A");
    fs::write(folder.path().join("gold.json"), file(&[cell(&a), cell("foo bar")], None)).expect("a file");
    let mut command = program(folder.path());
    command.args([
        "evaluate",
        "gold.json",
        "gold.json",
        "--profile",
        "qassay,gerbil",
        "--no-archive",
        "--quiet",
    ]);
    let printed = Ran::of(&mut command).ok();
    assert!(printed.contains("typed as strings"), "{printed}");
    assert!(printed.contains("2.1.3"), "{printed}");
}
