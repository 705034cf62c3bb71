//! FETCH: published files into the archive, from their address, from a mirror folder, or from the program itself.
//!
//! The catalogue says what must arrive: so many bytes with this checksum. Bytes are written to
//! `tmp/SHA256.part` in the archive, which nobody reads; only a complete and correct file gets its place. A part that
//! an interrupted run leaves is continued by the next.

pub mod http;
pub mod part;
pub mod record;

use crate::base::error::{Error, Result};
use crate::base::watch::Silent;
use crate::sources::archive::Archive;
use crate::sources::archive::hashing::file_digest;
use crate::sources::catalogue::Entry;
use crate::sources::fetch::part::{Expected, PartialFile, Stop};
use crate::sources::net::patience::Patience;
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where files come from.
#[derive(Debug)]
pub enum Origin {
    /// A server with the layout `BASE/OWNER/REPOSITORY/COMMIT/PATH`.
    Server(http::Server),
    /// A folder with the same layout.
    Mirror(PathBuf),
}

impl Origin {
    /// The server with this base address.
    pub fn server(base: &str, patience: Patience) -> Result<Self> {
        http::Server::new(base, patience).map(Self::Server)
    }

    /// A mirror folder.
    pub fn mirror(folder: &Path) -> Result<Self> {
        if folder.is_dir() {
            return Ok(Self::Mirror(folder.to_path_buf()));
        }
        Err(Error::input("there is no such folder").in_file(folder.display().to_string()).hint(
            "a mirror has the layout DIR/OWNER/REPOSITORY/COMMIT/PATH; without `⌥mirror`, files come from their address",
        ))
    }
}

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    /// It is in the archive now.
    Fetched,
    /// It was there before.
    Known,
}

/// Somebody who wants to know how downloads go. Nothing has to be done with what is told.
pub trait Downloads {
    /// A file is fetched now.
    fn begin(&self, _entry: &Entry) {}
    /// So many bytes of a file are here.
    fn here(&self, _entry: &Entry, _bytes: u64) {}
    /// A try failed; the next comes after a while.
    fn again(&self, _entry: &Entry, _error: &Error, _wait: Duration) {}
    /// A file is here, or cannot be had.
    fn end(&self, _entry: &Entry, _outcome: &Result<Arrival>) {}
}

impl Downloads for Silent {}

/// Fetches a file into an archive. A file that is there already is left as it is.
pub fn fetch(entry: &Entry, origin: &Origin, archive: &Archive, watcher: &dyn Downloads) -> Result<Arrival> {
    let expected = Expected::of(entry)?;
    // Two runs never write to one part; and what the first has fetched, the second need not.
    let _alone = archive.lock_downloads()?;
    let kept = archive.file(expected.sha256);
    // A damaged file is fetched again and replaced.
    if kept.exists() && file_digest(&kept)? == expected.sha256 {
        return Ok(Arrival::Known);
    }
    let mut part = PartialFile::open(archive, expected)?;
    let filled = match (built_in(entry), origin) {
        (Some(bytes), _) => part.fill(bytes),
        (None, Origin::Server(server)) => server.download(entry, &mut part, watcher),
        (None, Origin::Mirror(folder)) => copy(folder, entry, &mut part, watcher),
    };
    if let Err(error) = filled {
        part.tidy();
        return Err(error);
    }
    part.keep(archive)?;
    Ok(Arrival::Fetched)
}

/// The bytes of a file that is part of the program.
fn built_in(entry: &Entry) -> Option<&'static [u8]> {
    let bytes: &[u8] = match entry.path {
        _ if !entry.is_built_in() => return None,
        "datasets/example/gold.json" => include_bytes!("../../../datasets/example/gold.json"),
        "datasets/example/aurora.json" => include_bytes!("../../../datasets/example/aurora.json"),
        "datasets/example/borealis.json" => include_bytes!("../../../datasets/example/borealis.json"),
        "datasets/example/same-as.nt" => include_bytes!("../../../datasets/example/same-as.nt"),
        "datasets/example/kb.ttl" => include_bytes!("../../../datasets/example/kb.ttl"),
        _ => return None,
    };
    Some(bytes)
}

/// Copies a file of a mirror: `DIR/OWNER/REPOSITORY/COMMIT/PATH`. One that the mirror has not is an error: nothing is asked of the network instead.
fn copy(folder: &Path, entry: &Entry, part: &mut PartialFile<'_>, watcher: &dyn Downloads) -> Result<()> {
    let place = entry.place().unwrap_or_default();
    let path = place.iter().fold(folder.to_path_buf(), |path, name| path.join(name));
    let file = File::open(&path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Error::input(format!("the mirror does not have `{}`", entry.name))
            .in_file(path.display().to_string())
            .hint("without `⌥mirror`, the file comes from its address"),
        _ => Error::io("read the file", &path, &error),
    })?;
    part.comes_from(&path.display().to_string());
    part.start_again()?;
    match part.add(file, |here| watcher.here(entry, here))? {
        Stop::End => Ok(()),
        Stop::TooMany => {
            let bytes = part.expected.bytes;
            Err(part.refuse(&format!("expected {bytes} bytes, the mirror has more")))
        }
        Stop::Broken(error) => Err(Error::io("read the file", &path, &error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::catalogue::entries;

    #[test]
    fn every_file_without_a_repository_is_built_in() {
        let all: Vec<&Entry> = entries().iter().filter(|entry| entry.is_built_in()).collect();
        assert_eq!(all.len(), 5);
        for entry in all {
            assert_eq!(built_in(entry).map(|bytes| bytes.len() as u64), entry.bytes, "{}", entry.name);
        }
    }
}
