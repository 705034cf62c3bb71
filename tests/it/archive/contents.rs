//! What the records say that graphs hold: written with the graphs, added where it is not said, and verified.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{files_below, qassay};

/// An archive of the example, in `kept`.
fn kept(folder: &Path) -> PathBuf {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example");
    let [gold, answers, other] = ["gold.json", "aurora.json", "borealis.json"].map(|name| example.join(name));
    let words = [gold, answers, other].map(|path| path.to_string_lossy().into_owned());
    let [gold, answers, other] = words.each_ref().map(String::as_str);
    qassay(folder, ["evaluate", gold, answers, other, "-x", "QA", "--archive", "kept", "--quiet"]).ok();
    folder.join("kept")
}

fn descriptions(kept: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        fs::read_dir(kept.join("records/contents")).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort_unstable();
    all
}

#[test]
fn graphs_of_one_kind_share_what_is_said_and_it_is_added_where_it_is_not_said() {
    let folder = tempfile::tempdir().unwrap();
    let kept = kept(folder.path());
    let records = || {
        let files = files_below(&kept.join("records"));
        files
            .into_iter()
            .map(|file| (file.clone(), fs::read_to_string(kept.join("records").join(file)).unwrap()))
            .collect::<Vec<_>>()
    };
    let before = records();
    let links = |kind: &str| {
        let named = before.iter().flat_map(|(_, text)| text.lines()).filter(|line| {
            line.contains(&format!("/graph/{kind}/"))
                && line.contains("<https://w3id.org/qassay/ns#contents> ")
        });
        let mut named: Vec<&str> = named.map(|line| line.split(' ').nth(2).unwrap()).collect();
        let graphs = named.len();
        named.dedup();
        (graphs, named.len())
    };
    assert_eq!([links("scores"), links("measures")], [(2, 1), (2, 1)]);
    // As it was before there were descriptions.
    fs::remove_dir_all(kept.join("records/contents")).unwrap();
    for (name, text) in &before {
        let without = text.split_inclusive('\n').filter(|line| !line.contains("/ns#contents> "));
        if !text.contains("/contents/") || kept.join("records").join(name).exists() {
            fs::write(kept.join("records").join(name), without.collect::<String>()).unwrap();
        }
    }
    let query = ["query", "leaderboard", "--archive", "kept", "--format", "csv"];
    let found = qassay(folder.path(), query).ok();
    let graphs = before
        .iter()
        .flat_map(|(_, text)| text.lines())
        .filter(|line| line.contains("/ns#contents> "))
        .count();
    let told = qassay(folder.path(), ["upgrade", "--archive", "kept", "--dry-run"]).stderr;
    assert!(told.contains(&format!("; what {graphs} graphs hold can be told")), "{told}");
    assert_ne!(records(), before);
    let told = qassay(folder.path(), ["upgrade", "--archive", "kept"]).stderr;
    assert!(told.contains(&format!("; its records tell now what {graphs} graphs hold")), "{told}");
    assert_eq!(records(), before);
    assert_eq!(qassay(folder.path(), query).ok(), found);
}

#[test]
fn what_graphs_do_not_hold_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let kept = kept(folder.path());
    let verified = || qassay(folder.path(), ["verify", "kept"]);
    verified().ok();
    let all = descriptions(&kept);
    let whole = fs::read_to_string(&all[0]).unwrap();
    fs::write(&all[0], whole.split_inclusive('\n').skip(1).collect::<String>()).unwrap();
    let ran = verified();
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("this is not what graphs hold"), "{}", ran.stdout);
    fs::remove_file(&all[0]).unwrap();
    assert!(verified().stdout.contains(" is not here"));
    fs::write(&all[0], whole).unwrap();
    verified().ok();
    // Of two graphs, one says what the other holds.
    let [first, second] =
        [&all[0], &all[1]].map(|path| path.file_stem().unwrap().to_string_lossy().into_owned());
    let names_first = |path: &PathBuf| fs::read_to_string(path).is_ok_and(|text| text.contains(&first));
    let records = files_below(&kept.join("records")).into_iter().map(|file| kept.join("records").join(file));
    let record =
        records.filter(|path| !path.starts_with(kept.join("records/contents"))).find(names_first).unwrap();
    fs::write(&record, fs::read_to_string(&record).unwrap().replace(&first, &second)).unwrap();
    let told = verified().stdout;
    assert!(told.contains("holds something else than its record says"), "{told}");
}

#[test]
fn what_nothing_holds_any_more_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let kept = kept(folder.path());
    let before = descriptions(&kept);
    for system in ["aurora", "borealis"] {
        qassay(folder.path(), ["remove", system, "--archive", "kept"]).ok();
    }
    let after = descriptions(&kept);
    assert!(after.len() < before.len() && after.iter().all(|path| before.contains(path)), "{after:?}");
    qassay(folder.path(), ["verify", "kept"]);
}
