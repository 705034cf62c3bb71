//! Where a reader is: the place in the file, the question that is being made, what was noticed.
//!
//! A reader is a function of an element of the file and its `Context`. The rules that all formats of the QALD family
//! share are methods of it.

use std::fmt;

use crate::base::error::Result;
use crate::base::issue::{IssueCode, Place};
use crate::sources::document::{
    AnswerSet, AnswerState, Document, Extra, Query, QueryKind, Question, Row, Text,
};
use crate::sources::file::text::decode;
use crate::sources::format::notes::Notes;
use crate::sources::format::numeral::decimal;

/// The query text that marks a question which the knowledge base cannot answer.
pub(crate) const OUT_OF_SCOPE: &str = "OUT OF SCOPE";

/// The answer types of QALD and, last, of eQALD.
const ANSWER_TYPES: [&str; 6] = ["resource", "string", "number", "date", "boolean", "listofresource"];

/// A place in a file, written out only when there is something to say about it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Path<'p> {
    /// Where there is no tree, or its root: `$` of JSON, the root element of XML, the field of a line.
    Name(&'p str),
    /// JSON: the value of a key.
    Key(&'p Self, &'p str),
    /// JSON: an item of a list, from 0.
    Index(&'p Self, usize),
    /// XML: an element that is single, or an attribute.
    Child(&'p Self, &'p str),
    /// XML: one of several elements, from 0; they are shown from 1.
    Item(&'p Self, &'p str, usize),
}

impl Path<'_> {
    /// The place below the question: the key itself, or a path for what is nested in it (`question[0].foo`,
    /// `string/foo`).
    fn in_question(&self) -> String {
        match self {
            Self::Name(_) => String::new(),
            Self::Key(parent, key) if parent.is_question() => (*key).to_owned(),
            Self::Key(parent, key) if is_name(key) => format!("{}.{key}", parent.in_question()),
            Self::Key(parent, key) => format!("{}[{key:?}]", parent.in_question()),
            Self::Index(parent, index) => format!("{}[{index}]", parent.in_question()),
            Self::Child(..) | Self::Item(..) => {
                self.to_string().splitn(3, '/').nth(2).unwrap_or_default().to_owned()
            }
        }
    }

    /// A question in JSON is the whole line, an item of the list that is the file, or an item of `questions`, `Questions`
    /// or `samples`.
    fn is_question(&self) -> bool {
        match self {
            Self::Index(parent, _) => {
                matches!(
                    parent,
                    Self::Name(_) | Self::Key(Self::Name(_), "questions" | "Questions" | "samples")
                )
            }
            other => matches!(other, Self::Name(_)),
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Key(parent, key) if is_name(key) => write!(f, "{parent}.{key}"),
            Self::Key(parent, key) => write!(f, "{parent}[{key:?}]"),
            Self::Index(parent, index) => write!(f, "{parent}[{index}]"),
            Self::Child(parent, name) => write!(f, "{parent}/{name}"),
            Self::Item(parent, name, index) => write!(f, "{parent}/{name}[{}]", index + 1),
        }
    }
}

fn is_name(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '_')
}

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

/// Where a reader is in a file, and what it writes to.
#[derive(Debug)]
pub(crate) struct Context<'c, M = Draft> {
    path: Path<'c>,
    /// What is being made of this part of the file: a question or, outside of questions, the document.
    pub(crate) draft: &'c mut M,
    /// What was noticed.
    pub(crate) notes: &'c mut Notes,
}

impl<'c, M> Context<'c, M> {
    /// The place with this name.
    pub(crate) fn new(name: &'c str, draft: &'c mut M, notes: &'c mut Notes) -> Self {
        Self { path: Path::Name(name), draft, notes }
    }

    /// The value of a key of this object.
    pub(crate) fn key<'k>(&'k mut self, key: &'k str) -> Context<'k, M> {
        Context { path: Path::Key(&self.path, key), draft: self.draft, notes: self.notes }
    }

