//! Runs: a queue of parts, each done by a process of its own; what came of them is kept as it comes, and what was not done to its
//! end begins again with the server.

mod publishing;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tempfile::TempDir;
use tokio::sync::Semaphore;

use crate::base::clock::{Stopwatch, now};
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::token::SecretToken;
use crate::base::watch::FailedSteps;
use crate::report::checked::CheckedFile;
use crate::serve::live::{LiveRun, RunWatch, WantedWork};
use crate::serve::makers::WatchedArchive;
use crate::serve::once::OnceKey;
use crate::serve::place::RunSettings;
use crate::serve::replies::for_strangers;
use crate::serve::uploads::{UploadTray, space_left};
use crate::site::run::{RunResult, RunStage, ShownRunPart, ShownRunState};
use crate::workbench::assessing::{ASSESSMENTS, Assessing, PooledQuestion};
use crate::workbench::blind::BlindPhase;
use crate::workbench::list::ListedEvaluation;
use crate::workbench::private::{PrivateRuns, RunFolder, RunRecord, RunSecrets, day, write_whole};
use crate::workbench::run::{FileCheck, HandInTask, PartState, PartTask, PublishWish, RunPart, RunTask};
use crate::workbench::run_request::{AnswerSource, RunRequest};

/// How many days a run is kept that nobody visits.
pub(crate) const DAYS_KEPT: i64 = 90;

/// The most parts that wait.
const MOST_WAITING: usize = 100;

/// How long files are looked at.
const CHECKING: Duration = Duration::from_secs(60);

/// The profile that looks at what people say about answers.
const JUDGING_PROFILE: &str = "clef-2004";

/// The bytes of disk that stay free.
const DISK_FLOOR: u64 = 1 << 30;

/// All runs, and what does them.
#[derive(Debug)]
pub(crate) struct RunDesk {
    runs: PrivateRuns,
    archive: PathBuf,
    /// Who makes the pages of what is public.
    makers: Arc<WatchedArchive>,
    settings: RunSettings,
    live: Mutex<BTreeMap<RunFolder, Arc<LiveRun>>>,
    /// The parts that wait, by their runs, in the order of their turns.
    waiting: Mutex<Vec<(RunFolder, usize)>>,
    turns: Arc<Semaphore>,
    checks: Arc<Semaphore>,
    /// Held by who publishes: what two publish at once would be of both.
    publisher: tokio::sync::Mutex<()>,
    /// The keys of requests that are to be done once, with what they were sent with.
    keys: Mutex<BTreeMap<String, String>>,
    is_ending: Arc<AtomicBool>,
}

impl RunDesk {
    /// The runs of an archive; what was not done begins again when [`Self::resume`] is called.
    ///
    /// # Errors
    /// Where the archive cannot be written.
    pub(crate) fn open(archive: &Path, makers: Arc<WatchedArchive>, settings: RunSettings) -> Result<Self> {
        let archive =
            std::fs::canonicalize(archive).map_err(|error| Error::io("find the folder", archive, &error))?;
        let runs = PrivateRuns::open(&archive)?;
        let [turns, checks] = [(); 2].map(|()| Arc::new(Semaphore::new(settings.parallel)));
        let (live, waiting, keys, publisher, is_ending) = Default::default();
        Ok(Self { runs, archive, makers, settings, live, waiting, turns, checks, publisher, keys, is_ending })
    }

    /// The base of the IRIs of its archive.
    pub(crate) fn base(&self) -> &str {
        self.runs.base()
    }

    /// Who may do what.
    pub(crate) fn settings(&self) -> &RunSettings {
        &self.settings
    }

    /// Whether runs are done here, and not by another server of the archive.
    pub(crate) fn is_owner(&self) -> bool {
        self.runs.is_owner()
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
        if !self.is_owner() {
            return Ok(());
        }
        // A damaged one stays for its operator.
        let known = self.runs.all()?.into_iter().filter_map(|folder| Some((folder.read().ok()?, folder)));
        let mut known: Vec<(RunRecord, RunFolder)> = known.collect();
        known.sort_by(|(one, _), (other, _)| one.started.cmp(&other.started));
        for (record, folder) in known {
            if let Some([key, form]) = &record.once {
                let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
                keys.insert(key.clone(), form.clone());
            }
            let is_open = record.parts.iter().any(|part| part.state == PartState::Waiting);
            if is_open || record.wish.is_some() {
                self.start(&Arc::new(LiveRun::new(folder, record)));
            }
        }
        Ok(())
    }

