//! The evaluations of an archive, as the provenance of their executions tells them.

use qassay::base::error::{Error, Result};
use qassay::base::rdf::dataset::Dataset;
use qassay::base::rdf::named_query::NamedQuery;
use qassay::profiles::loaders::{Loader, Part};
use qassay::references::ReferenceKind;
use qassay::references::links::kind::LinkKind;
use qassay::scoring::gerbil::same_as::Mode;
use qassay::scoring::options::Options;

use super::{ArchivedEvaluation, texts};

/// The checksum that names a file, as in `…/file/sha256/abcd…`.
fn checksum(evaluation: &str, file: &str) -> Result<String> {
    let sha256 = file.rsplit('/').next().unwrap_or_default();
    let is_checksum = sha256.len() == 64 && sha256.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_checksum.then(|| sha256.to_owned()).ok_or_else(|| {
        Error::check(format!(
            "the provenance of <{evaluation}> names the input <{file}>, which is no sha256 checksum"
        ))
    })
}

/// `links=…/file/sha256/abcd…`.
fn kind_and_checksum(evaluation: &str, reference: &str) -> Result<(ReferenceKind, String)> {
    let (kind, file) = reference.split_once('=').unwrap_or_default();
    let kind = ReferenceKind::find(kind).ok_or_else(|| {
        Error::check(format!(
            "the provenance of <{evaluation}> names a reference of an unknown kind `{kind}`"
        ))
    })?;
    Ok((kind, checksum(evaluation, file)?))
}

/// The evaluations of an archive, from the provenance of their executions; what cannot be read goes to `damage`.
pub(super) fn evaluations(
    metadata: &dyn Dataset,
    damage: &mut Vec<Error>,
) -> Result<Vec<ArchivedEvaluation>> {
    let mut evaluations: Vec<ArchivedEvaluation> = Vec::new();
    for row in texts(metadata.select(&NamedQuery::find("report/executions")?)?) {
        let read = match evaluations.last_mut() {
            Some(last) if row.first() == Some(&last.iri) => {
                if let (Some(execution), Some(digest)) = (row.get(1), row.last()) {
                    last.digests.push((execution.clone(), digest.clone()));
                }
                continue;
            }
            _ => evaluation(&row),
        };
        match read {
            Ok(evaluation) => evaluations.extend(evaluation),
            Err(error) => damage.push(error),
        }
    }
    // A damaged execution may be told twice, of rows that differ in what is damaged.
    for evaluation in &mut evaluations {
        evaluation.digests.dedup();
    }
    Ok(evaluations)
}

/// The evaluation that a row of `report/executions` names first.
fn evaluation(row: &[String]) -> Result<Option<ArchivedEvaluation>> {
    let [
        iri,
        execution,
        profile,
        system,
        gold,
        answers,
        references,
        gold_answers,
        executed_answers,
        language,
        same_as,
        experiments,
        loader,
        part,
        link_kinds,
        cutoffs,
        digest,
    ] = row
    else {
        return Ok(None);
    };
    let sha256 = |file: &str| checksum(iri, file);
    let if_any = |file: &str| Some(file).filter(|file| !file.is_empty()).map(sha256).transpose();
    Ok(Some(ArchivedEvaluation {
        iri: iri.clone(),
        profile: profile.clone(),
        system: system.clone(),
        gold: sha256(gold)?,
        answers: sha256(answers)?,
        references: references
            .split_whitespace()
            .map(|reference| kind_and_checksum(iri, reference))
            .collect::<Result<_>>()?,
        gold_answers: if_any(gold_answers)?,
        executed_answers: if_any(executed_answers)?,
        options: Options {
            language: (!language.is_empty()).then(|| language.clone()),
            same_as: Mode::find(same_as),
            experiments: (!experiments.is_empty())
                .then(|| experiments.split_whitespace().map(str::to_owned).collect()),
            loader: Loader::find(loader),
            part: Part::find(part),
            cutoffs: {
                let mut cutoffs: Vec<u64> =
                    cutoffs.split_whitespace().filter_map(|cutoff| cutoff.parse().ok()).collect();
                cutoffs.sort_unstable();
                cutoffs
            },
            link_kinds: {
                let mut kinds: Vec<LinkKind> =
                    link_kinds.split_whitespace().filter_map(LinkKind::find).collect();
                kinds.sort_unstable();
                kinds
            },
        },
        digests: vec![(execution.clone(), digest.clone())],
    }))
}
