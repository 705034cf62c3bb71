//! The endpoint over HTTP: SPARQL 1.1 Protocol, section by section, and queries that take more than they may.

use tempfile::TempDir;

use super::served::Served;
use crate::publish::record::{WHO, example, publish};

fn published() -> TempDir {
    let folder = example();
    publish(&folder, &[&["--site", "web", "--all"], &WHO[..]].concat()).ok();
    folder
}

const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");
const DIRECT: (&str, &str) = ("content-type", "application/sparql-query");
const ASK: &str = "ASK { ?e a qassay:Evaluation }";

#[test]
fn queries_are_sent_in_three_ways_and_answered_in_every_format() {
    let folder = published();
    let served = Served::of(folder.path(), "kept", &[]);
    let encoded = "query=ASK%20%7B%20%3Fe%20a%20qassay%3AEvaluation%20%7D";
    let json = ("accept", "application/sparql-results+json");
    let replies = [
        served.get(&format!("sparql?{encoded}"), &[json]),
        served.ask("POST", "sparql", &[FORM, json], encoded),
        served.ask("POST", "sparql", &[DIRECT, json], ASK),
    ];
    for reply in replies {
        assert_eq!((reply.status, reply.text().as_str()), (200, "{\"head\":{},\"boolean\":true}"));
        assert_eq!(reply.header("access-control-allow-origin"), "*");
    }
    let select = "SELECT (COUNT(DISTINCT ?e) AS ?n) { ?e a qassay:Evaluation }";
    for (accept, beginning) in [
        ("text/csv", "n\r\n2\r\n"),
        ("text/tab-separated-values", "?n\n2\n"),
        ("application/sparql-results+xml", "<?xml version=\"1.0\"?><sparql xmlns="),
        ("application/json", "{\"head\":{\"vars\":[\"n\"]}"),
        ("", "{\"head\":{\"vars\":[\"n\"]}"),
        ("*/*", "{\"head\":{\"vars\":[\"n\"]}"),
    ] {
        let reply = served.query(select, accept);
        assert!(reply.status == 200 && reply.text().starts_with(beginning), "{accept}: {}", reply.text());
    }
    let construct = "CONSTRUCT { ?e a qassay:Evaluation } { ?e a qassay:Evaluation }";
    for (accept, media_type) in [
        ("text/turtle", "text/turtle; charset=utf-8"),
        ("application/n-triples", "application/n-triples"),
        ("application/rdf+xml", "application/rdf+xml"),
        ("application/ld+json", "application/ld+json"),
        ("application/trig", "application/trig; charset=utf-8"),
    ] {
        let reply = served.query(construct, accept);
        assert_eq!((reply.status, reply.header("content-type").as_str()), (200, media_type), "{accept}");
        assert!(reply.text().contains("Evaluation"), "{accept}");
    }
}

#[test]
fn the_dataset_of_a_request_counts() {
    let folder = published();
    let served = Served::of(folder.path(), "kept", &[]);
    let graphs = served.query("SELECT DISTINCT ?g { GRAPH ?g { ?e a qb:Observation } }", "text/csv").text();
    let graph = graphs.lines().nth(1).unwrap().trim().to_owned();
    let count = |parameters: &[(&str, &str)], pattern: &str| {
        let mut body = form_urlencoded::Serializer::new(String::new());
        body.append_pair("query", &format!("SELECT (COUNT(*) AS ?n) {{ {pattern} }}"));
        body.extend_pairs(parameters);
        let reply = served.ask("POST", "sparql", &[FORM, ("accept", "text/csv")], &body.finish());
        assert_eq!(reply.status, 200, "{}", reply.text());
        reply.text().lines().nth(1).unwrap().trim().parse::<u64>().unwrap()
    };
    let (all, one) = (count(&[], "?s ?p ?o"), count(&[("default-graph-uri", &graph)], "?s ?p ?o"));
    assert!(one > 0 && one < all, "{one} {all}");
    assert_eq!(count(&[("named-graph-uri", &graph)], "GRAPH ?g { ?s ?p ?o }"), one);
    assert_eq!(count(&[("named-graph-uri", &graph)], "?s ?p ?o"), 0);
}

