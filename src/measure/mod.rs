//! MEASURE: matches → measures. Pure functions on counts; exact fractions, no floating point.

mod fraction;
mod sets;

pub use fraction::Fraction;
pub use sets::{Counts, EmptyRules, EmptyScore, Scores, Totals};
