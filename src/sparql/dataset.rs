//! Whatever can be queried.
//!
//! A store in memory or on disk ([`Store`](crate::sparql::store::Store)), the compact [`Index`](crate::sparql::index::Index) of a run, and
//! whoever else runs SPARQL: it has to run a query and no more, so that a server far away is one too.

use oxigraph::model::{Term, Triple};
use oxigraph::sparql::{QueryEvaluationError, QueryResults, QuerySolutionIter};
use spargebra::Query;

use crate::base::error::Result;
use crate::sparql::named_query::NamedQuery;

/// One row of a SELECT query: the bound terms in the order of the variables.
pub type Solution = Vec<Option<Term>>;

/// Who runs SPARQL queries.
pub trait Dataset {
    /// Runs a query; rows may come one by one. A server gets it as a text ([`printed`](crate::sparql::print::printed)). Who asks by
    /// name uses the other methods.
    fn run(&self, query: &Query) -> Result<QueryResults<'_>, QueryEvaluationError>;

    /// The rows of a SELECT query, as they come.
    fn solutions(&self, query: &NamedQuery) -> Result<QuerySolutionIter<'_>> {
        match self.run(query.algebra()).map_err(|error| query.failed(&error))? {
            QueryResults::Solutions(solutions) => Ok(solutions),
            _ => Err(query.is_not("SELECT")),
        }
    }

    /// Shows each row of a SELECT query to `each`, in the order of the query; an error of `each` ends it.
    fn each_row(
        &self,
        query: &NamedQuery,
        each: &mut dyn FnMut(&[Option<Term>]) -> Result<()>,
    ) -> Result<()> {
        for solution in self.solutions(query)? {
            each(solution.map_err(|error| query.failed(&error))?.values())?;
        }
        Ok(())
    }

    /// All rows of a SELECT query, in its order.
    fn select(&self, query: &NamedQuery) -> Result<Vec<Solution>> {
        let mut rows = Vec::new();
        let mut push = |row: &[Option<Term>]| {
            rows.push(row.to_vec());
            Ok(())
        };
        self.each_row(query, &mut push)?;
        Ok(rows)
    }

    /// What an ASK query says.
    fn ask(&self, query: &NamedQuery) -> Result<bool> {
        match self.run(query.algebra()).map_err(|error| query.failed(&error))? {
            QueryResults::Boolean(answer) => Ok(answer),
            _ => Err(query.is_not("ASK")),
        }
    }

    /// The statements that a CONSTRUCT or DESCRIBE query gives, each once, sorted: the order of an evaluator means nothing
    /// and changes.
    fn construct(&self, query: &NamedQuery) -> Result<Vec<Triple>> {
        let QueryResults::Graph(triples) = self.run(query.algebra()).map_err(|error| query.failed(&error))?
        else {
            return Err(query.is_not("CONSTRUCT"));
        };
        let mut triples: Vec<Triple> =
            triples.map(|triple| triple.map_err(|error| query.failed(&error))).collect::<Result<_>>()?;
        triples.sort_by_cached_key(ToString::to_string);
        triples.dedup();
        Ok(triples)
    }
}
