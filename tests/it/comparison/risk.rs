//! Risk and coverage of systems that say how sure they are, from outside.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::{Ran, mirror, qassay};

/// One is silent about the last question; another gives two answers to the first; a third says nothing of how sure it is.
const FILES: [(&str, &str); 4] = [
    ("gold.csv", "id,question,answer\n1,One?,a\n2,Two?,b\n3,Three?,c\n4,Four?,d\n"),
    ("one.csv", "id,answer,confidence\n1,a,0.9\n2,x,0.5\n3,c,0.50\n"),
    ("other.csv", "id,answer,confidence\n1,x,1\n1,a,0.25\n2,b,0.7\n3,c,0.2\n4,d,0.1\n"),
    ("silent.csv", "id,answer\n1,a\n2,b\n3,x\n4,y\n"),
];

fn files() -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in FILES {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn compare(folder: &TempDir, words: &[&str]) -> Ran {
    let first = ["compare", "--measure", "macroF1", "-x", "QA", "--quiet"];
    qassay(folder.path(), first.iter().chain(words))
}

fn point(confidence: &Value, questions: u64, coverage: &Value, risk: &Value) -> Value {
    json!({ "confidence": confidence, "questions": questions, "coverage": coverage, "risk": risk })
}

/// Computed by hand: F1 of two answers of which one is right is 2/3, and of the missing question 0.
#[test]
fn curves_are_those_of_the_files_and_of_the_archive() {
    let folder = files();
    let all = ["gold.csv", "one.csv", "other.csv", "silent.csv", "--profile", "clef-2004"];
    let of_files = compare(&folder, &[&all[..], &["--format", "json"]].concat()).json();
    let third = json!(0.333_333_333_333_f64);
    let expected = json!([
        {"table": 0, "system": "one", "points": [
            point(&json!(0.9), 1, &json!(0.25), &json!(0)),
            point(&json!(0.5), 3, &json!(0.75), &third),
        ]},
        {"table": 0, "system": "other", "points": [
            point(&json!(1), 1, &json!(0.25), &third),
            point(&json!(0.7), 2, &json!(0.5), &json!(0.166_666_666_667_f64)),
            point(&json!(0.2), 3, &json!(0.75), &json!(0.111_111_111_111_f64)),
            point(&json!(0.1), 4, &json!(1), &json!(0.083_333_333_333_f64)),
        ]},
    ]);
    assert_eq!(of_files["risk"], expected);
    let kept_nothing = compare(&folder, &[&all[..], &["--no-archive", "--format", "json"]].concat()).json();
    assert_eq!(kept_nothing["risk"], expected);
    let shown = compare(&folder, &["--show", "risk", "--plots", "plots"]).ok();
    insta::assert_snapshot!(shown, @r"
    dataset, QA macroF1, profile clef-2004, 4 questions

    system  confidence from  questions  coverage    risk
    other                 1          1    0.2500  0.3333
    other               0.7          2    0.5000  0.1667
    other               0.2          3    0.7500  0.1111
    other               0.1          4    1.0000  0.0833
    one                 0.9          1    0.2500  0.0000
    one                 0.5          3    0.7500  0.3333

    coverage: the share of questions with this confidence or more; risk: 1 less their mean macroF1
    dataset: no question with a confidence: silent
    ");
    let csv = compare(&folder, &["--show", "risk", "--format", "csv"]).ok();
    assert_eq!(
        csv.lines().take(2).collect::<Vec<_>>(),
        [
            "dataset,profile,gold,experiment,measure,system,confidence,questions,coverage,risk",
            "dataset,clef-2004,curated,QA,macroF1,other,1,1,0.25,0.333333333333"
        ]
    );
    let plots = fs::read_dir(folder.path().join("plots")).unwrap().map(|one| one.unwrap().path());
    let svg: Vec<String> = plots
        .filter(|path| path.to_str().unwrap().ends_with("-risk.svg"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    assert_eq!(svg.len(), 1);
    assert!(svg[0].contains("no question with a confidence: silent"), "{}", svg[0]);
    assert!(svg[0].contains("other 0.3333 at coverage 0.2500, 0.0833 at coverage 1.0000"), "{}", svg[0]);
}

/// Where nobody says how sure he is, where the profile does not ask, and where questions have no scores.
#[test]
fn without_confidences_there_is_a_reason() {
    let folder = files();
    let silent = "no answer has a confidence that the profile looks at";
    for (files, profile, measure, code, reason) in [
        (&["silent.csv"][..], "clef-2004", "macroF1", "no-confidences", silent),
        (&["one.csv", "other.csv"], "qassay", "macroF1", "no-confidences", silent),
        (
            &["one.csv", "other.csv"],
            "clef-2004",
            "kMeasure",
            "no-mean",
            "the measure is no mean over questions",
        ),
    ] {
        let of = |more: &[&str]| {
            let words = ["compare", "gold.csv"].iter().chain(files);
            let options = ["--profile", profile, "--measure", measure, "-x", "QA", "--quiet", "--no-archive"];
            qassay(folder.path(), words.chain(&options).chain(more))
        };
        let found = of(&["--format", "json"]).json();
        assert_eq!(found["risk"], json!([]));
        let told = |one: &&Value| one["about"] == "tables/0: risk";
        let skipped: Vec<&Value> = found["skipped"].as_array().unwrap().iter().filter(told).collect();
        assert_eq!((skipped.len(), &skipped[0]["code"]), (1, &json!(code)), "{skipped:?}");
        let shown = of(&["--show", "risk", "--plots", "plots"]).ok();
        assert!(shown.contains(reason), "{shown}");
        let mut plots = fs::read_dir(folder.path().join("plots")).unwrap();
        assert!(!plots.any(|one| one.unwrap().path().to_str().unwrap().ends_with("-risk.svg")));
    }
}

/// Runs of `trec_eval`: the scores of the first documents, read here from the files, and the average precisions that the
/// program prints.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn runs_are_curves_by_their_first_scores() {
    let tests = mirror().join("usnistgov/trec_eval/f4253652c8efd0d86ddffd0d163cc0a0f813111a/test");
    let path = |name: &str| tests.join(name).to_str().unwrap().to_owned();
    let folder = TempDir::new().unwrap();
    let words = ["qrels.test", "results.test", "results.trunc"].map(path);
    let options = ["--profile", "trec", "--system", "full", "--system", "cut", "--no-archive", "--quiet"];
    let words = ["compare"].into_iter().chain(words.iter().map(String::as_str)).chain(options);
    let found = qassay(folder.path(), words.chain(["--format", "json"])).json();
    for (at, (system, file, questions)) in
        [("cut", "results.trunc", 2), ("full", "results.test", 3)].into_iter().enumerate()
    {
        let mut best: BTreeMap<String, f64> = BTreeMap::new();
        for line in fs::read_to_string(path(file)).unwrap().lines() {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let score: f64 = fields[4].parse().unwrap();
            let known = best.entry(fields[0].to_owned()).or_insert(score);
            *known = known.max(score);
        }
        let mut best: Vec<(String, f64)> = best.into_iter().collect();
        best.sort_by(|one, other| other.1.total_cmp(&one.1));
        let items = found["items"].as_array().unwrap();
        let precision = |id: &str| {
            let item = items.iter().find(|item| item["question"] == id).unwrap();
            item["scores"][system].as_f64().unwrap()
        };
        let curve = &found["risk"][at];
        assert_eq!(curve["system"], system);
        let points = curve["points"].as_array().unwrap();
        // One of the runs has no documents for a question.
        assert_eq!((points.len(), best.len(), items.len()), (questions, questions, 3));
        let (mut sum, mut count) = (0.0, 0.0);
        for (point, (id, score)) in points.iter().zip(&best) {
            (sum, count) = (sum + precision(id), count + 1.0);
            let near = |name: &str, value: f64| (point[name].as_f64().unwrap() - value).abs() < 1e-9;
            assert!(near("confidence", *score) && near("questions", count), "{point} {id} {score}");
            assert!(near("coverage", count / 3.0) && near("risk", 1.0 - sum / count), "{point} {id}");
        }
    }
}
