//! Asking a system all questions: politely, and with each exchange kept as it ends.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use reqwest::Url;
use sha2::{Digest as _, Sha256};

use crate::base::error::{Error, Result};
use crate::base::text::beginning;
use crate::base::watch::Watcher;
use crate::measures::fraction::Fraction;
use crate::sources::failure_kind::FailureKind;
use crate::sources::net::clock::{Deadline, Gate};
use crate::sources::net::patience::Patience;
use crate::sources::net::whole::WholeClient;
use crate::systems::address::AddressPolicy;
use crate::systems::choose::AskedText;
use crate::systems::description::{Manners, Protocol};
use crate::systems::dialogue::Dialogue;
use crate::systems::exchange::Responder;
use crate::systems::failure::{AskFailure, TryAgain};
use crate::systems::http::{Carrier, Http};
use crate::systems::template::Values;
use crate::systems::warc::Try;

/// A system that is asked.
#[derive(Debug, Clone)]
pub struct LiveSystem<'s> {
    /// How it is asked.
    pub protocol: &'s Protocol,
    /// Where it is.
    pub address: &'s Url,
    /// What stands in the places of the templates, beside what each question has of its own.
    pub values: Values,
    /// Who replies in place of a server, if somebody does.
    pub responder: Option<&'s dyn Responder>,
}

/// How a run behaves.
#[derive(Debug, Clone, PartialEq)]
pub struct Politeness {
    /// How patient and how polite one is with a question.
    pub manners: Manners,
    /// How many questions are asked at the same time.
    pub parallel: NonZeroUsize,
    /// The longest wait that a server may ask for (`Retry-After`).
    pub longest_wait: Duration,
    /// The most bytes of a reply.
    pub most_bytes: u64,
    /// Whether it goes on where others would stop.
    pub keeps_going: bool,
}

impl Politeness {
    /// What the record of a run says of it: names and values, times in seconds.
    pub fn settings(&self) -> [(&'static str, String); 8] {
        let Manners { time_limit, retries, retry_pause, pause, one_at_a_time: _ } = &self.manners;
        [
            ("time-limit", seconds(*time_limit)),
            ("retries", retries.to_string()),
            ("retry-pause", seconds(*retry_pause)),
            ("pause", seconds(*pause)),
            ("parallel", self.parallel.to_string()),
            ("max-wait", seconds(self.longest_wait)),
            ("max-bytes", self.most_bytes.to_string()),
            ("keep-going", self.keeps_going.to_string()),
        ]
    }
}

/// A time in seconds, as a decimal numeral.
pub fn seconds(time: Duration) -> String {
    let milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    Fraction::ratio(milliseconds, 1000).unwrap_or_else(Fraction::zero).to_decimal()
}

/// The most bytes of a reply, unless somebody says more.
pub const MOST_BYTES: u64 = 16 << 20;

/// The longest wait that a server may ask for, unless somebody says otherwise.
pub const LONGEST_WAIT: Duration = Duration::from_secs(120);

/// After how many questions one stops where not one of them reached anybody.
const LEAST_UNREACHED: usize = 3;

/// How many questions must have been asked before the share of those that reached nobody counts.
const LEAST_ASKED: usize = 20;

/// How long somebody who waits does not look whether the run was stopped.
const NAP: Duration = Duration::from_millis(200);

/// A question, and how often it was asked before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueQuestion {
    /// The question.
    pub asked: AskedText,
    /// The number of tries that are kept.
    pub tries: u32,
}

/// How a run ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunEnd {
    /// How many questions were asked.
    pub asked: usize,
    /// Why it stopped before its end.
    pub stopped: Option<String>,
}

impl LiveSystem<'_> {
    /// The values of one question.
    pub fn values_of(&self, asked: &AskedText) -> Values {
        let AskedText { key, language, text } = asked;
        self.values.of_question(&[("question", text), ("language", language), ("id", key)])
    }

    /// Asks all questions, where `policy` lets one; `keep` is given each try when it ends.
    ///
    /// # Errors
    /// Where a try cannot be kept, or nobody waits any more. A system that fails is no error: its failures are kept.
    pub fn ask_all(
        &self,
        due: &[DueQuestion],
        polite: &Politeness,
        policy: AddressPolicy,
        keep: &(dyn Fn(&Try) -> Result<()> + Sync),
        watcher: &dyn Watcher,
    ) -> Result<RunEnd> {
        let run = AskingRun {
            system: self,
            policy,
            due,
            polite,
            keep,
            watcher,
            gate: Gate::new(polite.manners.pause),
            state: Mutex::default(),
        };
        watcher.progress("asking", 0, due.len() as u64);
        thread::scope(|scope| {
            for _ in 0..polite.parallel.get().min(due.len()) {
                scope.spawn(|| run.work());
            }
        });
        watcher.end("asking");
        let state = run.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        match state.error {
            Some(error) => Err(error),
            None => Ok(RunEnd { asked: state.ended, stopped: state.stopped }),
        }
    }
}

/// What the threads of a run share.
struct AskingRun<'r> {
    system: &'r LiveSystem<'r>,
    policy: AddressPolicy,
    due: &'r [DueQuestion],
    polite: &'r Politeness,
    keep: &'r (dyn Fn(&Try) -> Result<()> + Sync),
    watcher: &'r dyn Watcher,
    gate: Gate,
    state: Mutex<RunState>,
}

#[derive(Debug, Default)]
struct RunState {
    next: usize,
    ended: usize,
    failed: usize,
    unreached: usize,
    stopped: Option<String>,
    error: Option<Error>,
    told: BTreeSet<FailureKind>,
}

