//! Servers that misbehave, asked by the program as people run it: each question ends with a status and a reason, none stops the
//! rest unless it must, and what is kept is sound.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use qassay::sources::document::{Document, Question};
use qassay::sources::file::source::Source;
use qassay::sources::format::read;
use serde_json::Value;
use tempfile::TempDir;

use super::mocked::submission;
use crate::common::server::{Request, Server, send};
use crate::common::{Ran, program, qassay};

const OK: &str = "200 OK";
const ANSWER: &[u8] = br#"{"questions": [{"id": "1", "question": [], "answers": [{"head": {"vars": ["x"]},
    "results": {"bindings": [{"x": {"type": "literal", "value": "K\u00f6ln"}}]}}]}]}"#;
const MUCH: usize = 1 << 30;

/// What a server does with a question.
struct Case {
    /// The text of the question.
    text: &'static str,
    does: fn(&Request, &mut TcpStream),
    /// The kind of failure; none: an answer.
    kind: Option<&'static str>,
    /// How often it is asked.
    tries: u32,
    /// Something that the reason says.
    why: &'static str,
}

const fn case(
    text: &'static str,
    does: fn(&Request, &mut TcpStream),
    (kind, tries, why): (Option<&'static str>, u32, &'static str),
) -> Case {
    Case { text, does, kind, tries, why }
}

/// All that may happen; one more try is allowed.
const CASES: [Case; 19] = [
    case("page", |_, to| send(to, OK, JSON, b"<html>Welcome"), (Some("not-json"), 1, "Welcome")),
    case("half", |_, to| send(to, OK, JSON, &ANSWER[..60]), (Some("not-json"), 1, "")),
    case(
        "cut",
        |_, to| send(to, OK, &[("Content-Length", "5000")], ANSWER),
        (Some("protocol"), 2, "broke off"),
    ),
    case("gigabyte", pour, (Some("too-large"), 1, "16777216 bytes")),
    case("gigabyte, said", pour_said, (Some("too-large"), 1, "16777216 bytes")),
    case("drip", drip, (Some("timeout"), 1, "")),
    case("latin", |_, to| send(to, OK, LATIN, &latin()), (None, 1, "")),
    case("not what it says", |_, to| send(to, OK, UTF_8, &latin()), (None, 1, "")),
    case("bomb", |_, to| send(to, OK, &[("Content-Encoding", "gzip")], &bomb()), (Some("too-large"), 1, "")),
    case("loop", |_, to| send(to, "301 Moved Permanently", &[("Location", "/files")], b""), LOOP),
    case("loop by 302", |_, to| send(to, "302 Found", &[("Location", "/files")], b""), LOOP),
    case("busy", |asked, to| once(asked, to, &[]), (None, 2, "")),
    case("busy for a second", |asked, to| once(asked, to, &[("Retry-After", "1")]), (None, 2, "")),
    case("busy until", |asked, to| once(asked, to, UNTIL), (None, 2, "")),
    case("busy for an hour", |asked, to| once(asked, to, &[("Retry-After", "3600")]), HOUR),
    case("gone", |_, _| {}, (Some("connection"), 2, "")),
    case("babble", |_, to| drop(to.write_all(b"SSH-2.0-OpenSSH_9.9\r\n")), (Some("protocol"), 2, "")),
    case("old", old, (None, 1, "")),
    case("twice", |_, to| send(to, OK, JSON, ANSWER), (None, 1, "")),
];
const JSON: &[(&str, &str)] = &[("Content-Type", "application/json")];
const LATIN: &[(&str, &str)] = &[("Content-Type", "application/json; charset=ISO-8859-1")];
const UTF_8: &[(&str, &str)] = &[("Content-Type", "application/json; charset=UTF-8")];
const UNTIL: &[(&str, &str)] =
    &[("Retry-After", "Mon, 23 Nov 2026 10:00:01 GMT"), ("Date", "Mon, 23 Nov 2026 10:00:00 GMT")];
const LOOP: (Option<&str>, u32, &str) = (Some("redirect"), 1, "a redirect to /files, which is not followed");
const HOUR: (Option<&str>, u32, &str) = (Some("rate-limit"), 1, "429");

/// A gigabyte, as long as somebody reads it.
fn pour(_: &Request, to: &mut TcpStream) {
    pour_with(to, JSON);
}

/// The same from a server that says how much it is.
fn pour_said(_: &Request, to: &mut TcpStream) {
    pour_with(to, &[("Content-Length", "1073741824")]);
}

