//! A site of a thousand published evaluations of 200 questions: what writing it costs, and writing it again with one more.

use std::error::Error;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use crate::process;
use crate::{Effort, generate, qassay};

/// Questions of an evaluation.
const QUESTIONS: u64 = 200;
/// Evaluations of the sites: each has the systems of the one before. With `--quick`, the last is left out.
const SITES: [u64; 4] = [125, 250, 500, 1000];
/// Systems in one run of the program.
const AT_ONCE: usize = 100;

/// Prints what sites of several sizes cost.
pub(crate) fn print(effort: Effort, scratch: &Path) -> Result<(), Box<dyn Error>> {
    let archive = scratch.join("archive");
    let site = scratch.join("site");
    println!("Evaluations of {QUESTIONS} questions, QA, all published:\n");
    println!(
        "| evaluations | CPU s | CPU ms an evaluation | wall s | MB of memory | files | MB | again with one more: CPU s | files written | left as they were |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let left_out = usize::from(effort.is_quick);
    let mut known = 0;
    for evaluations in &SITES[..SITES.len() - left_out] {
        evaluate(scratch, &archive, known..*evaluations)?;
        known = *evaluations + 1;
        if site.exists() {
            process::remove(&site)?;
        }
        let (whole, _) = process::run(&mut publish(&archive, &site))?;
        let [files, _] = files(&site, SystemTime::UNIX_EPOCH)?;
        let bytes = process::bytes(&site)?;
        evaluate(scratch, &archive, *evaluations..known)?;
        let mark = fs::metadata(site.join("SHA256SUMS"))?.modified()?;
        let (again, _) = process::run(&mut publish(&archive, &site))?;
        let [all, written] = self::files(&site, mark)?;
        println!(
            "| {evaluations} | {:.1} | {:.0} | {:.1} | {:.0} | {files} | {:.0} | {:.1} | {written} | {} |",
            whole.cpu,
            whole.cpu / *evaluations as f64 * 1e3,
            whole.wall,
            whole.peak / 1e6,
            bytes / 1e6,
            again.cpu,
            all - written,
        );
    }
    Ok(())
}

/// Publishes all that an archive has, and writes the site.
fn publish(archive: &Path, site: &Path) -> Command {
    let mut command = qassay();
    command.args(["publish", "--all", "--creator", "Ada Lovelace <https://example.org/ada>"]);
    command.args(["--date", "2026-01-01"]);
    for input in ["dataset", "submission"] {
        command.arg("--input-licence").arg(format!("{input}=CC0-1.0"));
    }
    command.arg("--archive").arg(archive).arg("--site").arg(site);
    command
}

/// How many files there are below a folder, and how many of them were written after a time.
fn files(folder: &Path, after: SystemTime) -> io::Result<[usize; 2]> {
    let mut counts = [0, 0];
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let known = entry.metadata()?;
        let [all, written] = if known.is_dir() {
            files(&entry.path(), after)?
        } else {
            [1, usize::from(known.modified()? > after)]
        };
        counts = [counts[0] + all, counts[1] + written];
    }
    Ok(counts)
}

/// Evaluates the systems of some numbers.
pub(crate) fn evaluate(folder: &Path, archive: &Path, systems: Range<u64>) -> Result<(), Box<dyn Error>> {
    let files = systems.map(|system| generate::files(folder, QUESTIONS, system).map(|files| files.answers));
    let files: Vec<PathBuf> = files.collect::<Result<_, _>>()?;
    for some in files.chunks(AT_ONCE) {
        let mut command = qassay();
        command.arg("evaluate").arg(folder.join("gold.json")).args(some).args(["--experiment", "QA"]);
        process::run(command.arg("--archive").arg(archive))?;
    }
    Ok(())
}
