//! Rank measures of one question: how early in its answers the right ones stand.
//!
//! In the formulas, the answers stand in the order of [`Judged`], with ranks from 1. `rel(i)` is 1 where the answer of
//! rank i is correct, else 0; an answer that repeats another is not correct. `n` is the number of answers given, `m`
//! the number of correct answers known. What a system did not give adds nothing. Every measure is from 0 to 1, higher
//! is better, and each is defined for every question: 0 where the formula would divide by 0, as in `trec_eval`.
//!
//! Sources: `trec_eval` 9.0 and later (C. Buckley, NIST; `github.com/usnistgov/trec_eval`), whose name for a measure
//! stands in its comment; the guideline of the shared task of NLPCC 2017 on open-domain question answering.

use crate::measures::fraction::Fraction;
use crate::measures::judged::{Hit, Judged};
use crate::measures::logarithm::{BITS, ONE, log2};
use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};
use std::sync::LazyLock;

/// Reciprocal rank: `1 / i`, `i` the rank of the first correct answer. 0 where none is correct.
///
/// `trec_eval` measure `recip_rank`; NLPCC 2017, MRR of one question.
pub fn reciprocal_rank(judged: &Judged) -> Fraction {
    judged.hits().first().map_or_else(Fraction::zero, |first| ratio(1, first.rank))
}

/// Success at n: 1 where one of the first `n` answers is correct, else 0. 0 where there are no answers.
///
/// `trec_eval` measure `success_n`; NLPCC 2017, Accuracy@N of one question; Hits@N elsewhere, which is the same.
pub fn success_at(judged: &Judged, n: u64) -> Fraction {
    Fraction::whole(correct_in_first(judged, n).min(1))
}

/// Precision at k: `(Σ rel(i), i from 1 to k) / k`. The denominator is `k` where fewer answers are given too: what is
/// missing counts as wrong. 0 for `k = 0`.
///
/// `trec_eval` measure `P_k`.
pub fn precision_at(judged: &Judged, k: u64) -> Fraction {
    ratio(correct_in_first(judged, k), k)
}

/// Recall at k: `(Σ rel(i), i from 1 to k) / m`. 0 where no correct answer is known.
///
/// `trec_eval` measure `recall_k`.
pub fn recall_at(judged: &Judged, k: u64) -> Fraction {
    ratio(correct_in_first(judged, k), judged.known())
}

/// R-precision: precision at `m`, `(Σ rel(i), i from 1 to m) / m`. 0 where no correct answer is known.
///
/// `trec_eval` measure `Rprec`.
pub fn r_precision(judged: &Judged) -> Fraction {
    precision_at(judged, judged.known())
}

/// Average precision: `(Σ rel(i) · P(i), i from 1 to n) / m`, `P(i)` the precision at i. A correct answer that is not
/// given counts as one with precision 0. 0 where no correct answer is known.
///
/// `trec_eval` measure `map` of one question.
pub fn average_precision(judged: &Judged) -> Fraction {
    &sum_of_precisions(judged) * &ratio(1, judged.known())
}

/// Average precision as NLPCC has it: `(Σ rel(i) · P(i), i from 1 to n) / min(m, n)`. A system that gives fewer answers
/// than are known is not to blame for those that it had no place for. 0 where `min(m, n)` is 0.
///
/// NLPCC 2017, `AveP` in the MAP of DBQA and TBQA. The same as [`average_precision`] where `n ≥ m`, else higher or
/// equal.
pub fn average_precision_nlpcc(judged: &Judged) -> Fraction {
    let retrieved = judged.answers().len() as u64;
    &sum_of_precisions(judged) * &ratio(1, judged.known().min(retrieved))
}

/// Binary preference: `(Σ rel(i) · (1 − min(w(i), m) / min(w, m))) / m`, `w` the number of answers that are judged wrong,
/// `w(i)` that of those before rank i. Answers that nobody judged are passed over. Where none stands before it, a correct
/// answer counts 1. 0 where no correct answer is known.
///
/// `trec_eval` measure `bpref`.
pub fn bpref(judged: &Judged) -> Fraction {
    let known = judged.known();
    let lost = judged.hits().iter().map(|hit| hit.wrong.min(known)).sum();
    let lost = ratio(lost, known.min(judged.rejected()));
    &(&Fraction::whole(judged.correct()) - &lost) * &ratio(1, known)
}

