//! Unique keys for questions: real files repeat ids and leave them out.

use std::collections::{HashMap, HashSet};

use crate::base::issue::{Issue, IssueCode};
use crate::sources::document::Question;

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
