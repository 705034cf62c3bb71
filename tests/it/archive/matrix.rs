//! A matrix of evaluations: resumed, in shards, with failures.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::archive::kill::{Moment, dataset, kill};
use crate::archive::merge::held;
use crate::common::{files_below, kept_text, qassay};

#[cfg(shared)]
use crate::common::{KGQAN, QALD_8_TRAIN, QALD_9_TEST_KGQAN, mirror, qald_8_answers};

const FILE: &str = "datasets:
  - gold: gold.json
    systems:
      - one.json
      - two.json
      - {answers: one.json, name: again}
  - gold: other.json
    systems: [two.json, three.json]
profiles: [qassay, gerbil]
conditions:
  - {}
  - {name: linked, links: links.nt}
";

/// How many cells the file has.
const CELLS: usize = 20;

fn files() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, system) in [("gold", 0), ("one", 1), ("two", 2), ("three", 3), ("other", 4)] {
        fs::write(folder.path().join(format!("{name}.json")), dataset(system)).unwrap();
    }
    let link = "<http://dbpedia.org/resource/R1_0> <http://www.w3.org/2002/07/owl#sameAs> <http://x/1> .\n";
    fs::write(folder.path().join("links.nt"), link).unwrap();
    fs::write(folder.path().join("m.yaml"), FILE).unwrap();
    folder
}

/// The checksums of all graphs of evaluations and inputs: everything but what tells of executions.
pub(super) fn digests(archive: &Path) -> BTreeSet<String> {
    let graphs = files_below(&archive.join("graphs")).into_iter().filter(|path| {
        let content = kept_text(&archive.join("graphs").join(path));
        !content.contains("/graph/prov/") && !content.contains("/graph/messages/")
    });
    let files = files_below(&archive.join("files")).into_iter();
    graphs.chain(files).map(|path| path.display().to_string()).collect()
}

fn matrix(folder: &Path, words: &[&str]) -> (Option<i32>, Vec<Value>) {
    let ran = qassay(folder, [&["matrix", "m.yaml", "--format", "json"], words].concat());
    let cells = serde_json::from_str::<Value>(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr));
    (ran.code, cells.as_array().unwrap().clone())
}

/// What came of each cell.
pub(super) fn states(cells: &[Value]) -> Vec<&str> {
    cells.iter().map(|cell| cell["state"].as_str().unwrap()).collect()
}

/// In one go with one thread, with two, and as shards that are merged.
fn same_in_every_way(folder: &Path) -> usize {
    for (archive, words) in [("one", ["--threads", "1"]), ("two", ["--groups-at-once", "3"])] {
        let (code, cells) = matrix(folder, &[&["--archive", archive], &words[..]].concat());
        assert_eq!(code, Some(0), "{cells:#?}");
        assert!(states(&cells).iter().all(|state| *state == "kept"), "{cells:#?}");
    }
    let mut cells = 0;
    for shard in 1..=4 {
        let words =
            ["--shard", &format!("{shard}/4"), "--archive", &format!("shard-{shard}")].map(str::to_owned);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (code, done) = matrix(folder, &words);
        assert_eq!(code, Some(0), "{done:#?}");
        cells += done.len();
    }
    qassay(folder, ["merge", "shard-4", "shard-2", "shard-1", "shard-3", "--archive", "merged"]).ok();
    let whole = digests(&folder.join("one"));
    assert!(whole.len() > cells);
    for other in ["two", "merged"] {
        assert_eq!(digests(&folder.join(other)), whole, "{other}");
    }
    // And nothing is left to do in what was merged.
    let (_, done) = matrix(folder, &["--dry-run", "--archive", "merged"]);
    assert!(states(&done).iter().all(|state| *state == "there"), "{done:#?}");
    cells
}

#[test]
fn shards_that_are_merged_are_the_whole() {
    let folder = files();
    assert_eq!(same_in_every_way(folder.path()), CELLS);
    let verified = qassay(folder.path(), ["verify", "merged"]).ok();
    assert!(!verified.contains("differs"), "{verified}");
}

