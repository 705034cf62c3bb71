//! Could it be chance: the paired randomisation test of two systems (R. A. Fisher, The design of experiments, 1935; E. J. G.
//! Pitman 1937; of pooled measures A. Yeh, More accurate tests for the statistical significance of result differences,
//! COLING 2000).
//!
//! If the names of the systems meant nothing, then on each question they could be exchanged. The p-value is the share of all
//! such exchanges with a difference as large as the one that is there, to either side; where there are too many to try all,
//! of drawn ones, and the one that is there (B. Phipson, G. K. Smyth, Permutation p-values should never be zero, 2010).

use std::ops::Add;

use crate::measures::fraction::Fraction;
use crate::statistics::flips::{ALL_FLIPS_UP_TO, DrawnFlips, FLIPS};
use crate::statistics::sampled::Sampled;

/// Whether all possibilities were looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Computation {
    /// All.
    Exact,
    /// Drawn ones.
    Sampled,
}

impl Computation {
    /// The word for scripts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Sampled => "sampled",
        }
    }
}

/// What a paired test says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestResult {
    /// The p-value, two-sided.
    pub p: Fraction,
    /// How it was computed.
    pub computation: Computation,
    /// How many questions, or clusters, differ.
    pub differing: usize,
}

impl TestResult {
    /// Of how many possibilities are as extreme as what is there, of all or of those drawn.
    fn counted(extreme: usize, differing: usize) -> Self {
        let (extreme, computation, all) = if differing <= ALL_FLIPS_UP_TO {
            (extreme, Computation::Exact, 1_u64 << differing)
        } else {
            (extreme + 1, Computation::Sampled, FLIPS as u64 + 1)
        };
        let p = Fraction::ratio(extreme as u64, all).unwrap_or_else(Fraction::one);
        Self { p, computation, differing }
    }
}

/// The test of two systems on the same questions.
pub fn randomisation(one: &Sampled, other: &Sampled, flips: &DrawnFlips) -> TestResult {
    let columns = || one.columns().iter().zip(other.columns());
    let differs = |part: &usize| columns().any(|(one, other)| one[*part] != other[*part]);
    let differing: Vec<usize> = (0..one.parts()).filter(differs).collect();
    // What the first system gains by exchanging the parts, and the second one loses.
    let gains: Vec<Vec<i64>> = columns()
        .map(|(one, other)| differing.iter().map(|part| other[*part] - one[*part]).collect())
        .collect();
    let (mine, theirs) = (one.totals(), other.totals());
    let seen = (one.of(&mine) - other.of(&theirs)).abs() - one.slack(differing.len());
    let extreme = if let ([mine], [theirs], [gains]) = (&mine[..], &theirs[..], &gains[..]) {
        // A sum is its own statistic, and moves twice: once on each side.
        let [low, high] = extreme_from((theirs - mine).into(), seen.into()).map(clamped);
        flips.count(gains, |moved| moved <= low || moved >= high)
    } else {
        let (mut new_mine, mut new_theirs) = (mine.clone(), theirs.clone());
        let lanes = Lanes::of(&gains);
        lanes.count(&gains, flips, |moved| {
            for (column, moved) in moved.iter().enumerate() {
                (new_mine[column], new_theirs[column]) = (mine[column] + moved, theirs[column] - moved);
            }
            (one.of(&new_mine) - other.of(&new_theirs)).abs() >= seen
        })
    };
    TestResult::counted(extreme, differing.len())
}

/// The test whether a sum could have any sign in each of its terms: the terms, none of which is 0, and how far apart equal
/// sums may be.
pub(crate) fn sign_flips(terms: &[i128], slack: i128, flips: &DrawnFlips) -> TestResult {
    // Exchanging a term takes it away twice.
    let sum: i128 = terms.iter().sum();
    let [low, high] = extreme_from(sum, sum.abs() - slack);
    TestResult::counted(flips.count(terms, |moved| moved <= low || moved >= high), terms.len())
}

/// Up to which sum, and from which, twice that sum is so far away from a number.
fn extreme_from(number: i128, distance: i128) -> [i128; 2] {
    [(number - distance).div_euclid(2), (number + distance + 1).div_euclid(2)]
}

/// The nearest number that 64 bits hold: no sum of theirs is beyond.
fn clamped(number: i128) -> i64 {
    i64::try_from(number).unwrap_or(if number < 0 { i64::MIN } else { i64::MAX })
}

/// Several whole numbers in one, so that they are added up in one go: how many binary digits each has, the lowest first.
struct Lanes {
    widths: Vec<u32>,
}

/// What holds them.
trait PackedLanes: Copy + Default + Add<Output = Self> {
    /// Takes the lowest of them, which has so many digits.
    fn take(&mut self, width: u32) -> i64;
}

impl PackedLanes for i64 {
    fn take(&mut self, width: u32) -> i64 {
        let others = Self::BITS - width;
        let lowest = (*self << others) >> others;
        *self = (*self - lowest) >> width;
        lowest
    }
}

