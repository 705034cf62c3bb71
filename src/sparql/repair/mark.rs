//! Byte order marks before a query.

use crate::sparql::repair::{Changes, Given, RepairKind};

pub(crate) static BYTE_ORDER_MARK: RepairKind = RepairKind {
    name: "byte-order-mark",
    problem: "a byte order mark stands before it",
    definition: "Byte order marks (U+FEFF) before the first word of a query are left out. They come from programs that \
        write one at the beginning of every text; elsewhere in a query the character stays.",
    example: ("\u{feff}ASK { ?x ?y ?z }", "ASK { ?x ?y ?z }"),
    apply,
};

const MARK: char = '\u{feff}';

fn apply(given: &Given<'_>, changes: &mut Changes) {
    let is_before = |c: &char| *c == MARK || c.is_ascii_whitespace();
    let before = given.text.chars().take_while(is_before);
    let mut at = 0;
    for character in before {
        if character == MARK {
            changes.edits.replace(at..at + MARK.len_utf8(), "");
        }
        at += character.len_utf8();
    }
}
