//! Runs on real files: a gold standard against itself, archives that verify, and the same bytes on every run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{
    KGQAN, QALD_8_TRAIN, QALD_9_TEST_KGQAN, Ran, evaluation, files_below, graph_name, kept_bytes, mirror,
    program, qald_8_answers, qassay,
};
use qassay::sources::document::AnswerState;
use qassay::sources::file::source::Source;
use qassay::sources::format::read;
use serde_json::Value;

const QALD_9: &str = "ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf/9/data";
const WIKI_WEB: &str = "stanford-oval/wikidata-emnlp23/acbc1eb4698092e6a8bcc7ad9677246309bee6ca";
const QALD_8_SYSTEMS: [&str; 4] = ["AskNow", "GANSWER2", "QAKIS", "TeBaQA"];

/// Where a file against itself is not perfect.
fn imperfections(evaluation: &Value) -> Vec<String> {
    let qa = &evaluation["experiments"]["QA"];
    let groups = qa["groups"].as_object().expect("groups").iter();
    let groups = groups
        .map(|(name, measures)| (name.as_str(), measures))
        .chain([("all", &qa["measures"]), ("processed", &qa["measuresProcessed"])]);
    let mut found = Vec::new();
    for (group, measures) in groups {
        for (name, value) in measures.as_object().expect("measures") {
            let expected = match name.as_str() {
                "falsePositiveCount" | "falseNegativeCount" | "missingCount" => 0.0,
                "questionCount" | "answeredCount" | "emptyCount" | "errorCount" | "truePositiveCount" => {
                    continue;
                }
                "meanResponseTime" => continue,
                _ => 1.0,
            };
            if value.as_f64() != Some(expected) {
                found.push(format!("{group}: {name} is {value}"));
            }
        }
    }
    for question in qa["questions"].as_array().expect("questions") {
        let expected = [("fp", 0.0), ("fn", 0.0), ("precision", 1.0), ("recall", 1.0), ("f1", 1.0)];
        for (name, expected) in expected {
            if question[name].as_f64() != Some(expected) {
                found.push(format!("question {}: {name} is {}", question["id"], question[name]));
            }
        }
    }
    found
}

