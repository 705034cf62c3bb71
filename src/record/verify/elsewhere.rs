//! Constraints that a server answers, which has the graphs.
//!
//! It is asked the queries that are asked here, of the same graphs, and finds the same. What it cannot find is looked for here: what
//! [`HERE`] lists, what is compared by value within EXISTS or GRAPH, and what it refuses or does not end in time. That is told.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::base::error::Result;
use crate::base::text::counted;
use crate::base::watch::Watcher;
use crate::kb::remote::RemoteStore;
use crate::record::archived::RegisteredGraph;
use crate::record::archived::sent::RemoteDataset;
use crate::sources::archive::Archive;
use crate::sparql::dataset::Solution;
use crate::sparql::named_query::NamedQuery;
use crate::sparql::store::Store;
use crate::sparql::timed::{QueryBounds, QueryResult, run_within};

/// The constraint that joins statements of two graphs that are the same, and looks at nothing else.
pub(crate) const DISJOINT: &str = "queries/check/model-graphs-disjoint.rq";

/// The constraint that looks for blank nodes, and at nothing else.
pub(crate) const NO_BLANK_NODES: &str = "queries/check/model-no-blank-nodes.rq";

/// A server that is asked for what breaks constraints.
pub struct RemoteChecks<'a> {
    remote: &'a RemoteStore,
    /// The longest that a request may take, or what is made here of its rows.
    time: Duration,
    /// The graphs whose files have other checksums than they should.
    changed: &'a BTreeMap<String, String>,
    watcher: &'a dyn Watcher,
    /// The queries that it answered.
    answered: AtomicU64,
    /// Constraints that are known to be better looked for here.
    known: Mutex<BTreeSet<String>>,
    /// What is looked for here, and why: a constraint, or what one of the evaluations is checked with.
    here: Mutex<BTreeMap<String, String>>,
}

/// The same with the graphs of something that is checked.
pub(crate) struct HeldChecks<'a> {
    checks: &'a RemoteChecks<'a>,
    dataset: RemoteDataset<'a>,
    held: BTreeMap<String, u64>,
}

impl<'a> RemoteChecks<'a> {
    /// Nothing is asked yet.
    pub fn new(
        (remote, time): (&'a RemoteStore, Duration),
        changed: &'a BTreeMap<String, String>,
        watcher: &'a dyn Watcher,
    ) -> Self {
        Self {
            remote,
            time,
            changed,
            watcher,
            answered: AtomicU64::new(0),
            known: Mutex::default(),
            here: Mutex::default(),
        }
    }

    /// Sees to it that the server has what something is checked with; none: it cannot have it, which is told.
    ///
    /// # Errors
    /// Where the server fails.
    pub(crate) fn hold(
        &'a self,
        what: &str,
        archive: &'a Archive,
        (records, graphs): (&[PathBuf], &[&'a RegisteredGraph]),
    ) -> Result<Option<HeldChecks<'a>>> {
        if let Some(graph) = graphs.iter().find(|graph| self.changed.contains_key(&graph.sha256)) {
            self.tell(what, &format!("<{}> has another checksum here than it should", graph.name));
            return Ok(None);
        }
        let dataset = RemoteDataset::of(archive, records, graphs);
        let held = dataset.and_then(|dataset| {
            let held = dataset.hold(self.remote, (Some(archive), self.watcher))?;
            Ok(HeldChecks { checks: self, dataset, held })
        });
        match held {
            Ok(held) => Ok(Some(held)),
            Err(error) => {
                self.watcher.check()?;
                self.remote.reach()?;
                self.tell(what, &error.to_string());
                Ok(None)
            }
        }
    }

    /// Tells, once, that something is looked for here, and why.
    pub(crate) fn tell(&self, what: &str, why: &str) {
        let why = why.lines().next().unwrap_or_default();
        if lock(&self.here).insert(what.to_owned(), why.to_owned()).is_none() {
            self.watcher.note(&told(what, why));
        }
    }

    /// What was found where.
    pub fn told(&self) -> Vec<String> {
        let answered = counted(self.answered.load(Ordering::Relaxed), "check");
        let known = lock(&self.known);
        let known: Vec<&str> = known.iter().map(|name| short(name)).collect();
        let first = format!(
            "{} answered {answered}; looked for here, because servers compare in ways of their own or take long: {}",
            self.remote.address(),
            if known.is_empty() { "none".to_owned() } else { known.join(", ") },
        );
        let here = lock(&self.here);
        let here = here.iter().map(|(what, why)| told(what, why));
        [first].into_iter().chain(here).collect()
    }
}

/// That something is looked for here.
fn told(what: &str, why: &str) -> String {
    format!("{}: looked for here, not on the server: {why}", short(what))
}

/// A constraint as it is told.
fn short(name: &str) -> &str {
    name.trim_start_matches("queries/check/").trim_end_matches(".rq")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl HeldChecks<'_> {
    /// The rows of a constraint; none: they are looked for here.
    ///
    /// # Errors
    /// Where the server no longer has the graphs, or nobody is there any more.
    pub(crate) fn rows(&self, constraint: &NamedQuery) -> Result<Option<Vec<Solution>>> {
        let Self { checks, dataset, held } = self;
        let name = constraint.name();
        if HERE.iter().any(|(here, _)| *here == name) || !RemoteStore::is_answerable(constraint) {
            lock(&checks.known).insert(name.to_owned());
            return Ok(None);
        }
        if lock(&checks.here).contains_key(name) {
            return Ok(None);
        }
        let found = dataset.found(constraint, checks.remote);
        let bounds = QueryBounds::time(checks.time);
        let rows = found.and_then(|found| run_within(&Store::in_memory()?, &found, bounds));
        match rows {
            Ok(QueryResult::Solutions { rows, .. }) => {
                checks.answered.fetch_add(1, Ordering::Relaxed);
                Ok(Some(rows))
            }
            Ok(_) => Err(constraint.is_not("SELECT")),
            Err(error) => {
                // Nobody answers there any more, or not of these graphs: then no answer counts.
                checks.remote.check(held)?;
                checks.tell(name, &error.to_string());
                Ok(None)
            }
        }
    }

    /// Whether the graphs are still what was sent.
    ///
    /// # Errors
    /// Where they are not: nothing that was found counts.
    pub(crate) fn end(self) -> Result<()> {
        self.checks.remote.check(&self.held)
    }
}

/// Constraints that are always looked for here, and why.
pub const HERE: [(&str, &str); 8] = [
    (DISJOINT, "it joins all statements with all, and is looked for before anything is sent"),
    (NO_BLANK_NODES, "it looks at all statements, and the graphs are read here anyway"),
    (
        "queries/check/model-graph-parts.rq",
        "it asks in which graph something is, and the graphs are read here anyway",
    ),
    // It groups and takes away in several parts, which are joined here.
    (
        "queries/check/ic-12.rq",
        "22 s on Virtuoso for 16 questions, and minutes here for what is made of its rows",
    ),
    // In the cases of tests/queries/check; the others give there what they give here.
    ("queries/check/ic-19.rq", "Virtuoso finds a row more: NOT EXISTS with a path, beside `||`"),
    (
        "queries/check/model-match-terms.rq",
        "Virtuoso finds two rows less: several NOT EXISTS in a part of UNION",
    ),
    ("queries/check/model-skipped-unobserved.rq", "Virtuoso finds another row, for the same reason"),
    (
        "queries/check/model-skipped-complete.rq",
        "Virtuoso finds other rows: VALUES for the property of OPTIONAL",
    ),
];
