//! FOLDER: a site as files. What is there already, and the same, is not written again; what no longer belongs to it goes; the
//! list of checksums is there when all else is.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest as _, Sha256};

use crate::base::checksum::hex;
use crate::base::error::{Error, Result};
use crate::record::package::Content;
use crate::record::verify::listing::SUMS;
use crate::sources::archive::hashing::file_digest;

/// The list of what was there before, while a site is written. Nobody takes a folder with it for a whole one.
const UNFINISHED: &str = ".qassay-site";

/// Where files are written before they have their names.
const PENDING: &str = "tmp";

/// What was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SiteCounts {
    /// The files of the site.
    pub files: usize,
    /// Those of them that were new, or another.
    pub written: usize,
    /// Files of before that no longer belong to it.
    pub removed: usize,
}

/// The folder of a site, while it is written.
#[derive(Debug)]
pub struct SiteFolder {
    root: PathBuf,
    /// What was there before, by its path.
    earlier: BTreeSet<String>,
    /// Nobody else writes while this is open.
    _lock: File,
    state: Mutex<FolderState>,
}

#[derive(Debug, Default)]
struct FolderState {
    /// The files of the site, with their checksums.
    sums: BTreeMap<String, String>,
    written: usize,
    removed: usize,
    /// Whether the list of checksums was put aside.
    has_begun: bool,
}

impl SiteFolder {
    /// A new folder, or that of a site that was written before.
    ///
    /// # Errors
    /// Where there is something else, or another program writes into it.
    pub fn open(root: &Path) -> Result<Self> {
        let failed = |error: io::Error| Error::io("make the folder", root, &error);
        fs::create_dir_all(root).map_err(failed)?;
        let lists = [SUMS, UNFINISHED].map(|name| root.join(name));
        let is_ours = lists.iter().any(|list| list.is_file());
        if !is_ours && fs::read_dir(root).map_err(failed)?.next().is_some() {
            return Err(Error::input("there is something here that is no site of qassay")
                .in_file(root.display().to_string())
                .allowed("a new or an empty folder, or one that a site was written into before"));
        }
        let lock = File::open(root).map_err(failed)?;
        lock.try_lock().map_err(|_| {
            Error::input("another program writes this site")
                .in_file(root.display().to_string())
                .hint("try again when it is done")
        })?;
        let mut earlier = BTreeSet::new();
        for list in lists.iter().filter(|list| list.is_file()) {
            let text = fs::read(list).map_err(|error| Error::io("read the list", list, &error))?;
            let text = String::from_utf8_lossy(&text);
            earlier.extend(text.lines().filter_map(|line| Some(line.split_once("  ")?.1.to_owned())));
        }
        let state = FolderState { has_begun: !lists[0].is_file(), ..FolderState::default() };
        if state.has_begun && !lists[1].is_file() {
            fs::write(&lists[1], "").map_err(failed)?;
        }
        Ok(Self { root: root.to_path_buf(), earlier, _lock: lock, state: Mutex::new(state) })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, FolderState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something is about to change: the list of checksums is no longer that of the site.
    fn begin(&self) -> Result<()> {
        let mut state = self.lock();
        if !state.has_begun {
            let (list, aside) = (self.root.join(SUMS), self.root.join(UNFINISHED));
            fs::rename(&list, &aside).map_err(|error| Error::io("put aside the list", &list, &error))?;
            state.has_begun = true;
        }
        Ok(())
    }

    /// A file with these bytes, by its path with `/`.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn put(&self, path: &str, bytes: &[u8]) -> Result<()> {
        let place = self.root.join(path);
        let is_new = !self.has(path, bytes);
        if is_new {
            self.write(&place, &mut &*bytes)?;
        }
        self.count(path, hex(&Sha256::digest(bytes)), is_new);
        Ok(())
    }

    /// A file with this content, by its path with `/`.
    ///
    /// # Errors
    /// Where it cannot be read or written.
    pub fn put_content(&self, path: &str, content: &Content) -> Result<()> {
        let stored = match content {
            Content::Bytes(bytes) => return self.put(path, bytes),
            Content::File(stored) => stored,
        };
        let place = self.root.join(path);
        let (sha256, size) = stored.digest()?;
        let has_size = fs::metadata(&place).is_ok_and(|known| known.is_file() && known.len() == size);
        let is_new = !has_size || file_digest(&place)? != sha256;
        if is_new {
            self.write(&place, &mut *content.open()?)?;
        }
        self.count(path, sha256, is_new);
        Ok(())
    }

