//! Runs: a queue of parts, each done by a process of its own; what came of them is kept as it comes, and what was not done to its
//! end begins again with the server.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tempfile::TempDir;
use tokio::sync::{Semaphore, watch};

use sha2::{Digest as _, Sha256};

use crate::base::checksum::hex;
use crate::base::clock::{Stopwatch, now};
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::token::SecretToken;
use crate::base::watch::Watcher;
use crate::report::checked::CheckedFile;
use crate::serve::makers::{ArchivePart, WatchedArchive};
use crate::serve::place::RunSettings;
use crate::serve::uploads::{SentForm, space_left};
use crate::site::run::{RunPublication, RunResult, ShownRunPart, ShownRunState};
use crate::workbench::Workbench;
use crate::workbench::list::ListedEvaluation;
use crate::workbench::private::{PrivateRuns, RunFolder, RunRecord, RunSecrets, day};
use crate::workbench::publish_request::PublishRequest;
use crate::workbench::run::{FileCheck, PartState, PartTask, PublicRun, PublishTask, PublishWish, RunPart, RunTask};
use crate::workbench::run_request::{AnswerSource, RunRequest};

/// How many days a run is kept that nobody visits.
const DAYS_KEPT: i64 = 90;

/// The most parts that wait.
const MOST_WAITING: usize = 100;

/// How long files are looked at.
const CHECKING: Duration = Duration::from_secs(60);

/// How long a publication may be verified.
const PUBLISHING: Duration = Duration::from_secs(3600);

/// The bytes of disk that stay free.
const DISK_FLOOR: u64 = 1 << 30;

/// The most keys that are known at a time.
const MOST_KEYS: usize = 100_000;

/// What makes a request the same as another: checksums of its key and of its form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OnceKey {
    key: String,
    form: String,
}

impl OnceKey {
    /// Of a key and the form that came with it.
    pub(crate) fn of(key: &[u8], form: &SentForm) -> Result<Self> {
        let mut said = Sha256::new();
        for (name, values) in &form.fields {
            said.update(serde_json::to_vec(&(name, values)).unwrap_or_default());
        }
        for (field, name) in &form.tray.files {
            let path = form.tray.folder.path().join(name);
            let content = std::fs::read(&path).map_err(|error| Error::io("read the file", &path, &error))?;
            said.update(serde_json::to_vec(&(field, name, hex(&Sha256::digest(&content)))).unwrap_or_default());
        }
        Ok(Self { key: hex(&Sha256::digest(key)), form: hex(&said.finalize()) })
    }
}

/// All runs, and what does them.
#[derive(Debug)]
pub(crate) struct RunDesk {
    runs: PrivateRuns,
    archive: PathBuf,
    settings: RunSettings,
    live: Mutex<BTreeMap<RunFolder, Arc<LiveRun>>>,
    /// The parts that wait, by their runs, in the order of their turns.
    waiting: Mutex<Vec<(RunFolder, usize)>>,
    turns: Arc<Semaphore>,
    checks: Arc<Semaphore>,
    /// The keys of requests that are to be done once, with what they were sent with.
    keys: Mutex<BTreeMap<String, String>>,
    is_ending: Arc<AtomicBool>,
}

/// A run while the server knows of it.
#[derive(Debug)]
pub(crate) struct LiveRun {
    pub(crate) folder: RunFolder,
    record: Mutex<RunRecord>,
    /// The part that is done now: its number, the stage, the steps that are done, and all of them.
    running: Mutex<Option<(usize, String, u64, u64)>>,
    is_stopped: AtomicBool,
    is_gone: AtomicBool,
    changed: watch::Sender<u64>,
    /// Its pages, once somebody looked at them.
    shown: tokio::sync::Mutex<Option<Arc<WatchedArchive>>>,
}

/// Waits for a process, and says when it is no longer wanted.
struct RunWatch<'r> {
    run: Option<(&'r LiveRun, usize)>,
    is_ending: &'r AtomicBool,
    since: Stopwatch,
    most: Duration,
}

impl Watcher for RunWatch<'_> {
    fn progress(&self, stage: &str, done: u64, total: u64) {
        if let Some((run, part)) = self.run {
            *run.running.lock().unwrap_or_else(PoisonError::into_inner) = Some((part, stage.to_owned(), done, total));
            run.tell();
        }
    }

    fn is_cancelled(&self) -> bool {
        self.is_ending.load(Ordering::Relaxed)
            || self.since.elapsed() > self.most
            || self.run.is_some_and(|(run, _)| run.is_stopped.load(Ordering::Relaxed))
    }
}

