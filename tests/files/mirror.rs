//! Every file of the mirror, each a test of its own: what `qassay check` finds in it, or why no reader takes it.
//!
//! `mirror.tsv` holds the exact numbers. They were reviewed against the survey of these files (in `../shared`); where the survey
//! has numbers too, this test compares them itself. Other software counts in `tests/it/readers/qald_counts.py`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::{Failed, Trial};
use qassay::sources::file::source::Source;
use qassay::sources::quality::inspection::Inspection;

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

fn name(mirror: &Path, path: &Path) -> String {
    path.strip_prefix(mirror).expect("in the mirror").display().to_string()
}

/// The row of a file.
fn row(mirror: &Path, path: &Path) -> String {
    let name = name(mirror, path);
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

/// The rows of the table by file.
fn expected() -> BTreeMap<&'static str, &'static str> {
    let rows = include_str!("mirror.tsv").lines().skip(1);
    rows.map(|row| (row.split('\t').next().unwrap_or_default(), row)).collect()
}

/// Each file, and the table as a whole.
pub(crate) fn trials(shared: &Path) -> Vec<Trial> {
    let mirror = shared.join("data/mirror");
    let mut paths = Vec::new();
    files(&mirror, &mut paths);
    paths.sort();
    if let Some(folder) = std::env::var_os("QASSAY_MIRROR_TABLE") {
        write_table(&mirror, &paths, Path::new(&folder));
    }
    let names: BTreeSet<String> = paths.iter().map(|path| name(&mirror, path)).collect();
    let mut trials: Vec<Trial> = paths.into_iter().map(|path| trial(mirror.clone(), path)).collect();
    trials.push(Trial::test("mirror: the table has every file and no other", move || {
        let listed: BTreeSet<String> = expected().into_keys().map(str::to_owned).collect();
        same(&names, &listed)
    }));
    let shared = shared.to_path_buf();
    trials.push(Trial::test("mirror: numbers of questions are those of the survey", move || {
        compare_with_survey(&shared);
        Ok(())
    }));
    trials
}

/// To make the table anew.
fn write_table(mirror: &Path, paths: &[PathBuf], folder: &Path) {
    let rows: String = paths.iter().map(|path| row(mirror, path)).collect();
    fs::write(folder.join("mirror.tsv"), format!("{HEAD}{rows}")).expect("written");
}

fn trial(mirror: PathBuf, path: PathBuf) -> Trial {
    let name = name(&mirror, &path);
    Trial::test(format!("mirror::{name}"), move || {
        let found = row(&mirror, &path);
        same(&found.trim_end_matches('\n'), &expected().get(name.as_str()).copied().unwrap_or("no row"))
    })
}

fn same<T: PartialEq + Debug>(found: &T, expected: &T) -> Result<(), Failed> {
    if found == expected { Ok(()) } else { Err(format!("found    {found:?}\nexpected {expected:?}").into()) }
}

/// The survey counted with other software: the same number of questions in every file that it has and we have.
fn compare_with_survey(shared: &Path) {
    let survey = fs::read_to_string(shared.join("specs/datasets.tsv")).expect("the survey");
    let ours = expected();
    let mut compared = 0;
    for line in survey.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [name, repository, commit, path, _, _, questions, ..] = columns[..] else {
            panic!("an odd line: {line}")
        };
        let Some(row) = ours.get(format!("{repository}/{commit}/{path}").as_str()) else { continue };
        // The rows of NLQ are languages of questions, and one pair of them has no id.
        let expected = if name == "nlq" { "40" } else { questions };
        assert_eq!(row.split('\t').nth(2), Some(expected), "{name}");
        compared += 1;
    }
    assert!(compared >= 90, "only {compared} files of the survey are in the mirror");
}
