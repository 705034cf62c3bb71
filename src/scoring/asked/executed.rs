//! Executed answers: what the queries of a submission give, where they count.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::Arc;

use crate::base::error::Result;
use crate::base::iri::Mint;
use crate::base::issue::{Issue, IssueCode};
use crate::base::text::counted;
use crate::kb::answered_by::AnsweredBy;
use crate::kb::ask::Asker;
use crate::kb::ledger::gather;
use crate::kb::outcome::{Cause, Outcome};
use crate::profiles::answers_from::AnswersFrom;
use crate::scoring::asked::kept::KeptAnswers;
use crate::scoring::asked::ran;
use crate::scoring::asked::ran::{One, Ran};
use crate::scoring::asked::wanted::{Wanted, wanted};
use crate::sources::document::{AnswerSet, AnswerState, Answers, Document, Question};
use crate::sources::input::Input;

/// A question whose query was run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryRun {
    /// The text that was run; none where it could not be.
    pub query: Option<String>,
    /// The concept of `code:answerStatus`, without namespace.
    pub status: &'static str,
    /// Why its answers are not decided by the data, if they are not: another program may answer otherwise.
    pub undecided: Option<String>,
}

/// The answers that the queries of a submission give.
#[derive(Debug)]
pub struct ExecutedAnswers {
    /// One entry an answer of the submission; none where its own answers stay.
    pub answers: Vec<Option<QueryRun>>,
    /// The submission with these answers.
    pub document: Arc<Document>,
    /// What was answered.
    pub kept: KeptAnswers,
    /// What they are called: after what was answered, and the rule where it is not the usual one.
    pub name: String,
    /// The IRI of all of them together.
    pub iri: String,
    /// Where the submission gives answers that are not those of its query, or its query has none that the data decide.
    pub issues: Vec<Issue>,
}

/// Which answers of a submission are those of their queries, by the rule of a profile. No question that reports an error
/// or is marked as out of scope.
pub fn to_execute(document: &Document, from: AnswersFrom) -> impl Iterator<Item = bool> {
    let has_answers = document.questions.iter().any(|question| question.answers.state == AnswerState::Given);
    document.questions.iter().map(move |question| {
        question.error.is_none()
            && match from {
                AnswersFrom::Given => lacks_answers(question, has_answers),
                AnswersFrom::Query => has_query(question),
            }
    })
}

/// A query and no answers. Where the submission has answers elsewhere, an empty place for answers is an answer: nothing.
fn lacks_answers(question: &Question, has_answers: bool) -> bool {
    let is_open = match question.answers.state {
        AnswerState::Absent => true,
        AnswerState::Empty => !has_answers,
        AnswerState::Given | AnswerState::OutOfScope | AnswerState::Unreadable => false,
    };
    is_open && !question.queries.is_empty()
}

/// A query that is meant to be run, if only one that cannot be read.
fn has_query(question: &Question) -> bool {
    question.answers.state != AnswerState::OutOfScope
        && !matches!(wanted(question), Wanted::Nothing | Wanted::Pseudo)
}

impl ExecutedAnswers {
    /// Runs the queries of a submission whose answers count by the rule `from`; nothing where there is none to run. `answered_by`
    /// is asked at the end who has answered.
    pub fn ask(
        mint: &Mint,
        submission: &Input,
        from: AnswersFrom,
        asker: &dyn Asker,
        answered_by: impl FnOnce() -> AnsweredBy,
        jobs: NonZeroUsize,
        done: &(dyn Fn(&Outcome) + Sync),
    ) -> Result<Option<Self>> {
        let mut document = Document::clone(&submission.document);
        let open: Vec<bool> = to_execute(&document, from).collect();
        if !open.contains(&true) {
            return Ok(None);
        }
        let (all, ledger) = gather(asker, jobs, done, |ledger| {
            let questions = document.questions.iter().zip(&open);
            questions.map(|(question, open)| open.then(|| ran::run(question, ledger))).collect::<Vec<_>>()
        })?;
        let mut issues = Vec::new();
        let answers = document.questions.iter_mut().zip(all);
        let answers = answers.map(|(question, one)| one.and_then(|one| fill(question, one, &mut issues)));
        let answers = answers.collect();
        let kept = KeptAnswers::new(ledger.into_snapshot(answered_by()), mint)?;
        // The same queries may answer fewer questions by another rule. No name of a knowledge base has a `~`.
        let name = match from {
            AnswersFrom::Given => kept.name.clone(),
            AnswersFrom::Query => format!("{}~of-query", kept.name),
        };
        let iri = mint.executed_answers(&submission.iri, &name);
        Ok(Some(Self { answers, document: Arc::new(document), kept, name, iri, issues }))
    }

    /// How many queries were run or should have been.
    pub fn count(&self) -> usize {
        self.answers.iter().flatten().count()
    }

    /// How many of them have no answers because they failed.
    pub fn failed(&self) -> usize {
        let failed = |one: &&QueryRun| ["status-error", "status-timeout"].contains(&one.status);
        self.answers.iter().flatten().filter(failed).count()
    }
}

