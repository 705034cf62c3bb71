//! Tests that people know from elsewhere: the sign test, which on right and wrong answers is `McNemar`'s exact test (Q.
//! `McNemar`, Psychometrika 12, 1947), and Wilcoxon's signed ranks (F. Wilcoxon, Biometrics Bulletin 1, 1945), both exact; and
//! the correction for many tests of S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of
//! Statistics 6 (1979).
//!
//! They ask other questions than whether a difference could be chance: how many questions a system wins, by which ranks.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer as _;

use crate::measures::fraction::Fraction;
use crate::statistics::flips::DrawnFlips;
use crate::statistics::randomisation::{Computation, TestResult, sign_flips};

/// Up to how many differing questions the ranks of all subsets are counted; of more they are drawn, as in the randomisation
/// test: counting takes time with their fourth power.
pub const ALL_RANKS_UP_TO: usize = 500;

/// How far apart, in units, two differences are equal: they are rounded.
const TIED_WITHIN: i64 = 2;

/// The two-sided exact p-value of so many wins and losses; 1 where there are none.
pub fn sign_test(wins: usize, losses: usize) -> TestResult {
    let (differing, fewest) = (wins + losses, wins.min(losses));
    let (mut ways, mut below) = (BigInt::from(1), BigInt::ZERO);
    for taken in 0..=fewest {
        below += &ways;
        ways = ways * (differing - taken) / (taken + 1);
    }
    TestResult { p: of_subsets(below, differing), computation: Computation::Exact, differing }
}

/// Twice a number of subsets, as a share of all; at most 1.
fn of_subsets(number: BigInt, of: usize) -> Fraction {
    let all = Fraction::from(BigInt::from(1) << of);
    Fraction::from(number * 2).over(&all).unwrap_or_else(Fraction::one).min(Fraction::one())
}

/// Wilcoxon's test of signed ranks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedRanks {
    /// The sum of the ranks of the differences that are positive.
    pub rank_sum: Fraction,
    /// What the test says.
    pub test: TestResult,
}

/// The test of differences in units: those that are 0 are dropped, tied ones have the mean of their ranks.
pub fn wilcoxon(differences: &[i64], flips: &DrawnFlips) -> SignedRanks {
    let mut sorted: Vec<(i64, bool)> =
        differences.iter().filter(|one| **one != 0).map(|one| (one.saturating_abs(), *one > 0)).collect();
    sorted.sort_unstable();
    let ranks = doubled_ranks(&sorted);
    let signed = || ranks.iter().zip(&sorted).map(|(rank, (_, is_positive))| (*rank, *is_positive));
    let plus: usize = signed().filter(|(_, is_positive)| *is_positive).map(|(rank, _)| rank).sum();
    let fewest = plus.min(ranks.iter().sum::<usize>() - plus);
    let test = if ranks.len() <= ALL_RANKS_UP_TO {
        let number = subsets_up_to(&ranks, fewest);
        TestResult {
            p: of_subsets(number.into(), ranks.len()),
            computation: Computation::Exact,
            differing: ranks.len(),
        }
    } else {
        let terms =
            signed().map(|(rank, is_positive)| if is_positive { rank as i128 } else { -(rank as i128) });
        sign_flips(&terms.collect::<Vec<_>>(), 0, flips)
    };
    SignedRanks { rank_sum: Fraction::ratio(plus as u64, 2).unwrap_or_else(Fraction::zero), test }
}

/// Twice the ranks of sorted sizes, so that they are whole where sizes are tied.
fn doubled_ranks(sorted: &[(i64, bool)]) -> Vec<usize> {
    let mut ranks = Vec::with_capacity(sorted.len());
    for tied in sorted.chunk_by(|one, next| next.0 - one.0 <= TIED_WITHIN) {
        // From the rank after those before to the last one of these.
        let doubled = 2 * ranks.len() + tied.len() + 1;
        ranks.extend(std::iter::repeat_n(doubled, tied.len()));
    }
    ranks
}

