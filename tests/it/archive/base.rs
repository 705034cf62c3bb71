//! `--base`: an archive under a base of the user's own, from its beginning or by `qassay upgrade --base`, is the same one with
//! other names.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::archive::upgrade::older;
use crate::common::{Ran, files_below, kept_text, qassay};
use tempfile::TempDir;

const BASE: &str = "https://archive.example/qa/";
const USUAL: &str = "https://w3id.org/qassay/";

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example").join(name);
    path.to_str().unwrap().to_owned()
}

fn run(folder: &TempDir, words: &[&str]) -> Ran {
    qassay(folder.path(), words.iter().chain(&["--archive", "kept"]))
}

/// Two systems and their comparison; one of them against what a pinned knowledge base answers, too.
fn filled(more: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for system in ["aurora.json", "borealis.json"] {
        let words = ["evaluate", &example("gold.json"), &example(system)];
        run(&folder, &[&words[..], more].concat()).ok();
    }
    run(&folder, &["compare", "aurora", "borealis"]).ok();
    run(&folder, &["kb", "add", "example", "--version", "1", &example("kb.ttl")]).ok();
    let words = ["evaluate", &example("gold.json"), &example("aurora.json")];
    run(&folder, &[&words[..], &["--kb", "example@1", "--gold", "both"]].concat()).ok();
    folder
}

/// The graphs by what is written in them, without those that have a clock.
fn graphs(folder: &TempDir) -> BTreeMap<PathBuf, String> {
    let kept = folder.path().join("kept/graphs");
    let read = files_below(&kept).into_iter().map(|path| (path.clone(), kept_text(&kept.join(path))));
    read.filter(|(_, text)| {
        !["prov", "messages"].iter().any(|kind| text.contains(&format!("/graph/{kind}/")))
    })
    .collect()
}

fn verified(folder: &TempDir) {
    let verified = run(folder, &["verify"]);
    assert_eq!(verified.code, Some(0), "{}{}", verified.stdout, verified.stderr);
    assert!(!verified.stdout.contains("that no record names"), "{}", verified.stdout);
    assert!(!verified.stdout.contains("same numbers"), "{}", verified.stdout);
}

/// No file of an archive has a name under the usual base but those that the ontology and the program define.
fn only_terms_are_ours(folder: &TempDir) {
    let kept = folder.path().join("kept");
    for part in ["graphs", "records"] {
        for path in files_below(&kept.join(part)) {
            let text = kept_text(&kept.join(part).join(&path));
            for name in text.split(&format!("<{USUAL}")).skip(1) {
                let name = name.split(['/', '#', '>']).next().unwrap();
                let defined =
                    ["ns", "code", "model", "profile", "protocol", "query", "set", "shapes", "step"];
                assert!(defined.contains(&name), "{}: {name}", path.display());
            }
        }
    }
}

#[test]
fn an_archive_is_the_same_under_any_base_from_its_beginning_or_later() {
    let (usual, own) = (filled(&[]), filled(&["--base", BASE]));
    verified(&own);
    only_terms_are_ours(&own);
    let iris = |folder: &TempDir| run(folder, &["query", "leaderboard", "--format", "csv"]).ok();
    assert_eq!(iris(&usual).replace(USUAL, BASE), iris(&own).replace(USUAL, BASE), "the keys are the same");
    let before = graphs(&usual);
    let dry = run(&usual, &["upgrade", "--base", BASE, "--dry-run"]);
    assert!(dry.code == Some(0) && dry.stderr.contains("nothing is changed"), "{}", dry.stderr);
    assert_eq!(graphs(&usual), before);
    run(&usual, &["upgrade", "--base", BASE]).ok();
    verified(&usual);
    only_terms_are_ours(&usual);
    assert_eq!(graphs(&usual), graphs(&own), "renamed it has the bytes of the one that had the base always");
    // There and back.
    run(&usual, &["upgrade", "--base", USUAL]).ok();
    assert_eq!(graphs(&usual), before);
    verified(&usual);
    let again = run(&usual, &["upgrade", "--base", USUAL]);
    assert!(again.code == Some(0) && again.stderr.contains("already"), "{}", again.stderr);
}

#[test]
fn whatever_older_archives_have_is_renamed() {
    for name in ["e565836", "36bbb3c", "bccfdd8"] {
        let folder = older(name);
        qassay(folder.path(), ["upgrade", "--archive", "kept"]).ok();
        run(&folder, &["upgrade", "--base", BASE]).ok();
        verified(&folder);
        only_terms_are_ours(&folder);
    }
}

