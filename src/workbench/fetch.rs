//! Published files into the archive.

use crate::base::error::Result;
use crate::sources::catalogue::Entry;
use crate::sources::fetch::{Arrival, Downloads, Origin, fetch};
use crate::workbench::Workbench;

impl Workbench {
    /// Fetches files of the catalogue into the archive, one after the other, and gives what became of each. A failure does
    /// not keep the others from being fetched.
    ///
    /// # Errors
    /// Where the archive cannot be made.
    pub fn fetch(
        &self,
        wanted: &[&'static Entry],
        origin: &Origin,
        watcher: &dyn Downloads,
    ) -> Result<Vec<(&'static Entry, Result<Arrival>)>> {
        let archive = self.create()?;
        let one = |entry: &&'static Entry| {
            watcher.begin(entry);
            let outcome = fetch(entry, origin, &archive, watcher);
            watcher.end(entry, &outcome);
            (*entry, outcome)
        };
        Ok(wanted.iter().map(one).collect())
    }
}
