//! What somebody wants scored who is not at the command line: the words of `evaluate` and `ask`, as they are sent.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum as _;
use serde::{Deserialize, Serialize};

use crate::base::error::{Error, Result};
use crate::base::system_name::check_system_name;
use crate::base::text::{counted, name};
use crate::profiles::choices::{CHOICES, Choices};
use crate::profiles::link_kind::LinkKind;
use crate::profiles::loaders::{Loader, Part};
use crate::profiles::same_as::Mode;
use crate::record::rerun::{self, quoted};
use crate::references::ReferenceKind;
use crate::sources::catalogue::by_name;
use crate::workbench::request::{GoldChoice, Request};

/// The most evaluations of a run.
const MOST_EVALUATIONS: usize = 100;

/// Where answers come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "from")]
pub enum AnswerSource {
    /// A file of the run.
    File {
        /// Its name.
        file: String,
        /// The name of the system; none: that of the file.
        system: Option<String>,
    },
    /// A system that is asked.
    Live {
        /// Where it is.
        address: String,
        /// How it is asked, by the name of a protocol.
        protocol: String,
        /// The name of the system.
        system: Option<String>,
        /// What stands in the places of the protocol: `NAME=VALUE`.
        set: Vec<String>,
    },
}

impl AnswerSource {
    /// What it is called.
    pub fn system(&self) -> &str {
        match self {
            Self::File { file, system } => system.as_deref().unwrap_or_else(|| {
                Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or(file)
            }),
            Self::Live { address, system, .. } => system.as_deref().unwrap_or(address),
        }
    }
}

/// A request under the names of the options of `qassay evaluate`. Files are named as they are called in the folder of the run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct RunRequest {
    /// The datasets, by their names in the catalogue.
    pub dataset: Vec<String>,
    /// A dataset of one's own: a file of the run.
    pub gold: Option<String>,
    /// The answers.
    pub answers: Vec<AnswerSource>,
    /// The profiles, by their names.
    pub profile: Vec<String>,
    /// Which gold answers count.
    pub gold_answers: Option<String>,
    /// Knowledge bases, by their names.
    pub kb: Vec<String>,
    /// What is referred to, by its kind: files of the run and names of what is registered.
    pub references: BTreeMap<String, Vec<String>>,
    /// The choices that decide numbers, by the names of their options.
    pub choices: BTreeMap<String, Vec<String>>,
}

impl RunRequest {
    /// The datasets and the file of one's own, in the order of naming.
    pub fn golds(&self) -> impl Iterator<Item = &str> {
        self.dataset.iter().chain(&self.gold).map(String::as_str)
    }

    /// The same request for one dataset and one system.
    #[must_use]
    pub fn part(&self, gold: &str, answers: &AnswerSource) -> Self {
        let is_own = self.gold.as_deref() == Some(gold);
        Self {
            dataset: if is_own { Vec::new() } else { vec![gold.to_owned()] },
            gold: is_own.then(|| gold.to_owned()),
            answers: vec![answers.clone()],
            ..self.clone()
        }
    }

    /// How it is to be scored. Whether files are there is not looked at.
    ///
    /// # Errors
    /// The first of what [`RunRequest::checked`] tells.
    pub fn scoring(&self) -> Result<Request> {
        self.checked().map_err(|mut problems| problems.swap_remove(0))
    }

    /// The same; or all that is wrong with it, each with the field as its place.
    ///
    /// # Errors
    /// Where words are none that are allowed, or no profile looks at a choice; where what must be there is missing, or too much is
    /// wanted.
    pub fn checked(&self) -> Result<Request, Vec<Error>> {
        let mut problems = Vec::new();
        let golds = self.check_golds();
        let answers = self.check_answers();
        let number = self.check_number();
        let wrong = self.choices.iter().map(|(option, values)| check_choice(option, values));
        problems.extend([golds, answers, number].into_iter().chain(wrong).filter_map(Result::err));
        let mut request = self.profiles().unwrap_or_else(|error| {
            problems.push(error);
            Request::default()
        });
        request.kb.clone_from(&self.kb);
        request.choices = Arc::new(stated(&self.choices));
        match gold_of(self.gold_answers.as_deref()) {
            Ok(gold) => request.gold = gold,
            Err(error) => problems.push(error),
        }
        match references_of(&self.references) {
            Ok(references) => request.references = references,
            Err(error) => problems.push(error),
        }
        // Of no profile nothing else can be said.
        if request.profiles.is_empty() {
            return Err(problems);
        }
        // What was no word of a choice is told already.
        let of_request = request.problems().into_iter().map(|(option, error)| error.at(option));
        problems.extend(of_request);
        if problems.is_empty() { Ok(request) } else { Err(problems) }
    }

