//! How much people agree who judge the same things: the share of equal verdicts, and Cohen's kappa.
//!
//! J. Cohen, A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20 (1960); for
//! more than two people the mean over all pairs of them (R. J. Light, Psychological Bulletin 76 (1971)).

use crate::measures::fraction::Fraction;
use crate::measures::judged::Verdict;
use crate::measures::result::Value;

/// The verdicts of two people on the things that both judged.
type Both = [(Verdict, Verdict)];

/// The share of equal verdicts, from 0 to 1; none where nothing was judged by both.
pub fn observed_agreement(both: &Both) -> Option<Fraction> {
    let equal = both.iter().filter(|(one, other)| one == other).count();
    Fraction::ratio(equal as u64, both.len() as u64)
}

/// Cohen's kappa, from −1 to 1: (po − pe) / (1 − pe) with the observed agreement po and the one expected by chance pe.
/// None where nothing was judged by both, or the expected agreement is 1.
pub fn cohens_kappa(both: &Both) -> Option<Fraction> {
    let observed = observed_agreement(both)?;
    let share = |of: &dyn Fn(&(Verdict, Verdict)) -> bool| {
        Fraction::ratio(both.iter().filter(|pair| of(pair)).count() as u64, both.len() as u64)
    };
    let by_chance = |verdict: Verdict| {
        Some(&share(&|(one, _)| *one == verdict)? * &share(&|(_, other)| *other == verdict)?)
    };
    let expected: Vec<Fraction> = Verdict::ALL.into_iter().map(by_chance).collect::<Option<_>>()?;
    let expected = Fraction::sum(&expected);
    (&observed - &expected).over(&(&Fraction::one() - &expected))
}

/// How much several people agree: a row a thing, a column a person, none where the person did not judge the thing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ratings(pub Vec<Vec<Option<Verdict>>>);

impl Ratings {
    /// The kappa of two people; for more the mean over the pairs that have one. Its sample size is the number of things
    /// that at least two judged.
    pub fn kappa(&self) -> Option<Value> {
        self.mean(cohens_kappa)
    }

    /// The share of equal verdicts of two people; for more the mean over the pairs who judged something both.
    pub fn agreement(&self) -> Option<Value> {
        self.mean(observed_agreement)
    }

    fn mean(&self, of: fn(&Both) -> Option<Fraction>) -> Option<Value> {
        let people = self.0.iter().map(Vec::len).max().unwrap_or_default();
        let pairs = (0..people).flat_map(|one| (one + 1..people).map(move |other| (one, other)));
        let values: Vec<Fraction> = pairs.filter_map(|(one, other)| of(&self.both(one, other))).collect();
        let judged_twice = self.0.iter().filter(|row| row.iter().flatten().count() > 1).count();
        Some(Value::new(Fraction::mean(&values)?, judged_twice as u64))
    }

    fn both(&self, one: usize, other: usize) -> Vec<(Verdict, Verdict)> {
        let verdict = |row: &[Option<Verdict>], at: usize| row.get(at).copied().flatten();
        self.0.iter().filter_map(|row| Some((verdict(row, one)?, verdict(row, other)?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    use Verdict::{Correct, Incorrect, Inexact, Repeated};

    fn times(number: usize, one: Verdict, other: Verdict) -> Vec<(Verdict, Verdict)> {
        vec![(one, other); number]
    }

    fn kappa(both: &Both) -> Option<String> {
        cohens_kappa(both).map(|kappa| kappa.to_decimal())
    }

    #[test]
    fn by_hand() {
        // 20 both correct, 5 and 10 one only, 15 both incorrect: po = 35/50, pe = (25·30 + 25·20)/2500 = 1/2.
        let both = [
            times(20, Correct, Correct),
            times(5, Correct, Incorrect),
            times(10, Incorrect, Correct),
            times(15, Incorrect, Incorrect),
        ]
        .concat();
        assert_eq!(kappa(&both).as_deref(), Some("0.4"));
        assert_eq!(observed_agreement(&both).unwrap().to_decimal(), "0.7");
        // Three verdicts.
        let three = [(Correct, Correct), (Correct, Repeated), (Repeated, Repeated), (Incorrect, Incorrect)];
        assert_eq!(observed_agreement(&three).unwrap().to_decimal(), "0.75");
        // pe = (2·1 + 1·2 + 1·1)/16 = 5/16; (12/16 − 5/16) / (11/16) = 7/11.
        assert_eq!(cohens_kappa(&three), Fraction::ratio(7, 11));
        // The opposite of each other.
        assert_eq!(kappa(&[(Correct, Incorrect), (Incorrect, Correct)]).as_deref(), Some("-1"));
        // Both always say the same one word; nothing at all.
        assert_eq!(kappa(&times(3, Correct, Correct)), None);
        assert_eq!(kappa(&[]), None);
    }

    /// Numbers of scikit-learn 1.x, `cohen_kappa_score` (tests/second/kappa.py): verdicts as letters.
    #[test]
    fn second_implementation() {
        let verdict = |letter: char| match letter {
            'c' => Correct,
            'r' => Repeated,
            _ => Incorrect,
        };
        for line in include_str!("../../tests/second/kappa.tsv").lines().skip(1) {
            let [one, other, expected] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
            let both: Vec<_> = one.chars().map(verdict).zip(other.chars().map(verdict)).collect();
            let found = cohens_kappa(&both).map(|kappa| kappa.to_fixed(9));
            assert_eq!(found.as_deref().unwrap_or("nan"), expected, "{line}");
        }
    }

    #[test]
    fn of_more_than_two_the_mean_of_all_pairs() {
        let ratings = Ratings(vec![
            vec![Some(Correct), Some(Correct), Some(Correct)],
            vec![Some(Incorrect), Some(Incorrect), Some(Correct)],
            vec![Some(Correct), None, None],
        ]);
        // The first two agree: 1. Each with the third: po = 1/2, pe = 1/2: 0.
        let kappa = ratings.kappa().unwrap();
        assert_eq!((kappa.value, kappa.sample_size), (Fraction::ratio(1, 3).unwrap(), 2));
        // (1 + 1/2 + 1/2) / 3
        assert_eq!(ratings.agreement().unwrap().value, Fraction::ratio(2, 3).unwrap());
        assert_eq!(Ratings(vec![vec![Some(Correct)]]).agreement(), None);
        assert_eq!(Ratings::default().kappa(), None);
    }

    proptest! {
        #[test]
        fn properties(both in prop::collection::vec((0usize..4, 0usize..4), 0..20)) {
            let both: Vec<(Verdict, Verdict)> =
                both.into_iter().map(|(one, other)| (Verdict::ALL[one], Verdict::ALL[other])).collect();
            let swapped: Vec<_> = both.iter().map(|(one, other)| (*other, *one)).collect();
            let renamed: Vec<_> = both.iter().map(|(one, other)| (turned(*one), turned(*other))).collect();
            let kappa = cohens_kappa(&both);
            prop_assert_eq!(&kappa, &cohens_kappa(&swapped));
            prop_assert_eq!(&kappa, &cohens_kappa(&renamed));
            if let Some(kappa) = kappa {
                let one = Fraction::one();
                prop_assert!(kappa <= one && kappa.absolute() <= one);
                prop_assert_eq!(kappa == one, both.iter().all(|(one, other)| one == other));
                prop_assert!(kappa <= observed_agreement(&both).unwrap());
            }
        }
    }

    fn turned(verdict: Verdict) -> Verdict {
        match verdict {
            Correct => Repeated,
            Repeated => Inexact,
            Inexact => Incorrect,
            Incorrect => Correct,
        }
    }
}
