//! The normal distribution with nothing but + − × ÷ √ of doubles, which are the same on every machine; and a quotient of
//! whole numbers as the nearest double.
//!
//! No function of the platform's mathematical library: the last digits of those differ. The order of the operations is a part
//! of what is computed.

/// The .975 quantile of the normal distribution.
pub const Z: f64 = 1.959_963_984_540_054;

/// The density of the normal distribution at 0: 1/√(2π).
const DENSITY: f64 = 0.398_942_280_401_432_7;

/// The exponential function, of numbers between about −50 and 50: a power series of the 64th part, squared six times.
fn exponential(x: f64) -> f64 {
    let (part, mut term, mut total) = (x / 64.0, 1.0, 1.0);
    for i in 1..25 {
        term = term * part / f64::from(i);
        total += term;
    }
    for _ in 0..6 {
        total = total * total;
    }
    total
}

/// The share of the normal distribution that is below a number (G. Marsaglia, Evaluating the normal distribution, Journal
/// of Statistical Software 11, 2004).
pub fn normal_cumulative(x: f64) -> f64 {
    if x < -8.0 {
        return 0.0;
    }
    if x > 8.0 || x.is_nan() {
        return 1.0;
    }
    let (mut term, mut total, mut i) = (x, x, 1.0);
    loop {
        i += 2.0;
        term = term * x * x / i;
        let next = total + term;
        if next.total_cmp(&total).is_eq() {
            return 0.5 + total * exponential(-x * x / 2.0) * DENSITY;
        }
        total = next;
    }
}

/// Below which number a share of the normal distribution is: from −8 to 8, by halving 60 times.
pub fn normal_quantile(share: f64) -> f64 {
    let (mut low, mut high) = (-8.0, 8.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if normal_cumulative(middle) < share {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// A count as a double.
#[expect(clippy::cast_precision_loss, reason = "counts of questions and replicates are far below 2^53")]
pub fn double(count: usize) -> f64 {
    count as f64
}

/// The double that is nearest to a quotient, half to even; of a denominator that is not 0.
pub fn nearest(numerator: i128, denominator: u64) -> f64 {
    let size = numerator.unsigned_abs();
    if size == 0 {
        return 0.0;
    }
    let (shift, denominator) = (size.leading_zeros(), u128::from(denominator));
    let shifted = size << shift;
    // 64 binary digits at least, more than a double has; the last one says whether something is left.
    let digits = (shifted / denominator) | u128::from(!shifted.is_multiple_of(denominator));
    #[expect(clippy::cast_precision_loss, reason = "rounded here, once")]
    let rounded = digits as f64;
    // 2 to the power of minus the shift, which loses nothing.
    let quotient = rounded * f64::from_bits(u64::from(1023 - shift) << 52);
    if numerator < 0 { -quotient } else { quotient }
}

/// Which of some sorted replicates, from 1, has a share of them below it: kept among them.
pub fn place(share: f64, replicates: usize) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of a count; what is outside is put inside"
    )]
    let place = (double(replicates + 1) * share + 0.5) as usize;
    place.clamp(1, replicates)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Values of Python's `reference.py`, to the last bit.
    #[test]
    fn values_are_those_of_the_reference() {
        assert_eq!(normal_cumulative(-Z).to_bits(), 0.024_999_999_999_998_967_f64.to_bits());
        assert_eq!(normal_quantile(0.3).to_bits(), (-0.524_400_512_708_042_7_f64).to_bits());
        assert!((normal_quantile(0.975) - Z).abs() < 1e-13);
        assert!((exponential(1.0) - std::f64::consts::E).abs() < 1e-13);
    }

    #[test]
    fn the_ends_are_the_ends() {
        let ends = [-9.0, 9.0, 0.0, f64::NAN].map(|x| normal_cumulative(x).to_bits());
        assert_eq!(ends, [0.0, 1.0, 0.5, 1.0].map(f64::to_bits));
        assert!(normal_quantile(0.0) < -7.0 && normal_quantile(1.0) > 7.0);
        assert_eq!(
            [place(0.0, 9999), place(0.5, 9999), place(1.0, 9999), place(f64::NAN, 9999)],
            [1, 5000, 9999, 1]
        );
        assert_eq!([place(0.02504, 9999), place(0.02506, 9999)], [250, 251]);
    }

    proptest! {
        #[test]
        fn quotients_of_small_numbers_are_those_of_doubles(numerator in -(1i64 << 53)..(1 << 53), denominator in 1u64..(1 << 53)) {
            #[expect(clippy::cast_precision_loss, reason = "below 2^53")]
            let known = numerator as f64 / denominator as f64;
            prop_assert_eq!(nearest(numerator.into(), denominator).to_bits(), (known + 0.0).to_bits());
        }

        /// Of large numbers: with the same factor in both, a quotient is the same.
        #[test]
        fn quotients_do_not_depend_on_factors(numerator in any::<i32>(), denominator in 1u64..(1 << 30), factor in 1u64..(1 << 34)) {
            let large = nearest(i128::from(numerator) * i128::from(factor), denominator * factor);
            prop_assert_eq!(large.to_bits(), nearest(numerator.into(), denominator).to_bits());
        }

        #[test]
        fn shares_grow(x in -5.0f64..5.0, more in 0.001f64..1.0) {
            prop_assert!(normal_cumulative(x) < normal_cumulative(x + more));
            let both = normal_cumulative(x) + normal_cumulative(-x);
            prop_assert!((both - 1.0).abs() < 1e-14, "{both}");
        }
    }
}