/// Interpolated precision at a recall of so many percent: the highest precision from the rank on where
/// `k = ⌊percent / 100 · m + 1/2⌋` correct answers are found. 0 where fewer are found, or none.
///
/// `trec_eval` measure `iprec_at_recall`, as versions after 9 round `k`, but exactly.
pub fn interpolated_precision(judged: &Judged, percent: u64) -> Fraction {
    let least = (2 * percent * judged.known() + 100) / 200;
    let precisions = precisions(judged);
    let reached = usize::try_from(least.max(1)).ok().and_then(|least| precisions.get(least - 1..));
    reached.and_then(|from| from.iter().max().cloned()).unwrap_or_else(Fraction::zero)
}

/// Normalised discounted cumulative gain: `DCG / ideal`, `DCG = Σ gain(i) / log2(i + 1)` over all answers, `ideal` the
/// same sum over the grades of the known answers, highest first. 0 where no correct answer is known. Cut off after 18
/// decimal digits, since the logarithms are irrational; 1 is exact.
///
/// `trec_eval` measure `ndcg`, where the gain is the grade; K. Järvelin, J. Kekäläinen, Cumulated gain-based evaluation
/// of IR techniques, TOIS 20 (2002); the discount of all ranks is that of C. Burges et al., Learning to rank using
/// gradient descent, ICML 2005.
pub fn ndcg(judged: &Judged) -> Fraction {
    ndcg_at(judged, u64::MAX)
}

/// The same with a cut-off: of the answers and of the known grades, the first `k` only. 0 for `k = 0`.
///
/// `trec_eval` measure `ndcg_cut_k`.
pub fn ndcg_at(judged: &Judged, k: u64) -> Fraction {
    let gained = discounted_at(hits_in_first(judged, k).iter().map(|hit| (hit.rank, hit.gain)));
    share(&gained, &discounted(first(judged.gold(), k).iter().copied()))
}

/// nDCG with gains of 0 and 1: `right` says for each item of the answer, best first, whether it is right; `gold` is
/// the number of gold items.
///
/// `trec_eval` measure `ndcg`, as `pytrec_eval` and so TEXT2SPARQL call it.
pub fn binary_ndcg(right: impl IntoIterator<Item = bool>, gold: u64) -> Fraction {
    share(&discounted(right.into_iter().map(u64::from)), &discounted((0..gold).map(|_| 1)))
}

/// `Σ rel(i) · P(i)`.
fn sum_of_precisions(judged: &Judged) -> Fraction {
    Fraction::sum(&precisions(judged))
}

/// `P(i)` at the ranks of the correct answers.
fn precisions(judged: &Judged) -> Vec<Fraction> {
    (1..).zip(judged.hits()).map(|(found, hit)| ratio(found, hit.rank)).collect()
}

/// How many of the first answers are correct.
fn correct_in_first(judged: &Judged, n: u64) -> u64 {
    hits_in_first(judged, n).len() as u64
}

/// The correct ones among the first answers.
fn hits_in_first(judged: &Judged, n: u64) -> &[Hit] {
    let hits = judged.hits();
    &hits[..hits.partition_point(|hit| hit.rank <= n)]
}

/// The first `n`, or all where there are fewer.
fn first<T>(all: &[T], n: u64) -> &[T] {
    usize::try_from(n).ok().and_then(|n| all.get(..n)).unwrap_or(all)
}

/// A quotient of counts; 0 where it would be divided by 0.
fn ratio(part: u64, whole: u64) -> Fraction {
    Fraction::ratio(part, whole).unwrap_or_else(Fraction::zero)
}

/// 10 to the number of decimal digits of a quotient.
const PRECISION: u64 = 10_u64.pow(18);

