//! A compact dataset in memory: interned terms, sorted pairs, read by Oxigraph's own SPARQL evaluator.
//!
//! Matching asks a few whole-graph queries of graphs that are loaded once and thrown away. For that a full
//! store is three times too slow and rewrites typed literals; this index keeps terms as they are. The same
//! queries give the same rows on an Oxigraph store (`tests/it/sparql/queries.rs`).

use std::convert::Infallible;
use std::sync::Arc;

use indexmap::IndexSet;
use oxigraph::model::{BlankNode, NamedNode, Term};
use oxigraph::sparql::{QueryEvaluationError, QueryResults, SparqlEvaluator};
use rustc_hash::FxBuildHasher;
use spareval::{InternalQuad, QueryableDataset};
use spargebra::Query;

use crate::sparql::dataset::Dataset;
use crate::sparql::pairs::PairTable;

/// The dataset under construction and, once [frozen](Index::freeze), under query.
#[derive(Debug, Default)]
pub struct Index {
    terms: IndexSet<Term, FxBuildHasher>,
    tables: Vec<Relation>,
    /// How many nodes have no name.
    nodes: u32,
}

/// What the numbers of [`Index::node`] have, and those of terms do not.
const NODE: u32 = 1 << 31;

/// What the ids of such nodes have beside their number, where queries show them: no file calls its nodes so.
const NAMELESS: u128 = 0x7161_7373_6179_206e_616d_656c_0000_0000;

/// All pairs of one predicate in one named graph.
#[derive(Debug)]
struct Relation {
    graph: u32,
    predicate: u32,
    pairs: PairTable,
}

/// A term in a running query: one of the dataset, or one that the query brought along.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Handle {
    /// The term with this number.
    Known(u32),
    /// A term that occurs nowhere in the dataset.
    Foreign(Arc<Term>),
}

impl Handle {
    /// Its number, if the dataset has it.
    pub(crate) fn number(&self) -> Option<u32> {
        match self {
            Self::Known(number) => Some(*number),
            Self::Foreign(_) => None,
        }
    }

    /// Whether a pattern has a term that occurs nowhere in the dataset.
    pub(crate) fn any_foreign(pattern: [Option<&Self>; 4]) -> bool {
        pattern.into_iter().flatten().any(|handle| handle.number().is_none())
    }
}

impl Index {
    /// An empty dataset.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of a term, new or known.
    ///
    /// # Panics
    /// Where there are more than four billion terms; memory ends before.
    pub fn intern(&mut self, term: impl Into<Term>) -> u32 {
        let (number, _) = self.terms.insert_full(term.into());
        u32::try_from(number).expect("memory ends before four billion terms")
    }

    /// The number of an IRI, new or known. The caller knows that it is one.
    pub fn intern_iri(&mut self, iri: impl Into<String>) -> u32 {
        self.intern(NamedNode::new_unchecked(iri))
    }

    /// The number of something new that needs no name: a blank node, of which nothing is kept but its number.
    ///
    /// # Panics
    /// Where there are more than two billion nodes; memory ends before.
    pub fn node(&mut self) -> u32 {
        let number = NODE | self.nodes;
        self.nodes += 1;
        assert!(self.nodes < NODE, "memory ends before two billion nodes");
        number
    }

    /// Which of the [nodes](Self::node) has a number, from 0; none where it is that of a term.
    pub fn place_of_node(number: u32) -> Option<usize> {
        usize::try_from(number.checked_sub(NODE)?).ok()
    }

    /// The number of a term that may be in the dataset.
    pub fn number(&self, term: &Term) -> Option<u32> {
        let known = self.terms.get_index_of(term).and_then(|number| u32::try_from(number).ok());
        known.or_else(|| {
            let Term::BlankNode(node) = term else { return None };
            let id = node.as_ref().unique_id()?.checked_sub(NAMELESS)?;
            u32::try_from(id).ok().filter(|number| number & NODE > 0 && number ^ NODE < self.nodes)
        })
    }

    /// The term with a number that [`Index::intern`] gave.
    ///
    /// # Panics
    /// Where the number is that of a [node](Self::node).
    pub fn term(&self, number: u32) -> &Term {
        &self.terms[number as usize]
    }

    /// The table for a predicate in a graph; quads are added to it by [`Index::add`].
    pub fn table(&mut self, graph: &str, predicate: &str) -> usize {
        let (graph, predicate) = (self.intern_iri(graph), self.intern_iri(predicate));
        let known = self.tables.iter().position(|t| t.graph == graph && t.predicate == predicate);
        known.unwrap_or_else(|| {
            self.tables.push(Relation { graph, predicate, pairs: PairTable::default() });
            self.tables.len() - 1
        })
    }

