//! Answers as SPARQL results in JSON.

use indexmap::IndexSet;
use oxigraph::model::Term;
use serde_json::{Map, Value, json};

use crate::sources::document::{AnswerSet, AnswerState, Cell, CellKind, Question, Row};
use crate::sources::input::term;
use crate::sources::write::field::Field;
use crate::sources::write::json::{Dialect, is_numeral, number};
use crate::sources::write::loss::Losses;

/// The list of answer objects; nothing where the question has no place for answers.
pub(crate) fn answers(
    question: &Question,
    dialect: Dialect,
    is_marked: bool,
    losses: &mut Losses,
) -> Option<Value> {
    let sets = &question.answers.sets;
    if dialect == Dialect::Qald {
        losses.not_held(question, &[Field::Confidence]);
    }
    let is_there =
        !sets.is_empty() || matches!(question.answers.state, AnswerState::Empty | AnswerState::Unreadable);
    losses.tell_if(
        state(sets, is_marked, is_there) != question.answers.state,
        &[Field::State],
        Field::State.name(),
    );
    is_there.then(|| sets.iter().map(|set| object(set, dialect, losses)).collect())
}

/// The state that a reader finds.
pub(crate) fn state(sets: &[AnswerSet], is_marked: bool, is_there: bool) -> AnswerState {
    if sets.iter().any(|set| set.boolean.is_some() || !set.rows.is_empty()) {
        AnswerState::Given
    } else if is_marked {
        AnswerState::OutOfScope
    } else if is_there {
        AnswerState::Empty
    } else {
        AnswerState::Absent
    }
}

fn object(set: &AnswerSet, dialect: Dialect, losses: &mut Losses) -> Value {
    let mut object = Map::new();
    let head = if set.variables.is_empty() && !set.has_bindings {
        json!({})
    } else {
        json!({ "vars": variables(set) })
    };
    object.insert("head".to_owned(), head);
    if set.has_bindings || !set.rows.is_empty() {
        losses.tell_if(!set.has_bindings, &[Field::HasBindings], Field::HasBindings.name());
        let rows: Vec<Value> = set.rows.iter().map(|row| bindings(row, losses)).collect();
        object.insert("results".to_owned(), json!({ "bindings": rows }));
    }
    if let Some(value) = set.boolean {
        object.insert("boolean".to_owned(), Value::Bool(value));
    }
    if let Some(confidence) = set.confidence.as_deref().filter(|_| dialect == Dialect::Eqald) {
        losses.tell_if(!is_numeral(confidence), &[Field::Confidence], "confidences that are no numbers");
        object.insert("confidence".to_owned(), number(confidence));
    }
    Value::Object(object)
}

/// The variables of the head. Where the file has no head (flat XML), those of the rows: other programs look for them.
fn variables(set: &AnswerSet) -> Vec<&str> {
    if !set.variables.is_empty() {
        return set.variables.iter().map(String::as_str).collect();
    }
    let cells = set.rows.iter().flat_map(|row| &row.cells);
    cells.map(|cell| cell.variable.as_str()).collect::<IndexSet<_>>().into_iter().collect()
}

fn bindings(row: &Row, losses: &mut Losses) -> Value {
    let mut bindings = Map::new();
    for cell in &row.cells {
        let mut variable = cell.variable.clone();
        let mut number = 1;
        while bindings.contains_key(&variable) {
            number += 1;
            variable = format!("{}{number}", cell.variable);
            losses.tell(&[Field::Variable], "variables that a row has twice");
        }
        let in_quotes = variable.len() > 1 && variable.starts_with('"') && variable.ends_with('"');
        losses.tell_if(in_quotes, &[Field::Variable], "quotes around variables");
        bindings.insert(variable, binding(cell, losses));
    }
    Value::Object(bindings)
}

fn binding(cell: &Cell, losses: &mut Losses) -> Value {
    let mut binding = Map::new();
    let kind = match cell.kind {
        CellKind::Uri => "uri",
        CellKind::BlankNode => "bnode",
        // the standard has no term without a kind: what it is for all of this program
        CellKind::Unknown if matches!(term::of_cell(cell).term, Term::NamedNode(_)) => "uri",
        CellKind::Literal | CellKind::Unknown => "literal",
    };
    binding.insert("type".to_owned(), json!(kind));
    let datatype = cell.datatype.as_ref().map(|datatype| ("datatype".to_owned(), json!(datatype)));
    // GERBIL's loader looks at the order of these two
    let (before, behind) = if cell.datatype_first { (datatype, None) } else { (None, datatype) };
    losses.tell_if(
        cell.datatype_first && before.is_none(),
        &[Field::DatatypeFirst],
        "datatypes that are null and stand before the value",
    );
    binding.extend(cell.language.as_ref().map(|language| ("xml:lang".to_owned(), json!(language))));
    binding.extend(before);
    binding.insert("value".to_owned(), json!(cell.value));
    binding.extend(behind);
    Value::Object(binding)
}
