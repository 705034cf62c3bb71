//! What an archive holds, read from its records and provenance by the queries of `queries/report/`.

pub mod comparisons;
mod contents;
pub mod executions;
pub mod metadata;
pub mod names;
pub mod selected;
pub mod sent;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::PathBuf;

use crate::base::checksum::is_checksum;
use crate::base::error::{Error, Result};
use crate::profiles::choices::Choices;
use crate::profiles::own::ProfileFile;
use crate::profiles::{Profile, load_ontology};
use crate::record::archived::comparisons::{ArchivedComparison, comparisons};
use crate::record::archived::contents::keys;
use crate::record::archived::metadata::{LookedAt, Metadata};
use crate::record::archived::names::{FurtherNames, SharedNames};
use crate::references::{ReferenceInput, ReferenceKind};
use crate::sources::archive::hashing::open_file;
use crate::sources::archive::stored::StoredFile;
use crate::sources::archive::{Archive, StoredGraph};
use crate::sources::file::source::Source;
use crate::sparql::layers::Layer;
use crate::sparql::store::Store;

/// A registered graph.
#[derive(Debug, Clone)]
pub struct RegisteredGraph {
    /// Its name.
    pub name: String,
    /// What it is about.
    pub subject: String,
    /// The number of statements.
    pub statements: u64,
    /// The checksum of its file.
    pub sha256: String,
    /// The key of what it holds, where its record says so.
    pub contents: Option<String>,
}

impl RegisteredGraph {
    /// Whether it is a link set.
    pub fn is_links(&self) -> bool {
        self.name.contains("/graph/links/")
    }

    /// As it was when its record was written.
    pub(crate) fn stored(&self) -> StoredGraph {
        let Self { sha256, statements, contents, .. } = self.clone();
        StoredGraph { sha256, statements, contents }
    }

    /// Whether it is the provenance of an execution, or of a blind submission.
    fn is_provenance(&self) -> bool {
        self.name.contains("/graph/prov/")
    }
}

/// An evaluation that the archive holds.
#[derive(Debug, Clone, Default)]
pub struct ArchivedEvaluation {
    /// Its IRI.
    pub iri: String,
    /// The profile.
    pub profile: String,
    /// The name of the system: where several share the submission, the one that its record has.
    pub system: String,
    /// The names of the other systems that share the submission.
    pub others: Vec<String>,
    /// The checksum of the dataset file.
    pub gold: String,
    /// The checksum of the submission file.
    pub answers: String,
    /// The kinds and checksums of the files of links, labels, classes.
    pub references: Vec<(ReferenceKind, String)>,
    /// The checksum of what was answered to the gold queries.
    pub gold_answers: Option<String>,
    /// The checksum of what was answered to the system's queries.
    pub executed_answers: Option<String>,
    /// What the user chose.
    pub choices: Choices,
    /// The digest of the scores that each execution had.
    pub digests: Vec<(String, String)>,
}

impl ArchivedEvaluation {
    /// What stands at the end of its IRI.
    pub fn key(&self) -> &str {
        self.iri.rsplit('/').next().unwrap_or_default()
    }

    /// The names of the systems: nearly always one.
    pub fn systems(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.system).chain(&self.others)
    }
}

/// An archive with its registry.
#[derive(Debug)]
pub struct Archived {
    /// The archive.
    pub archive: Archive,
    /// The graphs that its records register.
    pub graphs: Vec<RegisteredGraph>,
    /// The evaluations that its provenance tells of.
    pub evaluations: Vec<ArchivedEvaluation>,
    /// The comparisons that it tells of.
    pub comparisons: Vec<ArchivedComparison>,
    /// What its records and its provenance say.
    pub metadata: Metadata,
}

impl Archived {
    /// Reads the registry of an archive, or what the archive remembers of it.
    ///
    /// # Errors
    /// Where a record cannot be read, or the provenance of an evaluation.
    pub fn open(archive: Archive) -> Result<Self> {
        let known = Metadata::recall(&archive)?;
        let is_remembered = known.is_some();
        let (metadata, damage) = if let Some(known) = known {
            (known, Vec::new())
        } else {
            let looked_at = LookedAt::new()?;
            loaded(&archive, |graph| looked_at.lines(graph))?
        };
        let (archived, damage) = Self::of(archive, metadata, damage)?;
        if let Some(error) = damage.into_iter().next() {
            return Err(error.hint(DAMAGED));
        }
        if !is_remembered {
            let provenance = archived.graphs.iter().filter(|graph| graph.is_provenance());
            archived.metadata.remember(&archived.archive, provenance.map(|graph| graph.sha256.as_str()))?;
        }
        Ok(archived)
    }

