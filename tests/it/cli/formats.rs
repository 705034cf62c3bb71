//! The command line with the simple formats: tables, and folders of SPARQL results.

use crate::common;
use std::fs;
use std::path::Path;

use crate::common::qassay;
use tempfile::TempDir;

const GOLD: &str = "id,question,answer,type,datatype\n\
1,Which cities?,http://e/Bonn,uri,\n\
1,Which cities?,http://e/Mainz,uri,\n\
2,Is it?,true,boolean,\n\
3,How many?,7,literal,http://www.w3.org/2001/XMLSchema#integer\n\
4,Who?,http://e/Ada,uri,\n";

/// One of two cities and one wrong, a wrong boolean, an equal number, a broken file.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let results = folder.path().join("results");
    fs::create_dir(&results).expect("a folder");
    let files = [
        (
            "1.srj",
            r#"{"head": {"vars": ["c"]}, "results": {"bindings": [{"c": {"type": "uri", "value": "http://e/Bonn"}}, {"c": {"type": "uri", "value": "http://e/Kiel"}}]}}"#,
        ),
        (
            "2.srx",
            r#"<sparql xmlns="http://www.w3.org/2005/sparql-results#"><head/><boolean>false</boolean></sparql>"#,
        ),
        ("3.tsv", "?n\n7\n"),
        ("4.srj", "{"),
        ("README.md", "about"),
    ];
    for (name, content) in files {
        fs::write(results.join(name), content).expect("a file");
    }
    fs::write(folder.path().join("gold.csv"), GOLD).expect("a file");
    folder
}

fn questions(folder: &Path, gold: &str, answers: &str) -> Vec<String> {
    let arguments = ["evaluate", gold, answers, "--format", "json", "--experiment", "QA"];
    let output = qassay(folder, arguments).json();
    let questions =
        output["evaluations"][0]["experiments"]["QA"]["questions"].as_array().expect("questions").clone();
    let text =
        |q: &serde_json::Value| format!("{} {} {} {} {}", q["id"], q["status"], q["tp"], q["fp"], q["fn"]);
    questions.iter().map(text).collect()
}

#[test]
fn a_table_against_a_folder_of_results() {
    let folder = folder();
    let expected = [
        r#""1" "answered" 1 1 1"#,
        r#""2" "answered" 0 1 1"#,
        r#""3" "answered" 1 0 0"#,
        r#""4" "error" 0 0 1"#,
    ];
    assert_eq!(questions(folder.path(), "gold.csv", "results"), expected);
    // the archive has the folder as a tar: everything is read from there again
    let explained = qassay(folder.path(), ["explain", "results", "1"]).ok();
    assert!(explained.contains("http://e/Kiel"), "{explained}");
    let verified = qassay(folder.path(), ["verify"]);
    assert_eq!(verified.code, Some(0), "{}{}", verified.stdout, verified.stderr);
    // the copy in the archive is the same submission
    let archive = folder.path().join("qassay-archive");
    let is_tar =
        |path: &std::path::PathBuf| fs::read(path).is_ok_and(|bytes| bytes.get(257..262) == Some(b"ustar"));
    let files = common::files_below(&archive).into_iter().map(|path| archive.join(path));
    let tar = files.into_iter().find(is_tar).expect("a tar");
    fs::copy(tar, folder.path().join("results.tar")).expect("a copy");
    assert_eq!(questions(folder.path(), "gold.csv", "results.tar"), expected);
}

#[test]
fn a_folder_can_be_checked() {
    let folder = folder();
    let ran = qassay(folder.path(), ["check", "results"]);
    assert_eq!(ran.code, Some(1), "a broken file is an error: {}", ran.stderr);
    insta::assert_snapshot!(ran.stdout, @r"
    results (sparql-results)

    sha256        1dbe599f95778351ebd89fbd76151b8babbdd1cb5d0083efe4fe68c8c1dd27a4
    bytes         5632
    questions     4
    with answers  3
    unreadable    1
    answer rows   3
    booleans      1
    answer items  4
    answer kinds  boolean 1, literal 1, uri 2
    answer types  none given 4
    languages     none

    2 issues

    severity  issue              place              message
    error     unreadable-answer  question 4, 4.srj  the results cannot be read: no valid JSON: EOF while parsing an object at line 1 column 1
    note      ignored-file       README.md          `README.md` is no result file (`.srj`, `.json`, `.srx`, `.xml`, `.csv`, `.tsv`); it is not read
    ");
}

#[test]
fn judgements_and_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("gold.qrels"), "7 0 A 1\n7 0 B 0\n7 0 C 2\n").expect("a file");
    fs::write(folder.path().join("run.txt"), "7 Q0 B 1 3 x\n7 Q0 A 2 2 x\n").expect("a file");
    assert_eq!(questions(folder.path(), "gold.qrels", "run.txt"), [r#""7" "answered" 1 1 1"#]);
    assert_eq!(qassay(folder.path(), ["verify"]).code, Some(0));
}
