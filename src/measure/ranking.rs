//! Rank measures: how early in an ordered answer the right items stand.
//!
//! A discount `1 / log2(rank + 1)` is irrational, so these measures are no exact fractions like the others. They are
//! computed with integers only, never with floating point, whose logarithm differs between machines: a discount is
//! cut off after 62 binary digits, and a quotient of two sums of discounts after 18 decimal digits. Both errors are
//! far below the 12 digits that are published, and every machine gets the same digits. Where the logarithm is whole
//! (ranks 1, 3, 7, …) and where all right items come first, the value is exact.

use super::Fraction;

/// Binary digits after the point of logarithms and discounts.
const BITS: u32 = 62;
/// 1 as a number with [`BITS`] digits after the point.
const ONE: u128 = 1 << BITS;
/// Decimal digits of a quotient.
const DIGITS: u32 = 18;

/// Normalised discounted cumulative gain with gains of 0 and 1: the sum of `1 / log2(rank + 1)` over the ranks of the
/// right items, divided by the same sum over the ranks from 1 to the number of gold items.
///
/// `right` says for each item of the answer, best first, whether it is right. Items that are not in the answer add
/// nothing. Without gold items: 0, as in `trec_eval`, which `pytrec_eval` and so TEXT2SPARQL call (measure `ndcg`; K. Järvelin,
/// J. Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20 (2002); the discount of all ranks is that
/// of C. Burges et al., Learning to rank using gradient descent, ICML 2005).
pub fn ndcg(right: impl IntoIterator<Item = bool>, gold: u64) -> Fraction {
    let gained = (1..).zip(right).filter(|(_, right)| *right).map(|(rank, _)| discount(rank)).sum();
    let ideal = (1..=gold).map(discount).sum();
    quotient(gained, ideal)
}

/// `1 / log2(rank + 1)`.
fn discount(rank: u64) -> u128 {
    // 2^124 / (log · 2^62) = (1 / log) · 2^62
    (ONE << BITS) / log2(rank + 1)
}

/// The binary logarithm of a number from 2, one digit after the other: squaring a number from 1 to 2 doubles its
/// logarithm, so that the digit is 1 where the square is 2 or more.
fn log2(number: u64) -> u128 {
    let whole = number.ilog2();
    let mut log = u128::from(whole) << BITS;
    // the number divided by 2^whole, from 1 to 2
    let mut rest = (u128::from(number) << BITS) >> whole;
    for bit in (0..BITS).rev() {
        if rest == ONE {
            break;
        }
        rest = (rest * rest) >> BITS;
        if rest >= ONE << 1 {
            rest >>= 1;
            log |= 1 << bit;
        }
    }
    log
}

/// The quotient of two sums; 0 where nothing is divided by nothing.
fn quotient(part: u128, whole: u128) -> Fraction {
    if whole == 0 || part == 0 {
        return Fraction::zero();
    }
    if part >= whole {
        return Fraction::one();
    }
    let (mut digits, mut rest) = (0, part);
    for _ in 0..DIGITS {
        rest *= 10;
        digits = digits * 10 + u64::try_from(rest / whole).unwrap_or_default();
        rest %= whole;
    }
    Fraction::ratio(digits, 10_u64.pow(DIGITS)).unwrap_or_else(Fraction::zero)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decimal(right: &[bool], gold: u64) -> String {
        ndcg(right.iter().copied(), gold).to_decimal()
    }

    #[test]
    fn hand_computed_rankings() {
        const O: bool = false;
        const X: bool = true;
        let cases: [(&[bool], u64, &str); 9] = [
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
        for (right, gold, expected) in cases {
            assert_eq!(decimal(right, gold), expected, "{right:?} of {gold}");
        }
    }

    #[test]
    fn half_is_exact() {
        assert_eq!(ndcg([false, false, true], 1), Fraction::ratio(1, 2).unwrap());
        assert_eq!(log2(1 << 40), 40 << BITS);
    }

    /// With floating point, as in any textbook.
    fn naive(right: &[bool], gold: u32) -> f64 {
        let gain = |rank: u32| 1.0 / f64::from(rank + 1).log2();
        let ideal: f64 = (1..=gold).map(gain).sum();
        let gained: f64 = (1..).zip(right).filter(|(_, right)| **right).map(|(rank, _)| gain(rank)).sum();
        if gold == 0 { 0.0 } else { gained / ideal }
    }

    proptest! {
        #[test]
        fn agrees_with_the_naive_implementation(right in prop::collection::vec(any::<bool>(), 0..200), missed in 0u32..50) {
            let found = u32::try_from(right.iter().filter(|right| **right).count()).unwrap();
            let gold = found + missed;
            let value: f64 = decimal(&right, u64::from(gold)).parse().unwrap();
            let expected = naive(&right, gold);
            prop_assert!((value - expected).abs() < 1e-11, "{value} {expected}");
            prop_assert!((0.0..=1.0).contains(&value));
        }

        #[test]
        fn logarithms_agree_with_the_processor(number in 2u32..) {
            #[expect(clippy::cast_precision_loss, reason = "compared to 12 digits")]
            let value = log2(u64::from(number)) as f64 / ONE as f64;
            prop_assert!((value - f64::from(number).log2()).abs() < 1e-12);
        }
    }
}
