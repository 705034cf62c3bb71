//! KB: knowledge bases that answer queries: pinned snapshots, endpoints, and what they answered.
//!
//! Whoever can be asked is an [`Asker`]. What it answered is an [`Outcome`] a query, and all outcomes together are an
//! [`AnswerSnapshot`]: a file, so that an evaluation is a function of files even where a live endpoint was asked.

mod admit;
mod ask;
mod base;
mod blank;
mod casts;
mod compare;
mod decide;
mod disk;
mod dump;
pub mod endpoint;
mod evaluate;
mod find;
pub mod harvest;
mod ledger;
#[cfg(test)]
pub(crate) mod little;
mod load;
mod message;
mod oracle;
mod outcome;
mod pieces;
mod pool;
mod process;
mod results;
mod rows;
mod sentences;
mod snapshot;
mod statistics;
mod tally;
mod worker;

pub use ask::{Asker, Limits, ask_all};
pub use base::{KbFile, KnowledgeBase};
pub use compare::{Change, Comparison, compare};
pub use decide::{Verdict, decide};
pub use dump::{Dump, MOST_NAMED, Malformed, Reading};
pub use endpoint::Endpoint;
pub use find::{Recorded, check, find, find_recorded, recorded};
pub use ledger::{Ledger, gather};
pub use oracle::Oracle;
pub use outcome::{Cause, Failure, Outcome};
pub use pool::Pool;
pub use snapshot::{AnswerSnapshot, Entry, query_checksum};
pub use statistics::{Counting, PropertyCounts, Statistics};
pub use tally::{Statement, Tally};
pub use worker::run_worker;
