//! Archives that pass: parts of another one, gathered for as long as somebody shows them.
//!
//! They lie below `stores/passing/` of that one, where its files are theirs without a copy. A program that is killed leaves one
//! behind, and the next that gathers takes it away: nobody has its lock any more.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;

use crate::base::error::{Error, Result};
use crate::sources::archive::{Archive, list};

/// An archive that goes with its owner.
#[derive(Debug)]
pub struct PassingArchive {
    /// It is locked as long as this is here.
    _archive: Archive,
    folder: TempDir,
}

impl PassingArchive {
    /// An empty one, of the same model and under the same base as another: beside that, or among the temporary files where
    /// nothing can be written there.
    ///
    /// # Errors
    /// Where nothing can be written at all.
    pub fn of(whole: &Archive) -> Result<Self> {
        let beside = whole.root().join("stores/passing");
        remove_left(&beside);
        let made = fs::create_dir_all(&beside).and_then(|()| new_folder(&beside));
        let made = made.or_else(|_| new_folder(&std::env::temp_dir()));
        let folder = made.map_err(|error| Error::io("make the folder", &beside, &error))?;
        Ok(Self { _archive: Archive::create_for(folder.path(), whole.mint())?, folder })
    }

    /// Its folder.
    pub fn root(&self) -> &Path {
        self.folder.path()
    }
}

fn new_folder(place: &Path) -> io::Result<TempDir> {
    tempfile::Builder::new().prefix("qassay-").tempdir_in(place)
}

/// Removes what programs that were killed, or that ended while they removed it, have left.
fn remove_left(place: &Path) {
    for left in list(place).unwrap_or_default() {
        let is_left = match Archive::open_alone_at_once(&left) {
            Ok(_) => true,
            // No archive any more, or none yet: then it is young.
            Err(_) => !left.join("records").is_dir() && is_old(&left),
        };
        if is_left {
            drop(fs::remove_dir_all(&left));
        }
    }
}

/// How long an archive takes at most until it is one.
const MAKING: Duration = Duration::from_secs(60);

fn is_old(folder: &Path) -> bool {
    let changed = folder.metadata().and_then(|facts| facts.modified());
    changed.is_ok_and(|changed| changed.elapsed().is_ok_and(|age| age > MAKING))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_has_any_more_goes() {
        let folder = tempfile::tempdir().unwrap();
        let whole = Archive::create(folder.path()).unwrap();
        let held = PassingArchive::of(&whole).unwrap();
        assert!(held.root().starts_with(folder.path().join("stores/passing")));
        // As a process that is killed leaves it: the lock is gone, and the folder is not.
        let PassingArchive { _archive: archive, folder: left } = PassingArchive::of(&whole).unwrap();
        let left = left.keep();
        drop(archive);
        // As one leaves it that ends in the middle of removing it.
        let half = folder.path().join("stores/passing/qassay-half");
        fs::create_dir_all(half.join("files")).unwrap();
        fs::File::open(&half).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
        let other = PassingArchive::of(&whole).unwrap();
        assert!(!left.exists() && !half.exists());
        assert!(held.root().is_dir() && other.root().is_dir());
        let roots = [&held, &other].map(|one| one.root().to_path_buf());
        drop((held, other));
        assert!(!roots.iter().any(|root| root.exists()));
    }
}
