//! A query that ends too early.

use crate::sparql::repair::shape::{brackets, opens};
use crate::sparql::repair::{Changes, Given, RepairKind};

pub(crate) static LAST_BRACE: RepairKind = RepairKind {
    name: "last-brace",
    problem: "the last `}` is missing",
    definition: "Where a query stops within its outermost braces, with every other bracket closed and not behind a brace, \
        the brace is closed at its end. Behind a brace it could be another one that is missing.",
    example: ("SELECT ?x { ?x a ?y .", "SELECT ?x { ?x a ?y . }"),
    apply,
};

fn apply(given: &Given<'_>, changes: &mut Changes) {
    let partners = brackets(&given.tokens);
    let mut unclosed =
        given.tokens.iter().zip(&partners).filter(|(token, partner)| opens(token) && partner.is_none());
    let is_one_brace = unclosed.next().is_some_and(|(token, _)| token.is("{")) && unclosed.next().is_none();
    if is_one_brace && let Some(last) = given.tokens.last().filter(|last| !last.is("}") && !last.is("{")) {
        changes.edits.insert(last.end(), " }");
    }
}
