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
pub(crate) mod properties;
pub mod selective;

use crate::measures::definition::{Measure, Sample, Takes};
use crate::measures::fraction::Fraction;
use crate::measures::judged::Judged;
use crate::measures::result::Value;

/// The confidence measures.
pub(crate) const MEASURES: &[Measure] = &[
    Measure::share("kMeasure", |s, _| of_questions(s, clef::k)),
    Measure::share("k1Measure", |s, _| of_questions(s, clef::k1)),
    Measure::share("confidenceWeightedScore", |s, _| clef::confidence_weighted_score(&judged(s)?)),
    Measure::share("selfScoreCorrelation", |s, _| of_answers(s, rated, clef::correlation)),
    Measure::share("expectedCalibrationError", |s, _| of_answers(s, probable, calibration::expected_error)),
    Measure::share("brierScore", |s, _| of_answers(s, probable, calibration::brier)),
    Measure::share("areaUnderRiskCoverage", |s, _| of_answers(s, rated, selective::area_under_risk)),
    Measure::share("coverageAtPrecision", |s, n| {
        of_answers(s, rated, |answers| selective::coverage_at(answers, n))
    })
    .taking(Takes::PercentFrom(1)),
];

/// The judged answers of all questions; nothing where one has none, and without questions.
fn judged<'a>(sample: &Sample<'a>) -> Option<Vec<&'a Judged>> {
    let judged: Option<Vec<&Judged>> =
        sample.questions.iter().map(|question| question.judged.as_ref()).collect();
    judged.filter(|judged| !judged.is_empty())
}

/// A measure that every question enters.
fn of_questions(sample: &Sample<'_>, measure: impl Fn(&[&Judged]) -> Option<Fraction>) -> Option<Value> {
    sample.value(measure(&judged(sample)?))
}

/// A measure that the questions with answers enter.
fn of_answers(
    sample: &Sample<'_>,
    rated: for<'a> fn(&[&'a Judged]) -> Option<Vec<Rated<'a>>>,
    measure: impl Fn(&[Rated<'_>]) -> Option<Fraction>,
) -> Option<Value> {
    let questions = judged(sample)?;
    Some(Value::new(measure(&rated(&questions)?)?, answered(&questions)))
}

/// A given answer: how sure the system is of it, and whether it is correct. A repeated answer is not.
pub(crate) struct Rated<'a> {
    score: &'a Fraction,
    is_correct: bool,
}

/// All given answers, in the order of the questions; nothing where one has no confidence.
fn rated<'a>(questions: &[&'a Judged]) -> Option<Vec<Rated<'a>>> {
    let answers = questions.iter().flat_map(|question| question.answers());
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
    questions.iter().filter(|question| !question.answers().is_empty()).count() as u64
}
