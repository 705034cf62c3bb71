//! A folder that has the files of repositories as they are: `DIR/OWNER/REPOSITORY/COMMIT/PATH`.

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;

use crate::base::error::{Error, Result};
use crate::sources::catalogue::Entry;
use crate::sources::fetch::Downloads;
use crate::sources::fetch::part::{Part, Stop};

/// Copies a file. One that the mirror has not is an error: nothing is asked of the network instead.
pub(crate) fn copy(folder: &Path, entry: &Entry, part: &mut Part<'_>, watcher: &dyn Downloads) -> Result<()> {
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
