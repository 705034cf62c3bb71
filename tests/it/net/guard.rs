//! No network access happens unless an endpoint was named: queries call SERVICE, FROM and LOAD on a port that listens, and
//! nobody connects.

use std::fs;
use std::net::TcpListener;
use std::path::Path;

use crate::common::{Ran, program};
use serde_json::{Value, json};

/// Runs a command with a proxy that would see whatever leaves.
fn run(folder: &Path, words: &str, proxy: &str) -> Ran {
    let mut command = program(folder);
    for variable in ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
        command.env(variable, proxy);
    }
    Ran::of(command.args(words.split(' ')))
}

#[test]
fn nobody_connects_where_no_endpoint_is_named() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.set_nonblocking(true).expect("does not wait");
    let there = format!("http://{}", listener.local_addr().expect("an address"));
    let queries = [
        format!("SELECT ?x {{ SERVICE <{there}/sparql> {{ ?x ?p ?o }} }}"),
        format!("SELECT ?x {{ ?x ?p ?o . SERVICE SILENT <{there}/sparql> {{ ?x ?q 1 }} }}"),
        format!("SELECT ?x {{ VALUES ?s {{ <{there}/sparql> }} SERVICE ?s {{ ?x ?p ?o }} }}"),
        format!("SELECT ?x {{ ?x ?p ?o FILTER EXISTS {{ SERVICE <{there}/sparql> {{ ?x ?q 1 }} }} }}"),
        format!("LOAD <{there}/data.ttl>"),
        format!("LOAD SILENT <{there}/data.ttl> INTO GRAPH <http://e/g>"),
        format!("SELECT ?x FROM <{there}/data.ttl> {{ ?x ?p ?o }}"),
        format!("SELECT ?x FROM NAMED <{there}/data.ttl> {{ GRAPH <{there}/data.ttl> {{ ?x ?p ?o }} }}"),
        format!("SELECT ?x {{ <{there}/thing> ?p ?x }}"),
    ];
    let question = |(number, query): (usize, &String)| {
        json!({
            "id": number.to_string(),
            "question": [{ "language": "en", "string": "?" }],
            "query": { "sparql": query },
            "answers": [{ "head": { "vars": ["x"] }, "results": { "bindings": [
                { "x": { "type": "uri", "value": format!("{there}/thing") } },
            ] } }],
        })
    };
    let mut questions: Vec<Value> = queries.iter().enumerate().map(question).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let write = |name: &str, text: String| fs::write(folder.join(name), text).expect("a file");
    let document =
        |questions: &[Value]| json!({ "dataset": { "id": "small" }, "questions": questions }).to_string();
    write("gold.json", document(&questions));
    for question in &mut questions {
        question.as_object_mut().expect("an object").remove("answers");
    }
    write("queries.json", document(&questions));
    write("own.json", fs::read_to_string(folder.join("gold.json")).expect("a file"));
    let context = format!(
        "<{there}/a> <{there}/p> <{there}/b> ; <http://www.w3.org/2000/01/rdf-schema#label> \"a\" ; a <{there}/C> ."
    );
    write("kb.ttl", context);
    write("links.ttl", format!("<{there}/a> <http://www.w3.org/2002/07/owl#sameAs> <{there}/thing> ."));
    write("service.rq", format!("SELECT * {{ SERVICE <{there}/sparql> {{ ?s ?p ?o }} }}"));
    write("from.rq", format!("SELECT * FROM <{there}/data.ttl> {{ ?s ?p ?o }}"));
    let mut refused = Vec::new();
    for (words, code) in [
        ("kb add small --version 1 kb.ttl", Some(0)),
        ("kb refresh gold.json --kb small --details --format json", Some(0)),
        ("kb run queries.json --kb small", Some(0)),
        (
            "evaluate gold.json queries.json own.json --kb small --gold both --profile qassay,gerbil --links links.ttl --labels small --types small",
            Some(0),
        ),
        ("kb list", Some(0)),
        ("kb answers", Some(0)),
        ("check gold.json queries.json", None),
        ("convert gold.json gold.nt --to rdf", None),
        ("links show http://e/a --links links.ttl", None),
        ("query service.rq", None),
        ("query from.rq", None),
        ("query leaderboard", Some(0)),
        ("verify", Some(0)),
    ] {
        let ran = run(folder, words, &there);
        assert!(code.is_none() || ran.code == code, "{words}: {}\n{}", ran.stdout, ran.stderr);
        assert!(listener.accept().is_err(), "somebody connects: {words}");
        if words.starts_with("kb refresh") {
            let told: Value = serde_json::from_str(&ran.stdout).expect("JSON");
            let status = |question: &Value| question["status"].as_str().unwrap_or_default().to_owned();
            refused = told["questions"].as_array().expect("questions").iter().map(status).collect();
        }
    }
    assert_eq!(refused[..6], ["failed"; 6], "what would leave is not run: {refused:?}");
    // The listener does hear who connects: an endpoint that is named.
    let words = format!("kb refresh gold.json --kb {there}/sparql --timeout 1");
    let ran = run(folder, &words, &there);
    assert!(ran.code != Some(0) && listener.accept().is_ok(), "{}", ran.stderr);
}
