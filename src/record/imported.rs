//! A record that is taken into an archive: which of its own records go there, and how those must say it there.

use std::collections::BTreeSet;
use std::path::Path;

use crate::base::error::{Error, Result};
use crate::base::text;
use crate::base::vocab::{dct, prov, qassay, schema};
use crate::record::archived::names::{SYSTEM, SharedNames};
use crate::record::archived::{Archived, RegisteredGraph};
use crate::record::publish::graphs::EvaluationGraphs;
use crate::record::publish::provenance::{self, ToldGraphs};
use crate::record::systems;
use crate::record::verify::execution::RecordedExecution;
use crate::sources::archive::hashing::read_file;
use crate::sources::archive::{CONTENTS, RECORD_KINDS, StoredGraph, VOCABULARY, digest_graph};

/// What is to be done to take a record into an archive.
#[derive(Debug, Default)]
pub struct ImportPlan {
    /// The records to write, in the order in which they are written: kind, key, content.
    pub records: Vec<(String, String, Vec<u8>)>,
    /// The graphs that are written for that: what each is about, and its content.
    pub graphs: Vec<(String, Vec<u8>)>,
    /// The names of the graphs that these replace.
    pub replaced: BTreeSet<String>,
    /// How many of the records are there already.
    pub known: usize,
    /// The records that say something else there.
    pub conflicts: Vec<String>,
}

/// Plans to take all records of an archive into another one. Vocabularies stay: every program has its own.
///
/// # Errors
/// Where a record or a graph cannot be read.
pub fn planned(from: &Archived, into: &Archived) -> Result<ImportPlan> {
    let mut plan = ImportPlan::default();
    let is_vocabulary = |graph: &&RegisteredGraph| from.archive.mint().is_ontology_graph(&graph.name);
    let of_vocabulary: BTreeSet<&String> =
        from.graphs.iter().filter(is_vocabulary).filter_map(|graph| graph.contents.as_ref()).collect();
    for kind in RECORD_KINDS.into_iter().filter(|kind| !["archive", VOCABULARY].contains(kind)) {
        for path in from.archive.records_of(kind)? {
            let key = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if kind == CONTENTS && of_vocabulary.contains(&key) {
                continue;
            }
            let content = read_file(&path).map_err(|error| Error::io("read the record", &path, &error))?;
            plan.record(from, into, (kind, &key), content)?;
        }
    }
    Ok(plan)
}

impl ImportPlan {
    fn record(
        &mut self,
        from: &Archived,
        into: &Archived,
        (kind, key): (&str, &str),
        content: Vec<u8>,
    ) -> Result<()> {
        let place = into.archive.record(kind, key);
        let there = read_file(&place).ok();
        if there.as_ref() == Some(&content) {
            self.known += 1;
            return Ok(());
        }
        match (kind, there) {
            ("execution", there) => self.execution(from, into, key, (content, there)),
            (_, None) => {
                self.records.push((kind.to_owned(), key.to_owned(), content));
                Ok(())
            }
            ("submission", Some(there)) => self.submission(from, into, key, (&content, &there)),
            // How long somebody was asked is no part of what was answered.
            ("answers", Some(_)) => {
                self.known += 1;
                Ok(())
            }
            (_, Some(_)) => {
                self.conflict(&place);
                Ok(())
            }
        }
    }

    fn conflict(&mut self, place: &Path) {
        self.conflicts.push(format!("{} says something else than the record to import", text::path(place)));
    }

    /// The same bytes under another name: from then on both share them.
    fn submission(
        &mut self,
        from: &Archived,
        into: &Archived,
        sha256: &str,
        (content, there): (&[u8], &[u8]),
    ) -> Result<()> {
        let names = [from, into].map(|archived| SharedNames::of(&archived.archive, sha256));
        let [Some(new), Some(known)] = [names[0].clone()?, names[1].clone()?] else {
            self.conflict(&into.archive.record("submission", sha256));
            return Ok(());
        };
        if without_name(content) != without_name(there) || new.first == known.first {
            self.conflict(&into.archive.record("submission", sha256));
            return Ok(());
        }
        self.known += 1;
        let key = systems::key(sha256, &new.first);
        if !known.others.contains(&new.first) {
            let mut bytes = Vec::new();
            let mut lines = systems::record(into.archive.mint(), sha256, &new.first);
            lines.write_to(&mut bytes).map_err(|error| Error::system(error.to_string()))?;
            self.records.push((SYSTEM.to_owned(), key, bytes));
        }
        Ok(())
    }

