//! Whether the answers of a query are decided by the data alone, and what to ask where the text does not say it.
//!
//! LIMIT and OFFSET take some rows and leave others. Without ORDER BY, or where rows on both sides of the cut tie, which ones
//! is a matter of chance: of how the store keeps its data. SAMPLE and `GROUP_CONCAT` take the members of a group as they come.
//! Whether that matters is asked: each [`Cut`] and [`Picks`] has queries whose answers tell.

use crate::sparql::error::Unparsable;
use crate::sparql::lexer::{Kind, tokens};
use crate::sparql::parts::{each, is_free_of, ordering};
use crate::sparql::print::printed;
use crate::sparql::{parse, parts};
use oxigraph::model::Variable;
use spargebra::Query;
use spargebra::algebra::{
    AggregateExpression, AggregateFunction, Expression, Function, GraphPattern, QueryDataset,
};
use std::collections::{BTreeMap, BTreeSet};

/// What the answers of a query may depend on beside the data.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chances {
    /// What makes them depend on chance or on the clock whatever the data are, in words.
    pub certain: Vec<String>,
    /// The cuts, the outermost first.
    pub cuts: Vec<Cut>,
    /// Aggregates that take members as they come.
    pub picks: Option<Picks>,
}

/// LIMIT and OFFSET.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// How many rows are left out at the beginning.
    pub start: usize,
    /// How many rows are taken, where that is limited.
    pub length: Option<usize>,
    /// Whether it is that of a sub-query.
    pub in_sub_query: bool,
    /// The variables of the rows.
    pub variables: Vec<String>,
    /// The variables that hold the sort keys in `edge` and `whole`; none without ORDER BY.
    pub keys: Vec<String>,
    /// Whether rows that are the same but for their keys are one row, the first.
    pub distinct: bool,
    /// Counts all rows: one row with one number.
    pub count: String,
    /// Counts the different rows among all.
    pub count_different: String,
    /// The rows up to the one behind the cut, in order, with their keys. As long as `whole` where `distinct`.
    pub edge: String,
    /// All rows in order with their keys.
    pub whole: String,
}

/// The query with MIN, and with MAX, in place of the aggregates that take members as they come. Where both have the same
/// answers, each group has one member only or the same ones, and their order does not matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picks {
    /// The names of the aggregates.
    pub names: String,
    /// With MIN.
    pub least: String,
    /// With MAX.
    pub most: String,
}

/// What the answers of a query may depend on beside the data.
pub fn chances(text: &str) -> Result<Chances, Unparsable> {
    let query = parse::parse(text)?;
    let (is_ask, pattern) = match &query {
        Query::Ask { pattern, .. } => (true, pattern),
        Query::Select { pattern, .. }
        | Query::Construct { pattern, .. }
        | Query::Describe { pattern, .. } => (false, pattern),
    };
    let variants = Variants::of(text, &query);
    let found = Suspects::of(pattern);
    let mut chances = Chances::default();
    for function in found.functions {
        chances.certain.push(format!("{function}() has another value each time"));
    }
    if found.cut_in_exists {
        chances.certain.push("a sub-query in EXISTS has LIMIT or OFFSET".to_owned());
    }
    for (number, slice) in found.cuts.into_iter().enumerate() {
        let is_outermost = number == 0 && std::ptr::eq(slice, pattern);
        match cut(slice, &variants, !is_outermost) {
            // One row is as good as another where only its being there counts.
            Some(cut) if is_ask && is_outermost && cut.start == 0 && cut.length != Some(0) => {}
            Some(cut) => chances.cuts.push(cut),
            None => chances
                .certain
                .push("the rows that LIMIT or OFFSET leaves out cannot be asked for".to_owned()),
        }
    }
    match &found.groups[..] {
        [] => {}
        [group] if !is_ask => match picks(pattern, group, &variants) {
            Ok(picks) => chances.picks = Some(picks),
            Err(names) => chances.certain.push(format!("{names} takes the members of a group as they come")),
        },
        groups => {
            chances.certain.push(format!("{} takes the members of a group as they come", names(groups)));
        }
    }
    Ok(chances)
}

/// The parts of a SELECT below its cut.
struct BelowCut<'a> {
    distinct: bool,
    variables: &'a [Variable],
    keys: Vec<&'a Expression>,
    /// The pattern within the projection, ordered if it is.
    ordered: &'a GraphPattern,
    inner: &'a GraphPattern,
}

fn parts(mut pattern: &GraphPattern) -> Option<BelowCut<'_>> {
    let mut distinct = false;
    loop {
        match pattern {
            GraphPattern::Distinct { inner } => {
                distinct = true;
                pattern = inner;
            }
            GraphPattern::Reduced { inner } => pattern = inner,
            GraphPattern::Project { inner: ordered, variables } => {
                let (keys, inner) = match ordered.as_ref() {
                    GraphPattern::OrderBy { inner, expression } => {
                        (expression.iter().map(ordering).collect(), inner.as_ref())
                    }
                    other => (Vec::new(), other),
                };
                return Some(BelowCut { distinct, variables, keys, ordered, inner });
            }
            _ => return None,
        }
    }
}

