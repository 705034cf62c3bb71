//! A real endpoint: Virtuoso with the knowledge graph of CK25, asked what systems asked at TEXT2SPARQL 2025.
//!
//! The file of the gold queries is not public; those of the systems are, with what they gave at the time.

mod server;
mod store;

use crate::common;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Duration;

use qassay::kb::answered_by::AnsweredBy;
use qassay::kb::ask::{Asker as _, Limits, ask_all};
use qassay::kb::compare::compare;
use qassay::kb::endpoint::credentials::Credentials;
use qassay::kb::endpoint::{Endpoint, Settings};
use qassay::kb::outcome::{Cause, Outcome};
use qassay::kb::snapshot::AnswerSnapshot;
use qassay::references::harvest;
use qassay::references::links::LinkSet;
use qassay::references::statements::{LABELS, StatementSet};
use qassay::sources::document::AnswerSet;
use qassay::sources::file::source::Source;
use qassay::sources::format::read;
use server::Virtuoso;

fn endpoint_with(address: &str, limits: Limits) -> Endpoint {
    let mut settings = Settings { pause: Duration::ZERO, ..Settings::default() };
    settings.network.proxies = false;
    Endpoint::new(address, settings, limits, Credentials::none()).unwrap()
}

#[test]
#[cfg_attr(
    not(all(shared, virtuoso)),
    ignore = "no ../shared, or no virtuoso-t (apt-get install virtuoso-opensource)"
)]
fn virtuoso_answers_as_it_did() {
    let campaign = common::mirror().join(common::TEXT2SPARQL_2025);
    let virtuoso = Virtuoso::start(&campaign.join("data"));
    for file in ["prod-inst.ttl", "prod-vocab.ttl"] {
        virtuoso.load(&campaign.join("data").join(file));
    }
    let endpoint = endpoint_with(&virtuoso.address("sparql"), Limits::default());
    assert!(endpoint.probe().unwrap().server.unwrap().starts_with("Virtuoso/07"));
    counts(&endpoint);
    // Two queries have LIMIT and a tie at it: what Virtuoso gives for them differs from run to run.
    let (questions, different, failed) = published(&endpoint, &campaign, "WSE");
    assert_eq!((questions, failed), (50, 0));
    assert!(
        different.iter().all(|key| ["ck25:46-en", "ck25:50-en"].contains(&key.as_str())),
        "{different:?}"
    );
    // 18 texts are no SPARQL, for Virtuoso neither: no answers then, and none now.
    assert_eq!(published(&endpoint, &campaign, "MIPT"), (45, Vec::new(), 18));
    failures(&endpoint, &virtuoso);
    harvested(&endpoint, &virtuoso);
    snapshots(&endpoint);
    evaluated(&endpoint);
}

/// `evaluate` with all that it can ask for, and again from what was kept.
fn evaluated(endpoint: &Endpoint) {
    let class = "http://ld.company.org/prod-vocab/Department";
    let labelled = format!(
        "SELECT ?s ?l WHERE {{ ?s a <{class}> ; <http://www.w3.org/2000/01/rdf-schema#label> ?l }} ORDER BY ?l LIMIT 1"
    );
    let found = endpoint.ask(&labelled).unwrap();
    let [department, label] = [0, 1].map(|cell| found.answers().unwrap().rows[0].cells[cell].value.clone());
    let question = |id: &str, query: &str, kind: &str, value: &str| {
        serde_json::json!({
            "id": id,
            "question": [{ "language": "en", "string": "?" }],
            "query": { "sparql": query },
            "answers": [{ "head": { "vars": ["x"] }, "results": { "bindings": [{ "x": { "type": kind, "value": value } }] } }],
        })
    };
    let all = format!("SELECT ?x WHERE {{ ?x a <{class}> }}");
    let gold = [question("all", &all, "uri", &department), question("named", "", "literal", &label)];
    let mut system = [question("all", &all, "uri", ""), question("named", "", "uri", &department)];
    system[0].as_object_mut().unwrap().remove("answers");
    let folder = tempfile::tempdir().unwrap();
    for (name, questions) in [("gold.json", gold), ("system.json", system)] {
        let content = serde_json::json!({ "dataset": { "id": "small" }, "questions": questions });
        fs::write(folder.path().join(name), content.to_string()).unwrap();
    }
    let run = |more: &str| {
        let words = format!("evaluate gold.json system.json --gold refreshed --format json {more}");
        let mut command = common::program(folder.path());
        command.args(words.split(' ')).env("NO_PROXY", "127.0.0.1");
        let ran = common::Ran::of(&mut command);
        (ran.stderr.clone(), ran.json())
    };
    let url = endpoint.address();
    let (told, live) = run(&format!("--kb {url} --labels {url} --types {url} --classes {url}"));
    let questions = &live["evaluations"][0]["experiments"]["QA"]["questions"];
    assert!(questions[0]["tp"].as_u64().unwrap() > 1 && questions[0]["fn"] == 0, "{questions:#}");
    assert_eq!((&questions[0]["fp"], &questions[1]["tp"]), (&0.into(), &1.into()), "{questions:#}");
    let again = told.lines().find_map(|line| line.strip_prefix("the same without the network: ")).unwrap();
    assert!(again.contains("--kb ") && again.contains("--labels ") && again.contains("--types "), "{again}");
    assert_eq!(run(again).1, live);
    common::qassay(folder.path(), ["verify"]).ok();
}

