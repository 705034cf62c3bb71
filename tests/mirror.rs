//! Every file of the mirror: what `qassay check` finds in it, or why no reader takes it.
//!
//! `tests/mirror.tsv` holds the exact numbers. They were reviewed against the survey (`specs/formats.md`); where the survey
//! has numbers too, this test compares them itself. Other software counts in `tests/readers.py`.

#![expect(dead_code, reason = "each test file uses a part of the common module")]

mod common;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use common::{mirror, shared};
use qassay::quality::Inspection;
use qassay::read::Source;

const HEAD: &str = "file\tformat\tquestions\tanswers by kind\trows\tqueries\ttexts by language\tissues\n";

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

fn listed(counts: &BTreeMap<impl AsRef<str>, usize>) -> String {
    counts.iter().map(|(name, count)| format!("{}={count}", name.as_ref())).collect::<Vec<_>>().join(" ")
}

/// The row of a file.
fn row(mirror: &Path, path: &Path) -> String {
    let name = path.strip_prefix(mirror).expect("in the mirror").display().to_string();
    match Source::open(path).and_then(Inspection::of) {
        Ok(inspection) => format!("{name}\t{}\n", columns(&inspection)),
        Err(error) => {
            let told = error.to_string().replace(&path.display().to_string(), "FILE");
            format!("{name}\tnone\t\t\t\t\t\t{}\n", told.lines().next().unwrap_or_default())
        }
    }
}

fn columns(inspection: &Inspection) -> String {
    let questions = &inspection.document.questions;
    let mut issues = BTreeMap::new();
    for issue in &inspection.issues {
        *issues.entry(issue.code.name()).or_insert(0_usize) += 1;
    }
    let rows: usize = questions.iter().flat_map(|q| &q.answers.sets).map(|set| set.rows.len()).sum();
    [
        inspection.format.name.to_owned(),
        questions.len().to_string(),
        listed(&inspection.contents.answer_kinds),
        rows.to_string(),
        questions.iter().map(|question| question.queries.len()).sum::<usize>().to_string(),
        listed(&inspection.contents.languages),
        listed(&issues),
    ]
    .join("\t")
}

#[test]
fn every_file_of_the_mirror_is_read_as_the_table_says() {
    let Some(mirror) = mirror() else { return };
    let mut paths = Vec::new();
    files(&mirror, &mut paths);
    paths.sort();
    let mut table = HEAD.to_owned();
    for path in &paths {
        table += &row(&mirror, path);
    }
    // To make the table anew.
    if let Some(folder) = std::env::var_os("QASSAY_MIRROR_TABLE") {
        fs::write(Path::new(&folder).join("mirror.tsv"), &table).expect("written");
    }
    let expected = include_str!("mirror.tsv");
    let mut different = String::new();
    for (ours, theirs) in table.lines().zip(expected.lines()).filter(|(ours, theirs)| ours != theirs) {
        let _ = writeln!(different, "found    {ours}\nexpected {theirs}");
    }
    assert!(different.is_empty(), "{different}");
    assert_eq!(table.lines().count(), expected.lines().count());
}

/// The survey counted with other software: the same number of questions in every file that it has and we have.
#[test]
fn the_numbers_of_questions_are_those_of_the_survey() {
    let Some(shared) = shared() else { return };
    let survey = fs::read_to_string(shared.join("specs/datasets.tsv")).expect("the survey");
    let ours: BTreeMap<&str, &str> = include_str!("mirror.tsv")
        .lines()
        .skip(1)
        .map(|line| {
            let mut columns = line.split('\t');
            let file = columns.next().expect("a file");
            (file, columns.nth(1).expect("questions"))
        })
        .collect();
    let mut compared = 0;
    for line in survey.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [name, repository, commit, path, _, _, questions, ..] = columns[..] else {
            panic!("an odd line: {line}")
        };
        let Some(found) = ours.get(format!("{repository}/{commit}/{path}").as_str()) else { continue };
        // The rows of NLQ are languages of questions, and one pair of them has no id.
        let expected = if name == "nlq" { "40" } else { questions };
        assert_eq!(*found, expected, "{name}");
        compared += 1;
    }
    assert!(compared >= 90, "only {compared} files of the survey are in the mirror");
}
