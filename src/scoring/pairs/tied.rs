//! Gold answers of which some rows are sure, and of those that tie some are wanted, whichever: which rows count.
//!
//! First those that the system gives, so that every answer that the ties allow is right. Where rows have one item, no other
//! choice of rows makes more pairs; where they have several, rows that the system gives whole come first.

use std::collections::{BTreeSet, HashMap, HashSet};

use oxigraph::model::Term;

use crate::kb::ties::PossibleRows;
use crate::scoring::pairs::pairing::{GrowingPairs, Match};
use crate::sources::document::{AnswerSet, Question, Row};
use crate::sources::input::answer::{LabelColumns, answer_terms};

/// The rows of both sides of a question, each as the positions of its items.
#[derive(Debug, Default)]
pub(crate) struct TiedItems {
    sure: Vec<u32>,
    groups: Vec<TiedGroup>,
    given: Vec<Vec<u32>>,
}

/// The rows of a group, and how many of them are wanted.
#[derive(Debug, Default)]
struct TiedGroup {
    wanted: usize,
    rows: Vec<Vec<u32>>,
}

/// The items of a row of an answer.
pub(crate) fn row_terms(row: &Row, columns: LabelColumns) -> Vec<Term> {
    let mut alone = Question::default();
    alone.answers.sets = vec![AnswerSet { rows: vec![row.clone()], ..AnswerSet::default() }];
    answer_terms(&alone, columns)
}

impl TiedItems {
    /// The rows of a gold answer and of the answer of a system, of which these are the items.
    pub(crate) fn of(
        ties: &PossibleRows,
        answer: Option<&Question>,
        [gold, system]: [&[Term]; 2],
        columns: LabelColumns,
    ) -> Self {
        let positions = |terms| -> HashMap<&Term, u32> { <[Term]>::iter(terms).zip(0..).collect() };
        let (gold, system) = (positions(gold), positions(system));
        let of_gold = |row: &Row| items(row, &gold, columns);
        let groups = ties
            .groups
            .iter()
            .map(|group| TiedGroup { wanted: group.wanted, rows: group.rows.iter().map(of_gold).collect() });
        let given = answer.into_iter().flat_map(|answer| &answer.answers.sets).flat_map(|set| &set.rows);
        Self {
            sure: ties.sure.iter().flat_map(of_gold).collect(),
            groups: groups.collect(),
            given: given.map(|row| items(row, &system, columns)).collect(),
        }
    }

    /// Chooses the rows that count among the pairs that were found.
    pub(crate) fn choose(&self, found: &[Match]) -> CountedRows {
        let mut choice = RowChoice::of(self, found);
        let rows = self.groups.iter().map(|group| choice.choose(group)).collect();
        CountedRows { rows, items: choice.counted }
    }
}

fn items(row: &Row, positions: &HashMap<&Term, u32>, columns: LabelColumns) -> Vec<u32> {
    row_terms(row, columns).iter().filter_map(|term| positions.get(term).copied()).collect()
}

/// The tied rows that count in a question.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CountedRows {
    /// Their positions, group by group.
    pub(crate) rows: Vec<Vec<usize>>,
    /// The positions of the gold items that count: those of sure rows, and of these.
    items: BTreeSet<u32>,
}

impl CountedRows {
    /// Leaves the gold items that do not count, and what was found of them.
    pub(crate) fn leave_others(&self, gold: &mut Vec<u32>, found: &mut Vec<Match>) {
        let places: HashMap<u32, u32> = self.items.iter().copied().zip(0..).collect();
        *gold = self.items.iter().map(|position| gold[*position as usize]).collect();
        let kept = found.iter().filter_map(|one| Some(Match { gold: *places.get(&one.gold)?, ..*one }));
        *found = kept.collect();
    }
}

/// How near the system comes to a row: rows are looked at once for each, in their order.
#[derive(Clone, Copy)]
enum Nearness {
    /// It gives a row with all its items, none of which counts for another row.
    Row,
    /// It gives all of its items.
    All,
    /// It gives some of them.
    Some,
    /// All of its items are those of other rows that count.
    Known,
    /// It gives nothing of it.
    Nothing,
}

