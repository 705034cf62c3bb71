//! The words of `kb`.

use clap::Subcommand;

use super::kb_answers::{Answers, Compare};

/// Ask knowledge bases, and look at what they answered
#[derive(Debug, Subcommand)]
pub(crate) enum Kb {
    /// List what knowledge bases answered, or show the answers of one
    Answers(Answers),
    /// Compare what was answered at two times, or by two knowledge bases
    Compare(Compare),
}