    /// An item of this list, from 0.
    pub(crate) fn index(&mut self, index: usize) -> Context<'_, M> {
        Context { path: Path::Index(&self.path, index), draft: self.draft, notes: self.notes }
    }

    /// An element in this one that is single, or an attribute.
    pub(crate) fn child<'k>(&'k mut self, name: &'k str) -> Context<'k, M> {
        Context { path: Path::Child(&self.path, name), draft: self.draft, notes: self.notes }
    }

    /// One of several elements in this one, from 0.
    pub(crate) fn item<'k>(&'k mut self, name: &'k str, index: usize) -> Context<'k, M> {
        Context { path: Path::Item(&self.path, name, index), draft: self.draft, notes: self.notes }
    }

    /// A place of which the name says all, such as the field of a line.
    pub(crate) fn named<'k>(&'k mut self, name: &'k str) -> Context<'k, M> {
        Context { path: Path::Name(name), draft: self.draft, notes: self.notes }
    }

    /// Issues from now on belong to this question or line.
    pub(crate) fn enter(&mut self, place: Place) {
        self.notes.enter(place);
    }

    /// An issue of the current question. The same words about the same question are counted, not repeated.
    pub(crate) fn note(&mut self, code: IssueCode, message: impl Into<String>) {
        self.notes.add(code, &self.path, message);
    }

    /// An issue that is told once per file: the first place and a count.
    pub(crate) fn note_once(&mut self, code: IssueCode, message: impl Into<String>) {
        self.notes.add_once(code, &self.path, message);
    }

    /// A key, an attribute or an element (`what`) outside of questions that the format does not have.
    pub(crate) fn unknown(&mut self, what: &str, name: &str) {
        self.notes.unknown(what, name, &self.path);
    }
}

impl Context<'_, Document> {
    /// The text of the file.
    pub(crate) fn text<'t>(&mut self, content: &'t [u8]) -> Result<&'t str> {
        decode(content, self.notes)
    }

    /// Adds the question with this id that begins on this line of the file.
    pub(crate) fn question(&mut self, id: &str, line: u64, read: impl FnOnce(&mut Context)) {
        self.enter(Place { question: (!id.is_empty()).then(|| id.to_owned()), ..Place::line(line) });
        self.add_question(|here| {
            id.clone_into(&mut here.draft.question.id);
            read(here);
        });
    }

    /// Adds a question at the place that was entered.
    pub(crate) fn add_question(&mut self, read: impl FnOnce(&mut Context)) {
        let mut draft = Draft::default();
        let mut here = Context { path: self.path, draft: &mut draft, notes: self.notes };
        read(&mut here);
        let question = here.finish();
        self.draft.questions.push(question);
    }
}

impl Draft {
    /// An answer object, with its rows or without.
    pub(crate) fn add_set(&mut self, set: AnswerSet) {
        self.question.answers.sets.push(set);
    }

    /// A boolean as an answer object.
    pub(crate) fn add_boolean(&mut self, value: bool) {
        self.add_set(AnswerSet { boolean: Some(value), ..AnswerSet::default() });
    }

    /// Rows as an answer object; none where there is no row.
    pub(crate) fn add_rows(&mut self, rows: Vec<Row>) {
        if !rows.is_empty() {
            self.add_set(AnswerSet { rows, has_bindings: true, ..AnswerSet::default() });
        }
    }

    /// Rows of the only answer object, which the first of them begins.
    pub(crate) fn extend_rows(&mut self, rows: Vec<Row>) {
        match self.question.answers.sets.first_mut() {
            Some(set) => set.rows.extend(rows),
            None => self.add_rows(rows),
        }
    }

    /// A question text.
    pub(crate) fn add_text(&mut self, language: Option<&str>, text: String) {
        self.question.texts.push(Text { language: language.map(str::to_owned), text });
    }

    /// Keywords.
    pub(crate) fn add_keywords(&mut self, language: Option<&str>, text: String) {
        self.question.keywords.push(Text { language: language.map(str::to_owned), text });
    }

    /// What no rule reads.
    pub(crate) fn keep(&mut self, name: String, value: String) {
        self.question.extras.push(Extra { name, value });
    }