    fn check_golds(&self) -> Result<()> {
        if self.golds().next().is_none() {
            return Err(Error::input("no dataset is chosen")
                .at("dataset")
                .allowed("a dataset of the catalogue, or a gold file of your own"));
        }
        // A path would be one of the server's machine.
        let unknown = self.dataset.iter().find(|dataset| by_name(dataset).is_none());
        unknown.map_or(Ok(()), |dataset| {
            Err(Error::input(format!("the catalogue has no dataset `{}`", name(dataset))).at("dataset"))
        })
    }

    fn check_answers(&self) -> Result<()> {
        if self.answers.is_empty() {
            return Err(Error::input("there are no answers")
                .at("answers")
                .allowed("a file of answers, or a system that is asked"));
        }
        let names = self.answers.iter().map(AnswerSource::system);
        names.clone().try_for_each(check_system_name).map_err(|error| error.at("system"))?;
        let mut sorted: Vec<&str> = names.collect();
        sorted.sort_unstable();
        let twice = sorted.windows(2).find(|pair| pair.first() == pair.last());
        twice.and_then(|pair| pair.first()).map_or(Ok(()), |twice| {
            Err(Error::input(format!("two systems are called `{}`", name(twice))).at("system"))
        })
    }

    fn check_number(&self) -> Result<()> {
        let wanted = self.golds().count() * self.answers.len() * self.profile.len().max(1);
        if wanted <= MOST_EVALUATIONS {
            return Ok(());
        }
        Err(Error::input(format!("this would be {}", counted(wanted, "evaluation")))
            .allowed(format!("{MOST_EVALUATIONS} or fewer at a time")))
    }

    /// A request with the profiles and nothing else.
    fn profiles(&self) -> Result<Request> {
        let profiles = if self.profile.is_empty() { vec!["qassay".to_owned()] } else { self.profile.clone() };
        if let Some(path) = profiles.iter().find(|word| word.contains(['/', '\\', '.'])) {
            return Err(Error::input(format!("there is no profile `{}`", name(path)))
                .at("profile")
                .hint("profiles of your own are for the command line"));
        }
        Request::with_profiles(profiles.iter().map(String::as_str)).map_err(|error| error.at("profile"))
    }

    /// The lines that do the same at the command line: one for each dataset and each way to have answers.
    pub fn lines(&self) -> Vec<String> {
        let golds: Vec<&str> = self.golds().collect();
        golds.iter().flat_map(|gold| self.lines_of(gold)).collect()
    }

    fn lines_of(&self, gold: &str) -> Vec<String> {
        let mut files = Vec::new();
        let mut lines = Vec::new();
        let mut systems = String::new();
        for source in &self.answers {
            match source {
                AnswerSource::File { file, system } => {
                    files.push(quoted(file));
                    systems.extend(system.iter().map(|system| option("system", system)));
                }
                AnswerSource::Live { address, protocol, system, set } => {
                    let mut line = format!("qassay ask {} {}", quoted(gold), quoted(address));
                    line += &option("as", protocol);
                    line.extend(system.iter().map(|system| option("system", system)));
                    line.extend(set.iter().map(|set| option("set", set)));
                    line += " --evaluate";
                    lines.push(line + &self.options());
                }
            }
        }
        if !files.is_empty() {
            let files = files.join(" ");
            lines.insert(0, format!("qassay evaluate {} {files}{systems}{}", quoted(gold), self.options()));
        }
        lines
    }

    fn options(&self) -> String {
        let profiles = (!self.profile.is_empty()).then(|| option("profile", &self.profile.join(",")));
        let gold = self.gold_answers.iter().map(|word| option("gold", word));
        let kb = self.kb.iter().map(|word| option("kb", word));
        let of = |all: &BTreeMap<String, Vec<String>>| {
            let one = |(name, words): (&String, &Vec<String>)| {
                words.iter().map(|word| option(name, word)).collect::<String>()
            };
            all.iter().map(one).collect::<String>()
        };
        profiles.into_iter().chain(gold).chain(kb).chain([of(&self.references), of(&self.choices)]).collect()
    }
}

/// Which gold answers a word means; without one, the usual.
///
/// # Errors
/// Where it means none.
pub fn gold_of(word: Option<&str>) -> Result<GoldChoice> {
    let Some(word) = word else { return Ok(GoldChoice::default()) };
    GoldChoice::from_str(word, false).map_err(|_| {
        Error::input(format!("`{}` are no gold answers", name(word)))
            .at("gold-answers")
            .allowed("curated, refreshed, both")
    })
}

/// The choices that decide numbers, of words by the names of their options. A word that is none of a choice is told: it must
/// not be as if nothing were said.
///
/// # Errors
/// Where there is no choice of a name, or a word is none of it.
pub fn choices_of(words: &BTreeMap<String, Vec<String>>) -> Result<Choices> {
    words.iter().try_for_each(|(option, values)| check_choice(option, values))?;
    Ok(stated(words))
}

