//! A worker process: loads the files of a knowledge base, then answers queries until its input ends.
//!
//! One thread listens and watches the time, the other loads and evaluates. A query that does not stop when it is told to
//! ends with the process, also where nobody is left who could kill it.

use std::io::{BufRead, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use oxigraph::sparql::CancellationToken;
use oxigraph::store::Store;

use super::ask::Limits;
use super::evaluate::{evaluate, timed_out};
use super::load::{self, load};
use super::message::{self, Question, Reply, Start};
use super::outcome::Outcome;
use crate::error::{Error, Result};

/// How long a query may take to stop once it is told to.
const GRACE: Duration = Duration::from_millis(300);
/// Deep queries are evaluated by functions that call themselves.
const STACK: usize = 256 << 20;

type Task = (String, CancellationToken);

/// Does what a worker process does.
pub fn run_worker(input: &mut dyn BufRead, output: &mut dyn Write) -> Result<()> {
    let failed = |error: std::io::Error| Error::system(format!("the worker cannot be understood: {error}"));
    let Some(start) = message::read::<Start>(input).map_err(failed)? else { return Ok(()) };
    let limits = start.limits();
    let (ask, tasks) = channel::<Task>();
    let (tell, outcomes) = channel::<Result<Option<Outcome>>>();
    // Not scoped: what cannot be stopped ends with the process.
    let evaluator = thread::Builder::new().name("query".to_owned()).stack_size(STACK);
    evaluator
        .spawn(move || work(&start, &tasks, &tell))
        .map_err(|error| Error::system(format!("cannot start a thread: {error}")))?;
    match outcomes.recv() {
        Ok(Ok(_)) => message::write(output, &Reply::Ready).map_err(failed)?,
        Ok(Err(error)) => {
            return message::write(output, &Reply::Broken(error.to_string())).map_err(failed);
        }
        Err(_) => return Err(crashed()),
    }
    while let Some(Question { query }) = message::read(input).map_err(failed)? {
        let token = CancellationToken::new();
        ask.send((query, token.clone())).map_err(|_| crashed())?;
        let outcome = wait(&outcomes, &limits, &token)?;
        let (outcome, last) = outcome.map_or_else(|| (timed_out(&limits), true), |outcome| (outcome, false));
        message::write(output, &Reply::of(&outcome, last)).map_err(failed)?;
        if last {
            return Ok(());
        }
    }
    Ok(())
}

fn crashed() -> Error {
    Error::system("the evaluator crashed")
}

/// The outcome of a query; nothing where it does not stop.
fn wait(
    outcomes: &Receiver<Result<Option<Outcome>>>,
    limits: &Limits,
    token: &CancellationToken,
) -> Result<Option<Outcome>> {
    match outcomes.recv_timeout(limits.time) {
        Ok(outcome) => return outcome,
        Err(RecvTimeoutError::Disconnected) => return Err(crashed()),
        Err(RecvTimeoutError::Timeout) => token.cancel(),
    }
    match outcomes.recv_timeout(GRACE) {
        // What was found at the last moment came too late: else the outcome would hang on it.
        Ok(_) => Ok(Some(timed_out(limits))),
        Err(RecvTimeoutError::Timeout) => Ok(None),
        Err(RecvTimeoutError::Disconnected) => Err(crashed()),
    }
}

/// Loads, says so, and evaluates what comes.
fn work(start: &Start, tasks: &Receiver<Task>, tell: &Sender<Result<Option<Outcome>>>) {
    let limits = start.limits();
    let store = match open(start).and_then(|store| limit_memory(limits.memory).map(|()| store)) {
        Ok(store) => store,
        Err(error) => return drop(tell.send(Err(error))),
    };
    if tell.send(Ok(None)).is_err() {
        return;
    }
    while let Ok((query, token)) = tasks.recv() {
        let outcome = evaluate(&store, &query, &limits, token);
        if tell.send(Ok(Some(outcome))).is_err() {
            return;
        }
    }
}

fn open(start: &Start) -> Result<Store> {
    if let Some(folder) = &start.store {
        return on_disk(folder);
    }
    let store = Store::new().map_err(|error| load::failed(&error))?;
    load(&store, &start.dumps()?)?;
    Ok(store)
}

#[cfg(feature = "rocksdb")]
fn on_disk(folder: &Path) -> Result<Store> {
    Store::open_read_only(folder).map_err(|error| load::failed(&error).in_file(folder.display().to_string()))
}

#[cfg(not(feature = "rocksdb"))]
fn on_disk(folder: &Path) -> Result<Store> {
    Err(Error::input("this build keeps no stores on disk")
        .in_file(folder.display().to_string())
        .hint("build it with the feature `rocksdb`"))
}

/// From now on the process may use this many bytes more than it has: an allocation beyond ends it.
#[cfg(target_os = "linux")]
fn limit_memory(bytes: u64) -> Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let maximum = getrlimit(Resource::As).maximum;
    let wanted = used_memory()?.saturating_add(bytes);
    let limit = Rlimit { current: Some(maximum.map_or(wanted, |most| wanted.min(most))), maximum };
    setrlimit(Resource::As, limit).map_err(|error| Error::system(format!("cannot limit the memory: {error}")))
}

/// Elsewhere than on Linux memory is not limited.
#[cfg(not(target_os = "linux"))]
fn limit_memory(_: u64) -> Result<()> {
    Ok(())
}

/// The size of the address space in bytes.
#[cfg(target_os = "linux")]
fn used_memory() -> Result<u64> {
    let path = Path::new("/proc/self/status");
    let status = std::fs::read_to_string(path).map_err(|error| Error::io("read", path, &error))?;
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:")?.trim().strip_suffix("kB"));
    let kibibytes: Option<u64> = size.and_then(|size| size.trim().parse().ok());
    kibibytes
        .map(|size| size << 10)
        .ok_or_else(|| Error::system("the system does not say the size of a process"))
}
