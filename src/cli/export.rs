//! The words of `qassay export`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::ArchivePlace;

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
