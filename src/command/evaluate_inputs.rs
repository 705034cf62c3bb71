//! What `qassay evaluate` reads.

use std::path::Path;

use qassay::base::error::{Error, Result};
use qassay::base::iri::Mint;
use qassay::sources::file::source::Source;
use qassay::sources::input::{DatasetInput, SubmissionInput};

use super::evaluate_references::References;
use super::named;
use super::parallel::both;
use crate::cli::Evaluate;

/// What is scored, with what.
pub(super) struct Inputs {
    pub(super) dataset: DatasetInput,
    pub(super) submissions: Vec<SubmissionInput>,
    pub(super) references: References,
}

impl Inputs {
    /// Reads the dataset beside all other files.
    pub(super) fn read(arguments: &Evaluate, mint: &Mint) -> Result<Self> {
        let (dataset, others) = both(
            || DatasetInput::open(opened(arguments, &arguments.gold)?, mint),
            || {
                Ok((
                    of_systems(arguments, mint)?,
                    References::read(&arguments.scoring, &arguments.archive.archive, mint)?,
                ))
            },
        );
        let (dataset, (submissions, references)) = (dataset?, others?);
        Ok(Self { dataset, submissions, references })
    }
}

/// Opens an input: a file, or what the catalogue calls one that is fetched.
pub(super) fn opened(arguments: &Evaluate, path: &Path) -> Result<Source> {
    named::open(path, &arguments.archive.archive, None)
}

/// The submissions, each file once. One name may stand for all of them, where one system may send several.
pub(super) fn submissions(arguments: &Evaluate, mint: &Mint) -> Result<Vec<SubmissionInput>> {
    let mut submissions: Vec<SubmissionInput> = Vec::new();
    for (number, path) in arguments.answers.iter().enumerate() {
        let name = match arguments.system.as_slice() {
            [one] => Some(one),
            names => names.get(number),
        };
        let submission = SubmissionInput::open(opened(arguments, path)?, name.cloned(), mint)?;
        same_bytes(&submissions, &submission)?;
        submissions.push(submission);
    }
    Ok(submissions)
}

/// The submissions of different systems.
fn of_systems(arguments: &Evaluate, mint: &Mint) -> Result<Vec<SubmissionInput>> {
    let submissions = submissions(arguments, mint)?;
    let mut names: Vec<&str> = submissions.iter().map(|submission| submission.system.as_str()).collect();
    names.sort_unstable();
    if let Some([name, ..]) = names.windows(2).find(|pair| pair.first() == pair.last()) {
        return Err(Error::input(format!("two systems are called `{name}`"))
            .hint("`--system NAME` names them, once for each file of answers, in their order"));
    }
    Ok(submissions)
}

/// An error where a submission is named twice.
fn same_bytes(known: &[SubmissionInput], submission: &SubmissionInput) -> Result<()> {
    match known.iter().find(|known| known.iri == submission.iri) {
        None => Ok(()),
        Some(known) => Err(Error::input(format!("the same bytes as {}", known.source.name()))
            .in_file(submission.source.name())
            .hint("name each submission once")),
    }
}
