//! `qassay remove`: evaluations and what they were made of, out of an archive.

use std::process::ExitCode;

use clap::Args;
use qassay::base::error::Result;
use qassay::base::text::counted;
use qassay::base::watch::Watcher;
use qassay::record::asking::ASKING;
use qassay::workbench::holdings::Holding;

use super::output::Output;
use super::words::ArchivePlace;

/// Take evaluations out of the archive, or what nothing else uses
#[derive(Debug, Args)]
pub(super) struct Remove {
    /// Evaluations: IRI, beginning of the key, or name of the system; comparisons: IRI or beginning of the key; or anything
    /// else that `qassay list` tells, by its IRI or by a name that nothing else has. Nothing: only clear what a run that
    /// was killed has left, and damaged records of comparisons
    things: Vec<String>,
    /// The profile of the evaluations, where a system was evaluated with several
    #[arg(long, short, value_name = "NAME")]
    profile: Option<String>,
    /// Where it is kept
    #[command(flatten)]
    archive: ArchivePlace,
}

impl Remove {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        let removal = self.archive.workbench().remove(&self.things, self.profile.as_deref(), output)?;
        let told = |one: &Holding| format!("{}  {}, {}", one.iri, one.kind, one.name);
        let lines: Vec<String> = removal.removed.iter().map(told).collect();
        if !lines.is_empty() {
            output.note_list(&format!("removed, with {}:", counted(removal.files, "file")), &lines);
            if removal.removed.iter().any(|one| one.kind == ASKING) {
                output.note("what was sent to live systems and came from them is gone, where no other record names it");
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
