//! The tables of `qassay evaluate`: systems by metrics, groups, questions.

use super::table::{Column, Table};
use crate::graph::vocab::{code, qassay, skos};
use crate::measure::Fraction;
use crate::observe::groups::ALL;
use crate::observe::{Evaluation, Group};
use crate::ontology;
use crate::read::Severity;

/// The digits of scores in tables for people. Scripts get all digits.
pub const DIGITS_FOR_PEOPLE: u32 = 4;

/// The metrics of the overview, with headings that fit a terminal. A profile shows those that it has.
const OVERVIEW: [(&str, &str); 11] = [
    ("questionCount", "n"),
    ("answeredCount", "answered"),
    ("errorCount", "errors"),
    ("microPrecision", "micro P"),
    ("microRecall", "micro R"),
    ("microF1", "micro F1"),
    ("macroPrecision", "macro P"),
    ("macroRecall", "macro R"),
    ("macroF1", "macro F1"),
    ("macroF1Qald", "F1 QALD"),
    ("exactMatch", "exact"),
];

/// One row a system.
pub fn overview(evaluations: &[Evaluation<'_>], digits: Option<u32>) -> Table {
    let mut table = Table { title: title(evaluations), ..Table::default() };
    table.columns.push(Column::text("system", "system"));
    let several = evaluations.iter().any(|e| e.profile.name != evaluations[0].profile.name);
    if several {
        table.columns.push(Column::text("profile", "profile"));
    }
    table.columns.extend(OVERVIEW.iter().map(|(name, heading)| Column::number(heading, name)));
    for evaluation in evaluations {
        let mut row = vec![evaluation.submission.system.clone()];
        if several {
            row.push(evaluation.profile.name.clone());
        }
        let all = evaluation.group(ALL);
        row.extend(
            OVERVIEW.iter().map(|(name, _)| all.map_or_else(String::new, |group| shown(group, name, digits))),
        );
        table.rows.push(row);
    }
    table.notes.extend(issue_notes(evaluations));
    table
}

fn title(evaluations: &[Evaluation<'_>]) -> String {
    let Some(first) = evaluations.first() else { return String::new() };
    let mut profiles: Vec<&str> = evaluations.iter().map(|e| e.profile.name.as_str()).collect();
    profiles.dedup();
    let links = match evaluations.iter().map(|e| e.links.len()).max().unwrap_or_default() {
        0 => String::new(),
        1 => ", owl:sameAs links: 1 file".to_owned(),
        number => format!(", owl:sameAs links: {number} files"),
    };
    format!("{}, profile {}{links}", first.dataset.slug, profiles.join(", "))
}

/// One row a system and group.
pub fn groups(evaluations: &[Evaluation<'_>], digits: Option<u32>) -> Table {
    let mut table = Table { title: "By group of questions".to_owned(), ..Table::default() };
    table.columns = vec![
        Column::text("system", "system"),
        Column::text("profile", "profile"),
        Column::text("group", "group"),
    ];
    table.columns.extend(OVERVIEW.iter().map(|(name, heading)| Column::number(heading, name)));
    for evaluation in evaluations {
        for group in &evaluation.groups {
            let name = group.name.trim_start_matches("group-").to_owned();
            let mut row = vec![evaluation.submission.system.clone(), evaluation.profile.name.clone(), name];
            row.extend(OVERVIEW.iter().map(|(name, _)| shown(group, name, digits)));
            table.rows.push(row);
        }
    }
    table
}

/// One row a system and question.
pub fn details(evaluations: &[Evaluation<'_>], digits: Option<u32>) -> Table {
    let mut table = Table { title: "By question".to_owned(), ..Table::default() };
    table.columns = vec![
        Column::text("system", "system"),
        Column::text("profile", "profile"),
        Column::text("question", "question"),
        Column::text("status", "status"),
    ];
    for name in ["tp", "fp", "fn", "precision", "recall", "f1"] {
        table.columns.push(Column::number(name, name));
    }
    for evaluation in evaluations {
        for (question, result) in evaluation.dataset.document.questions.iter().zip(&evaluation.results) {
            let score = |value: &Fraction| number(value, digits);
            table.rows.push(vec![
                evaluation.submission.system.clone(),
                evaluation.profile.name.clone(),
                question.key.clone(),
                result.status.name().to_owned(),
                result.counts.true_positives().to_string(),
                result.counts.false_positives().to_string(),
                result.counts.false_negatives().to_string(),
                score(&result.scores.precision),
                score(&result.scores.recall),
                score(&result.scores.f1),
            ]);
        }
    }
    table
}

/// The value of a metric that a profile may have under another concept (`qassay:shownAs`).
pub(super) fn metric_value<'a>(group: &'a Group, shown_as: &str) -> Option<&'a Fraction> {
    group.value(shown_as).or_else(|| {
        let stands_in = group.metrics.iter().find(|(name, _)| shown_name(name) == shown_as);
        stands_in.and_then(|(name, _)| group.value(name))
    })
}

/// The name that scripts and tables use for a metric.
pub(super) fn shown_name(metric: &str) -> String {
    let concept = code::iri(metric);
    let facts = ontology::terms();
    let shown_as = facts.text(&concept, &format!("{}shownAs", qassay::NAMESPACE));
    shown_as.or_else(|| facts.text(&concept, skos::NOTATION)).unwrap_or(metric).to_owned()
}

fn shown(group: &Group, metric: &str, digits: Option<u32>) -> String {
    let is_count = metric.ends_with("Count");
    match metric_value(group, metric) {
        Some(value) if is_count => value.to_decimal(),
        Some(value) => number(value, digits),
        None => "-".to_owned(),
    }
}

/// A score for people (four digits) or for scripts (all digits).
fn number(value: &Fraction, digits: Option<u32>) -> String {
    match digits {
        Some(digits) => value.to_fixed(digits),
        None => value.to_decimal(),
    }
}

/// What is odd about the inputs, issue by issue.
pub fn issues(evaluations: &[Evaluation<'_>]) -> Table {
    let mut table = Table { title: "Issues".to_owned(), ..Table::default() };
    table.columns = ["severity", "issue", "file", "place", "message"]
        .map(|heading| Column::text(heading, heading))
        .to_vec();
    for evaluation in evaluations {
        let inputs = std::iter::once(&evaluation.dataset.source)
            .chain(std::iter::once(&evaluation.submission.source))
            .chain(evaluation.links.iter().map(|links| &links.source));
        let names: Vec<(&str, &str)> = inputs.map(|source| (source.sha256(), source.file_name())).collect();
        for (file, issue) in evaluation.issues() {
            let name = names.iter().find(|(sha256, _)| *sha256 == file).map_or(file, |(_, name)| *name);
            let row =
                [issue.severity().name(), issue.code.name(), name, &issue.place.to_string(), &issue.message]
                    .map(str::to_owned)
                    .to_vec();
            if !table.rows.contains(&row) {
                table.rows.push(row);
            }
        }
    }
    table
}

/// How many issues each system's run met.
fn issue_notes(evaluations: &[Evaluation<'_>]) -> Vec<String> {
    let plural = |number: usize, word: &str| format!("{number} {word}{}", if number == 1 { "" } else { "s" });
    let mut notes: Vec<String> = Vec::new();
    for evaluation in evaluations {
        let count = |severity| evaluation.issues().filter(|(_, issue)| issue.severity() == severity).count();
        let [errors, warnings] = [Severity::Error, Severity::Warning].map(count);
        let (errors, warnings) = (plural(errors, "error"), plural(warnings, "warning"));
        let note =
            format!("input of {}: {errors}, {warnings}; `--issues` lists them", evaluation.submission.system);
        let is_clean = errors.starts_with("0 ") && warnings.starts_with("0 ");
        // Several profiles read the same files.
        if !is_clean && !notes.contains(&note) {
            notes.push(note);
        }
    }
    notes
}
