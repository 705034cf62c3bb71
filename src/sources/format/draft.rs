//! A question while it is read: the rules that all formats of the QALD family share.

use std::fmt::Display;

use crate::base::issue::IssueCode;
use crate::sources::document::{AnswerSet, AnswerState, Extra, Query, QueryKind, Question, Row, Text};
use crate::sources::format::json::path::Path;
use crate::sources::format::json::value::Json;
use crate::sources::format::notes::Notes;
use crate::sources::format::numeral::decimal;

/// The query text that marks a question which the knowledge base cannot answer.
const OUT_OF_SCOPE: &str = "OUT OF SCOPE";

/// The answer types of QALD and, last, of eQALD.
const ANSWER_TYPES: [&str; 6] = ["resource", "string", "number", "date", "boolean", "listofresource"];

/// A question while it is read.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    /// What is known so far; the state of the answers is settled at the end.
    pub(crate) question: Question,
    /// The file has a place for answers.
    pub(crate) has_answers: bool,
    /// A part of the answers could not be read.
    pub(crate) unreadable: bool,
    out_of_scope: bool,
}

impl Draft {
    /// An answer object, with its rows or without.
    pub(crate) fn add_set(&mut self, set: AnswerSet) {
        self.question.answers.sets.push(set);
    }

    /// A part of the answers that no rule reads.
    pub(crate) fn cannot_read(&mut self, path: &dyn Display, notes: &mut Notes, message: impl Into<String>) {
        self.unreadable = true;
        notes.add(IssueCode::UnreadableAnswer, path, message);
    }

    /// A question text.
    pub(crate) fn add_text(&mut self, language: Option<&str>, text: String) {
        self.question.texts.push(Text { language: language.map(str::to_owned), text });
    }

    /// Keywords.
    pub(crate) fn add_keywords(&mut self, language: Option<&str>, text: String) {
        self.question.keywords.push(Text { language: language.map(str::to_owned), text });
    }

    /// A key that the format does not know: kept as JSON.
    pub(crate) fn keep_unknown(&mut self, key: &str, value: &Json, path: &Path, notes: &mut Notes) {
        notes.kept("key", key, path);
        self.keep(path.in_question(), value.to_string());
    }

    /// What no rule reads.
    pub(crate) fn keep(&mut self, name: String, value: String) {
        self.question.extras.push(Extra { name, value });
    }

    /// A query of the question in every language.
    pub(crate) fn add_query(
        &mut self,
        kind: QueryKind,
        written: &str,
        path: &dyn Display,
        notes: &mut Notes,
    ) {
        self.add_query_in(kind, None, written, path, notes);
    }

    /// A query. The same query given for several languages is kept once, and has none;
    /// the marker `OUT OF SCOPE` is no query.
    pub(crate) fn add_query_in(
        &mut self,
        kind: QueryKind,
        language: Option<&str>,
        written: &str,
        path: &dyn Display,
        notes: &mut Notes,
    ) {
        let text = written.trim();
        if text.is_empty() {
            return notes.add(IssueCode::EmptyQuery, path, "the query has no text");
        }
        if text.eq_ignore_ascii_case(OUT_OF_SCOPE) {
            self.out_of_scope = true;
            return;
        }
        let mut known = self.question.queries.iter_mut();
        match known.find(|known| known.kind == kind && known.text == text) {
            Some(known) if known.language.as_deref() == language => {}
            Some(known) => known.language = None,
            None => {
                let (text, language) = (text.to_owned(), language.map(str::to_owned));
                self.question.queries.push(Query { kind, text, language });
            }
        }
    }

    /// A query that is the only one of its kind belongs to all languages.
    pub(crate) fn settle_query_languages(&mut self) {
        let kinds: Vec<QueryKind> = self.question.queries.iter().map(|query| query.kind).collect();
        for query in &mut self.question.queries {
            if kinds.iter().filter(|kind| **kind == query.kind).count() == 1 {
                query.language = None;
            }
        }
    }

    /// The answer type as written. The first one counts.
    pub(crate) fn set_answer_type(&mut self, word: String, path: &dyn Display, notes: &mut Notes) {
        match &self.question.answer_type {
            None => {
                if !ANSWER_TYPES.iter().any(|known| word.trim().eq_ignore_ascii_case(known)) {
                    let message = format!(
                        "the answer type `{word}` is none of resource, string, number, date, boolean; answers are read without it"
                    );
                    notes.add(IssueCode::UnknownAnswerType, path, message);
                }
                self.question.answer_type = Some(word);
            }
            Some(first) if *first == word => {}
            Some(first) => {
                let message =
                    format!("the answer type is given as `{first}` and as `{word}`; the first one counts");
                notes.add(IssueCode::DuplicateKey, path, message);
            }
        }
    }

    /// A flag as written.
    pub(crate) fn add_flag(&mut self, name: &str, value: String, path: &dyn Display, notes: &mut Notes) {
        if !["true", "false"].iter().any(|known| value.trim().eq_ignore_ascii_case(known)) {
            let message = format!("the flag {name} is `{value}`, neither true nor false");
            notes.add(IssueCode::OddFlag, path, message);
        }
        self.question.flags.push((name.to_owned(), value));
    }

    /// The error that the system reported. A text without content is none.
    pub(crate) fn set_error(&mut self, error: String, path: &dyn Display, notes: &mut Notes) {
        if error.trim().is_empty() {
            return;
        }
        let beginning: String = error.chars().take(200).collect();
        notes.add(IssueCode::SystemError, path, format!("the system reported an error: {beginning}"));
        self.question.error.get_or_insert(error);
    }

