//! Greedy matching in the order of the lists, as GERBIL does it: never the largest matching.

/// Two items that match, by their positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fit {
    /// The position of the gold item.
    pub gold: u32,
    /// The position of the item of the system.
    pub system: u32,
}

/// What a matching counts, and which pairs it took.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Assigned {
    /// True positives.
    pub tp: u64,
    /// False positives.
    pub fp: u64,
    /// False negatives.
    pub fn_: u64,
    /// The pairs taken, in the order in which they were taken.
    pub pairs: Vec<Fit>,
}

/// Matches lists of the given lengths in their order.
///
/// With `reuse` an item of the system that is taken can be taken again: the classified matching of meanings
/// since 2023-05-10 (statement 3.5.3). Without, it is that of before (3.5.6) and that of relations and answer
/// types (3.6, 3.7). The candidates may come in any order.
pub fn assign_meanings(gold_len: u32, system_len: u32, candidates: &[Fit], reuse: bool) -> Assigned {
    let gold: Vec<u32> = (0..gold_len).collect();
    let system: Vec<u32> = (0..system_len).collect();
    assign_in_order(&gold, &system, candidates, reuse)
}

/// Each gold item in order takes its first candidate in the order of the system's items (statements 2.5.1, 3.5.3).
///
/// `gold` and `system` list the positions that take part, in order; candidates with others are ignored.
pub fn assign_in_order(gold: &[u32], system: &[u32], candidates: &[Fit], reuse: bool) -> Assigned {
    let gold_rank = ranks(gold);
    let system_rank = ranks(system);
    let mut ranked: Vec<(usize, usize, Fit)> = candidates
        .iter()
        .filter_map(|pair| Some((rank(&gold_rank, pair.gold)?, rank(&system_rank, pair.system)?, *pair)))
        .collect();
    ranked.sort_unstable();

    let mut used = vec![false; system.len()];
    let mut pairs: Vec<Fit> = Vec::new();
    for choices in ranked.chunk_by(|(a, ..), (b, ..)| a == b) {
        if let Some((_, first, pair)) = choices.iter().find(|(_, choice, _)| reuse || !used[*choice]) {
            used[*first] = true;
            pairs.push(*pair);
        }
    }
    let used = used.iter().filter(|used| **used).count();
    Assigned {
        tp: pairs.len() as u64,
        fp: (system.len() - used) as u64,
        fn_: (gold.len() - pairs.len()) as u64,
        pairs,
    }
}

/// The place of each position in a list of positions.
fn ranks(positions: &[u32]) -> Vec<Option<usize>> {
    let length = positions.iter().max().map_or(0, |last| *last as usize + 1);
    let mut ranks = vec![None; length];
    for (rank, position) in positions.iter().enumerate() {
        ranks[*position as usize] = Some(rank);
    }
    ranks
}

fn rank(ranks: &[Option<usize>], position: u32) -> Option<usize> {
    ranks.get(position as usize).copied().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(pairs: &[(u32, u32)]) -> Vec<Fit> {
        pairs.iter().map(|&(gold, system)| Fit { gold, system }).collect()
    }

    fn counts(assigned: &Assigned) -> [u64; 3] {
        [assigned.tp, assigned.fp, assigned.fn_]
    }

    #[test]
    fn s_2_5_1_greedy_takes_the_first_and_does_not_mend() {
        let candidates = pairs(&[(1, 0), (0, 1), (0, 0)]);
        let assigned = assign_meanings(2, 2, &candidates, false);
        assert_eq!((counts(&assigned), assigned.pairs), ([1, 1, 1], pairs(&[(0, 0)])));
        let other_order = assign_in_order(&[1, 0], &[0, 1], &candidates, false);
        assert_eq!((counts(&other_order), other_order.pairs), ([2, 0, 0], pairs(&[(1, 0), (0, 1)])));
    }

    #[test]
    fn s_3_5_3_reuse() {
        let candidates = pairs(&[(0, 0), (0, 1), (1, 0), (1, 1)]);
        assert_eq!(counts(&assign_meanings(2, 2, &candidates, true)), [2, 1, 0]);
        assert_eq!(counts(&assign_meanings(2, 2, &candidates, false)), [2, 0, 0], "3.5.6");
    }

    #[test]
    fn s_3_10_s1_the_same_query_on_wikidata() {
        // wdt:P1 wd:Q1 wdt:P2 wd:Q2: the properties are wildcards for each other
        let candidates = pairs(&[(0, 0), (0, 2), (2, 0), (2, 2), (1, 1), (3, 3)]);
        let assigned = assign_meanings(4, 4, &candidates, true);
        assert_eq!(counts(&assigned), [4, 1, 0], "P = .8, R = 1");
    }

    #[test]
    fn s_3_7_2_answer_types() {
        assert_eq!(counts(&assign_meanings(1, 1, &pairs(&[(0, 0)]), false)), [1, 0, 0]);
        assert_eq!(counts(&assign_meanings(1, 1, &[], false)), [0, 1, 1]);
        assert_eq!(counts(&assign_meanings(0, 1, &[], false)), [0, 1, 0]);
        assert_eq!(counts(&assign_meanings(0, 0, &[], false)), [0, 0, 0]);
    }
}
