//! Servers that misbehave: each gives a status with a reason, and none stops the rest, unless it must.

use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use qassay::sources::document::Document;
use qassay::systems::run::Politeness;
use qassay::workbench::Workbench;
use qassay::workbench::ask::{AskedSystem, Continuing};
use tempfile::TempDir;

use crate::common::live::{ask, failure, hasty, questions, request};
use crate::common::server::{Request, Server, send};

const ANSWER: &str = r#"{"questions": [{"id": "1", "question": [], "answers": [{"boolean": true}]}]}"#;

/// Asks a server that does this; gives what came of it, and how often it was asked.
fn asked(
    number: usize,
    polite: &Politeness,
    reply: impl Fn(&Request, &mut TcpStream) + Send + Sync + 'static,
) -> (AskedSystem, Document, usize) {
    let folder = TempDir::new().expect("a folder");
    let server = Server::start(reply);
    let bench = Workbench::new(folder.path().join("archive"));
    let request = request(&questions(folder.path(), number), &server.base, "gerbil");
    let (asked, document) = ask(&bench, &request, Continuing::Anew, polite).expect("a run");
    (asked, document, server.requests().len())
}

/// The kind of failure and the reason, where every question is replied to so; and the number of tries.
#[track_caller]
fn told(reply: impl Fn(&Request, &mut TcpStream) + Send + Sync + 'static) -> (String, String, usize) {
    let polite = Politeness { most_bytes: 50_000, ..hasty() };
    let (_, document, times) = asked(1, &polite, reply);
    let question = &document.questions[0];
    (failure(question).unwrap_or("none").to_owned(), question.error.clone().unwrap_or_default(), times)
}

#[test]
fn bodies_that_are_no_answers_have_a_status() {
    let page = told(|_, stream| {
        send(stream, "200 OK", &[("Content-Type", "application/json")], b"<html>Welcome</html>");
    });
    assert_eq!((page.0.as_str(), page.2), ("not-json", 1), "{}", page.1);
    assert!(page.1.contains("Welcome"));
    let half = told(|_, stream| send(stream, "200 OK", &[], &ANSWER.as_bytes()[..40]));
    assert_eq!((half.0.as_str(), half.2), ("not-json", 1));
    let cut =
        told(|_, stream| send(stream, "200 OK", &[("Content-Length", "5000")], &ANSWER.as_bytes()[..40]));
    assert_eq!((cut.0.as_str(), cut.2), ("protocol", 2), "{}", cut.1);
    assert_eq!(told(|_, stream| send(stream, "200 OK", &[], b"")).0, "empty-body");
    assert_eq!(told(|_, stream| send(stream, "200 OK", &[], b"{\"a\": 1}")).0, "shape");
    let endless = told(|_, stream| {
        send(stream, "200 OK", &[], b"");
        while stream.write_all(&[b' '; 4096]).is_ok() {}
    });
    assert_eq!((endless.0.as_str(), endless.1.as_str()), ("too-large", "the body has more than 50000 bytes"));
}

#[test]
fn a_body_that_unpacks_to_much_is_refused_and_one_that_does_not_is_read() {
    let packed = |content: &[u8]| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(content).expect("packed");
        encoder.finish().expect("packed")
    };
    let good = packed(ANSWER.as_bytes());
    let read = told(move |_, stream| send(stream, "200 OK", &[("Content-Encoding", "gzip")], &good));
    assert_eq!(read.0, "none", "{}", read.1);
    // 70 MiB of nothing in some 70 kB
    let bomb = packed(&vec![b' '; 70 << 20]);
    let polite = Politeness { most_bytes: 1 << 20, ..hasty() };
    let reply = move |_: &Request, stream: &mut TcpStream| {
        send(stream, "200 OK", &[("Content-Encoding", "gzip")], &bomb);
    };
    let (_, document, _) = asked(1, &polite, reply);
    assert_eq!(failure(&document.questions[0]), Some("too-large"));
}

