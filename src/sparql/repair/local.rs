//! Prefixed names with characters that SPARQL wants escaped, or does not allow at all.

use std::collections::BTreeMap;

use crate::sparql::lexer::{Region, Token, is_name, places};
use crate::sparql::prefixes;
use crate::sparql::repair::shape::{Role, roles};
use crate::sparql::repair::{Changes, Given, RepairKind};

pub(crate) static LOCAL_NAME: RepairKind = RepairKind {
    name: "local-name",
    problem: "a prefixed name has characters that SPARQL wants escaped or does not allow",
    definition: "In a prefixed name, a comma before an underscore, a word in round brackets, a single & and, where triples \
        stand, a / before a word are escaped with a backslash, and so is a full stop at the end of a subject. A name with \
        characters that cannot be escaped is written out as an IRI.",
    example: (
        "ASK { dbr:Austin_Powers_(character) ?x ?y }",
        "ASK { dbr:Austin_Powers_\\(character\\) ?x ?y }",
    ),
    apply,
};

fn apply(given: &Given<'_>, changes: &mut Changes) {
    let tokens = &given.tokens;
    let namespaces: BTreeMap<&str, Option<&str>> = crate::sparql::repair::prefix::declared(tokens).collect();
    let namespace =
        |prefix: &str| namespaces.get(prefix).copied().unwrap_or_else(|| prefixes::namespace(prefix));
    let (roles, places) = (roles(tokens), places(tokens));
    let mut done = 0;
    for (number, token) in tokens.iter().enumerate() {
        let Some((prefix, local)) = token.name() else { continue };
        if token.start < done || tokens[..number].last().is_some_and(|before| before.is_word("PREFIX")) {
            continue;
        }
        let more = more(given.rest(token.end()), token, places[number] == Region::Triples);
        // A subject is never followed by the end of its statement.
        let takes_point = !more.is_empty()
            && roles[number] == Some(Role::Subject)
            && given.rest(token.end() + more.len()).starts_with('.');
        let end = token.end() + more.len() + usize::from(takes_point);
        done = end;
        if !local.chars().chain(more.chars()).all(is_allowed) {
            if let Some(namespace) = namespace(prefix) {
                let local = format!("{}{}", local.replace('\\', ""), &given.text[token.end()..end]);
                changes.edits.replace(token.start..end, format!("<{namespace}{local}>"));
            }
        } else if !more.is_empty() {
            let point = if takes_point { "\\." } else { "" };
            changes.edits.replace(token.end()..end, escaped(more) + point);
        }
    }
}

const ESCAPED: [char; 5] = [',', '(', ')', '&', '/'];

fn escaped(more: &str) -> String {
    let escape = |c: char| ESCAPED.contains(&c).then_some('\\').into_iter().chain([c]);
    more.chars().flat_map(escape).collect()
}

/// What belongs to a name behind what SPARQL takes for it; nothing if it has no character to escape.
fn more<'a>(rest: &'a str, token: &Token<'_>, is_in_triples: bool) -> &'a str {
    let mut length = 0;
    let mut is_behind_underscore = token.text.ends_with('_');
    let mut has_odd = false;
    loop {
        let here = &rest[length..];
        let odd = odd(here, is_in_triples, is_behind_underscore);
        let plain = here[odd..].find(|c| !(is_name(c) || c == '-' || c == '.')).unwrap_or(here.len() - odd);
        if odd == 0 && (plain == 0 || !has_odd) {
            break;
        }
        has_odd = true;
        length += odd + plain;
        is_behind_underscore = rest[..length].ends_with('_');
    }
    rest[..length].trim_end_matches('.')
}

/// The length of what must be escaped at the start: a mark, or a word in brackets.
fn odd(here: &str, is_in_triples: bool, is_behind_underscore: bool) -> usize {
    let word = |text: &str| text.find(|c| !is_name(c)).unwrap_or(text.len());
    let rest = here.get(1..).unwrap_or_default();
    match here.bytes().next() {
        Some(b',') if rest.starts_with('_') && !rest.starts_with("_:") => 1,
        Some(b'&') if !rest.starts_with('&') && word(rest) > 0 => 1,
        Some(b'/') if is_in_triples => {
            let word = word(rest);
            let is_term = rest[word..].starts_with([':', '-', '.', '(']) || &rest[..word] == "a";
            usize::from(word > 0 && !is_term)
        }
        Some(b'(') => {
            let word = word(rest);
            let is_value = rest[..word].bytes().all(|b| b.is_ascii_digit())
                || ["true", "false"].contains(&&rest[..word]);
            let is_word = word > 0 && rest[word..].starts_with(')') && (!is_value || is_behind_underscore);
            if is_word { word + 2 } else { 0 }
        }
        _ => 0,
    }
}

/// Whether a character may stand in a name, as it is or escaped.
fn is_allowed(c: char) -> bool {
    const ALLOWED: [(char, char); 14] = [
        ('\0', '\u{7f}'),
        ('\u{b7}', '\u{b7}'),
        ('\u{c0}', '\u{d6}'),
        ('\u{d8}', '\u{f6}'),
        ('\u{f8}', '\u{37d}'),
        ('\u{37f}', '\u{1fff}'),
        ('\u{200c}', '\u{200d}'),
        ('\u{203f}', '\u{2040}'),
        ('\u{2070}', '\u{218f}'),
        ('\u{2c00}', '\u{2fef}'),
        ('\u{3001}', '\u{d7ff}'),
        ('\u{f900}', '\u{fdcf}'),
        ('\u{fdf0}', '\u{fffd}'),
        ('\u{10000}', '\u{effff}'),
    ];
    ALLOWED.iter().any(|(first, last)| (*first..=*last).contains(&c))
}
