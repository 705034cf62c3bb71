//! The order of the text: the parser puts what is within `[ … ]` and lists before the triple that has it as object.

use std::collections::BTreeMap;

use spargebra::term::TermPattern;

use crate::sparql::collect::{Mention, Statement};

/// Puts the items of a query into the order of its text.
pub(crate) fn textual<'a>(items: Vec<Mention<'a>>, text: &str) -> Vec<Mention<'a>> {
    let nested = nested(&items, text);
    if nested.is_empty() {
        return items;
    }
    let is_inside = |item: &Mention<'_>| {
        statement(item).and_then(|s| label(s.subject)).is_some_and(|label| nested.contains_key(label))
    };
    let mut ordered = Vec::with_capacity(items.len());
    let mut is_done = vec![false; items.len()];
    let roots = (0..items.len()).filter(|number| !is_inside(&items[*number]));
    // Everything is below a root; should it not be, it comes last rather than never.
    for root in roots.chain(0..items.len()) {
        let mut waiting = vec![root];
        while let Some(number) = waiting.pop() {
            if std::mem::replace(&mut is_done[number], true) {
                continue;
            }
            ordered.push(items[number]);
            let object = statement(&items[number]).and_then(|statement| label(statement.object));
            let inside = object.and_then(|label| nested.get(label));
            waiting.extend(inside.into_iter().flatten().rev());
        }
    }
    ordered
}

/// The blank nodes that brackets made, each with what stands within its brackets.
fn nested<'a>(items: &[Mention<'a>], text: &str) -> BTreeMap<&'a str, Vec<usize>> {
    let mut as_object: BTreeMap<&str, usize> = BTreeMap::new();
    let mut inside: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, statement) in items.iter().enumerate().filter_map(|(n, item)| Some((n, statement(item)?))) {
        if let Some(label) = label(statement.object) {
            *as_object.entry(label).or_default() += 1;
        }
        if let Some(label) = label(statement.subject) {
            inside.entry(label).or_default().push(number);
        }
    }
    // A label that the text does not have is the parser's.
    let has_labels = text.contains("_:");
    inside.retain(|label, _| {
        as_object.get(label) == Some(&1) && !(has_labels && text.contains(&format!("_:{label}")))
    });
    inside
}

fn statement<'i, 'a>(item: &'i Mention<'a>) -> Option<&'i Statement<'a>> {
    match item {
        Mention::Statement(statement) => Some(statement),
        Mention::Constant(_) => None,
    }
}

fn label(term: &TermPattern) -> Option<&str> {
    match term {
        TermPattern::BlankNode(node) => Some(node.as_str()),
        _ => None,
    }
}
