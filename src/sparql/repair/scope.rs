//! Names given to expressions that the query uses already.

use crate::sparql::lexer::{Kind, Region, Token, places};
use crate::sparql::parse::projection;
use crate::sparql::repair::names::{fresh, has_name};
use crate::sparql::repair::shape::{Select, brackets, selects};
use crate::sparql::repair::{Changes, Given, RepairKind};
use std::collections::BTreeSet;

pub(crate) static ALIAS_IN_SCOPE: RepairKind = RepairKind {
    name: "alias-in-scope",
    problem: "AS gives the name of a variable that is in use; it gets another one",
    definition: "AS in SELECT that names a variable of the WHERE part, or of GROUP BY, gets a name that the query does not \
        use. Elsewhere in the query the name is that variable, as SPARQL has it.",
    example: ("SELECT (YEAR(?x) AS ?x) { ?y ?z ?x }", "SELECT (YEAR(?x) AS ?call1) { ?y ?z ?x }"),
    apply,
};

fn apply(given: &Given<'_>, changes: &mut Changes) {
    let tokens = &given.tokens;
    let all = selects(tokens);
    let (partners, places) = (brackets(tokens), places(tokens));
    let mut names = fresh(given.text);
    for select in &all {
        let items = projection(tokens, &partners, select.word);
        let aliases: Vec<&Token<'_>> =
            items.iter().filter(|item| has_name(item)).map(|item| &item[item.len() - 2]).collect();
        if aliases.is_empty() {
            continue;
        }
        let used = if is_aggregated(tokens, select, &items) {
            grouped(&tokens[select.close..select.end])
        } else {
            visible(tokens, &places, &partners, select, &all)
        };
        for alias in aliases.into_iter().filter(|alias| used.contains(&alias.text[1..])) {
            changes.edits.replace(alias.start..alias.end(), names.next().unwrap_or_default());
        }
    }
}

/// The variables of GROUP BY.
fn grouped<'a>(tail: &[Token<'a>]) -> BTreeSet<&'a str> {
    let from_group = tail.iter().skip_while(|token| !token.is_word("GROUP"));
    let group =
        from_group.take_while(|token| !token.is_one_of(&["HAVING", "ORDER", "LIMIT", "OFFSET", "VALUES"]));
    group.filter(|token| token.kind == Kind::Variable).map(|token| &token.text[1..]).collect()
}

/// The variables that the WHERE part binds: those of triples, and what sub-queries give.
fn visible<'a>(
    tokens: &[Token<'a>],
    places: &[Region],
    partners: &[Option<usize>],
    select: &Select,
    all: &[Select],
) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut add = |number: usize| {
        if tokens[number].kind == Kind::Variable {
            found.insert(&tokens[number].text[1..]);
        }
    };
    let mut number = select.open;
    let mut inner = all.iter().filter(|inner| inner.word > select.open).peekable();
    while number < select.close {
        while inner.peek().is_some_and(|inner| inner.word < number) {
            inner.next();
        }
        if let Some(sub) = inner.peek().filter(|sub| sub.word == number) {
            let items = projection(tokens, partners, sub.word);
            let is_all = items.iter().any(|item| item[0].is("*"));
            for item in &items {
                let name = if has_name(item) { item.len() - 2 } else { 0 };
                if let Some(number) = position(tokens, &item[name]) {
                    add(number);
                }
            }
            number = if is_all { sub.open } else { sub.end };
            continue;
        }
        if places[number] == Region::Triples || tokens[number - 1].is_word("AS") {
            add(number);
        }
        number += 1;
    }
    found
}

/// The number of a piece.
fn position(tokens: &[Token<'_>], piece: &Token<'_>) -> Option<usize> {
    tokens.binary_search_by_key(&piece.start, |token| token.start).ok()
}

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
    apply: apply_group,
};

fn apply_group(given: &Given<'_>, changes: &mut Changes) {
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
