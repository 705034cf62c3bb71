//! MEASURE: matches → measures. Pure functions on counts and ranks; exact fractions where the measure is rational,
//! integers cut off far below the published digits where it is not; no floating point.

pub mod aggregate;
pub mod agreement;
pub mod confidence;
pub mod cutoff;
pub mod discount;
pub mod fraction;
pub mod judged;
pub mod rank_metrics;
pub mod ranking;
#[cfg(test)]
mod samples;
pub mod sets;
