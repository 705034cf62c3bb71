//! `--loader` and `--part` on the command line: what is left out is said with its reason, and `verify` agrees.

use std::fs;
use std::path::Path;

use crate::common::{Ran, qassay};
use serde_json::{Value, json};

/// Question 2 counts as Jena does not, question 3 is out of scope, question 4 is asked its answer, 5 and 6 are hybrid.
const GOLD: &str = r#"<?xml version="1.0"?>
<dataset id="small">
<question id="1" answertype="resource" hybrid="false"><string lang="en">Who?</string>
<query><![CDATA[SELECT ?x WHERE { ?x a <http://e/C> }]]></query>
<answers><answer><uri>http://dbpedia.org/resource/A</uri></answer></answers></question>
<question id="2" answertype="number" hybrid="false"><string lang="en">How many?</string>
<query><![CDATA[SELECT COUNT(?x) WHERE { ?x a <http://e/C> }]]></query>
<answers><answer><number>5</number></answer></answers></question>
<question id="3" answertype="resource" hybrid="false"><string lang="en">Which?</string>
<query><![CDATA[OUT OF SCOPE]]></query><answers/></question>
<question id="4" answertype="string" hybrid="false"><string lang="en">What is her name?</string>
<query><![CDATA[SELECT ?x WHERE { ?y <http://e/name> ?x }]]></query>
<answers><answer><string>Angela Dorothea Kasner</string></answer></answers></question>
<question id="5" answertype="date" hybrid="true"><string lang="en">When?</string>
<pseudoquery><![CDATA[no query]]></pseudoquery>
<answers><answer><date>1999-8-3</date></answer></answers></question>
<question id="6" answertype="boolean" hybrid="true"><string lang="en">Is it?</string>
<pseudoquery><![CDATA[no query]]></pseudoquery>
<answers><answer><boolean>True</boolean></answer></answers></question>
</dataset>"#;

/// Right by the letter of the file in 1, 2, 4, 5; right by GERBIL's loader in 1, 2, 4, 6.
const ANSWERS: &str = r#"{"questions": [
{"id": "1", "answers": [{"head": {"vars": ["x"]}, "results": {"bindings": [{"x": {"type": "uri", "value": "http://dbpedia.org/resource/A"}}]}}]},
{"id": "2", "answers": [{"head": {"vars": ["x"]}, "results": {"bindings": [{"x": {"type": "literal", "value": "5"}}]}}]},
{"id": "4", "answers": [{"head": {"vars": ["x"]}, "results": {"bindings": [{"x": {"type": "literal", "value": "Angela Dorothea Kasner"}}]}}]},
{"id": "5", "answers": [{"head": {"vars": ["x"]}, "results": {"bindings": [{"x": {"type": "literal", "value": "1999-8-3"}}]}}]},
{"id": "6", "answers": [{"head": {}, "boolean": true}]}
]}"#;

fn inputs() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("gold.xml"), GOLD).expect("the gold file");
    fs::write(folder.path().join("system.json"), ANSWERS).expect("the answers");
    folder
}

fn evaluate(folder: &Path, options: &[&str]) -> Ran {
    let arguments = ["evaluate", "gold.xml", "system.json", "--experiment", "QA"];
    qassay(folder, arguments.iter().chain(options))
}

fn one(folder: &Path, options: &[&str]) -> Value {
    let mut json = evaluate(folder, &[options, &["--format", "json"]].concat()).json();
    json["evaluations"][0].take()
}

/// The ids of the questions with scores, and their F1.
fn scores(evaluation: &Value) -> Vec<(String, f64)> {
    let questions = evaluation["experiments"]["QA"]["questions"].as_array().expect("questions");
    let score = |question: &Value| {
        (question["id"].as_str().expect("an id").to_owned(), question["f1"].as_f64().expect("a number"))
    };
    questions.iter().map(score).collect()
}

fn pairs(pairs: &[(&str, f64)]) -> Vec<(String, f64)> {
    pairs.iter().map(|(id, f1)| ((*id).to_owned(), *f1)).collect()
}

#[test]
fn gerbil_sees_fewer_questions_and_says_why() {
    let folder = inputs();
    let plain = one(folder.path(), &["--profile", "gerbil"]);
    let ids: Vec<String> = scores(&plain).into_iter().map(|(id, _)| id).collect();
    assert_eq!(ids, ["1", "2", "3", "4", "5", "6"]);
    assert_eq!(
        (&plain["loader"], &plain["part"], plain.get("loading")),
        (&json!("plain"), &Value::Null, None)
    );

    let current = one(folder.path(), &["--profile", "gerbil", "--loader", "gerbil-current"]);
    assert_eq!(current["loader"], "gerbil-current");
    assert_eq!(scores(&current), pairs(&[("1", 1.0), ("4", 1.0), ("5", 0.0), ("6", 1.0)]));
    let left_out = current["loading"]["leftOut"].as_array().expect("a list");
    let reasons: Vec<(&Value, &Value)> = left_out.iter().map(|q| (&q["id"], &q["code"])).collect();
    let refused = json!("skip-query-refused");
    assert_eq!(reasons, [(&json!("2"), &refused), (&json!("3"), &refused)]);
    assert_eq!(left_out[1]["detail"], "it is the marker `OUT OF SCOPE`");
    assert_eq!(current["loading"]["loaded"], 4);
    assert_eq!(
        current["loading"]["changed"],
        json!([
            { "id": "4", "change": "in place of its text in `en` it asks its first answer, `Angela Dorothea Kasner`" },
            { "id": "5", "change": "the answer `1999-8-3` becomes `1999-08-03`" },
            { "id": "6", "change": "the answer `True` becomes `true`" },
        ])
    );
    let skipped = current["experiments"]["QA"]["skippedQuestions"].as_array().expect("a list");
    assert_eq!(skipped.len(), 2);
    let issues = current["issues"].as_array().expect("a list");
    let of = |code: &str| issues.iter().filter(|issue| issue["code"] == code).count();
    assert_eq!([of("question-not-loaded"), of("question-changed"), of("question-not-submitted")], [2, 3, 0]);
    assert_ne!(current["evaluation"], plain["evaluation"]);
    assert_eq!(current["datasetVersion"], plain["datasetVersion"]);
}

#[test]
fn people_are_told_too() {
    let folder = inputs();
    let text = evaluate(folder.path(), &["--profile", "gerbil", "--loader", "gerbil-current"]).ok();
    assert!(text.contains(", loader gerbil-current"), "{text}");
    assert!(text.contains("QA without 2 questions: Jena does not parse the query as it stands"), "{text}");
    let explained = qassay(folder.path(), ["explain", "system", "2"]).ok();
    assert!(explained.contains("not loaded: Jena does not parse the query as it stands"), "{explained}");
    let explained = qassay(folder.path(), ["explain", "system", "4"]).ok();
    assert!(explained.contains("changed by the loader: in place of its text"), "{explained}");
    let listed = qassay(folder.path(), ["explain", "system", "--format", "json"]).json();
    assert_eq!(listed["evaluations"][0]["loader"], "gerbil-current");
}

#[test]
fn the_archive_keeps_the_choice_and_verify_agrees() {
    let folder = inputs();
    for options in [
        &["--profile", "gerbil"][..],
        &["--profile", "gerbil", "--loader", "gerbil-current"],
        &["--profile", "gerbil", "--loader", "gerbil-current", "--part", "hybrid"],
        &["--profile", "qassay,gerbil", "--loader", "table1", "--part", "multilingual"],
        // what a profile does by itself is no other evaluation
        &["--profile", "gerbil", "--loader", "plain"],
    ] {
        evaluate(folder.path(), options).ok();
    }
    let verified = qassay(folder.path(), ["verify", "--format", "json"]).json();
    assert_eq!(verified["ok"], true, "{verified:#}");
    let checks = verified["checks"].as_array().expect("a list");
    assert_eq!(checks.iter().filter(|check| check["check"] == "re-execution").count(), 5);
}

#[test]
fn parts_are_halves() {
    let folder = inputs();
    let hybrid = one(folder.path(), &["--part", "hybrid"]);
    assert_eq!((&hybrid["part"], scores(&hybrid).len()), (&json!("hybrid"), 2));
    let multilingual = one(folder.path(), &["--part", "multilingual", "--loader", "table1"]);
    assert_eq!(scores(&multilingual), pairs(&[("1", 1.0), ("2", 1.0), ("3", 1.0), ("4", 1.0)]));
    let reasons = multilingual["loading"]["leftOut"].as_array().expect("a list");
    assert!(reasons.iter().all(|question| question["code"] == "skip-other-part"), "{reasons:?}");
}

#[test]
fn profiles_allow_some_loaders() {
    let folder = inputs();
    let ran = evaluate(folder.path(), &["--profile", "gerbil,qassay", "--loader", "gerbil-current"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("the profile `qassay` does not allow the loader `gerbil-current`"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("allowed: plain, table1"), "{}", ran.stderr);
    let profiles = qassay(folder.path(), ["profiles", "--format", "json"]).json();
    for profile in profiles.as_array().expect("a list") {
        let allowed = match profile["profile"].as_str().expect("a name") {
            gerbil if gerbil.starts_with("gerbil") => "plain, table1, gerbil-current",
            // No set of table 1 is theirs.
            "clef-2004" | "cwq" | "grailqa" | "grasp" | "mintaka" | "nlpcc-kbqa" | "nlpcc-ranking"
            | "row-major" | "trec" | "trec-9" | "webqsp" => "plain",
            _ => "plain, table1",
        };
        assert_eq!(profile["loaders"], allowed);
    }
    let qald = qassay(folder.path(), ["profiles", "qald"]).ok();
    assert!(qald.contains("\nloader table1\n") && !qald.contains("gerbil-current"), "{qald}");
    let gerbil = qassay(folder.path(), ["profiles", "gerbil"]).ok();
    assert!(gerbil.contains("\nloader gerbil-current\n  What GERBIL's loader makes of the file"), "{gerbil}");
}

#[test]
fn nothing_loaded_is_an_error() {
    let folder = inputs();
    let questions = GOLD.replace("hybrid=\"true\"", "hybrid=\"false\"");
    fs::write(folder.path().join("gold.xml"), questions).expect("the gold file");
    let ran = evaluate(folder.path(), &["--part", "hybrid"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("the loader leaves out all 6 questions"), "{}", ran.stderr);
}

#[test]
fn check_says_what_a_loader_takes() {
    let folder = inputs();
    let text = qassay(folder.path(), ["check", "gold.xml", "--loader", "gerbil-current"]).ok();
    assert!(text.starts_with("gold.xml: gerbil-current loads 4 of 6 questions\n"), "{text}");
    assert!(text.contains("it is the marker `OUT OF SCOPE`"), "{text}");
    let json = qassay(folder.path(), ["check", "gold.xml", "--part", "hybrid", "--format", "json"]).json();
    let file = &json["files"][0];
    assert_eq!(
        (&file["loader"], &file["part"], &file["loaded"]),
        (&json!("plain"), &json!("hybrid"), &json!(2))
    );
    // the answers have no flags
    let ran = qassay(folder.path(), ["check", "system.json", "absent.xml", "--loader", "table1"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stdout.starts_with("system.json: table1 loads 5 of 5 questions"), "{}", ran.stdout);
}
