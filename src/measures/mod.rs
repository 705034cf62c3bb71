//! MEASURE: matches → measures. Pure functions on counts and ranks; exact fractions where the measure is rational,
//! integers cut off far below the published digits where it is not; no floating point.
//!
//! A measure is a row of the table [`MEASURES`], which its family has in a file of its own.

pub mod aggregate;
pub mod agreement;
pub mod confidence;
pub mod definition;
pub mod fraction;
pub mod judged;
pub mod logarithm;
pub mod metric;
pub mod rank_metrics;
pub mod ranking;
pub mod result;
pub mod sets;
