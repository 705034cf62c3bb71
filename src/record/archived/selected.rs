//! What a query can touch of an archive, in a store: nothing else is loaded.
//!
//! Graphs are left out by their names and by what their records say that they hold, the statements of the others line by line
//! before anything parses them: of a large graph mostly a small part. Reading a packed graph, hashing it and looking at its lines takes a twentieth of the time of loading it
//! (750 against 33 MB/s on one core). Parsing is four tenths of loading: to keep what was parsed would save less than that.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;
use std::sync::LazyLock;

use oxigraph::model::{GraphName, NamedOrBlankNode, Quad, Term};

use crate::base::error::{Error, Result};
use crate::base::limits::{LONGEST_LINE, endless};
use crate::base::parallel;
use crate::base::rdf::contents::{ContentsCollector, ContentsRegion, GraphContents};
use crate::base::vocab::rdf;
use crate::base::watch::{Steps, Watcher};
use crate::profiles::{load_ontology, ontology_quads};
use crate::record::archived::contents::descriptions;
use crate::record::archived::metadata::Metadata;
use crate::record::archived::{RegisteredGraph, registered};
use crate::sources::archive::Archive;
use crate::sources::archive::hashing::open_file;
use crate::sparql::named_query::NamedQuery;
use crate::sparql::store::{Store, parsed};
use crate::sparql::touched::{Copies, Holder, LineFilter, Touched, TouchedGraph};

/// A store with all that a query can touch.
#[derive(Debug)]
pub struct Selection {
    /// The store.
    pub store: Store,
    /// What it is made of.
    pub parts: SelectedParts,
}

/// What was loaded, and what was not.
#[derive(Debug)]
pub struct SelectedParts {
    /// The records, which are one graph.
    pub records: LoadedPart,
    /// The graphs.
    pub graphs: Vec<SelectedGraph>,
    /// The link sets that are kept as files only, where link sets are loaded.
    pub only_files: usize,
}

/// A graph of an archive, and what became of it.
#[derive(Debug)]
pub struct SelectedGraph {
    /// Its name.
    pub name: String,
    /// How many statements it has, by its record.
    pub statements: u64,
    /// Whether it was loaded.
    pub fate: GraphFate,
}

/// What became of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GraphFate {
    /// It was read.
    Read(LoadedPart),
    /// The query looks into other graphs.
    NotAsked,
    /// By its record it holds nothing that the query asks for.
    NotHeld,
    /// Link sets are loaded where they are asked for.
    Links,
    /// Who published it left it out, and it is not here.
    Withheld,
}

/// How much was loaded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LoadedPart {
    /// The lines that were read.
    pub read: u64,
    /// The lines that the query can touch, which were loaded.
    pub loaded: u64,
}

impl SelectedParts {
    /// What became of the graphs of each kind, such as `scores`: how many they are, and their statements. What was read of
    /// several is added up.
    pub fn kinds(&self) -> Vec<(&str, GraphFate, u64, u64)> {
        let mut kinds: BTreeMap<(u8, &str), (GraphFate, u64, u64)> = BTreeMap::new();
        for graph in &self.graphs {
            let kind = graph.name.split_once("/graph/").map_or(graph.name.as_str(), |(_, rest)| rest);
            let kind = kind.split('/').next().unwrap_or(kind);
            let order = match graph.fate {
                GraphFate::Read(_) => 0,
                GraphFate::NotHeld => 1,
                GraphFate::NotAsked => 2,
                GraphFate::Links => 3,
                GraphFate::Withheld => 4,
            };
            let (fate, graphs, statements) = kinds.entry((order, kind)).or_insert((graph.fate, 0, 0));
            if let (GraphFate::Read(all), GraphFate::Read(part), true) = (&mut *fate, graph.fate, *graphs > 0)
            {
                all.read += part.read;
                all.loaded += part.loaded;
            }
            *graphs += 1;
            *statements += graph.statements;
        }
        kinds
            .into_iter()
            .map(|((_, kind), (fate, graphs, statements))| (kind, fate, graphs, statements))
            .collect()
    }
}

