//! `--kb URL`: an endpoint is asked, what it answered is kept, and all is repeated and verified without it.

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::path::Path;

use crate::common::sparql::SparqlServer;
use crate::common::{Ran, files_below, kept_bytes, program};
use serde_json::{Value, json};
use tempfile::TempDir;

const TURTLE: &str = "@prefix : <http://e/> . :a :in :x ; :old true . :b :in :x . :c :in :y .";

fn question(id: &str, query: &str, answers: &[&str]) -> Value {
    let row = |value: &&str| json!({ "x": { "type": "uri", "value": value } });
    let rows: Vec<Value> = answers.iter().map(row).collect();
    let mut question = json!({
        "id": id,
        "question": [{ "language": "en", "string": format!("{id}?") }],
        "query": { "sparql": format!("PREFIX : <http://e/> {query}") },
    });
    if !rows.is_empty() {
        question["answers"] = json!([{ "head": { "vars": ["x"] }, "results": { "bindings": rows } }]);
    }
    question
}

/// Gold answers, a system that gives queries only, and one that gives answers.
fn folder() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let write = |name: &str, questions: [Value; 3]| {
        let content = json!({ "dataset": { "id": "small" }, "questions": questions });
        fs::write(folder.path().join(name), content.to_string()).expect("a file");
    };
    let (a, b, z) = ("http://e/a", "http://e/b", "http://e/z");
    write(
        "gold.json",
        [
            question("same", "SELECT ?x { ?x :in :x }", &[a, b]),
            question("changed", "SELECT ?x { ?x :old true }", &[z]),
            question("one", "SELECT ?x { ?x :in :x } ORDER BY ?x LIMIT 1", &[a]),
        ],
    );
    write(
        "queries.json",
        [
            question("same", "SELECT ?x { ?x :in :x }", &[]),
            question("changed", "SELECT ?x { ?x :in :y }", &[]),
            question("one", "SELECT ?x { :nobody :in ?x }", &[]),
        ],
    );
    write(
        "own.json",
        [
            question("same", "SELECT ?x { ?x :in :x }", &[a]),
            question("changed", "SELECT ?x { ?x :old true }", &[a]),
            question("one", "SELECT ?x { ?x :in :x }", &[a]),
        ],
    );
    folder
}

fn run(folder: &Path, words: &str) -> Ran {
    Ran::of(program(folder).args(words.split(' ')).env("NO_PROXY", "127.0.0.1"))
}

fn json_of(folder: &Path, words: &str) -> Value {
    serde_json::from_str(&run(folder, &format!("{words} --format json")).ok()).expect("JSON")
}

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let root = folder.join("qassay-archive");
    let files = files_below(&root).into_iter().filter(|path| !path.starts_with("tmp"));
    files.map(|path| (path.display().to_string(), kept_bytes(&root.join(&path)))).collect()
}

/// What is not about when and how something was run: scores, matches, inputs, answers.
fn published(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = contents(folder);
    all.retain(|name, content| {
        let content = String::from_utf8_lossy(content);
        let is_provenance = content.contains("/ns/prov#startedAtTime>") || content.contains("/ns#message> ");
        !name.starts_with("records/execution") && !is_provenance
    });
    all
}

fn column<'a>(told: &'a Value, name: &str) -> Vec<&'a Value> {
    told["evaluations"].as_array().expect("evaluations").iter().map(|evaluation| &evaluation[name]).collect()
}

fn counts(told: &Value, evaluation: usize) -> Vec<String> {
    let questions = &told["evaluations"][evaluation]["experiments"]["QA"]["questions"];
    let row = |q: &Value| format!("{}/{}/{}", q["tp"], q["fp"], q["fn"]);
    questions.as_array().expect("questions").iter().map(row).collect()
}

/// The options that the program says repeat the evaluation without the network.
fn again(stderr: &str) -> String {
    let line = stderr.lines().find_map(|line| line.strip_prefix("the same without the network: "));
    line.unwrap_or_else(|| panic!("{stderr}")).to_owned()
}