#[test]
fn encodings_are_told_apart() {
    let latin = ANSWER.replace("true", "true, \"x\": \"K\u{f6}ln\"").replace('\u{f6}', "@");
    let bytes: Vec<u8> = latin.bytes().map(|byte| if byte == b'@' { 0xf6 } else { byte }).collect();
    let other = bytes.clone();
    let read = told(move |_, stream| {
        send(stream, "200 OK", &[("Content-Type", "application/json; charset=ISO-8859-1")], &bytes);
    });
    assert_eq!(read.0, "none", "{}", read.1);
    let wrong = told(move |_, stream| {
        send(stream, "200 OK", &[("Content-Type", "application/json; charset=UTF-8")], &other);
    });
    assert_eq!(wrong.0, "none", "what cannot be read is replaced: {}", wrong.1);
}

#[test]
fn redirects_are_not_followed() {
    let (kind, why, times) =
        told(|_, stream| send(stream, "301 Moved Permanently", &[("Location", "/files")], b""));
    assert_eq!((kind.as_str(), times), ("redirect", 1));
    assert_eq!(why, "a redirect to /files, which is not followed");
}

#[test]
fn servers_that_are_busy_are_asked_again() {
    let later = |headers: &'static [(&'static str, &'static str)]| {
        move |request: &Request, stream: &mut TcpStream| {
            if request.number == 0 {
                send(stream, "429 Too Many Requests", headers, b"");
            } else {
                send(stream, "200 OK", &[], ANSWER.as_bytes());
            }
        }
    };
    for headers in [
        &[][..],
        &[("Retry-After", "1")],
        &[("Retry-After", "Mon, 23 Nov 2026 10:00:01 GMT"), ("Date", "Mon, 23 Nov 2026 10:00:00 GMT")],
    ] {
        let (kind, why, times) = told(later(headers));
        assert_eq!((kind.as_str(), times), ("none", 2), "{why}");
    }
    // They want more than we wait.
    let (kind, _, times) = told(later(&[("Retry-After", "600")]));
    assert_eq!((kind.as_str(), times), ("rate-limit", 1));
    let overloaded = told(|_, stream| send(stream, "503 Service Unavailable", &[], b"{\"error\": \"busy\"}"));
    assert_eq!(overloaded, ("http-status".to_owned(), "busy".to_owned(), 2));
    let broken = told(|_, stream| send(stream, "500 Internal Server Error", &[], b"{\"detail\": \"no\"}"));
    assert_eq!(broken, ("http-status".to_owned(), "no".to_owned(), 1));
}

#[test]
fn a_byte_now_and_then_does_not_hold_anybody_up() {
    let polite = {
        let mut polite = hasty();
        polite.manners.time_limit = Duration::from_millis(600);
        polite
    };
    let (_, document, times) = asked(1, &polite, |_, stream| {
        send(stream, "200 OK", &[("Content-Length", "1000")], b"");
        while stream.write_all(b" ").is_ok() {
            thread::sleep(Duration::from_millis(100));
        }
    });
    assert_eq!((failure(&document.questions[0]), times), (Some("timeout"), 1));
    let gateway = told(|_, stream| send(stream, "504 Gateway Timeout", &[], b"<html>"));
    assert_eq!((gateway.0.as_str(), gateway.2), ("timeout", 2));
}

/// Asks an address where nobody is as one would expect.
fn at(address: &str) -> (String, String) {
    let folder = TempDir::new().expect("a folder");
    let bench = Workbench::new(folder.path().join("archive"));
    let request = request(&questions(folder.path(), 1), address, "gerbil");
    let (_, document) = ask(&bench, &request, Continuing::Anew, &hasty()).expect("a run");
    let question = &document.questions[0];
    (failure(question).expect("a failure").to_owned(), question.error.clone().expect("a reason"))
}

#[test]
fn who_is_not_there_is_told() {
    let free = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    let refused = at(&format!("http://{free}/"));
    assert_eq!(refused.0, "connection", "{}", refused.1);
    // TLS with somebody who does not speak it
    let plain = Server::start(|_, stream| send(stream, "200 OK", &[], ANSWER.as_bytes()));
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let there = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for stream in listener.incoming() {
            drop(stream.expect("a connection").write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n"));
        }
    });
    let tls = at(&format!("https://{there}/"));
    assert_eq!(tls.0, "tls", "{}", tls.1);
    drop(plain);
}

