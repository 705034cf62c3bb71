//! Servers that take graphs and do not tell the truth about them: it is found and told, and nothing that is wrong is kept.

use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::server::{Request, Server, send};
use crate::common::{Ran, program, qassay};
use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::{Literal, NamedNode, Term};
use oxigraph::sparql::{QueryResults, SparqlEvaluator};
use oxigraph::store::Store;
use sparesults::{QueryResultsFormat, QueryResultsSerializer};

/// How a server lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lie {
    /// It does not.
    None,
    /// It counts one more than it has.
    CountsMore,
    /// It loses a statement of each large graph.
    Loses,
    /// It cuts results, and does not say so.
    Cuts(usize),
    /// It gives texts without their language.
    ForgetsLanguages,
}

/// A server of graphs by the two protocols, which counts what it is sent.
pub(crate) fn server(lie: Lie) -> (Server, Arc<AtomicUsize>) {
    let (store, written) = (Store::new().unwrap(), Arc::new(AtomicUsize::new(0)));
    let counter = Arc::clone(&written);
    let server = Server::start(move |request, stream| {
        let method = request.line.split(' ').next().unwrap();
        if let Some(graph) = graph(request) {
            counter.fetch_add(usize::from(method != "DELETE"), Ordering::Relaxed);
            write(&store, (method, &graph), request, lie);
            send(stream, "204 No Content", &[("Content-Length", "0")], b"");
        } else {
            answer(&store, request, stream, lie);
        }
    });
    (server, written)
}

/// The graph that a request is about.
fn graph(request: &Request) -> Option<NamedNode> {
    let (_, query) = request.line.split(' ').nth(1)?.split_once('?')?;
    let (_, graph) = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "graph")?;
    NamedNode::new(graph).ok()
}

fn write(store: &Store, (method, graph): (&str, &NamedNode), request: &Request, lie: Lie) {
    if method != "POST" {
        store.clear_graph(graph).unwrap();
    }
    let parser = RdfParser::from_format(RdfFormat::NTriples).with_default_graph(graph.clone());
    let quads: Vec<_> = parser.for_slice(&request.content).map(Result::unwrap).collect();
    let lost = usize::from(lie == Lie::Loses && quads.len() > 50);
    store.extend(quads.into_iter().skip(lost)).unwrap();
}

fn answer(store: &Store, request: &Request, stream: &mut TcpStream, lie: Lie) {
    let form: Vec<_> = form_urlencoded::parse(request.body.as_bytes()).collect();
    let query = &form.iter().find(|(name, _)| name == "query").unwrap().1;
    let json = QueryResultsSerializer::from_format(QueryResultsFormat::Json);
    let body = match SparqlEvaluator::new().parse_query(query).unwrap().on_store(store).execute().unwrap() {
        QueryResults::Boolean(answer) => json.serialize_boolean_to_writer(Vec::new(), answer).unwrap(),
        QueryResults::Solutions(solutions) => {
            let variables = solutions.variables().to_vec();
            let mut writer = json.serialize_solutions_to_writer(Vec::new(), variables).unwrap();
            let most = if let Lie::Cuts(most) = lie { most } else { usize::MAX };
            for solution in solutions.take(most) {
                let solution = solution.unwrap();
                let terms = solution.iter().map(|(variable, term)| (variable, told(term, lie)));
                let terms: Vec<_> = terms.collect();
                writer.serialize(terms.iter().map(|(variable, term)| (*variable, term))).unwrap();
            }
            writer.finish().unwrap()
        }
        QueryResults::Graph(_) => panic!("nobody asks for statements"),
    };
    send(stream, "200 OK", &[("Content-Type", "application/sparql-results+json")], &body);
}

