//! A pinned knowledge base that can be asked: worker processes, each with all of it loaded.
//!
//! A query runs in a process of its own because the evaluator cannot always be stopped: where a query does not end at its
//! time limit or uses too much memory, its process ends and another takes its place.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::base::child::program;
use crate::base::clock::Stopwatch;
use crate::base::error::Result;
use crate::kb::ask::{Asker, Limits};
use crate::kb::base::KnowledgeBase;
use crate::kb::disk;
use crate::kb::dump::Dump;
use crate::kb::message::Start;
use crate::kb::outcome::{Cause, Outcome};
use crate::kb::process::{Process, Response};
use crate::sources::archive::Archive;

/// Worker processes over the same files. They are started when they are needed and end with the pool: the first one at once,
/// others when queries have waited for one as long as it takes to load all. So a few easy queries load it once, and never
/// is it loaded for longer than it is asked.
pub struct Pool {
    program: PathBuf,
    dumps: Vec<Dump>,
    store: Option<PathBuf>,
    limits: Limits,
    state: Mutex<Workers>,
    is_free: Condvar,
}

/// The workers.
#[derive(Default)]
struct Workers {
    /// Those that nobody uses.
    idle: Vec<Process>,
    /// How many may be started.
    places: usize,
    /// How many there are, or are being started.
    running: usize,
    /// How long one took to load all.
    loading: Option<Duration>,
    /// How many queries wait for a worker.
    waiting: usize,
    /// Since when at least one of them does.
    since: Option<Stopwatch>,
    /// How long at least one did, before that and since the last worker was started.
    waited: Duration,
}

impl Workers {
    /// How long queries may wait until another worker is worth its loading; none where that is not known, or there is no
    /// place for one.
    fn patience(&self) -> Option<Duration> {
        let loading = self.loading.filter(|_| self.places > 0)?;
        let waited = self.waited + self.since.map_or(Duration::ZERO, |since| since.elapsed());
        Some(loading.saturating_sub(waited))
    }

    /// One query more waits.
    fn wait(&mut self) {
        self.waiting += 1;
        // While the first worker loads, nobody knows whether another is worth it.
        if self.since.is_none() && self.loading.is_some() {
            self.since = Some(Stopwatch::start());
        }
    }

    /// One does not wait any more.
    fn wait_no_more(&mut self) {
        self.waiting -= 1;
        if self.waiting == 0 {
            self.waited += self.since.take().map_or(Duration::ZERO, |since| since.elapsed());
        }
    }

    /// A worker is being started.
    fn count_in(&mut self) {
        (self.places, self.running) = (self.places - 1, self.running + 1);
        self.waited = Duration::ZERO;
        self.since = (self.waiting > 0 && self.loading.is_some()).then(Stopwatch::start);
    }

    /// Whether a worker is to be started.
    fn wants_another(&self) -> bool {
        self.places > 0 && (self.running == 0 || self.patience().is_some_and(|left| left.is_zero()))
    }
}

impl Pool {
    /// A pool of at most `jobs` workers. `program` is qassay itself: `std::env::current_exe()`.
    pub fn new(program: PathBuf, dumps: Vec<Dump>, limits: Limits, jobs: NonZeroUsize) -> Self {
        let state = Mutex::new(Workers { places: jobs.get(), ..Workers::default() });
        Self { program, dumps, store: None, limits, state, is_free: Condvar::new() }
    }

    /// A pool over the files of a knowledge base in an archive, as they are there now. The workers are
    /// [the program](program).
    pub fn of_files(
        base: &KnowledgeBase,
        archive: &Archive,
        limits: Limits,
        jobs: NonZeroUsize,
    ) -> Result<Self> {
        Ok(Self::new(program()?, base.dumps(archive)?, limits, jobs))
    }