/// Real files: two editions of QALD with the answers of five systems.
#[test]
#[cfg_attr(not(shared), ignore = "needs ../shared")]
fn shards_of_real_files_are_the_whole() {
    #[cfg(shared)]
    {
        let folder = tempfile::tempdir().unwrap();
        let path = |relative: &str| mirror().join(relative).display().to_string();
        let systems =
            ["AskNow", "GANSWER2", "QAKIS", "TeBaQA"].map(|system| path(&qald_8_answers(system, "json")));
        let text = format!(
            "datasets:\n  - gold: {}\n    systems: [{}]\n  - gold: {}\n    systems: [{}]\nprofiles: [qassay, gerbil, qald]\n",
            path(QALD_8_TRAIN),
            systems.join(", "),
            path(QALD_9_TEST_KGQAN),
            path(KGQAN)
        );
        fs::write(folder.path().join("m.yaml"), text).unwrap();
        assert_eq!(same_in_every_way(folder.path()), 15);
    }
}

#[test]
fn what_is_there_is_skipped() {
    let folder = files();
    let folder = folder.path();
    let (_, cells) = matrix(folder, &["--dry-run"]);
    assert_eq!(states(&cells), ["to-do"; CELLS]);
    assert!(!folder.join("qassay-archive").exists(), "a dry run keeps nothing");
    qassay(folder, ["evaluate", "gold.json", "two.json", "--links", "links.nt", "--profile", "gerbil"]).ok();
    // The same bytes under another name are another cell.
    qassay(folder, ["evaluate", "gold.json", "one.json", "--system", "again"]).ok();
    let (_, cells) = matrix(folder, &["--dry-run"]);
    let there = cells.iter().filter(|cell| cell["state"] == "there");
    let there: Vec<_> = there.map(|cell| cell["cell"].as_u64().unwrap()).collect();
    assert_eq!(there, [3, 11], "{cells:#?}");
    let words = ["matrix", "m.yaml", "--archive", "killed"].map(str::to_owned);
    let killed = (1..6).filter(|number| kill(folder, &words, &Moment::Files(30 * number))).count();
    assert!(killed > 1, "{killed}");
    let (code, cells) = matrix(folder, &["--archive", "killed"]);
    assert!(code == Some(0) && states(&cells).contains(&"there") && !states(&cells).contains(&"failed"));
    let before = held(&folder.join("killed"));
    let (_, cells) = matrix(folder, &["--archive", "killed"]);
    assert_eq!(states(&cells), ["there"; CELLS]);
    assert_eq!(held(&folder.join("killed")), before, "nothing is scored twice");
    qassay(folder, ["verify", "killed"]).ok();
}

#[test]
fn a_cell_that_fails_is_told_and_the_others_go_on() {
    let folder = files();
    let folder = folder.path();
    fs::write(folder.join("three.json"), "{").unwrap();
    fs::remove_file(folder.join("one.json")).unwrap();
    let (code, cells) = matrix(folder, &[]);
    assert_eq!((code, cells.len()), (Some(1), CELLS));
    for cell in &cells {
        let is_broken =
            ["one.json", "three.json"].iter().any(|name| cell["answers"].as_str().unwrap().ends_with(name));
        assert_eq!(cell["state"] == "failed", is_broken, "{cell:#}");
        assert_eq!(cell["cause"].is_null(), !is_broken, "{cell:#}");
    }
    let ran = qassay(folder, ["matrix", "m.yaml"]);
    assert!(ran.stderr.contains("20 cells of 20: 8 there, 12 failed"), "{}", ran.stderr);
    assert!(ran.stdout.contains("three.json"), "{}", ran.stdout);
}

#[test]
fn bad_files_and_words_are_refused() {
    let folder = files();
    let folder = folder.path();
    fs::write(folder.join("bad.yaml"), FILE.replace("profiles", "profile")).unwrap();
    let ran = qassay(folder, ["matrix", "bad.yaml"]);
    assert!(
        ran.code == Some(2) && ran.stderr.contains("bad.yaml, line 9: the matrix has no `profile`"),
        "{}",
        ran.stderr
    );
    for shard in ["0/4", "5/4", "3", "a/b", "1/0"] {
        let ran = qassay(folder, ["matrix", "m.yaml", "--shard", shard]);
        assert!(ran.code == Some(2) && ran.stderr.contains("is no shard"), "{}", ran.stderr);
    }
    assert!(!folder.join("qassay-archive").exists());
}
