//! REPRODUCE: what was recorded beside what is computed now: which numbers differ, and why.
//!
//! An evaluation is a function of files, so computing it again must give the same bytes. Where it does not,
//! [`compare`] says which numbers differ, and `FirstCause` names the first reason.

pub mod absent;
pub mod blind;
pub mod cause;
pub mod checks;
pub mod compare;
pub mod complete;
pub mod constraints;
pub mod elsewhere;
pub mod execution;
pub mod findings;
pub mod inputs;
pub mod listing;
pub mod numbers;
pub mod packed;
pub mod place;
pub mod reask;
pub mod recompare;
pub mod reexecute;