    /// A pool over a knowledge base of an archive, whose files must be those of its record: what was changed would give
    /// other answers under the same name. With the feature `rocksdb` the workers open its store on disk.
    pub fn of(base: &KnowledgeBase, archive: &Archive, limits: Limits, jobs: NonZeroUsize) -> Result<Self> {
        let pool = Self::of_files(base, archive, limits, jobs)?;
        base.check_files(archive)?;
        Ok(Self { store: disk::store(archive, base)?, ..pool })
    }

    fn state(&self) -> MutexGuard<'_, Workers> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A worker that nobody else uses.
    fn take(&self) -> Result<Process> {
        let mut state = self.state();
        loop {
            if let Some(process) = state.idle.pop() {
                return Ok(process);
            }
            if state.wants_another() {
                state.count_in();
                drop(state);
                return self.start_and_tell().inspect_err(|_| self.give_up());
            }
            state.wait();
            state = match state.patience() {
                Some(patience) => {
                    let waited = self.is_free.wait_timeout(state, patience);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.is_free.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
            state.wait_no_more();
        }
    }

    /// Starts a worker, and tells those who wait how long that takes.
    fn start_and_tell(&self) -> Result<Process> {
        let watch = Stopwatch::start();
        let process = self.start()?;
        self.state().loading = Some(watch.elapsed());
        self.is_free.notify_all();
        Ok(process)
    }

    fn start(&self) -> Result<Process> {
        Process::start(&self.program, &Start::new(&self.dumps, self.store.clone(), &self.limits))
    }

    fn give_back(&self, process: Process) {
        self.state().idle.push(process);
        self.is_free.notify_one();
    }

    /// A worker has ended: another may be started.
    fn give_up(&self) {
        let mut state = self.state();
        (state.places, state.running) = (state.places + 1, state.running - 1);
        drop(state);
        self.is_free.notify_one();
    }

    /// Asks a worker; gives the outcome, and the worker where it can be asked again.
    fn ask_process(&self, mut process: Process, query: &str) -> Result<(Outcome, Option<Process>)> {
        let was_used = process.is_used;
        let crashed = match process.ask(query, &self.limits)? {
            Response::Answered(outcome) => return Ok((outcome, Some(process))),
            Response::Ended(outcome) => return Ok((outcome, None)),
            Response::Crashed(outcome) => outcome,
        };
        let is_memory = crashed.cause() == Some(Cause::OutOfMemory);
        if is_memory && !was_used {
            return Ok((crashed, None));
        }
        // Once more in a new one: what earlier queries left behind, or an accident, must not decide.
        drop(process);
        let mut process = self.start()?;
        match process.ask(query, &self.limits)? {
            Response::Answered(outcome) => Ok((outcome, Some(process))),
            Response::Ended(outcome) | Response::Crashed(outcome) => Ok((outcome, None)),
        }
    }
}

impl Asker for Pool {
    fn ask(&self, query: &str) -> Result<Outcome> {
        let process = self.take()?;
        let (outcome, process) = self.ask_process(process, query).inspect_err(|_| self.give_up())?;
        match process {
            Some(process) => self.give_back(process),
            None => self.give_up(),
        }
        Ok(outcome)
    }
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool")
            .field("dumps", &self.dumps)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_worker_is_started_when_it_is_worth_its_loading() {
        let mut workers = Workers { places: 2, ..Workers::default() };
        assert!(workers.wants_another(), "the first one at once");
        workers.count_in();
        workers.wait();
        // It is not known yet how long it loads.
        assert!(!workers.wants_another() && workers.patience().is_none());
        workers.loading = Some(Duration::from_secs(3600));
        workers.wait_no_more();
        workers.wait();
        assert!(!workers.wants_another() && workers.patience().is_some_and(|left| !left.is_zero()));
        workers.waited = Duration::from_secs(3600);
        assert!(workers.wants_another());
        workers.count_in();
        assert!(!workers.wants_another() && workers.patience().is_none(), "there is no place");
    }
}
