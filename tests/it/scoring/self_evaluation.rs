//! A gold standard against itself in the default profile: 1 in every measure of every experiment type and in every
//! group of questions, for every file of the mirror; and which experiment types a file has
//! (`tests/it/scoring/self_evaluation.tsv`).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::in_process::Program;
use crate::common::{files_below, mirror};
use qassay::profiles::rules::EXPERIMENTS;
use qassay::scoring::evaluation::Evaluation;
use qassay::sources::file::source::Source;
use qassay::sources::format::read;

/// A file against itself: its row of the table, and what is not perfect.
fn evaluate(program: &Program, mirror: &Path, file: &Path) -> Option<(String, Vec<String>)> {
    let content = fs::read(mirror.join(file)).expect("a file of the mirror");
    // What is no dataset is left to the tests of the readers.
    let (document, _) = read(&Source::from_bytes("file", content.clone()).expect("a source")).ok()?;
    if document.questions.is_empty() {
        return None;
    }
    let look = |evaluation: &Evaluation, _| (cells(evaluation), imperfections(evaluation));
    let (cells, imperfections) = program.score(&content, &content, look);
    Some((format!("{}\t{}", file.display(), cells.join("\t")), imperfections))
}

/// The questions scored in each experiment type, and why others are not: `148 gold-query-unreadable=2`; or why none is.
fn cells(evaluation: &Evaluation) -> Vec<String> {
    let cell = |name: &str| {
        let short = |code: &'static str| code.trim_start_matches("skip-");
        let Some(experiment) = evaluation.experiment(name) else {
            let skip = evaluation.skipped.iter().find(|(skipped, _)| *skipped == name);
            return skip.map_or_else(|| "not said why".to_owned(), |(_, skip)| short(skip.code()).to_owned());
        };
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, skip) in experiment.skips() {
            *reasons.entry(short(skip.code())).or_default() += 1;
        }
        let scored = experiment.results.iter().flatten().count();
        let reasons = reasons.iter().map(|(reason, count)| format!(" {reason}={count}"));
        format!("{scored}{}", reasons.collect::<String>())
    };
    EXPERIMENTS.into_iter().map(cell).collect()
}

/// Where a file against itself is not perfect.
fn imperfections(evaluation: &Evaluation) -> Vec<String> {
    let mut found = Vec::new();
    for experiment in &evaluation.experiments {
        for group in &experiment.groups {
            for (metric, value) in &group.metrics {
                let value = value.as_ref().map(|value| value.value.to_decimal());
                let is_perfect = match metric.to_string().as_str() {
                    "falsePositiveCount" | "falseNegativeCount" | "missingCount" => {
                        value.as_deref() == Some("0")
                    }
                    "questionCount" | "answeredCount" | "emptyCount" | "errorCount" | "truePositiveCount"
                    | "meanResponseTime" => true,
                    // there are no classes
                    hierarchical if hierarchical.starts_with("hierarchical") => value.is_none(),
                    _ => value.as_deref() == Some("1"),
                };
                if !is_perfect {
                    let name = experiment.name();
                    found.push(format!("{name} {} {metric}: {}", group.name, value.unwrap_or_default()));
                }
            }
        }
        for (question, result) in evaluation.dataset.document.questions.iter().zip(&experiment.results) {
            let Some(result) = result else { continue };
            if result.counts.matched != result.counts.gold || result.counts.matched != result.counts.system {
                found.push(format!("{} question {}: {:?}", experiment.name(), question.key, result.counts));
            }
        }
    }
    found
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn every_file_against_itself_is_perfect_in_every_experiment_type() {
    let mirror = mirror();
    let known = |path: &Path| path.extension().is_some_and(|ending| ending == "json" || ending == "xml");
    let files: Vec<_> = files_below(&mirror).into_iter().filter(|path| known(path)).collect();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let work = || {
        let program = Program::new("qassay", None, &[]);
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Some(of_file) = evaluate(&program, &mirror, file) {
                found.lock().expect("no thread panics").insert(file, of_file);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(work);
        }
    });
    let found = found.into_inner().expect("no thread panics");

    let mut table = format!("file\t{}\n", EXPERIMENTS.join("\t"));
    let mut imperfect = Vec::new();
    for (file, (row, problems)) in found {
        table.push_str(&row);
        table.push('\n');
        if !problems.is_empty() {
            let shown = problems.iter().take(5).cloned().collect::<Vec<_>>().join("\n  ");
            imperfect.push(format!("{}: {} values\n  {shown}", file.display(), problems.len()));
        }
    }
    let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join("self_evaluation.tsv");
    fs::write(&to, &table).expect("the table of this run");
    assert!(imperfect.is_empty(), "{} files:\n{}", imperfect.len(), imperfect.join("\n"));

    let ours: Vec<&str> = table.lines().collect();
    let theirs: Vec<&str> = include_str!("self_evaluation.tsv").lines().collect();
    let lost = theirs.iter().filter(|row| !ours.contains(row)).map(|row| format!("- {row}"));
    let new = ours.iter().filter(|row| !theirs.contains(row)).map(|row| format!("+ {row}"));
    let different: Vec<String> = lost.chain(new).collect();
    assert!(
        different.is_empty(),
        "other experiment types than in tests/it/scoring/self_evaluation.tsv (the table of this run is {}):\n{}",
        to.display(),
        different.join("\n")
    );
}
