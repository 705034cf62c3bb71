//! Whole queries stored as the text of a cell: in quotes, with their own quotes doubled.

use crate::sparql::repair::{Changes, Given, RepairKind};

pub(crate) static ESCAPED_TEXT: RepairKind = RepairKind {
    name: "escaped-text",
    problem: "all of it stands in quotes, with its own quotes escaped as in a table or in JSON",
    definition: "A query that stands in double quotes as a whole loses them, and its own quotes, which are doubled or \
        escaped (\"\", \\\"\", \"\"\\), become single quotes of SPARQL again.",
    example: ("\"ASK { ?x ?y \\\"\"z\"\" }\"", "ASK { ?x ?y \"z\" }"),
    apply,
};

fn apply(given: &Given<'_>, changes: &mut Changes) {
    let text = given.text.trim_ascii_end();
    let start = given.text.len() - given.text.trim_ascii_start().len();
    // A query never begins with a quote.
    if !text[start.min(text.len())..].starts_with('"') || !text.ends_with('"') || text.len() < start + 2 {
        return;
    }
    changes.edits.replace(start..start + 1, "");
    let end = text.len() - 1;
    let mut at = start + 1;
    while at < end {
        let rest = &text[at..end];
        let escaped = ["\\\"\"", "\"\"\\", "\\\"", "\"\""].iter().find(|quote| rest.starts_with(**quote));
        if let Some(quote) = escaped {
            changes.edits.replace(at..at + quote.len(), "\"");
            at += quote.len();
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    changes.edits.replace(end..text.len(), "");
}