/// Loads what a query can touch, and the ontology. Link sets only where asked for, or named by the query.
///
/// # Errors
/// Where a record or a graph that is needed cannot be read, or is another one by now.
pub fn select(
    archive: &Archive,
    query: &NamedQuery,
    with_links: bool,
    watcher: &dyn Watcher,
) -> Result<Selection> {
    let touching = Touching::by(archive, query, with_links)?;
    let Touching { registry: Registry { graphs: registry, only_files, .. }, touched, .. } = &touching;
    let store = Store::in_memory()?;
    load_ontology(&store, &archive.mint().ontology_graph())?;
    let records = load_records(archive, touched, &store)?;
    let steps = Steps::new(watcher, "loading", registry.len());
    let mut graphs = Vec::new();
    for batch in batches(registry) {
        watcher.check()?;
        let read = parallel::try_each(batch.iter().collect(), |graph| {
            let (asked, contents) = match touching.of(archive, graph) {
                Ok(asked) => asked,
                Err(fate) => return Ok((fate, None)),
            };
            let filter = LineFilter::new(&asked, contents.is_some());
            if graph.statements > MOST_AT_ONCE {
                return Ok((
                    GraphFate::Read(load_graph(archive, graph, (filter, asked.copies), &store)?),
                    None,
                ));
            }
            let (part, quads) = read_graph(archive, graph, filter)?;
            Ok((GraphFate::Read(part), Some((quads, asked.copies))))
        })?;
        let mut quads = Vec::new();
        for (graph, (fate, parsed)) in batch.iter().zip(read) {
            quads.extend(parsed);
            graphs.push(SelectedGraph { name: graph.name.clone(), statements: graph.statements, fate });
            steps.step();
        }
        let all =
            quads.into_iter().flat_map(|(quads, copies)| quads.into_iter().map(move |quad| (quad, copies)));
        store.load_parsed(all)?;
    }
    Ok(Selection { store, parts: SelectedParts { records, graphs, only_files: *only_files } })
}

/// The most statements that are parsed before they are loaded.
const MOST_AT_ONCE: u64 = 200_000;

/// Graphs that are read at once, and loaded in their order: a larger one is alone.
fn batches(graphs: &[RegisteredGraph]) -> impl Iterator<Item = &[RegisteredGraph]> {
    let mut statements = 0;
    graphs.chunk_by(move |one, next| {
        statements += one.statements;
        let goes_on = statements + next.statements <= MOST_AT_ONCE;
        if !goes_on {
            statements = 0;
        }
        goes_on
    })
}

/// What a query can touch of an archive: which of its graphs, and where in a store these are needed.
pub(super) struct Touching {
    registry: Registry,
    touched: Touched,
    links: WantedLinks,
}

impl Touching {
    /// What a query can touch.
    pub(super) fn by(archive: &Archive, query: &NamedQuery, with_links: bool) -> Result<Self> {
        let registry = Registry::read(archive, with_links)?;
        let of_records = records_contents(archive)?;
        let others = [Some(&*ONTOLOGY), of_records.as_ref()].map(|contents| Holder { about: "", contents });
        let links =
            if with_links { WantedLinks::All } else { WantedLinks::Named(query.algebra().to_string()) };
        let loaded = registry.graphs.iter().filter(|graph| links.have(graph));
        let holders =
            loaded.map(|graph| Holder { about: &graph.subject, contents: registry.description(graph) });
        let touched = Touched::by(query.algebra()).narrowed(&holders.chain(others).collect::<Vec<_>>());
        Ok(Self { registry, touched, links })
    }

    /// The graphs that records name.
    pub(super) fn graphs(&self) -> &[RegisteredGraph] {
        &self.registry.graphs
    }

    /// Where in a store a graph is needed that no record names; none: nowhere.
    pub(super) fn copies(&self, name: &str) -> Option<Copies> {
        self.touched.of_graph(name, true).map(|asked| asked.copies)
    }

