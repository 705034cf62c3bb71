//! Endpoints: a server of our own that answers, is slow, breaks off, lies, redirects and fails.

mod dataset;
mod replies;
mod trust;
mod waits;

use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::common::server::{Request, Server, send};
use qassay::kb::ask::{Asker as _, Limits};
use qassay::kb::endpoint::credentials::Credentials;
use qassay::kb::endpoint::{Endpoint, Settings};
use qassay::kb::outcome::Outcome;
use qassay::sources::net::patience::Patience;

const SELECT: &str = "SELECT ?x WHERE { ?x a <http://e/T> }";
const JSON: (&str, &str) = ("Content-Type", "application/sparql-results+json");
const ONE: &str =
    r#"{"head": {"vars": ["x"]}, "results": {"bindings": [{"x": {"type": "uri", "value": "http://e/a"}}]}}"#;

fn settings() -> Settings {
    let network = Patience {
        connect: Duration::from_secs(2),
        idle: Duration::from_secs(5),
        tries: 3,
        first_wait: Duration::from_millis(5),
        longest_wait: Duration::from_millis(20),
        longest_asked: Duration::from_secs(2),
        redirects: 3,
        proxies: false,
    };
    Settings { network, pause: Duration::ZERO }
}

fn limits() -> Limits {
    Limits { time: Duration::from_secs(5), rows: 100, memory: 1 << 20 }
}

/// The clock on the wall.
#[expect(clippy::disallowed_methods, reason = "how long things wait is what is tested")]
fn now() -> Instant {
    Instant::now()
}

fn endpoint(server: &Server) -> Endpoint {
    with(server, Credentials::none())
}

fn with(server: &Server, credentials: Credentials) -> Endpoint {
    Endpoint::new(&server.base, settings(), limits(), credentials).unwrap()
}

/// What comes of a query to a server that always replies the same.
#[track_caller]
fn told(status: &'static str, headers: &'static [(&str, &str)], body: impl Into<Vec<u8>>) -> String {
    told_of(SELECT, status, headers, body)
}

#[track_caller]
fn told_of(
    query: &str,
    status: &'static str,
    headers: &'static [(&str, &str)],
    body: impl Into<Vec<u8>>,
) -> String {
    let body = body.into();
    let server = Server::start(move |_, stream| send(stream, status, headers, &body));
    words(endpoint(&server).ask(query), &server)
}

/// An outcome, or an error, in words; the address of the server is called `SERVER`.
fn words(outcome: qassay::base::error::Result<Outcome>, server: &Server) -> String {
    let text = match outcome {
        Ok(Outcome::Answered(answers)) => {
            let row = |row: &qassay::sources::document::Row| {
                let cells = row.cells.iter().map(|cell| format!("{}={}", cell.variable, cell.value));
                cells.collect::<Vec<_>>().join(" ")
            };
            let rows: Vec<String> = answers.rows.iter().map(row).collect();
            match answers.boolean {
                Some(boolean) => boolean.to_string(),
                None => format!("{} rows: {}", rows.len(), rows.join(", ")),
            }
        }
        Ok(Outcome::Failed(failure)) => format!("{}: {}", failure.cause.name(), failure.message),
        Err(error) => format!("error: {error}"),
    };
    text.replace(&server.base, "SERVER")
}

/// Sends a good reply.
fn answer(stream: &mut TcpStream) {
    send(stream, "200 OK", &[JSON, ("Content-Length", &ONE.len().to_string())], ONE.as_bytes());
}

#[test]
fn a_query_is_sent_as_the_protocol_says() {
    let server = Server::start(|_, stream| answer(stream));
    let outcome = endpoint(&server).ask("SELECT ?x WHERE { ?x a <http://e/T?a=1&b=é+> }");
    assert_eq!(words(outcome, &server), "1 rows: x=http://e/a");
    let request: &Request = &server.requests()[0];
    assert_eq!(request.line, "POST /files HTTP/1.1");
    assert_eq!(request.header("content-type"), Some("application/x-www-form-urlencoded"));
    assert_eq!(request.header("user-agent"), Some(concat!("qassay/", env!("CARGO_PKG_VERSION"))));
    assert!(request.header("accept").unwrap().starts_with("application/sparql-results+json, "));
    assert_eq!(request.header("authorization"), None);
    assert_eq!(
        request.body,
        "query=SELECT+%3Fx+WHERE+%7B+%3Fx+a+%3Chttp%3A%2F%2Fe%2FT%3Fa%3D1%26b%3D%C3%A9%2B%3E+%7D"
    );
}

#[test]
fn a_server_that_takes_no_forms_gets_the_query_as_it_is() {
    for status in ["405 Method Not Allowed", "415 Unsupported Media Type"] {
        let server = Server::start(move |request, stream| match request.header("content-type") {
            Some("application/sparql-query") => answer(stream),
            _ => send(stream, status, &[], b""),
        });
        let endpoint = endpoint(&server);
        for _ in 0..2 {
            assert_eq!(words(endpoint.ask(SELECT), &server), "1 rows: x=http://e/a");
        }
        // The second query knows.
        let requests = server.requests();
        assert_eq!(requests.len(), 3);
        assert_eq!((requests[1].body.as_str(), requests[2].body.as_str()), (SELECT, SELECT));
    }
    let none = told("405 Method Not Allowed", &[], "");
    assert_eq!(
        none,
        "error: SERVER: this is no endpoint, or takes no queries by POST: the server says 405 Method Not Allowed."
    );
}

#[test]
fn what_is_refused_is_not_sent() {
    let server = Server::start(|_, stream| answer(stream));
    let endpoint = endpoint(&server);
    let ask = |query| words(endpoint.ask(query), &server);
    insta::assert_snapshot!(ask("SELECT * { SERVICE <http://other/sparql> { ?s ?p ?o } }"), @"refused: it calls SERVICE, and only the endpoint that was named is asked");
    insta::assert_snapshot!(ask("DESCRIBE <http://e/a>"), @"refused: DESCRIBE gives no answers, SELECT and ASK do");
    insta::assert_snapshot!(ask("DROP ALL"), @"unparsable: `DROP` is not expected here (line 1, column 1)");
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn a_probe_says_who_is_there() {
    let yes = r#"{"head": {}, "boolean": true}"#;
    let server =
        Server::start(move |_, stream| send(stream, "200 OK", &[JSON, ("Server", "Test/1")], yes.as_bytes()));
    assert_eq!(endpoint(&server).probe().unwrap().server.as_deref(), Some("Test/1"));
    let server = Server::start(move |_, stream| send(stream, "200 OK", &[], b"<!DOCTYPE html><html></html>"));
    let error = endpoint(&server).probe().unwrap_err().to_string().replace(&server.base, "SERVER");
    insta::assert_snapshot!(error, @"SERVER: the endpoint does not answer a simple query: the reply (no media type) is a page of HTML.");
}
