//! A small knowledge base in the process itself, for tests.

use oxigraph::io::RdfFormat;
use oxigraph::model::Term;
use oxigraph::sparql::{QueryResults, SparqlEvaluator};

use crate::base::error::Result;
use crate::kb::ask::Asker;
use crate::kb::outcome::{Cause, Outcome};
use crate::sources::document::{AnswerSet, Cell, CellKind, Row};

/// A few triples.
pub(crate) struct Little(oxigraph::store::Store);

impl Little {
    /// Reads Turtle; `:` is `http://e/`.
    pub(crate) fn new(turtle: &str) -> Self {
        let store = oxigraph::store::Store::new().expect("a store");
        let text = format!("@prefix : <http://e/> . {turtle}");
        store.load_from_slice(RdfFormat::Turtle, &text).expect("Turtle");
        Self(store)
    }
}

impl Asker for Little {
    fn ask(&self, query: &str) -> Result<Outcome> {
        if query.contains("never") {
            return Ok(Outcome::failed(Cause::TimedOut, "stopped after 1 s"));
        }
        let query = match SparqlEvaluator::new().parse_query(query) {
            Ok(query) => query,
            Err(error) => return Ok(Outcome::failed(Cause::Unparsable, error.to_string())),
        };
        let answers = match query.on_store(&self.0).execute() {
            Ok(QueryResults::Boolean(boolean)) => {
                AnswerSet { boolean: Some(boolean), ..AnswerSet::default() }
            }
            Ok(QueryResults::Solutions(solutions)) => {
                let variables = solutions.variables().iter().map(|v| v.as_str().to_owned()).collect();
                let rows = solutions.map(|row| row.expect("a row")).filter(|row| !row.is_empty());
                let rows = rows
                    .map(|row| Row {
                        cells: row.iter().map(|(name, term)| cell(name.as_str(), term)).collect(),
                    })
                    .collect();
                AnswerSet { variables, rows, has_bindings: true, ..AnswerSet::default() }
            }
            Ok(QueryResults::Graph(_)) => return Ok(Outcome::failed(Cause::Refused, "a graph")),
            Err(error) => return Ok(Outcome::failed(Cause::Failed, error.to_string())),
        };
        Ok(Outcome::Answered(answers))
    }
}

fn cell(variable: &str, term: &Term) -> Cell {
    let mut cell = Cell { variable: variable.to_owned(), ..Cell::default() };
    (cell.kind, cell.value) = match term {
        Term::NamedNode(node) => (CellKind::Uri, node.as_str().to_owned()),
        Term::BlankNode(node) => (CellKind::BlankNode, node.as_str().to_owned()),
        Term::Literal(literal) => {
            cell.language = literal.language().map(str::to_owned);
            let datatype = literal.datatype().as_str();
            cell.datatype =
                (cell.language.is_none() && !datatype.ends_with("#string")).then(|| datatype.to_owned());
            (CellKind::Literal, literal.value().to_owned())
        }
    };
    cell
}
