//! The inputs of an archived evaluation, read again: what `explain` and `verify` compute from.

use std::num::NonZeroUsize;

use qassay::base::error::{Error, Result};
use qassay::base::iri::Mint;
use qassay::kb::snapshot::AnswerSnapshot;
use qassay::profiles::Profile;
use qassay::references::{ReferenceInput, ReferenceKind};
use qassay::scoring::asked::Asked;
use qassay::scoring::asked::executed::ExecutedAnswers;
use qassay::scoring::asked::refreshed::RefreshedGold;
use qassay::scoring::evaluation::Evaluation;
use qassay::scoring::options::{Options, Prepared};
use qassay::sources::file::source::Source;
use qassay::sources::input::{DatasetInput, SubmissionInput};

use super::archived::{Archived, ArchivedEvaluation};
use super::keep;

/// The inputs of an evaluation, read again.
pub(crate) struct Inputs {
    dataset: DatasetInput,
    submission: SubmissionInput,
    references: Vec<ReferenceInput>,
    profile: Profile,
    options: Options,
    gold: Option<RefreshedGold>,
    executed: Option<ExecutedAnswers>,
}

impl Inputs {
    /// Reads the inputs of an archived evaluation.
    pub(crate) fn read(archived: &Archived, evaluation: &ArchivedEvaluation, mint: &Mint) -> Result<Self> {
        Self::read_from(archived, evaluation, mint, |sha256| archived.source(sha256))
    }

    /// Reads the inputs of an archived evaluation from what `source` gives for their checksums.
    pub(crate) fn read_from(
        archived: &Archived,
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
            references.push(reference(archived, *kind, sha256, &evaluation.options, mint, &source)?);
        }
        let system = Some(evaluation.system.clone());
        let dataset = DatasetInput::open(source(&evaluation.gold)?, mint)?;
        let submission = SubmissionInput::open(source(&evaluation.answers)?, system, mint)?;
        // What was answered, as the archive keeps it: nobody is asked again.
        let answers = |sha256: &Option<String>| {
            sha256.as_ref().map(|sha256| AnswerSnapshot::read(&source(sha256)?)).transpose()
        };
        let (one, from) = (NonZeroUsize::MIN, profile.answers_from);
        let gold = answers(&evaluation.gold_answers)?
            .map(|a| RefreshedGold::ask(mint, &dataset, &a, || a.oracle.clone(), one, &|_| {}))
            .transpose()?;
        let executed = answers(&evaluation.executed_answers)?
            .map(|a| ExecutedAnswers::ask(mint, &submission, from, &a, || a.oracle.clone(), one, &|_| {}))
            .transpose()?
            .flatten();
        Ok(Self {
            dataset,
            submission,
            gold,
            executed,
            references,
            profile,
            options: evaluation.options.clone(),
        })
    }

    /// Gold and answers as they are in their files.
    pub(crate) fn files(&self) -> (&DatasetInput, &SubmissionInput) {
        (&self.dataset, &self.submission)
    }

    /// The refreshed gold answers, where they count.
    pub(crate) fn gold(&self) -> Option<&RefreshedGold> {
        self.gold.as_ref()
    }

    /// The profile.
    pub(crate) fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The executed answers, where there are.
    pub(crate) fn executed(&self) -> Option<&ExecutedAnswers> {
        self.executed.as_ref()
    }

    /// What it takes from knowledge bases.
    pub(crate) fn asked(&self) -> Asked<'_> {
        Asked { gold: self.gold.as_ref(), executed: self.executed.as_ref() }
    }

    /// The records that the inputs have.
    pub(crate) fn records(&self, mint: &Mint) -> Result<Vec<keep::Record>> {
        let mut records = keep::records(mint, &self.dataset, &self.submission, &self.references)?;
        if let Some(gold) = &self.gold {
            records.push(keep::refreshed_record(mint, &self.dataset, gold)?);
        }
        if let Some(executed) = &self.executed {
            records.push(keep::executed_record(mint, &self.submission, executed)?);
        }
        Ok(records)
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
        Evaluation::compute_asked(mint, &self.dataset, &self.submission, prepared, self.asked())
    }
}

/// A kept file of statements, read again as it was. Files of links may be too large for memory.
fn reference(
    archived: &Archived,
    kind: ReferenceKind,
    sha256: &str,
    options: &Options,
    mint: &Mint,
    source: &impl Fn(&str) -> Result<Source>,
) -> Result<ReferenceInput> {
    if kind != ReferenceKind::Links {
        return ReferenceInput::open(kind, source(sha256)?, mint);
    }
    let path = archived.archive.file(sha256);
    let links = ReferenceInput::open_links(&path, &options.link_kinds, mint)
        .map_err(|error| error.hint("the archive is damaged; `qassay verify` lists what is missing"))?;
    if links.source.sha256() != sha256 {
        // Whoever wants the right bytes is told.
        drop(source(sha256)?);
    }
    Ok(links)
}