impl LiveRun {
    fn new(folder: RunFolder, record: RunRecord) -> Self {
        Self {
            folder,
            record: Mutex::new(record),
            running: Mutex::default(),
            is_stopped: AtomicBool::new(false),
            is_gone: AtomicBool::new(false),
            changed: watch::channel(0).0,
            shown: tokio::sync::Mutex::default(),
        }
    }

    fn tell(&self) {
        self.changed.send_modify(|number| *number += 1);
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
    fn change(&self, change: impl FnOnce(&mut RunRecord)) -> Result<()> {
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut record);
        let kept = if self.is_gone.load(Ordering::Relaxed) { Ok(()) } else { self.folder.keep(&record) };
        drop(record);
        self.tell();
        kept
    }

    /// Its pages.
    pub(crate) async fn shown(&self) -> Result<Arc<WatchedArchive>> {
        let mut shown = self.shown.lock().await;
        if let Some(known) = &*shown {
            known.renew().await;
            return Ok(Arc::clone(known));
        }
        let root = self.folder.archive();
        let opened = tokio::task::spawn_blocking(move || WatchedArchive::open(&root, ArchivePart::Private, 1));
        let opened = opened.await.map_err(|_| Error::system("the pages of the run cannot be made"))??;
        let opened = Arc::new(opened);
        *shown = Some(Arc::clone(&opened));
        Ok(opened)
    }
}

impl RunDesk {
    /// The runs of an archive; what was not done begins again when [`Self::resume`] is called.
    ///
    /// # Errors
    /// Where the archive cannot be written.
    pub(crate) fn open(archive: &Path, settings: RunSettings) -> Result<Self> {
        let archive = std::fs::canonicalize(archive).map_err(|error| Error::io("find the folder", archive, &error))?;
        let runs = PrivateRuns::open(&archive)?;
        let turns = Arc::new(Semaphore::new(settings.parallel));
        let checks = Arc::new(Semaphore::new(settings.parallel));
        let (live, waiting, keys, is_ending) = (Mutex::default(), Mutex::default(), Mutex::default(), Arc::default());
        Ok(Self { runs, archive, settings, live, waiting, turns, checks, keys, is_ending })
    }

    /// Who may do what.
    pub(crate) fn settings(&self) -> &RunSettings {
        &self.settings
    }

    /// How many parts wait.
    pub(crate) fn queue(&self) -> usize {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Begins again what was not done to its end.
    ///
    /// # Errors
    /// Where the runs cannot be listed.
    pub(crate) fn resume(self: &Arc<Self>) -> Result<()> {
        for folder in self.runs.all()? {
            // A damaged one stays for its operator.
            if let Ok(record) = folder.read() {
                let is_open = record.parts.iter().any(|part| part.state == PartState::Waiting);
                if is_open || record.wish.is_some() {
                    self.start(&Arc::new(LiveRun::new(folder, record)));
                }
            }
        }
        Ok(())
    }

    /// A folder for files.
    pub(crate) fn tray(&self) -> Result<TempDir> {
        if space_left(&self.archive).is_some_and(|left| left < DISK_FLOOR) {
            return Err(Error::limit("there is no room for files on this server").hint("try again later"));
        }
        self.runs.tray()
    }

    /// Begins a run of files that were sent; with a key, whoever sends the same again has the same run.
    pub(crate) fn begin(
        self: &Arc<Self>,
        tray: TempDir,
        request: RunRequest,
        wish: Option<PublishWish>,
        key: Option<OnceKey>,
    ) -> Result<RunSecrets> {
        let secrets = match key {
            None => RunSecrets::managing(SecretToken::random()?),
            Some(key) => {
                let mut known = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
                if known.get(&key.key).is_some_and(|form| *form != key.form) {
                    return Err(Error::input("another form was sent with this key").at("Idempotency-Key"));
                }
                if known.len() < MOST_KEYS {
                    known.insert(key.key.clone(), key.form.clone());
                }
                drop(known);
                let secrets = RunSecrets::managing(self.runs.secret()?.weaker(&format!("{} {}", key.key, key.form)));
                if self.runs.find(&secrets).is_some() {
                    return Ok(secrets);
                }
                secrets
            }
        };
        let parts = request.golds().count() * request.answers.len();
        if self.queue() + parts > MOST_WAITING {
            return Err(Error::limit(format!("the queue is full: {} parts wait", self.queue()))
                .hint("your files are fine; try again later, or run it on your machine: `qassay evaluate`"));
        }
        let folder = self.runs.begin(tray, request, wish, &secrets)?;
        let record = folder.read()?;
        self.start(&Arc::new(LiveRun::new(folder, record)));
        Ok(secrets)
    }

    fn start(self: &Arc<Self>, run: &Arc<LiveRun>) {
        let is_waiting = |(at, part): (usize, &RunPart)| {
            (part.state == PartState::Waiting).then_some(at)
        };
        let parts: Vec<usize> = run.record().parts.iter().enumerate().filter_map(is_waiting).collect();
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.extend(parts.iter().map(|part| (run.folder.clone(), *part)));
        drop(waiting);
        self.live.lock().unwrap_or_else(PoisonError::into_inner).insert(run.folder.clone(), Arc::clone(run));
        let (desk, run) = (Arc::clone(self), Arc::clone(run));
        tokio::spawn(async move {
            for part in parts {
                let Ok(turn) = Arc::clone(&desk.turns).acquire_owned().await else { return };
                desk.leave_queue(&run, part);
                let (working, of) = (Arc::clone(&desk), Arc::clone(&run));
                let worked = tokio::task::spawn_blocking(move || working.score(&of, part)).await;
                drop(turn);
                if let Ok(Err(error)) = worked {
                    anstream::eprintln!("{error}");
                }
            }
            desk.publish_wanted(&run).await;
        });
    }

    fn leave_queue(&self, run: &LiveRun, part: usize) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.retain(|(folder, at)| (folder, *at) != (&run.folder, part));
        drop(waiting);
        // Everybody has another place.
        for one in self.live.lock().unwrap_or_else(PoisonError::into_inner).values() {
            one.tell();
        }
    }

