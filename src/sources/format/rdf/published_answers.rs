//! The answers of a published graph: plain terms, and items that say more than their term.

use std::collections::BTreeSet;

use crate::base::vocab::xsd;
use crate::sources::document::{AnswerSet, Cell, CellKind, Row, Text};
use crate::sources::format::rdf::ObjectTerm;

/// An item of an answer that has a node of its own.
#[derive(Debug)]
pub(crate) struct StatedItem<'a> {
    /// Its number among the items of the answer.
    pub(crate) number: u64,
    /// Its row.
    pub(crate) row: u64,
    /// Its term.
    pub(crate) term: &'a ObjectTerm,
    /// Its variable; none for a boolean.
    pub(crate) variable: Option<&'a str>,
    /// Its text as written, with the datatype where there is one.
    pub(crate) text: Option<&'a str>,
    /// What the file calls it beside its value.
    pub(crate) names: Vec<Text>,
    /// How sure the system is.
    pub(crate) confidence: Option<&'a str>,
}

/// The variable of values of which none is stated.
const VARIABLE: &str = "answer";

/// The answer sets: items in the order of their rows, one set a confidence; then the terms that no item has.
pub(crate) fn sets(plain: &[&ObjectTerm], items: &[StatedItem]) -> Vec<AnswerSet> {
    let mut sets: Vec<AnswerSet> = Vec::new();
    let mut row = None;
    for item in items {
        let confidence = item.confidence.map(str::to_owned);
        let goes_on = sets.last().is_some_and(|set| set.confidence == confidence);
        if !goes_on {
            sets.push(AnswerSet { confidence, ..AnswerSet::default() });
        }
        let Some(set) = sets.last_mut() else { continue };
        match (item.variable, boolean(item.term)) {
            (None, Some(value)) => set.boolean = Some(value),
            _ => push(set, goes_on && row == Some(item.row), cell(item)),
        }
        row = Some(item.row);
    }
    let with_node: BTreeSet<&ObjectTerm> = items.iter().map(|item| item.term).collect();
    let mut rest: Vec<&ObjectTerm> = plain.to_vec();
    rest.retain(|term| !with_node.contains(term));
    match rest[..] {
        [] => return sets,
        // a boolean needs no node where it is the whole answer
        [term] if sets.is_empty() => {
            if let Some(value) = boolean(term) {
                return vec![AnswerSet { boolean: Some(value), ..AnswerSet::default() }];
            }
        }
        _ => {}
    }
    let without = sets.iter().position(|set| set.confidence.is_none());
    let at = without.unwrap_or_else(|| {
        sets.push(AnswerSet::default());
        sets.len() - 1
    });
    for term in rest {
        push(&mut sets[at], false, plain_cell(term));
    }
    sets
}

fn push(set: &mut AnswerSet, same_row: bool, cell: Cell) {
    set.has_bindings = true;
    if !set.variables.contains(&cell.variable) {
        set.variables.push(cell.variable.clone());
    }
    match set.rows.last_mut() {
        Some(last) if same_row => last.cells.change(|cells| cells.push(cell)),
        _ => set.rows.push(Row { cells: [cell].into() }),
    }
}

fn boolean(term: &ObjectTerm) -> Option<bool> {
    match term {
        ObjectTerm::Literal { text, datatype: Some(datatype), .. } if datatype == xsd::BOOLEAN => {
            match text.as_str() {
                "true" | "1" => Some(true),
                "false" | "0" => Some(false),
                _ => None,
            }
        }
        _ => None,
    }
}

fn plain_cell(term: &ObjectTerm) -> Cell {
    let (kind, language, datatype) = match term {
        ObjectTerm::Iri(_) => (CellKind::Uri, None, None),
        ObjectTerm::Literal { language, datatype, .. } => {
            (CellKind::Literal, language.clone(), datatype.clone())
        }
    };
    Cell {
        variable: VARIABLE.to_owned(),
        kind,
        value: term.text().to_owned(),
        datatype,
        language,
        ..Cell::default()
    }
}

/// The value of an item is its text as written: `VALUE`, or `"VALUE"^^<DATATYPE>`.
fn cell(item: &StatedItem) -> Cell {
    let mut cell = plain_cell(item.term);
    item.variable.unwrap_or(VARIABLE).clone_into(&mut cell.variable);
    cell.names = item.names.clone().into();
    let Some(written) = item.text else { return cell };
    let typed = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('>')?.rsplit_once("\"^^<"));
    match typed {
        Some((value, datatype)) => {
            value.clone_into(&mut cell.value);
            cell.datatype = Some(datatype.to_owned());
        }
        None => written.clone_into(&mut cell.value),
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(text: &str, datatype: Option<&str>) -> ObjectTerm {
        ObjectTerm::Literal { text: text.to_owned(), language: None, datatype: datatype.map(str::to_owned) }
    }

    #[test]
    fn items_come_first_and_in_rows() {
        let (a, b, seven) = (
            ObjectTerm::Iri("http://a".to_owned()),
            ObjectTerm::Iri("http://b".to_owned()),
            literal("7", None),
        );
        let item = |row, term, variable, text| StatedItem {
            number: row,
            row,
            term,
            variable,
            text,
            names: Vec::new(),
            confidence: None,
        };
        let items = [
            item(1, &a, Some("uri"), Some("<http://a>")),
            item(1, &seven, Some("n"), Some("\"07\"^^<http://d>")),
            item(2, &a, Some("uri"), None),
        ];
        let found = sets(&[&a, &b, &seven], &items);
        let rows: Vec<Vec<&str>> = found[0]
            .rows
            .iter()
            .map(|row| row.cells.iter().map(|cell| cell.value.as_str()).collect())
            .collect();
        assert_eq!(rows, [vec!["<http://a>", "07"], vec!["http://a"], vec!["http://b"]]);
        assert_eq!(found[0].rows[0].cells[1].datatype.as_deref(), Some("http://d"));
        assert_eq!(found[0].variables, ["uri", "n", "answer"]);
    }

    #[test]
    fn a_boolean_alone_is_the_answer() {
        let (yes, text) = (literal("true", Some(xsd::BOOLEAN)), literal("true", None));
        assert_eq!(sets(&[&yes], &[])[0].boolean, Some(true));
        assert_eq!(sets(&[&text], &[])[0].rows.len(), 1);
        assert!(sets(&[], &[]).is_empty());
        let (names, confidence) = (Vec::new(), Some("0.5"));
        let sure =
            StatedItem { number: 1, row: 1, term: &yes, variable: None, text: None, names, confidence };
        let found = sets(&[&yes], &[sure]);
        assert_eq!(
            (found.len(), found[0].boolean, found[0].confidence.as_deref()),
            (1, Some(true), Some("0.5"))
        );
    }
}
