//! Terms that are none: `text:"…"` of the hybrid questions of QALD, and IRIs without their angle brackets.

use std::fmt::Write as _;

use crate::sparql::lexer::{Kind, Token};
use crate::sparql::repair::shape::{Role, closes, roles};
use crate::sparql::repair::{Changes, Given, RepairKind};

/// The namespace that NLQ declares for `text:`.
const TEXT: &str = "http://okbqa.org/text#";

pub(crate) static TEXT_TERM: RepairKind = RepairKind {
    name: "text-term",
    problem: "it has pseudo terms `text:\"…\"`, which stand for texts to search; each is read as a term of its own",
    definition: "A pseudo term text:\"…\" of a hybrid question is read as an IRI made of its words, so that the rest can \
        be read. The query stays a pseudo query: it cannot be asked of a knowledge base.",
    example: ("ASK { ?x text:\"member of\" ?y }", "ASK { ?x <http://okbqa.org/text#member%20of> ?y }"),
    apply: |given, changes| text_terms(given, changes, false),
};

pub(crate) static TEXT_STATEMENT: RepairKind = RepairKind {
    name: "text-statement",
    problem: "it has pseudo statements `?x text:\"…\"` of two terms; each is read as a property `text:` with a literal",
    definition: "A pseudo statement of two terms, a subject and text:\"…\", is read as a triple whose property is the \
        prefix text: alone and whose object is the text. The query stays a pseudo query: it cannot be asked of a \
        knowledge base.",
    example: ("ASK { ?x text:\"general\" }", "ASK { ?x <http://okbqa.org/text#> \"general\" }"),
    apply: |given, changes| text_terms(given, changes, true),
};

/// Those that are all of a statement behind its subject, or all others. A prefix that is declared makes no pseudo terms.
fn text_terms(given: &Given<'_>, changes: &mut Changes, of_two: bool) {
    let tokens = &given.tokens;
    if crate::sparql::repair::prefix::declared(tokens).any(|(prefix, _)| prefix == "text") {
        return;
    }
    let pseudo = |number: usize| {
        tokens[number].text == "text:" && given.touch(number) && tokens[number + 1].kind == Kind::Text
    };
    for (number, role) in roles(&without_texts(given, &pseudo)).into_iter().enumerate() {
        if !pseudo(number) {
            continue;
        }
        let ends = tokens.get(number + 2).is_none_or(|next| next.is(".") || next.is(";") || closes(next));
        let is_of_two = role == Some(Role::Predicate) && ends;
        let (name, text) = (&tokens[number], &tokens[number + 1]);
        match (is_of_two == of_two, of_two) {
            (false, _) => {}
            (true, true) => changes.edits.replace(name.start..name.end(), format!("<{TEXT}> ")),
            (true, false) => changes.edits.replace(name.start..text.end(), term(text.text)),
        }
    }
}

/// The pieces with the text of each pseudo term taken for a language tag, which is no term of its own.
fn without_texts<'a>(given: &Given<'a>, pseudo: &impl Fn(usize) -> bool) -> Vec<Token<'a>> {
    let mut tokens = given.tokens.clone();
    for (before, token) in tokens.iter_mut().skip(1).enumerate() {
        if pseudo(before) {
            token.kind = Kind::Language;
        }
    }
    tokens
}

/// An IRI made of the words of a quoted text.
fn term(quoted: &str) -> String {
    let mut iri = format!("<{TEXT}");
    for byte in quoted.trim_matches(['"', '\'']).bytes() {
        if byte.is_ascii_alphanumeric() || b"-._".contains(&byte) {
            iri.push(char::from(byte));
        } else {
            let _ = write!(iri, "%{byte:02X}");
        }
    }
    iri + "> "
}

pub(crate) static BARE_IRI: RepairKind = RepairKind {
    name: "bare-iri",
    problem: "an IRI has no angle brackets",
    definition: "A term that begins with http:// or https:// and stands without angle brackets gets them. It ends at the \
        next space; a full stop, comma, semicolon or unmatched bracket at its end is none of it.",
    example: (
        "ASK { ?x a http://dbpedia.org/ontology/City . }",
        "ASK { ?x a <http://dbpedia.org/ontology/City> . }",
    ),
    apply: bare_iris,
};

fn bare_iris(given: &Given<'_>, changes: &mut Changes) {
    let mut done = 0;
    for token in &given.tokens {
        let rest = given.rest(token.end());
        if token.start < done || !["http:", "https:"].contains(&token.text) || !rest.starts_with("//") {
            continue;
        }
        let all = rest.find(|c: char| c <= ' ' || "<>\"{}|^`\\".contains(c)).unwrap_or(rest.len());
        let end = token.end() + trimmed(&rest[..all]).len();
        changes.edits.insert(token.start, "<");
        changes.edits.insert(end, ">");
        done = token.end() + all;
    }
}

/// Without the marks at the end that belong to the query.
fn trimmed(mut iri: &str) -> &str {
    loop {
        let unmatched = iri.ends_with(')') && iri.matches(')').count() > iri.matches('(').count();
        if !unmatched && !iri.ends_with(['.', ',', ';']) {
            return iri;
        }
        iri = &iri[..iri.len() - 1];
    }
}
