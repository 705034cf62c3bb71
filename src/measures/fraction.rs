//! Exact fractions and their canonical decimals.
//!
//! Sums of many small fractions have denominators far beyond 64 bits, so numbers are of any size; nearly all others have
//! small ones, which are kept in place. Rounding happens once, when a value is written: at most 12 digits after the point,
//! half to even.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroI64;
use std::ops::{Add, Mul, Sub};

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The number of digits after the point in published decimals.
const DIGITS: u32 = 12;

/// A rational number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fraction(Terms);

/// Numerator and denominator. The denominator is positive and has no common factor with the numerator.
///
/// One number has one form, so that equal numbers are equal here: small where both are below 2^62.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Terms {
    Small(i64, NonZeroI64),
    Large(Box<(BigInt, BigInt)>),
}

/// Numerators and denominators below it are small: what is calculated with two fractions of them fits into 128 bits.
const SMALL: u64 = 1 << 62;

/// What is calculated with two fractions `a/b` and `c/d`, for numbers of any kind: numerator and denominator, not reduced.
trait Calculation {
    fn of<N: Integer + Clone>(a: N, b: N, c: N, d: N) -> (N, N);
}

impl Fraction {
    /// `numerator / denominator`; nothing where the denominator is zero: undefined is not zero.
    pub fn ratio(numerator: u64, denominator: u64) -> Option<Self> {
        (denominator != 0).then(|| Self::reduced_small(numerator.into(), denominator.into()))
    }

    /// The same of numbers with a sign; nothing where the denominator is not positive.
    pub fn quotient(numerator: i128, denominator: i128) -> Option<Self> {
        (denominator > 0).then(|| Self::reduced_small(numerator, denominator))
    }

    /// Of a positive denominator.
    fn reduced(numerator: BigInt, denominator: BigInt) -> Self {
        if let (Some(numerator), Some(denominator)) = (numerator.to_i128(), denominator.to_i128()) {
            return Self::reduced_small(numerator, denominator);
        }
        let divisor = numerator.gcd(&denominator);
        let (numerator, denominator) = (numerator / &divisor, denominator / divisor);
        match (numerator.to_i128(), denominator.to_i128()) {
            (Some(numerator), Some(denominator)) => Self::of_reduced(numerator, denominator),
            _ => Self(Terms::Large(Box::new((numerator, denominator)))),
        }
    }

    /// Of a positive denominator.
    fn reduced_small(numerator: i128, denominator: i128) -> Self {
        // Division of 128 bits is slow, and seldom needed.
        let divisor = match (u64::try_from(numerator), u64::try_from(denominator)) {
            (Ok(numerator), Ok(denominator)) => numerator.gcd(&denominator).into(),
            _ => numerator.gcd(&denominator),
        };
        let (numerator, denominator) =
            if divisor > 1 { (numerator / divisor, denominator / divisor) } else { (numerator, denominator) };
        Self::of_reduced(numerator, denominator)
    }

    fn of_reduced(numerator: i128, denominator: i128) -> Self {
        let small = |number: i128| i64::try_from(number).ok().filter(|number| number.unsigned_abs() < SMALL);
        match (small(numerator), small(denominator).and_then(NonZeroI64::new)) {
            (Some(numerator), Some(denominator)) => Self(Terms::Small(numerator, denominator)),
            _ => Self(Terms::Large(Box::new((numerator.into(), denominator.into())))),
        }
    }

    /// Numerator and denominator, which is positive, without a common factor.
    pub fn parts(&self) -> (BigInt, BigInt) {
        match &self.0 {
            Terms::Small(numerator, denominator) => ((*numerator).into(), denominator.get().into()),
            Terms::Large(parts) => (**parts).clone(),
        }
    }

    fn small_parts(&self) -> Option<(i128, i128)> {
        match self.0 {
            Terms::Small(numerator, denominator) => Some((numerator.into(), denominator.get().into())),
            Terms::Large(_) => None,
        }
    }

    /// In 128 bits where both are small.
    fn calculated<C: Calculation>(&self, other: &Self) -> Self {
        if let (Some((a, b)), Some((c, d))) = (self.small_parts(), other.small_parts()) {
            let (numerator, denominator) = C::of(a, b, c, d);
            return Self::reduced_small(numerator, denominator);
        }
        let ((a, b), (c, d)) = (self.parts(), other.parts());
        let (numerator, denominator) = C::of(a, b, c, d);
        Self::reduced(numerator, denominator)
    }

