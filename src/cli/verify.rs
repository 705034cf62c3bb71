//! The words of `qassay verify` and `qassay export`.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use qassay::report::table::Format;

use super::ArchivePlace;

/// Check an archive
#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// An archive (a folder, or one packed as tar, tar.gz or zip), or one evaluation of the archive (IRI, beginning of
    /// the key, or name of the system); default: everything
    pub(crate) what: Option<String>,
    /// One evaluation of the archive named before it
    pub(crate) evaluation: Option<String>,
    /// The archive is part of one: what is not here is said, and is no failure (exit code 3)
    #[arg(long)]
    pub(crate) partial: bool,
    /// Leave out the re-execution
    #[arg(long)]
    pub(crate) no_reexecution: bool,
    /// How to print the report
    #[arg(long, short, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Where evaluations are kept
    #[command(flatten)]
    pub(crate) archive: ArchivePlace,
}

/// Write evaluations with all that they use into an archive of their own, to publish them
#[derive(Debug, Args)]
pub(crate) struct Export {
    /// The evaluations: IRI, beginning of the key, or name of the system
    #[arg(required = true)]
    pub(crate) evaluations: Vec<String>,
    /// A new folder, or a new file whose name ends with .tar.gz
    #[arg(value_hint = ValueHint::AnyPath)]
    pub(crate) out: PathBuf,
    /// Leave out the inputs, where they may not be published: their records with checksums stay
    #[arg(long)]
    pub(crate) no_inputs: bool,
    /// Where evaluations are kept
    #[command(flatten)]
    pub(crate) archive: ArchivePlace,
}
