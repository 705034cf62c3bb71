//! One measure of one system, ready to be resampled: a function of sums over questions, in whole numbers.

use std::cmp::Ordering;

use num_integer::Integer;

use crate::measures::fraction::Fraction;
use crate::statistics::matrix::Clustering;
use crate::statistics::undefined::Undefined;

/// Units of one: 10¹².
pub(crate) const UNIT: i64 = 1_000_000_000_000;

/// How many items of a question met.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ItemCounts {
    /// True positives.
    pub matched: u64,
    /// False positives.
    pub wrong: u64,
    /// False negatives.
    pub missed: u64,
}

/// Which micro measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MicroMeasure {
    /// `tp / (tp + fp)`.
    Precision,
    /// `tp / (tp + fn)`.
    Recall,
    /// `2tp / (2tp + fp + fn)`.
    F1,
}

/// How a measure is made of sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Statistic {
    /// The mean of a value per question; its state is the sum in units, and so is its statistic: nothing is rounded.
    Mean,
    /// The mean of zeros and ones.
    Share,
    /// The mean over questions of which several belong together: the sum in units, the number of questions.
    ClusteredMean,
    /// The sums of true positives, false positives and false negatives.
    Micro(MicroMeasure),
    /// The harmonic mean of mean precision and mean recall: their sums in units, the number of questions.
    Harmonic,
}

/// One measure of one system, in parts that are resampled and exchanged: questions, or clusters of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sampled {
    statistic: Statistic,
    value: Fraction,
    /// The sums that are the state, a column each, by part.
    columns: Vec<Vec<i64>>,
    /// Of a mean: the mean of each part.
    scores: Option<Vec<Fraction>>,
}

impl Sampled {
    /// The mean of a value per question.
    ///
    /// # Errors
    /// Where there are no questions, or their sums are too large for 64 bits: above 2 million questions.
    pub fn mean(values: &[Fraction], clusters: &Clustering) -> Result<Self, Undefined> {
        let value = Fraction::mean(values).ok_or(Undefined::TooFewQuestions)?;
        let units = units(values)?;
        let columns = sums(clusters, |question| [units[question], 1]);
        if clusters.is_single() {
            let columns = columns.into_iter().take(1).collect();
            return Self { statistic: Statistic::Mean, value, columns, scores: Some(values.to_vec()) }
                .checked();
        }
        let mean =
            |members: &Vec<usize>| Fraction::mean(members.iter().filter_map(|member| values.get(*member)));
        let scores = clusters.members().iter().filter_map(mean).collect();
        Self { statistic: Statistic::ClusteredMean, value, columns, scores: Some(scores) }.checked()
    }

    /// The share of questions with something: exact match.
    ///
    /// # Errors
    /// As those of means.
    pub fn share(successes: &[bool], clusters: &Clustering) -> Result<Self, Undefined> {
        let values: Vec<Fraction> =
            successes.iter().map(|success| Fraction::whole((*success).into())).collect();
        let mean = Self::mean(&values, clusters)?;
        let statistic = if mean.statistic == Statistic::Mean { Statistic::Share } else { mean.statistic };
        Ok(Self { statistic, ..mean })
    }

    /// A micro measure, in units: 0 where there is nothing to count.
    ///
    /// # Errors
    /// As those of means.
    pub fn micro(
        counts: &[ItemCounts],
        which: MicroMeasure,
        clusters: &Clustering,
    ) -> Result<Self, Undefined> {
        let number = |count: u64| i64::try_from(count).map_err(|_| Undefined::NotResampled);
        let counts =
            counts.iter().map(|one| Ok([number(one.matched)?, number(one.wrong)?, number(one.missed)?]));
        let counts = counts.collect::<Result<Vec<_>, _>>()?;
        Self::of_sums(Statistic::Micro(which), sums(clusters, |question| counts[question]))
    }

