//! Mintaka: questions in nine languages, answers as ids of Wikidata, numbers, dates, booleans and texts.
//!
//! A list of `{id, question, translations, questionEntity, answer: {answerType, answer, mention}, category,
//! complexityType}`. An answer that crowd workers could only write down (`mention`) and nobody linked is null in the
//! file: there is one, and it cannot be read. Source: `amazon-science/mintaka`, README.

use crate::base::error::Result;
use crate::base::issue::IssueCode;
use crate::sources::document::{Cell, CellKind, Document, Row};
use crate::sources::format::context::Context;
use crate::sources::format::json::fields;
use crate::sources::format::json::list::read_list;
use crate::sources::format::json::value::{Entries, Json, plain_key};
use crate::sources::format::{Format, sniff};

/// The keys that only this format has.
const OWN_KEYS: [&[u8]; 2] = [b"questionEntity", b"complexityType"];

/// The ids of items in Wikidata stand behind it.
const WIKIDATA: &str = "http://www.wikidata.org/entity/";

/// Mintaka.
pub(crate) static FORMAT: Format = Format {
    name: "mintaka",
    description: "Mintaka (JSON): a list of questions with translations, answers as ids of Wikidata and values.",
    media_type: "application/json",
    recognise: |content| sniff::item_keys(content).any(|key| OWN_KEYS.contains(&key)),
    read,
    targets: &[],
};

fn read(content: &[u8], here: &mut Context<Document>) -> Result<()> {
    read_list(content, here, &["id"], |entries, here| {
        read_fields(entries, here);
        here.check_text();
    })
}

fn read_fields(entries: Entries, here: &mut Context) {
    for (key, value) in entries {
        let inner = &mut here.key(&key);
        match plain_key(&key).as_ref() {
            "id" => fields::check_id(value, inner),
            "question" => fields::add_text(value, Some("en"), inner),
            "translations" => {
                for (language, text) in value.into_entries(inner) {
                    fields::add_text(text, Some(&language), &mut inner.key(&language));
                }
            }
            "answer" => read_answer(value, inner),
            // what the question is about, and two kinds of questions
            "questionentity" | "category" | "complexitytype" => inner.keep(&value),
            _ => inner.keep_unknown("key", &key, &value),
        }
    }
}

fn read_answer(value: Json, here: &mut Context) {
    here.draft.has_answers = true;
    let mut rows = Vec::new();
    for (key, value) in value.into_entries(here) {
        let inner = &mut here.key(&key);
        match plain_key(&key).as_ref() {
            "answertype" => inner.draft.question.answer_type = value.into_text(inner),
            "answer" if matches!(value, Json::Null) => {
                inner.cannot_read("the answer is linked to nothing: the file has only its text");
            }
            "answer" => {
                for (index, item) in value.into_list(inner).into_iter().enumerate() {
                    rows.extend(
                        read_item(item, &mut inner.index(index)).map(|cell| Row { cells: vec![cell] }),
                    );
                }
            }
            // the answer as it was written down, how many there are, what was counted
            "mention" | "answernum" | "supportingnum" | "supportingent" => inner.keep(&value),
            _ => inner.keep_unknown("key", &key, &value),
        }
    }
    here.draft.add_rows(rows);
}

/// An answer: an item of Wikidata, a boolean, or a number, date or text.
fn read_item(item: Json, here: &mut Context) -> Option<Cell> {
    let (kind, value) = match item {
        Json::Object(entries) => (CellKind::Uri, read_entity(entries, here)?),
        Json::Bool(value) => {
            here.draft.add_boolean(value);
            return None;
        }
        Json::Null | Json::List(_) => {
            here.cannot_read(format!("{} stands for an answer", item.kind()));
            return None;
        }
        scalar => (CellKind::Literal, scalar.into_scalar()?),
    };
    Some(Cell { variable: "answer".to_owned(), kind, value, ..Cell::default() })
}

