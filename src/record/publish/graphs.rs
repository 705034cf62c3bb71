//! The graphs of an evaluation: written, and as they were written.

use std::io::{self, Write};

use crate::base::error::Result;
use crate::base::iri::Mint;
use crate::base::parallel::both;
use crate::record::publish::kinds::GraphKind;
use crate::record::publish::{matches, scores};
use crate::scoring::evaluation::Evaluation;
use crate::sources::archive::StoredGraph;

/// The graphs of an evaluation as they were written, scores first.
#[derive(Debug, Clone)]
pub struct EvaluationGraphs(Vec<(GraphKind, StoredGraph)>);

impl EvaluationGraphs {
    /// The graphs that every execution makes, each made by `make`.
    ///
    /// # Errors
    /// The first one of `make`.
    pub fn try_new(mint: &Mint, make: impl Fn(GraphKind) -> Result<StoredGraph> + Sync) -> Result<Self> {
        let make = |kind: &GraphKind| Ok((*kind, make(*kind)?));
        let (first, others) = GraphKind::of_execution(mint.model()).split_at(1);
        // The scores are about as large as all others.
        let all = |kinds: &[GraphKind]| kinds.iter().map(make).collect::<Result<Vec<_>>>();
        let (first, others) = both(|| all(first), || all(others));
        Ok(Self([first?, others?].concat()))
    }

    /// The same with the aggregates over groups of questions.
    #[must_use]
    pub fn with_groups(mut self, graph: StoredGraph) -> Self {
        self.0.push((GraphKind::Groups, graph));
        self
    }

    /// Each with its kind.
    pub fn iter(&self) -> impl Iterator<Item = &(GraphKind, StoredGraph)> {
        self.0.iter()
    }

    /// One of them.
    pub fn get(&self, kind: GraphKind) -> Option<&StoredGraph> {
        self.0.iter().find(|(known, _)| *known == kind).map(|(_, graph)| graph)
    }

    /// The checksum of the scores.
    pub fn scores(&self) -> &str {
        &self.0[0].1.sha256
    }
}

/// Writes a graph of an evaluation. That of groups has those that were [asked for](crate::scoring::groups::Grouping).
pub fn write(
    out: &mut (impl Write + ?Sized),
    mint: &Mint,
    evaluation: &Evaluation,
    kind: GraphKind,
) -> io::Result<u64> {
    match kind {
        GraphKind::Matches => matches::write(out, mint, evaluation),
        _ => scores::write(out, mint, evaluation, kind),
    }
}
