//! The choices that decide numbers, checked against what the profiles look at.

use qassay::gerbil::same_as::Mode;
use qassay::loader::Loader;
use qassay::observe::Options;
use qassay::profile::{EXPERIMENTS, Profile};
use qassay::{Error, Result};

use super::Output;
use crate::cli::{SameAsMode, Scoring, link_kinds};

/// The choices that decide numbers. A choice that no profile looks at is a mistake of the user.
pub(super) fn options(chosen: &Scoring, experiments: &[String], profiles: &[Profile]) -> Result<Options> {
    if let Some(language) = &chosen.language
        && qassay::graph::term::language_tag(language).is_none()
    {
        return Err(
            Error::input(format!("`{language}` is no language tag")).allowed("a tag such as `en` or `pt-br`")
        );
    }
    let follows_gerbil = profiles.iter().any(|profile| profile.era.is_some());
    if chosen.same_as.is_some() && !follows_gerbil {
        return Err(Error::input("`--same-as` is for the profiles that follow GERBIL")
            .allowed("--profile gerbil, gerbil-2023 or gerbil-2019")
            .hint("the other profiles take `owl:sameAs` as an equivalence: `--links FILE`"));
    }
    let wants = |name: &str| experiments.is_empty() || experiments.iter().any(|x| x == name);
    let looks_at =
        |experiment: &str, uses: fn(&Profile) -> bool| wants(experiment) && profiles.iter().any(uses);
    if !chosen.labels.is_empty() && !looks_at("QA", Profile::uses_labels) {
        return Err(Error::input("`--labels` is for the profiles that resolve the texts of answers")
            .allowed(
                "--profile qassay, gerbil, gerbil-2023 or gerbil-2019, with QA among the experiment types",
            ));
    }
    if !chosen.types.is_empty() && !looks_at("AIT2KB", Profile::uses_types) {
        return Err(Error::input("`--types` is for AIT2KB")
            .allowed("--profile qassay, with AIT2KB among the experiment types"));
    }
    if !chosen.classes.is_empty() && !looks_at("AIT2KB", Profile::uses_classes) {
        return Err(Error::input("`--classes` is for the hierarchical measures of AIT2KB")
            .allowed("--profile qassay, with AIT2KB among the experiment types"));
    }
    if !chosen.link_kind.is_empty()
        && (chosen.links.is_empty() || !profiles.iter().any(Profile::closes_links))
    {
        return Err(Error::input("`--link-kind` is for the links that a profile closes to clusters")
            .allowed("--links, with --profile qassay"));
    }
    let ignores_links = matches!(chosen.same_as, Some(SameAsMode::None | SameAsMode::Static));
    if ignores_links && !chosen.links.is_empty() && !profiles.iter().any(Profile::closes_links) {
        return Err(Error::input("links are not looked at with `--same-as none` or `static`")
            .allowed("--same-as closure, equivalence or links"));
    }
    let scored = |name: &&str| profiles.iter().flat_map(|p| &p.experiments).any(|rules| rules.name == **name);
    let known: Vec<&str> = EXPERIMENTS.into_iter().filter(scored).collect();
    if let Some(name) = experiments.iter().find(|name| !known.contains(&name.as_str())) {
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
    check_tables(chosen, profiles)?;
    let loader = chosen.loader.map(Loader::from);
    loader.map_or(Ok(()), |loader| profiles.iter().try_for_each(|profile| profile.allow(loader)))?;
    Ok(Options {
        language: chosen.language.clone(),
        same_as: chosen.same_as.map(Into::into),
        experiments: (!experiments.is_empty()).then(|| experiments.to_vec()),
        loader,
        part: chosen.part.map(Into::into),
        cutoffs: cutoffs(chosen, profiles)?,
        link_kinds: link_kinds(&chosen.link_kind),
    })
}

/// The ranks that the user chose, in order and each once.
fn cutoffs(chosen: &Scoring, profiles: &[Profile]) -> Result<Vec<u64>> {
    if !chosen.cutoffs.is_empty() && !profiles.iter().any(Profile::looks_at_ranks) {
        return Err(Error::input("`--cutoffs` is for measures that look at a rank, such as accuracy at N")
            .allowed("a profile that has some: nlpcc-kbqa, nlpcc-ranking or trec"));
    }
    let mut cutoffs = chosen.cutoffs.clone();
    cutoffs.sort_unstable();
    cutoffs.dedup();
    Ok(cutoffs)
}

/// What looks like a slip, and is none.
pub(super) fn note_no_links(chosen: &Scoring, output: &Output) {
    if let Some(mode) = chosen.same_as.map(Mode::from).filter(|mode| mode.uses_links())
        && chosen.links.is_empty()
    {
        output.note(&format!("note: `--same-as {}` follows links, and there is no `--links`", mode.name()));
    }
}

/// An error where no profile looks at a table that people fill in.
fn check_tables(chosen: &Scoring, profiles: &[Profile]) -> Result<()> {
    if chosen.question_types.is_some() && !profiles.iter().any(Profile::uses_question_types) {
        return Err(Error::input(
            "`--question-types` is for the profiles that group questions by their type",
        )
        .allowed("--profile clef-2004"));
    }
    if !chosen.assessments.is_empty() && !profiles.iter().any(Profile::uses_assessments) {
        return Err(Error::input("`--assessments` is for the profiles that let people judge answers")
            .allowed("--profile clef-2004"));
    }
    Ok(())
}
