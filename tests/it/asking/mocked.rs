//! Mocks that run as programs of their own, and what asking them leaves behind.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::common::files_below;

/// A file of the example.
pub(crate) fn example(name: &str) -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("datasets/example").join(name).display().to_string()
}

/// A mock that runs as a program of its own. It ends with the test.
pub(crate) struct Mock {
    child: Child,
    pub(crate) address: String,
}

impl Mock {
    pub(crate) fn start(folder: &Path, words: &[&str]) -> Self {
        let child = Command::new(env!("CARGO_BIN_EXE_qassay"))
            .arg("mock")
            .args(words)
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        Self::of(child.expect("the program starts"))
    }

    /// A server that says first where it is.
    pub(crate) fn of(mut child: Child) -> Self {
        let mut address = String::new();
        let stdout = child.stdout.as_mut().expect("its output");
        BufReader::new(stdout).read_line(&mut address).expect("an address");
        Self { child, address: address.trim().to_owned() }
    }
}

impl Drop for Mock {
    fn drop(&mut self) {
        drop(self.child.kill().and_then(|()| self.child.wait()));
    }
}

/// How many tries the files of exchanges of runs that are under way hold.
pub(crate) fn tries(archive: &Path) -> usize {
    let files = fs::read_dir(archive.join("asking")).into_iter().flatten().flatten();
    let texts = files.map(|file| fs::read(file.path()).unwrap_or_default());
    texts.map(|text| String::from_utf8_lossy(&text).matches("WARC-Type: metadata").count()).sum()
}

/// Asks, and is killed when so many tries are kept. Whether it was killed.
pub(crate) fn killed(folder: &Path, words: &[String], after: usize) -> bool {
    let mut child = Command::new(env!("CARGO_BIN_EXE_qassay"))
        .args(words)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    while tries(&folder.join("qassay-archive")) < after {
        if child.try_wait().expect("a child").is_some() {
            return false;
        }
        thread::sleep(Duration::from_millis(5));
    }
    // SIGKILL
    child.kill().expect("killed");
    child.wait().expect("a child");
    true
}

/// The rows of questions of an experiment type, without what cannot be the same.
pub(crate) fn rows(evaluation: &Value) -> Vec<(String, String, String)> {
    let questions =
        evaluation["evaluations"][0]["experiments"]["QA"]["questions"].as_array().expect("questions");
    let row = |one: &Value| (one["id"].to_string(), one["status"].to_string(), one["f1"].to_string());
    questions.iter().map(row).collect()
}

/// The submission that asking left in an archive.
pub(crate) fn submission(archive: &Path) -> PathBuf {
    let files = archive.join("files/sha256");
    let below = files_below(&files).into_iter().map(|file| files.join(file));
    let mut found = below.filter(|file| {
        fs::read_to_string(file).is_ok_and(|text| text.starts_with('{') && text.contains("\"asked\":{"))
    });
    found.next().expect("a submission")
}

/// The file of exchanges below a folder.
pub(crate) fn kept_exchanges(folder: &Path) -> PathBuf {
    let below = files_below(folder).into_iter().map(|file| folder.join(file));
    let mut found = below.filter(|file| fs::read(file).is_ok_and(|text| text.starts_with(b"WARC/1.1")));
    found.next().expect("a file of exchanges")
}
