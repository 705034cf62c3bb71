//! Where published graphs and kept files are found: an archive with its records.

use std::io::BufReader;
use std::path::Path;

use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::base::vocab::{prov, qassay, spdx};
use crate::profiles::ontology::Facts;
use crate::sources::archive::Archive;
use crate::sources::archive::hashing::open_file;
use crate::sources::file::source::Source;

/// An archive whose records were read.
#[derive(Debug)]
pub struct KeptGraphs<'a> {
    archive: &'a Archive,
    pub(crate) mint: Mint,
    /// What the records say: names of systems and datasets, checksums of files and graphs.
    pub(crate) records: Facts,
}

impl<'a> KeptGraphs<'a> {
    /// Reads the records of an archive.
    pub fn open(archive: &'a Archive) -> Result<Self> {
        let mut records = Facts::default();
        for record in archive.records()? {
            add(&mut records, &record)?;
        }
        Ok(Self { archive, mint: archive.mint().clone(), records })
    }

    /// Adds the statements of a registered graph.
    pub(crate) fn add_graph(&self, facts: &mut Facts, name: &str) -> Result<()> {
        let sha256 = checksum(&self.records, name).ok_or_else(|| self.missing(name))?;
        add(facts, &self.archive.graph(sha256))
    }

    /// The scores, the matches and the provenance of an evaluation as one of its executions has them, and the IRI of the
    /// execution.
    pub(crate) fn evaluation(&self, evaluation: &str) -> Result<(Facts, String)> {
        let key = evaluation.rsplit('/').next().unwrap_or_default();
        let scores = if key.len() == 32 { self.mint.scores_graph(key) } else { String::default() };
        for path in self.archive.records_of("execution")? {
            let mut record = Facts::default();
            add(&mut record, &path)?;
            if checksum(&record, &scores).is_none() {
                continue;
            }
            let mut facts = Facts::default();
            for sha256 in record.subjects().filter_map(|graph| checksum(&record, graph)) {
                add(&mut facts, &self.archive.graph(sha256))?;
            }
            let is_of = |subject: &&str| facts.text(subject, qassay::EXECUTION_OF) == Some(evaluation);
            let execution = facts.subjects().find(is_of).map(str::to_owned);
            if let Some(execution) = execution {
                return Ok((facts, execution));
            }
        }
        Err(self.missing(evaluation))
    }

    /// A kept file, among the files as received or, where a knowledge base gave it, among the graphs.
    pub(crate) fn source(&self, sha256: &str) -> Result<Source> {
        let graph = self.archive.graph(sha256);
        Source::open(&if graph.is_file() { graph } else { self.archive.file(sha256) })
    }

    fn missing(&self, name: &str) -> Error {
        Error::check(format!("no record registers <{name}>"))
            .in_file(self.archive.root().display().to_string())
    }
}

/// The checksum that an execution has of what it used in a role; nothing where it used nothing so.
pub(crate) fn used_as<'a>(facts: &'a Facts, execution: &str, role: &str) -> Option<&'a str> {
    let mut usages = facts.texts(execution, prov::QUALIFIED_USAGE);
    let usage = usages.find(|usage| facts.codes(usage, prov::HAD_ROLE).any(|code| code == role))?;
    facts.text(usage, prov::ENTITY)?.rsplit('/').next()
}

fn checksum<'a>(records: &'a Facts, name: &str) -> Option<&'a str> {
    records.text(records.text(name, spdx::CHECKSUM)?, spdx::CHECKSUM_VALUE)
}

fn add(facts: &mut Facts, path: &Path) -> Result<()> {
    let file = open_file(path).map_err(|error| Error::io("open the graph", path, &error))?;
    let reader = BufReader::with_capacity(1 << 18, file);
    facts.add_nquads(reader).map_err(|error| error.in_file(path.display().to_string()))
}
