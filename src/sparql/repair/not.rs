//! NOT where SPARQL has `!`.

use crate::sparql::lexer::{Kind, Token};
use crate::sparql::repair::shape::brackets;
use crate::sparql::repair::{Changes, Given, RepairKind};

pub(crate) static NOT_CALL: RepairKind = RepairKind {
    name: "not",
    problem: "NOT stands before a call, where SPARQL has `!`",
    definition: "NOT becomes ! before a call or a condition in brackets, where nothing binds stronger: the condition ends \
        there, or && or || follows. NOT IN and NOT EXISTS are SPARQL and stay.",
    example: ("FILTER (NOT regex(?x, \"a\"))", "FILTER (! regex(?x, \"a\"))"),
    apply,
};

fn apply(given: &Given<'_>, changes: &mut Changes) {
    let partners = brackets(&given.tokens);
    for (number, not) in given.tokens.iter().enumerate().filter(|(_, token)| token.is_word("NOT")) {
        let open = number + 1 + usize::from(is_name(given.tokens.get(number + 1)));
        let close = given.tokens.get(open).filter(|token| token.is("(")).and_then(|_| partners[open]);
        if close.is_some_and(|close| ends(given.tokens.get(close + 1))) {
            changes.edits.replace(not.start..not.end(), "!");
        }
    }
}

fn is_name(token: Option<&Token<'_>>) -> bool {
    token.is_some_and(|token| {
        matches!(token.kind, Kind::Name | Kind::Iri)
            || token.kind == Kind::Word && !token.is_one_of(&["EXISTS", "IN", "NOT"])
    })
}

/// Whether a condition ends before this piece.
fn ends(next: Option<&Token<'_>>) -> bool {
    next.is_none_or(|next| [")", "}", ".", "&&", "||"].iter().any(|mark| next.is(mark)))
}
