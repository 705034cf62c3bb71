//! What systems could do together: an oracle that chooses, for each question, the best answer of a set of systems. That is
//! an upper bound, which no real choice reaches.

use std::collections::BTreeMap;

use crate::base::parallel;
use crate::measures::fraction::Fraction;
use crate::statistics::matrix::QuestionMatrix;
use crate::statistics::undefined::Undefined;

/// Of how many systems all sets are tried.
pub const ALL_SETS_UP_TO: usize = 20;

/// A set of systems, and what its oracle has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemSet {
    /// The mean over the questions of the best score.
    pub value: Fraction,
    /// The positions of the systems.
    pub systems: Vec<usize>,
}

/// What some systems could do together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OracleEnsembles {
    /// The best set of one system, of two and so on, of equal ones the first by names; none of more than
    /// [`ALL_SETS_UP_TO`] systems.
    pub best: Option<Vec<SystemSet>>,
    /// The same, adding each time the system that helps most: at least 1 − 1/e of it (G. L. Nemhauser, L. A. Wolsey, M. L.
    /// Fisher, Mathematical Programming 14, 1978). Systems stand in the order in which they were added.
    pub greedy: Vec<SystemSet>,
    /// What the oracle of all loses without each.
    pub losses: Vec<Fraction>,
    /// What the oracle of each two has more than the first of them alone: complementarity (E. Brill, J. Wu, COLING-ACL 1998).
    /// By the first, then by the second; none of a system with itself.
    pub gains: Vec<Vec<Option<Fraction>>>,
}

/// The scores of some systems, exactly and in units.
struct Bests<'a> {
    scores: &'a QuestionMatrix<Fraction>,
    /// By system, what counts where sets are compared: questions with the same scores are one, which has their sum, and those
    /// on which all systems agree are none.
    units: Vec<Vec<i64>>,
    /// How far apart two equal sums of units may be: they are rounded.
    slack: i64,
}

/// The best set of each size that was found yet: its sum in units, its systems.
type BySize = Vec<Option<(i64, Vec<usize>)>>;

impl OracleEnsembles {
    /// Of the scores of some systems, one at least, on the same questions. Greater is better.
    ///
    /// # Errors
    /// Where scores are too large for units.
    pub fn of(scores: &QuestionMatrix<Fraction>) -> Result<Self, Undefined> {
        let bests = Bests::new(scores)?;
        let all: Vec<usize> = (0..scores.systems().len()).collect();
        let whole = bests.value(&all);
        let without =
            |system: usize| all.iter().copied().filter(|other| *other != system).collect::<Vec<_>>();
        let alone: Vec<Fraction> = all.iter().map(|system| bests.value(&[*system])).collect();
        let gains = |one: usize| {
            let gain = |other: &usize| (*other != one).then(|| &bests.value(&[one, *other]) - &alone[one]);
            all.iter().map(gain).collect::<Vec<_>>()
        };
        Ok(Self {
            best: (all.len() <= ALL_SETS_UP_TO).then(|| bests.best_sets()),
            greedy: bests.greedy(),
            losses: parallel::each(all.clone(), |system| &whole - &bests.value(&without(system))),
            gains: parallel::each(all.clone(), gains),
        })
    }
}

impl<'a> Bests<'a> {
    fn new(scores: &'a QuestionMatrix<Fraction>) -> Result<Self, Undefined> {
        let units = |row: &Vec<Fraction>| row.iter().map(Fraction::units).collect::<Option<Vec<i64>>>();
        let units =
            scores.rows().iter().map(units).collect::<Option<Vec<_>>>().ok_or(Undefined::NotResampled)?;
        let slack = i64::try_from(2 * scores.questions().len()).map_err(|_| Undefined::NotResampled)?;
        let largest = units.iter().flatten().map(|score| score.unsigned_abs()).max().unwrap_or_default();
        let fits = largest.checked_mul(scores.questions().len() as u64).is_some_and(|sum| sum < 1 << 62);
        if !fits {
            return Err(Undefined::NotResampled);
        }
        let mut alike: BTreeMap<Vec<i64>, i64> = BTreeMap::new();
        for question in 0..scores.questions().len() {
            *alike.entry(units.iter().map(|row| row[question]).collect()).or_default() += 1;
        }
        alike.retain(|column, _| column.iter().any(|score| *score != column[0]));
        let row = |system: usize| alike.iter().map(|(column, times)| column[system] * times).collect();
        Ok(Self { scores, units: (0..units.len()).map(row).collect(), slack })
    }

