//! Systems over several datasets: the mean of their means, each dataset weighing the same.
//!
//! What is uncertain here are the questions of the datasets, not which datasets there are: nothing is said of others.

use num_integer::Integer as _;

use crate::base::parallel;
use crate::measures::fraction::Fraction;
use crate::statistics::flips::DrawnFlips;
use crate::statistics::interval::{FEWEST_QUESTIONS, Interval, IntervalMethod, at_places, bca_places};
use crate::statistics::normal::nearest;
use crate::statistics::randomisation::sign_flips;
use crate::statistics::resample::replicates;
use crate::statistics::sampled::{Sampled, UNIT};
use crate::statistics::stream::{Purpose, Streams};
use crate::statistics::table::{PairStatistics, systems_of_pairs};
use crate::statistics::undefined::Undefined;

/// The common multiple of the sizes, times the number of datasets, is smaller: then sums fit into 128 bits.
const LARGEST_MULTIPLE: i128 = 1 << 80;

/// What some systems have in a dataset: the same systems in each, in the order of their names.
#[derive(Debug, Clone)]
pub struct DatasetSamples {
    /// sha256 of the gold file, in lower-case digits.
    pub gold: String,
    /// The mean of each system.
    pub samples: Vec<Sampled>,
}

/// Systems over several datasets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverDatasets {
    /// The mean of the means of each system, and its interval.
    pub systems: Vec<(Fraction, Result<Interval, Undefined>)>,
    /// The pairs: of each two systems the one that stands first, then the other; by the randomisation test over all
    /// questions, adjusted for all pairs.
    pub pairs: Vec<PairStatistics>,
}

/// The datasets, with what each weighs.
struct Weighed {
    datasets: Vec<DatasetSamples>,
    /// The common multiple of the numbers of questions, over that of each.
    weights: Vec<i128>,
    /// What a weighted sum in units is divided by.
    divisor: i128,
    /// The smallest number of questions.
    fewest: usize,
    /// The weighted sums of each system in each resample.
    together: Vec<Vec<i128>>,
}

impl OverDatasets {
    /// Of the means of systems in several datasets, whose order decides which random number is whose: callers keep one order,
    /// whatever they are asked.
    ///
    /// # Errors
    /// Where a dataset has no questions, a sample is no mean over single questions, or there are too many datasets of too
    /// different sizes for exact numbers of 128 bits.
    pub fn of(datasets: Vec<DatasetSamples>, seed: &str, alpha: &Fraction) -> Result<Self, Undefined> {
        let weighed = Weighed::new(datasets, seed)?;
        let stream =
            Streams::of(weighed.datasets.iter().map(|dataset| &dataset.gold), seed).stream(Purpose::Flip);
        let flips = DrawnFlips::of(stream, weighed.questions());
        let systems =
            (0..weighed.together.len()).map(|system| (weighed.mean(system), weighed.interval(system)));
        let of_pair = |systems: [usize; 2]| {
            let (terms, slack) = weighed.terms(systems);
            PairStatistics {
                systems,
                difference: &weighed.mean(systems[0]) - &weighed.mean(systems[1]),
                interval: weighed.interval_of_difference(systems),
                test: sign_flips(&terms, slack, &flips),
                adjusted: Fraction::one(),
                is_significant: false,
                effect: None,
            }
        };
        let mut pairs = parallel::each(systems_of_pairs(weighed.together.len(), None), of_pair);
        PairStatistics::adjust(pairs.iter_mut(), alpha);
        Ok(Self { systems: systems.collect(), pairs })
    }
}

