//! Variants of a query: built as algebra, printed, with names that are the same every time.

use std::collections::{BTreeMap, BTreeSet};

use oxigraph::model::Variable;
use spargebra::Query;
use spargebra::algebra::{AggregateExpression, GraphPattern, QueryDataset};

use crate::sparql::lexer::{Kind, tokens};
use crate::sparql::parse;

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
        let printed = Query::Select { dataset, pattern, base_iri: None }.to_string();
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
