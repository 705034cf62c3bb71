//! The inputs of an archived evaluation, read again: what `explain` and `verify` compute from.

use qassay::graph::iri::Mint;
use qassay::observe::{
    DatasetInput, Evaluation, Options, Prepared, ReferenceInput, ReferenceKind, SubmissionInput,
};
use qassay::profile::Profile;
use qassay::{Error, Result};

use super::archived::{Archived, ArchivedEvaluation, profile_name};
use super::keep;

/// The inputs of an evaluation, read again.
pub(crate) struct Inputs {
    dataset: DatasetInput,
    submission: SubmissionInput,
    references: Vec<ReferenceInput>,
    profile: Profile,
    options: Options,
}

impl Inputs {
    /// Reads the inputs of an archived evaluation.
    pub(crate) fn read(archived: &Archived, evaluation: &ArchivedEvaluation, mint: &Mint) -> Result<Self> {
        let name = profile_name(&evaluation.profile);
        let profile = Profile::find(name)?;
        if profile.iri != evaluation.profile {
            return Err(Error::check(format!(
                "the evaluation was made with <{}>, this program has <{}>",
                evaluation.profile, profile.iri
            )));
        }
        let mut references = Vec::new();
        for (kind, sha256) in &evaluation.references {
            references.push(reference(archived, *kind, sha256, &evaluation.options, mint)?);
        }
        let system = Some(evaluation.system.clone());
        Ok(Self {
            dataset: DatasetInput::open(archived.source(&evaluation.gold)?, mint)?,
            submission: SubmissionInput::open(archived.source(&evaluation.answers)?, system, mint)?,
            references,
            profile,
            options: evaluation.options.clone(),
        })
    }

    /// The records that the inputs have.
    pub(crate) fn records(&self, mint: &Mint) -> Result<Vec<keep::Record>> {
        keep::records(mint, &self.dataset, &self.submission, &self.references)
    }

    /// The profile with what it makes of the references.
    pub(crate) fn prepare(&self) -> Result<Prepared<'_>> {
        Prepared::new(&self.profile, &self.options, &self.references)
    }

    /// Computes the evaluation again.
    pub(crate) fn evaluate<'a>(
        &'a self,
        mint: &'a Mint,
        prepared: &'a Prepared<'a>,
    ) -> Result<Evaluation<'a>> {
        Evaluation::compute(mint, &self.dataset, &self.submission, prepared)
    }
}

/// A kept file of statements, read again as it was.
fn reference(
    archived: &Archived,
    kind: ReferenceKind,
    sha256: &str,
    options: &Options,
    mint: &Mint,
) -> Result<ReferenceInput> {
    if kind != ReferenceKind::Links {
        return ReferenceInput::open(kind, archived.source(sha256)?, mint);
    }
    let path = archived.archive.file(sha256);
    let links = ReferenceInput::open_links(&path, &options.link_kinds, mint)
        .map_err(|error| error.hint("the archive is damaged; `qassay verify` lists what is missing"))?;
    if links.source.sha256() != sha256 {
        let found = links.source.sha256();
        return Err(Error::check(format!("the bytes have another checksum: {found}"))
            .in_file(path.display().to_string()));
    }
    Ok(links)
}
