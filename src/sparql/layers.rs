//! A dataset in memory made of layers: what many share lies below, what each has of its own above.
//!
//! Checks ask the same queries of the graphs of one evaluation after the other. The ontology, the records and the dataset
//! are loaded once, for all of them; a layer above has the graphs of one. Like a [`Store`](crate::sparql::store::Store), a
//! layer has every statement in its named graph and, unless it comes from a link set, in the default graph, there once;
//! and numbers, truth values and times are written as a store writes them, so that the same queries give the same rows. It
//! is several times smaller, and faster to load.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::io::Read;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use oxigraph::model::{GraphName, Quad, Term};
use oxigraph::sparql::{QueryEvaluationError, QueryResults, SparqlEvaluator};
use rustc_hash::FxBuildHasher;
use spareval::{ExpressionTerm, InternalQuad, QueryableDataset};
use spargebra::Query;
use spargebra::algebra::GraphPattern;
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};

use crate::base::error::Result;
use crate::sparql::dataset::Dataset;
use crate::sparql::index::Handle;
use crate::sparql::pairs::PairTable;
use crate::sparql::store::parsed;

/// A layer under construction and, once [frozen](Layer::freeze), under query and under others.
#[derive(Debug, Default)]
pub struct Layer {
    below: Option<Arc<Self>>,
    /// The number of the first term that no layer below has.
    first: usize,
    terms: IndexSet<Term, FxBuildHasher>,
    /// The default graph by predicate: no pair that a layer below has.
    merged: IndexMap<u32, PairTable, FxBuildHasher>,
    /// The named graphs by predicate.
    named: IndexMap<u32, Vec<(u32, PairTable)>, FxBuildHasher>,
}

impl Layer {
    /// An empty layer above another one, if there is one.
    pub fn above(below: Option<Arc<Self>>) -> Self {
        let first = below.as_ref().map_or(0, |below| below.first + below.terms.len());
        Self { below, first, ..Self::default() }
    }

