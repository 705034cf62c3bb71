//! Archives that unite. What they hold is named by what it is, so that evaluations made anywhere fit together: the archive that
//! comes of it is the same in whichever order they are merged, and once more changes nothing.

use std::fs;

use crate::base::error::{Error, Result};
use crate::base::watch::Watcher;
use crate::record::archived::Archived;
use crate::record::imported::{Precedence, planned};
use crate::record::verify::findings::Findings;
use crate::record::verify::place::Location;
use crate::sources::archive::Archive;
use crate::sources::archive::stored::StoredFile;
use crate::workbench::Workbench;
use crate::workbench::archive::{Thoroughness, verify};
use crate::workbench::import::{Merged, carry_out};

impl Workbench {
    /// Checks an archive that is to be merged: its checksums, its constraints and, with `reexecution`, its numbers. Gives what
    /// was found.
    ///
    /// # Errors
    /// As for [`verify`]; where it is the archive into which it is to be merged.
    pub fn check_mergeable(
        &self,
        location: &Location,
        reexecution: bool,
        watcher: &dyn Watcher,
    ) -> Result<Findings> {
        let is_this = |own| fs::canonicalize(location.root()).is_ok_and(|other| other == own);
        if fs::canonicalize(&self.root).is_ok_and(is_this) {
            return Err(Error::input("this is the archive into which it would be merged")
                .in_file(location.title())
                .hint("`⌥archive DIR` names the archive that gets all that the others hold"));
        }
        verify(location, Thoroughness { partial: false, reexecution, signed_by: None }, watcher)
    }

    /// Takes all that an archive holds into this one, which nobody else may write into meanwhile: files and graphs first,
    /// records last, so that whoever interrupts it leaves both as whole archives, and it can be continued. Several names of one
    /// submission and several executions of one evaluation are kept.
    ///
    /// # Errors
    /// Where the models or the bases differ; where registered versions or campaigns contradict each other; where something
    /// cannot be read or written.
    pub fn merge(&self, location: &Location, watcher: &dyn Watcher) -> Result<Merged> {
        let from = Archived::open(Archive::open(location.root())?)?;
        drop(self.archive_for(&from)?);
        let into = Archived::open(Archive::open_alone(&self.root)?)?;
        let plan = planned(&from, &into, Precedence::Equal)?;
        let imported = carry_out(&from, &into, &plan, watcher)?;
        for record in plan.needless.iter().filter(|path| path.is_file()) {
            into.archive.remove(record)?;
        }
        // No record names them any more.
        for graph in plan.left.iter().map(|sha256| into.archive.graph(sha256)).filter(StoredFile::is_file) {
            into.archive.remove(graph.path())?;
        }
        Ok(Merged { imported, notes: plan.notes })
    }
}
