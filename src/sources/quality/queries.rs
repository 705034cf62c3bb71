//! Queries that can be read and mean something else than they seem to.

use crate::base::issue::{Issue, IssueCode};
use crate::sources::document::{QueryKind, Question};
use crate::sparql::declared::odd_prefixes;

/// The issues about the queries of one question.
pub(crate) fn issues(question: &Question) -> Vec<Issue> {
    let queries = question.queries.iter().filter(|query| query.kind != QueryKind::Schemaless);
    let odd = queries.flat_map(|query| odd_prefixes(&query.text)).map(|odd| {
        let message = format!(
            "the query declares `{}:` as <{}>, public endpoints know it as <{}>",
            odd.prefix, odd.declared, odd.usual
        );
        Issue::new(IssueCode::OddPrefix, &question.place.with_path("query"), message)
    });
    let mut issues: Vec<Issue> = odd.collect();
    issues.dedup();
    issues
}
