//! How much a knowledge base says: the numbers of `VoID`.
//!
//! Terms are counted as written, by keys of 64 bits: among ten million of them two share a key, so that a number is one
//! too small, with a probability of three in a million. A statement takes about 75 bytes of memory at most.

use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};

use rustc_hash::FxHasher;

use crate::kb::tally::{Statement, Tally};

/// The numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Different statements.
    pub triples: u64,
    /// Different subjects.
    pub subjects: u64,
    /// Different objects.
    pub objects: u64,
    /// The properties in the order of their IRIs.
    pub properties: BTreeMap<String, PropertyCounts>,
    /// The classes that `rdf:type` names, with the number of their members.
    pub classes: BTreeMap<String, u64>,
}

/// How often a property is used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PropertyCounts {
    /// Different statements.
    pub triples: u64,
    /// Different subjects of it.
    pub subjects: u64,
    /// Different objects of it.
    pub objects: u64,
}

/// Keys that are hashes already.
type Keys = HashSet<u64, BuildHasherDefault<FxHasher>>;

/// Counts the statements of all files.
#[derive(Default)]
pub struct Counting {
    statistics: Statistics,
    triples: Keys,
    subjects: Keys,
    objects: Keys,
    subjects_of: Keys,
    objects_of: Keys,
}

impl Counting {
    /// Counts what a tally has.
    pub fn add(&mut self, tally: &Tally, statements: impl IntoIterator<Item = Statement>) {
        let key = |text: &str| key_of(&text);
        let properties: Vec<u64> = tally.properties.iter().map(|iri| key(iri)).collect();
        let mut counts = vec![PropertyCounts::default(); properties.len()];
        let mut members = vec![0_u64; tally.classes.len()];
        for Statement { subject, property, object, class } in statements {
            let (Some(number), Some(count)) =
                (properties.get(property as usize), counts.get_mut(property as usize))
            else {
                continue;
            };
            count.subjects += u64::from(self.subjects_of.insert(key_of(&(subject, number))));
            count.objects += u64::from(self.objects_of.insert(key_of(&(object, number))));
            self.subjects.insert(subject);
            self.objects.insert(object);
            if self.triples.insert(key_of(&(subject, number, object))) {
                count.triples += 1;
                if let Some(members) = class.checked_sub(1).and_then(|class| members.get_mut(class as usize))
                {
                    *members += 1;
                }
            }
        }
        for (iri, count) in tally.properties.iter().zip(counts) {
            let known = self.statistics.properties.entry(iri.clone()).or_default();
            known.triples += count.triples;
            known.subjects += count.subjects;
            known.objects += count.objects;
        }
        for (iri, members) in tally.classes.iter().zip(members) {
            *self.statistics.classes.entry(iri.clone()).or_default() += members;
        }
    }

    /// The numbers.
    pub fn finish(self) -> Statistics {
        Statistics {
            triples: self.triples.len() as u64,
            subjects: self.subjects.len() as u64,
            objects: self.objects.len() as u64,
            ..self.statistics
        }
    }
}

/// The key of a value: the same in every run of one build.
pub(crate) fn key_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
