//! LOAD: which questions of a gold file an evaluation sees, and with which text and answers.
//!
//! The published dataset never changes: it has all questions of the file. A loader is a choice of an evaluation, for
//! numbers that other programs counted with their own readers (`ontology/gerbil.md`, sections E and F):
//!
//! - `plain`: every question as it is in the file.
//! - `table1`: the questions that Table 1 of the GERBIL QA paper counts (`table1`).
//! - `gerbil-current`: the questions that GERBIL's loader of 2016 to today keeps, with the text and the answers that it
//!   makes of them (`gerbil`, `xml`, `nlq`).
//!
//! Any loader can be told to keep one [`Part`] of a file: QALD-5 has its hybrid and its multilingual questions in one.

pub mod gerbil;
pub mod gerbil_names;
pub mod nlq;
pub mod reason;
pub mod table1;
pub mod xml;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

use crate::profiles::loaders::reason::{LeftOut, Reason};

use crate::base::error::{Error, Result};
use crate::base::issue::{Issue, IssueCode};
use crate::sources::document::{Document, Question};

/// The language that GERBIL takes where the user names none.
pub const LANGUAGE: &str = "en";

/// How the gold file is loaded
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loader {
    /// Every question as it is
    #[default]
    Plain,
    /// The questions that Table 1 of the GERBIL QA paper counts
    Table1,
    /// The questions that GERBIL's own loader keeps, as it reads them (profiles that follow GERBIL)
    GerbilCurrent,
}

impl Loader {
    /// All loaders.
    pub const ALL: [Self; 3] = [Self::Plain, Self::Table1, Self::GerbilCurrent];

    /// The name on the command line, and of the concept `code:loader-NAME`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Table1 => "table1",
            Self::GerbilCurrent => "gerbil-current",
        }
    }

    /// The loader with this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|loader| loader.name() == name)
    }
}

/// The part of the gold file
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Part {
    /// The questions whose flag `hybrid` is true
    Hybrid,
    /// All others
    Multilingual,
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 2] = [Self::Hybrid, Self::Multilingual];

    /// The name on the command line, and of the concept `code:part-NAME`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hybrid => "hybrid",
            Self::Multilingual => "multilingual",
        }
    }

    /// The part with this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.name() == name)
    }

    /// Whether a question is in it. A flag that is not `true` is false, as in Java.
    fn has(self, question: &Question) -> bool {
        let is_true =
            |(name, value): &(String, String)| name == "hybrid" && value.trim().eq_ignore_ascii_case("true");
        question.flags.iter().any(is_true) == (self == Self::Hybrid)
    }
}

/// What is asked of a loader.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Loading<'a> {
    /// The loader.
    pub loader: Loader,
    /// The part of the file, if only one is wanted.
    pub part: Option<Part>,
    /// The language of the evaluation.
    pub language: Option<&'a str>,
}

/// A file as a loader gives it. Questions keep their positions; those that are left out are marked.
#[derive(Debug, Clone)]
pub struct Loaded {
    document: Arc<Document>,
    left_out: Vec<Option<LeftOut>>,
    changes: Vec<(usize, String)>,
    issues: Vec<Issue>,
}

impl Loaded {
    /// All questions as they are.
    pub fn whole(document: &Arc<Document>) -> Self {
        let left_out = vec![None; document.questions.len()];
        Self { document: Arc::clone(document), left_out, changes: Vec::new(), issues: Vec::new() }
    }

    /// The questions, also those that are left out.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Why the question at this position is left out, if it is.
    pub fn reason(&self, position: usize) -> Option<Reason> {
        self.left_out.get(position)?.as_ref().map(|left_out| left_out.reason)
    }

    /// How many questions are loaded.
    pub fn count(&self) -> usize {
        self.left_out.iter().filter(|left_out| left_out.is_none()).count()
    }

    /// The questions that are loaded.
    pub fn questions(&self) -> impl Iterator<Item = &Question> {
        let questions = self.document.questions.iter().zip(&self.left_out);
        questions.filter(|(_, left_out)| left_out.is_none()).map(|(question, _)| question)
    }

    /// The questions that are left out, with the reason.
    pub fn left_out(&self) -> impl Iterator<Item = (&Question, &LeftOut)> {
        let questions = self.document.questions.iter().zip(&self.left_out);
        questions.filter_map(|(question, left_out)| Some((question, left_out.as_ref()?)))
    }

    /// The questions that the loader changes, with what it does.
    pub fn changes(&self) -> impl Iterator<Item = (&Question, &str)> {
        self.changes.iter().map(|(at, what)| (&self.document.questions[*at], what.as_str()))
    }

    /// Whether the loader changes the question at this position.
    pub fn is_changed(&self, position: usize) -> bool {
        self.changes.iter().any(|(at, _)| *at == position)
    }

    /// What is told about the file: an issue for each question that is left out or changed, in file order.
    pub fn issues(&self) -> &[Issue] {
        &self.issues
    }

    fn tell(&mut self) {
        for (at, (question, left_out)) in self.document.questions.iter().zip(&self.left_out).enumerate() {
            let key = &question.key;
            let mut tell = |code, message| self.issues.push(Issue::new(code, &question.place, message));
            if let Some(left_out) = left_out {
                let message = format!("the loader leaves out question `{key}`: {left_out}");
                tell(IssueCode::QuestionNotLoaded, message);
            }
            for (_, what) in self.changes.iter().filter(|(changed, _)| *changed == at) {
                tell(IssueCode::QuestionChanged, format!("the loader changes question `{key}`: {what}"));
            }
        }
    }

