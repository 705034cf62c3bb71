//! The inputs of an archived evaluation, read again: what `explain` and `verify` compute from.

use qassay::graph::iri::Mint;
use qassay::observe::{DatasetInput, Evaluation, Options, Prepared, ReferenceInput, SubmissionInput};
use qassay::profile::Profile;
use qassay::read::Source;
use qassay::{Error, Result};

use super::archived::{Archived, ArchivedEvaluation};
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
        Self::read_from(evaluation, mint, |sha256| archived.source(sha256))
    }

    /// Reads the inputs of an archived evaluation from what `source` gives for their checksums.
    pub(crate) fn read_from(
        evaluation: &ArchivedEvaluation,
        mint: &Mint,
        source: impl Fn(&str) -> Result<Source>,
    ) -> Result<Self> {
        let profile = Profile::with_iri(&evaluation.profile).ok_or_else(|| {
            Error::check(format!(
                "the evaluation was made with <{}>, which this program does not know",
                evaluation.profile
            ))
        })?;
        let mut references = Vec::new();
        for (kind, sha256) in &evaluation.references {
            references.push(ReferenceInput::open(*kind, source(sha256)?, mint)?);
        }
        let system = Some(evaluation.system.clone());
        Ok(Self {
            dataset: DatasetInput::open(source(&evaluation.gold)?, mint)?,
            submission: SubmissionInput::open(source(&evaluation.answers)?, system, mint)?,
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
    pub(crate) fn prepare(&self) -> Prepared<'_> {
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
