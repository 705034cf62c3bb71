//! Calibration: whether of the answers with confidence 0.8 eight of ten are correct.

use crate::measures::confidence::Rated;
use crate::measures::fraction::Fraction;

/// The number of bins of the expected calibration error.
const BINS: u64 = 10;

/// Expected calibration error, from 0 to 1: the answers fall by confidence into ten bins of equal width; the mean
/// over the answers of the distance between the share of correct answers in their bin and the mean confidence there
/// (M. P. Naeini et al., Obtaining well calibrated probabilities using Bayesian binning, AAAI 2015; C. Guo et al., On
/// calibration of modern neural networks, ICML 2017). Nothing of no answers.
pub(crate) fn expected_error(answers: &[Rated]) -> Option<Fraction> {
    let gaps: Vec<Fraction> = (1..=BINS).map(|bin| gap(answers, bin)).collect();
    Fraction::sum(&gaps).over(&Fraction::whole(answers.len() as u64))
}

/// The distance between the number of correct answers in a bin and the sum of the confidences there.
fn gap(answers: &[Rated], bin: u64) -> Fraction {
    let (mut correct, mut scores) = (0, Vec::new());
    for answer in answers.iter().filter(|answer| is_in(answer.score, bin)) {
        correct += u64::from(answer.is_correct);
        scores.push(answer.score);
    }
    (&Fraction::whole(correct) - &Fraction::sum(scores)).absolute()
}

/// Bins are closed at the right, as with Guo et al. and in `calibration_curve` of scikit-learn: 0.2 is in the second.
/// 0 is in the first.
fn is_in(score: &Fraction, bin: u64) -> bool {
    let tenfold = score * &Fraction::whole(BINS);
    let is_above = bin == 1 || tenfold > Fraction::whole(bin - 1);
    is_above && tenfold <= Fraction::whole(bin)
}

/// Brier score, from 0 to 1: the mean of the squared distances between the confidence of an answer and 1 where it is
/// correct, 0 where not (G. W. Brier, Verification of forecasts expressed in terms of probability, Monthly Weather
/// Review 78, 1950; half of his value, as is usual for two classes). Nothing of no answers.
pub(crate) fn brier(answers: &[Rated]) -> Option<Fraction> {
    let square = |answer: &Rated| {
        let distance = answer.score - &Fraction::whole(u64::from(answer.is_correct));
        &distance * &distance
    };
    Fraction::mean(&answers.iter().map(square).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::is_in;
    use crate::measures::confidence::properties::{answer, decimal, question};
    use crate::measures::fraction::Fraction;
    use crate::measures::judged::Verdict::{Correct, Incorrect, Repeated};

    #[test]
    fn bins_are_closed_at_the_right() {
        for (score, expected) in [("0", 1), ("0.1", 1), ("0.1001", 2), ("0.2", 2), ("0.95", 10), ("1", 10)] {
            let bins: Vec<u64> =
                (1..=10).filter(|bin| is_in(&Fraction::parse(score).unwrap(), *bin)).collect();
            assert_eq!(bins, [expected], "{score}");
        }
    }

    #[test]
    fn calibration_by_hand() {
        let questions = [
            question(2, &[answer(Correct, "0.75"), answer(Incorrect, "0.8")]),
            question(1, &[answer(Repeated, "0.05")]),
            question(1, &[answer(Correct, "1")]),
            question(1, &[]),
        ];
        // (0.7, 0.8]: |1 − 1.55|, (0, 0.1]: |0 − 0.05|, (0.9, 1]: |1 − 1|: 0.6 / 4
        assert_eq!(decimal("expectedCalibrationError", &questions).as_deref(), Some("0.15"));
        // (0.25² + 0.8² + 0.05² + 0) / 4 = 0.705 / 4
        assert_eq!(decimal("brierScore", &questions).as_deref(), Some("0.17625"));
        for name in ["expectedCalibrationError", "brierScore"] {
            assert_eq!(decimal(name, &questions[3..]), None, "{name}");
        }
    }
}
