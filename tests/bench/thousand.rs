//! An archive of a thousand evaluations of 200 questions: what is asked of it, and what checking it costs.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{self, Cost};
use crate::{Effort, generate, load, qassay};

/// Questions of an evaluation.
const QUESTIONS: u64 = 200;
/// Evaluations of the archive.
const EVALUATIONS: u64 = 1000;
/// Systems in one run of the program.
const AT_ONCE: u64 = 100;
/// Evaluations whose graphs are all loaded: those of all do not fit into the memory of most machines.
const LOADED: u64 = 100;

/// A query over headline values that is none of the canned ones.
const HEADLINE: &str = "SELECT ?type (MAX(?value) AS ?best) WHERE { ?a qassay:experimentType ?type ; qassay:questionGroup code:group-all ; \
     qassay:metric code:microF1 ; qassay:value ?value } GROUP BY ?type";
/// A query that looks at everything.
const SCAN: &str = "SELECT (COUNT(*) AS ?statements) WHERE { ?s ?p ?o }";

/// Prints what is asked of the archive.
pub(crate) fn print(effort: Effort, scratch: &Path) -> Result<(), Box<dyn Error>> {
    let answers = files(scratch)?;
    let gold = scratch.join("gold.json");
    let archive = scratch.join("archive");
    let mut evaluating = Cost::default();
    for systems in answers.chunks(usize::try_from(AT_ONCE)?) {
        let (cost, _) = process::run(evaluate(&gold, systems).arg("--archive").arg(&archive))?;
        evaluating.cpu += cost.cpu;
        evaluating.peak = evaluating.peak.max(cost.peak);
    }
    println!("{EVALUATIONS} evaluations of {QUESTIONS} questions, six types:\n");
    println!("| what | s, median | CPU s | MB of memory | ÷ |\n|---|--:|--:|--:|--:|");
    let row = |what: &str, cost: Cost, ratio: String| {
        println!("| {what} | {:.2} | {:.2} | {:.0} | {ratio} |", cost.wall, cost.cpu, cost.peak / 1e6);
    };
    let turns = effort.turns + 2;
    let asked = |words: &[&str], turns, archive: &Path| {
        process::median(
            turns,
            || Ok(()),
            || {
                let mut command = qassay();
                command.args(words).arg("--archive").arg(archive);
                command
            },
        )
    };
    row("`list`, the first time", asked(&["list"], 1, &archive)?, String::new());
    row("`list`", asked(&["list"], turns, &archive)?, String::new());
    row("`query leaderboard`", asked(&["query", "leaderboard"], turns, &archive)?, String::new());
    let headline = scratch.join("headline.rq");
    fs::write(&headline, HEADLINE)?;
    let headline = headline.display().to_string();
    row("a headline query, the first time", asked(&["query", &headline], 1, &archive)?, String::new());
    row("a headline query", asked(&["query", &headline], effort.turns, &archive)?, String::new());
    let verifying = asked(&["verify"], 1, &archive)?;
    row("`verify` ÷ evaluating", verifying, format!("{:.2}", verifying.cpu / evaluating.cpu));
    let received = process::bytes(&archive.join("files"))?;
    let made = process::bytes(&archive)? - received;
    println!(
        "| archive: {:.0} MB, {:.0} kB an evaluation, beside {:.0} MB of files as received | | | | |",
        made / 1e6,
        made / EVALUATIONS as f64 / 1e3,
        received / 1e6
    );
    scanned(effort, (&gold, &answers), scratch)
}

/// A full scan of some evaluations beside loading their quads.
fn scanned(
    effort: Effort,
    (gold, answers): (&Path, &[PathBuf]),
    scratch: &Path,
) -> Result<(), Box<dyn Error>> {
    let archive = scratch.join("some");
    process::run(evaluate(gold, &answers[..usize::try_from(LOADED)?]).arg("--archive").arg(&archive))?;
    let query = scratch.join("scan.rq");
    fs::write(&query, SCAN)?;
    let scan = process::median(
        effort.long_turns(),
        || Ok(()),
        || {
            let mut command = qassay();
            command.arg("query").arg(&query).args(["--timeout", "600"]).arg("--archive").arg(&archive);
            command
        },
    )?;
    let load = load::measure(&archive, |_| true)?;
    println!(
        "| a full scan of {LOADED} evaluations ÷ bulk loading their {:.1} million quads from N-Quads | {:.2} | {:.2} | {:.0} | {:.2} |",
        load.quads / 1e6,
        scan.wall,
        scan.cpu,
        scan.peak / 1e6,
        scan.cpu / load.whole.cpu,
    );
    Ok(())
}

fn evaluate(gold: &Path, systems: &[PathBuf]) -> Command {
    let mut command = qassay();
    command.arg("evaluate").arg(gold).args(systems);
    command
}

/// The files of answers, beside that of the gold answers.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let all =
        (0..EVALUATIONS).map(|system| generate::files(folder, QUESTIONS, system).map(|files| files.answers));
    Ok(all.collect::<Result<_, _>>()?)
}
