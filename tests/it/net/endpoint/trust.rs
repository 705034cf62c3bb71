//! Secrets and redirects.

use qassay::kb::ask::Asker as _;
use qassay::kb::endpoint::Endpoint;
use qassay::kb::endpoint::credentials::Credentials;

use super::{SELECT, answer, endpoint, limits, settings, with, words};
use crate::common::server::{Server, send};

#[test]
fn a_name_or_a_token_is_sent_and_never_told() {
    for (credentials, header, secret) in [
        (Credentials::basic("Aladdin", "open sesame"), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "open sesame"),
        (Credentials::bearer("tok-123"), "Bearer tok-123", "tok-123"),
    ] {
        let server = Server::start(move |request, stream| match request.header("authorization") {
            Some(sent) if sent == header => answer(stream),
            _ => send(stream, "401 Unauthorized", &[("WWW-Authenticate", "Basic realm=\"x\"")], b""),
        });
        assert_eq!(words(with(&server, credentials.clone()).ask(SELECT), &server), "1 rows: x=http://e/a");
        let without = words(endpoint(&server).ask(SELECT), &server);
        assert!(
            without.contains(
                "hint: set QASSAY_ENDPOINT_USER and QASSAY_ENDPOINT_PASSWORD, or QASSAY_ENDPOINT_TOKEN"
            ),
            "{without}"
        );
        let wrong = words(with(&server, Credentials::basic("Aladdin", "close sesame")).ask(SELECT), &server);
        assert!(wrong.contains("does not accept") && !wrong.contains("sesame"), "{wrong}");
        // A server that repeats what it was sent.
        let told = format!("bad {header} {secret}");
        let echo = Server::start(move |_, stream| send(stream, "400 Bad Request", &[], told.as_bytes()));
        let told = words(with(&echo, credentials.clone()).ask(SELECT), &echo);
        assert!(told.contains("***") && !told.contains(secret) && !told.contains("QWxh"), "{told}");
        assert!(!format!("{:?}", with(&echo, credentials)).contains(secret));
    }
}

#[test]
fn addresses_with_secrets_are_refused() {
    for address in ["http://name:word@localhost/sparql", "http://localhost/sparql?token=word"] {
        let error =
            Endpoint::new(address, settings(), limits(), Credentials::none()).unwrap_err().to_string();
        assert!(!error.contains("word@") && !error.contains("=word"), "{error}");
        assert!(error.contains("QASSAY_ENDPOINT_TOKEN"), "{error}");
    }
}

#[test]
fn redirects_on_the_same_host_are_followed_with_the_query() {
    for status in ["301 Moved Permanently", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"] {
        let server = Server::start(move |request, stream| match request.number {
            0 => send(stream, status, &[("Location", "/other?a=b")], b""),
            _ => answer(stream),
        });
        let told = words(with(&server, Credentials::bearer("tok-123")).ask(SELECT), &server);
        assert_eq!(told, "1 rows: x=http://e/a");
        let second = &server.requests()[1];
        assert_eq!(second.line, "POST /other?a=b HTTP/1.1", "{status}");
        assert!(second.body.starts_with("query=SELECT") && second.header("authorization").is_some());
    }
    let server = Server::start(|request, stream| match request.number {
        0 => send(stream, "303 See Other", &[("Location", "result/1")], b""),
        _ => answer(stream),
    });
    assert_eq!(words(endpoint(&server).ask(SELECT), &server), "1 rows: x=http://e/a");
    assert_eq!(server.requests()[1].line, "GET /result/1 HTTP/1.1");
    let server = Server::start(|_, stream| send(stream, "302 Found", &[("Location", "/files")], b""));
    insta::assert_snapshot!(words(endpoint(&server).ask(SELECT), &server), @"error: SERVER: the endpoint redirects more than 3 times.");
    assert_eq!(server.requests().len(), 4);
}

#[test]
fn another_host_is_not_asked() {
    let other = Server::start(|_, stream| answer(stream));
    let port = other.base.rsplit(':').next().unwrap().to_owned();
    for place in [
        other.base.clone(),
        format!("http://localhost:{port}?ticket=s3cret"),
        format!("http://a:s3cret@127.0.0.1:{port}"),
    ] {
        let server = Server::start(move |_, stream| send(stream, "302 Found", &[("Location", &place)], b""));
        let told = words(with(&server, Credentials::bearer("tok-123")).ask(SELECT), &server);
        assert!(
            told.starts_with("error: SERVER: the endpoint redirects to another server <http://"),
            "{told}"
        );
        assert!(!told.contains("s3cret") && !told.contains("tok-123"), "{told}");
    }
    assert_eq!(other.requests().len(), 0);
}
