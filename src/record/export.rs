//! Evaluations with exactly what they use, as an archive that can be published and verified.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use oxigraph::model::{GraphName, NamedOrBlankNode};
use sha2::{Digest as _, Sha256};

use crate::base::checksum::{hex, is_checksum};
use crate::base::error::{Error, Result};
use crate::base::rdf::contents::{ContentsCollector, GraphContents};
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{self, dct};
use crate::kb::answered_by::AnsweredBy;
use crate::kb::snapshot::AnswerSnapshot;
use crate::profiles::ontology_quads;
use crate::record::archived::comparisons::ArchivedComparison;
use crate::record::archived::names::SYSTEM;
use crate::record::archived::{Archived, ArchivedEvaluation, RegisteredGraph};
use crate::record::asking::ASKING;
use crate::record::comparison::kept::COMPARISON;
use crate::record::package::{Content, with_sums, write_folder, write_tar_gz};
use crate::record::publication::act::Publication;
use crate::record::publication::names::{is_name_iri, name_iri};
use crate::record::publish::catalogue::register;
use crate::references::ReferenceKind;
use crate::sources::archive::contents::{description_bytes, named_in};
use crate::sources::archive::stored::StoredFile;
use crate::sources::archive::{Archive, CONTENTS, PUBLICATION, StoredGraph, VOCABULARY};

/// The licence of the vocabulary, which the vocabulary states too: CC BY 4.0.
const LICENCE_OF_VOCABULARY: &str = "https://creativecommons.org/licenses/by/4.0/";

/// Writes evaluations of an archive into one of their own, with every comparison that compares nothing else, and the records
/// of publications that published nothing else: a new folder, or a packed file where the name ends with `.gz` or `.tgz`.
/// Gives the number of files beside the list of their checksums. Without inputs, nothing goes that quotes them.
///
/// # Errors
/// Where something is there already, or a file that is needed is not here.
pub fn export(
    archived: &Archived,
    chosen: &[&ArchivedEvaluation],
    out: &Path,
    with_inputs: bool,
) -> Result<usize> {
    let is_chosen = |iri: &String| chosen.iter().any(|evaluation| evaluation.iri == *iri);
    let compared = archived.comparisons.iter().filter(|one| one.evaluations.iter().all(is_chosen));
    let compared: Vec<&ArchivedComparison> = compared.collect();
    let mint = archived.archive.mint();
    let fate = |name: &str| {
        let is_own =
            matches!(mint.graph_kind(name), "scores" | "measures" | "groups" | "prov" | "comparison");
        if with_inputs || is_own || is_name_iri(name) { Fate::Goes } else { Fate::Stays }
    };
    let mut gathered = Exporter::new(archived)?.gather(chosen, &compared, &fate)?;
    let goes = |iri: &String| is_chosen(iri) || compared.iter().any(|one| one.iri == *iri);
    for publication in Publication::all(&archived.archive)? {
        if publication.members.iter().all(goes) {
            let record = StoredFile::new(archived.archive.record(PUBLICATION, &publication.key()));
            let name = format!("records/{PUBLICATION}/{}.nq", publication.key());
            gathered.files.insert(name, Content::File(record));
        }
    }
    let number = gathered.files.len();
    let files = with_sums(gathered.files)?;
    if out.extension().is_some_and(|ending| ending == "gz" || ending == "tgz") {
        write_tar_gz(out, &files)?;
    } else {
        write_folder(out, &files)?;
        // An archive has the folder for what is being written, so that it can grow.
        for folder in ["tmp", "files/sha256", "graphs/sha256", "records"].map(|name| out.join(name)) {
            fs::create_dir_all(&folder).map_err(|error| Error::io("create the folder", &folder, &error))?;
        }
    }
    Ok(number)
}

/// What becomes of a graph or a file, by its IRI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It goes.
    Goes,
    /// It stays, and its record goes.
    Stays,
    /// It stays with its record: an execution, or groups, of later.
    Later,
}

/// What goes out of an archive.
#[derive(Debug, Default)]
pub struct Gathered {
    /// The files, by their paths in what goes out.
    pub files: BTreeMap<String, Content>,
    /// The graphs that go, by their names: the path of each.
    pub graphs: BTreeMap<String, String>,
    /// The graphs and files that stay, by their IRIs: the path and the file of each.
    pub left_out: BTreeMap<String, (String, StoredFile)>,
}

/// A record of an archive, read once.
#[derive(Debug)]
struct ShelvedRecord {
    file: StoredFile,
    /// The name of its folder.
    kind: String,
    key: String,
    text: String,
    /// The checksums of the files that it names.
    files: BTreeSet<String>,
}