    /// Adds a quad to a table.
    pub fn add(&mut self, table: usize, subject: u32, object: u32) {
        self.tables[table].pairs.add(subject, object);
    }

    /// Sorts the quads. Queries see what was added before.
    pub fn freeze(&mut self) {
        self.tables.iter_mut().for_each(|table| table.pairs.sort());
    }

    /// All quads: the numbers of graph, subject, predicate and object.
    pub(crate) fn quads(&self) -> impl Iterator<Item = [u32; 4]> + '_ {
        self.tables.iter().flat_map(|table| {
            let pairs = table.pairs.find(None, None);
            pairs.map(|(subject, object)| [table.graph, subject, table.predicate, object])
        })
    }

    /// Forgets the quads, save those with one predicate, and keeps the terms.
    pub fn forget_all_but(&mut self, predicate: &str) {
        let kept = self.intern_iri(predicate);
        self.tables.retain(|table| table.predicate == kept);
    }

    /// The terms in the order of their numbers: what is left to do needs no queries.
    pub fn into_terms(self) -> impl Iterator<Item = Term> {
        self.terms.into_iter()
    }
}

impl Dataset for Index {
    /// Rows are in no particular order.
    fn run(&self, query: &Query) -> Result<QueryResults<'_>, QueryEvaluationError> {
        let seen = Seen { index: self, numbers_below: 0 };
        SparqlEvaluator::new().for_query(query.clone()).on_queryable_dataset(seen).execute()
    }
}

/// An index as a running query sees it.
pub(crate) struct Seen<'a> {
    pub(crate) index: &'a Index,
    /// Terms with numbers below it come out as blank nodes that carry them: see [`number_of`].
    pub(crate) numbers_below: u32,
}

/// The number that a term carries. Constants of a query are no blank nodes.
pub(crate) fn number_of(term: &Term) -> Option<u32> {
    let Term::BlankNode(node) = term else { return None };
    node.as_ref().unique_id().and_then(|id| id.try_into().ok())
}

impl<'a> QueryableDataset<'a> for Seen<'a> {
    type InternalTerm = Handle;
    type Error = Infallible;

    fn internal_quads_for_pattern(
        &self,
        subject: Option<&Handle>,
        predicate: Option<&Handle>,
        object: Option<&Handle>,
        graph_name: Option<Option<&Handle>>,
    ) -> impl Iterator<Item = Result<InternalQuad<Handle>, Infallible>> + use<'a> {
        let index = self.index;
        let foreign = Handle::any_foreign([subject, predicate, object, graph_name.flatten()]);
        // All quads are in named graphs: the default graph is empty.
        let tables: &'a [Relation] = if foreign || graph_name == Some(None) { &[] } else { &index.tables };
        let number = |handle: Option<&Handle>| handle.and_then(Handle::number);
        let (subject, object) = (number(subject), number(object));
        let (predicate, graph) = (number(predicate), number(graph_name.flatten()));
        tables
            .iter()
            .filter(move |t| predicate.is_none_or(|p| p == t.predicate) && graph.is_none_or(|g| g == t.graph))
            .flat_map(move |table| {
                table.pairs.find(subject, object).map(move |(s, o)| {
                    Ok(InternalQuad {
                        subject: Handle::Known(s),
                        predicate: Handle::Known(table.predicate),
                        object: Handle::Known(o),
                        graph_name: Some(Handle::Known(table.graph)),
                    })
                })
            })
    }

    fn internalize_term(&self, term: Term) -> Result<Handle, Infallible> {
        let carried = number_of(&term).filter(|number| *number < self.numbers_below);
        let number = carried.or_else(|| self.index.number(&term));
        Ok(number.map_or_else(|| Handle::Foreign(Arc::new(term)), Handle::Known))
    }

    fn externalize_term(&self, term: Handle) -> Result<Term, Infallible> {
        Ok(match term {
            Handle::Known(number) if number < self.numbers_below => {
                BlankNode::new_from_unique_id(number.into()).into()
            }
            Handle::Known(number) if number & NODE > 0 => {
                BlankNode::new_from_unique_id(NAMELESS + u128::from(number)).into()
            }
            Handle::Known(number) => self.index.term(number).clone(),
            Handle::Foreign(term) => term.as_ref().clone(),
        })
    }
}