    /// A whole number.
    pub fn whole(number: u64) -> Self {
        Self::reduced_small(number.into(), 1)
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
        matches!(self.0, Terms::Small(0, _))
    }

    /// The number that a decimal numeral writes: `1.50`, `-3`, `1e-3`. At most 40 digits of exponent reach.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some(short) = Self::parse_short(text) {
            return Some(short);
        }
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

    /// The same of what most numerals are: digits that fit into 64 bits, no exponent.
    fn parse_short(text: &str) -> Option<Self> {
        let (is_negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mut number, mut digits, mut power) = (0_u64, 0, None);
        for byte in unsigned.bytes() {
            match byte {
                b'0'..=b'9' if digits < 18 => {
                    number = number * 10 + u64::from(byte - b'0');
                    digits += 1;
                    power = power.map(|power: u64| power * 10);
                }
                b'.' if power.is_none() => power = Some(1),
                _ => return None,
            }
        }
        let number = i128::from(number) * if is_negative { -1 } else { 1 };
        (digits > 0).then(|| Self::reduced_small(number, power.unwrap_or(1).into()))
    }

    /// The sum of fractions, whatever their order: the result is exact.
    pub fn sum<'a>(fractions: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut by_denominator: BTreeMap<NonZeroI64, i128> = BTreeMap::new();
        let mut terms: Vec<(BigInt, BigInt)> = Vec::new();
        for fraction in fractions {
            match &fraction.0 {
                Terms::Small(numerator, denominator) => {
                    *by_denominator.entry(*denominator).or_default() += i128::from(*numerator);
                }
                Terms::Large(parts) => terms.push((**parts).clone()),
            }
        }
        if terms.is_empty()
            && let Some((numerator, denominator)) = sum_in_place(&by_denominator)
        {
            return Self::reduced_small(numerator, denominator);
        }
        let small = by_denominator.into_iter();
        terms.extend(small.map(|(denominator, sum)| (sum.into(), denominator.get().into())));
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
    fn divided_by(&self, divisor: u64) -> Self {
        let (numerator, denominator) = self.parts();
        Self::reduced(numerator, denominator * divisor)
    }

    /// The harmonic mean `2ab / (a + b)`; zero where both are zero.
    pub fn harmonic(a: &Self, b: &Self) -> Self {
        let (product, sum) = (a * b, a + b);
        (&product + &product).over(&sum).unwrap_or_else(Self::zero)
    }

    /// The quotient; nothing where the divisor is zero: undefined is not zero.
    pub fn over(&self, divisor: &Self) -> Option<Self> {
        if divisor.is_zero() {
            return None;
        }
        Some(self.calculated::<Division>(divisor))
    }

    /// Without its sign.
    #[must_use]
    pub fn absolute(&self) -> Self {
        if *self < Self::zero() { &Self::zero() - self } else { self.clone() }
    }

    /// The square root, cut off after a number of decimal digits, with integers only: the same on every machine.
    /// Exact where it is rational; nothing where the fraction is negative.
    pub fn square_root(&self, digits: u32) -> Option<Self> {
        let (numerator, denominator) = self.parts();
        if numerator.is_negative() {
            return None;
        }
        let root = (numerator.sqrt(), denominator.sqrt());
        if &root.0 * &root.0 == numerator && &root.1 * &root.1 == denominator {
            return Some(Self::reduced(root.0, root.1));
        }
        let power = BigInt::from(10).pow(digits);
        let square = numerator * &power * &power / denominator;
        Some(Self::reduced(square.sqrt(), power))
    }

    /// Without the digits after the first so many behind the point: the next such decimal that is not above it.
    #[must_use]
    pub fn cut_off(&self, digits: u32) -> Self {
        let (numerator, denominator) = self.parts();
        let power = BigInt::from(10).pow(digits);
        Self::reduced((numerator * &power).div_floor(&denominator), power)
    }

    /// The canonical decimal in units of 10⁻¹²; nothing where 64 bits do not hold it.
    pub fn units(&self) -> Option<i64> {
        match self.scaled_small(DIGITS) {
            Some(scaled) => scaled.to_i64(),
            None => self.scaled_large(DIGITS).to_i64(),
        }
    }

    /// The whole number that is not above `self · 2^bits`, of a number that is not negative.
    pub(crate) fn shifted(&self, bits: u32) -> BigInt {
        let (numerator, denominator) = self.parts();
        (numerator << bits) / denominator
    }

    /// The canonical `xsd:decimal`: no trailing zeros, no point in whole numbers, half-even at 12 digits.
    pub fn to_decimal(&self) -> String {
        let (sign, digits) = self.scaled_text(DIGITS);
        let (whole, part) = digits.split_at(digits.len() - DIGITS as usize);
        let part = part.trim_end_matches('0');
        if part.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") }
    }

    /// With a fixed number of digits, for display.
    pub fn to_fixed(&self, digits: u32) -> String {
        let (sign, text) = self.scaled_text(digits);
        let (whole, part) = text.split_at(text.len() - digits as usize);
        if part.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") }
    }

    /// `self × 10^digits`, rounded half to even, as a text: its sign, and one digit more than these at least.
    fn scaled_text(&self, digits: u32) -> (&'static str, String) {
        let width = digits as usize + 1;
        if let Some(scaled) = self.scaled_small(digits) {
            return ("", format!("{scaled:0>width$}"));
        }
        let scaled = self.scaled_large(digits);
        (if scaled.is_negative() { "-" } else { "" }, format!("{:0>width$}", scaled.abs().to_string()))
    }

    /// The same in 128 bits, where the parts are small and not negative: most fractions.
    fn scaled_small(&self, digits: u32) -> Option<u128> {
        let (numerator, denominator) = self.small_parts()?;
        let (numerator, denominator) = (u128::try_from(numerator).ok()?, u128::try_from(denominator).ok()?);
        let scaled = numerator.checked_mul(10u128.checked_pow(digits)?)?;
        let (quotient, rest) = (scaled / denominator, scaled % denominator);
        let up = match (rest * 2).cmp(&denominator) {
            Ordering::Less => false,
            Ordering::Greater => true,
            Ordering::Equal => quotient % 2 == 1,
        };
        Some(quotient + u128::from(up))
    }

    fn scaled_large(&self, digits: u32) -> BigInt {
        let (numerator, denominator) = self.parts();
        let (quotient, rest) = (numerator * BigInt::from(10).pow(digits)).div_mod_floor(&denominator);
        match (rest * 2u32).cmp(&denominator) {
            Ordering::Less => quotient,
            Ordering::Equal if quotient.is_even() => quotient,
            Ordering::Equal | Ordering::Greater => quotient + 1,
        }
    }
}

