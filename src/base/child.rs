//! A process of this program that works for another one: it hears on its input, says on its output, and ends with who
//! started it.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::thread::{self, JoinHandle};

use crate::base::error::{Error, Result};

/// Bytes of what a process says on standard error that are kept.
const MOST_SAID: u64 = 1 << 14;

/// The program, where it is not the one that runs.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Says where the program `qassay` of this version is: another program that uses this library says it once, before there is
/// work. What is said later changes nothing.
pub fn work_with(program: impl Into<PathBuf>) {
    PROGRAM.get_or_init(|| program.into());
}

/// The program whose processes do work: the one that was said, else the one that runs.
pub(crate) fn program() -> Result<PathBuf> {
    match PROGRAM.get() {
        Some(program) => Ok(program.clone()),
        None => std::env::current_exe()
            .map_err(|error| Error::system(format!("cannot find the program itself: {error}"))),
    }
}

/// The process. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct ChildProcess {
    child: Child,
    /// It lives as long as this is open.
    pub(crate) input: Option<ChildStdin>,
    said: Option<JoinHandle<String>>,
}

impl ChildProcess {
    /// Starts the program with these words; gives its output too.
    pub(crate) fn start(
        program: &Path,
        words: &[impl AsRef<OsStr>],
    ) -> io::Result<(Self, Option<ChildStdout>)> {
        let mut child = Command::new(program)
            .args(words)
            // What the allocator reserves counts as memory: 64 MiB at a time (in KiB) in place of a GiB.
            .env("MIMALLOC_ARENA_RESERVE", "65536")
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let said = thread::spawn(move || errors.map(listen).unwrap_or_default());
        Ok((Self { child, input, said: Some(said) }, output))
    }

    /// Ends the process; gives how it ended and what it said.
    pub(crate) fn end(&mut self) -> (ExitStatus, String) {
        self.input = None;
        // One that has ended already keeps its status.
        drop(self.child.kill());
        let status = self.child.wait().unwrap_or_default();
        let said = self.said.take().and_then(|said| said.join().ok());
        (status, said.unwrap_or_default())
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.end();
    }
}

/// Reads all, and keeps the beginning.
fn listen(mut errors: impl Read) -> String {
    let mut kept = Vec::new();
    // What it says no longer is nobody's loss.
    drop(errors.by_ref().take(MOST_SAID).read_to_end(&mut kept));
    drop(io::copy(&mut errors, &mut io::sink()));
    String::from_utf8_lossy(&kept).into_owned()
}
