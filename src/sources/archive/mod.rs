//! The archive folder: files as received, graphs by checksum, records that make them exist.
//!
//! ```text
//! files/sha256/ab/abcd…           inputs, byte for byte as received
//! graphs/sha256/12/1234….nq.zst   published graphs in canonical N-Quads; small ones and those of before are not packed
//! records/KIND/KEY.nq             what exists: catalogue records, one file per thing
//! asking/PLAN.warc                exchanges with a live system that is being asked, or whose run was interrupted
//! tmp/                            what is being written
//! ```
//!
//! Every file is written to `tmp/`, synced and renamed. Inputs come first, then graphs, then records; the record of
//! an execution comes last and is what makes its evaluation exist. A killed run leaves files that no record
//! names; they are complete (their name is their checksum) and the next run uses them again.

pub mod cache;
pub mod contents;
pub mod hashing;
pub mod model;
pub mod passing;
pub mod replace;
pub mod state;
pub mod stored;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use crate::sources::archive::hashing::{hashed, hashed_graph, read_file};

use crate::base::checksum::is_checksum;
use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::base::rdf::contents::GraphContents;
use crate::base::rdf::lines::Lines;
use crate::base::text;
use crate::sources::file::source::Source;

/// An archive that is open for reading or writing.
#[derive(Debug)]
pub struct Archive {
    root: PathBuf,
    mint: Mint,
    /// Held shared by everyone who writes, so that only a lonely process clears `tmp/`.
    _lock: Option<File>,
}

/// The kind of the records of what graphs hold.
pub const CONTENTS: &str = "contents";

/// The kind of the records of publications.
pub const PUBLICATION: &str = "publication";

/// The kind of the records of the vocabulary, which exports have.
pub const VOCABULARY: &str = "vocabulary";

/// The kinds of records, each a folder.
pub const RECORD_KINDS: [&str; 24] = [
    "archive",
    // Written before all that name them, and removed after.
    CONTENTS,
    VOCABULARY,
    "dataset",
    "submission",
    "system",
    "links",
    "labels",
    "classes",
    "types",
    "question-types",
    "assessments",
    "profiles",
    "linkset",
    "kb",
    "answers",
    "gold",
    "executed",
    "blind",
    "asking",
    "execution",
    // Written after the execution, and removed before it.
    "groups",
    // Written after all that they compare, and removed before.
    "comparison",
    // Written after all that they publish, and removed before.
    PUBLICATION,
];

/// A process that is just being started holds the locks of who starts it until it is: so often, and after such a while, the lock is
/// asked for again.
const TRIES: u32 = 20;
const BETWEEN: Duration = Duration::from_millis(20);

/// A graph that was written: what its registry entry says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredGraph {
    /// The checksum of the canonical N-Quads.
    pub sha256: String,
    /// The number of statements.
    pub statements: u64,
    /// The key of what it holds, where that is told.
    pub contents: Option<String>,
}

impl Archive {
    /// Opens an archive to write into; creates it where it is missing, under the usual base.
    pub fn create(root: &Path) -> Result<Self> {
        Self::create_for(root, &Mint::default())
    }

    /// Opens an archive to write into; creates it where it is missing, and it then gets this version of the model and this base.
    pub fn create_for(root: &Path, new: &Mint) -> Result<Self> {
        if root.exists() && !root.is_dir() {
            return Err(Error::input("the archive must be a folder, and this is a file")
                .in_file(root.display().to_string()));
        }
        refuse_foreign(root)?;
        let archive = Self { root: root.to_path_buf(), mint: Mint::default(), _lock: None };
        // Before anything else is looked at or made: whoever replaces all records has the lock for himself.
        let unlocked = |error: Error| {
            error.hint("keep nothing with `⌥no-archive`, or name another archive with `⌥archive DIR`")
        };
        let (lock, lock_path) = archive.lock_file().map_err(unlocked)?;
        if lock.try_lock().is_ok() {
            Self::recover(root)?;
            archive.clear_temporary()?;
            lock.unlock().map_err(|e| Error::io("unlock", &lock_path, &e))?;
        }
        lock.lock_shared().map_err(|e| Error::io("lock", &lock_path, &e))?;
        let folders = ["files/sha256", "graphs/sha256"].map(|folder| root.join(folder)).into_iter();
        for folder in folders.chain(RECORD_KINDS.map(|kind| root.join("records").join(kind))) {
            fs::create_dir_all(&folder).map_err(|e| Error::io("create the folder", &folder, &e))?;
        }
        Ok(Self { mint: archive.state_model(new)?, _lock: Some(lock), ..archive })
    }

