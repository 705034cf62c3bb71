//! Time: servers that are slow, and waiting between requests.

use std::io::Write as _;
use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use qassay::kb::ask::{Asker as _, Limits};

use super::{
    Credentials, Endpoint, JSON, ONE, SELECT, Settings, answer, endpoint, limits, now, settings, words,
};
use crate::common::server::{Server, send};

fn hurried(server: &Server) -> Endpoint {
    let limits = Limits { time: Duration::from_millis(400), ..limits() };
    Endpoint::new(&server.base, settings(), limits, Credentials::none()).unwrap()
}

#[track_caller]
fn is_stopped(server: &Server) {
    let begun = now();
    let told = words(hurried(server).ask(SELECT), server);
    assert_eq!(told, "timed-out: stopped at the time limit of 0.4 s");
    let took = begun.elapsed();
    assert!((350..1500).contains(&took.as_millis()), "{took:?}");
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_server_that_says_nothing_is_stopped() {
    is_stopped(&Server::start(|_, _| thread::sleep(Duration::from_secs(3))));
}

#[test]
fn a_server_that_stalls_is_stopped() {
    is_stopped(&Server::start(|_, stream| {
        send(stream, "200 OK", &[JSON], &ONE.as_bytes()[..30]);
        thread::sleep(Duration::from_secs(3));
    }));
}

#[test]
fn a_server_that_drips_is_stopped() {
    is_stopped(&Server::start(|_, stream| {
        send(stream, "200 OK", &[JSON], b"");
        for byte in ONE.as_bytes() {
            if stream.write_all(&[*byte]).is_err() {
                return;
            }
            thread::sleep(Duration::from_millis(30));
        }
    }));
}

#[test]
fn redirects_share_one_time() {
    let server = Server::start(|_, stream| {
        thread::sleep(Duration::from_millis(250));
        send(stream, "307 Temporary Redirect", &[("Location", "/files")], b"");
    });
    let begun = now();
    assert_eq!(words(hurried(&server).ask(SELECT), &server), "timed-out: stopped at the time limit of 0.4 s");
    assert!(begun.elapsed() < Duration::from_secs(1));
}

#[test]
fn a_busy_server_is_asked_again_when_it_says() {
    for status in ["429 Too Many Requests", "502 Bad Gateway", "503 Service Unavailable"] {
        let server = Server::start(move |request, stream| match request.number {
            0 => send(stream, status, &[("Retry-After", "1")], b"busy"),
            _ => answer(stream),
        });
        let begun = now();
        assert_eq!(words(endpoint(&server).ask(SELECT), &server), "1 rows: x=http://e/a");
        assert!(begun.elapsed() >= Duration::from_secs(1), "{status}");
    }
    let server = Server::start(|_, stream| send(stream, "503 Service Unavailable", &[], b"busy\nvery"));
    insta::assert_snapshot!(words(endpoint(&server).ask(SELECT), &server), @"failed: the endpoint says 503 Service Unavailable: busy (3 tries)");
    assert_eq!(server.requests().len(), 3);
    let server =
        Server::start(|_, stream| send(stream, "429 Too Many Requests", &[("Retry-After", "3600")], b""));
    insta::assert_snapshot!(words(endpoint(&server).ask(SELECT), &server), @r"
    error: SERVER: the endpoint wants us to wait 3600 seconds, and 2 are the most.
    hint: try again later
    ");
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn what_is_wrong_for_good_is_asked_once() {
    for status in [
        "400 Bad Request",
        "404 Not Found",
        "401 Unauthorized",
        "500 Internal Server Error",
        "414 URI Too Long",
    ] {
        let server = Server::start(move |_, stream| send(stream, status, &[], b""));
        words(endpoint(&server).ask(SELECT), &server);
        assert_eq!(server.requests().len(), 1, "{status}");
    }
}

#[test]
fn nobody_there_is_an_error() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/sparql", listener.local_addr().unwrap());
    drop(listener);
    let endpoint = Endpoint::new(&address, settings(), limits(), Credentials::none()).unwrap();
    let told = endpoint.ask(SELECT).unwrap_err().to_string().replace(&address, "SERVER");
    insta::assert_snapshot!(told, @r"
    SERVER: the endpoint cannot be reached: Connection refused (os error 111).
    hint: check the address and the network; proxies are taken from HTTPS_PROXY, HTTP_PROXY and NO_PROXY
    ");
    // A server without TLS, asked with TLS.
    let server = Server::start(|_, stream| answer(stream));
    let address = server.base.replace("http://", "https://");
    let endpoint = Endpoint::new(&address, settings(), limits(), Credentials::none()).unwrap();
    let told = endpoint.ask(SELECT).unwrap_err().to_string().replace(&address, "SERVER");
    assert!(told.starts_with("SERVER: the endpoint cannot be reached: "), "{told}");
}

#[test]
fn requests_are_kept_apart() {
    let server = Server::start(|_, stream| answer(stream));
    let settings = Settings { pause: Duration::from_millis(100), ..settings() };
    let endpoint = Endpoint::new(&server.base, settings, limits(), Credentials::none()).unwrap();
    let begun = now();
    let jobs = 4.try_into().unwrap();
    let queries: Vec<String> = (0..5).map(|number| format!("SELECT ?x {{ ?x ?p {number} }}")).collect();
    qassay::kb::ask::ask_all(&endpoint, &queries, jobs, &|_| ()).unwrap();
    assert!(begun.elapsed() >= Duration::from_millis(400), "{:?}", begun.elapsed());
}
