//! What the answers of a question are as RDF: items, status, type.

use std::collections::HashSet;

use oxigraph::model::Term;
use rustc_hash::FxBuildHasher;

use crate::base::vocab::qassay;
use crate::sources::document::{AnswerState, Cell, Question};
use crate::sources::input::term;
use crate::sources::input::term::CellTerm;

/// One item of an answer: a cell of a row, or the boolean.
#[derive(Debug, Clone)]
pub struct Item<'a> {
    /// Position among the items of the answer, from 1.
    pub number: usize,
    /// Position of its row among all rows of the answer, from 1.
    pub row: usize,
    /// The cell; none for a boolean.
    pub cell: Option<&'a Cell>,
    /// The term and what it cannot say.
    pub term: CellTerm,
    /// Whether it belongs to the answer set. A boolean beside rows does not.
    pub counts: bool,
    /// The confidence of its answer object, as written.
    pub confidence: Option<&'a str>,
    /// Whether a plain term cannot say all of it.
    pub needs_node: bool,
}

/// The items of a question's answers in file order.
///
/// The answer set is made of the cells of all rows. A boolean counts where the answers have no row.
pub fn items(question: &Question) -> Vec<Item<'_>> {
    let sets = &question.answers.sets;
    let has_rows = sets.iter().any(|set| !set.rows.is_empty());
    let several = sets.len() > 1;
    let mut items = Vec::with_capacity(sets.iter().map(|set| set.rows.len() + 1).sum());
    let mut row_number = 0;
    for set in sets {
        let confidence = set.confidence.as_deref();
        let special = several || confidence.is_some();
        for row in &set.rows {
            row_number += 1;
            for cell in &row.cells {
                let term = term::of_cell(cell);
                let needs_node = special || row.cells.len() > 1 || term.loses.is_some();
                let number = items.len() + 1;
                items.push(Item {
                    number,
                    row: row_number,
                    cell: Some(cell),
                    term,
                    counts: true,
                    confidence,
                    needs_node,
                });
            }
        }
        if let Some(value) = set.boolean {
            row_number += 1;
            let term = CellTerm { term: term::of_boolean(value), loses: None };
            let number = items.len() + 1;
            let needs_node = special || has_rows;
            items.push(Item {
                number,
                row: row_number,
                cell: None,
                term,
                counts: !has_rows,
                confidence,
                needs_node,
            });
        }
    }
    items
}

/// How a submission answered a question: the concept of `code:answerStatus`.
pub fn answer_status(question: &Question) -> &'static str {
    // Answers that are there count, also beside an error.
    if question.answers.state == AnswerState::Given {
        "status-ok"
    } else if question.error.is_some() || question.answers.state == AnswerState::Unreadable {
        "status-error"
    } else {
        "status-empty"
    }
}

/// The answer type of a gold question as a concept of `code:answerType`, without `type-`; none where it is no such word.
pub fn answer_type(question: &Question) -> Option<&'static str> {
    let written = question.answer_type.as_deref()?.trim().to_ascii_lowercase();
    match written.as_str() {
        "resource" | "uri" | "list" | "listofresource" => Some("resource"),
        "date" => Some("date"),
        "number" | "num" => Some("number"),
        "string" => Some("string"),
        "boolean" => Some("boolean"),
        _ => None,
    }
}

/// A flag of a gold question as a property and its value; nothing where either is another word.
pub fn flag(name: &str, value: &str) -> Option<(&'static str, bool)> {
    let property = match name {
        "aggregation" => qassay::AGGREGATION,
        "onlydbo" => qassay::ONLYDBO,
        "hybrid" => qassay::HYBRID,
        _ => return None,
    };
    match value.trim().to_ascii_lowercase().as_str() {
        "true" => Some((property, true)),
        "false" => Some((property, false)),
        _ => None,
    }
}

/// The answer type that the answers of a question have, as [`answer_type`]; none where there are none, or several.
///
/// A number or a date in an untyped literal counts: most files do not write datatypes.
pub fn inferred_type(question: &Question) -> Option<&'static str> {
    let sets = &question.answers.sets;
    let mut types = sets.iter().flat_map(|set| &set.rows).flat_map(|row| &row.cells).map(type_of_cell);
    let Some(first) = types.next() else {
        return sets.iter().any(|set| set.boolean.is_some()).then_some("boolean");
    };
    types.all(|other| other == first).then_some(first)
}

/// The answer type that one cell has. A number or a date in an untyped literal counts.
pub fn type_of_cell(cell: &Cell) -> &'static str {
    let term = term::of_cell(cell).term;
    let Term::Literal(literal) = &term else { return "resource" };
    let text = literal.value().trim();
    let datatype = literal.datatype();
    let datatype = datatype.as_str();
    let is_numeral = || crate::measures::fraction::Fraction::parse(text).is_some();
    let is_day = || text.get(..10).is_some_and(|day| day.parse::<oxsdatatypes::Date>().is_ok());
    match datatype.strip_prefix(crate::base::vocab::xsd::NAMESPACE) {
        Some("boolean") => "boolean",
        Some("date" | "dateTime" | "gYear" | "gYearMonth" | "time") => "date",
        Some("string") if literal.language().is_none() => match text {
            "true" | "false" => "boolean",
            _ if is_numeral() => "number",
            _ if is_day() => "date",
            _ => "string",
        },
        Some("decimal" | "double" | "float") => "number",
        Some(name)
            if name.ends_with("nteger")
                || name.ends_with("nt")
                || name.ends_with("ong")
                || name.ends_with("hort")
                || name.ends_with("yte") =>
        {
            "number"
        }
        _ if is_numeral() && literal.language().is_none() => "number",
        _ => "string",
    }
}

/// The terms of an answer set, each once, in the order of their first occurrence.
pub fn answer_terms(question: &Question) -> Vec<Term> {
    let items = items(question);
    let mut seen = HashSet::with_capacity_and_hasher(items.len(), FxBuildHasher);
    let first: Vec<bool> = items.iter().map(|item| item.counts && seen.insert(&item.term.term)).collect();
    items.into_iter().zip(first).filter(|(_, first)| *first).map(|(item, _)| item.term.term).collect()
}
