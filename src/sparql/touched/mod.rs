//! Which statements a query can touch: what need not be loaded to answer it.
//!
//! Every place of the algebra that reads statements, within OPTIONAL, MINUS, EXISTS and sub-queries too, is an access. A
//! statement that none of them finds changes no solution and can be left out; so can a graph of such statements. Where
//! this is not certain, an access finds every statement: variables in place of properties, negated property sets, DESCRIBE,
//! SERVICE, paths of length zero between nodes that no triple pattern binds, and what is true of a graph without statements.
//!
//! The triple patterns of a basic graph pattern that have one subject are a star. Where it is known [what graphs
//! hold](crate::base::rdf::contents), a star touches only subjects of regions in which all is said that it asks for.

mod lines;
mod stars;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use oxigraph::model::NamedNode;
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern, PropertyPathExpression, QueryDataset};
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};

use crate::base::rdf::contents::{ContentsRegion, GraphContents};
use crate::base::vocab::rdf;
use crate::sparql::parts::{self, each};
use crate::sparql::touched::stars::{Demand, Holders, Star};

pub use lines::LineFilter;
pub use stars::Holder;

/// Where an access looks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum AccessPlace {
    /// The default graph.
    Default,
    /// Each named graph.
    Named,
    /// The graph with this name.
    Graph(String),
}

/// What one place of a query can find; nothing stands for any term.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct StatementAccess {
    place: AccessPlace,
    subject: Option<String>,
    property: Option<String>,
    /// An IRI; texts and numbers are any term.
    object: Option<String>,
    /// The number of the star that it is of.
    star: Option<usize>,
}

/// The statements that a query can touch.
#[derive(Debug, Clone, Default)]
pub struct Touched {
    accesses: BTreeSet<StatementAccess>,
    stars: Vec<Star>,
    /// FROM and FROM NAMED, where one of them is there.
    dataset: Option<(BTreeSet<String>, BTreeSet<String>)>,
}

/// In which graphs of a store a statement is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Copies {
    /// In the default graph.
    pub default: bool,
    /// In its own graph.
    pub named: bool,
}

/// The statements of one graph that a query can touch.
#[derive(Debug, Clone)]
pub struct TouchedGraph<'a> {
    accesses: Vec<&'a StatementAccess>,
    stars: &'a [Star],
    /// Whether one of them is about one subject.
    has_subjects: bool,
    /// In which graphs of a store they are needed.
    pub copies: Copies,
}

impl Touched {
    /// What a query can touch.
    pub fn by(query: &Query) -> Self {
        let mut touched = Self {
            accesses: BTreeSet::new(),
            stars: Vec::new(),
            dataset: query.dataset().map(|QueryDataset { default, named }| {
                let names = |nodes: &[NamedNode]| nodes.iter().map(|node| node.as_str().to_owned()).collect();
                (names(default), named.as_deref().map(names).unwrap_or_default())
            }),
        };
        let (Query::Select { pattern, .. }
        | Query::Ask { pattern, .. }
        | Query::Construct { pattern, .. }
        | Query::Describe { pattern, .. }) = query;
        if matches!(query, Query::Describe { .. }) {
            touched.anything(&AccessPlace::Default);
        }
        touched.pattern(pattern, &AccessPlace::Default, &BTreeSet::new());
        touched
    }

