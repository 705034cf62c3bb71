//! The words of `kb answers` and `kb compare`.

use clap::Args;
use qassay::report::table::Format;

use super::ArchivePlace;

/// List what knowledge bases answered, or show the answers of one
#[derive(Debug, Args)]
pub(crate) struct Answers {
    /// The answer snapshot: its IRI, the beginning of its key, or a file; without it, all are listed
    #[arg(value_name = "ANSWERS")]
    pub(crate) wanted: Option<String>,
    /// How to print the list
    #[arg(long, short, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Where answers are kept
    #[command(flatten)]
    pub(crate) archive: ArchivePlace,
}

/// Compare what was answered at two times, or by two knowledge bases
#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 the same; 1 something differs; 2 wrong use or bad input.")]
pub(crate) struct Compare {
    /// The first answer snapshot: its IRI, the beginning of its key, or a file
    #[arg(value_name = "A")]
    pub(crate) first: String,
    /// The second
    #[arg(value_name = "B")]
    pub(crate) second: String,
    /// How to print what differs
    #[arg(long, short, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Where answers are kept
    #[command(flatten)]
    pub(crate) archive: ArchivePlace,
}