fn cut(slice: &GraphPattern, variants: &Variants<'_>, in_sub_query: bool) -> Option<Cut> {
    let GraphPattern::Slice { inner: rows, start, length } = slice else { return None };
    let parts = parts(rows)?;
    let names: Vec<Variable> =
        (0..parts.keys.len()).scan(1, |next, _| Some(next_name(variants, next))).collect();
    let whole = keyed(&parts, &names);
    let hides_keys = parts.keys.iter().any(|key| !is_of(key, parts.variables));
    let dedupes = parts.distinct && hides_keys;
    let edge = match length {
        Some(length) if !dedupes => GraphPattern::Slice {
            inner: Box::new(whole.clone()),
            start: 0,
            length: Some(start.saturating_add(*length).saturating_add(1)),
        },
        _ => whole.clone(),
    };
    let different = GraphPattern::Distinct { inner: Box::new(unordered(&parts)) };
    let all = if parts.distinct { different.clone() } else { unordered(&parts) };
    Some(Cut {
        start: *start,
        length: *length,
        in_sub_query,
        variables: parts.variables.iter().map(|variable| variable.as_str().to_owned()).collect(),
        keys: names.iter().map(|name| name.as_str().to_owned()).collect(),
        distinct: dedupes,
        count: variants.count(all)?,
        count_different: variants.count(different)?,
        edge: variants.text(edge, &names)?,
        whole: variants.text(whole, &names)?,
    })
}

fn next_name(variants: &Variants<'_>, next: &mut usize) -> Variable {
    let name = variants.fresh("key", *next);
    // A name that is taken moves all behind it.
    *next = name.as_str().trim_start_matches("key").parse().unwrap_or(*next) + 1;
    name
}

/// The rows of a SELECT in their order, with their keys.
fn keyed(parts: &BelowCut<'_>, names: &[Variable]) -> GraphPattern {
    let mut inner = parts.inner.clone();
    for (key, name) in parts.keys.iter().zip(names) {
        let expression = (*key).clone();
        inner = GraphPattern::Extend { inner: Box::new(inner), variable: name.clone(), expression };
    }
    if let GraphPattern::OrderBy { expression, .. } = parts.ordered {
        inner = GraphPattern::OrderBy { inner: Box::new(inner), expression: expression.clone() };
    }
    let variables = parts.variables.iter().chain(names).cloned().collect();
    let rows = GraphPattern::Project { inner: Box::new(inner), variables };
    if parts.distinct && parts.keys.iter().all(|key| is_of(key, parts.variables)) {
        return GraphPattern::Distinct { inner: Box::new(rows) };
    }
    rows
}

/// The rows of a SELECT in any order.
fn unordered(parts: &BelowCut<'_>) -> GraphPattern {
    GraphPattern::Project { inner: Box::new(parts.inner.clone()), variables: parts.variables.to_vec() }
}

/// Whether an expression is made of these variables only.
fn is_of(expression: &Expression, variables: &[Variable]) -> bool {
    let mut others = false;
    each(expression, &mut |part| match part {
        Expression::Variable(variable) | Expression::Bound(variable) => {
            others |= !variables.contains(variable);
        }
        Expression::Exists(_) => others = true,
        _ => {}
    });
    !others
}

/// The names of the aggregates that take members as they come.
fn names(groups: &[&GraphPattern]) -> String {
    let mut found = BTreeSet::new();
    for group in groups {
        let GraphPattern::Group { aggregates, .. } = group else { continue };
        for (_, aggregate) in aggregates.iter().filter(|(_, aggregate)| takes_as_they_come(aggregate)) {
            let AggregateExpression::FunctionCall { name, .. } = aggregate else { continue };
            found.insert(if *name == AggregateFunction::Sample { "SAMPLE" } else { "GROUP_CONCAT" });
        }
    }
    found.into_iter().collect::<Vec<_>>().join(" and ")
}

/// The variants with MIN and MAX, where what is picked is only shown; else the names of the aggregates.
fn picks(pattern: &GraphPattern, group: &GraphPattern, variants: &Variants<'_>) -> Result<Picks, String> {
    let names = names(&[group]);
    let with = |function: AggregateFunction| {
        let changed = replaced(pattern, &function)?;
        variants.text(changed, &[])
    };
    match (with(AggregateFunction::Min), with(AggregateFunction::Max)) {
        (Some(least), Some(most)) => Ok(Picks { names, least, most }),
        _ => Err(names),
    }
}

