//! A query that a person typed: the prefixes of the archive need no declaration, and what is wrong is shown where it stands.

use spargebra::Query;

use crate::base::error::Error;
use crate::base::vocab::{
    code, dcat, dct, dqv, owl, prov, qassay, qb, rdf, rdfs, schema, sd, skos, spdx, void, xsd,
};
use crate::sparql::edit::{Edited, Edits};
use crate::sparql::error::Unparsable;
use crate::sparql::lexer::tokens;
use crate::sparql::parse;
use crate::sparql::repair::prefix::undeclared;
use crate::sparql::repair::unknown_prefix;

/// The prefixes that a query need not declare: those of the vocabularies of an archive.
pub const PREFIXES: [(&str, &str); 16] = [
    ("qassay", qassay::NAMESPACE),
    ("code", code::NAMESPACE),
    ("dcat", dcat::NAMESPACE),
    ("dct", dct::NAMESPACE),
    ("dqv", dqv::NAMESPACE),
    ("owl", owl::NAMESPACE),
    ("prov", prov::NAMESPACE),
    ("qb", qb::NAMESPACE),
    ("rdf", rdf::NAMESPACE),
    ("rdfs", rdfs::NAMESPACE),
    ("schema", schema::NAMESPACE),
    ("sd", sd::NAMESPACE),
    ("skos", skos::NAMESPACE),
    ("spdx", spdx::NAMESPACE),
    ("void", void::NAMESPACE),
    ("xsd", xsd::NAMESPACE),
];

/// The words that updates begin with.
const UPDATES: [&str; 10] =
    ["INSERT", "DELETE", "LOAD", "CLEAR", "CREATE", "DROP", "COPY", "MOVE", "ADD", "WITH"];

/// How much of a line is shown on each side of the place of an error.
const SHOWN: usize = 60;

/// The algebra of a text.
///
/// # Errors
/// Where it is no query: the place, the line with a mark below it, and what could stand there.
pub(crate) fn parse(text: &str) -> Result<Query, Error> {
    let mut edits = Edits::default();
    for token in undeclared(&tokens(text)) {
        let known = token.name().and_then(|(prefix, _)| PREFIXES.iter().find(|(name, _)| *name == prefix));
        if let Some((prefix, namespace)) = known {
            edits.insert(0, format!("PREFIX {prefix}: <{namespace}> "));
        }
    }
    let mut edited = Edited::unchanged(text);
    edited.change(edits);
    let failed = |error: Unparsable| unknown_prefix(&edited).unwrap_or(error).in_original(text, &edited);
    parse::parse(&edited.text).map_err(|error| told(text, &failed(error)))
}

/// The error about a query that cannot be read.
fn told(text: &str, error: &Unparsable) -> Error {
    let told =
        Error::input(format!("the query is no SPARQL: {}", error.message)).excerpt(marked(text, error));
    let told = match (error.line, error.column) {
        (Some(line), Some(column)) => told.at(format!("line {line}, column {column}")),
        _ => told,
    };
    let first = tokens(text).into_iter().find(|token| !token.is_one_of(&["PREFIX", "BASE"]));
    if first.is_some_and(|token| token.is_one_of(&UPDATES)) {
        return told
            .allowed("SELECT, ASK, CONSTRUCT, DESCRIBE")
            .hint("a query changes nothing in the archive");
    }
    if error.message.ends_with("is not declared") {
        let known: Vec<String> = PREFIXES.iter().map(|(prefix, _)| format!("{prefix}:")).collect();
        return told
            .allowed(format!("`PREFIX name: <IRI>` before the query; without it: {}", known.join(", ")));
    }
    match error.expected.as_slice() {
        [] => told,
        expected => told.allowed(expected.join(", ")),
    }
}

