//! A gold standard against itself in the default profile: 1 in every measure of every experiment type and in every
//! group of questions, for every file of the mirror; and which experiment types a file has (`self_evaluation.tsv`).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use libtest_mimic::Failed;
use qassay::profiles::rules::EXPERIMENTS;
use qassay::scoring::evaluation::Evaluation;
use qassay::sources::file::source::Source;
use qassay::sources::format::read;

use crate::common::in_process::Program;
use crate::table::Table;

/// The experiment types of each dataset.
pub(crate) const TABLE: Table =
    Table { name: "self_evaluation", text: include_str!("self_evaluation.tsv"), columns };

/// A file against itself. What is no dataset is left to the tests of the readers.
fn columns(path: &Path) -> Result<Option<String>, Failed> {
    let content = fs::read(path)?;
    let is_known = path.extension().is_some_and(|ending| ending == "json" || ending == "xml");
    let has_questions = |source| read(&source).is_ok_and(|(document, _)| !document.questions.is_empty());
    if !is_known || !has_questions(Source::from_bytes("file", content.clone())?) {
        return Ok(None);
    }
    let look = |evaluation: &Evaluation, _| (cells(evaluation), imperfections(evaluation));
    let (cells, imperfections) = Program::new("qassay", None, &[]).score(&content, &content, look);
    if imperfections.is_empty() {
        return Ok(Some(cells.join("\t")));
    }
    let shown = imperfections.iter().take(5).cloned().collect::<Vec<_>>().join("\n  ");
    Err(format!("{} values are not perfect\n  {shown}", imperfections.len()).into())
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
        for (question, result) in evaluation.cases.dataset.document.questions.iter().zip(&experiment.results)
        {
            let Some(result) = result else { continue };
            if result.counts.matched != result.counts.gold || result.counts.matched != result.counts.system {
                found.push(format!("{} question {}: {:?}", experiment.name(), question.key, result.counts));
            }
        }
    }
    found
}
