//! Downloads from a local server that is slow, breaks off, lies, redirects and fails; and copies from the mirror.

mod program;

use crate::common;
use std::cell::RefCell;
use std::fs;
use std::io::Write as _;
use std::net::Shutdown;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::server::{Request, Server, send, serve};
use flate2::Compression;
use flate2::write::GzEncoder;
use qassay::base::error::{Error, Result};
use qassay::sources::archive::Archive;
use qassay::sources::catalogue::{Entry, EntryKind};
use qassay::sources::fetch::{Arrival, Downloads, Origin, fetch};
use qassay::sources::file::source::Source;
use qassay::sources::net::patience::Patience;
use tempfile::TempDir;

fn patience() -> Patience {
    Patience {
        connect: Duration::from_secs(2),
        idle: Duration::from_secs(5),
        tries: 4,
        first_wait: Duration::from_millis(5),
        longest_wait: Duration::from_millis(20),
        longest_asked: Duration::from_secs(2),
        redirects: 3,
        proxies: false,
    }
}

/// Bytes that are not all the same.
fn content() -> Vec<u8> {
    (0..200_000_u32).flat_map(u32::to_le_bytes).take(300_000).collect()
}

fn sha256(content: &[u8]) -> String {
    Source::from_bytes("", content.to_vec()).unwrap().sha256().to_owned()
}

/// The clock on the wall.
#[expect(clippy::disallowed_methods, reason = "how long things wait is what is tested")]
fn now() -> Instant {
    Instant::now()
}

fn entry(content: &[u8]) -> Entry {
    let digits = sha256(content);
    Entry {
        name: "test-file",
        title: "",
        kind: EntryKind::Dataset,
        family: "",
        version: "",
        publisher: "",
        licence: "",
        languages: Vec::new(),
        kb: "",
        kb_version: "",
        questions: None,
        counted: "",
        repository: "owner/name",
        commit: "c0ffee",
        path: "a folder/file é.json",
        sha256: digits.leak(),
        bytes: Some(content.len() as u64),
        format: "",
        dataset_id: "",
        lacks: "",
        damage: "",
        instead: "",
        previous: Vec::new(),
        next: Vec::new(),
        gerbil: Vec::new(),
        table1: Vec::new(),
        absent: "",
    }
}

/// What a download said on its way.
#[derive(Default)]
struct Heard {
    tries: RefCell<Vec<(String, Duration)>>,
}

impl Downloads for Heard {
    fn here(&self, _: &Entry, _: u64) {}

    fn again(&self, _: &Entry, error: &Error, wait: Duration) {
        self.tries.borrow_mut().push((error.to_string(), wait));
    }
}

/// An archive, and what is wanted.
struct Case {
    folder: TempDir,
    entry: Entry,
    heard: Heard,
}

impl Case {
    fn new() -> Self {
        Self { folder: TempDir::new().unwrap(), entry: entry(&content()), heard: Heard::default() }
    }

    fn fetch_with(&self, server: &Server, patience: Patience) -> Result<Arrival> {
        let archive = Archive::create(self.folder.path()).unwrap();
        fetch(&self.entry, &Origin::server(&server.base, patience).unwrap(), &archive, &self.heard)
    }

    fn fetch(&self, server: &Server) -> Result<Arrival> {
        self.fetch_with(server, patience())
    }

    fn part(&self) -> PathBuf {
        self.folder.path().join("tmp").join(format!("{}.part", self.entry.sha256))
    }

    /// What the archive has, but for what it always has.
    fn left(&self) -> Vec<String> {
        let files = common::files_below(self.folder.path());
        let names = files.iter().map(|file| file.display().to_string());
        names.filter(|name| !name.starts_with("tmp/.") && name != "records/archive/model.nq").collect()
    }

    #[track_caller]
    fn has_the_file(&self) {
        let sha256 = self.entry.sha256;
        let place = format!("files/sha256/{}/{sha256}", &sha256[..2]);
        assert_eq!(self.left(), [place.as_str()]);
        assert_eq!(fs::read(self.folder.path().join(place)).unwrap(), content());
    }

