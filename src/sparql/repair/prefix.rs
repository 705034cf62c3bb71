//! Prefixes that are used and not declared.

use std::collections::BTreeSet;

use crate::sparql::lexer::{Kind, Token};
use crate::sparql::prefixes;
use crate::sparql::repair::{Changes, Given, RepairKind};

pub(crate) static PREFIX: RepairKind = RepairKind {
    name: "prefix",
    problem: "is not declared; it is taken as public endpoints do",
    definition: "A prefix that is used and not declared is declared as the public endpoints know it that the datasets \
        were made with (DBpedia, Wikidata, LinkedSpending, Korean DBpedia). A prefix that the query declares, or that \
        is not in the table, is left alone.",
    example: ("ASK { ?x a dbo:City }", "PREFIX dbo: <http://dbpedia.org/ontology/> ASK { ?x a dbo:City }"),
    apply,
};

fn apply(given: &Given<'_>, changes: &mut Changes) {
    for token in undeclared(&given.tokens) {
        let Some((prefix, _)) = token.name() else { continue };
        if let Some(namespace) = prefixes::namespace(prefix) {
            changes.edits.insert(0, format!("PREFIX {prefix}: <{namespace}> "));
            changes.about.push(prefix.to_owned());
        }
    }
}

/// The first name with each prefix that no PREFIX declares.
pub(crate) fn undeclared<'t, 'a>(tokens: &'t [Token<'a>]) -> Vec<&'t Token<'a>> {
    let mut seen: BTreeSet<&str> = declared(tokens).map(|(prefix, _)| prefix).collect();
    tokens.iter().filter(|token| token.name().is_some_and(|(prefix, _)| seen.insert(prefix))).collect()
}

/// The prefixes that the query declares, with their namespaces.
pub(crate) fn declared<'t>(tokens: &'t [Token<'_>]) -> impl Iterator<Item = (&'t str, Option<&'t str>)> {
    tokens.windows(2).enumerate().filter(|(_, pair)| pair[0].is_word("PREFIX")).filter_map(
        |(number, pair)| {
            let (prefix, _) = pair[1].name()?;
            let iri = tokens.get(number + 2).filter(|token| token.kind == Kind::Iri);
            Some((prefix, iri.map(|iri| &iri.text[1..iri.text.len() - 1])))
        },
    )
}
