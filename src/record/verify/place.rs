//! What `qassay verify` is given: a folder, a packed archive, or an evaluation of the archive.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::base::error::{Error, Result};
use crate::base::text;
use crate::record::publication::tombstone::TOMBSTONE;
use crate::record::verify::packed::{archive_in, is_packed, unpack};
use crate::sources::archive::Archive;
use crate::sources::fetch::record::download;
use crate::sources::net::patience::Patience;
use tempfile::TempDir;

/// An archive folder, and the evaluation that is meant.
#[derive(Debug)]
pub struct Location {
    root: PathBuf,
    /// What to call it.
    name: String,
    /// The evaluation, if one is named.
    pub word: Option<String>,
    /// Whether it is one file.
    pub is_packed: bool,
    /// Where it is unpacked or copied to; removed at the end.
    temporary: Option<TempDir>,
    /// Whether it is a copy that somebody else keeps and removes.
    is_staged: bool,
    /// The files that were added to the copy: no list names them.
    pub added: BTreeSet<PathBuf>,
}

impl Location {
    /// A folder, a packed archive and an address are archives, every other word is an evaluation.
    ///
    /// # Errors
    /// Where a file is no archive, or cannot be unpacked.
    pub fn of(root: &Path, what: Option<&str>, evaluation: Option<&str>) -> Result<Self> {
        if let Some(address) = what.filter(|what| is_address(what) && !Archive::names(root, what)) {
            return Self::download(address, evaluation.map(str::to_owned));
        }
        let here = |path: &Path, word: Option<&str>| Self::open(path, word.map(str::to_owned));
        match what {
            Some(what) if !Path::new(what).exists() && is_file_name(what) => {
                Err(Error::input("no such file").in_file(what).allowed(
                    "an archive folder, one packed as tar, tar.gz or zip, or an evaluation of `⌥archive`",
                ))
            }
            Some(what) if Path::new(what).exists() => here(Path::new(what), evaluation),
            what => here(root, what),
        }
    }

    /// A record: a folder, a packed one, or an address.
    ///
    /// # Errors
    /// Where there is none, or it cannot be unpacked.
    pub fn of_record(what: &str) -> Result<Self> {
        if is_address(what) {
            return Self::download(what, None);
        }
        if !Path::new(what).exists() {
            return Err(Error::input("no such file")
                .in_file(what)
                .allowed("a record: a folder, or one packed as tar, tar.gz or zip"));
        }
        Self::open(Path::new(what), None)
    }

    /// A record at an address: downloaded into a temporary folder.
    fn download(address: &str, word: Option<String>) -> Result<Self> {
        let downloads = temporary_folder()?;
        let path = download(address, downloads.path(), Patience::default())?;
        let mut location = Self::open(&path, word)?;
        address.clone_into(&mut location.name);
        if location.temporary.is_none() {
            location.temporary = Some(downloads);
        }
        Ok(location)
    }

    fn open(path: &Path, word: Option<String>) -> Result<Self> {
        let name = text::path(path);
        if !path.is_file() {
            let root = archive_in(path).unwrap_or_else(|| path.to_path_buf());
            if !root.join("records").is_dir() && root.join(TOMBSTONE).is_file() {
                return Err(Error::input("what was here is withdrawn: this is its tombstone")
                    .in_file(name)
                    .hint("`index.html` says why, and what replaces it; there are no numbers to verify"));
            }
            let added = BTreeSet::new();
            return Ok(Self { root, name, word, is_packed: false, temporary: None, is_staged: false, added });
        }
        if !is_packed(path) {
            return Err(Error::input("this file is no archive")
                .in_file(name)
                .allowed("an archive folder, or one packed as tar, tar.gz or zip"));
        }
        let folder = temporary_folder()?;
        let root = unpack(path, folder.path())?;
        let (temporary, added) = (Some(folder), BTreeSet::new());
        Ok(Self { root, name, word, is_packed: true, temporary, is_staged: false, added })
    }

    /// An archive of elsewhere, by a copy that whoever made it removes.
    pub fn staged(root: PathBuf, name: String) -> Self {
        let (temporary, added) = (None, BTreeSet::new());
        Self { root, name, word: None, is_packed: false, temporary, is_staged: true, added }
    }

    /// The same in a temporary folder, where it is in none: `copy` copies it there.
    ///
    /// # Errors
    /// Where it cannot be copied.
    pub fn into_copy(mut self, copy: impl FnOnce(&Path, &Path) -> Result<()>) -> Result<Self> {
        if self.temporary.is_none() {
            let folder = temporary_folder()?;
            copy(&self.root, folder.path())?;
            self.root = folder.path().to_path_buf();
            self.temporary = Some(folder);
        }
        Ok(self)
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A report in which what was unpacked has the name of the packed archive; `quote` writes the name as the report does.
    pub fn named(&self, report: String, quote: impl FnOnce(&str) -> String) -> String {
        if self.temporary.is_none() && !self.is_staged {
            return report;
        }
        report.replace(&self.root.display().to_string(), &quote(&self.name))
    }

    /// The name of the archive as it was given.
    pub fn title(&self) -> String {
        self.name.clone()
    }
}

fn temporary_folder() -> Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("qassay-").tempdir();
    folder.map_err(|error| Error::system(format!("cannot make a temporary folder: {error}")))
}

fn is_address(word: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| word.starts_with(scheme))
}

/// Whether a word is meant as a file: evaluations are named by systems, IRIs and keys.
fn is_file_name(word: &str) -> bool {
    let packed = [".tar", ".gz", ".tgz", ".zip"].iter().any(|ending| word.ends_with(ending));
    packed || ["/", "./", "../"].iter().any(|beginning| word.starts_with(beginning))
}
