//! A store that is asked as a server far away: the text of a query goes there, bytes come back.

use oxigraph::io::{RdfFormat, RdfParser, RdfSerializer};
use oxigraph::sparql::{QueryEvaluationError, QueryResults, QueryTripleIter};
use qassay::sparql::dataset::Dataset;
use qassay::sparql::print::printed;
use qassay::sparql::store::Store;
use sparesults::{QueryResultsFormat, QueryResultsParser, QueryResultsSerializer};
use spargebra::Query;

/// A server with this store.
pub(crate) struct Remote(pub(crate) Store);

impl Dataset for Remote {
    fn run(&self, query: &Query) -> Result<QueryResults<'_>, QueryEvaluationError> {
        let gives_statements = matches!(query, Query::Construct { .. } | Query::Describe { .. });
        let reply = self.reply(&printed(query)).map_err(QueryEvaluationError::Unexpected)?;
        if gives_statements {
            let triples = RdfParser::from_format(RdfFormat::NTriples).for_reader(std::io::Cursor::new(reply));
            let triple = |quad: Result<oxigraph::model::Quad, _>| {
                quad.map(Into::into).map_err(|error| QueryEvaluationError::Unexpected(Box::new(error)))
            };
            return Ok(QueryTripleIter::new(triples.map(triple)).into());
        }
        let results = QueryResultsParser::from_format(QueryResultsFormat::Json);
        let results = results.for_reader(std::io::Cursor::new(reply));
        results.map(QueryResults::from).map_err(|error| QueryEvaluationError::Unexpected(error.into()))
    }
}

impl Remote {
    /// What the server does: it knows the text, and nothing else.
    fn reply(&self, text: &str) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
        let query = spargebra::SparqlParser::new().parse_query(text)?;
        let json = QueryResultsSerializer::from_format(QueryResultsFormat::Json);
        Ok(match self.0.run(&query)? {
            QueryResults::Boolean(answer) => json.serialize_boolean_to_writer(Vec::new(), answer)?,
            QueryResults::Solutions(solutions) => {
                let variables = solutions.variables().to_vec();
                let mut writer = json.serialize_solutions_to_writer(Vec::new(), variables)?;
                for solution in solutions {
                    writer.serialize(&solution?)?;
                }
                writer.finish()?
            }
            QueryResults::Graph(triples) => {
                let mut writer = RdfSerializer::from_format(RdfFormat::NTriples).for_writer(Vec::new());
                for triple in triples {
                    writer.serialize_triple(&triple?)?;
                }
                writer.finish()?
            }
        })
    }
}
