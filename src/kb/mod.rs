//! Who can be asked: a pinned knowledge base, an endpoint, what one of them answered before.
//!
//! Whoever can be asked is an `Asker`. What it answered is an `Outcome` a query, and all outcomes together are an
//! `AnswerSnapshot`: a file, so that an evaluation is a function of files even where a live endpoint was asked.

pub mod allowance;
pub mod answered_by;
pub mod ask;
pub mod base;
pub mod compare;
pub mod decide;
pub mod disk;
pub mod dump;
pub mod endpoint;
pub mod evaluate;
pub mod find;
pub mod ledger;
pub mod load;
pub mod message;
pub mod outcome;
pub mod pool;
pub mod process;
pub mod remote;
pub mod results;
pub mod sentences;
pub mod served;
pub mod snapshot;
pub mod tally;
#[cfg(test)]
pub(crate) mod testing;
pub mod ties;
pub mod worker;
