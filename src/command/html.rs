//! `--html FILE` of `evaluate`, `release` and `compare`: the report as one page. `--plots DIR` of `compare`: plots as files.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use qassay::base::error::{Error, Result};
use qassay::base::text;
use qassay::base::watch::Watcher;
use qassay::report::plots::PlotFile;

use super::output::Output;

/// What every page begins with.
const BEGINNING: &[u8] = b"<!DOCTYPE html>";

/// What every plot begins with.
const PLOT: &[u8] = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- a plot of qassay -->";

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
        Ok(_) if !begins_with(path, BEGINNING) => refused("the file that is there is no HTML page"),
        Ok(_) | Err(_) => Ok(()),
    }
}

fn begins_with(path: &Path, wanted: &[u8]) -> bool {
    let mut beginning = Vec::new();
    let read = File::open(path).and_then(|file| file.take(wanted.len() as u64).read_to_end(&mut beginning));
    read.is_ok() && beginning.eq_ignore_ascii_case(wanted)
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
pub(super) fn write(path: &Path, page: &str, output: &Output) -> Result<()> {
    write_whole("write the page", path, page)?;
    output.note(&format!("\nwritten to {}", path.display()));
    Ok(())
}

fn write_whole(what: &str, path: &Path, content: &str) -> Result<()> {
    let failed = |error: &std::io::Error| Error::io(what, path, error);
    let mut file = temporary(folder(path)).map_err(|error| failed(&error))?;
    file.write_all(content.as_bytes()).map_err(|error| failed(&error))?;
    file.persist(path).map_err(|error| failed(&error.error))?;
    Ok(())
}

/// An error where plots cannot be written into a folder, before the work.
pub(super) fn check_plots(folder: Option<&Path>) -> Result<()> {
    let Some(folder) = folder else { return Ok(()) };
    let has_parent = folder.is_dir() || (!folder.exists() && self::folder(folder).is_dir());
    if has_parent {
        return Ok(());
    }
    let error = Error::input(format!("cannot write plots into {}: it is no folder", folder.display()));
    Err(error.allowed("a folder, or a new one in a folder that exists"))
}

/// Writes plots into a folder, each at once when it is whole, and says which. Plots of the same names are replaced; where
/// something else has such a name, nothing is written.
pub(super) fn write_plots(folder: &Path, plots: &[PlotFile], output: &Output) -> Result<()> {
    let foreign = |plot: &&PlotFile| {
        let path = folder.join(&plot.name);
        fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file() || !begins_with(&path, PLOT))
    };
    if let Some(plot) = plots.iter().find(foreign) {
        let path = folder.join(&plot.name);
        let error = Error::input(format!("cannot write the plot {}: what is there is none", path.display()));
        return Err(error.allowed("another folder; plots of qassay are replaced"));
    }
    if !folder.is_dir() {
        fs::create_dir(folder).map_err(|error| Error::io("make the folder", folder, &error))?;
    }
    for plot in plots {
        write_whole("write the plot", &folder.join(&plot.name), &plot.svg)?;
    }
    output.note(&format!("\n{} written to {}:", text::counted(plots.len() as u64, "plot"), folder.display()));
    for plot in plots {
        output.note(&format!("  {}  {}", plot.name, plot.title));
    }
    Ok(())
}
