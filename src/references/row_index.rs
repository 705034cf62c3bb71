//! Finds the statements of several files by a key, in 16 bytes a statement: the files are large, and few of their
//! statements concern an evaluation.

use std::hash::BuildHasher;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

use crate::references::statements::{Assertion, StatementSet};

/// The statements of several sets by the hash of a key. The order of what it finds is that of the files.
#[derive(Debug, Default)]
pub(crate) struct RowIndex {
    sets: Vec<Arc<StatementSet>>,
    /// Hash of the key, number of the set, position in it; sorted.
    rows: Vec<(u64, u32, u32)>,
}

impl RowIndex {
    /// Indexes the statements for which `key` gives a key.
    pub(crate) fn new<K: AsRef<str>>(
        sets: impl IntoIterator<Item = Arc<StatementSet>>,
        mut key: impl FnMut(Assertion<'_>) -> Option<K>,
    ) -> Self {
        let sets: Vec<Arc<StatementSet>> = sets.into_iter().collect();
        let mut rows = Vec::new();
        for (set, number) in sets.iter().zip(0u32..) {
            for (statement, row) in set.statements().zip(0u32..) {
                rows.extend(key(statement).map(|key| (hash(key.as_ref()), number, row)));
            }
        }
        rows.sort_unstable();
        Self { sets, rows }
    }

    /// The statements with this key, and the number of their set. Rarely some with another key are among them.
    pub(crate) fn find(&self, key: &str) -> impl Iterator<Item = (usize, Assertion<'_>)> {
        let wanted = hash(key);
        let start = self.rows.partition_point(|(hash, ..)| *hash < wanted);
        let found = self.rows[start..].iter().take_while(move |(hash, ..)| *hash == wanted);
        found.filter_map(|&(_, set, row)| {
            let set = set as usize;
            Some((set, self.sets[set].statement(row as usize)?))
        })
    }
}

/// The same on every machine, unlike the hashes of the standard library.
fn hash(key: &str) -> u64 {
    let hasher = FxBuildHasher;
    hasher.hash_one(key.as_bytes())
}

#[cfg(test)]
mod tests {
    use oxigraph::model::{Literal, Term};
    use proptest::prelude::*;

    use super::*;
    use crate::base::vocab::rdfs;

    proptest! {
        /// The same statements in the same order as looking at all of them.
        #[test]
        fn everything_with_the_key_is_found_in_order(files in prop::collection::vec(prop::collection::vec((0..5u8, 0..5u8), 0..9), 0..4)) {
            let row = |&(subject, object): &(u8, u8)| {
                (subject.to_string(), rdfs::LABEL, Term::from(Literal::new_simple_literal(object.to_string())))
            };
            let sets: Vec<Arc<StatementSet>> = files
                .iter()
                .map(|rows| Arc::new(StatementSet { rows: rows.iter().map(row).collect(), ..StatementSet::default() }))
                .collect();
            let index = RowIndex::new(sets, |found| (found.subject != "4").then(|| found.subject.to_owned()));
            for wanted in 0..5u8 {
                let found: Vec<(usize, String)> = index
                    .find(&wanted.to_string())
                    .map(|(set, found)| (set, format!("{} {}", found.subject, found.object)))
                    .collect();
                let mut expected = Vec::new();
                for (set, rows) in files.iter().enumerate() {
                    for (subject, object) in rows.iter().filter(|(subject, _)| *subject == wanted && wanted != 4) {
                        expected.push((set, format!("{subject} \"{object}\"")));
                    }
                }
                prop_assert_eq!(found, expected);
            }
        }
    }
}
