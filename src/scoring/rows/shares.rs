//! Which rows are paired, and what the pairs have in common.

use crate::measures::assignment::{WeightedRow, assign};
use crate::measures::fraction::Fraction;
use crate::measures::sets::Shares;
use crate::profiles::rules::Pairing;
use crate::scoring::pairs::pairing::{Match, Pair, pair};
use crate::scoring::rows::answer_row::AnswerRow;

/// Beyond so many rows on a side GRASP asks only whether rows are equal.
const MOST_PARTIAL: usize = 1024;

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
        let [gold, system] = [self.gold, self.system].map(sorted_cells);
        let shared =
            |pair: Match| SharedCells::of(pair, &gold[pair.gold as usize], &system[pair.system as usize]);
        let mut shared: Vec<SharedCells> = found.into_iter().map(shared).collect();
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
        let mut rows = vec![WeightedRow::new(); self.system.len()];
        for one in shared {
            rows[one.pair.system as usize].push((one.pair.gold as usize, one.weight()));
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
    fn of(pair: Match, gold: &[&str], system: &[&str]) -> Self {
        Self { pair, common: in_common(gold, system), of: gold.len() as u64 }
    }

    fn share(&self) -> Option<Fraction> {
        Fraction::ratio(self.common, self.of)
    }

    /// The share as a number, which decides between pairings and is no part of a score.
    fn weight(&self) -> f64 {
        let number = |count: u64| u32::try_from(count).map_or(f64::from(u32::MAX), f64::from);
        number(self.common) / number(self.of)
    }
}

fn at(pair: &Pair) -> (u32, u32) {
    (pair.gold, pair.system)
}

/// The cells of each row, sorted.
fn sorted_cells(rows: &[AnswerRow]) -> Vec<Vec<&str>> {
    fn sorted(row: &AnswerRow) -> Vec<&str> {
        let mut cells: Vec<&str> = row.cells.iter().map(String::as_str).collect();
        cells.sort_unstable();
        cells
    }
    rows.iter().map(sorted).collect()
}

