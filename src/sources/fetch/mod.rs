//! FETCH: published files into the archive, from their address, from a mirror folder, or from the program itself.
//!
//! The catalogue says what must arrive: so many bytes with this checksum. Bytes are written to
//! `tmp/SHA256.part` in the archive, which nobody reads; only a complete and correct file gets its place. A part that
//! an interrupted run leaves is continued by the next.

pub mod built_in;
pub mod http;
pub mod mirror;
pub mod part;

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::base::error::{Error, Result};
use crate::sources::archive::Archive;
use crate::sources::archive::hashing::file_digest;
use crate::sources::catalogue::Entry;
use crate::sources::fetch::part::Part;
use crate::sources::net::patience::Patience;

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
pub enum Outcome {
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
    fn end(&self, _entry: &Entry, _outcome: &Result<Outcome>) {}
}

/// Nobody.
#[derive(Debug)]
pub struct Unwatched;

impl Downloads for Unwatched {}

/// Fetches a file into an archive. A file that is there already is left as it is.
pub fn fetch(entry: &Entry, origin: &Origin, archive: &Archive, watcher: &dyn Downloads) -> Result<Outcome> {
    let expected = Expected::of(entry)?;
    // Two runs never write to one part; and what the first has fetched, the second need not.
    let _alone = archive.lock_downloads()?;
    let kept = archive.file(expected.sha256);
    // A damaged file is fetched again and replaced.
    if kept.exists() && file_digest(&kept)? == expected.sha256 {
        return Ok(Outcome::Known);
    }
    let mut part = Part::open(archive, expected)?;
    let filled = match (built_in::bytes(entry), origin) {
        (Some(bytes), _) => part.fill(bytes),
        (None, Origin::Server(server)) => server.download(entry, &mut part, watcher),
        (None, Origin::Mirror(folder)) => mirror::copy(folder, entry, &mut part, watcher),
    };
    if let Err(error) = filled {
        part.tidy();
        return Err(error);
    }
    part.keep(archive)?;
    Ok(Outcome::Fetched)
}

/// What must arrive.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expected<'a> {
    name: &'a str,
    sha256: &'a str,
    bytes: u64,
}

impl<'a> Expected<'a> {
    fn of(entry: &'a Entry) -> Result<Self> {
        if let (true, Some(bytes)) = (entry.exists(), entry.bytes) {
            return Ok(Self { name: entry.name, sha256: entry.sha256, bytes });
        }
        let error = Error::input(format!("nobody can fetch `{}`: {}", entry.name, entry.absent));
        Err(if entry.instead.is_empty() {
            error.hint("nothing that we know replaces it")
        } else {
            error.hint(format!("`{}` replaces a part of it", entry.instead))
        })
    }
}
