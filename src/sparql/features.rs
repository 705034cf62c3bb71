//! What a query uses of the language, seen in its keywords.

use crate::sparql::lexer::Token;
use crate::sparql::repair::Repair;
use oxigraph::model::{NamedNode, Term};
use std::collections::BTreeSet;

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
pub(crate) fn features(tokens: &[Token<'_>], form: QueryForm, patterns: &[Pattern]) -> BTreeSet<Feature> {
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

/// What a query asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryGraph {
    /// The form of its results.
    pub form: QueryForm,
    /// Every occurrence of a triple pattern, in the order of the text: a bag.
    pub patterns: Vec<Pattern>,
    /// The IRIs that it speaks about, each once, in the order of the text.
    pub resources: Vec<NamedNode>,
    /// The IRIs of predicates, each once, in the order of the text.
    pub properties: Vec<NamedNode>,
    /// The classes of what it asks for, each once.
    pub item_types: Vec<NamedNode>,
    /// What it uses of the language.
    pub features: BTreeSet<Feature>,
    /// What had to be done so that it parses.
    pub repairs: Vec<Repair>,
    /// The text after the repairs, where there were any.
    pub repaired: Option<String>,
}

impl QueryGraph {
    /// Whether the text has pseudo terms of hybrid questions, so that it is no SPARQL although it was read.
    pub fn is_pseudo(&self) -> bool {
        self.repairs.iter().any(Repair::is_of_pseudo_query)
    }
}

/// The form of the results of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum QueryForm {
    /// A table.
    Select,
    /// Yes or no.
    Ask,
    /// Triples by a template.
    Construct,
    /// Triples about resources.
    Describe,
}

impl QueryForm {
    /// Its name, one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Select => "select",
            Self::Ask => "ask",
            Self::Construct => "construct",
            Self::Describe => "describe",
        }
    }
}

/// A triple pattern without the names of its variables.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// The subject.
    pub subject: Position,
    /// The predicate.
    pub predicate: Predicate,
    /// The object.
    pub object: Position,
}

/// The subject or the object of a pattern.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Position {
    /// A variable or a blank node: the two mean the same in a query.
    Variable,
    /// An IRI or a literal.
    Term(Term),
}

/// The predicate of a pattern.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Predicate {
    /// A variable.
    Variable,
    /// A property.
    Property(NamedNode),
    /// A property path that is more than sequence and inverse, in its one spelling.
    Path(String),
}

impl Pattern {
    /// The content as `<s> <p> ?`. Two patterns are equal if and only if their texts are.
    pub fn text(&self) -> String {
        format!("{} {} {}", self.subject.text(), self.predicate.text(), self.object.text())
    }
}

impl Position {
    fn text(&self) -> String {
        match self {
            Self::Variable => "?".to_owned(),
            Self::Term(term) => term.to_string(),
        }
    }
}

impl Predicate {
    fn text(&self) -> String {
        match self {
            Self::Variable => "?".to_owned(),
            Self::Property(property) => property.to_string(),
            // The brackets tell the path `<p>?` from the property `<p>` before a variable.
            Self::Path(path) => format!("({path})"),
        }
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
