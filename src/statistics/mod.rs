//! Who is better, by how much, could it be chance: intervals, paired tests, ranks, ensembles, on plain numbers.
//!
//! Scores are exact fractions, or whole numbers of units of 10⁻¹², which published decimals are; random numbers come of one
//! stream that the gold files start. So whatever is computed here is the same on every machine, with any number of threads,
//! and can be computed again by anybody who has the published scores.
//!
//! Questions stand in the order of their ids as bytes, systems in that of their names: a [`QuestionMatrix`] makes it so.
//! A [`Sampled`] is one measure of one system, ready to be resampled; [`TableStatistics`] compares the systems of a table.
//!
//! [`QuestionMatrix`]: crate::statistics::matrix::QuestionMatrix
//! [`Sampled`]: crate::statistics::sampled::Sampled
//! [`TableStatistics`]: crate::statistics::table::TableStatistics

pub mod effect;
pub mod flips;
pub mod interval;
pub mod items;
pub mod letters;
pub mod matrix;
pub mod normal;
pub mod oracle;
pub mod over_datasets;
pub mod question_groups;
pub mod randomisation;
pub mod ranks;
pub mod resample;
pub mod risk;
pub mod sampled;
pub mod sensitivity;
pub mod signs;
pub mod stream;
pub mod table;
pub mod undefined;