impl Weighed {
    fn new(datasets: Vec<DatasetSamples>, seed: &str) -> Result<Self, Undefined> {
        let is_mean = |sample: &Sampled| sample.scores().is_some() && sample.columns().len() == 1;
        if !datasets.iter().flat_map(|dataset| &dataset.samples).all(is_mean) {
            return Err(Undefined::NotResampled);
        }
        let size = |dataset: &DatasetSamples| dataset.samples.first().map_or(0, Sampled::parts);
        let sizes: Vec<usize> = datasets.iter().map(size).collect();
        let fewest =
            sizes.iter().copied().min().filter(|fewest| *fewest > 0).ok_or(Undefined::TooFewQuestions)?;
        let number = datasets.len() as i128;
        let common = sizes.iter().try_fold(1_i128, |common, size| {
            Some(common.lcm(&(*size as i128))).filter(|common| common * number < LARGEST_MULTIPLE)
        });
        let common = common.ok_or(Undefined::NotResampled)?;
        let weights: Vec<i128> = sizes.iter().map(|size| common / *size as i128).collect();
        let mut together: Vec<Vec<i128>> = Vec::new();
        for (dataset, weight) in datasets.iter().zip(&weights) {
            let stream = Streams::of([&dataset.gold], seed).stream(Purpose::Bootstrap);
            let drawn = replicates(&dataset.samples.iter().collect::<Vec<_>>(), stream);
            together.resize_with(drawn.len(), Vec::new);
            for (sums, drawn) in together.iter_mut().zip(drawn) {
                sums.resize(drawn.len(), 0);
                for (sum, one) in sums.iter_mut().zip(drawn) {
                    *sum += weight * i128::from(one);
                }
            }
        }
        Ok(Self { datasets, weights, divisor: common * number * i128::from(UNIT), fewest, together })
    }

    /// Of all datasets together.
    fn questions(&self) -> usize {
        let first = |dataset: &DatasetSamples| dataset.samples.first().map_or(0, Sampled::parts);
        self.datasets.iter().map(first).sum()
    }

    fn samples(&self, system: usize) -> impl Iterator<Item = &Sampled> {
        self.datasets.iter().filter_map(move |dataset| dataset.samples.get(system))
    }

    fn mean(&self, system: usize) -> Fraction {
        Fraction::mean(self.samples(system).map(Sampled::value)).unwrap_or_else(Fraction::zero)
    }

    fn publish(&self, sum: i128) -> Fraction {
        Fraction::quotient(sum, self.divisor).unwrap_or_else(Fraction::zero)
    }

    fn interval(&self, system: usize) -> Result<Interval, Undefined> {
        if self.fewest < FEWEST_QUESTIONS {
            return Err(Undefined::TooFewQuestions);
        }
        let sums = |(sample, weight): (&Sampled, &i128)| weight * i128::from(sample.totals()[0]);
        let whole: i128 = self.samples(system).zip(&self.weights).map(sums).sum();
        // How much each question moves the mean of its dataset: (x − mean) / n.
        let influences = self.samples(system).flat_map(|sample| {
            let (total, questions) = (i128::from(sample.totals()[0]), sample.parts() as u64);
            let influence =
                move |x: &i64| nearest(i128::from(questions) * i128::from(*x) - total, questions * questions);
            sample.columns()[0].iter().map(influence)
        });
        let drawn = &self.together[system];
        let places = bca_places(&whole, drawn, influences);
        let [low, high] = at_places(drawn.clone(), places)?.map(|bound| self.publish(bound));
        Ok(Interval { low, high, method: IntervalMethod::Bca })
    }

    fn interval_of_difference(&self, systems: [usize; 2]) -> Result<Interval, Undefined> {
        let [one, other] = systems.map(|system| &self.together[system]);
        let differences = one.iter().zip(other).map(|(one, other)| one - other).collect();
        Interval::expanded(differences, self.fewest, |bound: i128| self.publish(bound))
    }

