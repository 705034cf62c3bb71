//! Repairs: what everybody understands and the standard does not allow.

use std::collections::BTreeSet;

use super::edit::{Edited, Edits};
use super::error::Unparsable;
use super::lexer::{Kind, Token, tokens};
use super::parse::projections;
use super::prefixes;

/// What had to be done to a query so that it parses.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Repair {
    /// A prefix is used and not declared; public endpoints know it.
    Prefix(String),
    /// A call in the projection without brackets and AS: `SELECT COUNT(?x) WHERE`.
    BareCall,
    /// An expression in the projection without AS: `SELECT (COUNT(?x)) WHERE`.
    NoName,
    /// Variables are projected beside an aggregate and nothing groups: they are the group.
    NoGroup,
}

impl Repair {
    /// The kind of repair, one word.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Prefix(_) => "prefix",
            Self::BareCall => "bare-call",
            Self::NoName => "no-name",
            Self::NoGroup => "no-group",
        }
    }
}

impl std::fmt::Display for Repair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Prefix(name) => {
                write!(f, "the prefix `{name}:` is not declared; it is taken as public endpoints do")
            }
            Self::BareCall => f.write_str("a call in SELECT has no brackets and no name"),
            Self::NoName => f.write_str("an expression in SELECT has no name"),
            Self::NoGroup => {
                f.write_str("variables stand beside an aggregate without GROUP BY; they are the group")
            }
        }
    }
}

/// All repairs of a text, and the text after them.
pub(super) fn repair(text: &str) -> (Edited, Vec<Repair>) {
    let mut repairs = Vec::new();
    let mut edits = Edits::default();
    let tokens = tokens(text);
    let known = undeclared(&tokens).into_iter().filter_map(|token| {
        let (prefix, _) = token.name()?;
        Some((prefix, prefixes::namespace(prefix)?))
    });
    for (prefix, namespace) in known {
        edits.insert(0, format!("PREFIX {prefix}: <{namespace}> "));
        repairs.push(Repair::Prefix(prefix.to_owned()));
    }
    name_expressions(text, &tokens, Dialect::Virtuoso, &mut edits, &mut repairs);
    (edits.apply(text), repairs)
}

/// The text with GROUP BY its projected variables; nothing if it groups already, or projects no variables.
///
/// That is how Virtuoso reads `SELECT ?x WHERE { … } ORDER BY COUNT(?y)`.
pub(super) fn group(text: &str) -> Option<String> {
    let tokens = tokens(text);
    let is_one_select = tokens.iter().filter(|token| token.is_word("SELECT")).count() == 1;
    if !is_one_select || tokens.iter().any(|token| token.is_word("GROUP")) {
        return None;
    }
    let projected: Vec<&str> = projections(&tokens)
        .iter()
        .flatten()
        .filter(|item| item[0].kind == Kind::Variable)
        .map(|item| item[0].text)
        .collect();
    // With one SELECT, the last brace closes its WHERE, unless VALUES follow.
    let brace = tokens.iter().rfind(|token| token.is("}"))?;
    let mut edits = Edits::default();
    edits.insert(brace.end(), format!(" GROUP BY {}", projected.join(" ")));
    (!projected.is_empty()).then(|| edits.apply(text).text)
}

/// The text with what Jena's own syntax allows in a projection put into standard SPARQL.
pub(super) fn from_jena(text: &str) -> String {
    let mut edits = Edits::default();
    name_expressions(text, &tokens(text), Dialect::Jena, &mut edits, &mut Vec::new());
    edits.apply(text).text
}

/// A prefix that is neither declared nor known, as the reason why a query cannot be read.
pub(super) fn unknown_prefix(text: &str) -> Option<Unparsable> {
    let tokens = tokens(text);
    let undeclared = undeclared(&tokens);
    let token = undeclared
        .into_iter()
        .find(|token| token.name().is_some_and(|(prefix, _)| prefixes::namespace(prefix).is_none()))?;
    let (prefix, _) = token.name()?;
    Some(Unparsable::at(text, token.start, format!("the prefix `{prefix}:` is not declared")))
}

