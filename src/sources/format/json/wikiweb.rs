//! `WikiWebQuestions`: a list of questions with their SPARQL results, and the predictions for it.

use crate::base::error::Result;
use crate::sources::document::{AnswerSet, Document, QueryKind};
use crate::sources::format::context::Context;
use crate::sources::format::json::list::read_list;
use crate::sources::format::json::rows::Head;
use crate::sources::format::json::value::{Entries, Json, plain_key};
use crate::sources::format::json::{answers, fields};
use crate::sources::format::{Format, sniff};

/// The keys that only this format has.
const OWN_KEYS: [&[u8]; 4] = [b"utterance", b"dev_set_id", b"executable_sparql", b"predicted_sparql"];

/// `WikiWebQuestions`, gold and predictions.
pub(crate) static FORMAT: Format = Format {
    name: "wikiwebquestions",
    description: "WikiWebQuestions JSON: a list with utterance, SPARQL and results, or with predictions.",
    media_type: "application/json",
    recognise: |content| sniff::item_keys(content).any(|key| OWN_KEYS.contains(&key)),
    read,
    targets: &[],
};

fn read(content: &[u8], here: &mut Context<Document>) -> Result<()> {
    read_list(content, here, &["id", "dev_set_id"], read_fields)
}

fn read_fields(entries: Entries, here: &mut Context) {
    let is_prediction = entries.iter().any(|(key, _)| OWN_KEYS[1..].contains(&key.as_bytes()));
    for (key, value) in entries {
        let inner = &mut here.key(&key);
        match plain_key(&key).as_ref() {
            "id" | "dev_set_id" => fields::check_id(value, inner),
            "utterance" => fields::add_text(value, None, inner),
            "sparql" | "executable_sparql" => {
                fields::add_query(QueryKind::Sparql, value, inner);
            }
            // names in place of identifiers: it cannot be run as it stands
            "predicted_sparql" => fields::add_query(QueryKind::Pseudo, value, inner),
            "results" => read_results(value, inner),
            "error" => fields::read_error(value, inner),
            "time" => fields::read_time(value, 0, inner),
            _ => inner.keep_unknown("key", &key, &value),
        }
    }
    if !is_prediction {
        here.check_text();
    }
}

/// A list of rows; a boolean for a question that can be answered by one; null for no answer.
fn read_results(value: Json, here: &mut Context) {
    here.draft.has_answers = true;
    match value {
        Json::List(_) => {
            let mut set = AnswerSet::default();
            answers::read_bindings(value, Head::Unknown, &mut set, here);
            here.draft.add_set(set);
        }
        Json::Bool(boolean) => here.draft.add_boolean(boolean),
        // in these two the text is what went wrong, not an answer
        Json::Text(text) => {
            here.cannot_read(format!("the results are the text `{}`", beginning(&text)));
        }
        other => answers::read(other, here),
    }
}

fn beginning(text: &str) -> String {
    text.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::{AnswerState, CellKind};

    #[test]
    fn gold() {
        let text = r#"[
            {"id": "WebQTrn-1", "utterance": "who?", "sparql": "SELECT ?x {}",
             "results": [{"x": {"type": "uri", "value": "a"}, "y": {"datatype": "d", "type": "literal", "value": "1"}}]}]"#;
        let document = FORMAT.recognised(text);
        assert_eq!(document.issues, []);
        let question = &document.questions[0];
        assert_eq!((question.id.as_str(), question.place.line), ("WebQTrn-1", Some(2)));
        assert_eq!(
            (question.texts[0].text.as_str(), question.queries[0].text.as_str()),
            ("who?", "SELECT ?x {}")
        );
        let cells = &question.answers.sets[0].rows[0].cells;
        assert_eq!((cells[0].kind, cells[1].kind, cells.len()), (CellKind::Uri, CellKind::Literal, 2));
    }

    #[test]
    fn predictions_and_their_odd_results() {
        use AnswerState::{Empty, Given, Unreadable};
        let cases = [
            ("[]", Empty, 0),
            ("null", Empty, 1),
            ("true", Given, 0),
            ("3", Given, 1),
            ("\"timeout\"", Unreadable, 1),
            ("[null, 3]", Unreadable, 2),
            (r#"{"head": {}, "boolean": false}"#, Given, 0),
            (r#"[{"x": {"type": "uri", "value": "a"}}]"#, Given, 0),
        ];
        for (results, state, issues) in cases {
            let text = format!(
                r#"[{{"dev_set_id": "1", "predicted_sparql": "wdt:name", "executable_sparql": "wdt:P1", "results": {results}}}]"#
            );
            let document = FORMAT.recognised(&text);
            let question = &document.questions[0];
            assert_eq!((question.answers.state, document.issues.len()), (state, issues), "{results}");
            let kinds: Vec<QueryKind> = question.queries.iter().map(|q| q.kind).collect();
            assert_eq!((question.id.as_str(), kinds), ("1", vec![QueryKind::Pseudo, QueryKind::Sparql]));
        }
    }

    #[test]
    fn other_lists_are_not_recognised() {
        for text in ["[]", r#"[{"id": "1", "question": "utterance"}]"#, r#"{"utterance": 1}"#, "[1"] {
            assert!(!(FORMAT.recognise)(text.as_bytes()), "{text}");
        }
        assert!(FORMAT.document(b"[]").is_err() && FORMAT.document(b"{}").is_err());
    }
}
