//! Answers of a submission that are not those of its query.

use std::collections::BTreeSet;

use crate::read::{AnswerSet, Answers, Issue, IssueCode, Question};

/// Answers as people compare them: a set of rows, each the texts of its values in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shown(BTreeSet<Vec<String>>);

impl Shown {
    pub(super) fn of(answers: &Answers) -> Self {
        Self(answers.sets.iter().flat_map(rows).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn rows(set: &AnswerSet) -> impl Iterator<Item = Vec<String>> {
    let boolean = set.boolean.map(|boolean| vec![boolean.to_string()]);
    let row = |row: &crate::read::Row| {
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
pub(super) fn issue(question: &Question, given: &Shown) -> Option<Issue> {
    let found = Shown::of(&question.answers);
    if given.is_empty() || *given == found {
        return None;
    }
    let (given, found) = (given.0.len(), found.0.len());
    let answers = if given == 1 { "1 answer".to_owned() } else { format!("{given} answers") };
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
