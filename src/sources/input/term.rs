//! From cells to RDF terms: what a value of an answer file is as a term, and whether the term says it all.

use std::borrow::Cow;

use oxigraph::model::vocab::rdf;
use oxigraph::model::{Literal, NamedNode, Term};

use crate::base::rdf::language::language_tag;
use crate::base::vocab::xsd;
use crate::sources::document::{Cell, CellKind};

/// The other datatype that needs a language (RDF 1.2).
const DIR_LANG_STRING: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString";

/// A cell as a term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellTerm {
    /// The term: an IRI or a literal, never a blank node.
    pub term: Term,
    /// Whether the cell says more than the term can keep: a store would rewrite it, or it is not what it says.
    pub loses: Option<TermLoss>,
}

/// What a plain term cannot keep of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TermLoss {
    /// The lexical form: stores write `01` as `1`, `xsd:int` as `xsd:integer`.
    LexicalForm,
    /// The file calls it an IRI and it is none; the term is its text.
    NotAnIri,
    /// The angle brackets around the IRI.
    Brackets,
    /// It is a blank node; the term is its label as text.
    BlankNode,
    /// The datatype is no IRI, or one that needs a language tag; the term is a plain literal.
    Datatype,
    /// The language tag is none; the term is a plain literal.
    Language,
}

/// Whether the term of a cell certainly says all of it, seen at a glance.
pub fn is_plain(cell: &Cell) -> bool {
    match cell.kind {
        _ if !cell.names.is_empty() => false,
        CellKind::Uri => is_plain_address(&cell.value),
        CellKind::Literal => cell.datatype.is_none() && cell.language.is_none(),
        CellKind::BlankNode | CellKind::Unknown => false,
    }
}

/// The term of a cell.
pub fn of_cell(cell: &Cell) -> CellTerm {
    match cell.kind {
        CellKind::Uri => of_iri(&cell.value),
        CellKind::BlankNode => {
            let label = format!("_:{}", cell.value.trim_start_matches("_:"));
            CellTerm { term: Literal::new_simple_literal(label).into(), loses: Some(TermLoss::BlankNode) }
        }
        // Flat XML answers do not say what they are: what reads as a web address is one.
        CellKind::Unknown if looks_like_web_address(&cell.value) => of_iri(&cell.value),
        CellKind::Unknown | CellKind::Literal => of_literal(cell),
    }
}

/// Whether a term says all of a cell, as a look at it shows: what most cells are.
pub(crate) fn says_all(cell: &Cell) -> bool {
    match cell.kind {
        CellKind::Uri => is_plain_address(&cell.value),
        CellKind::Literal => cell.language.is_none() && cell.datatype.is_none(),
        CellKind::BlankNode | CellKind::Unknown => false,
    }
}

/// The term of a boolean answer.
pub fn of_boolean(value: bool) -> Term {
    Literal::from(value).into()
}

/// Whether a byte of an address needs no thought (RFC 3986 `unreserved` and `sub-delims`, and `/`).
const PLAIN: [bool; 256] = {
    let plain = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-._~!$&'()*+,;=";
    let (mut table, mut at) = ([false; 256], 0);
    while at < plain.len() {
        table[plain[at] as usize] = true;
        at += 1;
    }
    table
};

/// A web address of characters that need no thought: certainly an IRI.
fn is_plain_address(value: &str) -> bool {
    let rest = value.strip_prefix("http://").or_else(|| value.strip_prefix("https://"));
    rest.is_some_and(|rest| {
        rest.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric)
            && rest.bytes().all(|byte| PLAIN[usize::from(byte)])
    })
}

fn of_iri(value: &str) -> CellTerm {
    if is_plain_address(value) {
        return CellTerm { term: NamedNode::new_unchecked(value).into(), loses: None };
    }
    let trimmed = value.trim();
    let (bare, bracketed) = match trimmed.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) {
        Some(bare) => (bare, true),
        None => (trimmed, false),
    };
    match NamedNode::new(bare) {
        Ok(node) => CellTerm { term: node.into(), loses: bracketed.then_some(TermLoss::Brackets) },
        Err(_) => {
            CellTerm { term: Literal::new_simple_literal(value).into(), loses: Some(TermLoss::NotAnIri) }
        }
    }
}

fn looks_like_web_address(value: &str) -> bool {
    let value = value.trim();
    (value.starts_with("http://") || value.starts_with("https://")) && NamedNode::new(value).is_ok()
}

