//! Which metrics the tables of `qassay evaluate` show, with headings that fit a terminal.

use crate::base::vocab::{code, qassay, skos};
use crate::measures::metric::Metric;
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
pub(crate) type ShownMetric = (Metric, String);

/// The metrics of the overview: those that the profiles name, the usual ones where one of them names none.
pub(crate) fn columns(results: &[Results]) -> Vec<ShownMetric> {
    named(results, |experiment| &experiment.headline)
}

/// The metrics of the table of groups: those that the profiles name for it, else those of the overview.
pub(crate) fn group_columns(results: &[Results]) -> Vec<ShownMetric> {
    named(results, |experiment| match &experiment.group_headline[..] {
        [] => &experiment.headline,
        _ => &experiment.group_headline,
    })
}

fn named(results: &[Results], headline: fn(&TypeResults) -> &Vec<Metric>) -> Vec<ShownMetric> {
    let mut all: Vec<ShownMetric> = Vec::new();
    for experiment in results.iter().flat_map(|one| &one.experiments) {
        match &headline(experiment)[..] {
            [] => add(&mut all, usual()),
            named => add(&mut all, named.iter().map(with_heading)),
        }
    }
    if all.is_empty() {
        add(&mut all, usual());
    }
    told_apart(all)
}

/// The metrics of single questions that the profiles have, beside precision, recall and F1.
pub(crate) fn question_columns(results: &[Results]) -> Vec<ShownMetric> {
    let mut all: Vec<ShownMetric> = Vec::new();
    for experiment in results.iter().flat_map(|one| &one.experiments) {
        add(&mut all, experiment.question_headline.iter().map(with_heading));
    }
    told_apart(all)
}

/// Where profiles call several metrics alike, these have their labels; a usual one keeps its heading.
fn told_apart(mut all: Vec<ShownMetric>) -> Vec<ShownMetric> {
    let headings: Vec<String> = all.iter().map(|(_, heading)| heading.clone()).collect();
    for (metric, heading) in &mut all {
        let is_shared = headings.iter().filter(|known| *known == heading).count() > 1;
        if is_shared && usual_heading(*metric).is_none() {
            *heading = of_ontology(*metric, &[skos::PREF_LABEL]);
        }
    }
    all
}

fn usual() -> impl Iterator<Item = ShownMetric> {
    USUAL.iter().filter_map(|(name, heading)| Some((Metric::named(name)?, (*heading).to_owned())))
}

fn add(all: &mut Vec<ShownMetric>, more: impl Iterator<Item = ShownMetric>) {
    for shown in more {
        if !all.iter().any(|(metric, _)| *metric == shown.0) {
            all.push(shown);
        }
    }
}

fn with_heading(metric: &Metric) -> ShownMetric {
    (*metric, heading(*metric))
}

/// The heading of a metric, with the cut-off of a member of a family.
pub fn heading(metric: Metric) -> String {
    let usual = usual_heading(metric).map(str::to_owned);
    usual.unwrap_or_else(|| of_ontology(metric, &[qassay::HEADING, skos::PREF_LABEL]))
}

fn usual_heading(metric: Metric) -> Option<&'static str> {
    let concept = metric.concept();
    USUAL.iter().find(|(name, _)| *name == concept).map(|(_, heading)| *heading)
}

/// What the ontology calls a metric by the first of these properties that it has, with its cut-off.
fn of_ontology(metric: Metric, properties: &[&str]) -> String {
    let (concept, facts) = (metric.concept(), ontology::terms());
    let iri = code::iri(&concept);
    let words = properties.iter().find_map(|property| facts.text(&iri, property)).unwrap_or(&concept);
    metric.cutoff.map_or_else(|| words.to_owned(), |cutoff| format!("{words}{cutoff}"))
}
