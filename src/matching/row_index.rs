//! Finds the statements of several files by a key, in 16 bytes a statement: the files are large, and few of their
//! statements concern an evaluation.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use super::statements::{Statement, StatementSet};

/// The statements of several sets by the hash of a key. The order of what it finds is that of the files.
#[derive(Debug, Default)]
pub(super) struct RowIndex<'a> {
    sets: Vec<&'a StatementSet>,
    /// Hash of the key, number of the set, position in it; sorted.
    rows: Vec<(u64, u32, u32)>,
}

impl<'a> RowIndex<'a> {
    /// Indexes the statements for which `key` gives a key.
    pub(super) fn new<K: AsRef<str>>(
        sets: impl IntoIterator<Item = &'a StatementSet>,
        mut key: impl FnMut(Statement<'a>) -> Option<K>,
    ) -> Self {
        let sets: Vec<&StatementSet> = sets.into_iter().collect();
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
    pub(super) fn find(&self, key: &str) -> impl Iterator<Item = (usize, Statement<'a>)> {
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