    /// Does a part of a run, and keeps what came of it.
    fn score(&self, run: &LiveRun, part: usize) -> Result<()> {
        let record = run.record();
        let Some(what) = record.parts.get(part) else { return Ok(()) };
        let is_live = matches!(what.answers, AnswerSource::Live { .. });
        let task = RunTask::Score(PartTask {
            folder: run.folder.files(),
            archive: run.folder.archive(),
            shelf: self.archive.clone(),
            request: record.request.part(&what.gold, &what.answers),
            asks_anybody: self.settings.is_listed(&what.answers),
        });
        // Who is asked may take his time.
        let most = self.settings.time * if is_live { 24 } else { 1 };
        let watch =
            RunWatch { run: Some((run, part)), is_ending: &self.is_ending, since: Stopwatch::start(), most };
        let stopped = || run.is_stopped.load(Ordering::Relaxed);
        let ended = if stopped() { Err(Error::cancelled()) } else { task.apart(self.settings.memory, &watch) };
        let state = match ended {
            Ok(told) => parsed(&told).map(PartState::Done)?,
            Err(error) if error.kind() == ErrorKind::Cancelled => {
                if stopped() {
                    PartState::Stopped
                } else if self.is_ending.load(Ordering::Relaxed) {
                    // It begins again with the server.
                    PartState::Waiting
                } else {
                    PartState::Failed(Error::limit(format!("it took longer than {} s", most.as_secs())))
                }
            }
            Err(error) => PartState::Failed(for_strangers(error)),
        };
        *run.running.lock().unwrap_or_else(PoisonError::into_inner) = None;
        run.change(|record| {
            if let Some(part) = record.parts.get_mut(part) {
                part.state = state;
            }
        })
    }

