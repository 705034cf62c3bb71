//! The tables of `qassay evaluate`: systems by metrics, groups, questions.

use super::table::{Column, Table};
use std::collections::BTreeMap;

use crate::gerbil::same_as::Mode;
use crate::graph::vocab::{code, qassay, skos};
use crate::matching::Skip;
use crate::measure::{Fraction, QuestionResult, Value};
use crate::observe::groups::ALL;
use crate::observe::{Evaluation, Experiment, Group};
use crate::ontology;
use crate::profile::EXPERIMENTS;
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

/// The parts of items that have measures of their own: the prefix of their metrics, and their name.
const PARTS: [(&str, &str); 3] = [("inKb", "InKB"), ("ee", "EE"), ("hierarchical", "hierarchical")];

/// One row a system and experiment type, and one for each part of the items that has measures of its own.
pub fn overview(evaluations: &[Evaluation<'_>], digits: Option<u32>) -> Table {
    let mut table = Table { title: title(evaluations), ..Table::default() };
    let shape = Shape::of(evaluations);
    table.columns = shape.columns();
    table.columns.extend(OVERVIEW.iter().map(|(name, heading)| Column::number(heading, name)));
    // The rows of one system and experiment type stand together, so that profiles can be compared.
    let mut scored: Vec<(&Evaluation<'_>, &Experiment<'_>)> =
        evaluations.iter().flat_map(|e| e.experiments.iter().map(move |x| (e, x))).collect();
    let submission = |iri: &str| evaluations.iter().position(|e| e.submission.iri == iri);
    let experiment = |name: &str| EXPERIMENTS.iter().position(|known| *known == name);
    scored.sort_by_key(|(e, x)| (submission(&e.submission.iri), experiment(x.name())));
    for (evaluation, experiment) in scored {
        table.rows.extend(overview_rows(&shape, evaluation, experiment, Style::of(evaluation, digits)));
    }
    table.notes.extend(skip_notes(evaluations));
    table.notes.extend(issue_notes(evaluations));
    table
}

fn overview_rows(
    shape: &Shape,
    evaluation: &Evaluation<'_>,
    experiment: &Experiment<'_>,
    style: Style,
) -> Vec<Vec<String>> {
    let Some(all) = experiment.group(ALL) else { return Vec::new() };
    let mut row = shape.cells(evaluation, experiment.name());
    row.extend(OVERVIEW.iter().map(|(name, _)| shown(all, name, style)));
    let mut rows = vec![row];
    for (prefix, name) in PARTS {
        let is_defined =
            |(metric, value): &(String, Option<Value>)| metric.starts_with(prefix) && value.is_some();
        if all.metrics.iter().any(is_defined) {
            let mut row = shape.cells(evaluation, &format!("{} {name}", experiment.name()));
            row.extend(OVERVIEW.iter().map(|(metric, _)| part_metric(all, prefix, metric, style)));
            rows.push(row);
        }
    }
    rows
}

/// What stands before the numbers of a row.
struct Shape {
    several_profiles: bool,
    several_experiments: bool,
}

impl Shape {
    fn of(evaluations: &[Evaluation<'_>]) -> Self {
        let first = evaluations.first().map(|evaluation| evaluation.profile().name.as_str());
        Self {
            several_profiles: evaluations.iter().any(|e| Some(e.profile().name.as_str()) != first),
            several_experiments: evaluations.iter().any(|e| e.experiments.len() > 1),
        }
    }

    fn columns(&self) -> Vec<Column> {
        let mut columns = vec![Column::text("system", "system")];
        columns.extend(self.several_profiles.then(|| Column::text("profile", "profile")));
        columns.extend(self.several_experiments.then(|| Column::text("experiment", "experiment")));
        columns
    }

    fn cells(&self, evaluation: &Evaluation<'_>, experiment: &str) -> Vec<String> {
        let mut cells = vec![evaluation.submission.system.clone()];
        cells.extend(self.several_profiles.then(|| evaluation.profile().name.clone()));
        cells.extend(self.several_experiments.then(|| experiment.to_owned()));
        cells
    }
}

fn title(evaluations: &[Evaluation<'_>]) -> String {
    let Some(first) = evaluations.first() else { return String::new() };
    let mut profiles: Vec<&str> = evaluations.iter().map(|e| e.profile().name.as_str()).collect();
    profiles.dedup();
    let links = match evaluations.iter().map(|e| e.links().count()).max().unwrap_or_default() {
        0 => String::new(),
        1 => ", owl:sameAs links: 1 file".to_owned(),
        number => format!(", owl:sameAs links: {number} files"),
    };
    let mut modes: Vec<&str> =
        evaluations.iter().filter_map(|e| e.prepared.same_as).map(Mode::name).collect();
    modes.dedup();
    let modes = if modes.is_empty() { String::new() } else { format!(", sameAs {}", modes.join(", ")) };
    format!("{}, profile {}{modes}{links}", first.dataset.slug, profiles.join(", "))
}

/// One row a system, experiment type and group.
pub fn groups(evaluations: &[Evaluation<'_>], digits: Option<u32>) -> Table {
    let mut table = Table { title: "By group of questions".to_owned(), ..Table::default() };
    let shape = Shape { several_profiles: true, ..Shape::of(evaluations) };
    table.columns = shape.columns();
    table.columns.push(Column::text("group", "group"));
    table.columns.extend(OVERVIEW.iter().map(|(name, heading)| Column::number(heading, name)));
    for evaluation in evaluations {
        let style = Style::of(evaluation, digits);
        for experiment in &evaluation.experiments {
            for group in &experiment.groups {
                let mut row = shape.cells(evaluation, experiment.name());
                row.push(group.name.trim_start_matches("group-").to_owned());
                row.extend(OVERVIEW.iter().map(|(name, _)| shown(group, name, style)));
                table.rows.push(row);
            }
        }
    }
    table
}

/// One row a system, experiment type and question; only one experiment type where it is named.
pub fn details(evaluations: &[Evaluation<'_>], only: Option<&str>, digits: Option<u32>) -> Table {
    let mut table = Table { title: "By question".to_owned(), ..Table::default() };
    let several_experiments = only.is_none() && Shape::of(evaluations).several_experiments;
    let shape = Shape { several_profiles: true, several_experiments };
    table.columns = shape.columns();
    table.columns.extend([Column::text("question", "question"), Column::text("status", "status")]);
    for name in ["tp", "fp", "fn", "precision", "recall", "f1"] {
        table.columns.push(Column::number(name, name));
    }
    for evaluation in evaluations {
        let wanted = |experiment: &&Experiment<'_>| only.is_none_or(|only| only == experiment.name());
        for experiment in evaluation.experiments.iter().filter(wanted) {
            let questions = evaluation.dataset.document.questions.iter().zip(&experiment.results);
            for (question, result) in questions {
                let mut row = shape.cells(evaluation, experiment.name());
                row.push(question.key.clone());
                row.extend(detail(result.as_ref(), digits));
                table.rows.push(row);
            }
        }
    }
    table
}

fn detail(result: Option<&QuestionResult>, digits: Option<u32>) -> Vec<String> {
    let Some(result) = result else {
        let nothing = std::iter::repeat_n("-".to_owned(), 6);
        return std::iter::once("skipped".to_owned()).chain(nothing).collect();
    };
    let score = |value: &Fraction| number(value, digits);
    vec![
        result.status.name().to_owned(),
        result.counts.true_positives().to_string(),
        result.counts.false_positives().to_string(),
        result.counts.false_negatives().to_string(),
        score(&result.scores.precision),
        score(&result.scores.recall),
        score(&result.scores.f1),
    ]
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

/// How numbers are written in tables.
#[derive(Debug, Clone, Copy)]
struct Style {
    digits: Option<u32>,
    /// As the page of GERBIL: no zeros at the end, `?` for what is undefined.
    like_gerbil: bool,
}

impl Style {
    fn of(evaluation: &Evaluation<'_>, digits: Option<u32>) -> Self {
        Self { digits, like_gerbil: digits.is_some() && evaluation.profile().era.is_some() }
    }
}

fn shown(group: &Group, metric: &str, style: Style) -> String {
    let is_count = metric.ends_with("Count");
    match metric_value(group, metric) {
        Some(value) if is_count => value.to_decimal(),
        Some(value) if style.like_gerbil => without_zeros(&number(value, style.digits)),
        Some(value) => number(value, style.digits),
        // GERBIL has the measure and cannot compute it; what it does not have stays empty.
        None if style.like_gerbil && group.metrics.iter().any(|(name, _)| name == metric) => "?".to_owned(),
        None => "-".to_owned(),
    }
}

/// The metric of a part of the items; counts belong to all items.
fn part_metric(group: &Group, prefix: &str, metric: &str, style: Style) -> String {
    let mut letters = metric.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase()).into_iter().collect::<String>();
    shown(group, &format!("{prefix}{first}{}", letters.as_str()), Style { like_gerbil: false, ..style })
}

fn without_zeros(number: &str) -> String {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }.to_owned()
}

/// Why something is skipped, for people: the definition in the ontology.
pub fn skip_reason(skip: Skip) -> String {
    let facts = ontology::terms();
    facts.text(&code::iri(skip.code()), skos::DEFINITION).unwrap_or(skip.code()).to_owned()
}

/// Experiment types without scores, and how many questions an experiment type leaves out.
fn skip_notes(evaluations: &[Evaluation<'_>]) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for evaluation in evaluations {
        let of = format!("{} ({})", evaluation.submission.system, evaluation.profile().name);
        for (experiment, skip) in &evaluation.skipped {
            notes.push(format!("{of}: {experiment} skipped: {}", skip_reason(*skip)));
        }
        for experiment in &evaluation.experiments {
            let mut reasons: BTreeMap<Skip, usize> = BTreeMap::new();
            for (_, skip) in experiment.skips() {
                *reasons.entry(skip).or_default() += 1;
            }
            for (skip, count) in reasons {
                let questions =
                    if count == 1 { "1 question".to_owned() } else { format!("{count} questions") };
                notes.push(format!(
                    "{of}: {} leaves out {questions}: {}",
                    experiment.name(),
                    skip_reason(skip)
                ));
            }
        }
    }
    notes
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
            .chain(evaluation.references().iter().map(|reference| &reference.source));
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