    /// This layer and those below it.
    fn layers(&self) -> impl Iterator<Item = &Self> + use<'_> {
        std::iter::successors(Some(self), |layer| layer.below.as_deref())
    }

    fn number(&self, term: &Term) -> Option<u32> {
        self.layers().find_map(|layer| {
            let place = layer.terms.get_index_of(term)?;
            u32::try_from(layer.first + place).ok()
        })
    }

    fn intern(&mut self, term: Term) -> u32 {
        let below = self.below.as_ref().and_then(|below| below.number(&term));
        below.unwrap_or_else(|| {
            let place = self.first + self.terms.insert_full(term).0;
            u32::try_from(place).expect("memory ends before four billion terms")
        })
    }

    fn term(&self, number: u32) -> &Term {
        let number = number as usize;
        let layer = self.layers().find(|layer| layer.first <= number).unwrap_or(self);
        &layer.terms[number - layer.first]
    }

    /// Loads N-Quads. `also_default`: put the statements into the default graph as well. What stands before a mistake is
    /// loaded.
    ///
    /// # Errors
    /// Where it is no N-Quads.
    pub fn load_nquads(&mut self, content: impl Read, also_default: bool) -> Result<()> {
        parsed(content).try_for_each(|quad| quad.map(|quad| self.add(quad, also_default)))
    }

    /// Adds a statement. One of the default graph is there and nowhere else.
    pub fn add(&mut self, quad: Quad, also_default: bool) {
        let subject = self.intern(quad.subject.into());
        let predicate = self.intern(quad.predicate.into());
        let object = self.intern(as_stored(quad.object));
        let graph = match quad.graph_name {
            GraphName::NamedNode(graph) => Some(self.intern(graph.into())),
            GraphName::BlankNode(graph) => Some(self.intern(graph.into())),
            GraphName::DefaultGraph => None,
        };
        if also_default || graph.is_none() {
            self.merged.entry(predicate).or_default().add(subject, object);
        }
        if let Some(graph) = graph {
            self.add_named(graph, [subject, predicate, object]);
        }
    }

    fn add_named(&mut self, graph: u32, [subject, predicate, object]: [u32; 3]) {
        let tables = self.named.entry(predicate).or_default();
        let known = tables.iter().rposition(|(known, _)| *known == graph).unwrap_or_else(|| {
            tables.push((graph, PairTable::default()));
            tables.len() - 1
        });
        tables[known].1.add(subject, object);
    }

    /// Sorts the statements. Queries see what was added before.
    pub fn freeze(&mut self) {
        for (predicate, table) in &mut self.merged {
            let below = self.below.as_deref();
            let tables: Vec<&PairTable> = below
                .into_iter()
                .flat_map(Self::layers)
                .filter_map(|layer| layer.merged.get(predicate))
                .collect();
            table.sort_without(|pair| tables.iter().any(|table| table.has(pair)));
        }
        self.named.values_mut().flatten().for_each(|(_, table)| table.sort());
    }

    /// Whether a SELECT query can have rows: whether there is a statement for each of the triple patterns that it cannot do
    /// without. Most constraints are about things that most evaluations do not have.
    pub fn can_answer(&self, query: &Query) -> bool {
        required(query).into_iter().all(|pattern| self.has_match(pattern))
    }

    /// Whether the default graph has a statement like this, wherever it has no constant.
    fn has_match(&self, pattern: &TriplePattern) -> bool {
        let number = |constant: Option<Term>| match constant {
            // What is not known is in no statement.
            Some(term) => self.number(&as_stored(term)).map(Some),
            None => Some(None),
        };
        let predicate = match &pattern.predicate {
            NamedNodePattern::NamedNode(node) => Some(node.clone().into()),
            NamedNodePattern::Variable(_) => None,
        };
        let numbers = [constant(&pattern.subject), predicate, constant(&pattern.object)].map(number);
        let [Some(subject), Some(predicate), Some(object)] = numbers else { return false };
        let mut tables = self.layers().flat_map(|layer| layer.merged(predicate));
        tables.any(|(_, table)| table.find(subject, object).next().is_some())
    }

    /// Whether a statement has a blank node.
    pub fn has_blank_nodes(&self) -> bool {
        self.layers().any(|layer| layer.terms.iter().any(|term| matches!(term, Term::BlankNode(_))))
    }

    /// The names of its graphs, some of them several times.
    pub fn graph_names(&self) -> impl Iterator<Item = &Term> {
        self.layers().flat_map(|layer| layer.named(None)).map(|(_, graph, _)| self.term(graph))
    }

    /// The statements that are in several named graphs, in these.
    #[must_use]
    pub fn in_several_graphs(&self) -> Self {
        let mut shared = Self::default();
        let predicates: BTreeSet<u32> = self.layers().flat_map(|layer| layer.named.keys().copied()).collect();
        for predicate in predicates {
            let tables: Vec<(u32, &PairTable)> = self
                .layers()
                .flat_map(|layer| layer.named(Some(predicate)))
                .map(|(_, graph, table)| (graph, table))
                .collect();
            for (graph, table) in &tables {
                let others: Vec<&PairTable> =
                    tables.iter().filter(|(other, _)| other != graph).map(|(_, table)| *table).collect();
                let pairs = table.find(None, None);
                for (subject, object) in pairs.filter(|pair| others.iter().any(|other| other.has(*pair))) {
                    let [graph, subject, predicate, object] = [*graph, subject, predicate, object]
                        .map(|number| shared.intern(self.term(number).clone()));
                    shared.add_named(graph, [subject, predicate, object]);
                }
            }
        }
        shared.freeze();
        shared
    }

    /// The tables of the default graph with a predicate, or with any.
    fn merged(&self, predicate: Option<u32>) -> impl Iterator<Item = (u32, &PairTable)> + use<'_> {
        let range = predicate.map_or(0..self.merged.len(), |one| only(self.merged.get_index_of(&one)));
        let tables = self.merged.get_range(range).into_iter().flatten();
        tables.map(|(predicate, table)| (*predicate, table))
    }

    /// The tables of the named graphs, likewise: predicate, graph, table.
    fn named(&self, predicate: Option<u32>) -> impl Iterator<Item = (u32, u32, &PairTable)> + use<'_> {
        let range = predicate.map_or(0..self.named.len(), |one| only(self.named.get_index_of(&one)));
        let tables = self.named.get_range(range).into_iter().flatten();
        tables.flat_map(|(predicate, tables)| tables.iter().map(|(graph, table)| (*predicate, *graph, table)))
    }
}

/// One place, or none.
fn only(place: Option<usize>) -> std::ops::Range<usize> {
    place.map_or(0..0, |place| place..place + 1)
}

/// The triple patterns over the default graph that every row of a SELECT query needs a statement for. There may be others.
fn required(query: &Query) -> Vec<&TriplePattern> {
    let mut all = Vec::new();
    if let Query::Select { pattern, .. } = query {
        collect(pattern, &mut all);
    }
    all
}

fn collect<'q>(pattern: &'q GraphPattern, all: &mut Vec<&'q TriplePattern>) {
    match pattern {
        GraphPattern::Bgp { patterns } => all.extend(patterns),
        GraphPattern::Join { left, right } | GraphPattern::Lateral { left, right } => {
            collect(left, all);
            collect(right, all);
        }
        GraphPattern::LeftJoin { left, .. } | GraphPattern::Minus { left, .. } => collect(left, all),
        GraphPattern::Filter { inner, .. }
        | GraphPattern::Extend { inner, .. }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Project { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Slice { inner, .. } => collect(inner, all),
        // Of nothing there are no groups, unless all is one.
        GraphPattern::Group { inner, variables, .. } if !variables.is_empty() => collect(inner, all),
        GraphPattern::Group { .. }
        | GraphPattern::Union { .. }
        | GraphPattern::Graph { .. }
        | GraphPattern::Path { .. }
        | GraphPattern::Values { .. }
        | GraphPattern::Service { .. } => {}
    }
}

