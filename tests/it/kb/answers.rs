//! `qassay kb answers` and `qassay kb compare` as people run them.

use crate::common;
use std::path::Path;

use crate::common::{Ran, qassay};
use qassay::base::clock::Instant;
use qassay::base::iri::Mint;
use qassay::kb::allowance::Asking;
use qassay::kb::answered_by::AnsweredBy;
use qassay::kb::ask::Limits;
use qassay::kb::outcome::{Cause, Outcome};
use qassay::kb::snapshot::AnswerSnapshot;
use qassay::record::keep::keep_answers;
use qassay::sources::archive::Archive;
use qassay::sources::document::{AnswerSet, Cell, CellKind, Row};
use tempfile::TempDir;

const TOWNS: &str = "SELECT ?x WHERE {\n  ?x a <http://e/Town>\n}";

fn rows(values: &[&str]) -> Outcome {
    let cell = |value: &str| Cell {
        variable: "x".to_owned(),
        kind: CellKind::Uri,
        value: value.to_owned(),
        ..Cell::default()
    };
    let rows = values.iter().map(|value| Row { cells: [cell(value)].into() }).collect();
    Outcome::Answered(AnswerSet {
        variables: vec!["x".to_owned()],
        rows,
        has_bindings: true,
        ..AnswerSet::default()
    })
}

/// Keeps what an endpoint answered in an hour; gives the key.
fn keep(folder: &Path, hour: u8, towns: &[&str], last: Outcome) -> String {
    let yes = Outcome::Answered(AnswerSet { boolean: Some(true), ..AnswerSet::default() });
    let time = format!("2026-11-21T{hour:02}:00:00Z");
    let answered_by = AnsweredBy::Endpoint { url: "http://e/sparql".to_owned(), time: time.clone() };
    let outcomes = [("ASK {}", yes), (TOWNS, rows(towns)), ("SELECT * {}", last)];
    let snapshot =
        AnswerSnapshot::new(answered_by, outcomes.map(|(query, outcome)| (query.to_owned(), outcome)));
    let instant = Instant { nanoseconds: 0, date_time: time };
    let asking = Asking { limits: Limits::default(), started: instant.clone(), ended: instant };
    let archive = Archive::create(&folder.join("qassay-archive")).unwrap();
    keep_answers(&archive, &Mint::default(), &snapshot, &asking).unwrap()
}

fn run(folder: &Path, arguments: &[&str]) -> Ran {
    qassay(folder, arguments)
}

#[test]
fn two_times_are_compared() {
    let folder = TempDir::new().unwrap();
    let late = || Outcome::failed(Cause::TimedOut, "stopped at the time limit of 30 s");
    let first = keep(folder.path(), 9, &["http://e/a", "http://e/b"], rows(&[]));
    let second = keep(folder.path(), 10, &["http://e/b", "http://e/c", "http://e/d"], late());
    insta::assert_snapshot!(run(folder.path(), &["kb", "answers"]).ok(), @r"
    Answers of knowledge bases

    key                               who answered     when                  queries  answered
    08f8d572ad204e233ff9f13c8c15886f  http://e/sparql  2026-11-21T10:00:00Z        3         2
    c578b4fba0aca7b6d3a133b788b60078  http://e/sparql  2026-11-21T09:00:00Z        3         3
    ");
    insta::assert_snapshot!(run(folder.path(), &["kb", "answers", &second[..6]]).ok(), @r"
    Answer snapshot 08f8d572ad204e233ff9f13c8c15886f

    query             outcome    rows  message                            text
    819ea91ed5f12b38  answered   true                                     ASK {}
    af7adef96d532365  answered      3                                     SELECT ?x WHERE { ?x a <http://e/Town> }
    b7fcbdf8d5395655  timed-out        stopped at the time limit of 30 s  SELECT * {}
    ");
    let ran = run(folder.path(), &["kb", "compare", &first, &second]);
    assert_eq!(ran.code, Some(1));
    insta::assert_snapshot!(ran.stderr, @r"
    first:  http://e/sparql, 2026-11-21T09:00:00Z
    second: http://e/sparql, 2026-11-21T10:00:00Z
    3 queries: 1 same, 1 changed, 1 other outcome
    ");
    insta::assert_snapshot!(ran.stdout, @r"
    What differs

    query             change         added  removed  detail                                                   text
    af7adef96d532365  changed            2        1  + ?x <http://e/c>; + ?x <http://e/d>; - ?x <http://e/a>  SELECT ?x WHERE { ?x a <http://e/Town> }
    b7fcbdf8d5395655  other outcome                  answered → timed-out                                     SELECT * {}
    ");
    let ran = run(folder.path(), &["kb", "compare", &first, &second, "--format", "csv", "--quiet"]);
    insta::assert_snapshot!(ran.stdout, @r"
    checksum,change,added,removed,detail,query
    af7adef96d532365,changed,2,1,+ ?x <http://e/c>; + ?x <http://e/d>; - ?x <http://e/a>,SELECT ?x WHERE { ?x a <http://e/Town> }
    b7fcbdf8d5395655,other outcome,,,answered → timed-out,SELECT * {}
    ");
    // The same as itself; by IRI, and as a file.
    let graphs = folder.path().join("qassay-archive/graphs/sha256");
    let file = common::files_below(&graphs).remove(0);
    let file = graphs.join(file).display().to_string();
    let ran = run(folder.path(), &["kb", "compare", &file, &file]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
    let iri = format!("https://w3id.org/qassay/answers/{first}");
    assert_eq!(run(folder.path(), &["kb", "compare", &iri, &first]).code, Some(0));
    assert_eq!(run(folder.path(), &["kb", "compare", &iri, &first, "--format", "json"]).ok(), "[]\n");
    let ran = run(folder.path(), &["kb", "compare", &iri, "ffffffff"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("there is no file and no answer snapshot `ffffffff`"), "{}", ran.stderr);
}

#[test]
fn an_archive_with_answers_is_a_good_one() {
    let folder = TempDir::new().unwrap();
    keep(folder.path(), 9, &["http://e/a"], rows(&[]));
    let ran = run(folder.path(), &["verify"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.stdout, ran.stderr);
}

#[test]
fn an_unknown_key_says_what_to_try() {
    let folder = TempDir::new().unwrap();
    Archive::create(&folder.path().join("qassay-archive")).unwrap();
    let none = run(folder.path(), &["kb", "answers", "abcdef"]);
    assert_eq!(none.code, Some(2));
    assert!(
        !none.stderr.contains("allowed:") && none.stderr.contains("`qassay kb refresh`"),
        "{}",
        none.stderr
    );
    let key = keep(folder.path(), 9, &["http://e/a"], rows(&[]));
    let other = run(folder.path(), &["kb", "answers", "nokey"]);
    assert!(other.stderr.contains(&format!("allowed: {key}")), "{}", other.stderr);
}
