//! What submissions of campaigns repeat of their gold files, and that other submissions are not told so.

use std::path::{Path, PathBuf};

use crate::common::{mirror, qassay};

const NLIWOD: &str =
    "AKSW/NLIWOD/28141294f61c0a565cea9de880fd4fb19018fdb3/qa.ml/src/main/resources/QALD8Answers";
const QALD_8: &str =
    "ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf/8/data/qald-8-train-multilingual.json";
const QALD_9: &str =
    "ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf/9/data/qald-9-test-multilingual.json";
const KGQAN: &str = "CoDS-GCS/KGQAn/2cb6f3701e699293175ecf4e4c1b9fe79d97c687/src/evaluation/best_results_of_all_time/_F134_v1_e15-VLDB2020/KGQAn_result_20200401-205438.json";
const TEXT2SPARQL: &str = "AKSW/text2sparql.aksw.org/d317a8476a3be27a2eef5bfc5f670a58f5c128ee/docs";

/// The rows of the table that are marked, by experiment type, and the issues about repetition.
#[track_caller]
fn told(gold: &Path, answers: &Path) -> (Vec<String>, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let words = [Path::new("evaluate"), gold, answers, Path::new("--no-archive"), Path::new("--issues")];
    let table = qassay(folder.path(), words).ok();
    let column = |line: &str, place: usize| line.split_whitespace().nth(place).unwrap_or_default().to_owned();
    let rows = table.lines().filter(|line| line.ends_with('!')).map(|line| column(line, 2)).collect();
    let issues = table.lines().map(|line| column(line, 1));
    let issues: Vec<String> =
        issues.filter(|code| code.starts_with("repeats-") || code.starts_with("answers-")).collect();
    let (above, below) = table.split_once("\nsystem ").expect("a table");
    let is_loud = above.matches("\n! ").count() >= issues.len() && !below.contains("\n! ");
    assert!(is_loud, "each is told above the table: {table}");
    (rows, issues)
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn types_and_queries_that_are_those_of_the_gold_file() {
    for file in ["AskNow", "GANSWER2", "QAKIS", "TeBaQA"] {
        let answers = mirror().join(NLIWOD).join(format!("{file}_QALD8_Train.json"));
        let (rows, issues) = told(&mirror().join(QALD_8), &answers);
        assert_eq!((rows, issues), (vec!["AT".to_owned()], vec!["repeats-gold-types".to_owned()]), "{file}");
    }
    let (rows, issues) = told(&mirror().join(QALD_9), &mirror().join(KGQAN));
    assert_eq!(rows, ["QA", "C2KB", "P2KB", "RE2KB", "AT", "AIT2KB"]);
    assert_eq!(issues, ["repeats-gold-queries", "repeats-gold-types", "answers-of-two-kinds"]);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn answers_that_are_those_of_the_gold_file() {
    let campaign: PathBuf = mirror().join(TEXT2SPARQL);
    for (system, dataset, is_copy) in [
        ("AIFB", "ck25", true),
        ("INFAI", "ck25", true),
        ("WSE", "ck25", false),
        ("MIPT", "ck25", false),
        ("AIFB", "db25", false),
        ("INFAI", "db25", false),
        ("WSE", "db25", true),
        ("MIPT", "db25", true),
    ] {
        let gold = campaign.join(format!("benchmark/{dataset}_true_result_set.json"));
        let answers = campaign.join(format!("results/{system}/{dataset}_system_result_set.json"));
        let (rows, issues) = told(&gold, &answers);
        let expected = is_copy.then(|| "repeats-gold-answers".to_owned());
        assert_eq!(issues, expected.into_iter().collect::<Vec<_>>(), "{system} {dataset}");
        assert_eq!(rows.contains(&"QA".to_owned()), is_copy, "{system} {dataset}");
    }
}