    /// Opens an archive to read from.
    pub fn open(root: &Path) -> Result<Self> {
        let archive = Self { root: root.to_path_buf(), mint: Mint::default(), _lock: None };
        if Self::is_being_replaced(root) {
            let (lock, path) = archive.lock_file()?;
            lock.lock().map_err(|e| Error::io("lock", &path, &e))?;
            Self::recover(root)?;
        }
        if !root.join("records").is_dir() {
            return Err(Error::input("there is no qassay archive here")
                .in_file(root.display().to_string())
                .hint("`qassay evaluate GOLD ANSWERS` makes one; `⌥archive DIR` names another"));
        }
        Ok(Self { mint: Self::mint_below(root)?, ..archive })
    }

    /// Opens an archive to take things out of it, while nobody writes into it.
    ///
    /// # Errors
    /// Where there is no archive, or somebody writes into it.
    pub fn open_alone(root: &Path) -> Result<Self> {
        Self::alone(root, TRIES)
    }

    /// The same, at once or not at all.
    pub(crate) fn open_alone_at_once(root: &Path) -> Result<Self> {
        Self::alone(root, 1)
    }

    fn alone(root: &Path, tries: u32) -> Result<Self> {
        let archive = Self::open(root)?;
        let (lock, _) = archive.lock_file()?;
        let is_alone = (0..tries).any(|turn| {
            thread::sleep(BETWEEN * u32::from(turn > 0));
            lock.try_lock().is_ok()
        });
        if !is_alone {
            return Err(Error::input("another program writes into the archive")
                .in_file(root.display().to_string())
                .hint("try again when it is done"));
        }
        archive.clear_temporary()?;
        // Whoever had it before may have rewritten the archive.
        Ok(Self { mint: Self::mint_below(root)?, _lock: Some(lock), ..archive })
    }

