//! `--html FILE` of `evaluate` and `release`: the report as one page.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use qassay::base::error::{Error, Result};
use qassay::base::watch::Watcher;
use qassay::report::html::Report;

use super::output::Output;

/// What every page begins with.
const BEGINNING: &[u8] = b"<!DOCTYPE html>";

/// An error where the page cannot be written, or something else is there, before the work.
pub(super) fn check(path: Option<&Path>) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    let refused = |what: &str| {
        let error = Error::input(format!("cannot write the page {}: {what}", path.display()));
        Err(error.allowed("a new file in a folder that exists, or an HTML page, which is replaced"))
    };
    if !folder(path).is_dir() {
        return refused("there is no such folder");
    }
    match fs::symlink_metadata(path) {
        Ok(found) if !found.is_file() => refused("what is there is no file"),
        // An input, or somebody's work, must not be lost by a slip of the hand.
        Ok(_) if !is_page(path) => refused("the file that is there is no HTML page"),
        Ok(_) | Err(_) => Ok(()),
    }
}

fn is_page(path: &Path) -> bool {
    let mut beginning = Vec::new();
    let read =
        File::open(path).and_then(|file| file.take(BEGINNING.len() as u64).read_to_end(&mut beginning));
    read.is_ok() && beginning.eq_ignore_ascii_case(BEGINNING)
}

/// A file that becomes the page when it is whole, with the permissions of any new file.
fn temporary(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes the page. A file with this name is replaced at once, when the page is whole.
pub(super) fn write(path: &Path, page: &Report, output: &Output) -> Result<()> {
    let page = page.html()?;
    let failed = |error: &std::io::Error| Error::io("write the page", path, error);
    let mut file = temporary(folder(path)).map_err(|error| failed(&error))?;
    file.write_all(page.as_bytes()).map_err(|error| failed(&error))?;
    file.persist(path).map_err(|error| failed(&error.error))?;
    output.note(&format!("\nwritten to {}", path.display()));
    Ok(())
}
