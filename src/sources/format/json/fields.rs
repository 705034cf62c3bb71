//! The keys of a question in the JSON dialects of QALD, eQALD and the extended JSON.

use crate::base::issue::IssueCode;
use crate::sources::document::{Annotation, QueryKind};
use crate::sources::format::context::Context;
use crate::sources::format::json::answers;
use crate::sources::format::json::value::{Entries, Json, plain_key, unique};

/// The flags that the QALD formats have.
pub const FLAGS: [&str; 6] = ["aggregation", "onlydbo", "onlyesdbp", "hybrid", "yago", "statistical"];

/// Reads the keys of a question. Extended JSON nests them in `question`, eQALD some of them in `metadata`.
pub(crate) fn read(entries: Entries, here: &mut Context) {
    for (key, value) in entries {
        let inner = &mut here.key(&key);
        match plain_key(&key).as_ref() {
            "id" => check_id(value, inner),
            "question" | "body" => match value {
                Json::Object(nested) => read(unique(nested, inner), inner),
                other => read_texts(other, inner),
            },
            "language" => read_texts(value, inner),
            "keywords" => read_keywords(value, None, inner),
            "metadata" => read(value.into_entries(inner), inner),
            "query" => read_query(value, inner),
            "answers" => answers::read(value, inner),
            "answertype" => {
                if let Some(word) = value.into_text(inner) {
                    inner.set_answer_type(word);
                }
            }
            "answeritemtype" => read_item_types(value, inner),
            "error" | "errormessage" => read_error(value, inner),
            "responsetime" | "time" => read_time(value, 0, inner),
            "responsetimems" | "timems" => read_time(value, -3, inner),
            "asked" => read_asked(&value, inner),
            flag if FLAGS.contains(&flag) => read_flag(flag, value, inner),
            other => match query_kind(other) {
                Some(kind) => add_query(kind, value, inner),
                None => inner.keep_unknown("key", &key, &value),
            },
        }
    }
}

/// The id as written, of the question or of the object that it is nested in, and whether it is a number.
/// Empty where there is none.
pub(crate) fn find_id(entries: &Entries, id_keys: &[&str]) -> (String, bool) {
    let id = |entries: &Entries| {
        let (_, value) = entries.iter().rev().find(|(key, _)| id_keys.contains(&plain_key(key).as_ref()))?;
        match value {
            Json::Text(text) => Some((text.trim().to_owned(), false)).filter(|(text, _)| !text.is_empty()),
            Json::Number(number) => Some((number.to_string(), true)),
            _ => None,
        }
    };
    let nested = || {
        entries.iter().find_map(|(key, value)| match value {
            Json::Object(inner) if key == "question" => id(inner),
            _ => None,
        })
    };
    id(entries).or_else(nested).unwrap_or_default()
}

/// Reports an id that is not the one in use.
pub(crate) fn check_id(value: Json, here: &mut Context) {
    let (kind, known) = (value.kind(), here.draft.question.id.as_str());
    match value {
        // a missing id has an issue of its own
        Json::Null => {}
        Json::Text(text) if text.trim() == known => {}
        Json::Number(number) if number.to_string() == known => {}
        Json::Text(_) | Json::Number(_) => {
            let message = format!("the question has another id beside `{known}`; it is not used");
            here.note(IssueCode::DuplicateKey, message);
        }
        Json::Bool(_) | Json::List(_) | Json::Object(_) | Json::Unread(..) => {
            here.note(IssueCode::WrongType, format!("{kind} stands for the id; the question has none"));
        }
    }
}

/// What kind of query a key holds.
pub(crate) fn query_kind(key: &str) -> Option<QueryKind> {
    match key {
        "sparql" => Some(QueryKind::Sparql),
        "pseudo" | "pseudoquery" => Some(QueryKind::Pseudo),
        "schemaless" => Some(QueryKind::Schemaless),
        _ => None,
    }
}

fn read_query(value: Json, here: &mut Context) {
    if let Json::Text(text) = &value {
        return here.add_query(QueryKind::Sparql, text);
    }
    for (key, value) in value.into_entries(here) {
        let inner = &mut here.key(&key);
        match query_kind(&plain_key(&key)) {
            Some(kind) => add_query(kind, value, inner),
            None => inner.keep_unknown("key", &key, &value),
        }
    }
}

/// A query of a known kind.
pub(crate) fn add_query(kind: QueryKind, value: Json, here: &mut Context) {
    add_query_in(kind, None, value, here);
}

/// A query of a known kind, of the question in one language.
pub(crate) fn add_query_in(kind: QueryKind, language: Option<&str>, value: Json, here: &mut Context) {
    match value {
        Json::Text(text) => here.add_query_in(kind, language, &text),
        Json::Null => here.note(IssueCode::NullValue, "the query is null; it is left out"),
        other => {
            let message = format!("{} stands for a query; it is left out", other.kind());
            here.note(IssueCode::WrongType, message);
        }
    }
}

fn read_item_types(value: Json, here: &mut Context) {
    if let Json::Text(text) = value {
        return here.draft.question.answer_item_types.push(text.into_owned());
    }
    for (index, item) in value.into_list(here).into_iter().enumerate() {
        let text = item.into_text(&mut here.index(index));
        here.draft.question.answer_item_types.extend(text);
    }
}