/// The IRI of an item; its label is kept.
fn read_entity(entries: Entries, here: &mut Context) -> Option<String> {
    let mut name = None;
    for (key, value) in entries {
        let inner = &mut here.key(&key);
        match plain_key(&key).as_ref() {
            "name" => name = value.into_text(inner),
            "label" => inner.keep(&value),
            _ => inner.keep_unknown("key", &key, &value),
        }
    }
    let Some(name) = name else {
        here.cannot_read("an answer has no name");
        return None;
    };
    let is_id = name.strip_prefix('Q').is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()));
    if !is_id {
        here.note(
            IssueCode::InvalidIri,
            format!("`{name}` is no id of an item of Wikidata; it is used as written"),
        );
        return Some(name);
    }
    Some([WIKIDATA, &name].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::{AnswerState, Question};

    fn one(answer: &str) -> (Question, Vec<String>) {
        let text = format!(
            r#"[{{"id": "9ace9041", "question": "Which book?", "translations": {{"de": "Welches Buch?", "fr": "Quel livre ?"}},
                "questionEntity": [{{"name": "Q44523", "span": [31, 39]}}], "answer": {answer}, "category": "books",
                "complexityType": "ordinal"}}]"#
        );
        let mut document = FORMAT.recognised(&text);
        let told =
            document.issues.iter().map(|issue| format!("{}: {}", issue.place, issue.message)).collect();
        (document.questions.remove(0), told)
    }

    fn values(question: &Question) -> Vec<&str> {
        let cells = question.answers.sets.iter().flat_map(|set| &set.rows).flat_map(|row| &row.cells);
        cells.map(|cell| cell.value.as_str()).collect()
    }

    #[test]
    fn items_are_iris_and_their_labels_are_kept() {
        let (question, told) = one(
            r#"{"answerType": "entity", "answer": [{"name": "Q53945", "label": "Breaking Dawn"}, {"name": "Q7", "label": null}],
                "mention": "Breaking Dawn, Seven", "answerNum": 2}"#,
        );
        assert_eq!(told, [""; 0]);
        assert_eq!(values(&question), ["Q53945", "Q7"].map(|id| format!("{WIKIDATA}{id}")));
        assert_eq!(question.answers.sets[0].rows[0].cells[0].kind, CellKind::Uri);
        let languages: Vec<Option<&str>> =
            question.texts.iter().map(|text| text.language.as_deref()).collect();
        assert_eq!(languages, [Some("en"), Some("de"), Some("fr")]);
        let kept: Vec<&str> = question.extras.iter().map(|extra| extra.name.as_str()).collect();
        assert_eq!(
            kept,
            [
                "questionEntity",
                "answer.answer[0].label",
                "answer.answer[1].label",
                "answer.mention",
                "answer.answerNum",
                "category",
                "complexityType"
            ]
        );
        assert_eq!(question.question_type().as_deref(), Some("books"));
    }

    #[test]
    fn values_and_booleans() {
        let of = |answer: &str| {
            one(&format!(r#"{{"answerType": "numerical", "answer": {answer}, "mention": "m"}}"#))
        };
        let (question, told) = of(r#"[2, "6'2\"", "1956-10-20"]"#);
        assert_eq!((values(&question), told), (vec!["2", "6'2\"", "1956-10-20"], vec![]));
        assert_eq!(question.answers.sets[0].rows[0].cells[0].kind, CellKind::Literal);
        assert_eq!(of("[true]").0.answers.sets[0].boolean, Some(true));
        assert_eq!(of("[]").0.answers.state, AnswerState::Empty);
    }

    #[test]
    fn what_cannot_be_used_is_told_and_kept() {
        let (question, told) = one(r#"{"answerType": "entity", "answer": null, "mention": "Decrease"}"#);
        assert_eq!(question.answers.state, AnswerState::Unreadable);
        assert_eq!(question.extras[1].value, "\"Decrease\"");
        insta::assert_snapshot!(told.join("\n"), @"line 1, question 9ace9041, $[0].answer.answer: the answer is linked to nothing: the file has only its text");
        let (question, told) = one(r#"{"answer": [null, {"label": "x"}, {"name": "P31"}, [1]], "foo": 1}"#);
        assert_eq!(values(&question), ["P31"]);
        insta::assert_snapshot!(told.join("\n"), @r"
        line 1, question 9ace9041, $[0].answer.answer[0]: null stands for an answer
        line 1, question 9ace9041, $[0].answer.answer[1]: an answer has no name
        line 1, question 9ace9041, $[0].answer.answer[2]: `P31` is no id of an item of Wikidata; it is used as written
        line 1, question 9ace9041, $[0].answer.answer[3]: a list stands for an answer
        line 1, question 9ace9041, $[0].answer.foo: the key `foo` is not known; it is kept, but no rule reads it
        ");
    }
}
