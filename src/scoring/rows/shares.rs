//! Which rows are paired, and what the pairs have in common.

use crate::measures::assignment::{WeightedRow, assign};
use crate::measures::fraction::Fraction;
use crate::measures::sets::Shares;
use crate::profiles::rules::Pairing;
use crate::scoring::pairs::pairing::{Match, Pair, pair};
use crate::scoring::rows::answer_row::AnswerRow;

/// Beyond so many rows on a side GRASP asks only whether rows are equal.
const MOST_PARTIAL: usize = 1024;

/// A common denominator is not larger than this; beyond it weights are rounded, the sums of shares are not.
const LARGEST_DENOMINATOR: u64 = 1 << 40;

/// The rows of both sides of a question.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BothRows<'a> {
    pub(crate) gold: &'a [AnswerRow],
    pub(crate) system: &'a [AnswerRow],
}

/// A pair that shares cells.
struct SharedCells {
    pair: Match,
    common: u64,
    /// The cells of the gold row.
    of: u64,
}

impl BothRows<'_> {
    /// Whether rows are equal or not, and nothing between.
    pub(crate) fn are_whole(self, pairing: Pairing) -> bool {
        pairing == Pairing::RowRecall && self.gold.len().max(self.system.len()) > MOST_PARTIAL
    }

    /// The pairs that count of those that share a cell, and what they have in common.
    pub(crate) fn choose(self, pairing: Pairing, found: Vec<Match>) -> (Vec<Pair>, Shares) {
        let given = self.system.len();
        if self.are_whole(pairing) {
            let mut equal = found;
            equal.retain(|pair| {
                self.gold[pair.gold as usize].cells == self.system[pair.system as usize].cells
            });
            let pairs = pair(&mut equal);
            let shares =
                Shares { sum: Fraction::whole(pairs.len() as u64), wrong: (given - pairs.len()) as u64 };
            return (pairs, shares);
        }
        let mut shared: Vec<SharedCells> = found.into_iter().map(|pair| self.shared(pair)).collect();
        shared.retain(|one| one.common > 0);
        let chosen = self.best(&shared);
        let sum = Fraction::sum(&chosen.iter().filter_map(|one| one.share()).collect::<Vec<_>>());
        let pairs: Vec<Pair> = chosen.iter().map(|one| one.pair).collect();
        let partners = match pairing {
            Pairing::RowRecall => self.gold.len().min(given),
            _ => pairs.len(),
        };
        (pairs, Shares { sum, wrong: (given - partners) as u64 })
    }

    fn shared(self, pair: Match) -> SharedCells {
        let sorted = |row: &AnswerRow| {
            let mut cells: Vec<String> = row.cells.clone();
            cells.sort_unstable();
            cells
        };
        let gold = sorted(&self.gold[pair.gold as usize]);
        let system = sorted(&self.system[pair.system as usize]);
        SharedCells { pair, common: in_common(&gold, &system), of: gold.len() as u64 }
    }

    /// The pairs with the greatest sum of shares.
    fn best(self, shared: &[SharedCells]) -> Vec<&SharedCells> {
        // Whole rows only: then all largest choices have the same sum and the same number of pairs.
        if shared.iter().all(|one| one.common == one.of) {
            let pairs = pair(&mut shared.iter().map(|one| one.pair).collect::<Vec<_>>());
            return shared
                .iter()
                .filter(|one| pairs.binary_search_by_key(&at(&one.pair), at).is_ok())
                .collect();
        }
        let denominator = shared.iter().fold(1, |known, one| common_multiple(known, one.of));
        let mut rows = vec![WeightedRow::new(); self.system.len()];
        for one in shared {
            let weight = u128::from(one.common) * u128::from(denominator) / u128::from(one.of);
            let weight = i64::try_from(weight).unwrap_or(i64::MAX >> 16);
            rows[one.pair.system as usize].push((one.pair.gold as usize, weight));
        }
        let pairs = assign(&rows, self.gold.len());
        let is_chosen = |one: &&SharedCells| {
            let row = one.pair.system as usize;
            let known = pairs.binary_search_by_key(&row, |(row, _)| *row);
            known.is_ok_and(|known| pairs[known].1 == one.pair.gold as usize)
        };
        shared.iter().filter(is_chosen).collect()
    }
}

impl SharedCells {
    fn share(&self) -> Option<Fraction> {
        Fraction::ratio(self.common, self.of)
    }
}

fn at(pair: &Pair) -> (u32, u32) {
    (pair.gold, pair.system)
}

fn common_multiple(known: u64, other: u64) -> u64 {
    let multiple = num_integer::lcm(u128::from(known), u128::from(other));
    u64::try_from(multiple).unwrap_or(u64::MAX).min(LARGEST_DENOMINATOR)
}

/// How many cells two sorted lists have in common, each as often as both have it.
fn in_common(one: &[String], other: &[String]) -> u64 {
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    let mut common = 0;
    while let (Some(first), Some(second)) = (one.peek(), other.peek()) {
        let order = first.cmp(second);
        common += u64::from(order.is_eq());
        if order.is_le() {
            one.next();
        }
        if order.is_ge() {
            other.next();
        }
    }
    common
}