fn of_literal(cell: &Cell) -> CellTerm {
    let value = cell.value.as_str();
    if let Some(language) = cell.language.as_deref().filter(|l| !l.is_empty()) {
        return match language_tag(language) {
            Some(tag) => CellTerm {
                term: Literal::new_language_tagged_literal_unchecked(value, tag).into(),
                loses: None,
            },
            None => {
                CellTerm { term: Literal::new_simple_literal(value).into(), loses: Some(TermLoss::Language) }
            }
        };
    }
    match cell.datatype.as_deref().filter(|d| !d.is_empty() && *d != xsd::STRING) {
        None => CellTerm { term: Literal::new_simple_literal(value).into(), loses: None },
        Some(datatype) => match NamedNode::new(datatype) {
            // RDF 1.1 forbids this datatype without a language tag; real systems send it.
            Ok(datatype) if datatype == rdf::LANG_STRING || datatype.as_str() == DIR_LANG_STRING => {
                CellTerm { term: Literal::new_simple_literal(value).into(), loses: Some(TermLoss::Datatype) }
            }
            Ok(datatype) => {
                let loses = is_rewritten(value, datatype.as_str()).then_some(TermLoss::LexicalForm);
                CellTerm { term: Literal::new_typed_literal(value, datatype).into(), loses }
            }
            Err(_) => {
                CellTerm { term: Literal::new_simple_literal(value).into(), loses: Some(TermLoss::Datatype) }
            }
        },
    }
}

/// Whether a store may give the literal back with another text or datatype.
///
/// True more often than necessary: only the forms that certainly survive are false.
fn is_rewritten(value: &str, datatype: &str) -> bool {
    match datatype {
        xsd::INTEGER => value.parse::<i64>().map_or(true, |number| number.to_string() != value),
        xsd::BOOLEAN => !matches!(value, "true" | "false"),
        xsd::DATE => !(value.len() == 10 && value.bytes().filter(|b| *b == b'-').count() == 2),
        _ => datatype.starts_with(xsd::NAMESPACE),
    }
}

/// The text of a term as people read it: the IRI or the lexical form.
pub fn text(term: &Term) -> Cow<'_, str> {
    match term {
        Term::NamedNode(node) => Cow::Borrowed(node.as_str()),
        Term::Literal(literal) => Cow::Borrowed(literal.value()),
        Term::BlankNode(node) => Cow::Owned(node.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(kind: CellKind, value: &str, datatype: Option<&str>, language: Option<&str>) -> Cell {
        Cell {
            variable: "x".to_owned(),
            kind,
            value: value.to_owned(),
            datatype: datatype.map(str::to_owned),
            language: language.map(str::to_owned),
            ..Cell::default()
        }
    }

    #[test]
    fn cells_become_terms_and_say_what_is_lost() {
        let cases = [
            (cell(CellKind::Uri, "http://a/b", None, None), "<http://a/b>", None),
            (cell(CellKind::Uri, "<http://a/b>", None, None), "<http://a/b>", Some(TermLoss::Brackets)),
            (cell(CellKind::Uri, "Sandi Duncan", None, None), "\"Sandi Duncan\"", Some(TermLoss::NotAnIri)),
            (cell(CellKind::Unknown, "http://a/b", None, None), "<http://a/b>", None),
            (cell(CellKind::Unknown, "http://a b", None, None), "\"http://a b\"", None),
            (cell(CellKind::Literal, "Rio", None, Some("pt_BR")), "\"Rio\"@pt-br", None),
            (cell(CellKind::Literal, "Rio", None, Some("?")), "\"Rio\"", Some(TermLoss::Language)),
            (cell(CellKind::Literal, "1", Some("date"), None), "\"1\"", Some(TermLoss::Datatype)),
            (
                cell(CellKind::Literal, "1", Some(rdf::LANG_STRING.as_str()), None),
                "\"1\"",
                Some(TermLoss::Datatype),
            ),
            (cell(CellKind::BlankNode, "b0", None, None), "\"_:b0\"", Some(TermLoss::BlankNode)),
        ];
        for (cell, term, loses) in cases {
            let found = of_cell(&cell);
            assert!(loses.is_none() || !says_all(&cell), "{cell:?}");
            assert_eq!((found.term.to_string().as_str(), found.loses), (term, loses), "{cell:?}");
        }
        let integer = |text| of_cell(&cell(CellKind::Literal, text, Some(xsd::INTEGER), None)).loses;
        assert_eq!(integer("1"), None);
        assert_eq!(integer("01"), Some(TermLoss::LexicalForm));
    }
}
