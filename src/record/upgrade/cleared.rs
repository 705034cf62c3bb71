//! Graphs that only records which were replaced have named.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::base::checksum::is_checksum;
use crate::base::error::{Error, Result};
use crate::base::vocab::spdx;
use crate::sources::archive::Archive;
use crate::sources::archive::hashing::read_file;

/// Removes them, then the records that were replaced; gives how many.
///
/// # Errors
/// Where a record cannot be read or a file cannot be removed; the next one goes on.
pub(crate) fn clear(archive: &Archive) -> Result<usize> {
    let (old, new) = (sums(archive.replaced_records()?)?, sums(archive.records()?)?);
    let gone = old
        .difference(&new)
        .map(|sha256| archive.graph(sha256).path().to_path_buf())
        .filter(|path| path.is_file());
    let gone: Vec<PathBuf> = gone.collect();
    gone.iter().try_for_each(|path| archive.remove(path))?;
    archive.drop_replaced()?;
    Ok(gone.len())
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
