//! Where published graphs and kept files are found: an archive with its records.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::base::rdf::wanted::{StatementFilter, wanted_lines};
use crate::base::vocab::{prov, qassay, spdx};
use crate::profiles::Profile;
use crate::profiles::choices::Choices;
use crate::profiles::ontology::Facts;
use crate::record::archived::executions::executed;
use crate::record::archived::{open_kept, profile, reference};
use crate::record::results::InputFile;
use crate::references::{ReferenceInput, ReferenceKind};
use crate::sources::archive::Archive;
use crate::sources::archive::hashing::read_file;
use crate::sources::document::Document;
use crate::sources::file::source::Source;
use crate::sources::format::{Format, read};

/// An archive whose records were read.
#[derive(Debug)]
pub struct KeptGraphs<'a> {
    archive: &'a Archive,
    pub(crate) mint: Mint,
    /// What the records say: names of systems and datasets, checksums of files and graphs.
    pub(crate) records: Facts,
    /// The records of executions by the key of their evaluation; they are looked through once.
    executions: OnceLock<BTreeMap<String, Vec<PathBuf>>>,
}

/// The dataset of a kept file, which several evaluations may be on.
#[derive(Debug, Clone)]
pub struct KeptDataset {
    /// What the reader made of it.
    pub(crate) document: Arc<Document>,
    /// Its format.
    pub(crate) format: &'static Format,
}

impl<'a> KeptGraphs<'a> {
    /// Reads the records of an archive.
    pub fn open(archive: &'a Archive) -> Result<Self> {
        let mut records = Facts::default();
        for record in archive.records()? {
            add(&mut records, &record)?;
        }
        Ok(Self { archive, mint: archive.mint().clone(), records, executions: OnceLock::new() })
    }

    /// The records of the executions of an evaluation, in order.
    fn executions(&self, key: &str) -> Result<&[PathBuf]> {
        if self.executions.get().is_none() {
            let mut all: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
            for path in self.archive.records_of("execution")? {
                let key = executed(&path)?;
                all.entry(key).or_default().push(path);
            }
            drop(self.executions.set(all));
        }
        Ok(self.executions.get().and_then(|all| all.get(key)).map_or(&[], Vec::as_slice))
    }

    /// Adds the wanted statements of a registered graph.
    pub(crate) fn add_graph(
        &self,
        facts: &mut Facts,
        name: &str,
        is_wanted: &StatementFilter<'_>,
    ) -> Result<()> {
        add_lines(facts, &self.graph(name)?, is_wanted)
    }

    /// A registered graph as it was published.
    pub(crate) fn graph(&self, name: &str) -> Result<Source> {
        let sha256 = checksum(&self.records, name).ok_or_else(|| self.missing(name))?;
        open_kept(&self.archive.graph(sha256), sha256)
    }

    /// The profile of an evaluation that refers to these files.
    pub(crate) fn profile(&self, iri: &str, references: &[(ReferenceKind, InputFile)]) -> Result<Profile> {
        let files = references.iter().filter(|(kind, _)| *kind == ReferenceKind::Profiles);
        profile(iri, files.map(|(_, file)| file.sha256.as_str()), |sha256| self.source(sha256))
    }

    /// A kept file of statements, read again as it was.
    pub(crate) fn reference(
        &self,
        kind: ReferenceKind,
        sha256: &str,
        choices: &Choices,
    ) -> Result<ReferenceInput> {
        reference(self.archive, kind, sha256, choices, &|sha256: &str| self.source(sha256))
    }

    /// The scores, the matches and the provenance of an evaluation as one of its executions has them, and the IRI of the
    /// execution. Only the wanted statements.
    pub(crate) fn evaluation(
        &self,
        evaluation: &str,
        is_wanted: &StatementFilter<'_>,
    ) -> Result<(Facts, String)> {
        let key = evaluation.rsplit('/').next().unwrap_or_default();
        let scores = if key.len() == 32 { self.mint.scores_graph(key) } else { String::default() };
        for path in self.executions(key)? {
            let mut record = Facts::default();
            add(&mut record, path)?;
            if checksum(&record, &scores).is_none() {
                continue;
            }
            let mut facts = Facts::default();
            for sha256 in record.subjects().filter_map(|graph| checksum(&record, graph)) {
                let graph = open_kept(&self.archive.graph(sha256), sha256)?;
                add_lines(&mut facts, &graph, is_wanted)?;
            }
            if checksum(&self.records, &self.mint.groups_graph(key)).is_some() {
                self.add_graph(&mut facts, &self.mint.groups_graph(key), is_wanted)?;
            }
            let is_of = |subject: &&str| facts.text(subject, qassay::EXECUTION_OF) == Some(evaluation);
            let execution = facts.subjects().find(is_of).map(str::to_owned);
            if let Some(execution) = execution {
                return Ok((facts, execution));
            }
        }
        Err(self.missing(evaluation))
    }

    /// A kept input.
    pub(crate) fn source(&self, sha256: &str) -> Result<Source> {
        open_kept(&self.archive.kept(sha256), sha256)
    }

    /// The dataset of a kept file.
    ///
    /// # Errors
    /// Where the file is not here, or cannot be read.
    pub fn dataset(&self, sha256: &str) -> Result<KeptDataset> {
        let (document, format) = read(&self.source(sha256)?)?;
        Ok(KeptDataset { document: document.into(), format })
    }

    fn missing(&self, name: &str) -> Error {
        Error::check(format!("no record registers <{name}>"))
            .in_file(self.archive.root().display().to_string())
    }
}

fn add_lines(facts: &mut Facts, graph: &Source, is_wanted: &StatementFilter<'_>) -> Result<()> {
    facts.add_nquads(&wanted_lines(graph.content(), is_wanted)).map_err(|error| error.in_file(graph.name()))
}

/// The checksum that an execution has of what it used in a role; nothing where it used nothing so.
pub(crate) fn used_as<'a>(facts: &'a Facts, execution: &str, role: &str) -> Option<&'a str> {
    let mut usages = facts.texts(execution, prov::QUALIFIED_USAGE);
    let usage = usages.find(|usage| facts.codes(usage, prov::HAD_ROLE).any(|code| code == role))?;
    facts.text(usage, prov::ENTITY)?.rsplit('/').next()
}

/// The checksum of the file of a graph, as records register it.
pub(crate) fn checksum<'a>(records: &'a Facts, name: &str) -> Option<&'a str> {
    records.text(records.text(name, spdx::CHECKSUM)?, spdx::CHECKSUM_VALUE)
}

fn add(facts: &mut Facts, path: &Path) -> Result<()> {
    let record = read_file(path).map_err(|error| Error::io("open the graph", path, &error))?;
    facts.add_nquads(&record).map_err(|error| error.in_file(path.display().to_string()))
}
