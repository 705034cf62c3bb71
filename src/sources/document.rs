//! What a reader makes of a file: typed records that keep everything the file said.
//!
//! Nothing here interprets. A cell keeps its text as written, an answer type the word of the file,
//! a question its place, so that every rule that comes later can say what it changed.

use crate::base::error::Result;
use crate::base::issue::{Issue, IssueCode, Place};
use crate::base::limits;
use crate::base::limits::{LONGEST_ID, exceeded};
use crate::base::shared::SharedList;
use crate::sources::failure_kind::FailureKind;
use crate::sources::file::line;
use crate::sources::format::numeral::decimal;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

/// A file of questions, read: a gold standard or the answers of a system (the formats are the same).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Document {
    /// The id that the file gives to its dataset. Often wrong or missing in real files.
    pub dataset_id: Option<String>,
    /// Every question of the file in file order, also the ones that cannot be used.
    pub questions: Vec<Question>,
    /// What the reader noticed, in file order.
    pub issues: Vec<Issue>,
}

/// One question with its answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Question {
    /// The id as written, trimmed; empty where the file has none.
    pub id: String,
    /// Whether the file writes the id as a number (JSON), and not as a text.
    pub id_is_number: bool,
    /// The id made unique in its file: the second question of the same id gets `~2`, and so on;
    /// a question without id is called `~N` after its position (from 1).
    pub key: String,
    /// Where the question begins.
    pub place: Place,
    /// The question in its languages, in file order; a language may occur twice.
    pub texts: Vec<Text>,
    /// The language that the id names, where the file has one question a language and no texts (TEXT2SPARQL).
    pub language: Option<String>,
    /// Keywords, in file order.
    pub keywords: Vec<Text>,
    /// The answer type as written (`resource`, `List`, `num`, …).
    pub answer_type: Option<String>,
    /// The types of the answer items (eQALD `answeritemtype`), as written.
    pub answer_item_types: Vec<String>,
    /// Flags such as aggregation, onlydbo and hybrid, as written (`true`, `FALSE`, `union`), by lower-case name.
    pub flags: Vec<(String, String)>,
    /// The queries of the question.
    pub queries: Vec<Query>,
    /// Whether the first `<query>` begins with white space that is a node of its own in XML: nothing else is in it,
    /// or CDATA follows. GERBIL's loader reads the first node only.
    pub blank_query_node: bool,
    /// The markings of the question text (eQALD `annotations`).
    pub annotations: Vec<Annotation>,
    /// What the file says about the answers.
    pub answers: Answers,
    /// What is ranked for the question, right or wrong: sentences, tables, documents (NLPCC, TREC).
    pub candidates: Vec<Candidate>,
    /// The error that the system reported for this question, if any.
    pub error: Option<String>,
    /// The time the system took in seconds, as a decimal numeral, if the file says it.
    pub response_time: Option<String>,
    /// How the question was put to a live system, where the file says it.
    pub asked: Option<LiveAnswer>,
    /// What the format does not know, as written: JSON for keys, the value for attributes. No rule reads it.
    pub extras: Vec<Extra>,
}

/// How a question was put to a live system.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LiveAnswer {
    /// The kind of failure, where there was one: a notation of `code:failureKind`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The IRI of the exchange that the answer was read from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange: Option<String>,
    /// How often the question was asked.
    pub tries: u32,
    /// What was odd about the reply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What else the reply said, by the place where it stood: the name of a model, its use of tokens, confidences, names.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub kept: Map<String, Value>,
}

impl LiveAnswer {
    /// What went wrong.
    pub fn failure_kind(&self) -> Option<FailureKind> {
        FailureKind::named(self.failure.as_deref()?)
    }
}

/// A field that the format does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extra {
    /// The key or attribute.
    pub name: String,
    /// Its value as written.
    pub value: String,
}

/// Something that a system may rank for a question: a sentence, a table, a document.
///
/// In a gold standard the right ones are among the rows of the answers too; in a run, all of them are, best first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Candidate {
    /// Its parts as written: one for a sentence or document, three for a table (caption, attributes, cells).
    pub cells: SharedList<Cell>,
    /// The judgement as written: `0`, `1`, a grade.
    pub label: Option<Box<str>>,
    /// The score as a decimal numeral.
    pub score: Option<Box<str>>,
    /// The rank that the file states, as written.
    pub rank: Option<Box<str>>,
}

impl Candidate {
    /// Whether the file calls it right: its label is a number above 0.
    pub fn is_right(&self) -> bool {
        self.label
            .as_deref()
            .and_then(|label| decimal(label, 0))
            .is_some_and(|number| line::is_positive(&number))
    }
}

/// A text in a language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The language as written (`en`, `pt_BR`), or none.
    pub language: Option<String>,
    /// The text as written.
    pub text: String,
}

