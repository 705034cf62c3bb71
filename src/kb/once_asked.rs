//! An endpoint that is asked each query once in a run: gold and systems often ask the same, and what is answered twice may
//! be answered in two ways.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::base::clock::{self, Instant};
use crate::base::error::Result;
use crate::kb::ask::Asker;
use crate::kb::endpoint::Endpoint;
use crate::kb::outcome::Outcome;

/// An endpoint with what it answered.
#[derive(Debug)]
pub struct OnceAsked {
    endpoint: Endpoint,
    /// The time where the clock has none any more.
    began: Instant,
    known: Mutex<BTreeMap<String, (Outcome, Instant)>>,
    /// When the last of the answers that were wanted was there.
    last: Mutex<Option<Instant>>,
}

impl OnceAsked {
    /// Nothing is asked yet.
    pub fn new(endpoint: Endpoint) -> Result<Self> {
        Ok(Self { endpoint, began: clock::now()?, known: Mutex::default(), last: Mutex::default() })
    }

    /// Its address.
    pub fn address(&self) -> &str {
        self.endpoint.address()
    }

    /// When the last answer was there of those that were wanted since this was asked before: whoever wants the same answers
    /// gets the same time.
    pub fn take_time(&self) -> String {
        let now = || clock::now().unwrap_or_else(|_| self.began.clone());
        lock(&self.last).take().unwrap_or_else(now).date_time
    }
}

impl Asker for OnceAsked {
    fn ask(&self, query: &str) -> Result<Outcome> {
        let known = lock(&self.known).get(query).cloned();
        let (outcome, time) = if let Some(known) = known {
            known
        } else {
            let answered = (self.endpoint.ask(query)?, clock::now()?);
            lock(&self.known).insert(query.to_owned(), answered.clone());
            answered
        };
        let mut last = lock(&self.last);
        if last.as_ref().is_none_or(|last| last.nanoseconds < time.nanoseconds) {
            *last = Some(time);
        }
        Ok(outcome)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