/// The query with another aggregate; none where the value that is picked is used for more than to be shown, or the group is
/// that of a sub-query.
fn replaced(pattern: &GraphPattern, by: &AggregateFunction) -> Option<GraphPattern> {
    let mut changed = pattern.clone();
    let (mut at, mut projections, mut used) = (&mut changed, 0, Vec::new());
    loop {
        match at {
            GraphPattern::Slice { inner, .. }
            | GraphPattern::Distinct { inner }
            | GraphPattern::Reduced { inner } => at = inner,
            GraphPattern::Project { inner, .. } => {
                projections += 1;
                if projections > 1 {
                    return None;
                }
                at = inner;
            }
            GraphPattern::OrderBy { inner, expression } => {
                used.extend(expression.iter().map(|key| ordering(key).clone()));
                at = inner;
            }
            GraphPattern::Filter { expr, inner } => {
                used.push(expr.clone());
                at = inner;
            }
            GraphPattern::Extend { inner, expression, variable } => {
                if let Expression::Variable(shown) = &*expression {
                    // Another name for the same.
                    if used.iter().any(|used| !is_free_of(used, variable)) {
                        used.push(shown.clone().into());
                    }
                } else {
                    used.push(expression.clone());
                }
                at = inner;
            }
            GraphPattern::Group { aggregates, .. } => {
                for (variable, aggregate) in aggregates {
                    if !takes_as_they_come(aggregate) {
                        continue;
                    }
                    if used.iter().any(|used| !is_free_of(used, variable)) {
                        return None;
                    }
                    if let AggregateExpression::FunctionCall { name, .. } = aggregate {
                        *name = by.clone();
                    }
                }
                return Some(changed);
            }
            _ => return None,
        }
    }
}

/// Makes variants of one query.
pub(crate) struct Variants<'a> {
    dataset: Option<&'a QueryDataset>,
    /// The names of the variables of the query, without `?`.
    names: BTreeSet<&'a str>,
}

impl<'a> Variants<'a> {
    pub(crate) fn of(text: &'a str, query: &'a Query) -> Self {
        let tokens = tokens(text);
        let variables = tokens.iter().filter(|token| token.kind == Kind::Variable);
        Self { dataset: query.dataset(), names: variables.map(|token| &token.text[1..]).collect() }
    }

    /// A name that the query does not have.
    pub(crate) fn fresh(&self, name: &str, number: usize) -> Variable {
        let named = (number..).map(|number| format!("{name}{number}"));
        let free = named.into_iter().find(|name| !self.names.contains(name.as_str()));
        Variable::new_unchecked(free.unwrap_or_default())
    }

    /// The text of a variant; none where it cannot be written as SPARQL. `own` are the names that it adds.
    pub(crate) fn text(&self, pattern: GraphPattern, own: &[Variable]) -> Option<String> {
        let dataset = self.dataset.cloned();
        let printed = printed(&Query::Select { dataset, pattern, base_iri: None });
        let text = self.renamed(&printed, own);
        parse::parse(&text).ok().map(|_| text)
    }

    /// How many rows a pattern has.
    pub(crate) fn count(&self, pattern: GraphPattern) -> Option<String> {
        let (rows, counted) = (self.fresh("rows", 1), self.fresh("counted", 1));
        let group = GraphPattern::Group {
            inner: Box::new(pattern),
            variables: Vec::new(),
            aggregates: vec![(counted.clone(), AggregateExpression::CountSolutions { distinct: false })],
        };
        let named = GraphPattern::Extend {
            inner: Box::new(group),
            variable: rows.clone(),
            expression: counted.clone().into(),
        };
        let variables = vec![rows.clone()];
        self.text(GraphPattern::Project { inner: Box::new(named), variables }, &[rows, counted])
    }

    /// The parser invents names for aggregates and brackets, other ones each time: they are numbered here.
    fn renamed(&self, printed: &str, own: &[Variable]) -> String {
        let (mut variables, mut labels) = (BTreeMap::new(), BTreeMap::new());
        let (mut text, mut done) = (String::with_capacity(printed.len()), 0);
        for token in tokens(printed) {
            let name = match token.kind {
                Kind::Variable => {
                    let name = &token.text[1..];
                    if self.names.contains(name) || own.iter().any(|own| own.as_str() == name) {
                        continue;
                    }
                    let number = variables.len() + 1;
                    let renamed = variables.entry(name).or_insert_with(|| self.fresh("group", number));
                    format!("?{}", renamed.as_str())
                }
                Kind::Label => {
                    let number = labels.len() + 1;
                    format!("_:b{}", labels.entry(token.text).or_insert(number))
                }
                _ => continue,
            };
            text.push_str(&printed[done..token.start]);
            text.push_str(&name);
            done = token.end();
        }
        text.push_str(&printed[done..]);
        text
    }
}

/// What is found.
#[derive(Debug, Default)]
pub(crate) struct Suspects<'a> {
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

impl<'a> Suspects<'a> {
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
