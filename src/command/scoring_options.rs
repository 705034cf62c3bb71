//! The choices that decide numbers, checked against what the profiles look at.

use qassay::base::error::{Error, Result};
use qassay::profiles::Profile;
use qassay::profiles::loaders::Loader;
use qassay::profiles::rules::EXPERIMENTS;
use qassay::scoring::gerbil::same_as::Mode;
use qassay::scoring::options::Options;
use qassay::sources::input::term::language_tag;

use super::Output;
use crate::cli::{SameAsMode, Scoring, link_kinds};

/// The choices that decide numbers. A choice that no profile looks at is a mistake of the user.
pub(super) fn options(chosen: &Scoring, experiments: &[String], profiles: &[Profile]) -> Result<Options> {
    check_language(chosen)?;
    check_experiments(experiments, profiles)?;
    let words = words(chosen, experiments, profiles);
    words.into_iter().find(|word| word.is_given && !word.is_looked_at).map_or(Ok(()), Word::refuse)?;
    let loader = chosen.loader.map(Loader::from);
    loader.map_or(Ok(()), |loader| profiles.iter().try_for_each(|profile| profile.allow(loader)))?;
    Ok(Options {
        language: chosen.language.clone(),
        same_as: chosen.same_as.map(Into::into),
        experiments: (!experiments.is_empty()).then(|| experiments.to_vec()),
        loader,
        part: chosen.part.map(Into::into),
        cutoffs: cutoffs(chosen),
        link_kinds: link_kinds(&chosen.link_kind),
    })
}

/// What looks like a slip, and is none.
pub(super) fn note_no_links(chosen: &Scoring, output: &Output) {
    if let Some(mode) = chosen.same_as.map(Mode::from).filter(|mode| mode.uses_links())
        && chosen.links.is_empty()
    {
        output.note(&format!("note: `--same-as {}` follows links, and there is no `--links`", mode.name()));
    }
}

/// The ranks that the user chose, in order and each once.
fn cutoffs(chosen: &Scoring) -> Vec<u64> {
    let mut cutoffs = chosen.cutoffs.clone();
    cutoffs.sort_unstable();
    cutoffs.dedup();
    cutoffs
}

fn check_language(chosen: &Scoring) -> Result<()> {
    match &chosen.language {
        Some(language) if language_tag(language).is_none() => {
            Err(Error::input(format!("`{language}` is no language tag"))
                .allowed("a tag such as `en` or `pt-br`"))
        }
        _ => Ok(()),
    }
}

/// Every experiment type is scored by a profile, and every profile scores one of them.
fn check_experiments(experiments: &[String], profiles: &[Profile]) -> Result<()> {
    let scored: Vec<&str> = profiles.iter().flat_map(own).collect();
    if let Some(name) = experiments.iter().find(|name| !scored.contains(&name.as_str())) {
        let known = EXPERIMENTS.into_iter().filter(|known| scored.contains(known));
        return Err(Error::input(format!("the profile scores no experiment type `{name}`"))
            .allowed(known.collect::<Vec<_>>().join(", ")));
    }
    let scores_none = |profile: &&Profile| !own(profile).any(|name| is_wanted(experiments, name));
    profiles.iter().find(scores_none).map_or(Ok(()), |profile| {
        let message = format!("the profile `{}` scores none of these experiment types", profile.name);
        Err(Error::input(message).allowed(own(profile).collect::<Vec<_>>().join(", ")))
    })
}

/// The names of the experiment types that a profile scores.
fn own(profile: &Profile) -> impl Iterator<Item = &str> {
    profile.experiments.iter().map(|rules| rules.name.as_str())
}

fn is_wanted(experiments: &[String], name: &str) -> bool {
    experiments.is_empty() || experiments.iter().any(|wanted| wanted == name)
}

/// An option that not every profile looks at.
struct Word {
    is_given: bool,
    is_looked_at: bool,
    message: &'static str,
    allowed: &'static str,
    hint: Option<&'static str>,
}

impl Word {
    fn refuse(self) -> Result<()> {
        let error = Error::input(self.message).allowed(self.allowed);
        Err(match self.hint {
            Some(hint) => error.hint(hint),
            None => error,
        })
    }
}

/// All of them.
fn words(chosen: &Scoring, experiments: &[String], profiles: &[Profile]) -> [Word; 9] {
    let any = |uses: fn(&Profile) -> bool| profiles.iter().any(uses);
    let with = |experiment: &str, uses| is_wanted(experiments, experiment) && any(uses);
    let has_links = !chosen.links.is_empty();
    let ignores_links = matches!(chosen.same_as, Some(SameAsMode::None | SameAsMode::Static));
    let word = |is_given, is_looked_at, message, allowed| Word {
        is_given,
        is_looked_at,
        message,
        allowed,
        hint: None,
    };
    [
        Word {
            hint: Some("the other profiles take `owl:sameAs` as an equivalence: `--links FILE`"),
            ..word(
                chosen.same_as.is_some(),
                any(|profile| profile.era.is_some()),
                "`--same-as` is for the profiles that follow GERBIL",
                "--profile gerbil, gerbil-2023 or gerbil-2019",
            )
        },
        word(
            !chosen.labels.is_empty(),
            with("QA", Profile::uses_labels),
            "`--labels` is for the profiles that resolve the texts of answers",
            "--profile qassay, gerbil, gerbil-2023 or gerbil-2019, with QA among the experiment types",
        ),
        word(
            !chosen.types.is_empty(),
            with("AIT2KB", Profile::uses_types),
            "`--types` is for AIT2KB",
            "--profile qassay, with AIT2KB among the experiment types",
        ),
        word(
            !chosen.classes.is_empty(),
            with("AIT2KB", Profile::uses_classes),
            "`--classes` is for the hierarchical measures of AIT2KB",
            "--profile qassay, with AIT2KB among the experiment types",
        ),
        word(
            !chosen.link_kind.is_empty(),
            has_links && any(Profile::closes_links),
            "`--link-kind` is for the links that a profile closes to clusters",
            "--links, with --profile qassay",
        ),
        word(
            has_links && ignores_links,
            any(Profile::closes_links),
            "links are not looked at with `--same-as none` or `static`",
            "--same-as closure, equivalence or links",
        ),
        word(
            chosen.question_types.is_some(),
            any(Profile::uses_question_types),
            "`--question-types` is for the profiles that group questions by their type",
            "--profile clef-2004",
        ),
        word(
            !chosen.assessments.is_empty(),
            any(Profile::uses_assessments),
            "`--assessments` is for the profiles that let people judge answers",
            "--profile clef-2004",
        ),
        word(
            !chosen.cutoffs.is_empty(),
            any(Profile::looks_at_ranks),
            "`--cutoffs` is for measures that look at a rank, such as accuracy at N",
            "a profile that has some: nlpcc-kbqa, nlpcc-ranking or trec",
        ),
    ]
}
