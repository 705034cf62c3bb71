//! Rows and cells of SPARQL results in JSON.

use std::borrow::Cow;

use crate::base::issue::IssueCode;
use crate::sources::document::{AnswerSet, Cell, CellKind, Row};
use crate::sources::format::context::Context;
use crate::sources::format::json::value::{Entries, Json, unique};

/// Whether the head names the variables; eQALD and booleans do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Head {
    /// `head.vars` is there.
    Known,
    /// It is not.
    Unknown,
}

/// Reads a list of rows into a set.
pub(crate) fn read(items: Vec<Json>, head: Head, set: &mut AnswerSet, here: &mut Context) {
    set.rows.reserve(items.len());
    for (index, item) in items.into_iter().enumerate() {
        let here = &mut here.index(index);
        match item {
            Json::Object(entries) => read_row(unique(entries, here), head, set, here),
            Json::Null => here.note(IssueCode::NullValue, "a row is null; it is left out"),
            other => here.cannot_read(format!("{} stands for a row", other.kind())),
        }
    }
}

fn read_row(entries: Entries, head: Head, set: &mut AnswerSet, here: &mut Context) {
    if entries.is_empty() {
        return here.note(IssueCode::NullValue, "a row binds nothing; it is left out");
    }
    let mut cells = Vec::with_capacity(entries.len());
    for (key, value) in entries {
        let here = &mut here.key(&key);
        let variable = variable_name(&key, here);
        if head == Head::Known && !set.variables.iter().any(|known| known == variable || *known == key) {
            let message = format!("the head does not name the variable `{variable}`; its values are kept");
            here.note(IssueCode::UndeclaredVariable, message);
        }
        cells.extend(read_cell(variable, value, here));
    }
    if !cells.is_empty() {
        set.rows.push(Row { cells: cells.into() });
    }
}

/// The variable without quotes: some endpoints wrote `"callret-0"` with the quotes in the name.
fn variable_name<'k>(key: &'k str, here: &mut Context) -> &'k str {
    let inner = key.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let Some(name) = inner else { return key };
    let message = format!("the variable `{name}` stands in quotes; they are removed");
    here.note(IssueCode::QuotedVariable, message);
    name
}

fn read_cell(variable: &str, value: Json, here: &mut Context) -> Option<Cell> {
    let entries = match value {
        Json::Object(entries) => unique(entries, here),
        Json::Null => {
            here.note(IssueCode::NullValue, "a value is null; it is left out");
            return None;
        }
        Json::List(_) => {
            here.cannot_read("a list stands for a value");
            return None;
        }
        scalar => {
            let message = format!("{} stands for a typed value; it is used without type", scalar.kind());
            here.note(IssueCode::WrongType, message);
            let value = scalar.into_scalar().unwrap_or_default();
            let variable = variable.to_owned();
            return Some(Cell { variable, value, ..Cell::default() });
        }
    };
    read_typed(variable, entries, here)
}

/// A term as an object of its type and value.
pub(crate) fn read_typed(variable: &str, entries: Entries, here: &mut Context) -> Option<Cell> {
    let (mut word, mut found, mut datatype, mut language) = (None, None, None, None);
    let mut datatype_first = false;
    for (key, value) in entries {
        let here = &mut here.key(&key);
        match key.as_ref() {
            "type" => word = read_word(value, here),
            "value" => found = Some(value),
            "datatype" => {
                datatype_first = found.is_none();
                datatype = value.into_text(here);
            }
            "xml:lang" | "lang" => language = value.into_text(here),
            _ => here.keep_unknown("key", &key, &value),
        }
    }
    let value = read_value(found, &mut here.key("value"))?;
    let kind = kind_of(word.as_deref(), &mut here.key("type"));
    let variable = variable.to_owned();
    Some(Cell { variable, kind, value, datatype, language, datatype_first, ..Cell::default() })
}

/// The kind word. It is compared only, so it stays borrowed.
fn read_word<'a>(value: Json<'a>, here: &mut Context) -> Option<Cow<'a, str>> {
    match value {
        Json::Text(text) => Some(text),
        other => other.into_text(here).map(Cow::Owned),
    }
}

fn read_value(value: Option<Json>, here: &mut Context) -> Option<String> {
    match value {
        None => {
            here.cannot_read("a cell has no value; it is left out");
            None
        }
        Some(value @ (Json::List(_) | Json::Object(_))) => {
            here.cannot_read(format!("{} stands for a value; it is left out", value.kind()));
            None
        }
        Some(value) => value.into_text(here),
    }
}

fn kind_of(word: Option<&str>, here: &mut Context) -> CellKind {
    match word {
        Some("uri") => CellKind::Uri,
        Some("literal" | "typed-literal") => CellKind::Literal,
        Some("bnode") => CellKind::BlankNode,
        Some(word) => {
            let message = format!("`{word}` is no kind of term; the value is read for what it looks like");
            here.note_once(IssueCode::UnknownTermKind, message);
            CellKind::Unknown
        }
        None => {
            let message = "a value has no kind of term; it is read for what it looks like";
            here.note_once(IssueCode::UnknownTermKind, message);
            CellKind::Unknown
        }
    }
}
