//! `qassay export`: evaluations with exactly what they use, as an archive that can be published and verified.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueHint};
use qassay::base::error::Result;
use qassay::base::watch::Watcher;

use super::output::Output;
use super::words::ArchivePlace;

/// Write evaluations with all that they use into an archive of their own
#[derive(Debug, Args)]
pub(super) struct Export {
    /// The evaluations: IRI, beginning of the key, or name of the system
    #[arg(required = true)]
    evaluations: Vec<String>,
    /// A new folder, or a new file whose name ends with .tar.gz
    #[arg(value_hint = ValueHint::AnyPath)]
    out: PathBuf,
    /// Leave out the inputs, where they may not be published: their records with checksums stay
    #[arg(long)]
    no_inputs: bool,
    /// Where evaluations are kept
    #[command(flatten)]
    archive: ArchivePlace,
}

impl Export {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        let number = self.archive.workbench().export(&self.evaluations, &self.out, !self.no_inputs)?;
        output.note(&format!("exported {number} files to {}", self.out.display()));
        Ok(ExitCode::SUCCESS)
    }
}
