//! Variables in brackets: `SELECT DISTINCT(?x)`.

use crate::sparql::lexer::Kind;
use crate::sparql::parse::projections;
use crate::sparql::repair::{Changes, Given, RepairKind};

pub(crate) static BRACKETED_VARIABLE: RepairKind = RepairKind {
    name: "bracketed-variable",
    problem: "a variable in SELECT has brackets",
    definition: "A variable that is selected in brackets and has no other name loses them.",
    example: ("SELECT DISTINCT(?x) { ?x a ?y }", "SELECT DISTINCT ?x  { ?x a ?y }"),
    apply,
};

fn apply(given: &Given<'_>, changes: &mut Changes) {
    for items in projections(&given.tokens) {
        for (number, item) in items.iter().enumerate() {
            let is_named = items.get(number + 1).is_some_and(|next| next[0].is_word("AS"));
            if let [open, variable, close] = item
                && open.is("(")
                && close.is(")")
                && variable.kind == Kind::Variable
                && !is_named
            {
                changes.edits.replace(open.start..open.end(), " ");
                changes.edits.replace(close.start..close.end(), " ");
            }
        }
    }
}