fn read_flag(name: &str, value: Json, here: &mut Context) {
    // numbers are no texts in place of booleans: only the flag itself is odd then
    let kind = value.kind();
    match (value.into_scalar(), kind) {
        (Some(text), _) => here.add_flag(name, text),
        (None, "null") => here.note(IssueCode::NullValue, "the flag is null; it is left out"),
        (None, kind) => {
            here.note(IssueCode::WrongType, format!("{kind} stands for a flag; it is left out"));
        }
    }
}

/// How the question was put to a live system; what is not said so is kept as it is.
fn read_asked(value: &Json, here: &mut Context) {
    let written = value.to_string();
    match serde_json::from_str(&written) {
        Ok(asked) => here.draft.question.asked = Some(asked),
        Err(_) => here.keep_unknown("key", "asked", &written),
    }
}

/// The error of the system.
pub(crate) fn read_error(value: Json, here: &mut Context) {
    match value {
        // systems say so that there was none
        Json::Null | Json::Bool(false) => {}
        Json::List(_) | Json::Object(_) => {
            let message = format!("{} stands for the error text", value.kind());
            here.note(IssueCode::WrongType, message);
            here.set_error("error without text".to_owned());
        }
        scalar => here.set_error(scalar.into_scalar().unwrap_or_default()),
    }
}

/// The time of the system, in units of `10^shift` seconds.
pub(crate) fn read_time(value: Json, shift: i64, here: &mut Context) {
    let kind = value.kind();
    match value {
        Json::Null => here.note(IssueCode::NullValue, "the time is null; it is left out"),
        Json::Text(_) | Json::Number(_) => {
            here.set_time(&value.into_scalar().unwrap_or_default(), shift);
        }
        _ => here.set_time(kind, shift),
    }
}

/// A text in a language.
pub(crate) fn add_text(value: Json, language: Option<&str>, here: &mut Context) {
    if let Some(text) = value.into_text(here) {
        here.draft.add_text(language, text);
    }
}

/// Reads a list of `{language, string, keywords}`; a text alone is a text in no language.
pub(crate) fn read_texts(value: Json, here: &mut Context) {
    if let Json::Text(text) = value {
        here.note(IssueCode::WrongType, "a text stands for the list of texts; it is read as the text");
        return here.draft.add_text(None, text.into_owned());
    }
    for (index, item) in value.into_list(here).into_iter().enumerate() {
        let here = &mut here.index(index);
        match item {
            Json::Object(entries) => read_entry(unique(entries, here), here),
            Json::Text(text) => {
                here.note(IssueCode::WrongType, "a text stands for an object; it is read as the text");
                here.draft.add_text(None, text.into_owned());
            }
            other => drop(other.into_entries(here)),
        }
    }
    here.draft.settle_query_languages();
}

/// The text of one language.
fn read_entry(entries: Entries, here: &mut Context) {
    let language = find_language(&entries, here);
    let language = language.as_deref();
    for (key, value) in entries {
        let inner = &mut here.key(&key);
        match plain_key(&key).as_ref() {
            "language" | "lang" => {}
            "string" | "question" | "text" => add_text(value, language, inner),
            "keywords" => read_keywords(value, language, inner),
            "annotations" => read_annotations(value, inner),
            other => match query_kind(other) {
                Some(kind) => add_query_in(kind, language, value, inner),
                None => inner.keep_unknown("key", &key, &value),
            },
        }
    }
}

fn find_language(entries: &Entries, here: &mut Context) -> Option<String> {
    let (key, value) =
        entries.iter().find(|(key, _)| matches!(plain_key(key).as_ref(), "language" | "lang"))?;
    value.clone().into_text(&mut here.key(key))
}

/// Keywords are one text; a list of texts is read as several.
pub(crate) fn read_keywords(value: Json, language: Option<&str>, here: &mut Context) {
    if let Json::List(items) = value {
        here.note(IssueCode::WrongType, "a list stands for the keywords; each item is read as keywords");
        for (index, item) in items.into_iter().enumerate() {
            if let Some(text) = item.into_text(&mut here.index(index)) {
                here.draft.add_keywords(language, text);
            }
        }
    } else if let Some(text) = value.into_text(here) {
        here.draft.add_keywords(language, text);
    }
}

fn read_annotations(value: Json, here: &mut Context) {
    for (index, item) in value.into_list(here).into_iter().enumerate() {
        let here = &mut here.index(index);
        let mut annotation = Annotation::default();
        for (key, value) in item.into_entries(here) {
            let inner = &mut here.key(&key);
            match plain_key(&key).as_ref() {
                "char_begin" => annotation.begin = read_offset(value, inner),
                "char_end" => annotation.end = read_offset(value, inner),
                "uri" => annotation.iri = value.into_text(inner).unwrap_or_default(),
                "type" => annotation.kind = value.into_text(inner),
                _ => inner.keep_unknown("key", &key, &value),
            }
        }
        if annotation != Annotation::default() {
            here.draft.question.annotations.push(annotation);
        }
    }
}

/// An offset: a number, or a numeral as in the description of the format.
fn read_offset(value: Json, here: &mut Context) -> Option<String> {
    match value {
        Json::Number(number) => Some(number.to_string()),
        other => other.into_text(here),
    }
}
