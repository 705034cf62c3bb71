//! What has no licence is in no form of a record; what has one goes by it.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{files_below, qassay};
use crate::publish::record::{WHO, evaluate, publish, text};

/// An archive in `kept` with an evaluation of the example whose files no catalogue knows.
fn archive() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let example = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example");
    for name in ["gold", "aurora"] {
        let content = fs::read_to_string(example.join(name).with_extension("json")).unwrap();
        let mut content: Value = serde_json::from_str(&content).unwrap();
        content["dataset"]["id"] = "private".into();
        fs::write(folder.path().join(format!("{name}.json")), content.to_string()).unwrap();
    }
    evaluate(&folder, &["gold.json", "aurora.json"]).ok();
    folder
}

/// The texts in JSON that say something: questions, queries, answers.
fn strings(value: &Value, all: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if text.len() > 6 && text != "private" => {
            all.insert(text.clone());
        }
        Value::Array(values) => values.iter().for_each(|value| strings(value, all)),
        Value::Object(values) => values.values().for_each(|value| strings(value, all)),
        _ => {}
    }
}

/// How many texts of the inputs each file of a record quotes.
fn quoting(folder: &TempDir, record: &str) -> Vec<String> {
    let mut quoted = BTreeSet::new();
    for name in ["gold.json", "aurora.json"] {
        strings(&serde_json::from_str(&text(folder, name)).unwrap(), &mut quoted);
    }
    // Words of RDF and of our own vocabulary say nothing of a file.
    quoted.retain(|text| {
        !text.starts_with("http://www.w3.org/") && !["resource", "literal"].contains(&text.as_str())
    });
    assert!(quoted.len() > 40, "{}", quoted.len());
    let files = files_below(&folder.path().join(record)).into_iter();
    let files = files.filter(|name| {
        let content = fs::read(folder.path().join(record).join(name)).unwrap();
        let content = String::from_utf8_lossy(&content).into_owned();
        // The vocabulary is ours, whatever it gives as an example.
        !content.contains("<https://w3id.org/qassay/ns/0.1.0> .\n")
            && quoted.iter().any(|text| content.contains(text.as_str()))
    });
    files.map(|name| name.to_string_lossy().into_owned()).collect()
}

#[test]
fn what_has_no_licence_is_in_no_form() {
    let folder = archive();
    publish(&folder, &[&["aurora", "record"][..], &WHO].concat()).ok();
    assert_eq!(quoting(&folder, "record"), [""; 0]);
    let verified = qassay(folder.path(), ["verify", "record"]);
    assert_eq!(verified.code, Some(3), "{}\n{}", verified.stdout, verified.stderr);
    assert!(verified.stdout.contains("it is withheld"), "{}", verified.stdout);
    let told = publish(&folder, &["aurora", "x", "--check", "--format", "json"]).json();
    let why: BTreeSet<&str> =
        told["withheld"].as_array().unwrap().iter().map(|part| part["why"].as_str().unwrap()).collect();
    assert_eq!(
        why.into_iter().collect::<Vec<_>>(),
        ["no licence is stated for Answers of aurora", "no licence is stated for private"]
    );
    assert!(!folder.path().join("x").exists());
    // Without inputs, nothing that quotes them is exported either.
    qassay(folder.path(), ["export", "aurora", "plain", "--no-inputs", "--archive", "kept"]).ok();
    assert_eq!(quoting(&folder, "plain"), [""; 0]);
}

#[test]
fn the_publisher_can_state_licences() {
    let folder = archive();
    let licences = ["--input-licence", "private=CC-BY-SA-4.0", "--input-licence", "aurora=MIT"];
    publish(&folder, &[&["aurora", "record"][..], &WHO, &licences].concat()).ok();
    assert!(!quoting(&folder, "record").is_empty());
    assert_eq!(qassay(folder.path(), ["verify", "record"]).code, Some(0));
    let crated: Value = serde_json::from_str(&text(&folder, "record/ro-crate-metadata.json")).unwrap();
    let licence = |name: &str| {
        let all = crated["@graph"].as_array().unwrap();
        all.iter().find(|one| one["name"] == name).map(|one| one["license"]["@id"].clone())
    };
    let share_alike: Value = "https://creativecommons.org/licenses/by-sa/4.0/".into();
    assert_eq!(licence("Matches"), Some(share_alike.clone()));
    assert_eq!(licence("Dataset"), Some(share_alike));
    assert_eq!(licence("Answers"), Some("https://spdx.org/licenses/MIT".into()));
    let page = text(&folder, "record/index.html");
    assert!(page.contains("Thanks to") && page.contains("private, CC-BY-SA-4.0"), "{page}");
    // They hold until others are stated.
    let again = publish(&folder, &["aurora", "again"]);
    assert!(again.stderr.contains("version 1"), "{}", again.stderr);
    // Unchanged copies go, and nothing that is made of them.
    publish(&folder, &["aurora", "copies", "--input-licence", "dataset=CC-BY-ND-4.0"]).ok();
    let graphs: Vec<String> = quoting(&folder, "copies");
    assert!(graphs.iter().any(|name| name.starts_with("files/")), "{graphs:?}");
    let gold = text(&folder, "gold.json");
    let made_of_gold = graphs
        .iter()
        .filter(|name| name.starts_with("graphs/"))
        .map(|name| text(&folder, &format!("copies/{name}")));
    assert!(
        made_of_gold
            .into_iter()
            .all(|graph| !graph.contains("/graph/match/") && !graph.contains("/graph/dataset/"))
    );
    assert!(gold.contains("private"));
    assert_eq!(qassay(folder.path(), ["verify", "copies"]).code, Some(3));
}
