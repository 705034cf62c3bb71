//! `qassay evaluate`: scores the answers of systems against a gold standard.

use std::process::ExitCode;
use std::thread;

use qassay::gerbil::same_as::Mode;
use qassay::graph::Archive;
use qassay::graph::iri::Mint;
use qassay::loader::Loader;
use qassay::observe::provenance::Execution;
use qassay::observe::{Asked, Evaluation, Options, Prepared};
use qassay::profile::{EXPERIMENTS, Profile};
use qassay::report::Format;
use qassay::{Error, Result};

use super::evaluate_asked::{AskedAll, Asks};
use super::evaluate_command::command_line;
use super::evaluate_html;
use super::evaluate_inputs::Inputs;
use super::evaluate_print::{kept, print};
use super::evaluate_references::check_tables;
use super::keep::Keeper;
use super::parallel::join;
use super::{Output, blind, clock};
use crate::cli::{Evaluate, SameAsMode, link_kinds};

/// Runs the command.
pub(crate) fn run(arguments: &Evaluate, output: &Output) -> Result<ExitCode> {
    check(arguments)?;
    if arguments.blind {
        return blind::run(arguments, output);
    }
    let mint = Mint::default();
    let profiles = profiles(&arguments.profile)?;
    evaluate_html::check(arguments.html.as_deref())?;
    let options = options(arguments, &profiles)?;
    let asks = Asks {
        gold: arguments.gold_answers,
        kb: &arguments.kb,
        root: &arguments.archive.archive,
        limiting: &arguments.limiting,
        from: AskedAll::rule(&profiles, &arguments.kb)?,
    };
    let mut inputs = Inputs::read(arguments, &mint)?;
    if let Some(mode) = arguments.same_as.map(Mode::from).filter(|mode| mode.uses_links())
        && arguments.links.is_empty()
    {
        output.note(&format!("note: `--same-as {}` follows links, and there is no `--links`", mode.name()));
    }
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
    let asked = AskedAll::read(&asks, &mint, &inputs.dataset, &inputs.submissions, output)?;
    let Inputs { dataset, submissions, references } = &mut inputs;
    references.harvest(&profiles, dataset, submissions, &asked, arguments, output)?;
    let plan: Vec<Prepared<'_>> = profiles
        .iter()
        .map(|profile| Prepared::new(profile, &options, &inputs.references.files))
        .collect::<Result<_>>()?;
    let evaluations = score(arguments, &mint, &inputs, &asked, &plan, keeper.as_ref(), output)?;
    print(arguments, &evaluations, output)?;
    evaluate_html::write(arguments.html.as_deref(), &evaluations, output)?;
    match &archive {
        Some(archive) => {
            kept(archive, &evaluations, output);
            let again = [asked.again(), inputs.references.again(archive.root())].concat();
            if !again.is_empty() {
                output.note(&format!("the same without the network: {}", again.join(" ")));
            }
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

/// Scores every submission with every profile. The inputs are written while the first evaluation is computed;
/// evaluations are kept after their inputs.
fn score<'a>(
    arguments: &Evaluate,
    mint: &'a Mint,
    inputs: &'a Inputs,
    asked: &'a AskedAll,
    plan: &'a [Prepared<'a>],
    keeper: Option<&Keeper<'_>>,
    output: &Output,
) -> Result<Vec<Evaluation<'a>>> {
    let golds = asked.golds();
    let progress = output.progress(inputs.submissions.len() * plan.len() * golds.len(), "scoring");
    let (dataset, submissions) = (&inputs.dataset, &inputs.submissions);
    thread::scope(|scope| {
        let mut writing = keeper.map(|keeper| {
            scope.spawn(|| {
                keeper.inputs(dataset, submissions, &inputs.references.files)?;
                asked.keep(keeper, dataset, submissions)
            })
        });
        let mut evaluations = Vec::new();
        let runs = golds.into_iter().flat_map(|gold| plan.iter().map(move |prepared| (gold, prepared)));
        for (gold, prepared) in runs {
            for (number, submission) in submissions.iter().enumerate() {
                let started = clock::now();
                let asked = Asked { gold, executed: asked.executed(number) };
                let evaluation = Evaluation::compute_asked(mint, dataset, submission, prepared, asked)?;
                if let Some(keeper) = keeper {
                    let (ended, process) = (clock::now(), std::process::id());
                    let command = command_line(arguments, &inputs.references.named);
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
    if let Some(language) = &arguments.language
        && qassay::graph::term::language_tag(language).is_none()
    {
        return Err(
            Error::input(format!("`{language}` is no language tag")).allowed("a tag such as `en` or `pt-br`")
        );
    }
    Ok(())
}

/// The choices that decide numbers. A choice that no profile looks at is a mistake of the user.
fn options(arguments: &Evaluate, profiles: &[Profile]) -> Result<Options> {
    let follows_gerbil = profiles.iter().any(|profile| profile.era.is_some());
    if arguments.same_as.is_some() && !follows_gerbil {
        return Err(Error::input("`--same-as` is for the profiles that follow GERBIL")
            .allowed("--profile gerbil, gerbil-2023 or gerbil-2019")
            .hint("the other profiles take `owl:sameAs` as an equivalence: `--links FILE`"));
    }
    let wants =
        |name: &str| arguments.experiment.is_empty() || arguments.experiment.iter().any(|x| x == name);
    let looks_at =
        |experiment: &str, uses: fn(&Profile) -> bool| wants(experiment) && profiles.iter().any(uses);
    if !arguments.labels.is_empty() && !looks_at("QA", Profile::uses_labels) {
        return Err(Error::input("`--labels` is for the profiles that resolve the texts of answers")
            .allowed(
                "--profile qassay, gerbil, gerbil-2023 or gerbil-2019, with QA among the experiment types",
            ));
    }
    if !arguments.types.is_empty() && !looks_at("AIT2KB", Profile::uses_types) {
        return Err(Error::input("`--types` is for AIT2KB")
            .allowed("--profile qassay, with AIT2KB among the experiment types"));
    }
    if !arguments.classes.is_empty() && !looks_at("AIT2KB", Profile::uses_classes) {
        return Err(Error::input("`--classes` is for the hierarchical measures of AIT2KB")
            .allowed("--profile qassay, with AIT2KB among the experiment types"));
    }
    if !arguments.link_kind.is_empty()
        && (arguments.links.is_empty() || !profiles.iter().any(Profile::closes_links))
    {
        return Err(Error::input("`--link-kind` is for the links that a profile closes to clusters")
            .allowed("--links, with --profile qassay"));
    }
    let ignores_links = matches!(arguments.same_as, Some(SameAsMode::None | SameAsMode::Static));
    if ignores_links && !arguments.links.is_empty() && !profiles.iter().any(Profile::closes_links) {
        return Err(Error::input("links are not looked at with `--same-as none` or `static`")
            .allowed("--same-as closure, equivalence or links"));
    }
    let scored = |name: &&str| profiles.iter().flat_map(|p| &p.experiments).any(|rules| rules.name == **name);
    let known: Vec<&str> = EXPERIMENTS.into_iter().filter(scored).collect();
    if let Some(name) = arguments.experiment.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(
            Error::input(format!("the profile scores no experiment type `{name}`")).allowed(known.join(", "))
        );
    }
    if let Some(profile) = profiles.iter().find(|p| !p.experiments.iter().any(|rules| wants(&rules.name))) {
        let own: Vec<&str> = profile.experiments.iter().map(|rules| rules.name.as_str()).collect();
        return Err(Error::input(format!(
            "the profile `{}` scores none of these experiment types",
            profile.name
        ))
        .allowed(own.join(", ")));
    }
    check_tables(arguments, profiles)?;
    let loader = arguments.loader.map(Loader::from);
    loader.map_or(Ok(()), |loader| profiles.iter().try_for_each(|profile| profile.allow(loader)))?;
    Ok(Options {
        language: arguments.language.clone(),
        same_as: arguments.same_as.map(Into::into),
        experiments: (!arguments.experiment.is_empty()).then(|| arguments.experiment.clone()),
        loader,
        part: arguments.part.map(Into::into),
        cutoffs: cutoffs(arguments, profiles)?,
        link_kinds: link_kinds(&arguments.link_kind),
    })
}

/// The ranks that the user chose, in order and each once.
fn cutoffs(arguments: &Evaluate, profiles: &[Profile]) -> Result<Vec<u64>> {
    if !arguments.cutoffs.is_empty() && !profiles.iter().any(Profile::looks_at_ranks) {
        return Err(Error::input("`--cutoffs` is for measures that look at a rank, such as accuracy at N")
            .allowed("a profile that has some: nlpcc-kbqa, nlpcc-ranking or trec"));
    }
    let mut cutoffs = arguments.cutoffs.clone();
    cutoffs.sort_unstable();
    cutoffs.dedup();
    Ok(cutoffs)
}
