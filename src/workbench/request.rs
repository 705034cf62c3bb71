//! What is to be scored how, checked against what the profiles look at.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use clap::ValueEnum;

use crate::base::error::{Error, Result};
use crate::base::rdf::language::language_tag;
use crate::base::text::{name, with_choices};
use crate::base::watch::Watcher;
use crate::kb::allowance::Allowance;
use crate::kb::remote::StoreAddress;
use crate::profiles::Profile;
use crate::profiles::choices::{CHOICES, Choice, Choices};
use crate::profiles::own::named;
use crate::profiles::rules::EXPERIMENTS;
use crate::profiles::same_as::Mode;
use crate::references::ReferenceKind;
use crate::scoring::groups::Grouping;
use crate::sources::input::Input;

/// Which gold answers count
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum GoldChoice {
    /// Those of the dataset
    #[default]
    Curated,
    /// Those that the gold queries give on the knowledge base of `--kb`, where there are
    Refreshed,
    /// Both, side by side
    Both,
}

impl GoldChoice {
    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Curated => "curated",
            Self::Refreshed => "refreshed",
            Self::Both => "both",
        }
    }
}

/// What is to be scored how.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The profiles, each once.
    pub profiles: Vec<Arc<Profile>>,
    /// The choices that decide numbers.
    pub choices: Arc<Choices>,
    /// What is referred to beside dataset and answers: files, names `NAME[@VERSION]` of what is registered, and, for all
    /// but the tables of question types and assessments, addresses of endpoints.
    pub references: Vec<(ReferenceKind, PathBuf)>,
    /// Which gold answers count.
    pub gold: GoldChoice,
    /// Who runs queries: `NAME[@VERSION]` of a pinned knowledge base or the address of an endpoint, at most one; beside it
    /// answer snapshots, by files or keys.
    pub kb: Vec<String>,
    /// How much a query may use.
    pub allowance: Allowance,
    /// The server that runs the match queries; none: they run here. No number depends on it.
    pub store: Option<StoreAddress>,
    /// Which groups of questions are measured beside all of them, and whether they are kept.
    pub grouping: Grouping,
}

