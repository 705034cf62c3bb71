//! What a comparison of archived evaluations is made of, as the archive has it: nothing is scored again.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::error::{Error, Result};
use crate::base::parallel;
use crate::profiles::rules::EXPERIMENTS;
use crate::record::archived::comparisons::ArchivedComparison;
use crate::record::archived::{Archived, ArchivedEvaluation, DAMAGED};
use crate::record::comparison::GroupMembers;
use crate::record::comparison::across::SystemComparison;
use crate::record::comparison::graph::StatedComparison;
use crate::record::comparison::settings::{ComparisonSettings, METHODS};
use crate::record::results::Results;
use crate::record::results::kept::{KeptDataset, KeptGraphs};
use crate::record::verify::inputs::ArchivedInputs;

/// The numbers that the graphs of evaluations tell. A dataset of several of them is read once.
///
/// # Errors
/// Where a graph or a dataset is not here, or cannot be read.
pub fn results(kept: &KeptGraphs<'_>, evaluations: &[&ArchivedEvaluation]) -> Result<Vec<Results>> {
    let files: BTreeSet<&str> = evaluations.iter().map(|one| one.gold.as_str()).collect();
    let datasets = parallel::try_each(files.iter().copied().collect(), |sha256| kept.dataset(sha256))?;
    let datasets: BTreeMap<&str, KeptDataset> = files.into_iter().zip(datasets).collect();
    let read = |one: &ArchivedEvaluation| {
        let read = Results::read_numbers(kept, &one.iri, datasets[one.gold.as_str()].clone())?;
        Ok(read.of_system(&one.system))
    };
    parallel::try_each(evaluations.to_vec(), read)
}

/// Evaluations of an archive, compared as their graphs tell them, by systems with all the names that their submissions have.
///
/// # Errors
/// Where none of them scored an experiment type that is asked for, a graph or a dataset is not here, or as
/// [`SystemComparison::of`].
pub fn beside(
    (archived, kept): (&Archived, &KeptGraphs<'_>),
    evaluations: &[&ArchivedEvaluation],
    settings: &ComparisonSettings,
) -> Result<SystemComparison> {
    let results = results(kept, evaluations)?;
    let is_scored =
        |name: &&String| results.iter().flat_map(|one| &one.experiments).any(|types| types.name == **name);
    if let Some(name) = settings.experiments.iter().find(|name| !is_scored(name)) {
        let error = Error::input(format!("none of the evaluations scored the experiment type `{name}`"));
        return Err(error.allowed(EXPERIMENTS.join(", ")));
    }
    let aliases =
        evaluations.iter().flat_map(|one| one.others.iter().map(|name| (one.iri.clone(), name.clone())));
    let settings = with_aliases(settings, aliases.collect(), &results);
    compared(archived, evaluations, &results, &settings)
}

/// The settings with further names of systems. A baseline that is called by one of them is the system that it stands for.
pub fn with_aliases(
    settings: &ComparisonSettings,
    aliases: BTreeSet<(String, String)>,
    results: &[Results],
) -> ComparisonSettings {
    let mut settings = settings.clone();
    if let Some(baseline) = &mut settings.baseline {
        let alias = aliases.iter().find(|(_, name)| name == baseline);
        let is_name = results.iter().any(|one| one.submission.name == *baseline);
        let named = alias.and_then(|(iri, _)| results.iter().find(|one| one.iri == *iri));
        if let Some(one) = named.filter(|_| !is_name) {
            baseline.clone_from(&one.submission.name);
        }
    }
    ComparisonSettings { aliases, ..settings }
}

/// Results of evaluations, compared. Groups of questions follow from kept inputs, where they are compared.
///
/// # Errors
/// Where an input is not here, or as [`SystemComparison::of`].
pub fn compared(
    archived: &Archived,
    evaluations: &[&ArchivedEvaluation],
    results: &[Results],
    settings: &ComparisonSettings,
) -> Result<SystemComparison> {
    let groups = if settings.groups { groups(archived, evaluations)? } else { BTreeMap::new() };
    SystemComparison::of(results, settings, &groups)
}

/// The evaluations of a comparison that an archive keeps.
///
/// # Errors
/// Where one of them is not here.
pub fn evaluations<'a>(
    archived: &'a Archived,
    stated: &StatedComparison,
) -> Result<Vec<&'a ArchivedEvaluation>> {
    let known = |iri: &String| {
        let found = archived.evaluations.iter().find(|one| one.iri == *iri);
        found.ok_or_else(|| Error::check(format!("<{iri}> is not here")))
    };
    stated.evaluations.iter().map(known).collect()
}

/// What the graph of a kept comparison says that it was made of.
///
/// # Errors
/// Where the graph is not here, or cannot be read.
pub fn stated(archived: &Archived, comparison: &ArchivedComparison) -> Result<(Vec<u8>, StatedComparison)> {
    let archive = &archived.archive;
    let registered = archived.graph(&archive.mint().graph_of(&comparison.iri))?;
    let recorded = archive.graph(&registered.sha256).content().map_err(|error| error.hint(DAMAGED))?;
    let stated = StatedComparison::read(&recorded, &comparison.iri)?;
    Ok((recorded, stated))
}

/// A kept comparison, made again from the graphs of its evaluations.
///
/// # Errors
/// Where something of it is not here, or it was made by other methods than those of this program.
pub fn again(archived: &Archived, comparison: &ArchivedComparison) -> Result<SystemComparison> {
    let (_, stated) = stated(archived, comparison)?;
    let settings = stated.settings.as_ref().filter(|_| stated.methods == METHODS).ok_or_else(|| {
        Error::check(format!("<{}> was made by the methods `{}`", comparison.iri, stated.methods))
            .hint("the version of the program that made it explains it")
    })?;
    let evaluations = evaluations(archived, &stated)?;
    let kept = KeptGraphs::open(&archived.archive)?;
    compared(archived, &evaluations, &results(&kept, &evaluations)?, settings)
}

/// The groups of the questions of each dataset by each profile, as the last of the evaluations has them.
fn groups(
    archived: &Archived,
    evaluations: &[&ArchivedEvaluation],
) -> Result<BTreeMap<String, GroupMembers>> {
    let mint = archived.archive.mint();
    let alike = evaluations.iter().map(|one| ((&one.gold, &one.profile, &one.references), *one));
    let of_one = |one: &ArchivedEvaluation| {
        let inputs = ArchivedInputs::read(archived, one, mint)?;
        Ok((one.iri.clone(), inputs.groups(mint)?))
    };
    alike.collect::<BTreeMap<_, _>>().into_values().map(of_one).collect()
}
