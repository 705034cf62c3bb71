//! Which statements a query can touch: what need not be loaded to answer it.
//!
//! Every place of the algebra that reads statements, within OPTIONAL, MINUS, EXISTS and sub-queries too, is an access. A
//! statement that none of them finds changes no solution and can be left out; so can a graph of such statements. Where
//! this is not certain, an access finds every statement: variables in place of properties, negated property sets, DESCRIBE,
//! SERVICE, paths of length zero between nodes that no triple pattern binds, and what is true of a graph without statements.

use std::collections::BTreeSet;

use oxigraph::model::NamedNode;
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern, PropertyPathExpression, QueryDataset};
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};

use crate::base::vocab::rdf;
use crate::sparql::parts::{self, each};

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
}

/// The statements that a query can touch.
#[derive(Debug, Clone, Default)]
pub struct Touched {
    accesses: BTreeSet<StatementAccess>,
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
    /// In which graphs of a store they are needed.
    pub copies: Copies,
}

impl Touched {
    /// What a query can touch.
    pub fn by(query: &Query) -> Self {
        let mut touched = Self {
            accesses: BTreeSet::new(),
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
        self.accesses.extend(other.accesses);
        self.dataset = None;
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
        (!accesses.is_empty()).then_some(TouchedGraph { accesses, copies })
    }

    fn anything(&mut self, place: &AccessPlace) {
        let (subject, property, object) = (None, None, None);
        self.accesses.insert(StatementAccess { place: place.clone(), subject, property, object });
    }

    /// Adds what a pattern reads. `bound` are the variables that triple patterns around it bind in the same graph.
    fn pattern<'a>(&mut self, pattern: &'a GraphPattern, place: &AccessPlace, bound: &BTreeSet<Name<'a>>) {
        match pattern {
            GraphPattern::Bgp { patterns } => patterns.iter().for_each(|triple| self.triple(triple, place)),
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

    fn triple(&mut self, triple: &TriplePattern, place: &AccessPlace) {
        let property = match &triple.predicate {
            NamedNodePattern::NamedNode(property) => Some(property.as_str().to_owned()),
            NamedNodePattern::Variable(_) => None,
        };
        let (subject, object) = (iri(&triple.subject), iri(&triple.object));
        if matches!(triple.object, TermPattern::Literal(_)) && property.is_some() {
            // Where it is a number and nothing is found, somebody looks which numbers the property has: in the graphs.
            let (property, place) = (property.clone(), AccessPlace::Named);
            self.accesses.insert(StatementAccess { place, subject: None, property, object: None });
        }
        self.accesses.insert(StatementAccess { place: place.clone(), subject, property, object });
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
            });
        }
    }
}

impl TouchedGraph<'_> {
    /// Whether every statement of the graph is touched.
    pub fn is_whole(&self) -> bool {
        let finds_all = |access: &&StatementAccess| {
            access.subject.is_none() && access.property.is_none() && access.object.is_none()
        };
        self.accesses.iter().any(finds_all)
    }

    /// Whether a graph with these properties and classes can have a statement that is touched; classes are the objects of
    /// `rdf:type`.
    pub fn can_be_in(&self, properties: &BTreeSet<String>, classes: &BTreeSet<String>) -> bool {
        self.accesses.iter().any(|access| match (access.property.as_deref(), &access.object) {
            (Some(rdf::TYPE), Some(class)) => classes.contains(class),
            (Some(property), _) => properties.contains(property),
            (None, _) => true,
        })
    }

    /// Whether a line of canonical N-Quads can be touched. A line of another shape is: whoever parses it knows better.
    pub fn has_line(&self, line: &[u8]) -> bool {
        let Some((subject, property, object)) = terms(line) else { return true };
        let is = |wanted: &Option<String>, found: Option<&[u8]>| match (wanted, found) {
            (Some(wanted), Some(found)) => wanted.as_bytes() == found,
            (Some(_), None) => false,
            (None, _) => true,
        };
        self.accesses.iter().any(|access| {
            is(&access.property, Some(property))
                && is(&access.subject, Some(subject))
                && is(&access.object, object)
        })
    }
}

/// The IRIs of subject, property and, where it is one, object.
type LineTerms<'a> = (&'a [u8], &'a [u8], Option<&'a [u8]>);