    /// Publishes a run if somebody wants that, once all of it is done.
    async fn publish_wanted(self: &Arc<Self>, run: &Arc<LiveRun>) {
        let record = run.record();
        let Some(wish) = record.wish.clone() else { return };
        if self.is_ending.load(Ordering::Relaxed) {
            return;
        }
        let task = RunTask::Publish(PublishTask {
            private: run.folder.archive(),
            archive: self.archive.clone(),
            wish,
            gold: record.request.gold.as_ref().map(|file| run.folder.files().join(file)),
        });
        let Ok(turn) = Arc::clone(&self.turns).acquire_owned().await else { return };
        let (desk, of) = (Arc::clone(self), Arc::clone(run));
        let published = tokio::task::spawn_blocking(move || {
            let watch = RunWatch {
                run: Some((&of, usize::MAX)),
                is_ending: &desk.is_ending,
                since: Stopwatch::start(),
                most: PUBLISHING,
            };
            task.apart(desk.settings.memory, &watch).and_then(|told| parsed::<PublicRun>(&told))
        });
        let published = published.await.unwrap_or_else(|_| Err(Error::system("a publication ended in the middle")));
        drop(turn);
        if self.is_ending.load(Ordering::Relaxed) && published.is_err() {
            return;
        }
        let kept = run.change(|record| {
            record.wish = None;
            match published {
                Ok(public) => record.published = Some(public),
                Err(error) => record.refused = Some(for_strangers(error)),
            }
        });
        if run.record().published.is_some() {
            // What is public needs no second copy.
            *run.shown.lock().await = None;
            drop(run.folder.empty());
        }
        if let Err(error) = kept {
            anstream::eprintln!("{error}");
        }
    }

    /// The run whose secret somebody knows. That he looks is noted, for the day on which it goes.
    pub(crate) fn find(&self, secrets: &RunSecrets) -> Option<Arc<LiveRun>> {
        let folder = self.runs.find(secrets)?;
        let mut live = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        let run = match live.get(&folder) {
            Some(run) => Arc::clone(run),
            None => {
                let run = Arc::new(LiveRun::new(folder.clone(), folder.read().ok()?));
                live.insert(folder, Arc::clone(&run));
                run
            }
        };
        drop(live);
        let today = now().map(|now| day(&now.date_time).to_owned()).unwrap_or_default();
        if run.record().visited != today {
            drop(run.change(|record| record.visited = today));
        }
        Some(run)
    }

    /// Stops what is left.
    pub(crate) fn stop(&self, run: &LiveRun) -> Result<()> {
        run.is_stopped.store(true, Ordering::Relaxed);
        run.change(|record| record.wish = None)
    }

    /// Removes a run with all that came of it. What is public of it stays.
    pub(crate) async fn delete(&self, run: &LiveRun) -> Result<()> {
        if run.record().published.is_some() {
            return Err(Error::input("it is published").hint("what is published can be withdrawn, with a reason"));
        }
        run.is_gone.store(true, Ordering::Relaxed);
        self.stop(run)?;
        self.live.lock().unwrap_or_else(PoisonError::into_inner).remove(&run.folder);
        *run.shown.lock().await = None;
        self.runs.remove(&run.folder)
    }

    /// Has a run published when all of it is done.
    pub(crate) fn publish(self: &Arc<Self>, run: &Arc<LiveRun>, wish: PublishWish) -> Result<()> {
        let record = run.record();
        if record.published.is_some() || record.wish.is_some() {
            return Ok(());
        }
        wish.check()?;
        run.change(|record| {
            record.refused = None;
            record.wish = Some(wish);
        })?;
        let is_open = record.parts.iter().any(|part| part.state == PartState::Waiting);
        if !is_open || run.is_stopped.load(Ordering::Relaxed) {
            let (desk, run) = (Arc::clone(self), Arc::clone(run));
            tokio::spawn(async move { desk.publish_wanted(&run).await });
        }
        Ok(())
    }

    /// Withdraws what a run published.
    pub(crate) async fn withdraw(&self, run: &Arc<LiveRun>, reason: &str) -> Result<()> {
        let Some(public) = run.record().published.filter(|public| public.is_own && !public.is_withdrawn) else {
            return Err(Error::input("this run has published nothing that could be withdrawn"));
        };
        let (bench, reason) = (Workbench::new(&self.archive), reason.to_owned());
        let withdrawn = tokio::task::spawn_blocking(move || {
            let request = PublishRequest { words: public.members, ..PublishRequest::default() };
            let ready = bench.ready_withdrawal(&request, (&reason, None), &crate::base::watch::Silent)?;
            bench.withdraw(&ready, None, None)
        });
        withdrawn.await.map_err(|_| Error::system("a withdrawal ended in the middle"))??;
        run.change(|record| {
            if let Some(public) = &mut record.published {
                public.is_withdrawn = true;
            }
        })
    }

    /// Removes what nobody has visited for so long.
    pub(crate) fn expire(&self) -> Result<()> {
        let today = now()?.date_time;
        for folder in self.runs.all()? {
            let Ok(record) = folder.read() else { continue };
            if expiry(&record.visited).is_some_and(|expiry| expiry.as_str() < day(&today)) {
                self.live.lock().unwrap_or_else(PoisonError::into_inner).remove(&folder);
                self.runs.remove(&folder)?;
            }
        }
        Ok(())
    }

