//! Looks through a query for what its answers depend on beside the data.

use std::collections::BTreeSet;

use spargebra::algebra::{AggregateExpression, AggregateFunction, Expression, Function, GraphPattern};

use crate::sparql::parts;

/// What is found.
#[derive(Debug, Default)]
pub(crate) struct Found<'a> {
    /// The names of functions whose values are other ones each time.
    pub(crate) functions: BTreeSet<&'static str>,
    /// The cuts, the outermost first.
    pub(crate) cuts: Vec<&'a GraphPattern>,
    /// The groupings with an aggregate that takes its members as they come.
    pub(crate) groups: Vec<&'a GraphPattern>,
    /// Whether a cut stands in EXISTS, where it depends on what is around.
    pub(crate) cut_in_exists: bool,
    exists: usize,
}

impl<'a> Found<'a> {
    pub(crate) fn of(pattern: &'a GraphPattern) -> Self {
        let mut found = Self::default();
        found.pattern(pattern);
        found
    }

    fn pattern(&mut self, pattern: &'a GraphPattern) {
        match pattern {
            GraphPattern::Group { aggregates, .. }
                if aggregates.iter().any(|(_, aggregate)| takes_as_they_come(aggregate)) =>
            {
                self.groups.push(pattern);
            }
            GraphPattern::Slice { .. } => {
                if self.exists == 0 {
                    self.cuts.push(pattern);
                }
                self.cut_in_exists |= self.exists > 0;
            }
            _ => {}
        }
        for part in parts::patterns(pattern) {
            self.pattern(part);
        }
        self.expressions(parts::expressions(pattern));
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
pub(crate) fn takes_as_they_come(aggregate: &AggregateExpression) -> bool {
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
pub(crate) fn each<'a>(expression: &'a Expression, look: &mut impl FnMut(&'a Expression)) {
    let mut waiting = vec![expression];
    while let Some(expression) = waiting.pop() {
        look(expression);
        waiting.extend(parts::operands(expression));
    }
}
