//! Binary logarithms with integers only, never with floating point, whose logarithm differs between machines: cut off
//! after 62 binary digits, so that every machine gets the same digits; and the geometric mean, which is made of them.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::measures::fraction::Fraction;

/// Binary digits after the point of logarithms.
pub(crate) const BITS: u32 = 62;
/// 1 as a number with [`BITS`] digits after the point.
pub(crate) const ONE: u128 = 1 << BITS;

/// The binary logarithm of a whole number from 1, times 2⁶².
pub(crate) fn log2(number: u64) -> u128 {
    let whole = number.ilog2();
    (u128::from(whole) << BITS) | digits((u128::from(number) << BITS) >> whole)
}

/// The binary logarithm of a number from 1 to 2, one digit after the other: squaring the number doubles its logarithm,
/// so that the digit is 1 where the square is 2 or more. Both are times 2⁶².
fn digits(mut rest: u128) -> u128 {
    let mut log = 0;
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

/// 2 to the power of a number from 0 to 1: the product of the roots of 2 that its digits stand for. Both are times 2⁶².
fn exp2(log: u128) -> u128 {
    let (mut root, mut power) = (ONE << 1, ONE);
    for bit in (0..BITS).rev() {
        root = (root << BITS).isqrt();
        if log >> bit & 1 == 1 {
            power = (power * root) >> BITS;
        }
    }
    power
}

/// The geometric mean of numbers from 0 to 1, of which those below `least` count as that: `2^mean(log2(x))`. Nothing of
/// nothing, and where `least` is 0.
///
/// Irrational; the error is below 10⁻¹⁶. Exact where all numbers are the same power of 2, 1 among them.
pub fn geometric_mean(numbers: &[Fraction], least: &Fraction) -> Option<Fraction> {
    // The logarithm of 1/x, which is not negative.
    let logs = numbers.iter().map(|number| log2_of_inverse(number.max(least)));
    let sum = logs.sum::<Option<u128>>()?;
    let mean = sum.checked_div(numbers.len() as u128)?;
    let (whole, rest) = (u32::try_from(mean >> BITS).ok()?, mean & (ONE - 1));
    let power = Fraction::from(BigInt::from(exp2(rest)) << whole);
    Fraction::from(BigInt::from(ONE)).over(&power)
}

/// `-log2(x)` of a number from 0 to 1, times 2⁶²; nothing of 0.
fn log2_of_inverse(number: &Fraction) -> Option<u128> {
    let inverse = Fraction::one().over(number)?.shifted(BITS);
    let whole = inverse.bits().checked_sub(u64::from(BITS) + 1)?;
    Some((u128::from(whole) << BITS) | digits((inverse >> whole).to_u128()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mean(numbers: &[(u64, u64)]) -> Option<String> {
        let numbers: Vec<Fraction> =
            numbers.iter().map(|(part, whole)| Fraction::ratio(*part, *whole).unwrap()).collect();
        geometric_mean(&numbers, &Fraction::parse("0.00001").unwrap()).map(|mean| mean.to_decimal())
    }

    #[test]
    fn logarithms_of_powers_are_exact() {
        assert_eq!(log2(1 << 40), 40 << BITS);
        assert_eq!(exp2(0), ONE);
    }

    #[test]
    fn geometric_means_by_hand() {
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[(1, 1), (1, 1)]).as_deref(), Some("1"));
        assert_eq!(mean(&[(1, 4), (1, 1)]).as_deref(), Some("0.5"));
        assert_eq!(mean(&[(1, 3), (1, 3), (1, 3)]).as_deref(), Some("0.333333333333"));
        // √0.5 = 0.70710678118654752…, ∛(1/2 · 1/3 · 1/5) = ∛(1/30) = 0.32182979486854…
        assert_eq!(mean(&[(1, 2), (1, 1)]).as_deref(), Some("0.707106781187"));
        assert_eq!(mean(&[(1, 2), (1, 3), (1, 5)]).as_deref(), Some("0.321829794869"));
        // 0 counts as 0.00001: √(10⁻⁵ · 1) = 0.00316227766016837…
        assert_eq!(mean(&[(0, 1), (1, 1)]).as_deref(), Some("0.00316227766"));
        assert_eq!(mean(&[(0, 1)]).as_deref(), Some("0.00001"));
    }

    proptest! {
        #[test]
        fn logarithms_agree_with_the_processor(number in 2u32..) {
            #[expect(clippy::cast_precision_loss, reason = "compared to 12 digits")]
            let value = log2(u64::from(number)) as f64 / ONE as f64;
            prop_assert!((value - f64::from(number).log2()).abs() < 1e-12);
        }

        #[test]
        fn geometric_means_agree_with_the_processor(parts in prop::collection::vec(0u32..1000, 1..200)) {
            let numbers: Vec<Fraction> =
                parts.iter().map(|part| Fraction::ratio(u64::from(*part), 1000).unwrap()).collect();
            let least = Fraction::parse("0.00001").unwrap();
            let found: f64 = geometric_mean(&numbers, &least).unwrap().to_decimal().parse().unwrap();
            let logs = parts.iter().map(|part| (f64::from(*part) / 1000.0).max(0.00001).ln());
            #[expect(clippy::cast_precision_loss, reason = "a small number")]
            let expected = (logs.sum::<f64>() / parts.len() as f64).exp();
            prop_assert!((found - expected).abs() < 1e-11, "{found} {expected}");
        }

        /// Where all are equal, and between the least and the most.
        #[test]
        fn geometric_means_are_means(parts in prop::collection::vec(1u64..1000, 1..20)) {
            let numbers: Vec<Fraction> = parts.iter().map(|part| Fraction::ratio(*part, 1000).unwrap()).collect();
            let mean = |numbers: &[Fraction]| geometric_mean(numbers, &Fraction::ratio(1, 1000).unwrap()).unwrap();
            let (least, most) = (numbers.iter().min().unwrap(), numbers.iter().max().unwrap());
            let fixed = |number: &Fraction| number.to_fixed(12);
            let found = fixed(&mean(&numbers));
            prop_assert!(fixed(least) <= found && found <= fixed(most));
            prop_assert_eq!(fixed(&mean(&vec![least.clone(); parts.len()])), fixed(least));
        }
    }
}
