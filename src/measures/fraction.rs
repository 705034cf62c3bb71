//! Exact fractions and their canonical decimals.
//!
//! Sums of many small fractions have denominators far beyond 64 bits, so numbers are of any size.
//! Rounding happens once, when a value is written: at most 12 digits after the point, half to even.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::{Add, Mul, Sub};

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The number of digits after the point in published decimals.
const DIGITS: u32 = 12;

/// A rational number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fraction {
    numerator: BigInt,
    /// Always positive and without a common factor with the numerator.
    denominator: BigInt,
}

impl Fraction {
    /// `numerator / denominator`; nothing where the denominator is zero: undefined is not zero.
    pub fn ratio(numerator: u64, denominator: u64) -> Option<Self> {
        let divisor = numerator.gcd(&denominator).max(1);
        (denominator != 0).then(|| Self {
            numerator: (numerator / divisor).into(),
            denominator: (denominator / divisor).into(),
        })
    }

    fn reduced(numerator: BigInt, denominator: BigInt) -> Self {
        let divisor = numerator.gcd(&denominator);
        if divisor.is_zero() || divisor.is_one() {
            return Self { numerator, denominator };
        }
        Self { numerator: numerator / &divisor, denominator: denominator / divisor }
    }

    /// A whole number.
    pub fn whole(number: u64) -> Self {
        Self { numerator: number.into(), denominator: BigInt::one() }
    }

    /// Zero.
    pub fn zero() -> Self {
        Self::whole(0)
    }

