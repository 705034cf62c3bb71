//! UPGRADE: an archive of the first version of the model becomes one of the second.
//!
//! Every evaluation is computed again from the kept inputs, as `verify` does it, and must have the numbers that were
//! recorded. Then its graphs are written by the second version, and all records are replaced at once. An evaluation that
//! cannot be computed again leaves the whole archive as it is: an archive has one version of the model.

pub(crate) mod described;
pub mod rebased;
pub(crate) mod rewritten;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use crate::base::checksum::is_checksum;
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::iri::Mint;
use crate::base::model::Model;
use crate::base::watch::{Steps, Watcher};
use crate::record::archived::names::SharedNames;
use crate::record::archived::{Archived, ArchivedEvaluation, RegisteredGraph};
use crate::record::keep::{self, Fill, KeptRecord};
use crate::record::publish::graphs::{EvaluationGraphs, write};
use crate::record::publish::kinds::GraphKind;
use crate::record::publish::provenance::{self, ToldGraphs};
use crate::record::upgrade::described::Records;
use crate::record::upgrade::rewritten::{restated, retold};
use crate::record::verify::execution::RecordedExecution;
use crate::record::verify::inputs::ArchivedInputs;
use crate::record::verify::reexecute::execution::{Now, Reproduced, execution};
use crate::scoring::evaluation::Evaluation;
use crate::scoring::groups::Grouping;
use crate::sources::archive::replace::NewRecords;
use crate::sources::archive::{StoredGraph, VOCABULARY, digest_graph};
use crate::sources::input::Input;

/// How much the graphs of a kind are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Amount {
    /// The number of graphs.
    pub graphs: u64,
    /// Their statements.
    pub statements: u64,
    /// The bytes of their N-Quads.
    pub bytes: u64,
}

/// What an upgrade has changed, or would change.
#[derive(Debug, Default)]
pub struct Upgraded {
    /// The version of the model that the archive had.
    pub from: Model,
    /// The evaluations.
    pub evaluations: usize,
    /// By kind of graph, such as `scores`: what there was, and what there is.
    pub kinds: BTreeMap<String, [Amount; 2]>,
    /// The records that were replaced.
    pub records: usize,
    /// The graphs that nothing names any longer and that were removed.
    pub cleared: usize,
    /// The graphs, in an archive of the newest version, whose records did not say what they hold.
    pub described: usize,
    /// The evaluations that cannot be upgraded, each with the reason: then nothing was changed.
    pub refused: Vec<Error>,
}

/// Upgrades an archive that nobody else writes into; with `is_dry`, only says what would come of it.
///
/// # Errors
/// Where an input is not here or a graph cannot be written; where the watcher no longer wants it. Then nothing was changed.
pub fn upgrade(archived: &Archived, is_dry: bool, watcher: &dyn Watcher) -> Result<Upgraded> {
    let archive = &archived.archive;
    let from = archive.mint().model();
    let evaluations = archived.evaluations.len();
    if from == Model::default() {
        // One that was killed at its end has left graphs.
        let cleared = if is_dry { 0 } else { archive.clear_replaced()? };
        let described = described::describe(archive, is_dry)?;
        return Ok(Upgraded { from, evaluations, cleared, described, ..Upgraded::default() });
    }
    let mut upgrading = Upgrading {
        archived,
        mint: archive.mint().clone().newest(),
        is_dry,
        made: Mutex::default(),
        records: Records::new(),
    };
    let computed = upgrading.all(watcher).and_then(|refused| Ok((upgrading.kinds()?, refused)));
    let is_refused = computed.as_ref().map_or(true, |(_, refused)| !refused.is_empty());
    if is_refused {
        upgrading.forget()?;
    }
    let (kinds, refused) = computed?;
    let records = upgrading.records.len();
    let done = Upgraded { from, evaluations, kinds, records, refused, ..Upgraded::default() };
    if is_refused || is_dry {
        return Ok(done);
    }
    let described = described::descriptions(archive, &upgrading.mint, &upgrading.records)?;
    let new = NewRecords::begin(archive)?;
    for ((kind, key), content) in upgrading.records.iter().chain(&described.records) {
        new.keep(kind, key, content)?;
    }
    new.replace(&upgrading.mint)?;
    Ok(Upgraded { cleared: archive.clear_replaced()?, ..done })
}

/// An upgrade on its way.
struct Upgrading<'a> {
    archived: &'a Archived,
    /// That of the new version.
    mint: Mint,
    is_dry: bool,
    /// The new graphs: checksum, statements, bytes, by their names.
    made: Mutex<BTreeMap<String, (StoredGraph, u64)>>,
    /// The new records, by kind and key.
    records: Records,
}