    /// The time the system took, written in units of `10^shift` seconds.
    pub(crate) fn set_time(&mut self, written: &str, shift: i64, path: &dyn Display, notes: &mut Notes) {
        match decimal(written, shift).filter(|seconds| !seconds.starts_with('-')) {
            Some(seconds) => {
                self.question.response_time.get_or_insert(seconds);
            }
            None => notes.add(
                IssueCode::NotANumber,
                path,
                format!("the time `{written}` is no number; it is left out"),
            ),
        }
    }

    /// Settles the state of the answers and gives the finished question.
    pub(crate) fn finish(mut self, path: &dyn Display, notes: &mut Notes) -> Question {
        self.question.answers.state = self.state();
        if self.out_of_scope && self.question.answers.state == AnswerState::Given {
            notes.add(
                IssueCode::WrongType,
                path,
                "the query is the marker `OUT OF SCOPE`, but there are answers; the answers count",
            );
        }
        self.question.place = notes.place().clone();
        let question = &mut self.question;
        // Most lists have one entry, and room for four: that would be a third of the memory of all questions.
        question.texts.shrink_to_fit();
        question.keywords.shrink_to_fit();
        question.flags.shrink_to_fit();
        question.queries.shrink_to_fit();
        question.extras.shrink_to_fit();
        question.answers.sets.shrink_to_fit();
        self.question
    }

    fn state(&self) -> AnswerState {
        let given =
            self.question.answers.sets.iter().any(|set| set.boolean.is_some() || !set.rows.is_empty());
        match self {
            _ if given => AnswerState::Given,
            Self { out_of_scope: true, .. } => AnswerState::OutOfScope,
            Self { unreadable: true, .. } => AnswerState::Unreadable,
            Self { has_answers: true, .. } => AnswerState::Empty,
            Self { .. } => AnswerState::Absent,
        }
    }

    /// Reports that no language has a text. Not for answer files, whose format has none.
    pub(crate) fn check_text(&self, path: &dyn Display, notes: &mut Notes) {
        if self.question.texts.iter().all(|text| text.text.trim().is_empty()) {
            notes.add(IssueCode::MissingText, path, "the question has no text");
        }
    }
}

/// A confidence as an exact numeral.
pub(crate) fn confidence(written: &str, path: &dyn Display, notes: &mut Notes) -> Option<String> {
    let number = decimal(written, 0);
    if number.is_none() {
        let message = format!("the confidence `{written}` is no number; it is left out");
        notes.add(IssueCode::NotANumber, path, message);
    }
    number
}

/// A set of these rows, or none where there is no row.
pub(crate) fn set_of(rows: Vec<Row>) -> Option<AnswerSet> {
    (!rows.is_empty()).then(|| AnswerSet { rows, has_bindings: true, ..AnswerSet::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft() -> (Draft, Notes) {
        (Draft::default(), Notes::default())
    }

    #[test]
    fn the_marker_is_a_state_and_no_query() {
        let (mut draft, mut notes) = draft();
        draft.add_query(QueryKind::Sparql, "\nOUT OF SCOPE ", &"query", &mut notes);
        let question = draft.finish(&"q", &mut notes);
        assert_eq!((question.queries.len(), question.answers.state), (0, AnswerState::OutOfScope));
        assert!(notes.into_issues().is_empty());
    }

    #[test]
    fn answers_outweigh_the_marker() {
        let (mut draft, mut notes) = draft();
        draft.add_query(QueryKind::Sparql, "out of scope", &"query", &mut notes);
        draft.add_set(AnswerSet { boolean: Some(true), ..AnswerSet::default() });
        assert_eq!(draft.finish(&"q", &mut notes).answers.state, AnswerState::Given);
        assert_eq!(notes.into_issues()[0].code, IssueCode::WrongType);
    }

    #[test]
    fn states_without_answers_differ() {
        let state = |change: fn(&mut Draft)| {
            let (mut draft, mut notes) = draft();
            change(&mut draft);
            draft.finish(&"q", &mut notes).answers.state
        };
        assert_eq!(state(|_| ()), AnswerState::Absent);
        assert_eq!(state(|d| d.has_answers = true), AnswerState::Empty);
        assert_eq!(state(|d| (d.has_answers, d.unreadable) = (true, true)), AnswerState::Unreadable);
    }

    #[test]
    fn types_flags_times_and_errors_are_kept_as_written() {
        let (mut draft, mut notes) = draft();
        draft.set_answer_type("ListOfResource".to_owned(), &"a", &mut notes);
        draft.set_answer_type("resouce".to_owned(), &"a", &mut notes);
        draft.add_flag("hybrid", "FALSE".to_owned(), &"b", &mut notes);
        draft.add_flag("aggregation", "union".to_owned(), &"c", &mut notes);
        draft.set_error("  ".to_owned(), &"d", &mut notes);
        draft.set_error("timeout".to_owned(), &"d", &mut notes);
        draft.set_time("1500", -3, &"e", &mut notes);
        draft.set_time("soon", 0, &"e", &mut notes);
        let question = draft.finish(&"q", &mut notes);
        assert_eq!(question.answer_type.as_deref(), Some("ListOfResource"));
        assert_eq!(question.flags[1], ("aggregation".to_owned(), "union".to_owned()));
        assert_eq!(question.error.as_deref(), Some("timeout"));
        assert_eq!(question.response_time.as_deref(), Some("1.500"));
        let codes: Vec<&str> = notes.into_issues().iter().map(|i| i.code.name()).collect();
        assert_eq!(codes, ["duplicate-key", "odd-flag", "system-error", "not-a-number"]);
    }
}
