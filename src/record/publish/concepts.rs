//! What no ontology can list, and the scores graph describes: members of families of metrics, groups of open schemes.

use std::collections::BTreeMap;

use crate::base::rdf::lines::Lines;
use crate::base::vocab::{code, dqv, qassay, rdf, skos, unit};
use crate::measures::definition::Unit;
use crate::measures::metric::Metric;
use crate::scoring::evaluation::Evaluation;

/// The members of families of metrics that have a value, each once: the metric and its number.
pub(crate) fn members(evaluation: &Evaluation) -> BTreeMap<String, (Metric, u64)> {
    let groups = evaluation.experiments.iter().flat_map(|experiment| &experiment.groups);
    let metrics = groups.flat_map(|group| &group.metrics).filter(|(_, value)| value.is_some());
    let members =
        metrics.filter_map(|(metric, _)| Some((code::iri(&metric.to_string()), (*metric, metric.cutoff?))));
    members.collect()
}

/// What is said about a member of a family of metrics.
pub(crate) fn describe_member(lines: &mut Lines, metric: Metric, cutoff: u64) {
    lines
        .iri(rdf::TYPE, skos::CONCEPT)
        .iri(rdf::TYPE, dqv::METRIC)
        .iri(skos::IN_SCHEME, &code::iri("metric"))
        .iri(skos::BROADER, &code::iri(metric.measure.name))
        .text(skos::NOTATION, &metric.to_string())
        .integer(qassay::CUTOFF, cutoff);
}

/// What is said about a group of questions of an open scheme.
pub(crate) fn describe_group(lines: &mut Lines, name: &str, label: &str) {
    lines
        .iri(rdf::TYPE, skos::CONCEPT)
        .iri(skos::IN_SCHEME, &code::iri("questionGroup"))
        .iri(skos::BROADER, &code::iri("groups-questiontype"))
        .text(skos::NOTATION, name.trim_start_matches("group-"))
        .text(skos::PREF_LABEL, label);
}

/// The unit of a metric.
pub(crate) fn unit_of(metric: Metric) -> &'static str {
    match metric.measure.unit {
        Unit::Count => unit::NUM,
        Unit::Seconds => unit::SEC,
        Unit::Share => unit::UNITLESS,
    }
}