#[test]
fn what_is_no_query_for_reading_is_refused_with_its_place() {
    let folder = published();
    let served = Served::of(folder.path(), "kept", &[]);
    let long = format!("ASK {{ ?s ?p \"{}\" }}", "x".repeat(150_000));
    let deep = format!("SELECT * {{ {}{} }}", "{".repeat(1_000), "}".repeat(1_000));
    for (text, status, told) in [
        ("SELECT ?s { ?s ?p ", 400, "the query ends too early (line 1, column 1"),
        ("", 400, "the query ends too early"),
        ("INSERT DATA { <u:a> <u:b> <u:c> }", 400, "changes nothing"),
        ("LOAD <http://127.0.0.1:1/>", 400, "SELECT, ASK, CONSTRUCT, DESCRIBE"),
        ("SELECT * { SERVICE SILENT <http://127.0.0.1:1/> { ?s ?p ?o } }", 400, "SERVICE is off"),
        ("SELECT * FROM <http://127.0.0.1:1/> { ?s ?p ?o }", 400, "no graph of this archive"),
        (
            "SELECT * FROM NAMED <file:///etc/passwd> { GRAPH ?g { ?s ?p ?o } }",
            400,
            "no graph of this archive",
        ),
        (&long, 413, "a limit of qassay"),
        (&deep, 400, "a limit of qassay"),
    ] {
        let reply = served.query(text, "text/csv");
        assert_eq!(reply.status, status, "{text:.60}: {}", reply.text());
        assert!(reply.text().contains(told), "{text:.60}: {}", reply.text());
        assert_eq!(reply.header("content-type"), "application/problem+json");
    }
    let json = ("accept", "application/json");
    for (headers, path, body, status) in [
        (&[("content-type", "application/sparql-update")][..], "sparql", "DROP ALL", 403),
        (&[FORM], "sparql", "update=DROP+ALL", 403),
        (&[("content-type", "text/plain")], "sparql", ASK, 415),
        (&[DIRECT, json], "sparql?query=ASK%7B%7D", ASK, 400),
        (&[DIRECT, json], "sparql?timeout=x", ASK, 400),
        (&[DIRECT, json], "sparql?format=ttl", ASK, 400),
        (&[DIRECT, ("accept", "image/png")], "sparql", ASK, 406),
    ] {
        let reply = served.ask("POST", path, headers, body);
        assert_eq!(reply.status, status, "{path} {body}: {}", reply.text());
    }
    assert_eq!(served.ask("PUT", "sparql", &[], "").status, 405);
}

#[test]
fn what_takes_too_much_is_ended_and_is_no_shorter_answer() {
    let folder = published();
    let served = Served::of(folder.path(), "kept", &["--query-timeout", "2", "--queries", "2"]);
    let product = "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?a = ?i) }";
    let reply = served.query(product, "text/csv");
    assert!(reply.status == 504 && reply.text().contains("was stopped after 2 s"), "{}", reply.text());
    let rows = "SELECT * { ?a ?b ?c . ?d ?e ?f }";
    let reply = served.query(rows, "text/csv");
    assert!([422, 504].contains(&reply.status) && !reply.text().starts_with('a'), "{}", reply.text());
    // Many at once: each is answered or sent away, and pages are there meanwhile.
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let asking: Vec<_> =
            (0..24).map(|_| scope.spawn(|| served.query(product, "text/csv").status)).collect();
        assert_eq!(served.get("results", &[]).status, 200);
        asking.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(statuses.iter().all(|status| [503, 504].contains(status)), "{statuses:?}");
    assert!(statuses.contains(&503) && statuses.contains(&504), "{statuses:?}");
    assert_eq!(served.query(ASK, "text/csv").status, 200);
}

#[test]
fn people_have_an_editor_that_keeps_what_they_wrote() {
    let folder = published();
    let served = Served::of(folder.path(), "kept", &[]);
    let html = [("accept", "text/html")];
    let page = served.get("sparql", &html).text();
    assert!(page.contains("<textarea id=\"query\"") && page.contains("leaderboard"), "{page}");
    let page =
        served.get("sparql?query=SELECT%20%3Fe%20%7B%20%3Fe%20a%20qassay%3AEvaluation%20%7D", &html).text();
    assert!(page.contains("<b>2 rows</b>, complete") && page.contains("href=\"evaluation/"), "{page}");
    assert!(
        page.contains("sparql?query=SELECT+%3Fe+%7B+%3Fe+a+qassay%3AEvaluation+%7D&#38;format=csv"),
        "{page}"
    );
    let wrong = served.get("sparql?query=SELECT%20%3Cscript%3E", &html);
    let page = wrong.text();
    assert_eq!(wrong.status, 400);
    assert!(page.contains("SELECT &#60;script&#62;</textarea>") && !page.contains("<script>"), "{page}");
    assert!(page.contains("Nothing came of this query"), "{page}");
    let page = served.get("sparql", &html).text();
    assert!(page.len() < 20_000, "{}", page.len());
    let canned = served.get("sparql?canned=leaderboard&format=csv", &[]).text();
    assert!(canned.starts_with("dataset,profile,system,") && canned.lines().count() == 3, "{canned}");
    let unknown = served.get("sparql?canned=x", &[]);
    assert!(unknown.status == 400 && unknown.text().contains("leaderboard"), "{}", unknown.text());
    // A number where scores are decimals finds nothing, and that is said.
    let page = served.get("sparql?query=SELECT%20*%20%7B%20%3Fo%20qassay%3Af1%201%20%7D", &html).text();
    assert!(page.contains("hint:"), "{page}");
    let description = served.get("sparql", &[("accept", "text/turtle")]).text();
    assert!(description.contains("sparql-service-description#SPARQL11Query>"), "{description}");
}
