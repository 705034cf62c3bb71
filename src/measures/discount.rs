//! Discounted gain: what an item is worth at its rank.
//!
//! A discount `1 / log2(rank + 1)` is irrational, so what is made of it is no exact fraction like the other measures. It
//! is computed with integers only: a discount is cut off after 62 binary digits, and a quotient of two sums of discounts
//! after 18 decimal digits. Both errors are far below the 12 digits that are published, and every machine gets the same
//! digits. Where the logarithm is whole
//! (ranks 1, 3, 7, …) and where the order is the best that is possible, the value is exact.

use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};

use crate::measures::fraction::Fraction;
use crate::measures::logarithm::{BITS, ONE, log2};

/// 10 to the number of decimal digits of a quotient.
const PRECISION: u64 = 10_u64.pow(18);

/// Discounted cumulative gain, times 2⁶²: the sum of `gain / log2(rank + 1)` over gains in their order, the first of
/// rank 1. 0 of nothing.
pub(crate) fn discounted(gains: impl IntoIterator<Item = u64>) -> BigUint {
    let gained = (1..).zip(gains).filter(|(_, gain)| *gain > 0);
    gained.map(|(rank, gain)| BigUint::from(discount(rank)) * gain).sum()
}

/// `1 / log2(rank + 1)`, times 2⁶².
fn discount(rank: u64) -> u128 {
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