    /// What this or another query can touch.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        let apart = |access: StatementAccess| StatementAccess { star: None, ..access };
        self.accesses.extend(other.accesses.into_iter().map(apart));
        self.dataset = None;
        self
    }

    /// The same where it is known what the graphs hold that are asked, all of them: a subject of which something that is
    /// asked of it is said nowhere is not touched.
    #[must_use]
    pub fn narrowed(mut self, holders: &[Holder<'_>]) -> Self {
        let holders = Holders::new(holders);
        self.stars.iter_mut().for_each(|star| star.narrow(&holders));
        self
    }

    /// What the query can touch of a graph; nothing: the graph need not be loaded. Graphs of links are in no default graph.
    pub fn of_graph(&self, name: &str, is_merged: bool) -> Option<TouchedGraph<'_>> {
        let (in_default, in_named) = match &self.dataset {
            None => (is_merged, true),
            Some((default, named)) => (default.contains(name), named.contains(name)),
        };
        let reads = |access: &&StatementAccess| match &access.place {
            AccessPlace::Default => in_default,
            AccessPlace::Named => in_named,
            AccessPlace::Graph(wanted) => in_named && wanted == name,
        };
        let accesses: Vec<&StatementAccess> = self.accesses.iter().filter(reads).collect();
        let by_default = accesses.iter().any(|access| access.place == AccessPlace::Default);
        let by_name = accesses.iter().any(|access| access.place != AccessPlace::Default);
        // FROM makes a default graph of named ones.
        let is_from = by_default && self.dataset.is_some();
        let copies = Copies { default: by_default && !is_from, named: by_name || is_from };
        let has_subjects = accesses.iter().any(|access| access.subject.is_some());
        (!accesses.is_empty()).then_some(TouchedGraph { accesses, stars: &self.stars, has_subjects, copies })
    }

    fn anything(&mut self, place: &AccessPlace) {
        let (subject, property, object, star) = (None, None, None, None);
        self.accesses.insert(StatementAccess { place: place.clone(), subject, property, object, star });
    }

    /// Adds what a pattern reads. `bound` are the variables that triple patterns around it bind in the same graph.
    fn pattern<'a>(&mut self, pattern: &'a GraphPattern, place: &AccessPlace, bound: &BTreeSet<Name<'a>>) {
        match pattern {
            GraphPattern::Bgp { patterns } => self.triples(patterns, place),
            GraphPattern::Path { subject, path, object } => self.path((subject, object), path, place, bound),
            GraphPattern::Join { left, right } | GraphPattern::Lateral { left, right } => {
                self.pattern(left, place, &(bound | &certain(right)));
                self.pattern(right, place, &(bound | &certain(left)));
            }
            GraphPattern::LeftJoin { left, right, .. } | GraphPattern::Minus { left, right } => {
                self.pattern(left, place, bound);
                self.pattern(right, place, &(bound | &certain(left)));
            }
            GraphPattern::Graph { name, inner } => {
                let graph = match name {
                    NamedNodePattern::NamedNode(name) => AccessPlace::Graph(name.as_str().to_owned()),
                    NamedNodePattern::Variable(_) => AccessPlace::Named,
                };
                // That the graph is there may be all that is asked.
                if !needs_statement(inner) {
                    self.anything(&graph);
                }
                self.pattern(inner, &graph, &BTreeSet::new());
            }
            GraphPattern::Service { .. } => {
                self.anything(&AccessPlace::Default);
                self.anything(&AccessPlace::Named);
            }
            // What is counted or cut must be all that there is.
            GraphPattern::Project { inner, .. }
            | GraphPattern::Group { inner, .. }
            | GraphPattern::Slice { inner, .. } => self.pattern(inner, place, &BTreeSet::new()),
            _ => {
                for part in parts::patterns(pattern) {
                    self.pattern(part, place, bound);
                }
            }
        }
        for expression in parts::expressions(pattern) {
            self.expression(expression, place);
        }
    }

    fn expression(&mut self, expression: &Expression, place: &AccessPlace) {
        let mut inside = Vec::new();
        each(expression, &mut |part| {
            if let Expression::Exists(pattern) = part {
                inside.push(pattern);
            }
        });
        for pattern in inside {
            self.pattern(pattern, place, &BTreeSet::new());
        }
    }

    fn triples(&mut self, triples: &[TriplePattern], place: &AccessPlace) {
        let mut stars = BTreeMap::new();
        for triple in triples {
            let star = name(&triple.subject).map(|subject| {
                *stars.entry(subject).or_insert_with(|| {
                    self.stars.push(Star::default());
                    self.stars.len() - 1
                })
            });
            self.triple(triple, place, star);
        }
    }

    fn triple(&mut self, triple: &TriplePattern, place: &AccessPlace, star: Option<usize>) {
        let property = match &triple.predicate {
            NamedNodePattern::NamedNode(property) => Some(property.as_str().to_owned()),
            NamedNodePattern::Variable(_) => None,
        };
        let (subject, object) = (iri(&triple.subject), iri(&triple.object));
        if let Some(star) = star.map(|star| &mut self.stars[star]) {
            match &property {
                Some(property) => {
                    star.demands.insert(Demand::new(property, object.as_deref()));
                }
                None => star.asks_anything = true,
            }
        }
        if matches!(triple.object, TermPattern::Literal(_)) && property.is_some() {
            // Where it is a number and nothing is found, somebody looks which numbers the property has: in the graphs.
            let (property, place) = (property.clone(), AccessPlace::Named);
            self.accesses.insert(StatementAccess {
                place,
                subject: None,
                property,
                object: None,
                star: None,
            });
        }
        self.accesses.insert(StatementAccess { place: place.clone(), subject, property, object, star });
    }

    fn path<'a>(
        &mut self,
        (from, to): (&'a TermPattern, &'a TermPattern),
        path: &PropertyPathExpression,
        place: &AccessPlace,
        bound: &BTreeSet<Name<'a>>,
    ) {
        let is_bound = |end: &'a TermPattern| name(end).is_none_or(|name| bound.contains(&name));
        let mut properties = BTreeSet::new();
        let is_known = properties_of(path, &mut properties);
        // Every node is at the end of a path of length zero from itself.
        let is_anywhere = may_be_empty(path) && !is_bound(from) && !is_bound(to);
        if !is_known || is_anywhere {
            self.anything(place);
        }
        for property in properties {
            let property = Some(property.to_owned());
            self.accesses.insert(StatementAccess {
                place: place.clone(),
                subject: None,
                property,
                object: None,
                star: None,
            });
        }
    }
}

