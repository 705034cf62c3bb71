//! What an evaluation costs, as ratios of one run: `cargo bench --bench evaluation -- [QUESTIONS] [--full]`.
//!
//! The program is run as users run it, in a process of its own, and compared with loading the same quads into an
//! Oxigraph store and with a Python script that does the least. Linux only: costs come from `/proc`.
//! Bounds: at most twice the time of loading, at most 12 kB of memory per question, linear, less CPU than Python.
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(clippy::cast_precision_loss, reason = "ratios of measured numbers")]

mod generate;
mod load;
mod process;
mod small;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

use process::Cost;

/// A store with the graphs of more questions does not fit into the memory of most machines.
const LARGEST_LOADED: u64 = 200_000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [command, mode, files @ ..] = &arguments[..]
        && command == load::COMMAND
    {
        println!("{}", load::child(mode, files)?);
        return Ok(());
    }
    let questions = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(100_000);
    let full = arguments.iter().any(|argument| argument == "--full");
    let scratch = tempfile::tempdir()?;
    let mut sizes = vec![questions / 10, questions];
    sizes.extend(full.then_some(questions * 10));
    beside_loading(&sizes, scratch.path())?;
    beside_python(scratch.path())
}

/// One generated evaluation.
struct Run {
    questions: u64,
    cost: Cost,
    /// The same with the experiment type QA alone.
    answers_only: Cost,
    archive: PathBuf,
}

fn evaluate(questions: u64, scratch: &Path) -> Result<Run, Box<dyn Error>> {
    let folder = scratch.join(questions.to_string());
    std::fs::create_dir(&folder)?;
    let files = generate::files(&folder, questions)?;
    let command = |archive: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_qassay"));
        command.arg("--quiet").arg("evaluate").args([&files.gold, &files.answers]);
        command.arg("--links").arg(&files.links).arg("--archive").arg(archive);
        command
    };
    let other = folder.join("answers-only");
    let (answers_only, _) = process::run(command(&other).args(["--experiment", "QA"]))?;
    std::fs::remove_dir_all(&other)?;
    let archive = folder.join("archive");
    let (cost, _) = process::run(&mut command(&archive))?;
    Ok(Run { questions, cost, answers_only, archive })
}

fn beside_loading(sizes: &[u64], scratch: &Path) -> Result<(), Box<dyn Error>> {
    println!(
        "| questions | step | quads | CPU µs per question | wall µs | kB per question | CPU evaluation ÷ this |"
    );
    println!("|--:|---|--:|--:|--:|--:|--:|");
    for &questions in sizes {
        let run = evaluate(questions, scratch)?;
        let own = run.cost;
        row(&run, "evaluation, six experiment types, files written", None, own);
        row(&run, "evaluation, QA alone, files written", Some(0.0), run.answers_only);
        if questions > LARGEST_LOADED {
            std::fs::remove_dir_all(scratch.join(questions.to_string()))?;
            continue;
        }
        let inputs = ["/graph/dataset/", "/graph/submission/", "/graph/links/"];
        let is_input = |graph: &str| inputs.iter().any(|part| graph.contains(part));
        beside(&run, "dataset, answers and links", load::measure(&run.archive, is_input)?);
        let is_content = |graph: &str| !graph.contains("/graph/prov/");
        beside(&run, "all its graphs", load::measure(&run.archive, is_content)?);
        std::fs::remove_dir_all(scratch.join(questions.to_string()))?;
    }
    Ok(())
}

fn beside(run: &Run, what: &str, load: load::Load) {
    row(run, &format!("bulk load of {what}: N-Quads"), Some(load.quads), load.whole);
    let parsed = Cost { cpu: load.cpu_parsed, ..Cost::default() };
    row(run, &format!("bulk load of {what}: parsed quads"), Some(load.quads), parsed);
}

fn row(run: &Run, step: &str, quads: Option<f64>, cost: Cost) {
    let each = |amount: f64, unit: f64| match amount / run.questions as f64 / unit {
        0.0 => String::new(),
        amount => format!("{amount:.1}"),
    };
    let quads = quads.map_or_else(String::new, |quads| format!("{quads:.0}"));
    let ratio = if quads.is_empty() { String::new() } else { format!("{:.2}", run.cost.cpu / cost.cpu) };
    println!(
        "| {} | {step} | {quads} | {} | {} | {} | {ratio} |",
        run.questions,
        each(cost.cpu, 1e-6),
        each(cost.wall, 1e-6),
        each(cost.peak, 1e3),
    );
}

fn beside_python(scratch: &Path) -> Result<(), Box<dyn Error>> {
    let comparisons = small::compare(scratch)?;
    if comparisons.is_empty() {
        println!("\nSKIPPED: no real files in ../shared/data/mirror");
        return Ok(());
    }
    println!(
        "\n| real files | Python, CPU ms | qassay, QA alone | ratio | the same with archive | ratio | six experiment types with archive | ÷ QA alone |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
    for small::Comparison { name, python, without_archive, with_archive, six } in comparisons {
        println!(
            "| {name} | {:.0} | {:.0} | {:.2} | {:.0} | {:.2} | {:.0} | {:.2} |",
            python * 1e3,
            without_archive * 1e3,
            without_archive / python,
            with_archive * 1e3,
            with_archive / python,
            six * 1e3,
            six / with_archive,
        );
    }
    Ok(())
}
