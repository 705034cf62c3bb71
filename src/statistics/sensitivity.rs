//! How much results hang on what they are counted by: newer gold answers, another profile.
//!
//! Both are facts and no samples of anything, so that they have no p-value. Rankings are compared by Kendall's τ-b (M. G.
//! Kendall, The treatment of ties in ranking problems, Biometrika 33, 1945).

use std::cmp::Ordering;

use crate::measures::fraction::Fraction;
use crate::statistics::effect::{EffectSizes, root};
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

/// How two rankings of the same systems agree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Concordance {
    /// From −1, the other way round, to 1; none where a ranking is constant.
    pub tau_b: Option<Fraction>,
    /// The positions of each two systems of which another one is better.
    pub discordant: Vec<[usize; 2]>,
}

impl Concordance {
    /// Of the values of each system in one and in the other.
    pub fn of(values: &[(Fraction, Fraction)]) -> Self {
        let (mut concordant, mut tied, mut pairs, mut discordant) = (0_i128, [0_i128; 2], 0_i128, Vec::new());
        for (at, one) in values.iter().enumerate() {
            for (next, other) in values.iter().enumerate().skip(at + 1) {
                pairs += 1;
                let orders = [one.0.cmp(&other.0), one.1.cmp(&other.1)];
                for (tied, order) in tied.iter_mut().zip(orders) {
                    *tied += i128::from(order == Ordering::Equal);
                }
                match orders {
                    [Ordering::Equal, _] | [_, Ordering::Equal] => {}
                    [one, other] if one == other => concordant += 1,
                    _ => discordant.push([at, next]),
                }
            }
        }
        let under =
            Fraction::quotient((pairs - tied[0]) * (pairs - tied[1]), 1).filter(|under| !under.is_zero());
        let over = Fraction::quotient(concordant - discordant.len() as i128, 1);
        let tau_b = over.zip(under.as_ref().and_then(root)).and_then(|(over, under)| over.over(&under));
        Self { tau_b, discordant }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    fn of(values: &[(u64, u64)]) -> (Option<String>, Vec<[usize; 2]>) {
        let values: Vec<_> =
            values.iter().map(|(one, other)| (Fraction::whole(*one), Fraction::whole(*other))).collect();
        let found = Concordance::of(&values);
        (found.tau_b.map(|tau| tau.to_decimal()), found.discordant)
    }

    #[test]
    fn by_hand() {
        // One of six pairs is turned.
        assert_eq!(of(&[(4, 4), (3, 2), (2, 3), (1, 1)]), (Some("0.666666666667".to_owned()), vec![[1, 2]]));
        // Five of six in order, one tied: 5/√(6 · 5), as scipy says.
        assert_eq!(of(&[(4, 4), (3, 2), (2, 2), (1, 1)]), (Some("0.912870929175".to_owned()), Vec::new()));
        assert_eq!(of(&[(1, 2), (2, 1)]), (Some("-1".to_owned()), vec![[0, 1]]));
    }

    #[test]
    fn a_constant_ranking_agrees_with_nothing() {
        assert_eq!(of(&[(1, 1), (2, 1), (3, 1)]), (None, Vec::new()));
        assert_eq!(of(&[(1, 1)]), (None, Vec::new()));
        assert_eq!(of(&[]), (None, Vec::new()));
    }

    proptest! {
        #[test]
        fn sides_do_not_matter(values in prop::collection::vec((0u64..4, 0u64..4), 0..7)) {
            let turned: Vec<(u64, u64)> = values.iter().map(|(one, other)| (*other, *one)).collect();
            prop_assert_eq!(of(&values), of(&turned));
            let opposite: Vec<(u64, u64)> = values.iter().map(|(one, other)| (*one, 9 - other)).collect();
            let minus = |tau: Option<String>| tau.map(|tau| &Fraction::zero() - &Fraction::parse(&tau).unwrap());
            prop_assert_eq!(minus(of(&opposite).0), of(&values).0.and_then(|tau| Fraction::parse(&tau)));
        }
    }
}
