//! `qassay merge`: what other archives hold, in one.

use std::process::ExitCode;

use clap::{Args, ValueHint};
use qassay::base::error::Result;
use qassay::base::text::counted;
use qassay::base::watch::Watcher;
use qassay::record::verify::place::Location;
use qassay::report::table::Layout;

use super::output::Output;
use super::words::{ArchivePlace, Threads};

/// Unite archives: take all that others hold into the archive
#[derive(Debug, Args)]
pub(super) struct Merge {
    /// The archives whose evaluations were made elsewhere: folders, or packed as tar, tar.gz or zip
    #[arg(required = true, value_name = "ARCHIVE", value_hint = ValueHint::AnyPath)]
    archives: Vec<String>,
    /// Compute their evaluations again, too [otherwise: checksums and constraints are checked]
    #[arg(long)]
    reexecution: bool,
    /// Where it goes
    #[command(flatten)]
    archive: ArchivePlace,
    /// How many threads work
    #[command(flatten)]
    threads: Threads,
}

impl Merge {
    /// Runs the command. Nothing is merged where one of the archives is damaged.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        self.threads.run(|| self.run_here(output))
    }

    fn run_here(&self, output: &Output) -> Result<ExitCode> {
        let bench = self.archive.workbench();
        let places = self.archives.iter().map(|archive| Location::of_record(archive));
        let places = places.collect::<Result<Vec<_>>>()?;
        let mut is_whole = true;
        for place in &places {
            let findings = bench.check_mergeable(place, self.reexecution, output)?;
            if findings.failed() {
                output.result(&place.named(findings.render(Layout::Table)?, str::to_owned))?;
                is_whole = false;
            }
        }
        if !is_whole {
            output.note("nothing was merged");
            return Ok(ExitCode::from(1));
        }
        for place in &places {
            let merged = bench.merge(place, output)?;
            merged.notes.iter().for_each(|note| output.note(&format!("note: {note}")));
            let (records, known) = (counted(merged.imported.records, "record"), merged.imported.known);
            output.note(&format!("merged {records} of {}, {known} already there", place.title()));
        }
        Ok(ExitCode::SUCCESS)
    }
}
