//! Answers in JSON: SPARQL results and the shapes that real files have in their place.

use crate::base::issue::IssueCode;
use crate::sources::document::{AnswerSet, Cell, CellKind, Row};
use crate::sources::format::draft::{Draft, confidence, set_of};
use crate::sources::format::json::path::Path;
use crate::sources::format::json::rows;
use crate::sources::format::json::rows::Head;
use crate::sources::format::json::value::{Entries, Json, plain_key, unique};
use crate::sources::format::notes::Notes;

/// Keys of QALD-5 JSON and its like, `{"string": v}`: the whole answer is one value.
const VALUE_KEYS: [&str; 4] = ["string", "uri", "number", "date"];

/// Reads the value of `answers`: a list of answer objects, one answer object, or a text that holds either.
pub(crate) fn read(value: Json, path: &Path, draft: &mut Draft, notes: &mut Notes) {
    draft.has_answers = true;
    if let Json::Text(text) = &value {
        return read_text(text, path, draft, notes);
    }
    read_parsed(value, path, draft, notes);
}

fn read_parsed(value: Json, path: &Path, draft: &mut Draft, notes: &mut Notes) {
    let mut plain = Vec::new();
    match value {
        Json::Null => notes.add(IssueCode::NullValue, path, "the answers are null; they are read as none"),
        Json::List(items) => {
            for (index, item) in items.into_iter().enumerate() {
                read_item(item, &path.index(index), &mut plain, draft, notes);
            }
        }
        other => read_item(other, path, &mut plain, draft, notes),
    }
    draft.question.answers.sets.extend(set_of(plain));
}

/// Answers as a text: JSON in JSON (seen in GERBIL's tests), or the answer itself.
fn read_text(text: &str, path: &Path, draft: &mut Draft, notes: &mut Notes) {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return notes.add(
            IssueCode::WrongType,
            path,
            "an empty text stands for the answers; it is read as none",
        );
    }
    match Json::parse(trimmed) {
        Ok(value @ (Json::List(_) | Json::Object(_))) => {
            notes.add(
                IssueCode::WrongType,
                path,
                "the answers are a text that holds JSON; its content is read",
            );
            read_parsed(value, path, draft, notes);
        }
        Err(error) if trimmed.starts_with(['{', '[']) => {
            draft.cannot_read(
                path,
                notes,
                format!("the answers are a text that looks like JSON but is none: {error}"),
            );
        }
        _ => read_parsed(Json::Text(text.into()), path, draft, notes),
    }
}

/// One item of the list of answers.
fn read_item(item: Json, path: &Path, plain: &mut Vec<Row>, draft: &mut Draft, notes: &mut Notes) {
    match item {
        Json::Object(entries) => read_object(unique(entries, path, notes), path, plain, draft, notes),
        Json::Null => notes.add(IssueCode::NullValue, path, "an answer is null; it is left out"),
        Json::Bool(value) => {
            notes.add(
                IssueCode::WrongType,
                path,
                "a boolean stands for an answer object; it is read as the boolean",
            );
            draft.add_set(AnswerSet { boolean: Some(value), ..AnswerSet::default() });
        }
        Json::List(_) => draft.cannot_read(path, notes, "a list stands for an answer object"),
        value @ (Json::Text(_) | Json::Number(_)) => {
            let message = format!("{} stands for an answer object; it is read as the answer", value.kind());
            notes.add(IssueCode::WrongType, path, message);
            plain.extend(value.into_scalar().map(|text| one_cell("answer", CellKind::Unknown, text)));
        }
    }
}

fn one_cell(variable: &str, kind: CellKind, value: String) -> Row {
    let cell = Cell {
        variable: variable.to_owned(),
        kind,
        value,
        datatype: None,
        language: None,
        datatype_first: false,
    };
    Row { cells: vec![cell] }
}

fn read_object(entries: Entries, path: &Path, plain: &mut Vec<Row>, draft: &mut Draft, notes: &mut Notes) {
    match shape(&entries) {
        Shape::Value => {
            for (key, value) in entries {
                let kind = if key == "uri" { CellKind::Uri } else { CellKind::Unknown };
                let text = value.into_text(&path.key(&key), notes);
                plain.extend(text.map(|text| one_cell(&key, kind, text)));
            }
        }
        Shape::Row => {
            notes.add(IssueCode::WrongType, path, "a row stands for an answer object; it is read as a row");
            let mut set = AnswerSet::default();
            let row = vec![Json::Object(entries)];
            rows::read(row, path, Head::Unknown, &mut set, draft, notes);
            plain.append(&mut set.rows);
        }
        Shape::Results => read_results(entries, path, draft, notes),
    }
}

enum Shape {
    /// `{"string": v}`
    Value,
    /// `{"uri": {"type": …, "value": …}}`
    Row,
    /// SPARQL results, or unknown.
    Results,
}

