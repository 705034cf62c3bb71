//! `qassay evaluate`: scores the answers of systems against a gold standard.

use std::process::ExitCode;
use std::thread;

use qassay::graph::Archive;
use qassay::graph::iri::Mint;
use qassay::matching::Links;
use qassay::observe::provenance::Execution;
use qassay::observe::{DatasetInput, Evaluation, LinksInput, SubmissionInput};
use qassay::profile::Profile;
use qassay::read::Source;
use qassay::report::{self, Format};
use qassay::{Error, Result};

use super::keep::Keeper;
use super::parallel::{both, join};
use super::{Output, clock};
use crate::cli::Evaluate;

/// Runs the command.
pub(crate) fn run(arguments: &Evaluate, output: &Output) -> Result<ExitCode> {
    let mint = Mint::default();
    let profiles = profiles(&arguments.profile)?;
    check(arguments)?;
    let inputs = Inputs::read(arguments, &mint)?;
    // A place that cannot be written to is reported before the work, not after it.
    let archive =
        if arguments.no_archive { None } else { Some(Archive::create(&arguments.archive.archive)?) };
    let keeper = archive.as_ref().map(|archive| Keeper::new(archive, &mint));
    for submission in &inputs.submissions {
        if let Some(known) = keeper.as_ref().and_then(|keeper| keeper.known_name(submission)) {
            let name = &submission.system;
            output.note(&format!(
                "note: the archive knows these answers as `{known}`; from now on they are `{name}`"
            ));
        }
    }
    let links: Vec<&LinksInput> = inputs.links.iter().collect();
    let closures: Vec<Option<Links>> = profiles.iter().map(|profile| close(&links, profile)).collect();
    let plan: Vec<(&Profile, Option<&Links>)> =
        profiles.iter().zip(closures.iter().map(Option::as_ref)).collect();
    let evaluations = score(arguments, &mint, &inputs, &plan, keeper.as_ref(), output)?;
    print(arguments, &evaluations, output)?;
    match &archive {
        Some(archive) => kept(archive, &evaluations, output),
        None => output.note("\nnothing kept (--no-archive)"),
    }
    // The process ends here: giving back millions of small pieces of memory one by one would take longer than
    // some of the work.
    std::mem::forget(evaluations);
    std::mem::forget(inputs);
    Ok(ExitCode::SUCCESS)
}

/// What is scored, with what.
struct Inputs {
    dataset: DatasetInput,
    submissions: Vec<SubmissionInput>,
    links: Vec<LinksInput>,
}

impl Inputs {
    /// Reads the dataset beside all other files.
    fn read(arguments: &Evaluate, mint: &Mint) -> Result<Self> {
        let (dataset, others) = both(
            || DatasetInput::open(Source::open(&arguments.gold)?, mint),
            || Ok((submissions(arguments, mint)?, links(arguments, mint)?)),
        );
        let (dataset, (submissions, links)) = (dataset?, others?);
        Ok(Self { dataset, submissions, links })
    }
}