/// What kind of query a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryKind {
    /// SPARQL.
    Sparql,
    /// The pseudo queries of the hybrid tasks: SPARQL with `text:"…"` in place of terms.
    Pseudo,
    /// The schema-less queries of eQALD.
    Schemaless,
}

/// A query as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// What kind of query the file says it is.
    pub kind: QueryKind,
    /// The text as written, outer white space removed. Never `OUT OF SCOPE`: see [`AnswerState::OutOfScope`].
    pub text: String,
    /// The language of the question that it belongs to, where each has its own (NLQ, extended JSON).
    pub language: Option<String>,
}

/// A marking in the question text (eQALD).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Annotation {
    /// The first character, as written.
    pub begin: Option<String>,
    /// The character after the last, as written.
    pub end: Option<String>,
    /// The IRI as written.
    pub iri: String,
    /// `CLASS`, `PROPERTY` or `ENTITY`, as written.
    pub kind: Option<String>,
}

/// How much the file says about the answers of a question.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AnswerState {
    /// The file has no place for answers here: no key, no element.
    #[default]
    Absent,
    /// The place is there and holds nothing: `[]`, `null`, `<answers/>`, `results` without bindings, no rows.
    Empty,
    /// At least one row or boolean; or scores of candidates that stand in another file (NLPCC).
    Given,
    /// The question is marked `OUT OF SCOPE`.
    OutOfScope,
    /// The place holds something that no rule reads; an issue says what.
    Unreadable,
}

/// All answers of a question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answers {
    /// How much the file says.
    pub state: AnswerState,
    /// The answer objects: mostly one; a system may give several with confidences.
    pub sets: Vec<AnswerSet>,
}

/// One answer object: a table of rows, as in SPARQL results, or a boolean.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnswerSet {
    /// The variables that the head names, as written.
    pub variables: Vec<String>,
    /// The boolean of an ASK query. It may stand beside rows in odd files.
    pub boolean: Option<bool>,
    /// Whether the object has a place for rows (`bindings`), if only an empty one. The QALD tool asks.
    pub has_bindings: bool,
    /// The rows in file order, duplicates included.
    pub rows: Vec<Row>,
    /// The confidence as a decimal numeral, if the file says it.
    pub confidence: Option<String>,
}

/// One row of an answer table. Never empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Row {
    /// The cells in the order of the file.
    pub cells: SharedList<Cell>,
}

/// One value of a row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cell {
    /// The variable as written (quotes around it removed, with an issue), or the element name in XML.
    pub variable: String,
    /// The kind of term that the file says it is.
    pub kind: CellKind,
    /// The value as written.
    pub value: String,
    /// The datatype IRI as written.
    pub datatype: Option<String>,
    /// The language tag as written.
    pub language: Option<String>,
    /// Whether the file names the datatype before the value. GERBIL's loader looks at it.
    pub datatype_first: bool,
    /// What the file calls it beside its value: label and aliases. A slice, since most of millions of cells have none.
    pub names: Box<[Text]>,
}

/// The kind of term that a file says a value is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CellKind {
    /// `uri`, `<uri>`.
    Uri,
    /// `literal`, `typed-literal`, `<string>`, `<number>`, `<date>`, `<boolean>`.
    Literal,
    /// `bnode`.
    BlankNode,
    /// The file does not say, or says a word that no standard has (`list`, `text`).
    #[default]
    Unknown,
}

impl QueryKind {
    /// All kinds.
    const ALL: [Self; 3] = [Self::Sparql, Self::Pseudo, Self::Schemaless];

    /// The name: `sparql`, `pseudo`, `schemaless`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sparql => "sparql",
            Self::Pseudo => "pseudo",
            Self::Schemaless => "schemaless",
        }
    }

    /// The kind with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl AnswerState {
    /// All states.
    const ALL: [Self; 5] = [Self::Absent, Self::Empty, Self::Given, Self::OutOfScope, Self::Unreadable];

    /// The name: `absent`, `empty`, `given`, `out-of-scope`, `unreadable`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Empty => "empty",
            Self::Given => "given",
            Self::OutOfScope => "out-of-scope",
            Self::Unreadable => "unreadable",
        }
    }

    /// The state with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

impl Question {
    /// Whether there is a text in a language. A text without a language counts as one in any.
    pub fn has_text(&self, language: &str) -> bool {
        let is_in =
            |text: &Text| text.language.as_deref().is_none_or(|tag| tag.eq_ignore_ascii_case(language));
        self.texts.iter().any(|text| is_in(text) && !text.text.trim().is_empty())
    }
}

