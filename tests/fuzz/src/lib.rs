//! Fuzzing of qassay. The targets in `bin/` only say where the input goes.

mod check;
pub mod json;

pub use check::{fuzz_all, fuzz_query, fuzz_reader};