fn check_choice(option: &str, values: &[String]) -> Result<()> {
    let wrong = |allowed: Vec<&str>| {
        Err(Error::input(format!("`{}` is no {option}", name(&values.join(","))))
            .at(option)
            .allowed(allowed.join(", ")))
    };
    let is_rank = |value: &String| value.parse().is_ok_and(|n: u64| (1..=1_000_000).contains(&n));
    let allowed: Vec<&str> = match option {
        "same-as" => Mode::ALL.map(Mode::name).to_vec(),
        "loader" => words_of::<Loader>(Loader::name),
        "part" => words_of::<Part>(Part::name),
        "link-kind" => words_of::<LinkKind>(LinkKind::name),
        "cutoffs" if values.iter().all(is_rank) => return Ok(()),
        "cutoffs" => return wrong(vec!["ranks from 1 to 1000000"]),
        "language" | "experiment" => return Ok(()),
        _ => return Err(Error::input(format!("there is no choice `{}`", name(option)))),
    };
    let is_named = values.iter().all(|value| allowed.contains(&value.as_str()));
    if is_named && (values.len() <= 1 || option == "link-kind") { Ok(()) } else { wrong(allowed) }
}

/// The choices that words state; what is no word of a choice states nothing.
fn stated(words: &BTreeMap<String, Vec<String>>) -> Choices {
    Choices::read(|choice| {
        words.get(choice.option).map(|values| values.iter().map(String::as_str).collect()).unwrap_or_default()
    })
}

/// What is referred to, of words by the names of their options.
///
/// # Errors
/// Where there is no option of a name.
pub fn references_of(words: &BTreeMap<String, Vec<String>>) -> Result<Vec<(ReferenceKind, PathBuf)>> {
    let mut all = Vec::new();
    for (option, words) in words {
        let kind = ReferenceKind::ALL.into_iter().find(|kind| kind.name() == option);
        let kind = kind.filter(|kind| *kind != ReferenceKind::Profiles);
        let kind = kind.ok_or_else(|| Error::input(format!("there is no option `{}`", name(option))))?;
        all.extend(words.iter().map(|word| (kind, PathBuf::from(word))));
    }
    Ok(all)
}

fn words_of<T: clap::ValueEnum>(name: fn(T) -> &'static str) -> Vec<&'static str> {
    T::value_variants().iter().cloned().map(name).collect()
}

/// An option behind other words.
fn option(name: &str, word: &str) -> String {
    format!(" {}", rerun::option(name, word))
}

/// The names of the choices that decide numbers.
pub fn choice_names() -> impl Iterator<Item = &'static str> {
    CHOICES.iter().map(|choice| choice.option)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str) -> AnswerSource {
        AnswerSource::File { file: name.to_owned(), system: None }
    }

    fn request() -> RunRequest {
        RunRequest {
            dataset: vec!["qald-9-test".to_owned()],
            answers: vec![file("a.json"), file("it's.json")],
            profile: vec!["gerbil".to_owned()],
            choices: BTreeMap::from([("same-as".to_owned(), vec!["static".to_owned()])]),
            ..RunRequest::default()
        }
    }

    #[test]
    fn it_is_what_the_command_line_would_be() {
        assert_eq!(
            request().lines(),
            ["qassay evaluate qald-9-test a.json 'it'\\''s.json' --profile gerbil --same-as static"]
        );
        let scoring = request().scoring().unwrap();
        assert_eq!(scoring.choices.same_as, Some(Mode::Static));
        assert_eq!(scoring.profiles.len(), 1);
    }

    #[test]
    fn what_cannot_be_is_told_with_its_field() {
        let told = |change: fn(&mut RunRequest)| {
            let mut changed = request();
            change(&mut changed);
            changed.scoring().unwrap_err().to_string()
        };
        for (change, said) in [
            (
                (|one| one.dataset = vec!["/etc/passwd".to_owned()]) as fn(&mut RunRequest),
                "dataset: the catalogue has no",
            ),
            (|one| one.dataset.clear(), "dataset: no dataset is chosen"),
            (|one| one.answers.clear(), "answers: there are no answers"),
            (|one| one.answers = vec![file("a.json"), file("a.xml")], "system: two systems are called `a`"),
            (|one| one.profile = vec!["./own.ttl".to_owned()], "profile: there is no profile"),
            (|one| one.gold_answers = Some("x".to_owned()), "gold-answers: `x` are no gold answers"),
            (
                |one| drop(one.choices.insert("loader".to_owned(), vec!["x".to_owned()])),
                "loader: `x` is no loader",
            ),
            (
                |one| drop(one.choices.insert("cutoffs".to_owned(), vec!["0".to_owned()])),
                "cutoffs: `0` is no cutoffs",
            ),
            (
                |one| drop(one.choices.insert("html".to_owned(), vec![String::new()])),
                "there is no choice `html`",
            ),
            (
                |one| drop(one.references.insert("profiles".to_owned(), vec!["x".to_owned()])),
                "there is no option",
            ),
            (|one| one.dataset = vec!["qald-9-test".to_owned(); 51], "this would be 102 evaluations"),
        ] {
            let message = told(change);
            assert!(message.contains(said), "{message}");
        }
    }
}
