//! The classes of what a query asks for.

use std::collections::{BTreeMap, BTreeSet};

use oxigraph::model::NamedNode;
use spargebra::algebra::{
    AggregateExpression, AggregateFunction, Expression, GraphPattern, PropertyPathExpression as Path,
};
use spargebra::term::{NamedNodePattern, TermPattern};

/// Properties that say what something is an instance of.
const INSTANCE: [&str; 2] =
    ["http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "http://www.wikidata.org/prop/direct/P31"];
/// Properties from classes to classes above them.
const SUBCLASS: [&str; 2] =
    ["http://www.w3.org/2000/01/rdf-schema#subClassOf", "http://www.wikidata.org/prop/direct/P279"];

/// The classes of the projected variables of a SELECT query, in the order of its text.
pub(crate) fn item_types(select: &GraphPattern) -> Vec<NamedNode> {
    let mut found = Vec::new();
    level(select, None, &mut found);
    found
}

/// One SELECT: the classes of its projected variables, of those that are wanted around it if it is a sub-query.
fn level(select: &GraphPattern, wanted: Option<&BTreeSet<String>>, found: &mut Vec<NamedNode>) {
    let mut scope = Clues::default();
    let Some((variables, inner)) = projected(select) else { return };
    scope.pattern(inner);
    let names = variables.iter().map(ToString::to_string);
    let mut asked: BTreeSet<String> =
        names.filter(|name| wanted.is_none_or(|wanted| wanted.contains(name))).collect();
    scope.follow_aliases(&mut asked);
    scope.classes(&asked, found);
    for inner in &scope.subqueries {
        level(inner, Some(&asked), found);
    }
}

fn projected(select: &GraphPattern) -> Option<(&[spargebra::term::Variable], &GraphPattern)> {
    match select {
        GraphPattern::Project { inner, variables } => Some((variables, inner)),
        GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Slice { inner, .. } => projected(inner),
        _ => None,
    }
}

/// What one SELECT says about its variables and blank nodes, without its sub-queries.
#[derive(Debug, Default)]
struct Clues<'a> {
    /// Names for the same thing: from the later to the earlier.
    aliases: Vec<(String, String)>,
    /// From things to their classes.
    instances: Vec<(String, &'a TermPattern)>,
    /// From classes to classes above them.
    subclasses: BTreeMap<String, Vec<&'a TermPattern>>,
    subqueries: Vec<&'a GraphPattern>,
}

impl<'a> Clues<'a> {
    fn pattern(&mut self, pattern: &'a GraphPattern) {
        match pattern {
            GraphPattern::Bgp { patterns } => {
                for triple in patterns {
                    if let NamedNodePattern::NamedNode(property) = &triple.predicate {
                        self.edge(&triple.subject, property, &triple.object);
                    }
                }
            }
            GraphPattern::Path { subject, path, object } => {
                if let Some(property) = repeated(path) {
                    self.edge(subject, property, object);
                }
            }
            GraphPattern::Join { left, right }
            | GraphPattern::Lateral { left, right }
            | GraphPattern::Union { left, right }
            | GraphPattern::LeftJoin { left, right, .. } => {
                self.pattern(left);
                self.pattern(right);
            }
            // What MINUS takes away says nothing about what stays.
            GraphPattern::Minus { left: inner, .. }
            | GraphPattern::Filter { inner, .. }
            | GraphPattern::OrderBy { inner, .. }
            | GraphPattern::Graph { inner, .. }
            | GraphPattern::Service { inner, .. } => self.pattern(inner),
            GraphPattern::Extend { inner, variable, expression } => {
                if let Expression::Variable(same) = expression {
                    self.aliases.push((variable.to_string(), same.to_string()));
                }
                self.pattern(inner);
            }
            GraphPattern::Group { inner, aggregates, .. } => {
                for (variable, aggregate) in aggregates {
                    for asked in asked_by(aggregate, inner) {
                        self.aliases.push((variable.to_string(), asked));
                    }
                }
                self.pattern(inner);
            }
            GraphPattern::Project { .. }
            | GraphPattern::Distinct { .. }
            | GraphPattern::Reduced { .. }
            | GraphPattern::Slice { .. } => self.subqueries.push(pattern),
            GraphPattern::Values { .. } => {}
        }
    }

    fn edge(&mut self, subject: &'a TermPattern, property: &NamedNode, object: &'a TermPattern) {
        let Some(subject) = name(subject) else { return };
        if INSTANCE.contains(&property.as_str()) {
            self.instances.push((subject, object));
        } else if SUBCLASS.contains(&property.as_str()) {
            self.subclasses.entry(subject).or_default().push(object);
        }
    }

    fn follow_aliases(&self, asked: &mut BTreeSet<String>) {
        let mut before = 0;
        while before < asked.len() {
            before = asked.len();
            for (later, earlier) in &self.aliases {
                if asked.contains(later) {
                    asked.insert(earlier.clone());
                }
            }
        }
    }

    fn classes(&self, asked: &BTreeSet<String>, found: &mut Vec<NamedNode>) {
        let mut seen: BTreeSet<String> = BTreeSet::new();
        let direct = self.instances.iter().filter(|(thing, _)| asked.contains(thing));
        for (_, class) in direct {
            let mut waiting = vec![*class];
            while let Some(class) = waiting.pop() {
                match (class, name(class)) {
                    (TermPattern::NamedNode(class), _) if !found.contains(class) => found.push(class.clone()),
                    (_, Some(name)) => {
                        let above = self.subclasses.get(&name);
                        if seen.insert(name) {
                            waiting.extend(above.into_iter().flatten().rev());
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}

/// The variables that the value of an aggregate is about.
fn asked_by(aggregate: &AggregateExpression, inner: &GraphPattern) -> Vec<String> {
    let mut asked = Vec::new();
    match aggregate {
        // As in `SELECT *`, all that can be seen.
        AggregateExpression::CountSolutions { .. } => {
            inner.on_in_scope_variable(|variable| asked.push(variable.to_string()));
        }
        AggregateExpression::FunctionCall { name, expr: Expression::Variable(variable), .. } => match name {
            AggregateFunction::Count
            | AggregateFunction::Min
            | AggregateFunction::Max
            | AggregateFunction::Sample => asked.push(variable.to_string()),
            _ => {}
        },
        AggregateExpression::FunctionCall { .. } => {}
    }
    asked
}

/// The property of `<p>*`, `<p>+` and `<p>?`.
fn repeated(path: &Path) -> Option<&NamedNode> {
    match path {
        Path::NamedNode(property) => Some(property),
        Path::ZeroOrMore(inner) | Path::OneOrMore(inner) | Path::ZeroOrOne(inner) => repeated(inner),
        _ => None,
    }
}

/// The name of a variable or of a blank node.
fn name(term: &TermPattern) -> Option<String> {
    match term {
        TermPattern::Variable(variable) => Some(variable.to_string()),
        TermPattern::BlankNode(node) => Some(node.to_string()),
        TermPattern::NamedNode(_) | TermPattern::Literal(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::sparql::tests::{graph, names};

    #[test]
    fn item_types_are_the_classes_of_what_is_asked() {
        for (query, expected) in [
            ("SELECT ?v { ?v a :C . ?x a :D . ?v :p ?x ; wdt:P31 wd:Q5 }", "C Q5"),
            ("SELECT * { ?v a :C . ?x a :D }", "C D"),
            ("SELECT (COUNT(DISTINCT ?v) AS ?c) { ?v a :C . ?x a :D }", "C"),
            ("SELECT (COUNT(*) AS ?c) { ?v a :C . ?x a :D }", "C D"),
            ("SELECT (SUM(?v) AS ?c) { ?v a :C }", ""),
            ("SELECT (?v AS ?w) { ?v a :C }", "C"),
            ("SELECT ?w { ?v a :C BIND(?v AS ?w) }", "C"),
            ("SELECT ?v { ?v wdt:P31/wdt:P279* wd:Q1 }", "Q1"),
            ("SELECT ?v { ?v rdf:type/rdfs:subClassOf* :C }", "C"),
            ("SELECT ?v { ?v wdt:P31 ?t . ?t wdt:P279* ?u . ?u wdt:P279 wd:Q1 }", "Q1"),
            ("SELECT ?v { ?v wdt:P31+ wd:Q1 }", "Q1"),
            ("SELECT ?v { ?v wdt:P31|wdt:P279 wd:Q1 }", ""),
            ("SELECT ?v { ?v a \"C\" , ?t }", ""),
            ("SELECT ?v { { ?v a :C } UNION { ?v a :D } OPTIONAL { ?v a :E } MINUS { ?v a :F } }", "C D E"),
            ("SELECT ?v { ?v a :C FILTER NOT EXISTS { ?v a :D } }", "C"),
            ("SELECT ?v { { SELECT ?v ?x { ?v a :C . ?x a :D } } }", "C"),
            ("SELECT ?v { ?y a ?v { SELECT ?x { ?v a :C . ?x a :D } } }", ""),
            ("SELECT ?n { { SELECT (COUNT(?v) AS ?n) { ?v a :C } } }", "C"),
            ("SELECT DISTINCT ?v { ?v a :C . ?v :p ?n } GROUP BY ?v ORDER BY COUNT(?n) LIMIT 1", "C"),
        ] {
            assert_eq!(names(&graph(query).item_types), expected, "{query}");
        }
    }
}
