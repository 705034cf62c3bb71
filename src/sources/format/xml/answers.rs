//! Answers in QALD-XML: typed children, flat text, tuples named after variables.

use crate::base::issue::IssueCode;
use crate::sources::document::{AnswerSet, Cell, CellKind, Row};
use crate::sources::format::draft::{Draft, confidence};
use crate::sources::format::notes::Notes;
use crate::sources::format::xml::element::{Element, Node};
use crate::sources::format::xml::qald::{Path, keep_attribute, keep_element, keep_text};

/// Reads one `answers` element.
pub(crate) fn read(element: &Element, path: &Path, draft: &mut Draft, notes: &mut Notes) {
    draft.has_answers = true;
    let mut set = AnswerSet { has_bindings: true, ..AnswerSet::default() };
    for (name, value) in &element.attributes {
        match name.as_ref() {
            "confidence" => set.confidence = confidence(value, &path.child(name), notes),
            _ => keep_attribute(name, value, path, draft, notes),
        }
    }
    let mut index = 0;
    for node in &element.nodes {
        match node {
            Node::Element(answer) => {
                read_answer(answer, &path.item(&answer.name, index), &mut set, draft, notes);
                index += 1;
            }
            Node::Text(text) => {
                if !text.trim().is_empty() {
                    draft.cannot_read(path, notes, "text stands beside the answers; it is not used");
                    draft.keep(path.child("text()").in_question(), text.trim().to_owned());
                }
            }
            Node::Comment => comment(path, notes),
        }
    }
    draft.add_set(set);
}

fn comment(path: &Path, notes: &mut Notes) {
    let message = "a comment stands inside the answers; its content does not count";
    notes.add(IssueCode::CommentInAnswers, path, message);
}

fn read_answer(element: &Element, path: &Path, set: &mut AnswerSet, draft: &mut Draft, notes: &mut Notes) {
    if element.name != "answer" {
        let message = format!("`<{}>` stands outside of `<answer>`; it is read as an answer", element.name);
        notes.add(IssueCode::WrongType, path, message);
        set.rows.push(Row { cells: vec![read_cell(element, path, draft, notes)] });
        return;
    }
    let row = if element.elements().next().is_some() {
        read_tuple(element, path, draft, notes)
    } else {
        read_flat(element, path, draft, notes)
    };
    set.rows.extend(row);
}

fn read_tuple(element: &Element, path: &Path, draft: &mut Draft, notes: &mut Notes) -> Option<Row> {
    let mut cells = Vec::with_capacity(element.nodes.len());
    keep_attributes(element, &[], path, draft, notes);
    for node in &element.nodes {
        match node {
            Node::Element(cell) => cells.push(read_cell(cell, &path.child(&cell.name), draft, notes)),
            Node::Text(text) => keep_text(text, path, draft, notes),
            Node::Comment => comment(path, notes),
        }
    }
    (!cells.is_empty()).then_some(Row { cells })
}

/// An answer that is its own value (QALD-5 and later).
fn read_flat(element: &Element, path: &Path, draft: &mut Draft, notes: &mut Notes) -> Option<Row> {
    let cell = read_cell(element, path, draft, notes);
    if cell.value.is_empty() {
        notes.add(IssueCode::NullValue, path, "an answer is empty; it is left out");
        return None;
    }
    Some(Row { cells: vec![cell] })
}

/// A value. Its kind is what its element or its own `answerType` says, never the question's answer type.
fn read_cell(element: &Element, path: &Path, draft: &mut Draft, notes: &mut Notes) -> Cell {
    keep_attributes(element, &["answerType"], path, draft, notes);
    for node in &element.nodes {
        match node {
            Node::Element(inner) => keep_element(inner, &path.child(&inner.name), draft, notes),
            Node::Comment => comment(path, notes),
            Node::Text(_) => {}
        }
    }
    let word = element.attribute("answerType").unwrap_or(&element.name);
    let (variable, kind) = (element.name.to_string(), kind_of(word));
    Cell { variable, kind, value: element.text(), ..Cell::default() }
}

fn keep_attributes(element: &Element, known: &[&str], path: &Path, draft: &mut Draft, notes: &mut Notes) {
    for (name, value) in element.attributes.iter().filter(|(name, _)| !known.contains(&name.as_ref())) {
        keep_attribute(name, value, path, draft, notes);
    }
}

/// `answerType` of qbench has more words than QALD has elements.
fn kind_of(word: &str) -> CellKind {
    match word {
        "uri" => CellKind::Uri,
        "string" | "number" | "date" | "boolean" | "datetime" | "year" => CellKind::Literal,
        _ => CellKind::Unknown,
    }
}