    /// One.
    pub fn one() -> Self {
        Self::whole(1)
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    /// The number that a decimal numeral writes: `1.50`, `-3`, `1e-3`. At most 40 digits of exponent reach.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (mantissa, exponent) = match text.find(['e', 'E']) {
            Some(at) => (&text[..at], text[at + 1..].parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (sign, digits) = match mantissa.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, mantissa.strip_prefix('+').unwrap_or(mantissa)),
        };
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let all = [whole, part].concat();
        if all.is_empty()
            || all.len() > 400
            || !all.bytes().all(|b| b.is_ascii_digit())
            || exponent.abs() > 400
        {
            return None;
        }
        let number: BigInt = BigInt::parse_bytes(all.as_bytes(), 10)? * sign;
        let shift = exponent - i32::try_from(part.len()).ok()?;
        let power = BigInt::from(10).pow(shift.unsigned_abs());
        Some(if shift < 0 {
            Self::reduced(number, power)
        } else {
            Self::reduced(number * power, BigInt::one())
        })
    }

    /// The sum of fractions, whatever their order: the result is exact.
    pub fn sum<'a>(fractions: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut by_denominator: BTreeMap<&BigInt, BigInt> = BTreeMap::new();
        for fraction in fractions {
            *by_denominator.entry(&fraction.denominator).or_default() += &fraction.numerator;
        }
        let mut terms: Vec<(BigInt, BigInt)> =
            by_denominator.into_iter().map(|(denominator, sum)| (sum, denominator.clone())).collect();
        // Neighbours first: the numbers grow evenly and the work stays near linear.
        while terms.len() > 1 {
            terms = terms.chunks(2).map(add_unreduced).collect();
        }
        terms.pop().map_or_else(Self::zero, |(numerator, denominator)| Self::reduced(numerator, denominator))
    }

    /// The arithmetic mean; nothing of nothing.
    pub fn mean<'a>(fractions: impl IntoIterator<Item = &'a Self>) -> Option<Self> {
        let fractions: Vec<&Self> = fractions.into_iter().collect();
        let count = fractions.len() as u64;
        (count > 0).then(|| Self::sum(fractions).divided_by(count))
    }

    /// The fraction divided by a positive whole number.
    fn divided_by(self, divisor: u64) -> Self {
        Self::reduced(self.numerator, self.denominator * divisor)
    }

    /// The harmonic mean `2ab / (a + b)`; zero where both are zero.
    pub fn harmonic(a: &Self, b: &Self) -> Self {
        let sum = &a.numerator * &b.denominator + &b.numerator * &a.denominator;
        if sum.is_zero() {
            return Self::zero();
        }
        Self::reduced(&a.numerator * &b.numerator * 2u32, sum)
    }

    /// The quotient; nothing where the divisor is zero: undefined is not zero.
    pub fn over(&self, divisor: &Self) -> Option<Self> {
        if divisor.is_zero() {
            return None;
        }
        let sign = divisor.numerator.signum();
        let numerator = &self.numerator * &divisor.denominator * &sign;
        Some(Self::reduced(numerator, &self.denominator * &divisor.numerator * sign))
    }

    /// Without its sign.
    #[must_use]
    pub fn absolute(&self) -> Self {
        Self { numerator: self.numerator.abs(), denominator: self.denominator.clone() }
    }

    /// The square root, cut off after a number of decimal digits, with integers only: the same on every machine.
    /// Exact where it is rational; nothing where the fraction is negative.
    pub fn square_root(&self, digits: u32) -> Option<Self> {
        if self.numerator.is_negative() {
            return None;
        }
        let (numerator, denominator) = (self.numerator.sqrt(), self.denominator.sqrt());
        if &numerator * &numerator == self.numerator && &denominator * &denominator == self.denominator {
            return Some(Self { numerator, denominator });
        }
        let power = BigInt::from(10).pow(digits);
        let square = &self.numerator * &power * &power / &self.denominator;
        Some(Self::reduced(square.sqrt(), power))
    }

    /// The whole number that is not above `self · 2^bits`, of a number that is not negative.
    pub(crate) fn shifted(&self, bits: u32) -> BigInt {
        (&self.numerator << bits) / &self.denominator
    }

    /// The canonical `xsd:decimal`: no trailing zeros, no point in whole numbers, half-even at 12 digits.
    pub fn to_decimal(&self) -> String {
        let scaled = self.scaled(DIGITS);
        let sign = if scaled.is_negative() { "-" } else { "" };
        let digits = format!("{:0>width$}", scaled.abs().to_string(), width = DIGITS as usize + 1);
        let (whole, part) = digits.split_at(digits.len() - DIGITS as usize);
        let part = part.trim_end_matches('0');
        if part.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") }
    }

    /// With a fixed number of digits, for display.
    pub fn to_fixed(&self, digits: u32) -> String {
        let scaled = self.scaled(digits);
        let sign = if scaled.is_negative() { "-" } else { "" };
        let text = format!("{:0>width$}", scaled.abs().to_string(), width = digits as usize + 1);
        let (whole, part) = text.split_at(text.len() - digits as usize);
        if part.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") }
    }

    /// `self × 10^digits`, rounded half to even.
    fn scaled(&self, digits: u32) -> BigInt {
        self.scaled_small(digits).map_or_else(|| self.scaled_large(digits), BigInt::from)
    }

    /// The same in 128 bits, where numerator and denominator have 64: most fractions.
    fn scaled_small(&self, digits: u32) -> Option<u128> {
        let (numerator, denominator) = (self.numerator.to_u64()?, u128::from(self.denominator.to_u64()?));
        let scaled = u128::from(numerator).checked_mul(10u128.checked_pow(digits)?)?;
        let (quotient, rest) = (scaled / denominator, scaled % denominator);
        let up = match (rest * 2).cmp(&denominator) {
            Ordering::Less => false,
            Ordering::Greater => true,
            Ordering::Equal => quotient % 2 == 1,
        };
        Some(quotient + u128::from(up))
    }

    fn scaled_large(&self, digits: u32) -> BigInt {
        let scaled = &self.numerator * BigInt::from(10).pow(digits);
        let (quotient, rest) = scaled.div_mod_floor(&self.denominator);
        match (rest * 2u32).cmp(&self.denominator) {
            Ordering::Less => quotient,
            Ordering::Equal if quotient.is_even() => quotient,
            Ordering::Equal | Ordering::Greater => quotient + 1,
        }
    }
}

impl From<BigInt> for Fraction {
    fn from(number: BigInt) -> Self {
        Self { numerator: number, denominator: BigInt::one() }
    }
}

impl Add for &Fraction {
    type Output = Fraction;

    fn add(self, other: Self) -> Fraction {
        let numerator = &self.numerator * &other.denominator + &other.numerator * &self.denominator;
        Fraction::reduced(numerator, &self.denominator * &other.denominator)
    }
}

impl Sub for &Fraction {
    type Output = Fraction;

    fn sub(self, other: Self) -> Fraction {
        let numerator = &self.numerator * &other.denominator - &other.numerator * &self.denominator;
        Fraction::reduced(numerator, &self.denominator * &other.denominator)
    }
}

impl Mul for &Fraction {
    type Output = Fraction;

    fn mul(self, other: Self) -> Fraction {
        Fraction::reduced(&self.numerator * &other.numerator, &self.denominator * &other.denominator)
    }
}

