//! One worker process, seen from the program that started it.

use std::io::{BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::base::error::{Error, Result};
use crate::kb::ask::Limits;
use crate::kb::evaluate::{out_of_memory, timed_out};
use crate::kb::message;
use crate::kb::message::{QueryMessage, Start, WorkerReply};
use crate::kb::outcome::{Cause, Outcome};

/// How much longer than the time limit a worker may take before it is killed. It stops itself earlier.
const GRACE: Duration = Duration::from_secs(2);
/// Bytes of what a worker says on standard error that are kept.
const MOST_SAID: u64 = 1 << 14;

/// A worker process. It ends when it is dropped.
pub(crate) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    replies: Receiver<WorkerReply>,
    said: Option<JoinHandle<String>>,
    /// Whether it answered a query before.
    pub(crate) is_used: bool,
}

/// What came of asking a worker.
pub(crate) enum Response {
    /// An outcome, and the worker can be asked again.
    Answered(Outcome),
    /// An outcome, and the worker has ended.
    Ended(Outcome),
    /// No outcome: it crashed.
    Crashed(Outcome),
}

impl Process {
    /// Starts a worker and waits until it has loaded all.
    pub(crate) fn start(program: &Path, start: &Start) -> Result<Self> {
        let failed = |error: &std::io::Error| Error::io("start the worker", program, error);
        let mut child = Command::new(program)
            .arg("kb-worker")
            // What the allocator reserves counts as memory: 64 MiB at a time (in KiB) in place of a GiB.
            .env("MIMALLOC_ARENA_RESERVE", "65536")
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| failed(&error))?;
        let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (tell, replies) = channel();
        thread::spawn(move || {
            let Some(mut output) = output.map(BufReader::new) else { return };
            while let Ok(Some(reply)) = message::read::<WorkerReply>(&mut output) {
                if tell.send(reply).is_err() {
                    return;
                }
            }
        });
        let said = thread::spawn(move || errors.map(listen).unwrap_or_default());
        let mut process = Self { child, input, replies, said: Some(said), is_used: false };
        if let Err(error) = process.send(start) {
            return Err(failed(&error));
        }
        match process.replies.recv() {
            Ok(WorkerReply::Ready) => Ok(process),
            Ok(WorkerReply::Broken(why)) => Err(Error::input(why)),
            Ok(WorkerReply::Outcome { .. }) | Err(_) => {
                let (status, said) = process.end();
                Err(Error::system(format!(
                    "a worker process ended before it had loaded all ({status}){}{}",
                    if said.trim().is_empty() { "" } else { ": " },
                    said.trim()
                ))
                .hint("where the memory does not suffice, `⌥jobs 1` needs least"))
            }
        }
    }

    fn send(&mut self, message: &impl serde::Serialize) -> std::io::Result<()> {
        match &mut self.input {
            Some(input) => message::write(input, message),
            None => Ok(()),
        }
    }

    /// Asks a query and waits for what comes of it.
    pub(crate) fn ask(&mut self, query: &str, limits: &Limits) -> Result<Response> {
        // A worker that has ended is noticed below.
        let sent = self.send(&QueryMessage { query: query.to_owned() });
        let reply = match sent {
            Ok(()) => self.replies.recv_timeout(limits.time.saturating_add(GRACE)),
            Err(_) => Err(RecvTimeoutError::Disconnected),
        };
        match reply {
            Ok(WorkerReply::Outcome { name, text, last }) => {
                let outcome = message::outcome(&name, text)?;
                self.is_used = true;
                Ok(if last { Response::Ended(outcome) } else { Response::Answered(outcome) })
            }
            Ok(WorkerReply::Broken(why)) => Err(Error::input(why)),
            Ok(WorkerReply::Ready) => Err(Error::system("the worker says what nobody asked")),
            Err(RecvTimeoutError::Timeout) => Ok(Response::Ended(timed_out(limits))),
            Err(RecvTimeoutError::Disconnected) => {
                let (status, said) = self.end();
                Ok(Response::Crashed(why(status, &said, limits)))
            }
        }
    }

    /// Ends the process; gives how it ended and what it said.
    fn end(&mut self) -> (ExitStatus, String) {
        self.input = None;
        // One that has ended already keeps its status.
        drop(self.child.kill());
        let status = self.child.wait().unwrap_or_default();
        let said = self.said.take().and_then(|said| said.join().ok());
        (status, said.unwrap_or_default())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Reads all, and keeps the beginning.
fn listen(mut errors: impl Read) -> String {
    let mut kept = Vec::new();
    // What it says no longer is nobody's loss.
    drop(errors.by_ref().take(MOST_SAID).read_to_end(&mut kept));
    drop(std::io::copy(&mut errors, &mut std::io::sink()));
    String::from_utf8_lossy(&kept).into_owned()
}

/// How a process ended: `by signal 9 (SIGKILL)`, `with exit status 1`.
fn ended(status: ExitStatus) -> String {
    let words = status.to_string().replacen(": ", " ", 1);
    if status.code().is_some() { format!("with {words}") } else { format!("by {words}") }
}

/// Why a worker ended that should not have. Words that change from run to run are left out.
fn why(status: ExitStatus, said: &str, limits: &Limits) -> Outcome {
    // The one of Rust, the other of the C++ of the store on disk.
    if said.contains("memory allocation of") || said.contains("std::bad_alloc") {
        return out_of_memory(limits);
    }
    if said.contains("overflowed its stack") {
        return Outcome::failed(Cause::Failed, "the evaluator overflowed its stack");
    }
    let panic = said.split_once("panicked at ").and_then(|(_, rest)| rest.lines().nth(1));
    Outcome::failed(
        Cause::Failed,
        match panic {
            Some(panic) => format!("the evaluator crashed: {panic}"),
            // A worker that ends for the first time is not told: the query is asked once more.
            None => format!("the worker process ended twice, the second time {}", ended(status)),
        },
    )
}
