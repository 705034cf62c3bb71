//! What servers agree on: what they find as the embedded store does, and what each does in a way of its own.

use oxigraph::model::Variable;
use oxigraph::model::vocab::xsd;
use spargebra::algebra::{AggregateExpression, AggregateFunction, Expression, Function, GraphPattern};

use crate::sparql::parts;

/// Whether servers do what a pattern itself does in ways of their own. `exists`: it may look whether something is there.
pub(crate) fn is_own(pattern: &GraphPattern, exists: bool) -> bool {
    match pattern {
        GraphPattern::Slice { .. } | GraphPattern::OrderBy { .. } | GraphPattern::Reduced { .. } => true,
        GraphPattern::Extend { expression, .. } => {
            !matches!(expression, Expression::Variable(_) | Expression::NamedNode(_))
        }
        GraphPattern::Group { aggregates, .. } => aggregates.iter().any(|(_, aggregate)| {
            !matches!(
                aggregate,
                AggregateExpression::CountSolutions { .. }
                    | AggregateExpression::FunctionCall { name: AggregateFunction::Count, .. }
            )
        }),
        GraphPattern::Filter { expr, inner } => !is_tested_alike(expr, exists, &[inner]),
        GraphPattern::LeftJoin { expression: Some(expr), left, right } => {
            !is_tested_alike(expr, exists, &[left, right])
        }
        _ => false,
    }
}

/// Whether servers find the same by an expression over patterns: it asks what terms are, and where it says that something is not so, all that
/// it asks has a value. Of what has none Virtuoso says that it is no IRI, which SPARQL calls an error: neither it nor its contrary holds.
fn is_tested_alike(expression: &Expression, exists: bool, patterns: &[&GraphPattern]) -> bool {
    let mut is_alike = is_term_test(expression, exists);
    parts::each(expression, &mut |part| {
        let Expression::Not(denied) = part else { return };
        parts::each(denied, &mut |part| match part {
            Expression::Variable(variable) => {
                is_alike &= patterns.iter().any(|pattern| always_binds(pattern, variable));
            }
            // Of a literal of another datatype nobody knows whether it is the same value.
            Expression::Equal(one, other) => {
                is_alike &= ![(one, other), (other, one)]
                    .into_iter()
                    .any(|(term, other)| is_term(term) && is_literal(other));
            }
            Expression::In(one, others) => is_alike &= !is_term(one) || !others.iter().any(is_literal),
            _ => {}
        });
    });
    is_alike
}

/// Whether each solution of a pattern has a value for a variable; where it is not known, not.
fn always_binds(pattern: &GraphPattern, variable: &Variable) -> bool {
    let inner = |pattern: &GraphPattern| always_binds(pattern, variable);
    match pattern {
        GraphPattern::Bgp { .. } | GraphPattern::Path { .. } => {
            let mut is_there = false;
            pattern.on_in_scope_variable(|bound| is_there |= bound == variable);
            is_there
        }
        GraphPattern::Graph { name, inner: of } => *name == variable.clone().into() || inner(of),
        GraphPattern::Join { left, right } => inner(left) || inner(right),
        GraphPattern::Union { left, right } => inner(left) && inner(right),
        GraphPattern::LeftJoin { left, .. } | GraphPattern::Minus { left, .. } => inner(left),
        GraphPattern::Filter { inner: of, .. }
        | GraphPattern::Extend { inner: of, .. }
        | GraphPattern::Distinct { inner: of } => inner(of),
        GraphPattern::Values { variables, bindings } => variables
            .iter()
            .position(|known| known == variable)
            .is_some_and(|column| bindings.iter().all(|row| row[column].is_some())),
        _ => false,
    }
}

/// Whether an expression asks what terms are, and nothing of their values: these servers do not have of every literal.
fn is_term_test(expression: &Expression, exists: bool) -> bool {
    match expression {
        Expression::Bound(_) => true,
        Expression::Exists(_) => exists,
        Expression::Not(one) => is_term_test(one, exists),
        Expression::And(one, other) | Expression::Or(one, other) => {
            is_term_test(one, exists) && is_term_test(other, exists)
        }
        Expression::Equal(one, other) | Expression::SameTerm(one, other) => {
            (is_text(one) && is_name(other)) || (is_name(one) && is_text(other))
        }
        Expression::In(one, others) => is_text(one) && others.iter().all(is_name),
        Expression::FunctionCall(function, arguments) => match function {
            Function::IsIri | Function::IsLiteral => arguments.iter().all(is_text),
            // Of what is no text Virtuoso calls it an error that ends the query.
            Function::StrStarts | Function::StrEnds | Function::Contains | Function::LangMatches => arguments
                .iter()
                .all(|argument| (is_text(argument) && !is_term(argument)) || is_name(argument)),
            _ => false,
        },
        _ => false,
    }
}

fn is_term(expression: &Expression) -> bool {
    matches!(expression, Expression::Variable(_))
}

fn is_literal(expression: &Expression) -> bool {
    matches!(expression, Expression::Literal(_))
}

/// Whether an expression is a term, its text or its language.
fn is_text(expression: &Expression) -> bool {
    match expression {
        Expression::Variable(_) => true,
        Expression::FunctionCall(Function::Str | Function::Lang, arguments) => arguments.iter().all(is_text),
        _ => false,
    }
}

/// Whether an expression is an IRI or a text.
fn is_name(expression: &Expression) -> bool {
    match expression {
        Expression::NamedNode(_) => true,
        Expression::Literal(literal) => literal.datatype() == xsd::STRING || literal.language().is_some(),
        _ => false,
    }
}