/// Discounted cumulative gain, times 2⁶²: the sum of `gain / log2(rank + 1)` over gains in their order, the first of
/// rank 1. 0 of nothing.
pub(crate) fn discounted(gains: impl IntoIterator<Item = u64>) -> BigUint {
    discounted_at((1..).zip(gains))
}

/// The same of gains with the rank of each.
fn discounted_at(gains: impl IntoIterator<Item = (u64, u64)>) -> BigUint {
    let gained = gains.into_iter().filter(|(_, gain)| *gain > 0);
    let (mut sum, mut rest) = (0_u128, BigUint::ZERO);
    for (rank, gain) in gained {
        let discount = discount(rank);
        match discount.checked_mul(gain.into()).and_then(|gained| sum.checked_add(gained)) {
            Some(more) => sum = more,
            // Grades are of any size.
            None => rest += BigUint::from(discount) * gain,
        }
    }
    rest + sum
}

/// `1 / log2(rank + 1)`, times 2⁶².
fn discount(rank: u64) -> u128 {
    /// How many discounts are calculated once: few lists are longer, and each logarithm takes 62 multiplications.
    const KNOWN: u64 = 1_024;
    static DISCOUNTS: LazyLock<Vec<u128>> = LazyLock::new(|| (1..=KNOWN).map(calculated_discount).collect());
    let known = usize::try_from(rank - 1).ok().filter(|_| rank <= KNOWN);
    known.map_or_else(|| calculated_discount(rank), |at| DISCOUNTS[at])
}

fn calculated_discount(rank: u64) -> u128 {
    // 2^124 / (log · 2^62) = (1 / log) · 2^62
    (ONE << BITS) / log2(rank + 1)
}

