//! Knowledge bases in stores on disk: the same answers as from the files, made once, whole or not at all. Needs the feature
//! `rocksdb`.

#![cfg(feature = "rocksdb")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{Ran, files_below, program, qassay};
use serde_json::{Value, json};

#[expect(clippy::disallowed_methods, reason = "the time of a run is measured, not published")]
fn now() -> Instant {
    Instant::now()
}

/// A ring of nodes with numbers, and a graph of its own for the first.
fn ring(nodes: usize) -> String {
    let mut text = String::from("<urn:n0> <urn:in> _:a <urn:g> .\n");
    for node in 0..nodes {
        let integer = "<http://www.w3.org/2001/XMLSchema#integer>";
        let next = (node + 1) % nodes;
        writeln!(
            text,
            "<urn:n{node}> <urn:p> <urn:n{next}> .\n<urn:n{node}> <urn:v> \"{node}\"^^{integer} ."
        )
        .expect("writing to a String cannot fail");
    }
    text
}

/// Queries, with what they give on a ring of `nodes`: a status of `kb run`, and the values of the first column.
fn queries(nodes: usize) -> Vec<(&'static str, String, &'static str, Vec<String>)> {
    let texts = |values: &[&str]| values.iter().map(|&value| value.to_owned()).collect();
    let doubling: String = (0..40).map(|n| format!("BIND(CONCAT(?s{n}, ?s{n}) AS ?s{}) ", n + 1)).collect();
    vec![
        ("count", "SELECT (COUNT(*) AS ?x) { ?a <urn:v> ?b }".to_owned(), "ok", vec![nodes.to_string()]),
        ("order", "SELECT ?x { ?a <urn:v> ?x } ORDER BY DESC(?x) LIMIT 3".to_owned(), "ok", {
            (1..4).map(|n| (nodes - n).to_string()).collect()
        }),
        ("path", "SELECT ?x { <urn:n0> <urn:p>/<urn:p>/^<urn:p> ?x }".to_owned(), "ok", texts(&["urn:n1"])),
        ("graph", "SELECT ?x { GRAPH ?x { ?a <urn:in> ?b } }".to_owned(), "ok", texts(&["urn:g"])),
        ("named", "SELECT ?x FROM <urn:g> { ?x ?p ?o }".to_owned(), "ok", texts(&["urn:n0"])),
        ("from", "SELECT ?x FROM <urn:other> { ?x ?p ?o }".to_owned(), "error", Vec::new()),
        ("none", "SELECT ?x { ?x <urn:none> ?o }".to_owned(), "empty", Vec::new()),
        (
            "memory",
            format!("SELECT (STRLEN(?s40) AS ?x) {{ BIND(\"xxxxxxxx\" AS ?s0) {doubling} }}"),
            "error",
            Vec::new(),
        ),
        (
            "slow",
            "SELECT (COUNT(*) AS ?x) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }".to_owned(),
            "timeout",
            Vec::new(),
        ),
    ]
}

fn questions(nodes: usize) -> Value {
    let question = |(id, query, ..): &(&str, String, &str, Vec<String>)| {
        let language = json!([{ "language": "en", "string": format!("{id}?") }]);
        json!({ "id": id, "question": language, "query": { "sparql": query } })
    };
    json!({ "dataset": { "id": "ring" }, "questions": queries(nodes).iter().map(question).collect::<Vec<_>>() })
}

/// A folder with queries and an archive that has a ring as the knowledge base `ring`.
fn folder(nodes: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("ring.nq"), ring(nodes)).expect("a file");
    fs::write(folder.path().join("queries.json"), questions(nodes).to_string()).expect("a file");
    qassay(folder.path(), ["kb", "add", "ring", "--version", "1", "ring.nq"]).ok();
    folder
}

const RUN: [&str; 10] =
    ["kb", "run", "queries.json", "--kb", "ring", "--timeout", "2", "--jobs", "2", "--output=filled.json"];

fn run(folder: &Path) -> Ran {
    Ran::of(program(folder).args(RUN).args(["--to", "qald-json", "--force"]))
}

/// What every query gives, as the file of answers says it.
fn check(folder: &Path, nodes: usize) {
    let text = fs::read(folder.join("filled.json")).expect("a file");
    let filled: Value = serde_json::from_slice(&text).expect("JSON");
    for (place, (id, _, status, expected)) in queries(nodes).into_iter().enumerate() {
        let answers = &filled["questions"][place]["answers"];
        let rows = answers[0]["results"]["bindings"].as_array().cloned().unwrap_or_default();
        let values: Vec<&str> = rows.iter().filter_map(|row| row["x"]["value"].as_str()).collect();
        assert_eq!(values, expected, "{id}: {status} {answers}");
    }
}

fn stores(folder: &Path) -> Vec<PathBuf> {
    let stores = fs::read_dir(folder.join("qassay-archive/stores/kb"));
    stores.into_iter().flatten().map(|entry| entry.expect("an entry").path()).collect()
}

fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    files_below(folder)
        .into_iter()
        .map(|path| {
            let bytes = fs::read(folder.join(&path)).expect("a file");
            (path, bytes)
        })
        .collect()
}

#[test]
fn answers_are_those_of_the_files_and_the_store_is_made_once() {
    let folder = folder(2_000);
    let folder = folder.path();
    assert!(stores(folder).is_empty(), "it is made when it is needed");
    let told = run(folder).ok();
    check(folder, 2_000);
    let [store] = stores(folder).try_into().expect("one store");
    let made = contents(&store);
    let digest = qassay(folder, ["kb", "show", "ring", "--format", "json"]).json();
    assert!(digest.to_string().contains(&*store.file_name().expect("a name").to_string_lossy()), "{digest}");
    assert_eq!(run(folder).ok(), told);
    assert!(contents(&store) == made, "asking changes no byte of the store");
    // Verify asks the archived files.
    let gold = questions(2_000);
    fs::write(folder.join("gold.json"), gold.to_string()).expect("a file");
    let words = ["evaluate", "gold.json", "queries.json", "--kb", "ring", "--gold", "both", "--timeout", "2"];
    qassay(folder, words).ok();
    let verified = qassay(folder, ["verify", "--format", "json"]).json();
    assert_eq!(verified["ok"], true, "{verified:#}");
    assert!(contents(&store) == made, "nor does verifying");
    // What was copied without what is temporary.
    fs::remove_dir_all(folder.join("qassay-archive/tmp")).expect("removed");
    fs::remove_dir_all(&store).expect("removed");
    assert_eq!(run(folder).ok(), told, "it is made again");
    check(folder, 2_000);
}

fn start(folder: &Path) -> Child {
    let mut program = Command::new(env!("CARGO_BIN_EXE_qassay"));
    program.args(RUN.iter().take(9)).current_dir(folder);
    program.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a process")
}

#[test]
fn two_programs_at_once_make_one_store() {
    let folder = folder(20_000);
    let mut both = [start(folder.path()), start(folder.path())];
    for child in &mut both {
        assert!(child.wait().expect("ended").success());
    }
    assert_eq!(stores(folder.path()).len(), 1);
}

#[test]
fn a_killed_build_leaves_no_store_and_the_next_run_makes_it() {
    let folder = folder(200_000);
    let folder = folder.path();
    let unfinished = || {
        let state = fs::read_dir(folder.join("qassay-archive/tmp")).expect("a folder");
        let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
        state.map(name).any(|name| name.to_string_lossy().starts_with("store-"))
    };
    let mut child = start(folder);
    let begin = now();
    while !unfinished() {
        assert!(begin.elapsed() < Duration::from_secs(60), "no store was begun");
        sleep(Duration::from_millis(5));
    }
    child.kill().expect("killed");
    child.wait().expect("ended");
    assert!(unfinished() && stores(folder).is_empty(), "it was killed too late");
    run(folder).ok();
    check(folder, 200_000);
    assert!(!unfinished() && stores(folder).len() == 1);
}

/// Changes the files with data of a store.
fn damage(store: &Path, change: impl Fn(&Path)) {
    let is_data = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "sst");
    let files: Vec<PathBuf> = files_below(store).into_iter().filter(is_data).collect();
    assert!(!files.is_empty());
    for file in files {
        change(&store.join(file));
    }
}

#[test]
fn a_damaged_store_is_an_error_and_no_answer() {
    let folder = folder(20_000);
    let folder = folder.path();
    let told = run(folder).ok();
    let [store] = stores(folder).try_into().expect("one store");
    let flip = |path: &Path| {
        let mut bytes = fs::read(path).expect("a file");
        // The blocks with data come first; the last bytes say where what is.
        let end = bytes.len().saturating_sub(2_000).max(bytes.len() / 2);
        bytes[..end].iter_mut().for_each(|byte| *byte ^= 0x55);
        fs::write(path, bytes).expect("a file");
    };
    let cut = |path: &Path| fs::write(path, "").expect("a file");
    let remove = |path: &Path| fs::remove_file(path).expect("removed");
    let changes: [(&str, &dyn Fn(&Path)); 3] = [("changed", &flip), ("cut", &cut), ("removed", &remove)];
    for (name, change) in changes {
        damage(&store, change);
        let ran = run(folder);
        assert_eq!(ran.code, Some(2), "{name}: {}\n{}", ran.stdout, ran.stderr);
        let said =
            [&*store.display().to_string(), "the store of the knowledge base failed", "remove this folder"];
        for said in said {
            let said = said.trim_start_matches(&*folder.display().to_string()).trim_start_matches('/');
            assert!(ran.stderr.contains(said), "{name}: {}", ran.stderr);
        }
        fs::remove_dir_all(&store).expect("removed");
        assert_eq!(run(folder).ok(), told, "{name}: it is made again");
        check(folder, 20_000);
    }
}