    /// What the query can touch of a graph, and what that holds, where its record says so; or why it is left out.
    pub(super) fn of(
        &self,
        archive: &Archive,
        graph: &RegisteredGraph,
    ) -> std::result::Result<(TouchedGraph<'_>, Option<&GraphContents>), GraphFate> {
        if !self.links.have(graph) {
            return Err(GraphFate::Links);
        }
        let name = archive.mint().whole_graph(&graph.name);
        let asked = self.touched.of_graph(name, !graph.is_links()).ok_or(GraphFate::NotAsked)?;
        let contents = self.registry.description(graph);
        if contents.is_some_and(|contents| !asked.can_be_in(&graph.subject, contents)) {
            return Err(GraphFate::NotHeld);
        }
        if self.registry.withheld.contains(&graph.name) && !archive.graph(&graph.sha256).is_file() {
            return Err(GraphFate::Withheld);
        }
        Ok((asked, contents))
    }
}

/// Which link sets are loaded if they are touched.
enum WantedLinks {
    All,
    /// Those that this query says, wherever it does.
    Named(String),
}

impl WantedLinks {
    /// Whether a graph is one of them, or no link set.
    fn have(&self, graph: &RegisteredGraph) -> bool {
        match self {
            Self::Named(query) if graph.is_links() => query.contains(&format!("<{}>", graph.name)),
            _ => true,
        }
    }
}

/// What records say of graphs.
struct Registry {
    graphs: Vec<RegisteredGraph>,
    /// How many link sets are files only, where link sets are wanted.
    only_files: usize,
    /// What graphs hold, by key.
    descriptions: BTreeMap<String, GraphContents>,
    /// The names of the graphs that publications say are left out.
    withheld: BTreeSet<String>,
}

impl Registry {
    /// What an archive remembers, or reads in its records.
    fn read(archive: &Archive, with_links: bool) -> Result<Self> {
        let metadata = match Metadata::recall(archive)? {
            Some(known) => known,
            None => Self::queried(archive)?,
        };
        let mut damage = Vec::new();
        let mut graphs = registered(&metadata, &mut damage)?;
        // That of the program is loaded.
        graphs.retain(|graph| !archive.mint().is_ontology_graph(&graph.name));
        if let Some(error) = damage.into_iter().next() {
            return Err(error);
        }
        let only_files = if with_links { metadata.rows("report/files-only")?.rows.len() } else { 0 };
        let withheld = metadata.rows("store/withheld")?.into_owned().rows.into_iter().flatten().collect();
        Ok(Self { graphs, only_files, descriptions: descriptions(&metadata)?, withheld })
    }

    /// What a graph holds, where its record says so.
    fn description(&self, graph: &RegisteredGraph) -> Option<&GraphContents> {
        self.descriptions.get(graph.contents.as_ref()?)
    }

    fn queried(archive: &Archive) -> Result<Metadata> {
        let mut touched = Touched::default();
        for name in [
            "report/graphs",
            "report/files-only",
            "store/graph-contents",
            "store/contents-regions",
            "store/withheld",
        ] {
            touched = touched.and(Touched::by(NamedQuery::find(name)?.algebra()));
        }
        let store = Store::in_memory()?;
        load_records(archive, &touched, &store)?;
        Ok(Metadata::Loaded(store.into()))
    }
}

/// What the ontology says, and of what. Its nodes without names are in no other graph.
static ONTOLOGY: LazyLock<GraphContents> = LazyLock::new(|| {
    let mut contents = GraphContents::default();
    for quad in ontology_quads(&GraphName::DefaultGraph) {
        let NamedOrBlankNode::NamedNode(subject) = &quad.subject else { continue };
        let beginning = String::from_utf8_lossy(ContentsRegion::of(subject.as_str().as_bytes())).into_owned();
        let held = contents.region(ContentsRegion::Beginning(beginning));
        held.properties.insert(quad.predicate.as_str().to_owned());
        if let (rdf::TYPE, Term::NamedNode(class)) = (quad.predicate.as_str(), &quad.object) {
            held.classes.insert(class.as_str().to_owned());
        }
    }
    contents
});

/// What all records hold, if that can be told.
fn records_contents(archive: &Archive) -> Result<Option<GraphContents>> {
    let of_record = |record: PathBuf| {
        let read = open_file(&record).and_then(|file| ContentsCollector::new("").read(file));
        Ok(read.map_err(|error| Error::io("read the record", &record, &error))?.1)
    };
    let mut all = GraphContents::default();
    for contents in parallel::try_each(archive.records()?, of_record)? {
        let Some(contents) = contents else { return Ok(None) };
        all.extend(contents);
    }
    Ok(Some(all))
}

