//! What a newer gold standard changes: the same answers against curated and refreshed gold answers. That is a fact about both
//! and no sample of anything, so that it has no p-value.

use crate::measures::fraction::Fraction;
use crate::statistics::effect::EffectSizes;
use crate::statistics::interval::Interval;
use crate::statistics::matrix::Clustering;
use crate::statistics::resample::replicates;
use crate::statistics::sampled::Sampled;
use crate::statistics::stream::Stream;
use crate::statistics::undefined::Undefined;

/// The drift of one system, on the questions that have both gold answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoldDrift {
    /// Its mean against the curated gold answers.
    pub curated: Fraction,
    /// Its mean against the refreshed ones.
    pub refreshed: Fraction,
    /// Refreshed minus curated.
    pub difference: Fraction,
    /// Where that is, of questions like these, or why that is not known.
    pub interval: Result<Interval, Undefined>,
    /// In how many questions the system gains.
    pub up: usize,
    /// In how many questions it loses.
    pub down: usize,
}

impl GoldDrift {
    /// Of the scores against both, question by question, and the stream of resamples.
    ///
    /// # Errors
    /// Where there are no questions, or scores cannot be summed.
    pub fn of(curated: &[Fraction], refreshed: &[Fraction], stream: Stream) -> Result<Self, Undefined> {
        let single = Clustering::single(curated.len());
        let [before, after] = [Sampled::mean(curated, &single)?, Sampled::mean(refreshed, &single)?];
        let drawn = replicates(&[&after, &before], stream);
        let effect = EffectSizes::of(refreshed, curated);
        Ok(Self {
            curated: before.value().clone(),
            refreshed: after.value().clone(),
            difference: after.value() - before.value(),
            interval: Interval::of_difference(&after, [&drawn[0], &drawn[1]]),
            up: effect.wins,
            down: effect.losses,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thirds(numbers: &[u64]) -> Vec<Fraction> {
        numbers.iter().map(|number| Fraction::ratio(*number, 3).unwrap()).collect()
    }

    #[test]
    fn what_changes_is_counted() {
        let (old, new) = (thirds(&[3, 3, 3, 0, 0, 0, 1, 1, 3, 3]), thirds(&[0, 1, 3, 0, 3, 0, 1, 0, 0, 0]));
        let drift = GoldDrift::of(&old, &new, Stream(3)).unwrap();
        let texts = [&drift.curated, &drift.refreshed, &drift.difference].map(Fraction::to_decimal);
        assert_eq!(texts, ["0.566666666667", "0.266666666667", "-0.3"]);
        assert_eq!((drift.up, drift.down), (1, 5));
        let interval = drift.interval.unwrap();
        assert!(interval.low < drift.difference && drift.difference < interval.high);
        let back = GoldDrift::of(&new, &old, Stream(3)).unwrap();
        assert_eq!((back.difference.to_decimal().as_str(), back.up, back.down), ("0.3", 5, 1));
        assert_eq!(back.interval.unwrap().low, &Fraction::zero() - &interval.high);
    }

    #[test]
    fn nothing_changes() {
        let same = thirds(&[1, 2, 3, 0, 1, 2, 3, 0, 1, 2]);
        let drift = GoldDrift::of(&same, &same, Stream(3)).unwrap();
        assert_eq!((drift.interval, drift.up, drift.down), (Err(Undefined::NoVariation), 0, 0));
        assert!(drift.difference.is_zero());
        assert_eq!(GoldDrift::of(&[], &[], Stream(3)), Err(Undefined::TooFewQuestions));
    }
}