/// Takes things out of an archive: its records are read once, however much goes out.
#[derive(Debug)]
pub struct Exporter<'a> {
    archived: &'a Archived,
    records: Vec<ShelvedRecord>,
    graphs: BTreeMap<&'a str, &'a RegisteredGraph>,
    vocabulary: OnceCell<VocabularyFiles>,
}

/// The graph of the vocabulary with its records: paths and bytes.
#[derive(Debug, Clone)]
struct VocabularyFiles {
    name: String,
    path: PathBuf,
    others: Vec<(PathBuf, Vec<u8>)>,
    graph: Vec<u8>,
}

impl<'a> Exporter<'a> {
    /// Reads the records.
    ///
    /// # Errors
    /// Where one cannot be read.
    pub fn new(archived: &'a Archived) -> Result<Self> {
        let shelved = |path: PathBuf| {
            let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
            let kind = folder.to_string_lossy().into_owned();
            let file = StoredFile::new(path);
            let text = text(&file)?;
            Ok(ShelvedRecord { kind, key: file.sha256(), files: files_in(&text), text, file })
        };
        let records = archived.archive.records()?.into_iter().map(shelved).collect::<Result<_>>()?;
        let graphs = archived.graphs.iter().map(|graph| (graph.name.as_str(), graph)).collect();
        Ok(Self { archived, records, graphs, vocabulary: OnceCell::new() })
    }

    /// Evaluations and comparisons with all that they use, as far as it goes.
    ///
    /// # Errors
    /// Where a record cannot be read, or what goes is not here.
    pub fn gather(
        &self,
        evaluations: &[&ArchivedEvaluation],
        comparisons: &[&ArchivedComparison],
        fate: &dyn Fn(&str) -> Fate,
    ) -> Result<Gathered> {
        let archive = &self.archived.archive;
        let gathered = Gathered::default();
        let mut chest = Chest { exporter: self, archived: self.archived, fate, gathered };
        if archive.stated_in().is_file() {
            chest.keep(StoredFile::new(archive.stated_in()))?;
        }
        for evaluation in evaluations {
            chest.add(evaluation)?;
        }
        for comparison in comparisons {
            chest.add_comparison(comparison)?;
        }
        chest.add_vocabulary()?;
        Ok(chest.gathered)
    }

    /// The vocabulary as a registered graph, for those who read the archive without this program: the structures of the
    /// cubes, what measures and rules are. The program itself reads its own.
    fn vocabulary(&self) -> Result<&VocabularyFiles> {
        if self.vocabulary.get().is_none() {
            drop(self.vocabulary.set(vocabulary(&self.archived.archive)?));
        }
        Ok(self.vocabulary.get().expect("it was made"))
    }
}

fn vocabulary(archive: &Archive) -> Result<VocabularyFiles> {
    let mint = archive.mint();
    let (name, about) = (mint.ontology_graph(), vocab::qassay::NAMESPACE.trim_end_matches('#'));
    let mut lines = Lines::new(&name);
    for quad in ontology_quads(&GraphName::DefaultGraph) {
        if let NamedOrBlankNode::NamedNode(subject) = &quad.subject {
            lines.subject(subject.as_str()).term(quad.predicate.as_str(), &quad.object);
        }
    }
    let graph = written(&mut lines)?;
    let collected = ContentsCollector::new(about).read(graph.as_slice());
    let (statements, contents) = collected.map_err(|error| Error::system(error.to_string()))?;
    let contents = contents.filter(|_| mint.model().tells_contents());
    let key = contents.as_ref().map(GraphContents::key);
    let sha256 = hex(&Sha256::digest(&graph));
    let mut lines = Lines::new(&mint.catalogue_graph());
    let stored = StoredGraph { sha256: sha256.clone(), statements, contents: key.clone() };
    register(&mut lines, mint, &name, about, &stored);
    lines.subject(&name).iri(dct::LICENSE, LICENCE_OF_VOCABULARY);
    let mut others = vec![(archive.record(VOCABULARY, &sha256), written(&mut lines)?)];
    if let Some((contents, key)) = contents.zip(key) {
        others.push((archive.record(CONTENTS, &key), description_bytes(mint, &contents)));
    }
    let [path, ..] = archive.graph_places(&sha256);
    Ok(VocabularyFiles { name, path, others, graph })
}

