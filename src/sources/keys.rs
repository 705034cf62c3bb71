//! Unique keys for questions: real files repeat ids and leave them out.

use std::collections::{HashMap, HashSet};

use crate::base::error::Result;
use crate::base::issue::{Issue, IssueCode};
use crate::base::limits;
use crate::base::limits::{LONGEST_ID, exceeded};
use crate::sources::document::{Document, Question};

/// Sets the key of every question and reports what is odd about the ids.
pub(crate) fn assign(questions: &mut [Question], issues: &mut Vec<Issue>) {
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
            let message = format!("the id `{}` occurs again; this question is called `{key}`", question.id);
            issues.push(Issue::new(IssueCode::DuplicateId, &question.place, message));
            keys.push(key);
        }
    }
    for (question, key) in questions.iter_mut().zip(keys) {
        question.key = key;
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

/// Names every question by its position, where the format has no ids. One issue says so.
pub(crate) fn by_position(questions: &mut [Question], issues: &mut Vec<Issue>) {
    for (question, position) in questions.iter_mut().zip(1..) {
        question.key = format!("~{position}");
    }
    if let Some(first) = questions.first() {
        let message = "the format has no ids; questions are called `~1`, `~2`, … after their position";
        issues.push(Issue::new(IssueCode::MissingId, &first.place, message));
    }
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
        let mut questions: Vec<Question> =
            ids.iter().map(|id| Question { id: (*id).to_owned(), ..Question::default() }).collect();
        let mut issues = Vec::new();
        assign(&mut questions, &mut issues);
        let keys: Vec<&str> = questions.iter().map(|q| q.key.as_str()).collect();
        assert_eq!(keys, ["1", "~2", "1~3", "1~2", "1~4"]);
        let codes: Vec<&str> = issues.iter().map(|i| i.code.name()).collect();
        assert_eq!(codes, ["missing-id", "duplicate-id", "duplicate-id"]);
    }
}
