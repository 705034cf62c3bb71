//! Answers in QALD-XML: an element for each value, named after its type.

use std::io;

use crate::sources::document::{AnswerSet, AnswerState, Cell, CellKind, Question};
use crate::sources::write::field::Field;
use crate::sources::write::json::is_numeral;
use crate::sources::write::json_answers::state;
use crate::sources::write::qald_xml::Xml;

/// The names of elements that are literals.
const LITERALS: [&str; 4] = ["string", "number", "date", "boolean"];

/// Writes the answers of a question: an element for each answer object.
pub(crate) fn write(xml: &mut Xml, question: &Question) -> io::Result<()> {
    let sets = &question.answers.sets;
    let is_marked = question.answers.state == AnswerState::OutOfScope;
    let is_there = matches!(question.answers.state, AnswerState::Empty | AnswerState::Unreadable);
    let found = state(sets, is_marked, is_there || !sets.is_empty());
    xml.losses.tell_if(found != question.answers.state, &[Field::State], Field::State.name());
    xml.losses
        .not_held(question, &[Field::Variables, Field::Datatype, Field::CellLanguage, Field::DatatypeFirst]);
    if sets.is_empty() && is_there {
        xml.losses.tell(&[Field::Sets, Field::HasBindings], "answers without any object");
        return xml.empty("answers");
    }
    sets.iter().try_for_each(|set| write_set(xml, set))
}

fn write_set(xml: &mut Xml, set: &AnswerSet) -> io::Result<()> {
    let is_odd = !set.has_bindings && set.boolean.is_none();
    xml.losses.tell_if(is_odd, &[Field::HasBindings], Field::HasBindings.name());
    if let Some(confidence) = &set.confidence {
        xml.losses.tell_if(!is_numeral(confidence), &[Field::Confidence], "confidences that are no numbers");
    }
    let confidence = set.confidence.as_deref().map(|confidence| xml.clean(confidence, Field::Confidence));
    let attributes: Vec<(&str, &str)> =
        confidence.as_deref().map(|confidence| ("confidence", confidence)).into_iter().collect();
    xml.inside("answers", &attributes, |xml| {
        for row in &set.rows {
            match &row.cells[..] {
                [cell] if is_flat(cell) => write_cell(xml, "answer", cell)?,
                cells => xml.inside("answer", &[], |xml| {
                    cells.iter().try_for_each(|cell| write_cell(xml, element(cell), cell))
                })?,
            }
        }
        let Some(value) = set.boolean else { return Ok(()) };
        xml.losses.tell(&[Field::Boolean, Field::Rows, Field::HasBindings], "booleans that are no rows");
        let text = if value { "true" } else { "false" };
        xml.inside("answer", &[], |xml| xml.text("boolean", &[], text, Field::Boolean))
    })
}

/// Whether the answer is its own value. An empty one would be left out.
fn is_flat(cell: &Cell) -> bool {
    element(cell) == "answer" && !cell.value.trim().is_empty()
}

/// The element of a value: what it is called, if that says the kind, or the kind.
fn element(cell: &Cell) -> &'static str {
    match cell.kind {
        CellKind::Uri => "uri",
        CellKind::Literal => LITERALS
            .into_iter()
            .find(|name| *name == cell.variable)
            .unwrap_or_else(|| of_datatype(cell.datatype.as_deref().unwrap_or_default())),
        CellKind::BlankNode | CellKind::Unknown => "answer",
    }
}

fn of_datatype(datatype: &str) -> &'static str {
    let local = datatype.rsplit(['#', '/']).next().unwrap_or_default();
    match local {
        "boolean" => "boolean",
        "date" | "dateTime" | "gYear" | "gYearMonth" | "gMonthDay" => "date",
        "integer" | "int" | "long" | "short" | "byte" | "decimal" | "double" | "float"
        | "nonNegativeInteger" | "positiveInteger" | "negativeInteger" | "nonPositiveInteger"
        | "unsignedInt" | "unsignedLong" => "number",
        _ => "string",
    }
}

fn write_cell(xml: &mut Xml, name: &str, cell: &Cell) -> io::Result<()> {
    xml.losses.tell_if(cell.variable != name, &[Field::Variable], Field::Variable.name());
    xml.losses.tell_if(cell.kind == CellKind::BlankNode, &[Field::Kind], "that terms are blank nodes");
    xml.text(name, &[], &cell.value, Field::Value)
}
