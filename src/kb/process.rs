//! One worker process, seen from the program that started it.

use std::io::BufReader;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::base::child::ChildProcess;
use crate::base::error::{Error, Result};
use crate::kb::ask::Limits;
use crate::kb::evaluate::{out_of_memory, timed_out};
use crate::kb::message;
use crate::kb::message::{QueryMessage, Start, WorkerReply};
use crate::kb::outcome::{Cause, Outcome};

/// How much longer than the time limit a worker may take before it is killed. It stops itself earlier.
const GRACE: Duration = Duration::from_secs(2);

/// A worker process. It ends when it is dropped.
pub(crate) struct Process {
    child: ChildProcess,
    replies: Receiver<WorkerReply>,
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
        let started = ChildProcess::start(program, &["kb-worker"]);
        let (child, output) = started.map_err(|error| failed(&error))?;
        let (tell, replies) = channel();
        thread::spawn(move || {
            let Some(mut output) = output.map(BufReader::new) else { return };
            while let Ok(Some(reply)) = message::read::<WorkerReply>(&mut output) {
                if tell.send(reply).is_err() {
                    return;
                }
            }
        });
        let mut process = Self { child, replies, is_used: false };
        if let Err(error) = process.send(start) {
            return Err(failed(&error));
        }
        match process.replies.recv() {
            Ok(WorkerReply::Ready) => Ok(process),
            Ok(WorkerReply::Broken(why)) => Err(Error::input(why)),
            Ok(WorkerReply::Outcome { .. }) | Err(_) => {
                let (status, said) = process.child.end();
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
        match &mut self.child.input {
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
                let (status, said) = self.child.end();
                Ok(Response::Crashed(why(status, &said, limits)))
            }
        }
    }
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
