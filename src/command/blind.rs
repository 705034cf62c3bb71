//! `qassay evaluate --blind`: accepts submissions without scoring them.

use std::process::ExitCode;

use qassay::graph::Archive;
use qassay::graph::iri::Mint;
use qassay::matching::{Alignment, align::align};
use qassay::observe::{Blind, DatasetInput, SubmissionInput};
use qassay::profile::Profile;
use qassay::report::{self, Accepted, Format};
use qassay::{Error, Result};

use super::archived::Archived;
use super::blind_records::{BlindRecord, records};
use super::evaluate_inputs::{opened, same_bytes};
use super::keep::Keeper;
use super::{Output, clock};
use crate::cli::Evaluate;

/// Runs the command. Everything is read and checked before anything is kept.
pub(super) fn run(arguments: &Evaluate, output: &Output) -> Result<ExitCode> {
    let mint = Mint::default();
    let profile = profile(&arguments.profile)?;
    let dataset = DatasetInput::open(opened(arguments, &arguments.gold)?, &mint)?;
    let submissions = submissions(arguments, &mint)?;
    let aligned: Vec<Alignment> = submissions
        .iter()
        .map(|submission| {
            align(&dataset.document, &submission.document, profile.identifiers)
                .map_err(|error| error.in_file(submission.source.name()))
        })
        .collect::<Result<_>>()?;
    let archive = Archive::create(&arguments.archive.archive)?;
    let _lock = archive.lock_submissions()?;
    let known = records(&Archived::open(Archive::open(archive.root())?)?)?;
    submissions.iter().try_for_each(|submission| refuse_other_system(&known, submission))?;
    let keeper = Keeper::new(&archive, &mint);
    keeper.sealed_dataset(&dataset)?;
    let of_dataset = known.iter().filter(|record| record.dataset == dataset.iri);
    let mut next = of_dataset.map(|record| record.number).max().unwrap_or_default() + 1;
    let mut accepted = Vec::new();
    for (submission, alignment) in submissions.iter().zip(&aligned) {
        let is_it = |record: &&BlindRecord| {
            (record.dataset.as_str(), record.submission.as_str(), record.profile.as_str())
                == (dataset.iri.as_str(), submission.iri.as_str(), profile.iri.as_str())
        };
        let before = known.iter().find(is_it).map(|record| record.number);
        let number = before.unwrap_or(next);
        let blind = Blind { dataset: &dataset, submission, profile: &profile, number };
        if before.is_none() {
            keeper.blind(&blind, &clock::now())?;
            next += 1;
        }
        accepted.push(Accepted { blind, alignment, is_new: before.is_none() });
    }
    print(&accepted, arguments, output)?;
    output.note(&format!(
        "\nkept in {}, not scored; `qassay release {}` shows the results of all",
        archive.root().display(),
        dataset.slug
    ));
    Ok(ExitCode::SUCCESS)
}

fn profile(names: &[String]) -> Result<Profile> {
    match names {
        [name] => Profile::find(name),
        _ => Err(Error::input(format!("{} profiles for blind submissions", names.len()))
            .allowed("one: what they will be scored with, such as `--profile qald-4`")),
    }
}

/// The submissions: one system may send several, so that one name may stand for all of them.
fn submissions(arguments: &Evaluate, mint: &Mint) -> Result<Vec<SubmissionInput>> {
    let mut submissions: Vec<SubmissionInput> = Vec::new();
    for (number, path) in arguments.answers.iter().enumerate() {
        let name = match arguments.system.as_slice() {
            [one] => Some(one.clone()),
            names => names.get(number).cloned(),
        };
        let submission = SubmissionInput::open(opened(arguments, path)?, name, mint)?;
        same_bytes(&submissions, &submission)?;
        submissions.push(submission);
    }
    Ok(submissions)
}

/// The same bytes belong to one system.
fn refuse_other_system(known: &[BlindRecord], submission: &SubmissionInput) -> Result<()> {
    let same = known.iter().find(|record| record.submission == submission.iri);
    match same.filter(|record| record.system != submission.system) {
        None => Ok(()),
        Some(record) => {
            let (known, wanted) = (&record.system, &submission.system);
            Err(Error::input(format!("the same bytes were accepted for `{known}`, not for `{wanted}`"))
                .in_file(submission.source.name())
                .allowed(format!("`--system {known}`, or other answers")))
        }
    }
}

fn print(accepted: &[Accepted<'_>], arguments: &Evaluate, output: &Output) -> Result<()> {
    match arguments.format {
        Format::Json => output.result(&format!("{:#}\n", report::accepted_json(accepted))),
        // CSV is one table.
        Format::Csv if arguments.issues => {
            output.result(&report::accepted_issues(accepted).render(Format::Csv)?)
        }
        Format::Csv => output.result(&report::accepted(accepted).render(Format::Csv)?),
        format => {
            let mut text = report::accepted(accepted).render(format)?;
            let issues = report::accepted_issues(accepted);
            if !issues.rows.is_empty() {
                text.push('\n');
                text.push_str(&issues.render(format)?);
            }
            output.result(&text)
        }
    }
}
