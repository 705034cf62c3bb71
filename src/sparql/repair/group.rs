//! Variables beside an aggregate that nothing groups.

use crate::sparql::lexer::{Kind, Token};
use crate::sparql::parse::projection;
use crate::sparql::repair::shape::{Select, brackets, selects};
use crate::sparql::repair::{Changes, Given, RepairKind};

pub(crate) static NO_GROUP: RepairKind = RepairKind {
    name: "no-group",
    problem: "variables stand beside an aggregate without GROUP BY; they are the group",
    definition: "Where SELECT, HAVING or ORDER BY of a query or sub-query has an aggregate, variables are selected, and \
        there is no GROUP BY, the query is grouped by these variables, as Virtuoso does. Not where another expression \
        without aggregate is selected beside them.",
    example: (
        "SELECT ?x { ?x a ?y } ORDER BY COUNT(?y)",
        "SELECT ?x { ?x a ?y } GROUP BY ?x ORDER BY COUNT(?y)",
    ),
    apply,
};

fn apply(given: &Given<'_>, changes: &mut Changes) {
    let tokens = &given.tokens;
    let partners = brackets(tokens);
    for select in selects(tokens) {
        let items = projection(tokens, &partners, select.word);
        let has_group = tokens[select.close..select.end].iter().any(|token| token.is_word("GROUP"));
        let plain: Vec<&str> = items
            .iter()
            .filter(|item| item.len() == 1 && item[0].kind == Kind::Variable)
            .map(|item| item[0].text)
            .collect();
        let is_odd = |item: &&[Token<'_>]| item.len() > 1 && !has_aggregate(item);
        if !has_group
            && !plain.is_empty()
            && is_aggregated(tokens, &select, &items)
            && !items.iter().any(is_odd)
        {
            changes.edits.insert(tokens[select.close].end(), format!(" GROUP BY {}", plain.join(" ")));
        }
    }
}

/// Whether a query groups, by word or by an aggregate.
pub(crate) fn is_aggregated(tokens: &[Token<'_>], select: &Select, items: &[&[Token<'_>]]) -> bool {
    let tail = &tokens[select.close..select.end];
    tail.iter().any(|token| token.is_word("GROUP"))
        || has_aggregate(tail)
        || items.iter().any(|item| has_aggregate(item))
}

fn has_aggregate(tokens: &[Token<'_>]) -> bool {
    const AGGREGATES: [&str; 7] = ["COUNT", "SUM", "MIN", "MAX", "AVG", "SAMPLE", "GROUP_CONCAT"];
    tokens.windows(2).any(|pair| pair[0].is_one_of(&AGGREGATES) && pair[1].is("("))
}
