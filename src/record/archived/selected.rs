//! What a query can touch of an archive, in a store: nothing else is loaded.
//!
//! Graphs are left out by their names, the statements of the others line by line before anything parses them: of a large graph
//! mostly a small part. Reading a packed graph, hashing it and looking at its lines takes a twentieth of the time of loading it
//! (750 against 33 MB/s on one core). Parsing is four tenths of loading: to keep what was parsed would save less than that.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read};

use crate::base::error::{Error, Result};
use crate::base::limits::{LONGEST_LINE, endless};
use crate::base::watch::{Steps, Watcher};
use crate::profiles::load_ontology;
use crate::record::archived::metadata::Metadata;
use crate::record::archived::{RegisteredGraph, registered};
use crate::sources::archive::Archive;
use crate::sources::archive::hashing::open_file;
use crate::sparql::named_query::NamedQuery;
use crate::sparql::store::Store;
use crate::sparql::touched::{Touched, TouchedGraph};

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
    /// Link sets are loaded where they are asked for.
    Links,
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
                GraphFate::NotAsked => 1,
                GraphFate::Links => 2,
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

/// Loads what a query can touch, and the ontology. Link sets only where asked for.
///
/// # Errors
/// Where a record or a graph that is needed cannot be read, or is another one by now.
pub fn select(
    archive: &Archive,
    query: &NamedQuery,
    with_links: bool,
    watcher: &dyn Watcher,
) -> Result<Selection> {
    let (registry, only_files) = registry(archive, with_links)?;
    let store = Store::in_memory()?;
    load_ontology(&store, &archive.mint().ontology_graph())?;
    let touched = Touched::by(query.algebra());
    let records = load_records(archive, &touched, &store)?;
    let steps = Steps::new(watcher, "loading", registry.len());
    let mut graphs = Vec::new();
    for graph in registry {
        watcher.check()?;
        let name = archive.mint().whole_graph(&graph.name);
        let fate = match touched.of_graph(name, !graph.is_links()) {
            _ if graph.is_links() && !with_links => GraphFate::Links,
            None => GraphFate::NotAsked,
            Some(asked) => GraphFate::Read(load_graph(archive, &graph, &asked, &store)?),
        };
        graphs.push(SelectedGraph { name: graph.name, statements: graph.statements, fate });
        steps.step();
    }
    Ok(Selection { store, parts: SelectedParts { records, graphs, only_files } })
}

/// The graphs that the records register, and how many link sets are files only.
fn registry(archive: &Archive, with_links: bool) -> Result<(Vec<RegisteredGraph>, usize)> {
    let graphs = Touched::by(NamedQuery::find("report/graphs")?.algebra());
    let only_files = NamedQuery::find("report/files-only")?;
    let touched = if with_links { graphs.and(Touched::by(only_files.algebra())) } else { graphs };
    let store = Store::in_memory()?;
    load_records(archive, &touched, &store)?;
    let mut damage = Vec::new();
    let metadata = Metadata::Loaded(store.into());
    let registered = registered(&*metadata.rows("report/graphs")?, &mut damage);
    if let Some(error) = damage.into_iter().next() {
        return Err(error);
    }
    let only_files = if with_links { metadata.rows("report/files-only")?.rows.len() } else { 0 };
    Ok((registered, only_files))
}

fn load_records(archive: &Archive, touched: &Touched, store: &Store) -> Result<LoadedPart> {
    let mut all = LoadedPart::default();
    let Some(asked) = touched.of_graph(&archive.mint().catalogue_graph(), true) else { return Ok(all) };
    for record in archive.records()? {
        let file = open_file(&record).map_err(|error| Error::io("open", &record, &error))?;
        let part = load(file, &asked, store).map_err(|error| error.in_file(record.display().to_string()))?;
        all.read += part.read;
        all.loaded += part.loaded;
    }
    Ok(all)
}

fn load_graph(
    archive: &Archive,
    graph: &RegisteredGraph,
    asked: &TouchedGraph<'_>,
    store: &Store,
) -> Result<LoadedPart> {
    let file = archive.graph(&graph.sha256);
    let content = file.checked().map_err(|error| Error::io("open the graph", file.path(), &error))?;
    load(content, asked, store).map_err(|error| error.in_file(file.path().display().to_string()))
}

fn load(content: impl Read, asked: &TouchedGraph<'_>, store: &Store) -> Result<LoadedPart> {
    let mut lines = TouchedLines {
        content: BufReader::with_capacity(1 << 16, content),
        asked,
        is_whole: asked.is_whole(),
        line: Vec::new(),
        at: 0,
        part: LoadedPart::default(),
    };
    store.load_copies(&mut lines, asked.copies)?;
    Ok(lines.part)
}

/// The lines that are touched, as a file.
struct TouchedLines<'a, R> {
    content: BufReader<R>,
    asked: &'a TouchedGraph<'a>,
    is_whole: bool,
    line: Vec<u8>,
    /// How much of the line was given away.
    at: usize,
    part: LoadedPart,
}

impl<R: Read> TouchedLines<'_, R> {
    /// Goes to the next line that is touched; whether there is one.
    fn advance(&mut self) -> io::Result<bool> {
        loop {
            self.line.clear();
            self.at = 0;
            let most = LONGEST_LINE + 1;
            let count = self.content.by_ref().take(most).read_until(b'\n', &mut self.line)?;
            if count as u64 == most {
                return Err(io::Error::other(endless("a line", LONGEST_LINE)));
            }
            if count == 0 {
                return Ok(false);
            }
            self.part.read += 1;
            if self.is_whole || self.asked.has_line(&self.line) {
                self.part.loaded += 1;
                return Ok(true);
            }
        }
    }
}

impl<R: Read> Read for TouchedLines<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.line.len() && !self.advance()? {
            return Ok(0);
        }
        let count = buffer.len().min(self.line.len() - self.at);
        buffer[..count].copy_from_slice(&self.line[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}
