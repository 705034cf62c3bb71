//! `qassay upgrade`: archives of the first version of the model become archives of the second, with the same numbers.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{files_below, qassay};
use qassay::record::verify::packed::unpack;
use tempfile::TempDir;

const ARCHIVES: [&str; 4] = ["e565836", "6fb2ab3", "36bbb3c", "bccfdd8"];

/// An archive that an older program wrote, as `kept`.
pub(super) fn older(name: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/archives").join(format!("{name}.tar.gz"));
    let root = unpack(&packed, &folder.path().join("unpacked")).unwrap();
    fs::rename(root, folder.path().join("kept")).unwrap();
    folder
}

/// The files of the archive but those of `tmp/`.
fn contents(folder: &TempDir) -> BTreeMap<PathBuf, Vec<u8>> {
    let kept = folder.path().join("kept");
    let files = files_below(&kept).into_iter().filter(|path| !path.starts_with("tmp"));
    files.map(|path| (path.clone(), fs::read(kept.join(path)).unwrap())).collect()
}

/// What people are told of the numbers: every aggregate, every rule, every group, and every execution.
fn told(folder: &TempDir) -> Vec<String> {
    let queries = ["leaderboard", "measures", "groups", "rules", "issues", "skipped", "provenance"];
    let ask = |query| qassay(folder.path(), ["query", query, "--archive", "kept", "--format", "csv"]).ok();
    queries.into_iter().map(ask).collect()
}

#[test]
fn archives_of_older_versions_are_upgraded() {
    for name in ARCHIVES {
        let folder = older(name);
        let (before, numbers) = (contents(&folder), told(&folder));
        let dry = qassay(folder.path(), ["upgrade", "--dry-run", "--archive", "kept"]);
        assert_eq!(dry.code, Some(0), "{name}: {}", dry.stderr);
        assert_eq!(contents(&folder), before, "{name}");
        let done = qassay(folder.path(), ["upgrade", "--archive", "kept"]);
        assert_eq!(done.code, Some(0), "{name}: {}", done.stderr);
        assert_eq!(done.stdout, dry.stdout, "{name}: what would be done is what was done");
        let after = contents(&folder);
        assert!(after.contains_key(Path::new("records/archive/model.nq")), "{name}");
        let inputs = |all: &BTreeMap<PathBuf, Vec<u8>>| {
            all.keys().filter(|path| path.starts_with("files")).cloned().collect::<Vec<_>>()
        };
        assert_eq!(inputs(&before), inputs(&after), "{name}");
        assert_eq!(told(&folder), numbers, "{name}");
        let verified = qassay(folder.path(), ["verify", "kept"]);
        assert_eq!(verified.code, Some(0), "{name}: {}", verified.stdout);
        assert!(!verified.stdout.contains("that no record names"), "{name}: {}", verified.stdout);
        assert!(!verified.stdout.contains("same numbers"), "{name}: {}", verified.stdout);
        // Twice changes nothing.
        let again = qassay(folder.path(), ["upgrade", "--archive", "kept"]);
        assert!(again.stderr.contains("has version 2 of the model already"), "{name}: {}", again.stderr);
        assert_eq!(contents(&folder), after, "{name}");
    }
}

#[test]
fn an_archive_stays_what_it_is_while_evaluations_are_added() {
    let folder = older("bccfdd8");
    let before = contents(&folder);
    let example = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example").join(name);
    let (gold, answers) = (example("gold.json"), example("borealis.json"));
    let words =
        [Path::new("evaluate"), &gold, &answers, Path::new("-x"), Path::new("QA"), Path::new("--archive")];
    qassay(folder.path(), words.into_iter().chain([Path::new("kept")])).ok();
    let after = contents(&folder);
    assert!(after.len() > before.len());
    assert!(!after.contains_key(Path::new("records/archive/model.nq")));
    let graphs = after.values().map(|content| String::from_utf8_lossy(content));
    assert!(
        !graphs.into_iter().any(|text| text.contains("/graph/measures/")),
        "all aggregates are beside the scores"
    );
    let verified = qassay(folder.path(), ["verify", "kept"]);
    assert_eq!(verified.code, Some(0), "{}", verified.stdout);
}

#[test]
fn what_cannot_be_computed_again_leaves_the_archive_as_it_is() {
    let folder = older("bccfdd8");
    let input = contents(&folder).into_keys().find(|path| path.starts_with("files")).unwrap();
    fs::remove_file(folder.path().join("kept").join(input)).unwrap();
    let before = contents(&folder);
    let ran = qassay(folder.path(), ["upgrade", "--archive", "kept"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("cannot be upgraded: the archive stays as it is"), "{}", ran.stderr);
    assert_eq!(contents(&folder), before);
}

#[test]
fn what_is_published_with_a_list_of_its_files_stays() {
    let folder = older("bccfdd8");
    fs::write(folder.path().join("kept/SHA256SUMS"), "").unwrap();
    let ran = qassay(folder.path(), ["upgrade", "--archive", "kept"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("published with a list of its files"), "{}", ran.stderr);
}