fn pour_with(to: &mut TcpStream, headers: &[(&str, &str)]) {
    send(to, OK, headers, b"");
    let some = vec![b' '; 1 << 16];
    for _ in 0..MUCH / some.len() {
        if to.write_all(&some).is_err() {
            return;
        }
    }
}

/// A byte a second.
fn drip(_: &Request, to: &mut TcpStream) {
    send(to, OK, &[("Content-Length", "1000")], b"");
    while to.write_all(b" ").is_ok() {
        thread::sleep(Duration::from_secs(1));
    }
}

/// Busy when it is asked first.
fn once(asked: &Request, to: &mut TcpStream, headers: &[(&str, &str)]) {
    if asked.number == 0 {
        send(to, "429 Too Many Requests", headers, b"");
    } else {
        send(to, OK, JSON, ANSWER);
    }
}

/// HTTP/1.0, without a length, closed at its end.
fn old(_: &Request, to: &mut TcpStream) {
    drop(to.write_all(b"HTTP/1.0 200 OK\r\n\r\n").and_then(|()| to.write_all(ANSWER)));
}

/// The answer with a character of its own in ISO-8859-1.
fn latin() -> Vec<u8> {
    String::from_utf8_lossy(ANSWER).replace("\\u00f6", "\u{f6}").chars().map(|one| one as u8).collect()
}

/// Twice what is unpacked, in half a megabyte.
fn bomb() -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let some = vec![b' '; 1 << 20];
    for _ in 0..128 {
        encoder.write_all(&some).expect("packed");
    }
    encoder.finish().expect("packed")
}

/// The case that a request is about.
fn heard(asked: &Request) -> &'static Case {
    let text = form_urlencoded::parse(asked.body.as_bytes()).find(|(name, _)| name == "query");
    let text = text.map(|(_, text)| text.into_owned()).unwrap_or_default();
    CASES.iter().find(|case| case.text == text).expect("a case")
}

fn questions(folder: &Path, texts: &[&str]) {
    let line = |(at, text): (usize, &&str)| {
        format!(r#"{{"id": "{at}", "question": [{{"language": "en", "string": "{text}"}}]}}"#)
    };
    let lines: Vec<String> = texts.iter().enumerate().map(line).collect();
    fs::write(folder.join("questions.jsonl"), lines.join("\n")).expect("a file");
}

/// Asks them, patient for three seconds.
fn asking(folder: &Path, address: &str, retries: &str, more: &[&str]) -> Ran {
    let mut words = vec!["ask", "questions.jsonl", address, "--system", "live", "--retries", retries];
    words.extend(["--time-limit", "3", "--max-wait", "2", "--format", "json"]);
    words.extend(more);
    Ran::of(program(folder).args(words).env("OPENAI_API_KEY", "sk-none"))
}

fn kept(folder: &Path) -> Document {
    let file = submission(&folder.join("qassay-archive"));
    read(&Source::open(&file).expect("a file")).expect("a submission").0
}

fn failure(question: &Question) -> Option<&str> {
    question.asked.as_ref().expect("how it was asked").failure.as_deref()
}

#[test]
fn each_question_ends_with_a_status_and_a_reason() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let asked_before: Mutex<BTreeMap<&str, usize>> = Mutex::default();
    let server = Server::start(move |asked, stream| {
        let case = heard(asked);
        let mut counts = asked_before.lock().expect("counts");
        let count = counts.entry(case.text).or_default();
        // Counted for each question.
        let asked = Request { number: *count, ..asked.clone() };
        *count += 1;
        drop(counts);
        (case.does)(&asked, stream);
    });
    let mut texts: Vec<&str> = CASES.iter().map(|case| case.text).collect();
    texts.push("twice");
    questions(folder, &texts);
    let ran = asking(folder, &server.base, "1", &["--parallel", "4"]);
    assert!(ran.stderr.contains("asked with the text of another question: 19"), "{}", ran.stderr);
    let table = ran.json();
    assert_eq!(
        (table["asked"][0]["questions"].as_u64(), table["asked"][0]["missing"].as_u64()),
        (Some(20), Some(0)),
        "{table}"
    );
    let document = kept(folder);
    assert_eq!(document.questions.len(), texts.len());
    for (question, text) in document.questions.iter().zip(texts) {
        let case = CASES.iter().find(|case| case.text == text).expect("a case");
        let why = question.error.as_deref().unwrap_or_default();
        let tries = question.asked.as_ref().expect("how it was asked").tries;
        assert_eq!((failure(question), tries), (case.kind, case.tries), "{text}: {why}");
        assert_eq!(case.kind.is_some(), !why.is_empty(), "{text}");
        assert!(why.contains(case.why), "{text}: {why}");
    }
    // What cannot be read in the encoding that the server names is replaced, and the rest is read.
    let odd = document.questions.iter().filter_map(value).filter(|(_, value)| *value != "Köln");
    assert_eq!(odd.collect::<Vec<_>>(), [("not what it says", "K\u{fffd}ln")]);
    // Nobody was asked twice, whoever has the same text: each has an exchange of its own.
    assert_eq!(server.requests().iter().filter(|asked| heard(asked).text == "twice").count(), 2);
    let verified = qassay(folder, ["verify"]).ok();
    assert!(
        verified.contains("submissions made of exchanges") && !verified.contains("problem"),
        "{verified}"
    );
}

