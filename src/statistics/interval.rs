//! Where a value is, and a difference: 95 % intervals, or the reason why there is none.
//!
//! Of values `BCa` (B. Efron, Better bootstrap confidence intervals, JASA 82, 1987), of shares Wilson's score interval (L. D.
//! Brown, T. T. Cai, A. `DasGupta`, Interval estimation for a binomial proportion, Statistical Science 16, 2001), of differences
//! expanded percentiles (T. C. Hesterberg, What teachers should know about the bootstrap, The American Statistician 69, 2015).

use crate::measures::fraction::Fraction;
use crate::statistics::normal::{Z, double, nearest, normal_cumulative, normal_quantile, place};
use crate::statistics::sampled::Sampled;
use crate::statistics::undefined::Undefined;

/// In which share of samples an interval is to hold what it is of.
pub const LEVEL: &str = "0.95";

/// How many questions an interval needs.
pub const FEWEST_QUESTIONS: usize = 10;

/// How an interval was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IntervalMethod {
    /// Percentiles of resamples, corrected for bias and acceleration.
    Bca,
    /// The score interval of a share.
    Wilson,
    /// Percentiles of resamples, as far out as Student's t is.
    Expanded,
}

impl IntervalMethod {
    /// The word for scripts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bca => "bca",
            Self::Wilson => "wilson",
            Self::Expanded => "expanded",
        }
    }
}

/// A 95 % interval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interval {
    /// The lower bound.
    pub low: Fraction,
    /// The upper bound.
    pub high: Fraction,
    /// How it was found.
    pub method: IntervalMethod,
}

impl Interval {
    /// Of the value of a system, from its resamples.
    ///
    /// # Errors
    /// Where there are too few questions, or no variation.
    pub fn of_value(sample: &Sampled, replicates: &[i64]) -> Result<Self, Undefined> {
        let parts = sample.parts();
        if parts < FEWEST_QUESTIONS {
            return Err(Undefined::TooFewQuestions);
        }
        if let Some(successes) = sample.successes() {
            return Ok(Self::wilson(successes, parts as u64));
        }
        let totals = sample.totals();
        let left_out = (0..parts).map(|part| {
            let others = totals.iter().zip(sample.columns()).map(|(total, column)| total - column[part]);
            i128::from(sample.of(&others.collect::<Vec<i64>>()))
        });
        let left_out: Vec<i128> = left_out.collect();
        let (sum, parts) = (left_out.iter().sum::<i128>(), parts as u64);
        // The mean minus each, as whole numbers: over the number of parts.
        let deviations = left_out.iter().map(|one| nearest(sum - i128::from(parts) * one, parts));
        let places = bca_places(&sample.of(&totals), replicates, deviations);
        let [low, high] = at_places(replicates.to_vec(), places)?.map(|bound| sample.publish(bound.into()));
        Ok(Self { low, high, method: IntervalMethod::Bca })
    }

    /// Of the difference of two systems, from the resamples of both.
    ///
    /// # Errors
    /// Where there are too few questions, or no variation.
    pub fn of_difference(one: &Sampled, replicates: [&[i64]; 2]) -> Result<Self, Undefined> {
        let differences = replicates[0].iter().zip(replicates[1]).map(|(one, other)| one - other).collect();
        Self::expanded(differences, one.parts(), |bound: i64| one.publish(bound.into()))
    }

    /// Expanded percentiles of differences.
    pub(crate) fn expanded<T: Ord + Copy>(
        differences: Vec<T>,
        parts: usize,
        publish: impl Fn(T) -> Fraction,
    ) -> Result<Self, Undefined> {
        if parts < FEWEST_QUESTIONS {
            return Err(Undefined::TooFewQuestions);
        }
        let places = expanded_places(parts, differences.len());
        let [low, high] = at_places(differences, places)?.map(publish);
        Ok(Self { low, high, method: IntervalMethod::Expanded })
    }