struct RowChoice<'a> {
    pairs: GrowingPairs,
    /// The rows of the system that have an item, by its position.
    with: HashMap<u32, Vec<usize>>,
    /// The rows of the system that are not taken for one of gold.
    free: Vec<Option<&'a [u32]>>,
    meets: HashMap<u32, HashSet<u32>>,
    counted: BTreeSet<u32>,
}

impl<'a> RowChoice<'a> {
    fn of(ties: &'a TiedItems, found: &[Match]) -> Self {
        let (mut with, mut meets) = (HashMap::<u32, Vec<usize>>::new(), HashMap::<u32, HashSet<u32>>::new());
        for (number, row) in ties.given.iter().enumerate() {
            for item in row {
                with.entry(*item).or_default().push(number);
            }
        }
        for one in found {
            meets.entry(one.gold).or_default().insert(one.system);
        }
        let free = ties.given.iter().map(|row| Some(row.as_slice())).collect();
        let mut choice = Self { pairs: GrowingPairs::of(found), with, free, meets, counted: BTreeSet::new() };
        for item in &ties.sure {
            choice.pairs.add(*item);
            choice.counted.insert(*item);
        }
        choice
    }

    /// The rows of a group that count, by position.
    fn choose(&mut self, group: &TiedGroup) -> Vec<usize> {
        let mut chosen = BTreeSet::new();
        for nearness in [Nearness::Row, Nearness::All, Nearness::Some, Nearness::Known, Nearness::Nothing] {
            for (position, row) in group.rows.iter().enumerate() {
                if chosen.len() < group.wanted && !chosen.contains(&position) && self.takes(row, nearness) {
                    chosen.insert(position);
                    self.counted.extend(row);
                }
            }
        }
        chosen.into_iter().collect()
    }

    fn takes(&mut self, row: &[u32], nearness: Nearness) -> bool {
        let new: Vec<u32> = row.iter().copied().filter(|item| !self.counted.contains(item)).collect();
        match nearness {
            Nearness::Known => new.is_empty(),
            Nearness::Nothing => true,
            _ if new.is_empty() => false,
            Nearness::Some => new.iter().filter(|item| self.pairs.add(**item)).count() > 0,
            Nearness::All => self.adds_all(&new),
            Nearness::Row => {
                let Some(given) = self.given(row).filter(|_| self.adds_all(&new)) else { return false };
                self.free[given] = None;
                true
            }
        }
    }

    /// A row of the system that has all items of a gold row.
    fn given(&self, row: &[u32]) -> Option<usize> {
        let first = self.meets.get(row.first()?)?;
        let mut given: Vec<usize> =
            first.iter().filter_map(|item| self.with.get(item)).flatten().copied().collect();
        given.sort_unstable();
        let has = |given: &[u32], item: &u32| {
            self.meets.get(item).is_some_and(|met| given.iter().any(|one| met.contains(one)))
        };
        given
            .into_iter()
            .find(|given| self.free[*given].is_some_and(|given| row.iter().all(|item| has(given, item))))
    }

