//! Answers without their questions: `{"answers": [{"id", "answer"}]}`, each SPARQL results, as `DBLP-QuAD` and `SciQA` publish
//! them beside their questions, and as systems submit them.
//!
//! Source: `awalesushil/DBLP-QuAD`, README.

use crate::base::error::Result;
use crate::sources::document::Document;
use crate::sources::format::context::Context;
use crate::sources::format::json::list::{read_all, salvaging, top_level};
use crate::sources::format::json::value::{Entries, Json, plain_key, value_of};
use crate::sources::format::json::{answers, fields, items, root};
use crate::sources::format::{Format, sniff};

/// Where the answers are.
const ANSWERS: &str = "answers";

/// The keys that every answer has.
const OWN_KEYS: [&[u8]; 2] = [b"id", b"answer"];

/// How many levels down in an answer something can be damaged without the rest.
const LEVELS: usize = 4;

/// A list of answers.
pub(crate) static FORMAT: Format = Format {
    name: "answer-list",
    description: "Answers without questions (JSON): `answers`, a list of SPARQL results with the ids of their questions.",
    media_type: "application/json",
    recognise: |content| {
        let mut top = sniff::object_keys(content);
        let first = (top.next() == Some(ANSWERS.as_bytes())).then(|| top.of_last()).flatten();
        let keys: Vec<&[u8]> = first.map(sniff::item_keys).into_iter().flatten().collect();
        OWN_KEYS.iter().all(|key| keys.contains(key))
    },
    read,
    targets: &[],
};

fn read(content: &[u8], here: &mut Context<Document>) -> Result<()> {
    let text = here.text(content)?;
    let raw = top_level(root::split(text)?, ANSWERS, here, |key, _, here| here.unknown("key", key))?;
    // Each item is a question of its own, and says nothing but its answer.
    let read = salvaging(&["answer"], LEVELS, read_fields);
    read_all(text, &raw, &mut here.named("$.answers"), &["id"], read);
    Ok(())
}

fn read_fields(entries: Entries, here: &mut Context) {
    let mut others = Vec::new();
    for (key, value) in entries {
        match plain_key(&key).as_ref() {
            "answer" if is_cut(&value) => items::cannot_use(&value, &mut here.key(&key)),
            "answer" => answers::read(value, &mut here.key(&key)),
            _ => others.push((key, value)),
        }
    }
    fields::read(others, here);
}

/// Whether results of a query have lost what they are to say: a boolean, or rows, of which there may be none.
fn is_cut(value: &Json) -> bool {
    let Json::Object(entries) = value else { return false };
    let has_rows = || match value_of(entries, "results") {
        Some(Json::Object(results)) => value_of(results, "bindings").is_some(),
        _ => false,
    };
    value_of(entries, "boolean").is_none() && !has_rows()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::AnswerState;

    #[test]
    fn answers_with_ids() {
        use AnswerState::{Absent, Empty, Given, Unreadable};
        let document = FORMAT.recognised(
            r#"{"answers": [
                {"id": "Q0001", "answer": {"head": {"vars": ["answer"]}, "results": {"bindings": [
                    {"answer": {"type": "uri", "value": "https://dblp.org/pid/1"}}, {"answer": {"type": "literal", "value": "2001"}}]}}},
                {"id": "Q0002", "answer": {"head": {}, "boolean": false}},
                {"id": "Q0003", "answer": {"head": {"vars": ["x"]}, "results": {"bindings": []}}},
                {"id": "Q0004", "answer": 7, "note": "x"}, {"id": "Q0005"}, "?"], "by": "me"}"#,
        );
        let states: Vec<AnswerState> =
            document.questions.iter().map(|question| question.answers.state).collect();
        assert_eq!(states, [Given, Given, Empty, Given, Absent, Unreadable]);
        assert_eq!(document.questions[0].answers.values(), ["https://dblp.org/pid/1", "2001"]);
        assert_eq!(document.questions[1].answers.sets[0].boolean, Some(false));
        assert_eq!(document.questions[3].extras[0].name, "note");
        let codes: Vec<&str> = document.issues.iter().map(|issue| issue.code.name()).collect();
        assert_eq!(codes, ["unknown-field", "wrong-type", "unknown-field", "not-a-question", "missing-id"]);
    }

    #[test]
    fn other_objects_are_not_recognised() {
        for text in [
            "{}",
            r#"{"answers": []}"#,
            r#"{"answers": [{"id": 1}]}"#,
            r#"{"id": 1, "answers": [{"id": 1, "answer": 1}]}"#,
        ] {
            assert!(!(FORMAT.recognise)(text.as_bytes()), "{text}");
        }
    }
}
