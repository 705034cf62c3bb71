//! `qassay import`: a record into an archive of one's own.

use std::process::ExitCode;

use clap::{Args, ValueHint};
use qassay::base::error::Result;
use qassay::base::text::counted;
use qassay::base::watch::Watcher;
use qassay::record::publication::signature::TrustedKey;
use qassay::record::verify::place::Location;
use qassay::report::table::Layout;
use qassay::workbench::archive::Thoroughness;
use qassay::workbench::import::Imported;

use super::output::Output;
use super::words::{ArchivePlace, Threads};

/// Take a record into the archive, verified before
#[derive(Debug, Args)]
pub(super) struct Import {
    /// The record: what `qassay export` or somebody who publishes has written, a folder, one packed as tar, tar.gz or
    /// zip, or the address of either
    record: String,
    /// The record must be signed with this key of minisign: the file of the public key, or its 56 characters
    #[arg(long, value_name = "PUBLICKEY", value_hint = ValueHint::FilePath)]
    signed_by: Option<String>,
    /// Leave out the re-execution
    #[arg(long)]
    no_reexecution: bool,
    /// Where it goes
    #[command(flatten)]
    archive: ArchivePlace,
    /// How many threads work
    #[command(flatten)]
    threads: Threads,
}

impl Import {
    /// Runs the command. Exit codes are those of `verify`; where something is not as it should be, nothing is imported.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        self.threads.run(|| self.run_here(output))
    }

    fn run_here(&self, output: &Output) -> Result<ExitCode> {
        let signed_by = self.signed_by.as_deref().map(TrustedKey::parse).transpose()?;
        let location = Location::of_record(&self.record)?;
        let bench = self.archive.workbench();
        let how =
            Thoroughness { partial: false, reexecution: !self.no_reexecution, signed_by: signed_by.as_ref() };
        let (findings, imported) = bench.import(&location, how, output)?;
        if findings.failed() || !findings.is_complete() {
            output.result(&location.named(findings.render(Layout::Table)?, str::to_owned))?;
        }
        let Some(Imported { records, known }) = imported else {
            output.note("nothing was imported");
            return Ok(ExitCode::from(1));
        };
        let records = counted(records, "record");
        output.note(&format!("imported {records} of {}, {known} already there", location.title()));
        Ok(if findings.is_complete() { ExitCode::SUCCESS } else { ExitCode::from(3) })
    }
}
