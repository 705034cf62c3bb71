//! Measures over many questions: micro and macro, counts, time. One line a metric; what each means, with its empty
//! cases and its source, is its concept in `ontology/qassay.ttl`.

use super::Fraction;
use super::sets::{Counts, EmptyRules, Scores, Totals};

/// How the submission answered a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// With at least one item.
    Answered,
    /// With nothing.
    Empty,
    /// With an error.
    Error,
    /// Not at all: the submission does not have the question.
    Missing,
}

impl Status {
    /// The word in tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Empty => "empty",
            Self::Error => "error",
            Self::Missing => "missing",
        }
    }

    /// The concept of `code:answerStatus`, without namespace.
    pub fn code(self) -> &'static str {
        match self {
            Self::Answered => "status-ok",
            Self::Empty => "status-empty",
            Self::Error => "status-error",
            Self::Missing => "status-missing",
        }
    }
}

/// The result of one question.
#[derive(Debug, Clone)]
pub struct QuestionResult {
    /// How it was answered.
    pub status: Status,
    /// How many items met.
    pub counts: Counts,
    /// Its scores.
    pub scores: Scores,
    /// The time the system took, in seconds, where known.
    pub response_time: Option<Fraction>,
}

/// The value of a metric over a group of questions, and how many questions entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// The exact value.
    pub value: Fraction,
    /// The number of questions.
    pub sample_size: u64,
}

/// The metric with this name (a concept of `code:metric`) over some questions; nothing where it is undefined or
/// there is no such metric.
pub fn metric(name: &str, questions: &[&QuestionResult], rules: EmptyRules) -> Option<Value> {
    let totals = Totals::of(questions.iter().map(|question| question.counts));
    let all = questions.len() as u64;
    let count = |status| questions.iter().filter(|question| question.status == status).count() as u64;
    let mean = |of: fn(&QuestionResult) -> &Fraction| Fraction::mean(questions.iter().map(|q| of(q)));
    let whole = |number| (all > 0).then(|| Fraction::whole(number));
    let value = match name {
        "microPrecision" => totals.micro_precision(rules),
        "microRecall" => totals.micro_recall(rules),
        "microF1" => totals.micro_f1(rules),
        "macroPrecision" => mean(|q| &q.scores.precision),
        "macroRecall" => mean(|q| &q.scores.recall),
        "macroF1" => mean(|q| &q.scores.f1),
        "macroF1Harmonic" => {
            let precision = mean(|q| &q.scores.precision)?;
            Some(Fraction::harmonic(&precision, &mean(|q| &q.scores.recall)?))
        }
        "macroF1Qald" => macro_f1_qald(questions),
        "exactMatch" => {
            Fraction::ratio(questions.iter().filter(|q| q.scores.f1 == Fraction::one()).count() as u64, all)
        }
        "questionCount" => whole(all),
        "answeredCount" => whole(count(Status::Answered)),
        "emptyCount" => whole(count(Status::Empty)),
        "missingCount" => whole(count(Status::Missing)),
        "errorCount" => whole(count(Status::Error)),
        "truePositiveCount" => whole(totals.counts.true_positives()),
        "falsePositiveCount" => whole(totals.counts.false_positives()),
        "falseNegativeCount" => whole(totals.counts.false_negatives()),
        "meanResponseTime" => return mean_response_time(questions),
        _ => None,
    };
    value.map(|value| Value { value, sample_size: all })
}

/// An empty answer to a question with gold items counts as precision 1.
fn macro_f1_qald(questions: &[&QuestionResult]) -> Option<Fraction> {
    let one = Fraction::one();
    let precision = questions.iter().map(|question| match question.counts {
        Counts { system: 0, gold: 1.., .. } => &one,
        _ => &question.scores.precision,
    });
    let precision = Fraction::mean(precision)?;
    let recall = Fraction::mean(questions.iter().map(|question| &question.scores.recall))?;
    Some(Fraction::harmonic(&precision, &recall))
}

fn mean_response_time(questions: &[&QuestionResult]) -> Option<Value> {
    let times: Vec<&Fraction> = questions.iter().filter_map(|q| q.response_time.as_ref()).collect();
    let sample_size = times.len() as u64;
    Fraction::mean(times).map(|value| Value { value, sample_size })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::EmptyScore;

    const RULES: EmptyRules = EmptyRules {
        both: EmptyScore::One,
        gold: EmptyScore::Zero,
        system: EmptyScore::Zero,
        missing: None,
        micro_of_nothing_is_one: true,
    };

    fn question(gold: u64, system: u64, matched: u64, status: Status) -> QuestionResult {
        let counts = Counts { gold, system, matched };
        let scores = Scores::of(counts, status == Status::Missing, RULES);
        QuestionResult { status, counts, scores, response_time: None }
    }

    fn value(name: &str, questions: &[QuestionResult]) -> Option<String> {
        let questions: Vec<&QuestionResult> = questions.iter().collect();
        metric(name, &questions, RULES).map(|value| value.value.to_decimal())
    }

    #[test]
    fn worked_example_of_gerbil() {
        // specs/gerbil.md 1.2: counts (2,0,0), (0,0,3), (1,1,1).
        let questions = [
            question(2, 2, 2, Status::Answered),
            question(3, 0, 0, Status::Empty),
            question(2, 2, 1, Status::Answered),
        ];
        let expected = [
            ("microPrecision", "0.75"),
            ("microRecall", "0.428571428571"),
            ("microF1", "0.545454545455"),
            ("macroPrecision", "0.5"),
            ("macroRecall", "0.5"),
            ("macroF1", "0.5"),
            ("macroF1Qald", "0.625"),
            ("macroF1Harmonic", "0.5"),
            ("exactMatch", "0.333333333333"),
            ("answeredCount", "2"),
            ("emptyCount", "1"),
            ("missingCount", "0"),
            ("truePositiveCount", "3"),
            ("falsePositiveCount", "1"),
            ("falseNegativeCount", "4"),
        ];
        for (name, text) in expected {
            assert_eq!(value(name, &questions).as_deref(), Some(text), "{name}");
        }
        assert_eq!(value("meanResponseTime", &questions), None);
    }

    #[test]
    fn nothing_is_undefined() {
        for name in ["microF1", "macroF1", "macroF1Qald", "exactMatch", "questionCount", "meanResponseTime"] {
            assert_eq!(value(name, &[]), None, "{name}");
        }
    }

    #[test]
    fn time_is_the_mean_over_the_questions_that_have_one() {
        let mut questions = [question(1, 1, 1, Status::Answered), question(1, 1, 1, Status::Answered)];
        questions[0].response_time = Fraction::parse("1.5");
        let all: Vec<&QuestionResult> = questions.iter().collect();
        let found = metric("meanResponseTime", &all, RULES).unwrap();
        assert_eq!((found.value.to_decimal().as_str(), found.sample_size), ("1.5", 1));
    }
}