/// The first name with each prefix that no PREFIX declares.
fn undeclared<'t, 'a>(tokens: &'t [Token<'a>]) -> Vec<&'t Token<'a>> {
    let declares = |number: usize| number > 0 && tokens[number - 1].is_word("PREFIX");
    let prefix = |number: usize| tokens[number].name().map(|(prefix, _)| prefix);
    let mut seen: BTreeSet<&str> =
        (0..tokens.len()).filter(|number| declares(*number)).filter_map(prefix).collect();
    (0..tokens.len())
        .filter(|number| prefix(*number).is_some_and(|prefix| seen.insert(prefix)))
        .map(|number| &tokens[number])
        .collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dialect {
    /// Calls and expressions need no name.
    Jena,
    /// Calls may have a name without brackets around both, too.
    Virtuoso,
}

/// Gives names to the expressions of projections that have none.
fn name_expressions(
    text: &str,
    tokens: &[Token<'_>],
    dialect: Dialect,
    edits: &mut Edits,
    repairs: &mut Vec<Repair>,
) {
    let mut names = (1..).map(|number| format!("?call{number}")).filter(|name| !text.contains(name.as_str()));
    let mut name = || names.next().unwrap_or_default();
    for items in projections(tokens) {
        let mut items = items.as_slice();
        while let [item, rest @ ..] = items {
            let (start, end) = (item[0].start, item[item.len() - 1].end());
            let given = given_name(rest).filter(|_| dialect == Dialect::Virtuoso);
            items = if given.is_some() { &rest[2..] } else { rest };
            let is_bracketed = item[0].is("(");
            if item.len() < 2 || (is_bracketed && has_name(item)) {
                continue;
            }
            if has_name(item) && dialect == Dialect::Virtuoso {
                // `COUNT(?x AS ?x)`: the name would be one that the query uses already.
                edits.replace(item[item.len() - 3].start..end - 1, "");
            }
            match given {
                Some(name) => {
                    edits.insert(start, "(");
                    edits.insert(name.end(), ")");
                }
                None if is_bracketed => edits.insert(end - 1, format!(" AS {}", name())),
                None => {
                    edits.insert(start, "(");
                    edits.insert(end, format!(" AS {})", name()));
                }
            }
            repairs.push(if is_bracketed && given.is_none() { Repair::NoName } else { Repair::BareCall });
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

/// Whether an expression in brackets ends with `AS ?name`.
fn has_name(item: &[Token<'_>]) -> bool {
    matches!(item, [.., word, name, _] if word.is_word("AS") && name.kind == Kind::Variable)
}

#[cfg(test)]
mod tests {
    use super::Repair;
    use crate::sparql::analyse;
    use crate::sparql::tests::{graph, names};

    #[test]
    fn repairs_are_reported() {
        let prefix = |name: &str| Repair::Prefix(name.to_owned());
        for (query, repairs) in [
            ("SELECT ?x { ?x dbo:a dbr:B ; dbo:c 1 }", vec![prefix("dbo"), prefix("dbr")]),
            ("SELECT COUNT(DISTINCT ?x) WHERE { ?x <u:p> 1 }", vec![Repair::BareCall]),
            ("SELECT DISTINCT COUNT(?x) { ?x <u:p> 1 }", vec![Repair::BareCall]),
            ("SELECT COUNT(?x) AS ?c WHERE { ?x <u:p> 1 }", vec![Repair::BareCall]),
            ("SELECT COUNT(DISTINCT ?x AS ?x) WHERE { ?x <u:p> 1 }", vec![Repair::BareCall]),
            ("SELECT (COUNT(?x)) WHERE { ?x <u:p> 1 }", vec![Repair::NoName]),
            ("SELECT (COUNT(?x)) AS ?c WHERE { ?x <u:p> 1 }", vec![Repair::BareCall]),
            ("SELECT DISTINCT (?x) { ?x <u:p> 1 }", vec![Repair::NoName]),
            ("SELECT ?x { ?x <u:p> ?y } ORDER BY DESC(COUNT(?y)) LIMIT 1", vec![Repair::NoGroup]),
            ("SELECT ?x COUNT(?y) { ?x <u:p> ?y }", vec![Repair::BareCall, Repair::NoGroup]),
        ] {
            let graph = analyse(query).expect(query);
            assert_eq!(graph.repairs, repairs, "{query}");
        }
        let typed = analyse("SELECT COUNT(?x) { ?x rdf:type dbo:City }").expect("a query");
        assert_eq!(names(&typed.item_types), "City", "through the repair");
    }

    #[test]
    fn queries_that_need_no_repair() {
        for query in [
            "SELECT ?x ?x { ?x :p :J._R._R._Tolkien }",
            "SELECT ?x { BIND(CONCAT ('a', 'b') AS ?x) FILTER(COALESCE (?x, 1)) }",
        ] {
            graph(query);
        }
        assert_eq!(names(&graph("ASK { ?x :p :J._R._R._Tolkien }").resources), "J._R._R._Tolkien");
    }
}