impl AskingRun<'_> {
    fn state(&self) -> MutexGuard<'_, RunState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        if let Some(responder) = self.system.responder {
            return self.work_with(Carrier::Function(responder));
        }
        match WholeClient::new(&Patience::default(), self.policy.reach()) {
            Ok(client) => self.work_with(Carrier::Network(&client)),
            Err(error) => {
                self.state().error.get_or_insert(error);
            }
        }
    }

    fn work_with(&self, carrier: Carrier<'_>) {
        while let Some(due) = self.next() {
            let turn = self.gate.pass();
            let asked = self.ask(carrier, due);
            drop(turn);
            match asked {
                Ok(failure) => self.ended(failure),
                Err(error) => {
                    self.state().error.get_or_insert(error);
                }
            }
        }
    }

    fn is_over(&self) -> bool {
        let state = self.state();
        state.stopped.is_some() || state.error.is_some()
    }

    fn next(&self) -> Option<&DueQuestion> {
        if let Err(error) = self.watcher.check() {
            self.state().error.get_or_insert(error);
        }
        let mut state = self.state();
        if state.stopped.is_some() || state.error.is_some() {
            return None;
        }
        let due = self.due.get(state.next)?;
        state.next += 1;
        Some(due)
    }

    /// Asks until there is a reply, or no further try makes sense. Gives the last failure.
    fn ask(&self, carrier: Carrier<'_>, due: &DueQuestion) -> Result<Option<AskFailure>> {
        let values = self.system.values_of(&due.asked);
        let dialogue =
            Dialogue { protocol: self.system.protocol, address: self.system.address, values: &values };
        for further in 0..=self.polite.manners.retries {
            let deadline = Deadline::within(self.polite.manners.time_limit);
            let mut http = Http::new(carrier, deadline, self.polite.most_bytes, &values);
            let result = dialogue.ask(&mut http);
            let AskedText { key, language, text } = &due.asked;
            let number = due.tries + further + 1;
            (self.keep)(&Try::new(key, Some(language), text, number, http.calls))?;
            let Err(failure) = result else { return Ok(None) };
            let wait = self.wait(&failure, further, key);
            self.tell_first(key, &failure);
            match wait.filter(|_| further < self.polite.manners.retries && !failure.stops) {
                Some(wait) if self.sleeps(wait) => {}
                _ => return Ok(Some(failure)),
            }
        }
        Ok(None)
    }

    /// Tells the first failure of each kind as soon as it is there: the end of a run may be hours away.
    fn tell_first(&self, key: &str, failure: &AskFailure) {
        if self.state().told.insert(failure.kind) {
            let message = beginning(failure.message.trim(), 120);
            self.watcher.note(&format!("question {key}: {}: {message}", failure.kind));
        }
    }

    /// How long to wait before the next try, if there should be one.
    fn wait(&self, failure: &AskFailure, further: u32, key: &str) -> Option<Duration> {
        match failure.again {
            TryAgain::No => None,
            TryAgain::After(asked) => (asked <= self.polite.longest_wait).then_some(asked),
            TryAgain::Yes => {
                let own = self.polite.manners.retry_pause.saturating_mul(1 << further.min(16));
                Some(jittered(own.min(self.polite.longest_wait), key, further))
            }
        }
    }

    /// Sleeps; whether nobody stopped the run meanwhile.
    fn sleeps(&self, wait: Duration) -> bool {
        let end = Deadline::within(wait);
        while !end.left().is_zero() {
            thread::sleep(end.left().min(NAP));
            if self.is_over() || self.watcher.is_cancelled() {
                return false;
            }
        }
        true
    }

    fn ended(&self, failure: Option<AskFailure>) {
        let mut state = self.state();
        state.ended += 1;
        if let Some(failure) = failure {
            state.failed += 1;
            state.unreached += usize::from(failure.is_unheard());
            let message = beginning(failure.message.trim(), 60);
            self.watcher.failures("asking", state.failed as u64, &message);
            let is_nobody = state.ended >= LEAST_UNREACHED && state.unreached == state.ended;
            let is_silent = state.ended >= LEAST_ASKED && state.unreached * 4 > state.ended;
            if failure.stops && !self.polite.keeps_going {
                state.stopped.get_or_insert(format!("{}: {}", failure.kind, failure.message));
            } else if (is_silent || is_nobody) && !self.polite.keeps_going {
                let share = format!("{} of {} questions reached nobody", state.unreached, state.ended);
                state.stopped.get_or_insert(format!("{share}; the last: {}", failure.message));
            }
        }
        let ended = state.ended as u64;
        drop(state);
        self.watcher.progress("asking", ended, self.due.len() as u64);
    }
}

/// A wait, up to half as long again: by chance, so that those who fail together do not come back together, and yet the
/// same for the same question and try.
fn jittered(wait: Duration, key: &str, further: u32) -> Duration {
    let chance = Sha256::digest(format!("{key}/{further}"))[0];
    wait.saturating_add(wait / 512 * u32::from(chance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_differ_between_questions_and_not_between_runs() {
        let wait = Duration::from_secs(2);
        let of = |key| jittered(wait, key, 0);
        assert_eq!(of("1"), of("1"));
        assert!(["1", "2", "3"].map(of).iter().all(|one| (wait..wait * 3 / 2).contains(one)));
        assert!(of("1") != of("2") || of("2") != of("3"));
        assert_eq!(jittered(Duration::MAX, "1", 0), Duration::MAX);
    }
}
