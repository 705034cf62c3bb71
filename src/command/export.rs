//! `qassay export`: evaluations with exactly what they use, as an archive that can be published and verified.

use std::path::Path;
use std::process::ExitCode;

use clap::{Args, ValueHint};
use qassay::base::error::{Error, Result};
use qassay::base::text::counted;
use qassay::base::watch::Watcher;

use super::output::Output;
use super::words::ArchivePlace;

/// Write evaluations with all that they use into an archive of their own
#[derive(Debug, Args)]
#[command(override_usage = "qassay export [OPTIONS] <EVALUATIONS>... <OUT>")]
pub(super) struct Export {
    /// The evaluations: IRI, beginning of the key, or name of the system; or a comparison, by IRI or the beginning of its key:
    /// with all that it compares. And OUT, the last word: a new folder, or a new file whose name ends with .tar.gz
    // One argument: between it and another no options could stand.
    #[arg(required = true, value_name = "EVALUATIONS", value_hint = ValueHint::AnyPath)]
    words: Vec<String>,
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
        let [evaluations @ .., out] = self.words.as_slice() else { return Ok(ExitCode::SUCCESS) };
        if evaluations.is_empty() {
            return Err(Error::input(format!("`{out}` is the only word"))
                .allowed("evaluations, and behind them where to export them to"));
        }
        let number = self.archive.workbench().export(evaluations, Path::new(out), !self.no_inputs)?;
        output.note(&format!("exported {} to {out}", counted(number, "file")));
        Ok(ExitCode::SUCCESS)
    }
}
