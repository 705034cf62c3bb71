//! From a text to the algebra of spargebra.

use crate::sparql::edit::{Edited, Edits};
use crate::sparql::error::{Unparsable, offset};
use crate::sparql::lexer::{Kind, Region, Token, places, tokens};
use crate::sparql::repair::shape::brackets;
use spargebra::{Query, SparqlParser};
use std::ops::Range;

/// Parses a text as it stands.
pub(crate) fn parse(text: &str) -> Result<Query, Unparsable> {
    parse_tokens(text, &tokens(text))
}

/// The same where the tokens of the text are known.
pub(crate) fn parse_tokens(text: &str, tokens: &[Token<'_>]) -> Result<Query, Unparsable> {
    let spelled = spell(tokens).apply(text);
    let parsed = |text: &str| SparqlParser::new().parse_query(text);
    parsed(&spelled.text).or_else(|_| {
        let apart = apart(&spelled.text);
        parsed(&apart.text).map_err(|error| explain(text, &spelled, &apart, &error.to_string()))
    })
}

/// A text whose tokens stand wide apart. Where the parser looks for a keyword it cuts as many characters as that has: its errors
/// would be where these end, behind what is wrong.
fn apart(text: &str) -> Edited {
    let wide = " ".repeat(20);
    let mut edits = Edits::default();
    let mut end = 0;
    for token in tokens(text) {
        if token.start > end {
            edits.insert(token.start, &wide);
        }
        end = token.end();
    }
    let mut apart = edits.apply(text);
    apart.text.push_str(&wide);
    apart
}

/// The text in a spelling that spargebra reads too: it means the same.
pub(crate) fn spelled(text: &str) -> String {
    spell(&tokens(text)).apply(text).text
}

/// SPARQL that spargebra 0.4.8 does not read, in a spelling that it reads. Nothing is repaired here.
fn spell(tokens: &[Token<'_>]) -> Edits {
    let mut edits = Edits::default();
    for token in tokens {
        spell_points(token, &mut edits);
    }
    for pair in tokens.windows(2) {
        // It reads `CONCAT(` and not `CONCAT (`.
        if pair[0].is_one_of(&["CONCAT", "COALESCE"]) && pair[1].is("(") {
            edits.replace(pair[0].end()..pair[1].start, "");
        }
    }
    drop_repeated_variables(tokens, &mut edits);
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
        } else if token.is("/") && place == Region::Triples {
            edits.replace(token.start..token.end(), "|");
        }
    }
    edits.apply(text).text
}

/// What is wrong with a text, from the error about its spelling for the parser, whose tokens stand apart.
fn explain(text: &str, spelled: &Edited, apart: &Edited, error: &str) -> Unparsable {
    let Some((line, column, expected)) = parts(error) else {
        return Unparsable::whole(error.replace(['\n', '\r'], " "));
    };
    let origin = |at| spelled.origin(apart.origin(at));
    let end = offset(&apart.text, line, column);
    if let Some(rule) = expected.iter().find(|part| is_rule(part)) {
        return Unparsable::at(text, origin(end).min(text.len()), rule.trim_end_matches('.'));
    }
    let place = origin(back(&apart.text, end, &expected));
    let found = match tokens(text).iter().find(|token| token.end() > place) {
        Some(token) => {
            let shown: String = token.text.chars().take(40).collect();
            let shown = shown.replace(['\n', '\r'], " ");
            Unparsable::at(text, token.start, format!("`{shown}` is not expected here"))
        }
        None => Unparsable::at(text, text.len(), "the query ends too early"),
    };
    let is_start = !tokens(text).iter().any(|token| token.is_one_of(&FORMS));
    Unparsable {
        expected: if is_start { FORMS.map(str::to_owned).to_vec() } else { named(&expected) },
        ..found
    }
}

/// The words that queries begin with.
const FORMS: [&str; 4] = ["SELECT", "ASK", "CONSTRUCT", "DESCRIBE"];

/// Keywords without which what stands before them is nothing.
const NEEDED: [&str; 4] = ["BY", "AS", "EXISTS", "IN"];

/// What the parser expected, as people call it. Of several keywords the parser names the longest, and not those that could stand there:
/// one is told where nothing else can.
fn named(expected: &[&str]) -> Vec<String> {
    let word = |part: &&str| {
        let part = part.trim_end_matches('.');
        Some(match part {
            "\"?\"" => "a variable".to_owned(),
            "\"<\"" => "an IRI".to_owned(),
            "\"\\\"\"" => "a text".to_owned(),
            "['0'..='9']" => "a number".to_owned(),
            _ if NEEDED.contains(&part) && expected.len() == 1 => part.to_owned(),
            _ => {
                let mark = part.strip_prefix('"')?.strip_suffix('"')?;
                ["{", "}", "(", ")", "]", ".", ";", ","].contains(&mark).then(|| format!("`{mark}`"))?
            }
        })
    };
    let mut named: Vec<String> = expected.iter().filter_map(word).collect();
    named.sort_unstable();
    named
}

fn is_keyword(part: &str) -> bool {
    part.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_')
}

/// The line, the column and what was expected.
fn parts(error: &str) -> Option<(u64, u64, Vec<&str>)> {
    let (line, rest) = error.strip_prefix("error at ")?.split_once(':')?;
    let (column, rest) = rest.split_once(':')?;
    let expected = rest.trim_start().strip_prefix("expected ")?;
    let expected = expected.strip_prefix("one of ").unwrap_or(expected).split(", ");
    let expected = expected.map(|part| part.strip_prefix("or ").unwrap_or(part)).collect();
    Some((line.parse().ok()?, column.parse().ok()?, expected))
}

/// Whether it is a sentence about a rule of SPARQL. An unknown prefix has a sentence of its own.
fn is_rule(part: &str) -> bool {
    part.contains(' ') && part.starts_with(|c: char| c.is_ascii_uppercase()) && part != "Prefix not found"
}

/// The start of the keyword that was looked for, if only keywords were.
fn back(text: &str, end: usize, expected: &[&str]) -> usize {
    if !expected.iter().all(|part| is_keyword(part)) {
        return end;
    }
    let length = expected.iter().map(|part| part.len()).max().unwrap_or_default();
    text[..end].char_indices().rev().take(length).last().map_or(end, |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use crate::sparql::read::analyse;

    #[test]
    fn errors_say_what_is_wrong_and_where() {
        for (query, expected) in [
            ("SELECT ?x {\n ?x foo:a 1 }", "the prefix `foo:` is not declared (line 2, column 5)"),
            ("ASK { ?é <u:p> <v:q>\n<u:r> }", "`<u:r>` is not expected here (line 2, column 1)"),
            ("ASK { { ?x <u:p> 1", "the query ends too early (line 1, column 19)"),
            ("", "the query ends too early (line 1, column 1)"),
            (
                "SELECT ?x COUNT(?y) { ?x <u:p> ?y } GROUP BY ?z",
                "The SELECT contains a variable that is unbound (line 1, column 48)",
            ),
            ("SELECT COUNT(?x) {\n?x <u:p> }", "`}` is not expected here (line 2, column 10)"),
            ("OUT OF SCOPE", "`OUT` is not expected here (line 1, column 1)"),
        ] {
            assert_eq!(analyse(query).expect_err(query).to_string(), expected, "{query}");
        }
    }
}
