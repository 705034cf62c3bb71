//! Triple patterns as nodes: named by their content with variables anonymised, so that RE2KB is a join.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxBuildHasher;

use crate::base::iri::Mint;
use crate::sources::document::Document;
use crate::sources::input::asked::{Asked, ask_all};
use crate::sparql::features::{Pattern, QueryGraph};
use crate::sparql::repair::Repair;

/// The query of a question: what it asks, and the nodes of its triple patterns.
#[derive(Debug, Clone)]
pub struct QueryNodes {
    /// What is asked.
    pub asked: Asked,
    /// One node a pattern, in the order of the query: named when somebody asks for them.
    nodes: OnceLock<Box<[PatternNode]>>,
    mint: Arc<Mint>,
}

/// The node of a triple pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternNode {
    /// The IRI: the same for the same content in every query. The second occurrence of a pattern in one query is a
    /// node of its own (`…/2`), so that a query is a bag of patterns.
    pub iri: String,
    /// 1 for the first occurrence in its query, 2 for the second.
    pub occurrence: u32,
}

impl QueryNodes {
    /// Reads the queries of all questions, and adds an issue for each that had to be repaired or cannot be read.
    pub fn of_all(mint: &Mint, document: &mut Document) -> Vec<Self> {
        let mint = Arc::new(mint.clone());
        let nodes = |asked| Self { asked, nodes: OnceLock::new(), mint: Arc::clone(&mint) };
        ask_all(document).into_iter().map(nodes).collect()
    }

    /// The query graph, where there is a query that can be read and is no pseudo query.
    pub fn graph(&self) -> Option<&QueryGraph> {
        graph(&self.asked)
    }

    /// The repairs with which the query was read, also a pseudo query.
    pub fn repairs(&self) -> &[Repair] {
        match &self.asked {
            Asked::Graph(graph) | Asked::Pseudo(graph) => &graph.repairs,
            Asked::Nothing | Asked::Unparsable(_) => &[],
        }
    }

    /// The patterns with their nodes.
    pub fn patterns(&self) -> impl Iterator<Item = (&PatternNode, &Pattern)> {
        let patterns = self.graph().map_or(&[][..], |graph| &graph.patterns);
        let nodes = self.nodes.get_or_init(|| nodes(&self.mint, patterns));
        nodes.iter().zip(patterns)
    }
}

fn graph(asked: &Asked) -> Option<&QueryGraph> {
    match asked {
        Asked::Graph(graph) => Some(graph),
        Asked::Nothing | Asked::Pseudo(_) | Asked::Unparsable(_) => None,
    }
}

/// The nodes of the patterns of a query, in its order.
fn nodes(mint: &Mint, patterns: &[Pattern]) -> Box<[PatternNode]> {
    let mut seen: HashMap<String, u32, FxBuildHasher> = HashMap::default();
    let node = |pattern: &Pattern| {
        let iri = mint.triple_pattern(&pattern.text());
        let occurrence = seen.entry(iri.clone()).or_default();
        *occurrence += 1;
        let iri = if *occurrence == 1 { iri } else { format!("{iri}/{occurrence}") };
        PatternNode { iri, occurrence: *occurrence }
    };
    patterns.iter().map(node).collect()
}
