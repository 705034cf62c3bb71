//! An archive of an older version of the model becomes one of the newest.

use crate::base::error::{Error, Result};
use crate::base::watch::Watcher;
use crate::record::archived::Archived;
use crate::record::upgrade::rebased::{Rebased, rebase};
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
        let archive = self.to_be_rewritten(is_dry)?;
        upgrade(&Archived::open(archive)?, is_dry, watcher)
    }

    /// Gives the archive another base: everything that is named in it begins with it from then on. With `is_dry`, only says what
    /// would be renamed.
    ///
    /// # Errors
    /// As for [`Workbench::upgrade`]; where the base is none, or something of the archive was published.
    pub fn rebase(&self, base: &str, is_dry: bool, watcher: &dyn Watcher) -> Result<Rebased> {
        let archive = self.to_be_rewritten(is_dry)?;
        let to = archive.mint().clone().under_base(base)?;
        rebase(&Archived::open(archive)?, &to, is_dry, watcher)
    }

    /// The archive, which nobody else may write into.
    fn to_be_rewritten(&self, is_dry: bool) -> Result<Archive> {
        let list = self.root.join(SUMS);
        if list.is_file() && !is_dry {
            return Err(Error::input(
                "the archive was published with a list of its files: it stays as it is",
            )
            .in_file(list.display().to_string())
            .hint("upgrade the archive that it was exported from"));
        }
        if is_dry { Archive::open(&self.root) } else { Archive::open_alone(&self.root) }
    }
}
