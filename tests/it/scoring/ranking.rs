//! Rank measures against another implementation: `tests/second/ranking.py` ran `pytrec_eval` and stored its numbers.

use crate::common::judged;
use std::collections::BTreeMap;

use crate::common::judged::RULES;
use qassay::measures::fraction::Fraction;
use qassay::measures::judged::{Judged, Judgement, Verdict};
use qassay::measures::metric::metric;
use qassay::measures::result::{QuestionResult, Value};

#[derive(serde::Deserialize)]
struct Stored {
    /// Grade, score, and whether it is judged as not relevant.
    answers: Vec<(u64, u64, bool)>,
    gold: Vec<u64>,
    /// How many are judged as not relevant.
    rejected: u64,
    stated: BTreeMap<String, f64>,
    worst: BTreeMap<String, f64>,
    best: BTreeMap<String, f64>,
}

/// Our name for a measure of `trec_eval`, and of the script.
fn name(theirs: &str) -> String {
    let at = |family: &str, n: &str| format!("{family}{n}");
    if let Some(level) = theirs.strip_prefix("iprec_at_recall_") {
        let percent: u64 = level.replace('.', "").parse().unwrap();
        return format!("interpolatedPrecisionAtRecall{percent}");
    }
    match theirs.rsplit_once('_') {
        Some(("P", n)) => at("precisionAt", n),
        Some(("recall", n)) => at("recallAt", n),
        Some(("ndcg_cut", n)) => at("ndcgAt", n),
        Some(("success", n)) => at("accuracyAt", n),
        _ => match theirs {
            "gm_map" => "geometricMeanAveragePrecision",
            "bpref" => "meanBpref",
            "recip_rank" => "meanReciprocalRank",
            "map" => "meanAveragePrecision",
            "map_nlpcc" => "meanAveragePrecisionNlpcc",
            "Rprec" => "meanRPrecision",
            "ndcg" => "meanNdcg",
            "num_ret" => "retrievedCount",
            "num_rel" => "relevantCount",
            "num_rel_ret" => "relevantRetrievedCount",
            other => panic!("{other} has no name"),
        }
        .to_owned(),
    }
}

fn result(stored: &Stored) -> QuestionResult {
    let answer = |&(gain, score, rejected): &(u64, u64, bool)| Judgement {
        verdict: if gain > 0 { Verdict::Correct } else { Verdict::Incorrect },
        gain,
        rejected,
        score: Some(Fraction::whole(score)),
    };
    let answers = stored.answers.iter().map(answer).collect();
    judged::result(Judged::new(answers, stored.gold.clone(), stored.rejected))
}

#[track_caller]
fn same(what: impl std::fmt::Display, ours: &Fraction, theirs: f64) {
    let ours: f64 = ours.to_decimal().parse().unwrap();
    assert!((ours - theirs).abs() < 1e-9, "{what}: {ours}, pytrec_eval has {theirs}");
}

/// The value, and the bounds that ties leave.
fn compare(what: &str, found: &Value, [stated, worst, best]: [f64; 3]) {
    same(what, &found.value, stated);
    match &found.ties {
        Some(ties) => {
            same(format!("{what} at worst"), &ties.worst, worst);
            same(format!("{what} at best"), &ties.best, best);
        }
        None => assert!((worst - best).abs() < 1e-9, "{what}: ties make it {worst} or {best}"),
    }
}

#[test]
fn measures_are_those_of_pytrec_eval() {
    let stored: Vec<Stored> = serde_json::from_str(include_str!("../../second/ranking.json")).unwrap();
    let results: Vec<QuestionResult> = stored.iter().map(result).collect();
    let all: Vec<&QuestionResult> = results.iter().collect();
    let (mut compared, mut tied) = (0, 0);
    for theirs in stored[0].stated.keys() {
        let ours = name(theirs);
        for (number, (stored, result)) in stored.iter().zip(&all).enumerate() {
            let found = metric(&ours, &[*result], *RULES).unwrap();
            let values = [&stored.stated, &stored.worst, &stored.best].map(|values| values[theirs]);
            compare(&format!("{theirs} of question {number}"), &found, values);
            compared += 1;
            tied += usize::from(found.ties.is_some());
        }
        let sum = |of: fn(&Stored) -> &BTreeMap<String, f64>| -> f64 {
            let values = stored.iter().map(|stored| of(stored)[theirs]);
            #[expect(clippy::cast_precision_loss, reason = "a small number")]
            let number = stored.len() as f64;
            match theirs.as_str() {
                "gm_map" => (values.map(f64::ln).sum::<f64>() / number).exp(),
                counted if counted.starts_with("num_") => values.sum(),
                _ => values.sum::<f64>() / number,
            }
        };
        let found = metric(&ours, &all, *RULES).unwrap();
        compare(theirs, &found, [sum(|s| &s.stated), sum(|s| &s.worst), sum(|s| &s.best)]);
    }
    assert_eq!((compared, stored[0].stated.len()), (49 * 48, 49), "every measure of every question");
    assert!(tied > 250, "only {tied} values depend on ties");
}
