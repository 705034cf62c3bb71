//! A small HTTP server that can misbehave.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// A request: its first line and its headers, in lower case.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    /// Counted from 0.
    pub(crate) number: usize,
    pub(crate) line: String,
    pub(crate) headers: Vec<(String, String)>,
    /// The body as it is, and as text.
    pub(crate) content: Vec<u8>,
    pub(crate) body: String,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The byte at which the wanted range begins.
    pub(crate) fn start(&self) -> Option<usize> {
        self.header("range")?.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok()
    }
}

/// A server on a port of its own. It ends with the test.
pub(crate) struct Server {
    pub(crate) base: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// Answers every request, on a connection of its own, with what `reply` writes.
    pub(crate) fn start(reply: impl Fn(&Request, &mut TcpStream) + Send + Sync + 'static) -> Self {
        Self::start_until(Arc::new(AtomicUsize::new(usize::MAX)), reply)
    }

    /// Answers as many requests as are left; then nobody listens any more.
    pub(crate) fn start_until(
        left: Arc<AtomicUsize>,
        reply: impl Fn(&Request, &mut TcpStream) + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}/files", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<Request>>> = Arc::default();
        let (seen, reply) = (Arc::clone(&requests), Arc::new(reply));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let is_left =
                    left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
                if is_left.is_err() {
                    break;
                }
                let (seen, reply, mut stream) = (Arc::clone(&seen), Arc::clone(&reply), stream.unwrap());
                thread::spawn(move || {
                    let Some(request) = receive(&stream, &seen) else { return };
                    reply(&request, &mut stream);
                });
            }
        });
        Self { base, requests }
    }

    /// What was asked so far.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }
}

fn receive(stream: &TcpStream, seen: &Mutex<Vec<Request>>) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut lines = reader.by_ref().lines().map_while(Result::ok);
    let line = lines.next()?;
    let split = |line: String| {
        line.split_once(':').map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
    };
    let headers = lines.take_while(|line| !line.is_empty()).filter_map(split).collect();
    let mut request = Request { number: 0, line, headers, content: Vec::new(), body: String::new() };
    let length = request.header("content-length").and_then(|length| length.parse().ok()).unwrap_or_default();
    reader.take(length).read_to_end(&mut request.content).ok()?;
    request.body = String::from_utf8_lossy(&request.content).into_owned();
    let mut seen = seen.lock().unwrap();
    request.number = seen.len();
    seen.push(request.clone());
    Some(request)
}

/// Sends a head and a body. Nobody minds if the other side has gone.
pub(crate) fn send(stream: &mut TcpStream, status: &str, headers: &[(&str, &str)], body: &[u8]) {
    let mut head = format!("HTTP/1.1 {status}\r\nConnection: close\r\n");
    for (name, value) in headers {
        head.extend([name, ": ", value, "\r\n"]);
    }
    head.push_str("\r\n");
    drop(
        stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body)).and_then(|()| stream.flush()),
    );
}

/// Sends a file as a good server does: whole, or from where it is wanted.
pub(crate) fn serve(stream: &mut TcpStream, request: &Request, content: &[u8]) {
    match request.start() {
        Some(start) if start < content.len() => {
            let range = format!("bytes {start}-{}/{}", content.len() - 1, content.len());
            let length = (content.len() - start).to_string();
            let headers = [("Content-Length", length.as_str()), ("Content-Range", range.as_str())];
            send(stream, "206 Partial Content", &headers, &content[start..]);
        }
        _ => send(stream, "200 OK", &[("Content-Length", &content.len().to_string())], content),
    }
}
