//! The exchanges of a run while it runs: a file that grows by a try at a time. Whoever ends the program leaves what has
//! ended before.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::base::clock;
use crate::base::error::{Error, Result};
use crate::systems::warc::{self, Exchanged, Try};

/// A file of exchanges that is written.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: Mutex<File>,
}

impl Journal {
    /// Opens a file of exchanges, or makes one; hands on what it holds. A try that was cut off at its end is taken away. While
    /// it is open nobody else can open it.
    ///
    /// # Errors
    /// Where it cannot be read or written, is damaged, or another program writes into it.
    pub fn open(path: &Path, each: &mut dyn FnMut(Exchanged)) -> Result<Self> {
        let cannot = |error: io::Error| Error::io("write the exchanges", path, &error);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(cannot)?;
        }
        let opened = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path);
        let mut file = opened.map_err(cannot)?;
        let busy = || {
            Error::input("another program asks these questions at this moment")
                .in_file(path.display().to_string())
        };
        file.try_lock().map_err(|_| busy())?;
        // Who had it before may have ended it, and removed the file, between opening and locking.
        if !is_still_at(&file, path) {
            return Err(busy());
        }
        let (whole, sound) = warc::read(&mut BufReader::new(&file), each);
        let mut tail = Vec::new();
        file.seek(SeekFrom::Start(whole)).map_err(cannot)?;
        file.read_to_end(&mut tail).map_err(cannot)?;
        if !is_cut_off(&tail) {
            let why = sound.err().map_or_else(String::new, |error| format!(": {error}"));
            return Err(Error::check(format!("the exchanges are damaged behind byte {whole}{why}"))
                .in_file(path.display().to_string())
                .hint("`⌥restart` puts the file aside as it is, and begins again"));
        }
        file.set_len(whole).map_err(cannot)?;
        file.seek(SeekFrom::End(0)).map_err(cannot)?;
        Ok(Self { path: path.to_path_buf(), file: Mutex::new(file) })
    }

    /// Hands on what a file holds that nobody is to write, as far as it is whole.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn look(path: &Path, each: &mut dyn FnMut(Exchanged)) -> Result<()> {
        let file = File::open(path).map_err(|error| Error::io("read the exchanges", path, &error))?;
        let (_, sound) = warc::read(&mut BufReader::new(file), each);
        sound.map_err(|error| error.in_file(path.display().to_string()))
    }

    /// Begins a run with these settings, each a name and a value.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn begin(&self, settings: &[(&str, String)]) -> Result<()> {
        let now = clock::now()?.date_time;
        self.write(|out| warc::write_run(out, &now, settings))
    }

    /// Adds a try. What it says survives the end of the program, however sudden.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn add(&self, one: &Try) -> Result<()> {
        self.write(|out| one.write(out))
    }

    /// Writes all at once.
    fn write(&self, content: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> Result<()> {
        let cannot = |error: io::Error| Error::io("write the exchanges", &self.path, &error);
        let mut bytes = Vec::new();
        content(&mut bytes).map_err(cannot)?;
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&bytes).map_err(cannot)
    }

    /// Hands on what it holds by now. It stays open all the time, so that nobody else comes between.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn read(&self, each: &mut dyn FnMut(Exchanged)) -> Result<()> {
        let cannot = |error: io::Error| Error::io("read the exchanges", &self.path, &error);
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.rewind().map_err(cannot)?;
        let (_, sound) = warc::read(&mut BufReader::new(&*file), each);
        sound.map_err(|error| error.in_file(self.path.display().to_string()))?;
        file.seek(SeekFrom::End(0)).map(drop).map_err(cannot)
    }

    /// Makes it safe from the end of the machine too; gives where it is. It stays open, so that nobody else begins to write
    /// while it is kept elsewhere.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn sync(&self) -> Result<&Path> {
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.sync_all().map_err(|error| Error::io("write the exchanges", &self.path, &error))?;
        Ok(&self.path)
    }

    /// Removes the file, and only then lets others begin.
    ///
    /// # Errors
    /// Where it cannot be removed.
    pub fn remove(self) -> Result<()> {
        std::fs::remove_file(&self.path).map_err(|error| Error::io("remove the file", &self.path, &error))
    }
}

/// Whether a file that was opened is the one that is called so now.
#[cfg(unix)]
fn is_still_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let same = |a: std::fs::Metadata, b: std::fs::Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
    file.metadata().and_then(|own| Ok(same(own, std::fs::metadata(path)?))).unwrap_or(false)
}

/// Whether a file that was opened is the one that is called so now: elsewhere an open file cannot be removed.
#[cfg(not(unix))]
fn is_still_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Whether what follows the last try is what a program leaves that was ended while it wrote the next one, or a machine that
/// lost power: nothing, zeros, or the beginning of records without the end of a try and more behind it.
fn is_cut_off(tail: &[u8]) -> bool {
    const RECORD: &[u8] = b"WARC/1.1\r\n";
    const END: &[u8] = b"WARC/1.1\r\nWARC-Type: metadata\r\n";
    let written = tail.len() - tail.iter().rev().take_while(|byte| **byte == 0).count();
    let tail = &tail[..written];
    let begins = tail.starts_with(RECORD) || RECORD.starts_with(tail);
    let end = memchr::memmem::find(tail, END);
    let goes_on = end.is_some_and(|at| memchr::memmem::find(&tail[at + END.len()..], RECORD).is_some());
    begins && !goes_on
}