impl Upgrading<'_> {
    /// Everything; gives why evaluations cannot be upgraded.
    fn all(&mut self, watcher: &dyn Watcher) -> Result<Vec<Error>> {
        let archived = self.archived;
        let mut refused = Vec::new();
        let steps = Steps::new(watcher, "upgrading", archived.evaluations.len());
        for known in &archived.evaluations {
            watcher.check()?;
            match self.evaluation(known) {
                // A full disk says nothing about the evaluation.
                Err(error) if error.kind() == ErrorKind::System => return Err(error),
                Err(error) => refused.push(error.list([format!("in the evaluation <{}>", known.iri)])),
                Ok(()) => {}
            }
            steps.step();
        }
        drop(steps);
        if refused.is_empty() {
            self.others()?;
        }
        Ok(refused)
    }

    /// Writes a graph, or only its checksum.
    fn make(
        &self,
        (name, about): (&str, &str),
        fill: impl FnOnce(&mut dyn Write) -> io::Result<u64>,
    ) -> Result<StoredGraph> {
        let mut bytes = 0;
        let counted = |out: &mut dyn Write| {
            let mut out = CountedBytes { out, bytes: 0 };
            let statements = fill(&mut out)?;
            bytes = out.bytes;
            Ok(statements)
        };
        let stored = if self.is_dry {
            digest_graph(about, counted)?
        } else {
            self.archived.archive.keep_graph(about, counted)?
        };
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.insert(name.to_owned(), (stored.clone(), bytes));
        Ok(stored)
    }

    fn make_bytes(&self, name: (&str, &str), content: &[u8]) -> Result<StoredGraph> {
        let lines = content.split_inclusive(|byte| *byte == b'\n').count() as u64;
        self.make(name, |out| out.write_all(content).map(|()| lines))
    }

    fn record(&mut self, record: KeptRecord) {
        self.records.insert((record.kind.to_owned(), record.key), record.content);
    }

    /// An evaluation with its inputs and executions.
    fn evaluation(&mut self, known: &ArchivedEvaluation) -> Result<()> {
        let archived = self.archived;
        let old = archived.archive.mint();
        let inputs = ArchivedInputs::read(archived, known, old)?;
        let evaluation = inputs.evaluate(old, Grouping::Shown)?;
        same_numbers(archived, known, &evaluation)?;
        let mint = self.mint.clone();
        let digest = &evaluation.digest;
        let graphs = EvaluationGraphs::try_new(&mint, |kind| {
            self.make((&kind.graph(&mint, digest), &evaluation.iri), |out| {
                write(out, &mint, &evaluation, kind)
            })
        })?;
        if evaluation.groups().any(|group| !group.is_headline()) {
            let name = mint.groups_graph(digest);
            let fill = |out: &mut dyn Write| write(out, &mint, &evaluation, GraphKind::Groups);
            let groups = self.make((&name, &evaluation.iri), fill)?;
            let key = digest[..32].to_owned();
            let lines = provenance::groups_record(&mint, &key, &groups);
            self.record(KeptRecord::new("groups", key, lines));
        }
        let make = |name: (&str, &str), fill: Fill<'_>| self.make(name, fill);
        for record in inputs.records_made(&mint, &make)? {
            self.record(record);
        }
        self.executions(known, &evaluation, &graphs)
    }

    /// The executions of an evaluation, the first one first.
    fn executions(
        &mut self,
        known: &ArchivedEvaluation,
        evaluation: &Evaluation,
        graphs: &EvaluationGraphs,
    ) -> Result<()> {
        let mint = self.mint.clone();
        let mut recorded = Vec::new();
        for (iri, _) in &known.digests {
            let key = iri.rsplit('/').next().unwrap_or_default();
            let graph = self.archived.graph(&self.archived.archive.mint().provenance_graph(key))?;
            let file = self.archived.archive.graph(&graph.sha256);
            let content = file.content()?;
            let started = RecordedExecution::read(iri, &*content)?.started;
            recorded.push((started, iri, key, content));
        }
        recorded.sort();
        for (number, (_, iri, key, content)) in recorded.iter().enumerate() {
            // The names of an evaluation may have been made in another way once.
            let content = String::from_utf8_lossy(content).replace(&known.iri, &evaluation.iri);
            let told = retold(&mint, (content.as_bytes(), key), (evaluation, graphs), number == 0)?;
            let about = mint.execution(key);
            let messages = told.messages.as_ref();
            let messages = messages.map(|lines| self.make_bytes((&mint.messages_graph(key), &about), lines));
            let stored = ToldGraphs {
                provenance: self.make_bytes((&mint.provenance_graph(key), &about), &told.provenance)?,
                messages: messages.transpose()?,
            };
            let said = RecordedExecution::read(iri, &*told.provenance)?;
            let keys = (evaluation.digest.as_str(), *key);
            let lines = provenance::record(&mint, keys, (graphs, &stored), &said.build.name(), &said.cast);
            self.record(KeptRecord::new("execution", (*key).to_owned(), lines));
        }
        Ok(())
    }

    /// What no evaluation uses.
    fn others(&mut self) -> Result<()> {
        let archive = &self.archived.archive;
        for ((kind, key), content) in described::records(archive)? {
            let known = self.records.contains_key(&(kind.clone(), key.clone()));
            if known || ["archive", "groups", VOCABULARY].contains(&kind.as_str()) {
                continue;
            }
            let is_file = is_checksum(&key);
            let record = match kind.as_str() {
                "dataset" if is_file => Some(self.dataset(&key, &content)?),
                "submission" if is_file => self.submission(&key)?,
                _ => None,
            };
            let content = record.map_or_else(|| restated(&self.mint, &content), |one| Ok(one.content))?;
            self.records.insert((kind, key), content);
        }
        Ok(())
    }

    fn dataset(&self, sha256: &str, record: &[u8]) -> Result<KeptRecord> {
        let input = Input::dataset(self.archived.source(sha256)?, &self.mint)?;
        // Where only blind submissions are, the gold answers have no graph.
        let is_sealed = !String::from_utf8_lossy(record).contains("/graph/dataset/");
        keep::dataset_record(&self.mint, &input, is_sealed, &|name, fill| self.make(name, fill))
    }

    fn submission(&self, sha256: &str) -> Result<Option<KeptRecord>> {
        let Some(names) = SharedNames::of(&self.archived.archive, sha256)? else { return Ok(None) };
        let input = Input::submission(self.archived.source(sha256)?, Some(names.first.clone()), &self.mint)?;
        let make = |name: (&str, &str), fill: Fill<'_>| self.make(name, fill);
        keep::submission_record(&self.mint, &input, &make).map(Some)
    }

    /// What there was and what there is, by kind of graph.
    fn kinds(&self) -> Result<BTreeMap<String, [Amount; 2]>> {
        let mut kinds: BTreeMap<String, [Amount; 2]> = BTreeMap::new();
        let mut add = |name: &str, at: usize, statements: u64, bytes: u64| {
            let kind = name.split("/graph/").nth(1).and_then(|rest| rest.split('/').next());
            let amount = &mut kinds.entry(kind.unwrap_or_default().to_owned()).or_default()[at];
            amount.graphs += 1;
            amount.statements += statements;
            amount.bytes += bytes;
        };
        let made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        // The vocabulary is that of an export, which the program can write again.
        let is_own = |graph: &&RegisteredGraph| !self.mint.is_ontology_graph(&graph.name);
        for graph in self.archived.graphs.iter().filter(is_own) {
            let file = self.archived.archive.graph(&graph.sha256);
            let content = file.content()?;
            add(&graph.name, 0, graph.statements, content.len() as u64);
            // Graphs of links, answers and the like stay.
            if self.stays(&graph.name) && !made.contains_key(&graph.name) {
                add(&graph.name, 1, graph.statements, content.len() as u64);
            }
        }
        for (name, (graph, bytes)) in made.iter() {
            add(name, 1, graph.statements, *bytes);
        }
        Ok(kinds)
    }

    fn stays(&self, graph: &str) -> bool {
        let name = format!("<{graph}>");
        self.records.values().any(|record| String::from_utf8_lossy(record).contains(&name))
    }

    /// Removes the graphs that were made for nothing.
    fn forget(&self) -> Result<()> {
        if self.is_dry {
            return Ok(());
        }
        let archive = &self.archived.archive;
        let known: BTreeSet<&str> = self.archived.graphs.iter().map(|graph| graph.sha256.as_str()).collect();
        let made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let made: BTreeSet<&str> = made.values().map(|(graph, _)| graph.sha256.as_str()).collect();
        let files = made.difference(&known).map(|sha256| archive.graph(sha256));
        files
            .map(|file| file.path().to_path_buf())
            .filter(|path| path.is_file())
            .try_for_each(|path| archive.remove(&path))
    }
}

/// An error where an execution has recorded other numbers than are computed now.
fn same_numbers(archived: &Archived, known: &ArchivedEvaluation, evaluation: &Evaluation) -> Result<()> {
    let mint = archived.archive.mint();
    let now = Now { mint, evaluation, graphs: keep::digests(mint, evaluation)? };
    for recorded in &known.digests {
        let mut execution = execution(archived, known, recorded);
        execution.compare(archived, &known.iri, &now, None);
        if !matches!(execution.outcome, Reproduced::Same | Reproduced::SameNumbers) {
            return Err(Error::check("computed again it has other numbers").list(execution.problems()));
        }
    }
    Ok(())
}

/// Counts what is written.
struct CountedBytes<'w> {
    out: &'w mut dyn Write,
    bytes: u64,
}

impl Write for CountedBytes<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