impl From<BigInt> for Fraction {
    fn from(number: BigInt) -> Self {
        Self::reduced(number, BigInt::one())
    }
}

struct Addition;
struct Subtraction;
struct Multiplication;
/// By a number that is not zero.
struct Division;

impl Calculation for Addition {
    fn of<N: Integer + Clone>(a: N, b: N, c: N, d: N) -> (N, N) {
        (a * d.clone() + c * b.clone(), b * d)
    }
}

impl Calculation for Subtraction {
    fn of<N: Integer + Clone>(a: N, b: N, c: N, d: N) -> (N, N) {
        (a * d.clone() - c * b.clone(), b * d)
    }
}

impl Calculation for Multiplication {
    fn of<N: Integer + Clone>(a: N, b: N, c: N, d: N) -> (N, N) {
        (a * c, b * d)
    }
}

impl Calculation for Division {
    fn of<N: Integer + Clone>(a: N, b: N, c: N, d: N) -> (N, N) {
        let (numerator, denominator) = (a * d, b * c);
        // The sign belongs to the numerator.
        if denominator < N::zero() {
            (N::zero() - numerator, N::zero() - denominator)
        } else {
            (numerator, denominator)
        }
    }
}

impl Add for &Fraction {
    type Output = Fraction;

    fn add(self, other: Self) -> Fraction {
        self.calculated::<Addition>(other)
    }
}

impl Sub for &Fraction {
    type Output = Fraction;

    fn sub(self, other: Self) -> Fraction {
        self.calculated::<Subtraction>(other)
    }
}

impl Mul for &Fraction {
    type Output = Fraction;

    fn mul(self, other: Self) -> Fraction {
        self.calculated::<Multiplication>(other)
    }
}

