//! `ComplexWebQuestions`: questions made from those of `WebQSP`, over Freebase.
//!
//! An answer with an id is that item of Freebase, which its text and its aliases name; one without is its text. The questions of the test file have no
//! answers. Source: `alontalmor/WebAsKB`, README of the dataset.

use crate::sources::document::{Cell, CellKind};
use crate::sources::format::context::Context;
use crate::sources::format::graph_ids::FREEBASE;
use crate::sources::format::json::items::{self, cannot_use, cell};
use crate::sources::format::json::meanings::Meanings;
use crate::sources::format::json::names;
use crate::sources::format::json::value::{Entries, Json, plain_key};
use crate::sources::format::{Format, sniff};

/// The keys that only this format has.
const OWN_KEYS: [&[u8]; 4] =
    [b"composition_answer", b"compositionality_type", b"webqsp_ID", b"webqsp_question"];

/// `ComplexWebQuestions`.
pub(crate) static FORMAT: Format = Format {
    name: "complexwebquestions",
    description: "ComplexWebQuestions (JSON): a list of questions with queries and answers over Freebase.",
    media_type: "application/json",
    recognise: |content| sniff::item_keys(content).any(|key| OWN_KEYS.contains(&key)),
    read: |content, here| MEANINGS.read_list(content, here),
    targets: &[],
};

static MEANINGS: Meanings = Meanings {
    id: &["id"],
    texts: &[("question", "en")],
    query: Some("sparql"),
    answers: &["answers"],
    answer_type: None,
    kept: &[
        "composition_answer",
        "compositionality_type",
        "created",
        "machine_question",
        "webqsp_id",
        "webqsp_question",
    ],
    read_answers: |value, here| items::read(value, here, read_item),
};

/// An item of Freebase, or a text; with its names.
fn read_item(item: Json, here: &mut Context) -> Option<Cell> {
    if !matches!(item, Json::Object(_)) {
        cannot_use(&item, here);
        return None;
    }
    let (mut id, mut text, mut beside) = (None, None, Entries::new());
    for (key, value) in item.into_entries(here) {
        let inner = &mut here.key(&key);
        match (plain_key(&key).as_ref(), value) {
            ("answer_id" | "answer", Json::Null) => {}
            ("answer_id", Json::Text(written)) => {
                id = Some(written.into_owned()).filter(|id| !id.is_empty());
            }
            ("answer", value @ (Json::Text(_) | Json::Number(_))) => text = Some((key, value)),
            ("answer_id" | "answer", value) => inner.keep(&value),
            ("aliases", value) => beside.push((key, value)),
            (_, value) => inner.keep_unknown("key", &key, &value),
        }
    }
    let found = match (id, text) {
        (Some(id), label) => {
            beside.splice(0..0, label);
            Some(cell(CellKind::Uri, FREEBASE.of_entity(id, here)))
        }
        (None, Some((_, text))) => text.into_scalar().map(|text| cell(CellKind::Literal, text)),
        (None, None) => {
            here.cannot_read("an answer has neither an id nor a text");
            None
        }
    };
    names::named(found, beside, here)
}

#[cfg(test)]
mod tests {
    use AnswerState::{Absent, Given, Unreadable};

    use super::*;
    use crate::sources::document::AnswerState;

    #[test]
    fn questions_of_complex_web_questions() {
        let document = FORMAT.recognised(
            r#"[{"ID": "WebQTrn-3513_7c", "answers": [
                   {"aliases": ["CZ"], "answer": "Czech Republic", "answer_id": "m.01mjq"},
                   {"aliases": [], "answer": "1999", "answer_id": null}, {"answer": null, "answer_id": "g.11x", "aliases": [7, "the same"]},
                   {"answer": 7, "answer_id": ""}],
                 "composition_answer": "x", "compositionality_type": "conjunction", "created": "2018", "machine_question": "m",
                 "question": "What country?", "sparql": "SELECT ?x {}", "webqsp_ID": "WebQTrn-3513", "webqsp_question": "w"},
                {"ID": "WebQTest-1", "question": "of the test file?", "webqsp_ID": "WebQTest-1"},
                {"ID": "3", "question": "?", "answers": [{"aliases": ["y"]}, "x", {"answer": ["a"]}]},
                {"ID": "4", "question": "?", "answers": null},
                {"ID": "5", "question": "?", "answers": [{"answer_id": "Prague"}]}]"#,
        );
        let questions = &document.questions;
        let cells = |at: usize| questions[at].answers.sets[0].rows.iter().map(|row| &row.cells[0]);
        let values: Vec<_> = cells(0).map(|cell| (cell.kind, cell.value.as_str())).collect();
        assert_eq!(
            values,
            [
                (CellKind::Uri, "http://rdf.freebase.com/ns/m.01mjq"),
                (CellKind::Literal, "1999"),
                (CellKind::Uri, "http://rdf.freebase.com/ns/g.11x"),
                (CellKind::Literal, "7"),
            ]
        );
        assert_eq!(
            (questions[0].id.as_str(), questions[0].texts[0].text.as_str()),
            ("WebQTrn-3513_7c", "What country?")
        );
        let kept: Vec<String> =
            questions[0].extras[6..].iter().map(|extra| format!("{}={}", extra.name, extra.value)).collect();
        assert_eq!(kept, ["answers[1].aliases=[]"]);
        let names = |at: usize| cells(0).nth(at).map(|cell| &cell.names).into_iter().flatten();
        assert_eq!(names(0).map(|name| name.text.as_str()).collect::<Vec<_>>(), ["Czech Republic", "CZ"]);
        assert_eq!(names(1).count(), 0);
        assert_eq!(names(2).map(|name| name.text.as_str()).collect::<Vec<_>>(), ["7", "the same"]);
        assert_eq!(questions[2].extras[0].name, "answers[0].aliases", "names of nothing are kept");
        let states: Vec<AnswerState> = questions.iter().map(|question| question.answers.state).collect();
        assert_eq!(states, [Given, Absent, Unreadable, Unreadable, Given]);
        assert_eq!(cells(4).next().map(|cell| cell.value.as_str()), Some("Prague"));
        let told: Vec<&str> = document.issues.iter().map(|issue| issue.code.name()).collect();
        // two of the third question are told in the same words
        let expected = ["unreadable-answer", "unreadable-answer", "unreadable-answer", "invalid-iri"];
        assert_eq!(told, expected);
    }

    #[test]
    fn other_lists_are_not_recognised() {
        for text in ["[]", r#"[{"ID": "1", "question": "?", "answers": []}]"#, r#"{"webqsp_ID": 1}"#] {
            assert!(!(FORMAT.recognise)(text.as_bytes()), "{text}");
        }
    }
}
