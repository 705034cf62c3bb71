//! Systems that share a submission: the same bytes under two names.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::archive::kill::dataset;
use crate::common::{files_below, qassay};

/// A folder with a gold file and a file of answers.
fn files() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("gold.json"), dataset(0)).unwrap();
    fs::write(folder.path().join("answers.json"), dataset(1)).unwrap();
    folder
}

/// The systems of the leaderboard, each with the rest of its row.
fn leaderboard(folder: &Path) -> Vec<(String, String)> {
    let table = qassay(folder, ["query", "leaderboard", "--format", "csv"]).ok();
    let row = |line: &str| {
        let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
        (cells.remove(2), cells.join(","))
    };
    table.lines().skip(1).map(row).collect()
}

fn count(folder: &Path, below: &str) -> usize {
    files_below(&folder.join("qassay-archive").join(below)).len()
}

#[test]
fn both_systems_are_there() {
    let folder = files();
    let folder = folder.path();
    qassay(folder, ["evaluate", "gold.json", "answers.json", "--system", "A"]).ok();
    let before = count(folder, "files");
    let ran = qassay(folder, ["evaluate", "gold.json", "answers.json", "--system", "B"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let told = "note: `B` shares its submission with `A`: the same bytes, so the same values";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);

    let rows = leaderboard(folder);
    let [(one, values), (other, same)] = &rows[..] else { panic!("not two systems: {rows:?}") };
    assert_eq!((one.as_str(), other.as_str()), ("A", "B"));
    assert_eq!(values, same, "the same evaluation");
    assert_eq!([count(folder, "files"), count(folder, "records/submission")], [before, 1]);
    let list = qassay(folder, ["list", "evaluation", "--format", "csv"]).ok();
    let systems: Vec<&str> = list.lines().skip(1).filter_map(|line| line.split(',').nth(1)).collect();
    assert_eq!(systems, ["A", "B"]);
    let list = qassay(folder, ["list", "system", "--format", "csv"]).ok();
    assert_eq!(list.lines().filter(|line| line.starts_with("system,")).count(), 2, "{list}");
    for system in ["A", "B"] {
        qassay(folder, ["explain", system, "1"]).ok();
    }
    let verified = qassay(folder, ["verify"]).ok();
    assert!(verified.contains("A, B share a submission: they gave the same bytes"), "{verified}");
    assert!(verified.contains("same") && !verified.contains("differs"), "{verified}");

    // What is exported has both, and is whole.
    qassay(folder, ["export", "B", "both.tar.gz"]).ok();
    let exported = qassay(folder, ["verify", "both.tar.gz"]).ok();
    assert!(exported.contains("A, B share a submission"), "{exported}");

    // A third time, nothing is new.
    let records = count(folder, "records/system");
    qassay(folder, ["evaluate", "gold.json", "answers.json", "--system", "A"]).ok();
    assert_eq!((count(folder, "records/system"), leaderboard(folder).len()), (records, 2));
}

#[test]
fn one_goes_and_the_other_stays() {
    for (goes, stays) in [("A", "B"), ("B", "A")] {
        let folder = files();
        let folder = folder.path();
        for system in ["A", "B"] {
            qassay(folder, ["evaluate", "gold.json", "answers.json", "--system", system]).ok();
        }
        let ran = qassay(folder, ["remove", goes]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stderr.contains(&format!("/system  system, {goes}")), "{}", ran.stderr);
        let rows = leaderboard(folder);
        assert_eq!(rows.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), [stays]);
        assert_eq!((count(folder, "records/system"), count(folder, "records/submission")), (0, 1));
        let verified = qassay(folder, ["verify"]).ok();
        assert!(!verified.contains("note:"), "{verified}");
        let gone = qassay(folder, ["explain", goes, "1"]);
        assert_eq!(gone.code, Some(2), "{}", gone.stderr);
        // The last one goes with its evaluation.
        qassay(folder, ["remove", stays]).ok();
        assert_eq!(leaderboard(folder), []);
        let submission = qassay(folder, ["list", "submission", "--format", "csv"]).ok();
        let iri = submission.lines().nth(1).and_then(|line| line.rsplit(',').next()).unwrap();
        qassay(folder, ["remove", iri]).ok();
        assert_eq!(count(folder, "records/submission"), 0);
    }
}

#[test]
fn a_submission_goes_with_all_its_systems() {
    let folder = files();
    let folder = folder.path();
    // In one run, both are named: two files without names are one that was named twice.
    let ran = qassay(folder, ["evaluate", "gold.json", "answers.json", "answers.json"]);
    assert!(ran.code == Some(2), "{}", ran.stderr);
    fs::copy(folder.join("answers.json"), folder.join("copy.json")).unwrap();
    let ran = qassay(folder, ["evaluate", "gold.json", "answers.json", "copy.json"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("the same bytes as answers.json"), "{}", ran.stderr);
    let words = ["evaluate", "gold.json", "answers.json", "copy.json", "--system", "A", "--system", "B"];
    let ran = qassay(folder, words);
    assert!(
        ran.code == Some(0) && ran.stderr.contains("`B` shares its submission with `A`"),
        "{}",
        ran.stderr
    );
    assert_eq!(leaderboard(folder).len(), 2, "one evaluation of two systems");
    let list = qassay(folder, ["list", "--format", "json"]).json();
    let iris: Vec<&str> = list.as_array().unwrap().iter().filter_map(|one| one["iri"].as_str()).collect();
    let shared = iris.iter().find(|iri| iri.ends_with("/system")).unwrap();
    let ran = qassay(folder, ["remove", shared]);
    assert!(ran.code == Some(2) && ran.stderr.contains("is what several systems share"), "{}", ran.stderr);
    let others: Vec<&str> = iris.iter().filter(|iri| !iri.ends_with("/system")).copied().collect();
    qassay(folder, ["remove"].into_iter().chain(others)).ok();
    // The version of the model stays.
    assert_eq!([count(folder, "records"), count(folder, "graphs"), count(folder, "files")], [1, 0, 0]);
}

/// The campaign knows a submission by who sent it.
#[test]
fn blind_submissions_stay_with_who_sent_them() {
    let folder = files();
    let folder = folder.path();
    qassay(folder, ["evaluate", "--blind", "gold.json", "answers.json", "--system", "A"]).ok();
    let ran = qassay(folder, ["evaluate", "--blind", "gold.json", "answers.json", "--system", "B"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("accepted from another system"), "{}", ran.stderr);
    qassay(folder, ["evaluate", "gold.json", "answers.json", "--system", "B"]).ok();
    qassay(folder, ["verify"]).ok();
    let released = qassay(folder, ["release", "gold.json"]).ok();
    assert!(released.contains('A') && !released.lines().any(|line| line.starts_with("B ")), "{released}");
}
