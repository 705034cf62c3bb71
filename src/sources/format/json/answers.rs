//! Answers in JSON: SPARQL results and the shapes that real files have in their place.

use crate::base::issue::IssueCode;
use crate::sources::document::{AnswerSet, Cell, CellKind, Row};
use crate::sources::format::context::Context;
use crate::sources::format::json::rows;
use crate::sources::format::json::rows::Head;
use crate::sources::format::json::value::{Entries, Json, plain_key, unique};

/// Keys of QALD-5 JSON and its like, `{"string": v}`: the whole answer is one value.
const VALUE_KEYS: [&str; 4] = ["string", "uri", "number", "date"];

/// Reads the value of `answers`: a list of answer objects, one answer object, or a text that holds either.
pub(crate) fn read(value: Json, here: &mut Context) {
    here.draft.has_answers = true;
    if let Json::Text(text) = &value {
        return read_text(text, here);
    }
    read_parsed(value, here);
}

fn read_parsed(value: Json, here: &mut Context) {
    let mut plain = Vec::new();
    match value {
        Json::Null => here.note(IssueCode::NullValue, "the answers are null; they are read as none"),
        Json::List(items) => {
            for (index, item) in items.into_iter().enumerate() {
                read_item(item, &mut plain, &mut here.index(index));
            }
        }
        other => read_item(other, &mut plain, here),
    }
    here.draft.add_rows(plain);
}

/// Answers as a text: JSON in JSON (seen in GERBIL's tests), or the answer itself.
fn read_text(text: &str, here: &mut Context) {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return here.note(IssueCode::WrongType, "an empty text stands for the answers; it is read as none");
    }
    match Json::parse(trimmed) {
        Ok(value @ (Json::List(_) | Json::Object(_))) => {
            here.note(IssueCode::WrongType, "the answers are a text that holds JSON; its content is read");
            read_parsed(value, here);
        }
        Err(error) if trimmed.starts_with(['{', '[']) => {
            here.cannot_read(format!("the answers are a text that looks like JSON but is none: {error}"));
        }
        _ => read_parsed(Json::Text(text.into()), here),
    }
}

