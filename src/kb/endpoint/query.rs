//! What must be known of a query before it is sent, and to understand the reply.

use spargebra::algebra::GraphPattern;
use spargebra::{Query, SparqlParser};

use crate::kb::outcome::{Cause, Unanswered};
use crate::sparql::features::{Feature, QueryForm};
use crate::sparql::read::analyse;

/// A query that may be sent.
pub(crate) struct Sendable {
    /// Whether it is ASK, else SELECT.
    pub(crate) is_ask: bool,
    /// Whether the order of its rows says something.
    pub(crate) is_ordered: bool,
    /// The most rows that it wants, by its own LIMIT.
    pub(crate) limit: Option<u64>,
    /// The graphs that it names by FROM.
    pub(crate) names: Vec<String>,
}

impl Sendable {
    /// Refuses what is no query, calls SERVICE, or is neither SELECT nor ASK.
    pub(crate) fn of(text: &str) -> Result<Self, Unanswered> {
        let failure = |cause, message: &str| Unanswered { cause, message: message.to_owned() };
        let graph = analyse(text)?;
        if graph.repaired.is_some() {
            return Err(failure(Cause::Unparsable, "the text is no SPARQL as it stands"));
        }
        let refused = |message| Err(failure(Cause::Refused, message));
        if graph.features.contains(&Feature::Service) {
            return refused("it calls SERVICE, and only the endpoint that was named is asked");
        }
        let is_ask = match graph.form {
            QueryForm::Ask => true,
            QueryForm::Select => false,
            QueryForm::Construct => return refused("CONSTRUCT gives no answers, SELECT and ASK do"),
            QueryForm::Describe => return refused("DESCRIBE gives no answers, SELECT and ASK do"),
        };
        let parsed = SparqlParser::new().parse_query(text).ok();
        let dataset = parsed.as_ref().and_then(Query::dataset);
        let names = dataset.iter().flat_map(|of| of.default.iter().chain(of.named.iter().flatten()));
        let names = names.map(|name| name.as_str().to_owned()).collect();
        if let Some(Query::Select { pattern, .. }) = &parsed {
            let (is_ordered, limit) = end(pattern);
            return Ok(Self { is_ask, is_ordered, limit, names });
        }
        // A spelling that only `analyse` reads: the rows stay as they come if they may be ordered.
        let is_ordered = graph.features.contains(&Feature::OrderBy);
        Ok(Self { is_ask, is_ordered, limit: None, names })
    }
}

/// Whether ORDER BY decides the order of the rows, and LIMIT their number. Behind the projection begin other queries.
fn end(pattern: &GraphPattern) -> (bool, Option<u64>) {
    match pattern {
        GraphPattern::Project { inner, .. } => (matches!(**inner, GraphPattern::OrderBy { .. }), None),
        GraphPattern::Distinct { inner } | GraphPattern::Reduced { inner } => end(inner),
        GraphPattern::Slice { inner, length, .. } => (end(inner).0, length.map(|length| length as u64)),
        _ => (false, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_select_and_ask_without_service_are_sent() {
        let of = |text: &str| Sendable::of(text).map(|asked| (asked.is_ask, asked.is_ordered, asked.limit));
        assert_eq!(of("ASK {}"), Ok((true, false, None)));
        assert_eq!(of("SELECT * FROM <http://g> { ?s ?p ?o } LIMIT 5"), Ok((false, false, Some(5))));
        assert_eq!(of("SELECT ?s { ?s ?p ?o } ORDER BY ?s OFFSET 2"), Ok((false, true, None)));
        assert_eq!(
            of("SELECT * { { SELECT ?s { ?s ?p ?o } ORDER BY ?s LIMIT 2 } }"),
            Ok((false, false, None))
        );
        let cause = |text: &str| Sendable::of(text).map(drop).unwrap_err().cause;
        for text in [
            "SELECT * { SERVICE <http://a> { ?s ?p ?o } }",
            "SELECT * { ?s ?p ?o FILTER EXISTS { service silent ?s { ?s ?p 1 } } }",
            "ASK { { SELECT * { SERVICE <http://a> {} } } }",
            "CONSTRUCT WHERE { ?s ?p ?o }",
            "DESCRIBE <http://a>",
        ] {
            assert_eq!(cause(text), Cause::Refused, "{text}");
        }
        for text in [
            "",
            "SELECT",
            "INSERT DATA { <http://a> <http://b> <http://c> }",
            "DROP ALL",
            "SELECT * { ?s ?p ?o",
        ] {
            assert_eq!(cause(text), Cause::Unparsable, "{text}");
        }
    }
}
