//! What the queries of a file ask, question by question.

use crate::base::issue::{Issue, IssueCode};
use crate::base::parallel;
use crate::sources::document::{Document, Query, QueryKind, Question};
use crate::sparql::features::QueryGraph;
use crate::sparql::read::analyse;

/// What the query of a question asks.
#[derive(Debug, Clone, PartialEq)]
pub enum Asked {
    /// There is no query that can be looked at.
    Nothing,
    /// A query that was read.
    Graph(Box<QueryGraph>),
    /// A pseudo query that was read: by its place in the file, or because it has pseudo terms. It is for counting and
    /// looking at; no experiment type uses it, and no knowledge base can be asked.
    Pseudo(Box<QueryGraph>),
    /// A query that cannot be read, and why.
    Unparsable(String),
}

/// Reads the queries of all questions, and adds an issue for each that had to be repaired or cannot be read, pseudo
/// queries included.
///
/// Of several SPARQL queries of a question (a file may give one per language) the first that can be read counts.
/// Schema-less queries are not read.
pub fn ask_all(document: &mut Document) -> Vec<Asked> {
    let Document { questions, issues, .. } = document;
    let asked = parallel::each(questions.iter().collect(), |question| {
        let mut issues = Vec::new();
        (ask(question, &mut issues), issues)
    });
    let told = |(asked, mut told): (Asked, Vec<Issue>)| {
        issues.append(&mut told);
        asked
    };
    asked.into_iter().map(told).collect()
}

fn ask(question: &Question, issues: &mut Vec<Issue>) -> Asked {
    let (mut first_graph, mut first_pseudo, mut first_error) = (None, None, None);
    for query in question.queries.iter().filter(|query| query.kind != QueryKind::Schemaless) {
        let name = name(query, question);
        let mut report = |code, message| issues.push(Issue::new(code, &question.place, message));
        match analyse(&query.text) {
            Ok(graph) => {
                for repair in &graph.repairs {
                    let message = format!("{name} was read after a repair: {repair}");
                    report(IssueCode::QueryRepaired, message);
                }
                let is_pseudo = query.kind == QueryKind::Pseudo || graph.is_pseudo();
                let first = if is_pseudo { &mut first_pseudo } else { &mut first_graph };
                first.get_or_insert(Box::new(graph));
            }
            Err(error) => {
                let (code, what) = if error.is_limit {
                    (IssueCode::QueryTooLarge, "is not read")
                } else {
                    (IssueCode::QueryUnparsable, "is no SPARQL 1.1")
                };
                report(code, format!("{name} {what}: {error}"));
                if query.kind == QueryKind::Sparql {
                    first_error.get_or_insert(error.to_string());
                }
            }
        }
    }
    match (first_graph, first_error, first_pseudo) {
        (Some(graph), ..) => Asked::Graph(graph),
        (None, Some(error), _) => Asked::Unparsable(error),
        (None, None, Some(graph)) => Asked::Pseudo(graph),
        (None, None, None) => Asked::Nothing,
    }
}

/// `the query of question 1`, told from the others of the question.
fn name(query: &Query, question: &Question) -> String {
    let kind = if query.kind == QueryKind::Pseudo { "pseudo query" } else { "query" };
    let language = query.language.as_ref().map_or_else(String::new, |language| format!(" in `{language}`"));
    format!("the {kind}{language} of question `{}`", question.key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(queries: &[(QueryKind, &str)]) -> (Asked, Vec<String>) {
        let query = |(kind, text): &(QueryKind, &str)| Query {
            kind: *kind,
            text: (*text).to_owned(),
            language: None,
        };
        let question = Question {
            key: "1".to_owned(),
            queries: queries.iter().map(query).collect(),
            ..Question::default()
        };
        let mut document = Document { questions: vec![question], ..Document::default() };
        let asked = ask_all(&mut document).remove(0);
        let issue = |issue: &Issue| format!("{}: {}", issue.code.name(), issue.message);
        (asked, document.issues.iter().map(issue).collect())
    }

    #[test]
    fn pseudo_queries_are_looked_at_and_not_used() {
        use QueryKind::{Pseudo, Sparql};
        let hybrid = "ASK { ?x text:\"old\" ; <u:p> 1 }";
        let (found, issues) = asked(&[(Pseudo, hybrid)]);
        assert!(matches!(&found, Asked::Pseudo(graph) if graph.patterns.len() == 2), "{found:?}");
        assert!(
            issues[0].starts_with("query-repaired: the pseudo query of question `1` was read after"),
            "{issues:?}"
        );
        assert!(matches!(asked(&[(Sparql, hybrid)]).0, Asked::Pseudo(_)), "wherever the file has it");
        assert!(matches!(asked(&[(Pseudo, "ASK {}")]), (Asked::Pseudo(_), issues) if issues.is_empty()));
        let (found, issues) = asked(&[(Pseudo, "ASK { ?x <u:p> }")]);
        assert_eq!(found, Asked::Nothing, "no experiment type asks for it");
        assert_eq!(
            issues,
            [
                "query-unparsable: the pseudo query of question `1` is no SPARQL 1.1: `}` is not expected here (line 1, column 16)"
            ]
        );
        assert!(matches!(asked(&[(Pseudo, hybrid), (Sparql, "ASK {}")]).0, Asked::Graph(_)));
        let large = format!("ASK {{}} # {}", "x".repeat(100_000));
        let (found, issues) = asked(&[(Sparql, &large)]);
        assert!(matches!(found, Asked::Unparsable(_)), "{found:?}");
        assert_eq!(
            issues,
            [
                "query-too-large: the query of question `1` is not read: the query has 100009 bytes, more than 100000, a limit of qassay"
            ]
        );
        assert!(matches!(asked(&[(Sparql, "ASK"), (Pseudo, "ASK {}")]).0, Asked::Unparsable(_)));
    }
}
