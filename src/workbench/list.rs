//! The evaluations of an archive, one a line: whose they are, on what, when, and what came of them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::base::error::Result;
use crate::profiles::ontology::shown_name;
use crate::record::archived::{Archived, ArchivedEvaluation, profile_name};
use crate::record::summaries::kept::summaries;
use crate::record::summaries::{GroupSummary, NumberChoice, Summary};
use crate::report::evaluations::metric_value;
use crate::scoring::groups::ALL;
use crate::sources::archive::Archive;
use crate::systems::journal::UnfinishedRun;
use crate::workbench::Workbench;

/// An evaluation in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedEvaluation {
    /// Its key, with which other commands name it.
    pub key: String,
    /// The system.
    pub system: String,
    /// The name of the dataset.
    pub dataset: String,
    /// The name of the profile.
    pub profile: String,
    /// The language of the questions, where one was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// When it was computed last, in UTC.
    pub time: String,
    /// The experiment type of the value; none where it was not scored.
    pub experiment: Option<String>,
    /// The measure: that which the profile ranks by, else macro F1, where nobody wants another.
    pub measure: Option<String>,
    /// Its value, all digits; none where it is not defined, or the scores are not here.
    pub value: Option<String>,
    /// Its IRI.
    pub iri: String,
}

impl Workbench {
    /// The runs of asking whose exchanges are no part of the archive yet: they are under way, or were interrupted.
    ///
    /// # Errors
    /// Where exchanges cannot be read.
    pub fn unfinished_askings(&self) -> Result<Vec<UnfinishedRun>> {
        Archive::open(self.root())?.askings()?.iter().map(|path| UnfinishedRun::read(path)).collect()
    }
}

/// The evaluations of an archive, by dataset, system and profile, each with a number.
pub(crate) fn evaluations(archived: &Archived, number: &NumberChoice) -> Result<Vec<ListedEvaluation>> {
    let known: BTreeMap<String, (String, String)> = archived
        .metadata
        .rows("store/evaluations")?
        .into_owned()
        .rows
        .into_iter()
        .filter_map(|row| <[String; 3]>::try_from(row).ok())
        .map(|[iri, dataset, time]| (iri, (dataset, time)))
        .collect();
    let with_summaries = archived.evaluations.iter().zip(summaries(archived));
    let mut all: Vec<ListedEvaluation> =
        with_summaries.flat_map(|(one, summary)| listed(one, summary.as_ref(), (&known, number))).collect();
    all.sort_by(|a, b| {
        (&a.dataset, &a.system, &a.profile, &a.key).cmp(&(&b.dataset, &b.system, &b.profile, &b.key))
    });
    Ok(all)
}

/// An evaluation, once for each system that shares its submission.
fn listed(
    one: &ArchivedEvaluation,
    // What is damaged has no value here; `verify` says why.
    summary: Option<&Summary>,
    (known, number): (&BTreeMap<String, (String, String)>, &NumberChoice),
) -> Vec<ListedEvaluation> {
    let (dataset, time) = known.get(&one.iri).cloned().unwrap_or_default();
    let told = summary.and_then(|summary| summary.number(number));
    let scored = told.map(|(types, _)| types);
    let measure = summary.and_then(|summary| number.measure.or_else(|| summary.headline())).map(shown_name);
    let all = scored.and_then(|experiment| experiment.group(ALL)).map(GroupSummary::results);
    let value = all.as_ref().zip(measure.as_deref());
    let value = value.and_then(|(all, measure)| metric_value(all, measure));
    let listed = |system: &String| ListedEvaluation {
        key: one.key().to_owned(),
        system: system.clone(),
        dataset: dataset.clone(),
        profile: profile_name(&one.profile).to_owned(),
        language: one.choices.language.clone(),
        time: to_the_second(&time),
        experiment: scored.map(|experiment| experiment.name.clone()),
        measure: measure.clone(),
        value: value.map(ToString::to_string),
        iri: one.iri.clone(),
    };
    one.systems().map(listed).collect()
}

/// A time in UTC without the parts of its second.
fn to_the_second(time: &str) -> String {
    time.get(..19).map_or_else(|| time.to_owned(), |seconds| format!("{seconds}Z"))
}

#[cfg(test)]
mod tests {
    use super::to_the_second;

    #[test]
    fn times_are_shown_to_the_second() {
        assert_eq!(to_the_second("2026-11-22T23:46:30.123456Z"), "2026-11-22T23:46:30Z");
        assert_eq!(to_the_second(""), "");
    }
}
