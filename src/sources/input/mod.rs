//! The inputs of an evaluation with the IRIs that they get.

pub mod answer;
pub mod asked;
pub mod audit;
pub mod pattern;
pub mod publish;
pub mod publish_candidates;
pub mod term;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::base::error::{Error, Result};
use crate::base::iri;
use crate::base::iri::Mint;
use crate::base::issue::{Issue, IssueCode, Place};
use crate::sources::document::{AnswerState, Document};
use crate::sources::file::source::Source;
use crate::sources::format::{Format, read};
use crate::sources::input::audit::audit;
use crate::sources::input::pattern::QueryNodes;

/// The groups of some families, by the name of the family: positions of questions in order, by the name of the group.
pub type Families = BTreeMap<&'static str, BTreeMap<String, Vec<usize>>>;

/// A gold standard: one version of a dataset.
#[derive(Debug)]
pub struct DatasetInput {
    /// The file.
    pub source: Source,
    /// What the reader made of it.
    pub document: Arc<Document>,
    /// What the query of each question asks.
    pub queries: Vec<QueryNodes>,
    /// Its format.
    pub format: &'static Format,
    /// The name of the dataset in IRIs, from the id that the file gives.
    pub slug: String,
    /// IRI of the version.
    pub iri: String,
    /// Its groups of questions, as far as somebody asked for them.
    pub(crate) groups: Mutex<Families>,
}

impl DatasetInput {
    /// Reads a dataset file.
    pub fn open(source: Source, mint: &Mint) -> Result<Self> {
        let (mut document, format) = read(&source)?;
        if document.questions.is_empty() {
            let error = Error::input("the dataset has no questions").allowed("at least one question");
            return Err(error.in_file(source.name()));
        }
        audit(&mut document);
        document.issues.extend(crate::sources::quality::copies::damaged(&source));
        let queries = QueryNodes::of_all(mint, &mut document);
        if document.questions.iter().all(|question| question.answers.state != AnswerState::Given) {
            let message = "no question of this file has an answer, so every gold answer set is empty";
            document.issues.push(Issue::new(IssueCode::NoGoldAnswers, &Place::default(), message));
        }
        // The name comes from the content, so that the copy of a file is the same dataset.
        let slug = iri::slug(document.dataset_id.as_deref().unwrap_or("dataset"));
        let iri = mint.dataset_version(&slug, source.sha256());
        Ok(Self {
            source,
            document: Arc::new(document),
            queries,
            format,
            slug,
            iri,
            groups: Mutex::default(),
        })
    }
}

/// The answers of a system.
#[derive(Debug)]
pub struct SubmissionInput {
    /// The file.
    pub source: Source,
    /// What the reader made of it.
    pub document: Document,
    /// What the query of each question asks.
    pub queries: Vec<QueryNodes>,
    /// Its format.
    pub format: &'static Format,
    /// The name of the system, for people: given by the user or by the name of the file.
    pub system: String,
    /// IRI of the submission.
    pub iri: String,
}

impl SubmissionInput {
    /// Reads a submission file.
    pub fn open(source: Source, system: Option<String>, mint: &Mint) -> Result<Self> {
        let (mut document, format) = read(&source)?;
        audit(&mut document);
        document.issues.extend(crate::sources::quality::copies::damaged(&source));
        let queries = QueryNodes::of_all(mint, &mut document);
        let system = system.unwrap_or_else(|| source.stem().into_owned());
        let iri = mint.submission(source.sha256());
        Ok(Self { source, document, queries, format, system, iri })
    }

    /// IRI of the system in the version that gave these answers.
    pub fn system_iri(&self) -> String {
        format!("{}/system", self.iri)
    }
}
