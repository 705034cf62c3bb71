//! The working dataset of the match queries on a server.
//!
//! Of terms the server gets numbers, and what match queries look at: whether something is a literal, its language, its datatype. The text
//! of a term stays here, so that no server can change it, and what is the same is decided here. Predicates are called what they are.

use std::collections::BTreeMap;

use oxigraph::model::{Literal, NamedNode, Term};
use spargebra::algebra::GraphPattern;
use spargebra::term::{NamedNodePattern, TermPattern};

use crate::base::error::Result;
use crate::kb::remote::divided::{each_pattern, each_place};
use crate::kb::remote::travelling::numbered;
use crate::kb::remote::{LentGraphs, RemoteStore};
use crate::sparql::dataset::Dataset as _;
use crate::sparql::index::Index;
use crate::sparql::named_query::NamedQuery;

/// Before the number of something that is no literal.
const NUMBER: &str = "urn:qassay:number:";

/// An index that a server has.
pub(crate) struct RemoteIndex<'a> {
    remote: &'a RemoteStore,
    index: &'a Index,
    /// Before the names of its graphs there.
    prefix: String,
    graphs: LentGraphs<'a>,
}

impl<'a> RemoteIndex<'a> {
    /// Sends the statements of an index.
    pub(crate) fn send(remote: &'a RemoteStore, index: &'a Index) -> Result<Self> {
        let prefix = RemoteStore::prefix()?;
        let mut graphs: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for [graph, subject, predicate, object] in index.quads() {
            let [subject, object] = [subject, object].map(|number| sent(index, number));
            let line = format!("{subject} {} {object} .\n", index.term(predicate));
            graphs.entry(name(&prefix, index.term(graph))).or_default().push(line);
        }
        Ok(Self { remote, index, prefix, graphs: remote.lend(graphs)? })
    }

    /// Shows each row of a query; as [`each_row_of_numbers`](crate::sparql::numbered::each_row_of_numbers).
    pub(crate) fn each_row_of_numbers(
        &self,
        query: &NamedQuery,
        mut each: impl FnMut(&[Option<u32>]) -> Result<()>,
    ) -> Result<()> {
        let go = |whole: &mut GraphPattern| each_pattern(whole, &mut |pattern| self.travel(pattern));
        let found = self.remote.translated(query, [Vec::new(), self.graphs.names()], (&go, &|term| term))?;
        Index::new().each_row(&found, &mut |row| {
            let numbers: Vec<Option<u32>> = row.iter().map(|term| term.as_ref().and_then(number)).collect();
            each(&numbers)
        })
    }

    /// Whether the server had all statements all the time.
    pub(crate) fn check(&self) -> Result<()> {
        self.graphs.check()
    }

    /// Puts what the server knows into a pattern: numbers for terms, and its graphs.
    fn travel(&self, pattern: &mut GraphPattern) {
        each_place(pattern, |place| {
            let term = match place {
                TermPattern::NamedNode(node) => Term::from(node.clone()),
                TermPattern::Literal(literal) => literal.clone().into(),
                TermPattern::BlankNode(_) | TermPattern::Variable(_) => return,
            };
            // What is not known here is nowhere there.
            match self.index.number(&term).map(|number| sent(self.index, number)) {
                Some(Term::NamedNode(node)) => *place = node.into(),
                Some(Term::Literal(literal)) => *place = literal.into(),
                _ => {}
            }
        });
        if let GraphPattern::Graph { name: NamedNodePattern::NamedNode(node), .. } = pattern {
            *node = NamedNode::new_unchecked(name(&self.prefix, &node.clone().into()));
        }
    }
}

/// What a graph is called on the server.
fn name(prefix: &str, graph: &Term) -> String {
    let text = graph.to_string();
    let last = text.trim_matches(['<', '>']).rsplit(['#', '/']).next().unwrap_or_default();
    format!("{prefix}{last}")
}

/// What the server gets of a term.
fn sent(index: &Index, number: u32) -> Term {
    let plain = || NamedNode::new_unchecked(format!("{NUMBER}{number}")).into();
    if Index::place_of_node(number).is_some() {
        return plain();
    }
    match index.term(number) {
        Term::Literal(literal) => numbered(number, literal).into(),
        _ => plain(),
    }
}

/// The number of a term that came back.
fn number(term: &Term) -> Option<u32> {
    match term {
        Term::NamedNode(node) => node.as_str().strip_prefix(NUMBER)?.parse().ok(),
        Term::Literal(literal) => Literal::value(literal).parse().ok(),
        Term::BlankNode(_) => None,
    }
}