    /// Looks at files, in a process of its own.
    pub(crate) async fn check(self: &Arc<Self>, check: FileCheck) -> Result<Vec<CheckedFile>> {
        let turn = Arc::clone(&self.checks).acquire_owned().await;
        let turn = turn.map_err(|_| Error::system("the server ends"))?;
        let desk = Arc::clone(self);
        let checked = tokio::task::spawn_blocking(move || {
            let watch =
                RunWatch { run: None, is_ending: &desk.is_ending, since: Stopwatch::start(), most: CHECKING };
            let told = RunTask::Check(check).apart(desk.settings.memory, &watch);
            let told = told.map_err(|error| match error.kind() {
                ErrorKind::Cancelled => Error::limit("looking at the files took too long"),
                _ => error,
            });
            told.and_then(|told| parsed(&told))
        });
        let checked = checked.await.unwrap_or_else(|_| Err(Error::system("a check ended in the middle")));
        drop(turn);
        checked
    }

    /// Ends what runs; it begins again with the server.
    pub(crate) fn end(&self) {
        self.is_ending.store(true, Ordering::Relaxed);
        self.turns.close();
    }

    /// How far the parts of a run are.
    pub(crate) fn parts(&self, run: &LiveRun) -> Vec<ShownRunPart> {
        let running = run.running.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let is_stopped = run.is_stopped.load(Ordering::Relaxed);
        let place = |at: usize| waiting.iter().position(|(folder, part)| (folder, *part) == (&run.folder, at));
        let state = |at: usize, state: PartState| match (state, &running) {
            (PartState::Done(all), _) => ShownRunState::Done(all.iter().map(result).collect()),
            (PartState::Failed(error), _) => ShownRunState::Failed(error),
            (PartState::Stopped, _) => ShownRunState::Stopped,
            (PartState::Waiting, _) if is_stopped => ShownRunState::Stopped,
            (PartState::Waiting, Some((part, stage, done, of))) if *part == at => {
                ShownRunState::Running(stage.clone(), *done, *of)
            }
            (PartState::Waiting, _) => match place(at) {
                Some(place) => ShownRunState::Waiting(place + 1),
                None => ShownRunState::Running("starting".to_owned(), 0, 0),
            },
        };
        let part = |(at, part): (usize, RunPart)| ShownRunPart {
            dataset: part.gold,
            system: part.answers.system().to_owned(),
            state: state(at, part.state),
        };
        run.record().parts.into_iter().enumerate().map(part).collect()
    }

    /// What becomes public of a run; `url`: what the addresses of the server begin with.
    pub(crate) fn publication(&self, run: &LiveRun, url: &str) -> RunPublication {
        let record = run.record();
        match (record.published, record.wish, record.refused) {
            (Some(PublicRun { iri, is_own, is_withdrawn, .. }), ..) => {
                let base = self.runs.base();
                let path = iri.strip_prefix(base).unwrap_or_default();
                RunPublication::Public { address: format!("{url}{path}"), iri, is_own, is_withdrawn }
            }
            (None, Some(_), _) => RunPublication::Wanted,
            (None, None, Some(error)) => RunPublication::Refused(error),
            (None, None, None) => RunPublication::Private,
        }
    }
}

/// The day on which a run goes that was visited last on another one.
pub(crate) fn expiry(visited: &str) -> Option<String> {
    let day: jiff::civil::Date = visited.parse().ok()?;
    day.checked_add(jiff::Span::new().days(DAYS_KEPT)).ok().map(|day| day.to_string())
}

fn result(listed: &ListedEvaluation) -> RunResult {
    RunResult {
        key: listed.key.clone(),
        profile: listed.profile.clone(),
        measure: listed.measure.clone().unwrap_or_default(),
        value: listed.value.clone(),
    }
}

fn parsed<T: serde::de::DeserializeOwned>(told: &str) -> Result<T> {
    serde_json::from_str(told).map_err(|error| Error::system(format!("a process said something else: {error}")))
}

/// What the machine says is for its operator.
fn for_strangers(error: Error) -> Error {
    if error.kind() != ErrorKind::System {
        return error;
    }
    anstream::eprintln!("{error}");
    Error::system("the server failed; its log says why").hint("nothing is lost: try again, or ask who runs it")
}