    /// Whether each of some items has a partner beside those that have one; else none of them takes one.
    fn adds_all(&mut self, items: &[u32]) -> bool {
        let added = items.iter().take_while(|item| self.pairs.add(**item)).count();
        if added < items.len() {
            for item in &items[..added] {
                self.pairs.leave(*item);
            }
        }
        added == items.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Items of gold are letters, those of the system capitals; each meets its own capital. Rows are words.
    fn chosen(sure: &str, groups: &[(usize, &str)], given: &str) -> (Vec<String>, String) {
        let position = |letter: char| u32::from(letter.to_ascii_lowercase()) - u32::from('a');
        let rows = |words: &str| -> Vec<Vec<u32>> {
            words.split_whitespace().map(|word| word.chars().map(position).collect()).collect()
        };
        let groups_of = groups.iter().map(|(wanted, words)| TiedGroup { wanted: *wanted, rows: rows(words) });
        let ties = TiedItems { sure: rows(sure).concat(), groups: groups_of.collect(), given: rows(given) };
        let given: BTreeSet<u32> = rows(given).concat().into_iter().collect();
        let found: Vec<Match> =
            given.iter().map(|item| Match { step: 0, gold: *item, system: *item }).collect();
        let counted = ties.choose(&found);
        let words = counted.rows.iter().zip(groups).map(|(rows, (_, words))| {
            let words: Vec<&str> = words.split_whitespace().collect();
            rows.iter().map(|row| words[*row]).collect::<Vec<_>>().join(" ")
        });
        let letters = counted.items.iter().filter_map(|item| char::from_u32(item + u32::from('a')));
        (words.collect(), letters.collect())
    }

    #[track_caller]
    fn holds(sure: &str, groups: &[(usize, &str)], given: &str, (rows, items): (&[&str], &str)) {
        let (found, letters) = chosen(sure, groups, given);
        assert_eq!(
            (found.iter().map(String::as_str).collect::<Vec<_>>().as_slice(), letters.as_str()),
            (rows, items),
            "{given}"
        );
    }

    #[test]
    fn rows_that_are_given_count_first() {
        let tied = [(2, "c d e f g")];
        holds("a b", &tied, "A B E G", (&["e g"], "abeg"));
        holds("a b", &tied, "A B E F G", (&["e f"], "abef"));
        holds("a b", &tied, "A B E", (&["c e"], "abce"));
        holds("a b", &tied, "", (&["c d"], "abcd"));
        holds("", &[(1, "a b"), (1, "c d")], "B D", (&["b", "d"], "bd"));
    }

    #[test]
    fn rows_of_several_items() {
        // whole rows of the system before what is made of several: the first row is given by parts only
        holds("", &[(2, "ad ac bd")], "AC BD", (&["ac bd"], "abcd"));
        holds("", &[(1, "ab cd")], "C", (&["cd"], "cd"));
        holds("", &[(1, "ab cd")], "C AB", (&["ab"], "ab"));
        // what is sure has been counted
        holds("x", &[(1, "xa xb")], "X XB", (&["xb"], "bx"));
    }

    #[test]
    fn rows_that_say_the_same() {
        // of b b c, two are wanted: b alone is right, and b c
        holds("", &[(2, "b b c")], "B", (&["b b"], "b"));
        holds("", &[(2, "b b c")], "B C", (&["b c"], "bc"));
        holds("", &[(2, "b b c")], "", (&["b b"], "b"));
    }

    #[test]
    fn the_others_are_left() {
        let found = |gold, system| Match { step: 1, gold, system };
        let counted = CountedRows { rows: vec![vec![1]], items: BTreeSet::from([0, 2]) };
        let (mut gold, mut all) = (vec![7, 8, 9], vec![found(0, 0), found(1, 1), found(2, 1)]);
        counted.leave_others(&mut gold, &mut all);
        assert_eq!((gold, all), (vec![7, 9], vec![found(0, 0), found(1, 1)]));
    }

    proptest! {
        /// Of rows of one item, no choice has more pairs.
        #[test]
        fn no_other_choice_has_more_pairs(
            edges in prop::collection::btree_set((0u32..6, 0u32..5), 0..14),
            wanted in 1usize..4,
        ) {
            let found: Vec<Match> = edges.iter().map(|&(gold, system)| Match { step: 0, gold, system }).collect();
            let rows: Vec<Vec<u32>> = (2..6).map(|item| vec![item]).collect();
            let given = (0..5).map(|item| vec![item]).collect();
            let ties = TiedItems { sure: vec![0, 1], groups: vec![TiedGroup { wanted, rows }], given };
            let pairs = |items: &BTreeSet<u32>| {
                let mut of_these: Vec<Match> = found.iter().copied().filter(|one| items.contains(&one.gold)).collect();
                crate::scoring::pairs::pairing::pair(&mut of_these).len()
            };
            let counted = ties.choose(&found);
            prop_assert_eq!(counted.rows[0].len(), wanted);
            let best = (0u32..16).filter(|set| set.count_ones() as usize == wanted).map(|set| {
                let chosen = (0..4).filter(|item| set & (1 << item) != 0).map(|item| item + 2);
                pairs(&chosen.chain([0, 1]).collect())
            });
            prop_assert_eq!(Some(pairs(&counted.items)), best.max());
        }
    }
}
