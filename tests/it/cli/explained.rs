//! `qassay explain --wrong`: questions are wrong by their F1, whatever a table shows last.

use std::path::Path;

use crate::common::qassay;
use tempfile::TempDir;

/// The rows of a CSV table by question, without its head, and the place of F1.
fn rows(csv: &str) -> Vec<(String, String)> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let head = reader.headers().unwrap().clone();
    let place = |name: &str| head.iter().position(|column| column == name).unwrap();
    let (question, f1) = (place("question"), place("f1"));
    assert_ne!(head.iter().next_back(), Some("f1"), "F1 is not the last column here");
    let row = |row: csv::StringRecord| (row[question].to_owned(), row[f1].to_owned());
    reader.records().map(|record| row(record.unwrap())).collect()
}

#[test]
fn wrong_questions_are_those_with_f1_below_1() {
    let folder = TempDir::new().unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example");
    let [gold, run] = ["clef-gold.csv", "clef-run.csv"].map(|name| example.join(name).display().to_string());
    qassay(folder.path(), ["evaluate", &gold, &run, "--profile", "clef-2004", "--system", "run"]).ok();
    let all = rows(&qassay(folder.path(), ["explain", "run", "-f", "csv"]).ok());
    let wrong = rows(&qassay(folder.path(), ["explain", "run", "--wrong", "-f", "csv"]).ok());
    let expected: Vec<(String, String)> = all.iter().filter(|(_, f1)| f1 != "1").cloned().collect();
    assert_eq!(wrong, expected);
    assert!(wrong.len() < all.len() && !wrong.is_empty(), "the example has both: {all:?}");
}

/// An archive with the example, evaluated without links.
fn example() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let [gold, aurora, borealis] = ["gold.json", "aurora.json", "borealis.json"]
        .map(|name| format!("{}/datasets/example/{name}", env!("CARGO_MANIFEST_DIR")));
    qassay(folder.path(), ["evaluate", &gold, &aurora, &borealis, "--quiet"]).ok();
    folder
}

#[test]
fn several_questions_are_explained_at_once() {
    let folder = example();
    let told = qassay(folder.path(), ["explain", "aurora", "3", "1", "2"]).ok();
    let heads: Vec<&str> = told.lines().filter(|line| line.starts_with("question ")).collect();
    assert_eq!(heads, ["question 3 (answered)", "question 1 (answered)", "question 2 (answered)"]);
    let several = qassay(folder.path(), ["explain", "aurora", "3", "1", "--format", "json"]).json();
    let ids: Vec<&str> =
        several.as_array().expect("a list").iter().filter_map(|one| one["id"].as_str()).collect();
    assert_eq!(ids, ["3", "1"]);
    assert_eq!(qassay(folder.path(), ["explain", "aurora", "3", "--format", "json"]).json()["id"], "3");
    let unknown = qassay(folder.path(), ["explain", "aurora", "3", "99"]);
    assert!(unknown.code == Some(2) && unknown.stdout.is_empty(), "{}", unknown.stdout);
}

#[test]
fn wrong_questions_have_their_texts_and_misses_what_comes_nearest() {
    let folder = example();
    let wrong = qassay(folder.path(), ["explain", "borealis", "--wrong", "--format", "csv"]).ok();
    assert!(wrong.starts_with("system,profile,experiment,question,text,status,"), "{wrong}");
    assert!(wrong.contains("borealis,qassay,QA,15,What is the highest mountain?,answered,"), "{wrong}");
    let all = qassay(folder.path(), ["explain", "borealis", "--format", "csv"]).ok();
    assert!(all.starts_with("system,profile,experiment,question,status,"), "{all}");
    let near = qassay(folder.path(), ["explain", "borealis", "15"]).ok();
    assert!(near.contains("      nearest: "), "{near}");
    let json = qassay(folder.path(), ["explain", "borealis", "15", "--format", "json"]).json();
    let near = &json["near"][0];
    assert!(near["differences"][0].as_str().is_some_and(|how| !how.is_empty()), "{json}");
    assert_eq!(json["missed"].as_array().map(Vec::is_empty), Some(false));
}
