//! Questions with judged answers, for the tests of measures over many questions.

use std::collections::BTreeMap;

use qassay::measure::{
    Counts, EmptyRules, EmptyScore, Fraction, Judged, Judgement, QuestionResult, Scores, Status, Value,
    Verdict, metric,
};

/// The rules of the default profile, which no measure of judged answers asks for.
pub(crate) const RULES: EmptyRules = EmptyRules {
    both: EmptyScore::One,
    gold: EmptyScore::Zero,
    system: EmptyScore::Zero,
    missing: None,
    micro_of_nothing_is_one: true,
    qald_of_zeros_is_undefined: false,
};

/// An answer with a confidence, as a numeral.
pub(crate) fn answer(verdict: Verdict, score: &str) -> Judgement {
    let gain = u64::from(verdict == Verdict::Correct);
    Judgement { verdict, gain, score: Fraction::parse(score) }
}

/// A question with a number of known correct answers and some given ones.
pub(crate) fn question(known: usize, answers: Vec<Judgement>) -> QuestionResult {
    result(Judged { answers, gold: vec![1; known] })
}

/// A question with judged answers.
pub(crate) fn result(judged: Judged) -> QuestionResult {
    QuestionResult {
        status: if judged.answers.is_empty() { Status::Empty } else { Status::Answered },
        counts: Counts::default(),
        scores: Scores::of(Counts::default(), false, RULES),
        parts: BTreeMap::new(),
        ndcg: None,
        judged: Some(judged),
        response_time: None,
    }
}

/// A metric over questions.
pub(crate) fn measured(name: &str, questions: &[QuestionResult]) -> Option<Value> {
    metric(name, &questions.iter().collect::<Vec<_>>(), RULES)
}

/// The exact value of a metric.
pub(crate) fn value(name: &str, questions: &[QuestionResult]) -> Option<Fraction> {
    measured(name, questions).map(|value| value.value)
}
