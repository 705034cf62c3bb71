//! Mintaka: questions in nine languages, answers as ids of Wikidata, numbers, dates, booleans and texts.
//!
//! A list of `{id, question, translations, questionEntity, answer: {answerType, answer, mention}, category,
//! complexityType}`. An answer that crowd workers could only write down (`mention`) and nobody linked is null in the
//! file: there is one, and it cannot be read. Source: `amazon-science/mintaka`, README.

use crate::base::error::Result;
use crate::sources::document::{Cell, CellKind, Document};
use crate::sources::format::context::Context;
use crate::sources::format::graph_ids::WIKIDATA;
use crate::sources::format::json::fields;
use crate::sources::format::json::items::{cannot_use, cell, plain, row};
use crate::sources::format::json::list::{read_damaged_list, salvaging};
use crate::sources::format::json::names;
use crate::sources::format::json::value::{Entries, Json, plain_key};
use crate::sources::format::{Format, sniff};

/// The keys that only this format has.
const OWN_KEYS: [&[u8]; 2] = [b"questionEntity", b"complexityType"];

/// An answer that cannot be parsed takes no other with it: they are in a list in an object.
const ABOVE_ITEMS: usize = 2;

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
    let read = salvaging(&["answer"], ABOVE_ITEMS, |entries, here| {
        read_fields(entries, here);
        here.check_text();
    });
    read_damaged_list(content, here, &["id"], read)
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
    if !matches!(value, Json::Object(_)) {
        return cannot_use(&value, here);
    }
    let entries = value.into_entries(here);
    if !entries.iter().any(|(key, _)| plain_key(key) == "answer") {
        here.cannot_read("the answer has no key `answer`");
    }
    let mut rows = Vec::new();
    for (key, value) in entries {
        let inner = &mut here.key(&key);
        match plain_key(&key).as_ref() {
            "answertype" => inner.draft.question.answer_type = value.into_text(inner),
            "answer" if matches!(value, Json::Null) => {
                inner.cannot_read("the answer is linked to nothing: the file has only its text");
            }
            "answer" => {
                for (index, item) in value.into_list(inner).into_iter().enumerate() {
                    rows.extend(read_item(item, &mut inner.index(index)).map(row));
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
    match item {
        Json::Object(_) => read_entity(item.into_entries(here), here),
        other => plain(other, here),
    }
}

/// An item, with its labels in several languages.
fn read_entity(entries: Entries, here: &mut Context) -> Option<Cell> {
    let (mut name, mut beside) = (None, Entries::new());
    for (key, value) in entries {
        let inner = &mut here.key(&key);
        match plain_key(&key).as_ref() {
            "name" => {
                if matches!(value, Json::List(_) | Json::Object(_)) {
                    inner.keep(&value);
                }
                name = value.into_text(inner);
            }
            "label" => beside.push((key, value)),
            _ => inner.keep_unknown("key", &key, &value),
        }
    }
    if name.is_none() {
        here.cannot_read("an answer has no name");
    }
    let item = name.map(|name| cell(CellKind::Uri, WIKIDATA.of_entity(name, here)));
    names::named(item, beside, here)
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
        let told = document.issues.iter();
        let told =
            told.map(|issue| format!("{} {}: {}", issue.code.name(), issue.place, issue.message)).collect();
        (document.questions.remove(0), told)
    }

    #[test]
    fn items_are_iris_with_their_labels() {
        let (question, told) = one(
            r#"{"answerType": "entity", "answer": [{"name": "Q53945", "label": {"en": "Breaking Dawn", "de": null}}, {"name": "Q7", "label": "Seven"}],
                "mention": "Breaking Dawn, Seven", "answerNum": 2}"#,
        );
        assert_eq!(told, [""; 0]);
        assert_eq!(
            question.answers.values(),
            ["Q53945", "Q7"].map(|id| format!("http://www.wikidata.org/entity/{id}"))
        );
        assert_eq!(question.answers.sets[0].rows[0].cells[0].kind, CellKind::Uri);
        let languages: Vec<Option<&str>> =
            question.texts.iter().map(|text| text.language.as_deref()).collect();
        assert_eq!(languages, [Some("en"), Some("de"), Some("fr")]);
        let kept: Vec<&str> = question.extras.iter().map(|extra| extra.name.as_str()).collect();
        assert_eq!(
            kept,
            [
                "questionEntity",
                "answer.answer[0].label.de",
                "answer.mention",
                "answer.answerNum",
                "category",
                "complexityType"
            ]
        );
        assert_eq!(question.question_type().as_deref(), Some("books"));
        let names = question.answers.sets[0].rows.iter().flat_map(|row| &row.cells[0].names);
        let names: Vec<_> = names.map(|name| (name.language.as_deref(), name.text.as_str())).collect();
        assert_eq!(names, [(Some("en"), "Breaking Dawn"), (None, "Seven")]);
    }

    #[test]
    fn values_and_booleans() {
        let of = |answer: &str| {
            one(&format!(r#"{{"answerType": "numerical", "answer": {answer}, "mention": "m"}}"#))
        };
        let (question, told) = of(r#"[2, "6'2\"", "1956-10-20"]"#);
        assert_eq!((question.answers.values(), told), (vec!["2", "6'2\"", "1956-10-20"], vec![]));
        assert_eq!(question.answers.sets[0].rows[0].cells[0].kind, CellKind::Literal);
        assert_eq!(of("[true]").0.answers.sets[0].boolean, Some(true));
        assert_eq!(of("[]").0.answers.state, AnswerState::Empty);
    }

    #[test]
    fn what_cannot_be_used_is_told_and_kept() {
        let (question, told) = one(r#"{"answerType": "entity", "answer": null, "mention": "Decrease"}"#);
        assert_eq!(question.answers.state, AnswerState::Unreadable);
        assert_eq!(question.extras[1].value, "\"Decrease\"");
        insta::assert_snapshot!(told.join("\n"), @"unreadable-answer line 1, question 9ace9041, $[0].answer.answer: the answer is linked to nothing: the file has only its text");
        let (question, told) = one(r#"{"answer": [null, {"label": "x"}, {"name": "X31"}, [1]], "foo": 1}"#);
        assert_eq!(question.answers.values(), ["X31"]);
        insta::assert_snapshot!(told.join("\n"), @r"
        unreadable-answer line 1, question 9ace9041, $[0].answer.answer[0]: null stands for an answer
        unreadable-answer line 1, question 9ace9041, $[0].answer.answer[1]: an answer has no name
        invalid-iri line 1, question 9ace9041, $[0].answer.answer[2]: `X31` is no id of Wikidata; it is used as written
        unreadable-answer line 1, question 9ace9041, $[0].answer.answer[3]: a list stands for an answer
        unknown-field line 1, question 9ace9041, $[0].answer.foo: the key `foo` is not known; it is kept, but no rule reads it
        ");
        let expected = ["answer.answer[1].label=\"x\"", "answer.answer[3]=[1]", "answer.foo=1"];
        assert_eq!(kept(&question)[1..4], expected);
    }

    fn kept(question: &Question) -> Vec<String> {
        question.extras.iter().map(|extra| format!("{}={}", extra.name, extra.value)).collect()
    }

    #[test]
    fn repeated_keys_of_an_answer_are_told() {
        let (question, told) = one(r#"{"answer": [{"name": "Q5", "name": "Q6"}]}"#);
        assert_eq!(question.answers.values(), ["http://www.wikidata.org/entity/Q6"]);
        insta::assert_snapshot!(told.join("\n"), @"duplicate-key line 1, question 9ace9041, $[0].answer.answer[0]: the key `name` occurs again in the same object; only the last one counts");
    }

    #[test]
    fn an_answer_that_cannot_be_parsed_takes_no_other_with_it() {
        let (question, told) = one(r#"{"answerType": "numerical", "answer": [1e999999, 3], "mention": "m"}"#);
        assert_eq!((question.answers.state, question.answers.values()), (AnswerState::Given, vec!["3"]));
        assert_eq!(kept(&question)[1..3], ["answer.answer[0]=1e999999", "answer.mention=\"m\""]);
        insta::assert_snapshot!(told.join("\n"), @"unreadable-answer line 1, question 9ace9041, $[0].answer.answer[0]: the answer cannot be read: number out of range");
        let (question, told) = one(r#"{"answer": [1e999999]}, "answer": {"answer": [3]}"#);
        assert_eq!((question.answers.values(), kept(&question).len()), (vec!["3"], 3));
        insta::assert_snapshot!(told.join("\n"), @"duplicate-key line 1, question 9ace9041, $[0]: the key `answer` occurs again in the same object; only the last one counts");
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        for unparsed in ["1e999999", "{\"answer\": 1e999999}", &deep, &format!("{{\"answer\": {deep}}}")] {
            assert_eq!(one(unparsed).0.answers.state, AnswerState::Unreadable);
        }
    }

    #[test]
    fn what_is_no_answer_object_is_no_empty_answer() {
        let mut all = Vec::new();
        for answer in ["\"Berlin\"", "[{\"name\": \"Q64\"}]", "null", "{\"mention\": \"Berlin\"}", "{}"] {
            let (question, told) = one(answer);
            assert_eq!(question.answers.state, AnswerState::Unreadable, "{answer}");
            all.extend(told);
            all.extend(kept(&question).into_iter().filter(|extra| extra.starts_with("answer")));
        }
        insta::assert_snapshot!(all.join("\n"), @r#"
        unreadable-answer line 1, question 9ace9041, $[0].answer: a text stands for an answer
        answer="Berlin"
        unreadable-answer line 1, question 9ace9041, $[0].answer: a list stands for an answer
        answer=[{"name":"Q64"}]
        unreadable-answer line 1, question 9ace9041, $[0].answer: null stands for an answer
        unreadable-answer line 1, question 9ace9041, $[0].answer: the answer has no key `answer`
        answer.mention="Berlin"
        unreadable-answer line 1, question 9ace9041, $[0].answer: the answer has no key `answer`
        "#);
    }

    #[test]
    fn an_id_has_a_digit() {
        let (question, told) = one(r#"{"answer": [{"name": "Q"}]}"#);
        assert_eq!(question.answers.values(), ["Q"]);
        insta::assert_snapshot!(told.join("\n"), @"invalid-iri line 1, question 9ace9041, $[0].answer.answer[0]: `Q` is no id of Wikidata; it is used as written");
    }
}
