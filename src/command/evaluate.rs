//! `qassay evaluate`: scores the answers of systems against a gold standard.

use std::path::Path;
use std::process::ExitCode;
use std::thread;

use qassay::base::error::ErrorKind;
use qassay::base::error::{Error, Result};
use qassay::base::iri::Mint;
use qassay::profiles::Profile;
use qassay::record::publish::provenance::Execution;
use qassay::report::evaluations::DIGITS_FOR_PEOPLE;
use qassay::report::table::Format;
use qassay::scoring::evaluation::Evaluation;
use qassay::scoring::options::Prepared;
use qassay::sources::archive::Archive;

use super::evaluate_asked::{AskedAll, Asks};
use super::evaluate_command::{Chosen, command_line};
use super::evaluate_html;
use super::evaluate_inputs::Inputs;
use super::evaluate_print::{again, kept as print_kept, print};
use super::keep::Keeper;
use super::parallel::join;
use super::scoring_options::{note_no_links, options};
use super::{Output, blind, clock};
use crate::cli::Evaluate;

/// Runs the command.
pub(crate) fn run(arguments: &Evaluate, output: &Output) -> Result<ExitCode> {
    check(arguments)?;
    if arguments.blind {
        return blind::run(arguments, output);
    }
    let mint = Mint::default();
    let profiles = profiles(&arguments.profile)?;
    evaluate_html::check(arguments.html.as_deref())?;
    let scoring = &arguments.scoring;
    let options = options(scoring, &arguments.experiment, &profiles)?;
    let asks = Asks::new(arguments.gold_answers, scoring, &arguments.archive.archive, &profiles)?;
    let mut inputs = Inputs::read(arguments, &mint)?;
    note_no_links(scoring, output);
    // A place that cannot be written to is reported before the work, not after it.
    let archive = if arguments.no_archive { None } else { Some(create(&arguments.archive.archive)?) };
    let keeper = archive.as_ref().map(|archive| Keeper::new(archive, &mint));
    for submission in &inputs.submissions {
        if let Some(known) = keeper.as_ref().and_then(|keeper| keeper.known_name(submission)) {
            let name = &submission.system;
            output.note(&format!(
                "note: the archive knows these answers as `{known}`; from now on they are `{name}`"
            ));
        }
    }
    let asked = AskedAll::read(&asks, &mint, &inputs.dataset, &inputs.submissions, output)?;
    let Inputs { dataset, submissions, references } = &mut inputs;
    references.harvest(&profiles, dataset, submissions, &asked, scoring, output)?;
    let plan: Vec<Prepared<'_>> = profiles
        .iter()
        .map(|profile| Prepared::new(profile, &options, &inputs.references.files))
        .collect::<Result<_>>()?;
    let (evaluations, kept) = score(arguments, &mint, &inputs, &asked, &plan, keeper.as_ref(), output)?;
    print(arguments, &evaluations, output)?;
    if let Some(path) = &arguments.html {
        let results = qassay::report::evaluations::overview(&evaluations, Some(DIGITS_FOR_PEOPLE));
        evaluate_html::write(path, &evaluate_html::page(results, &evaluations), output)?;
    }
    // What was computed is shown, also where it cannot be kept.
    kept.map_err(keep_nothing)?;
    match &archive {
        Some(archive) => {
            print_kept(archive, &evaluations, output);
            again(&[asked.again(), inputs.references.again(archive.root())].concat(), output);
        }
        None => output.note("\nnothing kept (--no-archive)"),
    }
    // The process ends here: giving back millions of small pieces of memory one by one would take longer than
    // some of the work.
    std::mem::forget(evaluations);
    std::mem::forget(inputs);
    std::mem::forget(asked);
    Ok(ExitCode::SUCCESS)
}

fn create(root: &Path) -> Result<Archive> {
    Archive::create(root).map_err(keep_nothing)
}

