//! What patterns and expressions of the algebra are made of, one step down: each part in the order of the algebra; to look
//! at, and to change.

use oxigraph::model::Variable;
use spargebra::algebra::{AggregateExpression, Expression, GraphPattern, OrderExpression};

macro_rules! parts {
    ($patterns:ident, $expressions:ident, $operands:ident, $iter:ident, $inside:ident $(, $mut:ident)?) => {
        /// The patterns that a pattern is made of; not those of EXISTS in its expressions.
        pub(crate) fn $patterns(pattern: &$($mut)? GraphPattern) -> Vec<&$($mut)? GraphPattern> {
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
        pub(crate) fn $expressions(pattern: &$($mut)? GraphPattern) -> Vec<&$($mut)? Expression> {
            match pattern {
                GraphPattern::LeftJoin { expression, .. } => expression.$iter().collect(),
                GraphPattern::Filter { expr: expression, .. } | GraphPattern::Extend { expression, .. } => {
                    vec![expression]
                }
                GraphPattern::OrderBy { expression, .. } => expression
                    .$iter()
                    .map(|order| match order {
                        OrderExpression::Asc(inner) | OrderExpression::Desc(inner) => inner,
                    })
                    .collect(),
                GraphPattern::Group { aggregates, .. } => aggregates
                    .$iter()
                    .filter_map(|(_, aggregate)| match aggregate {
                        // `COUNT(*)`.
                        AggregateExpression::CountSolutions { .. } => None,
                        AggregateExpression::FunctionCall { expr, .. } => Some(expr),
                    })
                    .collect(),
                _ => Vec::new(),
            }
        }

        /// The expressions that an expression is made of; nothing of the pattern of EXISTS.
        pub(crate) fn $operands(expression: &$($mut)? Expression) -> Vec<&$($mut)? Expression> {
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
                Expression::In(value, list) => std::iter::once(value.$inside()).chain(list).collect(),
                Expression::Coalesce(list) | Expression::FunctionCall(_, list) => list.$iter().collect(),
                Expression::NamedNode(_)
                | Expression::Literal(_)
                | Expression::Variable(_)
                | Expression::Bound(_)
                | Expression::Exists(_) => Vec::new(),
            }
        }
    };
}

parts!(patterns, expressions, operands, iter, as_ref);
parts!(patterns_mut, expressions_mut, operands_mut, iter_mut, as_mut, mut);

/// What is sorted by.
pub(crate) fn ordering(order: &OrderExpression) -> &Expression {
    match order {
        OrderExpression::Asc(inner) | OrderExpression::Desc(inner) => inner,
    }
}

/// Shows an expression and all that it is made of; not what is within EXISTS.
pub(crate) fn each<'a>(expression: &'a Expression, look: &mut impl FnMut(&'a Expression)) {
    let mut waiting = vec![expression];
    while let Some(expression) = waiting.pop() {
        look(expression);
        waiting.extend(operands(expression));
    }
}

/// Whether a variable is nowhere in an expression; nothing is said of one with EXISTS.
pub(crate) fn is_free_of(expression: &Expression, variable: &Variable) -> bool {
    let mut free = true;
    each(expression, &mut |part| match part {
        Expression::Variable(used) | Expression::Bound(used) => free &= used != variable,
        Expression::Exists(_) => free = false,
        _ => {}
    });
    free
}
