//! A run while the server knows of it, and who waits for its processes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use crate::base::clock::Stopwatch;
use crate::base::error::{Error, Result};
use crate::base::watch::{FailedSteps, Watcher};
use crate::serve::makers::{ArchivePart, Making, WatchedArchive};
use crate::site::run::RunStage;
use crate::workbench::private::{RunFolder, RunRecord};
use crate::workbench::run::PartState;

/// A run while the server knows of it.
#[derive(Debug)]
pub(crate) struct LiveRun {
    pub(crate) folder: RunFolder,
    pub(crate) record: Mutex<RunRecord>,
    /// The part that is done now, by its number, and how far it is.
    pub(crate) running: Mutex<Option<(usize, RunStage)>>,
    pub(crate) is_stopped: AtomicBool,
    pub(crate) is_gone: AtomicBool,
    /// Held while it is being published.
    pub(crate) publishing: tokio::sync::Mutex<()>,
    changed: watch::Sender<u64>,
    /// Its pages, once somebody looked at them.
    pub(crate) shown: tokio::sync::Mutex<Option<Arc<WatchedArchive>>>,
}

/// Waits for a process, and says when it is no longer wanted.
pub(crate) struct RunWatch<'r> {
    pub(crate) run: Option<(&'r LiveRun, usize)>,
    pub(crate) is_ending: &'r AtomicBool,
    pub(crate) is_unwanted: Option<&'r AtomicBool>,
    pub(crate) since: Stopwatch,
    pub(crate) most: Duration,
}

impl Watcher for RunWatch<'_> {
    fn progress(&self, stage: &str, done: u64, total: u64) {
        self.change(|known| {
            if known.name != stage {
                let failures = known.failures.take();
                *known = RunStage { failures, ..RunStage::new(stage) };
            }
            (known.done, known.of) = (done, total);
        });
    }

    fn failures(&self, _stage: &str, count: u64, last: &str) {
        self.change(|known| known.failures = Some(FailedSteps { count, last: Some(last.to_owned()) }));
    }

    fn is_cancelled(&self) -> bool {
        self.is_ending.load(Ordering::Relaxed)
            || self.since.elapsed() > self.most
            || self.is_unwanted.is_some_and(|unwanted| unwanted.load(Ordering::Relaxed))
            || self.run.is_some_and(|(run, _)| run.is_stopped.load(Ordering::Relaxed))
    }
}

impl RunWatch<'_> {
    /// Changes how far the part is, and tells who looks.
    fn change(&self, change: impl FnOnce(&mut RunStage)) {
        let Some((run, part)) = self.run else { return };
        let mut running = run.running.lock().unwrap_or_else(PoisonError::into_inner);
        let known = running.take().filter(|(known, _)| *known == part);
        let mut stage = known.map_or_else(|| RunStage::new("starting"), |(_, stage)| stage);
        change(&mut stage);
        *running = Some((part, stage));
        drop(running);
        run.tell();
    }
}

/// Ends what somebody waited for when he no longer does.
pub(crate) struct WantedWork(pub(crate) Arc<AtomicBool>);

impl Drop for WantedWork {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl LiveRun {
    pub(crate) fn new(folder: RunFolder, record: RunRecord) -> Self {
        Self {
            folder,
            record: Mutex::new(record),
            running: Mutex::default(),
            is_stopped: AtomicBool::new(false),
            is_gone: AtomicBool::new(false),
            publishing: tokio::sync::Mutex::default(),
            changed: watch::channel(0).0,
            shown: tokio::sync::Mutex::default(),
        }
    }

    pub(crate) fn tell(&self) {
        self.changed.send_modify(|number| *number += 1);
    }

    /// How often something became other than it was.
    pub(crate) fn number(&self) -> u64 {
        *self.changed.borrow()
    }

    /// Tells when something is other than it was.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Where it stands.
    pub(crate) fn record(&self) -> RunRecord {
        self.record.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes where it stands, and keeps that. A run that is removed has no state.
    pub(crate) fn change(&self, change: impl FnOnce(&mut RunRecord)) -> Result<()> {
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut record);
        let kept = if self.is_gone.load(Ordering::Relaxed) { Ok(()) } else { self.folder.keep(&record) };
        drop(record);
        self.tell();
        kept
    }

    /// Stops what is left.
    fn stop(&self) -> Result<()> {
        self.is_stopped.store(true, Ordering::Relaxed);
        self.change(|record| {
            record.wish = None;
            let waiting = record.parts.iter_mut().filter(|part| part.state == PartState::Waiting);
            waiting.for_each(|part| part.state = PartState::Stopped);
        })
    }

    /// The same, and waits for who is publishing it: he may be too far to be stopped.
    pub(crate) async fn stop_wholly(&self) -> Result<()> {
        self.stop()?;
        drop(self.publishing.lock().await);
        Ok(())
    }

    /// Its pages.
    pub(crate) async fn shown(&self, most_questions: Option<u64>) -> Result<Arc<WatchedArchive>> {
        let mut shown = self.shown.lock().await;
        if let Some(known) = &*shown {
            known.renew().await;
            return Ok(Arc::clone(known));
        }
        let root = self.folder.archive();
        let making = Making { threads: 1, most_questions };
        let opened =
            tokio::task::spawn_blocking(move || WatchedArchive::open(&root, ArchivePart::Private, making));
        let opened = opened.await.map_err(|_| Error::system("the pages of the run cannot be made"))??;
        let opened = Arc::new(opened);
        *shown = Some(Arc::clone(&opened));
        Ok(opened)
    }
}
