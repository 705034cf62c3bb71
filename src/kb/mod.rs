//! KB: knowledge bases that answer queries: pinned snapshots, endpoints, and what they answered.
//!
//! Whoever can be asked is an [`Asker`]. What it answered is an [`Outcome`] a query, and all outcomes together are an
//! [`AnswerSnapshot`]: a file, so that an evaluation is a function of files even where a live endpoint was asked.

mod ask;
mod compare;
pub mod endpoint;
pub mod harvest;
mod outcome;
mod recorded;
mod results;
mod rows;
mod snapshot;

pub use ask::{Asker, Limits, ask_all};
pub use compare::{Change, Comparison, compare};
pub use endpoint::Endpoint;
pub use outcome::{Cause, Failure, Outcome};
pub use recorded::Recorded;
pub use snapshot::{AnswerSnapshot, Entry, Oracle, query_checksum};
