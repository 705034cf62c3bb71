//! NLQ of OKBQA: a flat list with one row a question and language, `{id, lang, question, answer, type, sparql}`.
//!
//! Rows of one id are one question. Each language has its own query (for its own DBpedia) and its own label as the
//! answer: they stay apart as queries in a language and as one answer set a language, its value tagged.

use crate::base::error::Result;
use crate::sources::document::{AnswerState, Cell, CellKind, Document, QueryKind, Question, Row};
use crate::sources::format::context::Context;
use crate::sources::format::json::fields;
use crate::sources::format::json::list::read_list;
use crate::sources::format::json::value::{Entries, Json, plain_key};
use crate::sources::format::{Format, sniff};

/// NLQ.
pub(crate) static FORMAT: Format = Format {
    name: "nlq",
    description: "NLQ of OKBQA (JSON): a list with a row for each question and language, answers as labels.",
    media_type: "application/json",
    recognise: |content| {
        let keys: Vec<&[u8]> = sniff::item_keys(content).collect();
        [&b"id"[..], b"lang", b"question", b"answer", b"type", b"sparql"].iter().all(|key| keys.contains(key))
    },
    read,
    targets: &[],
};

fn read(content: &[u8], here: &mut Context<Document>) -> Result<()> {
    read_list(content, here, &["id"], |entries, here| {
        read_fields(entries, here);
        here.check_text();
    })?;
    here.draft.questions = merge(std::mem::take(&mut here.draft.questions));
    Ok(())
}

fn read_fields(entries: Entries, here: &mut Context) {
    let language = entries.iter().find(|(key, _)| plain_key(key) == "lang");
    let language = language.and_then(|(key, value)| value.clone().into_text(&mut here.key(key)));
    let language = language.as_deref();
    for (key, value) in entries {
        let inner = &mut here.key(&key);
        match plain_key(&key).as_ref() {
            "id" => fields::check_id(value, inner),
            "lang" => {}
            "question" => fields::add_text(value, language, inner),
            "answer" => read_answer(value, language, inner),
            "sparql" => fields::add_query_in(QueryKind::Sparql, language, value, inner),
            // the shape of the query: number of triples and of variables
            "type" => here.draft.keep(key.to_string(), value.to_string()),
            _ => inner.keep_unknown("key", &key, &value),
        }
    }
}

/// The answer is a label: a literal in the language of the row.
fn read_answer(value: Json, language: Option<&str>, here: &mut Context) {
    here.draft.has_answers = true;
    let is_other = match &value {
        Json::List(items) => !items.is_empty(),
        value => matches!(value, Json::Object(_)),
    };
    if is_other {
        here.keep(&value);
        return here.cannot_read(format!("{} stands for an answer", value.kind()));
    }
    if let Some(value) = value.into_text(here).filter(|text| !text.trim().is_empty()) {
        let (kind, language) = (CellKind::Literal, language.map(str::to_owned));
        let cell = Cell { variable: "answer".to_owned(), kind, value, language, ..Cell::default() };
        here.draft.add_rows(vec![Row { cells: [cell].into() }]);
    }
}

/// Puts the rows of a question together.
fn merge(rows: Vec<Question>) -> Vec<Question> {
    let mut questions: Vec<Question> = Vec::with_capacity(rows.len() / 2 + 1);
    let mut known = std::collections::HashMap::new();
    for row in rows {
        // the row just before may belong to a row without id, no other
        let last = questions.len().checked_sub(1);
        let at = if row.id.is_empty() { last } else { known.get(&row.id).copied() };
        match at.and_then(|at| questions.get_mut(at)) {
            Some(question) if belongs(&row, question) => add(question, row),
            _ => {
                known.insert(row.id.clone(), questions.len());
                questions.push(row);
            }
        }
    }
    questions
}

/// Rows of one id are one question as long as their languages differ. Rows without id must follow each other and be of
/// the same type too: the one such pair of the real file is the same question in English and Korean.
fn belongs(row: &Question, question: &Question) -> bool {
    let is_new = |language: &Option<String>| question.texts.iter().all(|text| text.language != *language);
    let is_row = !row.texts.is_empty() && row.texts.iter().all(|text| is_new(&text.language));
    row.id == question.id && is_row && (!row.id.is_empty() || row.extras == question.extras)
}

fn add(question: &mut Question, row: Question) {
    const ORDER: [AnswerState; 4] =
        [AnswerState::Given, AnswerState::OutOfScope, AnswerState::Unreadable, AnswerState::Empty];
    question.texts.extend(row.texts);
    question.queries.extend(row.queries);
    question.answers.sets.extend(row.answers.sets);
    for extra in row.extras {
        if !question.extras.contains(&extra) {
            question.extras.push(extra);
        }
    }
    let states = [question.answers.state, row.answers.state];
    let state = ORDER.into_iter().find(|state| states.contains(state));
    question.answers.state = state.unwrap_or(AnswerState::Absent);
}

