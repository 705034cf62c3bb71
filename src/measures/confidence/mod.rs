//! Confidence measures: how much of the knowledge of a system is in the confidence that it gives its answers.
//!
//! What a measure means, with its formula, its empty cases, its rule for ties and its source, is its concept in
//! `ontology/qassay.ttl`. All of them are computed from the answers in their order with a verdict each
//! ([`Judged`]) and are undefined where one question of the group has no such answers. The measures over given
//! answers need a confidence on each of them, those which reckon with its size one from 0 to 1: a confidence that is
//! missing is not 0.

pub mod calibration;
pub mod clef;
pub mod counts;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod samples;
pub mod selective;

use crate::measures::aggregate::{QuestionResult, Value};
use crate::measures::fraction::Fraction;
use crate::measures::judged::Judged;

/// The confidence measure or count of answers with this name over some questions; nothing where it is undefined or
/// there is no such measure.
pub(crate) fn metric(name: &str, questions: &[&QuestionResult]) -> Option<Value> {
    let questions: Vec<&Judged> =
        questions.iter().map(|question| question.judged.as_ref()).collect::<Option<_>>()?;
    if questions.is_empty() {
        return None;
    }
    let of_questions = |value| Value::new(value, questions.len() as u64);
    let of_answers = |measure: fn(&[Rated]) -> Option<Fraction>, rated: Option<Vec<Rated>>| {
        Some(Value::new(measure(&rated?)?, answered(&questions)))
    };
    if let Some(percent) = selective::target(name) {
        let coverage = selective::coverage_at(&rated(&questions)?, percent);
        return coverage.map(|value| Value::new(value, answered(&questions)));
    }
    match name {
        "kMeasure" => clef::k(&questions).map(of_questions),
        "k1Measure" => clef::k1(&questions).map(of_questions),
        "confidenceWeightedScore" => clef::confidence_weighted_score(&questions),
        "selfScoreCorrelation" => of_answers(clef::correlation, rated(&questions)),
        "expectedCalibrationError" => of_answers(calibration::expected_error, probable(&questions)),
        "brierScore" => of_answers(calibration::brier, probable(&questions)),
        "areaUnderRiskCoverage" => of_answers(selective::area_under_risk, rated(&questions)),
        _ => counts::count(name, &questions).map(of_questions),
    }
}

/// A given answer: how sure the system is of it, and whether it is correct. A repeated answer is not.
pub(crate) struct Rated<'a> {
    score: &'a Fraction,
    is_correct: bool,
}

/// All given answers, in the order of the questions; nothing where one has no confidence.
fn rated<'a>(questions: &[&'a Judged]) -> Option<Vec<Rated<'a>>> {
    let answers = questions.iter().flat_map(|question| &question.answers);
    answers
        .map(|answer| Some(Rated { score: answer.score.as_ref()?, is_correct: answer.is_correct() }))
        .collect()
}

/// The same; nothing where a confidence is no number from 0 to 1 either.
fn probable<'a>(questions: &[&'a Judged]) -> Option<Vec<Rated<'a>>> {
    rated(questions).filter(|answers| answers.iter().all(|answer| is_probable(answer.score)))
}

fn is_probable(score: &Fraction) -> bool {
    (Fraction::zero()..=Fraction::one()).contains(score)
}

/// How many questions have an answer.
fn answered(questions: &[&Judged]) -> u64 {
    questions.iter().filter(|question| !question.answers.is_empty()).count() as u64
}
