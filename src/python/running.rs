//! Work in a thread of its own: Python runs meanwhile, hears how far it is, and may end it with Ctrl-C.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use qassay::base::clock::Stopwatch;
use qassay::base::parallel::with_threads;
use qassay::{Result, Watcher};

use crate::failure::{checked, exception};

/// How often it is looked whether somebody wants it to end.
const PATIENCE: Duration = Duration::from_millis(50);

/// What somebody is told.
enum Event<T> {
    Progress { stage: String, done: u64, total: u64 },
    End(String),
    Note(String),
    Done(Result<T>),
}

/// Watches the work for Python.
struct Listener<T> {
    is_cancelled: AtomicBool,
    /// Nobody is told where nobody listens.
    tells: bool,
    began: Stopwatch,
    /// When progress was told last, in milliseconds.
    told_at: AtomicU64,
    events: Sender<Event<T>>,
}

impl<T> Listener<T> {
    fn tell(&self, event: Event<T>) {
        if self.tells {
            // Who has gone needs no events.
            self.events.send(event).unwrap_or_default();
        }
    }
}

impl<T: Send> Watcher for Listener<T> {
    fn progress(&self, stage: &str, done: u64, total: u64) {
        let now = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let is_news = done == 0 || done == total || now > self.told_at.load(Ordering::Relaxed) + 50;
        if self.tells && is_news {
            self.told_at.store(now, Ordering::Relaxed);
            self.tell(Event::Progress { stage: stage.to_owned(), done, total });
        }
    }

    fn end(&self, stage: &str) {
        self.tell(Event::End(stage.to_owned()));
    }

    fn note_list(&self, text: &str, lines: &[String]) {
        let first = std::iter::once(text.trim_start().to_owned());
        let all: Vec<String> = first.chain(lines.iter().map(|line| format!("  {line}"))).collect();
        self.tell(Event::Note(all.join("\n")));
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }
}

/// Does work with as many threads as are wanted, without the lock of Python. `listener` has the methods `progress`, `end` and
/// `note`. After Ctrl-C, or where the listener raises something, the work ends at its next step, and that is raised.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    listener: Option<&Bound<'_, PyAny>>,
    threads: Option<NonZeroUsize>,
    work: impl FnOnce(&dyn Watcher) -> Result<T> + Send,
) -> PyResult<T> {
    let (events, mut heard) = channel();
    let watcher = Listener {
        is_cancelled: AtomicBool::new(false),
        tells: listener.is_some(),
        began: Stopwatch::start(),
        told_at: AtomicU64::new(0),
        events: events.clone(),
    };
    let (mut raised, mut done) = (None, None);
    thread::scope(|scope| {
        let watcher = &watcher;
        let worker = scope.spawn(move || {
            let came = with_threads(threads, || work(watcher)).and_then(|came| came);
            events.send(Event::Done(came)).unwrap_or_default();
        });
        while done.is_none() {
            // What was sent before is heard: nothing comes of a thread that has ended already.
            let is_over = worker.is_finished();
            let waiting = &mut heard;
            let event = py.detach(move || waiting.recv_timeout(PATIENCE));
            let told = match event {
                Ok(Event::Done(came)) => {
                    done = Some(came);
                    Ok(())
                }
                Ok(event) => listener.map_or(Ok(()), |listener| tell(listener, event)),
                Err(RecvTimeoutError::Timeout) if is_over => break,
                Err(_) => Ok(()),
            };
            if let Err(error) = told.and_then(|()| py.check_signals()) {
                watcher.is_cancelled.store(true, Ordering::Relaxed);
                raised.get_or_insert(error);
            }
        }
    });
    match (raised, done) {
        (Some(error), _) => Err(error),
        (None, Some(came)) => came.map_err(|error| exception(py, &error)),
        (None, None) => Err(PyRuntimeError::new_err("the work ended without a result")),
    }
}

/// Does work that leaves nothing behind in a thread of its own, without the lock of Python. After Ctrl-C nobody waits for its end.
pub(crate) fn run_apart<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> PyResult<T> {
    let (done, mut heard) = channel();
    thread::spawn(move || done.send(work()).unwrap_or_default());
    loop {
        let waiting = &mut heard;
        match py.detach(move || waiting.recv_timeout(PATIENCE)) {
            Ok(came) => return checked(py, came),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the work ended without a result"));
            }
        }
    }
}

fn tell<T>(listener: &Bound<'_, PyAny>, event: Event<T>) -> PyResult<()> {
    match event {
        Event::Progress { stage, done, total } => listener.call_method1("progress", (stage, done, total)),
        Event::End(stage) => listener.call_method1("end", (stage,)),
        Event::Note(text) => listener.call_method1("note", (text,)),
        Event::Done(_) => return Ok(()),
    }
    .map(drop)
}
