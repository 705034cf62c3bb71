//! What holds of every run: ranges, invariance, monotonicity, undefined values.

use crate::measures::definition::Unit;
use crate::measures::fraction::Fraction;
use crate::measures::judged::Verdict::{Correct, Incorrect, Repeated};
use crate::measures::judged::{Judged, Judgement, Verdict};
use crate::measures::metric::{Metric, metric};
use crate::measures::result::{QuestionResult, Status, Value};
use crate::measures::sets::{Counts, EmptyRules, EmptyScore, Scores};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn verdict() -> impl Strategy<Value = Verdict> {
    prop_oneof![Just(Correct), Just(Incorrect), Just(Repeated)]
}

/// A confidence from 0 to 1, of few different ones: there are ties.
fn judgement() -> impl Strategy<Value = Judgement> {
    (verdict(), 0u64..=20).prop_map(|(verdict, twentieths)| Judgement {
        score: Fraction::ratio(twentieths, 20),
        ..answer(verdict, "")
    })
}

/// A run with questions that have at most so many answers. No more are correct than are known.
fn run(answers: usize) -> impl Strategy<Value = Vec<QuestionResult>> {
    let one = (prop::collection::vec(judgement(), 0..=answers), 0usize..3);
    let one = one.prop_map(|(answers, missed)| {
        question(answers.iter().filter(|answer| answer.is_correct()).count() + missed, &answers)
    });
    prop::collection::vec(one, 1..12)
}

fn answers(questions: &[QuestionResult]) -> impl Iterator<Item = &Judgement> {
    questions.iter().filter_map(|question| question.judged.as_ref()).flat_map(Judged::answers)
}

/// Changes every answer; the function is told which one it is, from 0.
fn change(questions: &mut [QuestionResult], mut change: impl FnMut(usize, &mut Judgement)) {
    let mut numbers = 0..;
    for judged in questions.iter_mut().filter_map(|question| question.judged.as_mut()) {
        judged.change(|answers| {
            for (answer, at) in answers.iter_mut().zip(&mut numbers) {
                change(at, answer);
            }
        });
    }
}

/// Changes one answer.
fn change_at(questions: &mut [QuestionResult], at: usize, with: impl Fn(&mut Judgement)) {
    change(questions, |number, answer| {
        if number == at {
            with(answer);
        }
    });
}

/// One correct answer is known to each question.
fn with_one_known(questions: &[QuestionResult]) -> Vec<QuestionResult> {
    let all = questions.iter().filter_map(|question| question.judged.as_ref());
    all.map(|judged| question(1, judged.answers())).collect()
}

fn minus(fraction: &Fraction) -> Fraction {
    &Fraction::zero() - fraction
}

