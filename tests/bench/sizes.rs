//! Generated questions, ten times as many in each row: linear, and beside loading what comes in into a store.

use std::error::Error;
use std::fs;
use std::path::Path;

use crate::process::{self, Cost};
use crate::{Effort, generate, load, qassay};

/// A store with the inputs of more questions does not fit into the memory of most machines.
const LARGEST_LOADED: u64 = 200_000;

/// An evaluation of one size.
struct Measured {
    cost: Cost,
    /// Bytes of graphs, records and summaries: all but the files as received.
    written: f64,
}

/// Prints a row a size.
pub(crate) fn print(effort: Effort, scratch: &Path) -> Result<(), Box<dyn Error>> {
    println!(
        "| questions | CPU µs a question: QA / six types | wall µs | six ÷ QA | kB of memory a question | bytes a question on disk | QA ÷ loading the inputs, parsed | six ÷ the same | six ÷ the same from N-Quads |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let mut sizes = vec![(10_000, effort.turns), (100_000, effort.long_turns())];
    sizes.extend(effort.million.then_some((1_000_000, 1)));
    for (questions, turns) in sizes {
        let folder = scratch.join(questions.to_string());
        fs::create_dir(&folder)?;
        row(questions, turns, &folder)?;
        fs::remove_dir_all(&folder)?;
    }
    Ok(())
}

fn row(questions: u64, turns: usize, folder: &Path) -> Result<(), Box<dyn Error>> {
    let files = generate::files(folder, questions, 0)?;
    let archive = folder.join("archive");
    let measure = |options: &[&str]| {
        let command = || {
            let mut command = qassay();
            command.arg("evaluate").args([&files.gold, &files.answers]).arg("--links").arg(&files.links);
            command.args(options).arg("--archive").arg(&archive);
            command
        };
        let cost = process::median(turns, || process::remove(&archive), command)?;
        let written = process::bytes(&archive)? - process::bytes(&archive.join("files"))?;
        Ok::<Measured, std::io::Error>(Measured { cost, written })
    };
    let qa = measure(&["--experiment", "QA"])?;
    let six = measure(&[])?;
    let each = |amount: f64, unit: f64| amount / questions as f64 / unit;
    print!(
        "| {questions} | {:.0} / {:.0} | {:.0} / {:.0} | {:.2} | {:.1} / {:.1} | {:.0} / {:.0} |",
        each(qa.cost.cpu, 1e-6),
        each(six.cost.cpu, 1e-6),
        each(qa.cost.wall, 1e-6),
        each(six.cost.wall, 1e-6),
        six.cost.cpu / qa.cost.cpu,
        each(qa.cost.peak, 1e3),
        each(six.cost.peak, 1e3),
        each(qa.written, 1.0),
        each(six.written, 1.0),
    );
    if questions > LARGEST_LOADED {
        println!(" – | – | – |");
        return Ok(());
    }
    let inputs = ["/graph/dataset/", "/graph/submission/", "/graph/links/"];
    let load = load::measure(&archive, |graph| inputs.iter().any(|part| graph.contains(part)))?;
    println!(
        " {:.2} | {:.2} | {:.2} |",
        qa.cost.cpu / load.cpu_parsed,
        six.cost.cpu / load.cpu_parsed,
        six.cost.cpu / load.whole.cpu
    );
    Ok(())
}
