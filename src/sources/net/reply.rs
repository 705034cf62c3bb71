//! A reply: its head, and its body as it comes or within a time and a size.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use flate2::read::MultiGzDecoder;
use reqwest::StatusCode;
use reqwest::blocking::Response;
use reqwest::header::{AsHeaderName, CONTENT_ENCODING, HeaderMap, HeaderValue, RETRY_AFTER};

use crate::sources::net::clock::Deadline;
use crate::sources::net::failure::{Failure, deepest};

/// The most bytes that are read of a reply without success.
const MOST_WORDS: u64 = 1 << 16;

/// A reply: what its head says, and its body, which may still be to read.
#[derive(Debug)]
pub(crate) struct Reply<B = Response> {
    pub(crate) status: StatusCode,
    headers: HeaderMap,
    pub(crate) body: B,
}

/// A reply with its whole body.
pub(crate) type WholeReply = Reply<Vec<u8>>;

impl<B> Reply<B> {
    /// A reply whose head and body are known.
    pub(crate) fn with(status: StatusCode, headers: HeaderMap, body: B) -> Self {
        Self { status, headers, body }
    }

    /// The text of a header.
    pub(crate) fn header(&self, name: impl AsHeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok().map(str::trim)
    }

    /// All headers, in the order and with the names of the server; what is no text is made one.
    pub(crate) fn headers(&self) -> Vec<(String, String)> {
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        self.headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect()
    }

    /// How long the server wants us to wait. A date is not looked at: clocks differ.
    pub(crate) fn asked_wait(&self) -> Option<Duration> {
        self.header(RETRY_AFTER)?.parse().ok().map(Duration::from_secs)
    }

    /// How the body is packed, if it is.
    pub(crate) fn encoding(&self) -> Option<String> {
        let encoding = self.header(CONTENT_ENCODING)?.to_ascii_lowercase();
        Some(encoding).filter(|encoding| !matches!(encoding.as_str(), "" | "identity"))
    }
}

impl Reply {
    pub(crate) fn of(response: Response) -> Self {
        Self { status: response.status(), headers: response.headers().clone(), body: response }
    }

    /// The body as it comes, unpacked.
    pub(crate) fn stream(self) -> Result<Box<dyn Read + Send>, Failure> {
        match self.encoding().as_deref() {
            None => Ok(Box::new(self.body)),
            Some("gzip" | "x-gzip") => Ok(Box::new(MultiGzDecoder::new(self.body))),
            Some(other) => Err(Failure::Encoding(other.to_owned())),
        }
    }

    /// The reply with its whole body, unpacked; of one without success, the first words are enough. A server that sends a
    /// byte now and then is stopped at the deadline too: the reading is done by a thread that is left alone then; it ends
    /// when its read does.
    pub(crate) fn whole(self, deadline: Deadline, most: u64) -> Result<WholeReply, Failure> {
        let (status, headers) = (self.status, self.headers.clone());
        let most = if status.is_success() { most } else { MOST_WORDS };
        let read = self.stream().and_then(|body| {
            let (sender, receiver) = sync_channel(4);
            thread::spawn(move || pass(body, &sender));
            collect(&receiver, deadline, most)
        });
        match read {
            Err(failure) if status.is_success() => Err(failure),
            read => Ok(Reply { status, headers, body: read.unwrap_or_default() }),
        }
    }
}

/// Passes bytes on until there are no more, or nobody wants them. An empty piece is the end.
fn pass(mut body: impl Read, to: &SyncSender<io::Result<Vec<u8>>>) {
    loop {
        let mut piece = vec![0; 1 << 16];
        let read = match body.read(&mut piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read,
        };
        let is_last = !matches!(read, Ok(count) if count > 0);
        let piece = read.map(|count| {
            piece.truncate(count);
            piece
        });
        if to.send(piece).is_err() || is_last {
            return;
        }
    }
}

fn collect(
    pieces: &Receiver<io::Result<Vec<u8>>>,
    deadline: Deadline,
    most: u64,
) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let broken = |bytes: &[u8], why| Err(Failure::BrokenOff(bytes.len() as u64, why));
    loop {
        match pieces.recv_timeout(deadline.left()) {
            Ok(Ok(piece)) if piece.is_empty() => return Ok(bytes),
            Ok(Ok(piece)) => bytes.extend(piece),
            Ok(Err(error)) if error.kind() == io::ErrorKind::TimedOut => return Err(Failure::Late),
            Ok(Err(error)) => return broken(&bytes, deepest(&error)),
            Err(RecvTimeoutError::Timeout) => return Err(Failure::Late),
            Err(RecvTimeoutError::Disconnected) => return broken(&bytes, "nobody reads it".to_owned()),
        }
        if bytes.len() as u64 > most {
            return Err(Failure::TooMuch(most));
        }
        // A server that is never slow can still be late.
        if deadline.left().is_zero() {
            return Err(Failure::Late);
        }
    }
}