    /// What the oracle of a set has, exactly; 0 of none.
    fn value(&self, systems: &[usize]) -> Fraction {
        let best = |question: usize| {
            systems.iter().filter_map(|system| self.scores.rows()[*system].get(question)).max()
        };
        let bests = (0..self.scores.questions().len()).filter_map(best);
        Fraction::mean(bests).unwrap_or_else(Fraction::zero)
    }

    fn set(&self, systems: Vec<usize>) -> SystemSet {
        SystemSet { value: self.value(&systems), systems }
    }

    /// The best scores of a set and of another system, and their sum.
    fn with(&self, bests: &[i64], system: usize, together: &mut Vec<i64>) -> i64 {
        together.clear();
        together.extend(bests.iter().zip(&self.units[system]).map(|(best, score)| *best.max(score)));
        together.iter().sum()
    }

    /// Less than all scores.
    fn nothing(&self) -> Vec<i64> {
        vec![i64::MIN; self.units.first().map_or(0, Vec::len)]
    }

    fn best_sets(&self) -> Vec<SystemSet> {
        let number = self.units.len();
        let first = |system: usize| {
            let mut found = vec![None; number];
            self.try_sets(&mut vec![self.nothing()], system..system + 1, &mut Vec::new(), &mut found);
            found
        };
        let mut best: BySize = vec![None; number];
        // In the order of names.
        for found in parallel::each((0..number).collect(), first) {
            for (best, found) in best.iter_mut().zip(found) {
                self.keep_better(best, found);
            }
        }
        best.into_iter().flatten().map(|(_, systems)| self.set(systems)).collect()
    }

    fn keep_better(&self, best: &mut Option<(i64, Vec<usize>)>, found: Option<(i64, Vec<usize>)>) {
        let Some(found) = found else { return };
        if best.as_ref().is_none_or(|best| found.0 > best.0 + self.slack) {
            *best = Some(found);
        }
    }

    /// Tries all sets of some members with one of some next systems and any after it, in the order of names. `bests` are the
    /// best scores of none, one and so on of the members.
    fn try_sets(
        &self,
        bests: &mut Vec<Vec<i64>>,
        next: std::ops::Range<usize>,
        members: &mut Vec<usize>,
        found: &mut BySize,
    ) {
        let depth = members.len();
        for system in next {
            if bests.len() == depth + 1 {
                bests.push(Vec::new());
            }
            let mut together = std::mem::take(&mut bests[depth + 1]);
            let sum = self.with(&bests[depth], system, &mut together);
            bests[depth + 1] = together;
            members.push(system);
            if found[depth].as_ref().is_none_or(|best| sum > best.0 + self.slack) {
                found[depth] = Some((sum, members.clone()));
            }
            self.try_sets(bests, system + 1..self.units.len(), members, found);
            members.pop();
        }
    }

