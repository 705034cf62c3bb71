//! Rank measures over many questions: the questions whose answers are judged. What each means is its concept in
//! `ontology/qassay.ttl`; the formulas of one question are in [`crate::measures::ranking`].

use crate::measures::definition::{Measure, Sample, Takes};
use crate::measures::fraction::Fraction;
use crate::measures::judged::Judged;
use crate::measures::logarithm::geometric_mean;
use crate::measures::ranking::{
    average_precision, average_precision_nlpcc, bpref, interpolated_precision, ndcg, ndcg_at, precision_at,
    r_precision, recall_at, reciprocal_rank, success_at,
};
use crate::measures::result::{Ties, Value};

/// The rank measures, then what they count.
pub(crate) const MEASURES: &[Measure] = &[
    Measure::share("meanReciprocalRank", |s, _| mean(s, reciprocal_rank)),
    Measure::share("meanAveragePrecision", |s, _| mean(s, average_precision)),
    Measure::share("meanAveragePrecisionNlpcc", |s, _| mean(s, average_precision_nlpcc)),
    Measure::share("meanRPrecision", |s, _| mean(s, r_precision)),
    Measure::share("meanNdcg", |s, _| mean(s, ndcg)),
    // Two names of one measure.
    Measure::share("accuracyAt", |s, n| mean(s, |judged| success_at(judged, n))).taking(Takes::Rank),
    Measure::share("hitsAt", |s, n| mean(s, |judged| success_at(judged, n))).taking(Takes::Rank),
    Measure::share("precisionAt", |s, n| mean(s, |judged| precision_at(judged, n))).taking(Takes::Rank),
    Measure::share("recallAt", |s, n| mean(s, |judged| recall_at(judged, n))).taking(Takes::Rank),
    Measure::share("ndcgAt", |s, n| mean(s, |judged| ndcg_at(judged, n))).taking(Takes::Rank),
    Measure::share("meanBpref", |s, _| mean(s, bpref)),
    Measure::share("interpolatedPrecisionAtRecall", |s, n| {
        mean(s, |judged| interpolated_precision(judged, n))
    })
    .taking(Takes::PercentFrom(0)),
    Measure::share("geometricMeanAveragePrecision", |s, _| average(s, average_precision, gmap)),
    Measure::count("retrievedCount", |s, _| total(s, |judged| judged.answers().len() as u64)),
    Measure::count("relevantCount", |s, _| total(s, Judged::known)),
    Measure::count("relevantRetrievedCount", |s, _| total(s, Judged::correct)),
];

/// The mean, and what it could be with ties broken otherwise. The questions are independent of each other, so the mean
/// is worst where each of them is.
fn mean(sample: &Sample<'_>, measure: impl Fn(&Judged) -> Fraction) -> Option<Value> {
    average(sample, measure, |values| Fraction::mean(values))
}

/// The same with any average that does not fall where a value rises.
fn average(
    sample: &Sample<'_>,
    measure: impl Fn(&Judged) -> Fraction,
    average: impl Fn(&[Fraction]) -> Option<Fraction>,
) -> Option<Value> {
    let judged = sample.judged();
    let values: Vec<Fraction> = judged.iter().map(|judged| measure(judged)).collect();
    let value = average(&values)?;
    let is_tied: Vec<bool> = judged.iter().map(|judged| judged.is_open()).collect();
    // Only where answers are tied they have another order.
    let otherwise = |order: fn(&Judged) -> Judged| {
        let all = judged.iter().zip(&values).zip(&is_tied);
        let all =
            all.map(|((judged, value), tied)| if *tied { measure(&order(judged)) } else { value.clone() });
        average(&all.collect::<Vec<_>>())
    };
    let ties = if is_tied.contains(&true) {
        let (worst, best) = (otherwise(Judged::at_worst)?, otherwise(Judged::at_best)?);
        (worst != best).then_some(Ties { worst, best })
    } else {
        None
    };
    Some(Value { ties, ..Value::new(value, judged.len() as u64) })
}

/// The geometric mean, in which no question counts as less than 0.00001.
fn gmap(values: &[Fraction]) -> Option<Fraction> {
    geometric_mean(values, &Fraction::ratio(1, 100_000)?)
}

