//! How large a difference is, beside whether it could be chance: wins and losses, dominance (N. Cliff, Dominance
//! statistics, Psychological Bulletin 114, 1993, within pairs), in standard deviations, and which difference so many
//! questions can find (T. Sakai, Statistical reform in information retrieval?, SIGIR Forum 48, 2014).

use std::cmp::Ordering;

use crate::measures::fraction::Fraction;
use crate::statistics::interval::ROOT_DIGITS;

/// The sum of the normal quantiles of .975 and .8: at .05, a difference of so many standard errors is found with power .8.
const DETECTABLE: &str = "2.801585218113";

/// How two systems differ in the questions, or the clusters of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectSizes {
    /// In how many the first one is better.
    pub wins: usize,
    /// In how many both are equal.
    pub ties: usize,
    /// In how many the second one is better.
    pub losses: usize,
    /// Wins minus losses, over all: from −1 to 1.
    pub dominance: Fraction,
    /// The mean difference in standard deviations of the differences; none where they do not vary.
    pub standardised: Option<Fraction>,
    /// The difference that so many questions find with power .8 at .05; none where differences do not vary.
    pub detectable: Option<Fraction>,
}

impl EffectSizes {
    /// Of the scores of two systems in the same questions, of which there is one at least. Greater is better.
    pub fn of(one: &[Fraction], other: &[Fraction]) -> Self {
        let number = one.len() as u64;
        let of_order =
            |order: Ordering| one.iter().zip(other).filter(|(one, other)| one.cmp(other) == order).count();
        let (wins, losses) = (of_order(Ordering::Greater), of_order(Ordering::Less));
        // Most questions are tied, and add nothing.
        let pairs = one.iter().zip(other).filter(|(one, other)| one != other);
        let differences: Vec<Fraction> = pairs.map(|(one, other)| one - other).collect();
        let squares: Vec<Fraction> = differences.iter().map(|one| one * one).collect();
        let (sum, squares) = (Fraction::sum(&differences), Fraction::sum(&squares));
        let over = |fraction: &Fraction, by: u64| fraction.over(&Fraction::whole(by));
        // Of a sample: over one less than their number.
        let variance = over(&(&sum * &sum), number)
            .and_then(|mean| over(&(&squares - &mean), number.saturating_sub(1)))
            .filter(|variance| !variance.is_zero());
        let mean = over(&sum, number).unwrap_or_else(Fraction::zero);
        let dominance = Fraction::quotient(wins as i128 - losses as i128, number.into());
        Self {
            wins,
            losses,
            ties: one.len() - wins - losses,
            dominance: dominance.unwrap_or_else(Fraction::zero),
            standardised: variance.as_ref().and_then(root).and_then(|deviation| mean.over(&deviation)),
            detectable: variance.as_ref().and_then(|variance| {
                let times = Fraction::parse(DETECTABLE)?;
                root(&over(&(&(&times * &times) * variance), number)?)
            }),
        }
    }
}

/// The square root, cut off.
pub(crate) fn root(fraction: &Fraction) -> Option<Fraction> {
    Some(fraction.square_root(ROOT_DIGITS)?.cut_off(ROOT_DIGITS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn halves(numbers: &[u64]) -> Vec<Fraction> {
        numbers.iter().map(|number| Fraction::ratio(*number, 2).unwrap()).collect()
    }

    fn text(fraction: Option<Fraction>) -> String {
        fraction.map_or("none".to_owned(), |fraction| fraction.to_decimal())
    }

    /// Differences 1/2, 1/2, 0, −1: mean 0, variance (1/4 + 1/4 + 1) / 3 = 1/2.
    #[test]
    fn by_hand() {
        let found = EffectSizes::of(&halves(&[2, 1, 1, 0]), &halves(&[1, 0, 1, 2]));
        assert_eq!((found.wins, found.ties, found.losses), (2, 1, 1));
        assert_eq!(found.dominance.to_decimal(), "0.25");
        assert_eq!(text(found.standardised), "0");
        // 2.801585218113 · √(1/2 / 4)
        assert_eq!(text(found.detectable), "0.9905099529");
        // 1, 1/2: mean 3/4, variance 1/8.
        let found = EffectSizes::of(&halves(&[2, 1]), &halves(&[0, 0]));
        assert_eq!(
            (found.dominance.to_decimal().as_str(), text(found.standardised).as_str()),
            ("1", "2.12132034356")
        );
    }

    #[test]
    fn without_variation_there_is_no_size() {
        for number in [1, 3] {
            let found = EffectSizes::of(&halves(&vec![2; number]), &halves(&vec![1; number]));
            assert_eq!((found.standardised, found.detectable, found.wins), (None, None, number));
        }
    }

    proptest! {
        #[test]
        fn sides_turn_the_sign(both in prop::collection::vec((0u64..4, 0u64..4), 1..20)) {
            let (one, other): (Vec<u64>, Vec<u64>) = both.into_iter().unzip();
            let (there, back) = (EffectSizes::of(&halves(&one), &halves(&other)), EffectSizes::of(&halves(&other), &halves(&one)));
            let turned = |fraction: &Fraction| &Fraction::zero() - fraction;
            prop_assert_eq!((there.wins, there.ties, there.losses), (back.losses, back.ties, back.wins));
            prop_assert_eq!(turned(&there.dominance), back.dominance);
            prop_assert_eq!(there.standardised.as_ref().map(turned), back.standardised);
            prop_assert_eq!(there.detectable, back.detectable);
        }
    }
}
