//! An archive of an older version of the model becomes one of the newest.

use crate::base::error::{Error, Result};
use crate::base::watch::Watcher;
use crate::record::archived::Archived;
use crate::record::upgrade::{Upgraded, upgrade};
use crate::record::verify::listing::SUMS;
use crate::sources::archive::Archive;
use crate::workbench::Workbench;

impl Workbench {
    /// Rewrites the archive by the newest version of the model, where it has an older one: every evaluation is computed
    /// again from the kept inputs and must have the numbers that were recorded; executions keep their times and software.
    /// With `is_dry`, only says what would change. Whoever kills it leaves the archive as it was, or as it is to be.
    ///
    /// # Errors
    /// Where somebody else writes into the archive, or it was published with a list of its files; where something is not
    /// here or damaged. Then nothing is changed, and neither is it where an evaluation is [refused](Upgraded::refused).
    pub fn upgrade(&self, is_dry: bool, watcher: &dyn Watcher) -> Result<Upgraded> {
        let archive = if is_dry { Archive::open(&self.root)? } else { Archive::open_alone(&self.root)? };
        let list = self.root.join(SUMS);
        if list.is_file() && !is_dry {
            return Err(Error::input(
                "the archive was published with a list of its files: it stays as it is",
            )
            .in_file(list.display().to_string())
            .hint("upgrade the archive that it was exported from"));
        }
        upgrade(&Archived::open(archive)?, is_dry, watcher)
    }
}
