//! What is refused before the parser sees it: texts that would overflow its stack or keep it busy for ever. These are limits
//! of ours, not of SPARQL: a query beyond them is not called wrong.
//!
//! The parser calls itself for every bracket, walks calls itself for every operator (`a || b || …` is a deep tree), and
//! some calls are read once for each form that they may have, so that nesting them doubles the work each time.

use crate::base::limits::{DEEPEST_CALLS, DEEPEST_QUERY, LONGEST_QUERY, MOST_KEYWORDS};
use crate::sparql::error::Unparsable;
use crate::sparql::lexer;
use crate::sparql::lexer::{Kind, Region, Token, places};

/// Refuses what is too long.
pub(crate) fn refuse_long(text: &str) -> Result<(), Unparsable> {
    if text.len() > LONGEST_QUERY {
        return Err(Unparsable::limit(format_args!("the query has {} bytes", text.len()), LONGEST_QUERY));
    }
    Ok(())
}

/// Refuses what would overflow the stack of the parser or keep it busy for ever. Long texts that are wide only are fine.
pub fn refuse_heavy(text: &str) -> Result<(), Unparsable> {
    refuse_deep(&lexer::tokens(text))
}

/// Refuses what is too deep.
pub(crate) fn refuse_deep(tokens: &[Token<'_>]) -> Result<(), Unparsable> {
    let links = tokens.iter().zip(places(tokens)).filter(|(token, place)| is_link(token, *place)).count();
    if links > MOST_KEYWORDS {
        return Err(Unparsable::limit(
            format_args!("the query has {links} keywords and operators"),
            MOST_KEYWORDS,
        ));
    }
    let (deepest, reread) = depths(tokens);
    if deepest > DEEPEST_QUERY {
        return Err(Unparsable::limit(
            format_args!("the query is nested {deepest} levels deep"),
            DEEPEST_QUERY,
        ));
    }
    if reread > DEEPEST_CALLS {
        return Err(Unparsable::limit(
            format_args!("the query calls functions {reread} levels deep"),
            DEEPEST_CALLS,
        ));
    }
    Ok(())
}

fn is_link(token: &Token<'_>, place: Region) -> bool {
    const NO_LINKS: [&str; 8] = [".", ",", ";", "}", ")", "]", "=", "^^"];
    match token.kind {
        Kind::Word => !token.is_one_of(&["a", "true", "false", "UNDEF"]),
        // Rows of VALUES and lists are wide, not deep.
        Kind::Mark if token.is("(") => place == Region::Head,
        Kind::Mark => !NO_LINKS.contains(&token.text),
        _ => false,
    }
}

/// The deepest nesting of brackets and of calls that are read more than once. A run of `!` nests too.
fn depths(tokens: &[Token<'_>]) -> (usize, usize) {
    let mut open: Vec<bool> = Vec::new();
    let (mut deepest, mut most_reread, mut reread, mut negations) = (0, 0, 0, 0);
    for (number, token) in tokens.iter().enumerate() {
        negations = if token.is("!") { negations + 1 } else { 0 };
        if token.is("{") || token.is("(") || token.is("[") {
            let is_reread = token.is("(") && number > 0 && is_reread(&tokens[number - 1]);
            open.push(is_reread);
            reread += usize::from(is_reread);
        } else if (token.is("}") || token.is(")") || token.is("]")) && open.pop() == Some(true) {
            reread -= 1;
        }
        deepest = deepest.max(open.len() + negations);
        most_reread = most_reread.max(reread);
    }
    (deepest, most_reread)
}

/// The parser needs no space between words: `FILTERregex(` is a call too.
fn is_reread(before: &Token<'_>) -> bool {
    const REREAD: [&str; 4] = ["regex", "replace", "substr", "group_concat"];
    match before.kind {
        Kind::Word => REREAD.iter().any(|name| before.text.to_ascii_lowercase().ends_with(name)),
        kind => matches!(kind, Kind::Name | Kind::Iri),
    }
}

#[cfg(test)]
mod tests {
    use crate::sparql::read::analyse;

    /// As deep as allowed must work, on the small stack of a test; deeper must be refused.
    #[test]
    fn deep_queries_are_read_or_refused() {
        let wrap = |inside: &str| format!("SELECT * {{ {inside} }}");
        let deep = |open: &str, middle: &str, close: &str, times: usize| {
            wrap(&format!("{}{middle}{}", open.repeat(times), close.repeat(times)))
        };
        let kinds: [&dyn Fn(usize) -> String; 12] = [
            &|n| deep("{", "", "}", n),
            &|n| deep("?x <a:b> [", "<a:b> 1", "]", n),
            &|n| deep("FILTER(", "1", ")", n),
            &|n| wrap(&format!("FILTER({}1{})", "(".repeat(n), ")".repeat(n))),
            &|n| wrap(&format!("FILTER({}1{}", "(".repeat(n), ")".repeat(n))),
            &|n| wrap(&format!("FILTER({}1)", "!".repeat(n))),
            &|n| wrap(&format!("FILTER({}1{})", "REGEX(".repeat(n), ", 1)".repeat(n))),
            &|n| wrap(&format!("FILTER({}1{})", "GROUP_CONCAT(".repeat(n), ")".repeat(n))),
            &|n| wrap(&format!("FILTER{}1{}", "<a:b>(EXISTS{FILTER".repeat(n), "})".repeat(n))),
            &|n| wrap(&format!("{}1{}", "OPTIONAL { ?x <a:b> ".repeat(n), "}".repeat(n))),
            &|n| wrap(&"{}UNION".repeat(n)),
            &|n| deep("OPTIONAL { FILTER NOT EXISTS {", "?x <a:b>/<a:b>* 1", "}}", n),
        ];
        for times in [7, 8, 60, 99, 190, 198, 199, 5_000, 50_000] {
            for kind in kinds {
                drop(analyse(&kind(times)));
            }
        }
    }

    /// Each would take minutes if every letter looked through the rest of the text.
    #[test]
    fn long_runs_without_a_prefix_are_looked_through_once() {
        for run in ["a-1", "b-", "AS-1", "1.5NOT", "NOT1UNION1.51"] {
            let text = run.repeat(99_000 / run.len());
            assert!(analyse(&text).is_err(), "{run}");
            assert!(super::refuse_heavy(&text.repeat(10)).is_err() || run == "a-1" || run == "b-", "{run}");
        }
    }

    #[test]
    fn our_limits_are_told_as_ours() {
        let told = |text: &str| analyse(text).map(drop).expect_err("too much");
        let long = told(&format!("SELECT * {{ VALUES ?x {{ {} }} }}", "1 ".repeat(50_000)));
        assert_eq!(long.to_string(), "the query has 100027 bytes, more than 100000, a limit of qassay");
        let deep = told(&format!("SELECT * {}{}", "{".repeat(201), "}".repeat(201)));
        assert_eq!(deep.to_string(), "the query is nested 201 levels deep, more than 200, a limit of qassay");
        assert!(long.is_limit && deep.is_limit && !told("SELECT").is_limit);
    }

    #[test]
    fn long_chains_are_read_or_refused() {
        let wrap = |inside: String| format!("SELECT * {{ {inside} }}");
        let chains: [&dyn Fn(usize) -> String; 9] = [
            &|n| wrap(format!("{}{{}}", "{ ?x <a:b> 1 } UNION ".repeat(n))),
            &|n| wrap("OPTIONAL { ?x <a:b> 1 }".repeat(n)),
            &|n| wrap(format!("FILTER(1{})", "+1".repeat(n))),
            &|n| wrap(format!("FILTER(1{})", "||1".repeat(n))),
            &|n| wrap(format!("?x <a:b>{} ?y", "/<a:b>".repeat(n))),
            &|n| wrap(format!("?x <a:b>{} ?y", "|<a:b>".repeat(n))),
            &|n| wrap("?x <a:b>* ?y .".repeat(n)),
            &|n| wrap(format!("?x <a:b> ({})", "1 ".repeat(n))),
            &|n| format!("SELECT (COUNT(?x) AS ?c) {{ }} GROUP BY ?x HAVING {}", "(1) ".repeat(n)),
        ];
        for times in [300, 600, 900, 990, 1_900, 1_990, 20_000] {
            for chain in chains {
                drop(analyse(&chain(times)));
            }
        }
    }
}