fn load_records(archive: &Archive, touched: &Touched, store: &Store) -> Result<LoadedPart> {
    let mut all = LoadedPart::default();
    let Some(asked) = touched.of_graph(&archive.mint().catalogue_graph(), true) else { return Ok(all) };
    let of_record = |record: PathBuf| {
        let file = open_file(&record).map_err(|error| Error::io("open", &record, &error))?;
        // Others may say more of the same subjects.
        let filter = LineFilter::new(&asked, false);
        read(file, filter).map_err(|error| error.in_file(record.display().to_string()))
    };
    let mut quads = Vec::new();
    for (part, parsed) in parallel::try_each(archive.records()?, of_record)? {
        all.read += part.read;
        all.loaded += part.loaded;
        quads.push(parsed);
    }
    store.load_parsed(quads.into_iter().flatten().map(|quad| (quad, asked.copies)))?;
    Ok(all)
}

/// Reads what is touched of a graph.
fn read_graph(
    archive: &Archive,
    graph: &RegisteredGraph,
    filter: LineFilter<'_>,
) -> Result<(LoadedPart, Vec<Quad>)> {
    let file = archive.graph(&graph.sha256);
    let content = file.checked().map_err(|error| Error::io("open the graph", file.path(), &error))?;
    read(content, filter).map_err(|error| error.in_file(file.path().display().to_string()))
}

fn read(content: impl Read, filter: LineFilter<'_>) -> Result<(LoadedPart, Vec<Quad>)> {
    let mut lines = TouchedLines::new(content, filter);
    let quads = parsed(&mut lines).collect::<Result<_>>()?;
    Ok((lines.part(), quads))
}

/// The same for a graph that is too large to be parsed before it is loaded.
fn load_graph(
    archive: &Archive,
    graph: &RegisteredGraph,
    (filter, copies): (LineFilter<'_>, Copies),
    store: &Store,
) -> Result<LoadedPart> {
    let file = archive.graph(&graph.sha256);
    let content = file.checked().map_err(|error| Error::io("open the graph", file.path(), &error))?;
    let mut lines = TouchedLines::new(content, filter);
    let loaded = store.load_copies(&mut lines, copies);
    loaded.map_err(|error| error.in_file(file.path().display().to_string()))?;
    Ok(lines.part())
}

/// The lines that are touched, as a file.
struct TouchedLines<'a, R> {
    content: BufReader<R>,
    filter: LineFilter<'a>,
    line: Vec<u8>,
    /// What was let through.
    passed: Vec<u8>,
    /// How much of it was given away.
    at: usize,
    read: u64,
}

impl<'a, R: Read> TouchedLines<'a, R> {
    fn new(content: R, filter: LineFilter<'a>) -> Self {
        let content = BufReader::with_capacity(1 << 16, content);
        Self { content, filter, line: Vec::new(), passed: Vec::new(), at: 0, read: 0 }
    }

    /// What was read.
    fn part(&self) -> LoadedPart {
        LoadedPart { read: self.read, loaded: self.filter.passed }
    }

    /// Goes on until something is let through, or there is no more.
    fn advance(&mut self) -> io::Result<()> {
        self.passed.clear();
        self.at = 0;
        while self.passed.is_empty() {
            self.line.clear();
            let most = LONGEST_LINE + 1;
            let count = self.content.by_ref().take(most).read_until(b'\n', &mut self.line)?;
            if count as u64 == most {
                return Err(io::Error::other(endless("a line", LONGEST_LINE)));
            }
            if count == 0 {
                self.filter.end(&mut self.passed);
                break;
            }
            self.read += 1;
            self.filter.line(&self.line, &mut self.passed);
        }
        Ok(())
    }
}

impl<R: Read> Read for TouchedLines<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.passed.len() {
            self.advance()?;
        }
        let count = buffer.len().min(self.passed.len() - self.at);
        buffer[..count].copy_from_slice(&self.passed[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}
