//! The tables of `qassay evaluate`: systems by metrics, groups, questions.

use crate::report::columns::{columns, group_columns, question_columns};
use crate::report::notes::{assessor_note, issue_notes, query_notes, skip_notes, tie_notes};
use crate::report::table::{Column, Table};

use crate::base::vocab::{code, qassay, skos};
use crate::measures::aggregate::{QuestionResult, Value};
use crate::measures::fraction::Fraction;
use crate::profiles::loaders::Loader;
use crate::profiles::ontology;
use crate::profiles::rules::EXPERIMENTS;
use crate::references::ReferenceKind;
use crate::scoring::evaluation::Evaluation;
use crate::scoring::experiment::{Experiment, Group};
use crate::scoring::gerbil::same_as::Mode;
use crate::scoring::groups::ALL;

/// The digits of scores in tables for people. Scripts get all digits.
pub const DIGITS_FOR_PEOPLE: u32 = 4;

/// The parts of items that have measures of their own: the prefix of their metrics, and their name.
const PARTS: [(&str, &str); 3] = [("inKb", "InKB"), ("ee", "EE"), ("hierarchical", "hierarchical")];

/// One row a system and experiment type, and one for each part of the items that has measures of its own.
pub fn overview(evaluations: &[Evaluation], digits: Option<u32>) -> Table {
    let mut table = Table { title: title(evaluations), ..Table::default() };
    table.columns = key_columns(evaluations);
    let shown = columns(evaluations);
    table.columns.extend(shown.iter().map(|(name, heading)| Column::number(heading, name)));
    // The rows of one system and experiment type stand together, so that profiles can be compared.
    let mut scored: Vec<(&Evaluation, &Experiment)> =
        evaluations.iter().flat_map(|e| e.experiments.iter().map(move |x| (e, x))).collect();
    let submission = |iri: &str| evaluations.iter().position(|e| e.submission.iri == iri);
    let experiment = |name: &str| EXPERIMENTS.iter().position(|known| *known == name);
    scored.sort_by_key(|(e, x)| (submission(&e.submission.iri), experiment(x.name())));
    let with_gold = with_gold(evaluations);
    for (evaluation, experiment) in scored {
        table.rows.extend(overview_rows(evaluation, experiment, &shown, digits, with_gold));
    }
    table.notes.extend(tie_notes(evaluations));
    table.notes.extend(assessor_note(evaluations));
    table.notes.extend(skip_notes(evaluations));
    table.notes.extend(query_notes(evaluations));
    table.notes.extend(issue_notes(evaluations));
    table
}

fn overview_rows(
    evaluation: &Evaluation,
    experiment: &Experiment,
    columns: &[(String, String)],
    digits: Option<u32>,
    with_gold: bool,
) -> Vec<Vec<String>> {
    let Some(all) = experiment.group(ALL) else { return Vec::new() };
    let mut row = keys(evaluation, experiment.name(), with_gold);
    row.extend(columns.iter().map(|(name, _)| shown(evaluation, all, name, digits)));
    let mut rows = vec![row];
    for (prefix, name) in PARTS {
        let is_defined =
            |(metric, value): &(String, Option<Value>)| metric.starts_with(prefix) && value.is_some();
        if all.metrics.iter().any(is_defined) {
            let mut row = keys(evaluation, &format!("{} {name}", experiment.name()), with_gold);
            row.extend(
                columns.iter().map(|(metric, _)| shown(evaluation, all, &of_part(prefix, metric), digits)),
            );
            rows.push(row);
        }
    }
    rows
}

/// What stands before the numbers of a row.
const KEYS: [&str; 3] = ["system", "profile", "experiment"];

fn key_columns(evaluations: &[Evaluation]) -> Vec<Column> {
    let mut columns: Vec<Column> = KEYS.iter().map(|name| Column::text(name, name)).collect();
    if with_gold(evaluations) {
        columns.insert(2, Column::text("gold", "gold"));
    }
    columns
}

/// Whether the tables say which gold answers were used: only where any are not the curated ones.
fn with_gold(evaluations: &[Evaluation]) -> bool {
    evaluations.iter().any(|evaluation| evaluation.asked.gold.is_some())
}

fn keys(evaluation: &Evaluation, experiment: &str, with_gold: bool) -> Vec<String> {
    let mut keys =
        vec![evaluation.submission.system.clone(), evaluation.profile().name.clone(), experiment.to_owned()];
    if with_gold {
        keys.insert(2, evaluation.asked.origin().to_owned());
    }
    keys
}

/// The dataset, the profiles, and what else was chosen.
pub(crate) fn title(evaluations: &[Evaluation]) -> String {
    let Some(first) = evaluations.first() else { return String::new() };
    let mut profiles: Vec<&str> = evaluations.iter().map(|e| e.profile().name.as_str()).collect();
    profiles.dedup();
    let files = |kind, what: &str| {
        let counts = evaluations.iter().map(|e| e.references().iter().filter(|r| r.kind == kind).count());
        match counts.max().unwrap_or_default() {
            0 => String::new(),
            1 => format!(", {what}: 1 file"),
            number => format!(", {what}: {number} files"),
        }
    };
    let links = [
        files(ReferenceKind::Links, "owl:sameAs links"),
        files(ReferenceKind::Labels, "labels"),
        files(ReferenceKind::Classes, "classes (qassay)"),
        files(ReferenceKind::Types, "types (qassay)"),
        files(ReferenceKind::QuestionTypes, "question types"),
        files(ReferenceKind::Assessments, "assessments"),
    ]
    .concat();
    let mut modes: Vec<&str> =
        evaluations.iter().filter_map(|e| e.prepared.same_as).map(Mode::name).collect();
    modes.dedup();
    let modes = if modes.is_empty() { String::new() } else { format!(", sameAs {}", modes.join(", ")) };
    let loading = first.prepared.loading();
    let loader = match loading.loader {
        Loader::Plain => String::new(),
        loader => format!(", loader {}", loader.name()),
    };
    let part = loading.part.map_or_else(String::new, |part| format!(", {} part", part.name()));
    format!("{}, profile {}{modes}{links}{loader}{part}", first.dataset.slug, profiles.join(", "))
}

