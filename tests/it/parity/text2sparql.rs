//! TEXT2SPARQL 2025: the profile `text2sparql` gives the campaign's own numbers (P5 of `ontology/README.md`).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{TEXT2SPARQL_2025, evaluation, mirror, qassay};
use serde_json::Value;

/// Published values are rounded to 12 digits; the campaign computed with 64 bits.
const EXACT: f64 = 1e-9;

/// The measures of the campaign with our names.
const MEASURES: [(&str, &str); 3] = [("set_P", "precision"), ("set_recall", "recall"), ("set_F", "f1")];

fn campaign() -> PathBuf {
    mirror().join(TEXT2SPARQL_2025)
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("a file of the campaign")).expect("JSON")
}

/// Compares one value of the campaign and counts it.
#[track_caller]
fn same(what: impl std::fmt::Display, ours: &Value, theirs: &Value, compared: &mut usize) {
    *compared += 1;
    let (ours, theirs) = (ours.as_f64().unwrap_or(f64::NAN), theirs.as_f64().expect("a number"));
    assert!((ours - theirs).abs() <= EXACT, "{what}: {ours}, the campaign has {theirs}");
}

/// Every value of an evaluation of the campaign.
///
/// `printed` are precision, recall and F1 of `ontology/README.md`; `combined` is `set_F_ndcg` over all languages as it
/// must be: the campaign counts the mean of nDCG as one more question.
fn p5(system: &str, dataset: &str, languages: &[&str], printed: [f64; 3], combined: f64) {
    let campaign = campaign();
    let folder = campaign.join("results").join(system);
    let theirs = read_json(&folder.join(format!("{dataset}_eval.json")));
    let mut theirs: BTreeMap<String, Value> = serde_json::from_value(theirs).expect("an object");
    let average = theirs.remove("average").expect("the averages");
    let ours = evaluation(
        &campaign.join("benchmark").join(format!("{dataset}_true_result_set.json")),
        &folder.join(format!("{dataset}_system_result_set.json")),
        "text2sparql",
    );
    let qa = &ours["experiments"]["QA"];
    let questions = qa["questions"].as_array().expect("questions");
    assert_eq!(questions.len(), theirs.len(), "as many questions");
    let mut compared = 0;
    for question in questions {
        let id = question["id"].as_str().expect("an id");
        for (name, field) in MEASURES {
            same(format!("{id} {name}"), &question[field], &theirs[id][name], &mut compared);
        }
        match theirs[id].get("ndcg") {
            Some(ndcg) => same(format!("{id} ndcg"), &question["ndcg"], ndcg, &mut compared),
            None => assert_eq!(question.get("ndcg"), None, "the order of {id} does not matter"),
        }
    }
    let groups = languages
        .iter()
        .map(|language| (format!("-{language}"), &qa["groups"][format!("language-{language}")]));
    let all = (String::new(), &qa["measures"]);
    for (suffix, measures) in std::iter::once(all).chain(groups.filter(|_| languages.len() > 1)) {
        for (name, concept) in [
            ("set_P", "macroPrecision"),
            ("set_recall", "macroRecall"),
            ("set_F", "macroF1"),
            ("ndcg", "ndcg"),
            ("set_F_ndcg", "macroF1Ndcg"),
        ] {
            let name = format!("{name}{suffix}");
            let mut value = measures[concept].clone();
            if name == "set_F_ndcg" {
                assert!((value.as_f64().expect("a number") - combined).abs() <= EXACT, "{value}");
                value = one_more_question(&value, &measures["ndcg"], questions.len());
            }
            same(&name, &value, &average[&name], &mut compared);
        }
    }
    let values = |value: &Value| value.as_object().map_or(0, serde_json::Map::len);
    assert_eq!(
        compared,
        theirs.values().map(values).sum::<usize>() + values(&average),
        "values are left out"
    );
    for (concept, printed) in ["macroPrecision", "macroRecall", "macroF1"].iter().zip(printed) {
        let value = qa["measures"][concept].as_f64().expect("a number");
        assert!((value - printed).abs() <= 5e-5, "{concept}: {value} is printed as {printed}");
    }
}

