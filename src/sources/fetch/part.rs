//! A file that is not complete yet: `tmp/SHA256.part` in the archive.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use crate::base::error::{Error, Result};
use crate::sources::archive::Archive;
use crate::sources::archive::hashing::file_digest;
use crate::sources::catalogue::Entry;

/// What is here of a file.
#[derive(Debug)]
pub(crate) struct PartialFile<'a> {
    pub(crate) expected: Expected<'a>,
    /// Where the bytes come from, for messages.
    origin: String,
    path: PathBuf,
    file: File,
    /// The number of bytes.
    here: u64,
    /// Whether the first of them are from an interrupted run.
    is_continued: bool,
}

/// Why bytes stopped coming.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The sender is done.
    End,
    /// There are more than expected.
    TooMany,
    /// The sender broke off.
    Broken(io::Error),
}

impl<'a> PartialFile<'a> {
    /// Opens the part that an interrupted run left, or a new one.
    pub(crate) fn open(archive: &Archive, expected: Expected<'a>) -> Result<Self> {
        let path = archive.partial(expected.sha256);
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let file = file.map_err(|e| Error::io("create the file", &path, &e))?;
        let here = file.metadata().map_err(|e| Error::io("look at the file", &path, &e))?.len();
        let mut part = Self { expected, origin: String::new(), path, file, here, is_continued: here > 0 };
        if here > expected.bytes {
            part.start_again()?;
        }
        Ok(part)
    }

    /// Says where the bytes come from, for messages.
    pub(crate) fn comes_from(&mut self, origin: &str) {
        origin.clone_into(&mut self.origin);
    }

    /// The number of bytes that are here.
    pub(crate) fn here(&self) -> u64 {
        self.here
    }

    /// The number of bytes that are missing.
    pub(crate) fn missing(&self) -> u64 {
        self.expected.bytes - self.here
    }

    /// Whether the first bytes are from an interrupted run.
    pub(crate) fn is_continued(&self) -> bool {
        self.is_continued
    }

    /// Forgets what is here.
    pub(crate) fn start_again(&mut self) -> Result<()> {
        self.file.set_len(0).map_err(|e| Error::io("empty the file", &self.path, &e))?;
        (self.here, self.is_continued) = (0, false);
        Ok(())
    }

    /// Adds what arrives, never more than one byte too many.
    pub(crate) fn add(&mut self, mut from: impl Read, mut told: impl FnMut(u64)) -> Result<Stop> {
        self.file.seek(SeekFrom::Start(self.here)).map_err(|e| Error::io("write", &self.path, &e))?;
        let mut buffer = vec![0; 1 << 16];
        loop {
            let count = match from.read(&mut buffer) {
                Ok(0) => return Ok(Stop::End),
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Ok(Stop::Broken(error)),
            };
            if count as u64 > self.missing() {
                return Ok(Stop::TooMany);
            }
            self.file.write_all(&buffer[..count]).map_err(|e| Error::io("write", &self.path, &e))?;
            self.here += count as u64;
            told(self.here);
        }
    }

    /// Takes the whole file from memory.
    pub(crate) fn fill(&mut self, bytes: &[u8]) -> Result<()> {
        self.start_again()?;
        match self.add(bytes, |_| {})? {
            Stop::TooMany => Err(self.refuse("there are more bytes than expected")),
            _ => Ok(()),
        }
    }

    /// Whether the bytes that are here are the expected ones: else, what is wrong with them.
    pub(crate) fn check(&mut self) -> Result<Option<String>> {
        let Expected { bytes, sha256, .. } = self.expected;
        if self.here != bytes {
            return Ok(Some(format!("expected {bytes} bytes, found {}", self.here)));
        }
        self.file.flush().map_err(|e| Error::io("write", &self.path, &e))?;
        let found = file_digest(&self.path)?;
        let wrong = || format!("expected the sha256 checksum {sha256}, found {found}");
        Ok((found != sha256).then(wrong))
    }

    /// The error for bytes that are not those of the catalogue.
    pub(crate) fn wrong(&self, what: &str) -> Error {
        let error = Error::check(format!("{what}; nothing is kept")).in_file(self.expected.name);
        if self.origin.is_empty() { error } else { error.at(&self.origin) }
    }

    /// Removes the part if nothing is in it.
    pub(crate) fn tidy(&self) {
        if self.here == 0 {
            // It may be gone, and an empty file harms nobody.
            drop(fs::remove_file(&self.path));
        }
    }

    /// Removes the part, and says why.
    pub(crate) fn refuse(&self, what: &str) -> Error {
        let error = self.wrong(what);
        match fs::remove_file(&self.path) {
            Ok(()) => error,
            Err(io) => Error::io("remove the wrong file", &self.path, &io),
        }
    }

    /// Gives the file its place in the archive, if it is the expected one.
    pub(crate) fn keep(mut self, archive: &Archive) -> Result<()> {
        if let Some(wrong) = self.check()? {
            return Err(self.refuse(&wrong));
        }
        archive.keep_part(self.file, self.expected.sha256)
    }
}

/// What must arrive.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expected<'a> {
    pub(crate) name: &'a str,
    pub(crate) sha256: &'a str,
    pub(crate) bytes: u64,
}

impl<'a> Expected<'a> {
    /// What the catalogue says of a file; an error where nobody has it.
    pub(crate) fn of(entry: &'a Entry) -> Result<Self> {
        if let (true, Some(bytes)) = (entry.exists(), entry.bytes) {
            return Ok(Self { name: entry.name, sha256: entry.sha256, bytes });
        }
        let error = Error::input(format!("nobody can fetch `{}`: {}", entry.name, entry.absent));
        Err(if entry.instead.is_empty() {
            error.hint("nothing that we know replaces it")
        } else {
            error.hint(format!("`{}` replaces a part of it", entry.instead))
        })
    }
}
