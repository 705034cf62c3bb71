//! TEXT2SPARQL: the queries that a system gave, as the client of the campaign stores them. There are no answers in them.
//!
//! A list of `{dataset, question, query, endpoint, qname, uri}`; `qname` is the id that the result sets have. The client gives none to
//! the question 0, and to questions of a file without ids or without prefix.

use crate::base::error::Result;
use crate::sources::document::{Document, QueryKind};
use crate::sources::format::context::Context;
use crate::sources::format::json::fields;
use crate::sources::format::json::list::read_list;
use crate::sources::format::json::text2sparql::{set_order, split_id};
use crate::sources::format::json::value::{Entries, plain_key};
use crate::sources::format::{Format, sniff};

/// The queries of a system at TEXT2SPARQL.
pub(crate) static FORMAT: Format = Format {
    name: "text2sparql-answers",
    description: "TEXT2SPARQL answers (JSON): the query that a system gave for each question and language.",
    media_type: "application/json",
    recognise: |content| {
        let keys: Vec<&[u8]> = sniff::item_keys(content).collect();
        let has = |key: &[u8]| keys.contains(&key);
        let is_client = has(b"dataset") && has(b"endpoint");
        (has(b"qname") && (has(b"query") || has(b"question")))
            || (is_client && has(b"query") && has(b"question"))
    },
    read,
    targets: &[],
};

fn read(content: &[u8], here: &mut Context<Document>) -> Result<()> {
    read_list(content, here, &["qname"], read_fields)?;
    let prefix = here.draft.questions.iter().find_map(|question| question.id.split_once(':'));
    here.draft.dataset_id = prefix.map(|(prefix, _)| prefix.to_owned());
    Ok(())
}

fn read_fields(entries: Entries, here: &mut Context) {
    let id = here.draft.question.id.clone();
    let language = split_id(&id).map(|(_, language)| language);
    here.draft.question.language = language.map(str::to_owned);
    set_order(&id, here);
    for (key, value) in entries {
        let inner = &mut here.key(&key);
        match plain_key(&key).as_ref() {
            "qname" => fields::check_id(value, inner),
            "question" => fields::add_text(value, language, inner),
            "query" => fields::add_query(QueryKind::Sparql, value, inner),
            "dataset" | "endpoint" | "uri" => here.draft.keep(key.to_string(), value.to_string()),
            _ => inner.keep_unknown("key", &key, &value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::AnswerState;

    #[test]
    fn queries_without_answers() {
        let text = r#"[{"dataset": "d", "question": "¿?", "query": "\nASK {}", "endpoint": "e", "qname": "ck25:27-es", "uri": "u"},
            {"qname": "ck25:3", "question": null, "query": " ", "zzz": 1}, {"question": 1, "query": {}}]"#;
        let found = FORMAT.recognised(text);
        let [first, second, third] = &found.questions[..] else { panic!("not three questions") };
        assert_eq!((found.dataset_id.as_deref(), first.id.as_str()), (Some("ck25"), "ck25:27-es"));
        assert_eq!((first.language.as_deref(), first.texts[0].language.as_deref()), (Some("es"), Some("es")));
        assert_eq!((first.queries[0].text.as_str(), first.answers.state), ("ASK {}", AnswerState::Absent));
        assert_eq!(first.flags, [("result_order_matters".to_owned(), "true".to_owned())]);
        let extras: Vec<(&str, &str)> =
            first.extras.iter().map(|extra| (extra.name.as_str(), extra.value.as_str())).collect();
        assert_eq!(extras, [("dataset", "\"d\""), ("endpoint", "\"e\""), ("uri", "\"u\"")]);
        assert_eq!((second.language.as_deref(), third.texts[0].text.as_str()), (None, "1"));
        let codes: Vec<&str> = found.issues.iter().map(|issue| issue.code.name()).collect();
        let expected =
            ["null-value", "empty-query", "unknown-field", "wrong-type", "wrong-type", "missing-id"];
        assert_eq!(codes, expected);
    }

    /// The client gives no `qname` to the question 0, and none to any where the file of questions has no prefix.
    #[test]
    fn what_the_client_writes_is_known_without_ids_too() {
        let entry = |more: &str| {
            format!(
                r#"{{"dataset": "d", "question": "?", "query": "ASK {{}}", "endpoint": "http://e/"{more}}}"#
            )
        };
        let text = format!("[{}, {}]", entry(""), entry(r#", "qname": "d:1-en", "uri": "d1-en""#));
        let found = FORMAT.recognised(&text);
        let keys: Vec<&str> = found.questions.iter().map(|question| question.key.as_str()).collect();
        assert_eq!(keys, ["~1", "d:1-en"]);
        let codes: Vec<&str> = found.issues.iter().map(|issue| issue.code.name()).collect();
        assert_eq!(codes, ["missing-id"]);
    }
}
