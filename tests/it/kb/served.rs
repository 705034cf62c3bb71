//! A knowledge base that stays on a server: pinned by the counts and checksums of its graphs, and asked there.

use std::fs;
use std::path::Path;

use crate::common::sparql::SparqlServer;
use crate::common::{Ran, files_below, kept_text, program};
use serde_json::{Value, json};
use tempfile::TempDir;

const TURTLE: &str = "@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix owl: <http://www.w3.org/2002/07/owl#> .
    :berlin rdfs:label \"Berlin\"@en ; a :City ; owl:sameAs :b64 . :paris rdfs:label \"Paris\"@en ; a :City .";

/// A server with a graph, statements of no graph, and a graph that is not pinned.
fn server() -> SparqlServer {
    server_without(None)
}

/// The same, which does not know a function.
fn server_without(function: Option<&'static str>) -> SparqlServer {
    let server = SparqlServer::without("<http://e/stray> a <http://e/City> .", function);
    server.update(&format!("{} INSERT DATA {{ GRAPH <urn:kb> {{ {} }} }}", prefixes(), statements()));
    server.update("INSERT DATA { GRAPH <urn:other> { <http://e/rome> a <http://e/City> } }");
    server
}

fn prefixes() -> String {
    let lines = TURTLE.split(" . @prefix").next().expect("a prefix").replace("@prefix", "PREFIX");
    format!(
        "{lines} PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> PREFIX owl: <http://www.w3.org/2002/07/owl#>"
    )
}

fn statements() -> &'static str {
    TURTLE.rsplit_once("owl#> .").expect("statements").1
}

/// A dataset with two queries, and a submission: one answer is a label, one a resource that is linked.
fn folder() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let cell = |value: &str| match value.strip_prefix(':') {
        Some(name) => json!({ "type": "uri", "value": format!("http://e/{name}") }),
        None => json!({ "type": "literal", "value": value }),
    };
    let write = |name: &str, answers: [&[&str]; 2]| {
        let queries = [
            "SELECT ?x { ?x a <http://e/City> }",
            "SELECT ?x { GRAPH ?g { ?x <http://www.w3.org/2002/07/owl#sameAs> ?y } }",
        ];
        let question = |(number, values): (usize, &&[&str])| {
            let rows: Vec<Value> = values.iter().map(|value| json!({ "x": cell(value) })).collect();
            json!({
                "id": number.to_string(),
                "question": [{ "language": "en", "string": "?" }],
                "query": { "sparql": queries[number] },
                "answers": [{ "head": { "vars": ["x"] }, "results": { "bindings": rows } }],
            })
        };
        let questions: Vec<Value> = answers.iter().enumerate().map(question).collect();
        let text = json!({ "dataset": { "id": "small" }, "questions": questions }).to_string();
        fs::write(folder.path().join(name), text).expect("a file");
    };
    write("gold.json", [&[":old"], &[":old"]]);
    write("system.json", [&["Berlin", ":paris"], &[":b64"]]);
    let graph = format!("owl#> . <urn:kb> {{ {} }}", statements());
    let content = format!("{}{graph}", TURTLE.split_once("owl#> .").expect("prefixes").0);
    fs::write(folder.path().join("kb.trig"), content).expect("a file");
    folder
}

fn run(folder: &Path, words: &str) -> Ran {
    Ran::of(program(folder).args(words.split(' ')).env("NO_PROXY", "127.0.0.1"))
}

fn json_of(folder: &Path, words: &str) -> Value {
    run(folder, &format!("{words} --format json")).json()
}

/// The numbers of an evaluation, without the names that differ where another knowledge base was asked.
fn numbers(told: &Value) -> Vec<Value> {
    let questions = told["evaluations"][0]["experiments"]["QA"]["questions"].as_array().expect("questions");
    questions.iter().map(|one| json!([one["id"], one["tp"], one["fp"], one["fn"], one["status"]])).collect()
}

const EVALUATE: &str = "evaluate gold.json system.json --gold refreshed";

