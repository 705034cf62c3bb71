//! What a knowledge base was asked for an evaluation: refreshed gold answers, and the answers of a system that gave queries.

pub mod executed;
pub mod kept;
pub mod ran;
pub mod refreshed;
pub mod status;
pub mod wanted;

use std::sync::Arc;

use crate::kb::ties::PossibleRows;
use crate::scoring::asked::executed::ExecutedAnswers;
use crate::scoring::asked::kept::KeptAnswers;
use crate::scoring::asked::refreshed::RefreshedGold;
use crate::sources::document::Document;
use crate::sources::input::Input;

/// The answers that an evaluation takes from a knowledge base, beside those of the files.
#[derive(Debug, Clone, Default)]
pub struct KbAnswers {
    /// In place of the curated gold answers.
    pub gold: Option<Arc<RefreshedGold>>,
    /// Where a submission gives queries, and no answers or the profile prefers those of the queries.
    pub executed: Option<Arc<ExecutedAnswers>>,
}

impl KbAnswers {
    /// Which gold answers are used, in a word.
    pub fn origin(&self) -> &'static str {
        if self.gold.is_some() { "refreshed" } else { "curated" }
    }

    /// The gold answers that count: those of the dataset, or refreshed.
    pub fn gold_answers<'a>(&'a self, dataset: &'a Input) -> &'a Arc<Document> {
        self.gold.as_ref().map_or(&dataset.document, |gold| &gold.document)
    }

    /// The answers of the system that count: those of its file, or those of its queries.
    pub fn system_answers<'a>(&'a self, submission: &'a Input) -> &'a Arc<Document> {
        self.executed.as_ref().map_or(&submission.document, |executed| &executed.document)
    }

    /// The rows of a gold answer that are sure, and those that tie, where there are.
    pub fn ties(&self, question: usize) -> Option<&PossibleRows> {
        self.gold.as_ref()?.questions[question].ties.as_ref()
    }

    /// What was answered, with the word in manifests and roles.
    pub fn kept(&self) -> impl Iterator<Item = (&'static str, &KeptAnswers)> {
        let gold = self.gold.as_ref().map(|gold| ("gold-answers", &gold.kept));
        gold.into_iter().chain(self.executed.as_ref().map(|executed| ("executed-answers", &executed.kept)))
    }
}