    /// The harmonic mean of mean precision and mean recall, in units: 0 where both are 0.
    ///
    /// # Errors
    /// As those of means.
    pub fn harmonic(
        precisions: &[Fraction],
        recalls: &[Fraction],
        clusters: &Clustering,
    ) -> Result<Self, Undefined> {
        let (precision_units, recall_units) = (units(precisions)?, units(recalls)?);
        let columns = sums(clusters, |question| [precision_units[question], recall_units[question], 1]);
        let means = Fraction::mean(precisions).zip(Fraction::mean(recalls));
        let (precision, recall) = means.ok_or(Undefined::TooFewQuestions)?;
        let value = Fraction::harmonic(&precision, &recall);
        Self { value, ..Self::of_sums(Statistic::Harmonic, columns)? }.checked()
    }

    /// With the value that its statistic has.
    fn of_sums(statistic: Statistic, columns: Vec<Vec<i64>>) -> Result<Self, Undefined> {
        let sampled = Self { statistic, value: Fraction::zero(), columns, scores: None }.checked()?;
        let value = sampled.publish(sampled.of(&sampled.totals()).into());
        Ok(Self { value, ..sampled })
    }

    /// Whether no resample can have sums that 64 bits do not hold, nor what is made of them numbers that 128 do not; of
    /// several sums together.
    fn checked(self) -> Result<Self, Undefined> {
        if self.parts() == 0 {
            return Err(Undefined::TooFewQuestions);
        }
        let largest = |column: &Vec<i64>| column.iter().map(|part| i128::from(part.unsigned_abs())).max();
        let bound = self.columns.iter().filter_map(largest).max().unwrap_or_default() * self.parts() as i128;
        let bits = if matches!(self.statistic, Statistic::Micro(_)) { 40 } else { 61 };
        if bound < 1 << bits { Ok(self) } else { Err(Undefined::NotResampled) }
    }

    /// The exact value.
    pub fn value(&self) -> &Fraction {
        &self.value
    }

