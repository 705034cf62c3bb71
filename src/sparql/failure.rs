//! From the errors of spargebra to a sentence and a place.
//!
//! Its errors are one text: `error at 1:23: expected one of "}", FILTER`, where quoted parts are what it looked for, and bare
//! ones the keywords or rules that failed. The place is the furthest one it looked at, for keywords behind them.

use crate::sparql::edit::Edited;
use crate::sparql::error::{Unparsable, offset};
use crate::sparql::lexer::tokens;

/// What is wrong with a text, from the error about its spelling for the parser.
pub(crate) fn explain(text: &str, spelled: &Edited, error: &str) -> Unparsable {
    let Some((line, column, expected)) = parts(error) else {
        return Unparsable::whole(error.replace(['\n', '\r'], " "));
    };
    let end = offset(&spelled.text, line, column);
    if let Some(rule) = expected.iter().find(|part| is_rule(part)) {
        return Unparsable::at(text, spelled.origin(end).min(text.len()), rule.trim_end_matches('.'));
    }
    let place = spelled.origin(back(&spelled.text, end, &expected));
    match tokens(text).iter().find(|token| token.end() > place) {
        Some(token) => {
            let shown: String = token.text.chars().take(40).collect();
            let shown = shown.replace(['\n', '\r'], " ");
            Unparsable::at(text, token.start, format!("`{shown}` is not expected here"))
        }
        None => Unparsable::at(text, text.len(), "the query ends too early"),
    }
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
    let is_keyword = |part: &&str| part.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_');
    if !expected.iter().all(is_keyword) {
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
