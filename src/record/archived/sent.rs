//! A query of an archive, found by a server that has the graphs.
//!
//! The graphs that the query can touch are those that the embedded store would be filled with ([`selected`]): what the server
//! does not have of them is sent. It has each under its own name; only the records, which are one graph that grows, have the checksum of
//! what they are in its name there, and so has a graph that is kept in parts.
//!
//! [`selected`]: crate::record::archived::selected

use std::collections::BTreeMap;
use std::path::PathBuf;

use oxigraph::model::{BlankNode, GraphName, NamedNode, NamedOrBlankNode, Term, Triple};
use sha2::{Digest as _, Sha256};

use crate::base::checksum::hex;
use crate::base::error::{Error, Result};
use crate::base::watch::Watcher;
use crate::kb::remote::{OutgoingGraph, RemoteStore};
use crate::profiles::ontology_quads;
use crate::record::archived::RegisteredGraph;
use crate::record::archived::selected::Touching;
use crate::sources::archive::Archive;
use crate::sources::archive::hashing::open_file;
use crate::sparql::named_query::NamedQuery;
use crate::sparql::store::parsed;
use crate::sparql::touched::Copies;

/// The query with what a server finds in the graphs of an archive in place of its pattern: it needs no data any more.
///
/// # Errors
/// Where a record or a graph that is needed cannot be read; where the server fails, has other graphs, or does not answer in full.
pub fn find(
    archive: &Archive,
    query: &NamedQuery,
    with_links: bool,
    (remote, watcher): (&RemoteStore, &dyn Watcher),
) -> Result<NamedQuery> {
    let touching = Touching::by(archive, query, with_links)?;
    let mut dataset = RemoteDataset::default();
    if let Some(copies) = touching.copies(&archive.mint().ontology_graph()) {
        dataset.add_ontology(archive, copies);
    }
    if let Some(copies) = touching.copies(&archive.mint().catalogue_graph()) {
        dataset.add_records(archive, copies, &archive.records()?)?;
    }
    let asked = touching.graphs().iter().filter_map(|graph| {
        let (asked, _) = touching.of(archive, graph).ok()?;
        Some((graph, asked.copies))
    });
    dataset.add_graphs(archive, asked)?;
    dataset.find(query, remote, (Some(archive), watcher))
}

/// The statements of a graph, if it is still what its record says.
fn statements(archive: &Archive, graph: &RegisteredGraph) -> Result<Vec<Triple>> {
    let file = archive.graph(&graph.sha256);
    let content = file.checked().map_err(|error| Error::io("open the graph", file.path(), &error))?;
    let quads = parsed(content).map(|quad| quad.map(Triple::from));
    quads.collect::<Result<_>>().map_err(|error| error.in_file(file.path().display().to_string()))
}

/// The query with what a server finds in statements that are made for it; as [`find`].
///
/// # Errors
/// Where the server fails, or does not answer in full.
pub fn find_in(
    (name, statements): (&str, Vec<Triple>),
    query: &NamedQuery,
    (remote, watcher): (&RemoteStore, &dyn Watcher),
) -> Result<NamedQuery> {
    let mut dataset = RemoteDataset::default();
    dataset.add_version(name, Copies { default: true, named: false }, statements);
    dataset.find(query, remote, (None, watcher))
}

/// The graphs that queries look at.
#[derive(Default)]
pub(crate) struct RemoteDataset<'a> {
    graphs: Vec<OutgoingGraph<'a>>,
    default: Vec<NamedNode>,
    named: Vec<NamedNode>,
    /// What graphs are called in the archive that have another name on the server.
    called: BTreeMap<String, String>,
}