/// Over the least common denominator: that of many small fractions is far smaller than their product.
fn add_unreduced(terms: &[(BigInt, BigInt)]) -> (BigInt, BigInt) {
    match terms {
        [(a, b), (c, d)] => {
            let divisor = b.gcd(d);
            (a * (d / &divisor) + c * (b / &divisor), b * (d / divisor))
        }
        [one] => one.clone(),
        _ => (BigInt::zero(), BigInt::one()),
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> Ordering {
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ratio(numerator: u64, denominator: u64) -> Fraction {
        Fraction::ratio(numerator, denominator).unwrap()
    }

    #[test]
    fn decimals_are_canonical_and_half_even() {
        let cases = [
            (ratio(0, 7), "0"),
            (ratio(7, 7), "1"),
            (ratio(1, 2), "0.5"),
            (ratio(1, 3), "0.333333333333"),
            (ratio(2, 3), "0.666666666667"),
            (ratio(1, 2_000_000_000_000), "0"),
            (ratio(3, 2_000_000_000_000), "0.000000000002"),
            (ratio(25, 2), "12.5"),
        ];
        for (fraction, text) in cases {
            assert_eq!(fraction.to_decimal(), text, "{fraction}");
        }
        assert_eq!(ratio(1, 8).to_fixed(2), "0.12");
        assert_eq!(ratio(3, 8).to_fixed(2), "0.38");
        assert_eq!(ratio(5, 2).to_fixed(0), "2");
    }

    #[test]
    fn numerals_are_read_exactly() {
        let read = |text| Fraction::parse(text).map(|f| f.to_decimal());
        assert_eq!(read("01.50").as_deref(), Some("1.5"));
        assert_eq!(read("-1.25e2").as_deref(), Some("-125"));
        assert_eq!(read("5e-3").as_deref(), Some("0.005"));
        for bad in ["", ".", "1.2.3", "abc", "1e", "NaN", "١", "1e99999"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }

    #[test]
    fn undefined_is_not_zero() {
        assert_eq!(Fraction::ratio(0, 0), None);
        assert_eq!(Fraction::mean([]), None);
        assert_eq!(Fraction::harmonic(&Fraction::zero(), &Fraction::zero()), Fraction::zero());
    }

    #[test]
    fn square_roots_are_cut_off_or_exact() {
        let root = |fraction: Fraction, digits| fraction.square_root(digits).map(|root| root.to_decimal());
        assert_eq!(root(ratio(2, 1), 40).as_deref(), Some("1.414213562373"));
        assert_eq!(root(ratio(2, 1), 3).as_deref(), Some("1.414"));
        assert_eq!(root(ratio(1, 2), 40).as_deref(), Some("0.707106781187"));
        assert_eq!(ratio(4, 9).square_root(1), Some(ratio(2, 3)));
        assert_eq!(Fraction::zero().square_root(40), Some(Fraction::zero()));
        assert_eq!(Fraction::parse("-0.25").unwrap().square_root(40), None);
        assert_eq!(Fraction::parse("-0.25").unwrap().absolute(), ratio(1, 4));
    }

    proptest! {
        /// The square of the root is the number, up to the digits that are cut off.
        #[test]
        fn square_roots_squared(numerator in any::<u64>(), denominator in 1u64.., digits in 0u32..30) {
            let fraction = ratio(numerator, denominator);
            let root = fraction.square_root(digits).unwrap();
            let next = &root + &Fraction::reduced(BigInt::one(), BigInt::from(10).pow(digits));
            prop_assert!(&root * &root <= fraction && fraction < &next * &next);
            prop_assert_eq!((&fraction * &fraction).square_root(digits), Some(fraction));
        }

        /// The grouped sum is the sum one by one, in any order.
        #[test]
        fn sums_do_not_depend_on_order(mut parts in prop::collection::vec((0u64..50, 1u64..400), 0..40), seed in 0usize..40) {
            let forward: Vec<Fraction> = parts.iter().map(|&(n, d)| ratio(n, d)).collect();
            let mut naive = (BigInt::zero(), BigInt::one());
            for &(n, d) in &parts {
                naive = (naive.0 * d + &naive.1 * n, naive.1 * d);
            }
            if !parts.is_empty() {
                let middle = seed % parts.len();
                parts.rotate_left(middle);
            }
            let rotated: Vec<Fraction> = parts.iter().map(|&(n, d)| ratio(n, d)).collect();
            let sum = Fraction::sum(&forward);
            prop_assert_eq!(&sum, &Fraction::sum(&rotated));
            prop_assert_eq!(sum, Fraction::reduced(naive.0, naive.1));
        }
    }
}
