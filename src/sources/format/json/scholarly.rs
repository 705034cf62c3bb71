//! `DBLP-QuAD` and `SciQA`: questions over scholarly knowledge graphs, made of templates; their answers are in a file of
//! their own (see [`super::answer_list`] and `QUESTIONS+ANSWERS`).
//!
//! Source: `awalesushil/DBLP-QuAD`, README; `SciQA` on Zenodo, 10.5281/zenodo.7744048.

use crate::base::error::Result;
use crate::sources::document::Document;
use crate::sources::format::context::Context;
use crate::sources::format::json::list::{read_all, reporting, top_level};
use crate::sources::format::json::value::{Entries, Json, plain_key, value_of};
use crate::sources::format::json::{fields, root};
use crate::sources::format::{Format, sniff};

/// Where the questions are.
const QUESTIONS: &str = "questions";

/// The keys that every question has beside the usual ones. What is converted to QALD-JSON keeps the first two.
const OWN_KEYS: [&[u8]; 3] = [b"query_type", b"template_id", b"paraphrased_question"];

/// What is said about how a question was made.
const KEPT: [&str; 10] = [
    "query_type",
    "template_id",
    "entities",
    "relations",
    "temporal",
    "held_out",
    "auto_generated",
    "query_shape",
    "query_class",
    "number_of_patterns",
];

/// `DBLP-QuAD` and `SciQA`.
pub(crate) static FORMAT: Format = Format {
    name: "dblp-quad",
    description: "DBLP-QuAD and SciQA (JSON): questions with a paraphrase and a query; answers are in a second file.",
    media_type: "application/json",
    recognise: |content| {
        let first = sniff::object_keys(content).value(QUESTIONS.as_bytes());
        let keys: Vec<&[u8]> = first.map(sniff::item_keys).into_iter().flatten().collect();
        OWN_KEYS.iter().all(|key| keys.contains(key))
    },
    read,
    targets: &[],
};

fn read(content: &[u8], here: &mut Context<Document>) -> Result<()> {
    let text = here.text(content)?;
    let raw = top_level(root::split(text)?, QUESTIONS, here, |key, _, here| here.unknown("key", key))?;
    read_all(text, &raw, &mut here.key(QUESTIONS), &["id"], reporting(read_fields));
    Ok(())
}

fn read_fields(entries: Entries, here: &mut Context) {
    let mut usual = Vec::with_capacity(entries.len());
    for (key, value) in entries {
        let inner = &mut here.key(&key);
        match plain_key(&key).as_ref() {
            "question" | "paraphrased_question" if has_text(&value) => read_text(&value, inner),
            // no paraphrase was made
            "paraphrased_question" if matches!(&value, Json::Null) => {}
            "paraphrased_question" if matches!(&value, Json::List(items) if items.is_empty()) => {}
            "paraphrased_question" => inner.keep_unknown("key", &key, &value),
            known if KEPT.contains(&known) => inner.keep(&value),
            _ => usual.push((key, value)),
        }
    }
    fields::read(usual, here);
    here.check_text();
}

/// Whether it is `{"string": "…"}`; a text, which is usual, is not.
fn has_text(value: &Json) -> bool {
    matches!(value, Json::Object(entries) if matches!(value_of(entries, "string"), Some(Json::Text(_))))
}

fn read_text(value: &Json, here: &mut Context) {
    let Json::Object(entries) = value else { return };
    for (key, value) in entries {
        match value {
            Json::Text(text) if plain_key(key) == "string" => {
                here.draft.add_text(None, text.clone().into_owned());
            }
            other => here.key(key).keep_unknown("key", key, other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::AnswerState;

    #[test]
    fn questions_of_both() {
        let document = FORMAT.recognised(
            r#"{"questions": [
                {"id": "Q0001", "query_type": "SINGLE_FACT", "question": {"string": "Who wrote it?"},
                 "paraphrased_question": {"string": "By whom is it?", "by": "me"}, "query": {"sparql": "SELECT ?answer WHERE { }"},
                 "template_id": "TC01", "entities": ["<https://dblp.org/rec/1>"], "relations": [], "temporal": false, "held_out": true},
                {"id": "AQ1251", "query_type": "Factoid", "question": {"string": "Which?"}, "paraphrased_question": [],
                 "query": {"sparql": "ASK {}"}, "template_id": "T05", "auto_generated": true, "query_shape": "Tree",
                 "query_class": "WHICH-WHAT", "number_of_patterns": 4},
                {"id": "3", "query_type": "x", "question": {"other": 1}, "paraphrased_question": "?", "template_id": null}]}"#,
        );
        let texts: Vec<Vec<&str>> = document
            .questions
            .iter()
            .map(|q| q.texts.iter().map(|text| text.text.as_str()).collect())
            .collect();
        assert_eq!(texts, [vec!["Who wrote it?", "By whom is it?"], vec!["Which?"], vec![]]);
        let first = &document.questions[0];
        assert_eq!(
            (first.id.as_str(), first.queries[0].text.as_str()),
            ("Q0001", "SELECT ?answer WHERE { }")
        );
        let kept: Vec<&str> = first.extras.iter().map(|extra| extra.name.as_str()).collect();
        assert_eq!(
            kept,
            [
                "query_type",
                "paraphrased_question.by",
                "template_id",
                "entities",
                "relations",
                "temporal",
                "held_out"
            ]
        );
        assert!(document.questions.iter().all(|question| question.answers.state == AnswerState::Absent));
        let codes: Vec<&str> = document.issues.iter().map(|issue| issue.code.name()).collect();
        assert_eq!(codes, ["unknown-field", "unknown-field", "unknown-field", "missing-text"]);
    }

    #[test]
    fn other_questions_are_not_recognised() {
        for text in [
            "{}",
            r#"{"questions": [{"id": 1, "template_id": 1}]}"#,
            r#"[{"query_type": 1, "template_id": 1}]"#,
        ] {
            assert!(!(FORMAT.recognise)(text.as_bytes()), "{text}");
        }
    }
}
