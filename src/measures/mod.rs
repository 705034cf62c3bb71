//! Pure functions on counts and ranks: one table of measures, exact fractions.
//!
//! A measure is a row of the table `MEASURES`, which its family has in a file of its own.

pub mod aggregate;
pub mod agreement;
pub mod assignment;
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
