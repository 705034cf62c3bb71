//! Which metrics the tables of `qassay evaluate` show, with headings that fit a terminal.

use crate::base::vocab::{code, qassay, skos};
use crate::profiles::metric_family::Member;
use crate::profiles::ontology;
use crate::record::results::{Results, TypeResults};

/// The metrics that are shown where a profile names none.
const USUAL: [(&str, &str); 11] = [
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

/// A metric and its heading.
pub(crate) type Shown = (String, String);

/// The metrics of the overview: those that the profiles name, the usual ones where one of them names none.
pub(crate) fn columns(results: &[Results]) -> Vec<Shown> {
    named(results, |experiment| &experiment.headline)
}

/// The metrics of the table of groups: those that the profiles name for it, else those of the overview.
pub(crate) fn group_columns(results: &[Results]) -> Vec<Shown> {
    named(results, |experiment| match &experiment.group_headline[..] {
        [] => &experiment.headline,
        _ => &experiment.group_headline,
    })
}

fn named(results: &[Results], headline: fn(&TypeResults) -> &Vec<String>) -> Vec<Shown> {
    let mut all: Vec<Shown> = Vec::new();
    for experiment in results.iter().flat_map(|one| &one.experiments) {
        match &headline(experiment)[..] {
            [] => add(&mut all, usual()),
            named => add(&mut all, named.iter().map(with_heading)),
        }
    }
    if all.is_empty() {
        add(&mut all, usual());
    }
    all
}

/// The metrics of single questions that the profiles have, beside precision, recall and F1.
pub(crate) fn question_columns(results: &[Results]) -> Vec<Shown> {
    let mut all: Vec<Shown> = Vec::new();
    for experiment in results.iter().flat_map(|one| &one.experiments) {
        add(&mut all, experiment.question_headline.iter().map(with_heading));
    }
    all
}

fn usual() -> impl Iterator<Item = Shown> {
    USUAL.iter().map(|(name, heading)| ((*name).to_owned(), (*heading).to_owned()))
}

fn add(all: &mut Vec<Shown>, more: impl Iterator<Item = Shown>) {
    for shown in more {
        if !all.iter().any(|(name, _)| *name == shown.0) {
            all.push(shown);
        }
    }
}

fn with_heading(metric: &String) -> Shown {
    (metric.clone(), heading(metric))
}

/// The heading of a metric, with the cut-off of a member of a family.
pub fn heading(metric: &str) -> String {
    if let Some((_, heading)) = USUAL.iter().find(|(name, _)| *name == metric) {
        return (*heading).to_owned();
    }
    let facts = ontology::terms();
    let of = |concept: &str| {
        let concept = code::iri(concept);
        facts.text(&concept, qassay::HEADING).or_else(|| facts.text(&concept, skos::PREF_LABEL))
    };
    match Member::of(metric) {
        Some(member) => format!("{}{}", of(member.family).unwrap_or(member.family), member.cutoff),
        None => of(metric).unwrap_or(metric).to_owned(),
    }
}