#[cfg(test)]
mod tests {
    use AnswerState::{Empty, Given, Unreadable};

    use super::*;
    use crate::sources::document::Extra;

    fn row(id: &str, language: &str, answer: &str, kind: &str) -> String {
        format!(
            r#"{{"id": {id}, "lang": "{language}", "question": "{language}?", "answer": {answer}, "type": "{kind}", "sparql": "SELECT ?{language} {{}}"}}"#
        )
    }

    fn document(rows: &[String]) -> Document {
        let text = format!("[{}]", rows.join(",\n"));
        assert!((FORMAT.recognise)(text.as_bytes()));
        FORMAT.document(text.as_bytes()).expect("a document")
    }

    #[test]
    fn two_rows_are_one_question_in_two_languages() {
        let found = document(&[
            row("\"2\"", "en", "\"Battle\"", "1-1"),
            row("\"3\"", "en", "\"2009\"", "1-2"),
            row("\"2\"", "ko", "\"명량\"", "1-1"),
        ]);
        assert_eq!((found.issues.len(), found.questions.len()), (0, 2));
        let question = &found.questions[0];
        let languages: Vec<Option<&str>> =
            question.texts.iter().map(|text| text.language.as_deref()).collect();
        assert_eq!(languages, [Some("en"), Some("ko")]);
        let queries: Vec<(&str, Option<&str>)> =
            question.queries.iter().map(|query| (query.text.as_str(), query.language.as_deref())).collect();
        assert_eq!(queries, [("SELECT ?en {}", Some("en")), ("SELECT ?ko {}", Some("ko"))]);
        let answers: Vec<(&str, Option<&str>)> = question
            .answers
            .sets
            .iter()
            .map(|set| &set.rows[0].cells[0])
            .map(|cell| (cell.value.as_str(), cell.language.as_deref()))
            .collect();
        assert_eq!(answers, [("Battle", Some("en")), ("명량", Some("ko"))]);
        assert_eq!(question.extras, [Extra { name: "type".to_owned(), value: "\"1-1\"".to_owned() }]);
        assert_eq!(found.questions[1].queries[0].language.as_deref(), Some("en"));
    }

    #[test]
    fn rows_without_id_are_one_question_only_where_they_follow_each_other() {
        let [en, ko] = ["en", "ko"].map(|language| row("\"\"", language, "\"x\"", "1-2"));
        let other = row("\"9\"", "en", "\"x\"", "1-2");
        let count = |rows: &[&String]| {
            let found = document(&rows.iter().map(|row| (*row).clone()).collect::<Vec<_>>());
            let missing = found.issues.iter().filter(|issue| issue.code.name() == "missing-id").count();
            (found.questions.len(), missing)
        };
        assert_eq!(count(&[&other, &en, &ko]), (2, 1));
        assert_eq!(count(&[&en, &other, &ko]), (3, 2));
        assert_eq!(count(&[&en, &en]), (2, 2));
        assert_eq!(count(&[&en, &row("\"\"", "ko", "\"x\"", "2")]), (2, 2));
    }

    #[test]
    fn the_same_language_twice_is_a_duplicate_and_odd_values_are_told() {
        let found = document(&[
            row("\"1\"", "en", "\"x\"", "1"),
            row("\"1\"", "en", "null", "1"),
            row("7", "ko", "[]", "1"),
            "3".to_owned(),
        ]);
        let states: Vec<AnswerState> = found.questions.iter().map(|q| q.answers.state).collect();
        assert_eq!(states, [Given, Empty, Empty, Unreadable]);
        let codes: Vec<&str> = found.issues.iter().map(|issue| issue.code.name()).collect();
        assert_eq!(codes, ["null-value", "wrong-type", "not-a-question", "duplicate-id", "missing-id"]);
        assert!(found.questions[2].id_is_number);
    }

    #[test]
    fn answers_that_cannot_be_read_are_kept() {
        let found = document(&[row("1", "en", r#""x\ud800""#, "1"), row("2", "en", r#"["y"]"#, "1")]);
        for (question, value) in found.questions.iter().zip([r#""x\ud800""#, r#"["y"]"#]) {
            assert_eq!(question.answers.state, Unreadable);
            assert!(
                question
                    .extras
                    .iter()
                    .any(|extra| (extra.name.as_str(), extra.value.as_str()) == ("answer", value))
            );
        }
    }

    #[test]
    fn other_lists_are_not_recognised() {
        for text in ["[]", r#"[{"id": "1", "question": "x", "sparql": "y"}]"#] {
            assert!(!(FORMAT.recognise)(text.as_bytes()), "{text}");
        }
    }
}
