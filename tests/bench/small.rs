//! Real files: the CPU time of the whole program beside that of a Python script that does the least.

use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::{Effort, has_mirror, in_mirror, process, qassay};

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

/// What is run of each pair of files: what it is called, and the options; those without archive first.
const RUNS: [(&str, &[&str]); 5] = [
    ("QA, no archive", &["--profile", "qassay", "--experiment", "QA", "--no-archive"]),
    ("QA, archive", &["--profile", "qassay", "--experiment", "QA"]),
    ("six types, archive", &["--profile", "qassay"]),
    ("profile `gerbil`, QA, no archive", &["--profile", "gerbil", "--experiment", "QA", "--no-archive"]),
    ("profile `gerbil`, QA, archive", &["--profile", "gerbil", "--experiment", "QA"]),
];

/// The pair whose script the example is compared with.
const YARDSTICK: &str = "QALD-9 train, gold without first rows";

/// Prints a row a pair of files, and one of the example.
pub(crate) fn print(effort: Effort, scratch: &Path) -> Result<(), Box<dyn Error>> {
    if !has_mirror() {
        return Ok(());
    }
    let (rounds, runs) = if effort.is_quick { (3, 5) } else { (5, 10) };
    print!("| files; CPU time ÷ that of the Python script | Python, ms |");
    for (name, _) in RUNS {
        print!(" {name} |");
    }
    println!("\n|---|--:|{}", "--:|".repeat(RUNS.len()));
    let mut yardstick = None;
    for (name, gold, answers) in pairs(scratch)? {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench/python_baseline.py");
        let python =
            process::short_cpu(rounds, runs, Command::new(python()?).arg(script).args([&gold, &answers]))?;
        print!("| {name} | {:.0} |", python * 1e3);
        for options in RUNS.map(|(_, options)| options) {
            let cpu = cost(&[&gold, &answers], options, scratch, (rounds, runs))?;
            print!(" {:.2} |", cpu / python);
        }
        println!();
        yardstick = yardstick.or((name == YARDSTICK).then_some(python));
    }
    let Some(yardstick) = yardstick else { return Ok(()) };
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example");
    let files = ["gold.json", "aurora.json", "borealis.json"].map(|name| example.join(name));
    let links = example.join("same-as.nt");
    print!("| the README's example ÷ that script on QALD-9 train | {:.0} |", yardstick * 1e3);
    for options in RUNS.map(|(_, options)| options) {
        let options = [options, &["--links", links.to_str().unwrap_or_default()]].concat();
        let cpu = cost(&files.each_ref(), &options, scratch, (rounds, runs))?;
        print!(" {:.2} |", cpu / yardstick);
    }
    println!();
    Ok(())
}

/// CPU seconds of an evaluation; each run has an archive that is new.
fn cost(files: &[&PathBuf], options: &[&str], scratch: &Path, (rounds, runs): (u32, u32)) -> io::Result<f64> {
    let archive = scratch.join("archive");
    let mut all = Vec::new();
    for _ in 0..rounds {
        let mut sum = 0.0;
        for _ in 0..runs {
            process::remove(&archive)?;
            let mut command = qassay();
            command.arg("evaluate").args(files).args(options);
            if !options.contains(&"--no-archive") {
                command.arg("--archive").arg(&archive);
            }
            sum += process::short_cpu(1, 1, &mut command)?;
        }
        all.push(sum / f64::from(runs));
    }
    all.sort_by(f64::total_cmp);
    Ok(all[all.len() / 2])
}

/// The pairs that are here: name, dataset, answers.
fn pairs(scratch: &Path) -> io::Result<Vec<(&'static str, PathBuf, PathBuf)>> {
    let mut pairs = Vec::new();
    for (name, gold, answers) in CASES {
        match (in_mirror(gold), in_mirror(answers)) {
            (Some(gold), Some(answers)) => pairs.push((name, gold, answers)),
            _ => println!("MISSING: {name}"),
        }
    }
    if let Some(gold) = in_mirror(DERIVED) {
        let answers = scratch.join("derived.json");
        fs::write(&answers, without_first_rows(&fs::read(&gold)?)?)?;
        pairs.push((YARDSTICK, gold, answers));
    }
    Ok(pairs)
}

/// The interpreter itself: what is called `python3` may be a shell script that looks for it.
fn python() -> io::Result<String> {
    let output = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
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
