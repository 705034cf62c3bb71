//! `qassay release`: scores the blind submissions to a dataset.

use std::path::Path;
use std::process::ExitCode;

use qassay::graph::Archive;
use qassay::graph::archive::file_digest;
use qassay::graph::iri::Mint;
use qassay::observe::provenance::Execution;
use qassay::observe::{Asked, DatasetInput, Evaluation, Options, Prepared, SubmissionInput};
use qassay::profile::Profile;
use qassay::report::{self, Format, NotScored, Released};
use qassay::{Error, Result};

use super::archived::{Archived, profile_name};
use super::blind_records::{BlindRecord, records};
use super::evaluate_asked::{AskedAll, Asks};
use super::evaluate_html;
use super::evaluate_print::kept;
use super::keep::Keeper;
use super::{Output, clock};
use crate::cli::{GoldChoice, Release};

/// Runs the command. Exit code 1: a submission cannot be scored; the others are.
pub(crate) fn run(arguments: &Release, output: &Output) -> Result<ExitCode> {
    let mint = Mint::default();
    let root = &arguments.archive.archive;
    let archived = Archived::open(Archive::open(root)?)?;
    let chosen = chosen(arguments, &records(&archived)?, root)?;
    evaluate_html::check(arguments.html.as_deref())?;
    let profiles = profiles(&chosen);
    let dataset = DatasetInput::open(archived.source(&chosen[0].gold)?, &mint)?;
    let mut damaged = Vec::new();
    let (readable, submissions) = readable(&archived, &mint, chosen, &mut damaged);
    let from = AskedAll::rule(&profiles, &arguments.kb)?;
    let asks =
        Asks { gold: GoldChoice::Curated, kb: &arguments.kb, root, limiting: &arguments.limiting, from };
    let archive = Archive::create(root)?;
    let asked = AskedAll::read(&asks, &mint, &dataset, &submissions, output)?;
    let options = Options::default();
    let plan: Vec<Prepared<'_>> =
        profiles.iter().map(|profile| Prepared::new(profile, &options, &[])).collect::<Result<_>>()?;
    let progress = output.progress(readable.len(), "scoring");
    let (mut evaluations, mut executions, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    for (position, (one, submission)) in readable.iter().zip(&submissions).enumerate() {
        let asked = Asked { gold: None, executed: asked.executed(position) };
        let scored = prepared(&plan, one).and_then(|prepared| {
            scored(|| Evaluation::compute_asked(&mint, &dataset, submission, prepared, asked))
        });
        match scored {
            Ok((evaluation, execution)) => {
                evaluations.push(evaluation);
                executions.push(execution);
                numbers.push(one.number);
            }
            Err(error) => damaged.push(one.not_scored(&error)),
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    damaged.sort_by_key(|one| one.number);
    for one in &damaged {
        output.error(&Error::check(one.to_string()));
    }
    if evaluations.is_empty() {
        return Err(Error::check("no blind submission can be scored").hint("`qassay verify` looks at all"));
    }
    // All is computed before anything is kept: a release that fails leaves no evaluation behind.
    let keeper = Keeper::new(&archive, &mint);
    keeper.inputs(&dataset, &submissions, &[])?;
    asked.keep(&keeper, &dataset, &submissions)?;
    evaluations.iter().zip(&executions).try_for_each(|(one, execution)| keeper.evaluation(one, execution))?;
    let released = report::released(&evaluations, numbers.into_iter());
    print(&released, &damaged, &evaluations, arguments, output)?;
    evaluate_html::write(arguments.html.as_deref(), &evaluations, output)?;
    kept(&archive, &evaluations, output);
    Ok(if damaged.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The submissions that can be read, each with its record.
fn readable(
    archived: &Archived,
    mint: &Mint,
    chosen: Vec<BlindRecord>,
    damaged: &mut Vec<NotScored>,
) -> (Vec<BlindRecord>, Vec<SubmissionInput>) {
    let (mut records, mut submissions) = (Vec::new(), Vec::new());
    for one in chosen {
        let source = archived.source(&one.answers);
        match source.and_then(|source| SubmissionInput::open(source, Some(one.system.clone()), mint)) {
            Ok(submission) => {
                records.push(one);
                submissions.push(submission);
            }
            Err(error) => damaged.push(one.not_scored(&error)),
        }
    }
    (records, submissions)
}

/// An evaluation with the event of computing it.
fn scored<'a>(compute: impl FnOnce() -> Result<Evaluation<'a>>) -> Result<(Evaluation<'a>, Execution)> {
    let started = clock::now();
    let evaluation = compute()?;
    let command = format!("qassay release --profile {}", evaluation.profile().name);
    let (ended, process) = (clock::now(), std::process::id());
    Ok((evaluation, Execution { started, ended, command, process }))
}

/// The profile that a submission is for, ready for use.
fn prepared<'p, 'a>(plan: &'p [Prepared<'a>], one: &BlindRecord) -> Result<&'p Prepared<'a>> {
    plan.iter().find(|prepared| prepared.profile.iri == one.profile).ok_or_else(|| {
        Error::check(format!("it is for the profile <{}>, which this program does not know", one.profile))
    })
}

/// The blind submissions that are meant, in the order of acceptance.
fn chosen(arguments: &Release, all: &[BlindRecord], root: &Path) -> Result<Vec<BlindRecord>> {
    let word = arguments.dataset.as_str();
    let sha256 = if Path::new(word).is_file() { Some(file_digest(Path::new(word))?) } else { None };
    let is_meant = |one: &&BlindRecord| match &sha256 {
        Some(sha256) => one.gold == *sha256,
        None => one.dataset == word || one.slug() == word,
    };
    let of_dataset: Vec<&BlindRecord> = all.iter().filter(is_meant).collect();
    let in_archive = |error: Error| error.in_file(root.display().to_string());
    if all.is_empty() {
        return Err(in_archive(Error::input("the archive has no blind submissions"))
            .hint("`qassay evaluate --blind GOLD ANSWERS --system NAME` accepts one"));
    }
    if of_dataset.is_empty() {
        return Err(in_archive(Error::input(format!("the archive has no blind submissions to `{word}`")))
            .allowed(listed(all, |one| format!("{} ({})", one.slug(), one.dataset))));
    }
    if of_dataset.iter().any(|one| one.dataset != of_dataset[0].dataset) {
        return Err(in_archive(Error::input(format!("`{word}` has blind submissions to several versions")))
            .allowed(listed(of_dataset, |one| one.dataset.clone())));
    }
    let wanted = |one: &&BlindRecord| {
        arguments.profile.as_deref().is_none_or(|name| profile_name(&one.profile) == name)
    };
    let chosen: Vec<BlindRecord> = of_dataset.iter().copied().filter(wanted).cloned().collect();
    if chosen.is_empty() {
        let name = arguments.profile.as_deref().unwrap_or_default();
        return Err(in_archive(Error::input(format!(
            "no blind submission to `{word}` is for the profile `{name}`"
        )))
        .allowed(listed(of_dataset, |one| profile_name(&one.profile).to_owned())));
    }
    Ok(chosen)
}

/// What is there, each once.
fn listed<'a>(
    records: impl IntoIterator<Item = &'a BlindRecord>,
    what: fn(&BlindRecord) -> String,
) -> String {
    let mut names: Vec<String> = records.into_iter().map(what).collect();
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}

/// The profiles that the submissions are for, as far as they are known.
fn profiles(chosen: &[BlindRecord]) -> Vec<Profile> {
    let mut iris: Vec<&str> = chosen.iter().map(|one| one.profile.as_str()).collect();
    iris.sort_unstable();
    iris.dedup();
    iris.into_iter().filter_map(Profile::with_iri).collect()
}

fn print(
    released: &[Released<'_, '_>],
    not_scored: &[NotScored],
    evaluations: &[Evaluation<'_>],
    arguments: &Release,
    output: &Output,
) -> Result<()> {
    let format = arguments.format;
    let digits = (format != Format::Csv).then_some(report::DIGITS_FOR_PEOPLE);
    let of_best = released.iter().filter(|one| arguments.failed || one.is_best).map(|one| one.evaluation);
    let results = || report::released_table(released, not_scored, evaluations, digits);
    let tables = match format {
        Format::Json => {
            return output.result(&format!("{:#}\n", report::released_json(released, not_scored)));
        }
        // CSV is one table.
        Format::Csv if arguments.failed => vec![report::failed(of_best, digits)],
        Format::Csv if arguments.issues => vec![report::issues(evaluations)],
        Format::Csv => vec![results()],
        _ => {
            let issues = arguments.issues.then(|| report::issues(evaluations));
            [results(), report::failed(of_best, digits)].into_iter().chain(issues).collect()
        }
    };
    let texts: Vec<String> = tables.iter().map(|table| table.render(format)).collect::<Result<_>>()?;
    output.result(&texts.join("\n"))
}