/// How many subsets of some numbers have a sum up to a bound.
fn subsets_up_to(numbers: &[usize], bound: usize) -> BigUint {
    // Without ties, doubled ranks are even.
    let divisor = numbers.iter().fold(0, |divisor: usize, number| divisor.gcd(number)).max(1);
    let bound = bound / divisor;
    // Numbers of so many words, one behind the other: how many subsets have the sum.
    let words = numbers.len() / 64 + 1;
    let mut ways = vec![0_u64; (bound + 1) * words];
    ways[0] = 1;
    let mut largest = 0;
    for (taken, number) in numbers.iter().map(|number| number / divisor).enumerate() {
        largest = bound.min(largest + number);
        // There are 2 to the power of those taken subsets, so that higher words are still empty.
        let filled = taken / 64 + 1;
        for sum in (number..=largest).rev() {
            let (low, high) = ways.split_at_mut(sum * words);
            add(&mut high[..words], &low[(sum - number) * words..][..filled]);
        }
    }
    let digits = |words: &[u64]| {
        BigUint::from_slice(&words.iter().flat_map(|word| split(*word)).collect::<Vec<u32>>())
    };
    ways.chunks(words).map(digits).sum()
}

fn split(word: u64) -> [u32; 2] {
    let half = |word: u64| u32::try_from(word & u64::from(u32::MAX)).unwrap_or_default();
    [half(word), half(word >> 32)]
}

/// Adds a number of some words to one of more.
fn add(sum: &mut [u64], number: &[u64]) {
    let mut carry = false;
    let (low, high) = sum.split_at_mut(number.len());
    for (sum, word) in low.iter_mut().zip(number) {
        let (with_word, first) = sum.overflowing_add(*word);
        let (with_carry, second) = with_word.overflowing_add(carry.into());
        (*sum, carry) = (with_carry, first || second);
    }
    // The first word that can take one more ends it.
    if carry {
        high.iter_mut().find_map(|word| {
            *word = word.wrapping_add(1);
            (*word != 0).then_some(())
        });
    }
}

