//! The measures of CLEF 2004 that reckon with confidence: K, K1, the confidence-weighted score and the correlation r
//! (J. Herrera, A. Peñas, F. Verdejo, Question answering pilot task at CLEF 2004, LNCS 3491, 2005).

use std::cmp::Reverse;

use crate::measures::confidence::{Rated, is_probable};
use crate::measures::fraction::Fraction;
use crate::measures::judged::{Judged, Judgement, Verdict};
use crate::measures::result::{Ties, Value};

/// Decimal digits of a correlation: far more than are published, so that cutting it off changes none of them.
const DIGITS: u32 = 40;

/// K, from −1 to 1: `mean(sum(score · eval) / max(R, answered))`, `eval` 1 for a correct answer, 0 for a repeated
/// and −1 for an incorrect one. A question without known and given answers adds 0.
pub(crate) fn k(questions: &[&Judged]) -> Option<Fraction> {
    let parts: Vec<Fraction> = questions.iter().map(|question| k_of(question)).collect::<Option<_>>()?;
    Fraction::mean(&parts)
}

fn k_of(question: &Judged) -> Option<Fraction> {
    let eval = |verdict| match verdict {
        Verdict::Correct => 1,
        Verdict::Repeated => 0,
        Verdict::Incorrect | Verdict::Inexact => -1,
    };
    let weight = question.known().max(question.answers().len() as u64);
    let sum = evaluated(question.answers(), eval)?;
    Some(sum.over(&Fraction::whole(weight)).unwrap_or_else(Fraction::zero))
}

/// K1, from −1 to 1: `sum(score · eval) / questions`, `eval` 1 for a correct answer and −1 for any other. Nothing
/// where a question has more than one answer.
pub(crate) fn k1(questions: &[&Judged]) -> Option<Fraction> {
    let eval = |verdict| if verdict == Verdict::Correct { 1 } else { -1 };
    let parts = questions.iter().map(|question| evaluated(one_answer(question)?, eval));
    Fraction::mean(&parts.collect::<Option<Vec<_>>>()?)
}

/// `sum(score · eval)`; nothing where a score is missing or no number from 0 to 1.
fn evaluated(answers: &[Judgement], eval: fn(Verdict) -> i8) -> Option<Fraction> {
    let part = |answer: &Judgement| {
        let score = answer.score.as_ref().filter(|score| is_probable(score))?;
        Some(match eval(answer.verdict) {
            1.. => score.clone(),
            0 => Fraction::zero(),
            _ => &Fraction::zero() - score,
        })
    };
    Some(Fraction::sum(&answers.iter().map(part).collect::<Option<Vec<_>>>()?))
}

/// The answers to a question that has one or none.
fn one_answer(question: &Judged) -> Option<&[Judgement]> {
    (question.answers().len() <= 1).then_some(question.answers())
}

/// The confidence-weighted score (E. Voorhees, Overview of the TREC 2002 question answering track), from 0 to 1: the
/// mean of the precisions at all ranks of the questions, which are ordered by the confidence of their one answer.
///
/// Ties are in the order of the questions. A question without an answer stands last, as an incorrect one: at
/// TREC 2002 every question had an answer. Nothing where a question has more than one, where an answer has no
/// confidence and where every confidence is 0.
pub(crate) fn confidence_weighted_score(questions: &[&Judged]) -> Option<Value> {
    let mut rows: Vec<(Option<&Fraction>, bool)> =
        questions.iter().map(|question| row(question)).collect::<Option<_>>()?;
    if rows.iter().all(|(score, _)| score.is_none_or(Fraction::is_zero)) {
        return None;
    }
    // No confidence is below any confidence. The sort is stable.
    rows.sort_by_key(|(score, _)| Reverse(*score));
    let value = mean_precision(&verdicts(&rows))?;
    rows.sort_by_key(|(score, is_correct)| (Reverse(*score), *is_correct));
    let worst = verdicts(&rows);
    rows.sort_by_key(|(score, is_correct)| (Reverse(*score), !*is_correct));
    let best = verdicts(&rows);
    let ties = if worst == best {
        None
    } else {
        Some(Ties { worst: mean_precision(&worst)?, best: mean_precision(&best)? })
    };
    Some(Value { value, sample_size: rows.len() as u64, ties })
}

/// The confidence of the answer to a question and whether it is correct; nothing where there is more than one, or no
/// confidence.
fn row(question: &Judged) -> Option<(Option<&Fraction>, bool)> {
    match one_answer(question)? {
        [answer, ..] => Some((Some(answer.score.as_ref()?), answer.is_correct())),
        [] => Some((None, false)),
    }
}

fn verdicts(rows: &[(Option<&Fraction>, bool)]) -> Vec<bool> {
    rows.iter().map(|(_, is_correct)| *is_correct).collect()
}

/// The mean over all ranks of the share of correct answers up to the rank.
fn mean_precision(verdicts: &[bool]) -> Option<Fraction> {
    let mut correct = 0;
    let precision = (1..).zip(verdicts).filter_map(|(rank, is_correct)| {
        correct += u64::from(*is_correct);
        Fraction::ratio(correct, rank)
    });
    Fraction::mean(&precision.collect::<Vec<_>>())
}

