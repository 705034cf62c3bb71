//! HAVING without brackets.

use crate::sparql::lexer::Token;
use crate::sparql::repair::shape::{closes, opens};
use crate::sparql::repair::{Changes, Given, RepairKind};

pub(crate) static BARE_HAVING: RepairKind = RepairKind {
    name: "bare-having",
    problem: "the condition of HAVING has no brackets",
    definition: "A condition of HAVING that has operators outside of brackets gets brackets around it.",
    example: ("GROUP BY ?x HAVING COUNT(?y) > 1", "GROUP BY ?x HAVING (COUNT(?y) > 1)"),
    apply,
};

fn apply(given: &Given<'_>, changes: &mut Changes) {
    for (number, _) in given.tokens.iter().enumerate().filter(|(_, token)| token.is_word("HAVING")) {
        let condition = condition(&given.tokens[number + 1..]);
        if let ([first, ..], Some(last)) = (condition, condition.last())
            && has_operator(condition)
        {
            changes.edits.insert(first.start, "(");
            changes.edits.insert(last.end(), ")");
        }
    }
}

/// What belongs to HAVING: up to the next clause, or to the end of the query that it is part of.
fn condition<'t, 'a>(tokens: &'t [Token<'a>]) -> &'t [Token<'a>] {
    const CLAUSES: [&str; 5] = ["ORDER", "LIMIT", "OFFSET", "VALUES", "HAVING"];
    let mut depth = 0usize;
    for (number, token) in tokens.iter().enumerate() {
        if opens(token) {
            depth += 1;
        } else if closes(token) {
            if depth == 0 {
                return &tokens[..number];
            }
            depth -= 1;
        } else if depth == 0 && token.is_one_of(&CLAUSES) {
            return &tokens[..number];
        }
    }
    tokens
}

/// Whether something is compared or computed outside of all brackets.
fn has_operator(tokens: &[Token<'_>]) -> bool {
    const OPERATORS: [&str; 13] = [">", "<", "=", "!=", "<=", ">=", "&&", "||", "+", "-", "*", "/", "!"];
    let mut depth = 0usize;
    tokens.iter().any(|token| {
        if opens(token) {
            depth += 1;
        } else if closes(token) {
            depth = depth.saturating_sub(1);
        }
        depth == 0 && OPERATORS.iter().any(|mark| token.is(mark))
    })
}
