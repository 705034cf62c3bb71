//! `--labels`, `--types`, `--classes` and `--links` of a pinned knowledge base and of an endpoint.

use std::fs;
use std::path::Path;

use crate::common::sparql::SparqlServer;
use crate::common::{Ran, files_below, kept_text, program};
use serde_json::{Value, json};
use tempfile::TempDir;

const TURTLE: &str = "@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix dbo: <http://dbpedia.org/ontology/> .
    :berlin rdfs:label \"Berlin\"@en ; a :City ; owl:sameAs :b64 . :paris rdfs:label \"Paris\"@en ; a :City .
    :rhine a :River ; rdfs:label \"Rhein\"@de . :old dbo:wikiPageRedirects :paris . :City rdfs:subClassOf :Place .";

/// One question a pair: what gold and system answer.
fn documents(folder: &Path, pairs: &[(&str, &str)]) {
    let cell = |value: &str| match value.strip_prefix(':') {
        Some(name) => json!({ "type": "uri", "value": format!("http://e/{name}") }),
        None => json!({ "type": "literal", "value": value }),
    };
    let write = |name: &str, side: fn(&(&str, &str)) -> String| {
        let question = |(number, pair): (usize, &(&str, &str))| {
            json!({
                "id": number.to_string(),
                "question": [{ "language": "en", "string": "?" }],
                "answers": [{ "head": { "vars": ["x"] }, "results": { "bindings": [{ "x": cell(&side(pair)) }] } }],
            })
        };
        let questions: Vec<Value> = pairs.iter().enumerate().map(question).collect();
        let text = json!({ "dataset": { "id": "small" }, "questions": questions }).to_string();
        fs::write(folder.join(name), text).expect("a file");
    };
    write("gold.json", |(gold, _)| (*gold).to_owned());
    write("system.json", |(_, system)| (*system).to_owned());
}

fn folder() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    documents(
        folder.path(),
        &[
            (":berlin", "Berlin"),
            ("Paris", ":paris"),
            (":rhine", "Rhein"),
            (":berlin", ":b64"),
            (":paris", ":old"),
        ],
    );
    fs::write(folder.path().join("kb.ttl"), TURTLE).expect("a file");
    fs::write(folder.path().join("more.nt"), "<http://e/a> <http://e/p> <http://e/b> .\n").expect("a file");
    folder
}

fn run(folder: &Path, words: &str) -> Ran {
    Ran::of(program(folder).args(words.split(' ')).env("NO_PROXY", "127.0.0.1"))
}

fn json_of(folder: &Path, words: &str) -> Value {
    serde_json::from_str(&run(folder, &format!("{words} --format json")).ok()).expect("JSON")
}

/// The questions that are right.
fn right(told: &Value) -> String {
    let questions = told["evaluations"][0]["experiments"]["QA"]["questions"].as_array().expect("questions");
    questions.iter().filter(|q| q["tp"] == 1).filter_map(|q| q["id"].as_str()).collect()
}

fn iri(told: &Value) -> &str {
    told["evaluations"][0]["evaluation"].as_str().expect("an IRI")
}

const EVALUATE: &str = "evaluate gold.json system.json";

