//! Which queries are run at all.

use oxigraph::model::NamedNode;
use spargebra::algebra::GraphPattern;
use spargebra::{Query, SparqlParser};

use crate::kb::outcome::{Cause, Failure};
use crate::sparql::features::Feature;
use crate::sparql::limits::refuse_heavy;
use crate::sparql::read::analyse;

/// A query that is run.
pub(crate) struct Admitted {
    /// What is run.
    pub(crate) query: Query,
    /// Whether the order of its rows says something.
    pub(crate) is_ordered: bool,
}

/// Refuses what is no query, is too heavy to parse, calls others, names other graphs, or is neither SELECT nor ASK.
pub(crate) fn admit(text: &str, has_graph: impl Fn(&NamedNode) -> bool) -> Result<Admitted, Failure> {
    let failure = |cause, message: String| Failure { cause, message };
    let unparsable = |message: String| failure(Cause::Unparsable, message);
    let refused = |message: String| failure(Cause::Refused, message);
    refuse_heavy(text)?;
    let query = SparqlParser::new().parse_query(text).map_err(|error| unparsable(error.to_string()))?;
    let (pattern, dataset) = match &query {
        Query::Select { pattern, dataset, .. } | Query::Ask { pattern, dataset, .. } => (pattern, dataset),
        Query::Construct { .. } => {
            return Err(refused("CONSTRUCT gives no answers, SELECT and ASK do".to_owned()));
        }
        Query::Describe { .. } => {
            return Err(refused("DESCRIBE gives no answers, SELECT and ASK do".to_owned()));
        }
    };
    if let Some(dataset) = dataset {
        let named = dataset.default.iter().chain(dataset.named.iter().flatten());
        if let Some(graph) = named.into_iter().find(|graph| !has_graph(graph)) {
            return Err(refused(format!(
                "it names the graph {graph} by FROM, which the knowledge base does not have"
            )));
        }
    }
    let facts = analyse(text)?;
    if facts.features.contains(&Feature::Service) {
        return Err(refused("it calls SERVICE, and nothing outside the knowledge base is asked".to_owned()));
    }
    if let Some(property) = facts.properties.iter().find(|property| property.as_str().starts_with("bif:")) {
        return Err(refused(format!("{property} is a function of Virtuoso, not SPARQL")));
    }
    let is_ordered = is_ordered(pattern);
    Ok(Admitted { query, is_ordered })
}

/// Whether ORDER BY decides the order of the rows.
fn is_ordered(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::OrderBy { .. } => true,
        GraphPattern::Project { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Slice { inner, .. } => is_ordered(inner),
        _ => false,
    }
}
