//! Looks through a query for what its answers depend on beside the data.

use std::collections::BTreeSet;

use spargebra::algebra::{AggregateExpression, AggregateFunction, Expression, Function, GraphPattern};

use super::collect::{aggregated, ordering};

/// What is found.
#[derive(Debug, Default)]
pub(super) struct Found<'a> {
    /// The names of functions whose values are other ones each time.
    pub(super) functions: BTreeSet<&'static str>,
    /// The cuts, the outermost first.
    pub(super) cuts: Vec<&'a GraphPattern>,
    /// The groupings with an aggregate that takes its members as they come.
    pub(super) groups: Vec<&'a GraphPattern>,
    /// Whether a cut stands in EXISTS, where it depends on what is around.
    pub(super) cut_in_exists: bool,
    exists: usize,
}

impl<'a> Found<'a> {
    pub(super) fn of(pattern: &'a GraphPattern) -> Self {
        let mut found = Self::default();
        found.pattern(pattern);
        found
    }

    fn pattern(&mut self, pattern: &'a GraphPattern) {
        match pattern {
            GraphPattern::Bgp { .. } | GraphPattern::Path { .. } | GraphPattern::Values { .. } => {}
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
            GraphPattern::Filter { expr: expression, inner }
            | GraphPattern::Extend { inner, expression, .. } => {
                self.pattern(inner);
                self.expressions([expression]);
            }
            GraphPattern::OrderBy { inner, expression } => {
                self.pattern(inner);
                self.expressions(expression.iter().map(ordering));
            }
            GraphPattern::Group { inner, aggregates, .. } => {
                if aggregates.iter().any(|(_, aggregate)| takes_as_they_come(aggregate)) {
                    self.groups.push(pattern);
                }
                self.pattern(inner);
                self.expressions(aggregates.iter().filter_map(|(_, aggregate)| aggregated(aggregate)));
            }
            GraphPattern::Slice { inner, .. } => {
                if self.exists == 0 {
                    self.cuts.push(pattern);
                }
                self.cut_in_exists |= self.exists > 0;
                self.pattern(inner);
            }
            GraphPattern::Graph { inner, .. }
            | GraphPattern::Service { inner, .. }
            | GraphPattern::Project { inner, .. }
            | GraphPattern::Distinct { inner }
            | GraphPattern::Reduced { inner } => self.pattern(inner),
        }
    }

    fn expressions(&mut self, expressions: impl IntoIterator<Item = &'a Expression>) {
        for expression in expressions {
            let mut patterns = Vec::new();
            let functions = &mut self.functions;
            each(expression, &mut |part| match part {
                Expression::Exists(pattern) => patterns.push(pattern.as_ref()),
                Expression::FunctionCall(function, _) => functions.extend(changing(function)),
                _ => {}
            });
            self.exists += 1;
            for pattern in patterns {
                self.pattern(pattern);
            }
            self.exists -= 1;
        }
    }
}

/// Whether the value of an aggregate depends on the order of the members of its group.
pub(super) fn takes_as_they_come(aggregate: &AggregateExpression) -> bool {
    let AggregateExpression::FunctionCall { name, .. } = aggregate else { return false };
    matches!(name, AggregateFunction::Sample | AggregateFunction::GroupConcat { .. })
}

fn changing(function: &Function) -> Option<&'static str> {
    match function {
        Function::Rand => Some("RAND"),
        Function::Now => Some("NOW"),
        Function::Uuid => Some("UUID"),
        Function::StrUuid => Some("STRUUID"),
        Function::BNode => Some("BNODE"),
        _ => None,
    }
}

/// Shows an expression and all that it is made of; not what is within EXISTS.
pub(super) fn each<'a>(expression: &'a Expression, look: &mut impl FnMut(&'a Expression)) {
    let mut waiting = vec![expression];
    while let Some(expression) = waiting.pop() {
        look(expression);
        match expression {
            Expression::UnaryPlus(a) | Expression::UnaryMinus(a) | Expression::Not(a) => waiting.push(a),
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
            | Expression::Divide(a, b) => waiting.extend([a.as_ref(), b.as_ref()]),
            Expression::If(a, b, c) => waiting.extend([a.as_ref(), b.as_ref(), c.as_ref()]),
            Expression::In(value, list) => {
                waiting.push(value);
                waiting.extend(list);
            }
            Expression::Coalesce(list) | Expression::FunctionCall(_, list) => waiting.extend(list),
            Expression::NamedNode(_)
            | Expression::Literal(_)
            | Expression::Variable(_)
            | Expression::Bound(_)
            | Expression::Exists(_) => {}
        }
    }
}
