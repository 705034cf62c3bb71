//! Questions in JSON as people write them by hand: one text, one query, plain answers beside the fields of QALD.

use crate::sources::document::{Cell, Row};
use crate::sources::format::context::{Context, Draft};
use crate::sources::format::json::value::{Entries, Json, plain_key};
use crate::sources::format::json::{answers, fields};

/// Reads `question` as a text in the language that `language` or `lang` names, and `answer` or `answers` as a value or
/// a list of values. Everything else, and both in any other shape, is read as in QALD-JSON.
pub(crate) fn read(mut entries: Entries, here: &mut Context) {
    let language = take_language(&mut entries);
    let mut others = Vec::with_capacity(entries.len());
    for (key, value) in entries {
        let inner = &mut here.key(&key);
        match (plain_key(&key).as_ref(), value) {
            ("question", Json::Text(text)) => here.draft.add_text(language.as_deref(), text.into_owned()),
            ("answer" | "answers", value) if is_plain(&value) => read_plain(value, here.draft),
            ("answer", value) => read_answers(value, inner),
            (_, value) => others.push((key, value)),
        }
    }
    fields::read(others, here);
    if here.draft.question.texts.is_empty() {
        here.draft.question.language = language;
    }
}

/// Reads a value or a list of values; any other shape is read as in QALD-JSON.
pub(crate) fn read_answers(value: Json, here: &mut Context) {
    if is_plain(&value) {
        read_plain(value, here.draft);
    } else {
        answers::read(value, here);
    }
}

/// The language of the question, where it is a text. In extended JSON, `language` is the list of the texts.
fn take_language(entries: &mut Entries) -> Option<String> {
    let at = entries.iter().position(|(key, value)| {
        matches!(plain_key(key).as_ref(), "language" | "lang") && matches!(value, Json::Text(_))
    })?;
    entries.remove(at).1.into_scalar()
}

fn is_scalar(value: &Json) -> bool {
    matches!(value, Json::Text(_) | Json::Number(_) | Json::Bool(_))
}

/// A value or a list of values. A text that looks like JSON or is empty is none: the reader of answers knows those.
fn is_plain(value: &Json) -> bool {
    match value {
        Json::Text(text) => !text.trim().is_empty() && !text.trim_start().starts_with(['{', '[']),
        Json::List(items) => !items.is_empty() && items.iter().all(is_scalar),
        other => is_scalar(other),
    }
}

fn read_plain(value: Json, draft: &mut Draft) {
    draft.has_answers = true;
    let items = match value {
        Json::List(items) => items,
        other => vec![other],
    };
    let mut rows = Vec::new();
    for item in items {
        match item {
            Json::Bool(value) => draft.add_boolean(value),
            other => rows.extend(other.into_scalar().map(row)),
        }
    }
    draft.add_rows(rows);
}

/// Whether a plain value is an IRI, only its look says.
fn row(value: String) -> Row {
    Row { cells: [Cell { variable: "answer".to_owned(), value, ..Cell::default() }].into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::{AnswerState, Question};

    fn one(text: &str) -> (Question, Vec<&'static str>) {
        let Ok(Json::Object(entries)) = Json::parse(text) else { panic!("no object") };
        let (question, codes, _) = Draft::made_by(|here| read(entries, here));
        (question, codes)
    }

    #[test]
    fn plain_questions() {
        let (question, codes) = one(
            r#"{"question": "Wer?", "lang": "de", "sparql": "ASK {}", "answers": ["http://e/a", 3], "answer": "b"}"#,
        );
        assert_eq!((codes, question.texts[0].language.as_deref()), (vec![], Some("de")));
        assert_eq!(
            (question.queries[0].text.as_str(), question.queries[0].language.as_deref()),
            ("ASK {}", None)
        );
        assert_eq!(
            (question.answers.values(), question.answers.sets.len()),
            (vec!["http://e/a", "3", "b"], 2)
        );
    }

    #[test]
    fn booleans_and_the_shapes_of_qald() {
        let (question, codes) = one(r#"{"answer": true}"#);
        assert_eq!((codes, question.answers.sets[0].boolean), (vec![], Some(true)));
        let (question, codes) =
            one(r#"{"question": [{"language": "en", "string": "Who?"}], "language": "fr",
                "answers": [{"results": {"bindings": [{"x": {"type": "uri", "value": "v"}}]}}]}"#);
        assert_eq!((codes, question.answers.values()), (vec![], vec!["v"]));
        assert_eq!((question.texts[0].language.as_deref(), question.language), (Some("en"), None));
    }

    #[test]
    fn answers_that_are_no_values() {
        let state = |text: &str| {
            let (question, codes) = one(&format!(r#"{{"answer": {text}}}"#));
            (question.answers.state, codes)
        };
        assert_eq!(state("[]"), (AnswerState::Empty, vec![]));
        assert_eq!(state("null"), (AnswerState::Empty, vec!["null-value"]));
        assert_eq!(state(r#"" ""#), (AnswerState::Empty, vec!["wrong-type"]));
        assert_eq!(state(r#""[\"a\"]""#), (AnswerState::Given, vec!["wrong-type", "wrong-type"]));
        assert_eq!(state(r#"["a", null]"#).0, AnswerState::Given);
        assert_eq!(one("{}").0.answers.state, AnswerState::Absent);
    }
}
