//! Canned queries ask the graphs of a record in engines of others, and find the rows that the program finds in the archive into
//! which the record was imported.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use qassay::base::iri::Mint;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::qassay;
use crate::publish::record::{WHO, example, publish};

/// Rows, in any order: what the variables are bound to, as text with kind, language and datatype.
fn rows(results: &Value, without: &[&str]) -> Vec<String> {
    let row = |row: &Value| {
        let row = row.as_object().expect("a row").iter();
        let row = row.filter(|(name, _)| !without.contains(&name.as_str()));
        let terms: BTreeMap<_, _> = row.map(|(name, term)| (name, term_of(term))).collect();
        format!("{terms:?}")
    };
    let mut rows: Vec<String> =
        results["results"]["bindings"].as_array().expect("rows").iter().map(row).collect();
    rows.sort();
    rows
}

/// One that is a text may say so or not. Stores of oxigraph, ours too, keep the value of a number and not which kind of integer it is.
fn term_of(term: &Value) -> [String; 4] {
    let text = |key: &str| term[key].as_str().unwrap_or_default().to_owned();
    let datatype = text("datatype").replace("http://www.w3.org/2001/XMLSchema#string", "");
    let datatype = datatype.replace("#nonNegativeInteger", "#integer");
    [text("type").replace("typed-literal", "literal"), text("value"), text("xml:lang"), datatype]
}

/// What an engine finds in the folder `record`, by the names of the queries.
fn found(folder: &TempDir, engine: &str) -> BTreeMap<String, Value> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ran = Command::new(project.join("target/fair/validators/bin/python"))
        .arg(project.join("tests/it/publish/canned.py"))
        .args([engine, "record"])
        .arg(project.join("queries/report"))
        .current_dir(folder.path())
        .output()
        .expect("Python starts");
    assert!(ran.status.success(), "{engine}: {}", String::from_utf8_lossy(&ran.stderr));
    serde_json::from_slice(&ran.stdout).expect("JSON")
}

/// Publishes what a word means, imports it, and asks both.
#[track_caller]
fn same_rows(folder: &TempDir, word: &str, engine: &str, without_rows: &[&str]) {
    publish(folder, &[&[word, "record"][..], &WHO].concat()).ok();
    qassay(folder.path(), ["import", "record", "--archive", "fresh"]).ok();
    let theirs = found(folder, engine);
    assert!(theirs.len() > 15, "{:?}", theirs.keys());
    // An archive has the vocabulary of the program, so that only the record registers it as a graph.
    let of_vocabulary = |row: &String| row.contains(&format!("{}\"", Mint::default().ontology_graph()));
    for (name, theirs) in &theirs {
        let ours = qassay(folder.path(), ["query", name, "--archive", "fresh", "--format", "json"]).json();
        // Stores of oxigraph have one form of a number, whatever the form in which it was written.
        let without: &[&str] = if name == "match" { &["gold", "given"] } else { &[] };
        let (ours, mut theirs) = (rows(&ours, without), rows(theirs, without));
        theirs.retain(|row| name != "graphs" || !of_vocabulary(row));
        assert_eq!(ours.is_empty(), without_rows.contains(&name.as_str()), "{name}");
        let only = |some: &[String], others: &[String]| {
            some.iter().filter(|row| !others.contains(row)).cloned().collect::<Vec<_>>()
        };
        assert_eq!(only(&ours, &theirs), only(&theirs, &ours), "{name}");
        assert_eq!(ours.len(), theirs.len(), "{name}");
    }
}

#[test]
#[cfg_attr(not(fair), ignore = "no pyoxigraph: .ci/fair installs it")]
fn pyoxigraph_finds_the_same_in_a_comparison() {
    let folder = example();
    let compared = qassay(folder.path(), ["compare", "aurora", "borealis", "--archive", "kept"]);
    let iri = compared.stderr.lines().find(|line| line.contains("/comparison/")).unwrap().trim().to_owned();
    same_rows(&folder, &iri, "pyoxigraph", &["blind", "files-only", "link-sets"]);
}

#[test]
#[cfg_attr(not(fair), ignore = "no rdflib: .ci/fair installs it")]
fn rdflib_finds_the_same_in_the_example() {
    let folder = example();
    same_rows(
        &folder,
        "aurora",
        "rdflib",
        &["blind", "comparisons", "complementarity", "files-only", "link-sets"],
    );
}
