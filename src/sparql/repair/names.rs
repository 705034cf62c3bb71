//! Expressions in SELECT without brackets, or without a name, as Virtuoso and Jena allow.

use crate::sparql::edit::Edits;
use crate::sparql::lexer::{Kind, Token};
use crate::sparql::parse::projections;
use crate::sparql::repair::shape::brackets;
use crate::sparql::repair::{Given, RepairKind};

pub(crate) static BARE_CALL: RepairKind = RepairKind {
    name: "bare-call",
    problem: "a call in SELECT has no brackets and no name",
    definition: "A call, a calculation or a renamed variable in SELECT without brackets gets them. The name that AS gives \
        it is kept; without one it gets a name that the query does not use. AS within the brackets of the call is dropped.",
    example: ("SELECT COUNT(?x) AS ?c { ?x a ?y }", "SELECT (COUNT(?x) AS ?c) { ?x a ?y }"),
    apply: |given, changes| {
        name_expressions(
            given,
            Dialect::Virtuoso,
            |item| !item.is_bracketed || item.given.is_some(),
            &mut changes.edits,
        );
    },
};

pub(crate) static NO_NAME: RepairKind = RepairKind {
    name: "no-name",
    problem: "an expression in SELECT has no name",
    definition: "An expression in SELECT that has brackets and no AS gets a name that the query does not use.",
    example: ("SELECT (COUNT(?x)) { ?x a ?y }", "SELECT (COUNT(?x) AS ?call1) { ?x a ?y }"),
    apply: |given, changes| {
        name_expressions(
            given,
            Dialect::Virtuoso,
            |item| item.is_bracketed && item.given.is_none(),
            &mut changes.edits,
        );
    },
};

/// The text with what Jena's own syntax allows in a projection put into standard SPARQL.
pub(crate) fn from_jena(text: &str) -> String {
    let mut edits = Edits::default();
    name_expressions(&Given::of(text), Dialect::Jena, |_| true, &mut edits);
    edits.apply(text).text
}

/// Names that the text does not use.
pub(crate) fn fresh(text: &str) -> impl Iterator<Item = String> {
    (1..).map(|number| format!("?call{number}")).filter(move |name| !text.contains(&name[1..]))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dialect {
    /// Calls and expressions need no name.
    Jena,
    /// Calls may have a name without brackets around both, too.
    Virtuoso,
}

/// Something that is selected.
struct Selected<'t, 'a> {
    pieces: &'t [Token<'a>],
    /// Whether brackets stand around all of it.
    is_bracketed: bool,
    /// The name that AS gives it behind its brackets.
    given: Option<&'t Token<'a>>,
}

/// Gives names to the expressions of projections that have none.
fn name_expressions(
    given: &Given<'_>,
    dialect: Dialect,
    is_wanted: impl Fn(&Selected<'_, '_>) -> bool,
    edits: &mut Edits,
) {
    let mut names = fresh(given.text);
    for items in projections(&given.tokens) {
        let mut items = items.as_slice();
        while let [pieces, rest @ ..] = items {
            let given = given_name(rest).filter(|_| dialect == Dialect::Virtuoso);
            items = if given.is_some() { &rest[2..] } else { rest };
            let is_bracketed = pieces[0].is("(") && brackets(pieces)[0] == Some(pieces.len() - 1);
            let item = Selected { pieces, is_bracketed, given };
            let is_plain = pieces.len() < 2 && (given.is_none() || pieces[0].kind != Kind::Variable);
            if !(is_plain || is_bracketed && has_name(pieces)) && is_wanted(&item) {
                name(&item, dialect, || names.next().unwrap_or_default(), edits);
            }
        }
    }
}

fn name(item: &Selected<'_, '_>, dialect: Dialect, fresh: impl FnOnce() -> String, edits: &mut Edits) {
    let pieces = item.pieces;
    let (start, end) = (pieces[0].start, pieces[pieces.len() - 1].end());
    if has_name(pieces) && dialect == Dialect::Virtuoso {
        // `COUNT(?x AS ?x)`: the name would be one that the query uses already.
        edits.replace(pieces[pieces.len() - 3].start..end - 1, "");
    }
    match item.given {
        Some(name) => {
            edits.insert(start, "(");
            edits.insert(name.end(), ")");
        }
        None if item.is_bracketed => edits.insert(end - 1, format!(" AS {}", fresh())),
        None => {
            edits.insert(start, "(");
            edits.insert(end, format!(" AS {})", fresh()));
        }
    }
}

/// The name in `AS ?name` behind an item.
fn given_name<'t, 'a>(rest: &[&'t [Token<'a>]]) -> Option<&'t Token<'a>> {
    match rest {
        [[word], [name], ..] if word.is_word("AS") && name.kind == Kind::Variable => Some(name),
        _ => None,
    }
}

/// Whether what stands in brackets ends with `AS ?name`.
pub(crate) fn has_name(item: &[Token<'_>]) -> bool {
    matches!(item, [.., word, name, close] if word.is_word("AS") && name.kind == Kind::Variable && close.is(")"))
}
