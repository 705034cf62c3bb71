//! Evaluations of an archive beside each other: could it be chance.

use std::collections::BTreeSet;

use crate::base::error::{Error, Result};
use crate::profiles::rules::EXPERIMENTS;
use crate::record::archived::{ArchivedEvaluation, profile_name};
use crate::record::comparison::ComparisonSettings;
use crate::record::comparison::across::SystemComparison;
use crate::record::results::Results;
use crate::record::results::kept::KeptGraphs;
use crate::workbench::Workbench;

/// Which evaluations of an archive are compared.
#[derive(Debug, Clone, Default)]
pub struct CompareRequest {
    /// IRIs of evaluations, beginnings of their keys, names of systems; none: all.
    pub words: Vec<String>,
    /// The names of the profiles; none: all.
    pub profiles: Vec<String>,
    /// The experiment types; none: all.
    pub experiments: Vec<String>,
    /// How they are compared.
    pub settings: ComparisonSettings,
}

impl Workbench {
    /// The evaluations of the archive that are asked for, compared as their graphs tell them: nothing is scored again.
    ///
    /// # Errors
    /// Where a word names no evaluation, a graph or a dataset is not here, or evaluations cannot stand in one table.
    pub fn compare(&self, request: &CompareRequest) -> Result<SystemComparison> {
        let archived = self.archived()?;
        let is_known = |word: &&String| !archived.called(word, None).is_empty();
        let here = |error: Error| error.in_file(self.root().display().to_string());
        if let Some(word) = request.words.iter().find(|word| !is_known(word)) {
            let known: BTreeSet<&str> = archived.evaluations.iter().map(|one| one.system.as_str()).collect();
            let known: Vec<&str> = known.into_iter().collect();
            return Err(here(
                Error::input(format!("the archive has no evaluation `{word}`")).allowed(known.join(", ")),
            ));
        }
        let named: BTreeSet<&str> = request
            .words
            .iter()
            .flat_map(|word| archived.called(word, None))
            .map(|one| one.iri.as_str())
            .collect();
        let is_wanted = |one: &&ArchivedEvaluation| {
            let profile = profile_name(&one.profile);
            (request.words.is_empty() || named.contains(one.iri.as_str()))
                && (request.profiles.is_empty() || request.profiles.iter().any(|name| name == profile))
        };
        let wanted: Vec<&ArchivedEvaluation> = archived.evaluations.iter().filter(is_wanted).collect();
        if wanted.is_empty() {
            return Err(here(Error::input("the archive has no such evaluation")));
        }
        let kept = KeptGraphs::open(&archived.archive)?;
        let mut results =
            wanted.iter().map(|one| Results::read(&kept, &one.iri)).collect::<Result<Vec<_>>>()?;
        let is_scored = |name: &&String| {
            results.iter().flat_map(|one| &one.experiments).any(|types| types.name == **name)
        };
        if let Some(name) = request.experiments.iter().find(|name| !is_scored(name)) {
            let error = Error::input(format!("none of the evaluations scored the experiment type `{name}`"));
            return Err(here(error.allowed(EXPERIMENTS.join(", "))));
        }
        if !request.experiments.is_empty() {
            for one in &mut results {
                one.experiments.retain(|types| request.experiments.contains(&types.name));
            }
        }
        SystemComparison::of(&results, &request.settings)
    }
}