/// The correlation r of Pearson between the confidence of an answer and its being correct (1, else 0), from −1 to 1;
/// nothing where all confidences are equal, or all answers alike.
///
/// r² is exact; its root is cut off after 40 digits, with integers only: every machine publishes the same.
pub(crate) fn correlation(answers: &[Rated]) -> Option<Fraction> {
    let number = Fraction::whole(answers.len() as u64);
    let correct = Fraction::whole(answers.iter().filter(|answer| answer.is_correct).count() as u64);
    let scores = Fraction::sum(answers.iter().map(|answer| answer.score));
    let squares: Vec<Fraction> = answers.iter().map(|answer| answer.score * answer.score).collect();
    let products =
        Fraction::sum(answers.iter().filter(|answer| answer.is_correct).map(|answer| answer.score));
    // Covariance and variances, each times the square of the number of answers. 1² is 1.
    let covariance = &(&number * &products) - &(&correct * &scores);
    let variance_of_correct = &(&number * &correct) - &(&correct * &correct);
    let variance_of_scores = &(&number * &Fraction::sum(&squares)) - &(&scores * &scores);
    let square = (&covariance * &covariance).over(&(&variance_of_correct * &variance_of_scores))?;
    let root = square.square_root(DIGITS)?;
    Some(if covariance < Fraction::zero() { &Fraction::zero() - &root } else { root })
}

#[cfg(test)]
mod tests {
    use crate::measures::confidence::properties::{answer, decimal, question, ties};
    use crate::measures::judged::Verdict::{Correct, Incorrect, Repeated};

    #[test]
    fn k_by_hand() {
        let questions = [
            // (0.9 + 0 · 0.8 − 0.3) / max(4, 3) = 0.15
            question(4, &[answer(Correct, "0.9"), answer(Repeated, "0.8"), answer(Incorrect, "0.3")]),
            // (0.5 − 1) / max(1, 2) = −0.25
            question(1, &[answer(Correct, "0.5"), answer(Incorrect, "1")]),
            // 0 / 1, and nothing of nothing
            question(1, &[]),
            question(0, &[]),
        ];
        // (0.15 − 0.25) / 4
        assert_eq!(decimal("kMeasure", &questions).as_deref(), Some("-0.025"));
        // More than one answer to a question.
        assert_eq!(decimal("k1Measure", &questions), None);
        assert_eq!(decimal("confidenceWeightedScore", &questions), None);
    }

    #[test]
    fn k1_by_hand() {
        let questions = [
            question(4, &[answer(Correct, "0.9")]),
            question(1, &[answer(Incorrect, "0.2")]),
            question(1, &[answer(Repeated, "0.3")]),
            question(1, &[]),
        ];
        // (0.9 − 0.2 − 0.3) / 4; K: (0.9/4 − 0.2 − 0 · 0.3) / 4
        assert_eq!(decimal("k1Measure", &questions).as_deref(), Some("0.1"));
        assert_eq!(decimal("kMeasure", &questions).as_deref(), Some("0.00625"));
    }

    #[test]
    fn confidence_weighted_score_by_hand() {
        let questions = [
            question(1, &[]),
            question(1, &[answer(Incorrect, "0.5")]),
            question(1, &[answer(Correct, "0.9")]),
            question(1, &[answer(Correct, "0.1")]),
        ];
        // correct, incorrect, correct, none: (1/1 + 1/2 + 2/3 + 2/4) / 4 = (16/6) / 4
        assert_eq!(decimal("confidenceWeightedScore", &questions).as_deref(), Some("0.666666666667"));
        assert_eq!(ties("confidenceWeightedScore", &questions), None);
    }

    #[test]
    fn ties_are_in_the_order_of_the_questions() {
        let mut questions = [
            question(1, &[answer(Correct, "0.5")]),
            question(1, &[answer(Incorrect, "0.50")]),
            question(1, &[answer(Correct, "0.5")]),
        ];
        // (1 + 1/2 + 2/3) / 3; worst (0 + 1/2 + 2/3) / 3; best (1 + 1 + 2/3) / 3
        let value = |questions: &_| decimal("confidenceWeightedScore", questions).unwrap();
        assert_eq!(value(&questions), "0.722222222222");
        let expected = Some(("0.388888888889".to_owned(), "0.888888888889".to_owned()));
        assert_eq!(ties("confidenceWeightedScore", &questions), expected);
        questions.swap(0, 1);
        assert_eq!(value(&questions), "0.388888888889");
        assert_eq!(ties("confidenceWeightedScore", &questions), expected);
    }

    #[test]
    fn correlation_by_hand() {
        let questions = [
            question(2, &[answer(Correct, "1"), answer(Correct, "0.5")]),
            question(1, &[answer(Incorrect, "0.5")]),
            question(1, &[answer(Repeated, "0")]),
        ];
        // assess 1 1 0 0, score 1 ½ ½ 0: covariance 4 · 1.5 − 2 · 2 = 2, variances 4 · 2 − 4 = 4 and
        // 4 · 1.5 − 4 = 2: r = 2 / √8 = 1/√2
        assert_eq!(decimal("selfScoreCorrelation", &questions).as_deref(), Some("0.707106781187"));
        // All correct; no answers at all.
        assert_eq!(decimal("selfScoreCorrelation", &questions[..1]), None);
        assert_eq!(decimal("selfScoreCorrelation", &[question(1, &[])]), None);
    }

    #[test]
    fn all_confidences_of_zero() {
        let questions = [question(1, &[answer(Correct, "0")]), question(1, &[answer(Incorrect, "0")])];
        assert_eq!(decimal("kMeasure", &questions).as_deref(), Some("0"));
        assert_eq!(decimal("k1Measure", &questions).as_deref(), Some("0"));
        assert_eq!(decimal("confidenceWeightedScore", &questions), None);
        assert_eq!(decimal("selfScoreCorrelation", &questions), None);
    }
}
