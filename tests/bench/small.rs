//! Real files: the CPU time of the whole program beside that of a Python script that does the least.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::process;

/// Name, dataset and answers in the mirror; `*` is the one folder that is there.
const CASES: [(&str, &str, &str); 2] = [
    (
        "QALD-9 test, KGQAn",
        "ag-sc/QALD/*/9/data/qald-9-test-multilingual.json",
        "CoDS-GCS/KGQAn/*/src/evaluation/best_results_of_all_time/_F134_v1_e15-VLDB2020/KGQAn_result_20200401-205438.json",
    ),
    (
        "QALD-8 train, GANSWER2",
        "ag-sc/QALD/*/8/data/qald-8-train-multilingual.json",
        "AKSW/NLIWOD/*/qa.ml/src/main/resources/QALD8Answers/GANSWER2_QALD8_Train.json",
    ),
];

/// No system's answers to this dataset are published: its own gold answers without their first rows stand in.
const DERIVED: &str = "ag-sc/QALD/*/9/data/qald-9-train-multilingual.json";

/// One row of the comparison: CPU seconds.
pub(crate) struct Comparison {
    pub(crate) name: String,
    pub(crate) python: f64,
    pub(crate) without_archive: f64,
    pub(crate) with_archive: f64,
    /// All six experiment types, with archive.
    pub(crate) six: f64,
}

/// Compares on the files of the mirror; nothing where there is no mirror.
pub(crate) fn compare(scratch: &Path) -> io::Result<Vec<Comparison>> {
    let shared = std::env::var_os("QASSAY_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    let mirror = shared.join("data/mirror");
    let mut comparisons = Vec::new();
    for (name, gold, answers) in CASES {
        if let (Some(gold), Some(answers)) = (find(&mirror, gold), find(&mirror, answers)) {
            comparisons.push(one(name, &gold, &answers, scratch)?);
        }
    }
    if let Some(gold) = find(&mirror, DERIVED) {
        let answers = scratch.join("derived.json");
        fs::write(&answers, without_first_rows(&fs::read(&gold)?)?)?;
        comparisons.push(one("QALD-9 train, gold without first rows", &gold, &answers, scratch)?);
    }
    Ok(comparisons)
}

fn one(name: &str, gold: &Path, answers: &Path, scratch: &Path) -> io::Result<Comparison> {
    let qassay = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_qassay"));
        command.args(["evaluate", "--profile", "qassay"]).args([gold, answers]);
        command
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench/python_baseline.py");
    let archive = scratch.join("small-archive");
    Ok(Comparison {
        name: name.to_owned(),
        python: process::smallest_cpu(Command::new(python()?).arg(script).args([gold, answers]))?,
        without_archive: process::smallest_cpu(qassay().args(["--experiment", "QA", "--no-archive"]))?,
        with_archive: process::smallest_cpu(
            qassay().args(["--experiment", "QA", "--archive"]).arg(archive.join("qa")),
        )?,
        six: process::smallest_cpu(qassay().arg("--archive").arg(archive.join("six")))?,
    })
}

/// The interpreter itself: what is called `python3` may be a shell script that looks for it.
fn python() -> io::Result<String> {
    let output = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The file at a path where one `*` stands for one folder.
fn find(mirror: &Path, pattern: &str) -> Option<PathBuf> {
    let (before, after) = pattern.split_once("*/")?;
    let mut folders = fs::read_dir(mirror.join(before)).ok()?.flatten();
    folders.find_map(|folder| Some(folder.path().join(after)).filter(|path| path.is_file()))
}

fn without_first_rows(gold: &[u8]) -> io::Result<Vec<u8>> {
    let mut document: Value = serde_json::from_slice(gold)?;
    for question in document["questions"].as_array_mut().into_iter().flatten() {
        for answer in question["answers"].as_array_mut().into_iter().flatten() {
            let rows = answer.get_mut("results").and_then(|results| results.get_mut("bindings"));
            if let Some(rows) = rows.and_then(Value::as_array_mut) {
                rows.drain(..rows.len().min(1));
            }
        }
    }
    Ok(serde_json::to_vec(&document)?)
}