/// The error of an archive that cannot be written, with what to do about it.
fn keep_nothing(error: Error) -> Error {
    match error.kind() {
        ErrorKind::System => {
            error.hint("`--archive DIR` names another archive, `--no-archive` keeps nothing")
        }
        ErrorKind::Input | ErrorKind::Check => error,
    }
}

/// Scores every submission with every profile. The inputs are written while the first evaluation is computed;
/// evaluations are kept after their inputs. Gives also what came of keeping them.
fn score<'a>(
    arguments: &Evaluate,
    mint: &'a Mint,
    inputs: &'a Inputs,
    asked: &'a AskedAll,
    plan: &'a [Prepared<'a>],
    keeper: Option<&Keeper<'_>>,
    output: &Output,
) -> Result<(Vec<Evaluation<'a>>, Result<()>)> {
    let golds = asked.golds();
    let progress = output.progress(inputs.submissions.len() * plan.len() * golds.len(), "scoring");
    let (dataset, submissions) = (&inputs.dataset, &inputs.submissions);
    let chosen = Chosen {
        command: "evaluate",
        profiles: &arguments.profile,
        experiments: &arguments.experiment,
        gold: arguments.gold_answers,
        scoring: &arguments.scoring,
    };
    thread::scope(|scope| {
        let mut writing = keeper.map(|keeper| {
            scope.spawn(|| {
                keeper.inputs(dataset, submissions, &inputs.references.files)?;
                asked.keep(keeper, dataset, submissions)
            })
        });
        let (mut evaluations, mut kept) = (Vec::new(), Ok(()));
        let runs = golds.into_iter().flat_map(|gold| plan.iter().map(move |prepared| (gold, prepared)));
        for (gold, prepared) in runs {
            for (number, submission) in submissions.iter().enumerate() {
                let started = clock::now()?;
                let asked = asked.of(gold, number);
                let evaluation = Evaluation::compute_asked(mint, dataset, submission, prepared, asked)?;
                if let Some(keeper) = keeper.filter(|_| kept.is_ok()) {
                    let (ended, process) = (clock::now()?, std::process::id());
                    let command = command_line(chosen, &inputs.references.named);
                    let execution = Execution { started, ended, command, process };
                    let inputs = writing.take().map_or(Ok(()), join);
                    kept = inputs.and_then(|()| keeper.evaluation(&evaluation, &execution));
                }
                evaluations.push(evaluation);
                progress.inc(1);
            }
        }
        progress.finish_and_clear();
        Ok((evaluations, kept))
    })
}

fn profiles(names: &[String]) -> Result<Vec<Profile>> {
    let mut profiles: Vec<Profile> = Vec::new();
    for name in names {
        let profile = Profile::find(name)?;
        if !profiles.iter().any(|known| known.name == profile.name) {
            profiles.push(profile);
        }
    }
    Ok(profiles)
}

/// What the command line cannot say by itself.
fn check(arguments: &Evaluate) -> Result<()> {
    if arguments.format == Format::Csv && arguments.tables() > 1 {
        return Err(Error::input("CSV holds one table")
            .allowed("one of --groups, --details, --issues, --differences, --all-measures, --failed"));
    }
    if arguments.differences && arguments.profile.len() < 2 {
        return Err(Error::input("`--differences` compares profiles, and there is one")
            .allowed("several, such as `--profile qassay,gerbil`"));
    }
    let (names, files) = (arguments.system.len(), arguments.answers.len());
    // One system may send several blind submissions.
    let names_all = arguments.blind && names == 1;
    if names != 0 && names != files && !names_all {
        return Err(Error::input(format!("{names} system names for {files} answer files"))
            .allowed("as many `--system` as answer files, in their order, or none"));
    }
    if let Some(name) =
        arguments.system.iter().find(|name| name.trim().is_empty() || name.chars().any(char::is_control))
    {
        return Err(Error::input(format!("{name:?} is no name of a system")).allowed("visible characters"));
    }
    Ok(())
}