fn shape(entries: &Entries) -> Shape {
    let is_cell =
        |value: &Json| matches!(value, Json::Object(cell) if cell.iter().any(|(key, _)| key == "value"));
    let is_value = |key: &str, value: &Json| {
        VALUE_KEYS.contains(&key) && !matches!(value, Json::List(_) | Json::Object(_))
    };
    if entries.is_empty() {
        Shape::Results
    } else if entries.iter().all(|(key, value)| is_value(key, value)) {
        Shape::Value
    } else if entries.iter().all(|(_, value)| is_cell(value)) {
        Shape::Row
    } else {
        Shape::Results
    }
}

/// A SPARQL results object; eQALD leaves out `head` and the level `results`.
fn read_results(mut entries: Entries, path: &Path, draft: &mut Draft, notes: &mut Notes) {
    let mut set = AnswerSet::default();
    let mut head = Head::Unknown;
    if let Some(at) = entries.iter().position(|(key, _)| key == "head") {
        let (_, value) = entries.remove(at);
        head = read_head(value, &path.key("head"), &mut set, draft, notes);
    }
    for (key, value) in entries {
        let here = path.key(&key);
        match plain_key(&key).as_ref() {
            "results" => read_bindings_of(value, &here, head, &mut set, draft, notes),
            "bindings" => read_bindings(value, &here, head, &mut set, draft, notes),
            "boolean" => set.boolean = read_boolean(value, &here, draft, notes),
            "confidence" => set.confidence = read_confidence(value, &here, notes),
            "link" => {}
            _ => draft.keep_unknown(&key, &value, &here, notes),
        }
    }
    draft.add_set(set);
}

fn read_head(value: Json, path: &Path, set: &mut AnswerSet, draft: &mut Draft, notes: &mut Notes) -> Head {
    let mut head = Head::Unknown;
    for (key, value) in value.into_entries(path, notes) {
        let here = path.key(&key);
        match key.as_ref() {
            "vars" => {
                let names = value.into_list(&here, notes).into_iter().enumerate();
                set.variables = names.filter_map(|(i, name)| name.into_text(&here.index(i), notes)).collect();
                head = Head::Known;
            }
            "link" => {}
            _ => draft.keep_unknown(&key, &value, &here, notes),
        }
    }
    head
}

fn read_bindings_of(
    value: Json,
    path: &Path,
    head: Head,
    set: &mut AnswerSet,
    draft: &mut Draft,
    notes: &mut Notes,
) {
    if let Json::List(_) = value {
        notes.add(IssueCode::WrongType, path, "the results are a list; it is read as their bindings");
        return read_bindings(value, path, head, set, draft, notes);
    }
    if !matches!(value, Json::Object(_) | Json::Null) {
        return draft.cannot_read(path, notes, format!("{} stands for the results", value.kind()));
    }
    for (key, value) in value.into_entries(path, notes) {
        let here = path.key(&key);
        match key.as_ref() {
            "bindings" => read_bindings(value, &here, head, set, draft, notes),
            // the working drafts of the results format had these two
            "distinct" | "ordered" => {}
            _ => draft.keep_unknown(&key, &value, &here, notes),
        }
    }
}

/// A list of rows.
pub(crate) fn read_bindings(
    value: Json,
    path: &Path,
    head: Head,
    set: &mut AnswerSet,
    draft: &mut Draft,
    notes: &mut Notes,
) {
    set.has_bindings = true;
    match value {
        Json::List(_) | Json::Object(_) | Json::Null => {
            let rows = value.into_list(path, notes);
            rows::read(rows, path, head, set, draft, notes);
        }
        other => draft.cannot_read(path, notes, format!("{} stands for the rows", other.kind())),
    }
}

fn read_boolean(value: Json, path: &Path, draft: &mut Draft, notes: &mut Notes) -> Option<bool> {
    let text = match value {
        Json::Bool(value) => return Some(value),
        Json::Null => {
            notes.add(IssueCode::NullValue, path, "the boolean is null; it is left out");
            return None;
        }
        Json::Text(text) => text,
        other => {
            draft.cannot_read(path, notes, format!("{} stands for the boolean", other.kind()));
            return None;
        }
    };
    let known = ["true", "false"].into_iter().find(|word| text.trim().eq_ignore_ascii_case(word));
    match known {
        Some(word) => {
            notes.add(IssueCode::WrongType, path, format!("the boolean is a text; it is read as {word}"));
        }
        None => draft.cannot_read(path, notes, format!("the boolean is the text `{text}`")),
    }
    known.map(|word| word == "true")
}

fn read_confidence(value: Json, path: &Path, notes: &mut Notes) -> Option<String> {
    if let Json::Null = value {
        notes.add(IssueCode::NullValue, path, "the confidence is null; it is left out");
        return None;
    }
    let kind = value.kind();
    confidence(&value.into_scalar().unwrap_or_else(|| kind.to_owned()), path, notes)
}
