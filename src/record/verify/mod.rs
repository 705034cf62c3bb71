//! REPRODUCE: what was recorded beside what is computed now: which numbers differ, and why.
//!
//! An evaluation is a function of files, so computing it again must give the same bytes. Where it does not,
//! [`compare`] says which numbers differ, and [`Cause`] names the first reason.

pub mod cause;
pub mod compare;
pub mod execution;
pub mod lexical;
pub mod numbers;
pub mod packed;