impl ExecutedAnswers {
    /// How many of them have answers that the data do not decide.
    pub fn undecided(&self) -> usize {
        self.answers.iter().flatten().filter(|one| one.undecided.is_some()).count()
    }
}

/// Puts what a query gives in the place of the answers.
fn fill(question: &mut Question, one: One, issues: &mut Vec<Issue>) -> Option<QueryRun> {
    let given = AnswerTexts::of(&question.answers);
    let status = match one.ran {
        Ran::NoQuery | Ran::Pending => return None,
        Ran::Answered(set) => {
            question.answers = ran::answers(set);
            if question.answers.state == AnswerState::Given { "status-ok" } else { "status-empty" }
        }
        Ran::Failed(failure) => {
            question.error = Some(ran::reason(&failure));
            if !given.is_empty() {
                question.answers = Answers::default();
            }
            if failure.cause == Cause::TimedOut { "status-timeout" } else { "status-error" }
        }
    };
    issues.extend(issue(question, &given));
    issues.extend(one.undecided.as_ref().map(|why| {
        let message =
            format!("the data do not decide what the query answers ({why}); what it answered here counts");
        Issue::new(IssueCode::AnswersUndecided, &question.place, message)
    }));
    Some(QueryRun { query: one.query, status, undecided: one.undecided })
}

/// Answers as people compare them: a set of rows, each the texts of its values in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AnswerTexts(BTreeSet<Vec<String>>);

impl AnswerTexts {
    pub(crate) fn of(answers: &Answers) -> Self {
        Self(answers.sets.iter().flat_map(rows).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn rows(set: &AnswerSet) -> impl Iterator<Item = Vec<String>> {
    let boolean = set.boolean.map(|boolean| vec![boolean.to_string()]);
    let row = |row: &crate::sources::document::Row| {
        let mut values: Vec<String> = row.cells.iter().map(|cell| text(&cell.value)).collect();
        values.sort_unstable();
        values
    };
    set.rows.iter().map(row).chain(boolean)
}

/// A value without white space around it; XML files write booleans in several ways.
fn text(value: &str) -> String {
    let value = value.trim();
    let is_boolean = ["true", "false"].iter().any(|word| value.eq_ignore_ascii_case(word));
    if is_boolean { value.to_ascii_lowercase() } else { value.to_owned() }
}

/// What is said where the file gives answers and its query, which has been run, has others.
pub(crate) fn issue(question: &Question, given: &AnswerTexts) -> Option<Issue> {
    let found = AnswerTexts::of(&question.answers);
    if given.is_empty() || *given == found {
        return None;
    }
    let (given, found) = (given.0.len(), found.0.len());
    let answers = counted(given, "answer");
    let message = match &question.error {
        Some(error) => {
            format!("the file gives {answers}, its query has none ({error}); the query counts, as an error")
        }
        None if given == found => {
            format!("the file gives {answers}, its query as many, and not the same; the query counts")
        }
        None => format!("the file gives {answers}, its query {found}; the query counts"),
    };
    Some(Issue::new(IssueCode::AnswersNotOfQuery, &question.place, message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::{AnswerState, Cell, Row};

    /// An answer a word; values of one are joined by `+`.
    fn answers(words: &str) -> Answers {
        let cell = |value: &str| Cell { value: format!(" {value}\n"), ..Cell::default() };
        let row = |word: &str| Row { cells: word.split('+').map(cell).collect() };
        let rows = words.split_whitespace().map(row).collect();
        Answers { state: AnswerState::Given, sets: vec![AnswerSet { rows, ..AnswerSet::default() }] }
    }

    fn told(given: &str, found: Answers, error: Option<&str>) -> Option<String> {
        let question = Question { answers: found, error: error.map(str::to_owned), ..Question::default() };
        issue(&question, &AnswerTexts::of(&answers(given))).map(|issue| issue.message)
    }

    #[test]
    fn the_same_answers_are_no_issue() {
        assert_eq!(told("a b", answers("b a a"), None), None, "in any order, as often as they are there");
        assert_eq!(told("a+b", answers("b+a"), None), None, "values in any order");
        assert_eq!(told("", answers("a"), None), None, "nothing was given");
        let yes = AnswerSet { boolean: Some(true), ..AnswerSet::default() };
        assert_eq!(told("True", Answers { state: AnswerState::Given, sets: vec![yes] }, None), None);
    }

    #[test]
    fn other_answers_are_told() {
        let told = [
            told("a b c", answers("a b c d e"), None),
            told("a", answers("b"), None),
            told("a b", answers("a+b"), None),
            told("a", Answers::default(), Some("timed out: stopped after 1 s")),
        ];
        let told: Vec<String> = told.into_iter().flatten().collect();
        assert_eq!(
            told,
            [
                "the file gives 3 answers, its query 5; the query counts",
                "the file gives 1 answer, its query as many, and not the same; the query counts",
                "the file gives 2 answers, its query 1; the query counts",
                "the file gives 1 answer, its query has none (timed out: stopped after 1 s); the query counts, as an error",
            ]
        );
    }
}
