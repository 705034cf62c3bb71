//! Pairs items one to one, as many as possible: maximum bipartite matching per question.

use std::collections::HashMap;

/// A pair that a match query found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Match {
    /// The step of the profile, from 0: earlier steps are preferred.
    pub step: u8,
    /// Position of the gold item.
    pub gold: u32,
    /// Position of the system item.
    pub system: u32,
}

/// A pair that counts.
pub type Pair = Match;

/// Chooses pairs so that no item is in two of them and there are as many as possible.
///
/// Of the largest choices it takes one that begins greedily, earlier steps first: where rules do not contradict
/// each other, every pair has the strictest rule that fits. The number of pairs does not depend on any order.
pub fn pair(candidates: &mut [Match]) -> Vec<Pair> {
    candidates.sort_unstable();
    let mut chosen = Partners::default();
    for candidate in candidates.iter() {
        chosen.take_if_free(*candidate);
    }
    if chosen.by_gold.len() < bound(candidates) {
        chosen.augment(candidates);
    }
    let mut pairs: Vec<Pair> = chosen.by_gold.into_values().collect();
    pairs.sort_unstable_by_key(|pair| (pair.gold, pair.system));
    pairs
}

/// Chooses as many pairs as [`pair`], so that the system's items that stand first have partners: an item has one where
/// all those before it that have one can keep having one. `ranks` has the rank of each item of the system.
///
/// What can be matched at once is a transversal matroid, in which taking one item after the other in their order gives
/// the first of all largest choices.
pub(crate) fn pair_in_order(candidates: &[Match], ranks: &[u32]) -> Vec<Pair> {
    let mut in_order: Vec<u32> = (0..).take(ranks.len()).collect();
    in_order.sort_by_key(|system| (ranks[*system as usize], *system));
    let mut place = vec![0; ranks.len()];
    for (system, at) in in_order.iter().zip(0..) {
        place[*system as usize] = at;
    }
    // Seen from the other side: what is looked for are partners of the system's items.
    let turned = |c: &Match| Match { step: c.step, gold: place[c.system as usize], system: c.gold };
    let mut turned: Vec<Match> = candidates.iter().map(turned).collect();
    turned.sort_unstable();
    let mut chosen = Partners::default();
    chosen.augment(&turned);
    let back = |c: Pair| Pair { step: c.step, gold: c.system, system: in_order[c.gold as usize] };
    let mut pairs: Vec<Pair> = chosen.by_gold.into_values().map(back).collect();
    pairs.sort_unstable_by_key(|pair| (pair.gold, pair.system));
    pairs
}

/// A choice of as many pairs as possible over gold items that are added one by one.
pub(crate) struct GrowingPairs {
    of_gold: HashMap<u32, Vec<Match>>,
    chosen: Partners,
}

impl GrowingPairs {
    /// No gold item is there yet.
    pub(crate) fn of(candidates: &[Match]) -> Self {
        let mut of_gold: HashMap<u32, Vec<Match>> = HashMap::new();
        for candidate in candidates {
            of_gold.entry(candidate.gold).or_default().push(*candidate);
        }
        Self { of_gold, chosen: Partners::default() }
    }

    /// Adds a gold item: whether there is one pair more with it.
    pub(crate) fn add(&mut self, gold: u32) -> bool {
        if self.chosen.by_gold.contains_key(&gold) {
            return false;
        }
        self.chosen.augment_from(gold, &self.of_gold);
        self.chosen.by_gold.contains_key(&gold)
    }

    /// Leaves a gold item that was added.
    pub(crate) fn leave(&mut self, gold: u32) {
        if let Some(pair) = self.chosen.by_gold.remove(&gold) {
            self.chosen.by_system.remove(&pair.system);
        }
    }
}

/// No choice can be larger than the smaller side.
fn bound(candidates: &[Match]) -> usize {
    let count = |side: fn(&Match) -> u32| {
        let mut items: Vec<u32> = candidates.iter().map(side).collect();
        items.sort_unstable();
        items.dedup();
        items.len()
    };
    count(|c| c.gold).min(count(|c| c.system))
}

#[derive(Debug, Default)]
struct Partners {
    by_gold: HashMap<u32, Pair>,
    by_system: HashMap<u32, Pair>,
}

impl Partners {
    fn take_if_free(&mut self, candidate: Match) {
        if !self.by_gold.contains_key(&candidate.gold) && !self.by_system.contains_key(&candidate.system) {
            self.by_gold.insert(candidate.gold, candidate);
            self.by_system.insert(candidate.system, candidate);
        }
    }

    /// Augmenting paths (Berge): while one exists, the choice grows by one.
    fn augment(&mut self, candidates: &[Match]) {
        let mut of_gold: HashMap<u32, Vec<Match>> = HashMap::new();
        for candidate in candidates {
            of_gold.entry(candidate.gold).or_default().push(*candidate);
        }
        let mut free: Vec<u32> =
            of_gold.keys().copied().filter(|gold| !self.by_gold.contains_key(gold)).collect();
        free.sort_unstable();
        for gold in free {
            self.augment_from(gold, &of_gold);
        }
    }

