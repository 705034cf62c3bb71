//! Whether two ways to score rank systems alike: Kendall's τ-b (M. G. Kendall, The treatment of ties in ranking problems,
//! Biometrika 33, 1945), and the pairs that stand the other way round.

use std::cmp::Ordering;

use crate::measures::fraction::Fraction;
use crate::statistics::effect::root;

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