#[test]
fn the_files_of_a_pinned_knowledge_base() {
    let folder = folder();
    let folder = folder.path();
    run(folder, "kb add small --version 1 kb.ttl more.nt").ok();
    run(folder, "kb add bare --version 1 more.nt").ok();
    assert_eq!(right(&json_of(folder, EVALUATE)), "");
    assert_eq!(right(&json_of(folder, &format!("{EVALUATE} --kb small"))), "", "no labels by itself");
    let labelled = json_of(folder, &format!("{EVALUATE} --labels small"));
    assert_eq!(right(&labelled), "01", "Rhein is German");
    let by_file = json_of(folder, &format!("{EVALUATE} --labels kb.ttl"));
    assert_eq!(iri(&by_file), iri(&labelled), "it is the file that counts");
    let all = json_of(folder, &format!("{EVALUATE} --labels small@1 --types small --classes small"));
    let types = &all["evaluations"][0]["experiments"]["AIT2KB"]["questions"];
    assert_eq!(types[0]["id"], "0", "{types:#}");
    for (option, what) in [("labels", "no labels"), ("types", "no types"), ("classes", "no classes")] {
        let none = run(folder, &format!("{EVALUATE} --{option} bare"));
        assert_eq!(none.code, Some(2));
        assert!(none.stderr.contains(&format!("the knowledge base bare@1 has {what}")), "{}", none.stderr);
    }
    let missing = run(folder, &format!("{EVALUATE} --labels small@2"));
    assert!(missing.code == Some(2) && missing.stderr.contains("small@1"), "{}", missing.stderr);
    assert_eq!(json_of(folder, "verify")["ok"], true);
    let graphs: String = files_below(&folder.join("qassay-archive/graphs"))
        .iter()
        .map(|path| kept_text(&folder.join("qassay-archive/graphs").join(path)))
        .collect();
    assert!(
        graphs
            .contains("qassay evaluate --profile qassay --labels small@1 --classes small@1 --types small@1")
    );
}

