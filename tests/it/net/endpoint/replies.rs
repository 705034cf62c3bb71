//! Replies: the formats, and what is wrong with them.

use std::io::Write as _;
use std::thread;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use qassay::kb::ask::Asker as _;
use qassay::kb::endpoint::Endpoint;
use qassay::kb::endpoint::credentials::Credentials;

use super::{JSON, ONE, SELECT, answer, endpoint, told, told_of, words};
use crate::common::server::{Server, send};

const XML: &str = r#"<?xml version="1.0"?><sparql xmlns="http://www.w3.org/2005/sparql-results#"><head><variable name="x"/></head><results><result><binding name="x"><uri>http://e/a</uri></binding></result></results></sparql>"#;
const TSV: &str = "?x\n<http://e/a>\n";

#[test]
fn json_xml_and_tsv_say_the_same() {
    for (headers, body) in [
        (&[JSON] as &[_], ONE),
        (&[("Content-Type", "application/json; charset=utf-8")], ONE),
        (&[("Content-Type", "application/sparql-results+xml")], XML),
        (&[("Content-Type", "text/tab-separated-values; charset=UTF-8")], TSV),
        // The header lies, or there is none.
        (&[("Content-Type", "text/html")], ONE),
        (&[("Content-Type", "text/tab-separated-values")], ONE),
        (&[JSON], XML),
        (&[], XML),
        (&[], ONE),
    ] {
        assert_eq!(told("200 OK", headers, body), "1 rows: x=http://e/a", "{headers:?}");
    }
    assert_eq!(told("200 OK", &[JSON], format!("\u{feff}{ONE}")), "1 rows: x=http://e/a");
    let xml = &[("Content-Type", "application/sparql-results+xml")];
    let no =
        r#"<sparql xmlns="http://www.w3.org/2005/sparql-results#"><head/><boolean>false</boolean></sparql>"#;
    assert_eq!(told_of("ASK {}", "200 OK", xml, no), "false");
    assert_eq!(told_of("ASK {}", "200 OK", &[JSON], r#"{"head": {}, "boolean": true}"#), "true");
}

#[test]
fn a_packed_reply_is_unpacked() {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(ONE.as_bytes()).unwrap();
    let small = packer.finish().unwrap();
    let headers = &[JSON, ("Content-Encoding", "gzip")];
    assert_eq!(told("200 OK", headers, small.clone()), "1 rows: x=http://e/a");
    let cut = told("200 OK", headers, &small[..small.len() - 9]);
    assert!(cut.starts_with("bad-reply: the reply broke off after "), "{cut}");
    insta::assert_snapshot!(told("200 OK", &[JSON, ("Content-Encoding", "br")], ONE), @"bad-reply: the reply has the encoding `br`, which nobody asked for");
    // What is small on the way can be large here.
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(&vec![b' '; 50 << 20]).unwrap();
    insta::assert_snapshot!(told("200 OK", headers, packer.finish().unwrap()), @"out-of-memory: the reply has more than 1048576 bytes, which is the memory limit");
}

#[test]
fn a_reply_that_is_not_the_whole_answer_is_none() {
    let mut all = Vec::new();
    for (headers, body) in [
        (&[("Content-Type", "text/html")] as &[_], "<!DOCTYPE html>\n<html><title>Login</title></html>".as_bytes()),
        (&[JSON], "<html><body>It works!</body></html>".as_bytes()),
        (&[JSON], &ONE.as_bytes()[..80]),
        (&[JSON], b"{\"head\": {\"vars\": [\"x\"]}, \"results\": {\"bindings\": [{\"x\": {\"type\": \"literal\", \"value\": \"\xFF\"}}]}}"),
        (&[JSON], b"{\"message\": \"busy\"}"),
        (&[JSON], b"{\"head\": {}, \"boolean\": true}"),
        (&[JSON], b""),
        (&[("Content-Type", "application/sparql-results+xml")], &XML.as_bytes()[..150]),
        (&[("Content-Type", "application/sparql-results+xml")], b"<sparql xmlns=\"http://www.w3.org/2005/sparql-results#\"><head/></sparql>"),
        (&[("Content-Type", "text/turtle")], b"<http://e/a> a <http://e/T> ."),
        (&[("Content-Type", "text/csv")], b"x\nhttp://e/a\n"),
        // The tables of Virtuoso in TSV do not tell IRIs from texts.
        (&[("Content-Type", "text/tab-separated-values")], b"\"x\"\n\"http://e/a\"\n"),
    ] {
        all.push(told("200 OK", headers, body));
    }
    insta::assert_snapshot!(all.join("\n"), @r#"
    bad-reply: the reply (text/html) is a page of HTML
    bad-reply: the reply (application/sparql-results+json) is a page of HTML
    bad-reply: the reply (application/sparql-results+json) is no whole result in JSON: EOF while parsing an object at line 1 column 80
    bad-reply: the reply is not UTF-8: the byte 0xFF at offset 87
    bad-reply: the reply (application/sparql-results+json) is no whole result in JSON: it has neither `results` nor `boolean`
    bad-reply: the reply to SELECT is yes or no
    bad-reply: the reply is empty
    bad-reply: the reply (application/sparql-results+xml) is no whole result in XML: line 1, column 151: the file ends inside `<results>` of line 1
    bad-reply: the reply (application/sparql-results+xml) is no whole result in XML: Unexpected early file end. All results file must have a <head> and a <result> or <boolean> tag
    bad-reply: the reply (text/turtle) holds no results
    bad-reply: the reply (text/csv) holds no results
    bad-reply: the reply (text/tab-separated-values) is no whole result in TSV: Invalid variable declaration '"x"': Variable serialization should start with ? or $
    "#);
    insta::assert_snapshot!(told_of("ASK {}", "200 OK", &[JSON], ONE), @"bad-reply: the reply to ASK is a table");
}

#[test]
fn a_reply_shorter_than_announced_is_asked_for_again() {
    let server = Server::start(|request, stream| match request.number {
        0 => send(stream, "200 OK", &[JSON, ("Content-Length", "1000")], ONE.as_bytes()),
        _ => answer(stream),
    });
    assert_eq!(words(endpoint(&server).ask(SELECT), &server), "1 rows: x=http://e/a");
    assert_eq!(server.requests().len(), 2);
    let cut = told("200 OK", &[JSON, ("Content-Length", "1000")], ONE);
    insta::assert_snapshot!(cut, @"bad-reply: the reply broke off after 99 bytes: end of file before message length reached (3 tries)");
}

#[test]
fn limits_stop_large_replies() {
    let row = r#"{"x": {"type": "uri", "value": "http://e/a"}}"#;
    let rows = |count: usize| {
        let rows = vec![row; count].join(",");
        format!(r#"{{"head": {{"vars": ["x"]}}, "results": {{"bindings": [{rows}]}}}}"#)
    };
    assert!(told("200 OK", &[JSON], rows(100)).starts_with("100 rows: "));
    insta::assert_snapshot!(told("200 OK", &[JSON], rows(101)), @"too-many-rows: it has more than 100 rows");
    // It never ends, and is stopped at the limit.
    let server = Server::start(move |_, stream| {
        send(stream, "200 OK", &[JSON], br#"{"head": {"vars": ["x"]}, "results": {"bindings": ["#);
        while stream.write_all(format!("{row},").repeat(1000).as_bytes()).is_ok() {}
    });
    insta::assert_snapshot!(words(endpoint(&server).ask(SELECT), &server), @"out-of-memory: the reply has more than 1048576 bytes, which is the memory limit");
    // The limit of the server.
    insta::assert_snapshot!(told("200 OK", &[JSON, ("X-SPARQL-MaxRows", "50")], rows(50)), @"too-many-rows: the endpoint gives 50 rows at most, and there may be more");
    assert!(told("200 OK", &[JSON, ("X-SPARQL-MaxRows", "50")], rows(49)).starts_with("49 rows: "));
    let limited = format!("{SELECT} LIMIT 50");
    assert!(
        told_of(&limited, "200 OK", &[JSON, ("X-SPARQL-MaxRows", "50")], rows(50)).starts_with("50 rows: ")
    );
}

#[test]
fn a_round_number_of_rows_is_a_warning() {
    let row = r#"{"x": {"type": "uri", "value": "http://e/a"}}"#;
    let body = format!(
        r#"{{"head": {{"vars": ["x"]}}, "results": {{"bindings": [{}]}}}}"#,
        vec![row; 1000].join(",")
    );
    let server = Server::start(move |_, stream| send(stream, "200 OK", &[JSON], body.as_bytes()));
    let limits = qassay::kb::ask::Limits { rows: 5000, ..super::limits() };
    let settings = super::settings();
    let endpoint = Endpoint::new(&server.base, settings, limits, Credentials::none()).unwrap();
    for _ in 0..2 {
        assert!(words(endpoint.ask(SELECT), &server).starts_with("1000 rows: "));
    }
    insta::assert_snapshot!(endpoint.warnings().join("\n"), @"a reply has exactly 1000 rows: the endpoint may have cut it there without saying so");
}

#[test]
fn a_part_of_the_answers_of_virtuoso_is_none() {
    let headers = &[
        JSON,
        ("X-SQL-State", "S1TAT"),
        (
            "X-SQL-Message",
            "RC...: Returning incomplete results, query interrupted by result timeout.  Activity:  1.002 rnd",
        ),
    ];
    insta::assert_snapshot!(told("200 OK", headers, ONE), @"timed-out: the endpoint gives a part of the answers only: RC...: Returning incomplete results, query interrupted by result timeout.  Activity:  1.002 rnd");
    insta::assert_snapshot!(told("206 Partial Content", &[JSON], ONE), @r#"bad-reply: the endpoint says 206 Partial Content"#);
}

#[test]
fn statuses_are_told() {
    let mut all = Vec::new();
    for (status, headers, body) in [
        (
            "400 Bad Request",
            &[] as &[_],
            "Virtuoso 37000 Error SP030: SPARQL compiler, line 1: syntax error at 'x' before '}'\n\nSPARQL query:\ndefine sql:big-data-const 0 SELECT x",
        ),
        ("500 Internal Server Error", &[], "Virtuoso S1T00 Error SR171: Transaction timed out\n"),
        ("500 Internal Server Error", &[], "<html><head><TITLE>Oops</TITLE></head></html>"),
        ("504 Gateway Timeout", &[], ""),
        ("404 Not Found", &[], "<h1>no</h1>"),
        ("401 Unauthorized", &[("WWW-Authenticate", "Digest realm=\"SPARQL\"")], "secret"),
        ("401 Unauthorized", &[("WWW-Authenticate", "Basic realm=\"SPARQL\"")], ""),
        ("403 Forbidden", &[], "go away"),
        ("406 Not Acceptable", &[], "I speak Turtle"),
        ("204 No Content", &[], ""),
        ("300 Multiple Choices", &[], ""),
    ] {
        all.push(told(status, headers, body));
    }
    insta::assert_snapshot!(all.join("\n"), @r"
    failed: the endpoint says 400 Bad Request: Virtuoso 37000 Error SP030: SPARQL compiler, line 1: syntax error at 'x' before '}'
    timed-out: the endpoint says 500 Internal Server Error: Virtuoso S1T00 Error SR171: Transaction timed out
    failed: the endpoint says 500 Internal Server Error: Oops
    timed-out: the endpoint says 504 Gateway Timeout
    error: SERVER: there is no endpoint: the server says 404 Not Found.
    error: SERVER: the endpoint lets only those ask whom it knows: the server says 401 Unauthorized.
    hint: it wants Digest authentication, which qassay does not have; Basic and Bearer are known
    error: SERVER: the endpoint lets only those ask whom it knows: the server says 401 Unauthorized.
    hint: set QASSAY_ENDPOINT_USER and QASSAY_ENDPOINT_PASSWORD, or QASSAY_ENDPOINT_TOKEN, in the environment
    error: SERVER: the endpoint lets only those ask whom it knows: the server says 403 Forbidden.
    hint: set QASSAY_ENDPOINT_USER and QASSAY_ENDPOINT_PASSWORD, or QASSAY_ENDPOINT_TOKEN, in the environment
    failed: the endpoint says 406 Not Acceptable: I speak Turtle
    bad-reply: the endpoint says 204 No Content
    failed: the endpoint says 300 Multiple Choices
    ");
}

#[test]
fn a_server_that_hangs_up_is_asked_again() {
    let server = Server::start(|request, stream| {
        if request.number == 1 {
            answer(stream);
        }
    });
    assert_eq!(words(endpoint(&server).ask(SELECT), &server), "1 rows: x=http://e/a");
    let server = Server::start(|_, _| thread::sleep(Duration::from_millis(1)));
    insta::assert_snapshot!(words(endpoint(&server).ask(SELECT), &server), @"bad-reply: there is no reply: connection closed before message completed (3 tries)");
    assert_eq!(server.requests().len(), 3);
    let server = Server::start(|_, stream| drop(stream.write_all(b"220 mail.example ESMTP\r\n")));
    insta::assert_snapshot!(words(endpoint(&server).ask(SELECT), &server), @"bad-reply: there is no reply: invalid HTTP version parsed");
}