/// The IRIs of subject, property and object of a line; of another object none. Nothing where they may be spelled otherwise.
fn terms(line: &[u8]) -> Option<LineTerms<'_>> {
    let iri = |text: &[u8]| -> Option<usize> {
        let end = memchr::memchr2(b'>', b'\\', text)?;
        (text.first() == Some(&b'<') && text[end] == b'>').then_some(end)
    };
    let end = iri(line)?;
    let (subject, rest) = (&line[1..end], line[end + 1..].strip_prefix(b" ")?);
    let end = iri(rest)?;
    let (property, rest) = (&rest[1..end], rest[end + 1..].strip_prefix(b" ")?);
    match rest.first()? {
        b'<' => iri(rest).map(|end| (subject, property, Some(&rest[1..end]))),
        b'"' => Some((subject, property, None)),
        _ => None,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparql::named_query::NamedQuery;

    fn touched(text: &str) -> Touched {
        Touched::by(NamedQuery::written("test", &format!("PREFIX : <u:> {text}")).unwrap().algebra())
    }

    /// Which of some lines of the graph `u:g` are touched.
    fn lines(text: &str) -> String {
        let statements = ["a p b", "a q b", "b p c", "a type C", "b type D"];
        let touched = touched(text);
        let Some(graph) = touched.of_graph("u:g", true) else { return "no graph".to_owned() };
        let property = |name: &str| if name == "type" { rdf::TYPE.to_owned() } else { format!("u:{name}") };
        let line = |statement: &str| {
            let terms: Vec<&str> = statement.split(' ').collect();
            format!("<u:{}> <{}> <u:{}> <u:g> .\n", terms[0], property(terms[1]), terms[2])
        };
        let found = statements.into_iter().filter(|statement| graph.has_line(line(statement).as_bytes()));
        found.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn what_a_query_can_touch() {
        const ALL: &str = "a p b, a q b, b p c, a type C, b type D";
        for (text, expected) in [
            ("SELECT * { ?s :p ?o }", "a p b, b p c"),
            ("SELECT * { :a :p ?o }", "a p b"),
            ("SELECT * { ?s :p :c }", "b p c"),
            ("SELECT * { ?s a :C }", "a type C"),
            ("SELECT * { ?s a :C ; :q ?x }", "a q b, a type C"),
            ("SELECT * { ?s ?p ?o }", ALL),
            ("SELECT * { :b ?p ?o }", "b p c, b type D"),
            ("ASK { ?s a ?c OPTIONAL { ?s :q ?o } MINUS { ?s :p :c } }", "a q b, b p c, a type C, b type D"),
            ("ASK { ?s a :C FILTER EXISTS { ?s :q ?o } }", "a q b, a type C"),
            ("SELECT (EXISTS { ?s :p :b } AS ?x) { ?s a :D }", "a p b, b type D"),
            ("SELECT (COUNT(*) AS ?n) { { SELECT ?s { ?s :q ?o } GROUP BY ?s } }", "a q b"),
            ("ASK { ?s :p|^:q ?o }", "a p b, a q b, b p c"),
            ("ASK { ?s !:p ?o }", ALL),
            ("ASK { ?s :p+ ?o }", "a p b, b p c"),
            ("ASK { ?s :p* ?o }", ALL),
            ("ASK { :a :p* ?o }", "a p b, b p c"),
            ("ASK { ?s a :C ; :p* ?o }", "a p b, b p c, a type C"),
            ("ASK { ?s a :C . _:s :p* ?o }", ALL),
            ("ASK { ?s a :C OPTIONAL { ?s :p* ?o } }", "a p b, b p c, a type C"),
            ("ASK { ?s :p* ?o OPTIONAL { ?s a :C } }", ALL),
            ("ASK { ?s a :C { SELECT (COUNT(*) AS ?n) { ?s :p* ?o } } }", ALL),
            ("ASK { ?s :q/:p? ?o }", "a p b, a q b, b p c"),
            ("CONSTRUCT { ?s :new ?o } WHERE { ?s :q ?o }", "a q b"),
            ("DESCRIBE :a", ALL),
            ("DESCRIBE ?s { ?s :q ?o }", ALL),
            ("SELECT * { GRAPH ?g { ?s :q ?o } }", "a q b"),
            ("SELECT * { GRAPH :g { ?s :q ?o } }", "a q b"),
            ("SELECT * { GRAPH :h { ?s :q ?o } }", "no graph"),
            ("SELECT * { GRAPH :h { ?s :q ?o } ?s :p :c }", "b p c"),
            ("SELECT * { GRAPH ?g { } }", ALL),
            ("SELECT * { GRAPH ?g { OPTIONAL { ?s :q ?o } } }", ALL),
            ("SELECT * { GRAPH ?g { { ?s :q ?o } UNION { BIND(1 AS ?x) } } }", ALL),
            ("SELECT * { GRAPH :h { } }", "no graph"),
            ("SELECT * { GRAPH ?g { SELECT (COUNT(*) AS ?n) { ?s :q ?o } } }", ALL),
            ("SELECT * { GRAPH ?g { SELECT ?s (COUNT(*) AS ?n) { ?s :q ?o } GROUP BY ?s } }", "a q b"),
            ("SELECT * FROM :g { ?s :q ?o }", "a q b"),
            ("SELECT * FROM :h { ?s :q ?o }", "no graph"),
            ("SELECT * FROM :h { GRAPH ?g { ?s :q ?o } }", "no graph"),
            ("SELECT * FROM NAMED :g { ?s :q ?o }", "no graph"),
            ("SELECT * FROM NAMED :g { GRAPH ?g { ?s :q ?o } }", "a q b"),
            ("SELECT * { SERVICE :x { ?s :q ?o } }", ALL),
            ("SELECT * { VALUES ?x { 1 } }", "no graph"),
            ("SELECT * { ?s :q ?x LATERAL { SELECT ?y { ?s :p ?y } LIMIT 1 } }", "a p b, a q b, b p c"),
        ] {
            assert_eq!(lines(text), expected, "{text}");
        }
    }

    #[test]
    fn lines_that_are_spelled_otherwise_are_left_to_the_parser() {
        let touched = touched("ASK { :a :p :b }");
        let graph = touched.of_graph("u:g", true).unwrap();
        for (line, expected) in [
            ("<u:a> <u:p> <u:b> <u:g> .", true),
            ("<u:a> <u:p> \"b\" <u:g> .", false),
            ("<u:a> <u:q> <u:b> <u:g> .", false),
            ("<u:a>  <u:q> <u:b> <u:g> .", true),
            (" <u:x> <u:q> <u:b> <u:g> .", true),
            ("<u:\\u0061> <u:p> <u:b> <u:g> .", true),
            ("<u:a> <u:p> <u:\\u0062> <u:g> .", true),
            ("_:a <u:q> <u:b> <u:g> .", true),
            ("<u:x> <u:q> _:b <u:g> .", true),
            ("# nothing", true),
            ("", true),
        ] {
            assert_eq!(graph.has_line(line.as_bytes()), expected, "{line}");
        }
    }

    #[test]
    fn copies_are_made_where_they_are_read() {
        let copies = |text: &str, in_default: bool| {
            touched(text).of_graph("u:g", in_default).map(|graph| (graph.copies.default, graph.copies.named))
        };
        assert_eq!(copies("ASK { ?s :p ?o }", true), Some((true, false)));
        assert_eq!(copies("ASK { ?s :p ?o }", false), None, "links are in no default graph");
        assert_eq!(copies("ASK { GRAPH ?g { ?s :p ?o } }", true), Some((false, true)));
        assert_eq!(copies("ASK { ?s :p ?o GRAPH ?g { ?s :q ?o } }", true), Some((true, true)));
        assert_eq!(copies("ASK FROM :g { ?s :p ?o }", false), Some((false, true)));
        assert_eq!(copies("ASK { ?s :p 1 }", true), Some((true, true)), "for the hint about numbers");
    }

    #[test]
    fn graphs_without_property_or_class_are_not_needed() {
        let set = |names: &[&str]| names.iter().map(|name| format!("u:{name}")).collect::<BTreeSet<String>>();
        let can = |text: &str| {
            let touched = touched(text);
            touched.of_graph("u:g", true).unwrap().can_be_in(&set(&["p"]), &set(&["C"]))
        };
        assert!(can("ASK { ?s :p ?o }") && can("ASK { ?s a :C }") && can("ASK { ?s ?p ?o }"));
        assert!(!can("ASK { ?s :q ?o }") && !can("ASK { ?s a :D }"));
        assert!(!can("ASK { ?s a ?c }"), "rdf:type is no property of this graph");
        assert!(can("ASK { ?s :q ?o OPTIONAL { ?s :p ?o } }"));
    }
}