#[test]
fn names_under_the_base_are_names_and_no_addresses() {
    let folder = filled(&["--base", BASE]);
    let list = run(&folder, &["list", "evaluation", "--format", "json"]).json();
    let iri = list[0]["iri"].as_str().unwrap();
    assert!(iri.starts_with(BASE), "{iri}");
    let told = run(&folder, &["verify", iri, "--no-reexecution"]);
    assert_eq!(told.code, Some(0), "{}", told.stderr);
}

#[test]
fn what_is_no_base_is_told() {
    let folder = filled(&[]);
    let words = ["evaluate", &example("gold.json"), &example("aurora.json")];
    let mut told = Vec::new();
    for base in [
        "example.org/qa/",
        "urn:qa/",
        "https://example.org/qa",
        "https://example.org/qa/?x/",
        "https://example.org/qa/#/",
        "https://me@example.org/",
        "https://EXAMPLE.org/",
        "https://example.org/a/../b/",
        "https://example.org/a b/",
        "https://example.org/<x>/",
        "https://w3id.org/",
        "https://w3id.org/qassay/mine/",
        &format!("https://example.org/{}/", "a".repeat(200)),
    ] {
        for words in [&["upgrade"][..], &words] {
            let ran = run(&folder, &[words, &["--base", base]].concat());
            assert_eq!(ran.code, Some(2), "{base}: {}", ran.stderr);
        }
        let ran = run(&folder, &["upgrade", "--base", base]);
        told.push(ran.stderr.lines().next().unwrap_or_default().to_owned());
    }
    insta::assert_snapshot!(told.join("\n"));
    let other = run(&folder, &[&words[..], &["--base", BASE]].concat());
    assert!(
        other.code == Some(2) && other.stderr.contains("the archive has another base"),
        "{}",
        other.stderr
    );
    verified(&folder);
}

#[test]
fn what_is_published_keeps_its_names_and_goes_only_where_its_base_is() {
    let folder = filled(&["--base", BASE]);
    let who = [
        "--creator",
        "Ada Example <https://example.org/ada>",
        "--licence",
        "CC-BY-4.0",
        "--date",
        "2026-11-24",
    ];
    run(&folder, &[&["publish", "borealis", "record", "--base", BASE][..], &who].concat()).ok();
    let verified = qassay(folder.path(), ["verify", "record"]);
    assert!(matches!(verified.code, Some(0 | 3)), "{}", verified.stdout);
    for path in files_below(&folder.path().join("record")) {
        let name = path.display().to_string();
        let text = String::from_utf8_lossy(&fs::read(folder.path().join("record").join(&path)).unwrap())
            .into_owned();
        assert!(!text.contains(&format!("{USUAL}evaluation/")), "{name}");
        assert!(!text.contains(&format!("{USUAL}catalog")), "{name}");
    }
    let renamed = run(&folder, &["upgrade", "--base", USUAL]);
    assert!(renamed.code == Some(2) && renamed.stderr.contains("keeps its IRIs"), "{}", renamed.stderr);
    // A new archive gets the base of what is imported, another one refuses it.
    qassay(folder.path(), ["import", "record", "--archive", "new"]).ok();
    let list = qassay(folder.path(), ["list", "evaluation", "--archive", "new"]).ok();
    assert!(list.contains("borealis"), "{list}");
    qassay(folder.path(), ["evaluate", &example("gold.json"), &example("aurora.json"), "--archive", "other"])
        .ok();
    let refused = qassay(folder.path(), ["import", "record", "--archive", "other"]);
    assert!(refused.code == Some(2) && refused.stderr.contains(BASE), "{}", refused.stderr);
    // The site is of the base too.
    run(&folder, &[&["publish", "--site", "site", "--all"][..], &who].concat()).ok();
    let catalogue = fs::read_to_string(folder.path().join("site/catalog.ttl")).unwrap();
    assert!(catalogue.contains(BASE) && !catalogue.contains(&format!("{USUAL}catalog")), "{catalogue}");
    // Our terms have pages there too.
    assert!(folder.path().join("site/profile/qassay/4.html").is_file());
    let verified = qassay(folder.path(), ["verify", "site", "--no-reexecution"]);
    assert!(matches!(verified.code, Some(0 | 3)), "{}", verified.stdout);
}
