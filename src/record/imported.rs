//! A record, or another archive, that is taken into an archive: which of its own records go there, and how those must say it there.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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

/// Who is right where two archives describe the same thing otherwise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Precedence {
    /// The archive that takes: what it has stays, and what contradicts it is refused.
    #[default]
    Known,
    /// Neither: what comes of it does not depend on which of them takes. The first name of a submission is the first one in
    /// order, the execution that generated an evaluation is the one that began first, and of two descriptions of the same
    /// bytes the one that says more stays.
    Equal,
}

/// The kinds of records that describe bytes, which others may have under another name or have asked for at another time.
const DESCRIPTIONS: [&str; 13] = [
    "dataset",
    "links",
    "labels",
    "classes",
    "types",
    "question-types",
    "assessments",
    "profiles",
    "answers",
    "gold",
    "executed",
    "groups",
    "comparison",
];

/// Whether two records of a kind that say something else of the same can be united: what comes of it may take the place of both.
pub(crate) fn can_be_united(kind: &str) -> bool {
    ["submission", "execution"].contains(&kind) || DESCRIPTIONS.contains(&kind)
}

/// What is to be done to take a record into an archive.
#[derive(Debug, Default)]
pub struct ImportPlan {
    precedence: Precedence,
    /// The records of systems that are the first ones of their submissions, by their keys.
    firsts: BTreeSet<String>,
    /// The records to write, in the order in which they are written: kind, key, content.
    pub records: Vec<(String, String, Vec<u8>)>,
    /// The graphs that are written for that: what each is about, and its content.
    pub graphs: Vec<(String, Vec<u8>)>,
    /// The names of the graphs that these replace.
    pub replaced: BTreeSet<String>,
    /// The graphs that no record of the archive names when these are written, by their checksums.
    pub left: BTreeSet<String>,
    /// The records that are no longer needed when these are written.
    pub needless: Vec<PathBuf>,
    /// How many of the records are there already.
    pub known: usize,
    /// What people should know of what is the same in part.
    pub notes: Vec<String>,
    /// The records that say something else there.
    pub conflicts: Vec<String>,
}

