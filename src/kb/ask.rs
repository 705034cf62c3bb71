//! Asking many queries at once.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::base::error::Result;
use crate::base::limits::{KB_QUERY_MEMORY, KB_QUERY_ROWS, KB_QUERY_TIME};
use crate::kb::outcome::Outcome;

/// How much one query may use. Where it uses more it is stopped, and the rest goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// The longest that a query may run.
    pub time: Duration,
    /// The most rows that it may have.
    pub rows: u64,
    /// The most bytes of memory that it may use beside the knowledge base (of a reply, for an endpoint).
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: KB_QUERY_TIME, rows: KB_QUERY_ROWS, memory: KB_QUERY_MEMORY }
    }
}

/// Somebody who can be asked: a pinned snapshot, an endpoint, or what one of them answered before.
pub trait Asker: Sync {
    /// Asks one query. The text is SPARQL 1.1, whatever repairs it needed done. An error is one of the knowledge base as
    /// a whole (it cannot be loaded, nobody is there, it asks for a password): then no other query is asked.
    fn ask(&self, query: &str) -> Result<Outcome>;
}

/// Asks many queries, `jobs` at a time; the outcomes are in the order of the queries. `done` is told of each, in the order
/// in which they end.
pub fn ask_all(
    asker: &dyn Asker,
    queries: &[String],
    jobs: NonZeroUsize,
    done: &(dyn Fn(&Outcome) + Sync),
) -> Result<Vec<Outcome>> {
    let (next, stopped) = (AtomicUsize::new(0), Mutex::new(None));
    let outcomes: Vec<Mutex<Option<Outcome>>> = queries.iter().map(|_| Mutex::new(None)).collect();
    let lock = |slot: &Mutex<Option<Outcome>>, outcome| {
        *slot.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(outcome);
    };
    let work = || {
        while let Some(number) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|n| *n < queries.len()) {
            match asker.ask(&queries[number]) {
                Ok(outcome) => {
                    done(&outcome);
                    lock(&outcomes[number], outcome);
                }
                Err(error) => {
                    next.store(queries.len(), Ordering::Relaxed);
                    stopped.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(error);
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..jobs.get().min(queries.len().max(1)) {
            scope.spawn(work);
        }
        work();
    });
    if let Some(error) = stopped.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        return Err(error);
    }
    let outcomes = outcomes.into_iter();
    Ok(outcomes
        .filter_map(|slot| slot.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
        .collect())
}