/// How many cells two sorted lists have in common, each as often as both have it.
fn in_common(one: &[&str], other: &[&str]) -> u64 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profiles::rules::Reading;
    use crate::scoring::rows::answer_row::rows;
    use crate::scoring::skip::Party;
    use crate::sources::document::{AnswerSet, Cell, Question, Row};
    use std::time::Instant;

    /// A table whose cells are separated by spaces.
    fn table<T: AsRef<str>>(lines: &[T]) -> Vec<AnswerRow> {
        let cell = |value: &str| Cell { value: value.to_owned(), ..Cell::default() };
        let row = |line: &T| Row { cells: line.as_ref().split(' ').map(cell).collect() };
        let mut question = Question::default();
        let rows_of_set = lines.iter().map(row).collect();
        question.answers.sets = vec![AnswerSet { rows: rows_of_set, ..AnswerSet::default() }];
        rows(&question, Reading::GraspRows, Party::System)
    }

    /// What is chosen where the query found all pairs: gold and system of each, the sum of shares, the wrong rows.
    #[track_caller]
    fn chosen(pairing: Pairing, gold: &[AnswerRow], system: &[AnswerRow]) -> (Vec<(u32, u32)>, String, u64) {
        let count = |rows: &[AnswerRow]| u32::try_from(rows.len()).expect("few rows");
        let found = (0..count(gold))
            .flat_map(|gold| (0..count(system)).map(move |system| Match { step: 0, gold, system }))
            .collect();
        let (pairs, shares) = BothRows { gold, system }.choose(pairing, found);
        (pairs.iter().map(at).collect(), shares.sum.to_fixed(3), shares.wrong)
    }

    #[track_caller]
    fn holds(pairing: Pairing, both: [&[&str]; 2], expected: (&[(u32, u32)], &str, u64)) {
        let (pairs, sum, wrong) = chosen(pairing, &table(both[0]), &table(both[1]));
        assert_eq!((pairs.as_slice(), sum.as_str(), wrong), expected, "{both:?}");
    }

    #[test]
    fn rows_that_share_a_part() {
        // further cells cost nothing, missing ones their part
        holds(Pairing::RowShares, [&["a b"], &["x b a y"]], (&[(0, 0)], "1.000", 0));
        holds(Pairing::RowShares, [&["a b c"], &["a c"]], (&[(0, 0)], "0.667", 0));
        // the greatest sum, not the best pair first: 1/2 + 1 and not 1 + 0
        holds(Pairing::RowShares, [&["a b", "a"], &["a b", "b"]], (&[(0, 1), (1, 0)], "1.500", 0));
        holds(Pairing::RowShares, [&["a"], &["b"]], (&[], "0.000", 1));
        // GRASP: rows that share nothing cost nothing up to the number of gold rows
        holds(Pairing::RowRecall, [&["a", "b"], &["a", "x"]], (&[(0, 0)], "1.000", 0));
        holds(Pairing::RowRecall, [&["a"], &["x", "a", "y"]], (&[(0, 1)], "1.000", 2));
        holds(Pairing::RowShares, [&["a"], &["x", "a", "y"]], (&[(0, 1)], "1.000", 2));
    }

    #[test]
    fn a_row_counts_as_often_as_it_is_there() {
        holds(Pairing::RowShares, [&["a", "a"], &["a"]], (&[(0, 0)], "1.000", 0));
        holds(Pairing::RowShares, [&["a"], &["a", "a"]], (&[(0, 0)], "1.000", 1));
        holds(Pairing::RowShares, [&["a b", "a b"], &["a", "b a"]], (&[(0, 0), (1, 1)], "1.500", 0));
        // and a cell as often as both rows have it
        holds(Pairing::RowShares, [&["a a b"], &["a b"]], (&[(0, 0)], "0.667", 0));
    }

    #[test]
    fn the_order_of_rows_and_cells_is_free() {
        let (gold, system) = (["a b", "c d", "e f"], ["f e", "b x", "c d"]);
        let (_, sum, wrong) = chosen(Pairing::RowShares, &table(&gold), &table(&system));
        assert_eq!((sum.as_str(), wrong), ("2.500", 0));
        for turned in [[2, 0, 1], [1, 2, 0], [2, 1, 0]] {
            let system = turned.map(|at| system[at]);
            let (_, other, others) = chosen(Pairing::RowShares, &table(&gold), &table(&system));
            assert_eq!((other, others), (sum.clone(), wrong), "{system:?}");
        }
    }

    /// Beyond 1,024 rows of a side, GRASP counts equal rows: the same cells in the same order.
    #[test]
    fn many_rows_are_whole() {
        let lines =
            |count: usize| -> Vec<String> { (0..count).map(|row| format!("a{row} b{row}")).collect() };
        let turned =
            |count: usize| -> Vec<String> { (0..count).map(|row| format!("b{row} a{row}")).collect() };
        let most = chosen(Pairing::RowRecall, &table(&lines(2)), &table(&turned(1024)));
        assert_eq!((most.1.as_str(), most.2), ("2.000", 1022));
        let more = chosen(Pairing::RowRecall, &table(&lines(2)), &table(&turned(1025)));
        assert_eq!(more, (vec![], "0.000".to_owned(), 1025));
        let more = chosen(Pairing::RowRecall, &table(&lines(1025)), &table(&lines(2)));
        assert_eq!(more, (vec![(0, 0), (1, 1)], "2.000".to_owned(), 0));
        // SPINACH has no such bound
        let more = chosen(Pairing::RowShares, &table(&lines(2)), &table(&turned(1025)));
        assert_eq!((more.1.as_str(), more.2), ("2.000", 1023));
    }

    /// Every row shares a cell with every other, and two with its partner.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test of the time that it takes")]
    fn a_thousand_dense_rows_in_time() {
        let gold: Vec<String> = (0..1000).map(|row| format!("x g{row} k{row}")).collect();
        let system: Vec<String> = (0..1000).rev().map(|row| format!("k{row} s{row} x")).collect();
        let start = Instant::now();
        let (pairs, sum, wrong) = chosen(Pairing::RowShares, &table(&gold), &table(&system));
        assert!(pairs.iter().all(|(gold, system)| gold + system == 999), "the partner of each");
        assert_eq!((pairs.len(), sum.as_str(), wrong), (1000, "666.667", 0));
        assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    }
}