fn single(endpoint: &Endpoint, query: &str) -> String {
    match endpoint.ask(query).unwrap() {
        Outcome::Answered(answers) => answers.rows[0].cells[0].value.clone(),
        Outcome::Failed(failure) => panic!("{failure:?}"),
    }
}

/// The graph is there as the campaign has it.
fn counts(endpoint: &Endpoint) {
    assert_eq!(single(endpoint, "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }"), "26903");
    let yes = endpoint.ask("ASK { ?s ?p ?o }").unwrap();
    assert_eq!(yes.answers().unwrap().boolean, Some(true));
}

/// The queries of a system: how many there are, which of them give other values than they gave then, and how many have no
/// answers. What was published for the two other systems are copies of the gold file.
fn published(endpoint: &Endpoint, campaign: &Path, system: &str) -> (usize, Vec<String>, usize) {
    let folder = campaign.join("results").join(system);
    let (document, _) = read(&Source::open(&folder.join("ck25_answers.json")).unwrap()).unwrap();
    let then = fs::read(folder.join("ck25_system_result_set.json")).unwrap();
    let then: BTreeMap<String, BTreeMap<String, f64>> = serde_json::from_slice(&then).unwrap();
    let questions: Vec<(&str, String)> = document
        .questions
        .iter()
        .filter_map(|question| Some((question.key.as_str(), standard(&question.queries.first()?.text))))
        .collect();
    let queries: Vec<String> = questions.iter().map(|(_, query)| query.clone()).collect();
    let outcomes = ask_all(endpoint, &queries, 1.try_into().unwrap(), &|_| ()).unwrap();
    let (mut different, mut failed) = (Vec::new(), 0);
    for ((key, _), outcome) in questions.iter().zip(&outcomes) {
        let now: BTreeSet<String> = outcome.answers().map(values).unwrap_or_default();
        let then = then.get(*key).into_iter().flatten().map(|(value, _)| value.to_lowercase());
        if now != then.collect() {
            different.push((*key).to_owned());
        }
        failed += usize::from(outcome.answers().is_none());
    }
    (questions.len(), different, failed)
}

/// A query as it is sent: repaired where it must be.
fn standard(query: &str) -> String {
    let graph = qassay::sparql::read::analyse(query).ok();
    graph.and_then(|graph| graph.repaired).unwrap_or_else(|| query.to_owned())
}

/// All values of a table as the campaign writes them.
fn values(answers: &AnswerSet) -> BTreeSet<String> {
    let cells = answers.rows.iter().flat_map(|row| &row.cells).map(|cell| cell.value.to_lowercase());
    cells.chain(answers.boolean.map(|boolean| boolean.to_string())).collect()
}

/// What Virtuoso refuses, cuts off and interrupts.
fn failures(endpoint: &Endpoint, virtuoso: &Virtuoso) {
    let told = |outcome: Outcome| match outcome {
        Outcome::Failed(failure) => (failure.cause, failure.message),
        Outcome::Answered(answers) => panic!("{} rows", answers.rows.len()),
    };
    // An error of Virtuoso in its own words.
    let (cause, message) = told(endpoint.ask("SELECT ?s WHERE { BIND(BNODE() AS ?s) }").unwrap());
    assert_eq!(cause, Cause::Failed);
    assert!(
        message.starts_with("the endpoint says 400 Bad Request: Virtuoso 37000 Error SP031"),
        "{message}"
    );
    // It gives 10,000 rows of 26,903, and says so in a header.
    let (cause, message) = told(endpoint.ask("SELECT ?s ?p ?o WHERE { ?s ?p ?o }").unwrap());
    assert_eq!(cause, Cause::TooManyRows);
    assert_eq!(message, "the endpoint gives 10000 rows at most, and there may be more");
    let limited = endpoint.ask("SELECT ?s ?p ?o WHERE { ?s ?p ?o } LIMIT 10000").unwrap();
    assert_eq!(limited.answers().unwrap().rows.len(), 10_000);
    // A query that never ends: our limit, and its own, at which it gives a part of the answers.
    let heavy = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(STRLEN(CONCAT(STR(?c), STR(?f), STR(?i))) > 10) }";
    let short = Limits { time: Duration::from_secs(1), ..Limits::default() };
    let (cause, message) = told(endpoint_with(endpoint.address(), short).ask(heavy).unwrap());
    assert_eq!((cause, message.as_str()), (Cause::TimedOut, "stopped at the time limit of 1 s"));
    let anytime = format!("{}&timeout=1000", endpoint.address());
    let limits = Limits { time: Duration::from_secs(20), ..Limits::default() };
    let (cause, message) = told(endpoint_with(&anytime, limits).ask(heavy).unwrap());
    assert_eq!(cause, Cause::TimedOut, "{message}");
    assert!(message.contains("a part of the answers only"), "{message}");
    // Who is not known is not served, and Digest is not ours.
    let error = endpoint_with(&virtuoso.address("sparql-auth"), Limits::default()).ask("ASK {}").unwrap_err();
    assert!(
        error.to_string().contains("it wants Digest authentication, which qassay does not have"),
        "{error}"
    );
    let error = endpoint_with(&virtuoso.address("nowhere"), Limits::default()).ask("ASK {}").unwrap_err();
    assert!(error.to_string().contains("there is no endpoint: the server says 404"), "{error}");
}

