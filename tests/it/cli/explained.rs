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
