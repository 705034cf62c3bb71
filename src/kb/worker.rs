//! A worker process: loads the files of a knowledge base, then answers queries until its input ends.
//!
//! One thread listens, one watches the time, the third loads and evaluates. A query that does not stop when it is told to
//! ends with the process. So does everything where the input ends: nobody is left who wants the answers.

use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use oxigraph::sparql::CancellationToken;
use oxigraph::store::Store;

use crate::base::error::{Error, Result};
use crate::base::memory;
use crate::kb::ask::Limits;
use crate::kb::evaluate::{evaluate, timed_out};
use crate::kb::load::load;
use crate::kb::message::{QueryMessage, Start, WorkerReply};
use crate::kb::outcome::Outcome;
use crate::kb::{disk, load, message};

/// How long a query may take to stop once it is told to.
const GRACE: Duration = Duration::from_millis(300);
/// Deep queries are evaluated by functions that call themselves.
const STACK: usize = 256 << 20;

type Task = (String, CancellationToken);

/// What a worker waits for.
enum Event {
    /// A query.
    Asked(QueryMessage),
    /// It has loaded all, or a query has an outcome.
    Done(Result<Option<Outcome>>),
    /// The evaluator is no more.
    Crashed,
    /// Nobody asks any more; or what was asked cannot be understood.
    End(std::io::Result<()>),
}

/// Tells when the evaluator ends, however it ends.
struct Teller(Sender<Event>);

impl Drop for Teller {
    fn drop(&mut self) {
        drop(self.0.send(Event::Crashed));
    }
}

/// Does what a worker process does. Whoever calls it ends the process when it returns.
pub fn run_worker(mut input: impl BufRead + Send + 'static, output: &mut dyn Write) -> Result<()> {
    let failed = |error: std::io::Error| Error::system(format!("the worker cannot be understood: {error}"));
    let Some(start) = message::read::<Start>(&mut input).map_err(failed)? else { return Ok(()) };
    let limits = start.limits.clone();
    let (ask, tasks) = channel::<Task>();
    let (tell, events) = channel::<Event>();
    let listener = tell.clone();
    thread::spawn(move || listen(&mut input, &listener));
    let tell = Teller(tell);
    // Not scoped: what cannot be stopped ends with the process.
    let evaluator = thread::Builder::new().name("query".to_owned()).stack_size(STACK);
    evaluator
        .spawn(move || work(&start, &tasks, &tell))
        .map_err(|error| Error::system(format!("cannot start a thread: {error}")))?;
    loop {
        match next(&events, None)? {
            Some(Event::Done(Ok(None))) => message::write(output, &WorkerReply::Ready).map_err(failed)?,
            Some(Event::Done(Err(error))) => {
                return message::write(output, &WorkerReply::Broken(error.to_string())).map_err(failed);
            }
            Some(Event::Asked(QueryMessage { query })) => {
                let token = CancellationToken::new();
                ask.send((query, token.clone())).map_err(|_| crashed())?;
                let Some((outcome, last)) = wait(&events, &limits, &token)? else { return Ok(()) };
                let (reply, last) = match outcome {
                    Ok(outcome) => (WorkerReply::of(&outcome, last), last),
                    Err(error) => (WorkerReply::Broken(error.to_string()), true),
                };
                message::write(output, &reply).map_err(failed)?;
                if last {
                    return Ok(());
                }
            }
            Some(Event::End(end)) => return end.map_err(failed),
            Some(Event::Done(Ok(Some(_))) | Event::Crashed) | None => return Err(crashed()),
        }
    }
}

fn crashed() -> Error {
    Error::system("the evaluator crashed")
}

/// Reads what is asked, until nobody asks any more.
fn listen(input: &mut dyn BufRead, tell: &Sender<Event>) {
    loop {
        let event = match message::read(input) {
            Ok(Some(question)) => Event::Asked(question),
            Ok(None) => Event::End(Ok(())),
            Err(error) => Event::End(Err(error)),
        };
        let is_end = matches!(event, Event::End(_));
        if tell.send(event).is_err() || is_end {
            return;
        }
    }
}

/// What happens next; nothing where nothing does for so long.
fn next(events: &Receiver<Event>, most: Option<Duration>) -> Result<Option<Event>> {
    let event = match most {
        Some(most) => events.recv_timeout(most),
        None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
    };
    match event {
        Ok(event) => Ok(Some(event)),
        Err(RecvTimeoutError::Timeout) => Ok(None),
        Err(RecvTimeoutError::Disconnected) => Err(crashed()),
    }
}

/// The outcome of a query, or that the store cannot be read; and whether it is the last as the query does not stop. Nothing
/// where nobody waits for it.
fn wait(
    events: &Receiver<Event>,
    limits: &Limits,
    token: &CancellationToken,
) -> Result<Option<(Result<Outcome>, bool)>> {
    match next(events, Some(limits.time))? {
        Some(Event::Done(outcome)) => return Ok(outcome.transpose().map(|outcome| (outcome, false))),
        Some(Event::End(_)) => return Ok(None),
        Some(_) => return Err(crashed()),
        None => token.cancel(),
    }
    match next(events, Some(GRACE))? {
        // What was found at the last moment came too late: else the outcome would hang on it.
        Some(Event::Done(_)) => Ok(Some((Ok(timed_out(limits)), false))),
        Some(Event::End(_)) => Ok(None),
        Some(_) => Err(crashed()),
        None => Ok(Some((Ok(timed_out(limits)), true))),
    }
}

/// Loads, says so, and evaluates what comes.
fn work(start: &Start, tasks: &Receiver<Task>, tell: &Teller) {
    let tell = |done| tell.0.send(Event::Done(done));
    let limits = start.limits.clone();
    let store = match open(start).and_then(|store| memory::limit(limits.memory).map(|()| store)) {
        Ok(store) => store,
        Err(error) => return drop(tell(Err(error))),
    };
    if tell(Ok(None)).is_err() {
        return;
    }
    while let Ok((query, token)) = tasks.recv() {
        let outcome = evaluate(&store, &query, &limits, token).map_err(|error| match &start.store {
            Some(folder) => disk::damaged(error, folder),
            None => error,
        });
        if tell(outcome.map(Some)).is_err() {
            return;
        }
    }
}

fn open(start: &Start) -> Result<Store> {
    if let Some(folder) = &start.store {
        return disk::open(folder);
    }
    let store = Store::new().map_err(|error| load::failed(&error))?;
    load(&store, &start.dumps()?)?;
    Ok(store)
}
