//! `qassay evaluate --blind`: accepts submissions without scoring them.

use std::process::ExitCode;

use qassay::base::error::{Error, Result};
use qassay::base::iri::Mint;
use qassay::base::issue::IssueCode;
use qassay::profiles::Profile;
use qassay::record::publish::blind::Blind;
use qassay::report::blind::Accepted;
use qassay::report::table::Format;
use qassay::scoring::aligned::Aligned;
use qassay::scoring::asked::Asked;
use qassay::scoring::options::{Options, Prepared};
use qassay::sources::archive::Archive;
use qassay::sources::input::{DatasetInput, SubmissionInput};

use super::archived::Archived;
use super::blind_records::{BlindRecord, records};
use super::evaluate_inputs::{opened, submissions};
use super::keep::Keeper;
use super::{Output, clock};
use crate::cli::Evaluate;

/// Runs the command. Everything is read and checked before anything is kept.
pub(super) fn run(arguments: &Evaluate, output: &Output) -> Result<ExitCode> {
    let mint = Mint::default();
    let profile = profile(&arguments.profile)?;
    let dataset = DatasetInput::open(opened(arguments, &arguments.gold)?, &mint)?;
    let submissions = submissions(arguments, &mint)?;
    refuse_without_answers(&dataset, &profile)?;
    let options = Options::default();
    let prepared = Prepared::new(&profile, &options, &[])?;
    let aligned: Vec<Aligned<'_>> = submissions
        .iter()
        .map(|submission| Aligned::new(&dataset, submission, &prepared, Asked::default()))
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
    for (submission, aligned) in submissions.iter().zip(&aligned) {
        let is_it = |record: &&BlindRecord| {
            (record.dataset.as_str(), record.submission.as_str(), record.profile.as_str())
                == (dataset.iri.as_str(), submission.iri.as_str(), profile.iri.as_str())
        };
        let before = known.iter().find(is_it).map(|record| record.number);
        let number = before.unwrap_or(next);
        let blind = Blind { dataset: &dataset, submission, profile: &profile, number };
        if before.is_none() {
            keeper.blind(&blind, &clock::now()?)?;
            next += 1;
        }
        accepted.push(Accepted { blind, aligned, is_new: before.is_none() });
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

/// What is accepted now is scored with this file at the release: it must have the answers, unless people may judge them.
fn refuse_without_answers(dataset: &DatasetInput, profile: &Profile) -> Result<()> {
    if profile.uses_assessments()
        || !dataset.document.issues.iter().any(|issue| issue.code == IssueCode::NoGoldAnswers)
    {
        return Ok(());
    }
    Err(Error::input(
        "no question of this file has an answer, and `qassay release` scores blind submissions with it",
    )
    .in_file(dataset.source.name())
    .allowed("the file of the campaign that has the gold answers")
    .hint("the archive keeps that file; nothing that is shown before the release tells what is in it"))
}

/// The same bytes belong to one system. Who sent them first is not for the next one to know.
fn refuse_other_system(known: &[BlindRecord], submission: &SubmissionInput) -> Result<()> {
    let same = known.iter().find(|record| record.submission == submission.iri);
    match same.filter(|record| record.system != submission.system) {
        None => Ok(()),
        Some(_) => Err(Error::input("the same bytes were accepted from another system")
            .in_file(submission.source.name())
            .allowed("answers that no other system has sent")
            .hint("one system has one name in all its submissions")),
    }
}

fn print(accepted: &[Accepted<'_>], arguments: &Evaluate, output: &Output) -> Result<()> {
    match arguments.format {
        Format::Json => {
            output.result(&qassay::report::json::text(&qassay::report::blind::accepted_json(accepted)))
        }
        // CSV is one table.
        Format::Csv if arguments.issues => {
            output.result(&qassay::report::blind::accepted_issues(accepted).render(Format::Csv)?)
        }
        Format::Csv => output.result(&qassay::report::blind::accepted(accepted).render(Format::Csv)?),
        format => {
            let mut text = qassay::report::blind::accepted(accepted).render(format)?;
            let issues = qassay::report::blind::accepted_issues(accepted);
            if !issues.rows.is_empty() {
                text.push('\n');
                text.push_str(&issues.render(format)?);
            }
            output.result(&text)
        }
    }
}
