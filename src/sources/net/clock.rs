//! Waiting: how long a request may take, and how long one waits before the next.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The clock on the wall. It decides when to stop and never what is written.
#[expect(clippy::disallowed_methods, reason = "a time limit needs a clock; no published graph sees it")]
fn now() -> Instant {
    Instant::now()
}

/// A time at which something must be done.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline(Instant);

impl Deadline {
    /// So much time from now on.
    pub(crate) fn within(time: Duration) -> Self {
        // A limit of centuries is none.
        let now = now();
        Self(now.checked_add(time).unwrap_or(now + Duration::from_secs(3_000_000_000)))
    }

    /// How much time is left.
    pub(crate) fn left(self) -> Duration {
        self.0.saturating_duration_since(now())
    }
}

/// Keeps requests apart.
#[derive(Debug)]
pub(crate) struct Gate {
    pause: Duration,
    /// The earliest time of the next request.
    next: Mutex<Option<Instant>>,
}

/// One request; the pause begins again when it ends.
pub(crate) struct Turn<'a>(&'a Gate);

impl Gate {
    pub(crate) fn new(pause: Duration) -> Self {
        Self { pause, next: Mutex::default() }
    }

    /// Waits for one's turn.
    pub(crate) fn pass(&self) -> Turn<'_> {
        let mut next = self.lock();
        let now = now();
        let turn = next.map_or(now, |next| next.max(now));
        *next = Some(turn + self.pause);
        drop(next);
        thread::sleep(turn.saturating_duration_since(now));
        Turn(self)
    }

    fn lock(&self) -> MutexGuard<'_, Option<Instant>> {
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let after = now() + self.0.pause;
        let mut next = self.0.lock();
        *next = Some(next.map_or(after, |next| next.max(after)));
    }
}
