//! What is odd about the answers of a question: types that contradict them, rows twice, head variables that do not fit.

use std::collections::BTreeSet;

use crate::base::issue::{Issue, IssueCode, Place};
use crate::base::text::and_more;
use crate::sources::document::{AnswerSet, AnswerState, Cell, Document, Question, Row};
use crate::sources::input::answer::{answer_type, type_of_cell};

/// How many ids a message lists.
const MOST_IDS: usize = 20;

/// The issues about the answers of one question.
pub(crate) fn issues(question: &Question) -> Vec<Issue> {
    let mut found: Vec<Issue> = contradicted_type(question).into_iter().collect();
    found.extend(question.answers.sets.iter().filter_map(|set| repeated_rows(question, set)));
    found.extend(question.answers.sets.iter().filter_map(|set| unused_variables(question, set)));
    found
}

/// Where some questions of a file have answers and others have none: which.
pub(crate) fn without(document: &Document) -> Option<Issue> {
    let is_without = |question: &&Question| {
        matches!(question.answers.state, AnswerState::Absent | AnswerState::Empty) && question.error.is_none()
    };
    let ids: Vec<&str> = document.questions.iter().filter(is_without).map(|q| q.key.as_str()).collect();
    if ids.is_empty() {
        return None;
    }
    let all = if ids.len() == document.questions.len() { "all " } else { "" };
    let more =
        if ids.len() > MOST_IDS { format!(" and {} more", ids.len() - MOST_IDS) } else { String::new() };
    let listed = ids[..ids.len().min(MOST_IDS)].join(", ");
    let message = match ids.len() {
        1 => format!("1 question has no answer: {listed}"),
        number => format!("{all}{number} questions have no answer: {listed}{more}"),
    };
    Some(Issue::new(IssueCode::WithoutAnswers, &Place::default(), message))
}

/// An answer of another type than the file states. Everything can be a string, and a bare year a number.
fn contradicted_type(question: &Question) -> Option<Issue> {
    let stated = answer_type(question)?;
    let rows = question.answers.sets.iter().flat_map(|set| &set.rows);
    let odd: Vec<(&Cell, &str)> = rows.filter_map(|row| contradicts(stated, row)).collect();
    let boolean = question.answers.sets.iter().any(|set| set.boolean.is_some() && set.rows.is_empty());
    let message = match odd.first() {
        Some((cell, found)) => {
            let shown: String = cell.value.chars().take(60).collect();
            format!("the answer type is {stated}, but `{shown}` is a {found}{}", and_more(odd.len()))
        }
        None if boolean && stated != "boolean" => {
            format!("the answer type is {stated}, but the answer is a boolean")
        }
        None => return None,
    };
    Some(Issue::new(IssueCode::AnswerTypeContradicted, &question.place.with_path("answers"), message))
}

/// The first cell of a row of which no cell fits: in QALD-1 and QALD-2 the label of an IRI stands beside it.
fn contradicts<'a>(stated: &str, row: &'a Row) -> Option<(&'a Cell, &'static str)> {
    let fits = |cell: &Cell| fits(stated, type_of_cell(cell), cell.value.trim());
    let first = row.cells.first().filter(|_| !row.cells.iter().any(fits))?;
    Some((first, type_of_cell(first)))
}

fn fits(stated: &str, found: &str, text: &str) -> bool {
    match stated {
        "string" => found != "resource",
        "boolean" => {
            found == "boolean" || ["true", "false"].iter().any(|word| text.eq_ignore_ascii_case(word))
        }
        "number" => found == "number" || found == "date" && text.parse::<i64>().is_ok(),
        "date" => found == "date" || is_partial_date(text),
        _ => found == stated,
    }
}

/// A year, a month or a day of a year: `1990`, `1916-04`, `--10-31`.
fn is_partial_date(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    (3..=6).contains(&digits) && text.chars().all(|c| c.is_ascii_digit() || c == '-')
}

fn repeated_rows(question: &Question, set: &AnswerSet) -> Option<Issue> {
    let mut seen = BTreeSet::new();
    let key = |row: &Row| -> Vec<_> {
        let cell = |cell: &Cell| {
            (cell.variable.clone(), cell.value.clone(), cell.datatype.clone(), cell.language.clone())
        };
        row.cells.iter().map(cell).collect()
    };
    let repeated: Vec<&Row> = set.rows.iter().filter(|row| !seen.insert(key(row))).collect();
    let shown: String = repeated.first()?.cells.first()?.value.chars().take(60).collect();
    let more = and_more(repeated.len());
    let message = format!("the answer `{shown}` occurs again{more}; sets count it once");
    Some(Issue::new(IssueCode::RepeatedAnswer, &question.place.with_path("answers"), message))
}

