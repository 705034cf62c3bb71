//! The store of what qassay itself publishes: records, graphs, the ontology.
//!
//! Knowledge bases are other stores: `kb` loads them, on disk too, and runs on them the queries of other people, in
//! processes and within limits of their own.
//!
//! Queries are files of `queries/`, embedded and named by their path; parameters are bound as terms.
//! [`Store`] holds what users and checks ask about; [`crate::base::rdf::index::Index`] what matching joins. Both are read by the same
//! evaluator.

use std::io::Read;

use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::{GraphName, NamedNode, Quad, Term, Variable};
use oxigraph::sparql::{PreparedSparqlQuery, QueryResults, SparqlEvaluator};

use crate::base::error::{Error, Result};
use crate::base::query::QueryFile;
use crate::base::rdf::index::Index;

/// One row of a SELECT query: the bound terms in the order of the variables.
pub type Row = Vec<Option<Term>>;

/// The rows of a SELECT query with the names of its variables.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Solutions {
    /// The variables without `?`.
    pub variables: Vec<String>,
    /// The rows in the order of the query.
    pub rows: Vec<Row>,
}

/// An RDF dataset in memory, for the queries of users and for checks.
///
/// Every quad is in its named graph and, unless it comes from a link set or a knowledge base, in the default
/// graph too: a query then sees all metadata without naming graphs, and without the slow merging of graphs.
pub struct Store {
    store: oxigraph::store::Store,
}

impl Store {
    /// An empty store in memory.
    pub fn in_memory() -> Result<Self> {
        let store = oxigraph::store::Store::new().map_err(failed)?;
        Ok(Self { store })
    }

    /// Loads N-Quads. `also_default`: put the statements into the default graph as well.
    pub fn load_nquads(&self, content: impl Read, also_default: bool) -> Result<()> {
        let mut loader = self.store.bulk_loader();
        let quads = RdfParser::from_format(RdfFormat::NQuads).for_reader(content);
        let mut bad = None;
        let all = quads.map_while(|quad| quad.map_err(|error| bad = Some(error)).ok()).flat_map(|quad| {
            let copy = (also_default && quad.graph_name != GraphName::DefaultGraph)
                .then(|| Quad { graph_name: GraphName::DefaultGraph, ..quad.clone() });
            std::iter::once(quad).chain(copy)
        });
        loader.load_quads(all).map_err(failed)?;
        loader.commit().map_err(failed)?;
        bad.map_or(Ok(()), |error| Err(Error::input(format!("the N-Quads cannot be read: {error}"))))
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

    /// Shows every quad to `each`.
    pub fn each_quad(&self, mut each: impl FnMut(&Quad)) -> Result<()> {
        for quad in &self.store {
            each(&quad.map_err(failed)?);
        }
        Ok(())
    }

    /// Runs a SELECT query of `queries/`.
    pub fn select(&self, query: &QueryFile, parameters: &[(&str, Term)]) -> Result<Solutions> {
        let mut solutions = Solutions::default();
        let results = bind(prepare(query)?, parameters).on_store(&self.store).execute();
        collect(query.name, results, |variables, row| {
            if solutions.variables.is_empty() {
                variables.clone_into(&mut solutions.variables);
            }
            solutions.rows.push(row);
            Ok(())
        })?;
        Ok(solutions)
    }

    /// Runs any query that a user wrote. SERVICE is off.
    pub fn query(&self, text: &str) -> Result<QueryResults<'static>> {
        refuse_deep(text)?;
        SparqlEvaluator::new()
            .parse_query(text)
            .map_err(|error| Error::input(format!("the query is no SPARQL: {error}")))?
            .on_store(&self.store)
            .execute()
            .map_err(|error| Error::input(format!("the query cannot be evaluated: {error}")))
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").finish_non_exhaustive()
    }
}

impl Index {
    /// Runs a SELECT query of `queries/` and gives its rows to `each`, in no particular order; an error of `each` ends it.
    pub fn select(&self, query: &QueryFile, mut each: impl FnMut(Row) -> Result<()>) -> Result<()> {
        let results = prepare(query)?.on_queryable_dataset(self).execute();
        collect(query.name, results, |_, row| each(row))
    }
}

fn prepare(query: &QueryFile) -> Result<PreparedSparqlQuery> {
    SparqlEvaluator::new()
        .parse_query(query.text)
        .map_err(|error| Error::input(format!("the query {} is no SPARQL: {error}", query.name)))
}

fn bind(mut query: PreparedSparqlQuery, parameters: &[(&str, Term)]) -> PreparedSparqlQuery {
    for (name, value) in parameters {
        query = query.substitute_variable(Variable::new_unchecked(*name), value.clone());
    }
    query
}

fn collect(
    name: &str,
    results: Result<QueryResults<'_>, oxigraph::sparql::QueryEvaluationError>,
    mut each: impl FnMut(&[String], Row) -> Result<()>,
) -> Result<()> {
    let wrong = |error| Error::system(format!("the query {name} cannot be evaluated: {error}"));
    let QueryResults::Solutions(solutions) = results.map_err(wrong)? else {
        return Err(Error::input(format!("the query {name} is no SELECT query")));
    };
    let variables: Vec<String> = solutions.variables().iter().map(|v| v.as_str().to_owned()).collect();
    for solution in solutions {
        let solution = solution.map_err(wrong)?;
        each(&variables, solution.values().to_vec())?;
    }
    Ok(())
}

/// The parser calls itself for brackets and operators, and reads some calls again and again: too many would end the
/// program, or keep it busy for ever.
fn refuse_deep(text: &str) -> Result<()> {
    crate::sparql::limits::refuse_heavy(text).map_err(|why| Error::input(why.to_string()))
}

fn failed(error: impl std::fmt::Display) -> Error {
    Error::system(format!("the store failed: {error}"))
}