/// The same in 128 bits, where they suffice.
fn sum_in_place(by_denominator: &BTreeMap<NonZeroI64, i128>) -> Option<(i128, i128)> {
    by_denominator.iter().try_fold((0_i128, 1_i128), |(sum, common), (denominator, numerator)| {
        let denominator = i128::from(denominator.get());
        let divisor = common.gcd(&denominator);
        let (ours, theirs) = (denominator / divisor, common / divisor);
        let sum = sum.checked_mul(ours)?.checked_add(numerator.checked_mul(theirs)?)?;
        Some((sum, common.checked_mul(ours)?))
    })
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
        if let (Some((a, b)), Some((c, d))) = (self.small_parts(), other.small_parts()) {
            return (a * d).cmp(&(c * b));
        }
        let ((a, b), (c, d)) = (self.parts(), other.parts());
        (a * d).cmp(&(c * b))
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (numerator, denominator) = self.parts();
        write!(f, "{numerator}/{denominator}")
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
        for bad in ["", ".", "1.2.3", "abc", "1e", "NaN", "١", "1e99999", "-", "+-1", "--1"] {
            assert_eq!(read(bad), None, "{bad}");
        }
        for text in ["0", "-0", "+7", ".5", "5.", " -1.25", "00012.500", "0.000000000000000001"] {
            assert_eq!(Fraction::parse(text), Fraction::parse(&format!("{text}e0")), "{text}");
        }
        for digits in [17, 18, 19, 40] {
            let text = format!("1.{}", "7".repeat(digits - 1));
            assert_eq!(Fraction::parse(&text), Fraction::parse(&format!("{text}e0")), "{text}");
        }
    }

    #[test]
    fn units_are_decimals_as_whole_numbers() {
        let units = |text: &str| Fraction::parse(text).and_then(|number| number.units());
        assert_eq!(units("-0.25"), Some(-250_000_000_000));
        assert_eq!(
            (ratio(1, 3).units(), ratio(2, 3).units()),
            (Some(333_333_333_333), Some(666_666_666_667))
        );
        assert_eq!(
            (units("9223372"), units("9223373"), units("1e30")),
            (Some(9_223_372 * 10_i64.pow(12)), None, None)
        );
        assert_eq!(
            Fraction::quotient(-3, 9).map(|third| third.to_decimal()).as_deref(),
            Some("-0.333333333333")
        );
        assert_eq!((Fraction::quotient(1, 0), Fraction::quotient(1, -1)), (None, None));
        assert_eq!(ratio(2, 3).cut_off(3).to_decimal(), "0.666");
        assert_eq!(
            Fraction::quotient(-2, 3).map(|cut| cut.cut_off(3).to_decimal()).as_deref(),
            Some("-0.667")
        );
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

    #[test]
    fn sums_that_fit_into_128_bits_are_those_that_do_not() {
        let harmonic = |to: u64| (1..=to).map(|number| ratio(1, number)).collect::<Vec<_>>();
        for to in [0, 1, 2, 10, 40, 60, 90, 200] {
            let all = harmonic(to);
            let one_by_one = all.iter().fold(Fraction::zero(), |sum, next| &sum + next);
            assert_eq!(Fraction::sum(&all), one_by_one, "{to}");
        }
    }

    /// Numbers of all sizes, many of them about the largest small one.
    fn near_bounds() -> impl Strategy<Value = u64> {
        prop_oneof![0u64..20, (SMALL - 3)..(SMALL + 3), any::<u64>(), Just(u64::MAX)]
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

        /// Small and large parts give the same numbers, and one number has one form: on both sides of the bound between them.
        #[test]
        fn small_and_large_are_one_arithmetic(a in near_bounds(), b in near_bounds(), c in near_bounds(), d in near_bounds()) {
            let (one, other) = (ratio(a, b.max(1)), ratio(c, d.max(1)));
            let large = |n: &BigInt, d: &BigInt| Fraction::reduced(n * BigInt::from(SMALL), d * BigInt::from(SMALL));
            let [a, b, c, d] = [a, b.max(1), c, d.max(1)].map(BigInt::from);
            prop_assert_eq!(&one + &other, large(&(&a * &d + &c * &b), &(&b * &d)));
            prop_assert_eq!(&one - &other, large(&(&a * &d - &c * &b), &(&b * &d)));
            prop_assert_eq!(&one * &other, large(&(&a * &c), &(&b * &d)));
            prop_assert_eq!(one.over(&other), (!c.is_zero()).then(|| large(&(&a * &d), &(&b * &c))));
            prop_assert_eq!(one.over(&(&Fraction::zero() - &other)), (!c.is_zero()).then(|| large(&(-&a * &d), &(&b * &c))));
            prop_assert_eq!(one.cmp(&other), (&a * &d).cmp(&(&c * &b)));
            prop_assert_eq!((&one - &other).absolute(), large(&(&a * &d - &c * &b).abs(), &(&b * &d)));
            let zero = &one - &one;
            prop_assert!(zero.is_zero() && zero == Fraction::zero());
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