/// Whether records of a kind say what an evaluation has read: a dataset, answers, what is referred to.
fn is_role(kind: &str) -> bool {
    ["dataset", "submission"].contains(&kind) || ReferenceKind::ALL.iter().any(|one| one.name() == kind)
}

/// What is being gathered.
struct Chest<'a> {
    exporter: &'a Exporter<'a>,
    archived: &'a Archived,
    fate: &'a dyn Fn(&str) -> Fate,
    gathered: Gathered,
}

impl Chest<'_> {
    /// Adds an evaluation: the records that name it or a file that it uses, and what these name.
    fn add(&mut self, evaluation: &ArchivedEvaluation) -> Result<()> {
        let archive = &self.archived.archive;
        let executions: BTreeSet<&str> =
            evaluation.digests.iter().map(|(execution, _)| tail(execution)).collect();
        let mut used = BTreeSet::new();
        for graph in &self.archived.graphs {
            if executions.contains(tail(&graph.subject)) && graph.name.contains("/graph/prov/") {
                used.extend(files_in(&text(&archive.graph(&graph.sha256))?));
            }
        }
        // What each file is in this evaluation: to others the same bytes may be something else.
        let own = [("dataset", &evaluation.gold), ("submission", &evaluation.answers)];
        let references = evaluation.references.iter().map(|(kind, sha256)| (kind.name(), sha256));
        let roles: Vec<(&str, &String)> = own.into_iter().chain(references).collect();
        let is_used = |kind: &str, file: &String| {
            let is_role = roles.contains(&(kind, file));
            used.contains(file) && (is_role || roles.iter().all(|(_, known)| *known != file))
        };
        let of_files = [&evaluation.gold[..16], &evaluation.answers[..32]];
        let mut answers: Vec<String> = Vec::new();
        for ShelvedRecord { file, kind, key, text, files } in &self.exporter.records {
            let is_later = |graph: String| (self.fate)(&graph) == Fate::Later;
            let belongs = match kind.as_str() {
                "execution" => {
                    executions.contains(key.as_str()) && !is_later(archive.mint().provenance_graph(key))
                }
                "groups" => key == tail(&evaluation.iri) && !is_later(archive.mint().groups_graph(key)),
                ASKING => files.contains(&evaluation.answers),
                // Refreshed gold and executed answers, named after the file and who answered.
                _ if key.contains('-') => {
                    of_files.iter().any(|of| key.starts_with(*of))
                        && answers.iter().any(|answers| text.contains(&format!("/answers/{answers}>")))
                }
                // What was answered is named by the checksum of its graph.
                "answers" => {
                    !files.is_disjoint(&used) || used.iter().any(|sha256| text.contains(sha256.as_str()))
                }
                SYSTEM => {
                    let name = name_iri(archive.mint(), &evaluation.answers, key);
                    files.contains(&evaluation.answers) && (self.fate)(&name) == Fate::Goes
                }
                _ if is_role(kind) => files.iter().any(|file| is_used(kind, file)),
                _ => !files.is_disjoint(&used),
            };
            if !belongs {
                continue;
            }
            self.registered(text)?;
            files.iter().try_for_each(|sha256| self.file(sha256))?;
            if kind == "answers" {
                answers.push(key.to_owned());
            }
            for contents in named_in(archive.mint(), text) {
                self.keep(StoredFile::new(archive.record(CONTENTS, contents)))?;
            }
            self.keep(file.clone())?;
        }
        used.iter().try_for_each(|sha256| self.expect(sha256))?;
        let answers = [&evaluation.gold_answers, &evaluation.executed_answers];
        let bases: Vec<String> =
            answers.into_iter().flatten().filter_map(|sha256| self.base_of(sha256)).collect();
        self.knowledge_bases(&bases)
    }

    /// Adds a comparison of evaluations that are there: its record, and the graphs that this registers.
    fn add_comparison(&mut self, comparison: &ArchivedComparison) -> Result<()> {
        let archive = &self.archived.archive;
        let record = StoredFile::new(archive.record(COMPARISON, comparison.key()));
        let text = text(&record)?;
        self.registered(&text)?;
        for contents in named_in(archive.mint(), &text) {
            self.keep(StoredFile::new(archive.record(CONTENTS, contents)))?;
        }
        self.keep(record)
    }

    /// Adds the vocabulary.
    fn add_vocabulary(&mut self) -> Result<()> {
        let VocabularyFiles { name, path, others, graph } = self.exporter.vocabulary()?.clone();
        for (path, bytes) in others {
            self.put(&path, Content::Bytes(bytes));
        }
        let place = self.put(&path, Content::Bytes(graph));
        self.gathered.graphs.insert(name, place);
        Ok(())
    }

    /// Adds a file that the archive does not have, by its path in the archive; gives its path in what goes out.
    fn put(&mut self, path: &Path, content: Content) -> String {
        let name = self.name(&StoredFile::new(path));
        self.gathered.files.insert(name.clone(), content);
        name
    }

    /// The graphs that a record registers.
    fn registered(&mut self, record: &str) -> Result<()> {
        let iris = record.split('<').skip(1).filter_map(|rest| rest.split('>').next());
        let named: BTreeMap<&str, &RegisteredGraph> =
            iris.filter_map(|iri| self.exporter.graphs.get_key_value(iri)).map(|(k, v)| (*k, *v)).collect();
        for graph in named.into_values() {
            let file = self.archived.archive.graph(&graph.sha256);
            if (self.fate)(&graph.name) == Fate::Goes {
                self.gathered.graphs.insert(graph.name.clone(), self.name(&file));
                self.keep(file)?;
            } else {
                self.gathered.left_out.insert(graph.name.clone(), (self.name(&file), file));
            }
        }
        Ok(())
    }

    /// A file that a record describes.
    fn file(&mut self, sha256: &str) -> Result<()> {
        let (iri, file) = (self.archived.archive.mint().file(sha256), self.archived.input(sha256));
        if (self.fate)(&iri) == Fate::Goes {
            return self.keep(file);
        }
        self.gathered.left_out.insert(iri, (self.name(&file), file));
        Ok(())
    }

    /// An error where a file that was used is here and goes with no record.
    fn expect(&self, sha256: &str) -> Result<()> {
        let file = self.archived.input(sha256);
        let is_told = self.gathered.left_out.contains_key(&self.archived.archive.mint().file(sha256));
        if !file.is_file() || is_told || self.gathered.files.contains_key(&self.name(&file)) {
            return Ok(());
        }
        Err(Error::check("no record names this file, and the evaluation used it")
            .in_file(file.path().display().to_string())
            .hint("the archive is damaged; `qassay verify` lists what is missing"))
    }

    /// The knowledge base that gave these answers, where it is a pinned one.
    fn base_of(&self, sha256: &str) -> Option<String> {
        match AnswerSnapshot::read(&self.archived.source(sha256).ok()?).ok()?.answered_by {
            AnsweredBy::Snapshot { iri, .. } => Some(iri),
            AnsweredBy::Endpoint { .. } => None,
        }
    }

    /// Adds the knowledge bases that answered.
    fn knowledge_bases(&mut self, bases: &[String]) -> Result<()> {
        let archive = &self.archived.archive;
        for recorded in crate::kb::find::recorded(archive)? {
            if bases.contains(&recorded.iri) {
                self.keep(StoredFile::new(archive.record("kb", &recorded.base.key(archive.mint()))))?;
                recorded.base.files.iter().try_for_each(|file| self.file(&file.sha256))?;
            }
        }
        Ok(())
    }

    fn keep(&mut self, file: StoredFile) -> Result<()> {
        if !file.is_file() {
            return Err(Error::check("this is not here")
                .in_file(file.path().display().to_string())
                .hint("the archive is damaged; `qassay verify` lists what is missing"));
        }
        self.gathered.files.insert(self.name(&file), Content::File(file));
        Ok(())
    }

    /// The name of a file of the archive in what is exported, where nothing is packed: every store reads it.
    fn name(&self, file: &StoredFile) -> String {
        self.archived.archive.path_of(&file.plain_path())
    }
}

/// The lines as canonical N-Quads.
fn written(lines: &mut Lines) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    lines.write_to(&mut bytes).map_err(|error| Error::system(error.to_string()))?;
    Ok(bytes)
}

/// The end of an IRI.
fn tail(iri: &str) -> &str {
    iri.rsplit('/').next().unwrap_or_default()
}

fn text(file: &StoredFile) -> Result<String> {
    String::from_utf8(file.content()?)
        .map_err(|_| Error::check("this is no UTF-8").in_file(file.path().display().to_string()))
}

/// The checksums of the files that N-Quads name: `…/file/sha256/abcd…>`.
pub(crate) fn files_in(text: &str) -> BTreeSet<String> {
    let checksum = |rest: &str| {
        let sha256 = rest.split('>').next().unwrap_or_default();
        is_checksum(sha256).then(|| sha256.to_owned())
    };
    text.split("/file/sha256/").skip(1).filter_map(checksum).collect()
}
