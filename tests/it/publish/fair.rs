//! Programs of others read published records: no finding. They are those of `../shared/tools/fair`, with what `.ci/fair` puts
//! below `target/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::common::{KGQAN, QALD_9_TEST_KGQAN, TEXT2SPARQL_2025, mirror, qassay, shared};
use crate::publish::record::{WHO, evaluate, example, publish};

/// Where `.ci/fair` puts what it installs.
fn installed(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/fair").join(path)
}

/// A run of a program of somebody else, which must find nothing.
#[track_caller]
fn finds_nothing(folder: &TempDir, program: &str, words: &[&str]) {
    let ran = Command::new(installed(program)).args(words).current_dir(folder.path()).output();
    let ran = ran.unwrap_or_else(|error| panic!("{program}: {error}"));
    let said = [ran.stdout, ran.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    // A note of a checker is no finding, and there are hundreds of them.
    let said: Vec<&str> = said.lines().filter(|line| !line.starts_with("note")).collect();
    assert!(ran.status.success(), "{program} {words:?}\n{}", said.join("\n"));
}

/// Runs a checker of `../shared/tools/fair`.
#[track_caller]
fn check(folder: &TempDir, checker: &str, words: &[&str]) {
    let script = shared().join("tools/fair").join(checker).display().to_string();
    finds_nothing(folder, "validators/bin/python", &[&[script.as_str()], words].concat());
}

/// Every check on a record, which is a folder.
#[track_caller]
fn is_fair(folder: &TempDir, record: &str) {
    let schema = |name: &str| installed("schemas").join(name).display().to_string();
    check(folder, "check_rdf.py", &[record, "--cross"]);
    check(folder, "check_cube.py", &[record]);
    check(folder, "check_prov.py", &[record]);
    check(folder, "check_web.py", &["--static", record]);
    check(folder, "check_crate.py", &[record, "--contexts", &schema("contexts")]);
    let schemas = [schema("datacite.json"), schema("cff.json"), schema("invenio/record-v6.0.0.json")];
    let schemas = ["--datacite-json", &schemas[0], "--cff", &schemas[1], "--invenio", &schemas[2]];
    check(folder, "check_metadata.py", &[&[record][..], &schemas].concat());
    let place = folder.path().display().to_string();
    check(folder, "check_package.py", &[record, "--secret", &place]);
    let dcat = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/publish/dcat.py").display().to_string();
    let tools = shared().join("tools/fair").display().to_string();
    finds_nothing(folder, "validators/bin/python", &[&dcat, &tools, &schema("dcat-ap-3.0.0.jsonld"), record]);
    let croissant = format!("{record}/metadata/croissant.json");
    finds_nothing(folder, "validators/bin/mlcroissant", &["validate", "--jsonld", &croissant]);
    let citation = format!("{record}/CITATION.cff");
    finds_nothing(folder, "citation/bin/cffconvert", &["--validate", "-i", &citation]);
}

/// Publishes what a word means as `record`.
#[track_caller]
fn published(folder: &TempDir, word: &str) {
    publish(folder, &[&[word, "record"][..], &WHO].concat()).ok();
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
#[cfg_attr(all(shared, not(fair)), ignore = "no validators: .ci/fair installs them")]
fn the_example() {
    let folder = example();
    published(&folder, "aurora");
    is_fair(&folder, "record");
    // A package, twice.
    for (name, threads) in [("one.zip", "1"), ("two.zip", "2")] {
        let mut command = crate::common::program(folder.path());
        command.args(["publish", "--archive", "kept", "aurora", name]).env("RAYON_NUM_THREADS", threads);
        crate::common::Ran::of(&mut command).ok();
    }
    check(&folder, "check_package.py", &["one.zip", "two.zip"]);
    publish(&folder, &["aurora", "with-doi", "--doi", "10.5281/zenodo.1234"]).ok();
    is_fair(&folder, "with-doi");
    publish(&folder, &["aurora", "bag", "--bag"]).ok();
    check(&folder, "check_package.py", &["bag"]);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
#[cfg_attr(all(shared, not(fair)), ignore = "no validators: .ci/fair installs them")]
fn a_comparison() {
    let folder = example();
    let compared = qassay(folder.path(), ["compare", "aurora", "borealis", "--archive", "kept"]);
    let iri = compared.stderr.lines().find(|line| line.contains("/comparison/")).unwrap().trim().to_owned();
    published(&folder, &iri);
    is_fair(&folder, "record");
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
#[cfg_attr(all(shared, not(fair)), ignore = "no validators: .ci/fair installs them")]
fn a_run_of_clef_with_assessments() {
    let folder = tempfile::tempdir().unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example");
    for name in ["clef-gold.csv", "clef-run.csv", "clef-assessments.csv"] {
        fs::copy(example.join(name), folder.path().join(name)).unwrap();
    }
    let words = ["clef-gold.csv", "clef-run.csv", "--profile", "clef-2004"];
    evaluate(&folder, &[&words[..], &["--assessments", "clef-assessments.csv", "--system", "run"]].concat())
        .ok();
    published(&folder, "run");
    is_fair(&folder, "record");
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
#[cfg_attr(all(shared, not(fair)), ignore = "no validators: .ci/fair installs them")]
fn kgqan_on_qald_9() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| mirror().join(name).display().to_string();
    evaluate(&folder, &[&path(QALD_9_TEST_KGQAN), &path(KGQAN), "--system", "KGQAn"]).ok();
    published(&folder, "KGQAn");
    is_fair(&folder, "record");
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
#[cfg_attr(all(shared, not(fair)), ignore = "no validators: .ci/fair installs them")]
fn wse_on_ck25_with_the_pinned_knowledge_base() {
    let folder = tempfile::tempdir().unwrap();
    let campaign = mirror().join(TEXT2SPARQL_2025);
    let path = |name: &str| campaign.join(name).display().to_string();
    let (instances, vocabulary) = (path("data/prod-inst.ttl"), path("data/prod-vocab.ttl"));
    let words = ["kb", "add", "ck25", "--version", "2025", "--archive", "kept", &instances, &vocabulary];
    qassay(folder.path(), words).ok();
    let files = [path("benchmark/ck25_true_result_set.json"), path("results/WSE/ck25_answers.json")];
    let words = ["--kb", "ck25", "--profile", "text2sparql", "-x", "QA", "--system", "WSE"];
    evaluate(&folder, &[&[files[0].as_str(), files[1].as_str()][..], &words].concat()).ok();
    published(&folder, "WSE");
    is_fair(&folder, "record");
}