impl StatementAccess {
    /// Whether it finds a statement, whatever its subject.
    fn finds(&self, property: &[u8], object: Option<&[u8]>) -> bool {
        let is = |wanted: &Option<String>, found: Option<&[u8]>| {
            wanted.as_ref().is_none_or(|wanted| Some(wanted.as_bytes()) == found)
        };
        is(&self.property, Some(property)) && is(&self.object, object)
    }
}

impl TouchedGraph<'_> {
    /// Whether every statement of the graph is touched.
    pub fn is_whole(&self) -> bool {
        let finds_all = |access: &&StatementAccess| {
            let StatementAccess { subject, property, object, star, place: _ } = access;
            let is_anything = subject.is_none() && property.is_none() && object.is_none();
            // Whatever else is asked of a subject need not be there.
            is_anything && star.is_none_or(|star| self.stars[star].demands.is_empty())
        };
        self.accesses.iter().any(finds_all)
    }

    /// Whether a graph about something that holds this can have a statement that is touched.
    pub fn can_be_in(&self, about: &str, contents: &GraphContents) -> bool {
        contents.regions().any(|(region, held)| {
            let beginning = region.beginning(about);
            self.accesses.iter().any(|access| {
                let is_held = match (access.property.as_deref(), &access.object) {
                    (Some(rdf::TYPE), Some(class)) => held.classes.contains(class),
                    (Some(property), _) => held.properties.contains(property),
                    (None, _) => true,
                };
                let is_here =
                    |subject: &String| ContentsRegion::of(subject.as_bytes()) == beginning.as_bytes();
                let is_anywhere = beginning.is_empty();
                is_held
                    && (is_anywhere || access.subject.as_ref().is_none_or(is_here))
                    && (is_anywhere || access.star.is_none_or(|star| self.stars[star].can_be_in(&beginning)))
            })
        })
    }
}

fn iri(term: &TermPattern) -> Option<String> {
    match term {
        TermPattern::NamedNode(node) => Some(node.as_str().to_owned()),
        _ => None,
    }
}

/// A variable, or a blank node, which is one that may be called like another.
type Name<'a> = (bool, &'a str);