    /// What no rule reads and many lines say, once.
    pub(crate) fn keep_once(&mut self, name: &str, value: &str) {
        if !self.question.extras.iter().any(|known| known.name == name && known.value == value) {
            self.keep(name.to_owned(), value.to_owned());
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
}

impl Context<'_> {
    /// A part of the answers that no rule reads.
    pub(crate) fn cannot_read(&mut self, message: impl Into<String>) {
        self.draft.unreadable = true;
        self.note(IssueCode::UnreadableAnswer, message);
    }

    /// A key, an attribute or an element (`what`) that the format does not know: kept as written.
    pub(crate) fn keep_unknown(&mut self, what: &str, name: &str, value: &dyn fmt::Display) {
        self.notes.kept(what, name, &self.path);
        self.keep(value);
    }

    /// What no rule reads, kept by its place in the question.
    pub(crate) fn keep(&mut self, value: &dyn fmt::Display) {
        self.draft.keep(self.path.in_question(), value.to_string());
    }

    /// A query of the question in every language.
    pub(crate) fn add_query(&mut self, kind: QueryKind, written: &str) {
        self.add_query_in(kind, None, written);
    }

    /// A query. The same query given for several languages is kept once, and has none;
    /// the marker `OUT OF SCOPE` is no query.
    pub(crate) fn add_query_in(&mut self, kind: QueryKind, language: Option<&str>, written: &str) {
        let text = written.trim();
        if text.is_empty() {
            return self.note(IssueCode::EmptyQuery, "the query has no text");
        }
        if text.eq_ignore_ascii_case(OUT_OF_SCOPE) {
            self.draft.out_of_scope = true;
            return;
        }
        let queries = &mut self.draft.question.queries;
        match queries.iter_mut().find(|known| known.kind == kind && known.text == text) {
            Some(known) if known.language.as_deref() == language => {}
            Some(known) => known.language = None,
            None => {
                let (text, language) = (text.to_owned(), language.map(str::to_owned));
                queries.push(Query { kind, text, language });
            }
        }
    }

    /// The answer type as written. The first one counts.
    pub(crate) fn set_answer_type(&mut self, word: String) {
        match &self.draft.question.answer_type {
            None => {
                if !ANSWER_TYPES.iter().any(|known| word.trim().eq_ignore_ascii_case(known)) {
                    let message = format!(
                        "the answer type `{word}` is none of resource, string, number, date, boolean; answers are read without it"
                    );
                    self.note(IssueCode::UnknownAnswerType, message);
                }
                self.draft.question.answer_type = Some(word);
            }
            Some(first) if *first == word => {}
            Some(first) => {
                let message =
                    format!("the answer type is given as `{first}` and as `{word}`; the first one counts");
                self.note(IssueCode::DuplicateKey, message);
            }
        }
    }

    /// A flag as written.
    pub(crate) fn add_flag(&mut self, name: &str, value: String) {
        if !["true", "false"].iter().any(|known| value.trim().eq_ignore_ascii_case(known)) {
            self.note(IssueCode::OddFlag, format!("the flag {name} is `{value}`, neither true nor false"));
        }
        self.draft.question.flags.push((name.to_owned(), value));
    }

    /// The error that the system reported. A text without content is none.
    pub(crate) fn set_error(&mut self, error: String) {
        if error.trim().is_empty() {
            return;
        }
        let beginning: String = error.chars().take(200).collect();
        self.note(IssueCode::SystemError, format!("the system reported an error: {beginning}"));
        self.draft.question.error.get_or_insert(error);
    }

    /// The time the system took, written in units of `10^shift` seconds.
    pub(crate) fn set_time(&mut self, written: &str, shift: i64) {
        match decimal(written, shift).filter(|seconds| !seconds.starts_with('-')) {
            Some(seconds) => {
                self.draft.question.response_time.get_or_insert(seconds);
            }
            None => self.not_a_number("time", written, "it is left out"),
        }
    }

    /// A confidence as an exact numeral.
    pub(crate) fn confidence(&mut self, written: &str) -> Option<String> {
        self.numeral("confidence", written, "it is left out")
    }

    /// An exact numeral, or an issue that says what follows where it is none.
    pub(crate) fn numeral(&mut self, what: &str, written: &str, otherwise: &str) -> Option<String> {
        let number = decimal(written, 0);
        if number.is_none() {
            self.not_a_number(what, written, otherwise);
        }
        number
    }

    fn not_a_number(&mut self, what: &str, written: &str, otherwise: &str) {
        self.note(IssueCode::NotANumber, format!("the {what} `{written}` is no number; {otherwise}"));
    }

    /// Reports that no language has a text. Not for answer files, whose format has none.
    pub(crate) fn check_text(&mut self) {
        if self.draft.question.texts.iter().all(|text| text.text.trim().is_empty()) {
            self.note(IssueCode::MissingText, "the question has no text");
        }
    }

    /// Settles the state of the answers and gives the finished question.
    pub(crate) fn finish(&mut self) -> Question {
        let state = self.draft.state();
        if self.draft.out_of_scope && state == AnswerState::Given {
            let message = "the query is the marker `OUT OF SCOPE`, but there are answers; the answers count";
            self.note(IssueCode::WrongType, message);
        }
        let mut question = std::mem::take(self.draft).question;
        question.answers.state = state;
        question.place = self.notes.place().clone();
        // Most lists have one entry, and room for four: that would be a third of the memory of all questions.
        question.texts.shrink_to_fit();
        question.keywords.shrink_to_fit();
        question.flags.shrink_to_fit();
        question.queries.shrink_to_fit();
        question.extras.shrink_to_fit();
        question.answers.sets.shrink_to_fit();
        question
    }
}

#[cfg(test)]
impl Draft {
    /// What a reader makes of a question, and what it notices: codes and messages.
    pub(crate) fn made_by(reader: impl FnOnce(&mut Context)) -> (Question, Vec<&'static str>, Vec<String>) {
        let (mut draft, mut notes) = (Self::default(), Notes::default());
        let mut here = Context::new("q", &mut draft, &mut notes);
        reader(&mut here);
        let question = here.finish();
        let issues = notes.into_issues().into_iter().map(|issue| (issue.code.name(), issue.message));
        let (codes, messages) = issues.unzip();
        (question, codes, messages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(reader: impl FnOnce(&mut Context)) -> (Question, Vec<&'static str>) {
        let (question, codes, _) = Draft::made_by(reader);
        (question, codes)
    }

    #[test]
    fn paths_are_those_of_json_and_xml() {
        read(|here| {
            let mut root = here.named("$");
            let mut questions = root.key("questions");
            let mut question = questions.index(3);
            assert_eq!(question.key("xml:lang").path.to_string(), r#"$.questions[3]["xml:lang"]"#);
            let mut root = here.named("dataset");
            let mut question = root.item("question", 0);
            let mut answers = question.child("answers");
            let answer = answers.item("answer", 1);
            assert_eq!(answer.path.to_string(), "dataset/question[1]/answers/answer[2]");
            assert_eq!(answer.path.in_question(), "answers/answer[2]");
        });
    }

    #[test]
    fn places_in_a_question_begin_below_it() {
        let (root, all) = (Path::Name("$"), Path::Key(&Path::Name("$"), "questions"));
        for question in [root, Path::Index(&root, 7), Path::Index(&all, 3)] {
            assert_eq!(Path::Key(&question, "xml:lang").in_question(), "xml:lang");
            let texts = Path::Key(&question, "question");
            let text = Path::Index(&texts, 0);
            assert_eq!(Path::Key(&text, "foo").in_question(), "question[0].foo");
            assert_eq!(Path::Key(&text, "x y").in_question(), r#"question[0]["x y"]"#);
        }
    }

    #[test]
    fn the_marker_is_a_state_and_no_query() {
        let (question, codes) = read(|here| here.add_query(QueryKind::Sparql, "\nOUT OF SCOPE "));
        assert_eq!((question.queries.len(), question.answers.state), (0, AnswerState::OutOfScope));
        assert!(codes.is_empty());
    }

    #[test]
    fn answers_outweigh_the_marker() {
        let (question, codes) = read(|here| {
            here.add_query(QueryKind::Sparql, "out of scope");
            here.draft.add_boolean(true);
        });
        assert_eq!((question.answers.state, codes), (AnswerState::Given, vec!["wrong-type"]));
    }

    #[test]
    fn states_without_answers_differ() {
        let state = |change: fn(&mut Draft)| read(|here| change(here.draft)).0.answers.state;
        assert_eq!(state(|_| ()), AnswerState::Absent);
        assert_eq!(state(|d| d.has_answers = true), AnswerState::Empty);
        assert_eq!(state(|d| (d.has_answers, d.unreadable) = (true, true)), AnswerState::Unreadable);
    }

    #[test]
    fn types_flags_times_and_errors_are_kept_as_written() {
        let (question, codes) = read(|here| {
            here.set_answer_type("ListOfResource".to_owned());
            here.set_answer_type("resouce".to_owned());
            here.add_flag("hybrid", "FALSE".to_owned());
            here.add_flag("aggregation", "union".to_owned());
            here.set_error("  ".to_owned());
            here.set_error("timeout".to_owned());
            here.set_time("1500", -3);
            here.set_time("soon", 0);
        });
        assert_eq!(question.answer_type.as_deref(), Some("ListOfResource"));
        assert_eq!(question.flags[1], ("aggregation".to_owned(), "union".to_owned()));
        assert_eq!(question.error.as_deref(), Some("timeout"));
        assert_eq!(question.response_time.as_deref(), Some("1.500"));
        assert_eq!(codes, ["duplicate-key", "odd-flag", "system-error", "not-a-number"]);
    }
}