    fn lacks_room(&self) -> bool {
        space_left(&self.archive).is_some_and(|left| left < DISK_FLOOR)
    }

    /// Whether nothing more can be taken.
    pub(crate) fn is_full(&self) -> bool {
        self.lacks_room() || self.queue() >= MOST_WAITING
    }

    /// A folder for files.
    pub(crate) fn tray(&self) -> Result<TempDir> {
        if self.lacks_room() {
            return Err(Error::limit("there is no room for files on this server").hint("try again later"));
        }
        self.runs.tray()
    }

    /// Whether a request with this key began a run.
    pub(crate) fn knows(&self, key: &str) -> bool {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner).contains_key(key)
    }

    /// Begins a run of files that were sent; with a key, whoever sends the same again has the same run.
    pub(crate) fn begin(
        self: &Arc<Self>,
        tray: TempDir,
        request: RunRequest,
        (stated, is_public): (PublishWish, bool),
        key: Option<OnceKey>,
    ) -> Result<RunSecrets> {
        // Whoever sends the same at the same time waits for it.
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        let secrets = match &key {
            None => RunSecrets::managing(SecretToken::random()?),
            Some(key) => {
                if keys.get(&key.key).is_some_and(|form| *form != key.form) {
                    return Err(Error::input("another form was sent with this key").at("Idempotency-Key"));
                }
                let secrets =
                    RunSecrets::managing(self.runs.secret()?.weaker(&format!("{} {}", key.key, key.form)));
                if self.runs.find(&secrets).is_some() {
                    return Ok(secrets);
                }
                keys.insert(key.key.clone(), key.form.clone());
                secrets
            }
        };
        let parts = request.golds().count() * request.answers.len();
        if self.queue() + parts > MOST_WAITING {
            return Err(Error::limit(format!("the queue is full: {} parts wait", self.queue()))
                .hint("your files are fine; try again later, or run it on your machine: `qassay evaluate`"));
        }
        let once = key.map(|key| [key.key, key.form]);
        let folder = self.runs.begin(tray, (request, stated, is_public), once, &secrets)?;
        drop(keys);
        let record = folder.read()?;
        self.start(&Arc::new(LiveRun::new(folder, record)));
        Ok(secrets)
    }

    fn start(self: &Arc<Self>, run: &Arc<LiveRun>) {
        let is_waiting = |(at, part): (usize, &RunPart)| (part.state == PartState::Waiting).then_some(at);
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
        let what = record.parts.get(part).filter(|part| part.state == PartState::Waiting);
        let Some(what) = what else { return Ok(()) };
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
        let watch = RunWatch {
            run: Some((run, part)),
            is_ending: &self.is_ending,
            is_unwanted: None,
            since: Stopwatch::start(),
            most,
        };
        let stopped = || run.is_stopped.load(Ordering::Relaxed);
        let ended =
            if stopped() { Err(Error::cancelled()) } else { task.apart(self.settings.memory, &watch) };
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
        let ran = run.running.lock().unwrap_or_else(PoisonError::into_inner).take();
        let failures = ran.and_then(|(_, stage)| stage.failures);
        run.change(|record| {
            if let Some(part) = record.parts.get_mut(part) {
                part.state = state;
                part.failures = failures.or(part.failures.take());
            }
        })
    }

    /// The run whose secret somebody knows. That he looks is noted, for the day on which it goes.
    pub(crate) fn find(&self, secrets: &RunSecrets) -> Option<Arc<LiveRun>> {
        self.known(self.runs.find(secrets)?)
    }

    /// A run by its folder.
    fn known(&self, folder: RunFolder) -> Option<Arc<LiveRun>> {
        let mut live = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        let run = if let Some(run) = live.get(&folder) {
            Arc::clone(run)
        } else {
            let run = Arc::new(LiveRun::new(folder.clone(), folder.read().ok()?));
            live.insert(folder, Arc::clone(&run));
            run
        };
        drop(live);
        let today = now().map(|now| day(&now.date_time).to_owned()).unwrap_or_default();
        if self.is_owner() && run.record().visited != today {
            drop(run.change(|record| record.visited = today));
        }
        Some(run)
    }

    /// Removes a run with all that came of it. What is public of it stays.
    pub(crate) async fn delete(&self, run: &LiveRun) -> Result<()> {
        run.stop_wholly().await?;
        // What another run published is not this one's to withdraw, and needs it not.
        if run.record().published.is_some_and(|public| public.is_own && !public.is_withdrawn) {
            return Err(Error::input("it is published").hint("it can be withdrawn, with a reason"));
        }
        run.is_gone.store(true, Ordering::Relaxed);
        self.live.lock().unwrap_or_else(PoisonError::into_inner).remove(&run.folder);
        *run.shown.lock().await = None;
        self.runs.remove(&run.folder)
    }

    /// Removes what nobody has visited for so long.
    pub(crate) fn expire(&self) -> Result<()> {
        if !self.is_owner() {
            return Ok(());
        }
        // Who does nothing, and is looked at by nobody, need not be known.
        let is_busy = |run: &Arc<LiveRun>| {
            let record = run.record();
            Arc::strong_count(run) > 1
                || record.wish.is_some()
                || record.parts.iter().any(|part| part.state == PartState::Waiting)
        };
        self.live.lock().unwrap_or_else(PoisonError::into_inner).retain(|_, run| is_busy(run));
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

    /// Looks at files.
    pub(crate) async fn check(self: &Arc<Self>, check: FileCheck) -> Result<Vec<CheckedFile>> {
        self.apart(RunTask::Check(check)).await
    }

    /// Accepts answers in a test phase, in the archive itself: nothing of them is public.
    pub(crate) async fn hand_in(
        self: &Arc<Self>,
        tray: &UploadTray,
        (phase, answers): (BlindPhase, Vec<(String, Option<String>)>),
    ) -> Result<serde_json::Value> {
        let folder = tray.folder.path().to_path_buf();
        self.apart(RunTask::HandIn(HandInTask { folder, archive: self.archive.clone(), phase, answers }))
            .await
    }

    /// Has a process of its own do something that somebody waits for.
    pub(crate) async fn apart<T: serde::de::DeserializeOwned + Send + 'static>(
        self: &Arc<Self>,
        task: RunTask,
    ) -> Result<T> {
        let turn = Arc::clone(&self.checks).acquire_owned().await;
        let turn = turn.map_err(|_| Error::system("the server ends"))?;
        let desk = Arc::clone(self);
        let is_unwanted = Arc::new(AtomicBool::new(false));
        let wanted = WantedWork(Arc::clone(&is_unwanted));
        let done = tokio::task::spawn_blocking(move || {
            // It has its turn until its process has ended, also where nobody waits any more.
            let _turn = turn;
            let watch = RunWatch {
                run: None,
                is_ending: &desk.is_ending,
                is_unwanted: Some(&is_unwanted),
                since: Stopwatch::start(),
                most: CHECKING,
            };
            let told = task.apart(desk.settings.memory, &watch).map_err(|error| match error.kind() {
                ErrorKind::Cancelled => Error::limit("it took too long"),
                _ => error,
            });
            told.and_then(|told| parsed(&told))
        });
        let done = done.await.unwrap_or_else(|_| Err(Error::system("a process ended in the middle")));
        drop(wanted);
        done
    }

    /// Has people judge the answers of a run.
    pub(crate) async fn judge(
        self: &Arc<Self>,
        run: &LiveRun,
        secrets: &RunSecrets,
        names: &[String],
    ) -> Result<()> {
        if names.is_empty() {
            return Err(Error::input("nobody is named")
                .at("assessors")
                .allowed("names, separated by commas"));
        }
        let mut assessing = if let Some(known) = Assessing::of(&run.folder)? {
            known
        } else {
            let pool: Vec<PooledQuestion> =
                self.apart(RunTask::Pool { archive: run.folder.archive() }).await?;
            Assessing { pool, assessors: Vec::new() }
        };
        assessing.invite(&run.folder, secrets, names)?;
        assessing.assessors.iter().try_for_each(|one| self.runs.point(&one.sha256, &run.folder))
    }

    /// The run that somebody may judge, and his place among those who do.
    pub(crate) fn judged_by(&self, token: &SecretToken) -> Option<(Arc<LiveRun>, usize)> {
        let folder = self.runs.pointed(token)?;
        let assessing = Assessing::of(&folder).ok()??;
        let number = assessing.assessors.iter().position(|one| token.is(&one.sha256))?;
        Some((self.known(folder)?, number))
    }

    /// Scores a run again, by what people said about its answers.
    pub(crate) fn score_judged(self: &Arc<Self>, run: &Arc<LiveRun>) -> Result<()> {
        let none = || Error::input("nobody has judged the answers of this run");
        let assessing = Assessing::of(&run.folder)?.ok_or_else(none)?;
        write_whole(&run.folder.files().join(ASSESSMENTS), &assessing.file(&run.folder)?)?;
        let mut request = run.record().request;
        // What was scored otherwise stays.
        if request.profile.is_empty() {
            request.profile.push("qassay".to_owned());
        }
        if !request.profile.iter().any(|profile| profile == JUDGING_PROFILE) {
            request.profile.push(JUDGING_PROFILE.to_owned());
        }
        request.references.insert("assessments".to_owned(), vec![ASSESSMENTS.to_owned()]);
        request.scoring()?;
        if run.record().parts.iter().any(|part| part.state == PartState::Waiting) {
            return Err(Error::input("the run is not over yet"));
        }
        run.change(|record| {
            record.request = request;
            record.parts.iter_mut().for_each(RunPart::wait_again);
        })?;
        run.is_stopped.store(false, Ordering::Relaxed);
        self.start(run);
        Ok(())
    }

    /// Ends what runs; it begins again with the server.
    pub(crate) fn end(&self) {
        self.is_ending.store(true, Ordering::Relaxed);
        self.turns.close();
    }

    /// How many parts of runs are at what.
    pub(crate) fn stages(&self) -> BTreeMap<String, usize> {
        let mut stages = BTreeMap::new();
        for run in self.live.lock().unwrap_or_else(PoisonError::into_inner).values() {
            let running = run.running.lock().unwrap_or_else(PoisonError::into_inner);
            running.iter().for_each(|(_, stage)| *stages.entry(stage.name.clone()).or_default() += 1);
        }
        stages
    }

    /// How far the parts of a run are.
    pub(crate) fn parts(&self, run: &LiveRun) -> Vec<ShownRunPart> {
        let running = run.running.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let is_stopped = run.is_stopped.load(Ordering::Relaxed);
        let place =
            |at: usize| waiting.iter().position(|(folder, part)| (folder, *part) == (&run.folder, at));
        let (public, own) = (self.makers.makers(), run.record().published);
        let is_known =
            |iri: &String| public.shows(iri) && !own.as_ref().is_some_and(|own| own.members.contains(iri));
        let result =
            |listed: &ListedEvaluation| RunResult { is_known: is_known(&listed.iri), ..result(listed) };
        let state = |at: usize, part: &RunPart| match (part.state.clone(), &running) {
            (PartState::Done(all), _) => {
                ShownRunState::Done(all.iter().chain(part.earlier(&all)).map(result).collect())
            }
            (PartState::Failed(error), _) => ShownRunState::Failed(error),
            (PartState::Stopped, _) => ShownRunState::Stopped,
            (PartState::Waiting, _) if is_stopped => ShownRunState::Stopped,
            (PartState::Waiting, Some((part, stage))) if *part == at => ShownRunState::Running(stage.clone()),
            (PartState::Waiting, _) => match place(at) {
                Some(place) => ShownRunState::Waiting(place + 1),
                None => ShownRunState::Running(RunStage::new("starting")),
            },
        };
        let failures = |at: usize, part: &RunPart| {
            let now = running.as_ref().filter(|(running, _)| *running == at);
            let now = now.and_then(|(_, stage)| stage.failures.clone());
            let is_live = matches!(part.answers, AnswerSource::Live { .. });
            now.or_else(|| part.failures.clone()).or_else(|| is_live.then(FailedSteps::default))
        };
        let part = |(at, part): (usize, RunPart)| ShownRunPart {
            failures: failures(at, &part),
            state: state(at, &part),
            dataset: part.gold,
            system: part.answers.system().to_owned(),
        };
        run.record().parts.into_iter().enumerate().map(part).collect()
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
        is_known: false,
    }
}

fn parsed<T: serde::de::DeserializeOwned>(told: &str) -> Result<T> {
    serde_json::from_str(told)
        .map_err(|error| Error::system(format!("a process said something else: {error}")))
}