/// One item of the list of answers.
fn read_item(item: Json, plain: &mut Vec<Row>, here: &mut Context) {
    match item {
        Json::Object(entries) => read_object(unique(entries, here), plain, here),
        Json::Null => here.note(IssueCode::NullValue, "an answer is null; it is left out"),
        Json::Bool(value) => {
            here.note(
                IssueCode::WrongType,
                "a boolean stands for an answer object; it is read as the boolean",
            );
            here.draft.add_boolean(value);
        }
        Json::List(_) | Json::Unread(..) => {
            here.cannot_read(format!("{} stands for an answer object", item.kind()));
        }
        value @ (Json::Text(_) | Json::Number(_)) => {
            let message = format!("{} stands for an answer object; it is read as the answer", value.kind());
            here.note(IssueCode::WrongType, message);
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
        ..Cell::default()
    };
    Row { cells: [cell].into() }
}

fn read_object(entries: Entries, plain: &mut Vec<Row>, here: &mut Context) {
    match shape(&entries) {
        Shape::Value => {
            for (key, value) in entries {
                let kind = if key == "uri" { CellKind::Uri } else { CellKind::Unknown };
                let text = value.into_text(&mut here.key(&key));
                plain.extend(text.map(|text| one_cell(&key, kind, text)));
            }
        }
        Shape::Row => {
            here.note(IssueCode::WrongType, "a row stands for an answer object; it is read as a row");
            let mut set = AnswerSet::default();
            let row = vec![Json::Object(entries)];
            rows::read(row, Head::Unknown, &mut set, here);
            plain.append(&mut set.rows);
        }
        Shape::Results => read_results(entries, here),
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
fn read_results(mut entries: Entries, here: &mut Context) {
    let mut set = AnswerSet::default();
    let mut head = Head::Unknown;
    // An object without anything says that there is nothing, and so does one that only says how sure that is.
    let (mut has_place, mut is_foreign) = (entries.is_empty(), false);
    if let Some(at) = entries.iter().position(|(key, _)| key == "head") {
        let (_, value) = entries.remove(at);
        head = read_head(value, &mut set, &mut here.key("head"));
    }
    for (key, value) in entries {
        let inner = &mut here.key(&key);
        has_place |= matches!(plain_key(&key).as_ref(), "results" | "bindings" | "boolean" | "confidence");
        match plain_key(&key).as_ref() {
            "results" => read_bindings_of(value, head, &mut set, inner),
            "bindings" => read_bindings(value, head, &mut set, inner),
            "boolean" => set.boolean = read_boolean(value, inner),
            "confidence" => set.confidence = read_confidence(value, inner),
            "link" => {}
            _ => {
                is_foreign = true;
                inner.keep_unknown("key", &key, &value);
            }
        }
    }
    let is_nothing = !set.has_bindings && set.boolean.is_none() && !here.draft.unreadable;
    if is_nothing && (is_foreign || !has_place) {
        here.cannot_read("the answer object has neither rows nor a boolean");
    }
    here.draft.add_set(set);
}

fn read_head(value: Json, set: &mut AnswerSet, here: &mut Context) -> Head {
    let mut head = Head::Unknown;
    for (key, value) in value.into_entries(here) {
        let inner = &mut here.key(&key);
        match key.as_ref() {
            "vars" => {
                let names = value.into_list(inner).into_iter().enumerate();
                set.variables = names.filter_map(|(i, name)| name.into_text(&mut inner.index(i))).collect();
                head = Head::Known;
            }
            "link" => {}
            _ => inner.keep_unknown("key", &key, &value),
        }
    }
    head
}

fn read_bindings_of(value: Json, head: Head, set: &mut AnswerSet, here: &mut Context) {
    if let Json::List(_) = value {
        here.note(IssueCode::WrongType, "the results are a list; it is read as their bindings");
        return read_bindings(value, head, set, here);
    }
    if !matches!(value, Json::Object(_) | Json::Null) {
        return here.cannot_read(format!("{} stands for the results", value.kind()));
    }
    let mut is_foreign = false;
    for (key, value) in value.into_entries(here) {
        let inner = &mut here.key(&key);
        match key.as_ref() {
            "bindings" => read_bindings(value, head, set, inner),
            // the working drafts of the results format had these two
            "distinct" | "ordered" => {}
            _ => {
                is_foreign = true;
                inner.keep_unknown("key", &key, &value);
            }
        }
    }
    if is_foreign && !set.has_bindings {
        here.cannot_read("the results have no rows, and something else in their place");
    }
}

/// A list of rows.
pub(crate) fn read_bindings(value: Json, head: Head, set: &mut AnswerSet, here: &mut Context) {
    set.has_bindings = true;
    match value {
        Json::List(_) | Json::Object(_) | Json::Null => {
            let rows = value.into_list(here);
            rows::read(rows, head, set, here);
        }
        other => here.cannot_read(format!("{} stands for the rows", other.kind())),
    }
}

fn read_boolean(value: Json, here: &mut Context) -> Option<bool> {
    let text = match value {
        Json::Bool(value) => return Some(value),
        Json::Null => {
            here.note(IssueCode::NullValue, "the boolean is null; it is left out");
            return None;
        }
        Json::Text(text) => text,
        other => {
            here.cannot_read(format!("{} stands for the boolean", other.kind()));
            return None;
        }
    };
    let known = ["true", "false"].into_iter().find(|word| text.trim().eq_ignore_ascii_case(word));
    match known {
        Some(word) => {
            here.note(IssueCode::WrongType, format!("the boolean is a text; it is read as {word}"));
        }
        None => here.cannot_read(format!("the boolean is the text `{text}`")),
    }
    known.map(|word| word == "true")
}

fn read_confidence(value: Json, here: &mut Context) -> Option<String> {
    if let Json::Null = value {
        here.note(IssueCode::NullValue, "the confidence is null; it is left out");
        return None;
    }
    let kind = value.kind();
    here.confidence(&value.into_scalar().unwrap_or_else(|| kind.to_owned()))
}