    /// Wilson's score interval of a share of some questions, of which there is one at least.
    pub fn wilson(successes: u64, questions: u64) -> Self {
        let divided =
            |fraction: &Fraction, by: u64| fraction.over(&Fraction::whole(by)).unwrap_or_else(Fraction::zero);
        let (one, zero) = (Fraction::one(), Fraction::zero());
        let z = Fraction::parse("1.959963984540054").unwrap_or_else(Fraction::one);
        let square = &z * &z;
        let share = divided(&Fraction::whole(successes), questions);
        let middle = &share + &divided(&square, 2 * questions);
        let variance = &divided(&(&share * &(&one - &share)), questions)
            + &divided(&divided(&square, 4 * questions), questions);
        let half = (&square * &variance)
            .square_root(ROOT_DIGITS)
            .map_or(zero.clone(), |root| root.cut_off(ROOT_DIGITS));
        let whole = &one + &divided(&square, questions);
        let bound = |bound: &Fraction| bound.over(&whole).unwrap_or_else(Fraction::zero);
        let (low, high) = (bound(&(&middle - &half)), bound(&(&middle + &half)));
        Self { low: low.max(zero), high: high.min(one), method: IntervalMethod::Wilson }
    }
}

/// Digits after the point of roots: enough for the 12 that are published.
pub(crate) const ROOT_DIGITS: u32 = 18;

/// Which of the sorted replicates, from 1, bound the `BCa` interval. `deviations` are the mean of the leave-one-out values
/// minus each of them, in the order of the questions.
pub(crate) fn bca_places<T: Ord>(
    value: &T,
    replicates: &[T],
    deviations: impl Iterator<Item = f64>,
) -> [usize; 2] {
    let count = replicates.len();
    let less = replicates.iter().filter(|replicate| *replicate < value).count();
    let equal = replicates.iter().filter(|replicate| *replicate == value).count();
    let bias = normal_quantile((double(less) + 0.5 * double(equal)) / double(count));
    let (mut squares, mut cubes) = (0.0, 0.0);
    for deviation in deviations {
        squares += deviation * deviation;
        cubes += deviation * deviation * deviation;
    }
    let acceleration = if squares > 0.0 { cubes / (6.0 * squares * squares.sqrt()) } else { 0.0 };
    [-Z, Z].map(|z| {
        let share = normal_cumulative(bias + (bias + z) / (1.0 - acceleration * (bias + z)));
        place(share, count)
    })
}

/// Which of the sorted differences, from 1, bound their interval: percentiles as far out as Student's t is, and as the
/// variance of a sample asks for.
fn expanded_places(parts: usize, replicates: usize) -> [usize; 2] {
    let (z, freedom) = (Z, double(parts - 1));
    let (third, fifth) = (z * z * z, z * z * z * z * z);
    let (seventh, ninth) = (third * third * z, third * third * third);
    // M. Abramowitz, I. A. Stegun, Handbook of mathematical functions, 26.7.5.
    let mut t = z
        + (third + z) / (4.0 * freedom)
        + (5.0 * fifth + 16.0 * third + 3.0 * z) / (96.0 * freedom * freedom);
    t += (3.0 * seventh + 19.0 * fifth + 17.0 * third - 15.0 * z) / (384.0 * freedom * freedom * freedom);
    t += (79.0 * ninth + 776.0 * seventh + 1482.0 * fifth - 1920.0 * third - 945.0 * z)
        / (92160.0 * freedom * freedom * freedom * freedom);
    let low = place(normal_cumulative(-t * (double(parts) / freedom).sqrt()), replicates);
    [low, replicates + 1 - low]
}

