//! What a query uses of the language, seen in its keywords.

use std::collections::BTreeSet;

use crate::sparql::graph::{Pattern, Predicate, QueryForm};
use crate::sparql::lexer::{Token, tokens};

/// Something that a query uses of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// AVG, `GROUP_CONCAT`, MAX, MIN, SAMPLE, SUM.
    Aggregate,
    /// BIND.
    Bind,
    /// COUNT, wherever it stands.
    Count,
    /// SELECT DISTINCT.
    Distinct,
    /// EXISTS without NOT.
    Exists,
    /// FILTER.
    Filter,
    /// GRAPH.
    Graph,
    /// GROUP BY.
    GroupBy,
    /// HAVING.
    Having,
    /// LIMIT.
    Limit,
    /// MINUS.
    Minus,
    /// NOT EXISTS.
    NotExists,
    /// OFFSET.
    Offset,
    /// OPTIONAL.
    Optional,
    /// ORDER BY.
    OrderBy,
    /// A property path that is more than sequence and inverse.
    Path,
    /// SELECT REDUCED.
    Reduced,
    /// SERVICE.
    Service,
    /// A sub-query.
    SubSelect,
    /// UNION.
    Union,
    /// VALUES.
    Values,
}

impl Feature {
    /// Its name, words with hyphens.
    pub fn name(self) -> &'static str {
        match self {
            Self::Aggregate => "aggregate",
            Self::Bind => "bind",
            Self::Count => "count",
            Self::Distinct => "distinct",
            Self::Exists => "exists",
            Self::Filter => "filter",
            Self::Graph => "graph",
            Self::GroupBy => "group-by",
            Self::Having => "having",
            Self::Limit => "limit",
            Self::Minus => "minus",
            Self::NotExists => "not-exists",
            Self::Offset => "offset",
            Self::Optional => "optional",
            Self::OrderBy => "order-by",
            Self::Path => "path",
            Self::Reduced => "reduced",
            Self::Service => "service",
            Self::SubSelect => "sub-select",
            Self::Union => "union",
            Self::Values => "values",
        }
    }
}

/// The features of a query that parses: then every keyword is what it looks like.
pub(crate) fn features(text: &str, form: QueryForm, patterns: &[Pattern]) -> BTreeSet<Feature> {
    let tokens = tokens(text);
    let mut found: BTreeSet<Feature> =
        (0..tokens.len()).filter_map(|number| feature(&tokens[number], &tokens[..number])).collect();
    let selects = tokens.iter().filter(|token| token.is_word("SELECT")).count();
    if selects > usize::from(form == QueryForm::Select) {
        found.insert(Feature::SubSelect);
    }
    if patterns.iter().any(|pattern| matches!(pattern.predicate, Predicate::Path(_))) {
        found.insert(Feature::Path);
    }
    found
}

fn feature(token: &Token<'_>, before: &[Token<'_>]) -> Option<Feature> {
    const KEYWORDS: [(&str, Feature); 18] = [
        ("AVG", Feature::Aggregate),
        ("BIND", Feature::Bind),
        ("COUNT", Feature::Count),
        ("FILTER", Feature::Filter),
        ("GRAPH", Feature::Graph),
        ("GROUP", Feature::GroupBy),
        ("GROUP_CONCAT", Feature::Aggregate),
        ("HAVING", Feature::Having),
        ("LIMIT", Feature::Limit),
        ("MAX", Feature::Aggregate),
        ("MIN", Feature::Aggregate),
        ("MINUS", Feature::Minus),
        ("OFFSET", Feature::Offset),
        ("OPTIONAL", Feature::Optional),
        ("ORDER", Feature::OrderBy),
        ("SAMPLE", Feature::Aggregate),
        ("SERVICE", Feature::Service),
        ("SUM", Feature::Aggregate),
    ];
    let follows = |word: &str| before.last().is_some_and(|last| last.is_word(word));
    match token {
        _ if token.is_word("UNION") => Some(Feature::Union),
        _ if token.is_word("VALUES") => Some(Feature::Values),
        _ if token.is_word("DISTINCT") => follows("SELECT").then_some(Feature::Distinct),
        _ if token.is_word("REDUCED") => follows("SELECT").then_some(Feature::Reduced),
        _ if token.is_word("EXISTS") && follows("NOT") => Some(Feature::NotExists),
        _ if token.is_word("EXISTS") => Some(Feature::Exists),
        _ => KEYWORDS.iter().find(|(word, _)| token.is_word(word)).map(|(_, feature)| *feature),
    }
}

#[cfg(test)]
mod tests {
    use super::Feature;
    use crate::sparql::tests::graph;

    #[test]
    fn features_are_seen_in_keywords() {
        use Feature::{
            Aggregate, Bind, Count, Distinct, Exists, Filter, Graph, GroupBy, Having, Limit, Minus,
            NotExists, Offset, Optional, OrderBy, Path, Reduced, Service, SubSelect, Union, Values,
        };
        let cases: [(&str, &[Feature]); 12] = [
            ("SELECT ?x { ?x :p/^:q \"UNION\" } # MINUS", &[]),
            ("SELECT DISTINCT ?x { {} UNION {} OPTIONAL {} MINUS {} }", &[Distinct, Union, Optional, Minus]),
            ("SELECT REDUCED ?x { ?x :p* ?y } LIMIT 1 OFFSET 2", &[Reduced, Path, Limit, Offset]),
            ("SELECT ?x { ?x :p ?y } GROUP BY ?x HAVING(COUNT(DISTINCT ?y) > 1)", &[GroupBy, Having, Count]),
            ("SELECT ?x { ?x :p ?y } GROUP BY ?x ORDER BY DESC(COUNT(?y))", &[GroupBy, OrderBy, Count]),
            ("SELECT (max(?y) AS ?m) { ?x :p ?y }", &[Aggregate]),
            ("SELECT ?x { filter exists { ?x :p ?y } }", &[Filter, Exists]),
            ("SELECT ?x { FILTER NOT EXISTS { ?x :p ?y } }", &[Filter, NotExists]),
            ("SELECT ?x { VALUES ?x { :a } BIND(1 AS ?y) }", &[Values, Bind]),
            ("SELECT ?x { GRAPH :g { } SERVICE :s { } }", &[Graph, Service]),
            ("SELECT ?x { SELECT ?x { } }", &[SubSelect]),
            ("ASK { { SELECT ?x { } } }", &[SubSelect]),
        ];
        for (query, expected) in cases {
            assert_eq!(graph(query).features, expected.iter().copied().collect(), "{query}");
        }
    }
}
