//! `qassay pull`: what a place elsewhere holds, in the archive.

use std::process::ExitCode;

use clap::{Args, ValueHint};
use qassay::base::error::Result;
use qassay::base::text::counted;
use qassay::base::watch::Watcher;
use qassay::report::table::Layout;
use qassay::sources::depot::Depot;

use super::output::Output;
use super::push::CREDENTIALS;
use super::words::{ArchivePlace, Threads};

/// Fetch what a folder or an object store holds, and unite it with the archive
#[derive(Debug, Args)]
#[command(after_help = CREDENTIALS)]
pub(super) struct Pull {
    /// Where it comes from: a folder, `s3://BUCKET/PREFIX`, `gs://BUCKET/PREFIX` or `az://CONTAINER/PREFIX`
    #[arg(value_name = "FROM", value_hint = ValueHint::AnyPath)]
    from: String,
    /// Compute its evaluations again, too [otherwise: checksums and constraints are checked]
    #[arg(long)]
    reexecution: bool,
    /// Where it goes
    #[command(flatten)]
    archive: ArchivePlace,
    /// How many threads work
    #[command(flatten)]
    threads: Threads,
}

impl Pull {
    /// Runs the command. Nothing is united where what is there is damaged.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        self.threads.run(|| self.run_here(output))
    }

    fn run_here(&self, output: &Output) -> Result<ExitCode> {
        let (from, bench) = (Depot::at(&self.from)?, self.archive.workbench());
        let pulled = bench.pull(&from, self.reexecution, output)?;
        let Some(merged) = pulled.merged else {
            let report = pulled.findings.render(Layout::Table)?;
            output.result(&bench.named_elsewhere(&from, report))?;
            output.note("nothing was pulled");
            return Ok(ExitCode::from(1));
        };
        merged.notes.iter().for_each(|note| output.note(&format!("note: {note}")));
        output.result(&format!(
            "pulled from {}: {} and {}, {}; {} already here\nmerged {}, {} already there\n",
            from.name(),
            counted(pulled.contents, "file"),
            counted(pulled.records, "record"),
            counted(pulled.bytes, "byte"),
            pulled.known,
            counted(merged.imported.records, "record"),
            merged.imported.known,
        ))
    }
}
