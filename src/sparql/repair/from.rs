//! FROM where SPARQL has none: in a sub-query.

use crate::sparql::lexer::{Kind, Token};
use crate::sparql::repair::shape::{Select, selects};
use crate::sparql::repair::{Changes, Given, RepairKind};

pub(crate) static INNER_FROM: RepairKind = RepairKind {
    name: "inner-from",
    problem: "a sub-query has FROM; it is moved to the query around it",
    definition: "FROM clauses of a sub-query move to the query around it. Only where the query is nothing but that \
        sub-query within braces and has no FROM of its own: then both read the same graphs.",
    example: (
        "SELECT ?x { SELECT ?x FROM <g:h> { ?x a ?y } }",
        "SELECT ?x FROM <g:h> { SELECT ?x { ?x a ?y } }",
    ),
    apply,
};

fn apply(given: &Given<'_>, changes: &mut Changes) {
    let tokens = &given.tokens;
    let all = selects(tokens);
    let [outer, inner] = all.as_slice() else { return };
    let has_from = tokens[..outer.open].iter().any(|token| token.is_word("FROM"));
    if has_from || !is_all(tokens, outer, inner) {
        return;
    }
    let clauses = clauses(&tokens[inner.word..inner.open]);
    for clause in clauses {
        let (start, end) = (clause[0].start, clause[clause.len() - 1].end());
        changes.edits.replace(start..end, "");
        changes.edits.insert(head_end(tokens, outer), format!("{} ", &given.text[start..end]));
    }
}

/// Whether the WHERE of a query holds nothing but a sub-query and braces.
fn is_all(tokens: &[Token<'_>], outer: &Select, inner: &Select) -> bool {
    // in broken texts they may overlap
    outer.open < inner.word
        && inner.end <= outer.close
        && tokens[outer.open..inner.word].iter().all(|token| token.is("{"))
        && tokens[inner.end..outer.close].iter().all(|token| token.is("}"))
}

/// `FROM <…>` and `FROM NAMED <…>`.
fn clauses<'t, 'a>(tokens: &'t [Token<'a>]) -> Vec<&'t [Token<'a>]> {
    let starts = (0..tokens.len()).filter(|number| tokens[*number].is_word("FROM"));
    let clause = |start: usize| {
        let named = usize::from(tokens.get(start + 1).is_some_and(|token| token.is_word("NAMED")));
        let clause = tokens.get(start..start + 2 + named)?;
        clause.last().is_some_and(|graph| matches!(graph.kind, Kind::Iri | Kind::Name)).then_some(clause)
    };
    starts.filter_map(clause).collect()
}

/// Where the projection of a query ends: before WHERE, or before its brace.
fn head_end(tokens: &[Token<'_>], select: &Select) -> usize {
    let before = select.open.checked_sub(1).filter(|number| tokens[*number].is_word("WHERE"));
    tokens[before.unwrap_or(select.open)].start
}
