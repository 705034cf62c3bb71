//! What Python gives: files by their names, files from memory, words of options.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use qassay::base::limits::{KB_QUERY_MEMORY, KB_QUERY_ROWS, KB_QUERY_TIME};
use qassay::kb::allowance::Allowance;
use qassay::kb::ask::Limits;
use qassay::sources::file::source::Source;
use qassay::workbench::run_request::{choices_of, gold_of, references_of};
use qassay::{Request, Result, SubmissionFile, Workbench};

/// A file: its path, or what the catalogue calls it; or a name and the bytes that it has.
#[derive(FromPyObject)]
pub(crate) enum Given {
    /// From memory.
    Bytes((String, PyBackedBytes)),
    /// On disk, or fetched.
    Word(PathBuf),
}

impl Given {
    /// The word that opens it, and the workbench that knows it.
    pub(crate) fn place(&self, bench: Workbench) -> Result<(PathBuf, Workbench)> {
        match self {
            Self::Word(path) => Ok((path.clone(), bench)),
            Self::Bytes((name, bytes)) => Ok(bench.given(Source::from_bytes(name, bytes.to_vec())?)),
        }
    }
}

/// Files of answers, and the workbench that knows them; a system that is named is called so.
pub(crate) fn submissions(
    answers: &[Given],
    systems: Vec<Option<String>>,
    mut bench: Workbench,
) -> Result<(Vec<SubmissionFile>, Workbench)> {
    let mut files = Vec::new();
    for (answers, system) in answers.iter().zip(systems) {
        let (path, knows) = answers.place(bench)?;
        bench = knows;
        files.push(SubmissionFile { path, system });
    }
    Ok((files, bench))
}

/// Where the archive is, and whether anything is kept there.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Place {
    archive: PathBuf,
    keeps: bool,
    base: Option<String>,
}

impl Place {
    pub(crate) fn bench(&self) -> Result<Workbench> {
        let bench = Workbench::new(&self.archive);
        let bench = match &self.base {
            Some(base) => bench.under_base(base)?,
            None => bench,
        };
        Ok(if self.keeps { bench } else { bench.keeping_nothing() })
    }
}

/// The options of `qassay evaluate` that decide numbers, by their names.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Words {
    profile: Vec<String>,
    gold_answers: Option<String>,
    kb: Vec<String>,
    references: BTreeMap<String, Vec<String>>,
    choices: BTreeMap<String, Vec<String>>,
    timeout: Option<u64>,
    max_rows: Option<u64>,
    memory: Option<u64>,
    jobs: Option<NonZeroUsize>,
}

impl Words {
    pub(crate) fn request(&self) -> Result<Request> {
        let time = self.timeout.map_or(KB_QUERY_TIME, Duration::from_secs);
        let memory = self.memory.map_or(KB_QUERY_MEMORY, |megabytes| megabytes << 20);
        let limits = Limits { time, rows: self.max_rows.unwrap_or(KB_QUERY_ROWS), memory };
        Ok(Request {
            gold: gold_of(self.gold_answers.as_deref())?,
            choices: Arc::new(choices_of(&self.choices)?),
            references: references_of(&self.references)?,
            kb: self.kb.clone(),
            allowance: Allowance { limits, jobs: self.jobs },
            ..Request::with_profiles(self.profile.iter().map(String::as_str))?
        })
    }
}
