//! LC-QuAD 1: questions made from templates, with their queries and without answers.

use crate::base::error::Result;
use crate::sources::document::{Document, QueryKind};
use crate::sources::format::context::Context;
use crate::sources::format::json::fields;
use crate::sources::format::json::list::read_list;
use crate::sources::format::json::value::{Entries, plain_key};
use crate::sources::format::{Format, sniff};

/// The keys that only this format has.
const OWN_KEYS: [&[u8]; 3] = [b"corrected_question", b"intermediary_question", b"sparql_template_id"];

/// LC-QuAD 1.
pub(crate) static FORMAT: Format = Format {
    name: "lc-quad",
    description: "LC-QuAD 1 (JSON): a list with the corrected question and its query.",
    media_type: "application/json",
    recognise: |content| sniff::item_keys(content).any(|key| OWN_KEYS.contains(&key)),
    read,
    targets: &[],
};

fn read(content: &[u8], here: &mut Context<Document>) -> Result<()> {
    read_list(content, here, &["_id"], |entries, here| {
        read_fields(entries, here);
        here.check_text();
    })
}

fn read_fields(entries: Entries, here: &mut Context) {
    for (key, value) in entries {
        let inner = &mut here.key(&key);
        match plain_key(&key).as_ref() {
            "_id" => fields::check_id(value, inner),
            "corrected_question" => fields::add_text(value, Some("en"), inner),
            "sparql_query" => fields::add_query(QueryKind::Sparql, value, inner),
            // the template that was filled, and the text that it gave
            "intermediary_question" | "sparql_template_id" => {
                here.draft.keep(key.to_string(), value.to_string());
            }
            _ => inner.keep_unknown("key", &key, &value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::{AnswerState, Extra};

    #[test]
    fn a_question_of_lc_quad() {
        let text = r#"[{"_id": "1501", "corrected_question": "How many?", "intermediary_question": "How <many>?",
            "sparql_query": " SELECT ?x {} ", "sparql_template_id": 101},
            {"_id": 7, "corrected_question": null, "sparql_query": ["x"], "zzz": {"a": null}}]"#;
        let document = FORMAT.recognised(text);
        let codes: Vec<&str> = document.issues.iter().map(|issue| issue.code.name()).collect();
        assert_eq!(codes, ["null-value", "wrong-type", "unknown-field", "missing-text"]);
        let [first, second] = &document.questions[..] else { panic!("not two questions") };
        assert_eq!((first.id.as_str(), first.texts[0].language.as_deref()), ("1501", Some("en")));
        assert_eq!(
            (first.queries[0].text.as_str(), first.answers.state),
            ("SELECT ?x {}", AnswerState::Absent)
        );
        let extra = |name: &str, value: &str| Extra { name: name.to_owned(), value: value.to_owned() };
        assert_eq!(
            first.extras,
            [extra("intermediary_question", "\"How <many>?\""), extra("sparql_template_id", "101")]
        );
        assert_eq!((second.id.as_str(), second.id_is_number), ("7", true));
        assert_eq!(second.extras, [extra("zzz", r#"{"a":null}"#)]);
    }

    #[test]
    fn other_lists_are_not_recognised() {
        for text in ["[]", r#"[{"_id": "1", "question": "x"}]"#, r#"{"corrected_question": 1}"#] {
            assert!(!(FORMAT.recognise)(text.as_bytes()), "{text}");
        }
    }
}