/// A count over all questions, which ties do not change.
fn total(sample: &Sample<'_>, count: impl Fn(&Judged) -> u64) -> Option<Value> {
    let judged = sample.judged();
    let sum = judged.iter().map(|judged| count(judged)).sum();
    (!judged.is_empty()).then(|| Value::new(Fraction::whole(sum), judged.len() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::confidence::properties::{RULES, judged as question};
    use crate::measures::judged::{Judgement, Verdict};
    use crate::measures::result::QuestionResult;

    /// Answers with a gain and a score each.
    fn judged(answers: &[(u64, u64)], gold: &[u64]) -> Judged {
        let answer = |&(gain, score): &(u64, u64)| Judgement {
            verdict: if gain > 0 { Verdict::Correct } else { Verdict::Incorrect },
            gain,
            rejected: false,
            score: Some(Fraction::whole(score)),
        };
        Judged::new(answers.iter().map(answer).collect(), gold.to_vec(), 0)
    }

    fn value(name: &str, questions: &[QuestionResult]) -> Option<Value> {
        crate::measures::metric::metric(name, &questions.iter().collect::<Vec<_>>(), RULES)
    }

    fn decimal(name: &str, questions: &[QuestionResult]) -> Option<String> {
        value(name, questions).map(|value| value.value.to_decimal())
    }

    #[test]
    fn means_are_over_the_judged_questions() {
        let questions = [
            // right at ranks 2 and 3; one that is known is missing
            question(Some(judged(&[(0, 9), (1, 8), (2, 7)], &[2, 1, 1]))),
            // nothing right
            question(Some(judged(&[(0, 9)], &[1]))),
            question(None),
        ];
        let expected = [
            ("meanReciprocalRank", "0.25"),
            ("accuracyAt1", "0"),
            ("accuracyAt2", "0.5"),
            ("hitsAt2", "0.5"),
            ("precisionAt5", "0.2"),
            ("recallAt2", "0.166666666667"),
            ("meanRPrecision", "0.333333333333"),
            // (1/2 + 2/3) / 3 / 2, and the same since min(3, 3) = 3
            ("meanAveragePrecision", "0.194444444444"),
            ("meanAveragePrecisionNlpcc", "0.194444444444"),
            // (1/log2(3) + 2/2) / (2 + 1/log2(3) + 1/2) / 2 = 1.63092975357… / 3.13092975357… / 2
            ("meanNdcg", "0.26045454257"),
            ("ndcgAt1", "0"),
            ("retrievedCount", "4"),
            ("relevantCount", "4"),
            ("relevantRetrievedCount", "2"),
        ];
        for (name, text) in expected {
            let found = value(name, &questions).unwrap();
            assert_eq!((found.value.to_decimal().as_str(), found.sample_size), (text, 2), "{name}");
            assert_eq!(found.ties, None, "{name}");
            assert_eq!(value(name, &questions[2..]), None, "{name} of no judged question");
        }
    }

    #[test]
    fn ties_give_the_worst_and_the_best_case() {
        let questions = [
            // the right one is tied with a wrong one
            question(Some(judged(&[(1, 5), (0, 5)], &[1]))),
            question(Some(judged(&[(0, 5), (0, 5), (1, 5)], &[1]))),
            question(Some(judged(&[(1, 5), (0, 4)], &[1]))),
        ];
        let found = value("meanReciprocalRank", &questions).unwrap();
        // (1 + 1/3 + 1) / 3; (1/2 + 1/3 + 1) / 3; 1
        assert_eq!(found.value, Fraction::ratio(7, 9).unwrap());
        assert_eq!(found.ties, Some(Ties { worst: Fraction::ratio(11, 18).unwrap(), best: Fraction::one() }));
        // wherever they stand, all three are among the first three
        assert_eq!(value("accuracyAt3", &questions).unwrap().ties, None);
        assert_eq!(value("meanAveragePrecision", &questions[2..]).unwrap().ties, None);
    }

    #[test]
    fn a_cut_off_has_one_numeral() {
        let questions = [question(Some(judged(&[(1, 5)], &[1])))];
        for name in ["accuracyAt1", "hitsAt10", "precisionAt1000000", "recallAt100", "ndcgAt7"] {
            assert!(value(name, &questions).is_some(), "{name}");
        }
        for name in [
            "accuracyAt",
            "accuracyAt0",
            "accuracyAt01",
            "accuracyAt+1",
            "accuracyAt1x",
            "accuracyAt1000001",
            "accuracyAt99999999999999999999",
            "accuracyAt٣",
            "at5",
            "5",
            "meanReciprocalRank5",
            "",
        ] {
            assert_eq!(value(name, &questions), None, "{name}");
        }
    }

    #[test]
    fn a_million_is_the_end_of_no_list() {
        let questions = [question(Some(judged(&[(1, 5)], &[1])))];
        assert_eq!(decimal("precisionAt1000000", &questions).as_deref(), Some("0.000001"));
        assert_eq!(decimal("ndcgAt1000000", &questions).as_deref(), Some("1"));
    }
}
