//! The endpoint over HTTP: SPARQL 1.1 Protocol, section by section, and queries that take more than they may.

use std::path::Path;

use tempfile::TempDir;

use super::served::Served;
use crate::publish::record::{WHO, evaluate, example, publish};

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

/// What the description says of a graph, the endpoint has of it.
#[test]
fn every_graph_that_is_described_is_there() {
    let folder = example();
    let links = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example/same-as.nt");
    evaluate(&folder, &["gold.json", "aurora.json", "--links", links.to_str().unwrap()]).ok();
    publish(&folder, &[&["--site", "web", "--all"], &WHO[..]].concat()).ok();
    let served = Served::of(folder.path(), "kept", &[]);
    let described = served.get("void.nt", &[]).text();
    let said = |property: &str| -> Vec<(String, String)> {
        let stated = described.lines().filter(|line| line.contains(property));
        let words = stated.map(|line| line.split(' ').map(str::to_owned).collect::<Vec<_>>());
        words.map(|words| (words[0].clone(), words[2].clone())).collect()
    };
    let (names, graphs, counts) =
        (said("service-description#name>"), said("service-description#graph>"), said("void#triples>"));
    let of = |pairs: &[(String, String)], node: &str| {
        pairs.iter().find(|(known, _)| known == node).map(|(_, value)| value.clone()).unwrap()
    };
    let mut linked = 0;
    for (node, name) in &names {
        let graph = of(&graphs, node);
        let Some((_, stated)) = counts.iter().find(|(known, _)| *known == graph) else {
            assert!(name.ends_with("/graph/patterns>"), "{name}");
            continue;
        };
        let stated: u64 = stated.split('"').nth(1).unwrap().parse().unwrap();
        let found =
            served.query(&format!("SELECT (COUNT(*) AS ?n) {{ GRAPH {name} {{ ?s ?p ?o }} }}"), "text/csv");
        let found: u64 = found.text().lines().nth(1).unwrap().parse().unwrap();
        assert_eq!(found, stated, "{name}");
        if name.contains("/graph/links/") {
            let said =
                format!("SELECT (COUNT(*) AS ?n) {{ VALUES ?g {{ {name} }} GRAPH ?g {{ ?s ?p ?o }} }}");
            assert!(served.query(&said, "text/csv").text().contains(&stated.to_string()), "{name}");
        }
        linked += usize::from(name.contains("/graph/links/"));
    }
    assert!(linked == 1 && names.iter().filter(|(_, name)| name.contains("/graph/patterns")).count() == 1);
    // A part of what is one graph is none.
    let graph =
        "graph-store?graph=https://w3id.org/qassay/graph/patterns/dataset/qassay-example/c3c4991ad5d52807";
    assert_eq!(served.get(graph, &[]).status, 404);
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

/// The tests of the protocol that concern reading, by the names that they have in the manifest of the W3C (SPARQL 1.1 test suite,
/// folder `protocol`); its three small graphs are graphs of the archive here.
#[test]
fn the_tests_of_the_w3c_for_reading_hold() {
    let folder = published();
    let served = Served::of(folder.path(), "kept", &[]);
    let graphs = served.query("SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } } ORDER BY ?g", "text/csv").text();
    let graphs: Vec<&str> = graphs.lines().skip(1).map(str::trim).collect();
    let [one, two, three] = [graphs[0], graphs[1], graphs[2]];
    let body = |query: &str, parameters: &[(&str, &str)]| {
        let mut body = form_urlencoded::Serializer::new(String::new());
        body.append_pair("query", query).extend_pairs(parameters);
        body.finish()
    };
    let xml = ("accept", "application/sparql-results+xml");
    let yes = |name: &str, query: &str, parameters: &[(&str, &str)]| {
        let address = format!("sparql?{}", body(query, parameters));
        let direct =
            format!("sparql?{}", body("", parameters).trim_start_matches("query=").trim_start_matches('&'));
        for (way, heard) in [
            ("get", served.get(&address, &[xml])),
            ("form", served.ask("POST", "sparql", &[FORM, xml], &body(query, parameters))),
            ("direct", served.ask("POST", &direct, &[DIRECT, xml], query)),
        ] {
            assert_eq!(heard.status, 200, "{name}, {way}: {}", heard.text());
            assert!(heard.text().contains("<boolean>true</boolean>"), "{name}, {way}: {}", heard.text());
        }
    };
    yes("query_get, query_post_form, query_post_direct", "ASK {}", &[]);
    yes("query_dataset_default_graph", "ASK { ?s ?p ?o }", &[("default-graph-uri", one)]);
    let both = [("default-graph-uri", one), ("default-graph-uri", two)];
    yes("query_dataset_default_graphs", "ASK { ?s ?p ?o FILTER NOT EXISTS { GRAPH ?g {} } }", &both);
    let named = [("named-graph-uri", one), ("named-graph-uri", two)];
    let two_named = format!(
        "ASK {{ GRAPH <{one}> {{ ?a ?b ?c }} GRAPH <{two}> {{ ?d ?e ?f }} FILTER NOT EXISTS {{ ?s ?p ?o }} }}"
    );
    yes("query_dataset_named_graphs", &two_named, &named);
    let all = [("default-graph-uri", three), ("named-graph-uri", one), ("named-graph-uri", two)];
    let full = format!(
        "ASK {{ ?s ?p ?o GRAPH <{one}> {{ ?a ?b ?c }} FILTER NOT EXISTS {{ GRAPH <{three}> {{ ?d ?e ?f }} }} }}"
    );
    yes("query_dataset_full", &full, &all);
    // What the request says counts, not what the query says.
    let from = format!(
        "ASK FROM <{one}> {{ GRAPH ?g {{ ?s ?p ?o }} FILTER(?g = <{two}>) FILTER NOT EXISTS {{ ?a ?b ?c }} }}"
    );
    yes("query_multiple_dataset", &from, &[("named-graph-uri", two)]);
    for (name, query, accept) in [
        ("query_content_type_select", "SELECT (1 AS ?value) {}", "application/sparql-results+xml"),
        ("query_content_type_ask", "ASK {}", "application/sparql-results+xml"),
        ("query_content_type_describe", "DESCRIBE <http://example.org/>", "application/rdf+xml"),
        ("query_content_type_construct", "CONSTRUCT { <u:s> <u:p> 1 } WHERE {}", "application/rdf+xml"),
    ] {
        let heard = served.query(query, accept);
        assert_eq!((heard.status, heard.header("content-type").as_str()), (200, accept), "{name}");
    }
    let utf_16: Vec<u8> = "ASK {}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let not_utf_8 = String::from_utf8_lossy(&utf_16).into_owned();
    for (name, method, path, headers, body) in [
        ("bad_query_method", "PUT", "sparql?query=ASK%20%7B%7D", &[][..], ""),
        ("bad_multiple_queries", "GET", "sparql?query=ASK%20%7B%7D&query=SELECT%20%2A%20%7B%7D", &[], ""),
        ("bad_query_wrong_media_type", "POST", "sparql", &[("content-type", "text/plain")], "ASK {}"),
        ("bad_query_missing_form_type", "POST", "sparql", &[], "query=ASK%20%7B%7D"),
        ("bad_query_missing_direct_type", "POST", "sparql", &[], "ASK {}"),
        (
            "bad_query_non_utf8",
            "POST",
            "sparql",
            &[("content-type", "application/sparql-query; charset=UTF-16")],
            &not_utf_8,
        ),
        ("bad_query_syntax", "GET", "sparql?query=ASK%20%7B", &[], ""),
    ] {
        let heard = served.ask(method, path, headers, body);
        assert!((400..500).contains(&heard.status), "{name}: {} {}", heard.status, heard.text());
    }
}

/// SPARQL 1.1 Graph Store HTTP Protocol, sections 4.2 and 5.2.
#[test]
fn graphs_are_read_by_their_names() {
    let folder = published();
    let served = Served::of(folder.path(), "kept", &[]);
    let counted =
        served.query("SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g", "text/csv").text();
    let mut read = 0;
    for line in counted.lines().skip(1) {
        let (graph, count) = line.trim().rsplit_once(',').unwrap();
        let encoded: String = form_urlencoded::byte_serialize(graph.as_bytes()).collect();
        let heard =
            served.get(&format!("graph-store?graph={encoded}"), &[("accept", "application/n-triples")]);
        assert_eq!(
            (heard.status, heard.header("content-type").as_str()),
            (200, "application/n-triples"),
            "{graph}"
        );
        assert_eq!(heard.text().lines().count().to_string(), count, "{graph}");
        let named = served.get(&format!("graph-store?graph={encoded}&format=nt"), &[]);
        assert_eq!((named.status, named.text()), (200, heard.text()), "{graph}");
        read += 1;
        if read == 1 {
            let path = format!("graph-store?graph={encoded}");
            assert_eq!(served.ask("HEAD", &path, &[], "").status, 200);
            assert_eq!(served.get(&path, &[]).header("content-type"), "text/turtle; charset=utf-8");
            assert_eq!(served.get(&path, &[("accept", "image/png")]).status, 406);
            for method in ["PUT", "POST", "DELETE", "PATCH"] {
                let heard = served.ask(method, &path, &[], "");
                assert_eq!((heard.status, heard.header("allow").as_str()), (405, "GET, HEAD, OPTIONS"));
            }
        }
        if read == 4 {
            break;
        }
    }
    assert_eq!(read, 4);
    let all = served.get("graph-store?default", &[("accept", "application/n-triples")]);
    assert!(all.status == 200 && all.text().contains("Evaluation"), "{}", all.status);
    for (path, status) in [
        ("graph-store", 400),
        ("graph-store?graph=", 400),
        ("graph-store?graph=http%3A%2F%2Fe%2F&default", 400),
        ("graph-store?graph=http%3A%2F%2F127.0.0.1%3A1%2F", 404),
        ("graph-store?graph=file%3A%2F%2F%2Fetc%2Fpasswd", 404),
        ("graph-store?graph=%3E%20%7D", 404),
    ] {
        assert_eq!(served.get(path, &[]).status, status, "{path}");
    }
}

#[test]
fn what_is_no_query_for_reading_is_refused_with_its_place() {
    let folder = published();
    let served = Served::of(folder.path(), "kept", &[]);
    let long = format!("ASK {{ ?s ?p \"{}\" }}", "x".repeat(150_000));
    let deep = format!("SELECT * {{ {}{} }}", "{".repeat(1_000), "}".repeat(1_000));
    for (text, status, told) in [
        ("SELECT ?s { ?s ?p ", 400, "line 1, column 19: the query is no SPARQL: the query ends too early"),
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
