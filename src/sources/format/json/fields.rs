//! The keys of a question in the JSON dialects of QALD, eQALD and the extended JSON.

use crate::base::issue::IssueCode;
use crate::sources::document::Annotation;
use crate::sources::document::QueryKind;
use crate::sources::format::draft::Draft;
use crate::sources::format::json::answers;
use crate::sources::format::json::path::Path;
use crate::sources::format::json::value::Entries;
use crate::sources::format::json::value::Json;
use crate::sources::format::json::value::plain_key;
use crate::sources::format::json::value::unique;
use crate::sources::format::notes::Notes;

/// The flags that the QALD formats have.
pub const FLAGS: [&str; 6] = ["aggregation", "onlydbo", "onlyesdbp", "hybrid", "yago", "statistical"];

/// Reads the keys of a question. Extended JSON nests them in `question`, eQALD some of them in `metadata`.
pub(crate) fn read(entries: Entries, path: &Path, draft: &mut Draft, notes: &mut Notes) {
    for (key, value) in entries {
        let here = path.key(&key);
        match plain_key(&key).as_ref() {
            "id" => check_id(value, &here, draft, notes),
            "question" | "body" => match value {
                Json::Object(inner) => read(unique(inner, &here, notes), &here, draft, notes),
                other => read_texts(other, &here, draft, notes),
            },
            "language" => read_texts(value, &here, draft, notes),
            "keywords" => read_keywords(value, None, &here, draft, notes),
            "metadata" => read(value.into_entries(&here, notes), &here, draft, notes),
            "query" => read_query(value, &here, draft, notes),
            "answers" => answers::read(value, &here, draft, notes),
            "answertype" => {
                if let Some(word) = value.into_text(&here, notes) {
                    draft.set_answer_type(word, &here, notes);
                }
            }
            "answeritemtype" => read_item_types(value, &here, draft, notes),
            "error" | "errormessage" => read_error(value, &here, draft, notes),
            "responsetime" | "time" => read_time(value, 0, &here, draft, notes),
            "responsetimems" | "timems" => read_time(value, -3, &here, draft, notes),
            flag if FLAGS.contains(&flag) => read_flag(flag, value, &here, draft, notes),
            other => match query_kind(other) {
                Some(kind) => add_query(kind, value, &here, draft, notes),
                None => draft.keep_unknown(&key, &value, &here, notes),
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
pub(crate) fn check_id(value: Json, path: &Path, draft: &mut Draft, notes: &mut Notes) {
    let (kind, known) = (value.kind(), draft.question.id.as_str());
    match value {
        // a missing id has an issue of its own
        Json::Null => {}
        Json::Text(text) if text.trim() == known => {}
        Json::Number(number) if number.to_string() == known => {}
        Json::Text(_) | Json::Number(_) => {
            let message = format!("the question has another id beside `{known}`; it is not used");
            notes.add(IssueCode::DuplicateKey, path, message);
        }
        Json::Bool(_) | Json::List(_) | Json::Object(_) => {
            notes.add(IssueCode::WrongType, path, format!("{kind} stands for the id; the question has none"));
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

fn read_query(value: Json, path: &Path, draft: &mut Draft, notes: &mut Notes) {
    if let Json::Text(text) = &value {
        return draft.add_query(QueryKind::Sparql, text, path, notes);
    }
    for (key, value) in value.into_entries(path, notes) {
        let here = path.key(&key);
        match query_kind(&plain_key(&key)) {
            Some(kind) => add_query(kind, value, &here, draft, notes),
            None => draft.keep_unknown(&key, &value, &here, notes),
        }
    }
}

/// A query of a known kind.
pub(crate) fn add_query(kind: QueryKind, value: Json, path: &Path, draft: &mut Draft, notes: &mut Notes) {
    add_query_in(kind, None, value, path, draft, notes);
}

/// A query of a known kind, of the question in one language.
pub(crate) fn add_query_in(
    kind: QueryKind,
    language: Option<&str>,
    value: Json,
    path: &Path,
    draft: &mut Draft,
    notes: &mut Notes,
) {
    match value {
        Json::Text(text) => draft.add_query_in(kind, language, &text, path, notes),
        Json::Null => notes.add(IssueCode::NullValue, path, "the query is null; it is left out"),
        other => {
            let message = format!("{} stands for a query; it is left out", other.kind());
            notes.add(IssueCode::WrongType, path, message);
        }
    }
}

fn read_item_types(value: Json, path: &Path, draft: &mut Draft, notes: &mut Notes) {
    if let Json::Text(text) = value {
        return draft.question.answer_item_types.push(text.into_owned());
    }
    for (index, item) in value.into_list(path, notes).into_iter().enumerate() {
        draft.question.answer_item_types.extend(item.into_text(&path.index(index), notes));
    }
}

fn read_flag(name: &str, value: Json, path: &Path, draft: &mut Draft, notes: &mut Notes) {
    // numbers are no texts in place of booleans: only the flag itself is odd then
    let kind = value.kind();
    match (value.into_scalar(), kind) {
        (Some(text), _) => draft.add_flag(name, text, path, notes),
        (None, "null") => notes.add(IssueCode::NullValue, path, "the flag is null; it is left out"),
        (None, kind) => {
            notes.add(IssueCode::WrongType, path, format!("{kind} stands for a flag; it is left out"));
        }
    }
}

/// The error of the system.
pub(crate) fn read_error(value: Json, path: &Path, draft: &mut Draft, notes: &mut Notes) {
    match value {
        // systems say so that there was none
        Json::Null | Json::Bool(false) => {}
        Json::List(_) | Json::Object(_) => {
            let message = format!("{} stands for the error text", value.kind());
            notes.add(IssueCode::WrongType, path, message);
            draft.set_error("error without text".to_owned(), path, notes);
        }
        scalar => draft.set_error(scalar.into_scalar().unwrap_or_default(), path, notes),
    }
}

/// The time of the system, in units of `10^shift` seconds.
pub(crate) fn read_time(value: Json, shift: i64, path: &Path, draft: &mut Draft, notes: &mut Notes) {
    let kind = value.kind();
    match value {
        Json::Null => notes.add(IssueCode::NullValue, path, "the time is null; it is left out"),
        Json::Text(_) | Json::Number(_) => {
            draft.set_time(&value.into_scalar().unwrap_or_default(), shift, path, notes);
        }
        _ => draft.set_time(kind, shift, path, notes),
    }
}

/// Reads a list of `{language, string, keywords}`; a text alone is a text in no language.
pub(crate) fn read_texts(value: Json, path: &Path, draft: &mut Draft, notes: &mut Notes) {
    if let Json::Text(text) = value {
        notes.add(
            IssueCode::WrongType,
            path,
            "a text stands for the list of texts; it is read_texts as the text",
        );
        return draft.add_text(None, text.into_owned());
    }
    for (index, item) in value.into_list(path, notes).into_iter().enumerate() {
        let path = path.index(index);
        match item {
            Json::Object(entries) => read_entry(unique(entries, &path, notes), &path, draft, notes),
            Json::Text(text) => {
                notes.add(
                    IssueCode::WrongType,
                    &path,
                    "a text stands for an object; it is read_texts as the text",
                );
                draft.add_text(None, text.into_owned());
            }
            other => drop(other.into_entries(&path, notes)),
        }
    }
    draft.settle_query_languages();
}

/// The text of one language.
fn read_entry(entries: Entries, path: &Path, draft: &mut Draft, notes: &mut Notes) {
    let language = find_language(&entries, path, notes);
    let language = language.as_deref();
    for (key, value) in entries {
        let here = path.key(&key);
        match plain_key(&key).as_ref() {
            "language" | "lang" => {}
            "string" | "question" | "text" => {
                if let Some(text) = value.into_text(&here, notes) {
                    draft.add_text(language, text);
                }
            }
            "keywords" => read_keywords(value, language, &here, draft, notes),
            "annotations" => read_annotations(value, &here, draft, notes),
            other => match query_kind(other) {
                Some(kind) => add_query_in(kind, language, value, &here, draft, notes),
                None => draft.keep_unknown(&key, &value, &here, notes),
            },
        }
    }
}

fn find_language(entries: &Entries, path: &Path, notes: &mut Notes) -> Option<String> {
    let (key, value) =
        entries.iter().find(|(key, _)| matches!(plain_key(key).as_ref(), "language" | "lang"))?;
    value.clone().into_text(&path.key(key), notes)
}

/// Keywords are one text; a list of texts is `read_texts` as several.
pub(crate) fn read_keywords(
    value: Json,
    language: Option<&str>,
    path: &Path,
    draft: &mut Draft,
    notes: &mut Notes,
) {
    if let Json::List(items) = value {
        notes.add(
            IssueCode::WrongType,
            path,
            "a list stands for the keywords; each item is read_texts as keywords",
        );
        for (index, item) in items.into_iter().enumerate() {
            if let Some(text) = item.into_text(&path.index(index), notes) {
                draft.add_keywords(language, text);
            }
        }
    } else if let Some(text) = value.into_text(path, notes) {
        draft.add_keywords(language, text);
    }
}

fn read_annotations(value: Json, path: &Path, draft: &mut Draft, notes: &mut Notes) {
    for (index, item) in value.into_list(path, notes).into_iter().enumerate() {
        let path = path.index(index);
        let mut annotation = Annotation::default();
        for (key, value) in item.into_entries(&path, notes) {
            let here = path.key(&key);
            match plain_key(&key).as_ref() {
                "char_begin" => annotation.begin = read_offset(value, &here, notes),
                "char_end" => annotation.end = read_offset(value, &here, notes),
                "uri" => annotation.iri = value.into_text(&here, notes).unwrap_or_default(),
                "type" => annotation.kind = value.into_text(&here, notes),
                _ => draft.keep_unknown(&key, &value, &here, notes),
            }
        }
        if annotation != Annotation::default() {
            draft.question.annotations.push(annotation);
        }
    }
}

/// An offset: a number, or a numeral as in the description of the format.
fn read_offset(value: Json, path: &Path, notes: &mut Notes) -> Option<String> {
    match value {
        Json::Number(number) => Some(number.to_string()),
        other => other.into_text(path, notes),
    }
}
