//! What stays: the graphs of an evaluation, its records, and verification.

pub mod publish;
pub mod results;
pub mod verify;
