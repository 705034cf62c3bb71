//! What the queries of a file ask, question by question.

use super::{QueryGraph, analyse};
use crate::read::{Document, Issue, IssueCode, QueryKind, Question};

/// What the query of a question asks.
#[derive(Debug, Clone, PartialEq)]
pub enum Asked {
    /// There is no SPARQL query.
    Nothing,
    /// A query that was read.
    Graph(Box<QueryGraph>),
    /// A query that cannot be read, and why.
    Unparsable(String),
}

/// Reads the queries of all questions, and adds an issue for each that had to be repaired or cannot be read.
///
/// Of several SPARQL queries of a question (a file may give one per language) the first that can be read counts.
/// Pseudo queries and schema-less queries are no SPARQL.
pub fn ask_all(document: &mut Document) -> Vec<Asked> {
    let asked: Vec<Asked> = document.questions.iter().map(ask).collect();
    for (question, asked) in document.questions.iter().zip(&asked) {
        let issue = |code, message: String| Issue::new(code, &question.place, message);
        match asked {
            Asked::Nothing => {}
            Asked::Graph(graph) => {
                document.issues.extend(graph.repairs.iter().map(|repair| {
                    let message =
                        format!("the query of question `{}` was read after a repair: {repair}", question.key);
                    issue(IssueCode::QueryRepaired, message)
                }));
            }
            Asked::Unparsable(why) => document.issues.push(issue(
                IssueCode::QueryUnparsable,
                format!("the query of question `{}` is no SPARQL 1.1: {why}", question.key),
            )),
        }
    }
    asked
}

fn ask(question: &Question) -> Asked {
    let mut first_error = None;
    for query in question.queries.iter().filter(|query| query.kind == QueryKind::Sparql) {
        match analyse(&query.text) {
            Ok(graph) => return Asked::Graph(Box::new(graph)),
            Err(error) => first_error = first_error.or(Some(error.to_string())),
        }
    }
    first_error.map_or(Asked::Nothing, Asked::Unparsable)
}