    /// Leaves out the questions for which there is a reason, if they are not left out yet.
    fn leave_out(&mut self, mut reason: impl FnMut(&Question) -> Option<LeftOut>) {
        for (question, left_out) in self.document.questions.iter().zip(&mut self.left_out) {
            if left_out.is_none() {
                *left_out = reason(question);
            }
        }
    }

    /// Makes something else of the questions that are loaded. What is told is recorded.
    fn change(&mut self, mut change: impl FnMut(&mut Question) -> Vec<String>) {
        for (at, question) in Arc::make_mut(&mut self.document).questions.iter_mut().enumerate() {
            if self.left_out[at].is_none() {
                self.changes.extend(change(question).into_iter().map(|what| (at, what)));
            }
        }
    }
}

/// Loads a file that was read in a format. The parts are told apart before anything else is looked at.
pub fn load(document: &Arc<Document>, format: &str, loading: Loading<'_>) -> Result<Loaded> {
    let mut loaded = Loaded::whole(document);
    if let Some(part) = loading.part {
        loaded.leave_out(|question| (!part.has(question)).then(|| Reason::OtherPart.into()));
    }
    match loading.loader {
        Loader::Plain => {}
        Loader::Table1 => table1::load(&mut loaded, format),
        Loader::GerbilCurrent => gerbil::load(&mut loaded, format, loading.language.unwrap_or(LANGUAGE))?,
    }
    loaded.tell();
    Ok(loaded)
}

impl Loaded {
    /// An error where nothing is loaded: there is nothing to score.
    pub fn refuse_nothing(&self) -> Result<()> {
        if self.count() > 0 || self.left_out.is_empty() {
            return Ok(());
        }
        let (mut reasons, questions) = (Vec::new(), self.left_out.len());
        for left_out in self.left_out.iter().flatten() {
            if !reasons.contains(&left_out.reason) {
                reasons.push(left_out.reason);
            }
        }
        let why: Vec<&str> = reasons.into_iter().map(Reason::definition).collect();
        Err(Error::input(format!("the loader leaves out all {questions} questions: {}", why.join("; ")))
            .hint("`⌥loader plain` without `⌥part` takes every question"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(flags: &[Option<&str>]) -> Document {
        let question = |(at, flag): (usize, Option<&str>)| Question {
            key: at.to_string(),
            flags: flag.map(|value| ("hybrid".to_owned(), value.to_owned())).into_iter().collect(),
            ..Question::default()
        };
        Document {
            questions: flags.iter().copied().enumerate().map(question).collect(),
            ..Document::default()
        }
    }

    fn keys(document: &Document, part: Option<Part>) -> Vec<String> {
        let loaded =
            load(&document.clone().into(), "qald-xml", Loading { part, ..Loading::default() }).unwrap();
        loaded.questions().map(|question| question.key.clone()).collect()
    }

    #[test]
    fn a_flag_that_is_not_true_is_false() {
        let document = document(&[Some("true"), Some("false"), None, Some("TRUE"), Some("union")]);
        assert_eq!(keys(&document, None), ["0", "1", "2", "3", "4"]);
        assert_eq!(keys(&document, Some(Part::Hybrid)), ["0", "3"]);
        assert_eq!(keys(&document, Some(Part::Multilingual)), ["1", "2", "4"]);
    }

    #[test]
    fn what_is_left_out_is_told_once() {
        let document = document(&[Some("true"), None]);
        let loading = Loading { loader: Loader::GerbilCurrent, part: Some(Part::Hybrid), language: None };
        let loaded = load(&document.clone().into(), "qald-xml", loading).unwrap();
        assert_eq!((loaded.count(), loaded.reason(0), loaded.reason(1)), (1, None, Some(Reason::OtherPart)));
        let told: Vec<&str> = loaded.issues().iter().map(|issue| issue.message.as_str()).collect();
        assert_eq!(
            told,
            [
                "the loader leaves out question `1`: the question is not in the part of the file that is wanted"
            ]
        );
        assert!(loaded.refuse_nothing().is_ok());
    }

    #[test]
    fn nothing_at_all_is_an_error() {
        let document = document(&[None, None]);
        let loading = Loading { part: Some(Part::Hybrid), ..Loading::default() };
        let error = load(&document.clone().into(), "qald-xml", loading)
            .unwrap()
            .refuse_nothing()
            .unwrap_err()
            .to_string();
        assert!(error.contains("leaves out all 2 questions"), "{error}");
    }

    #[test]
    fn names_and_reasons_are_in_the_ontology() {
        let declared = |name: String| {
            let text = crate::profiles::ontology::terms()
                .text(&crate::base::vocab::code::iri(&name), crate::base::vocab::skos::DEFINITION);
            assert!(text.is_some(), "{name} is not declared");
        };
        for loader in Loader::ALL {
            assert_eq!(Loader::find(loader.name()), Some(loader));
            declared(format!("loader-{}", loader.name()));
        }
        for part in Part::ALL {
            assert_eq!(Part::find(part.name()), Some(part));
            declared(format!("part-{}", part.name()));
        }
        for reason in Reason::ALL {
            declared(reason.code().to_owned());
        }
    }
}
