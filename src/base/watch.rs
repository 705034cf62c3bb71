//! Somebody who watches work that may take long: how far it is, what is worth saying, whether it is still wanted.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use crate::base::error::{Error, Result};
use crate::base::text::counted;

/// Watches work. Nothing has to be done with what is told: every method has a default. Work is done in several threads,
/// and each of them may tell something.
pub trait Watcher: Sync {
    /// A stage of the work, such as `scoring`, has done some of its steps; with none of them done, it begins.
    fn progress(&self, _stage: &str, _done: u64, _total: u64) {}

    /// What the stage is busy with, in a few words.
    fn detail(&self, _text: &str) {}

    /// So many steps of a stage have failed by now, the last of them for this reason.
    fn failures(&self, stage: &str, count: u64, last: &str) {
        self.detail(&format!("{stage}, {}, the last: {last}", counted(count, "failure")));
    }

    /// A stage is over, or was left with an error.
    fn end(&self, _stage: &str) {}

    /// Something worth saying, in one line. An end of line before it sets it apart.
    fn note(&self, text: &str) {
        self.note_list(text, &[]);
    }

    /// Something worth saying, with a line below for each of these.
    fn note_list(&self, _text: &str, _lines: &[String]) {}

    /// Whether the work is no longer wanted. It is asked between steps: the work ends with an error of the kind
    /// [`Cancelled`](crate::base::error::ErrorKind::Cancelled), and nothing that is not whole looks so.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// The steps of some work that failed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedSteps {
    /// How many.
    pub count: u64,
    /// Why the last of them did.
    pub last: Option<String>,
}

/// Nobody watches.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Watcher for Silent {}

impl dyn Watcher + '_ {
    /// An error where the work is no longer wanted.
    pub fn check(&self) -> Result<()> {
        if self.is_cancelled() { Err(Error::cancelled()) } else { Ok(()) }
    }
}

/// The steps of a stage, told to a watcher; the stage ends with it.
pub struct Steps<'a> {
    watcher: &'a dyn Watcher,
    stage: &'static str,
    done: AtomicU64,
    total: u64,
}

impl<'a> Steps<'a> {
    /// Begins a stage of some steps.
    pub fn new(watcher: &'a dyn Watcher, stage: &'static str, total: usize) -> Self {
        let total = total as u64;
        watcher.progress(stage, 0, total);
        Self { watcher, stage, done: AtomicU64::new(0), total }
    }

    /// One more is done.
    pub fn step(&self) {
        self.steps(1);
    }

    /// So many more are done.
    pub fn steps(&self, more: usize) {
        let more = more as u64;
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        self.watcher.progress(self.stage, done, self.total);
    }
}

impl Drop for Steps<'_> {
    fn drop(&mut self) {
        self.watcher.end(self.stage);
    }
}

/// Watches work that is one step of a stage: notes, and whether it is wanted. Its own steps are not those of the stage.
pub struct WithinStep<'a>(pub &'a dyn Watcher);

impl Watcher for WithinStep<'_> {
    fn note_list(&self, text: &str, lines: &[String]) {
        self.0.note_list(text, lines);
    }

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// Parts of a stage that go on at the same time, told to a watcher as one; the stage ends with them.
pub struct Together<'a> {
    watcher: &'a dyn Watcher,
    stage: &'static str,
    left: Vec<AtomicU64>,
    total: u64,
}

impl<'a> Together<'a> {
    /// Begins a stage whose parts have at most so many steps.
    pub fn new(watcher: &'a dyn Watcher, stage: &'static str, steps: &[u64]) -> Self {
        let total = steps.iter().sum();
        watcher.progress(stage, 0, total);
        Self { watcher, stage, left: steps.iter().copied().map(AtomicU64::new).collect(), total }
    }

    /// Who watches a part.
    pub fn part(&self, number: usize) -> TogetherPart<'_> {
        TogetherPart { whole: self, number }
    }
}

impl Drop for Together<'_> {
    fn drop(&mut self) {
        self.watcher.end(self.stage);
    }
}

/// Watches one part of a stage.
pub struct TogetherPart<'a> {
    whole: &'a Together<'a>,
    number: usize,
}

impl Watcher for TogetherPart<'_> {
    fn progress(&self, _stage: &str, done: u64, total: u64) {
        if let Some(left) = self.whole.left.get(self.number) {
            left.store(total.saturating_sub(done), Ordering::Relaxed);
        }
        let left: u64 = self.whole.left.iter().map(|left| left.load(Ordering::Relaxed)).sum();
        let done = self.whole.total.saturating_sub(left);
        self.whole.watcher.progress(self.whole.stage, done, self.whole.total);
    }

    fn detail(&self, text: &str) {
        self.whole.watcher.detail(text);
    }

    fn note_list(&self, text: &str, lines: &[String]) {
        self.whole.watcher.note_list(text, lines);
    }

    fn is_cancelled(&self) -> bool {
        self.whole.watcher.is_cancelled()
    }
}

impl std::fmt::Debug for Steps<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} {}", self.done.load(Ordering::Relaxed), self.total, self.stage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[derive(Default)]
    struct Told(Mutex<Vec<String>>);

    impl Watcher for Told {
        fn progress(&self, stage: &str, done: u64, total: u64) {
            self.0.lock().expect("told").push(format!("{stage} {done}/{total}"));
        }
        fn end(&self, stage: &str) {
            self.0.lock().expect("told").push(format!("{stage} ends"));
        }
        fn is_cancelled(&self) -> bool {
            self.0.lock().expect("told").len() > 1
        }
    }

    #[test]
    fn steps_are_told_and_cancelling_is_an_error() {
        let told = Told::default();
        let watcher: &dyn Watcher = &told;
        let steps = Steps::new(watcher, "scoring", 2);
        watcher.check().expect("not cancelled yet");
        steps.step();
        assert_eq!(watcher.check().expect_err("cancelled").kind(), crate::base::error::ErrorKind::Cancelled);
        drop(steps);
        assert_eq!(*told.0.lock().expect("told"), ["scoring 0/2", "scoring 1/2", "scoring ends"]);
        (&Silent as &dyn Watcher).check().expect("nobody cancels");
    }
}
