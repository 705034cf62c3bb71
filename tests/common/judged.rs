//! Questions with judged answers, for the tests of measures over many questions.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use qassay::measures::fraction::Fraction;
use qassay::measures::judged::{Judged, Judgement, Verdict};
use qassay::measures::metric::metric;
use qassay::measures::result::{QuestionResult, Status, Value};
use qassay::measures::sets::{Counts, EmptyRules, Scores, Submitted};
use qassay::profiles::Profile;

/// The rules of the default profile, which no measure of judged answers asks for.
pub(crate) static RULES: LazyLock<EmptyRules> =
    LazyLock::new(|| Profile::find("qassay").expect("the default profile").empty);

/// An answer with a confidence, as a numeral.
pub(crate) fn answer(verdict: Verdict, score: &str) -> Judgement {
    let gain = u64::from(verdict == Verdict::Correct);
    Judgement { verdict, gain, rejected: false, score: Fraction::parse(score) }
}

/// A question with a number of known correct answers and some given ones.
pub(crate) fn question(known: usize, answers: Vec<Judgement>) -> QuestionResult {
    result(Judged::new(answers, vec![1; known], 0))
}

/// A question with judged answers.
pub(crate) fn result(judged: Judged) -> QuestionResult {
    QuestionResult {
        status: if judged.answers().is_empty() { Status::Empty } else { Status::Answered },
        counts: Counts::default(),
        scores: Scores::of(Counts::default(), Submitted::Answer, *RULES),
        parts: BTreeMap::new(),
        ndcg: None,
        judged: Some(judged),
        response_time: None,
    }
}

/// A metric over questions.
pub(crate) fn measured(name: &str, questions: &[QuestionResult]) -> Option<Value> {
    metric(name, &questions.iter().collect::<Vec<_>>(), *RULES)
}

/// The exact value of a metric.
pub(crate) fn value(name: &str, questions: &[QuestionResult]) -> Option<Fraction> {
    measured(name, questions).map(|value| value.value)
}