    /// An execution: where the evaluation is there already, it reproduces what another one has generated.
    fn execution(
        &mut self,
        from: &Archived,
        into: &Archived,
        key: &str,
        (content, there): (Vec<u8>, Option<Vec<u8>>),
    ) -> Result<()> {
        let iri = into.archive.mint().execution(key);
        let of = |archived: &Archived| {
            let mut all = archived.evaluations.iter();
            all.find(|one| one.digests.iter().any(|(execution, _)| *execution == iri))
                .map(|one| one.iri.clone())
        };
        let evaluation = of(from).unwrap_or_default();
        let is_known = into.evaluations.iter().any(|one| one.iri == evaluation);
        let again = if is_known && into.archive.mint().model().reproduces() {
            reproducing(from, &evaluation, key)?
        } else {
            None
        };
        let (content, graph) = again.map_or((content, None), |(content, graph)| (content, Some(graph)));
        if graph.is_some() {
            self.replaced.insert(into.archive.mint().provenance_graph(key));
        }
        match there {
            Some(there) if there == content => self.known += 1,
            Some(_) => self.conflict(&into.archive.record("execution", key)),
            None => {
                self.graphs.extend(graph.map(|graph| (iri, graph)));
                self.records.push(("execution".to_owned(), key.to_owned(), content));
            }
        }
        Ok(())
    }
}

/// What a record of a submission says beside the name of the system.
fn without_name(record: &[u8]) -> BTreeSet<String> {
    let named = [dct::TITLE, schema::NAME, prov::SPECIALIZATION_OF].map(|property| format!(" <{property}> "));
    let text = String::from_utf8_lossy(record);
    let of_name =
        |line: &&str| line.contains("/system/") || named.iter().any(|property| line.contains(property));
    text.lines().filter(|line| !of_name(line)).map(str::to_owned).collect()
}

/// The record and the provenance of an execution that generated an evaluation, where another one did that before: it
/// reproduced it. Nothing where it says so already.
fn reproducing(from: &Archived, evaluation: &str, key: &str) -> Result<Option<(Vec<u8>, Vec<u8>)>> {
    let mint = from.archive.mint();
    let execution = mint.execution(key);
    let registered = from.graph(&mint.provenance_graph(key))?;
    let content = from.archive.graph(&registered.sha256).content()?;
    let text = String::from_utf8_lossy(&content);
    let (generated, by) = (
        format!("<{execution}> <{}> ", prov::GENERATED),
        format!(" <{}> <{execution}> ", prov::WAS_GENERATED_BY),
    );
    if !text.contains(&generated) {
        return Ok(None);
    }
    let reproduced = format!("<{execution}> <{}> ", qassay::REPRODUCED);
    let lines = text.lines().filter(|line| !line.contains(&by));
    let lines: BTreeSet<String> =
        lines.map(|line| line.replacen(&generated, &reproduced, 1) + "\n").collect();
    let graph: Vec<u8> = lines.iter().flat_map(|line| line.bytes()).collect();
    let about = |out: &mut dyn std::io::Write| out.write_all(&graph).map(|()| lines.len() as u64);
    let provenance = digest_graph(&execution, about)?;
    let stored = |name: &str| from.graph(name).map(RegisteredGraph::stored);
    let digest = evaluation.rsplit('/').next().unwrap_or_default();
    let graphs =
        EvaluationGraphs::try_new(mint, |kind| -> Result<StoredGraph> { stored(&kind.graph(mint, digest)) })?;
    let told = ToldGraphs { provenance, messages: stored(&mint.messages_graph(key)).ok() };
    let said = RecordedExecution::read(&execution, &*graph)?;
    let mut record =
        provenance::record(mint, (digest, key), (&graphs, &told), &said.build.name(), &said.cast);
    let mut bytes = Vec::new();
    record.write_to(&mut bytes).map_err(|error| Error::system(error.to_string()))?;
    Ok(Some((bytes, graph)))
}
