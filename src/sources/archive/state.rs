//! Large files are kept without reading them into memory; what a killed run had done so far is found again.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::base::error::{Error, Result};
use crate::sources::archive::hashing::hashed;
use crate::sources::archive::{Archive, Pending};

/// What the states of executions that are being kept end with.
const EXECUTION: &str = ".execution";

impl Archive {
    /// Keeps a file as received without reading it into memory; its bytes must have this checksum.
    pub fn keep_path(&self, from: &Path, sha256: &str) -> Result<()> {
        let path = self.file(sha256);
        if path.exists() {
            return Ok(());
        }
        let mut file = File::open(from).map_err(|e| Error::io("read the file", from, &e))?;
        let copied = hashed(Pending::create(&self.root)?, |out| io::copy(&mut file, out));
        let (_, found, pending) = copied.map_err(|e| Error::io("copy the file", from, &e))?;
        if found != sha256 {
            return Err(
                Error::input("the file changed while it was read").in_file(from.display().to_string())
            );
        }
        pending.rename(&path)
    }

    /// What a run that was killed had done so far, by a name of its choice.
    pub fn state(&self, name: &str) -> PathBuf {
        self.root.join("tmp").join(name)
    }

    /// Writes a state: it is there as a whole or not at all.
    pub fn keep_state(&self, name: &str, fill: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
        let path = self.state(name);
        let mut out = BufWriter::with_capacity(1 << 18, Pending::create(&self.root)?);
        fill(&mut out)?;
        let pending = out.into_inner().map_err(|e| Error::io("write", &path, e.error()))?;
        pending.rename(&path)
    }

    /// Says that an execution is being kept, by its key: until [`Self::end_execution`], what is there of it without a record is
    /// what a run that was killed has left.
    pub fn begin_execution(&self, key: &str) -> Result<()> {
        let path = self.state(&format!("{key}{EXECUTION}"));
        File::create(&path).map(drop).map_err(|error| Error::io("create the file", &path, &error))
    }

    /// The record of the execution is there.
    pub fn end_execution(&self, key: &str) -> Result<()> {
        self.drop_state(&format!("{key}{EXECUTION}"))
    }

    /// The keys of the executions that runs which were killed were keeping.
    pub fn interrupted_executions(&self) -> Vec<String> {
        let files = fs::read_dir(self.root.join("tmp")).into_iter().flatten().flatten();
        let names = files.filter_map(|file| file.file_name().into_string().ok());
        names.filter_map(|name| Some(name.strip_suffix(EXECUTION)?.to_owned())).collect()
    }

    /// Forgets a state.
    pub fn drop_state(&self, name: &str) -> Result<()> {
        match fs::remove_file(self.state(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Error::io("remove the file", &self.state(name), &error))
            }
            _ => Ok(()),
        }
    }
}
