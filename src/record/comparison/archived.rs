//! What a comparison of archived evaluations is made of, as the archive has it: nothing is scored again.

use std::collections::BTreeMap;

use crate::base::error::Result;
use crate::record::archived::{Archived, ArchivedEvaluation};
use crate::record::comparison::GroupMembers;
use crate::record::comparison::across::SystemComparison;
use crate::record::comparison::settings::ComparisonSettings;
use crate::record::results::Results;
use crate::record::results::kept::KeptGraphs;
use crate::record::verify::inputs::ArchivedInputs;

/// What the graphs of evaluations tell.
///
/// # Errors
/// Where a graph is not here, or cannot be read.
pub fn results(archived: &Archived, evaluations: &[&ArchivedEvaluation]) -> Result<Vec<Results>> {
    let kept = KeptGraphs::open(&archived.archive)?;
    evaluations.iter().map(|one| Results::read(&kept, &one.iri)).collect()
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
