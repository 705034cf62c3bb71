//! Comparing evaluations beside making them: real systems, and many generated ones, by every method.

use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{self, Cost};
use crate::{Effort, generate, has_mirror, in_mirror, qassay};

/// A real dataset and the answers of four systems; `*` is the one folder that is there.
pub(crate) const QALD_8: (&str, [&str; 4]) = (
    "ag-sc/QALD/*/8/data/qald-8-train-multilingual.json",
    [
        "AKSW/NLIWOD/*/qa.ml/src/main/resources/QALD8Answers/AskNow_QALD8_Train.json",
        "AKSW/NLIWOD/*/qa.ml/src/main/resources/QALD8Answers/GANSWER2_QALD8_Train.json",
        "AKSW/NLIWOD/*/qa.ml/src/main/resources/QALD8Answers/QAKIS_QALD8_Train.json",
        "AKSW/NLIWOD/*/qa.ml/src/main/resources/QALD8Answers/TeBaQA_QALD8_Train.json",
    ],
);

/// Generated systems and their questions.
const SYSTEMS: u64 = 20;
const QUESTIONS: u64 = 1000;

/// Measures of each kind: a mean, a share, a function of sums.
const MEASURES: &str = "macroF1,exactMatch,microF1";

/// Every part that does not need several datasets, profiles or gold answers.
const PARTS: &str = "matrix,pairs,ranks,oracle,items";

/// Prints a row a set of systems and a way to compare them.
pub(crate) fn print(effort: Effort, scratch: &Path) -> Result<(), Box<dyn Error>> {
    println!(
        "| systems × questions | comparison | evaluating, CPU s / s | comparing, CPU s / s | comparing ÷ evaluating, CPU / wall |"
    );
    println!("|---|---|--:|--:|--:|");
    if has_mirror() {
        let (gold, answers) = QALD_8;
        let files: Option<Vec<PathBuf>> = [gold].into_iter().chain(answers).map(in_mirror).collect();
        match files {
            Some(files) => rows(effort.turns + 4, "QALD-8 train, 4 × 219", &files, &scratch.join("real"))?,
            None => println!("MISSING: QALD-8 train with four systems"),
        }
    }
    let folder = scratch.join("generated");
    fs::create_dir(&folder)?;
    let answers = (0..SYSTEMS).map(|system| generate::files(&folder, QUESTIONS, system));
    let answers: Vec<PathBuf> =
        answers.map(|files| files.map(|files| files.answers)).collect::<io::Result<_>>()?;
    let files = [vec![folder.join("gold.json")], answers].concat();
    rows(effort.long_turns(), "generated, 20 × 1000", &files, &folder)
}

/// The evaluations of files of answers after that of a dataset, compared in each way.
fn rows(turns: usize, what: &str, files: &[PathBuf], folder: &Path) -> Result<(), Box<dyn Error>> {
    let archive = folder.join("archive");
    let evaluating = process::median(
        turns,
        || process::remove(&archive),
        || with_archive(&["evaluate", "--experiment", "QA"], files, &archive),
    )?;
    let ways: [(&str, &[&str]); 3] = [
        ("headline measure, as printed by default", &[]),
        ("three measures, all parts but groups", &["--measure", MEASURES, "--show", PARTS]),
        ("three measures, all parts, groups", &["--measure", MEASURES, "--show", PARTS, "--groups"]),
    ];
    for (way, options) in ways {
        let words = [&["compare"], options].concat();
        let comparing = process::median(turns, || Ok(()), || with_archive(&words, &[], &archive))?;
        row(what, way, evaluating, comparing);
    }
    Ok(())
}

fn with_archive(words: &[&str], files: &[PathBuf], archive: &Path) -> Command {
    let mut command = qassay();
    command.args(words).args(files).arg("--archive").arg(archive);
    command
}

fn row(what: &str, way: &str, evaluating: Cost, comparing: Cost) {
    println!(
        "| {what} | {way} | {:.2} / {:.2} | {:.2} / {:.2} | {:.2} / {:.2} |",
        evaluating.cpu,
        evaluating.wall,
        comparing.cpu,
        comparing.wall,
        comparing.cpu / evaluating.cpu,
        comparing.wall / evaluating.wall,
    );
}