    /// Reads the registry of an archive as far as it can be read, with what cannot.
    ///
    /// # Errors
    /// Where what can be read cannot be asked.
    pub fn open_damaged(archive: Archive) -> Result<(Self, Vec<Error>)> {
        let (metadata, damage) = loaded(&archive, |graph| Cow::Borrowed(graph))?;
        Self::of(archive, metadata, damage)
    }

    fn of(archive: Archive, metadata: Metadata, mut damage: Vec<Error>) -> Result<(Self, Vec<Error>)> {
        let graphs = registered(&metadata, &mut damage)?;
        let mut evaluations = executions::evaluations(&*metadata.rows("report/executions")?, &mut damage);
        let further = FurtherNames::read(&archive)?;
        for evaluation in evaluations.iter_mut().filter(|_| !further.is_empty()) {
            if let Some(names) = SharedNames::among(&further, &archive, &evaluation.answers) {
                (evaluation.system, evaluation.others) = (names.first, names.others);
            }
        }
        let comparisons = comparisons(&*metadata.rows("store/comparisons")?);
        Ok((Self { archive, graphs, evaluations, comparisons, metadata }, damage))
    }

    /// The evaluations that a word means: their IRI, the beginning of their key, or the name of their system; with a
    /// profile, those with a profile of that name.
    pub fn called(&self, word: &str, profile: Option<&str>) -> Vec<&ArchivedEvaluation> {
        let is_key = word.len() >= 4 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        let beginning = word.to_ascii_lowercase();
        let fits = |evaluation: &&ArchivedEvaluation| {
            profile.is_none_or(|wanted| profile_name(&evaluation.profile) == wanted)
                && (evaluation.iri == word
                    || (is_key && evaluation.key().starts_with(&beginning))
                    || evaluation.systems().any(|system| system.eq_ignore_ascii_case(word)))
        };
        self.evaluations.iter().filter(fits).collect()
    }

    /// The one evaluation that a word means, see [`Self::called`].
    ///
    /// # Errors
    /// Where it means none, or several.
    pub fn find(&self, word: &str) -> Result<&ArchivedEvaluation> {
        self.only(word, None)
    }

    /// The same where a profile can be chosen beside the word.
    ///
    /// # Errors
    /// Where they mean none, or several.
    pub fn find_with(&self, word: &str, profile: Option<&str>) -> Result<&ArchivedEvaluation> {
        let found = self.called(word, profile);
        let profiles: BTreeSet<&str> = found.iter().map(|one| one.profile.as_str()).collect();
        let decides = found.len() > 1 && profiles.len() == found.len();
        self.only(word, profile).map_err(|error| {
            let hint = "name the profile with `⌥profile NAME`, or one by the beginning of its key";
            if decides { error.hint(hint) } else { error }
        })
    }

    /// The one comparison that a word means, by its IRI or the beginning of its key; nothing where it means none.
    ///
    /// # Errors
    /// Where it means several, or evaluations too.
    pub fn comparison(&self, word: &str) -> Result<Option<&ArchivedComparison>> {
        let is_key = word.len() >= 4 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        let beginning = word.to_ascii_lowercase();
        let fits =
            |one: &&ArchivedComparison| one.iri == word || (is_key && one.key().starts_with(&beginning));
        let found: Vec<&ArchivedComparison> = self.comparisons.iter().filter(fits).collect();
        let evaluations = self.called(word, None);
        match found.as_slice() {
            [] => Ok(None),
            [one] if evaluations.is_empty() => Ok(Some(one)),
            both if !evaluations.is_empty() => {
                let comparisons = both.iter().map(|one| format!("comparison <{}>", one.iri));
                let evaluations = evaluations.iter().map(|one| format!("evaluation <{}>", one.iri));
                let told: Vec<String> = comparisons.chain(evaluations).collect();
                Err(Error::input(format!("`{word}` means comparisons and evaluations"))
                    .allowed(told.join("; "))
                    .hint("name one by its IRI"))
            }
            several => {
                let keys: Vec<&str> = several.iter().map(|one| one.key()).collect();
                Err(Error::input(format!("`{word}` means {} comparisons", several.len()))
                    .allowed(keys.join(", ")))
            }
        }
    }