impl<'a> RemoteDataset<'a> {
    /// The ontology, some records and some graphs of an archive, as a layer has them: all are in the default graph, but for links.
    ///
    /// # Errors
    /// Where a record cannot be read, or a graph that is kept in parts.
    pub(crate) fn of(
        archive: &'a Archive,
        records: &[PathBuf],
        graphs: &[&'a RegisteredGraph],
    ) -> Result<Self> {
        let mut dataset = Self::default();
        let copies = Copies { default: true, named: true };
        dataset.add_ontology(archive, copies);
        dataset.add_records(archive, copies, records)?;
        let copies =
            |graph: &&'a RegisteredGraph| (*graph, Copies { default: !graph.is_links(), named: true });
        dataset.add_graphs(archive, graphs.iter().map(copies))?;
        Ok(dataset)
    }

    fn add_ontology(&mut self, archive: &Archive, copies: Copies) {
        let statements: Vec<Triple> = ontology_quads(&GraphName::DefaultGraph).map(Triple::from).collect();
        self.add_version(&archive.mint().ontology_graph(), copies, statements);
    }

    fn add_records(&mut self, archive: &Archive, copies: Copies, records: &[PathBuf]) -> Result<()> {
        let mut statements = Vec::new();
        for record in records {
            let file = open_file(record).map_err(|error| Error::io("open", record, &error))?;
            for quad in parsed(file) {
                statements.push(quad.map_err(|error| error.in_file(record.display().to_string()))?.into());
            }
        }
        self.add_version(&archive.mint().catalogue_graph(), copies, statements);
        Ok(())
    }

    fn add_graphs(
        &mut self,
        archive: &'a Archive,
        graphs: impl Iterator<Item = (&'a RegisteredGraph, Copies)>,
    ) -> Result<()> {
        let mut named: BTreeMap<&str, (Copies, Vec<&RegisteredGraph>)> = BTreeMap::new();
        for (graph, copies) in graphs {
            let name = archive.mint().whole_graph(&graph.name);
            named.entry(name).or_insert_with(|| (copies, Vec::new())).1.push(graph);
        }
        for (name, (copies, parts)) in named {
            if let [graph] = parts[..]
                && graph.name == name
            {
                let statements = Box::new(|| statements(archive, graph));
                let (name, checksum) = (graph.name.clone(), graph.sha256.clone());
                self.add(name.clone().as_str(), copies, OutgoingGraph { name, checksum, statements });
            } else {
                let parts: Vec<_> =
                    parts.into_iter().map(|part| statements(archive, part)).collect::<Result<_>>()?;
                self.add_version(name, copies, parts.concat());
            }
        }
        Ok(())
    }

    fn add(&mut self, called: &str, copies: Copies, graph: OutgoingGraph<'a>) {
        let node = NamedNode::new_unchecked(graph.name.as_str());
        if graph.name != called {
            self.called.insert(graph.name.clone(), called.to_owned());
        }
        self.default.extend(copies.default.then(|| node.clone()));
        self.named.extend(copies.named.then_some(node));
        self.graphs.push(graph);
    }

    /// A graph that changes: each version has a name of its own.
    fn add_version(&mut self, called: &str, copies: Copies, mut statements: Vec<Triple>) {
        number_blank_nodes(&mut statements);
        let mut lines: Vec<String> = statements.iter().map(ToString::to_string).collect();
        lines.sort_unstable();
        lines.dedup();
        let mut hash = Sha256::new();
        for line in &lines {
            hash.update(format!("{line}\n"));
        }
        let checksum = hex(&hash.finalize());
        let statements = Box::new(move || Ok(statements.clone()));
        self.add(
            called,
            copies,
            OutgoingGraph { name: format!("{called}/{checksum}"), checksum, statements },
        );
    }

    /// Sees to it that the server has the graphs. Gives how many statements it has of each.
    ///
    /// # Errors
    /// Where a graph cannot be read; as [`RemoteStore::hold`].
    pub(crate) fn hold(
        &self,
        remote: &RemoteStore,
        (archive, watcher): (Option<&Archive>, &dyn Watcher),
    ) -> Result<BTreeMap<String, u64>> {
        // Two at once would both send what is missing, and each would count what the other has sent. In an archive that cannot be
        // written nobody can be kept from it.
        let _alone = archive.and_then(|archive| archive.lock_sending().ok());
        remote.hold(&self.graphs, watcher)
    }

    /// The query with what the server finds in the graphs that it has in place of its pattern.
    ///
    /// # Errors
    /// As [`RemoteStore::found`].
    pub(crate) fn found(&self, query: &NamedQuery, remote: &RemoteStore) -> Result<NamedQuery> {
        remote.found(query, [self.default.clone(), self.named.clone()], &self.called)
    }

    fn find(
        self,
        query: &NamedQuery,
        remote: &RemoteStore,
        place: (Option<&Archive>, &dyn Watcher),
    ) -> Result<NamedQuery> {
        let held = self.hold(remote, place)?;
        let found = self.found(query, remote)?;
        remote.check(&held)?;
        Ok(found)
    }
}

/// Calls blank nodes by the order in which they come: whoever reads a text gives them names by chance.
fn number_blank_nodes(statements: &mut [Triple]) {
    let mut known: BTreeMap<String, BlankNode> = BTreeMap::new();
    let mut number = |node: &mut BlankNode| {
        let next = BlankNode::new_unchecked(format!("n{}", known.len()));
        *node = known.entry(node.as_str().to_owned()).or_insert(next).clone();
    };
    for Triple { subject, object, .. } in statements {
        if let NamedOrBlankNode::BlankNode(node) = subject {
            number(node);
        }
        if let Term::BlankNode(node) = object {
            number(node);
        }
    }
}
