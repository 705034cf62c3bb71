//! The triple patterns and constants of a query, from the algebra.

use oxigraph::model::NamedNode;
use spargebra::algebra::{AggregateExpression, Expression, GraphPattern, PropertyPathExpression};
use spargebra::term::{GroundTerm, NamedNodePattern, TermPattern};

/// What is found in a query.
#[derive(Debug, Clone, Copy)]
pub(super) enum Item<'a> {
    Statement(Statement<'a>),
    /// An IRI of VALUES or of an expression.
    Constant(&'a NamedNode),
}

/// A triple pattern.
#[derive(Debug, Clone, Copy)]
pub(super) struct Statement<'a> {
    pub(super) subject: &'a TermPattern,
    pub(super) edge: Edge<'a>,
    pub(super) object: &'a TermPattern,
}

/// The predicate of a triple pattern.
#[derive(Debug, Clone, Copy)]
pub(super) enum Edge<'a> {
    Variable,
    Property(&'a NamedNode),
    Path(&'a PropertyPathExpression),
}

/// How far to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Everything.
    All,
    /// Neither sub-queries nor expressions nor VALUES.
    Blocks,
}

/// Everything of a query within reach, as the algebra orders it.
pub(super) fn items(pattern: &GraphPattern, reach: Reach) -> Vec<Item<'_>> {
    let mut collector = Collector { reach, levels: 0, items: Vec::new() };
    collector.pattern(pattern);
    collector.items
}

struct Collector<'a> {
    reach: Reach,
    /// How many SELECTs are around: the first is the query itself.
    levels: usize,
    items: Vec<Item<'a>>,
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
            GraphPattern::Join { left, right }
            | GraphPattern::Union { left, right }
            | GraphPattern::Lateral { left, right }
            | GraphPattern::Minus { left, right } => {
                self.pattern(left);
                self.pattern(right);
            }
            GraphPattern::LeftJoin { left, right, expression } => {
                self.pattern(left);
                self.pattern(right);
                self.expressions(expression);
            }
            GraphPattern::Filter { expr, inner } => {
                self.pattern(inner);
                self.expressions([expr]);
            }
            GraphPattern::Extend { inner, expression, .. } => {
                self.pattern(inner);
                self.expressions([expression]);
            }
            GraphPattern::Values { bindings, .. } => self.values(bindings),
            GraphPattern::OrderBy { inner, expression } => {
                self.pattern(inner);
                self.expressions(expression.iter().map(ordering));
            }
            GraphPattern::Group { inner, aggregates, .. } => {
                self.pattern(inner);
                self.expressions(aggregates.iter().filter_map(|(_, aggregate)| aggregated(aggregate)));
            }
            GraphPattern::Project { inner, .. } => self.level(inner),
            GraphPattern::Graph { inner, .. }
            | GraphPattern::Service { inner, .. }
            | GraphPattern::Distinct { inner }
            | GraphPattern::Reduced { inner }
            | GraphPattern::Slice { inner, .. } => self.pattern(inner),
        }
    }

    fn statement(&mut self, subject: &'a TermPattern, edge: Edge<'a>, object: &'a TermPattern) {
        self.items.push(Item::Statement(Statement { subject, edge, object }));
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
                GroundTerm::NamedNode(node) => Some(Item::Constant(node)),
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
            Expression::NamedNode(node) => self.items.push(Item::Constant(node)),
            Expression::Exists(pattern) => self.pattern(pattern),
            Expression::Literal(_) | Expression::Variable(_) | Expression::Bound(_) => {}
            Expression::UnaryPlus(inner) | Expression::UnaryMinus(inner) | Expression::Not(inner) => {
                self.expression(inner);
            }
            Expression::Or(a, b)
            | Expression::And(a, b)
            | Expression::Equal(a, b)
            | Expression::SameTerm(a, b)
            | Expression::Greater(a, b)
            | Expression::GreaterOrEqual(a, b)
            | Expression::Less(a, b)
            | Expression::LessOrEqual(a, b)
            | Expression::Add(a, b)
            | Expression::Subtract(a, b)
            | Expression::Multiply(a, b)
            | Expression::Divide(a, b) => {
                self.expression(a);
                self.expression(b);
            }
            Expression::In(value, list) => {
                self.expression(value);
                self.expressions(list);
            }
            Expression::If(a, b, c) => {
                self.expression(a);
                self.expression(b);
                self.expression(c);
            }
            Expression::Coalesce(list) | Expression::FunctionCall(_, list) => self.expressions(list),
        }
    }
}

pub(super) fn ordering(order: &spargebra::algebra::OrderExpression) -> &Expression {
    match order {
        spargebra::algebra::OrderExpression::Asc(inner)
        | spargebra::algebra::OrderExpression::Desc(inner) => inner,
    }
}

pub(super) fn aggregated(aggregate: &AggregateExpression) -> Option<&Expression> {
    match aggregate {
        AggregateExpression::CountSolutions { .. } => None,
        AggregateExpression::FunctionCall { expr, .. } => Some(expr),
    }
}
