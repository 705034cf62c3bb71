//! Inputs by name: a path, or what the catalogue calls a file that is fetched.

use std::path::{Path, PathBuf};

use crate::base::error::{Error, Result};
use crate::sources::archive::Archive;
use crate::sources::catalogue::Entry;
use crate::sources::file::source::Source;
use crate::sources::format::meter::{standard_input, whole};

/// Where an archive has the file of an entry, if it has.
pub fn place(root: &Path, entry: &Entry) -> Option<PathBuf> {
    let path = entry.exists().then(|| Archive::file_below(root, entry.sha256));
    path.filter(|path| path.is_file())
}

/// Opens a file, or the fetched file that a word names; a file of that name wins. `-` is standard input. `encoding` is that
/// of the file, where the user names one.
pub fn open(path: &Path, root: &Path, encoding: Option<&str>) -> Result<Source> {
    if path.as_os_str() == "-" {
        return Source::from_bytes_with_encoding("stdin", standard_input()?, encoding);
    }
    let word = path.to_str().filter(|_| !path.exists());
    let Some(entry) = word.and_then(|word| crate::sources::catalogue::find::find(word).ok()) else {
        return Source::open_with_encoding(path, encoding).map_err(|error| with_hint(error, path));
    };
    let Some(fetched) = place(root, entry) else {
        let error = Error::input(match entry.absent {
            "" => format!("`{}` is not fetched", entry.name),
            _ => format!("nobody has `{}`", entry.name),
        });
        return Err(match (entry.absent, entry.instead) {
            ("", _) => error
                .in_file(root.display().to_string())
                .hint(format!("`qassay fetch {}`; `⌥archive DIR` names another archive", entry.name)),
            (_, "") => error.hint("nothing that we know replaces it"),
            (_, instead) => error.hint(format!("`{instead}` replaces a part of it")),
        });
    };
    let source = Source::from_bytes_with_encoding(entry.name, whole(&fetched)?, encoding)?;
    if source.sha256() != entry.sha256 {
        return Err(Error::check("the archive is damaged: these are not the bytes that were fetched")
            .in_file(fetched.display().to_string())
            .hint("remove the file and fetch it again"));
    }
    Ok(source)
}

/// A missing file whose name looks like one of the catalogue was meant as that.
fn with_hint(error: Error, path: &Path) -> Error {
    let is_bare = path.extension().is_none() && path.components().count() == 1;
    if path.exists() || !is_bare {
        return error;
    }
    match path.to_str().map(crate::sources::catalogue::find::find) {
        Some(Err(unknown)) => unknown.in_file("no such file"),
        _ => error,
    }
}
