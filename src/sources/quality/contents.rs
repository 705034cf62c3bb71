//! How much of what is in a file.

use std::collections::BTreeMap;

use crate::base::issue::IssueCode;
use crate::sources::document::{AnswerSet, AnswerState, CellKind, Document, Question, Row};
use crate::sources::input::answer::{answer_type, items};

/// How much of what is in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents {
    counts: Vec<usize>,
    /// Questions by the type of their answers: one of QALD's, `other (WORD)`, or `none given`.
    pub answer_types: BTreeMap<String, usize>,
    /// Question texts by language as written, or `none given`.
    pub languages: BTreeMap<String, usize>,
    /// Cells of answers by the kind of term that the file says they are; booleans of ASK queries beside them.
    pub answer_kinds: BTreeMap<&'static str, usize>,
}

/// What is counted: name for people, concept of `code:fileMetric`.
pub static COUNTS: &[(&str, &str)] = &[
    ("questions", "fileQuestions"),
    ("with answers", "fileWithAnswers"),
    ("with empty answers", "fileWithEmptyAnswers"),
    ("without answers", "fileWithoutAnswers"),
    ("out of scope", "fileOutOfScope"),
    ("unreadable", "fileUnreadable"),
    ("with queries", "fileWithQueries"),
    ("queries that cannot be read", "fileUnparsableQueries"),
    ("answer rows", "fileAnswerRows"),
    ("booleans", "fileBooleans"),
    ("answer items", "fileAnswerItems"),
    ("candidates", "fileCandidates"),
    ("with errors of the system", "fileWithSystemErrors"),
    ("with response times", "fileWithResponseTimes"),
];

impl Contents {
    /// Counts a document whose queries were looked at.
    pub fn of(document: &Document) -> Self {
        let questions = &document.questions;
        let number =
            |is: &dyn Fn(&Question) -> bool| questions.iter().filter(|question| is(question)).count();
        let in_state = |state| number(&|question| question.answers.state == state);
        let sum = |size: &dyn Fn(&Question) -> usize| questions.iter().map(size).sum();
        let counts = vec![
            questions.len(),
            in_state(AnswerState::Given),
            in_state(AnswerState::Empty),
            in_state(AnswerState::Absent),
            in_state(AnswerState::OutOfScope),
            in_state(AnswerState::Unreadable),
            number(&|question| !question.queries.is_empty()),
            document.issues.iter().filter(|issue| is_unread_query(issue.code)).count(),
            sum(&|question| rows(question).count()),
            sum(&|question| booleans(question)),
            sum(&|question| items(question).iter().filter(|item| item.counts).count()),
            sum(&|question| question.candidates.len()),
            number(&|question| question.error.is_some()),
            number(&|question| question.response_time.is_some()),
        ];
        let mut contents = Self { counts, ..Self::default() };
        for question in questions {
            contents.add(question);
        }
        contents
    }

    /// Every count with its name for people and its concept.
    pub fn counts(&self) -> impl Iterator<Item = (&'static str, &'static str, usize)> {
        COUNTS.iter().zip(&self.counts).map(|((name, concept), count)| (*name, *concept, *count))
    }

    fn add(&mut self, question: &Question) {
        let kind = match (answer_type(question), &question.answer_type) {
            (Some(known), _) => known.to_owned(),
            (None, Some(other)) => format!("other ({other})"),
            (None, None) => "none given".to_owned(),
        };
        *self.answer_types.entry(kind).or_default() += 1;
        for text in &question.texts {
            let language = text.language.clone().unwrap_or_else(|| "none given".to_owned());
            *self.languages.entry(language).or_default() += 1;
        }
        for cell in rows(question).flat_map(|row| &row.cells) {
            *self.answer_kinds.entry(kind_name(cell.kind)).or_default() += 1;
        }
        if booleans(question) > 0 {
            *self.answer_kinds.entry("boolean").or_default() += booleans(question);
        }
    }
}

fn rows(question: &Question) -> impl Iterator<Item = &Row> {
    question.answers.sets.iter().flat_map(|set| &set.rows)
}

fn booleans(question: &Question) -> usize {
    let has_boolean = |set: &&AnswerSet| set.boolean.is_some();
    question.answers.sets.iter().filter(has_boolean).count()
}

fn kind_name(kind: CellKind) -> &'static str {
    match kind {
        CellKind::Uri => "uri",
        CellKind::Literal => "literal",
        CellKind::BlankNode => "bnode",
        CellKind::Unknown => "not said",
    }
}

fn is_unread_query(code: IssueCode) -> bool {
    matches!(code, IssueCode::QueryUnparsable | IssueCode::QueryTooLarge)
}
