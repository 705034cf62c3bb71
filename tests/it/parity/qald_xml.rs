//! QALD-XML: answers of a real system (P12 of `ontology/README.md`), and the rules of the profile `qald-4`.

#![expect(clippy::float_cmp, reason = "0 and 1 are exact")]

use std::fs;

use crate::common::{evaluation, mirror, qassay};
use serde_json::Value;

const GOLD: &str = "ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf/5/data/qald-5_test.xml";
const HAWK: &str = "AKSW/hawk/1bf61d2ec1317a5529326e2da021897b6d7adaf7/results/CLEF_2015_hybrid_QA";

/// The evaluation of answers of hawk to QALD-5, test: QA.
#[track_caller]
fn hawk(file: &str, profile: &str) -> Value {
    let mirror = mirror();
    let mut ours = evaluation(&mirror.join(GOLD), &mirror.join(HAWK).join(file), profile);
    let issues = ours["issues"].take();
    let mut qa = ours["experiments"]["QA"].take();
    qa["issues"] = issues;
    qa
}

/// Id, precision, recall and F1 of the questions that the submission has.
fn answered(qa: &Value) -> Vec<(&str, [f64; 3])> {
    let questions = qa["questions"].as_array().expect("questions");
    let processed = questions.iter().filter(|question| question["status"] != "missing");
    let scores =
        |question: &Value| ["precision", "recall", "f1"].map(|m| question[m].as_f64().expect("a number"));
    processed.map(|question| (question["id"].as_str().expect("an id"), scores(question))).collect()
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p12_three_questions() {
    for (file, wrong) in [
        ("answer_featurebased_qald-5_test_questions.xml", 13),
        ("answer_overlapping_answers_ranking_qald-5_test_questions.xml", 14),
    ] {
        for profile in ["qald", "qald-4"] {
            let qa = hawk(file, profile);
            assert_eq!(answered(&qa), [("52", [0.0; 3]), ("56", [0.0; 3]), ("59", [1.0; 3])], "{file}");
            let measures = &qa["measures"];
            assert_eq!((&measures["questionCount"], &measures["missingCount"]), (&59.into(), &56.into()));
            let counts = ["truePositiveCount", "falsePositiveCount"].map(|name| measures[name].as_u64());
            assert_eq!(counts, [Some(1), Some(wrong)], "{file}");
            // every missing question counts as 0
            assert_eq!(measures["macroF1"], 0.016_949_152_542, "{file} 1/59");
        }
    }
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p12_one_question() {
    let qa = hawk("answer_qald-5_test.xml", "qald");
    assert_eq!(answered(&qa), [("59", [1.0; 3])]);
}

/// A dataset element and nothing in it: the system answered nothing, and every question is missing.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p12_no_question_at_all() {
    let qa = hawk("answer_optimal_ranking_qald-5_test_questions.xml", "qald");
    assert_eq!(answered(&qa), []);
    let measures = &qa["measures"];
    assert_eq!((&measures["questionCount"], &measures["missingCount"]), (&59.into(), &59.into()));
    for measure in ["microPrecision", "microRecall", "microF1", "macroPrecision", "macroRecall", "macroF1"] {
        assert_eq!(measures[measure], 0, "{measure}");
    }
    let issues = qa["issues"].as_array().expect("issues");
    let told = issues.iter().find(|issue| issue["code"] == "no-questions").expect("an issue");
    assert_eq!((&told["severity"], &told["line"]), (&"error".into(), &2.into()));
}

#[test]
fn a_gold_standard_needs_questions() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("none.xml"), "<dataset id='x'/>").expect("a file");
    fs::write(folder.path().join("one.xml"), "<dataset><question id='1'/></dataset>").expect("a file");
    let ran = qassay(folder.path(), ["evaluate", "none.xml", "one.xml", "--no-archive"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("none.xml: the dataset has no questions"), "{}", ran.stderr);
}

/// Scores answers in QALD-XML: `[id, answers]` for each question, `answers` as they stand in `<answers>`.
fn xml(profile: &str, gold: &[[&str; 2]], system: &[[&str; 2]]) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, questions: &[[&str; 2]]| {
        let questions = questions.iter().map(|[id, answers]| {
            format!(
                "<question id='{id}'><string lang='en'>?</string><answers>{answers}</answers></question>\n"
            )
        });
        let path = folder.path().join(name);
        let text = format!("<dataset id='x'>\n{}</dataset>\n", questions.collect::<String>());
        fs::write(&path, text).expect("a file");
        path
    };
    evaluation(&file("gold.xml", gold), &file("system.xml", system), profile)["experiments"]["QA"].take()
}

