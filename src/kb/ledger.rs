//! What is known of the answers to queries, and what has to be asked still.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

use crate::base::error::Result;
use crate::kb::answered_by::AnsweredBy;
use crate::kb::ask::{Asker, ask_all};
use crate::kb::outcome::{Cause, Outcome};
use crate::kb::snapshot::AnswerSnapshot;

/// Outcomes by the texts of their queries. Who needs one that is not there gets nothing, and it is asked for later.
#[derive(Debug, Default)]
pub struct Ledger {
    outcomes: BTreeMap<String, Outcome>,
    wanted: RefCell<BTreeSet<String>>,
}

impl Ledger {
    /// What came of a query; none where it was not asked yet.
    pub fn outcome(&self, query: &str) -> Option<&Outcome> {
        let known = self.outcomes.get(query);
        if known.is_none() {
            self.wanted.borrow_mut().insert(query.to_owned());
        }
        known
    }

    /// All outcomes as a file.
    pub fn into_snapshot(self, answered_by: AnsweredBy) -> AnswerSnapshot {
        AnswerSnapshot::new(answered_by, self.outcomes)
    }
}

/// Derives something from answers, and asks for those that are missing until none is: what is asked may depend on what was
/// answered. `done` is told of each outcome.
pub fn gather<T>(
    asker: &dyn Asker,
    jobs: NonZeroUsize,
    done: &(dyn Fn(&Outcome) + Sync),
    mut derive: impl FnMut(&Ledger) -> T,
) -> Result<(T, Ledger)> {
    let mut ledger = Ledger::default();
    loop {
        let derived = derive(&ledger);
        let wanted: Vec<String> = ledger.wanted.take().into_iter().collect();
        if wanted.is_empty() {
            return Ok((derived, ledger));
        }
        let outcomes = ask_all(asker, &wanted, jobs, done)?;
        ledger.outcomes.extend(wanted.into_iter().zip(outcomes));
    }
}

/// Answers from a file what it has.
impl Asker for AnswerSnapshot {
    fn ask(&self, query: &str) -> Result<Outcome> {
        let known = self.outcome(query).cloned();
        Ok(known.unwrap_or_else(|| {
            Outcome::failed(Cause::Failed, "the answer snapshot has no answer to this query")
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::AnswerSet;

    struct Yes;

    impl Asker for Yes {
        fn ask(&self, query: &str) -> Result<Outcome> {
            Ok(match query {
                "no" => Outcome::failed(Cause::TimedOut, "stopped"),
                _ => Outcome::Answered(AnswerSet { boolean: Some(true), ..AnswerSet::default() }),
            })
        }
    }

    #[test]
    fn what_is_asked_depends_on_what_was_answered() {
        let jobs = NonZeroUsize::new(2).expect("not zero");
        let derive = |ledger: &Ledger| match ledger.outcome("first")? {
            Outcome::Answered(_) => ledger.outcome("no").cloned(),
            Outcome::Failed(_) => None,
        };
        let (found, ledger) = gather(&Yes, jobs, &|_| {}, derive).expect("answers");
        assert_eq!(found.map(|outcome| outcome.name()), Some("timed-out"));
        let answered_by = AnsweredBy::Snapshot { iri: "http://k".to_owned(), digest: "ab".repeat(32) };
        let snapshot = ledger.into_snapshot(answered_by);
        assert_eq!(snapshot.entries.len(), 2);
        let (again, _) = gather(&snapshot, jobs, &|_| {}, derive).expect("the same answers");
        assert_eq!(again.map(|outcome| outcome.name()), Some("timed-out"), "from the file");
        assert_eq!(snapshot.ask("another").expect("an outcome").name(), "failed");
    }
}
