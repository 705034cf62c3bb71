//! REPRODUCE: what was recorded beside what is computed now: which numbers differ, and why.
//!
//! An evaluation is a function of files, so computing it again must give the same bytes. Where it does not,
//! [`compare`] says which numbers differ, and [`Cause`] names the first reason.

mod cause;
mod compare;
mod execution;
mod numbers;
mod packed;

pub use cause::{Cause, CauseKind};
pub use compare::{Agreement, compare};
pub use execution::{Build, PlanDifference, RecordedExecution};
pub use numbers::{Difference, Kind, Numbers};
pub use packed::{is_packed, pack, unpack};
