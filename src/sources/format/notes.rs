//! Collects what a reader notices, so that a mistake made a thousand times is told once with its count.

use std::collections::HashMap;
use std::fmt::Display;

use crate::base::issue::{Issue, IssueCode, Place};
use crate::sources::format::question_type;

/// The issues of a file while it is read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Notes {
    issues: Vec<Issue>,
    counts: Vec<usize>,
    in_file: HashMap<(IssueCode, String), usize>,
    in_question: HashMap<(IssueCode, String), usize>,
    place: Place,
}

impl Notes {
    /// Issues from now on belong to this question.
    pub(crate) fn enter(&mut self, place: Place) {
        self.in_question.clear();
        self.place = place;
    }

    /// The same of a line of the question with this id.
    pub(crate) fn enter_line(&mut self, id: &str, line: u64) {
        self.in_question.clear();
        let question = self.place.question.take().filter(|question| question.as_str() == id);
        let question = question.or_else(|| (!id.is_empty()).then(|| id.to_owned()));
        self.place = Place { question, ..Place::line(line) };
    }

    /// The place of the question that is being read.
    pub(crate) fn place(&self) -> &Place {
        &self.place
    }

    /// An issue of the current question. The same words about the same question are counted, not repeated.
    pub(crate) fn add(&mut self, code: IssueCode, path: &dyn Display, message: impl Into<String>) {
        let key = (code, message.into());
        if let Some(&index) = self.in_question.get(&key) {
            self.counts[index] += 1;
            return;
        }
        let index = self.push(code, path, key.1.clone());
        self.in_question.insert(key, index);
    }

    /// An issue that is told once per file: the first place and a count.
    pub(crate) fn add_once(&mut self, code: IssueCode, path: &dyn Display, message: impl Into<String>) {
        let key = (code, message.into());
        if let Some(&index) = self.in_file.get(&key) {
            self.counts[index] += 1;
            return;
        }
        let index = self.push(code, path, key.1.clone());
        self.in_file.insert(key, index);
    }

    /// A key, an attribute or an element (`what`) that the format does not have.
    pub(crate) fn unknown(&mut self, what: &str, name: &str, path: &dyn Display) {
        let message = format!("the {what} `{name}` is not known; its content is not used");
        self.add_once(IssueCode::UnknownField, path, message);
    }

    /// A key, an attribute or an element (`what`) of a question that the format does not have; one that says the type
    /// of the question is read.
    pub(crate) fn kept(&mut self, what: &str, name: &str, path: &dyn Display) {
        if question_type::is_field(name) {
            return;
        }
        let message = format!("the {what} `{name}` is not known; it is kept, but no rule reads it");
        self.add_once(IssueCode::UnknownField, path, message);
    }

    fn push(&mut self, code: IssueCode, path: &dyn Display, message: String) -> usize {
        self.issues.push(Issue::new(code, &self.place.with_path(path.to_string()), message));
        self.counts.push(1);
        self.issues.len() - 1
    }

    /// All issues in file order, with their counts in the messages.
    pub(crate) fn into_issues(self) -> Vec<Issue> {
        let mut issues = self.issues;
        for (issue, count) in issues.iter_mut().zip(self.counts) {
            if count > 1 {
                issue.message = format!("{} ({count} times, here first)", issue.message);
            }
        }
        issues
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_issues_are_counted() {
        let mut notes = Notes::default();
        for id in ["a", "b"] {
            notes.enter(Place { question: Some(id.to_owned()), ..Place::default() });
            for path in ["$.x", "$.y"] {
                notes.add(IssueCode::WrongType, &path, "odd");
                notes.unknown("key", "foo", &path);
            }
        }
        let told: Vec<String> =
            notes.into_issues().iter().map(|i| format!("{}: {}", i.place, i.message)).collect();
        assert_eq!(
            told,
            [
                "question a, $.x: odd (2 times, here first)",
                "question a, $.x: the key `foo` is not known; its content is not used (4 times, here first)",
                "question b, $.x: odd (2 times, here first)",
            ]
        );
    }
}
