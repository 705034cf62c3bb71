//! The answers of a submission, found by the texts of its questions.

use std::collections::HashMap;

use serde_json::Value;

use crate::base::error::{Error, Result};
use crate::sources::document::{Document, LiveAnswer, Question};
use crate::sources::failure_kind::FailureKind;
use crate::sources::format::Target;

/// What a system says to a question.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BookEntry {
    /// The key of the question.
    pub key: String,
    /// The question as an entry of QALD JSON.
    pub entry: Value,
    /// The answers as SPARQL results: of the first set where there are several.
    pub results: Value,
    /// The values of the answers, one after the other; a boolean is one.
    pub values: Vec<Value>,
    /// The query.
    pub query: Option<String>,
    /// What went wrong, where something did, and the status of HTTP that says so.
    pub error: Option<(u16, String)>,
}

/// All answers of a submission.
#[derive(Debug, Default)]
pub struct AnswerBook {
    entries: Vec<BookEntry>,
    of_text: HashMap<String, usize>,
}

impl AnswerBook {
    /// The answers of a submission. `texts` has the texts of its questions, where the submission has none itself.
    ///
    /// # Errors
    /// Where no question has a text: nobody could ask for it.
    pub fn of(submission: &Document, texts: Option<&Document>) -> Result<Self> {
        let mut book = Self::default();
        let others: HashMap<&str, &Question> =
            texts.into_iter().flat_map(|other| &other.questions).map(|one| (one.key.as_str(), one)).collect();
        for question in &submission.questions {
            let index = book.entries.len();
            let further = others.get(question.key.as_str()).into_iter().flat_map(|other| &other.texts);
            for text in question.texts.iter().chain(further) {
                book.of_text.entry(plain(&text.text)).or_insert(index);
            }
            book.entries.push(BookEntry::of(question)?);
        }
        if book.of_text.is_empty() {
            return Err(Error::input("no question of the file has a text: nobody can ask for it")
                .hint("`⌥questions FILE` names the dataset, whose texts are taken"));
        }
        Ok(book)
    }

    /// How many questions have answers.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no answers.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What is said to a text, and where that is among all.
    pub fn find(&self, text: &str) -> Option<(usize, &BookEntry)> {
        let index = *self.of_text.get(&plain(text))?;
        Some((index, &self.entries[index]))
    }

    /// What is at a place among all.
    pub fn at(&self, index: usize) -> Option<&BookEntry> {
        self.entries.get(index)
    }
}

/// A text without what clients add and take away around it.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl BookEntry {
    fn of(question: &Question) -> Result<Self> {
        let one = Document { questions: vec![question.clone()], ..Document::default() };
        let target = Target::named("jsonl").ok_or_else(|| Error::system("no format for submissions"))?;
        let (bytes, _) = (target.write)(&one, "")?;
        let text = String::from_utf8_lossy(&bytes);
        let line = text.lines().last().unwrap_or_default();
        let entry: Value = serde_json::from_str(line).map_err(|error| Error::system(error.to_string()))?;
        let sets = &question.answers.sets;
        let cells = sets.iter().flat_map(|set| &set.rows).flat_map(|row| &row.cells);
        let mut values: Vec<Value> = cells.map(|cell| Value::from(cell.value.as_str())).collect();
        if values.is_empty() {
            values.extend(sets.iter().filter_map(|set| set.boolean).map(Value::from));
        }
        let kind = question.asked.as_ref().and_then(LiveAnswer::failure_kind);
        let status = if kind == Some(FailureKind::Timeout) { 504 } else { 500 };
        Ok(Self {
            key: question.key.clone(),
            results: entry.pointer("/answers/0").cloned().unwrap_or(Value::Null),
            entry,
            values,
            query: question.queries.first().map(|query| query.text.clone()),
            error: question.error.clone().map(|message| (status, message)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::format::json::jsonl;

    #[test]
    fn answers_are_found_by_the_text() {
        let document = jsonl::FORMAT.document(
            br#"{"id": "1", "question": "Who  is it?", "answers": ["http://a/b", 2], "sparql": "ASK {}"}
{"id": "2", "question": "Is it?", "answer": true}
{"id": "3", "question": "And?", "error": "too late", "asked": {"failure": "timeout", "tries": 1}}"#,
        );
        let book = AnswerBook::of(&document.unwrap(), None).unwrap();
        let (index, who) = book.find(" Who is it? ").unwrap();
        assert_eq!((index, who.values.len(), who.query.as_deref()), (0, 2, Some("ASK {}")));
        assert_eq!(book.find("Is it?").unwrap().1.values, [Value::from(true)]);
        assert_eq!(book.find("And?").unwrap().1.error, Some((504, "too late".to_owned())));
        assert!(book.find("Who?").is_none());
        let silent = jsonl::FORMAT.document(br#"{"id": "1", "answers": ["a"]}"#).unwrap();
        assert!(AnswerBook::of(&silent, None).is_err());
        let texts = jsonl::FORMAT.document(br#"{"id": "1", "question": "Who?"}"#).unwrap();
        assert!(AnswerBook::of(&silent, Some(&texts)).unwrap().find("Who?").is_some());
    }
}