/// One row a system, experiment type and group.
pub fn groups(evaluations: &[Evaluation], digits: Option<u32>) -> Table {
    let mut table = Table { title: "By group of questions".to_owned(), ..Table::default() };
    table.columns = key_columns(evaluations);
    table.columns.push(Column::text("group", "group"));
    let columns = group_columns(evaluations);
    table.columns.extend(columns.iter().map(|(name, heading)| Column::number(heading, name)));
    let with_gold = with_gold(evaluations);
    for evaluation in evaluations {
        for experiment in &evaluation.experiments {
            for group in &experiment.groups {
                let mut row = keys(evaluation, experiment.name(), with_gold);
                row.push(group.name.trim_start_matches("group-").to_owned());
                row.extend(columns.iter().map(|(name, _)| shown(evaluation, group, name, digits)));
                table.rows.push(row);
            }
        }
    }
    table
}

/// One row a system, experiment type and question; only one experiment type where it is named.
pub fn details(evaluations: &[Evaluation], only: Option<&str>, digits: Option<u32>) -> Table {
    let mut table = Table { title: "By question".to_owned(), ..Table::default() };
    table.columns = key_columns(evaluations);
    table.columns.extend([Column::text("question", "question"), Column::text("status", "status")]);
    for name in ["tp", "fp", "fn", "precision", "recall", "f1"] {
        table.columns.push(Column::number(name, name));
    }
    let own = question_columns(evaluations);
    table.columns.extend(own.iter().map(|(name, heading)| Column::number(heading, name)));
    let with_gold = with_gold(evaluations);
    for evaluation in evaluations {
        let wanted = |experiment: &&Experiment| only.is_none_or(|only| only == experiment.name());
        for experiment in evaluation.experiments.iter().filter(wanted) {
            let questions = evaluation.dataset.document.questions.iter().zip(&experiment.results);
            for (question, result) in questions {
                let mut row = keys(evaluation, experiment.name(), with_gold);
                row.push(question.key.clone());
                row.extend(detail(result.as_ref(), digits));
                let values = result
                    .as_ref()
                    .map_or_else(Vec::new, |result| experiment.question_values(&evaluation.prepared, result));
                row.extend(own.iter().map(|(name, _)| {
                    let found = values.iter().find(|(metric, _)| metric == name);
                    let value = found.and_then(|(_, value)| value.as_ref());
                    value.map_or_else(|| "-".to_owned(), |value| number(&value.value, digits))
                }));
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
pub(crate) fn metric_value<'a>(group: &'a Group, shown_as: &str) -> Option<&'a Fraction> {
    group.value(shown_as).or_else(|| {
        let stands_in = group.metrics.iter().find(|(name, _)| shown_name(name) == shown_as);
        stands_in.and_then(|(name, _)| group.value(name))
    })
}

/// The name that scripts and tables use for a metric.
pub(crate) fn shown_name(metric: &str) -> String {
    let concept = code::iri(metric);
    let facts = ontology::terms();
    let shown_as = facts.text(&concept, &format!("{}shownAs", qassay::NAMESPACE));
    shown_as.or_else(|| facts.text(&concept, skos::NOTATION)).unwrap_or(metric).to_owned()
}

pub(crate) fn shown(evaluation: &Evaluation, group: &Group, metric: &str, digits: Option<u32>) -> String {
    match metric_value(group, metric) {
        Some(value) if metric.ends_with("Count") => value.to_decimal(),
        Some(value) => number(value, digits),
        // GERBIL has the measure and cannot compute it: its page shows a question mark.
        None if has(evaluation, group, metric) => "?".to_owned(),
        None => "-".to_owned(),
    }
}

/// Whether the profile follows GERBIL and has the measure at all.
fn has(evaluation: &Evaluation, group: &Group, metric: &str) -> bool {
    evaluation.profile().era.is_some() && group.metrics.iter().any(|(name, _)| name == metric)
}

/// The name of a metric of a part of the items.
fn of_part(prefix: &str, metric: &str) -> String {
    let mut letters = metric.chars();
    let first: String = letters.next().map(|c| c.to_ascii_uppercase()).into_iter().collect();
    format!("{prefix}{first}{}", letters.as_str())
}

/// A score for people (four digits) or for scripts (all digits).
pub(crate) fn number(value: &Fraction, digits: Option<u32>) -> String {
    match digits {
        Some(digits) => value.to_fixed(digits),
        None => value.to_decimal(),
    }
}

/// What is odd about the inputs, issue by issue.
pub fn issues(evaluations: &[Evaluation]) -> Table {
    let mut table = Table { title: "Issues".to_owned(), ..Table::default() };
    table.columns = ["severity", "issue", "file", "place", "message"]
        .map(|heading| Column::text(heading, heading))
        .to_vec();
    for evaluation in evaluations {
        let inputs = std::iter::once(&evaluation.dataset.source)
            .chain(std::iter::once(&evaluation.submission.source))
            .chain(evaluation.references().iter().map(|reference| &reference.source))
            .chain(evaluation.asked.kept().map(|(_, kept)| &kept.source));
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
