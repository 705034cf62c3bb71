//! States in the index what the match queries join on, for the profiles that compare terms.
//!
//! Only what can match gets a key: an IRI whose normal form another IRI shares, an IRI in a link, a literal of a
//! question where both sides have literals.

use std::collections::HashMap;

use oxigraph::model::{Literal, Term};

use crate::base::vocab::{code, qassay};
use crate::profiles::Profile;
use crate::profiles::link_kind::LinkKind;
use crate::references::links::Links;
use crate::references::literal;
use crate::references::literal::LiteralKeys;
use crate::references::normalise::{is_of_links, normal_form};
use crate::scoring::pairs::candidates::SideItems;
use crate::sparql::index::Index;

/// Adds the keys of all items to the graph `code:role-keys`.
pub(crate) fn add(
    index: &mut Index,
    profile: &Profile,
    gold: &SideItems,
    system: &SideItems,
    links: Option<&Links>,
) {
    let graph = code::iri("role-keys");
    let iris = iris(index, [gold, system]);
    add_normal_forms(index, profile, &iris, &graph);
    if let Some(links) = links {
        add_clusters(index, profile, &iris, links, &graph);
    }
    let literals = index.table(&graph, qassay::IN_ANSWER);
    let tables = LiteralTables {
        in_answer: literals,
        term: index.table(&graph, qassay::TERM),
        value: index.table(&graph, qassay::VALUE_KEY),
        lenient: index.table(&graph, qassay::LENIENT_KEY),
        day: index.table(&graph, qassay::DAY_KEY),
        text: index.table(&graph, qassay::TEXT_KEY),
    };
    let unicode = profile.normalises("norm-text-unicode");
    let trim = profile.normalises("norm-text-trim");
    for question in 0..gold.items.len() {
        let both = [gold, system].map(|side| literals_of(index, &side.items[question]));
        if both.iter().any(Vec::is_empty) {
            continue;
        }
        for (side, literals) in [gold, system].into_iter().zip(both) {
            for (term, literal) in literals {
                let keys = literal::keys(&literal, unicode, trim);
                if let Some(answer) = side.answers[question] {
                    tables.add(index, answer, term, &keys);
                }
            }
        }
    }
}

pub(crate) fn literals_of(index: &Index, items: &[u32]) -> Vec<(u32, Literal)> {
    let literal = |&number: &u32| match index.term(number) {
        Term::Literal(literal) => Some((number, literal.clone())),
        _ => None,
    };
    items.iter().filter_map(literal).collect()
}

/// The tables for the keys of literals.
struct LiteralTables {
    in_answer: usize,
    term: usize,
    value: usize,
    lenient: usize,
    day: usize,
    text: usize,
}

impl LiteralTables {
    fn add(&self, index: &mut Index, answer: u32, term: u32, keys: &LiteralKeys) {
        let item = index.node();
        index.add(self.in_answer, item, answer);
        index.add(self.term, item, term);
        let mut key = |table: usize, key: &str| {
            let key = index.intern(Literal::new_simple_literal(key));
            index.add(table, item, key);
        };
        keys.value.iter().for_each(|value| key(self.value, value));
        keys.lenient.iter().for_each(|value| key(self.lenient, value));
        keys.day.iter().for_each(|day| key(self.day, day));
        keys.text.iter().for_each(|text| key(self.text, text));
    }
}

/// Every IRI of both sides, once, in order of number.
fn iris(index: &Index, sides: [&SideItems; 2]) -> Vec<u32> {
    let mut numbers: Vec<u32> = sides.iter().flat_map(|side| side.items.iter().flatten().copied()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.retain(|&number| matches!(index.term(number), Term::NamedNode(_)));
    numbers
}

pub(crate) fn text(index: &Index, iri: u32) -> &str {
    match index.term(iri) {
        Term::NamedNode(node) => node.as_str(),
        _ => "",
    }
}

fn add_normal_forms(index: &mut Index, profile: &Profile, iris: &[u32], graph: &str) {
    if profile.normalisations.is_empty() {
        return;
    }
    let enabled = |name: &str| profile.normalises(name);
    let mut forms: HashMap<String, Vec<u32>> = HashMap::new();
    for &number in iris {
        let (form, applied) = normal_form(text(index, number), &enabled);
        if !applied.is_empty() {
            forms.entry(form.into_owned()).or_default().push(number);
        }
    }
    if forms.is_empty() {
        return;
    }
    for &number in iris {
        // The IRI that is the normal form of another one.
        if let Some(members) = forms.get_mut(text(index, number))
            && !members.contains(&number)
        {
            members.push(number);
        }
    }
    let table = index.table(graph, qassay::NORMAL_FORM);
    let mut forms: Vec<_> = forms.into_iter().collect();
    forms.sort_unstable();
    for (form, members) in forms.into_iter().filter(|(_, members)| members.len() > 1) {
        let key = index.intern_iri(form);
        for member in members {
            index.add(table, member, key);
        }
    }
}

/// States the clusters of each kind of links: a match is of the first kind that suffices.
fn add_clusters(index: &mut Index, profile: &Profile, iris: &[u32], links: &Links, graph: &str) {
    let enabled = |name: &str| is_of_links(name) || profile.normalises(name);
    let others = links.kinds().collect::<Vec<_>>();
    for kind in std::iter::once(LinkKind::SameAs).chain(others) {
        let table = index.table(graph, property(kind));
        for &number in iris {
            let iri = text(index, number);
            let canonical = links.canonical_by(kind, iri).or_else(|| match normal_form(iri, &enabled) {
                (form, applied) if !applied.is_empty() => links.canonical_by(kind, &form),
                _ => None,
            });
            if let Some(canonical) = canonical {
                let key = index.intern_iri(canonical);
                index.add(table, number, key);
            }
        }
    }
}

/// What the match query of a kind of links joins on.
fn property(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::SameAs => qassay::CANONICAL,
        LinkKind::Redirect => qassay::REDIRECT_KEY,
        LinkKind::Wikipedia => qassay::WIKIPEDIA_KEY,
    }
}