/// The share of one sum in another, at most 1; 0 where nothing is divided by nothing.
pub(crate) fn share(part: &BigUint, whole: &BigUint) -> Fraction {
    if part.is_zero() || whole.is_zero() {
        return Fraction::zero();
    }
    if part >= whole {
        return Fraction::one();
    }
    let digits = part * PRECISION / whole;
    digits.to_u64().and_then(|digits| Fraction::ratio(digits, PRECISION)).unwrap_or_else(Fraction::zero)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::measures::judged::{Judgement, Verdict};

    const O: u64 = 0;
    const X: u64 = 1;

    /// Answers with these gains, 0 for a wrong one, and some that are correct and not given.
    fn judged(gains: &[u64], missed: &[u64]) -> Judged {
        let answer = |&gain: &u64| Judgement {
            verdict: if gain > 0 { Verdict::Correct } else { Verdict::Incorrect },
            gain,
            rejected: false,
            score: None,
        };
        let mut gold: Vec<u64> = gains.iter().chain(missed).copied().filter(|gain| *gain > 0).collect();
        gold.sort_by_key(|gain| std::cmp::Reverse(*gain));
        Judged::new(gains.iter().map(answer).collect(), gold, 0)
    }

    #[test]
    fn hand_computed_reciprocal_rank() {
        for (gains, expected) in
            [(&[X, O][..], "1"), (&[O, O, X, X], "0.333333333333"), (&[O], "0"), (&[], "0")]
        {
            assert_eq!(reciprocal_rank(&judged(gains, &[X])).to_decimal(), expected, "{gains:?}");
        }
    }

    #[test]
    fn hand_computed_cut_offs() {
        // 2 of 4 are found, at ranks 2 and 5
        let some = judged(&[O, X, O, O, X], &[X, X]);
        let cases = [
            (0, ["0", "0", "0"]),
            (1, ["0", "0", "0"]),
            (2, ["1", "0.5", "0.25"]),
            (4, ["1", "0.25", "0.25"]),
            (5, ["1", "0.4", "0.5"]),
            // the denominator is k, not the five that there are
            (10, ["1", "0.2", "0.5"]),
            (u64::MAX, ["1", "0", "0.5"]),
        ];
        for (k, expected) in cases {
            let values = [success_at(&some, k), precision_at(&some, k), recall_at(&some, k)];
            assert_eq!(values.map(|value| value.to_decimal()), expected, "at {k}");
        }
        // nothing known: no answer can be correct
        let none = judged(&[O, O], &[]);
        assert_eq!(
            [success_at(&none, 5), precision_at(&none, 5), recall_at(&none, 5)],
            [0; 3].map(Fraction::whole)
        );
    }

    #[test]
    fn hand_computed_average_precision() {
        let cases: [(&[u64], &[u64], [&str; 3]); 6] = [
            // (1/2 + 2/5) / 4 = 0.225, min(4, 5) = 4; R-precision: 1 of the first 4
            (&[O, X, O, O, X], &[X, X], ["0.225", "0.225", "0.25"]),
            // (1 + 2/2) / 3, min(3, 2) = 2; the third rank that R-precision looks at is empty
            (&[X, X], &[X], ["0.666666666667", "1", "0.666666666667"]),
            // 1/3 / 5, min(5, 3) = 3
            (&[O, O, X], &[X, X, X, X], ["0.066666666667", "0.111111111111", "0.2"]),
            (&[O, O], &[X], ["0", "0", "0"]),
            (&[], &[X], ["0", "0", "0"]),
            (&[O], &[], ["0", "0", "0"]),
        ];
        for (gains, missed, expected) in cases {
            let some = judged(gains, missed);
            let values = [average_precision(&some), average_precision_nlpcc(&some), r_precision(&some)];
            assert_eq!(values.map(|value| value.to_decimal()), expected, "{gains:?} and {missed:?}");
        }
    }

    /// Answers that are right (`X`), judged wrong (`O`) and not judged (`U`), and how many more are known.
    fn with_rejected(answers: &[u64], missed: usize, rejected: u64) -> Judged {
        let gains: Vec<u64> = answers.iter().map(|answer| u64::from(*answer == X)).collect();
        let some = judged(&gains, &vec![1; missed]);
        let mut all = some.answers().to_vec();
        for (answer, what) in all.iter_mut().zip(answers) {
            answer.rejected = *what == O;
        }
        Judged::new(all, some.gold().to_vec(), rejected)
    }

    #[test]
    fn hand_computed_bpref() {
        const U: u64 = 2;
        let cases: [(&[u64], usize, u64, &str); 8] = [
            // m = 2, w = 3: (1 − 0) + (1 − 1/2), halved
            (&[X, U, O, X], 0, 3, "0.75"),
            // m = 4, w = 2: (1 − 1/2) + (1 − 2/2), by 4
            (&[O, X, O, X], 2, 2, "0.125"),
            // more than m are wrong before it
            (&[O, O, X], 0, 9, "0"),
            // none is judged wrong, or none before it
            (&[U, X, U, X], 0, 0, "1"),
            (&[X, O, O], 1, 2, "0.5"),
            // nothing right, nothing given, nothing known
            (&[O, U], 1, 1, "0"),
            (&[], 1, 1, "0"),
            (&[O], 0, 1, "0"),
        ];
        for (answers, missed, rejected, expected) in cases {
            let value = bpref(&with_rejected(answers, missed, rejected));
            assert_eq!(value.to_decimal(), expected, "{answers:?}");
        }
    }

    #[test]
    fn hand_computed_interpolated_precision() {
        // right at 2, 3 and 6 of 7 that are given, m = 4: P = 1/2, 2/3, 1/2; k = 0, 0, 1, 2, 2, 3, 3, 4, 4
        let some = judged(&[O, X, X, O, O, X, O], &[X]);
        let at = |some: &Judged, percent| interpolated_precision(some, percent).to_decimal();
        for (percent, expected) in [
            (0, "0.666666666667"),
            (12, "0.666666666667"),
            (30, "0.666666666667"),
            (50, "0.666666666667"),
            (62, "0.666666666667"),
            (63, "0.5"),
            (80, "0.5"),
            (87, "0.5"),
            (88, "0"),
            (100, "0"),
        ] {
            assert_eq!(at(&some, percent), expected, "at {percent}");
        }
        for none in [judged(&[O, O], &[X]), judged(&[], &[X]), judged(&[O], &[])] {
            assert_eq!([at(&none, 0), at(&none, 100)], ["0", "0"]);
        }
        // 0.7 · 45 is 31.5, and a little less in floating point
        let some = judged(&[X; 31], &[X; 14]);
        assert_eq!([at(&some, 69), at(&some, 70)], ["1", "0"]);
    }

    #[test]
    fn discounts_that_are_calculated_once_are_those_that_are_not() {
        for rank in [1, 2, 3, 1_023, 1_024, 1_025, 5_000] {
            assert_eq!(discount(rank), calculated_discount(rank), "{rank}");
        }
        // the first alone is 2^62 · (2^64 − 1)
        let largest = discounted([u64::MAX; 5]);
        let each = (1..=5).map(|rank| BigUint::from(calculated_discount(rank)) * u64::MAX);
        assert_eq!(largest, each.sum::<BigUint>());
        assert!(largest > BigUint::from(u128::MAX) / 2_u32);
    }

    #[test]
    fn a_repeated_answer_is_not_correct_and_takes_a_rank() {
        let mut some = judged(&[X, O, X], &[]);
        some.change(|answers| answers[1].verdict = Verdict::Repeated);
        // (1 + 2/3) / 2
        assert_eq!(average_precision(&some).to_decimal(), "0.833333333333");
        assert_eq!(precision_at(&some, 2).to_decimal(), "0.5");
    }

    #[test]
    fn hand_computed_ndcg_of_0_and_1() {
        let cases: [(&[u64], u64, &str); 9] = [
            // no gold items, no answer, nothing right
            (&[O, O], 0, "0"),
            (&[], 3, "0"),
            (&[O, O], 1, "0"),
            // all right items first
            (&[X], 1, "1"),
            (&[X, X, X, O], 3, "1"),
            // 1/log2(4) = 1/2, 1/log2(8) = 1/3: exact
            (&[O, O, X], 1, "0.5"),
            (&[O, O, O, O, O, O, X], 1, "0.333333333333"),
            // 1/log2(3) = 0.6309297535714574…
            (&[O, X], 1, "0.630929753571"),
            // (1 + 1/2) / (1 + 1/log2(3) + 1/2) = 1.5 / 2.1309297535714574… = 0.7039180890341347…
            (&[X, O, X], 3, "0.703918089034"),
        ];
        for (gains, gold, expected) in cases {
            let value = binary_ndcg(gains.iter().map(|gain| *gain == X), gold);
            assert_eq!(value.to_decimal(), expected, "{gains:?} of {gold}");
        }
    }

    #[test]
    fn hand_computed_ndcg_of_grades() {
        // DCG = 0 + 0 + 3/2, ideal of 3, 1 = 3 + 1/log2(3) = 3.6309297535714574…; 1.5 / 3.63… = 0.4131173285…
        let some = judged(&[O, O, 3], &[1]);
        assert_eq!(ndcg(&some).to_decimal(), "0.413117328564");
        assert_eq!([ndcg_at(&some, 0), ndcg_at(&some, 2)], [0, 0].map(Fraction::whole));
        assert_eq!(ndcg_at(&some, 3), ndcg(&some));
        // at 1, only the best grade is ideal: 2/4
        let some = judged(&[2, 4], &[]);
        assert_eq!(ndcg_at(&some, 1), Fraction::ratio(1, 2).unwrap());
        // (2 + 4/log2(3)) / (4 + 2/log2(3)) = 4.52371901428583… / 5.26185950714291… = 0.8597188…
        assert!(ndcg(&some).to_decimal().starts_with("0.85971"));
        assert_eq!(ndcg(&judged(&[4, 2, 0], &[])), Fraction::one());
    }

    type Named = (&'static str, fn(&Judged) -> Fraction);
    const MEASURES: [Named; 14] = [
        ("reciprocal rank", reciprocal_rank),
        ("success at 2", |judged| success_at(judged, 2)),
        ("precision at 2", |judged| precision_at(judged, 2)),
        ("precision at 3", |judged| precision_at(judged, 3)),
        ("recall at 2", |judged| recall_at(judged, 2)),
        ("R-precision", r_precision),
        ("average precision", average_precision),
        ("average precision of NLPCC", average_precision_nlpcc),
        ("nDCG", ndcg),
        ("bpref", bpref),
        ("interpolated precision at 0", |judged| interpolated_precision(judged, 0)),
        ("interpolated precision at 50", |judged| interpolated_precision(judged, 50)),
        ("nDCG at 2", |judged| ndcg_at(judged, 2)),
        ("nDCG at 4", |judged| ndcg_at(judged, 4)),
    ];

    /// All orders of a list.
    fn permutations<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
        let Some((first, rest)) = items.split_first() else { return vec![Vec::new()] };
        let mut all = Vec::new();
        for order in permutations(rest) {
            for at in 0..=order.len() {
                let mut with = order.clone();
                with.insert(at, first.clone());
                all.push(with);
            }
        }
        all
    }

    /// With floating point, as in any textbook.
    fn naive_ndcg(judged: &Judged) -> f64 {
        let dcg = |gains: &[u64]| -> f64 {
            let gain = |(rank, gain): (u32, &u64)| {
                f64::from(u32::try_from(*gain).unwrap()) / f64::from(rank + 1).log2()
            };
            (1..).zip(gains).map(gain).sum()
        };
        let gains: Vec<u64> = judged.answers().iter().map(|answer| answer.gain).collect();
        if judged.gold().is_empty() { 0.0 } else { dcg(&gains) / dcg(judged.gold()) }
    }

    prop_compose! {
        /// Grades from 0 to 3, with some in three ties.
        fn any_judged(most: usize)(
            gains in prop::collection::vec(0u64..4, 0..most),
            missed in prop::collection::vec(1u64..4, 0..4),
            scores in prop::collection::vec(0u64..3, most),
        ) -> Judged {
            let some = judged(&gains, &missed);
            let mut answers = some.answers().to_vec();
            // every other wrong answer is judged
            for (answer, is_judged) in answers.iter_mut().zip([true, false].into_iter().cycle()) {
                answer.rejected = is_judged && answer.gain == 0;
            }
            let rejected = answers.iter().filter(|answer| answer.rejected).count() as u64;
            let mut scores = scores;
            scores.sort_unstable_by(|a, b| b.cmp(a));
            for (answer, score) in answers.iter_mut().zip(scores) {
                answer.score = Some(Fraction::whole(score));
            }
            Judged::new(answers, some.gold().to_vec(), rejected)
        }
    }

    proptest! {
        #[test]
        fn measures_are_from_0_to_1(some in any_judged(20)) {
            for (name, measure) in MEASURES {
                let value = measure(&some);
                prop_assert!(value >= Fraction::zero() && value <= Fraction::one(), "{} {}", name, value);
            }
        }

        /// Where all that is known comes first, and as much is looked at as is known, every measure is 1.
        #[test]
        fn the_best_order_is_1(gains in prop::collection::vec(1u64..4, 1..10), wrong in 0usize..4) {
            let mut gains = gains;
            gains.sort_unstable_by(|a, b| b.cmp(a));
            let known = gains.len() as u64;
            gains.extend(vec![0; wrong]);
            let some = judged(&gains, &[]);
            let values = [
                reciprocal_rank(&some), success_at(&some, 1), precision_at(&some, known), recall_at(&some, known),
                r_precision(&some), average_precision(&some), average_precision_nlpcc(&some), ndcg(&some),
                ndcg_at(&some, 3),
            ];
            prop_assert!(values.iter().all(|value| *value == Fraction::one()), "{:?}", values);
        }

        /// To put the better of two neighbours first never lowers a measure.
        #[test]
        fn measures_are_monotone(some in any_judged(12), at in any::<prop::sample::Index>()) {
            if some.answers().len() > 1 {
                let at = at.index(some.answers().len() - 1);
                let mut better = some.clone();
                better.change(|answers| {
                    if answers[at].gain < answers[at + 1].gain {
                        answers.swap(at, at + 1);
                    }
                });
                for (name, measure) in MEASURES {
                    prop_assert!(measure(&better) >= measure(&some), "{}", name);
                }
            }
        }

        /// Wrong answers at the end change nothing, but what NLPCC divides by.
        #[test]
        fn wrong_answers_at_the_end_change_nothing(some in any_judged(12), more in 1usize..5) {
            let mut longer = some.clone();
            let wrong = Judgement { verdict: Verdict::Incorrect, gain: 0, rejected: false, score: None };
            longer.change(|answers| answers.extend(vec![wrong; more]));
            for (name, measure) in MEASURES {
                if name == "average precision of NLPCC" {
                    prop_assert!(measure(&longer) <= measure(&some));
                } else {
                    prop_assert_eq!(measure(&longer), measure(&some), "{}", name);
                }
            }
        }

        #[test]
        fn measures_agree_with_each_other(some in any_judged(12), k in 1u64..15) {
            let found = &precision_at(&some, k) * &Fraction::whole(k);
            prop_assert_eq!(&found, &(&recall_at(&some, k) * &Fraction::whole(some.known())));
            prop_assert_eq!(found.is_zero(), success_at(&some, k).is_zero());
            prop_assert_eq!(r_precision(&some), recall_at(&some, some.known()));
            prop_assert_eq!(ndcg(&some), ndcg_at(&some, 100));
            let (ours, nlpcc) = (average_precision(&some), average_precision_nlpcc(&some));
            prop_assert!(ours <= nlpcc);
            prop_assert!(some.answers().len() as u64 >= some.known() || ours.is_zero() || ours < nlpcc);
            let rank = reciprocal_rank(&some);
            prop_assert!(rank.is_zero() == average_precision(&some).is_zero());
        }

        /// The bounds that ties are reported with are those of all orders of the tied answers, and no wider; where the
        /// ranks of right answers are not open, all orders are worth the same.
        #[test]
        fn ties_have_their_extremes_at_best_and_at_worst(some in any_judged(7)) {
            let mut orders = vec![some.clone()];
            for range in some.ties() {
                let tied = permutations(&some.answers()[range.clone()]);
                let with = |order: &Judged| -> Vec<Judged> {
                    let of = |tied: &Vec<Judgement>| {
                        let mut other = order.clone();
                        other.change(|answers| answers[range.clone()].clone_from_slice(tied));
                        other
                    };
                    tied.iter().map(of).collect()
                };
                orders = orders.iter().flat_map(with).collect();
            }
            for (name, measure) in MEASURES {
                let values: Vec<Fraction> = orders.iter().map(measure).collect();
                prop_assert_eq!(values.iter().min(), Some(&measure(&some.at_worst())), "{}", name);
                prop_assert_eq!(values.iter().max(), Some(&measure(&some.at_best())), "{}", name);
                prop_assert!(some.is_open() || values.iter().min() == values.iter().max(), "{}", name);
            }
        }

        #[test]
        fn ndcg_agrees_with_the_naive_implementation(some in any_judged(200)) {
            let value: f64 = ndcg(&some).to_decimal().parse().unwrap();
            let expected = naive_ndcg(&some);
            prop_assert!((value - expected).abs() < 1e-11, "{value} {expected}");
        }

        #[test]
        fn ndcg_of_0_and_1_is_that_of_grades_0_and_1(
            right in prop::collection::vec(any::<bool>(), 0..50), missed in 0usize..20,
        ) {
            let gains: Vec<u64> = right.iter().map(|right| u64::from(*right)).collect();
            let some = judged(&gains, &vec![1; missed]);
            prop_assert_eq!(binary_ndcg(right, some.known()), ndcg(&some));
        }
    }
}

#[cfg(test)]
mod discount_tests {
    use super::*;

    #[test]
    fn half_is_exact() {
        assert_eq!(share(&discounted([0, 0, 1]), &discounted([1])), Fraction::ratio(1, 2).unwrap());
    }

    #[test]
    fn no_gain_is_too_large() {
        let most = discounted([u64::MAX, u64::MAX, u64::MAX]);
        assert_eq!(share(&most, &most), Fraction::one());
        assert_eq!(share(&discounted([0, 0, u64::MAX]), &discounted([u64::MAX])).to_decimal(), "0.5");
    }
}
