//! Archives that unite: whatever the order, and whoever interrupts it.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::archive::kill::{Moment, dataset, kill};
use crate::common::{files_below, qassay};

/// Three archives: the first two evaluated the same bytes, under other names; the third something else.
pub(super) fn archives() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("gold.json"), dataset(0)).unwrap();
    for (system, of) in [("Zeta", 1), ("Alpha", 1), ("Other", 2)] {
        fs::write(folder.path().join(format!("{system}.json")), dataset(of)).unwrap();
    }
    for (archive, systems) in [("a", &["Zeta"][..]), ("b", &["Alpha"]), ("c", &["Other", "Zeta"])] {
        let files = systems.iter().map(|system| format!("{system}.json"));
        let words = ["evaluate", "gold.json"].map(str::to_owned).into_iter().chain(files);
        let words =
            words.chain(["--archive", archive, "--groups", "--profile", "qassay,gerbil"].map(str::to_owned));
        qassay(folder.path(), words).ok();
    }
    folder
}

/// Everything of an archive but what can be made again.
pub(super) fn held(root: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let is_own = |path: &PathBuf| !path.starts_with("tmp") && !path.starts_with("stores");
    let files = files_below(root).into_iter().filter(is_own);
    files.map(|path| (path.clone(), fs::read(root.join(path)).unwrap())).collect()
}

#[track_caller]
pub(super) fn same(one: &Path, other: &Path) {
    let names = |held: &[(PathBuf, Vec<u8>)]| held.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
    let [one, other] = [one, other].map(held);
    assert_eq!(names(&one), names(&other));
    for ((path, bytes), (_, others)) in one.iter().zip(&other) {
        assert_eq!(String::from_utf8_lossy(bytes), String::from_utf8_lossy(others), "{}", path.display());
    }
}

#[test]
fn the_order_decides_nothing_and_once_more_changes_nothing() {
    let folder = archives();
    let folder = folder.path();
    let orders = ["abc", "acb", "bac", "bca", "cab", "cba"];
    for order in orders {
        let words = order.chars().map(String::from);
        let ran = qassay(folder, ["merge", "--archive", order].map(String::from).into_iter().chain(words));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stderr.contains("note: `Alpha` and `Zeta` share a submission"), "{}", ran.stderr);
        same(&folder.join("abc"), &folder.join(order));
    }
    let ran = qassay(folder, ["merge", "a", "cba", "b", "--archive", "abc"]);
    assert!(ran.code == Some(0) && ran.stderr.contains("merged 0 records of a"), "{}", ran.stderr);
    same(&folder.join("abc"), &folder.join("cba"));
    // What was made one after the other and what was made apart are one.
    let executions = files_below(&folder.join("abc/records/execution")).len();
    assert_eq!(executions, 8, "two profiles, four evaluations of a system");
    let verified = qassay(folder, ["verify", "abc"]).ok();
    assert!(verified.contains("Alpha, Zeta share a submission"), "{verified}");
    let table = qassay(folder, ["query", "leaderboard", "--format", "csv", "--archive", "abc"]).ok();
    assert_eq!(table.lines().count(), 1 + 6, "{table}");
}

#[test]
fn merging_into_one_that_merged_is_the_same() {
    let folder = archives();
    let folder = folder.path();
    // In pairs, packed on the way, and into an archive that has evaluations of its own.
    qassay(folder, ["merge", "b", "c", "--archive", "pair"]).ok();
    qassay(folder, ["merge", "pair", "--archive", "a"]).ok();
    qassay(folder, ["merge", "c", "--archive", "b"]).ok();
    let before = held(&folder.join("a"));
    qassay(folder, ["merge", "b", "a", "--archive", "all"]).ok();
    assert_eq!(held(&folder.join("a")), before, "what is merged stays as it is");
    same(&folder.join("a"), &folder.join("all"));
}

/// Whoever kills a merge leaves a whole archive, which the next one completes.
#[test]
fn a_killed_merge_is_completed() {
    let folder = archives();
    let folder = folder.path();
    qassay(folder, ["merge", "a", "b", "c", "--archive", "whole"]).ok();
    let words: Vec<String> = ["merge", "c", "b", "a", "--archive", "killed"].map(str::to_owned).into();
    let mut killed = 0;
    let all = held(&folder.join("whole")).len();
    for number in 0..12 {
        killed += usize::from(kill(folder, &words, &Moment::Files(3 + number * all / 12)));
        if folder.join("killed/records/archive").is_dir() {
            let verified = qassay(folder, ["verify", "killed", "--no-reexecution"]);
            assert_eq!(verified.code, Some(0), "{number}: {}\n{}", verified.stdout, verified.stderr);
        }
    }
    assert!(killed > 3, "{killed}");
    qassay(folder, &words).ok();
    // A graph that was to go when it was killed stays, and no record names it.
    qassay(folder, ["verify", "killed"]).ok();
    let [whole, done] = ["whole", "killed"].map(|name| held(&folder.join(name)));
    let missing = whole.iter().filter(|file| !done.contains(file)).map(|(path, _)| path);
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<&PathBuf>::new());
}

#[test]
fn what_cannot_be_merged_is_told_and_changes_nothing() {
    let folder = archives();
    let folder = folder.path();
    let ran = qassay(folder, ["merge", "a", "--archive", "a"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("this is the archive into which"), "{}", ran.stderr);
    let ran = qassay(folder, ["merge", "nowhere", "--archive", "new"]);
    assert!(ran.code == Some(2) && !folder.join("new").exists(), "{}", ran.stderr);
    // One that is damaged, behind one that is not.
    let graphs = folder.join("b/graphs/sha256");
    fs::write(graphs.join(&files_below(&graphs)[0]), "damaged").unwrap();
    let before = held(&folder.join("a"));
    let ran = qassay(folder, ["merge", "c", "b", "--archive", "a"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("nothing was merged"), "{}", ran.stderr);
    assert!(ran.stdout.contains("not verified: b"), "{}", ran.stdout);
    assert_eq!(held(&folder.join("a")), before);
    let evaluate =
        ["evaluate", "gold.json", "Other.json", "--archive", "d", "--base", "https://example.org/"];
    qassay(folder, evaluate).ok();
    let ran = qassay(folder, ["merge", "d", "--archive", "a"]);
    assert!(
        ran.code == Some(2) && ran.stderr.contains("the IRIs of the archive begin with"),
        "{}",
        ran.stderr
    );
}
