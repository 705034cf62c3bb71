//! What stays: the graphs of an evaluation, its records, results read back from them, verification.

pub mod answers;
pub mod archived;
pub mod asking;
pub mod blind_records;
pub mod comparison;
pub mod export;
pub mod imported;
pub mod keep;
pub mod package;
pub mod publication;
pub mod publish;
pub mod rerun;
pub mod results;
pub mod summaries;
pub mod systems;
pub mod upgrade;
pub mod verify;
pub mod written_term;