/// A run whose exchanges still grow, or would: it is under way, or was interrupted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnfinishedRun {
    /// The file.
    pub path: PathBuf,
    /// Whether a program asks at this moment.
    pub is_under_way: bool,
    /// How many tries ended.
    pub tries: u64,
    /// The address of the first call.
    pub address: Option<String>,
    /// When the last call began.
    pub last: Option<String>,
}

impl UnfinishedRun {
    /// Reads what a file of exchanges holds so far, and changes nothing.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn read(path: &Path) -> Result<Self> {
        let cannot = |error: io::Error| Error::io("read the exchanges", path, &error);
        let file = File::open(path).map_err(cannot)?;
        let is_under_way = file.try_lock_shared().is_err() || file.unlock().is_err();
        let mut run = Self { path: path.to_path_buf(), is_under_way, ..Self::default() };
        // Of one that is damaged what can be read is told; whoever goes on with it is told the rest.
        let (_, _) = warc::read(&mut BufReader::new(&file), &mut |one| {
            let Exchanged::Try(one) = one else { return };
            run.tries += 1;
            let address = || one.calls.first().map(|call| call.address.clone());
            run.address = run.address.take().or_else(address);
            run.last = one.calls.last().map(|call| call.sent_at.clone()).or(run.last.take());
        });
        Ok(run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::failure_kind::FailureKind;
    use crate::systems::exchange::Call;
    use crate::systems::failure::AskFailure;
    use std::time::Duration;

    fn one(key: &str) -> Try {
        let call = Call {
            address: "http://a.example/".to_owned(),
            request: b"GET / HTTP/1.1\r\n\r\n".to_vec(),
            received: Err(AskFailure::new(FailureKind::Connection, "refused")),
            sent_at: "2026-11-23T07:00:00Z".to_owned(),
            took: Duration::from_millis(1),
        };
        Try::new(key, None, "?", 1, vec![call])
    }

    #[test]
    fn what_was_cut_off_is_taken_away_and_the_rest_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("asking/a.warc");
        let open = || {
            let mut known = Vec::new();
            let journal = Journal::open(&path, &mut |one| match one {
                Exchanged::Try(one) => known.push(one),
                Exchanged::Run(settings) => assert_eq!(settings, ["parallel=2"]),
            })?;
            Ok::<_, Error>((journal, known))
        };
        let (journal, known) = open().unwrap();
        assert!(known.is_empty());
        journal.begin(&[("parallel", "2".to_owned())]).unwrap();
        journal.add(&one("1")).unwrap();
        journal.add(&one("2")).unwrap();
        assert!(open().unwrap_err().to_string().contains("another program"));
        let run = UnfinishedRun::read(&path).unwrap();
        assert_eq!((run.is_under_way, run.tries), (true, 2));
        assert_eq!(run.address.as_deref(), Some("http://a.example/"));
        assert_eq!(run.last.as_deref(), Some("2026-11-23T07:00:00Z"));
        drop(journal);
        assert!(!UnfinishedRun::read(&path).unwrap().is_under_way);
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 10]).unwrap();
        let (journal, known) = open().unwrap();
        assert_eq!(known, [one("1")]);
        journal.add(&one("2")).unwrap();
        let mut number = 0;
        journal.read(&mut |_| number += 1).unwrap();
        assert_eq!(number, 3);
        assert_eq!(journal.sync().unwrap(), path);
        assert_eq!(std::fs::read(&path).unwrap(), whole);
        journal.remove().unwrap();
        assert!(!path.exists());
    }

    /// Nobody's answers are cut away because a byte in the middle is wrong.
    #[test]
    fn what_is_damaged_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc");
        let open = || Journal::open(&path, &mut |_| {});
        let journal = open().unwrap();
        for key in ["1", "2", "3"] {
            journal.add(&one(key)).unwrap();
        }
        drop(journal);
        let sound = std::fs::read(&path).unwrap();
        let text = String::from_utf8(sound.clone()).unwrap();
        let too_long = text.replacen("Content-Length: ", "Content-Length: 9999", 1);
        for damaged in [&too_long, &text.replace("\r\n", "\n"), "hello\n"] {
            std::fs::write(&path, damaged).unwrap();
            let told = open().unwrap_err().to_string();
            assert!(told.contains("damaged behind byte 0"), "{told}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), *damaged);
        }
        // A machine that lost power leaves zeros.
        std::fs::write(&path, [&sound[..], &[0; 5000]].concat()).unwrap();
        drop(open().unwrap());
        assert_eq!(std::fs::read(&path).unwrap(), sound);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_was_ended_meanwhile_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc");
        let opened = File::create(&path).unwrap();
        assert!(is_still_at(&opened, &path));
        std::fs::remove_file(&path).unwrap();
        assert!(!is_still_at(&opened, &path));
        std::fs::write(&path, "").unwrap();
        assert!(!is_still_at(&opened, &path));
    }
}
