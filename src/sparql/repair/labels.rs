//! `:a` where `_:a` is meant.

use crate::sparql::lexer::Token;
use crate::sparql::repair::prefix::declared;
use crate::sparql::repair::shape::{Role, roles};
use crate::sparql::repair::{Changes, Given, RepairKind};

pub(crate) static BLANK_LABEL: RepairKind = RepairKind {
    name: "blank-label",
    problem: "a name with the empty prefix, which is not declared, stands for a blank node",
    definition: "A name with the empty prefix becomes a blank node, :a becomes _:a. Only where the query declares no empty \
        prefix and all such names are subjects or objects of triples.",
    example: ("ASK { :a ?x ?y }", "ASK { _:a ?x ?y }"),
    apply,
};

fn apply(given: &Given<'_>, changes: &mut Changes) {
    let tokens = &given.tokens;
    if declared(tokens).any(|(prefix, _)| prefix.is_empty()) {
        return;
    }
    let roles = roles(tokens);
    let is_empty = |token: &Token<'_>| token.name().is_some_and(|(prefix, _)| prefix.is_empty());
    let is_node = |number: usize| {
        let local = tokens[number].text[1..].bytes();
        matches!(roles[number], Some(Role::Subject | Role::Object))
            && !tokens[..number].last().is_some_and(|before| before.is("^^") || given.touch(number - 1))
            && local.len() > 0
            && local.clone().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    let names: Vec<usize> = (0..tokens.len()).filter(|number| is_empty(&tokens[*number])).collect();
    if names.iter().all(|number| is_node(*number)) {
        for number in names {
            changes.edits.insert(tokens[number].start, "_");
        }
    }
}
