//! Pairs of numbers that are found by either side: subjects and objects of one predicate.

/// Pairs under construction and, once [sorted](PairTable::sort), under query.
#[derive(Debug, Default)]
pub(crate) struct PairTable {
    by_subject: Vec<(u32, u32)>,
    by_object: Vec<(u32, u32)>,
}

impl PairTable {
    /// Adds a pair.
    pub(crate) fn add(&mut self, subject: u32, object: u32) {
        self.by_subject.push((subject, object));
    }

    /// Sorts the pairs, each once. Queries see what was added before.
    pub(crate) fn sort(&mut self) {
        self.sort_without(|_| false);
    }

    /// The same without those that somebody else has.
    pub(crate) fn sort_without(&mut self, is_elsewhere: impl Fn((u32, u32)) -> bool) {
        self.by_subject.sort_unstable();
        self.by_subject.dedup();
        self.by_subject.retain(|pair| !is_elsewhere(*pair));
        self.by_subject.shrink_to_fit();
        self.by_object = self.by_subject.iter().map(|&(s, o)| (o, s)).collect();
        self.by_object.sort_unstable();
    }

    /// Whether it has a pair.
    pub(crate) fn has(&self, pair: (u32, u32)) -> bool {
        self.by_subject.binary_search(&pair).is_ok()
    }

    /// The pairs with this subject and this object, where they are given.
    pub(crate) fn find(
        &self,
        subject: Option<u32>,
        object: Option<u32>,
    ) -> impl Iterator<Item = (u32, u32)> + use<'_> {
        let (pairs, swapped): (&[(u32, u32)], bool) = match (subject, object) {
            (Some(s), Some(o)) => {
                let found = self.by_subject.binary_search(&(s, o)).ok();
                (found.map_or(&[], |at| &self.by_subject[at..=at]), false)
            }
            (Some(s), None) => (range(&self.by_subject, s), false),
            (None, Some(o)) => (range(&self.by_object, o), true),
            (None, None) => (&self.by_subject, false),
        };
        pairs.iter().map(move |&(first, second)| if swapped { (second, first) } else { (first, second) })
    }
}

/// The part of the pairs that begins with a term.
fn range(pairs: &[(u32, u32)], first: u32) -> &[(u32, u32)] {
    let start = pairs.partition_point(|pair| pair.0 < first);
    let rest = &pairs[start..];
    &rest[..rest.partition_point(|pair| pair.0 == first)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_found_by_either_side() {
        let mut table = PairTable::default();
        for (subject, object) in [(3, 1), (1, 2), (1, 2), (1, 1), (2, 9)] {
            table.add(subject, object);
        }
        table.sort_without(|pair| pair == (2, 9));
        let find = |subject, object| table.find(subject, object).collect::<Vec<_>>();
        assert_eq!(find(None, None), [(1, 1), (1, 2), (3, 1)]);
        assert_eq!(find(Some(1), None), [(1, 1), (1, 2)]);
        assert_eq!(find(None, Some(1)), [(1, 1), (3, 1)]);
        assert_eq!(find(Some(1), Some(2)), [(1, 2)]);
        assert_eq!(find(Some(2), None), []);
        assert!(table.has((3, 1)) && !table.has((2, 9)));
    }
}