proptest! {
    #[test]
    fn values_are_in_their_ranges(run in run(3)) {
        let one = Fraction::one();
        for name in NAMES {
            let Some(value) = value(name, &run) else { continue };
            let least = match name {
                "kMeasure" | "k1Measure" | "selfScoreCorrelation" => minus(&one),
                _ => Fraction::zero(),
            };
            prop_assert!(value >= least, "{name} {value}");
            prop_assert!(Metric::named(name).unwrap().measure.unit == Unit::Count || value <= one, "{name} {value}");
        }
    }

    /// Only CWS knows the order of the questions, and only where there are ties.
    #[test]
    fn the_order_of_the_questions_is_nothing(run in run(1), by in 0usize..12) {
        let mut other = run.clone();
        other.rotate_left(by % run.len());
        other.reverse();
        for name in NAMES {
            prop_assert_eq!(ties(name, &run), ties(name, &other), "{}", name);
            if ties(name, &run).is_none() {
                prop_assert_eq!(value(name, &run), value(name, &other), "{}", name);
            }
        }
        if let Some((worst, best)) = ties("confidenceWeightedScore", &run) {
            let number = |text: &str| text.parse::<f64>().unwrap();
            let found = number(&decimal("confidenceWeightedScore", &run).unwrap());
            prop_assert!(number(&worst) <= found && found <= number(&best), "{worst} {found} {best}");
        }
    }

    /// The same with several answers to a question, and with these in another order.
    #[test]
    fn the_order_of_the_answers_is_nothing(run in run(4)) {
        let mut other = run.clone();
        other.reverse();
        for question in &mut other {
            question.judged.as_mut().unwrap().change(|answers| answers.reverse());
        }
        for name in NAMES.into_iter().filter(|name| *name != "confidenceWeightedScore") {
            prop_assert_eq!(value(name, &run), value(name, &other), "{}", name);
        }
    }

    /// A wrong answer that were right makes no measure worse, if it were known that there is such an answer.
    #[test]
    fn a_right_answer_is_better_than_a_wrong_one(run in run(1), at in 0usize..12) {
        let mut wrong = with_one_known(&run);
        let count = answers(&wrong).count();
        prop_assume!(count > 0);
        let mut right = wrong.clone();
        change_at(&mut wrong, at % count, |answer| answer.verdict = Incorrect);
        change_at(&mut right, at % count, |answer| answer.verdict = Correct);
        for name in ["kMeasure", "k1Measure", "confidenceWeightedScore", "coverageAtPrecision90", "answerRecall"] {
            prop_assert!(value(name, &right) >= value(name, &wrong), "{name}");
        }
        prop_assert!(value("areaUnderRiskCoverage", &right) <= value("areaUnderRiskCoverage", &wrong));
    }

    /// More confidence in a correct answer, less in an incorrect one.
    #[test]
    fn sureness_pays_where_it_is_right(run in run(3), at in 0usize..40) {
        let mut surer = run.clone();
        let count = answers(&surer).count();
        prop_assume!(count > 0);
        change_at(&mut surer, at % count, |answer| {
            answer.score = Some(if answer.is_correct() { Fraction::one() } else { Fraction::zero() });
        });
        prop_assert!(value("kMeasure", &surer) >= value("kMeasure", &run));
        prop_assert!(value("brierScore", &surer) <= value("brierScore", &run));
    }

    /// Confidence on another scale: the order is the same, and the correlation. Turned around, so is the correlation.
    #[test]
    fn scales_are_nothing_to_order_and_correlation(run in run(1)) {
        let (mut smaller, mut larger, mut turned) = (run.clone(), run.clone(), run.clone());
        let half = Fraction::ratio(1, 2).unwrap();
        let rescale = |questions: &mut [QuestionResult], scale: &dyn Fn(&Fraction) -> Fraction| {
            change(questions, |_, answer| answer.score = answer.score.as_ref().map(scale));
        };
        rescale(&mut smaller, &|score| score * &half);
        rescale(&mut larger, &|score| &(score + score) + &Fraction::one());
        rescale(&mut turned, &|score| &Fraction::one() - score);
        for name in ["selfScoreCorrelation", "areaUnderRiskCoverage", "coverageAtPrecision75"] {
            prop_assert_eq!(value(name, &run), value(name, &smaller), "{}", name);
            prop_assert_eq!(value(name, &run), value(name, &larger), "{}", name);
        }
        prop_assert_eq!(value("confidenceWeightedScore", &run), value("confidenceWeightedScore", &smaller));
        let correlation = value("selfScoreCorrelation", &run);
        prop_assert_eq!(correlation.as_ref().map(minus), value("selfScoreCorrelation", &turned));
    }

    /// A higher target of precision can only be reached with fewer answers.
    #[test]
    fn coverage_falls_with_precision(run in run(3)) {
        let covered: Vec<_> =
            (1..=100).map(|percent| value(&format!("coverageAtPrecision{percent}"), &run)).collect();
        prop_assert!(covered.is_sorted_by(|one, next| one >= next));
    }

    /// K1 is K where a question has one known and one given answer, and none is repeated.
    #[test]
    fn k1_is_k_with_one_answer_each(run in run(1)) {
        let mut run = with_one_known(&run);
        change(&mut run, |_, answer| {
            if answer.verdict == Repeated {
                answer.verdict = Incorrect;
            }
        });
        prop_assert_eq!(value("k1Measure", &run), value("kMeasure", &run));
    }

    /// Ten bins show at least the error that one bin with all answers shows: the distance between the share of correct
    /// answers and the mean confidence.
    #[test]
    fn bins_do_not_hide_what_all_answers_show(run in run(3)) {
        let count = u64::try_from(answers(&run).count()).unwrap();
        prop_assume!(count > 0);
        let sum = Fraction::sum(answers(&run).filter_map(|answer| answer.score.as_ref()));
        let whole = (&value("correctAnswerCount", &run).unwrap() - &sum).absolute();
        let error = value("expectedCalibrationError", &run).unwrap();
        prop_assert!(&error * &Fraction::whole(count) >= whole);
        prop_assert!(error <= Fraction::one());
    }

    /// A confidence that is missing is not 0; one that is no number from 0 to 1 is of use for the order only.
    #[test]
    fn a_missing_confidence_is_undefined(run in run(1), at in 0usize..12) {
        let mut other = run;
        let count = answers(&other).count();
        prop_assume!(count > 0);
        let [sized, ordered] = [
            &["kMeasure", "k1Measure", "expectedCalibrationError", "brierScore"][..],
            &["confidenceWeightedScore", "selfScoreCorrelation", "areaUnderRiskCoverage", "coverageAtPrecision1"],
        ];
        change_at(&mut other, at % count, |answer| answer.score = Fraction::parse("1.001"));
        for name in sized {
            prop_assert_eq!(value(name, &other), None, "{}", name);
        }
        prop_assert!(value("areaUnderRiskCoverage", &other).is_some());
        change_at(&mut other, at % count, |answer| answer.score = None);
        for name in sized.iter().chain(ordered) {
            prop_assert_eq!(value(name, &other), None, "{}", name);
        }
        prop_assert!(value("answerPrecision", &other).is_some());
    }
}

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
    let gain = u64::from(verdict == Correct);
    Judgement { verdict, gain, rejected: false, score: Fraction::parse(score) }
}

/// A question with a number of known correct answers and some given ones.
pub(crate) fn question(known: usize, answers: &[Judgement]) -> QuestionResult {
    judged(Some(Judged::new(answers.to_vec(), vec![1; known], 0)))
}

fn measured(name: &str, questions: &[QuestionResult]) -> Option<Value> {
    metric(name, &questions.iter().collect::<Vec<_>>(), RULES)
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

/// The rules of the default profile.
pub(crate) const RULES: EmptyRules = EmptyRules {
    both: EmptyScore::One,
    gold: EmptyScore::Zero,
    system: EmptyScore::Zero,
    missing: None,
    error: None,
    micro_of_nothing_is_one: true,
    qald_of_zeros_is_undefined: false,
};

/// A question by its counts.
pub(crate) fn counted(counts: Counts, status: Status) -> QuestionResult {
    QuestionResult {
        status,
        counts,
        scores: Scores::of(counts, status.submitted(), RULES),
        parts: BTreeMap::new(),
        ndcg: None,
        judged: None,
        response_time: None,
    }
}

/// A question by its answers one by one.
pub(crate) fn judged(judged: Option<Judged>) -> QuestionResult {
    QuestionResult { judged, ..counted(Counts::default(), Status::Answered) }
}
