//! Keeps an evaluation in the archive: inputs, graphs, then the records that make them exist.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::Arc;

use crate::base::clock::Instant;
use crate::base::error::Result;
use crate::base::iri::Mint;
use crate::base::parallel::both;
use crate::base::rdf::lines::Lines;
use crate::base::vocab::schema;
use crate::kb::allowance::Asking;
use crate::record::publish::answers::keep_answers;
use crate::record::publish::blind::Blind;
use crate::record::publish::catalogue;
use crate::record::publish::matches::write as write_matches;
use crate::record::publish::provenance::{EvaluationGraphs, Execution};
use crate::record::publish::scores::write as write_scores;
use crate::references::ReferenceInput;
use crate::scoring::asked::executed::ExecutedAnswers;
use crate::scoring::asked::refreshed::RefreshedGold;
use crate::scoring::evaluation::Evaluation;
use crate::sources::archive::{Archive, StoredGraph, digest_graph};
use crate::sources::input::{DatasetInput, SubmissionInput};
use crate::sources::input::{publish, term};
use oxigraph::io::{RdfFormat, RdfParser};

/// Writes into an archive what it does not have yet.
#[derive(Debug)]
pub struct Keeper<'a> {
    archive: &'a Archive,
    mint: &'a Mint,
}

impl<'a> Keeper<'a> {
    /// Nothing is written yet.
    pub fn new(archive: &'a Archive, mint: &'a Mint) -> Self {
        Self { archive, mint }
    }

    /// The name that the archive has for the system of a submission, where it is another one.
    pub fn known_name(&self, input: &SubmissionInput) -> Option<String> {
        let record = std::fs::read(self.archive.record("submission", input.source.sha256())).ok()?;
        let system = input.system_iri();
        let quads = RdfParser::from_format(RdfFormat::NQuads).for_slice(&record).filter_map(Result::ok);
        let named = quads.filter(|quad| quad.predicate.as_str() == schema::NAME);
        let name = named.filter(|quad| quad.subject.to_string() == format!("<{system}>")).last()?;
        let known = term::text(&name.object).into_owned();
        (known != input.system).then_some(known)
    }

    /// Keeps the inputs: of each the file, the graph, the record.
    pub fn inputs(
        &self,
        dataset: &DatasetInput,
        submissions: &[Arc<SubmissionInput>],
        references: &[Arc<ReferenceInput>],
    ) -> Result<()> {
        self.dataset(dataset)?;
        let mut kept = BTreeSet::new();
        // A file may be named twice.
        let once = references.iter().filter(|reference| kept.insert(&reference.iri));
        once.into_iter().try_for_each(|reference| self.reference(reference))?;
        submissions.iter().try_for_each(|submission| self.submission(submission))
    }

    /// Keeps the dataset: file, graph, record.
    pub fn dataset(&self, input: &DatasetInput) -> Result<()> {
        self.archive.keep_file(&input.source)?;
        let graph = self.archive.keep_graph(|out| {
            publish::dataset(out, self.mint, &input.slug, &input.iri, &input.document, &input.queries)
        })?;
        let mut record = catalogue::dataset(self.mint, input, Some(&graph));
        self.archive.keep_record("dataset", input.source.sha256(), &mut record)
    }

    /// Keeps the file of a dataset and a record of it, and no graph of its gold answers: what is needed to score blind
    /// submissions later. A dataset that is kept already stays as it is.
    pub fn sealed_dataset(&self, input: &DatasetInput) -> Result<()> {
        self.archive.keep_file(&input.source)?;
        if self.archive.record("dataset", input.source.sha256()).exists() {
            return Ok(());
        }
        let mut record = catalogue::dataset(self.mint, input, None);
        self.archive.keep_record("dataset", input.source.sha256(), &mut record)
    }

    /// Keeps a blind submission: the submission, when it came, then the record that makes it exist.
    pub fn blind(&self, blind: &Blind<'_>, time: &Instant) -> Result<()> {
        self.submission(blind.submission)?;
        let mut lines = blind.provenance(self.mint, time);
        let provenance = self.archive.keep_graph(|out| {
            lines.write_to(out)?;
            Ok(lines.written())
        })?;
        let mut record = blind.record(self.mint, &provenance);
        self.archive.keep_record("blind", &blind.digest()[..32], &mut record)
    }

    /// Keeps a submission.
    pub fn submission(&self, input: &SubmissionInput) -> Result<()> {
        self.archive.keep_file(&input.source)?;
        let graph = self.archive.keep_graph(|out| {
            publish::submission(out, self.mint, &input.iri, &input.document, &input.queries)
        })?;
        let mut record = catalogue::submission(self.mint, input, &graph);
        self.archive.keep_record("submission", input.source.sha256(), &mut record)
    }

    /// Keeps refreshed gold answers: what was answered, the graph, the record.
    pub fn refreshed(&self, dataset: &DatasetInput, gold: &RefreshedGold, asking: &Asking) -> Result<()> {
        keep_answers(self.archive, self.mint, &gold.kept.snapshot, asking)?;
        let graph = self.archive.keep_graph(|out| gold.write(out, self.mint, dataset))?;
        let mut record = catalogue::refreshed_gold(self.mint, dataset, gold, &graph);
        self.archive.keep_record("gold", &gold_key(dataset, gold), &mut record)
    }

