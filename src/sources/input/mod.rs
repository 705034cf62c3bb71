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
use crate::sources::catalogue::named::damaged;
use crate::sources::document::{AnswerState, Document};
use crate::sources::file::source::Source;
use crate::sources::format::{Format, read, read_submission};
use crate::sources::input::audit::audit;
use crate::sources::input::pattern::QueryNodes;

/// The groups of some families, by the name of the family: positions of questions in order, by the name of the group.
pub type Families = BTreeMap<&'static str, BTreeMap<String, Vec<usize>>>;

/// A file of an evaluation, read once: a gold standard, which is one version of a dataset, or the answers of a system.
#[derive(Debug, Clone)]
pub struct Input {
    /// The file.
    pub source: Source,
    /// What the reader made of it.
    pub document: Arc<Document>,
    /// What the query of each question asks.
    pub queries: Vec<QueryNodes>,
    /// Its format.
    pub format: &'static Format,
    /// What it is called. A dataset: its name in IRIs, from the id that the file gives. A submission: the name of the
    /// system, for people, given by the user or by the name of the file.
    pub name: String,
    /// IRI of the version of the dataset, or of the submission.
    pub iri: String,
    /// The groups of questions of a dataset, as far as somebody asked for them.
    pub(crate) groups: Arc<Mutex<Families>>,
}

impl Input {
    /// Reads a gold standard.
    ///
    /// # Errors
    /// Where the file cannot be read, or has no questions.
    pub fn dataset(mut source: Source, mint: &Mint) -> Result<Self> {
        let (mut document, format) = read(&source)?;
        if document.questions.is_empty() {
            let error = Error::input("the dataset has no questions").allowed("at least one question");
            return Err(error.in_file(source.name()));
        }
        let queries = queries(&source, &mut document, mint);
        if document.questions.iter().all(|question| question.answers.state != AnswerState::Given) {
            let message = "no question of this file has an answer, so every gold answer set is empty";
            document.issues.push(Issue::new(IssueCode::NoGoldAnswers, &Place::default(), message));
        }
        source.forget();
        // The name comes from the content, so that the copy of a file is the same dataset.
        let name = iri::slug(document.dataset_id.as_deref().unwrap_or("dataset"));
        let iri = mint.dataset_version(&name, source.sha256());
        let (document, groups) = (Arc::new(document), Arc::default());
        Ok(Self { source, document, queries, format, name, iri, groups })
    }

    /// Reads the answers of a system.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub fn submission(mut source: Source, system: Option<String>, mint: &Mint) -> Result<Self> {
        let (mut document, format) = read_submission(&source)?;
        let queries = queries(&source, &mut document, mint);
        source.forget();
        let name = system.unwrap_or_else(|| source.stem().into_owned());
        let iri = mint.submission(source.sha256());
        let (document, groups) = (Arc::new(document), Arc::default());
        Ok(Self { source, document, queries, format, name, iri, groups })
    }

    /// IRI of the system in the version that gave the answers of a submission.
    pub fn system_iri(&self) -> String {
        format!("{}/system", self.iri)
    }
}

/// Looks at the values of a document, at its file and at its queries, says what is odd, and gives what the queries ask.
fn queries(source: &Source, document: &mut Document, mint: &Mint) -> Vec<QueryNodes> {
    audit(document);
    document.issues.extend(damaged(source));
    QueryNodes::of_all(mint, document)
}