/// What the campaign publishes as `set_F_ndcg` over all languages.
fn one_more_question(mean: &Value, ndcg: &Value, questions: usize) -> Value {
    let number = |value: &Value| value.as_f64().expect("a number");
    let n = f64::from(u32::try_from(questions).expect("few questions"));
    ((number(mean) * n + number(ndcg)) / (n + 1.0)).into()
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p5_wse() {
    p5("WSE", "ck25", &["en"], [0.3150, 0.3434, 0.3203], 0.319_483_360_607_909_9);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p5_mipt() {
    p5("MIPT", "ck25", &["en"], [0.2279, 0.2188, 0.2183], 0.217_020_603_841_944_3);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p5_aifb() {
    p5("AIFB", "db25", &["en", "es"], [0.4473, 0.4869, 0.4512], 0.454_020_450_047_638_1);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p5_infai() {
    p5("INFAI", "db25", &["en", "es"], [0.3706, 0.4617, 0.3764], 0.376_695_969_403_690_6);
}

/// The trap: these answers are the gold file, byte for byte but for the last. They cannot have the published scores.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn copies_of_the_gold_file_are_no_answers() {
    let campaign = campaign();
    for (system, dataset) in [("AIFB", "ck25"), ("INFAI", "ck25"), ("MIPT", "db25"), ("WSE", "db25")] {
        let gold = campaign.join(format!("benchmark/{dataset}_true_result_set.json"));
        let answers = campaign.join(format!("results/{system}/{dataset}_system_result_set.json"));
        assert_eq!(read_json(&gold), read_json(&answers), "{system} {dataset}");
        let ours = evaluation(&gold, &answers, "text2sparql");
        let measures = &ours["experiments"]["QA"]["measures"];
        let theirs = read_json(&campaign.join(format!("results/{system}/{dataset}_eval.json")));
        assert_eq!(measures["ndcg"], 1, "{system} {dataset}");
        let (ours, theirs) = (measures["macroF1"].as_f64(), theirs["average"]["set_F"].as_f64());
        assert!(ours > Some(0.9) && theirs < Some(0.6), "{system} {dataset}: {ours:?}, published {theirs:?}");
    }
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn scores_are_no_answers() {
    let campaign = campaign();
    let folder = tempfile::tempdir().expect("a folder");
    let gold = campaign.join("benchmark/ck25_true_result_set.json");
    let scores = campaign.join("results/WSE/ck25_eval.json");
    let ran = qassay(folder.path(), ["evaluate".as_ref(), gold.as_os_str(), scores.as_os_str()]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("these are the scores of an evaluation"), "{}", ran.stderr);
}

/// The rules, one question each.
#[test]
fn rules() {
    let folder = tempfile::tempdir().expect("a folder");
    let (gold, answers) = (folder.path().join("gold.json"), folder.path().join("answers.json"));
    let cases = [
        // equal texts, each once; kinds and rows do not count
        (r#"{"http://a/b": 1, "c": 1}"#, r#"{"c": 1, "d": 1, "e": 1}"#, [1, 2, 1], [1.0 / 3.0, 0.5, 0.4]),
        // nothing is normalised
        (r#"{"5": 1}"#, r#"{"5.0": 1}"#, [0, 1, 1], [0.0; 3]),
        // either side empty, also both
        ("{}", "{}", [0, 0, 0], [0.0; 3]),
        ("{}", r#"{"a": 1}"#, [0, 1, 0], [0.0; 3]),
        (r#"{"a": 1}"#, "{}", [0, 0, 1], [0.0; 3]),
        // a gold answer false is no item, so nobody can be right
        (r#"{"true": 0}"#, r#"{"true": 0}"#, [0, 1, 0], [0.0; 3]),
        (r#"{"true": 0}"#, r#"{"true": 1}"#, [0, 1, 0], [0.0; 3]),
        // a system's answer counts by its text, and the text of false is true
        (r#"{"true": 1}"#, r#"{"true": 0}"#, [1, 0, 0], [1.0; 3]),
        (r#"{"true": 1}"#, r#"{"true": 1}"#, [1, 0, 0], [1.0; 3]),
    ];
    let file = |sets: [&str; 9]| {
        let entries = sets.iter().zip(1..).map(|(set, id)| format!("\"ck25:{id}-en\": {set}"));
        format!("{{{}}}", entries.collect::<Vec<_>>().join(",\n"))
    };
    fs::write(&gold, file(cases.map(|case| case.0))).expect("a file");
    fs::write(&answers, file(cases.map(|case| case.1))).expect("a file");
    let ours = evaluation(&gold, &answers, "text2sparql");
    let questions = ours["experiments"]["QA"]["questions"].as_array().expect("questions");
    for (question, (gold, system, counts, scores)) in questions.iter().zip(cases) {
        let what = format!("{gold} {system}");
        assert_eq!(["tp", "fp", "fn"].map(|count| question[count].as_u64()), counts.map(Some), "{what}");
        for ((_, measure), score) in MEASURES.into_iter().zip(scores) {
            let found = question[measure].as_f64().expect("a number");
            assert!((found - score).abs() <= EXACT, "{what}: {measure} {found}");
        }
    }
    // a question that the submission does not have is an empty answer
    fs::write(&answers, r#"{"ck25:1-en": {"c": 1}}"#).expect("a file");
    let ours = evaluation(&gold, &answers, "text2sparql");
    let measures = &ours["experiments"]["QA"]["measures"];
    assert_eq!((&measures["missingCount"], &measures["questionCount"]), (&8.into(), &9.into()));
    assert!((measures["macroPrecision"].as_f64().expect("a number") - 1.0 / 9.0).abs() <= EXACT);
}

/// What the tool really ranks: the texts in descending order of their bytes, whatever order the file has.
#[test]
fn ndcg_orders_by_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let (gold, answers) = (folder.path().join("gold.json"), folder.path().join("answers.json"));
    fs::write(&gold, r#"{"ck25:27-en": {"a": 1, "b": 1}, "ck25:1-en": {"a": 1}}"#).expect("a file");
    for (system, ndcg) in [
        (r#"{"a": 1, "b": 1}"#, 1.0),
        (r#"{"b": 1, "a": 1}"#, 1.0),
        // é comes before c, b, a: its bytes are larger; b is second, a third
        (r#"{"b": 1, "a": 1, "é": 1}"#, (1.0 / 3f64.log2() + 0.5) / (1.0 + 1.0 / 3f64.log2())),
        ("{}", 0.0),
        (r#"{"x": 1}"#, 0.0),
    ] {
        fs::write(&answers, format!(r#"{{"ck25:27-en": {system}, "ck25:1-en": {{"b": 1}}}}"#))
            .expect("a file");
        let ours = evaluation(&gold, &answers, "text2sparql");
        let found = &ours["experiments"]["QA"]["questions"][0]["ndcg"];
        assert!((found.as_f64().expect("a number") - ndcg).abs() <= EXACT, "{system}: {found}, not {ndcg}");
        assert_eq!(ours["experiments"]["QA"]["measures"]["ndcg"], *found, "the only question with an order");
    }
}