/// Scores every submission with every profile. The inputs are written while the first evaluation is computed;
/// evaluations are kept after their inputs.
fn score<'a>(
    arguments: &Evaluate,
    mint: &Mint,
    inputs: &'a Inputs,
    plan: &[(&'a Profile, Option<&'a Links>)],
    keeper: Option<&Keeper<'_>>,
    output: &Output,
) -> Result<Vec<Evaluation<'a>>> {
    let progress = output.progress(inputs.submissions.len() * plan.len(), "scoring");
    let links: Vec<&LinksInput> = inputs.links.iter().collect();
    let language = arguments.language.as_deref();
    let (dataset, submissions) = (&inputs.dataset, &inputs.submissions);
    thread::scope(|scope| {
        let mut writing =
            keeper.map(|keeper| scope.spawn(|| keeper.inputs(dataset, submissions, &inputs.links)));
        let mut evaluations = Vec::new();
        for (profile, closure) in plan {
            for submission in submissions {
                let started = clock::now();
                let evaluation =
                    Evaluation::compute(mint, dataset, submission, &links, *closure, profile, language)?;
                if let Some(keeper) = keeper {
                    let (ended, process) = (clock::now(), std::process::id());
                    let command = options(arguments);
                    writing.take().map_or(Ok(()), join)?;
                    keeper.evaluation(&evaluation, &Execution { started, ended, command, process })?;
                }
                evaluations.push(evaluation);
                progress.inc(1);
            }
        }
        progress.finish_and_clear();
        Ok(evaluations)
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
    let tables =
        [arguments.groups, arguments.details, arguments.issues].iter().filter(|wanted| **wanted).count();
    if arguments.format == Format::Csv && tables > 1 {
        return Err(Error::input("CSV holds one table").allowed("one of --groups, --details, --issues"));
    }
    let (names, files) = (arguments.system.len(), arguments.answers.len());
    if names != 0 && names != files {
        return Err(Error::input(format!("{names} system names for {files} answer files"))
            .allowed("as many `--system` as answer files, in their order, or none"));
    }
    if let Some(name) =
        arguments.system.iter().find(|name| name.trim().is_empty() || name.chars().any(char::is_control))
    {
        return Err(Error::input(format!("{name:?} is no name of a system")).allowed("visible characters"));
    }
    if let Some(language) = &arguments.language
        && qassay::graph::term::language_tag(language).is_none()
    {
        return Err(
            Error::input(format!("`{language}` is no language tag")).allowed("a tag such as `en` or `pt-br`")
        );
    }
    Ok(())
}

fn submissions(arguments: &Evaluate, mint: &Mint) -> Result<Vec<SubmissionInput>> {
    let mut submissions: Vec<SubmissionInput> = Vec::new();
    for (number, path) in arguments.answers.iter().enumerate() {
        let submission =
            SubmissionInput::open(Source::open(path)?, arguments.system.get(number).cloned(), mint)?;
        if let Some(known) = submissions.iter().find(|known| known.iri == submission.iri) {
            return Err(Error::input(format!("the same bytes as {}", known.source.name()))
                .in_file(submission.source.name())
                .hint("name each submission once"));
        }
        submissions.push(submission);
    }
    let mut names: Vec<&str> = submissions.iter().map(|submission| submission.system.as_str()).collect();
    names.sort_unstable();
    if let Some([name, ..]) = names.windows(2).find(|pair| pair.first() == pair.last()) {
        return Err(Error::input(format!("two systems are called `{name}`"))
            .hint("`--system NAME` names them, once for each file of answers, in their order"));
    }
    Ok(submissions)
}

fn links(arguments: &Evaluate, mint: &Mint) -> Result<Vec<LinksInput>> {
    let mut links = Vec::new();
    for path in &arguments.links {
        links.push(LinksInput::open(Source::open(path)?, mint)?);
    }
    Ok(links)
}

/// The closure of all link sets, as the profile normalises.
pub(super) fn close(links: &[&LinksInput], profile: &Profile) -> Option<Links> {
    let sets = links.iter().map(|links| &links.set);
    (profile.uses_links() && !links.is_empty()).then(|| Links::close(sets, |name| profile.normalises(name)))
}

/// The options without paths: what provenance says about the command.
fn options(arguments: &Evaluate) -> String {
    let mut text = format!("qassay evaluate --profile {}", arguments.profile.join(","));
    if let Some(language) = &arguments.language {
        text.push_str(" --language ");
        text.push_str(language);
    }
    text
}

fn print(arguments: &Evaluate, evaluations: &[Evaluation<'_>], output: &Output) -> Result<()> {
    if arguments.format == Format::Json {
        return output.result(&format!("{:#}\n", report::evaluations_json(evaluations)));
    }
    let digits = (arguments.format != Format::Csv).then_some(report::DIGITS_FOR_PEOPLE);
    let mut tables = Vec::new();
    // CSV is one table: a reader must not have to look for the header of the next.
    let only_one = arguments.format == Format::Csv;
    if !only_one || !(arguments.groups || arguments.details || arguments.issues) {
        tables.push(report::overview(evaluations, digits));
    }
    if arguments.groups {
        tables.push(report::groups(evaluations, digits));
    }
    if arguments.details {
        tables.push(report::details(evaluations, digits));
    }
    if arguments.issues {
        tables.push(report::issues(evaluations));
    }
    let texts: Vec<String> =
        tables.iter().map(|table| table.render(arguments.format)).collect::<Result<_>>()?;
    output.result(&texts.join("\n"))
}

fn kept(archive: &Archive, evaluations: &[Evaluation<'_>], output: &Output) {
    output.note(&format!("\nkept in {}:", archive.root().display()));
    for evaluation in evaluations {
        output.note(&format!("  {}  {}", evaluation.iri, evaluation.submission.system));
    }
}