#[test]
fn a_server_is_asked_as_the_files_are() {
    let (folder, server) = (folder(), server());
    let (folder, url) = (folder.path(), server.address());
    let shown = json_of(folder, &format!("kb add big --version 1 --from {url} --graph urn:kb"));
    assert_eq!((&shown["triples"], &shown["endpoint"]), (&5.into(), &url.into()), "{shown:#}");
    let graph = &shown["graphs"][0];
    assert_eq!((&graph["name"], &graph["statements"]), (&"urn:kb".into(), &5.into()), "{shown:#}");
    assert_eq!(graph["checksum"].as_str().expect("a checksum").len(), 64);
    assert!(shown.get("distinctSubjects").is_none() && shown["files"] == json!([]), "{shown:#}");
    assert_eq!(json_of(folder, "kb show big"), shown);
    run(folder, "kb add small --version 1 kb.trig").ok();
    run(folder, "kb list").ok();

    // Queries, labels, types, classes and links: what the files give, the server gives.
    let with = |kb: &str| format!("{EVALUATE} --kb {kb} --labels {kb} --types {kb}");
    let there = json_of(folder, &format!("{} --links big", with("big")));
    let here = json_of(folder, &format!("{} --links kb.trig", with("small")));
    assert_eq!(numbers(&there), numbers(&here));
    assert_eq!(numbers(&there)[0], json!(["0", 2, 0, 0, "answered"]), "{:?}", numbers(&there));
    assert_eq!(numbers(&there)[1][1], 1, "the graph has its name: {:?}", numbers(&there));

    // What was asked is kept: nobody is asked again.
    let asked = server.count();
    let told = run(folder, "verify");
    assert_eq!(told.code, Some(0), "{}{}", told.stdout, told.stderr);
    let graphs: String = ["graphs", "records"]
        .iter()
        .map(|part| folder.join("qassay-archive").join(part))
        .flat_map(|root| files_below(&root).into_iter().map(move |path| kept_text(&root.join(path))))
        .collect();
    assert!(graphs.contains("hadPrimarySource> <https://w3id.org/qassay/kb/big/1>"), "where labels are from");
    assert_eq!(server.count(), asked);

    // The same graph in the same words is the same version; another graph is none.
    let again = run(folder, &format!("kb add big --version 1 --from {url} --graph urn:kb"));
    assert!(again.code == Some(0) && again.stderr.contains("in the archive already"), "{}", again.stderr);
    let other = run(folder, &format!("kb add big --version 1 --from {url} --graph urn:other"));
    assert!(other.code == Some(2) && other.stderr.contains("<urn:kb> of 5 statements"), "{}", other.stderr);
    // A statement in place of another: the count is the same, the checksum is not.
    server.update("DELETE DATA { GRAPH <urn:kb> { <http://e/paris> a <http://e/City> } }");
    server.update("INSERT DATA { GRAPH <urn:kb> { <http://e/paris> a <http://e/Town> } }");
    let other = run(folder, &format!("kb add big --version 1 --from {url} --graph urn:kb"));
    assert!(other.code == Some(2) && other.stderr.contains("a version never changes"), "{}", other.stderr);
}