    /// Whether a file is there with these bytes.
    pub fn has(&self, path: &str, bytes: &[u8]) -> bool {
        fs::read(self.root.join(path)).is_ok_and(|known| known == bytes)
    }

    /// A file that is made only where it is not there, or would be another.
    ///
    /// # Errors
    /// Where it cannot be made or written.
    pub fn put_made(&self, path: &str, is_same: bool, make: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
        let place = self.root.join(path);
        let is_new = !is_same || !place.is_file();
        if is_new {
            let folder = tempfile::tempdir().map_err(|error| Error::io("make the file", &place, &error))?;
            let part = folder.path().join("part");
            make(&part)?;
            let mut content = File::open(&part).map_err(|error| Error::io("read", &part, &error))?;
            self.write(&place, &mut content)?;
        }
        self.count(path, file_digest(&place)?, is_new);
        Ok(())
    }

    fn count(&self, path: &str, sha256: String, is_new: bool) {
        let mut state = self.lock();
        state.sums.insert(path.to_owned(), sha256);
        state.written += usize::from(is_new);
    }

    fn write(&self, place: &Path, content: &mut dyn io::Read) -> Result<()> {
        self.begin()?;
        let failed = |error: io::Error| Error::io("write the file", place, &error);
        let pending = self.root.join(PENDING);
        fs::create_dir_all(&pending).map_err(failed)?;
        fs::create_dir_all(place.parent().unwrap_or(&self.root)).map_err(failed)?;
        let mut part = tempfile::NamedTempFile::new_in(&pending).map_err(failed)?;
        io::copy(content, &mut part).map_err(failed)?;
        publish_mode(part.as_file()).map_err(failed)?;
        part.persist(place).map_err(|error| failed(error.error))?;
        Ok(())
    }

    /// Takes away what no longer belongs to the site, and writes the list of checksums.
    ///
    /// # Errors
    /// Where something cannot be removed or written.
    pub fn finish(self) -> Result<SiteCounts> {
        // What others made while the site was written.
        for made in [PENDING, "stores"].map(|name| self.root.join(name)) {
            if made.is_dir() {
                fs::remove_dir_all(&made).map_err(|error| Error::io("remove", &made, &error))?;
            }
        }
        let all: BTreeSet<String> = {
            let state = self.lock();
            state.sums.keys().chain(&self.earlier).cloned().collect()
        };
        let folders: BTreeSet<&str> = all.iter().map(|path| folder_of(path)).collect();
        self.remove_others_in(&folders.into_iter().collect::<Vec<_>>())?;
        let state = self.lock();
        let list: String = state.sums.iter().flat_map(|(path, sha256)| [sha256, "  ", path, "\n"]).collect();
        let counts = SiteCounts { files: state.sums.len(), written: state.written, removed: state.removed };
        let has_begun = state.has_begun;
        drop(state);
        if has_begun {
            let place = self.root.join(SUMS);
            self.write(&place, &mut list.as_bytes())?;
            let rest = [self.root.join(UNFINISHED), self.root.join(PENDING)];
            fs::remove_file(&rest[0]).map_err(|error| Error::io("remove", &rest[0], &error))?;
            fs::remove_dir(&rest[1]).map_err(|error| Error::io("remove", &rest[1], &error))?;
        }
        Ok(counts)
    }

    /// Removes what stands in these folders and does not belong to the site. The folder without a name is the site itself: of
    /// what is there, only what was written before is taken away.
    ///
    /// # Errors
    /// Where a file cannot be removed.
    pub fn remove_others_in(&self, folders: &[&str]) -> Result<()> {
        let sums = self.lock().sums.clone();
        let is_other = |path: &String| folders.contains(&folder_of(path)) && !sums.contains_key(path);
        let mut others: BTreeSet<String> =
            self.earlier.iter().filter(|path| is_other(path)).cloned().collect();
        for folder in folders.iter().filter(|folder| !folder.is_empty()) {
            files_below(&self.root, &self.root.join(folder), &mut |path| {
                if is_other(&path) {
                    others.insert(path);
                }
            })?;
        }
        others.iter().try_for_each(|path| self.remove(path))
    }

