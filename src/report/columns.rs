//! Which metrics the tables of `qassay evaluate` show, with headings that fit a terminal.

use crate::base::vocab::{code, qassay, skos};
use crate::profiles::metric_family::Member;
use crate::profiles::ontology;
use crate::profiles::rules::ExperimentRules;
use crate::scoring::evaluation::Evaluation;
use crate::scoring::experiment::Experiment;

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
pub(crate) fn columns(evaluations: &[Evaluation]) -> Vec<Shown> {
    named(evaluations, |rules| &rules.headline)
}

/// The metrics of the table of groups: those that the profiles name for it, else those of the overview.
pub(crate) fn group_columns(evaluations: &[Evaluation]) -> Vec<Shown> {
    named(evaluations, |rules| match &rules.group_headline[..] {
        [] => &rules.headline,
        _ => &rules.group_headline,
    })
}

fn named(evaluations: &[Evaluation], headline: fn(&ExperimentRules) -> &Vec<String>) -> Vec<Shown> {
    let mut all: Vec<Shown> = Vec::new();
    for (evaluation, experiment) in experiments(evaluations) {
        let named = evaluation.prepared.metrics(headline(&experiment.rules));
        if named.is_empty() {
            add(&mut all, usual());
        } else {
            add(&mut all, named.into_iter().map(with_heading));
        }
    }
    if all.is_empty() {
        add(&mut all, usual());
    }
    all
}

/// The metrics of single questions that the profiles have, beside precision, recall and F1.
pub(crate) fn question_columns(evaluations: &[Evaluation]) -> Vec<Shown> {
    let mut all: Vec<Shown> = Vec::new();
    for (evaluation, experiment) in experiments(evaluations) {
        let shown = experiment.shown_question_metrics(&evaluation.prepared);
        add(&mut all, shown.into_iter().map(with_heading));
    }
    all
}

fn usual() -> impl Iterator<Item = Shown> {
    USUAL.iter().map(|(name, heading)| ((*name).to_owned(), (*heading).to_owned()))
}

fn experiments<'a>(evaluations: &'a [Evaluation]) -> impl Iterator<Item = (&'a Evaluation, &'a Experiment)> {
    evaluations
        .iter()
        .flat_map(|evaluation| evaluation.experiments.iter().map(move |scored| (evaluation, scored)))
}

fn add(all: &mut Vec<Shown>, more: impl Iterator<Item = Shown>) {
    for shown in more {
        if !all.iter().any(|(name, _)| *name == shown.0) {
            all.push(shown);
        }
    }
}

fn with_heading(metric: String) -> Shown {
    let heading = heading(&metric);
    (metric, heading)
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
