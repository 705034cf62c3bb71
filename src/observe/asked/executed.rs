//! Executed answers: what the queries of a submission give, where it gives no answers itself.

use std::num::NonZeroUsize;

use super::super::input::SubmissionInput;
use super::kept::KeptAnswers;
use super::ran::{self, Ran};
use crate::error::Result;
use crate::graph::iri::Mint;
use crate::kb::{Asker, Cause, Oracle, Outcome, gather};
use crate::read::{AnswerState, Document, Question};

/// A question whose query was run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Execution {
    /// The text that was run; none where it could not be.
    pub query: Option<String>,
    /// The concept of `code:answerStatus`, without namespace.
    pub status: &'static str,
}

/// The answers that the queries of a submission give.
#[derive(Debug)]
pub struct ExecutedAnswers {
    /// One entry an answer of the submission; none where its own answers stay.
    pub answers: Vec<Option<Execution>>,
    /// The submission with these answers.
    pub document: Document,
    /// What was answered.
    pub kept: KeptAnswers,
    /// The IRI of all of them together.
    pub iri: String,
}

/// Which answers of a submission are those of their queries: a question with a query, without answers and without an
/// error. Where the submission has answers elsewhere, an empty place for answers is an answer: nothing.
pub fn to_execute(document: &Document) -> impl Iterator<Item = bool> {
    let has_answers = document.questions.iter().any(|question| question.answers.state == AnswerState::Given);
    document.questions.iter().map(move |question| {
        let is_open = match question.answers.state {
            AnswerState::Absent => true,
            AnswerState::Empty => !has_answers,
            AnswerState::Given | AnswerState::OutOfScope | AnswerState::Unreadable => false,
        };
        is_open && !question.queries.is_empty() && question.error.is_none()
    })
}

impl ExecutedAnswers {
    /// Runs the queries of a submission; nothing where there is none to run. `oracle` is asked at the end who has answered.
    pub fn ask(
        mint: &Mint,
        submission: &SubmissionInput,
        asker: &dyn Asker,
        oracle: impl FnOnce() -> Oracle,
        jobs: NonZeroUsize,
        done: &(dyn Fn(&Outcome) + Sync),
    ) -> Result<Option<Self>> {
        let mut document = submission.document.clone();
        let open: Vec<bool> = to_execute(&document).collect();
        if !open.contains(&true) {
            return Ok(None);
        }
        let (all, ledger) = gather(asker, jobs, done, |ledger| {
            let questions = document.questions.iter().zip(&open);
            questions.map(|(question, open)| open.then(|| ran::run(question, ledger))).collect::<Vec<_>>()
        })?;
        let answers = document.questions.iter_mut().zip(all);
        let answers =
            answers.map(|(question, one)| one.and_then(|(query, ran)| fill(question, query, ran))).collect();
        let kept = KeptAnswers::new(ledger.into_snapshot(oracle()), mint)?;
        let iri = mint.executed_answers(&submission.iri, &kept.name);
        Ok(Some(Self { answers, document, kept, iri }))
    }

    /// How many queries were run or should have been.
    pub fn count(&self) -> usize {
        self.answers.iter().flatten().count()
    }

    /// How many of them have no answers because they failed.
    pub fn failed(&self) -> usize {
        let failed = |one: &&Execution| ["status-error", "status-timeout"].contains(&one.status);
        self.answers.iter().flatten().filter(failed).count()
    }
}

fn fill(question: &mut Question, query: Option<String>, ran: Ran) -> Option<Execution> {
    let status = match ran {
        Ran::NoQuery | Ran::Pending => return None,
        Ran::Answered(set) => {
            question.answers = ran::answers(set);
            if question.answers.state == AnswerState::Given { "status-ok" } else { "status-empty" }
        }
        Ran::Failed(failure) => {
            question.error = Some(ran::reason(&failure));
            if failure.cause == Cause::TimedOut { "status-timeout" } else { "status-error" }
        }
    };
    Some(Execution { query, status })
}
