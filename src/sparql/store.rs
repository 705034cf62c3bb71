//! The store of what qassay itself publishes: records, graphs, the ontology.
//!
//! Queries of other people run on the stores of knowledge bases, which `kb` loads, on disk too, and asks in processes and
//! within limits of their own.
//!
//! [`Store`] holds what users and checks ask about; [`crate::sparql::index::Index`] what matching joins. Both are read by the same
//! evaluator.

use std::io::Read;

use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::{GraphName, NamedNode, Quad};
use oxigraph::sparql::{CancellationToken, QueryEvaluationError, QueryResults, SparqlEvaluator};
use spargebra::Query;

use crate::base::error::{Error, Result};
use crate::sparql::dataset::Dataset;
use crate::sparql::touched::Copies;

/// An RDF dataset in memory, for the queries of users and for checks; or, of `kb`, one in memory or on disk.
///
/// Every quad is in its named graph and, unless it comes from a link set or a knowledge base, in the default
/// graph too: a query then sees all metadata without naming graphs, and without the slow merging of graphs.
pub struct Store {
    store: oxigraph::store::Store,
    evaluator: SparqlEvaluator,
}

impl Store {
    /// An empty store in memory.
    pub fn in_memory() -> Result<Self> {
        Ok(Self::of(oxigraph::store::Store::new().map_err(failed)?, SparqlEvaluator::new()))
    }

    /// A store that is filled already, and what evaluates the queries on it.
    pub(crate) fn of(store: oxigraph::store::Store, evaluator: SparqlEvaluator) -> Self {
        Self { store, evaluator }
    }

    /// The same store, whose queries end where somebody cancels them.
    pub(crate) fn cancelled_by(&self, token: CancellationToken) -> Self {
        Self::of(self.store.clone(), self.evaluator.clone().with_cancellation_token(token))
    }

    /// Loads N-Quads. `also_default`: put the statements into the default graph as well.
    pub fn load_nquads(&self, content: impl Read, also_default: bool) -> Result<()> {
        self.load_copies(content, Copies { default: also_default, named: true })
    }

    /// Loads N-Quads, each statement into its graph, into the default graph, or into both.
    pub fn load_copies(&self, content: impl Read, copies: Copies) -> Result<()> {
        let mut loader = self.store.bulk_loader();
        let mut bad = None;
        let quads = parsed(content).map_while(|quad| quad.map_err(|error| bad = Some(error)).ok());
        loader.load_quads(quads.flat_map(|quad| copied(quad, copies))).map_err(failed)?;
        loader.commit().map_err(failed)?;
        bad.map_or(Ok(()), Err)
    }

    /// The same with statements that were read already.
    pub fn load_parsed(&self, quads: impl IntoIterator<Item = (Quad, Copies)>) -> Result<()> {
        let mut loader = self.store.bulk_loader();
        loader
            .load_quads(quads.into_iter().flat_map(|(quad, copies)| copied(quad, copies)))
            .map_err(failed)?;
        loader.commit().map_err(failed)
    }

    /// Loads Turtle or TriG; triples go into the given graph and into the default graph.
    pub fn load_turtle(&self, content: &str, graph: &str) -> Result<()> {
        let mut quads = Vec::new();
        for quad in RdfParser::from_format(RdfFormat::TriG).for_slice(content) {
            let mut quad =
                quad.map_err(|error| Error::input(format!("the Turtle cannot be read: {error}")))?;
            if quad.graph_name == GraphName::DefaultGraph {
                quad.graph_name = NamedNode::new_unchecked(graph).into();
            }
            quads.push(Quad { graph_name: GraphName::DefaultGraph, ..quad.clone() });
            quads.push(quad);
        }
        self.store.extend(quads).map_err(failed)
    }

    /// Adds quads as they are.
    pub fn extend(&self, quads: impl IntoIterator<Item = Quad>) -> Result<()> {
        self.store.extend(quads).map_err(failed)
    }
}

impl Dataset for Store {
    /// SERVICE is off.
    fn run(&self, query: &Query) -> Result<QueryResults<'_>, QueryEvaluationError> {
        self.evaluator.clone().for_query(query.clone()).on_store(&self.store).execute()
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").finish_non_exhaustive()
    }
}

/// The statements of N-Quads.
pub(crate) fn parsed(content: impl Read) -> impl Iterator<Item = Result<Quad>> {
    let quads = RdfParser::from_format(RdfFormat::NQuads).for_reader(content);
    quads.map(|quad| quad.map_err(|error| Error::input(format!("the N-Quads cannot be read: {error}"))))
}

/// A statement in the graphs in which it is needed.
fn copied(quad: Quad, copies: Copies) -> impl Iterator<Item = Quad> {
    let is_default = quad.graph_name == GraphName::DefaultGraph;
    let copy =
        (copies.default && !is_default).then(|| Quad { graph_name: GraphName::DefaultGraph, ..quad.clone() });
    (copies.named || is_default).then_some(quad).into_iter().chain(copy)
}

fn failed(error: impl std::fmt::Display) -> Error {
    Error::system(format!("the store failed: {error}"))
}
