//! Measures over many questions: micro and macro, counts, time. One line a metric; what each means, with its empty
//! cases and its source, is its concept in `ontology/qassay.ttl`.

use std::collections::BTreeMap;

use crate::measures::confidence;
use crate::measures::fraction::Fraction;
use crate::measures::judged::Judged;
use crate::measures::rank_metrics;
use crate::measures::sets::{Counts, EmptyRules, Scores, Totals};

/// How the submission answered a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Status {
    /// With at least one item.
    Answered,
    /// With nothing.
    Empty,
    /// With an error.
    Error,
    /// With nothing in the time that there was: an error too.
    Timeout,
    /// Not at all: the submission does not have the question.
    Missing,
}

impl Status {
    /// All of them.
    const ALL: [Self; 5] = [Self::Answered, Self::Empty, Self::Error, Self::Timeout, Self::Missing];

    /// The status with this concept.
    pub fn find(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.code() == code)
    }

    /// The word in tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Empty => "empty",
            Self::Error => "error",
            Self::Timeout => "timeout",
            Self::Missing => "missing",
        }
    }

    /// The concept of `code:answerStatus`, without namespace.
    pub fn code(self) -> &'static str {
        match self {
            Self::Answered => "status-ok",
            Self::Empty => "status-empty",
            Self::Error => "status-error",
            Self::Timeout => "status-timeout",
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
    /// The counts of parts of its items, by the name of the part: `inKb`, `ee`, `hierarchical`.
    pub parts: BTreeMap<&'static str, Counts>,
    /// nDCG of the answer as a ranking, where the order of the answer matters and the profile measures it.
    pub ndcg: Option<Fraction>,
    /// The answers in their order with a verdict each, where the profile ranks them or asks how sure the system is.
    pub judged: Option<Judged>,
    /// The time the system took, in seconds, where known.
    pub response_time: Option<Fraction>,
}

impl QuestionResult {
    /// Whether the system failed the question: anything but exactly the gold answers.
    pub fn is_failed(&self) -> bool {
        self.scores.f1 != Fraction::one()
    }
}

/// The value of a metric over a group of questions, and how many questions entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// The exact value.
    pub value: Fraction,
    /// The number of questions.
    pub sample_size: u64,
    /// What it could be with ties broken otherwise, where that makes it another.
    pub ties: Option<Ties>,
}

impl Value {
    /// A value over a number of questions that no tie makes another.
    pub fn new(value: Fraction, sample_size: u64) -> Self {
        Self { value, sample_size, ties: None }
    }
}

/// What a measure could be if ties between equal scores were broken otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ties {
    /// Every tie broken against the system.
    pub worst: Fraction,
    /// Every tie broken in favour of the system.
    pub best: Fraction,
}

/// The metric with this name (a concept of `code:metric`) over some questions; nothing where it is undefined or
/// there is no such metric.
pub fn metric(name: &str, questions: &[&QuestionResult], rules: EmptyRules) -> Option<Value> {
    if let Some((part, rest)) = PARTS.iter().find_map(|part| Some((*part, name.strip_prefix(part)?))) {
        return metric_of_part(part, rest, questions, rules);
    }
    // Only what a metric asks for is counted: there are many metrics, groups and questions.
    let totals = || Totals::of(questions.iter().map(|question| question.counts));
    let all = questions.len() as u64;
    let count = |status| questions.iter().filter(|question| question.status == status).count() as u64;
    let mean = |of: fn(&QuestionResult) -> &Fraction| Fraction::mean(questions.iter().map(|q| of(q)));
    let whole = |number| (all > 0).then(|| Fraction::whole(number));
    let value = match name {
        "microPrecision" => totals().micro_precision(rules),
        "microRecall" => totals().micro_recall(rules),
        "microF1" => totals().micro_f1(rules),
        "macroPrecision" => mean(|q| &q.scores.precision),
        "macroRecall" => mean(|q| &q.scores.recall),
        "macroF1" => mean(|q| &q.scores.f1),
        "macroF1Harmonic" => {
            let precision = mean(|q| &q.scores.precision)?;
            Some(Fraction::harmonic(&precision, &mean(|q| &q.scores.recall)?))
        }
        "macroF1Qald" => macro_f1_qald(questions, rules),
        // Answers without confidences have one threshold: all markings survive it.
        "confidenceThreshold" => whole(0),
        "exactMatch" => {
            Fraction::ratio(questions.iter().filter(|q| q.scores.f1 == Fraction::one()).count() as u64, all)
        }
        "questionCount" => whole(all),
        "answeredCount" => whole(count(Status::Answered)),
        "emptyCount" => whole(count(Status::Empty)),
        "missingCount" => whole(count(Status::Missing)),
        "errorCount" => whole(count(Status::Error) + count(Status::Timeout)),
        "failedCount" => whole(questions.iter().filter(|q| q.is_failed()).count() as u64),
        "truePositiveCount" => whole(totals().counts.true_positives()),
        "falsePositiveCount" => whole(totals().counts.false_positives()),
        "falseNegativeCount" => whole(totals().counts.false_negatives()),
        "accuracy" => {
            let judged: Option<Vec<&Judged>> = questions.iter().map(|q| q.judged.as_ref()).collect();
            judged.and_then(|judged| {
                Fraction::ratio(judged.iter().filter(|j| j.correct() > 0).count() as u64, all)
            })
        }
        "ndcg" => return mean_ndcg(questions),
        "macroF1Ndcg" => Fraction::mean(
            questions.iter().map(|question| question.ndcg.as_ref().unwrap_or(&question.scores.f1)),
        ),
        "meanResponseTime" => return mean_response_time(questions),
        _ => return rank_metrics::metric(name, questions).or_else(|| confidence::metric(name, questions)),
    };
    value.map(|value| Value::new(value, all))
}

