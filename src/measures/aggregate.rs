//! Measures of sets over many questions, micro and macro; counts of questions and items; time. One line a measure; what
//! each means, with its empty cases and its source, is its concept in `ontology/qassay.ttl`.

use crate::measures::definition::{Measure, Sample, Takes};
use crate::measures::fraction::Fraction;
use crate::measures::result::{QuestionResult, Status};
use crate::measures::sets::Counts;

/// The measures of sets.
pub(crate) const SETS: &[Measure] = &[
    Measure::share("microPrecision", |s, _| s.value(s.totals().micro_precision(s.rules))).taking(Takes::Part),
    Measure::share("microRecall", |s, _| s.value(s.totals().micro_recall(s.rules))).taking(Takes::Part),
    Measure::share("microF1", |s, _| s.value(s.totals().micro_f1(s.rules))).taking(Takes::Part),
    Measure::share("macroPrecision", |s, _| s.value(s.mean(|q| &q.scores.precision))).taking(Takes::Part),
    Measure::share("macroRecall", |s, _| s.value(s.mean(|q| &q.scores.recall))).taking(Takes::Part),
    Measure::share("macroF1", |s, _| s.value(s.mean(|q| &q.scores.f1))).taking(Takes::Part),
    Measure::share("macroF1Harmonic", |s, _| s.value(macro_f1_harmonic(s))),
    Measure::share("macroF1Qald", |s, _| s.value(macro_f1_qald(s))),
    Measure::share("ndcg", |s, _| s.mean_where_known(|q| q.ndcg.as_ref())),
    Measure::share("macroF1Ndcg", |s, _| s.value(s.mean(|q| q.ndcg.as_ref().unwrap_or(&q.scores.f1)))),
    Measure::share("exactMatch", |s, _| s.share(|q| q.scores.f1 == Fraction::one())),
];

/// Counts of questions and items, and time.
pub(crate) const COUNTS: &[Measure] = &[
    Measure::count("questionCount", |s, _| s.whole(s.size())),
    Measure::count("answeredCount", |s, _| s.count(|q| q.status == Status::Answered)),
    Measure::count("emptyCount", |s, _| s.count(|q| q.status == Status::Empty)),
    Measure::count("missingCount", |s, _| s.count(|q| q.status == Status::Missing)),
    Measure::count("errorCount", |s, _| s.count(|q| matches!(q.status, Status::Error | Status::Timeout))),
    Measure::count("failedCount", |s, _| s.count(QuestionResult::is_failed)),
    Measure::count("truePositiveCount", |s, _| s.whole(s.totals().counts.true_positives())),
    Measure::count("falsePositiveCount", |s, _| s.whole(s.totals().counts.false_positives())),
    Measure::count("falseNegativeCount", |s, _| s.whole(s.totals().counts.false_negatives())),
    Measure::seconds("meanResponseTime", |s, _| s.mean_where_known(|q| q.response_time.as_ref())),
    // Answers without confidences have one threshold: all markings survive it.
    Measure::share("confidenceThreshold", |s, _| s.whole(0)),
];

/// The harmonic mean of the means.
fn macro_f1_harmonic(sample: &Sample<'_>) -> Option<Fraction> {
    let precision = sample.mean(|question| &question.scores.precision)?;
    Some(Fraction::harmonic(&precision, &sample.mean(|question| &question.scores.recall)?))
}

/// An empty answer to a question with gold items counts as precision 1.
fn macro_f1_qald(sample: &Sample<'_>) -> Option<Fraction> {
    let one = Fraction::one();
    let precision = sample.questions.iter().map(|question| match question.counts {
        Counts { system: 0, gold: 1.., .. } => &one,
        _ => &question.scores.precision,
    });
    let precision = Fraction::mean(precision)?;
    let recall = sample.mean(|question| &question.scores.recall)?;
    let both_zero = precision == Fraction::zero() && recall == Fraction::zero();
    (!both_zero || !sample.rules.qald_of_zeros_is_undefined).then(|| Fraction::harmonic(&precision, &recall))
}

/// The measures of what several people say, which no question has a share in.
pub(crate) const RATINGS: &[Measure] = &[
    Measure::share("assessorKappa", |s, _| s.ratings?.kappa()),
    Measure::share("assessorAgreement", |s, _| s.ratings?.agreement()),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::confidence::properties::{RULES, counted};
    use crate::measures::metric::metric;
    use crate::measures::result::ItemPart;
    use crate::measures::sets::EmptyRules;

    fn question(gold: u64, system: u64, matched: u64, status: Status) -> QuestionResult {
        counted(Counts { gold, system, matched }, status)
    }

    fn value(name: &str, questions: &[QuestionResult]) -> Option<String> {
        let questions: Vec<&QuestionResult> = questions.iter().collect();
        metric(name, &questions, RULES).map(|value| value.value.to_decimal())
    }

    #[test]
    fn worked_example_of_gerbil() {
        // ontology/gerbil.md, section 1.2: counts (2,0,0), (0,0,3), (1,1,1).
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
        // ontology/gerbil.md, section 3.10 (S1): InKB 1/1/1, EE .6667/1/.8.
        let mut questions = [question(4, 5, 4, Status::Answered)];
        questions[0].parts.insert(ItemPart::InKb, Counts { gold: 2, system: 2, matched: 2 });
        questions[0].parts.insert(ItemPart::Emerging, Counts { gold: 2, system: 3, matched: 2 });
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
