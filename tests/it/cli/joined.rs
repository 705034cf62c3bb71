//! `QUESTIONS+ANSWERS`: two files that are one dataset.

use std::fs;

use crate::common::{files_below, qassay};

const QUESTIONS: &str = r#"{"questions": [
    {"id": "Q1", "query_type": "SINGLE_FACT", "question": {"string": "Who wrote it?"}, "paraphrased_question": {"string": "By whom is it?"},
     "query": {"sparql": "SELECT DISTINCT ?answer WHERE { <https://dblp.org/rec/1> <https://dblp.org/rdf/schema#authoredBy> ?answer }"},
     "template_id": "TC01", "entities": [], "relations": [], "temporal": false, "held_out": false},
    {"id": "Q2", "query_type": "BOOLEAN", "question": {"string": "Is it?"}, "paraphrased_question": [], "query": {"sparql": "ASK { ?a ?b ?c }"},
     "template_id": "TB01", "entities": [], "relations": [], "temporal": false, "held_out": false},
    {"id": "Q3", "query_type": "COUNT", "question": {"string": "How many?"}, "paraphrased_question": [], "query": {"sparql": "SELECT ?x { ?x ?y ?z }"},
     "template_id": "TD01", "entities": [], "relations": [], "temporal": false, "held_out": false}]}"#;

const ANSWERS: &str = r#"{"answers": [
    {"id": "Q2", "answer": {"head": {}, "boolean": true}},
    {"id": "Q1", "answer": {"head": {"vars": ["answer"]}, "results": {"bindings": [
        {"answer": {"type": "uri", "value": "https://dblp.org/pid/1"}}, {"answer": {"type": "uri", "value": "https://dblp.org/pid/2"}}]}}}]}"#;

#[test]
fn two_files_are_one_dataset() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("q.json"), QUESTIONS).unwrap();
    fs::write(folder.join("a.json"), ANSWERS).unwrap();
    fs::write(folder.join("system.json"), ANSWERS.replace("pid/2", "pid/3")).unwrap();
    let checked = qassay(folder, ["check", "q.json+a.json"]).ok();
    let says = |fact: &str, value: &str| {
        let mut lines = checked.lines().filter(|line| line.starts_with(fact));
        assert!(lines.any(|line| line.split_whitespace().last() == Some(value)), "{fact}: {checked}");
    };
    for (fact, value) in [("questions ", "3"), ("with answers", "2"), ("answer rows", "2"), ("booleans", "1")]
    {
        says(fact, value);
    }

    let table = qassay(folder, ["evaluate", "q.json+a.json", "system.json", "--experiment", "QA"]).ok();
    let row: Vec<&str> = table
        .lines()
        .find(|line| line.starts_with("system "))
        .into_iter()
        .flat_map(str::split_whitespace)
        .collect();
    assert!(!row.is_empty(), "{table}");
    let scores = qassay(folder, ["query", "leaderboard", "--format", "csv"]).ok();
    let cells: Vec<&str> = scores.lines().nth(1).unwrap().split(',').collect();
    // Q1: 1/2, Q2: 1; nobody states the answer to Q3.
    assert_eq!((cells[3], cells[6]), ("2", "0.75"), "{scores}");

    // Both files are kept as received, each a distribution with its checksum.
    let kept = folder.join("qassay-archive/files/sha256");
    let has = |text: &str| {
        files_below(&kept)
            .iter()
            .any(|path| fs::read(kept.join(path)).is_ok_and(|bytes| bytes == text.as_bytes()))
    };
    assert!(has(QUESTIONS) && has(ANSWERS));
    fs::write(
        folder.join("parts.rq"),
        "PREFIX dcat: <http://www.w3.org/ns/dcat#> PREFIX dct: <http://purl.org/dc/terms/> PREFIX spdx: <http://spdx.org/rdf/terms#> PREFIX qassay: <https://w3id.org/qassay/ns#>
         SELECT ?format ?size ?checksum WHERE { ?dataset dcat:distribution ?both . ?both dct:hasPart ?part . ?part qassay:format ?format ; dcat:byteSize ?size ; spdx:checksum/spdx:checksumValue ?checksum } ORDER BY ?format",
    )
    .unwrap();
    let parts = qassay(folder, ["query", "parts.rq", "--format", "csv"]).ok();
    let rows: Vec<Vec<&str>> = parts.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let sizes: Vec<(&str, String)> = rows.iter().map(|row| (row[0], row[1].to_owned())).collect();
    assert_eq!(
        sizes,
        [("answer-list", ANSWERS.len().to_string()), ("dblp-quad", QUESTIONS.len().to_string())]
    );

    let explained = qassay(folder, ["explain", "system", "Q1"]).ok();
    assert!(
        explained.contains("Who wrote it?") && explained.contains("https://dblp.org/pid/3"),
        "{explained}"
    );
    let verified = qassay(folder, ["verify"]).ok();
    assert!(!verified.contains("note:"), "nothing is left that no record names: {verified}");
    qassay(folder, ["export", "system", "out.tar.gz"]).ok();
    qassay(folder, ["verify", "out.tar.gz"]).ok();
    let list = qassay(folder, ["list", "dataset", "--format", "csv"]).ok();
    assert_eq!(list.lines().count(), 2, "one dataset: {list}");

    // As another format, and as itself again.
    qassay(folder, ["convert", "q.json+a.json", "both.nq"]).ok();
    let again = qassay(folder, ["check", "both.nq"]).ok();
    assert!(again.lines().any(|line| line.starts_with("with answers") && line.ends_with(" 2")), "{again}");

    // What is not used any more goes with both files.
    let all = qassay(folder, ["list", "--format", "json"]).json();
    let iris: Vec<&str> = all.as_array().unwrap().iter().filter_map(|one| one["iri"].as_str()).collect();
    qassay(folder, ["remove"].into_iter().chain(iris)).ok();
    assert_eq!(files_below(&kept), [""; 0].map(std::path::PathBuf::from));
}

#[test]
fn what_a_plus_means() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("q.json"), QUESTIONS).unwrap();
    fs::write(folder.join("a+b.json"), ANSWERS).unwrap();
    let format = |word: &str| {
        let checked = qassay(folder, ["check", word]).ok();
        checked.lines().next().unwrap().to_owned()
    };
    assert_eq!(format("q.json+a+b.json"), "q.json+a+b.json (questions-and-answers)");
    assert_eq!(format("a+b.json"), "a+b.json (answer-list)", "a file of that name is that file");
    fs::write(folder.join("q.json+a+b.json"), ANSWERS).unwrap();
    assert_eq!(format("q.json+a+b.json"), "q.json+a+b.json (answer-list)");
    for (word, told) in [
        ("q.json+c.json", "c.json: no such file"),
        ("c.json+q.json", "c.json: no such file"),
        ("c+d.json", "c+d.json: no such file"),
        ("a+b.json+q.json", "the first file has answers, and the second has none"),
    ] {
        let ran = qassay(folder, ["check", word]);
        assert!(ran.code == Some(2) && ran.stderr.contains(told), "{word}: {}", ran.stderr);
    }
}