    /// Keeps executed answers likewise.
    pub fn executed(
        &self,
        submission: &SubmissionInput,
        executed: &ExecutedAnswers,
        asking: &Asking,
    ) -> Result<()> {
        keep_answers(self.archive, self.mint, &executed.kept.snapshot, asking)?;
        let graph = self.archive.keep_graph(|out| executed.write(out, self.mint, submission))?;
        let mut record = catalogue::executed_answers(self.mint, submission, executed, &graph);
        self.archive.keep_record("executed", &executed_key(submission, executed), &mut record)
    }

    /// Keeps a file of statements.
    pub fn reference(&self, input: &ReferenceInput) -> Result<()> {
        self.archive.keep_file(&input.source)?;
        let graph = reference_graph(self.mint, input, |fill| self.archive.keep_graph(fill))?;
        let mut record = catalogue::reference(self.mint, input, graph.as_ref());
        self.archive.keep_record(input.kind.name(), input.source.sha256(), &mut record)
    }

    /// Keeps the graphs of an evaluation; the record of the execution comes last.
    pub fn evaluation(&self, evaluation: &Evaluation, execution: &Execution) -> Result<()> {
        let (scores, matches) = both(
            || self.archive.keep_graph(|out| write_scores(out, self.mint, evaluation)),
            || self.archive.keep_graph(|out| write_matches(out, self.mint, evaluation)),
        );
        let graphs = EvaluationGraphs { scores: scores?, matches: matches? };
        let mut lines = execution.provenance(self.mint, evaluation, &graphs);
        let provenance = self.archive.keep_graph(|out| {
            lines.write_to(out)?;
            Ok(lines.written())
        })?;
        let mut record = execution.record(self.mint, evaluation, &graphs, &provenance);
        self.archive.keep_record("execution", &execution.digest(evaluation)[..32], &mut record)
    }
}

/// The graph of a file of statements, unless the file is too large to be one.
fn reference_graph(
    mint: &Mint,
    input: &ReferenceInput,
    keep: impl FnOnce(&mut dyn FnMut(&mut dyn Write) -> io::Result<u64>) -> Result<StoredGraph>,
) -> Result<Option<StoredGraph>> {
    if !input.is_published() {
        return Ok(None);
    }
    let (name, mut stated) = (mint.graph_of(&input.iri), input.stated()?);
    keep(&mut |out| publish::statements(out, &name, std::mem::take(&mut stated))).map(Some)
}

/// A record as bytes.
#[derive(Debug)]
pub struct Record {
    /// The folder.
    pub kind: &'static str,
    /// The name.
    pub key: String,
    /// The canonical N-Quads.
    pub content: Vec<u8>,
}

impl Record {
    fn new(kind: &'static str, key: String, mut lines: Lines) -> Self {
        let mut content = Vec::new();
        lines.write_to(&mut content).expect("writing to memory cannot fail");
        Self { kind, key, content }
    }
}

/// The record of refreshed gold answers, without keeping anything.
pub fn refreshed_record(mint: &Mint, dataset: &DatasetInput, gold: &RefreshedGold) -> Result<Record> {
    let graph = digest_graph(|out| gold.write(out, mint, dataset))?;
    let described = catalogue::refreshed_gold(mint, dataset, gold, &graph);
    Ok(Record::new("gold", gold_key(dataset, gold), described))
}

/// The record of executed answers, without keeping anything.
pub fn executed_record(
    mint: &Mint,
    submission: &SubmissionInput,
    executed: &ExecutedAnswers,
) -> Result<Record> {
    let graph = digest_graph(|out| executed.write(out, mint, submission))?;
    let described = catalogue::executed_answers(mint, submission, executed, &graph);
    Ok(Record::new("executed", executed_key(submission, executed), described))
}

fn gold_key(dataset: &DatasetInput, gold: &RefreshedGold) -> String {
    format!("{}-{}", &dataset.source.sha256()[..16], gold.kept.name)
}

fn executed_key(submission: &SubmissionInput, executed: &ExecutedAnswers) -> String {
    format!("{}-{}", &submission.source.sha256()[..32], executed.name)
}

/// The records that inputs have, without keeping anything.
pub fn records(
    mint: &Mint,
    dataset: &DatasetInput,
    submission: &SubmissionInput,
    references: &[Arc<ReferenceInput>],
) -> Result<Vec<Record>> {
    let record = |kind, sha256: &str, lines: Lines| Record::new(kind, sha256.to_owned(), lines);
    let graph = digest_graph(|out| {
        publish::dataset(out, mint, &dataset.slug, &dataset.iri, &dataset.document, &dataset.queries)
    })?;
    let described = catalogue::dataset(mint, dataset, Some(&graph));
    let mut records = vec![record("dataset", dataset.source.sha256(), described)];
    let graph = digest_graph(|out| {
        publish::submission(out, mint, &submission.iri, &submission.document, &submission.queries)
    })?;
    let described = catalogue::submission(mint, submission, &graph);
    records.push(record("submission", submission.source.sha256(), described));
    for reference in references {
        let graph = reference_graph(mint, reference, |fill| digest_graph(fill))?;
        let described = catalogue::reference(mint, reference, graph.as_ref());
        records.push(record(reference.kind.name(), reference.source.sha256(), described));
    }
    Ok(records)
}

/// The checksums that the graphs of an evaluation have, without keeping them: scores and matches.
pub fn digests(mint: &Mint, evaluation: &Evaluation) -> Result<EvaluationGraphs> {
    Ok(EvaluationGraphs {
        scores: digest_graph(|out| write_scores(out, mint, evaluation))?,
        matches: digest_graph(|out| write_matches(out, mint, evaluation))?,
    })
}
