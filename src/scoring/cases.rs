//! The questions of an evaluation, one by one: what the gold standard says, what the system says, and what is left out.

use crate::base::iri;
use crate::profiles::loaders::Loaded;
use crate::profiles::loaders::reason::Reason;
use crate::scoring::align::Alignment;
use crate::sources::document::{Document, Question};
use crate::sources::input::pattern::QueryNodes;

/// What one side says about a question.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    /// The question of the dataset, or the answer of the submission.
    pub question: &'a Question,
    /// What its query asks.
    pub query: &'a QueryNodes,
}

/// One question of the dataset.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    /// The gold answer, as the loader gives it.
    pub gold: Answer<'a>,
    /// The answer of the system, where there is one.
    pub system: Option<Answer<'a>>,
    /// Why the loader leaves it out, if it does.
    pub left_out: Option<Reason>,
}

/// The questions of a dataset in their order, with the IRIs that name the nodes of both sides.
#[derive(Debug)]
pub struct Cases<'a> {
    /// IRI of the dataset version.
    pub dataset: &'a str,
    /// IRI of the submission.
    pub submission: &'a str,
    /// One a question.
    pub all: Vec<Case<'a>>,
}

/// The answers of a submission, aligned with the questions of a dataset.
#[derive(Debug, Clone, Copy)]
pub struct Answers<'a> {
    /// The answers.
    pub document: &'a Document,
    /// What their queries ask.
    pub queries: &'a [QueryNodes],
    /// Which answer belongs to which question.
    pub alignment: &'a Alignment,
    /// Where the one answer of the submission is for all questions: what it says about each of them.
    pub laid_out: Option<&'a [Question]>,
}

impl<'a> Cases<'a> {
    /// Puts both sides together. `queries` are those of the gold standard, question by question.
    pub fn new(
        (dataset, loaded, queries): (&'a str, &'a Loaded, &'a [QueryNodes]),
        (submission, answers): (&'a str, Answers<'a>),
    ) -> Self {
        let questions = loaded.document().questions.iter().zip(queries).enumerate();
        let case = |(position, (question, query)): (usize, (&'a Question, &'a QueryNodes))| {
            let system = answers.alignment.answers[position].map(|at| Answer {
                question: answers
                    .laid_out
                    .map_or_else(|| &answers.document.questions[at], |all| &all[position]),
                query: &answers.queries[at],
            });
            Case { gold: Answer { question, query }, system, left_out: loaded.reason(position) }
        };
        Self { dataset, submission, all: questions.map(case).collect() }
    }

    /// The node of the gold answer to a question: what its candidates are named after.
    pub(crate) fn gold_node(&self, position: usize) -> String {
        iri::curated_gold(&iri::question(self.dataset, &self.all[position].gold.question.key))
    }
}
