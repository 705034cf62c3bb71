//! An endpoint as a dataset: the queries of qassay, run by a server.
//!
//! Terms are as the server gives them, blank nodes named anew in each reply. What the server does not answer in full is an
//! error: a part must not look like the whole.

use std::sync::Arc;

use oxigraph::model::{BlankNode, Literal, NamedNode, NamedOrBlankNode, Term, Triple, Variable};
use oxigraph::sparql::{
    QueryEvaluationError, QueryResults, QuerySolution, QuerySolutionIter, QueryTripleIter,
};
use spargebra::Query;
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};

use crate::base::error::Error;
use crate::kb::ask::Asker;
use crate::kb::endpoint::Endpoint;
use crate::kb::outcome::{Cause, Outcome};
use crate::sources::document::{AnswerSet, Cell, CellKind, Row};
use crate::sparql::dataset::Dataset;
use crate::sparql::print::printed;

impl Dataset for Endpoint {
    /// CONSTRUCT is asked as SELECT, and its statements are made here; DESCRIBE means something else to each server, and is
    /// an error.
    fn run(&self, query: &Query) -> Result<QueryResults<'_>, QueryEvaluationError> {
        match query {
            Query::Construct { template, dataset, pattern, base_iri } => {
                let (dataset, base_iri) = (dataset.clone(), base_iri.clone());
                let select = Query::Select { dataset, pattern: pattern.clone(), base_iri };
                let solutions = solutions(answers(self, &select)?).collect::<Result<Vec<_>, _>>()?;
                let rows = solutions.iter().enumerate();
                let triples = rows.flat_map(|(row, solution)| {
                    template.iter().filter_map(move |pattern| triple(pattern, solution, row))
                });
                let triples: Vec<Triple> = triples.collect();
                Ok(QueryTripleIter::new(triples.into_iter().map(Ok)).into())
            }
            Query::Describe { .. } => Err(failed(Error::input("an endpoint is not asked to DESCRIBE"))),
            Query::Select { .. } | Query::Ask { .. } => {
                let answers = answers(self, query)?;
                Ok(answers.boolean.map_or_else(|| solutions(answers).into(), QueryResults::Boolean))
            }
        }
    }
}

fn failed(error: Error) -> QueryEvaluationError {
    QueryEvaluationError::Dataset(Box::new(error))
}

fn answers(endpoint: &Endpoint, query: &Query) -> Result<AnswerSet, QueryEvaluationError> {
    match Asker::ask(endpoint, &printed(query)).map_err(failed)? {
        Outcome::Answered(answers) => Ok(answers),
        Outcome::Failed(why) => {
            let error = if why.cause == Cause::TooManyRows {
                Error::limit(why.message)
            } else {
                Error::system(why.message)
            };
            Err(failed(error.in_file(endpoint.address())))
        }
    }
}

fn solutions(answers: AnswerSet) -> QuerySolutionIter<'static> {
    let AnswerSet { variables, rows, .. } = answers;
    let named: Arc<[Variable]> = variables.iter().map(Variable::new_unchecked).collect();
    let bound = move |row: &Row, variable: &String| {
        let cell = row.cells.iter().find(|cell| cell.variable == *variable)?;
        Some(term(cell).ok_or_else(|| failed(Error::system(format!("`{}` is no term of RDF", cell.value)))))
    };
    let row = move |row: Row| variables.iter().map(|variable| bound(&row, variable).transpose()).collect();
    QuerySolutionIter::from_tuples(named, rows.into_iter().map(row))
}

/// The term of a cell as it is written; none where RDF has no such term: an IRI with a space, a tag that is none.
pub(crate) fn term(cell: &Cell) -> Option<Term> {
    match (cell.kind, &cell.language, &cell.datatype) {
        (CellKind::Uri, ..) => NamedNode::new(&cell.value).ok().map(Term::from),
        (CellKind::BlankNode, ..) => BlankNode::new(&cell.value).ok().map(Term::from),
        (CellKind::Unknown, ..) => None,
        (CellKind::Literal, Some(tag), _) => {
            Literal::new_language_tagged_literal(&cell.value, tag).ok().map(Term::from)
        }
        (CellKind::Literal, None, Some(datatype)) => {
            Some(Literal::new_typed_literal(&cell.value, NamedNode::new(datatype).ok()?).into())
        }
        (CellKind::Literal, None, None) => Some(Literal::new_simple_literal(&cell.value).into()),
    }
}

/// The statement that a row makes of a pattern; none where a variable is unbound or a literal stands as a subject.
fn triple(pattern: &TriplePattern, solution: &QuerySolution, row: usize) -> Option<Triple> {
    let place = |place: &TermPattern| match place {
        TermPattern::NamedNode(node) => Some(node.clone().into()),
        TermPattern::Literal(literal) => Some(literal.clone().into()),
        // Each row has its own.
        TermPattern::BlankNode(node) => {
            BlankNode::new(format!("{}r{row}", node.as_str())).ok().map(Term::from)
        }
        TermPattern::Variable(variable) => solution.get(variable).cloned(),
    };
    let subject = match place(&pattern.subject)? {
        Term::NamedNode(node) => NamedOrBlankNode::from(node),
        Term::BlankNode(node) => node.into(),
        Term::Literal(_) => return None,
    };
    let predicate = match &pattern.predicate {
        NamedNodePattern::NamedNode(node) => node.clone(),
        NamedNodePattern::Variable(variable) => match solution.get(variable)? {
            Term::NamedNode(node) => node.clone(),
            _ => return None,
        },
    };
    Some(Triple::new(subject, predicate, place(&pattern.object)?))
}