    /// The weighted differences of the questions that differ, and how far apart equal sums of them may be.
    fn terms(&self, systems: [usize; 2]) -> (Vec<i128>, i128) {
        let (mut terms, mut slack) = (Vec::new(), 0);
        let both = self.samples(systems[0]).zip(self.samples(systems[1]));
        for ((one, other), weight) in both.zip(&self.weights) {
            let differences =
                one.columns()[0].iter().zip(&other.columns()[0]).map(|(one, other)| i128::from(one - other));
            for difference in differences.filter(|difference| *difference != 0) {
                terms.push(weight * difference);
                slack += 2 * weight;
            }
        }
        (terms, slack)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::matrix::Clustering;
    use crate::statistics::randomisation::Computation;

    fn dataset(name: &str, systems: &[&[u64]]) -> DatasetSamples {
        let sample = |values: &&[u64]| {
            let values: Vec<Fraction> =
                values.iter().map(|value| Fraction::ratio(*value, 3).unwrap()).collect();
            Sampled::mean(&values, &Clustering::single(values.len())).unwrap()
        };
        DatasetSamples { gold: name.repeat(64), samples: systems.iter().map(sample).collect() }
    }

    fn of(datasets: Vec<DatasetSamples>) -> Result<OverDatasets, Undefined> {
        OverDatasets::of(datasets, "", &Fraction::ratio(1, 20).unwrap())
    }

    const TEN: [u64; 10] = [3, 3, 3, 3, 0, 0, 0, 0, 0, 1];

    /// Means 13/30 and 1/4, of which one is of fewer questions and weighs the same.
    #[test]
    fn datasets_weigh_the_same() {
        let (twenty, ones): (Vec<u64>, Vec<u64>) = (0..20).map(|at| (if at < 5 { 3 } else { 0 }, 1)).unzip();
        let found = of(vec![dataset("a", &[&TEN, &TEN]), dataset("b", &[&twenty, &ones])]).unwrap();
        let half = |one: Fraction, other: Fraction| Fraction::mean([&one, &other]).unwrap();
        let ratio = |over, under| Fraction::ratio(over, under).unwrap();
        assert_eq!(found.systems[0].0, half(ratio(13, 30), ratio(1, 4)));
        assert_eq!(found.systems[1].0, half(ratio(13, 30), ratio(1, 3)));
        let pair = &found.pairs[0];
        assert_eq!(pair.difference.to_decimal(), "-0.041666666667");
        assert_eq!((pair.test.differing, pair.test.computation), (20, Computation::Exact));
        assert_eq!((&pair.adjusted, pair.is_significant), (&pair.test.p, false));
        let interval = found.systems[0].1.as_ref().unwrap();
        assert!(interval.low < found.systems[0].0 && found.systems[0].0 < interval.high);
        let interval = pair.interval.as_ref().unwrap();
        assert!(interval.low < pair.difference && pair.difference < interval.high);
    }

    /// Wins on 3 questions of ten are exchanged with those on 3 of twenty that are worth half as much.
    #[test]
    fn differences_are_weighed() {
        let (mut one, mut other) = (vec![0; 20], vec![0; 10]);
        one[..3].fill(3);
        other[..3].fill(3);
        let found = of(vec![dataset("a", &[&other, &[0; 10]]), dataset("b", &[&one, &[0; 20]])]).unwrap();
        // All six, or none.
        assert_eq!(
            (&found.pairs[0].test.p, found.pairs[0].test.differing),
            (&Fraction::ratio(2, 64).unwrap(), 6)
        );
        let found = of(vec![dataset("a", &[&other, &[0; 10]]), dataset("b", &[&[0; 20], &one])]).unwrap();
        // 3 · 2 − 3 · 1 = 3 or more: of 8 · 8 exchanges those with 6 of the first, or 2 and the last 1, 2 or 3 (+) ...
        let extreme = (0..64_u32).filter(|bits| {
            let sign = |bit: u32| if bits >> bit & 1 == 1 { -1_i32 } else { 1 };
            let sum: i32 = (0..3).map(|bit| 2 * sign(bit)).sum::<i32>() - (3..6).map(sign).sum::<i32>();
            sum.abs() >= 3
        });
        assert_eq!(found.pairs[0].test.p, Fraction::ratio(extreme.count() as u64, 64).unwrap());
    }

    #[test]
    fn what_cannot_be_weighed_has_a_reason() {
        assert_eq!(of(Vec::new()), Err(Undefined::TooFewQuestions));
        let few = of(vec![dataset("a", &[&TEN, &TEN]), dataset("b", &[&[3], &[0]])]).unwrap();
        assert_eq!(
            (&few.systems[0].1, &few.pairs[0].interval),
            (&Err(Undefined::TooFewQuestions), &Err(Undefined::TooFewQuestions))
        );
        assert_eq!(few.pairs[0].test.p, Fraction::one());
        let primes = [1009, 1013, 1019, 1021, 1031, 1033, 1039, 1049, 1051];
        let many = primes.map(|size| dataset(&size.to_string(), &[&vec![1; size]]));
        assert_eq!(of(many.into()), Err(Undefined::NotResampled));
        let clustered =
            Sampled::mean(&[Fraction::one(), Fraction::zero()], &Clustering::by(&["a", "a"])).unwrap();
        let clustered = DatasetSamples { samples: vec![clustered], ..dataset("a", &[]) };
        assert_eq!(of(vec![clustered]), Err(Undefined::NotResampled));
    }
}
