//! The shape of a query: which brackets belong together, where each SELECT has its parts, what a term is in its triple.

use crate::sparql::lexer::{Kind, Region, Token, places};

/// For each bracket the number of its partner.
pub(crate) fn brackets(tokens: &[Token<'_>]) -> Vec<Option<usize>> {
    let mut partners = vec![None; tokens.len()];
    let mut open = Vec::new();
    for (number, token) in tokens.iter().enumerate() {
        if opens(token) {
            open.push(number);
        } else if closes(token)
            && let Some(partner) = open.pop()
        {
            partners[number] = Some(partner);
            partners[partner] = Some(number);
        }
    }
    partners
}

pub(crate) fn opens(token: &Token<'_>) -> bool {
    token.is("{") || token.is("(") || token.is("[")
}

pub(crate) fn closes(token: &Token<'_>) -> bool {
    token.is("}") || token.is(")") || token.is("]")
}

/// Where the parts of a SELECT are, as numbers of pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Select {
    /// The word SELECT.
    pub(crate) word: usize,
    /// The brace that opens its WHERE.
    pub(crate) open: usize,
    /// The brace that closes it.
    pub(crate) close: usize,
    /// Where its grouping and ordering end: at the brace around the sub-query, or with the query.
    pub(crate) end: usize,
}

/// The queries and sub-queries that have a WHERE in braces.
pub(crate) fn selects(tokens: &[Token<'_>]) -> Vec<Select> {
    let partners = brackets(tokens);
    // The next brace behind a piece, and the brace that closes what a piece stands in.
    let (mut next, mut found) = (None, Vec::new());
    let around = around(tokens);
    for (number, token) in tokens.iter().enumerate().rev() {
        if token.is("{") {
            next = Some(number);
        } else if token.is_word("SELECT")
            && let Some(open) = next
            && let Some(close) = partners[open]
        {
            let end = around[number].and_then(|brace| partners[brace]).unwrap_or(tokens.len());
            if open < close && close < end {
                found.push(Select { word: number, open, close, end });
            }
        }
    }
    found.reverse();
    found
}

/// For each piece the bracket that it stands in.
fn around(tokens: &[Token<'_>]) -> Vec<Option<usize>> {
    let mut open = Vec::new();
    let mut found = Vec::with_capacity(tokens.len());
    for (number, token) in tokens.iter().enumerate() {
        if closes(token) {
            open.pop();
        }
        found.push(open.last().copied());
        if opens(token) {
            open.push(number);
        }
    }
    found
}

/// What a term is in its triple.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Subject,
    Predicate,
    Object,
}

/// The role of each piece where triples stand. What stands elsewhere has none; marks have the role of what they follow.
pub(crate) fn roles(tokens: &[Token<'_>]) -> Vec<Option<Role>> {
    let mut role = Role::Subject;
    let mut around = Vec::new();
    let mut found = Vec::with_capacity(tokens.len());
    for (number, (token, place)) in tokens.iter().zip(places(tokens)).enumerate() {
        found.push((place == Region::Triples).then_some(role));
        if place != Region::Triples && !token.is("{") {
            continue;
        }
        match token.text {
            _ if token.is("{") => {
                around.push(Role::Subject);
                role = Role::Subject;
            }
            _ if token.is("}") => role = around.pop().unwrap_or(Role::Subject),
            _ if token.is("[") => {
                around.push(role);
                role = Role::Predicate;
            }
            _ if token.is("]") => role = after(around.pop().unwrap_or(Role::Subject)),
            _ if token.is(".") => role = Role::Subject,
            _ if token.is(";") => role = Role::Predicate,
            _ if token.is(",") => role = Role::Object,
            _ if role == Role::Predicate && [")", "*", "+", "?"].iter().any(|mark| token.is(mark)) => {
                role = if is_in_path(tokens.get(number + 1)) { role } else { Role::Object };
            }
            // Data types and languages belong to the literal before them.
            _ if matches!(token.kind, Kind::Mark | Kind::Language) => {}
            _ if tokens[..number].last().is_some_and(|before| before.is("^^")) => {}
            "a" if role == Role::Predicate => role = Role::Object,
            // OPTIONAL, FILTER, UNION, BIND.
            _ if token.kind == Kind::Word && !token.is_one_of(&["true", "false"]) => role = Role::Subject,
            _ if role == Role::Predicate && is_in_path(tokens.get(number + 1)) => {}
            _ => role = after(role),
        }
    }
    found
}

fn after(role: Role) -> Role {
    match role {
        Role::Subject => Role::Predicate,
        Role::Predicate | Role::Object => Role::Object,
    }
}

/// Whether a path goes on behind one of its properties.
fn is_in_path(next: Option<&Token<'_>>) -> bool {
    const OPERATORS: [&str; 6] = ["/", "|", "*", "+", "?", ")"];
    next.is_some_and(|next| OPERATORS.iter().any(|mark| next.is(mark)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparql::lexer::tokens;

    #[test]
    fn each_select_has_its_parts() {
        let text = "SELECT ?x { { SELECT ?y WHERE { ?y a ?z } LIMIT 1 } } ORDER BY ?x";
        let tokens = tokens(text);
        let texts = |select: &Select| {
            let text = |number: usize| tokens.get(number).map_or("", |token| token.text);
            (tokens[select.word + 1].text.to_owned(), text(select.close + 1), text(select.end))
        };
        let found = selects(&tokens);
        let found: Vec<_> = found.iter().map(texts).collect();
        assert_eq!(found, [("?x".to_owned(), "ORDER", ""), ("?y".to_owned(), "LIMIT", "}")]);
        assert_eq!(selects(&crate::sparql::lexer::tokens("SELECT ?x WHERE { ?x ?y")), []);
    }

    #[test]
    fn terms_have_roles() {
        let text = "ASK { :s (:p/^(:p))|:p :o ; :p/:p* :o , \"o\"@en ; :p [ :p :o ; a :o ] . OPTIONAL { :s ^:p \"o\"^^:d } :s :p true . \
            FILTER(:x = 1) :s :p :o }";
        let tokens = tokens(text);
        for (token, role) in tokens.iter().zip(roles(&tokens)) {
            let expected = match token.text {
                ":s" => Some(Role::Subject),
                ":p" => Some(Role::Predicate),
                ":o" | "\"o\"" | "true" => Some(Role::Object),
                ":x" => None,
                _ => continue,
            };
            assert_eq!(role, expected, "{} at {}", token.text, token.start);
        }
    }
}
