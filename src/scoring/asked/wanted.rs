//! Which text of a question is run where a knowledge base is asked.

use crate::sources::document::{QueryKind, Question};
use crate::sparql::features::QueryForm;
use crate::sparql::parse::spelled;
use crate::sparql::read::analyse;

/// What a knowledge base is asked for a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// The question has no query.
    Nothing,
    /// This text: SPARQL 1.1, after the named repairs.
    Text(String),
    /// The only queries are pseudo queries: nobody can run them.
    Pseudo,
    /// The query is not run, for this reason: it is neither SELECT nor ASK, or larger than is read.
    Refused(String),
    /// The query is no SPARQL, for this reason.
    Unparsable(String),
}

/// What a knowledge base is asked for a question: the query that [`crate::sources::input::asked::ask_all`] takes, the first SPARQL query that can
/// be read and is no pseudo query.
pub fn wanted(question: &Question) -> Wanted {
    let (mut pseudo, mut unread) = (false, None);
    for query in question.queries.iter().filter(|query| query.kind != QueryKind::Schemaless) {
        match analyse(&query.text) {
            Ok(graph) if query.kind == QueryKind::Pseudo || graph.is_pseudo() => pseudo = true,
            Ok(graph) => {
                return match graph.form {
                    QueryForm::Select | QueryForm::Ask => {
                        Wanted::Text(spelled(graph.repaired.as_deref().unwrap_or(&query.text)))
                    }
                    form => Wanted::Refused(format!("{} gives no answers", form.name().to_uppercase())),
                };
            }
            Err(error) if query.kind == QueryKind::Sparql => {
                unread.get_or_insert(error);
            }
            Err(_) => pseudo = true,
        }
    }
    match unread {
        Some(error) if error.is_limit => Wanted::Refused(error.to_string()),
        Some(error) => Wanted::Unparsable(error.to_string()),
        None if pseudo => Wanted::Pseudo,
        None => Wanted::Nothing,
    }
}

/// Whether a question has a query, be it a broken one: pseudo queries are none, nor is a field that is empty or has words
/// such as `OUT OF SCOPE`.
pub fn has_query(question: &Question) -> bool {
    let names_form = |text: &str| {
        let mut words = text.split(|c: char| !c.is_ascii_alphabetic());
        words.any(|word| FORMS.iter().any(|form| word.eq_ignore_ascii_case(form)))
    };
    match wanted(question) {
        Wanted::Nothing | Wanted::Pseudo => false,
        Wanted::Text(_) | Wanted::Refused(_) => true,
        Wanted::Unparsable(_) => {
            question.queries.iter().any(|query| query.kind == QueryKind::Sparql && names_form(&query.text))
        }
    }
}

/// The words that say what a query gives.
const FORMS: [&str; 4] = ["SELECT", "ASK", "CONSTRUCT", "DESCRIBE"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::Query;

    fn of(queries: &[(QueryKind, &str)]) -> Wanted {
        wanted(&question(queries))
    }

    fn question(queries: &[(QueryKind, &str)]) -> Question {
        let query = |(kind, text): &(QueryKind, &str)| Query {
            kind: *kind,
            text: (*text).to_owned(),
            language: None,
        };
        Question { queries: queries.iter().map(query).collect(), ..Question::default() }
    }

    #[test]
    fn words_are_no_query() {
        use QueryKind::{Pseudo, Sparql};
        let cases: [(&[(QueryKind, &str)], bool); 8] = [
            (&[], false),
            (&[(Sparql, "")], false),
            (&[(Sparql, "OUT OF SCOPE")], false),
            (&[(Pseudo, "SELECT ?x { ?x <u:p> 1 }")], false),
            (&[(Sparql, "SELECT ?x { ?x <u:p> }")], true),
            (&[(Sparql, "select"), (Pseudo, "")], true),
            (&[(Sparql, "DESCRIBE <u:x>")], true),
            (&[(Sparql, "ASK {}")], true),
        ];
        for (queries, expected) in cases {
            assert_eq!(has_query(&question(queries)), expected, "{queries:?}");
        }
    }

    #[test]
    fn the_first_query_that_can_be_read_is_run() {
        use QueryKind::{Pseudo, Schemaless, Sparql};
        assert_eq!(of(&[]), Wanted::Nothing);
        assert_eq!(of(&[(Schemaless, "ASK {}")]), Wanted::Nothing);
        let text = |text: &str| Wanted::Text(text.to_owned());
        assert_eq!(of(&[(Sparql, "ASK"), (Pseudo, "ASK {}"), (Sparql, "ASK { }")]), text("ASK { }"));
        assert_eq!(of(&[(Sparql, "ASK { ?x <u:p> 1")]), text("ASK { ?x <u:p> 1 }"), "after repairs");
        assert_eq!(of(&[(Sparql, "SELECT (CONCAT (1) AS ?x) {}")]), text("SELECT (CONCAT(1) AS ?x) {}"));
        assert_eq!(of(&[(Pseudo, "ASK {}")]), Wanted::Pseudo);
        assert!(
            matches!(of(&[(Sparql, "DESCRIBE <u:x>")]), Wanted::Refused(why) if why.contains("DESCRIBE"))
        );
        let large = format!("ASK {{}} # {}", "x".repeat(100_000));
        assert!(
            matches!(of(&[(Sparql, &large)]), Wanted::Refused(why) if why.ends_with("a limit of qassay"))
        );
        assert!(matches!(of(&[(Sparql, "ASK")]), Wanted::Unparsable(why) if !why.is_empty()), "and says why");
    }
}