/// A term as the server tells it.
fn told(term: &Term, lie: Lie) -> Term {
    match (term, lie) {
        (Term::Literal(literal), Lie::ForgetsLanguages) if literal.language().is_some() => {
            Literal::new_simple_literal(literal.value()).into()
        }
        (Term::Literal(literal), Lie::CountsMore) => match literal.value().parse::<u64>() {
            Ok(count) if (51..1_000_000).contains(&count) => Literal::from(count + 1).into(),
            _ => term.clone(),
        },
        _ => term.clone(),
    }
}

fn ask(folder: &Path, server: &Server, words: &[&str]) -> Ran {
    let mut command = program(folder);
    command.args(words).args(["--store", &server.base, "--store-graphs", &server.base]);
    Ran::of(command.env("NO_PROXY", "127.0.0.1"))
}

#[test]
fn what_a_server_says_that_is_not_so_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let fetched = ["fetch", "qassay-example", "qassay-example-aurora", "qassay-example-borealis"];
    qassay(folder, fetched).ok();
    let evaluate = ["evaluate", "qassay-example", "qassay-example-aurora", "qassay-example-borealis"];
    qassay(folder, [&evaluate[..], &["--profile", "qassay,gerbil", "--groups"]].concat()).ok();
    let canned = |name| qassay(folder, ["query", name, "--format", "csv"]).ok();
    let json = [&evaluate[..], &["--no-archive", "--format", "json"]].concat();
    let (measures, aggregate, scored) = (canned("measures"), canned("aggregate"), qassay(folder, &json).ok());
    let asked = ["query", "measures", "--format", "csv"];

    // Who does not lie is asked again without being sent anything.
    let (honest, written) = server(Lie::None);
    assert_eq!(ask(folder, &honest, &asked).ok(), measures);
    let sent = written.swap(0, Ordering::Relaxed);
    assert!(sent > 5, "{sent}");
    assert_eq!(ask(folder, &honest, &asked).ok(), measures);
    assert_eq!(written.load(Ordering::Relaxed), 0);
    assert_eq!(ask(folder, &honest, &json).ok(), scored);
    // Records are a graph of another name there, whoever looks at it.
    let named = "SELECT ?g ?p (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } FILTER(!CONTAINS(STR(?g), \"/ns\")) OPTIONAL { ?g a ?t } } GROUP BY ?g ?p ORDER BY ?g ?p";
    std::fs::write(folder.join("named.rq"), named).unwrap();
    let found = ask(folder, &honest, &["query", "named.rq", "--format", "csv"]).ok();
    assert_eq!(found, canned("named.rq"));
    assert!(found.contains("/graph/catalog,"), "{found}");
    let lent = honest.requests().iter().filter(|request| request.line.contains("lent")).count();
    let given_back = honest.requests().iter().filter(|request| request.line.starts_with("DELETE")).count();
    assert!(given_back > 0 && lent == 2 * given_back, "{lent}, {given_back}");

    // More rows than the server gives at once are asked for in parts; where also parts are cut, it is told.
    assert!(aggregate.lines().count() > 10_001);
    let (cutting, _) = server(Lie::Cuts(10_000));
    let found = ask(folder, &cutting, &["query", "aggregate", "--format", "csv"]).ok();
    assert_eq!(found, aggregate);
    for (lie, expected) in [
        (Lie::Cuts(100), "and does not say that it cuts results"),
        (Lie::CountsMore, "statements that were sent as <"),
        (Lie::Loses, "statements that were sent as <"),
        (
            Lie::ForgetsLanguages,
            "the server does not keep what it is given: \"Straße\"@zh-hant is there \"Straße\"",
        ),
    ] {
        let (server, _) = server(lie);
        // The matches of the example are less than a hundred.
        let commands = if lie == Lie::Cuts(100) { vec![&asked[..]] } else { vec![&asked[..], &json] };
        for words in commands {
            let ran = ask(folder, &server, words);
            assert!(ran.code != Some(0) && ran.stdout.is_empty(), "{lie:?}: {}", ran.stdout);
            assert!(ran.stderr.contains(expected), "{lie:?}: {}", ran.stderr);
        }
    }
}