/// The p-values of a family, adjusted so that the probability of any false claim stays below what is allowed, however they
/// depend on each other: in their order.
pub fn holm(ps: &[Fraction]) -> Vec<Fraction> {
    let mut order: Vec<usize> = (0..ps.len()).collect();
    order.sort_by(|one, other| ps[*one].cmp(&ps[*other]));
    let (mut adjusted, mut largest) = (vec![Fraction::zero(); ps.len()], Fraction::zero());
    for (position, test) in order.into_iter().enumerate() {
        let times = Fraction::whole((ps.len() - position) as u64);
        largest = largest.max((&times * &ps[test]).min(Fraction::one()));
        adjusted[test] = largest.clone();
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::stream::Stream;
    use proptest::prelude::*;

    fn flips(differing: usize) -> DrawnFlips {
        DrawnFlips::of(Stream(1), differing)
    }

    fn ratio(over: u64, under: u64) -> Fraction {
        Fraction::ratio(over, under).unwrap()
    }

    /// Of 10 throws, 2 heads or fewer: 56 of 1024, to each side.
    #[test]
    fn signs_by_hand() {
        let p = |wins, losses| sign_test(wins, losses).p;
        assert_eq!(p(8, 2), ratio(112, 1024));
        assert_eq!(
            (p(2, 8), p(0, 0), p(3, 3), p(1, 0)),
            (ratio(7, 64), ratio(1, 1), ratio(1, 1), ratio(1, 1))
        );
        assert_eq!(
            p(0, 100),
            Fraction::from(BigInt::from(2)).over(&Fraction::from(BigInt::from(1) << 100)).unwrap()
        );
        assert_eq!(sign_test(8, 2).differing, 10);
    }

    /// The critical values of tables: of 6 differences a rank sum of 0 has .03125, of 10 one of 8 has .048828125.
    #[test]
    fn signed_ranks_of_tables() {
        let of = |differences: &[i64]| wilcoxon(differences, &flips(0));
        let six = of(&[30, 10, 20, 60, 50, 40]);
        assert_eq!((six.rank_sum, six.test.p), (ratio(21, 1), ratio(1, 32)));
        let ten = of(&[-10, 20, -30, -40, 50, 60, 70, 80, 90, 100, 0]);
        assert_eq!((ten.rank_sum, ten.test.p, ten.test.differing), (ratio(47, 1), ratio(50, 1024), 10));
        let nothing = of(&[0, 0]);
        assert_eq!((nothing.rank_sum, nothing.test.p), (Fraction::zero(), Fraction::one()));
    }

    /// 1, −1, 2, 2 with units of difference: ranks 1.5, 1.5, 3.5, 3.5. Of 16 subsets those up to 1.5 are 3: {}, {1}, {2}.
    #[test]
    fn ties_have_the_mean_of_their_ranks() {
        let unit = 1_000_000_000_000;
        let found = wilcoxon(&[unit, 1 - unit, 2 * unit, 2 * unit - 2], &flips(0));
        assert_eq!((found.rank_sum, found.test.p), (ratio(17, 2), ratio(6, 16)));
        assert_eq!(doubled_ranks(&[(1, true), (3, true), (5, true), (8, true)]), [4, 4, 4, 8]);
    }

    #[test]
    fn many_ranks_are_drawn() {
        let differences = |number: i64| {
            (1..=number).map(|one| if one % 5 == 0 { -one * 10 } else { one * 10 }).collect::<Vec<_>>()
        };
        let flips = flips(600);
        assert_eq!(wilcoxon(&differences(500), &flips).test.computation, Computation::Exact);
        let many = wilcoxon(&differences(501), &flips).test;
        assert_eq!((many.computation, many.p), (Computation::Sampled, ratio(1, 100_000)));
        // Drawn and counted are the same test.
        let even: Vec<i64> = (1..=600).map(|one| if one % 2 == 0 { -one * 10 } else { one * 10 }).collect();
        let (drawn, counted) = (wilcoxon(&even, &flips).test.p, wilcoxon(&even[..400], &flips).test.p);
        let tenth = ratio(1, 20);
        assert!((&drawn - &counted).absolute() < tenth, "{drawn} {counted}");
    }

    /// The example of many textbooks.
    #[test]
    fn holm_by_hand() {
        let ps = [ratio(1, 100), ratio(4, 100), ratio(3, 100)];
        assert_eq!(holm(&ps), [ratio(3, 100), ratio(6, 100), ratio(6, 100)]);
        assert_eq!(holm(&[ratio(3, 5), ratio(1, 2)]), [ratio(1, 1), ratio(1, 1)]);
        assert_eq!(holm(&[]), []);
    }

    proptest! {
        #[test]
        fn counted_subsets_are_those_that_are_there(numbers in prop::collection::vec(1usize..12, 0..12), bound in 0usize..80) {
            let number = (0..1_usize << numbers.len())
                .filter(|bits| numbers.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1).map(|(_, n)| n).sum::<usize>() <= bound)
                .count();
            prop_assert_eq!(subsets_up_to(&numbers, bound), BigUint::from(number));
        }

        /// All subsets of more than 64 numbers: words carry.
        #[test]
        fn all_subsets_are_a_power_of_two(number in 0usize..150) {
            prop_assert_eq!(subsets_up_to(&vec![1; number], number), BigUint::from(1_u8) << number);
        }

        #[test]
        fn tests_do_not_depend_on_sides(differences in prop::collection::vec(-9i64..9, 0..25)) {
            let differences: Vec<i64> = differences.into_iter().map(|one| one * 1000).collect();
            let turned: Vec<i64> = differences.iter().map(|one| -one).collect();
            prop_assert_eq!(wilcoxon(&differences, &flips(0)).test, wilcoxon(&turned, &flips(0)).test);
        }

        /// Never below the p-value, never above 1, in the order of the p-values, and the same in any order.
        #[test]
        fn holm_is_monotone(ps in prop::collection::vec(0u64..=100, 0..9), turn in 0usize..9) {
            let mut ps: Vec<Fraction> = ps.into_iter().map(|p| ratio(p, 100)).collect();
            let mut adjusted = holm(&ps);
            for (p, adjusted) in ps.iter().zip(&adjusted) {
                prop_assert!(p <= adjusted && *adjusted <= Fraction::one());
            }
            let mut both: Vec<_> = ps.iter().zip(&adjusted).collect();
            both.sort();
            prop_assert!(both.is_sorted_by(|one, next| one.1 <= next.1));
            if !ps.is_empty() {
                let turn = turn % ps.len();
                ps.rotate_left(turn);
                adjusted.rotate_left(turn);
                prop_assert_eq!(holm(&ps), adjusted);
            }
        }
    }
}
