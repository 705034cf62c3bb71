//! The evaluations of an archive, one a line: whose they are, on what, when, and what came of them.

use std::collections::BTreeMap;

use oxigraph::model::Term;
use serde::Serialize;

use crate::base::error::Result;
use crate::record::archived::{Archived, ArchivedEvaluation, profile_name};
use crate::record::results::Results;
use crate::record::results::kept::KeptGraphs;
use crate::report::evaluations::{metric_value, shown_name};
use crate::sources::input::term;
use crate::sparql::dataset::Dataset as _;
use crate::sparql::named_query::NamedQuery;
use crate::workbench::Workbench;

/// The measure that is told where a profile ranks by none.
const USUAL: &str = "macroF1";

/// An evaluation in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
    /// When it was computed last, in UTC.
    pub time: String,
    /// The experiment type of the value.
    pub experiment: Option<String>,
    /// The measure that the profile ranks by, else macro F1.
    pub measure: Option<String>,
    /// Its value, all digits; none where it is not defined, or the scores are not here.
    pub value: Option<String>,
    /// Its IRI.
    pub iri: String,
}

impl Workbench {
    /// The evaluations of the archive, by dataset, system and profile.
    ///
    /// # Errors
    /// Where there is no archive, or a record cannot be read.
    pub fn evaluations(&self) -> Result<Vec<ListedEvaluation>> {
        let archived = self.archived()?;
        let text = |cell: &Option<Term>| {
            cell.as_ref().map_or_else(String::new, |cell| term::text(cell).into_owned())
        };
        let rows = archived.metadata.select(&NamedQuery::find("store/evaluations")?)?;
        let known: BTreeMap<String, (String, String)> = rows
            .iter()
            .filter_map(|row| match row.as_slice() {
                [iri, dataset, time] => Some((text(iri), (text(dataset), text(time)))),
                _ => None,
            })
            .collect();
        let mut all: Vec<ListedEvaluation> =
            archived.evaluations.iter().flat_map(|one| listed(&archived, one, &known)).collect();
        all.sort_by(|a, b| {
            (&a.dataset, &a.system, &a.profile, &a.key).cmp(&(&b.dataset, &b.system, &b.profile, &b.key))
        });
        Ok(all)
    }
}

/// An evaluation, once for each system that shares its submission.
fn listed(
    archived: &Archived,
    one: &ArchivedEvaluation,
    known: &BTreeMap<String, (String, String)>,
) -> Vec<ListedEvaluation> {
    let (dataset, time) = known.get(&one.iri).cloned().unwrap_or_default();
    // What is damaged has no value here; `verify` says why.
    let results = KeptGraphs::open(&archived.archive).and_then(|kept| Results::read(&kept, &one.iri)).ok();
    let scored = results.as_ref().and_then(|results| results.experiments.first());
    let measure =
        results.as_ref().map(|results| results.profile.ranked_by.map_or(USUAL.to_owned(), shown_name));
    let all = scored.and_then(|experiment| experiment.all());
    let value = all.zip(measure.as_deref()).and_then(|(all, measure)| metric_value(all, measure));
    let listed = |system: &String| ListedEvaluation {
        key: one.iri.rsplit('/').next().unwrap_or_default().to_owned(),
        system: system.clone(),
        dataset: dataset.clone(),
        profile: profile_name(&one.profile).to_owned(),
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
