//! Questions for the tests of confidence measures.

use crate::measures::fraction::Fraction;
use crate::measures::judged::{Judged, Judgement, Verdict};
use crate::measures::metric::metric;
use crate::measures::result::{QuestionResult, Value};
use crate::measures::samples;

/// Every measure of this module.
pub(crate) const NAMES: [&str; 15] = [
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

pub(crate) fn answer(verdict: Verdict, score: &str) -> Judgement {
    let gain = u64::from(verdict == Verdict::Correct);
    Judgement { verdict, gain, rejected: false, score: Fraction::parse(score) }
}

/// A question with a number of known correct answers and some given ones.
pub(crate) fn question(known: usize, answers: &[Judgement]) -> QuestionResult {
    samples::judged(Some(Judged { answers: answers.to_vec(), gold: vec![1; known], rejected: 0 }))
}

fn measured(name: &str, questions: &[QuestionResult]) -> Option<Value> {
    metric(name, &questions.iter().collect::<Vec<_>>(), samples::RULES)
}

pub(crate) fn value(name: &str, questions: &[QuestionResult]) -> Option<Fraction> {
    measured(name, questions).map(|value| value.value)
}

pub(crate) fn decimal(name: &str, questions: &[QuestionResult]) -> Option<String> {
    value(name, questions).map(|value| value.to_decimal())
}

/// The worst and the best case.
pub(crate) fn ties(name: &str, questions: &[QuestionResult]) -> Option<(String, String)> {
    let ties = measured(name, questions)?.ties?;
    Some((ties.worst.to_decimal(), ties.best.to_decimal()))
}
