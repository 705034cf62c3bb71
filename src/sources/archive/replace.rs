//! All records of an archive replaced at once: what `qassay upgrade` does. Whoever kills it leaves the old records or the
//! new ones, whole.
//!
//! ```text
//! tmp/upgrading/    records that are being written
//! tmp/upgraded/     the same, complete: they become `records/`
//! tmp/replaced/     the records that were there before, until their graphs are cleared
//! ```
//!
//! Linux exchanges two folders in one step. Elsewhere there are none for a moment: who opens the archive then waits.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::base::checksum::is_checksum;
use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::base::vocab::spdx;
use crate::sources::archive::hashing::read_file;
use crate::sources::archive::{Archive, Pending, RECORD_KINDS, sync_folder};

const WRITTEN: &str = "tmp/upgrading";
const COMPLETE: &str = "tmp/upgraded";
const REPLACED: &str = "tmp/replaced";

/// New records for an archive, which nobody sees before [`NewRecords::replace`].
#[derive(Debug)]
pub struct NewRecords<'a> {
    archive: &'a Archive,
}

impl<'a> NewRecords<'a> {
    /// No records yet. What an earlier one that was killed has written is forgotten.
    ///
    /// # Errors
    /// Where the folder cannot be written.
    pub fn begin(archive: &'a Archive) -> Result<Self> {
        for folder in [WRITTEN, COMPLETE].map(|folder| archive.root().join(folder)) {
            remove_folder(&folder)?;
        }
        for kind in RECORD_KINDS {
            let folder = archive.root().join(WRITTEN).join(kind);
            fs::create_dir_all(&folder).map_err(|error| Error::io("create the folder", &folder, &error))?;
        }
        Ok(Self { archive })
    }

    /// Writes a record.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn keep(&self, kind: &str, key: &str, content: &[u8]) -> Result<()> {
        let path = self.archive.root().join(WRITTEN).join(kind).join(format!("{key}.nq"));
        let mut pending = Pending::create(self.archive.root())?;
        pending.write_all(content).map_err(|error| Error::io("write", &path, &error))?;
        pending.rename(&path)
    }

    /// Puts the new records, which have a version of the model and a base, in the place of those that are there.
    ///
    /// # Errors
    /// Where they cannot be moved: then the old ones are there.
    pub fn replace(self, mint: &Mint) -> Result<()> {
        let root = self.archive.root();
        self.keep("archive", "model", &super::model::statement(mint))?;
        remove_folder(&root.join(REPLACED))?;
        rename(root, WRITTEN, REPLACED)?;
        if exchange(root, REPLACED, "records")? {
            return Ok(());
        }
        rename(root, REPLACED, COMPLETE)?;
        rename(root, "records", REPLACED)?;
        rename(root, COMPLETE, "records")
    }
}

impl Archive {
    /// Ends a replacement that was killed between its last two steps: the archive has no records at all then. Who calls this
    /// has the lock for himself.
    pub(super) fn recover(root: &Path) -> Result<()> {
        if Self::is_being_replaced(root) { rename(root, COMPLETE, "records") } else { Ok(()) }
    }

    /// Whether the archive has no records at all, because somebody replaces them or was killed.
    pub(super) fn is_being_replaced(root: &Path) -> bool {
        !root.join("records").exists() && root.join(COMPLETE).is_dir()
    }

    /// The records that were replaced and whose graphs were not cleared yet.
    ///
    /// # Errors
    /// Where the folder cannot be read.
    fn replaced_records(&self) -> Result<Vec<PathBuf>> {
        let mut all = Vec::new();
        for kind in RECORD_KINDS {
            all.extend(super::list(&self.root().join(REPLACED).join(kind))?);
        }
        Ok(all)
    }

    /// Removes the graphs that only records which were replaced have named, then these records; gives how many.
    ///
    /// # Errors
    /// Where a record cannot be read or a file cannot be removed; the next one goes on.
    pub fn clear_replaced(&self) -> Result<usize> {
        let (old, new) = (sums(self.replaced_records()?)?, sums(self.records()?)?);
        let gone = old
            .difference(&new)
            .map(|sha256| self.graph(sha256).path().to_path_buf())
            .filter(|path| path.is_file());
        let gone: Vec<PathBuf> = gone.collect();
        gone.iter().try_for_each(|path| self.remove(path))?;
        remove_folder(&self.root().join(REPLACED))?;
        Ok(gone.len())
    }
}

/// The checksums that records name.
fn sums(records: Vec<PathBuf>) -> Result<BTreeSet<String>> {
    let mut all = BTreeSet::new();
    let beginning = format!("<{}> \"", spdx::CHECKSUM_VALUE);
    for path in records {
        let text = read_file(&path).map_err(|error| Error::io("read the record", &path, &error))?;
        let text = String::from_utf8_lossy(&text);
        let named = text.split(&beginning).skip(1).filter_map(|rest| rest.get(..64));
        all.extend(named.filter(|sha256| is_checksum(sha256)).map(str::to_owned));
    }
    Ok(all)
}

/// Exchanges two folders in one step; whether the system can.
#[cfg(target_os = "linux")]
fn exchange(root: &Path, one: &str, other: &str) -> Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;

    let other = root.join(other);
    match renameat_with(CWD, root.join(one), CWD, &other, RenameFlags::EXCHANGE) {
        Ok(()) => {
            sync_folder(root)?;
            sync_folder(&root.join("tmp")).map(|()| true)
        }
        // Not every file system can.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
        Err(error) => Err(Error::io("exchange the folder", &other, &error.into())),
    }
}

#[cfg(not(target_os = "linux"))]
fn exchange(_: &Path, _: &str, _: &str) -> Result<bool> {
    Ok(false)
}

fn rename(root: &Path, from: &str, to: &str) -> Result<()> {
    let to = root.join(to);
    fs::rename(root.join(from), &to).map_err(|error| Error::io("rename the folder to", &to, &error))?;
    to.parent().map_or(Ok(()), sync_folder)?;
    sync_folder(&root.join("tmp"))
}

fn remove_folder(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Error::io("remove the folder", folder, &error))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::model::Model;

    #[test]
    fn whoever_kills_it_leaves_the_old_records_or_the_new_ones() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let archive = Archive::create(root).unwrap();
        archive.keep_model(&Mint::of(Model::One)).unwrap();
        fs::write(archive.record("dataset", "old"), "old").unwrap();
        let written = |archive| {
            let new = NewRecords::begin(archive).unwrap();
            new.keep("dataset", "new", b"new").unwrap();
            new
        };
        // Killed while they are written, and begun again.
        written(&archive);
        assert_eq!(Archive::open(root).unwrap().mint().model(), Model::One);
        // Killed before the last step: whoever comes next has the lock for himself.
        written(&archive).replace(&Mint::of(Model::Two)).unwrap();
        drop(archive);
        fs::rename(root.join("records"), root.join(COMPLETE)).unwrap();
        let opened = Archive::open(root).unwrap();
        assert_eq!(opened.mint().model(), Model::Two);
        assert!(opened.record("dataset", "new").is_file() && !opened.record("dataset", "old").exists());
        assert_eq!(opened.replaced_records().unwrap().len(), 2);
        assert_eq!(opened.clear_replaced().unwrap(), 0);
        assert!(opened.replaced_records().unwrap().is_empty());
    }
}