#[test]
fn an_old_server_is_understood() {
    let (kind, why, _) = told(|_, stream| {
        // HTTP/1.0, without a length, closed at its end
        drop(write!(stream, "HTTP/1.0 200 OK\r\n\r\n{ANSWER}"));
    });
    assert_eq!(kind, "none", "{why}");
}

#[test]
fn one_failure_does_not_stop_the_rest() {
    let (end, document, _) = asked(4, &hasty(), |request, stream| match request.number {
        1 => send(stream, "500 Internal Server Error", &[], b""),
        _ => send(stream, "200 OK", &[], ANSWER.as_bytes()),
    });
    let kinds: Vec<Option<&str>> = document.questions.iter().map(failure).collect();
    assert_eq!(kinds, [None, Some("http-status"), None, None]);
    let tally = &end.tally;
    assert_eq!(
        (tally.answered, tally.errors, tally.missing(), end.end.expect("a run").stopped),
        (3, 1, 0, None)
    );
}

#[test]
fn keys_that_are_refused_stop_a_run_unless_somebody_wants_to_go_on() {
    let refuse = |request: &Request, stream: &mut TcpStream| match request.number {
        0 => send(stream, "200 OK", &[], ANSWER.as_bytes()),
        _ => send(stream, "401 Unauthorized", &[], b"{\"error\": {\"message\": \"no such key\"}}"),
    };
    let (end, document, times) = asked(5, &hasty(), refuse);
    assert_eq!((document.questions.len(), times, end.tally.missing()), (2, 2, 3));
    assert_eq!(end.end.expect("a run").stopped.as_deref(), Some("authentication: no such key"));
    let on = Politeness { keeps_going: true, ..hasty() };
    let (end, _, times) = asked(5, &on, refuse);
    assert_eq!((times, end.end.expect("a run").stopped), (5, None));
}

#[test]
fn what_was_refused_is_asked_again_when_the_key_is_right() {
    let folder = TempDir::new().expect("a folder");
    let is_right = Arc::new(AtomicUsize::new(0));
    let key = Arc::clone(&is_right);
    let server = Server::start(move |_, stream| match key.load(Ordering::SeqCst) {
        0 => send(stream, "403 Forbidden", &[], b""),
        _ => send(stream, "200 OK", &[], ANSWER.as_bytes()),
    });
    let bench = Workbench::new(folder.path().join("archive"));
    let request = request(&questions(folder.path(), 3), &server.base, "gerbil");
    let (refused, _) = ask(&bench, &request, Continuing::Anew, &hasty()).expect("a run");
    assert_eq!((refused.tally.errors, refused.tally.missing()), (1, 2));
    is_right.store(1, Ordering::SeqCst);
    let (resumed, document) = ask(&bench, &request, Continuing::Resume, &hasty()).expect("a run");
    assert_eq!((resumed.end.expect("a run").asked, resumed.tally.answered), (3, 3));
    assert_eq!(document.questions[0].asked.as_ref().expect("how it was asked").tries, 2);
}

#[test]
fn a_system_that_nobody_reaches_any_more_is_left_alone() {
    let folder = TempDir::new().expect("a folder");
    let left = Arc::new(AtomicUsize::new(18));
    let server =
        Server::start_until(Arc::clone(&left), |_, stream| send(stream, "200 OK", &[], ANSWER.as_bytes()));
    let bench = Workbench::new(folder.path().join("archive"));
    let request = request(&questions(folder.path(), 60), &server.base, "gerbil");
    let mut polite = hasty();
    polite.manners.retries = 0;
    let (asked, document) = ask(&bench, &request, Continuing::Anew, &polite).expect("a run");
    assert_eq!(left.load(Ordering::SeqCst), 0);
    let stopped = asked.end.expect("a run").stopped.expect("it stopped");
    assert!(stopped.contains("questions reached nobody"), "{stopped}");
    assert!((20..40).contains(&document.questions.len()), "{}", document.questions.len());
    // Somebody mends it: only what is missing is asked, and what failed where that is wanted.
    assert!(Path::new(&asked.file).exists());
}
