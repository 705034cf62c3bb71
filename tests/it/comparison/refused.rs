//! What is asked of comparisons and cannot be: names that nobody can see, archives that nobody can write into.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::archive::write;
use crate::common::{Ran, program, qassay};

/// A gold file, and two systems.
fn files() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let all: Vec<String> = (10..22).map(|id| id.to_string()).collect();
    for (name, wrong) in [("gold.json", 0), ("one.json", 3), ("other.json", 9)] {
        let answer =
            |at: usize| if at < wrong { &["http://example.org/b"] } else { &["http://example.org/a"] };
        let answers = all.iter().enumerate().map(|(at, id)| (id.as_str(), &answer(at)[..]));
        let answers: Vec<(&str, &[&str])> = answers.collect();
        write(folder.path(), name, &answers);
    }
    folder
}

fn run(folder: &Path, words: &str) -> Ran {
    qassay(folder, words.split(' '))
}

/// By every verb that takes one, before anything is computed or kept.
#[test]
fn names_of_systems_can_be_seen_and_have_an_end() {
    let folder = files();
    let (long, longest) = ("x".repeat(1_025), "x".repeat(1_024));
    let verbs: [&[&str]; 3] = [
        &["evaluate", "gold.json", "one.json"],
        &["compare", "gold.json", "one.json"],
        &["ask", "gold.json", "http://127.0.0.1:9/", "--dry-run"],
    ];
    for verb in verbs {
        for name in ["", " ", "\u{200b}\u{feff}", &long] {
            let ran = qassay(folder.path(), verb.iter().chain(&["--system", name]));
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{verb:?} {name:?}: {}", ran.stderr);
            let told = if name.len() < 10 {
                format!("error: {name:?} is no name of a system.\nallowed: visible characters\n")
            } else {
                "error: the name of a system has 1025 bytes, more than 1 KiB, a limit of qassay.\n".to_owned()
            };
            assert_eq!(ran.stderr, told, "{verb:?}");
        }
    }
    assert!(!folder.path().join("qassay-archive").exists());
    let words = ["evaluate", "gold.json", "one.json", "--quiet", "--format", "json", "--system", &longest];
    assert_eq!(qassay(folder.path(), words).json()["evaluations"][0]["system"], *longest);
}

/// A folder that cannot be written to is told of before files are scored, and what is computed is shown. (Of evaluations that are
/// kept: `archive::comparisons_damaged`.)
#[test]
fn what_cannot_be_kept_is_told_first_and_shown() {
    let folder = files();
    // As if it were on a medium that cannot be written to: also for who may write everywhere.
    fs::write(folder.path().join("file"), "").unwrap();
    let words = "compare gold.json one.json other.json --archive file/kept -x QA";
    let ran = run(folder.path(), words);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stdout.contains("one is ahead of other by more than chance"), "{}", ran.stdout);
    let (first, rest) = ran.stderr.split_once('\n').unwrap();
    assert!(first.starts_with("note: nothing will be kept: file/kept: "), "{}", ran.stderr);
    assert!(
        rest.starts_with("error: file/kept: ") && rest.contains("`--no-archive` keeps nothing"),
        "{rest}"
    );
    run(folder.path(), &format!("{words} --no-archive")).ok();
    // Where there is none, none is made.
    let ran = run(folder.path(), "compare --archive nowhere");
    assert!(ran.stderr.starts_with("error: nowhere: there is no qassay archive here"), "{}", ran.stderr);
    assert!(!folder.path().join("nowhere").exists());
}

/// A query is a file or standard input, as with `qassay query`.
#[test]
fn queries_that_choose_come_from_files_and_standard_input() {
    let folder = files();
    run(folder.path(), "evaluate gold.json one.json other.json --quiet -x QA").ok();
    let ask = |query: &str| {
        let mut command = program(folder.path());
        let words = ["compare", "--where", "-", "--format", "json", "--quiet"];
        Ran::of(command.args(words).write_stdin(query.to_owned()))
    };
    let all = "SELECT ?evaluation { GRAPH ?graph { ?evaluation a qassay:Evaluation } }";
    assert_eq!(ask(all).json()["evaluations"].as_array().unwrap().len(), 2);
    assert_eq!(
        ask(&format!("{all} ORDER BY ?evaluation LIMIT 1")).json()["evaluations"].as_array().unwrap().len(),
        1
    );
    let ran = ask("SELECT");
    assert!(
        ran.code == Some(2) && ran.stderr.starts_with("error: standard input, line 1, "),
        "{}",
        ran.stderr
    );
    fs::write(folder.path().join("latin.rq"), b"# caf\xe9\n").unwrap();
    for (file, told) in
        [("no.rq", "error: no.rq: no such file"), ("latin.rq", "error: latin.rq: cannot read the query")]
    {
        let ran = run(folder.path(), &format!("compare --where {file}"));
        assert!(ran.code == Some(2) && ran.stderr.starts_with(told), "{}", ran.stderr);
    }
}
