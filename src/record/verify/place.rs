//! What `qassay verify` is given: a folder, a packed archive, or an evaluation of the archive.

use std::path::{Path, PathBuf};

use crate::base::error::{Error, Result};
use crate::record::verify::packed::{is_packed, unpack};
use tempfile::TempDir;

/// An archive folder, and the evaluation that is meant.
#[derive(Debug)]
pub struct Location {
    root: PathBuf,
    /// What to call it.
    name: String,
    /// The evaluation, if one is named.
    pub word: Option<String>,
    /// Where a packed archive is unpacked; removed at the end.
    unpacked: Option<TempDir>,
}

impl Location {
    /// A folder and a packed archive are archives, every other word is an evaluation.
    ///
    /// # Errors
    /// Where a file is no archive, or cannot be unpacked.
    pub fn of(root: &Path, what: Option<&str>, evaluation: Option<&str>) -> Result<Self> {
        let here = |path: &Path, word: Option<&str>| Self::open(path, word.map(str::to_owned));
        match what {
            Some(what) if Path::new(what).exists() => here(Path::new(what), evaluation),
            what => here(root, what),
        }
    }

    fn open(path: &Path, word: Option<String>) -> Result<Self> {
        let name = path.display().to_string();
        if !path.is_file() {
            return Ok(Self { root: path.to_path_buf(), name, word, unpacked: None });
        }
        if !is_packed(path) {
            return Err(Error::input("this file is no archive")
                .in_file(name)
                .allowed("an archive folder, or one packed as tar, tar.gz or zip"));
        }
        let folder = tempfile::Builder::new().prefix("qassay-").tempdir();
        let folder =
            folder.map_err(|error| Error::system(format!("cannot make a temporary folder: {error}")))?;
        let root = unpack(path, folder.path())?;
        Ok(Self { root, name, word, unpacked: Some(folder) })
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A text in which what was unpacked has the name of the packed archive.
    pub fn named(&self, text: String) -> String {
        match &self.unpacked {
            Some(_) => text.replace(&self.root.display().to_string(), &self.name),
            None => text,
        }
    }

    /// The name of the archive as it was given.
    pub fn title(&self) -> String {
        self.name.clone()
    }
}
