//! Answers of a submission that are not those of its query.

use std::collections::BTreeSet;

use crate::base::issue::{Issue, IssueCode};
use crate::sources::document::{AnswerSet, Answers, Question};

/// Answers as people compare them: a set of rows, each the texts of its values in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shown(BTreeSet<Vec<String>>);

impl Shown {
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
pub(crate) fn issue(question: &Question, given: &Shown) -> Option<Issue> {
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
        issue(&question, &Shown::of(&answers(given))).map(|issue| issue.message)
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