#[test]
fn what_an_endpoint_answered_is_kept_and_repeated_without_it() {
    let (folder, endpoint) = (folder(), SparqlServer::start(TURTLE));
    let folder = folder.path();
    let words = "evaluate gold.json queries.json own.json --gold both";
    let ran = run(folder, &format!("{words} --format json --kb {}", endpoint.address()));
    let again = again(&ran.stderr);
    let live: Value = serde_json::from_str(&ran.ok()).expect("JSON");
    assert_eq!(column(&live, "gold"), ["curated", "curated", "refreshed", "refreshed"]);
    assert_eq!(counts(&live, 0), ["2/0/0", "0/1/1", "0/0/1"], "executed, curated");
    assert_eq!(counts(&live, 2), ["2/0/0", "0/1/1", "0/0/1"], "executed, refreshed: a, and not c");
    assert_eq!(counts(&live, 1), ["1/0/1", "0/1/1", "1/0/0"], "own answers, curated");
    assert_eq!(counts(&live, 3), ["1/0/1", "1/0/0", "1/0/0"], "own answers, refreshed");
    // One for the probe, and each query once: of the four of the gold standard (one to see whether rows tie) and the three of
    // the system, one is the same.
    let asked = endpoint.count();
    assert_eq!(again.split(" --kb ").count(), 2, "gold and executed answers: {again}");
    let before = published(folder);
    // The same, from the archive.
    let offline = json_of(folder, &format!("{words} {again}"));
    assert_eq!(offline, live);
    assert_eq!(published(folder), before, "no file is new, and none is changed");
    let turned: Vec<&str> = again.split(' ').collect();
    let turned = format!("--kb {} --kb {}", turned[3], turned[1]);
    assert_eq!(json_of(folder, &format!("{words} {turned}")), live, "in any order");
    // Nobody is asked by `verify`, and by nobody else who reads.
    let verified = json_of(folder, "verify");
    assert_eq!(verified["ok"], true, "{verified:#}");
    run(folder, "kb answers").ok();
    let key =
        live["evaluations"][3]["evaluation"].as_str().expect("an IRI").rsplit('/').next().expect("a key");
    run(folder, &format!("explain {key} changed")).ok();
    assert_eq!(endpoint.count(), asked);
    assert_eq!(asked, 1 + queries(folder), "each query once, and the probe");
    // The gold snapshot alone has no answers to the queries of the system: they are asked.
    let gold = &again[..again.rfind(" --kb").expect("two")];
    let refreshed = json_of(folder, &format!("kb refresh gold.json {gold}"));
    assert_eq!(refreshed["questions"][1]["status"], "changed", "{refreshed:#}");
    assert_eq!(endpoint.count(), asked);
    json_of(folder, &format!("{words} {gold} --kb {}", endpoint.address()));
    assert_eq!(endpoint.count(), asked + 1 + 3, "the probe, and the queries of the system");
}

/// How many different queries the answer snapshots of an archive have.
fn queries(folder: &Path) -> usize {
    let mut queries: Vec<String> = Vec::new();
    for content in contents(folder).values() {
        let text = String::from_utf8_lossy(content);
        let asked = text.lines().filter(|line| line.contains("/ns#askedQuery> "));
        queries.extend(asked.filter_map(|line| Some(line.split_once("/query/")?.1[..64].to_owned())));
    }
    queries.sort_unstable();
    queries.dedup();
    queries.len()
}

#[test]
fn two_dates_are_compared() {
    let (folder, endpoint) = (folder(), SparqlServer::start(TURTLE));
    let folder = folder.path();
    let key = |told: &Value| {
        told["answers"].as_str().expect("an IRI").rsplit('/').next().expect("a key").to_owned()
    };
    let words = format!("kb refresh gold.json --kb {}", endpoint.address());
    let first = json_of(folder, &words);
    endpoint.update("PREFIX : <http://e/> INSERT DATA { :c :old true }");
    let second = json_of(folder, &words);
    assert_eq!(first["questions"][1]["added"], 1);
    assert_eq!(second["questions"][1]["added"], 2);
    let compared = run(folder, &format!("kb compare {} {} --format json", key(&first), key(&second)));
    assert_eq!(compared.code, Some(1), "{}", compared.stderr);
    assert!(
        compared.stdout.contains("?x :old true") && !compared.stdout.contains("?x :in :x"),
        "{}",
        compared.stdout
    );
    let same = run(folder, &format!("kb compare {} {}", key(&first), key(&first)));
    assert_eq!(same.code, Some(0));
    // A submission is run on the endpoint too, and again without it.
    let filled = json_of(folder, &format!("kb run queries.json --kb {}", endpoint.address()));
    let asked = endpoint.count();
    let again = json_of(folder, &format!("kb run queries.json --kb {}", key(&filled)));
    assert_eq!(again, filled);
    assert_eq!(endpoint.count(), asked);
    assert_eq!(json_of(folder, "verify")["ok"], true);
}

/// The records of an archive: what exists.
fn records(folder: &Path) -> Vec<String> {
    let is_made = |name: &String| name.starts_with("records/") && !name.starts_with("records/archive/");
    contents(folder).into_keys().filter(is_made).collect()
}

#[test]
fn an_endpoint_that_is_gone_leaves_nothing() {
    let (folder, endpoint) = (folder(), SparqlServer::start(TURTLE));
    let folder = folder.path();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let nobody = format!("http://{}/sparql", listener.local_addr().expect("an address"));
    drop(listener);
    // Nobody was ever there.
    let gone = run(folder, &format!("evaluate gold.json queries.json --gold both --kb {nobody}"));
    assert!(gone.code != Some(0) && gone.stderr.contains(&nobody), "{}", gone.stderr);
    assert_eq!(records(folder), Vec::<String>::new());
    // It goes away in the middle.
    endpoint.end_after(3);
    let words = format!("evaluate gold.json queries.json --gold both --jobs 1 --kb {}", endpoint.address());
    let gone = run(folder, &words);
    assert!(gone.code != Some(0) && gone.stderr.contains(endpoint.address()), "{}", gone.stderr);
    assert!(gone.stdout.is_empty());
    assert_eq!(records(folder), Vec::<String>::new(), "nothing half kept");
    // It is back.
    let back = SparqlServer::start(TURTLE);
    let words = words.replace(endpoint.address(), back.address());
    run(folder, &words).ok();
    assert_eq!(json_of(folder, "verify")["ok"], true);
    // Two that are asked are one too many.
    let two = run(folder, &format!("{words} --kb {}/other", back.address()));
    assert_eq!(two.code, Some(2));
    assert!(two.stderr.contains("2 knowledge bases are named, and one is asked"), "{}", two.stderr);
}