/// The name of a variable.
fn name(term: &TermPattern) -> Option<Name<'_>> {
    match term {
        TermPattern::Variable(variable) => Some((false, variable.as_str())),
        TermPattern::BlankNode(node) => Some((true, node.as_str())),
        _ => None,
    }
}

/// Collects the properties of a path; whether these are all.
fn properties_of<'a>(path: &'a PropertyPathExpression, found: &mut BTreeSet<&'a str>) -> bool {
    match path {
        PropertyPathExpression::NamedNode(property) => {
            found.insert(property.as_str());
            true
        }
        PropertyPathExpression::NegatedPropertySet(_) => false,
        PropertyPathExpression::Reverse(inner)
        | PropertyPathExpression::ZeroOrMore(inner)
        | PropertyPathExpression::OneOrMore(inner)
        | PropertyPathExpression::ZeroOrOne(inner) => properties_of(inner, found),
        PropertyPathExpression::Sequence(one, other) | PropertyPathExpression::Alternative(one, other) => {
            let first = properties_of(one, found);
            properties_of(other, found) && first
        }
    }
}

/// Whether a path may have length zero.
fn may_be_empty(path: &PropertyPathExpression) -> bool {
    match path {
        PropertyPathExpression::ZeroOrMore(_) | PropertyPathExpression::ZeroOrOne(_) => true,
        PropertyPathExpression::NamedNode(_) | PropertyPathExpression::NegatedPropertySet(_) => false,
        PropertyPathExpression::Reverse(inner) | PropertyPathExpression::OneOrMore(inner) => {
            may_be_empty(inner)
        }
        PropertyPathExpression::Sequence(one, other) => may_be_empty(one) && may_be_empty(other),
        PropertyPathExpression::Alternative(one, other) => may_be_empty(one) || may_be_empty(other),
    }
}

/// The variables that triple patterns bind in every solution of a pattern, in its graph.
fn certain(pattern: &GraphPattern) -> BTreeSet<Name<'_>> {
    match pattern {
        GraphPattern::Bgp { patterns } => patterns
            .iter()
            .flat_map(|triple| [name(&triple.subject), name(&triple.object)])
            .flatten()
            .collect(),
        GraphPattern::Path { subject, path, object } if !may_be_empty(path) => {
            [name(subject), name(object)].into_iter().flatten().collect()
        }
        GraphPattern::Join { left, right } | GraphPattern::Lateral { left, right } => {
            &certain(left) | &certain(right)
        }
        GraphPattern::Union { left, right } => &certain(left) & &certain(right),
        GraphPattern::LeftJoin { left, .. } | GraphPattern::Minus { left, .. } => certain(left),
        GraphPattern::Filter { inner, .. }
        | GraphPattern::Extend { inner, .. }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Slice { inner, .. } => certain(inner),
        GraphPattern::Project { inner, variables } => {
            let seen: BTreeSet<Name<'_>> =
                variables.iter().map(|variable| (false, variable.as_str())).collect();
            &certain(inner) & &seen
        }
        _ => BTreeSet::new(),
    }
}

/// Whether every solution of a pattern needs a statement of its graph.
fn needs_statement(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::Bgp { patterns } => !patterns.is_empty(),
        GraphPattern::Path { path, .. } => !may_be_empty(path),
        GraphPattern::Join { left, right } | GraphPattern::Lateral { left, right } => {
            needs_statement(left) || needs_statement(right)
        }
        GraphPattern::Union { left, right } => needs_statement(left) && needs_statement(right),
        GraphPattern::LeftJoin { left, .. } | GraphPattern::Minus { left, .. } => needs_statement(left),
        GraphPattern::Filter { inner, .. }
        | GraphPattern::Extend { inner, .. }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Project { inner, .. }
        | GraphPattern::Slice { inner, .. } => needs_statement(inner),
        // Without variables there is one group of nothing.
        GraphPattern::Group { inner, variables, .. } => !variables.is_empty() && needs_statement(inner),
        GraphPattern::Graph { .. } | GraphPattern::Values { .. } | GraphPattern::Service { .. } => false,
    }
}