fn value(question: &Question) -> Option<(&str, &str)> {
    let cell = question.answers.sets.first()?.rows.first()?.cells.first()?;
    Some((question.texts.first()?.text.as_str(), cell.value.as_str()))
}

#[test]
fn who_is_not_there_is_told() {
    let free = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    let plain = TcpListener::bind("127.0.0.1:0").expect("a port");
    let no_tls = plain.local_addr().expect("an address");
    thread::spawn(move || {
        for stream in plain.incoming() {
            drop(stream.expect("a connection").write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n"));
        }
    });
    for (address, kind, why) in
        [(format!("http://{free}/"), "connection", "refused"), (format!("https://{no_tls}/"), "tls", "")]
    {
        let folder = TempDir::new().expect("a folder");
        questions(folder.path(), &["1?", "2?"]);
        let ran = asking(folder.path(), &address, "0", &[]);
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        let table: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        assert_eq!(
            (table["asked"][0]["errors"].as_u64(), table["asked"][0]["missing"].as_u64()),
            (Some(2), Some(0)),
            "{table}"
        );
        for question in &kept(folder.path()).questions {
            let told = question.error.as_deref().unwrap_or_default();
            assert_eq!((failure(question), told.contains(why)), (Some(kind), true), "{told}");
        }
        qassay(folder.path(), ["verify"]).ok();
    }
}

/// What must stop a run: a key that is refused, a quota that is used up, nobody there any more. It says so, what was answered is
/// kept, and somebody may want to go on.
#[test]
fn what_must_stop_a_run_says_so() {
    const QUOTA: &[u8] = br#"{"error": {"code": "insufficient_quota", "message": "You exceeded it"}}"#;
    let refusing = |status: &'static str, body: &'static [u8]| {
        move |asked: &Request, stream: &mut TcpStream| match asked.number {
            0 => send(stream, OK, JSON, ANSWER),
            _ => send(stream, status, JSON, body),
        }
    };
    for (server, protocol, why) in [
        (
            Server::start(refusing("401 Unauthorized", b"{\"error\": \"no key\"}")),
            "gerbil",
            "authentication: no key",
        ),
        (Server::start(refusing("403 Forbidden", b"")), "gerbil", "authentication: "),
        (Server::start(refusing("429 Too Many Requests", QUOTA)), "openai", "quota: You exceeded it"),
    ] {
        let folder = TempDir::new().expect("a folder");
        let folder = folder.path();
        questions(folder, &["1?", "2?", "3?", "4?", "5?"]);
        let more = match protocol {
            "openai" => vec!["--as", protocol, "--set", "model=m"],
            _ => vec!["--as", protocol],
        };
        let ran = asking(folder, &server.base, "1", &more);
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        assert!(ran.stderr.contains(&format!("stopped asking live: {why}")), "{}", ran.stderr);
        let document = kept(folder);
        assert_eq!((document.questions.len(), server.requests().len()), (2, 2), "{why}");
        qassay(folder, ["verify"]).ok();
        let on = asking(folder, &server.base, "0", &[&more[..], &["--keep-going", "--restart"]].concat());
        assert_eq!((on.code, server.requests().len()), (Some(1), 7), "{}", on.stderr);
    }
}

#[test]
fn nobody_is_asked_for_hours_who_is_gone() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let numbers: Vec<String> = (0..60).map(|number| format!("{number}?")).collect();
    questions(folder, &numbers.iter().map(String::as_str).collect::<Vec<_>>());
    let server = Server::start(|asked, stream| {
        // A third of the questions reaches nobody.
        if asked.number % 3 != 0 {
            send(stream, OK, JSON, ANSWER);
        }
    });
    let ran = asking(folder, &server.base, "0", &[]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("questions reached nobody"), "{}", ran.stderr);
    // The eighth of them is the first after twenty questions.
    assert_eq!(kept(folder).questions.len(), 22);
    qassay(folder, ["verify"]).ok();
}