    fn remove(&self, path: &str) -> Result<()> {
        let is_below = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        let place = self.root.join(path);
        if !is_below || !place.is_file() {
            return Ok(());
        }
        self.begin()?;
        fs::remove_file(&place).map_err(|error| Error::io("remove", &place, &error))?;
        self.lock().removed += 1;
        // Folders in which nothing is left.
        let mut folders = place.ancestors().skip(1).take_while(|folder| *folder != self.root);
        while folders.next().is_some_and(|folder| fs::remove_dir(folder).is_ok()) {}
        Ok(())
    }
}

/// The first folder of a path; nothing of a file beside folders.
fn folder_of(path: &str) -> &str {
    path.split_once('/').map_or("", |(first, _)| first)
}

/// The files below a folder, by their paths from the root with `/`. No link is followed.
fn files_below(root: &Path, folder: &Path, found: &mut dyn FnMut(String)) -> Result<()> {
    let failed = |error: io::Error| Error::io("list the folder", folder, &error);
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if entry.file_type().map_err(failed)?.is_dir() {
            files_below(root, &entry.path(), found)?;
        } else if let Ok(path) = entry.path().strip_prefix(root) {
            let names = path.components().map(|part| part.as_os_str().to_string_lossy());
            found(names.collect::<Vec<_>>().join("/"));
        }
    }
    Ok(())
}

/// Files of a site are read by a server: temporary files are not.
#[cfg(unix)]
fn publish_mode(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn publish_mode(_file: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, files: &[(&str, &str)]) -> SiteCounts {
        let folder = SiteFolder::open(root).unwrap();
        for (path, text) in files {
            folder.put(path, text.as_bytes()).unwrap();
        }
        folder.finish().unwrap()
    }

    #[test]
    fn only_what_changed_is_written() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("site");
        let first = [("a.html", "a"), ("things/b.html", "b"), ("things/c/d.html", "d")];
        assert_eq!(write(&root, &first), SiteCounts { files: 3, written: 3, removed: 0 });
        let list = fs::read_to_string(root.join(SUMS)).unwrap();
        let mark = fs::metadata(root.join(SUMS)).unwrap().modified().unwrap();
        assert_eq!(list.lines().count(), 3);
        assert_eq!(write(&root, &first), SiteCounts { files: 3, written: 0, removed: 0 });
        assert_eq!(fs::metadata(root.join(SUMS)).unwrap().modified().unwrap(), mark);
        // What is of somebody else stays, but for what stands in a folder of ours.
        fs::write(root.join("CNAME"), "example.org").unwrap();
        fs::write(root.join("things/left.html"), "of a run that was killed").unwrap();
        let next = [("a.html", "a"), ("things/b.html", "B")];
        assert_eq!(write(&root, &next), SiteCounts { files: 2, written: 1, removed: 2 });
        assert!(root.join("CNAME").is_file() && !root.join("things/c").exists());
        assert!(!root.join("things/left.html").exists() && !root.join(UNFINISHED).exists());
    }

    #[test]
    fn what_is_not_finished_looks_so_and_is_taken_up() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("site");
        write(&root, &[("a.html", "a"), ("gone.html", "g")]);
        let folder = SiteFolder::open(&root).unwrap();
        let other = SiteFolder::open(&root).unwrap_err().to_string();
        assert!(other.contains("another program writes this site"), "{other}");
        folder.put("a.html", b"other").unwrap();
        drop(folder);
        assert!(!root.join(SUMS).exists(), "it is not whole");
        assert_eq!(write(&root, &[("a.html", "a")]), SiteCounts { files: 1, written: 1, removed: 1 });
    }

    #[test]
    fn a_folder_of_somebody_else_is_refused() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("mine.txt"), "").unwrap();
        let error = SiteFolder::open(place.path()).unwrap_err().to_string();
        assert!(error.contains("no site of qassay"), "{error}");
    }
}
