//! MEASURE: matches → measures. Pure functions on counts; exact fractions, no floating point.

mod aggregate;
mod fraction;
mod sets;

pub use aggregate::{QuestionResult, Status, Value, metric};
pub use fraction::Fraction;
pub use sets::{Counts, EmptyRules, EmptyScore, Scores, Totals};