#[cfg(test)]
impl Answers {
    /// The values of all cells as written.
    pub(crate) fn values(&self) -> Vec<&str> {
        let cells = self.sets.iter().flat_map(|set| &set.rows).flat_map(|row| &row.cells);
        cells.map(|cell| cell.value.as_str()).collect()
    }
}

impl Document {
    /// Gives every question its unique key (see [`Question::key`]) and reports repeated and missing ids.
    pub fn assign_keys(&mut self) {
        let Self { questions, issues, .. } = self;
        let mut seen: HashMap<&str, usize> = HashMap::with_capacity(questions.len());
        let mut taken = None;
        let mut free = |stem: &str, number: usize| {
            let ids = || questions.iter().map(|question| question.id.clone()).collect();
            free_key(stem, number, taken.get_or_insert_with(ids))
        };
        let mut keys = Vec::with_capacity(questions.len());
        for (question, position) in questions.iter().zip(1..) {
            if question.id.is_empty() {
                let key = free("", position);
                let message = format!("the question has no id; it is called `{key}`");
                issues.push(Issue::new(IssueCode::MissingId, &question.place, message));
                keys.push(key);
                continue;
            }
            let count = seen.entry(&question.id).or_insert(0);
            *count += 1;
            if *count == 1 {
                keys.push(question.id.clone());
            } else {
                let key = free(&question.id, *count);
                let message =
                    format!("the id `{}` occurs again; this question is called `{key}`", question.id);
                issues.push(Issue::new(IssueCode::DuplicateId, &question.place, message));
                keys.push(key);
            }
        }
        for (question, key) in questions.iter_mut().zip(keys) {
            question.key = key;
        }
    }

    /// Names every question by its position, where the format has no ids. One issue says so.
    pub(crate) fn name_by_position(&mut self) {
        for (question, position) in self.questions.iter_mut().zip(1..) {
            question.key = format!("~{position}");
        }
        if let Some(first) = self.questions.first() {
            let message = "the format has no ids; questions are called `~1`, `~2`, … after their position";
            self.issues.push(Issue::new(IssueCode::MissingId, &first.place, message));
        }
    }
}

/// An error where an id is no id any more. It becomes part of IRIs and stands in every table.
pub(crate) fn refuse_long(document: &Document) -> Result<()> {
    let hint = "an id names a question; its words belong into its text";
    let too_long = |what: String, length: usize| {
        exceeded(format!("{what} has {length} bytes"), limits::bytes(LONGEST_ID as u64)).hint(hint)
    };
    if let Some(id) = document.dataset_id.as_ref().filter(|id| id.len() > LONGEST_ID) {
        return Err(too_long("the id of the dataset".to_owned(), id.len()));
    }
    let found = document.questions.iter().zip(1..).find(|(question, _)| question.id.len() > LONGEST_ID);
    found.map_or(Ok(()), |(question, position)| {
        let error = too_long(format!("the id of question {position}"), question.id.len());
        Err(match question.place.line {
            Some(line) => error.at(format!("line {line}")),
            None => error,
        })
    })
}

/// The first of `stem~N`, `stem~N+1`, … that no question has.
fn free_key(stem: &str, mut number: usize, taken: &mut HashSet<String>) -> String {
    loop {
        let key = format!("{stem}~{number}");
        if taken.insert(key.clone()) {
            return key;
        }
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::issue::Place;

    #[test]
    fn ids_have_an_end() {
        let with = |id: &str| Document {
            questions: vec![Question { id: id.to_owned(), place: Place::line(7), ..Question::default() }],
            ..Document::default()
        };
        let longest = "é".repeat(LONGEST_ID / 2);
        assert!(refuse_long(&with(&longest)).is_ok());
        insta::assert_snapshot!(refuse_long(&with(&format!("{longest}a"))).unwrap_err(), @r"
        line 7: the id of question 1 has 4097 bytes, more than 4 KiB, a limit of qassay.
        hint: an id names a question; its words belong into its text
        ");
        let dataset = Document { dataset_id: Some(format!("{longest}a")), ..Document::default() };
        assert!(refuse_long(&dataset).is_err());
    }

    #[test]
    fn keys_are_unique_and_issues_say_why() {
        let ids = ["1", "", "1", "1~2", "1"];
        let questions = ids.map(|id| Question { id: id.to_owned(), ..Question::default() }).to_vec();
        let mut document = Document { questions, ..Document::default() };
        document.assign_keys();
        let keys: Vec<&str> = document.questions.iter().map(|q| q.key.as_str()).collect();
        assert_eq!(keys, ["1", "~2", "1~3", "1~2", "1~4"]);
        let codes: Vec<&str> = document.issues.iter().map(|i| i.code.name()).collect();
        assert_eq!(codes, ["missing-id", "duplicate-id", "duplicate-id"]);
    }
}