fn is_perfect(file: &str, questions: usize) {
    let mirror = mirror();
    let file = mirror.join(QALD_9).join(file);
    let evaluation = evaluation(&file, &file, "qassay");
    assert_eq!(imperfections(&evaluation), Vec::<String>::new());
    let qa = &evaluation["experiments"]["QA"];
    assert_eq!(qa["questions"].as_array().map(Vec::len), Some(questions));
    for measure in [
        "microPrecision",
        "microRecall",
        "microF1",
        "macroPrecision",
        "macroRecall",
        "macroF1",
        "macroF1Qald",
        "exactMatch",
    ] {
        assert_eq!(qa["measures"][measure].as_f64(), Some(1.0), "{measure} is defined");
    }
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn qald_9_train_against_itself() {
    is_perfect("qald-9-train-multilingual.json", 408);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn qald_9_test_against_itself() {
    is_perfect("qald-9-test-multilingual.json", 150);
}

/// The files of the mirror that the program reads and that have answers.
fn files_with_answers(mirror: &Path) -> Vec<PathBuf> {
    let has_answers = |path: &PathBuf| {
        let Ok((document, _)) = Source::open(path).and_then(|source| read(&source)) else { return false };
        document.questions.iter().any(|question| question.answers.state == AnswerState::Given)
    };
    let known = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "json" || ending == "xml");
    let files = files_below(mirror).into_iter().map(|path| mirror.join(path));
    files.filter(known).filter(has_answers).collect()
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn every_file_with_answers_against_itself() {
    let mirror = mirror();
    let files = files_with_answers(&mirror);
    assert!(files.len() >= 60, "only {} files have answers", files.len());
    let mut found = Vec::new();
    for file in &files {
        let name = file.strip_prefix(&mirror).expect("in the mirror").display();
        let problems = imperfections(&evaluation(file, file, "qassay"));
        if !problems.is_empty() {
            let shown = problems.iter().take(5).cloned().collect::<Vec<_>>().join("\n  ");
            found.push(format!("{name}: {} values\n  {shown}", problems.len()));
        }
    }
    assert!(found.is_empty(), "{} of {} files:\n{}", found.len(), files.len(), found.join("\n"));
}

/// Evaluates into a new archive, which must verify; gives the number of evaluations that were verified.
#[track_caller]
fn verifies(gold: &Path, answers: &[PathBuf], profiles: &str) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = program(folder.path());
    command.args(["evaluate", "--profile", profiles, "--archive", "kept"]).arg(gold).args(answers);
    Ran::of(&mut command).ok();
    let report = qassay(folder.path(), ["verify", "kept", "--format", "json"]).json();
    assert_eq!(report["ok"], true);
    let checks = report["checks"].as_array().expect("checks");
    for check in checks {
        assert_eq!(check["problems"], serde_json::json!([]), "{check}");
        assert!(check["lookedAt"].as_u64() > Some(0), "{check}");
    }
    let of_kind = |kind: &str| checks.iter().filter(|check| check["check"] == kind).count();
    assert_eq!(of_kind("constraints"), of_kind("re-execution"));
    of_kind("re-execution")
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn archive_of_p3_and_p4_verifies() {
    let mirror = mirror();
    let answers: Vec<PathBuf> =
        QALD_8_SYSTEMS.iter().map(|system| mirror.join(qald_8_answers(system, "json"))).collect();
    assert_eq!(verifies(&mirror.join(QALD_8_TRAIN), &answers, "qald,nliwod"), 8);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn archive_of_p3_kgqan_verifies() {
    let mirror = mirror();
    assert_eq!(verifies(&mirror.join(QALD_9_TEST_KGQAN), &[mirror.join(KGQAN)], "qald"), 1);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn archive_of_p8_verifies() {
    let mirror = mirror();
    let folder = mirror.join(WIKI_WEB);
    let answers = [folder.join("predicted_results/best.json")];
    assert_eq!(verifies(&folder.join("WikiWebQuestions/dev.json"), &answers, "nliwod"), 1);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn archives_of_qald_9_against_itself_verify() {
    let mirror = mirror();
    for file in ["qald-9-train-multilingual.json", "qald-9-test-multilingual.json"] {
        let gold = mirror.join(QALD_9).join(file);
        assert_eq!(verifies(&gold, std::slice::from_ref(&gold), "qassay"), 1);
    }
}

/// What a run leaves that must not depend on anything but the inputs: evaluation IRIs, and the bytes of all files but
/// those about the execution.
#[derive(Debug, PartialEq, Eq)]
struct Left {
    evaluations: Vec<String>,
    files: BTreeMap<PathBuf, Vec<u8>>,
}

/// Whether a graph is named by an execution, which has a clock.
fn is_of_execution(graph: &str) -> bool {
    ["/graph/prov/", "/graph/messages/"].iter().any(|kind| graph.contains(kind))
}

fn left_by(gold: &Path, answers: &[PathBuf], change: impl FnOnce(&mut assert_cmd::Command)) -> Left {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = program(folder.path());
    command.args(["evaluate", "--format", "json", "--profile", "qassay,qald", "--archive", "kept"]);
    command.arg(gold).args(answers);
    change(&mut command);
    let output = Ran::of(&mut command).json();
    let list = output["evaluations"].as_array().expect("a list");
    let mut evaluations: Vec<String> = list.iter().map(|one| one["evaluation"].to_string()).collect();
    assert_eq!(evaluations.len(), 2 * answers.len());
    evaluations.sort_unstable();
    let kept = folder.path().join("kept");
    let of_execution = |path: &Path, content: &[u8]| {
        path.starts_with("records/execution")
            || (path.starts_with("graphs")
                && is_of_execution(graph_name(std::str::from_utf8(content).expect("UTF-8"))))
    };
    let files = files_below(&kept).into_iter().filter_map(|path| {
        let content = kept_bytes(&kept.join(&path));
        (!of_execution(&path, &content)).then_some((path, content))
    });
    Left { evaluations, files: files.collect() }
}

#[track_caller]
fn same(first: &Left, second: &Left) {
    assert_eq!(first.evaluations, second.evaluations);
    let names = |left: &Left| left.files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(first), names(second));
    for (path, content) in &first.files {
        assert!(content == &second.files[path], "{} has other bytes", path.display());
    }
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn every_run_leaves_the_same_bytes() {
    let mirror = mirror();
    let gold = mirror.join(QALD_8_TRAIN);
    let answers: Vec<PathBuf> =
        QALD_8_SYSTEMS.iter().map(|system| mirror.join(qald_8_answers(system, "json"))).collect();
    let first = left_by(&gold, &answers, |_| ());
    let kinds = [
        "graph/dataset/",
        "graph/submission/",
        "graph/scores/",
        "graph/measures/",
        "graph/match/",
        "graph/patterns",
    ];
    let graphs: Vec<&str> = first
        .files
        .iter()
        .filter(|(path, _)| path.starts_with("graphs"))
        .map(|(_, content)| graph_name(std::str::from_utf8(content).expect("UTF-8")))
        .collect();
    let of_kind = kinds.map(|kind| graphs.iter().filter(|name| name.contains(kind)).count());
    assert_eq!((of_kind, graphs.len()), ([1, 4, 8, 8, 8, 4], 33), "{graphs:?}");

    same(&first, &left_by(&gold, &answers, |_| ()));
    let reversed: Vec<PathBuf> = answers.iter().rev().cloned().collect();
    same(&first, &left_by(&gold, &reversed, |_| ()));
    let environment = |command: &mut assert_cmd::Command| {
        command.envs([
            ("RAYON_NUM_THREADS", "1"),
            ("TOKIO_WORKER_THREADS", "1"),
            ("LC_ALL", "tr_TR.UTF-8"),
            ("TZ", "Pacific/Chatham"),
            ("HOME", "/nonexistent"),
        ]);
    };
    same(&first, &left_by(&gold, &answers, environment));
    for threads in ["1", "2", "8"] {
        same(
            &first,
            &left_by(&gold, &answers, |command| {
                command.args(["--threads", threads]);
            }),
        );
    }
    // a copy of the inputs in another folder
    let elsewhere = tempfile::tempdir().expect("a folder");
    let copy = |path: &PathBuf| {
        let to = elsewhere.path().join(path.file_name().expect("a name"));
        fs::copy(path, &to).expect("a copy");
        to
    };
    let copied: Vec<PathBuf> = answers.iter().map(copy).collect();
    same(&first, &left_by(&copy(&gold), &copied, |_| ()));
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn a_second_run_adds_only_an_execution() {
    let mirror = mirror();
    let folder = tempfile::tempdir().expect("a folder");
    let run = || {
        let mut command = program(folder.path());
        command
            .arg("evaluate")
            .arg(mirror.join(QALD_8_TRAIN))
            .arg(mirror.join(qald_8_answers("QAKIS", "json")));
        Ran::of(&mut command).ok();
        files_below(&folder.path().join("qassay-archive"))
    };
    let (first, second) = (run(), run());
    let new: Vec<&PathBuf> = second.iter().filter(|path| !first.contains(path)).collect();
    assert!(first.iter().all(|path| second.contains(path)), "a file is gone");
    // The first run that reproduces: what such a provenance graph holds is described once.
    assert_eq!(new.len(), 4, "a provenance graph, its messages, a record, a description: {new:?}");
    let again = run();
    assert_eq!(again.len(), second.len() + 3, "a provenance graph, its messages and a record");
    assert_eq!(qassay(folder.path(), ["verify"]).code, Some(0));
}