    /// How many parts can be drawn: questions, or clusters of them.
    pub fn parts(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// The sums that are its state, by part.
    pub(crate) fn columns(&self) -> &[Vec<i64>] {
        &self.columns
    }

    /// Of a mean the score of each part; nothing of measures that are made of several sums.
    pub fn scores(&self) -> Option<&[Fraction]> {
        self.scores.as_deref()
    }

    /// Of a share without clusters: how many parts have what is asked for.
    pub(crate) fn successes(&self) -> Option<u64> {
        let sum = self.columns.first().filter(|_| self.statistic == Statistic::Share)?.iter().sum::<i64>();
        u64::try_from(sum / UNIT).ok()
    }

    /// The state of all parts.
    pub(crate) fn totals(&self) -> Vec<i64> {
        self.columns.iter().map(|column| column.iter().sum()).collect()
    }

    /// The statistic of a state: whole numbers that can be compared, and [published](Self::publish).
    #[inline]
    pub(crate) fn of(&self, state: &[i64]) -> i64 {
        match (self.statistic, state) {
            (Statistic::Mean | Statistic::Share, [sum]) => *sum,
            (Statistic::ClusteredMean, [sum, questions]) => rounded((*sum).into(), (*questions).into()),
            (Statistic::Micro(which), [matched, wrong, missed]) => {
                let [matched, wrong, missed] = [*matched, *wrong, *missed].map(i128::from);
                let (over, under) = match which {
                    MicroMeasure::Precision => (matched, matched + wrong),
                    MicroMeasure::Recall => (matched, matched + missed),
                    MicroMeasure::F1 => (2 * matched, 2 * matched + wrong + missed),
                };
                rounded(over * i128::from(UNIT), under)
            }
            (Statistic::Harmonic, [precision, recall, questions]) => {
                let [precision, recall, questions] = [*precision, *recall, *questions].map(i128::from);
                rounded(2 * precision * recall, (precision + recall) * questions)
            }
            _ => 0,
        }
    }

    /// A statistic, or a difference of two, as a number.
    pub(crate) fn publish(&self, statistic: i128) -> Fraction {
        let questions = match self.statistic {
            Statistic::Mean | Statistic::Share => self.parts() as i128,
            _ => 1,
        };
        Fraction::quotient(statistic, questions * i128::from(UNIT)).unwrap_or_else(Fraction::zero)
    }

    /// How far apart two equal differences may be after rounding, where some parts differ.
    pub(crate) fn slack(&self, differing: usize) -> i64 {
        match self.statistic {
            Statistic::Mean | Statistic::Share => i64::try_from(2 * differing).unwrap_or(i64::MAX),
            Statistic::ClusteredMean | Statistic::Micro(_) => 2,
            Statistic::Harmonic => 4,
        }
    }
}

/// Fractions in units.
fn units(values: &[Fraction]) -> Result<Vec<i64>, Undefined> {
    values.iter().map(Fraction::units).collect::<Option<_>>().ok_or(Undefined::NotResampled)
}

/// The sums over each cluster of what its questions have, a column each.
fn sums<const N: usize>(clusters: &Clustering, of: impl Fn(usize) -> [i64; N]) -> Vec<Vec<i64>> {
    let mut columns = vec![Vec::with_capacity(clusters.members().len()); N];
    for members in clusters.members() {
        let mut sums = [0_i64; N];
        for member in members {
            for (sum, part) in sums.iter_mut().zip(of(*member)) {
                *sum = sum.saturating_add(part);
            }
        }
        for (column, sum) in columns.iter_mut().zip(sums) {
            column.push(sum);
        }
    }
    columns
}

/// The nearest whole number of a quotient, half to even; 0 where the denominator is not positive: then nothing is counted.
#[inline]
pub(crate) fn rounded(numerator: i128, denominator: i128) -> i64 {
    if denominator <= 0 {
        return 0;
    }
    // Most numbers are small, and division of 128 bits is slow.
    match (i64::try_from(numerator), i64::try_from(denominator)) {
        (Ok(numerator), Ok(denominator)) => half_even(numerator, denominator),
        _ => i64::try_from(half_even(numerator, denominator)).unwrap_or_default(),
    }
}

fn half_even<N: Integer + Copy>(numerator: N, denominator: N) -> N {
    let (quotient, rest) = numerator.div_mod_floor(&denominator);
    match rest.cmp(&(denominator - rest)) {
        Ordering::Less => quotient,
        Ordering::Equal if quotient.is_even() => quotient,
        Ordering::Equal | Ordering::Greater => quotient + N::one(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(text: &str) -> Fraction {
        let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
        Fraction::parse(numerator).unwrap().over(&Fraction::parse(denominator).unwrap()).unwrap()
    }

    fn fractions(texts: &[&str]) -> Vec<Fraction> {
        texts.iter().map(|text| fraction(text)).collect()
    }

    const COUNTS: [ItemCounts; 2] =
        [ItemCounts { matched: 2, wrong: 1, missed: 0 }, ItemCounts { matched: 1, wrong: 0, missed: 5 }];

    #[test]
    fn quotients_are_rounded_half_to_even() {
        let cases = [
            (5, 2, 2),
            (7, 2, 4),
            (-5, 2, -2),
            (-7, 2, -4),
            (-1, 3, 0),
            (2, 3, 1),
            (-2, 3, -1),
            (7, 7, 1),
            (3, 0, 0),
        ];
        for (numerator, denominator, expected) in cases {
            assert_eq!(rounded(numerator, denominator), expected, "{numerator}/{denominator}");
            let factor = 1 << 70;
            assert_eq!(
                rounded(numerator * factor, denominator * factor),
                expected,
                "large {numerator}/{denominator}"
            );
        }
        // Twice the rest would be too large.
        let most = i128::from(i64::MAX);
        assert_eq!((rounded(most - 1, most), rounded(most / 2, most)), (1, 0));
    }

    #[test]
    fn means_are_exact_and_their_sums_units() {
        let mean = Sampled::mean(&fractions(&["1/3", "1/3", "1/3", "0"]), &Clustering::single(4)).unwrap();
        assert_eq!((mean.value(), mean.parts()), (&fraction("1/4"), 4));
        assert_eq!(mean.totals(), [999_999_999_999]);
        assert_eq!(mean.publish(mean.of(&mean.totals()).into()).to_decimal(), "0.25");
        assert_eq!((mean.slack(3), mean.successes()), (6, None));
        assert_eq!(Sampled::mean(&[], &Clustering::single(0)), Err(Undefined::TooFewQuestions));
        let large = fractions(&["9000000", "9000000"]);
        assert_eq!(Sampled::mean(&large, &Clustering::single(2)), Err(Undefined::NotResampled));
        let share = Sampled::share(&[true, false, true], &Clustering::single(3)).unwrap();
        assert_eq!((share.value(), share.successes()), (&fraction("2/3"), Some(2)));
    }

    #[test]
    fn micro_measures_are_of_summed_counts() {
        let of = |which| Sampled::micro(&COUNTS, which, &Clustering::single(2)).unwrap();
        // 3 of 4, 3 of 8, 6 of 12.
        let values = [MicroMeasure::Precision, MicroMeasure::Recall, MicroMeasure::F1]
            .map(|which| of(which).value().to_decimal());
        assert_eq!(values, ["0.75", "0.375", "0.5"]);
        let nothing =
            Sampled::micro(&[ItemCounts::default()], MicroMeasure::F1, &Clustering::single(1)).unwrap();
        assert_eq!((nothing.value(), nothing.slack(9)), (&Fraction::zero(), 2));
        assert_eq!(of(MicroMeasure::F1).scores(), None);
        let many = ItemCounts { matched: u64::MAX, ..ItemCounts::default() };
        assert_eq!(
            Sampled::micro(&[many], MicroMeasure::F1, &Clustering::single(1)),
            Err(Undefined::NotResampled)
        );
    }

    #[test]
    fn harmonic_means_are_of_means() {
        let (precisions, recalls) = (fractions(&["1", "0", "1/2"]), fractions(&["1", "1/3", "0"]));
        let harmonic = Sampled::harmonic(&precisions, &recalls, &Clustering::single(3)).unwrap();
        // 1/2 and 4/9: 2 · 2/9 / (17/18) = 8/17.
        assert_eq!((harmonic.value(), harmonic.slack(3)), (&fraction("8/17"), 4));
        assert_eq!(harmonic.of(&harmonic.totals()), fraction("8/17").units().unwrap());
        let zero = Sampled::harmonic(&fractions(&["0"]), &fractions(&["0"]), &Clustering::single(1)).unwrap();
        assert_eq!((zero.value(), zero.of(&[0, 0, 1])), (&Fraction::zero(), 0));
    }

    /// Clusters of two and of one question: the mean is still that over questions.
    #[test]
    fn clusters_are_one_part() {
        let clusters = Clustering::by(&["b", "a", "b"]);
        let mean = Sampled::mean(&fractions(&["1", "1/4", "1/2"]), &clusters).unwrap();
        assert_eq!((mean.value(), mean.parts(), mean.slack(2)), (&fraction("7/12"), 2, 2));
        assert_eq!(mean.scores(), Some(&fractions(&["1/4", "3/4"])[..]));
        assert_eq!(mean.columns(), [vec![UNIT / 4, UNIT * 3 / 2], vec![1, 2]]);
        assert_eq!(mean.of(&mean.totals()), fraction("7/12").units().unwrap());
        // Without Wilson's interval, which is of single questions.
        let share = Sampled::share(&[true, true, false], &clusters).unwrap();
        assert_eq!((share.successes(), share.parts()), (None, 2));
        let micro = Sampled::micro(&[COUNTS[0], COUNTS[1], COUNTS[0]], MicroMeasure::F1, &clusters).unwrap();
        assert_eq!(micro.columns(), [[1, 4], [0, 2], [5, 0]]);
        let harmonic =
            Sampled::harmonic(&fractions(&["1", "0", "1"]), &fractions(&["1", "0", "0"]), &clusters).unwrap();
        assert_eq!((harmonic.value(), harmonic.parts()), (&fraction("4/9"), 2));
        assert_eq!(harmonic.of(&harmonic.totals()), fraction("4/9").units().unwrap());
    }
}