    /// The file that whoever writes into the archive locks, and where it is.
    fn lock_file(&self) -> Result<(File, PathBuf)> {
        let folder = self.root.join("tmp");
        fs::create_dir_all(&folder).map_err(|e| Error::io("create the folder", &folder, &e))?;
        let path = folder.join(".lock");
        // What somebody put there is neither followed nor emptied.
        if fs::symlink_metadata(&path).is_ok_and(|known| !known.is_file()) {
            return Err(
                Error::input("the lock of the archive is no file").in_file(path.display().to_string())
            );
        }
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        Ok((lock.map_err(|e| Error::io("create the lock", &path, &e))?, path))
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The path of one of its files from its folder on, with `/`.
    pub fn path_of(&self, file: &Path) -> String {
        text::slashed(file.strip_prefix(&self.root).unwrap_or(file))
    }

    /// What makes the IRIs of what it holds.
    pub fn mint(&self) -> &Mint {
        &self.mint
    }

    /// Where the bytes with this checksum are, if they are.
    pub fn file(&self, sha256: &str) -> PathBuf {
        Self::file_below(&self.root, sha256)
    }

    /// Where an archive in this folder has the bytes with this checksum, if it has them.
    pub fn file_below(root: &Path, sha256: &str) -> PathBuf {
        let sha256 = file_name(sha256);
        root.join("files/sha256").join(&sha256[..2]).join(sha256)
    }

    /// Where the exchanges with a system are while it is asked, by the plan of asking.
    pub fn asking(&self, plan: &str) -> PathBuf {
        self.root.join("asking").join(format!("{plan}.warc"))
    }

    /// The exchanges of all runs that are under way or were interrupted.
    ///
    /// # Errors
    /// Where the folder cannot be listed.
    pub fn askings(&self) -> Result<Vec<PathBuf>> {
        let mut all = list(&self.root.join("asking"))?;
        all.retain(|path| path.extension().is_some_and(|ending| ending == "warc"));
        Ok(all)
    }

    /// Where the record with this key is, if it is.
    pub fn record(&self, kind: &str, key: &str) -> PathBuf {
        self.root.join("records").join(kind).join(format!("{key}.nq"))
    }

    /// Keeps an input as received.
    pub fn keep_file(&self, source: &Source) -> Result<()> {
        let path = self.file(source.sha256());
        if self.kept_whole(source.sha256()) {
            return Ok(());
        }
        let pending = Pending::create(&self.root)?;
        let (_, sha256, pending) = source.with_bytes(|bytes| {
            hashed(pending, |out| io::copy(bytes, out)).map_err(|e| Error::io("write", &path, &e))
        })?;
        if sha256 != source.sha256() {
            return Err(Error::input("the file was changed while it was used").in_file(source.name()));
        }
        pending.rename(&path)
    }

    /// Where a download writes until it is complete. [`Archive::create`] leaves it there: it can be continued.
    pub fn partial(&self, sha256: &str) -> PathBuf {
        self.root.join("tmp").join(format!("{sha256}.part"))
    }

    /// Keeps other processes from downloading into this archive while the lock lives.
    pub fn lock_downloads(&self) -> Result<File> {
        self.lock_for(".downloads")
    }

    /// Keeps other processes from registering versions in this archive while the lock lives.
    pub fn lock_versions(&self) -> Result<File> {
        self.lock_for(".versions")
    }

    /// Keeps other processes from sending graphs of this archive to a server while the lock lives.
    pub fn lock_sending(&self) -> Result<File> {
        let folder = self.root.join("tmp");
        fs::create_dir_all(&folder).map_err(|e| Error::io("create the folder", &folder, &e))?;
        self.lock_for(".sending")
    }

    /// Keeps other processes from accepting blind submissions while the lock lives.
    pub fn lock_submissions(&self) -> Result<File> {
        self.lock_for(".submissions")
    }

    /// Keeps other processes from keeping executions while the lock lives.
    pub fn lock_executions(&self) -> Result<File> {
        self.lock_for(".executions")
    }

    fn lock_for(&self, name: &str) -> Result<File> {
        let path = self.root.join("tmp").join(name);
        let lock = File::create(&path).and_then(|file| file.lock().map(|()| file));
        lock.map_err(|e| Error::io("lock", &path, &e))
    }

    /// Keeps a download that is complete: its bytes must have been checked.
    pub fn keep_part(&self, part: File, sha256: &str) -> Result<()> {
        Pending { path: self.partial(sha256), file: Some(part) }.rename(&self.file(sha256))
    }

    /// Writes a record: from now on the things it describes exist.
    pub fn keep_record(&self, kind: &str, key: &str, lines: &mut Lines) -> Result<()> {
        let mut content = Vec::new();
        lines.write_to(&mut content).map_err(|e| Error::io("write", &self.record(kind, key), &e))?;
        self.keep_record_bytes(kind, key, &content)
    }

    /// The same with its canonical N-Quads.
    pub fn keep_record_bytes(&self, kind: &str, key: &str, content: &[u8]) -> Result<()> {
        let path = self.record(kind, key);
        if read_file(&path).is_ok_and(|known| known == content) {
            return Ok(());
        }
        let mut pending = Pending::create(&self.root)?;
        pending.write_all(content).map_err(|e| Error::io("write", &path, &e))?;
        pending.rename(&path)
    }

    /// Removes a file of the archive for good; see [`Self::open_alone`].
    pub fn remove(&self, path: &Path) -> Result<()> {
        fs::remove_file(path).map_err(|e| Error::io("remove the file", path, &e))?;
        path.parent().map_or(Ok(()), sync_folder)
    }

    /// The files of all records, in order.
    pub fn records(&self) -> Result<Vec<PathBuf>> {
        let all: Vec<Vec<PathBuf>> =
            RECORD_KINDS.into_iter().map(|kind| self.records_of(kind)).collect::<Result<_>>()?;
        Ok(all.concat())
    }

    /// The files of the records of a kind, in order.
    pub fn records_of(&self, kind: &str) -> Result<Vec<PathBuf>> {
        let mut files = list(&self.root.join("records").join(kind))?;
        files.retain(|path| path.extension().is_some_and(|ending| ending == "nq"));
        Ok(files)
    }

    /// All kept files and graphs, in order.
    pub fn contents(&self) -> Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for folder in ["files/sha256", "graphs/sha256"] {
            for prefix in list(&self.root.join(folder))? {
                files.extend(list(&prefix)?);
            }
        }
        Ok(files)
    }

    fn clear_temporary(&self) -> Result<()> {
        for path in list(&self.root.join("tmp"))? {
            if path.is_file() && path.file_name().and_then(|name| name.to_str()).is_some_and(is_pending) {
                fs::remove_file(&path).map_err(|e| Error::io("remove the unfinished file", &path, &e))?;
            }
        }
        Ok(())
    }
}