    fn only(&self, word: &str, profile: Option<&str>) -> Result<&ArchivedEvaluation> {
        let found = self.called(word, profile);
        let listed = |evaluations: &[&ArchivedEvaluation]| {
            let shown = evaluations.iter().take(20).map(|e| {
                let gold = if e.gold_answers.is_some() { ", refreshed gold" } else { "" };
                format!("{} ({}, {}{gold})", e.key(), e.system, profile_name(&e.profile))
            });
            shown.collect::<Vec<_>>().join("; ")
        };
        match found.as_slice() {
            [one] => Ok(one),
            [] => {
                let with = profile.map_or_else(String::new, |name| format!(" with the profile `{name}`"));
                let error = Error::input(format!("the archive has no evaluation `{word}`{with}"))
                    .in_file(self.archive.root().display().to_string());
                let known: Vec<&ArchivedEvaluation> = self.evaluations.iter().collect();
                let error = if known.is_empty() { error } else { error.allowed(listed(&known)) };
                Err(if self.archive.records_of("blind")?.is_empty() {
                    error
                } else {
                    error.hint("blind submissions are evaluated by `qassay release`")
                })
            }
            several => Err(Error::input(format!("`{word}` means {} evaluations", several.len()))
                .allowed(listed(several))
                .hint("name one by the beginning of its key")),
        }
    }

    /// The registered graph with this name.
    pub fn graph(&self, name: &str) -> Result<&RegisteredGraph> {
        self.graphs.iter().find(|graph| graph.name == name).ok_or_else(|| {
            Error::check(format!("no record registers the graph <{name}>"))
                .in_file(self.archive.root().display().to_string())
        })
    }

    /// A store with the ontology and all records, for the graphs that a command adds.
    pub fn store(&self) -> Result<Store> {
        let store = Store::in_memory()?;
        load_ontology(&store, &self.archive.mint().ontology_graph())?;
        // What cannot be read was told when the archive was opened.
        load_records(&self.archive, &store)?;
        Ok(store)
    }

    /// Loads a registered graph into a store; links stay out of the default graph. A graph that is another one by now is an
    /// error.
    pub fn load(&self, graph: &RegisteredGraph, store: &Store) -> Result<()> {
        let file = self.archive.graph(&graph.sha256);
        let content = file.checked().map_err(|error| Error::io("open the graph", file.path(), &error))?;
        store
            .load_nquads(content, !graph.is_links())
            .map_err(|error| error.in_file(file.path().display().to_string()))
    }

    /// The same into a layer of a dataset, whatever the graph is by now: for those who look for what is wrong.
    pub(crate) fn load_layer(&self, graph: &RegisteredGraph, layer: &mut Layer) -> Result<()> {
        let (file, content) = open_graph(&self.archive, graph)?;
        layer
            .load_nquads(content, !graph.is_links())
            .map_err(|error| error.in_file(file.path().display().to_string()))
    }

    /// The checksums of the graphs and files that publications say are left out.
    ///
    /// # Errors
    /// Where the records cannot be asked.
    pub fn withheld(&self) -> Result<BTreeSet<String>> {
        let parts = self.metadata.rows("store/withheld")?.into_owned().rows;
        let checksum = |part: String| match self.graph(&part) {
            Ok(graph) => graph.sha256.clone(),
            Err(_) => part.rsplit('/').next().unwrap_or_default().to_owned(),
        };
        let checksums = parts.into_iter().flatten().map(checksum);
        Ok(checksums.filter(|sha256| is_checksum(sha256)).collect())
    }

    /// A kept input.
    pub fn input(&self, sha256: &str) -> StoredFile {
        self.archive.kept(sha256)
    }

    /// The profile of an evaluation.
    pub fn profile(
        &self,
        evaluation: &ArchivedEvaluation,
        source: impl Fn(&str) -> Result<Source>,
    ) -> Result<Profile> {
        let files = evaluation.references.iter().filter(|(kind, _)| *kind == ReferenceKind::Profiles);
        profile(&evaluation.profile, files.map(|(_, sha256)| sha256.as_str()), source)
    }

    /// Opens a kept input.
    pub fn source(&self, sha256: &str) -> Result<Source> {
        open_kept(&self.input(sha256), sha256)
    }

    /// Opens a kept input, whatever its bytes are.
    pub fn source_as_it_is(&self, sha256: &str) -> Result<Source> {
        self.input(sha256).source()
    }
}

/// The profile of an evaluation or a blind submission: a built-in one, or one of a user's own from the kept files, which
/// have these checksums.
///
/// # Errors
/// Where none of them has it, or one of them cannot be read.
pub(crate) fn profile<'f>(
    iri: &str,
    files: impl IntoIterator<Item = &'f str>,
    source: impl Fn(&str) -> Result<Source>,
) -> Result<Profile> {
    if let Some(profile) = Profile::with_iri(iri) {
        return Ok(profile);
    }
    for sha256 in files {
        let profiles = ProfileFile::read(&source(sha256)?)?.profiles;
        if let Some(profile) = profiles.into_iter().find(|profile| profile.iri == iri) {
            return Ok(profile);
        }
    }
    Err(Error::check(format!("the evaluation was made with <{iri}>, which this program does not know")))
}

