//! States in the index what literals say in other forms, for the rules that look beyond how a value is written.
//!
//! Only what can match gets a key: one that both answers to a question have, where something is written in an unusual way.

use std::collections::HashMap;

use oxigraph::model::{Literal, Term};
use rustc_hash::FxBuildHasher;

use crate::profiles::Profile;
use crate::profiles::rules::ExperimentRules;
use crate::references::forms::WrittenForm;
use crate::references::links::{Links, resource_key};
use crate::scoring::pairs::candidates::SideItems;
use crate::scoring::pairs::keyed_items;
use crate::scoring::pairs::keys::text;
use crate::sparql::index::Index;

/// What items have in common: those of gold, and those of the system.
type Shared = HashMap<String, [Vec<KeyedItem>; 2], FxBuildHasher>;

/// An item: its answer and its term.
#[derive(Debug, Clone, Copy)]
struct KeyedItem {
    answer: u32,
    term: u32,
}

/// Adds the keys of the forms that the rules look at to the graph `code:role-keys`.
pub(crate) fn add(
    index: &mut Index,
    (profile, rules): (&Profile, &ExperimentRules),
    sides: [&SideItems; 2],
    links: Option<&Links>,
) {
    let wanted: Vec<WrittenForm> =
        WrittenForm::ALL.into_iter().filter(|form| rules.has_rule(form.rule())).collect();
    if wanted.is_empty() {
        return;
    }
    let resource = |iri: &str| resource_key(iri, &|name: &str| profile.normalises(name), links).into_owned();
    for question in 0..sides[0].items.len() {
        for form in unusual(index, &wanted, sides, question) {
            let shared = shared(index, form, sides, question, &resource);
            state(index, form, shared);
        }
    }
}

/// The forms in which something is written in an answer to a question, where the other side has an answer.
fn unusual(
    index: &Index,
    wanted: &[WrittenForm],
    sides: [&SideItems; 2],
    question: usize,
) -> Vec<WrittenForm> {
    if sides.iter().any(|side| side.items[question].is_empty()) {
        return Vec::new();
    }
    let mut found: Vec<WrittenForm> = Vec::new();
    let items = sides.into_iter().flat_map(|side| &side.items[question]);
    for literal in items.filter_map(|&item| literal(index, item)) {
        let new = wanted.iter().filter(|form| !found.contains(form) && form.is_unusual(literal));
        let new: Vec<WrittenForm> = new.copied().collect();
        found.extend(new);
    }
    found
}

fn literal(index: &Index, item: u32) -> Option<&Literal> {
    match index.term(item) {
        Term::Literal(literal) => Some(literal),
        _ => None,
    }
}

/// The keys of both sides of a question that more than one term has.
fn shared(
    index: &Index,
    form: WrittenForm,
    sides: [&SideItems; 2],
    question: usize,
    resource: &dyn Fn(&str) -> String,
) -> Shared {
    let mut shared = Shared::default();
    for (side, number) in sides.into_iter().zip(0..) {
        let Some(answer) = side.answers[question] else { continue };
        for &term in &side.items[question] {
            let key = match (form, literal(index, term)) {
                (WrittenForm::Iri, None) => Some(resource(text(index, term))),
                (WrittenForm::Iri, Some(literal)) => form.key(literal).map(|iri| resource(&iri)),
                (_, literal) => literal.and_then(|literal| form.key(literal)),
            };
            if let Some(key) = key {
                shared.entry(key).or_default()[number].push(KeyedItem { answer, term });
            }
        }
    }
    shared
        .retain(|_, [gold, system]| gold.iter().any(|one| system.iter().any(|other| one.term != other.term)));
    shared
}

fn state(index: &mut Index, form: WrittenForm, shared: Shared) {
    let mut shared: Vec<_> = shared.into_iter().collect();
    shared.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    for (key, places) in shared {
        for place in places.into_iter().flatten() {
            keyed_items::state(index, (form.property(), &key), place.answer, [place.term]);
        }
    }
}
