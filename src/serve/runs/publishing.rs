//! What becomes public of a run: all of it at once, by a process of its own, one run after the other; and how it is withdrawn.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use crate::base::clock::Stopwatch;
use crate::base::error::{Error, Result};
use crate::serve::live::{LiveRun, RunWatch};
use crate::serve::replies::for_strangers;
use crate::serve::runs::{RunDesk, parsed};
use crate::site::run::RunPublication;
use crate::workbench::run::{
    PartState, PublicRun, PublishTask, PublishWish, RunTask, WithdrawTask, published_by,
};

/// How long a publication may be verified.
const PUBLISHING: Duration = Duration::from_secs(3600);

impl RunDesk {
    /// Publishes a run if somebody wants that, once all of it is done.
    pub(super) async fn publish_wanted(self: &Arc<Self>, run: &Arc<LiveRun>) {
        let _one = self.publisher.lock().await;
        let Ok(turn) = Arc::clone(&self.turns).acquire_owned().await else { return };
        let _publishing = run.publishing.lock().await;
        // Who stops it while it waits wants it no longer.
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
            note: run.folder.note(),
        });
        let published = self.whole::<PublicRun>(task, Some(Arc::clone(run))).await;
        drop(turn);
        // Who stops it may be too late.
        let published =
            published.or_else(|error| published_by(&run.folder.note(), &self.archive).ok_or(error));
        if self.is_ending.load(Ordering::Relaxed) && published.is_err() {
            return;
        }
        // Who is told that it is public finds it.
        self.makers.renew().await;
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

    /// Has a run published when all of it is done.
    pub(crate) fn publish(self: &Arc<Self>, run: &Arc<LiveRun>, wish: PublishWish) -> Result<()> {
        let record = run.record();
        if record.published.is_some() || record.wish.is_some() {
            return Ok(());
        }
        run.change(|record| {
            record.refused = None;
            record.wish = Some(wish);
        })?;
        let is_open = record.parts.iter().any(|part| part.state == PartState::Waiting);
        // What was stopped before is over.
        run.is_stopped.fetch_and(is_open, Ordering::Relaxed);
        if !is_open || run.is_stopped.load(Ordering::Relaxed) {
            let (desk, run) = (Arc::clone(self), Arc::clone(run));
            tokio::spawn(async move { desk.publish_wanted(&run).await });
        }
        Ok(())
    }

    /// Withdraws what a run published. It goes on where nobody waits for it any more.
    pub(crate) async fn withdraw(self: &Arc<Self>, run: &Arc<LiveRun>, reason: &str) -> Result<()> {
        let Some(public) = run.record().published.filter(|public| public.is_own && !public.is_withdrawn)
        else {
            return Err(Error::input("this run has published nothing that could be withdrawn"));
        };
        let (archive, members) = (self.archive.clone(), public.members);
        let task = RunTask::Withdraw(WithdrawTask { archive, members, reason: reason.to_owned() });
        let (desk, run) = (Arc::clone(self), Arc::clone(run));
        let withdrawn = tokio::spawn(async move {
            let _one = desk.publisher.lock().await;
            desk.whole::<()>(task, None).await?;
            desk.makers.renew().await;
            run.change(|record| {
                if let Some(public) = &mut record.published {
                    public.is_withdrawn = true;
                }
            })
        });
        withdrawn.await.map_err(|_| Error::system("a withdrawal ended in the middle"))?
    }

    /// Has a process of its own do something to its end, whoever still wants it.
    async fn whole<T: serde::de::DeserializeOwned + Send + 'static>(
        self: &Arc<Self>,
        task: RunTask,
        run: Option<Arc<LiveRun>>,
    ) -> Result<T> {
        let desk = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || {
            let watch = RunWatch {
                run: run.as_deref().map(|run| (run, usize::MAX)),
                is_ending: &desk.is_ending,
                is_unwanted: None,
                since: Stopwatch::start(),
                most: PUBLISHING,
            };
            let told = task.apart(desk.settings.memory, &watch);
            // Nothing of it is done any more, whatever came of it.
            if let Some(run) = &run {
                *run.running.lock().unwrap_or_else(PoisonError::into_inner) = None;
            }
            told.and_then(|told| parsed(&told))
        });
        done.await.unwrap_or_else(|_| Err(Error::system("a process ended in the middle")))
    }

    /// What becomes public of a run; the address is the path behind that of the server.
    pub(crate) fn publication(&self, run: &LiveRun) -> RunPublication {
        let record = run.record();
        match (record.published, record.wish, record.refused) {
            (Some(PublicRun { iri, members, is_own, is_withdrawn }), ..) => {
                let base = self.runs.base();
                let path = iri.strip_prefix(base).unwrap_or_default();
                // Also where somebody else did it.
                let makers = self.makers.makers();
                let mut all = if members.is_empty() { std::slice::from_ref(&iri) } else { &members }.iter();
                let is_gone = self.makers.is_whole() && !all.any(|one| makers.shows(one));
                let is_withdrawn = is_withdrawn || is_gone;
                let (address, members) = (path.to_owned(), members.len());
                RunPublication::Public { address, iri, members, is_own, is_withdrawn }
            }
            (None, Some(_), _) => RunPublication::Wanted,
            (None, None, Some(error)) => RunPublication::Refused(error),
            (None, None, None) => RunPublication::Private,
        }
    }
}
