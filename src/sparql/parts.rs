//! What patterns and expressions of the algebra are made of, one step down: each part in the order of the algebra.

use spargebra::algebra::{AggregateExpression, Expression, GraphPattern, OrderExpression};

/// The patterns that a pattern is made of; not those of EXISTS in its expressions.
pub(crate) fn patterns(pattern: &GraphPattern) -> Vec<&GraphPattern> {
    match pattern {
        GraphPattern::Bgp { .. } | GraphPattern::Path { .. } | GraphPattern::Values { .. } => Vec::new(),
        GraphPattern::Join { left, right }
        | GraphPattern::Union { left, right }
        | GraphPattern::Lateral { left, right }
        | GraphPattern::Minus { left, right }
        | GraphPattern::LeftJoin { left, right, .. } => vec![left, right],
        GraphPattern::Filter { inner, .. }
        | GraphPattern::Extend { inner, .. }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Group { inner, .. }
        | GraphPattern::Graph { inner, .. }
        | GraphPattern::Service { inner, .. }
        | GraphPattern::Project { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Slice { inner, .. } => vec![inner],
    }
}

/// The expressions of a pattern itself, not of those that it is made of.
pub(crate) fn expressions(pattern: &GraphPattern) -> Vec<&Expression> {
    match pattern {
        GraphPattern::LeftJoin { expression, .. } => expression.iter().collect(),
        GraphPattern::Filter { expr: expression, .. } | GraphPattern::Extend { expression, .. } => {
            vec![expression]
        }
        GraphPattern::OrderBy { expression, .. } => expression.iter().map(ordering).collect(),
        GraphPattern::Group { aggregates, .. } => {
            aggregates.iter().filter_map(|(_, aggregate)| aggregated(aggregate)).collect()
        }
        _ => Vec::new(),
    }
}

/// The expressions that an expression is made of; nothing of the pattern of EXISTS.
pub(crate) fn operands(expression: &Expression) -> Vec<&Expression> {
    match expression {
        Expression::UnaryPlus(a) | Expression::UnaryMinus(a) | Expression::Not(a) => vec![a],
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
        | Expression::Divide(a, b) => vec![a, b],
        Expression::If(a, b, c) => vec![a, b, c],
        Expression::In(value, list) => std::iter::once(value.as_ref()).chain(list).collect(),
        Expression::Coalesce(list) | Expression::FunctionCall(_, list) => list.iter().collect(),
        Expression::NamedNode(_)
        | Expression::Literal(_)
        | Expression::Variable(_)
        | Expression::Bound(_)
        | Expression::Exists(_) => Vec::new(),
    }
}

/// What is sorted by.
pub(crate) fn ordering(order: &OrderExpression) -> &Expression {
    match order {
        OrderExpression::Asc(inner) | OrderExpression::Desc(inner) => inner,
    }
}

/// What is put together; nothing for `COUNT(*)`.
fn aggregated(aggregate: &AggregateExpression) -> Option<&Expression> {
    match aggregate {
        AggregateExpression::CountSolutions { .. } => None,
        AggregateExpression::FunctionCall { expr, .. } => Some(expr),
    }
}
