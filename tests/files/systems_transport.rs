//! Exchanges with live systems that have no reply, or not all of one: each happens again, and gives the failure that is
//! expected.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use qassay::workbench::Workbench;
use qassay::workbench::ask::Continuing;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::live::{ask, failure, hasty, questions, request};

/// What a server does with a connection.
type Does = fn(&mut TcpStream);

/// The cases, as `CASE.transport.txt` tells them.
const CASES: [(&str, Does); 8] = [
    ("common-errors/drips", drip),
    ("common-errors/never-answers", wait),
    ("common-errors/too-large", pour),
    ("common-errors/truncated-json", cut),
    ("text2sparql/error-bad-status-line", babble),
    ("text2sparql/error-disconnected", |_| {}),
    ("text2sparql/error-read-timeout", wait),
    ("text2sparql/error-tls", babble),
];

fn say(stream: &mut TcpStream, text: &str) -> bool {
    stream.write_all(text.as_bytes()).and_then(|()| stream.flush()).is_ok()
}

fn drip(stream: &mut TcpStream) {
    say(stream, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
    while say(stream, " ") {
        thread::sleep(Duration::from_millis(100));
    }
}

/// Until the client gives up.
fn wait(stream: &mut TcpStream) {
    drop(stream.read(&mut [0]));
}

fn pour(stream: &mut TcpStream) {
    say(stream, "HTTP/1.1 200 OK\r\n\r\n");
    let much = " ".repeat(1 << 16);
    while say(stream, &much) {}
}

fn cut(stream: &mut TcpStream) {
    say(stream, "HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\n{\"questions\": [{");
}

fn babble(stream: &mut TcpStream) {
    say(stream, "SSH-2.0-OpenSSH_9.9\r\n");
}

/// The trials.
pub(crate) fn trials(shared: &Path) -> Vec<Trial> {
    let folder = shared.join("specs/systems-fixtures");
    let trial = |(case, does): (&'static str, Does)| {
        let expected = folder.join(format!("{case}.expected.json"));
        let check =
            move || check(case, does, &serde_json::from_slice(&fs::read(&expected).unwrap()).unwrap());
        Trial::test(format!("systems::transport::{case}"), check)
    };
    CASES.into_iter().map(trial).collect()
}

fn check(case: &str, does: Does, expected: &Value) -> Result<(), Failed> {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let there = listener.local_addr().unwrap();
    let times = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&times);
    thread::spawn(move || {
        for stream in listener.incoming() {
            counted.fetch_add(1, Ordering::SeqCst);
            let mut stream = stream.unwrap();
            thread::spawn(move || {
                // A client of TLS does not send the head of a request.
                drop(stream.set_read_timeout(Some(Duration::from_secs(2))));
                drop(stream.read(&mut [0; 4096]));
                does(&mut stream);
            });
        }
    });
    let scheme = if case.ends_with("tls") { "https" } else { "http" };
    let folder = TempDir::new().unwrap();
    let mut request = request(&questions(folder.path(), 1), &format!("{scheme}://{there}/"), "text2sparql");
    request.settings.insert("dataset".to_owned(), "http://d.example/".to_owned());
    let mut polite = hasty();
    polite.manners.time_limit = Duration::from_millis(800);
    polite.most_bytes = 1 << 20;
    let bench = Workbench::new(folder.path().join("archive"));
    let (_, document) = ask(&bench, &request, Continuing::Anew, &polite).unwrap();
    let question = &document.questions[0];
    let kind = failure(question).unwrap_or("none");
    // A client may try a connection that broke again by itself.
    let again = question.asked.as_ref().unwrap().tries > 1;
    if expected["error"]["kind"] == kind && expected["error"]["retry"] == again {
        return Ok(());
    }
    let times = times.load(Ordering::SeqCst);
    Err(format!("{kind}, {times} connections: {:?}\n{expected:#}", question.error).into())
}
