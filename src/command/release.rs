//! `qassay release`: scores the blind submissions to a dataset.

use std::process::ExitCode;

use qassay::base::error::{Error, Result};
use qassay::base::iri::Mint;
use qassay::profiles::Profile;
use qassay::record::publish::provenance::{Execution, Instant};
use qassay::report::evaluations::DIGITS_FOR_PEOPLE;
use qassay::report::html::Report;
use qassay::report::release::{NotScored, Released};
use qassay::report::table::{Format, Table};
use qassay::scoring::evaluation::Evaluation;
use qassay::scoring::options::Prepared;
use qassay::sources::archive::Archive;
use qassay::sources::input::{DatasetInput, SubmissionInput};

use super::archived::Archived;
use super::blind_records::{BlindRecord, records};
use super::evaluate_asked::{AskedAll, Asks};
use super::evaluate_command::{Chosen, command_line};
use super::evaluate_html;
use super::evaluate_print::{again, kept};
use super::evaluate_references::References;
use super::keep::Keeper;
use super::release_choice::chosen;
use super::scoring_options::{note_no_links, options};
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
    let scoring = &arguments.scoring;
    let options = options(scoring, &[], &profiles)?;
    let mut references = References::read(scoring, root, &mint)?;
    note_no_links(scoring, output);
    let gold = archived.source(&chosen[0].gold)?.called(chosen[0].slug());
    let dataset = DatasetInput::open(gold, &mint)?;
    let mut damaged = Vec::new();
    let (readable, submissions) = readable(&archived, &mint, chosen, &mut damaged);
    let asks = Asks::new(GoldChoice::Curated, scoring, root, &profiles)?;
    let archive = Archive::create(root)?;
    let asked = AskedAll::read(&asks, &mint, &dataset, &submissions, output)?;
    references.harvest(&profiles, &dataset, &submissions, &asked, scoring, output)?;
    let plan: Vec<Prepared<'_>> = profiles
        .iter()
        .map(|profile| Prepared::new(profile, &options, &references.files))
        .collect::<Result<_>>()?;
    let progress = output.progress(readable.len(), "scoring");
    let mut all = Scored::default();
    for (position, (one, submission)) in readable.iter().zip(&submissions).enumerate() {
        let asked = asked.of(None, position);
        let started = clock::now()?;
        let computed = prepared(&plan, one)
            .and_then(|prepared| Evaluation::compute_asked(&mint, &dataset, submission, prepared, asked));
        match computed {
            Ok(evaluation) => all.add(one.number, evaluation, started, arguments, &references)?,
            Err(error) => damaged.push(one.not_scored(&error)),
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    let Scored { numbers, evaluations, executions } = all;
    damaged.sort_by_key(|one| one.number);
    for one in &damaged {
        output.error(&Error::check(one.to_string()));
    }
    if evaluations.is_empty() {
        return Err(Error::check("no blind submission can be scored").hint("`qassay verify` looks at all"));
    }
    // All is computed before anything is kept: a release that fails leaves no evaluation behind.
    let keeper = Keeper::new(&archive, &mint);
    keeper.inputs(&dataset, &submissions, &references.files)?;
    asked.keep(&keeper, &dataset, &submissions)?;
    evaluations.iter().zip(&executions).try_for_each(|(one, execution)| keeper.evaluation(one, execution))?;
    let released = qassay::report::release::released(&evaluations, numbers.into_iter());
    print(&released, &damaged, &evaluations, arguments, output)?;
    kept(&archive, &evaluations, output);
    again(&[asked.again(), references.again(root)].concat(), output);
    if let Some(path) = &arguments.html {
        let results = qassay::report::release::released_table(
            &released,
            &damaged,
            &evaluations,
            Some(DIGITS_FOR_PEOPLE),
        );
        let is_best = released.iter().map(|one| one.is_best).collect();
        evaluate_html::write(path, &page(results, is_best, evaluations), output)?;
    }
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
        // The archive knows no names of files.
        let source = source.map(|source| source.called(format!("{} (no. {})", one.system, one.number)));
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

/// What was computed, by acceptance number.
#[derive(Default)]
struct Scored<'a> {
    numbers: Vec<u64>,
    evaluations: Vec<Evaluation<'a>>,
    executions: Vec<Execution>,
}

impl<'a> Scored<'a> {
    /// Adds an evaluation with the event of computing it.
    fn add(
        &mut self,
        number: u64,
        evaluation: Evaluation<'a>,
        started: Instant,
        arguments: &Release,
        references: &References,
    ) -> Result<()> {
        let chosen = Chosen {
            command: "release",
            profiles: &[evaluation.profile().name.clone()],
            experiments: &[],
            gold: GoldChoice::Curated,
            scoring: &arguments.scoring,
        };
        let command = command_line(chosen, &references.named);
        let (ended, process) = (clock::now()?, std::process::id());
        self.numbers.push(number);
        self.evaluations.push(evaluation);
        self.executions.push(Execution { started, ended, command, process });
        Ok(())
    }
}

/// The page: all results, and everything else that can be shown of the best submission of each system.
fn page(mut results: Table, is_best: Vec<bool>, evaluations: Vec<Evaluation<'_>>) -> Report {
    let (best, others): (Vec<_>, Vec<_>) =
        evaluations.into_iter().zip(is_best).partition(|(_, is_best)| *is_best);
    let (shown, about) = if best.is_empty() {
        (others, "all submissions")
    } else {
        (best, "the best submission of each system")
    };
    results.notes.push(format!("the other parts of this page: {about}"));
    let shown: Vec<Evaluation<'_>> = shown.into_iter().map(|(evaluation, _)| evaluation).collect();
    evaluate_html::page(results, &shown)
}

/// The profile that a submission is for, ready for use.
fn prepared<'p, 'a>(plan: &'p [Prepared<'a>], one: &BlindRecord) -> Result<&'p Prepared<'a>> {
    plan.iter().find(|prepared| prepared.profile.iri == one.profile).ok_or_else(|| {
        Error::check(format!("it is for the profile <{}>, which this program does not know", one.profile))
    })
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
    let digits = (format != Format::Csv).then_some(DIGITS_FOR_PEOPLE);
    let of_best = released.iter().filter(|one| arguments.failed || one.is_best).map(|one| one.evaluation);
    let results = || qassay::report::release::released_table(released, not_scored, evaluations, digits);
    let tables = match format {
        Format::Json => {
            return output.result(&qassay::report::json::text(&qassay::report::release::released_json(
                released, not_scored,
            )));
        }
        // CSV is one table.
        Format::Csv if arguments.failed => vec![qassay::report::failed::failed(of_best, digits)],
        Format::Csv if arguments.issues => vec![qassay::report::evaluations::issues(evaluations)],
        Format::Csv => vec![results()],
        _ => {
            let issues = arguments.issues.then(|| qassay::report::evaluations::issues(evaluations));
            [results(), qassay::report::failed::failed(of_best, digits)].into_iter().chain(issues).collect()
        }
    };
    let texts: Vec<String> = tables.iter().map(|table| table.render(format)).collect::<Result<_>>()?;
    output.result(&texts.join("\n"))
}