/// Files of labels, links, types and classes that the readers read.
fn harvested(endpoint: &Endpoint, virtuoso: &Virtuoso) {
    let said = virtuoso.sql(&format!(
        "SPARQL INSERT DATA {{ GRAPH <{}> {{ <http://e/a> <http://www.w3.org/2002/07/owl#sameAs> <http://e/b> . \
         <http://e/c> <http://www.w3.org/2002/07/owl#sameAs> <http://e/a> . \
         <http://e/a> <http://www.w3.org/2000/01/rdf-schema#label> \"Größe \\\"A\\\"\"@de , \"plain\" , \"size\"@en . \
         <http://e/b> <http://www.w3.org/2004/02/skos/core#altLabel> \"size\"@en }} }};\n",
        server::GRAPH
    ));
    assert!(!said.contains("Error"), "{said}");
    let origin = &harvest::Harvested {
        source: "http://virtuoso/sparql".to_owned(),
        time: "2026-11-21T09:00:00Z".to_owned(),
    };
    let set = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<BTreeSet<String>>();
    let source = |bytes: Vec<u8>| Source::from_bytes("harvested.nt", bytes).unwrap();
    let links = harvest::links(endpoint, &set(&["http://e/a", "http://e/none"]), true, origin).unwrap();
    assert_eq!(LinkSet::read(&source(links)).unwrap().count_all(), 2);
    let needs = harvest::needs::Needs {
        texts: set(&["size", "plain", "Größe \"A\""]),
        called: set(&["http://e/a"]),
        languages: set(&["en", "de"]),
        ..harvest::needs::Needs::default()
    };
    let labels = harvest::labels(endpoint, &needs, origin).unwrap();
    let text = String::from_utf8(labels.clone()).unwrap();
    assert_eq!(text.lines().filter(|line| !line.starts_with('#')).count(), 4, "{text}");
    assert_eq!(StatementSet::read(&source(labels), LABELS).unwrap().statements().count(), 4);
    // All instances, more than fit into one query.
    let all = endpoint
        .ask("SELECT DISTINCT ?s WHERE { ?s a <http://ld.company.org/prod-vocab/Department> }")
        .unwrap();
    let departments: BTreeSet<String> = values_of(&all);
    let types = String::from_utf8(harvest::types(endpoint, &departments, origin).unwrap()).unwrap();
    let found = types.lines().filter(|line| line.contains("prod-vocab/Department>")).count();
    assert_eq!(found, departments.len(), "{types}");
    let hardware = values_of(
        &endpoint
            .ask("SELECT DISTINCT ?s WHERE { ?s a <http://ld.company.org/prod-vocab/Hardware> }")
            .unwrap(),
    );
    assert!(hardware.len() > 50, "{}", hardware.len());
    let types = String::from_utf8(harvest::types(endpoint, &hardware, origin).unwrap()).unwrap();
    assert_eq!(types.lines().filter(|line| line.contains("prod-vocab/Hardware>")).count(), hardware.len());
    let vocabulary = "http://ld.company.org/prod-vocab/";
    let classes = harvest::classes(endpoint, &set(&[&format!("{vocabulary}Hardware")]), origin).unwrap();
    let classes = String::from_utf8(classes).unwrap();
    assert!(
        classes
            .contains(&format!("<{vocabulary}Hardware> <http://www.w3.org/2000/01/rdf-schema#subClassOf>")),
        "{classes}"
    );
}

fn values_of(outcome: &Outcome) -> BTreeSet<String> {
    let rows = &outcome.answers().unwrap().rows;
    rows.iter().map(|row| row.cells[0].value.clone()).collect()
}

/// What it answered is the same when it is asked again, and when the recording is.
fn snapshots(endpoint: &Endpoint) {
    let query =
        |class: &str| format!("SELECT ?s WHERE {{ ?s a <http://ld.company.org/prod-vocab/{class}> }}");
    let queries = [query("Department"), query("Employee"), query("Hardware")].to_vec();
    let ask = |time: &str| {
        let outcomes = ask_all(endpoint, &queries, 1.try_into().unwrap(), &|_| ()).unwrap();
        let answered_by = AnsweredBy::Endpoint { url: endpoint.address().to_owned(), time: time.to_owned() };
        AnswerSnapshot::new(answered_by, queries.iter().cloned().zip(outcomes))
    };
    let (first, second) = (ask("2026-11-21T09:00:00Z"), ask("2026-11-21T10:00:00Z"));
    assert!(compare(&first, &second).iter().all(|compared| compared.change.name() == "same"));
    for query in &queries {
        assert_eq!(Some(&first.ask(query).unwrap()), first.outcome(query));
    }
}