impl PackedLanes for i128 {
    fn take(&mut self, width: u32) -> i64 {
        let others = Self::BITS - width;
        let lowest = (*self << others) >> others;
        *self = (*self - lowest) >> width;
        i64::try_from(lowest).unwrap_or_default()
    }
}

impl Lanes {
    /// For the sums over any of the numbers of each column.
    fn of(columns: &[Vec<i64>]) -> Self {
        let width = |column: &Vec<i64>| {
            let largest: i128 = column.iter().map(|number| i128::from(number.unsigned_abs())).sum();
            // One more for the sign.
            i128::BITS - largest.leading_zeros() + 1
        };
        Self { widths: columns.iter().map(width).collect() }
    }

    fn pack(&self, numbers: impl Iterator<Item = i64>) -> i128 {
        let (mut packed, mut shift) = (0, 0);
        for (number, width) in numbers.zip(&self.widths) {
            packed += i128::from(number) << shift;
            shift += width;
        }
        packed
    }

    fn unpack(&self, mut packed: impl PackedLanes) -> impl Iterator<Item = i64> {
        self.widths.iter().map(move |width| packed.take(*width))
    }

    /// How many exchanges are extreme, by the sums of what is exchanged, a number a column.
    fn count(
        &self,
        columns: &[Vec<i64>],
        flips: &DrawnFlips,
        mut is_extreme: impl FnMut(&[i64]) -> bool,
    ) -> usize {
        let numbers = columns.first().map_or(0, Vec::len);
        let packed = (0..numbers).map(|number| self.pack(columns.iter().map(|column| column[number])));
        let mut moved = Vec::with_capacity(columns.len());
        if self.widths.iter().sum::<u32>() < i64::BITS {
            let narrow: Vec<i64> = packed.filter_map(|packed| i64::try_from(packed).ok()).collect();
            return flips.count(&narrow, |packed| self.of_unpacked(packed, &mut moved, &mut is_extreme));
        }
        let wide: Vec<i128> = packed.collect();
        flips.count(&wide, |packed| self.of_unpacked(packed, &mut moved, &mut is_extreme))
    }