/// The term that a pattern has in a place, if it has one.
fn constant(pattern: &TermPattern) -> Option<Term> {
    match pattern {
        TermPattern::NamedNode(node) => Some(node.clone().into()),
        TermPattern::Literal(literal) => Some(literal.clone().into()),
        TermPattern::BlankNode(_) | TermPattern::Variable(_) => None,
    }
}

/// A term as a store keeps it: literals of the datatypes that it knows by their values.
pub(crate) fn as_stored(term: Term) -> Term {
    match term {
        Term::Literal(literal) => ExpressionTerm::from(Term::from(literal)).into(),
        other => other,
    }
}

impl Dataset for Layer {
    /// Rows are in no particular order.
    fn run(&self, query: &Query) -> Result<QueryResults<'_>, QueryEvaluationError> {
        SparqlEvaluator::new().for_query(query.clone()).on_queryable_dataset(self).execute()
    }
}

impl<'a> QueryableDataset<'a> for &'a Layer {
    type InternalTerm = Handle;
    type Error = Infallible;

    fn internal_quads_for_pattern(
        &self,
        subject: Option<&Handle>,
        predicate: Option<&Handle>,
        object: Option<&Handle>,
        graph_name: Option<Option<&Handle>>,
    ) -> impl Iterator<Item = Result<InternalQuad<Handle>, Infallible>> + use<'a> {
        let top: &'a Layer = self;
        let is_foreign = Handle::any_foreign([subject, predicate, object, graph_name.flatten()]);
        let number = |handle: Option<&Handle>| handle.and_then(Handle::number);
        let (subject, object) = (number(subject), number(object));
        let (predicate, graph) = (number(predicate), number(graph_name.flatten()));
        let is_default = graph_name == Some(None);
        let merged = (is_default && !is_foreign).then(|| top.layers());
        let merged = merged.into_iter().flatten().flat_map(move |layer| layer.merged(predicate));
        let merged = merged.map(|(predicate, table)| (predicate, None, table));
        let named = (!is_default && !is_foreign).then(|| top.layers());
        let named = named.into_iter().flatten().flat_map(move |layer| layer.named(predicate));
        let named = named
            .filter(move |(_, name, _)| graph.is_none_or(|graph| graph == *name))
            .map(|(predicate, name, table)| (predicate, Some(name), table));
        merged.chain(named).flat_map(move |(predicate, graph, table)| {
            table.find(subject, object).map(move |(subject, object)| {
                Ok(InternalQuad {
                    subject: Handle::Known(subject),
                    predicate: Handle::Known(predicate),
                    object: Handle::Known(object),
                    graph_name: graph.map(Handle::Known),
                })
            })
        })
    }

    fn internalize_term(&self, term: Term) -> Result<Handle, Infallible> {
        let term = as_stored(term);
        Ok(self.number(&term).map_or_else(|| Handle::Foreign(Arc::new(term)), Handle::Known))
    }

    fn externalize_term(&self, term: Handle) -> Result<Term, Infallible> {
        Ok(match term {
            Handle::Known(number) => self.term(number).clone(),
            Handle::Foreign(term) => term.as_ref().clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparql::named_query::NamedQuery;
    use crate::sparql::store::Store;

    const LOW: &str = "<http://e/a> <http://e/p> \"1.50\"^^<http://www.w3.org/2001/XMLSchema#decimal> <http://g/1> .\n\
                       <http://e/a> <http://e/q> <http://e/b> <http://g/1> .\n";
    const HIGH: &str = "<http://e/a> <http://e/q> <http://e/b> <http://g/2> .\n\
                        <http://e/b> <http://e/p> \"+1.5\"^^<http://www.w3.org/2001/XMLSchema#decimal> <http://g/2> .\n\
                        <http://e/b> <http://e/p> \"07\"^^<http://www.w3.org/2001/XMLSchema#nonNegativeInteger> <http://g/2> .\n";
    const LINKS: &str = "<http://e/b> <http://e/q> <http://e/c> <http://g/links> .\n";

    #[test]
    fn layers_are_asked_like_a_store() {
        let mut low = Layer::above(None);
        low.load_nquads(LOW.as_bytes(), true).unwrap();
        low.freeze();
        let mut high = Layer::above(Some(Arc::new(low)));
        high.load_nquads(HIGH.as_bytes(), true).unwrap();
        high.load_nquads(LINKS.as_bytes(), false).unwrap();
        high.freeze();
        let store = Store::in_memory().unwrap();
        store.load_nquads([LOW, HIGH].concat().as_bytes(), true).unwrap();
        store.load_nquads(LINKS.as_bytes(), false).unwrap();
        for (text, number) in [
            ("SELECT * { ?s ?p ?o }", 4),
            ("SELECT * { GRAPH ?g { ?s ?p ?o } }", 6),
            ("SELECT * { GRAPH <http://g/2> { ?s ?p ?o } }", 3),
            ("SELECT * { ?s <http://e/q> <http://e/b> }", 1),
            ("SELECT * { GRAPH ?g { ?s <http://e/q> <http://e/b> } }", 2),
            ("SELECT * { <http://e/a> <http://e/p> ?o . ?s <http://e/p> ?o }", 2),
            ("SELECT * { ?s <http://e/p> 7 }", 1),
            ("SELECT * { ?s <http://e/p> 1.500 }", 2),
            ("SELECT * { ?s <http://e/other> ?o }", 0),
            ("SELECT * { ?s <http://e/q>/<http://e/p> ?o }", 2),
            ("SELECT DISTINCT ?g { GRAPH ?g { } }", 3),
        ] {
            let query = NamedQuery::written("test", text).unwrap();
            let rows = |dataset: &dyn Dataset| {
                let mut rows: Vec<String> =
                    dataset.select(&query).unwrap().iter().map(|row| format!("{row:?}")).collect();
                rows.sort_unstable();
                rows
            };
            assert_eq!(rows(&high), rows(&store), "{text}");
            assert_eq!(rows(&high).len(), number, "{text}");
            assert!(high.can_answer(query.algebra()) || number == 0, "{text}");
        }
    }

    #[test]
    fn what_is_in_several_graphs_or_nowhere_is_known_before_it_is_asked() {
        let mut low = Layer::above(None);
        low.load_nquads(LOW.as_bytes(), true).unwrap();
        low.freeze();
        let mut high = Layer::above(Some(Arc::new(low)));
        high.load_nquads(HIGH.as_bytes(), true).unwrap();
        high.freeze();
        let query = |text| NamedQuery::written("test", text).unwrap();
        let all = query("SELECT ?s ?g ?o { GRAPH ?g { ?s ?p ?o } } ORDER BY ?g");
        let told: Vec<String> =
            high.in_several_graphs().select(&all).unwrap().iter().map(|row| format!("{row:?}")).collect();
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].contains("http://g/1") && told[1].contains("http://g/2"), "{told:?}");
        for text in [
            "SELECT * { ?s <http://e/r> ?o }",
            "SELECT * { ?s <http://e/q> <http://e/a> }",
            "SELECT * { ?s <http://e/q> ?o . ?s <http://e/p> 2 }",
        ] {
            assert!(!high.can_answer(query(text).algebra()), "{text}");
        }
        assert!(
            high.can_answer(
                query("SELECT * { ?s <http://e/q> <http://e/b> . ?s <http://e/p> 1.5 }").algebra()
            )
        );
    }

    #[test]
    fn every_row_needs_them() {
        for (text, expected) in [
            ("SELECT * { ?s <urn:p> ?o ; a ?c }", 2),
            (
                "SELECT DISTINCT ?s { ?s <urn:p> ?o FILTER NOT EXISTS { ?s <urn:q> ?o } } ORDER BY ?s LIMIT 1",
                1,
            ),
            ("SELECT * { ?s <urn:p> ?o OPTIONAL { ?s <urn:q> ?x } MINUS { ?s <urn:r> ?o } }", 1),
            ("SELECT * { { ?s <urn:p> ?o } UNION { ?s <urn:q> ?o } }", 0),
            ("SELECT * { { SELECT ?s (COUNT(*) AS ?n) { ?s <urn:p> ?o } GROUP BY ?s } ?s <urn:q> ?x }", 2),
            ("SELECT (COUNT(*) AS ?n) { ?s <urn:p> ?o }", 0),
            ("SELECT * { GRAPH ?g { ?s <urn:p> ?o } VALUES ?s { <urn:a> } ?s <urn:p>* ?x }", 0),
        ] {
            let query = NamedQuery::written("test", text).unwrap();
            assert_eq!(required(query.algebra()).len(), expected, "{text}");
        }
    }

    #[test]
    fn what_stands_before_a_mistake_is_loaded() {
        let mut layer = Layer::above(None);
        assert!(layer.load_nquads([LOW, "<broken"].concat().as_bytes(), true).is_err());
        layer.freeze();
        let all = NamedQuery::written("test", "SELECT * { ?s ?p ?o }").unwrap();
        assert_eq!(layer.select(&all).unwrap().len(), 2);
    }
}
