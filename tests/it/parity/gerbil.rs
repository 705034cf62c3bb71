//! The numbers that GERBIL's own classes printed for real systems on real datasets (P1 and P2 of `ontology/README.md`).

use std::collections::BTreeSet;
use std::fs;

use crate::common::gerbil::{EXPERIMENTS, MEASURES, differences};
use crate::common::{KGQAN, QALD_8_TRAIN, QALD_9_TEST_KGQAN, Ran, program, qald_8_answers, shared};
use serde_json::{Value, json};

/// GERBIL computed with 64 bits; the program prints fractions rounded to 12 digits.
const EXACT: f64 = 1e-9;

/// Every value of the fixture, the counts of every question, and no more than that.
fn same_numbers(gold: &str, answers: &str, name: &str, mode: &str) {
    let shared = shared();
    let path = shared.join(format!("specs/gerbil-fixtures/real/{name}.{mode}.json"));
    let theirs: Value = serde_json::from_slice(&fs::read(path).expect("a fixture")).expect("JSON");
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = program(folder.path());
    command.args(["evaluate", "--profile", "gerbil", "--same-as", mode, "--format", "json", "--no-archive"]);
    let mirror = shared.join("data/mirror");
    let output = Ran::of(command.arg(mirror.join(gold)).arg(mirror.join(answers))).json();
    let ours = &output["evaluations"][0];
    assert_eq!((&ours["profile"], &ours["sameAs"]), (&json!("gerbil"), &json!(mode)));

    let experiments = theirs["experiments"].as_object().expect("experiments");
    let compared: BTreeSet<&str> = experiments.keys().map(String::as_str).collect();
    assert_eq!(compared, EXPERIMENTS.map(|(theirs, _)| theirs).into(), "the experiment types of the fixture");
    let different: Vec<String> = experiments
        .iter()
        .flat_map(|(name, printed)| differences(ours, name, printed, &MEASURES, EXACT))
        .collect();
    let shown = different.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(different.is_empty(), "{} differences:\n{shown}", different.len());

    let questions = ours["experiments"]["QA"]["questions"].as_array().expect("questions");
    let ids: Vec<&Value> = questions.iter().map(|question| &question["id"]).collect();
    let published = theirs["ids"].as_array().expect("ids");
    assert_eq!(ids, published.iter().collect::<Vec<_>>(), "the same questions in the same order");
    let missing = questions.iter().filter(|question| question["status"] == "missing").count();
    assert_eq!(
        (json!(questions.len()), json!(missing)),
        (theirs["questions"].clone(), theirs["missing"].clone())
    );
}

fn p1(system: &str, mode: &str) {
    same_numbers(QALD_8_TRAIN, &qald_8_answers(system, "json"), &format!("qald8train-{system}"), mode);
}

fn p2(mode: &str) {
    same_numbers(QALD_9_TEST_KGQAN, KGQAN, "qald9test-KGQAn_result_20200401-205438", mode);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p1_asknow_none() {
    p1("AskNow", "none");
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p1_asknow_static() {
    p1("AskNow", "static");
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p1_ganswer2_none() {
    p1("GANSWER2", "none");
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p1_ganswer2_static() {
    p1("GANSWER2", "static");
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p1_qakis_none() {
    p1("QAKIS", "none");
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p1_qakis_static() {
    p1("QAKIS", "static");
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p1_tebaqa_none() {
    p1("TeBaQA", "none");
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p1_tebaqa_static() {
    p1("TeBaQA", "static");
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p2_kgqan_none() {
    p2("none");
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p2_kgqan_static() {
    p2("static");
}
