//! Questions for the tests of confidence measures.

use super::metric;
use crate::measure::{Fraction, Judged, Judgement, QuestionResult, Verdict, samples};

/// Every measure of this module.
pub(super) const NAMES: [&str; 15] = [
    "kMeasure",
    "k1Measure",
    "confidenceWeightedScore",
    "selfScoreCorrelation",
    "expectedCalibrationError",
    "brierScore",
    "areaUnderRiskCoverage",
    "coverageAtPrecision90",
    "distinctGoldCount",
    "givenAnswerCount",
    "correctAnswerCount",
    "questionsWithCorrectCount",
    "answeredWithConfidenceCount",
    "answerRecall",
    "answerPrecision",
];

pub(super) fn answer(verdict: Verdict, score: &str) -> Judgement {
    let gain = u64::from(verdict == Verdict::Correct);
    Judgement { verdict, gain, score: Fraction::parse(score) }
}

/// A question with a number of known correct answers and some given ones.
pub(super) fn question(known: usize, answers: &[Judgement]) -> QuestionResult {
    samples::judged(Some(Judged { answers: answers.to_vec(), gold: vec![1; known] }))
}

pub(super) fn value(name: &str, questions: &[QuestionResult]) -> Option<Fraction> {
    metric(name, &questions.iter().collect::<Vec<_>>()).map(|value| value.value)
}

pub(super) fn decimal(name: &str, questions: &[QuestionResult]) -> Option<String> {
    value(name, questions).map(|value| value.to_decimal())
}

/// The worst and the best case.
pub(super) fn ties(name: &str, questions: &[QuestionResult]) -> Option<(String, String)> {
    let ties = metric(name, &questions.iter().collect::<Vec<_>>())?.ties?;
    Some((ties.worst.to_decimal(), ties.best.to_decimal()))
}