/// Refuses a folder that holds other things: an archive must not spread among them.
fn refuse_foreign(root: &Path) -> Result<()> {
    let own = ["files", "graphs", "records", "tmp"];
    let is_archive = own.iter().all(|name| root.join(name).is_dir()) && root.join("graphs/sha256").is_dir();
    // A run that was killed while it made the folders leaves some of them and nothing else.
    let is_own = |path: &PathBuf| path.file_name().and_then(|n| n.to_str()).is_some_and(|n| own.contains(&n));
    if is_archive || list(root)?.iter().all(is_own) {
        return Ok(());
    }
    Err(Error::input("this folder is no qassay archive and not empty")
        .in_file(root.display().to_string())
        .hint("name a new or an empty folder with `⌥archive DIR`, or keep nothing with `⌥no-archive`"))
}

/// Whether a file in `tmp/` is one that [`Pending`] made: `PROCESS-NUMBER`.
fn is_pending(name: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    name.split_once('-').is_some_and(|(process, number)| is_number(process) && is_number(number))
}

/// Writes a graph about something nowhere and gives its checksum: what [`Archive::keep_graph`] would give.
pub fn digest_graph(
    about: &str,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<u64>,
) -> Result<StoredGraph> {
    let (written, _) = hashed_graph(io::sink(), about, fill)
        .map_err(|e| Error::system(format!("cannot write the graph: {e}")))?;
    let contents = written.contents.as_ref().map(GraphContents::key);
    Ok(StoredGraph { sha256: written.sha256, statements: written.statements, contents })
}

/// A checksum as the name of a file; what is none names no file, wherever it would lead.
fn file_name(sha256: &str) -> &str {
    if is_checksum(sha256) { sha256 } else { "no-checksum" }
}

fn list(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::io("list the folder", folder, &error)),
    };
    let mut paths = entries
        .map(|entry| entry.map(|e| e.path()))
        .collect::<io::Result<Vec<_>>>()
        .map_err(|e| Error::io("list the folder", folder, &e))?;
    paths.sort_unstable();
    Ok(paths)
}

/// A file in `tmp/` that becomes visible when it is renamed, and vanishes when it is dropped.
struct Pending {
    path: PathBuf,
    file: Option<File>,
}

impl Pending {
    fn create(root: &Path) -> Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = root.join("tmp").join(format!("{}-{number}", std::process::id()));
        let file = File::create(&path).map_err(|e| Error::io("create the file", &path, &e))?;
        Ok(Self { path, file: Some(file) })
    }

    fn rename(mut self, to: &Path) -> Result<()> {
        let file = self.file.take().expect("a pending file is renamed once");
        file.sync_all().map_err(|e| Error::io("sync", &self.path, &e))?;
        drop(file);
        let folder = to.parent().expect("every place in the archive has a folder");
        fs::create_dir_all(folder).map_err(|e| Error::io("create the folder", folder, &e))?;
        fs::rename(&self.path, to).map_err(|e| Error::io("rename the finished file to", to, &e))?;
        sync_folder(folder)
    }
}

/// Makes a rename durable. Only Unix can open folders.
fn sync_folder(folder: &Path) -> Result<()> {
    if cfg!(unix) {
        File::open(folder)
            .and_then(|f| f.sync_all())
            .map_err(|e| Error::io("sync the folder", folder, &e))?;
    }
    Ok(())
}

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            // Best effort: the next run clears what stays.
            drop(fs::remove_file(&self.path));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_other_things_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::write(root.join("thesis.tex"), "important").unwrap();
        assert!(Archive::create(root).unwrap_err().to_string().contains("no qassay archive and not empty"));
        fs::remove_file(root.join("thesis.tex")).unwrap();
        fs::create_dir_all(root.join("tmp/sub")).unwrap();
        fs::write(root.join("tmp/notes.txt"), "important").unwrap();
        fs::write(root.join("tmp/123-4"), "unfinished").unwrap();
        drop(Archive::create(root).unwrap());
        assert!(root.join("tmp/notes.txt").exists() && root.join("tmp/sub").exists());
        assert!(!root.join("tmp/123-4").exists());
        fs::write(root.join("README"), "an archive may get one").unwrap();
        assert!(Archive::create(root).is_ok());
    }
}