    /// The error of a download that must leave nothing.
    #[track_caller]
    fn refused(&self, server: &Server) -> String {
        let error = self.fetch(server).unwrap_err().to_string();
        assert_eq!(self.left(), Vec::<String>::new(), "{error}");
        error.replace(&server.base, "BASE").replace(self.entry.sha256, "EXPECTED")
    }
}

const ADDRESS: &str = "GET /files/owner/name/c0ffee/a%20folder/file%20%C3%A9.json HTTP/1.1";

#[test]
fn a_good_server_is_asked_once() {
    let case = Case::new();
    let server = Server::start(|request, stream| serve(stream, request, &content()));
    assert_eq!(case.fetch(&server).unwrap(), Arrival::Fetched);
    case.has_the_file();
    assert_eq!(case.fetch(&server).unwrap(), Arrival::Known);
    let requests = server.requests();
    assert_eq!(requests.len(), 1);
    assert_eq!(requests[0].line, ADDRESS);
    assert_eq!(requests[0].header("user-agent"), Some(concat!("qassay/", env!("CARGO_PKG_VERSION"))));
    assert_eq!(requests[0].header("accept-encoding"), Some("identity"));
    assert_eq!(requests[0].header("range"), None);
    assert_eq!(requests[0].header("cookie"), None);
}

