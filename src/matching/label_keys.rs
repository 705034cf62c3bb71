//! States in the index which literals are labels of which resources: what `queries/match/label.rq` joins on.
//!
//! Only what can match gets a key: texts of questions where the other side has an IRI, and resources that some text
//! names.

use std::collections::{BTreeSet, HashMap};

use oxigraph::model::{Literal, Term};
use rustc_hash::FxBuildHasher;

use super::candidates::Side;
use super::keys::{literals_of, text};
use super::labels::{Naming, is_text};
use super::languages::Languages;
use crate::graph::vocab::{code, qassay};
use crate::graph::{Index, iri};

/// Adds the keys of labels to the graph `code:role-keys`.
pub(super) fn add(
    index: &mut Index,
    naming: &Naming<'_>,
    gold: &Side,
    system: &Side,
    languages: impl Fn(usize) -> Languages,
) {
    let mut resources = Resources::default();
    let mut texts = Vec::new();
    for question in 0..gold.items.len() {
        for (side, other) in [(gold, system), (system, gold)] {
            let of_other = iris_of(index, &other.items[question]);
            let literals = texts_of(index, &side.items[question]);
            if let Some(answer) = side.answers[question]
                && !of_other.is_empty()
                && !literals.is_empty()
            {
                for iri in of_other {
                    resources.add(index, naming, iri);
                }
                texts.push((question, answer, literals));
            }
        }
    }
    let mut named: BTreeSet<String> = BTreeSet::new();
    let graph = code::iri("role-keys");
    let tables = [qassay::IN_ANSWER, qassay::TERM, qassay::DENOTES].map(|name| index.table(&graph, name));
    for (question, answer, literals) in texts {
        let languages = languages(question);
        for (number, term, literal) in literals {
            let labels = naming.labels(&literal, &languages);
            let mut keys: Vec<String> = labels.iter().map(|label| naming.key(label.resource)).collect();
            keys.retain(|key| resources.by_key.contains_key(key));
            if keys.is_empty() {
                continue;
            }
            let item = index.intern_iri(iri::item(text(index, answer), number));
            index.add(tables[0], item, answer);
            index.add(tables[1], item, term);
            for key in keys {
                let resource = index.intern_iri(key.clone());
                index.add(tables[2], item, resource);
                named.insert(key);
            }
        }
    }
    let table = index.table(&graph, qassay::RESOURCE_KEY);
    for key in named {
        for &iri in resources.by_key.get(&key).into_iter().flatten() {
            let resource = index.intern_iri(key.clone());
            index.add(table, iri, resource);
        }
    }
}

/// The IRIs of answers that a text may name, by what all spellings of a resource have in common.
#[derive(Default)]
struct Resources {
    by_key: HashMap<String, Vec<u32>, FxBuildHasher>,
    seen: std::collections::HashSet<u32, FxBuildHasher>,
}

impl Resources {
    fn add(&mut self, index: &Index, naming: &Naming<'_>, iri: u32) {
        if self.seen.insert(iri) {
            self.by_key.entry(naming.key(text(index, iri))).or_default().push(iri);
        }
    }
}

fn iris_of(index: &Index, items: &[u32]) -> Vec<u32> {
    items.iter().copied().filter(|&item| matches!(index.term(item), Term::NamedNode(_))).collect()
}

/// The texts among the items, with their numbers among the literals: an item has one node, whatever it is for.
fn texts_of(index: &Index, items: &[u32]) -> Vec<(usize, u32, Literal)> {
    let literals = literals_of(index, items).into_iter().zip(1..);
    let texts = literals.filter(|((_, literal), _)| is_text(literal));
    texts.map(|((term, literal), number)| (number, term, literal)).collect()
}