    /// Breadth first over alternating paths; remembers how each system item was reached.
    fn augment_from(&mut self, start: u32, of_gold: &HashMap<u32, Vec<Match>>) {
        let mut reached: HashMap<u32, Match> = HashMap::new();
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(gold) = queue.pop_front() {
            for candidate in of_gold.get(&gold).into_iter().flatten() {
                if reached.contains_key(&candidate.system) {
                    continue;
                }
                reached.insert(candidate.system, *candidate);
                match self.by_system.get(&candidate.system) {
                    Some(taken) => queue.push_back(taken.gold),
                    None => return self.turn(candidate.system, &reached),
                }
            }
        }
    }

    /// Turns the path that ends at a free system item: what was chosen is not, what was not is.
    fn turn(&mut self, mut system: u32, reached: &HashMap<u32, Match>) {
        loop {
            let candidate = reached[&system];
            let before = self.by_gold.insert(candidate.gold, candidate);
            self.by_system.insert(system, candidate);
            match before {
                Some(before) => system = before.system,
                None => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn candidates(of: &[(u8, u32, u32)]) -> Vec<Match> {
        of.iter().map(|&(step, gold, system)| Match { step, gold, system }).collect()
    }

    #[test]
    fn earlier_steps_are_preferred() {
        let pairs = pair(&mut candidates(&[(1, 0, 1), (0, 0, 0), (1, 1, 0), (1, 1, 1)]));
        assert_eq!(pairs, candidates(&[(0, 0, 0), (1, 1, 1)]));
    }

    #[test]
    fn a_greedy_choice_is_mended() {
        // Greedy takes 0-0 and leaves gold 1, which only fits system 0.
        let pairs = pair(&mut candidates(&[(0, 0, 0), (1, 0, 1), (1, 1, 0)]));
        assert_eq!(pairs, candidates(&[(1, 0, 1), (1, 1, 0)]));
    }

    /// The size of a maximum matching by trying everything.
    fn largest(candidates: &[Match]) -> usize {
        let Some((first, rest)) = candidates.split_first() else { return 0 };
        let compatible: Vec<Match> =
            rest.iter().copied().filter(|c| c.gold != first.gold && c.system != first.system).collect();
        largest(rest).max(1 + largest(&compatible))
    }

    #[test]
    fn the_first_answer_that_matches_has_the_partner() {
        // Both match gold 0; the stricter rule is that of the second.
        let both = candidates(&[(1, 0, 0), (0, 0, 1)]);
        assert_eq!(pair_in_order(&both, &[0, 1]), candidates(&[(1, 0, 0)]));
        assert_eq!(pair_in_order(&both, &[1, 0]), candidates(&[(0, 0, 1)]));
    }

    /// The system items of the first of all largest choices, by trying everything.
    fn first_choice(candidates: &[Match], ranks: &[u32]) -> Vec<u32> {
        let mut chosen: Vec<u32> = Vec::new();
        let mut order: Vec<u32> = (0..).take(ranks.len()).collect();
        order.sort_by_key(|system| (ranks[*system as usize], *system));
        for system in order {
            let mut with = chosen.clone();
            with.push(system);
            let of_these: Vec<Match> =
                candidates.iter().copied().filter(|c| with.contains(&c.system)).collect();
            if largest(&of_these) == with.len() {
                chosen = with;
            }
        }
        chosen.sort_unstable();
        chosen
    }

    proptest! {
        #[test]
        fn in_order_the_first_have_partners(
            edges in prop::collection::btree_set((0u8..3, 0u32..4, 0u32..4), 0..9),
            ranks in prop::collection::vec(0u32..4, 4),
        ) {
            let all: Vec<Match> =
                edges.into_iter().map(|(step, gold, system)| Match { step, gold, system }).collect();
            let pairs = pair_in_order(&all, &ranks);
            let mut systems: Vec<u32> = pairs.iter().map(|pair| pair.system).collect();
            systems.sort_unstable();
            prop_assert_eq!(systems, first_choice(&all, &ranks));
            prop_assert!(pairs.iter().all(|pair| all.contains(pair)));
        }

        #[test]
        fn as_many_as_possible_never_twice_symmetric_in_any_order(
            edges in prop::collection::btree_set((0u32..5, 0u32..5), 0..11),
            steps in prop::collection::vec(0u8..3, 11),
        ) {
            let mut all: Vec<Match> = edges
                .iter()
                .zip(&steps)
                .map(|(&(gold, system), &step)| Match { step, gold, system })
                .collect();
            let pairs = pair(&mut all.clone());
            prop_assert_eq!(pairs.len(), largest(&all));
            for side in [|c: &Match| c.gold, |c: &Match| c.system] {
                let mut items: Vec<u32> = pairs.iter().map(side).collect();
                items.sort_unstable();
                items.dedup();
                prop_assert_eq!(items.len(), pairs.len());
            }
            let mut mirrored: Vec<Match> =
                all.iter().map(|c| Match { step: c.step, gold: c.system, system: c.gold }).collect();
            prop_assert_eq!(pair(&mut mirrored).len(), pairs.len());
            all.reverse();
            prop_assert_eq!(pair(&mut all), pairs);
        }
    }
}
