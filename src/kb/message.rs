//! What the program and its worker processes say to each other: one line of JSON a message.

use std::io::{BufRead, Write};
use std::path::PathBuf;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::base::error::{Error, Result};
use crate::kb::ask::Limits;
use crate::kb::dump::Dump;
use crate::kb::outcome::{Cause, Outcome};
use crate::kb::results;

/// The first line to a worker: what it loads, and how much a query may use.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Start {
    pub(crate) files: Vec<DumpFile>,
    /// The folder of a store that has these files already.
    pub(crate) store: Option<PathBuf>,
    pub(crate) limits: Limits,
}

/// A file that a worker loads.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct DumpFile {
    path: PathBuf,
    name: String,
    media_type: String,
    skip_malformed: bool,
}

/// A query to a worker.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct QueryMessage {
    pub(crate) query: String,
}

/// A line from a worker.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum WorkerReply {
    /// It has loaded all.
    Ready,
    /// It cannot load the files, or read its store any more.
    Broken(String),
    /// What came of a query.
    Outcome {
        name: String,
        /// The results, or why there are none.
        text: String,
        /// Whether the worker ends now: it cannot stop what it does.
        last: bool,
    },
}

impl Start {
    pub(crate) fn new(dumps: &[Dump], store: Option<PathBuf>, limits: &Limits) -> Self {
        let file = |dump: &Dump| DumpFile {
            path: dump.path.clone(),
            name: dump.name.clone(),
            media_type: dump.format.media_type().to_owned(),
            skip_malformed: dump.skip_malformed,
        };
        Self { files: dumps.iter().map(file).collect(), store, limits: limits.clone() }
    }

    pub(crate) fn dumps(&self) -> Result<Vec<Dump>> {
        let dump = |file: &DumpFile| {
            let format = oxigraph::io::RdfFormat::from_media_type(&file.media_type);
            let format = format.ok_or_else(|| {
                Error::input(format!("`{}` is no media type of RDF", file.media_type)).in_file(&file.name)
            })?;
            let (path, name) = (file.path.clone(), file.name.clone());
            Ok(Dump { path, name, format, skip_malformed: file.skip_malformed })
        };
        self.files.iter().map(dump).collect()
    }
}

impl WorkerReply {
    pub(crate) fn of(outcome: &Outcome, last: bool) -> Self {
        let text = match outcome {
            Outcome::Answered(answers) => results::write(answers),
            Outcome::Failed(failure) => failure.message.clone(),
        };
        Self::Outcome { name: outcome.name().to_owned(), text, last }
    }
}

/// The outcome that a reply tells.
pub(crate) fn outcome(name: &str, text: String) -> Result<Outcome> {
    match Cause::named(name) {
        Some(cause) => Ok(Outcome::failed(cause, text)),
        None => results::read(&text).map(Outcome::Answered),
    }
}

/// Writes a message as a line.
pub(crate) fn write(out: &mut (impl Write + ?Sized), message: &impl Serialize) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    out.write_all(&line)?;
    out.flush()
}

/// Reads the next line; nothing at the end.
pub(crate) fn read<T: DeserializeOwned>(input: &mut dyn BufRead) -> std::io::Result<Option<T>> {
    let mut line = String::new();
    if input.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    Ok(Some(serde_json::from_str(&line)?))
}
