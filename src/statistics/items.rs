//! Questions as items of a test (classical test theory): how difficult each is, and how well it tells good systems from bad
//! ones.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::Zero as _;

use crate::measures::fraction::Fraction;
use crate::statistics::effect::root;
use crate::statistics::matrix::QuestionMatrix;

/// How many systems discrimination needs.
const FEWEST_SYSTEMS: usize = 3;

/// A question as an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemStatistics {
    /// The mean over the systems: high where it is easy.
    pub difficulty: Fraction,
    /// Pearson's correlation of its scores with the systems' means on the other questions; none of fewer than three systems,
    /// or where one of both does not vary.
    pub discrimination: Option<Fraction>,
}

/// The items of the scores of some systems, one at least, question by question.
pub fn items(scores: &QuestionMatrix<Fraction>) -> Vec<ItemStatistics> {
    let scaled = Scaled::new(scores);
    let of_question = |question: usize| ItemStatistics {
        difficulty: Fraction::mean(scores.column(question)).unwrap_or_else(Fraction::zero),
        discrimination: (scores.systems().len() >= FEWEST_SYSTEMS)
            .then(|| scaled.discrimination(question))
            .flatten(),
    };
    (0..scores.questions().len()).map(of_question).collect()
}

/// The scores as whole numbers, over one common denominator: sums of many fractions without reducing each.
struct Scaled {
    denominator: BigInt,
    rows: Vec<Vec<BigInt>>,
    sums: Vec<BigInt>,
}

impl Scaled {
    fn new(scores: &QuestionMatrix<Fraction>) -> Self {
        let cells = || scores.rows().iter().flatten();
        let denominator = cells().fold(BigInt::from(1), |common, cell| {
            let (_, denominator) = cell.parts();
            if (&common % &denominator).is_zero() { common } else { common.lcm(&denominator) }
        });
        let scale = |cell: &Fraction| {
            let (numerator, own) = cell.parts();
            numerator * (&denominator / own)
        };
        let rows: Vec<Vec<BigInt>> =
            scores.rows().iter().map(|row| row.iter().map(scale).collect()).collect();
        let sums = rows.iter().map(|row| row.iter().sum()).collect();
        Self { denominator, rows, sums }
    }

    fn discrimination(&self, question: usize) -> Option<Fraction> {
        let own: Vec<&BigInt> = self.rows.iter().map(|row| &row[question]).collect();
        let systems = BigInt::from(own.len());
        let rest: Vec<BigInt> = own.iter().zip(&self.sums).map(|(own, sum)| sum - *own).collect();
        // Sums of products about the means, times the number of systems.
        let about = |one: &[&BigInt], other: &[&BigInt]| {
            let products: BigInt = one.iter().zip(other).map(|(one, other)| *one * *other).sum();
            let sum = |some: &[&BigInt]| some.iter().copied().sum::<BigInt>();
            products * &systems - sum(one) * sum(other)
        };
        let rest: Vec<&BigInt> = rest.iter().collect();
        let (own_squares, rest_squares) = (about(&own, &own), about(&rest, &rest));
        if own_squares.is_zero() || rest_squares.is_zero() {
            return None;
        }
        // Sums of squares of scores, and of means over the other questions.
        let others = BigInt::from(self.rows.first().map_or(1, |row| row.len() - 1));
        let square = &self.denominator * &self.denominator * &systems;
        let over = |sum: BigInt, by: BigInt| Fraction::from(sum).over(&Fraction::from(by));
        let own_squares = over(own_squares, square.clone())?;
        let rest_squares = over(rest_squares, &square * &others * &others)?;
        over(about(&own, &rest), square * others)?.over(&root(&(&own_squares * &rest_squares))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn matrix(systems: &[Vec<u64>]) -> QuestionMatrix<Fraction> {
        let cells = |values: &Vec<u64>| {
            let values = values.iter().map(|value| Fraction::ratio(*value, 3).unwrap()).enumerate();
            values.map(|(at, value)| (at.to_string(), value)).collect()
        };
        QuestionMatrix::of(
            systems.iter().zip('a'..).map(|(values, name)| (name.to_string(), cells(values))).collect(),
        )
    }

    fn told(systems: &[Vec<u64>]) -> Vec<[String; 2]> {
        let text = |number: Option<&Fraction>| number.map_or("none".to_owned(), Fraction::to_decimal);
        let told = |item: ItemStatistics| [text(Some(&item.difficulty)), text(item.discrimination.as_ref())];
        items(&matrix(systems)).into_iter().map(told).collect()
    }

    #[test]
    fn by_hand() {
        // On the first question 1, 1, 0; on the others together 4/3, 2/3, 0: r = 1/√(4/3) · ... = √3/2.
        let found = told(&[vec![3, 3, 1], vec![3, 1, 1], vec![0, 0, 0]]);
        assert_eq!(found[0], ["0.666666666667", "0.866025403784"]);
        // On the last 1/3, 1/3, 0; on the others together 2, 4/3, 0: deviations 1/9 · (1, 1, −2), 1/9 · (8, 2, −10).
        assert_eq!(found[2], ["0.222222222222", "0.944911182523"]);
    }

    #[test]
    fn who_is_good_elsewhere_and_fails_here() {
        let found = told(&[vec![0, 3, 3], vec![0, 3, 0], vec![3, 0, 0]]);
        assert_eq!(found[0], ["0.333333333333", "-0.866025403784"]);
    }

    #[test]
    fn without_variation_there_is_none() {
        assert_eq!(told(&[vec![3, 0], vec![3, 3], vec![3, 1]])[0], ["1", "none"]);
        assert_eq!(told(&[vec![3, 1], vec![0, 1], vec![1, 1]])[0], ["0.444444444444", "none"]);
        assert_eq!(told(&[vec![3, 1], vec![0, 2]])[0], ["0.5", "none"]);
        assert_eq!(told(&[vec![3], vec![0], vec![0]])[0], ["0.333333333333", "none"]);
    }

    proptest! {
        /// A correlation of doubles, and at most 1.
        #[test]
        fn discrimination_is_pearsons(systems in prop::collection::vec(prop::collection::vec(0u32..=3, 4), 3..6)) {
            let whole: Vec<Vec<u64>> = systems.iter().map(|row| row.iter().map(|one| u64::from(*one)).collect()).collect();
            for (question, item) in items(&matrix(&whole)).into_iter().enumerate() {
                let own: Vec<f64> = systems.iter().map(|row| f64::from(row[question])).collect();
                let rest: Vec<f64> = systems.iter().map(|row| f64::from(row.iter().sum::<u32>() - row[question])).collect();
                let number = f64::from(u32::try_from(systems.len()).unwrap());
                let mean = |some: &[f64]| some.iter().sum::<f64>() / number;
                let about = |one: &[f64], other: &[f64]| -> f64 {
                    one.iter().zip(other).map(|(a, b)| (a - mean(one)) * (b - mean(other))).sum()
                };
                let under = about(&own, &own) * about(&rest, &rest);
                match item.discrimination {
                    Some(found) => {
                        let known = about(&own, &rest) / under.sqrt();
                        let found: f64 = found.to_decimal().parse().unwrap();
                        prop_assert!((found - known).abs() < 1e-9 && found.abs() <= 1.0, "{found} {known}");
                    }
                    None => prop_assert!(under < 1e-9),
                }
            }
        }
    }
}
