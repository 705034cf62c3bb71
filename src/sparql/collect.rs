//! The triple patterns and constants of a query, from the algebra.

use oxigraph::model::NamedNode;
use spargebra::algebra::{Expression, GraphPattern, PropertyPathExpression};
use spargebra::term::{GroundTerm, NamedNodePattern, TermPattern};

use crate::sparql::parts;

/// What is found in a query.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Mention<'a> {
    Statement(Statement<'a>),
    /// An IRI of VALUES or of an expression.
    Constant(&'a NamedNode),
}

/// A triple pattern.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Statement<'a> {
    pub(crate) subject: &'a TermPattern,
    pub(crate) edge: Edge<'a>,
    pub(crate) object: &'a TermPattern,
}

/// The predicate of a triple pattern.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Edge<'a> {
    Variable,
    Property(&'a NamedNode),
    Path(&'a PropertyPathExpression),
}

/// How far to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Everything.
    All,
    /// Neither sub-queries nor expressions nor VALUES.
    Blocks,
}

/// Everything of a query within reach, as the algebra orders it.
pub(crate) fn items(pattern: &GraphPattern, reach: Reach) -> Vec<Mention<'_>> {
    let mut collector = Collector { reach, levels: 0, items: Vec::new() };
    collector.pattern(pattern);
    collector.items
}

struct Collector<'a> {
    reach: Reach,
    /// How many SELECTs are around: the first is the query itself.
    levels: usize,
    items: Vec<Mention<'a>>,
}

impl<'a> Collector<'a> {
    fn pattern(&mut self, pattern: &'a GraphPattern) {
        match pattern {
            GraphPattern::Bgp { patterns } => {
                for triple in patterns {
                    let edge = match &triple.predicate {
                        NamedNodePattern::NamedNode(property) => Edge::Property(property),
                        NamedNodePattern::Variable(_) => Edge::Variable,
                    };
                    self.statement(&triple.subject, edge, &triple.object);
                }
            }
            GraphPattern::Path { subject, path, object } => self.statement(subject, Edge::Path(path), object),
            GraphPattern::Values { bindings, .. } => self.values(bindings),
            GraphPattern::Project { inner, .. } => self.level(inner),
            _ => {
                for part in parts::patterns(pattern) {
                    self.pattern(part);
                }
                self.expressions(parts::expressions(pattern));
            }
        }
    }

    fn statement(&mut self, subject: &'a TermPattern, edge: Edge<'a>, object: &'a TermPattern) {
        self.items.push(Mention::Statement(Statement { subject, edge, object }));
    }

    fn level(&mut self, inner: &'a GraphPattern) {
        self.levels += 1;
        if self.reach == Reach::All || self.levels == 1 {
            self.pattern(inner);
        }
        self.levels -= 1;
    }

    fn values(&mut self, bindings: &'a [Vec<Option<GroundTerm>>]) {
        if self.reach == Reach::All {
            self.items.extend(bindings.iter().flatten().flatten().filter_map(|term| match term {
                GroundTerm::NamedNode(node) => Some(Mention::Constant(node)),
                GroundTerm::Literal(_) => None,
            }));
        }
    }

    fn expressions(&mut self, expressions: impl IntoIterator<Item = &'a Expression>) {
        if self.reach == Reach::All {
            for expression in expressions {
                self.expression(expression);
            }
        }
    }

    fn expression(&mut self, expression: &'a Expression) {
        match expression {
            Expression::NamedNode(node) => self.items.push(Mention::Constant(node)),
            Expression::Exists(pattern) => self.pattern(pattern),
            _ => self.expressions(parts::operands(expression)),
        }
    }
}
