//! The words of `qassay release`.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use qassay::report::table::Format;

use super::{ArchivePlace, Scoring};

/// Score the blind submissions to a dataset and show the results: all of them, the best of each system marked
#[derive(Debug, Args)]
#[command(
    after_help = "Blind submissions are those of `qassay evaluate --blind`. They stay as they are: they can be released again, \
and later ones are accepted afterwards. A submission that cannot be scored is told, the others are shown, and the exit code is 1."
)]
pub(crate) struct Release {
    /// The dataset: its file, its name, or the IRI of its version
    pub(crate) dataset: String,
    /// Only the submissions for this profile
    #[arg(long, short)]
    pub(crate) profile: Option<String>,
    /// The choices that decide numbers, as for `qassay evaluate`
    #[command(flatten)]
    pub(crate) scoring: Scoring,
    /// Show the questions that every submission failed, not only those of the best; in CSV in place of the results
    #[arg(long)]
    pub(crate) failed: bool,
    /// Show what is odd about the submissions; in CSV in place of the results
    #[arg(long, short, conflicts_with = "failed")]
    pub(crate) issues: bool,
    /// How to print the results
    #[arg(long, short, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Write everything that can be shown to one HTML file too, which needs nothing from outside
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) html: Option<PathBuf>,
    /// Where the submissions are kept
    #[command(flatten)]
    pub(crate) archive: ArchivePlace,
}
