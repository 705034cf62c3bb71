//! The example in every format that can be written: as gold and as answers it has the scores that it has in its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::common::qassay;
use qassay::sources::format::targets;
use serde_json::Value;

fn example(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example").join(file)
}

/// Status, tp, fp and fn of every question.
fn scores(folder: &Path, gold: &Path, answers: &Path) -> BTreeMap<String, String> {
    let (gold, answers, links) = (text(gold), text(answers), example("same-as.nt"));
    let arguments =
        ["evaluate", &gold, &answers, "--links", &text(&links), "-x", "QA", "-f", "json", "--no-archive"];
    let report = qassay(folder, arguments).json();
    let questions = report["evaluations"][0]["experiments"]["QA"]["questions"].as_array().expect("questions");
    let score = |question: &Value| {
        let counts = ["tp", "fp", "fn"].map(|name| question[name].to_string()).join("/");
        (question["id"].as_str().expect("an id").to_owned(), format!("{} {counts}", question["status"]))
    };
    questions.iter().map(score).collect()
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// What differs from the scores of the files as they are.
fn differences(folder: &Path, system: &str) -> Vec<String> {
    let (gold, answers) = (example("gold.json"), example(&format!("{system}.json")));
    let expected = scores(folder, &gold, &answers);
    let mut found = Vec::new();
    for target in targets().filter(|target| target.name != "text2sparql") {
        for role in ["gold", "answers"] {
            let source = if role == "gold" { &gold } else { &answers };
            // systems are named by files: the same name for every format
            let written = folder.join(format!("{role}-{}", target.name));
            let converted =
                qassay(folder, ["convert", &text(source), &text(&written), "--to", target.name, "--lossy"]);
            assert_eq!(converted.code, Some(0), "{system} {} {role}: {}", target.name, converted.stderr);
            let ours = if role == "gold" {
                scores(folder, &written, &answers)
            } else {
                scores(folder, &gold, &written)
            };
            assert_eq!(ours.len(), expected.len());
            let different = expected.iter().filter(|(id, score)| ours.get(*id) != Some(score));
            found.extend(different.map(|(id, score)| {
                format!("{} {role}, question {id}: {score}, now {}", target.name, ours[id])
            }));
            std::fs::remove_file(&written).expect("removed");
        }
    }
    found
}

/// A table has no place for the error of a system: the answer is empty there.
#[test]
fn aurora_in_every_format() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(
        differences(folder.path(), "aurora"),
        [
            "csv answers, question 15: \"error\" 0/0/1, now \"empty\" 0/0/1",
            "tsv answers, question 15: \"error\" 0/0/1, now \"empty\" 0/0/1",
        ]
    );
}

/// QALD-XML has no place for the language of an answer: texts in different languages are equal there.
#[test]
fn borealis_in_every_format() {
    let folder = tempfile::tempdir().expect("a folder");
    let none: [&str; 0] = [];
    assert_eq!(differences(folder.path(), "borealis"), none);
}
