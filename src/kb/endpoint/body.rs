//! The bytes of a reply, within a time and a size.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;

use flate2::read::MultiGzDecoder;
use reqwest::blocking::Response;

use crate::kb::endpoint::clock::Deadline;
use crate::sources::fetch::failure::deepest;

/// Why bytes stopped coming.
pub(crate) enum Stop {
    /// All are here.
    End(Vec<u8>),
    /// There are more than allowed.
    TooMuch,
    /// The time is over.
    Late,
    /// They are packed in a way that nobody asked for.
    Unknown,
    /// The sender broke off after so many bytes.
    Broken(u64, String),
}

/// Reads and unpacks a body. A server that sends a byte now and then is stopped at the deadline too: the reading is done by
/// a thread that is left alone then; it ends when its read does.
pub(crate) fn read(response: Response, encoding: &str, deadline: Deadline, most: u64) -> Stop {
    let body: Box<dyn Read + Send> = match encoding {
        "" | "identity" => Box::new(response),
        "gzip" | "x-gzip" => Box::new(MultiGzDecoder::new(response)),
        _ => return Stop::Unknown,
    };
    let (sender, receiver) = sync_channel(4);
    thread::spawn(move || pass(body, &sender));
    collect(&receiver, deadline, most)
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

fn collect(pieces: &Receiver<io::Result<Vec<u8>>>, deadline: Deadline, most: u64) -> Stop {
    let mut bytes = Vec::new();
    loop {
        match pieces.recv_timeout(deadline.left()) {
            Ok(Ok(piece)) if piece.is_empty() => return Stop::End(bytes),
            Ok(Ok(piece)) => bytes.extend(piece),
            Ok(Err(error)) if error.kind() == io::ErrorKind::TimedOut => return Stop::Late,
            Ok(Err(error)) => return Stop::Broken(bytes.len() as u64, deepest(&error)),
            Err(RecvTimeoutError::Timeout) => return Stop::Late,
            Err(RecvTimeoutError::Disconnected) => {
                return Stop::Broken(bytes.len() as u64, "nobody reads it".to_owned());
            }
        }
        if bytes.len() as u64 > most {
            return Stop::TooMuch;
        }
        // A server that is never slow can still be late.
        if deadline.left().is_zero() {
            return Stop::Late;
        }
    }
}
