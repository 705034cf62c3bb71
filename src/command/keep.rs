//! Keeps an evaluation in the archive: inputs, graphs, then the records that make them exist.

use std::collections::BTreeSet;

use qassay::Result;
use qassay::graph::archive::{Archive, digest_graph};
use qassay::graph::iri::Mint;
use qassay::graph::publish;
use qassay::observe::provenance::{EvaluationGraphs, Execution};
use qassay::observe::{
    DatasetInput, Evaluation, LinksInput, SubmissionInput, catalogue, write_matches, write_scores,
};

/// Writes into an archive what it does not have yet.
pub(crate) struct Keeper<'a> {
    archive: &'a Archive,
    mint: &'a Mint,
    kept: BTreeSet<String>,
}

impl<'a> Keeper<'a> {
    pub(crate) fn new(archive: &'a Archive, mint: &'a Mint) -> Self {
        Self { archive, mint, kept: BTreeSet::new() }
    }

    /// Keeps the dataset: file, graph, record.
    pub(crate) fn dataset(&mut self, input: &DatasetInput) -> Result<()> {
        if !self.kept.insert(input.iri.clone()) {
            return Ok(());
        }
        self.archive.keep_file(&input.source)?;
        let graph = self
            .archive
            .keep_graph(|out| publish::dataset(out, self.mint, &input.slug, &input.iri, &input.document))?;
        let mut record = catalogue::dataset(self.mint, input, &graph);
        self.archive.keep_record("dataset", input.source.sha256(), &mut record)
    }

    /// Keeps a submission.
    pub(crate) fn submission(&mut self, input: &SubmissionInput) -> Result<()> {
        if !self.kept.insert(input.iri.clone()) {
            return Ok(());
        }
        self.archive.keep_file(&input.source)?;
        let graph = self
            .archive
            .keep_graph(|out| publish::submission(out, self.mint, &input.iri, &input.document))?;
        let mut record = catalogue::submission(self.mint, input, &graph);
        self.archive.keep_record("submission", input.source.sha256(), &mut record)
    }

    /// Keeps a link set.
    pub(crate) fn links(&mut self, input: &LinksInput) -> Result<()> {
        if !self.kept.insert(input.iri.clone()) {
            return Ok(());
        }
        self.archive.keep_file(&input.source)?;
        let name = self.mint.graph_of(&input.iri);
        let graph = self.archive.keep_graph(|out| publish::links(out, &name, input.set.links()))?;
        let mut record = catalogue::links(self.mint, input, &graph);
        self.archive.keep_record("links", input.source.sha256(), &mut record)
    }

    /// Keeps the graphs of an evaluation; the record of the execution comes last.
    pub(crate) fn evaluation(&self, evaluation: &Evaluation<'_>, execution: &Execution) -> Result<()> {
        let graphs = EvaluationGraphs {
            scores: self.archive.keep_graph(|out| write_scores(out, self.mint, evaluation))?,
            matches: self.archive.keep_graph(|out| write_matches(out, self.mint, evaluation))?,
        };
        let mut lines = execution.provenance(self.mint, evaluation, &graphs);
        let provenance = self.archive.keep_graph(|out| {
            lines.write_to(out)?;
            Ok(lines.written())
        })?;
        let mut record = execution.record(self.mint, evaluation, &graphs, &provenance);
        self.archive.keep_record("execution", &execution.digest(evaluation)[..32], &mut record)
    }
}

/// The checksums that the graphs of an evaluation have, without keeping them: scores and matches.
pub(crate) fn digests(mint: &Mint, evaluation: &Evaluation<'_>) -> Result<EvaluationGraphs> {
    Ok(EvaluationGraphs {
        scores: digest_graph(|out| write_scores(out, mint, evaluation))?,
        matches: digest_graph(|out| write_matches(out, mint, evaluation))?,
    })
}