#[test]
fn what_is_not_what_was_pinned_is_not_asked() {
    let (folder, server) = (folder(), server());
    let (folder, url) = (folder.path(), server.address());
    run(folder, &format!("kb add big --version 1 --from {url} --graph urn:kb --graph urn:other")).ok();
    let records = |folder: &Path| files_below(&folder.join("qassay-archive/records"));
    let before = records(folder);
    server.update("INSERT DATA { GRAPH <urn:kb> { <http://e/oslo> a <http://e/City> } }");
    for words in [
        format!("{EVALUATE} --kb big"),
        format!("{EVALUATE} --gold curated --labels big"),
        "kb refresh gold.json --kb big".to_owned(),
        "kb run system.json --kb big".to_owned(),
    ] {
        let words = words.replace("--gold refreshed --gold", "--gold");
        let told = run(folder, &words);
        assert_eq!(told.code, Some(1), "{words}: {}", told.stderr);
        let expected = "big@1 is not what was pinned: of <urn:kb> the server has 6 statements, and had 5";
        assert!(told.stderr.contains(expected), "{words}: {}", told.stderr);
    }
    assert_eq!(records(folder), before);
    for (words, expected) in [
        (
            format!("kb add new --version 1 --from {url} --graph urn:none"),
            "has no statements of the graph <urn:none>",
        ),
        (format!("kb add new --version 1 --from {url} --graph none"), "`none` is no name of a graph"),
        (format!("kb add new --version 1 --from {url}"), "--graph <IRI>"),
        (format!("kb add new --version 1 kb.trig --from {url} --graph urn:kb"), "cannot be used with"),
        ("kb add new --version 1 kb.trig --graph urn:kb".to_owned(), "cannot be used with"),
        ("kb add new --version 1".to_owned(), "<FILES>"),
    ] {
        let told = run(folder, &words);
        assert!(told.code == Some(2) && told.stderr.contains(expected), "{words}: {}", told.stderr);
    }
    assert_eq!(records(folder), before);
}

/// A server that computes no checksum: the count is pinned, which is told.
#[test]
fn a_graph_without_a_checksum_is_pinned_by_its_count() {
    let (folder, server) = (folder(), server_without(Some("MD5")));
    let (folder, url) = (folder.path(), server.address());
    let told = run(folder, &format!("kb add big --version 1 --from {url} --graph urn:kb --format json"));
    assert!(told.stderr.contains("note: <urn:kb> is pinned by its count only"), "{}", told.stderr);
    assert!(told.stderr.contains("MD5 is not known here"), "{}", told.stderr);
    let graph = &told.json()["graphs"][0];
    assert_eq!((&graph["statements"], &graph["checksum"]), (&5.into(), &Value::Null));
    let refreshed = json_of(folder, "kb refresh gold.json --kb big");
    assert_eq!(refreshed["questions"][0]["added"], 2, "{refreshed:#}");
}

#[test]
fn what_is_changed_in_the_middle_is_not_kept() {
    let (folder, server) = (folder(), server());
    let (folder, url) = (folder.path(), server.address());
    run(folder, &format!("kb add big --version 1 --from {url} --graph urn:kb")).ok();
    let records = || files_below(&folder.join("qassay-archive/records"));
    let (before, asked) = (records(), server.count());
    let told = std::thread::scope(|scope| {
        let asking = scope.spawn(|| run(folder, "kb refresh gold.json --kb big"));
        // Is it there, what does it have, and the first query; a tenth of a second later the second one.
        while server.count() < asked + 3 {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        server.update("DELETE DATA { GRAPH <urn:kb> { <http://e/paris> a <http://e/City> } }");
        asking.join().expect("an end")
    });
    let expected = "of <urn:kb> the server has 4 statements, and had 5";
    assert!(told.code == Some(1) && told.stderr.contains(expected), "{}", told.stderr);
    assert_eq!(records(), before);
}

/// A query that names a graph by FROM is about that one, if it was pinned.
#[test]
fn a_query_may_name_the_graphs_that_were_pinned() {
    let (folder, server) = (folder(), server());
    let (folder, url) = (folder.path(), server.address());
    run(folder, &format!("kb add big --version 1 --from {url} --graph urn:kb --graph urn:other")).ok();
    let gold = fs::read_to_string(folder.join("gold.json")).expect("a file");
    for (from, expected) in
        [("", 3), ("FROM <urn:kb> ", 2), ("FROM <urn:other> ", 1), ("FROM <urn:none> ", 0)]
    {
        let query = format!("SELECT ?x {from}{{ ?x a <http://e/City> }}");
        let asked = gold.replace("SELECT ?x { ?x a <http://e/City> }", &query);
        fs::write(folder.join("asked.json"), asked).expect("a file");
        let told = json_of(folder, "kb refresh asked.json --kb big");
        assert_eq!(told["questions"][0]["added"], expected, "{from}: {told:#}");
    }
}