/// A kept file of statements, read again as it was. Files of links may be too large for memory.
pub(crate) fn reference(
    archive: &Archive,
    kind: ReferenceKind,
    sha256: &str,
    choices: &Choices,
    source: &impl Fn(&str) -> Result<Source>,
) -> Result<ReferenceInput> {
    if kind != ReferenceKind::Links {
        return ReferenceInput::open(kind, source(sha256)?, archive.mint());
    }
    let path = archive.file(sha256);
    let links = ReferenceInput::open_links(&path, &choices.link_kinds, archive.mint())
        .map_err(|error| error.hint(DAMAGED))?;
    if links.source.sha256() != sha256 {
        // Whoever wants the right bytes is told.
        drop(source(sha256)?);
    }
    Ok(links)
}

/// What is said where a kept file is not what it was.
pub(crate) const DAMAGED: &str = "the archive is damaged; `qassay verify` lists what is missing";

/// Opens what an archive keeps with a checksum; an error where it is something else by now.
pub(crate) fn open_kept(file: &StoredFile, sha256: &str) -> Result<Source> {
    if !is_checksum(sha256) {
        return Err(Error::check(format!("a record says that a checksum is `{sha256}`"))
            .allowed("64 hexadecimal digits")
            .hint(DAMAGED));
    }
    let source = file.source().map_err(|error| error.hint(DAMAGED))?;
    if source.sha256() == sha256 {
        return Ok(source);
    }
    Err(Error::check(format!("the bytes have another checksum: {}", source.sha256()))
        .in_file(file.path().display().to_string())
        .hint(DAMAGED))
}

/// `qassay` of `…/profile/qassay/1`.
pub fn profile_name(iri: &str) -> &str {
    iri.rsplit('/').nth(1).unwrap_or(iri)
}

/// Loads all records; gives what cannot be loaded.
fn load_records(archive: &Archive, store: &Store) -> Result<Vec<Error>> {
    let load = |record: &PathBuf| {
        let file = open_file(record).map_err(|e| Error::io("open", record, &e))?;
        store.load_nquads(file, true).map_err(|e| e.in_file(record.display().to_string()))
    };
    Ok(archive.records()?.iter().filter_map(|record| load(record).err()).collect())
}

/// A graph, whatever it is by now.
fn open_graph(archive: &Archive, graph: &RegisteredGraph) -> Result<(StoredFile, impl Read + use<>)> {
    let file = archive.graph(&graph.sha256);
    let content = file.open().map_err(|error| Error::io("open the graph", file.path(), &error))?;
    Ok((file, content))
}

/// Loads the records of an archive and what is wanted of its provenance; gives what cannot be loaded, too.
fn loaded(archive: &Archive, wanted: impl Fn(&[u8]) -> Cow<'_, [u8]>) -> Result<(Metadata, Vec<Error>)> {
    let store = Store::in_memory()?;
    let mut damage = load_records(archive, &store)?;
    let metadata = Metadata::Loaded(store.into());
    // What is no registry entry is told by who reads the registry.
    let graphs = registered(&metadata, &mut Vec::new())?;
    if let Metadata::Loaded(store) = &metadata {
        for graph in graphs.iter().filter(|graph| graph.is_provenance()) {
            damage.extend(load_wanted(archive, graph, store, &wanted).err());
        }
    }
    Ok((metadata, damage))
}

fn load_wanted(
    archive: &Archive,
    graph: &RegisteredGraph,
    store: &Store,
    wanted: impl Fn(&[u8]) -> Cow<'_, [u8]>,
) -> Result<()> {
    let file = archive.graph(&graph.sha256);
    let all = file.content()?;
    store.load_nquads(&*wanted(&all), true).map_err(|error| error.in_file(file.path().display().to_string()))
}

/// The graphs that records register; what registers none is told.
fn registered(metadata: &Metadata, damage: &mut Vec<Error>) -> Result<Vec<RegisteredGraph>> {
    let found = metadata.rows("report/graphs")?;
    let contents = keys(metadata)?;
    let graphs = found.rows.iter().map(|row| match row.as_slice() {
        [name, subject, statements, sha256] if is_checksum(sha256) => Ok(RegisteredGraph {
            name: name.clone(),
            subject: subject.clone(),
            statements: statements.parse().unwrap_or_default(),
            sha256: sha256.clone(),
            contents: contents.get(name).cloned().flatten(),
        }),
        row => Err(Error::check(format!("a record registers a graph without a sha256 checksum: {row:?}"))),
    });
    Ok(graphs.filter_map(|graph| graph.map_err(|error| damage.push(error)).ok()).collect())
}
