//! What no ontology can list, and the scores graph describes: members of families of metrics, groups of open schemes.

use std::collections::BTreeMap;

use crate::base::rdf::lines::Lines;
use crate::base::vocab::{code, dqv, qassay, rdf, skos, unit};
use crate::profiles::metric_family::Member;
use crate::scoring::evaluation::Evaluation;

/// The members of families of metrics that have a value, each once.
pub(crate) fn members<'a>(evaluation: &'a Evaluation) -> BTreeMap<String, Member<'a>> {
    let groups = evaluation.experiments.iter().flat_map(|experiment| &experiment.groups);
    let metrics = groups.flat_map(|group| &group.metrics).filter(|(_, value)| value.is_some());
    let members = metrics.filter_map(|(metric, _)| Some((code::iri(metric), Member::of(metric)?)));
    members.collect()
}

/// What is said about a member of a family of metrics.
pub(crate) fn describe_member(lines: &mut Lines, member: &Member<'_>) {
    let name = format!("{}{}", member.family, member.cutoff);
    lines
        .iri(rdf::TYPE, skos::CONCEPT)
        .iri(rdf::TYPE, dqv::METRIC)
        .iri(skos::IN_SCHEME, &code::iri("metric"))
        .iri(skos::BROADER, &code::iri(member.family))
        .text(skos::NOTATION, &name)
        .integer(qassay::CUTOFF, member.cutoff);
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
pub(crate) fn unit_of(metric: &str) -> &'static str {
    match metric {
        _ if metric.ends_with("Count") => unit::NUM,
        _ if metric.ends_with("Time") => unit::SEC,
        _ => unit::UNITLESS,
    }
}