/// What stands at two places, from 1, when sorted. Nothing where all are one.
pub(crate) fn at_places<T: Ord + Copy>(
    mut replicates: Vec<T>,
    places: [usize; 2],
) -> Result<[T; 2], Undefined> {
    if replicates.iter().min() == replicates.iter().max() {
        return Err(Undefined::NoVariation);
    }
    Ok(places.map(|place| *replicates.select_nth_unstable(place - 1).1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::matrix::Clustering;
    use crate::statistics::resample::{RESAMPLES, replicates};
    use crate::statistics::sampled::{ItemCounts, MicroMeasure};
    use crate::statistics::stream::Stream;

    fn texts(interval: &Interval) -> [String; 2] {
        [interval.low.to_decimal(), interval.high.to_decimal()]
    }

    fn mean(values: &[u64]) -> Sampled {
        let values: Vec<Fraction> = values.iter().map(|value| Fraction::whole(*value)).collect();
        Sampled::mean(&values, &Clustering::single(values.len())).unwrap()
    }

    /// Numbers of Python's `reference.py`; those of 3 of 10 stand in many tables of Wilson's interval, as .108 and .603.
    #[test]
    fn intervals_of_shares() {
        let cases = [
            (3, 10, ["0.107791267406", "0.603221852539"]),
            (0, 10, ["0", "0.277532799863"]),
            (10, 10, ["0.722467200137", "1"]),
            (119, 219, ["0.477226672567", "0.60803573821"]),
        ];
        for (successes, questions, expected) in cases {
            assert_eq!(
                texts(&Interval::wilson(successes, questions)),
                expected,
                "{successes} of {questions}"
            );
        }
    }

    /// Numbers of Python's `reference.py`.
    #[test]
    fn expanded_places_are_farther_out_the_fewer_the_questions() {
        let cases = [(10, 86), (11, 97), (25, 176), (50, 212), (200, 240), (219, 241), (1000, 248)];
        for (parts, low) in cases {
            assert_eq!(expanded_places(parts, RESAMPLES), [low, RESAMPLES + 1 - low], "{parts}");
        }
    }

    #[test]
    fn bca_places_follow_bias_and_skew() {
        let all: Vec<i64> = (0..9999).collect();
        let without_skew = |value: i64| bca_places(&value, &all, [1.0, -1.0].into_iter());
        assert_eq!(without_skew(4999), [250, 9750]);
        // A value that most resamples exceed: both bounds go down.
        let [low, high] = without_skew(4000);
        assert!(low < 250 && high < 9750 && high > 8000, "{low} {high}");
        let skewed = bca_places(&4999, &all, [3.0, -1.0, -1.0, -1.0].into_iter());
        assert!(skewed[0] > 250 && skewed[1] > 9750, "{skewed:?}");
        assert_eq!(bca_places(&-1, &all, [0.0].into_iter()), [1, 1]);
    }

    #[test]
    fn bounds_are_sorted_replicates() {
        assert_eq!(at_places(vec![5, 1, 4, 2, 3], [2, 4]), Ok([2, 4]));
        assert_eq!(at_places(vec![5, 1, 4, 2, 3], [1, 5]), Ok([1, 5]));
        assert_eq!(at_places(vec![7, 7], [1, 2]), Err(Undefined::NoVariation));
    }

    #[test]
    fn values_have_an_interval_or_a_reason() {
        let of = |sample: &Sampled| Interval::of_value(sample, &replicates(&[sample], Stream(1))[0]);
        let interval = of(&mean(&[0, 1, 1, 0, 1, 1, 0, 1, 1, 1])).unwrap();
        let (low, high) = (Fraction::parse("0.4").unwrap(), Fraction::parse("0.9").unwrap());
        assert_eq!((&interval.low, &interval.high, interval.method), (&low, &high, IntervalMethod::Bca));
        assert_eq!(of(&mean(&[0, 1, 1])), Err(Undefined::TooFewQuestions));
        assert_eq!(of(&mean(&[1; 10])), Err(Undefined::NoVariation));
        // A share without variation has Wilson's interval.
        let share = Sampled::share(&[false; 10], &Clustering::single(10)).unwrap();
        assert_eq!(texts(&of(&share).unwrap()), ["0", "0.277532799863"]);
        assert_eq!(
            of(&Sampled::share(&[true; 9], &Clustering::single(9)).unwrap()),
            Err(Undefined::TooFewQuestions)
        );
        let counts = [[1, 0], [0, 1]].into_iter().cycle().take(20);
        let counts: Vec<ItemCounts> =
            counts.map(|[matched, wrong]| ItemCounts { matched, wrong, missed: 0 }).collect();
        let micro =
            of(&Sampled::micro(&counts, MicroMeasure::Precision, &Clustering::single(20)).unwrap()).unwrap();
        assert!(micro.low < Fraction::ratio(1, 2).unwrap() && micro.high > Fraction::ratio(1, 2).unwrap());
    }

    #[test]
    fn differences_have_an_interval_or_a_reason() {
        let (one, other) = (mean(&[0, 1, 1, 0, 1, 1, 0, 1, 1, 1]), mean(&[1, 0, 0, 0, 0, 1, 0, 0, 1, 1]));
        let drawn = replicates(&[&one, &other], Stream(1));
        let [there, back] = [[&drawn[0][..], &drawn[1]], [&drawn[1], &drawn[0]]];
        let (there, back) =
            (Interval::of_difference(&one, there).unwrap(), Interval::of_difference(&one, back).unwrap());
        let turned = |bound: &Fraction| &Fraction::zero() - bound;
        assert_eq!((turned(&there.low), turned(&there.high)), (back.high, back.low));
        assert!(there.low < there.high && there.method == IntervalMethod::Expanded);
        let same = Interval::of_difference(&one, [&drawn[0], &drawn[0]]);
        assert_eq!(same, Err(Undefined::NoVariation));
    }
}