/// Plans to take all records of an archive into another one. Vocabularies stay: every program has its own.
///
/// # Errors
/// Where a record or a graph cannot be read.
pub fn planned(from: &Archived, into: &Archived, precedence: Precedence) -> Result<ImportPlan> {
    let mut plan = ImportPlan { precedence, ..ImportPlan::default() };
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
            (SYSTEM, None) if self.firsts.contains(key) => {
                self.known += 1;
                Ok(())
            }
            (_, None) => {
                self.records.push((kind.to_owned(), key.to_owned(), content));
                Ok(())
            }
            ("submission", Some(there)) => self.submission(from, into, key, (&content, &there)),
            (kind, Some(there)) if self.precedence == Precedence::Equal && DESCRIPTIONS.contains(&kind) => {
                self.description(from, into, (kind, key), (content, there));
                Ok(())
            }
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

    /// Two descriptions of the same: the one that says more stays, then the first one in order.
    fn description(
        &mut self,
        from: &Archived,
        into: &Archived,
        (kind, key): (&str, &str),
        (content, there): (Vec<u8>, Vec<u8>),
    ) {
        let rank = |record: &[u8]| (Reverse(record.split(|byte| *byte == b'\n').count()), record.to_vec());
        let place = into.archive.record(kind, key);
        self.notes.push(format!("{} is described in two ways: one of them stays", text::path(&place)));
        if rank(&there) < rank(&content) {
            self.replaced.extend(named_in(from, &content).map(|graph| graph.name.clone()));
            self.known += 1;
            return;
        }
        let stays: BTreeSet<&str> = named_in(from, &content).map(|graph| graph.sha256.as_str()).collect();
        let gone = named_in(into, &there).map(|graph| &graph.sha256);
        self.left.extend(gone.filter(|sha256| !stays.contains(sha256.as_str())).cloned());
        self.records.push((kind.to_owned(), key.to_owned(), content));
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
        let comes_first = self.precedence == Precedence::Equal && new.first < known.first;
        let (first, other) =
            if comes_first { (&new.first, &known.first) } else { (&known.first, &new.first) };
        self.notes
            .push(format!("`{first}` and `{other}` share a submission: the same bytes, so the same values"));
        if !known.others.contains(other) {
            let key = systems::key(sha256, other);
            let mut bytes = Vec::new();
            let mut lines = systems::record(into.archive.mint(), sha256, other);
            lines.write_to(&mut bytes).map_err(|error| Error::system(error.to_string()))?;
            self.records.push((SYSTEM.to_owned(), key, bytes));
        }
        let own = systems::key(sha256, first);
        if comes_first {
            self.records.push(("submission".to_owned(), sha256.to_owned(), content.to_vec()));
            self.needless.push(into.archive.record(SYSTEM, &own));
        } else {
            self.known += 1;
        }
        if self.precedence == Precedence::Equal {
            self.firsts.insert(own);
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
        let winner = if is_known && self.precedence == Precedence::Equal {
            self.first_of_both(from, into, &evaluation, key)?
        } else {
            None
        };
        if winner.as_deref() == Some(key) && generated_by(from, &evaluation)?.as_deref() != Some(key) {
            // Here it generated the evaluation; there, somebody was said to have done it before.
            self.replaced.insert(into.archive.mint().provenance_graph(key));
            self.known += 1;
            return Ok(());
        }
        let is_first = winner.as_deref() == Some(key);
        let again = if is_known && !is_first && into.archive.mint().model().reproduces() {
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
            Some(_) if winner.is_none() => self.conflict(&into.archive.record("execution", key)),
            there => {
                if there.is_some() {
                    let name = into.archive.mint().provenance_graph(key);
                    self.left.insert(into.graph(&name)?.sha256.clone());
                }
                self.graphs.extend(graph.map(|graph| (iri, graph)));
                self.records.push(("execution".to_owned(), key.to_owned(), content));
            }
        }
        Ok(())
    }

    /// Which execution of either archive generated an evaluation that both have: the one that began first. Where it comes with
    /// this record, the one that is there reproduces it from then on.
    fn first_of_both(
        &mut self,
        from: &Archived,
        into: &Archived,
        evaluation: &str,
        key: &str,
    ) -> Result<Option<String>> {
        let [new, known] = [generated_by(from, evaluation)?, generated_by(into, evaluation)?];
        let (Some(new), Some(known)) = (&new, &known) else { return Ok(new.or(known)) };
        if began(into, known)? <= began(from, new)? {
            return Ok(Some(known.clone()));
        }
        let mint = into.archive.mint();
        if new == key
            && !from.archive.record("execution", known).exists()
            && let Some((content, graph)) = reproducing(into, evaluation, known)?
        {
            self.left.insert(into.graph(&mint.provenance_graph(known))?.sha256.clone());
            self.graphs.push((mint.execution(known), graph));
            self.records.push(("execution".to_owned(), known.clone(), content));
        }
        Ok(Some(new.clone()))
    }
}

/// The graphs that a record names.
fn named_in<'a>(archived: &'a Archived, record: &[u8]) -> impl Iterator<Item = &'a RegisteredGraph> {
    let text = String::from_utf8_lossy(record).into_owned();
    archived.graphs.iter().filter(move |graph| text.contains(&format!("<{}>", graph.name)))
}

/// The key of the execution that generated an evaluation of an archive; none where all that are there reproduced it.
fn generated_by(archived: &Archived, evaluation: &str) -> Result<Option<String>> {
    let one = archived.evaluations.iter().find(|one| one.iri == evaluation);
    for (execution, _) in one.into_iter().flat_map(|one| &one.digests) {
        let key = execution.rsplit('/').next().unwrap_or_default();
        if reproducing(archived, evaluation, key)?.is_some() {
            return Ok(Some(key.to_owned()));
        }
    }
    Ok(None)
}

/// When an execution of an archive began, as written; two that began at once are told apart by their keys.
fn began(archived: &Archived, key: &str) -> Result<(String, String)> {
    let mint = archived.archive.mint();
    let graph = archived.archive.graph(&archived.graph(&mint.provenance_graph(key))?.sha256).content()?;
    Ok((RecordedExecution::read(&mint.execution(key), &*graph)?.started, key.to_owned()))
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
