//! A pinned knowledge base that can be asked: worker processes, each with all of it loaded.
//!
//! A query runs in a process of its own because the evaluator cannot always be stopped: where a query does not end at its
//! time limit or uses too much memory, its process ends and another takes its place.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::base::error::{Error, Result};
use crate::kb::ask::{Asker, Limits};
use crate::kb::base::KnowledgeBase;
use crate::kb::disk;
use crate::kb::dump::Dump;
use crate::kb::message::Start;
use crate::kb::outcome::{Cause, Outcome};
use crate::kb::process::{Process, Response};
use crate::sources::archive::Archive;

/// Worker processes over the same files. They are started when they are needed and end with the pool.
pub struct Pool {
    program: PathBuf,
    dumps: Vec<Dump>,
    store: Option<PathBuf>,
    limits: Limits,
    state: Mutex<Workers>,
    is_free: Condvar,
}

/// The workers that nobody uses, and the number of those that may be started.
struct Workers {
    idle: Vec<Process>,
    places: usize,
}

impl Pool {
    /// A pool of at most `jobs` workers. `program` is qassay itself: `std::env::current_exe()`.
    pub fn new(program: PathBuf, dumps: Vec<Dump>, limits: Limits, jobs: NonZeroUsize) -> Self {
        let state = Mutex::new(Workers { idle: Vec::new(), places: jobs.get() });
        Self { program, dumps, store: None, limits, state, is_free: Condvar::new() }
    }

    /// A pool over the files of a knowledge base in an archive, as they are there now. The workers are the program that
    /// runs.
    pub fn of_files(
        base: &KnowledgeBase,
        archive: &Archive,
        limits: Limits,
        jobs: NonZeroUsize,
    ) -> Result<Self> {
        let program = std::env::current_exe()
            .map_err(|error| Error::system(format!("cannot find the program itself: {error}")))?;
        Ok(Self::new(program, base.dumps(archive)?, limits, jobs))
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
            if state.places > 0 {
                state.places -= 1;
                drop(state);
                return self.start().inspect_err(|_| self.give_up());
            }
            state = self.is_free.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
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
        self.state().places += 1;
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