/// An empty answer to a question with gold items counts as precision 1.
fn macro_f1_qald(questions: &[&QuestionResult], rules: EmptyRules) -> Option<Fraction> {
    let one = Fraction::one();
    let precision = questions.iter().map(|question| match question.counts {
        Counts { system: 0, gold: 1.., .. } => &one,
        _ => &question.scores.precision,
    });
    let precision = Fraction::mean(precision)?;
    let recall = Fraction::mean(questions.iter().map(|question| &question.scores.recall))?;
    let both_zero = precision == Fraction::zero() && recall == Fraction::zero();
    (!both_zero || !rules.qald_of_zeros_is_undefined).then(|| Fraction::harmonic(&precision, &recall))
}

/// The parts of items that have measures of their own: prefixes of metrics.
const PARTS: [&str; 3] = ["inKb", "ee", "hierarchical"];

/// A metric over a part of the items: undefined where no question has one, on either side.
fn metric_of_part(
    part: &'static str,
    rest: &str,
    questions: &[&QuestionResult],
    rules: EmptyRules,
) -> Option<Value> {
    if questions.iter().all(|question| !question.parts.contains_key(part)) {
        return None;
    }
    let name = format!("{}{}", rest.get(..1)?.to_ascii_lowercase(), rest.get(1..)?);
    let of_part = |question: &&QuestionResult| {
        let counts = question.parts.get(part).copied().unwrap_or_default();
        let scores = Scores::of(counts, false, rules);
        QuestionResult { counts, scores, parts: BTreeMap::new(), ..(*question).clone() }
    };
    let results: Vec<QuestionResult> = questions.iter().map(of_part).collect();
    if results.iter().all(|result| result.counts == Counts::default()) {
        return None;
    }
    metric(&name, &results.iter().collect::<Vec<_>>(), rules)
}

/// Over the questions whose order matters.
fn mean_ndcg(questions: &[&QuestionResult]) -> Option<Value> {
    let values: Vec<&Fraction> = questions.iter().filter_map(|question| question.ndcg.as_ref()).collect();
    let sample_size = values.len() as u64;
    Fraction::mean(values).map(|value| Value::new(value, sample_size))
}

fn mean_response_time(questions: &[&QuestionResult]) -> Option<Value> {
    let times: Vec<&Fraction> = questions.iter().filter_map(|q| q.response_time.as_ref()).collect();
    let sample_size = times.len() as u64;
    Fraction::mean(times).map(|value| Value::new(value, sample_size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::samples::{RULES, counted};

    fn question(gold: u64, system: u64, matched: u64, status: Status) -> QuestionResult {
        counted(Counts { gold, system, matched }, status)
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
            ("failedCount", "2"),
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
    fn parts_are_measured_alone() {
        // specs/gerbil.md 3.10, S1: InKB 1/1/1, EE .6667/1/.8.
        let mut questions = [question(4, 5, 4, Status::Answered)];
        questions[0].parts.insert("inKb", Counts { gold: 2, system: 2, matched: 2 });
        questions[0].parts.insert("ee", Counts { gold: 2, system: 3, matched: 2 });
        assert_eq!(value("inKbMicroF1", &questions).as_deref(), Some("1"));
        assert_eq!(value("eeMacroPrecision", &questions).as_deref(), Some("0.666666666667"));
        assert_eq!(value("eeMacroF1", &questions).as_deref(), Some("0.8"));
        assert_eq!(value("hierarchicalMicroF1", &questions), None);
    }

    #[test]
    fn macro_f1_qald_of_zeros() {
        let questions = [question(1, 1, 0, Status::Answered)];
        assert_eq!(value("macroF1Qald", &questions).as_deref(), Some("0"));
        let rules = EmptyRules { qald_of_zeros_is_undefined: true, ..RULES };
        assert_eq!(metric("macroF1Qald", &[&questions[0]], rules), None);
    }

    #[test]
    fn nothing_is_undefined() {
        for name in ["microF1", "macroF1", "macroF1Qald", "exactMatch", "questionCount", "meanResponseTime"] {
            assert_eq!(value(name, &[]), None, "{name}");
        }
    }

    #[test]
    fn ndcg_counts_where_the_order_matters() {
        let mut questions = [
            question(2, 2, 2, Status::Answered),
            question(2, 2, 1, Status::Answered),
            question(2, 2, 0, Status::Answered),
        ];
        questions[2].ndcg = Fraction::ratio(1, 4);
        assert_eq!(value("ndcg", &questions).as_deref(), Some("0.25"));
        // (1 + 1/2 + 1/4) / 3, and not (1 + 1/2 + 0) / 3
        assert_eq!(value("macroF1Ndcg", &questions).as_deref(), Some("0.583333333333"));
        assert_eq!(value("macroF1", &questions).as_deref(), Some("0.5"));
        assert_eq!(value("ndcg", &questions[..2]), None);
        assert_eq!(value("macroF1Ndcg", &questions[..2]).as_deref(), Some("0.75"));
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
