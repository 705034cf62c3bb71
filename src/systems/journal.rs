//! The exchanges of a run while it runs: a file that grows by a try at a time. Whoever ends the program leaves what has
//! ended before.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Seek as _, SeekFrom, Write as _};
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
    /// Opens a file of exchanges, or makes one; hands on what it holds. What was cut off at its end is taken away. While it is
    /// open nobody else can open it.
    ///
    /// # Errors
    /// Where it cannot be read or written, is none, or another program writes into it.
    pub fn open(path: &Path, each: &mut dyn FnMut(Exchanged)) -> Result<Self> {
        let cannot = |error: io::Error| Error::io("write the exchanges", path, &error);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(cannot)?;
        }
        let opened = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path);
        let mut file = opened.map_err(cannot)?;
        file.try_lock().map_err(|_| {
            Error::input("another program asks these questions at this moment")
                .in_file(path.display().to_string())
        })?;
        let whole = warc::read(&mut BufReader::new(&file), each);
        let whole = whole.map_err(|error| error.in_file(path.display().to_string()))?;
        file.set_len(whole).map_err(cannot)?;
        file.seek(SeekFrom::End(0)).map_err(cannot)?;
        Ok(Self { path: path.to_path_buf(), file: Mutex::new(file) })
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
        warc::read(&mut BufReader::new(&*file), each)
            .map_err(|error| error.in_file(self.path.display().to_string()))?;
        file.seek(SeekFrom::End(0)).map(drop).map_err(cannot)
    }

    /// Ends it: the file is whole, and safe from the end of the machine too.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn end(self) -> Result<PathBuf> {
        let file = self.file.into_inner().unwrap_or_else(PoisonError::into_inner);
        file.sync_all().map_err(|error| Error::io("write the exchanges", &self.path, &error))?;
        Ok(self.path)
    }
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
        let is_under_way = file.try_lock_shared().is_err();
        let mut run = Self { path: path.to_path_buf(), is_under_way, ..Self::default() };
        let read = warc::read(&mut BufReader::new(&file), &mut |one| {
            let Exchanged::Try(one) = one else { return };
            run.tries += 1;
            let address = || one.calls.first().map(|call| call.address.clone());
            run.address = run.address.take().or_else(address);
            run.last = one.calls.last().map(|call| call.sent_at.clone()).or(run.last.take());
        });
        read.map_err(|error| error.in_file(path.display().to_string()))?;
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
        assert_eq!(journal.end().unwrap(), path);
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }
}