/// The scores of one question.
fn one(profile: &str, gold: &str, system: &str) -> [f64; 3] {
    let qa = xml(profile, &[["1", gold]], &[["1", system]]);
    answered(&qa)[0].1
}

const A: &str = "<answer><uri>http://dbpedia.org/resource/A</uri></answer>";
const B: &str = "<answer><uri>http://dbpedia.org/resource/B</uri></answer>";
const C: &str = "<answer><uri>http://dbpedia.org/resource/C</uri></answer>";

#[test]
fn qald_4_shares() {
    // recall: correct / gold, precision: correct / given, F = 2PR/(P+R)
    let near = |found: [f64; 3], expected: [f64; 3]| {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?} {expected:?}");
    };
    near(one("qald-4", &[A, B, C].concat(), &[A, B].concat()), [1.0, 2.0 / 3.0, 0.8]);
    near(
        one("qald-4", &[A, B].concat(), &[B, C, "<answer><uri>d</uri></answer>"].concat()),
        [1.0 / 3.0, 0.5, 0.4],
    );
    assert_eq!(one("qald-4", A, B), [0.0; 3]);
    // an answer of several values is one, right as a whole
    let pair = "<answer><uri>a</uri><string>b</string></answer>";
    assert_eq!(one("qald-4", pair, pair), [1.0; 3]);
    assert_eq!(one("qald-4", pair, "<answer><uri>a</uri></answer>"), [0.0; 3]);
    // repeated answers count once
    assert_eq!(one("qald-4", A, &[A, A].concat()), [1.0; 3]);
}

#[test]
fn qald_4_out_of_scope() {
    assert_eq!(one("qald-4", "", ""), [1.0; 3]);
    assert_eq!(one("qald-4", "", A), [0.0; 3]);
}

#[test]
fn qald_4_gives_nothing_for_an_empty_answer() {
    assert_eq!(one("qald-4", A, ""), [0.0; 3]);
    assert_eq!(one("qald", A, ""), [1.0, 0.0, 0.0]);
}

#[test]
fn qald_4_compares_texts_as_written() {
    let number = |text: &str| format!("<answer><number>{text}</number></answer>");
    assert_eq!(one("qald-4", &number(" 5\n"), &number("5")), [1.0; 3]);
    assert_eq!(one("qald-4", &number("5"), &number("5.0")), [0.0; 3]);
    assert_eq!(one("qald", &number("5"), &number("5.0")), [1.0; 3]);
    let uri = |text: &str| format!("<answer><uri>http://dbpedia.org/resource/{text}</uri></answer>");
    assert_eq!(one("qald-4", &uri("A_(b)"), &uri("A_%28b%29")), [0.0; 3]);
    assert_eq!(one("qald", &uri("A_(b)"), &uri("A_%28b%29")), [1.0; 3]);
}

#[test]
fn qald_4_overall() {
    // P 1, R 1/2; P 1/2, R 1; missing: the means are 1/2 and 1/2 over all three questions
    let gold = [["1", &*[A, B].concat()], ["2", A], ["3", A]];
    let system = [["2", &*[A, B].concat()], ["1", A]];
    let qa = xml("qald-4", &gold, &system);
    let measures = ["macroPrecision", "macroRecall", "macroF1"].map(|name| qa["measures"][name].as_f64());
    assert_eq!(measures, [Some(0.5); 3]);
    // F of the two means, not the mean of F, which is (2/3 + 2/3 + 0) / 3
    assert_eq!(qa["measures"]["missingCount"], 1);
    // P 1, R 1/2; P 0, R 0 (nothing given): F of 1/2 and 1/4
    let qa = xml("qald-4", &gold[..2], &[["1", A], ["2", ""]]);
    assert_eq!(qa["measures"]["macroF1"], 0.333_333_333_333);
}

#[test]
fn qald_4_ids_are_texts() {
    let qa = xml("qald-4", &[["1", A], ["02", A]], &[["1", A], ["2", A]]);
    assert_eq!(answered(&qa), [("1", [1.0; 3])]);
    let qa = xml("qald", &[["1", A], ["02", A]], &[["1", A], ["2", A]]);
    assert_eq!(answered(&qa), [("1", [1.0; 3]), ("02", [1.0; 3])]);
}