    #[inline]
    fn of_unpacked(
        &self,
        packed: impl PackedLanes,
        moved: &mut Vec<i64>,
        mut is_extreme: impl FnMut(&[i64]) -> bool,
    ) -> bool {
        moved.clear();
        moved.extend(self.unpack(packed));
        is_extreme(moved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::matrix::Clustering;
    use crate::statistics::sampled::{ItemCounts, MicroMeasure};
    use crate::statistics::stream::{Purpose, Streams};

    fn mean(values: &[&str]) -> Sampled {
        let fraction = |text: &&str| {
            let (over, under) = text.split_once('/').unwrap_or((text, "1"));
            Fraction::ratio(over.parse().unwrap(), under.parse().unwrap()).unwrap()
        };
        let values: Vec<Fraction> = values.iter().map(fraction).collect();
        Sampled::mean(&values, &Clustering::single(values.len())).unwrap()
    }

    fn flips(differing: usize) -> DrawnFlips {
        DrawnFlips::of(Streams::of(["0".repeat(64)], "").stream(Purpose::Flip), differing)
    }

    fn p(one: &[&str], other: &[&str]) -> (String, Computation, usize) {
        let found = randomisation(&mean(one), &mean(other), &flips(one.len()));
        (found.p.to_string(), found.computation, found.differing)
    }

    #[test]
    fn few_questions_by_hand() {
        // Three wins: of 8 exchanges, all and none are as extreme.
        assert_eq!(
            p(&["1", "1", "1", "0"], &["0", "0", "0", "0"]),
            ("1/4".to_owned(), Computation::Exact, 3)
        );
        // Differences 1, 1/2, 1/2 and −1/2: 3/2 or more in size are ±5/2, and those with one half turned.
        let (one, other) = (["1", "1/2", "1/2", "0"], ["0", "0", "0", "1/2"]);
        assert_eq!(p(&one, &other), ("1/2".to_owned(), Computation::Exact, 4));
        assert_eq!(p(&other, &one), p(&one, &other));
        assert_eq!(p(&one, &one), ("1/1".to_owned(), Computation::Exact, 0));
    }

    /// 1/3 + 1/3 − 2/3 is 0, and no more than other sums that are 0 but for their last digit.
    #[test]
    fn sums_that_differ_by_rounding_are_equal() {
        let (one, other) = (["1/3", "1/3", "1/3", "0"], ["0", "0", "0", "1"]);
        assert_eq!(p(&one, &other), ("1/1".to_owned(), Computation::Exact, 4));
        // 2 − (1/3 + 1/3 + 1/3) is a unit more than 1/3 + 1/3 + 1/3, and of the same size: 20 of 32, and not 16.
        let (one, other) = (["0", "0", "0", "1", "1"], ["1/3", "1/3", "1/3", "0", "0"]);
        assert_eq!(p(&one, &other), ("5/8".to_owned(), Computation::Exact, 5));
    }

    #[test]
    fn many_questions_are_drawn() {
        let (wins, nothing) = (vec!["1"; 70], vec!["0"; 70]);
        assert_eq!(p(&wins, &nothing), ("1/100000".to_owned(), Computation::Sampled, 70));
        assert_eq!(p(&wins[..20], &nothing[..20]), ("1/524288".to_owned(), Computation::Exact, 20));
        assert_eq!(p(&wins[..21], &nothing[..21]).1, Computation::Sampled);
        let mixed: Vec<&str> = ["1", "0", "1/2", "1", "1/4"].into_iter().cycle().take(70).collect();
        let turned: Vec<&str> = mixed.iter().rev().copied().collect();
        assert_eq!(p(&mixed, &turned), p(&turned, &mixed));
        // 13 and 8 of 21: the binomial test says .3833.
        let (one, other): (Vec<&str>, Vec<&str>) =
            (0..21).map(|at| if at < 13 { ("1", "0") } else { ("0", "1") }).unzip();
        let found = randomisation(&mean(&one), &mean(&other), &flips(21)).p;
        let distance = (&found - &Fraction::parse("0.383310").unwrap()).absolute();
        assert!(distance < Fraction::parse("0.005").unwrap(), "{found}");
    }

    #[test]
    fn counts_are_exchanged_together() {
        let micro = |counts: &[[u64; 3]]| {
            let counts: Vec<ItemCounts> = counts
                .iter()
                .map(|[matched, wrong, missed]| ItemCounts {
                    matched: *matched,
                    wrong: *wrong,
                    missed: *missed,
                })
                .collect();
            Sampled::micro(&counts, MicroMeasure::F1, &Clustering::single(counts.len())).unwrap()
        };
        // F1 1 and 1/2, 1 and 0: together 1 (4 of 4) and 2/5 (2 of 2 + 1 + 2). Of four exchanges two are as extreme.
        let found =
            randomisation(&micro(&[[1, 0, 0], [1, 0, 0]]), &micro(&[[1, 1, 1], [0, 0, 1]]), &flips(2));
        assert_eq!((found.p, found.differing), (Fraction::ratio(1, 2).unwrap(), 2));
        // The same measure of other counts differs.
        let found =
            randomisation(&micro(&[[1, 0, 0], [1, 0, 0]]), &micro(&[[2, 0, 0], [1, 0, 0]]), &flips(2));
        assert_eq!((found.p, found.differing), (Fraction::one(), 1));
    }

    /// Numbers of any sign and size are what they were.
    #[test]
    fn lanes_hold_sums_of_all_columns() {
        for size in [1, 1 << 20, 1 << 58] {
            let columns = [vec![3 * size, -size, 0], vec![0; 3], vec![-size, -size, -size], vec![1, 1, 1]];
            let lanes = Lanes::of(&columns[..if size > 1 << 20 { 3 } else { 4 }]);
            let packed: Vec<i128> =
                (0..3).map(|number| lanes.pack(columns.iter().map(|column| column[number]))).collect();
            for subset in 0..8_usize {
                let of = |number: &usize| subset >> number & 1 == 1;
                let sum: i128 = (0..3).filter(of).map(|number| packed[number]).sum();
                let known =
                    columns.iter().map(|column| (0..3).filter(of).map(|number| column[number]).sum::<i64>());
                assert!(
                    lanes.unpack(sum).zip(known).all(|(found, known)| found == known),
                    "{subset} of {size}"
                );
            }
            assert_eq!(lanes.unpack(0_i64).count(), lanes.widths.len());
        }
    }

    /// The same test in narrow and in wide lanes: counts, and as many times as many.
    #[test]
    fn wide_lanes_are_narrow_ones() {
        let counts = |factor: u64| {
            [0, 1].map(|system| {
                let count = |at: u64| ItemCounts {
                    matched: (at * 7 + system) % 5 * factor,
                    wrong: (at + system) % 3 * factor,
                    missed: (at * 3 + system * at) % 4 * factor,
                };
                let counts: Vec<ItemCounts> = (0..40).map(count).collect();
                Sampled::micro(&counts, MicroMeasure::F1, &Clustering::single(40)).unwrap()
            })
        };
        let test = |[one, other]: [Sampled; 2]| randomisation(&one, &other, &flips(40));
        let narrow = test(counts(1));
        assert_eq!(narrow.computation, Computation::Sampled);
        assert!(narrow.p < Fraction::one() && narrow.p > Fraction::ratio(1, 100_000).unwrap());
        assert_eq!(test(counts(1 << 30)), narrow);
    }

    #[test]
    fn signs_of_large_terms() {
        let large = 1_i128 << 90;
        let found = sign_flips(&[large, large, large], 0, &flips(3));
        assert_eq!((found.p, found.differing), (Fraction::ratio(1, 4).unwrap(), 3));
        assert_eq!(sign_flips(&[], 0, &flips(3)).p, Fraction::one());
        // Within the slack: 3, 1 and −1 as extreme as each other.
        assert_eq!(sign_flips(&[1, 1, 1], 2, &flips(3)).p, Fraction::one());
    }
}
