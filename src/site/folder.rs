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
use crate::base::text;
use crate::record::package::Content;
use crate::record::verify::listing::{SIGNATURE, SUMS};
use crate::sources::archive::hashing::file_digest;

/// The list of what was written into a folder, which is that of a site where it is there. A site is whole where it has a list
/// of checksums, too.
const WRITTEN: &str = ".qassay-site";

/// How that list begins.
const FIRST_LINE: &str = "# What qassay wrote here, and may take away again\n";

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
    /// The folders that are known to be no links.
    folders: BTreeSet<PathBuf>,
    written: usize,
    removed: usize,
}

impl SiteFolder {
    /// A new folder, or that of a site that was written before.
    ///
    /// # Errors
    /// Where there is something else, or another program writes into it.
    pub fn open(root: &Path) -> Result<Self> {
        let failed = |error: io::Error| Error::io("make the folder", root, &error);
        fs::create_dir_all(root).map_err(failed)?;
        let list = root.join(WRITTEN);
        let known = fs::read_to_string(&list).unwrap_or_default();
        let is_ours = known.starts_with(FIRST_LINE);
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
        if !is_ours {
            fs::write(&list, FIRST_LINE).map_err(|error| Error::io("write the file", &list, &error))?;
        }
        let earlier = known.lines().skip(1).map(str::to_owned).collect();
        Ok(Self { root: root.to_path_buf(), earlier, _lock: lock, state: Mutex::default() })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, FolderState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something is about to change: there is no list of checksums until all is there, and no signature over another one.
    fn begin(&self) -> Result<()> {
        [SIGNATURE, SUMS].map(|name| self.root.join(name)).iter().try_for_each(|path| {
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    Err(Error::io("remove", path, &error))
                }
                _ => Ok(()),
            }
        })
    }

    /// The folder of a file, which is made where it is not there. A link would lead out of the site.
    fn make_folder(&self, place: &Path) -> Result<()> {
        let folder = place.parent().unwrap_or(&self.root);
        if self.lock().folders.contains(folder) {
            return Ok(());
        }
        self.refuse_links(folder)?;
        fs::create_dir_all(folder).map_err(|error| Error::io("make the folder", folder, &error))?;
        self.lock().folders.insert(folder.to_path_buf());
        Ok(())
    }

    /// An error where a folder of the site is a link.
    fn refuse_links(&self, folder: &Path) -> Result<()> {
        let own = folder.ancestors().take_while(|folder| *folder != self.root);
        let link = own.filter(|folder| folder.is_symlink()).last();
        link.map_or(Ok(()), |link| {
            Err(Error::input("this is a link, and a site is written into folders")
                .in_file(link.display().to_string())
                .hint("remove it"))
        })
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
        self.write_whole(place, content)
    }

    /// Writes a file that nobody sees in part.
    fn write_whole(&self, place: &Path, content: &mut dyn io::Read) -> Result<()> {
        let failed = |error: io::Error| Error::io("write the file", place, &error);
        let pending = self.root.join(PENDING);
        fs::create_dir_all(&pending).map_err(failed)?;
        self.make_folder(place)?;
        let mut part = tempfile::NamedTempFile::new_in(&pending).map_err(failed)?;
        io::copy(content, &mut part).map_err(failed)?;
        publish_mode(part.as_file()).map_err(failed)?;
        part.persist(place).map_err(|error| failed(error.error))?;
        Ok(())
    }

    /// Takes away what no longer belongs to the site, and writes the list of checksums, and the signature that is made of it
    /// where there is to be one. One that is there already stays while nothing changes.
    ///
    /// # Errors
    /// Where something cannot be removed, signed or written.
    pub fn finish(self, sign: impl FnOnce(&[u8]) -> Result<Option<Vec<u8>>>) -> Result<SiteCounts> {
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
        let paths: String = self.lock().sums.keys().flat_map(|path| [path.as_str(), "\n"]).collect();
        self.put(WRITTEN, format!("{FIRST_LINE}{paths}").as_bytes())?;
        let state = self.lock();
        let list: String =
            state.sums.iter().flat_map(|(path, sha256)| [sha256.as_str(), "  ", path, "\n"]).collect();
        let counts = SiteCounts { files: state.sums.len(), written: state.written, removed: state.removed };
        drop(state);
        if !self.has(SUMS, list.as_bytes()) {
            self.write(&self.root.join(SUMS), &mut list.as_bytes())?;
        }
        if let Some(signature) = sign(list.as_bytes())?
            && !self.has(SIGNATURE, &signature)
        {
            self.write_whole(&self.root.join(SIGNATURE), &mut &*signature)?;
        }
        let pending = self.root.join(PENDING);
        if pending.is_dir() {
            fs::remove_dir(&pending).map_err(|error| Error::io("remove", &pending, &error))?;
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
        if !is_below || place.symlink_metadata().map_or(true, |known| known.is_dir()) {
            return Ok(());
        }
        self.refuse_links(place.parent().unwrap_or(&self.root))?;
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
            found(text::slashed(path));
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
        folder.finish(|_| Ok(None)).unwrap()
    }

    #[test]
    fn only_what_changed_is_written() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("site");
        let first = [("a.html", "a"), ("things/b.html", "b"), ("things/c/d.html", "d")];
        assert_eq!(write(&root, &first), SiteCounts { files: 4, written: 4, removed: 0 });
        let list = fs::read_to_string(root.join(SUMS)).unwrap();
        let mark = fs::metadata(root.join(SUMS)).unwrap().modified().unwrap();
        assert_eq!(list.lines().count(), 4);
        assert_eq!(write(&root, &first), SiteCounts { files: 4, written: 0, removed: 0 });
        assert_eq!(fs::metadata(root.join(SUMS)).unwrap().modified().unwrap(), mark);
        // What is of somebody else stays, but for what stands in a folder of ours.
        fs::write(root.join("CNAME"), "example.org").unwrap();
        fs::write(root.join("things/left.html"), "of a run that was killed").unwrap();
        let next = [("a.html", "a"), ("things/b.html", "B")];
        assert_eq!(write(&root, &next), SiteCounts { files: 3, written: 2, removed: 2 });
        assert!(root.join("CNAME").is_file() && !root.join("things/c").exists());
        assert!(!root.join("things/left.html").exists() && !root.join(PENDING).exists());
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
        assert_eq!(write(&root, &[("a.html", "a")]), SiteCounts { files: 2, written: 2, removed: 1 });
    }

    /// Neither is a folder with a list of checksums one of ours.
    #[test]
    fn a_folder_of_somebody_else_is_refused() {
        let place = tempfile::tempdir().unwrap();
        for name in ["mine.txt", SUMS] {
            fs::write(place.path().join(name), "0  mine.txt\n").unwrap();
            let error = SiteFolder::open(place.path()).unwrap_err().to_string();
            assert!(error.contains("no site of qassay"), "{error}");
        }
        assert!(place.path().join("mine.txt").is_file());
    }

    /// Neither what a list names nor what a link means is touched outside of the folder.
    #[test]
    #[cfg(unix)]
    fn nothing_outside_of_the_folder_is_touched() {
        let place = tempfile::tempdir().unwrap();
        let (root, other) = (place.path().join("site"), place.path().join("other"));
        fs::create_dir(&other).unwrap();
        fs::write(other.join("a.html"), "mine").unwrap();
        write(&root, &[("a.html", "a")]);
        let list = format!("{FIRST_LINE}../other/a.html\nlinked/a.html\n");
        fs::write(root.join(WRITTEN), list).unwrap();
        std::os::unix::fs::symlink(&other, root.join("linked")).unwrap();
        let folder = SiteFolder::open(&root).unwrap();
        let error = folder.put("linked/a.html", b"ours").unwrap_err().to_string();
        assert!(error.contains("this is a link"), "{error}");
        assert!(folder.finish(|_| Ok(None)).unwrap_err().to_string().contains("this is a link"));
        assert_eq!(fs::read_to_string(other.join("a.html")).unwrap(), "mine");
    }
}