impl Request {
    /// To score with some profiles, by their names or by files of a user's own ([`named`]), and nothing else.
    ///
    /// # Errors
    /// Where there is no profile of a name, a file cannot be read, or two profiles are called the same.
    pub fn with_profiles<'n>(words: impl IntoIterator<Item = &'n str>) -> Result<Self> {
        let profiles = named(words)?.into_iter().map(Arc::new).collect();
        Ok(Self { profiles, ..Self::default() })
    }

    /// What is referred to of a kind, in the order of naming.
    pub fn words(&self, kind: ReferenceKind) -> impl Iterator<Item = &PathBuf> {
        self.references.iter().filter(move |(of, _)| *of == kind).map(|(_, word)| word)
    }

    /// An error where a choice is wrong, or no profile looks at it: that is a mistake of the user.
    pub fn check(&self) -> Result<()> {
        self.problems().into_iter().next().map_or(Ok(()), |(_, problem)| Err(problem))
    }

    /// All such mistakes, with the option of each.
    pub fn problems(&self) -> Vec<(&'static str, Error)> {
        let experiments = self.choices.experiments.as_deref().unwrap_or_default();
        let has_links = self.words(ReferenceKind::Links).next().is_some();
        let profiles = || self.profiles.iter().map(|profile| &**profile);
        let mut found = vec![
            ("language", check_language(&self.choices)),
            ("experiment", check_experiments(experiments, &self.profiles)),
        ];
        let unused =
            |choice: &Choice| (choice.option, choice.refuse_unused(&self.choices, profiles(), has_links));
        found.extend(CHOICES.iter().map(unused));
        found.extend(ReferenceKind::ALL.map(|kind| (kind.name(), self.check_reference(kind, experiments))));
        found.extend(
            self.choices
                .loader
                .iter()
                .flat_map(|loader| self.profiles.iter().map(|profile| ("loader", profile.allow(*loader)))),
        );
        found.into_iter().filter_map(|(option, found)| Some((option, found.err()?))).collect()
    }

    /// An error where no profile looks at what is referred to.
    fn check_reference(&self, kind: ReferenceKind, experiments: &[String]) -> Result<()> {
        let any = |uses: fn(&Profile) -> bool| self.profiles.iter().any(|profile| uses(profile));
        let with = |experiment: &str, uses| is_wanted(experiments, experiment) && any(uses);
        let ignores_links = matches!(self.choices.same_as, Some(Mode::None | Mode::Static));
        let (is_looked_at, message, allowed) = match kind {
            // They are files because a profile is chosen.
            ReferenceKind::Profiles => return Ok(()),
            ReferenceKind::Links => (
                !ignores_links || any(Profile::closes_links),
                "links are not looked at with `⌥same-as none` or `static`",
                "⌥same-as closure, equivalence or links",
            ),
            ReferenceKind::Labels => (
                with("QA", Profile::uses_labels),
                "`⌥labels` is for the profiles that resolve the texts of answers",
                "⌥profile qassay, gerbil, gerbil-2023 or gerbil-2019, with QA among the experiment types",
            ),
            ReferenceKind::Classes => (
                with("AIT2KB", Profile::uses_classes),
                "`⌥classes` is for the hierarchical measures of AIT2KB",
                "⌥profile qassay, with AIT2KB among the experiment types",
            ),
            ReferenceKind::Types => (
                with("AIT2KB", Profile::uses_types),
                "`⌥types` is for AIT2KB",
                "⌥profile qassay, with AIT2KB among the experiment types",
            ),
            ReferenceKind::QuestionTypes => (
                any(Profile::uses_question_types),
                "`⌥question-types` is for the profiles that group questions by their type",
                "⌥profile clef-2004",
            ),
            ReferenceKind::Assessments => (
                any(Profile::uses_assessments),
                "`⌥assessments` is for the profiles that let people judge answers",
                "⌥profile clef-2004",
            ),
        };
        if !is_looked_at && self.words(kind).next().is_some() {
            return Err(Error::input(message).allowed(allowed));
        }
        Ok(())
    }

    /// Says what looks like a slip, and is none.
    pub(crate) fn note_slips(&self, dataset: &Input, watcher: &dyn Watcher) {
        let follows = |profile: &Arc<Profile>| profile.closes_links() || profile.era.is_some();
        if self.words(ReferenceKind::Links).next().is_some() && !self.profiles.iter().any(follows) {
            watcher.note(&with_choices(
                "note: no profile that was chosen follows links: `⌥links` decides nothing",
            ));
        }
        let questions = &dataset.document.questions;
        if let Some(wanted) = &self.choices.language
            && !questions.iter().any(|question| question.has_text(wanted))
        {
            let texts = questions.iter().flat_map(|question| &question.texts);
            let known: BTreeSet<&str> = texts.filter_map(|text| text.language.as_deref()).collect();
            let known: Vec<_> = known.into_iter().map(name).collect();
            let there = if known.is_empty() { "its texts have no language" } else { "its texts are in " };
            watcher.note(&format!(
                "note: no question of the dataset has a text in `{wanted}`; {there}{}",
                known.join(", ")
            ));
        }
        if let Some(mode) = self.choices.same_as.filter(|mode| mode.uses_links())
            && self.words(ReferenceKind::Links).next().is_none()
        {
            let what = format!("note: `⌥same-as {}` follows links, and there is no `⌥links`", mode.name());
            watcher.note(&with_choices(&what));
        }
    }
}

fn check_language(chosen: &Choices) -> Result<()> {
    match &chosen.language {
        Some(language) if language_tag(language).is_none() => {
            Err(Error::input(format!("`{language}` is no language tag"))
                .allowed("a tag such as `en` or `pt-br`"))
        }
        _ => Ok(()),
    }
}

/// Every experiment type is scored by a profile, and every profile scores one of them.
fn check_experiments(experiments: &[String], profiles: &[Arc<Profile>]) -> Result<()> {
    let scored: Vec<&str> = profiles.iter().flat_map(|profile| own(profile)).collect();
    if let Some(name) = experiments.iter().find(|name| !scored.contains(&name.as_str())) {
        let known = EXPERIMENTS.into_iter().filter(|known| scored.contains(known));
        return Err(Error::input(format!("the profile scores no experiment type `{name}`"))
            .allowed(known.collect::<Vec<_>>().join(", ")));
    }
    let scores_none = |profile: &&Arc<Profile>| !own(profile).any(|name| is_wanted(experiments, name));
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
