//! From a text to the algebra of spargebra.

use std::ops::Range;

use spargebra::{Query, SparqlParser};

use crate::sparql::edit::Edits;
use crate::sparql::error::Unparsable;
use crate::sparql::failure;
use crate::sparql::lexer::{Kind, Place, Token, places, tokens};
use crate::sparql::repair::shape::brackets;

/// Parses a text as it stands.
pub(crate) fn parse(text: &str) -> Result<Query, Unparsable> {
    let mut spelled = spell(text).apply(text);
    // The parser cuts as many characters as a keyword has: at the end of the text its errors would have no place.
    spelled.text.push_str(&" ".repeat(20));
    SparqlParser::new()
        .parse_query(&spelled.text)
        .map_err(|error| failure::explain(text, &spelled, &error.to_string()))
}

/// The text in a spelling that spargebra reads too: it means the same.
pub(crate) fn spelled(text: &str) -> String {
    spell(text).apply(text).text
}

/// SPARQL that spargebra 0.4.8 does not read, in a spelling that it reads. Nothing is repaired here.
fn spell(text: &str) -> Edits {
    let mut edits = Edits::default();
    let tokens = tokens(text);
    for token in &tokens {
        spell_points(token, &mut edits);
    }
    for pair in tokens.windows(2) {
        // It reads `CONCAT(` and not `CONCAT (`.
        if pair[0].is_one_of(&["CONCAT", "COALESCE"]) && pair[1].is("(") {
            edits.replace(pair[0].end()..pair[1].start, "");
        }
    }
    drop_repeated_variables(&tokens, &mut edits);
    edits
}

/// It reads names with one run of points between their letters; escaped points are letters to it.
fn spell_points(token: &Token<'_>, edits: &mut Edits) {
    let Some((prefix, local)) = token.name() else { return };
    let points = local.match_indices('.').filter(|(at, _)| !local[..*at].ends_with('\\'));
    let points: Vec<usize> = points.map(|(at, _)| at).collect();
    if points.len() > 1 {
        for at in points {
            edits.insert(token.start + prefix.len() + 1 + at, "\\");
        }
    }
}

/// It refuses `SELECT ?x ?x`; SPARQL does not.
fn drop_repeated_variables(tokens: &[Token<'_>], edits: &mut Edits) {
    for items in projections(tokens) {
        let mut seen: Vec<&str> = Vec::new();
        for item in items {
            if let [Token { kind: Kind::Variable, text, .. }] = item {
                if seen.contains(&&text[1..]) {
                    edits.replace(item[0].start..item[0].end(), "");
                }
                seen.push(&text[1..]);
            }
        }
    }
}

/// What each SELECT of the query selects: variables, `*`, calls, calculations, and what is in brackets.
pub(crate) fn projections<'t, 'a>(tokens: &'t [Token<'a>]) -> Vec<Vec<&'t [Token<'a>]>> {
    let partners = brackets(tokens);
    let selects = tokens.iter().enumerate().filter(|(_, token)| token.is_word("SELECT"));
    selects.map(|(number, _)| projection(tokens, &partners, number)).collect()
}

/// What the SELECT at a place selects.
pub(crate) fn projection<'t, 'a>(
    tokens: &'t [Token<'a>],
    partners: &[Option<usize>],
    select: usize,
) -> Vec<&'t [Token<'a>]> {
    let is_option = |token: &Token<'_>| token.is_one_of(&["DISTINCT", "REDUCED"]);
    let mut start = select + 1 + usize::from(tokens.get(select + 1).is_some_and(is_option));
    let mut found: Vec<Range<usize>> = Vec::new();
    while let Some(end) = item(tokens, partners, start) {
        // No standard has calculations without brackets; Virtuoso has.
        let operator = ["/", "*", "+", "-"].iter().any(|mark| tokens[start].is(mark));
        let calculated = if operator { item(tokens, partners, end).zip(found.last_mut()) } else { None };
        if let Some((end, before)) = calculated {
            before.end = end;
            start = end;
        } else {
            found.push(start..end);
            start = end;
        }
    }
    found.into_iter().map(|item| &tokens[item]).collect()
}

/// Where the item that starts here ends; nothing where the projection is over. Nor are brackets one that nothing
/// closes, nor what is behind them.
fn item(tokens: &[Token<'_>], partners: &[Option<usize>], start: usize) -> Option<usize> {
    let first = tokens.get(start)?;
    if first.is("{") || first.is_one_of(&["WHERE", "FROM"]) {
        return None;
    }
    let is_named = matches!(first.kind, Kind::Word | Kind::Name | Kind::Iri);
    let is_call = is_named && tokens.get(start + 1).is_some_and(|next| next.is("("));
    if !is_call && !first.is("(") {
        return Some(start + 1);
    }
    Some(partners[start + usize::from(is_call)]? + 1)
}

/// The text with all operators of paths as `|`, the one that the parser leaves in the tree.
///
/// The parser takes `a/b` and `^a` apart into triples. GERBIL's reading ends at any path, so it must see them.
pub(crate) fn keep_paths(text: &str) -> String {
    let mut edits = Edits::default();
    let tokens = tokens(text);
    for (token, place) in tokens.iter().zip(places(&tokens)) {
        if token.is("^") {
            edits.replace(token.start..token.end(), "<urn:x-qassay:inverse>|");
        } else if token.is("/") && place == Place::Triples {
            edits.replace(token.start..token.end(), "|");
        }
    }
    edits.apply(text).text
}