/// The other way round, a row that binds what the head does not name, is told by the readers.
fn unused_variables(question: &Question, set: &AnswerSet) -> Option<Issue> {
    if set.rows.is_empty() {
        return None;
    }
    let bound: BTreeSet<&str> =
        set.rows.iter().flat_map(|row| &row.cells).map(|cell| cell.variable.as_str()).collect();
    let unused: Vec<String> = set
        .variables
        .iter()
        .filter(|name| !bound.contains(name.as_str()))
        .map(|name| format!("`{name}`"))
        .collect();
    if unused.is_empty() {
        return None;
    }
    let message = format!("the head names {}, which no row binds", unused.join(", "));
    Some(Issue::new(IssueCode::UnusedVariable, &question.place.with_path("answers"), message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::{Answers, CellKind};

    fn question(answer_type: &str, values: &[(&str, CellKind)]) -> Question {
        let row = |(value, kind): &(&str, CellKind)| Row {
            cells: [Cell {
                variable: "x".to_owned(),
                value: (*value).to_owned(),
                kind: *kind,
                ..Cell::default()
            }]
            .into(),
        };
        let set = AnswerSet { rows: values.iter().map(row).collect(), ..AnswerSet::default() };
        Question {
            key: "1".to_owned(),
            answer_type: Some(answer_type.to_owned()),
            answers: Answers { state: AnswerState::Given, sets: vec![set] },
            ..Question::default()
        }
    }

    fn told(question: &Question) -> Vec<String> {
        issues(question).into_iter().map(|i| format!("{}: {}", i.code.name(), i.message)).collect()
    }

    #[test]
    fn types_that_fit_and_types_that_do_not() {
        use CellKind::{Literal, Uri};
        let fitting = [
            ("resource", "http://e/a", Uri),
            ("uri", "http://e/a", Uri),
            ("number", "1.0E7", Literal),
            ("date", "1990-05-01", Literal),
            ("date", "--10-31", Literal),
            ("date", "1990", Literal),
            ("boolean", "True", Literal),
            ("string", "250", Literal),
            ("colour", "http://e/a", Uri),
        ];
        for (stated, value, kind) in fitting {
            assert_eq!(told(&question(stated, &[(value, kind)])), [""; 0], "{stated} {value}");
        }
        let contradicted = [
            ("resource", "true", Literal, "boolean"),
            ("resource", "Berlin", Literal, "string"),
            ("number", "http://e/a", Uri, "resource"),
            ("date", "Del 1 al 3 de julio de 1863", Literal, "string"),
            ("string", "http://e/a", Uri, "resource"),
            ("boolean", "1", Literal, "number"),
        ];
        for (stated, value, kind, found) in contradicted {
            let expected = format!(
                "answer-type-contradicted: the answer type is {stated}, but `{value}` is a {found} (and 1 more)"
            );
            let question = question(stated, &[(value, kind), (&format!("{value} "), kind)]);
            assert_eq!(told(&question), [expected], "{stated} {value}");
        }
    }

    #[test]
    fn one_cell_of_a_row_is_enough() {
        let mut labelled = question("resource", &[("http://e/a", CellKind::Uri)]);
        let label = Cell { value: "A".to_owned(), kind: CellKind::Literal, ..Cell::default() };
        labelled.answers.sets[0].rows[0].cells.change(|cells| cells.push(label));
        assert_eq!(told(&labelled), [""; 0]);
        labelled.answers.sets[0].rows[0].cells.change(|cells| drop(cells.remove(0)));
        assert_eq!(told(&labelled).len(), 1);
    }

    #[test]
    fn a_boolean_contradicts_too() {
        let mut asked = question("resource", &[]);
        asked.answers.sets[0].boolean = Some(false);
        assert_eq!(
            told(&asked),
            ["answer-type-contradicted: the answer type is resource, but the answer is a boolean"]
        );
        asked.answer_type = Some("boolean".to_owned());
        assert_eq!(told(&asked), [""; 0]);
    }

    #[test]
    fn rows_twice_and_heads_that_do_not_fit() {
        let mut odd = question("resource", &[("http://e/a", CellKind::Uri), ("http://e/a", CellKind::Uri)]);
        odd.answers.sets[0].variables = vec!["x".to_owned(), "label".to_owned()];
        assert_eq!(
            told(&odd),
            [
                "repeated-answer: the answer `http://e/a` occurs again; sets count it once",
                "unused-variable: the head names `label`, which no row binds",
            ]
        );
    }

    #[test]
    fn questions_without_answers_are_listed() {
        let empty = |key: usize| Question { key: key.to_string(), ..Question::default() };
        let mut document = Document { questions: (1..=30).map(empty).collect(), ..Document::default() };
        let message = |document: &Document| without(document).map(|issue| issue.message);
        assert_eq!(
            message(&document).as_deref(),
            Some(
                "all 30 questions have no answer: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 and 10 more"
            )
        );
        document.questions.truncate(1);
        document.questions.push(question("resource", &[("http://e/a", CellKind::Uri)]));
        assert_eq!(message(&document).as_deref(), Some("1 question has no answer: 1"));
        document.questions.remove(0);
        assert_eq!(message(&document), None);
    }
}
