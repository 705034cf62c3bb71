//! The texts of a question in JSON: one entry per language, with what else stands there.

use crate::base::issue::IssueCode;
use crate::sources::document::Annotation;
use crate::sources::format::draft::Draft;
use crate::sources::format::json::fields::{add_query_in, query_kind};
use crate::sources::format::json::path::Path;
use crate::sources::format::json::value::{Entries, Json, plain_key, unique};
use crate::sources::format::notes::Notes;

/// Reads a list of `{language, string, keywords}`; a text alone is a text in no language.
pub(crate) fn read(value: Json, path: &Path, draft: &mut Draft, notes: &mut Notes) {
    if let Json::Text(text) = value {
        notes.add(IssueCode::WrongType, path, "a text stands for the list of texts; it is read as the text");
        return draft.add_text(None, text.into_owned());
    }
    for (index, item) in value.into_list(path, notes).into_iter().enumerate() {
        let path = path.index(index);
        match item {
            Json::Object(entries) => read_entry(unique(entries, &path, notes), &path, draft, notes),
            Json::Text(text) => {
                notes.add(IssueCode::WrongType, &path, "a text stands for an object; it is read as the text");
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

/// Keywords are one text; a list of texts is read as several.
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
            "a list stands for the keywords; each item is read as keywords",
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