    fn greedy(&self) -> Vec<SystemSet> {
        let (mut chosen, mut bests, mut sets) = (Vec::new(), self.nothing(), Vec::new());
        for _ in 0..self.units.len() {
            let mut step: Option<(i64, usize, Vec<i64>)> = None;
            for system in (0..self.units.len()).filter(|system| !chosen.contains(system)) {
                let mut together = Vec::new();
                let sum = self.with(&bests, system, &mut together);
                if step.as_ref().is_none_or(|best| sum > best.0 + self.slack) {
                    step = Some((sum, system, together));
                }
            }
            let Some((_, system, together)) = step else { break };
            chosen.push(system);
            bests = together;
            sets.push(self.set(chosen.clone()));
        }
        sets
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Of scores in sixths, systems a, b, c and so on.
    fn matrix(systems: &[Vec<u64>]) -> QuestionMatrix<Fraction> {
        let cells = |values: &Vec<u64>| {
            let values = values.iter().map(|value| Fraction::ratio(*value, 6).unwrap()).enumerate();
            values.map(|(at, value)| (at.to_string(), value)).collect()
        };
        QuestionMatrix::of(
            systems.iter().zip('a'..).map(|(values, name)| (name.to_string(), cells(values))).collect(),
        )
    }

    fn told(sets: &[SystemSet]) -> Vec<(String, &[usize])> {
        sets.iter().map(|set| (set.value.to_decimal(), &set.systems[..])).collect()
    }

    /// The best one is of no use for the best two.
    #[test]
    fn greedy_is_not_best() {
        let scores = matrix(&[vec![6, 6, 0, 0, 0, 0], vec![0, 0, 6, 6, 0, 0], vec![5, 5, 5, 5, 0, 0]]);
        let found = OracleEnsembles::of(&scores).unwrap();
        let (two, three) = ("0.666666666667".to_owned(), "0.611111111111".to_owned());
        let best = found.best.unwrap();
        assert_eq!(
            told(&best),
            [("0.555555555556".to_owned(), &[2][..]), (two.clone(), &[0, 1]), (two.clone(), &[0, 1, 2])]
        );
        assert_eq!(
            told(&found.greedy),
            [("0.555555555556".to_owned(), &[2][..]), (three, &[2, 0]), (two, &[2, 0, 1])]
        );
        let texts =
            |gains: &[Option<Fraction>]| gains.iter().flatten().map(Fraction::to_decimal).collect::<Vec<_>>();
        assert_eq!(texts(&found.gains[0]), ["0.333333333333", "0.277777777778"]);
        assert_eq!(
            found.losses.iter().map(Fraction::to_decimal).collect::<Vec<_>>(),
            ["0.055555555556", "0.055555555556", "0"]
        );
    }

    /// Three thirds and one are the same, whatever the last digit.
    #[test]
    fn of_equal_sets_the_first_by_names() {
        let scores = matrix(&[vec![2, 2, 2, 0], vec![0, 0, 0, 6], vec![6, 0, 0, 0]]);
        let found = OracleEnsembles::of(&scores).unwrap();
        let quarter = "0.25".to_owned();
        assert_eq!(told(&found.best.unwrap())[0], (quarter.clone(), &[0][..]));
        assert_eq!(told(&found.greedy)[0], (quarter, &[0][..]));
        // Nobody has anything.
        let found = OracleEnsembles::of(&matrix(&[vec![0, 0], vec![0, 0]])).unwrap();
        assert_eq!(told(&found.best.unwrap()), [("0".to_owned(), &[0][..]), ("0".to_owned(), &[0, 1])]);
    }

    #[test]
    fn of_many_systems_only_greedy() {
        let systems: Vec<Vec<u64>> = (0..21)
            .map(|system| (0..21).map(|question| u64::from(question == system) * 6).collect())
            .collect();
        let found = OracleEnsembles::of(&matrix(&systems)).unwrap();
        assert_eq!(
            (found.best, found.greedy.len(), found.greedy[20].value.to_decimal()),
            (None, 21, "1".to_owned())
        );
    }

    proptest! {
        /// As good as the best single system, better with each size, and what trying all sets by hand finds.
        #[test]
        fn oracles_grow(systems in prop::collection::vec(prop::collection::vec(0u64..=6, 5), 1..6)) {
            let scores = matrix(&systems);
            let found = OracleEnsembles::of(&scores).unwrap();
            let best = found.best.unwrap();
            let single = scores.rows().iter().filter_map(Fraction::mean).max().unwrap();
            prop_assert_eq!(&best[0].value, &single);
            prop_assert!(best.is_sorted_by(|one, next| one.value <= next.value));
            for (best, greedy) in best.iter().zip(&found.greedy) {
                prop_assert!(greedy.value <= best.value);
                let by_hand = (1..1_usize << systems.len())
                    .filter(|bits| bits.count_ones() as usize == best.systems.len())
                    .map(|bits| {
                        let of = |question: usize| (0..systems.len()).filter(|at| bits >> at & 1 == 1).map(|at| systems[at][question]).max().unwrap();
                        (0..5).map(of).sum::<u64>()
                    });
                prop_assert_eq!(Fraction::ratio(by_hand.max().unwrap(), 30).unwrap(), best.value.clone());
            }
            prop_assert_eq!(&best.last().unwrap().value, &found.greedy.last().unwrap().value);
        }
    }
}