/// The line of an error with a mark below its place; nothing where it has none.
fn marked(text: &str, error: &Unparsable) -> Vec<String> {
    let (Some(line), Some(column)) = (error.line, error.column) else { return Vec::new() };
    let number = |number: u64| usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
    let whole: Vec<char> =
        text.split('\n').nth(number(line)).unwrap_or_default().trim_end().chars().collect();
    let column = number(column).min(whole.len());
    let (from, to) = (column.saturating_sub(SHOWN), (column + SHOWN).min(whole.len()));
    // A tab is as wide as it is above the mark, and control characters are shown as more than one.
    let shown: String = whole[from..to].iter().map(|c| if c.is_control() { ' ' } else { *c }).collect();
    if whole.is_empty() {
        return Vec::new();
    }
    vec![shown, format!("{}^", " ".repeat(column - from))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_shown_where_it_stands() {
        let told = |text: &str| parse(text).expect_err(text).to_string();
        let cases = [
            "SELECT ?s {\n ?s qassay:f1 ?x . FILTER(?x > ) }",
            "SELECT ?s { ?s <u:p> }",
            "SELECT * WHERE { ?s ?p }",
            "SELECT (COUNT(?x) WHERE { ?x ?y ?z }",
            "SELECT ?s { ?s ?p ?o } ORDER ?s",
            "SELCT ?s { }",
            "INSERT DATA { }",
            "ASK { ?s foo:p \t1 ; qassay:f1 1 }",
            "ASK { ?s ?p 1",
            "",
        ];
        let all: Vec<String> = cases.into_iter().map(told).collect();
        insta::assert_snapshot!(all.join("\n"), @r"
        line 2, column 32: the query is no SPARQL: `)` is not expected here.
           ?s qassay:f1 ?x . FILTER(?x > ) }
                                         ^
        line 1, column 22: the query is no SPARQL: `}` is not expected here.
          SELECT ?s { ?s <u:p> }
                               ^
        allowed: `(`, `.`, a number, a text, a variable, an IRI
        line 1, column 24: the query is no SPARQL: `}` is not expected here.
          SELECT * WHERE { ?s ?p }
                                 ^
        allowed: `(`, `.`, a number, a text, a variable, an IRI
        line 1, column 19: the query is no SPARQL: `WHERE` is not expected here.
          SELECT (COUNT(?x) WHERE { ?x ?y ?z }
                            ^
        line 1, column 30: the query is no SPARQL: `?s` is not expected here.
          SELECT ?s { ?s ?p ?o } ORDER ?s
                                       ^
        allowed: BY
        line 1, column 1: the query is no SPARQL: `SELCT` is not expected here.
          SELCT ?s { }
          ^
        allowed: SELECT, ASK, CONSTRUCT, DESCRIBE
        line 1, column 1: the query is no SPARQL: `INSERT` is not expected here.
          INSERT DATA { }
          ^
        allowed: SELECT, ASK, CONSTRUCT, DESCRIBE
        hint: a query changes nothing in the archive
        line 1, column 10: the query is no SPARQL: the prefix `foo:` is not declared.
          ASK { ?s foo:p  1 ; qassay:f1 1 }
                   ^
        allowed: `PREFIX name: <IRI>` before the query; without it: qassay:, code:, dcat:, dct:, dqv:, owl:, prov:, qb:, rdf:, rdfs:, schema:, sd:, skos:, spdx:, void:, xsd:
        line 1, column 14: the query is no SPARQL: the query ends too early.
          ASK { ?s ?p 1
                       ^
        allowed: `,`, `.`, `;`, `{`, `}`
        line 1, column 1: the query is no SPARQL: the query ends too early.
        allowed: SELECT, ASK, CONSTRUCT, DESCRIBE
        ");
        let long = format!("ASK {{ {} ?s ?p }}", "?s ?p \"ä\u{1b}\" . ".repeat(100));
        assert!(told(&long).lines().all(|line| line.chars().count() < 200), "{}", told(&long));
    }

    #[test]
    fn prefixes_of_the_archive_need_no_declaration_and_may_have_one() {
        assert!(parse("ASK { ?s qassay:f1 ?x ; a code:a , dcat:Catalog }").is_ok());
        let own = parse("PREFIX qassay: <http://mine/> ASK { ?s qassay:f1 ?x }").unwrap().to_string();
        assert!(own.contains("<http://mine/f1>"), "{own}");
    }
}
