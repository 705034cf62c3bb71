//! Rows and cells of SPARQL results in JSON.

use std::borrow::Cow;

use crate::base::issue::IssueCode;
use crate::sources::document::{AnswerSet, Cell, CellKind, Row};
use crate::sources::format::draft::Draft;
use crate::sources::format::json::path::Path;
use crate::sources::format::json::value::{Entries, Json, unique};
use crate::sources::format::notes::Notes;

/// Whether the head names the variables; eQALD and booleans do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Head {
    /// `head.vars` is there.
    Known,
    /// It is not.
    Unknown,
}

/// Reads a list of rows into a set.
pub(crate) fn read(
    items: Vec<Json>,
    path: &Path,
    head: Head,
    set: &mut AnswerSet,
    draft: &mut Draft,
    notes: &mut Notes,
) {
    set.rows.reserve(items.len());
    for (index, item) in items.into_iter().enumerate() {
        let path = path.index(index);
        match item {
            Json::Object(entries) => read_row(unique(entries, &path, notes), &path, head, set, draft, notes),
            Json::Null => notes.add(IssueCode::NullValue, &path, "a row is null; it is left out"),
            other => draft.cannot_read(&path, notes, format!("{} stands for a row", other.kind())),
        }
    }
}

fn read_row(
    entries: Entries,
    path: &Path,
    head: Head,
    set: &mut AnswerSet,
    draft: &mut Draft,
    notes: &mut Notes,
) {
    if entries.is_empty() {
        return notes.add(IssueCode::NullValue, path, "a row binds nothing; it is left out");
    }
    let mut cells = Vec::with_capacity(entries.len());
    for (key, value) in entries {
        let path = path.key(&key);
        let variable = variable_name(&key, &path, notes);
        if head == Head::Known && !set.variables.iter().any(|known| known == variable || *known == key) {
            let message = format!("the head does not name the variable `{variable}`; its values are kept");
            notes.add(IssueCode::UndeclaredVariable, &path, message);
        }
        cells.extend(read_cell(variable, value, &path, draft, notes));
    }
    if !cells.is_empty() {
        set.rows.push(Row { cells });
    }
}

/// The variable without quotes: some endpoints wrote `"callret-0"` with the quotes in the name.
fn variable_name<'k>(key: &'k str, path: &Path, notes: &mut Notes) -> &'k str {
    let inner = key.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let Some(name) = inner else { return key };
    let message = format!("the variable `{name}` stands in quotes; they are removed");
    notes.add(IssueCode::QuotedVariable, path, message);
    name
}

fn read_cell(variable: &str, value: Json, path: &Path, draft: &mut Draft, notes: &mut Notes) -> Option<Cell> {
    let entries = match value {
        Json::Object(entries) => unique(entries, path, notes),
        Json::Null => {
            notes.add(IssueCode::NullValue, path, "a value is null; it is left out");
            return None;
        }
        Json::List(_) => {
            draft.cannot_read(path, notes, "a list stands for a value");
            return None;
        }
        scalar => {
            let message = format!("{} stands for a typed value; it is used without type", scalar.kind());
            notes.add(IssueCode::WrongType, path, message);
            let value = scalar.into_scalar().unwrap_or_default();
            let variable = variable.to_owned();
            return Some(Cell { variable, value, ..Cell::default() });
        }
    };
    read_typed(variable, entries, path, draft, notes)
}

fn read_typed(
    variable: &str,
    entries: Entries,
    path: &Path,
    draft: &mut Draft,
    notes: &mut Notes,
) -> Option<Cell> {
    let (mut word, mut found, mut datatype, mut language) = (None, None, None, None);
    let mut datatype_first = false;
    for (key, value) in entries {
        let path = path.key(&key);
        match key.as_ref() {
            "type" => word = read_word(value, &path, notes),
            "value" => found = Some(value),
            "datatype" => {
                datatype_first = found.is_none();
                datatype = value.into_text(&path, notes);
            }
            "xml:lang" | "lang" => language = value.into_text(&path, notes),
            _ => draft.keep_unknown(&key, &value, &path, notes),
        }
    }
    let value = read_value(found, &path.key("value"), draft, notes)?;
    let kind = kind_of(word.as_deref(), &path.key("type"), notes);
    Some(Cell { variable: variable.to_owned(), kind, value, datatype, language, datatype_first })
}

/// The kind word. It is compared only, so it stays borrowed.
fn read_word<'a>(value: Json<'a>, path: &Path, notes: &mut Notes) -> Option<Cow<'a, str>> {
    match value {
        Json::Text(text) => Some(text),
        other => other.into_text(path, notes).map(Cow::Owned),
    }
}

fn read_value(value: Option<Json>, path: &Path, draft: &mut Draft, notes: &mut Notes) -> Option<String> {
    match value {
        None => {
            draft.cannot_read(path, notes, "a cell has no value; it is left out");
            None
        }
        Some(value @ (Json::List(_) | Json::Object(_))) => {
            draft.cannot_read(path, notes, format!("{} stands for a value; it is left out", value.kind()));
            None
        }
        Some(value) => value.into_text(path, notes),
    }
}

fn kind_of(word: Option<&str>, path: &Path, notes: &mut Notes) -> CellKind {
    match word {
        Some("uri") => CellKind::Uri,
        Some("literal" | "typed-literal") => CellKind::Literal,
        Some("bnode") => CellKind::BlankNode,
        Some(word) => {
            let message = format!("`{word}` is no kind of term; the value is read for what it looks like");
            notes.add_once(IssueCode::UnknownTermKind, path, message);
            CellKind::Unknown
        }
        None => {
            let message = "a value has no kind of term; it is read for what it looks like";
            notes.add_once(IssueCode::UnknownTermKind, path, message);
            CellKind::Unknown
        }
    }
}
