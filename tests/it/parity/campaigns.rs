//! Campaigns through the program: what it prints for the files of NLPCC and of `trec_eval` (P9, P10 and P11 of
//! `ontology/README.md`).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::common::{mirror, qassay};
use serde_json::Value;

const KBQA: &str =
    "JuneTse/NLPCCKBQAProj/abadb44b442aba5c579431e8697d11cff84658a6/KBQA2017SysData/datasets/results";
const DBQA: &str = "Leputa/NLPCC2017_Task5/ca95d5f43cb5462a684f17807230037bb65236c5/evaltool";
const TREC: &str = "usnistgov/trec_eval/f4253652c8efd0d86ddffd0d163cc0a0f813111a/test";

/// What the program says in JSON about the questions of an evaluation, nothing kept.
fn scored(gold: &Path, answers: &Path, profile: &str) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let (gold, answers) = (gold.display().to_string(), answers.display().to_string());
    let arguments = ["evaluate", &gold, &answers, "--profile", profile, "--format", "json", "--no-archive"];
    qassay(folder.path(), arguments).json()["evaluations"][0]["experiments"]["QA"].take()
}

fn rounded(value: &Value) -> String {
    format!("{:.4}", value.as_f64().unwrap_or_else(|| panic!("no number: {value}")))
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p9_ranked_answers_of_kbqa() {
    let mirror = mirror();
    let folder = mirror.join(KBQA);
    let scored =
        scored(&folder.join("kbqa_gold_lowcase.txt"), &folder.join("topK_results.txt"), "nlpcc-kbqa");
    let measures = &scored["measures"];
    assert_eq!(measures["questionCount"], 7631);
    assert_eq!([&measures["macroF1"], &measures["accuracy"]].map(rounded), ["0.4295", "0.4521"]);
    // one of the first N answers is right the oftener the larger N is
    let accuracies = ["accuracyAt1", "accuracyAt5", "accuracyAt10", "accuracy"]
        .map(|name| measures[name].as_f64().expect("a number"));
    assert!(
        accuracies.is_sorted() && accuracies[0] <= measures["meanReciprocalRank"].as_f64().expect("a number")
    );
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p10_scores_of_dbqa() {
    let mirror = mirror();
    let folder = mirror.join(DBQA);
    let scored = scored(&folder.join("sample.QApair.txt"), &folder.join("sample.score.txt"), "nlpcc-ranking");
    // `sample.result.txt`: `MAP 1`, `MRR 1`
    let printed = fs::read_to_string(folder.join("sample.result.txt")).expect("the result");
    let printed: BTreeMap<&str, &str> =
        printed.lines().filter_map(|line| line.trim().split_once('\t')).collect();
    for (theirs, ours) in [("MAP", "meanAveragePrecisionNlpcc"), ("MRR", "meanReciprocalRank")] {
        let expected: f64 = printed[theirs].parse().expect("a number");
        assert_eq!(scored["measures"][ours].as_f64(), Some(expected), "{theirs}");
        assert_eq!(scored["questions"][0]["measures"][ours].as_f64(), Some(expected), "{theirs}");
    }
}

/// The metric that a measure of `trec_eval` is, for the measures that the profile has.
fn ours(theirs: &str) -> Option<String> {
    if let Some((family, n)) = theirs.rsplit_once('_').filter(|(_, n)| n.parse::<u64>().is_ok()) {
        let ours = match family {
            "P" => "precisionAt",
            "recall" => "recallAt",
            "success" => "hitsAt",
            "ndcg_cut" => "ndcgAt",
            _ => return None,
        };
        return Some(format!("{ours}{n}"));
    }
    let ours = match theirs {
        "num_q" => "questionCount",
        "num_ret" => "retrievedCount",
        "num_rel" => "relevantCount",
        "num_rel_ret" => "relevantRetrievedCount",
        "map" => "meanAveragePrecision",
        "recip_rank" => "meanReciprocalRank",
        "Rprec" => "meanRPrecision",
        "ndcg" => "meanNdcg",
        _ => return None,
    };
    Some(ours.to_owned())
}

/// Compares each line of an output of `trec_eval` that we have a measure for; says how many there are.
fn compare(folder: &Path, output: &str, scored: &Value, all: &str) -> usize {
    let questions = scored["questions"].as_array().expect("questions");
    let of_question =
        |id: &str| questions.iter().find(|question| question["id"] == id).map(|q| &q["measures"]);
    let printed = fs::read_to_string(folder.join(output)).expect("the output of trec_eval");
    let mut count = 0;
    for line in printed.lines() {
        let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
        let &[theirs, question, expected] = &fields[..] else { continue };
        let Some(ours) = ours(theirs) else { continue };
        let measures = if question == "all" { &scored[all] } else { of_question(question).expect(question) };
        let value = &measures[&ours];
        let found = if expected.contains('.') { rounded(value) } else { value.to_string() };
        assert_eq!(found, expected, "{output}: {theirs} of {question}");
        count += 1;
    }
    count
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p11_what_trec_eval_prints() {
    let mirror = mirror();
    let folder = mirror.join(TREC);
    let scored = scored(&folder.join("qrels.test"), &folder.join("results.test"), "trec");
    // without `-c`, `trec_eval` has the means of the questions that both files have: here the same three
    for all in ["measures", "measuresProcessed"] {
        assert_eq!(compare(&folder, "out.test", &scored, all), 16, "{all}");
        // 37 measures of three questions and of all of them, and the number of questions
        assert_eq!(compare(&folder, "out.test.aq", &scored, all), 37 * 4 + 1, "{all}");
    }
}

/// Of three judged questions the run has one: by default `trec_eval` has its means, with `-c` those of all.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p11_questions_that_the_run_lacks() {
    let mirror = mirror();
    let folder = mirror.join(TREC);
    let scored = scored(&folder.join("qrels.test"), &folder.join("results-302.test"), "trec");
    let (all, processed) = (&scored["measures"], &scored["measuresProcessed"]);
    let count = [all, processed].map(|measures| measures["questionCount"].as_u64().expect("a number"));
    assert_eq!(count, [3, 1]);
    let [map, own] =
        [all, processed].map(|measures| measures["meanAveragePrecision"].as_f64().expect("a number"));
    assert!(own > 0.0 && (map * 3.0 - own).abs() < 1e-9, "{map} {own}");
}
