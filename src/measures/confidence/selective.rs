//! Selective answers: what becomes of precision if only the answers are kept that the system is sure of.
//!
//! Answers are kept by a threshold: all with at least some confidence. No threshold splits answers with equal
//! confidence, so that no measure here depends on ties.

use crate::measures::confidence::Rated;
use crate::measures::fraction::Fraction;

/// What a threshold keeps.
struct Kept {
    /// How many answers have just the confidence of the threshold.
    at: u64,
    /// How many are kept.
    all: u64,
    /// How many of these are correct.
    correct: u64,
}

/// What each threshold keeps, the highest first.
fn thresholds(answers: &[Rated]) -> Vec<Kept> {
    let mut answers: Vec<&Rated> = answers.iter().collect();
    answers.sort_by(|one, other| other.score.cmp(one.score));
    let (mut all, mut correct) = (0, 0);
    let kept = answers.chunk_by(|one, next| one.score == next.score).map(|tied| {
        let at = tied.len() as u64;
        all += at;
        correct += tied.iter().filter(|answer| answer.is_correct).count() as u64;
        Kept { at, all, correct }
    });
    kept.collect()
}

/// The area under the risk-coverage curve, from 0 to 1: the mean over all answers of the share of answers that are
/// not correct, among those with at least the confidence of the answer (Y. Geifman, G. Uziel, R. El-Yaniv,
/// Bias-reduced uncertainty estimation for deep neural classifiers, ICLR 2019; R. El-Yaniv, Y. Wiener, On the
/// foundations of noise-free selective classification, JMLR 11, 2010). Nothing of no answers.
pub(crate) fn area_under_risk(answers: &[Rated]) -> Option<Fraction> {
    let thresholds = thresholds(answers);
    let risks: Vec<Fraction> = thresholds
        .iter()
        .filter_map(|kept| Fraction::ratio((kept.all - kept.correct) * kept.at, kept.all))
        .collect();
    Fraction::sum(&risks).over(&Fraction::whole(answers.len() as u64))
}

/// The largest share of the answers that a threshold keeps with at least a precision in percent; 0 where none does,
/// and nothing of no answers.
pub(crate) fn coverage_at(answers: &[Rated], percent: u64) -> Option<Fraction> {
    let thresholds = thresholds(answers);
    let reaches = |kept: &&Kept| kept.correct * 100 >= kept.all * percent;
    let kept = thresholds.iter().filter(reaches).map(|kept| kept.all).max();
    Fraction::ratio(kept.unwrap_or(0), answers.len() as u64)
}

#[cfg(test)]
mod tests {
    use crate::measures::confidence::properties::{answer, decimal, question};
    use crate::measures::judged::Verdict::{Correct, Incorrect, Repeated};

    #[test]
    fn selective_answers_by_hand() {
        let questions = [
            question(1, &[answer(Correct, "0.9")]),
            question(2, &[answer(Correct, "0.7"), answer(Incorrect, "0.7")]),
            question(1, &[answer(Repeated, "0.2")]),
            question(1, &[]),
        ];
        // 0/1 once, 1/3 for each of two, 2/4 once: (0 + 2/3 + 1/2) / 4
        assert_eq!(decimal("areaUnderRiskCoverage", &questions).as_deref(), Some("0.291666666667"));
        for (name, expected) in [
            ("coverageAtPrecision100", "0.25"),
            ("coverageAtPrecision67", "0.25"),
            ("coverageAtPrecision66", "0.75"),
            ("coverageAtPrecision50", "1"),
        ] {
            assert_eq!(decimal(name, &questions).as_deref(), Some(expected), "{name}");
        }
        assert_eq!(decimal("coverageAtPrecision90", &questions[2..3]), Some("0".to_owned()));
        for name in ["areaUnderRiskCoverage", "coverageAtPrecision90"] {
            assert_eq!(decimal(name, &questions[3..]), None, "{name}");
        }
    }

    /// A later threshold can reach the precision again.
    #[test]
    fn the_largest_share_counts() {
        let questions = [
            question(1, &[answer(Incorrect, "0.9")]),
            question(1, &[answer(Correct, "0.8")]),
            question(1, &[answer(Correct, "0.7")]),
            question(1, &[answer(Incorrect, "0.6")]),
        ];
        assert_eq!(decimal("coverageAtPrecision60", &questions).as_deref(), Some("0.75"));
    }

    #[test]
    fn targets_are_percentages() {
        let questions = [question(1, &[answer(Correct, "0.9")])];
        let covered = |percent: &str| decimal(&["coverageAtPrecision", percent].concat(), &questions);
        for right in ["1", "90", "100"] {
            assert!(covered(right).is_some(), "{right}");
        }
        for wrong in ["", "0", "101", "090", "+90", "9.5", "-1", "99999999999999999999"] {
            assert_eq!(covered(wrong), None, "{wrong}");
        }
    }
}