#[test]
fn a_slow_server_may_take_longer_than_the_idle_time() {
    let case = Case::new();
    let server = Server::start(|_, stream| {
        send(stream, "200 OK", &[("Content-Length", "300000")], b"");
        for piece in content().chunks(50_000) {
            thread::sleep(Duration::from_millis(150));
            drop(stream.write_all(piece));
        }
    });
    let patient = Patience { idle: Duration::from_millis(700), ..patience() };
    let (begun, idle) = (now(), patient.idle);
    case.fetch_with(&server, patient).unwrap();
    assert!(begun.elapsed() > idle, "the server was not slow");
    case.has_the_file();
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_server_that_stalls_is_left_and_asked_again_for_the_rest() {
    let case = Case::new();
    let server = Server::start(|request, stream| {
        if request.number == 0 {
            send(stream, "200 OK", &[("Content-Length", "300000")], &content()[..100_000]);
            thread::sleep(Duration::from_secs(20));
        } else {
            serve(stream, request, &content());
        }
    });
    let impatient = Patience { idle: Duration::from_millis(400), ..patience() };
    let begun = now();
    case.fetch_with(&server, impatient).unwrap();
    assert!(begun.elapsed() < Duration::from_secs(15), "waited {:?}", begun.elapsed());
    case.has_the_file();
    assert_eq!(server.requests()[1].start(), Some(100_000));
}

#[test]
fn a_server_that_never_answers_is_given_up() {
    let case = Case::new();
    let server = Server::start(|_, _| thread::sleep(Duration::from_secs(3)));
    let short = Patience { idle: Duration::from_millis(50), tries: 2, ..patience() };
    let error = case.fetch_with(&server, short).unwrap_err().to_string();
    assert!(error.ends_with("after 2 tries: the server does not answer in time."), "{error}");
    assert_eq!(case.left(), Vec::<String>::new());
}

#[test]
fn a_broken_download_goes_on_where_it_was() {
    let case = Case::new();
    let server = Server::start(|request, stream| {
        let start = request.start().unwrap_or_default();
        let range = format!("bytes {start}-299999/300000");
        let length = (300_000 - start).to_string();
        let headers =
            [("Content-Length", length.as_str()), ("Content-Range", &range), ("ETag", "\"of-the-commit\"")];
        // Never more than 120,000 bytes at once.
        let end = (start + 120_000).min(300_000);
        let status = if request.start().is_some() { "206 Partial Content" } else { "200 OK" };
        send(stream, status, &headers, &content()[start..end]);
        drop(stream.shutdown(Shutdown::Both));
    });
    case.fetch(&server).unwrap();
    case.has_the_file();
    let requests = server.requests();
    assert_eq!(requests.iter().map(Request::start).collect::<Vec<_>>(), [None, Some(120_000), Some(240_000)]);
    assert_eq!(requests[1].header("if-range"), Some("\"of-the-commit\""));
    let tries = case.heard.tries.borrow();
    assert!(tries[0].0.contains("broke off after 120000 of 300000 bytes"), "{tries:?}");
}

#[test]
fn a_weak_tag_is_no_condition() {
    let case = Case::new();
    let server = Server::start(|request, stream| match request.start() {
        None => {
            send(stream, "200 OK", &[("Content-Length", "300000"), ("ETag", "W/\"x\"")], &content()[..1000]);
        }
        Some(_) => serve(stream, request, &content()),
    });
    case.fetch(&server).unwrap();
    assert_eq!(server.requests()[1].header("if-range"), None);
    case.has_the_file();
}

#[test]
fn a_server_that_ignores_ranges_starts_from_the_beginning() {
    let case = Case::new();
    let server = Server::start(|request, stream| {
        let end = if request.number == 0 { 100_000 } else { 300_000 };
        send(stream, "200 OK", &[("Content-Length", "300000")], &content()[..end]);
    });
    case.fetch(&server).unwrap();
    case.has_the_file();
    assert_eq!(server.requests()[1].start(), Some(100_000));
}

#[test]
fn a_server_that_refuses_ranges_is_asked_without() {
    for status in ["416 Range Not Satisfiable", "206 Partial Content"] {
        let case = Case::new();
        fs::create_dir_all(case.part().parent().unwrap()).unwrap();
        drop(Archive::create(case.folder.path()).unwrap());
        fs::write(case.part(), &content()[..100_000]).unwrap();
        let server = Server::start(move |request, stream| match request.start() {
            // A part that begins elsewhere is of no use.
            Some(_) => send(stream, status, &[("Content-Range", "bytes 7-8/300000")], b"xx"),
            None => serve(stream, request, &content()),
        });
        case.fetch(&server).unwrap();
        case.has_the_file();
        let starts: Vec<_> = server.requests().iter().map(Request::start).collect();
        assert_eq!(starts, [Some(100_000), None], "{status}");
    }
}

#[test]
fn a_part_of_an_earlier_run_is_continued_or_replaced() {
    let mut other = content();
    other[7] ^= 1;
    let mut long = content();
    long.push(0);
    // What is left, and what is asked for.
    let whole = vec![None];
    for (left, asked) in [
        (&content()[..250_000], vec![Some(250_000)]),
        (&content()[..], Vec::new()),
        (&other[..250_000], vec![Some(250_000), None]),
        (&other[..], whole.clone()),
        (&long[..], whole),
    ] {
        let case = Case::new();
        drop(Archive::create(case.folder.path()).unwrap());
        fs::write(case.part(), left).unwrap();
        let server = Server::start(|request, stream| serve(stream, request, &content()));
        assert_eq!(case.fetch(&server).unwrap(), Arrival::Fetched);
        case.has_the_file();
        assert_eq!(server.requests().iter().map(Request::start).collect::<Vec<_>>(), asked);
    }
}

#[test]
fn a_server_that_announces_another_size_is_refused_at_once() {
    for length in ["299999", "300001", "0"] {
        let case = Case::new();
        let server =
            Server::start(move |_, stream| send(stream, "200 OK", &[("Content-Length", length)], &content()));
        let error = case.refused(&server);
        assert!(
            error.contains(&format!("expected 300000 bytes, the server announces {length}; nothing is kept")),
            "{error}"
        );
        assert_eq!(server.requests().len(), 1);
    }
}

#[test]
fn bytes_without_end_are_not_taken() {
    let case = Case::new();
    let server = Server::start(|_, stream| {
        send(stream, "200 OK", &[], b"");
        while stream.write_all(&[b'x'; 4096]).is_ok() {}
    });
    let error = case.refused(&server);
    assert!(error.contains("expected 300000 bytes, the server sends more"), "{error}");
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn without_a_length_the_end_is_the_end_only_if_everything_is_there() {
    let case = Case::new();
    let server = Server::start(|request, stream| match (request.number, request.start()) {
        (0, _) => send(stream, "200 OK", &[], &content()[..200_000]),
        (_, Some(start)) => {
            let range = format!("bytes {start}-299999/300000");
            send(stream, "206 Partial Content", &[("Content-Range", &range)], &content()[start..]);
        }
        _ => send(stream, "500 Internal Server Error", &[], b""),
    });
    case.fetch(&server).unwrap();
    case.has_the_file();
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn other_bytes_of_the_same_size_are_refused_with_both_checksums() {
    let case = Case::new();
    let server = Server::start(|request, stream| serve(stream, request, &vec![b'x'; 300_000]));
    let error = case.refused(&server);
    let found = sha256(&vec![b'x'; 300_000]);
    assert_eq!(
        error,
        format!(
            "test-file, BASE/owner/name/c0ffee/a%20folder/file%20%C3%A9.json: expected the sha256 checksum EXPECTED, found {found}; nothing is kept."
        )
    );
    assert_eq!(server.requests().len(), 1, "the same bytes would come again");
}

#[test]
fn redirects_are_followed_but_not_for_ever() {
    let case = Case::new();
    let server = Server::start(|request, stream| {
        if request.line.starts_with("GET /moved ") {
            serve(stream, request, &content());
        } else {
            send(
                stream,
                "302 Found",
                &[("Location", "/moved"), ("Set-Cookie", "a=b"), ("Content-Length", "0")],
                b"",
            );
        }
    });
    case.fetch(&server).unwrap();
    case.has_the_file();
    assert_eq!(server.requests()[1].header("cookie"), None);
    assert_eq!(server.requests()[1].header("referer"), None);

    let case = Case::new();
    let server = Server::start(|_, stream| {
        send(stream, "302 Found", &[("Location", "/files/again"), ("Content-Length", "0")], b"");
    });
    let error = case.refused(&server);
    assert!(error.contains("too many redirects"), "{error}");
    assert_eq!(server.requests().len(), 4, "the first and three redirects");
}

#[test]
fn what_is_not_there_is_asked_for_once() {
    for status in ["404 Not Found", "403 Forbidden", "410 Gone", "401 Unauthorized", "204 No Content"] {
        let case = Case::new();
        let server = Server::start(move |_, stream| send(stream, status, &[("Content-Length", "0")], b""));
        let error = case.refused(&server);
        assert!(error.contains(&format!("the server says {status}")), "{error}");
        assert_eq!(server.requests().len(), 1, "{status}");
    }
}

#[test]
fn passing_failures_are_tried_again_and_lasting_ones_given_up() {
    for status in [
        "500 Internal Server Error",
        "503 Service Unavailable",
        "408 Request Timeout",
        "429 Too Many Requests",
    ] {
        let case = Case::new();
        let server = Server::start(move |request, stream| match request.number {
            0 | 1 => send(stream, status, &[("Content-Length", "0")], b""),
            _ => serve(stream, request, &content()),
        });
        case.fetch(&server).unwrap();
        case.has_the_file();
        // Each wait is twice as long as the one before.
        let waits: Vec<Duration> = case.heard.tries.borrow().iter().map(|(_, wait)| *wait).collect();
        assert_eq!(waits, [5, 10].map(Duration::from_millis), "{status}");

        let case = Case::new();
        let server = Server::start(move |_, stream| send(stream, status, &[("Content-Length", "0")], b""));
        let error = case.refused(&server);
        assert!(error.contains(&format!("after 4 tries: the server says {status}")), "{error}");
        assert_eq!(server.requests().len(), 4, "{status}");
    }
}

#[test]
fn a_server_that_asks_to_wait_is_obeyed_within_limits() {
    let case = Case::new();
    let server = Server::start(|request, stream| match request.number {
        0 => send(stream, "429 Too Many Requests", &[("Retry-After", "1"), ("Content-Length", "0")], b""),
        _ => serve(stream, request, &content()),
    });
    let begun = now();
    case.fetch(&server).unwrap();
    assert!(begun.elapsed() >= Duration::from_secs(1), "waited {:?}", begun.elapsed());
    case.has_the_file();

    let case = Case::new();
    let server = Server::start(|_, stream| {
        send(stream, "503 Service Unavailable", &[("Retry-After", "3600"), ("Content-Length", "0")], b"");
    });
    let error = case.refused(&server);
    assert!(error.contains("wants us to wait 3600 seconds, and 2 are the most"), "{error}");
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn gzip_that_nobody_asked_for_is_unpacked() {
    let case = Case::new();
    let packed = || {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&content()).unwrap();
        encoder.finish().unwrap()
    };
    let server = Server::start(move |_, stream| {
        let packed = packed();
        let length = packed.len().to_string();
        send(stream, "200 OK", &[("Content-Encoding", "gzip"), ("Content-Length", &length)], &packed);
    });
    case.fetch(&server).unwrap();
    case.has_the_file();

    let case = Case::new();
    let server = Server::start(|_, stream| send(stream, "200 OK", &[("Content-Encoding", "br")], b"x"));
    let error = case.refused(&server);
    assert!(error.contains("in the encoding `br`"), "{error}");
}

#[test]
fn an_empty_body_and_a_reply_that_is_no_http_are_refused() {
    let case = Case::new();
    let server = Server::start(|_, stream| send(stream, "200 OK", &[], b""));
    let error = case.refused(&server);
    assert!(error.contains("after 4 tries: the download ends after 0 of 300000 bytes"), "{error}");

    let case = Case::new();
    let server = Server::start(|_, stream| drop(stream.write_all(b"SSH-2.0-OpenSSH_9.6\r\n\r\n")));
    let error = case.refused(&server);
    assert!(error.contains("cannot fetch the file"), "{error}");
    assert_eq!(server.requests().len(), 1, "what speaks another language does not learn ours");

    let case = Case::new();
    let server = Server::start(|_, stream| drop(stream.shutdown(Shutdown::Both)));
    let error = case.refused(&server);
    assert!(error.contains("after 4 tries: cannot fetch the file"), "{error}");
    assert_eq!(server.requests().len(), 4);
}

#[test]
fn nobody_at_the_address_is_tried_again_and_then_said() {
    let case = Case::new();
    let archive = Archive::create(case.folder.path()).unwrap();
    // A port that was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let origin = Origin::server(&format!("http://127.0.0.1:{port}"), patience()).unwrap();
    let error = fetch(&case.entry, &origin, &archive, &case.heard).unwrap_err().to_string();
    assert!(error.contains("after 4 tries: cannot fetch the file: Connection refused"), "{error}");
    assert!(error.contains("HTTPS_PROXY"), "{error}");
    assert_eq!(case.heard.tries.borrow().len(), 3);
    // The next file does not wait for nobody.
    let error = fetch(&case.entry, &origin, &archive, &case.heard).unwrap_err().to_string();
    assert!(error.contains("the server cannot be reached, as before"), "{error}");
    assert_eq!(case.heard.tries.borrow().len(), 3);
    for base in ["ftp://example.org", "example.org", "http://", "file:///tmp"] {
        assert!(Origin::server(base, patience()).unwrap_err().to_string().contains("no address of a server"));
    }
}

#[test]
fn several_at_once_fetch_a_file_once() {
    let case = Case::new();
    let server = Server::start(|request, stream| {
        thread::sleep(Duration::from_millis(100));
        serve(stream, request, &content());
    });
    let outcomes: Vec<Arrival> = thread::scope(|scope| {
        let fetching = || {
            let archive = Archive::create(case.folder.path()).unwrap();
            let origin = Origin::server(&server.base, patience()).unwrap();
            fetch(&entry(&content()), &origin, &archive, &qassay::Silent).unwrap()
        };
        let threads: Vec<_> = (0..3).map(|_| scope.spawn(fetching)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Arrival::Fetched).count(), 1);
    assert_eq!(server.requests().len(), 1);
    case.has_the_file();
}