#[test]
fn an_endpoint_is_asked_for_what_is_needed() {
    let (folder, endpoint) = (folder(), SparqlServer::start(TURTLE));
    let (folder, url) = (folder.path(), endpoint.address());
    let ran = run(
        folder,
        &format!(
            "{EVALUATE} --labels {url} --types {url} --classes {url} --links {url} --link-kind redirect --format json"
        ),
    );
    let again = ran.stderr.lines().find_map(|line| line.strip_prefix("the same without the network: "));
    let again = again.unwrap_or_else(|| panic!("{}", ran.stderr)).to_owned();
    let live: Value = serde_json::from_str(&ran.ok()).expect("JSON");
    assert_eq!(right(&live), "0134", "labels, links, redirects; Rhein is German");
    let asked = endpoint.count();
    let offline = json_of(folder, &format!("{EVALUATE} --link-kind redirect {again}"));
    assert_eq!(offline, live);
    // What was harvested: what is needed, and nothing else.
    let mut harvested: Vec<String> = again
        .split(' ')
        .filter(|word| !word.starts_with("--"))
        .map(|path| {
            let text = fs::read_to_string(folder.join(path)).expect("text");
            assert!(text.contains(&format!("# from <{url}>\n# at 20")), "{text}");
            text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n")
        })
        .collect();
    harvested.sort_unstable();
    insta::assert_snapshot!(harvested.join("\n\n"), @r#"
    <http://e/City> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://e/Place> .

    <http://e/berlin> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/City> .
    <http://e/paris> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/City> .
    <http://e/rhine> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/River> .

    <http://e/berlin> <http://www.w3.org/2000/01/rdf-schema#label> "Berlin"@en .
    <http://e/paris> <http://www.w3.org/2000/01/rdf-schema#label> "Paris"@en .

    <http://e/berlin> <http://www.w3.org/2002/07/owl#sameAs> <http://e/b64> .
    <http://e/old> <http://dbpedia.org/ontology/wikiPageRedirects> <http://e/paris> .
    "#);
    // The record says where it is from, and `verify` makes the same record from the bytes.
    let records = folder.join("qassay-archive/records/labels");
    let record = fs::read_to_string(records.join(&files_below(&records)[0])).expect("a record");
    assert!(record.contains(&format!("<http://www.w3.org/ns/prov#hadPrimarySource> <{url}>")), "{record}");
    assert_eq!(json_of(folder, "verify")["ok"], true);
    assert_eq!(endpoint.count(), asked, "nobody asks again");
    // In German, the Rhine is found.
    let german = json_of(folder, &format!("{EVALUATE} --labels {url} --language de"));
    assert_eq!(right(&german), "2");
}

#[test]
fn nothing_found_is_no_error() {
    let (folder, endpoint) = (folder(), SparqlServer::start("<http://e/a> <http://e/p> <http://e/b> ."));
    let (folder, url) = (folder.path(), endpoint.address());
    let ran = run(folder, &format!("{EVALUATE} --labels {url} --format json"));
    assert!(ran.stderr.contains(&format!("note: {url} has no labels of what is named, and none are used")));
    assert!(!ran.stderr.contains("the same without the network"));
    let without = json_of(folder, EVALUATE);
    assert_eq!(iri(&serde_json::from_str::<Value>(&ran.ok()).expect("JSON")), iri(&without));
}

#[test]
fn links_of_an_endpoint_are_registered() {
    let (folder, endpoint) = (folder(), SparqlServer::start(TURTLE));
    let (folder, url) = (folder.path(), endpoint.address());
    let words =
        format!("links add mine --version 1 --from {url} --for gold.json system.json --link-kind redirect");
    let ran = run(folder, &words);
    assert!(ran.stderr.contains("mine@1: 2 links in 1 file"), "{}", ran.stderr);
    let asked = endpoint.count();
    let twice = run(folder, &words);
    assert_eq!(twice.code, Some(2));
    assert!(twice.stderr.contains("mine@1 is registered already"), "{}", twice.stderr);
    let listed = run(folder, "links list --format json").ok();
    let listed: Value = serde_json::from_str(&listed).expect("JSON");
    assert_eq!(listed["linkSets"][0]["source"], url);
    let linked = json_of(folder, &format!("{EVALUATE} --links mine --link-kind redirect"));
    assert_eq!(right(&linked), "34");
    assert_eq!(endpoint.count(), asked);
    assert_eq!(json_of(folder, "verify")["ok"], true);
    for (words, told) in [
        ("links add other --version 1", "<FILES>"),
        ("links add other --version 1 --from http://127.0.0.1:1/", "--for"),
        ("links add other --version 1 more.nt --for gold.json", "the files have no links of what is named"),
        ("links add other --version 1 kb.ttl --link-kind redirect", "--for FILE"),
    ] {
        let wrong = run(folder, words);
        assert!(wrong.code == Some(2) && wrong.stderr.contains(told), "{words}: {}", wrong.stderr);
    }
}

#[test]
fn links_are_cut_out_of_files() {
    let folder = folder();
    let folder = folder.path();
    // What nobody names, larger than what is kept in memory.
    let other =
        |n: usize| format!("<http://x/{n}> <http://www.w3.org/2002/07/owl#sameAs> <http://y/{n}> .\n");
    let mut large: String = (0..120_000).map(other).collect();
    large.push_str("<http://e/berlin> <http://www.w3.org/2002/07/owl#sameAs> <http://z/1> .\n");
    large.push_str("<http://e/b64> <http://www.w3.org/2002/07/owl#sameAs> <http://z/2> .\n");
    large.push_str("<http://z/2> <http://www.w3.org/2002/07/owl#sameAs> <http://z/1> .\n");
    assert!(large.len() > 8 << 20);
    fs::write(folder.join("large.nt"), large).expect("a file");
    let redirect =
        "<http://e/old> <http://dbpedia.org/ontology/wikiPageRedirects> <http://e/paris> .\n".repeat(2);
    fs::write(folder.join("redirects.nt"), redirect).expect("a file");
    let add =
        "links add cut --version 1 large.nt redirects.nt --for gold.json system.json --link-kind redirect";
    let ran = run(folder, add);
    assert!(ran.stderr.contains("cut@1: 4 links in 1 file"), "{}", ran.stderr);
    let again = run(folder, add);
    assert!(again.code == Some(0) && again.stderr.contains("registered already"), "{}", again.stderr);
    let with =
        |links: &str| json_of(folder, &format!("{EVALUATE} --link-kind redirect {links} --no-archive"));
    let (whole, part) = (with("--links large.nt --links redirects.nt"), with("--links cut"));
    assert_eq!(right(&part), "34");
    assert_eq!(whole["evaluations"][0]["experiments"], part["evaluations"][0]["experiments"]);
    let listed = run(folder, "links list --format json").json();
    let source = listed["linkSets"][0]["source"].as_str().expect("a source").to_owned();
    assert!(source.starts_with("cut out of files with the checksums "), "{source}");
    json_of(folder, &format!("{EVALUATE} --link-kind redirect --links cut"));
    assert_eq!(json_of(folder, "verify")["ok"], true);
}
