//! Rankings of a hundred documents a query, beside `pytrec_eval`, which reads the same files and computes the same means.

use std::error::Error;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::generate::Random;
use crate::{Effort, process, qassay};

/// Documents of a query.
const DOCUMENTS: u64 = 100;

/// Prints a row a size.
pub(crate) fn print(effort: Effort, scratch: &Path) -> Result<(), Box<dyn Error>> {
    let python = python();
    if python.is_none() {
        println!("MISSING: pytrec_eval, which cannot be installed here: nothing to compare with");
    }
    println!(
        "| queries × {DOCUMENTS} documents | pytrec_eval, CPU s | no archive ÷ pytrec_eval | archive ÷ the same | CPU µs a query, no archive | kB of memory a query: no archive / archive | bytes a query on disk |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|");
    for (queries, turns) in [(10_000, effort.turns), (100_000, 1)] {
        let (judged, run) = files(scratch, queries)?;
        let archive = scratch.join("archive");
        let command = || {
            let mut command = qassay();
            command.arg("evaluate").args([&judged, &run]).args(["--profile", "trec"]);
            command
        };
        let without = process::median(
            turns,
            || Ok(()),
            || {
                let mut command = command();
                command.arg("--no-archive");
                command
            },
        )?;
        let with = process::median(
            turns,
            || process::remove(&archive),
            || {
                let mut command = command();
                command.arg("--archive").arg(&archive);
                command
            },
        )?;
        let written = process::bytes(&archive)? - process::bytes(&archive.join("files"))?;
        let theirs = match &python {
            Some(python) => Some(process::median(
                turns,
                || Ok(()),
                || {
                    let mut command = Command::new(python);
                    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench/pytrec.py");
                    command.arg(script).args([&judged, &run]);
                    command
                },
            )?),
            None => None,
        };
        let ratio = |cpu: f64| theirs.map_or("–".to_owned(), |theirs| format!("{:.2}", cpu / theirs.cpu));
        let each = |amount: f64, unit: f64| amount / queries as f64 / unit;
        println!(
            "| {queries} | {} | {} | {} | {:.0} | {:.1} / {:.1} | {:.0} |",
            theirs.map_or("–".to_owned(), |theirs| format!("{:.1}", theirs.cpu)),
            ratio(without.cpu),
            ratio(with.cpu),
            each(without.cpu, 1e-6),
            each(without.peak, 1e3),
            each(with.peak, 1e3),
            each(written, 1.0),
        );
        process::remove(&archive)?;
    }
    Ok(())
}

/// Judgements and a run as `trec_eval` reads them: a tenth of the documents is judged, a third of these relevant.
fn files(folder: &Path, queries: u64) -> io::Result<(PathBuf, PathBuf)> {
    let (judged, run) = (folder.join("judged.qrels"), folder.join("system.run"));
    let create = |path: &Path| Ok::<_, io::Error>(BufWriter::with_capacity(1 << 20, File::create(path)?));
    let (mut judgements, mut ranking) = (create(&judged)?, create(&run)?);
    let mut random = Random(20_260_101);
    for query in 0..queries {
        for rank in 0..DOCUMENTS {
            let document = query * 37 % 90_000 + rank * 11;
            if rank % 10 == query % 10 {
                let grade = u64::from(random.below(3) == 0 || rank < 10);
                writeln!(judgements, "q{query} 0 d{document} {grade}")?;
            }
            let score = (DOCUMENTS - rank) * 1000 + random.below(1000);
            writeln!(ranking, "q{query} Q0 d{document} {} {score} generated", rank + 1)?;
        }
    }
    judgements.flush()?;
    ranking.flush()?;
    Ok((judged, run))
}

/// A Python that has `pytrec_eval` (as `pytrec-eval-terrier`, the same with its C code), in a folder of its own.
fn python() -> Option<PathBuf> {
    let folder = std::env::temp_dir().join("qassay-bench-venv");
    let python = folder.join("bin/python");
    let runs = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
    let has = || runs(Command::new(&python).args(["-c", "import pytrec_eval"]));
    let install = || {
        runs(Command::new("python3").args(["-m", "venv"]).arg(&folder))
            && runs(Command::new(&python).args(["-m", "pip", "install", "--quiet", "pytrec-eval-terrier"]))
            && has()
    };
    (has() || install()).then_some(python)
}
