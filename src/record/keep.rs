//! Keeps an evaluation in the archive: inputs, graphs, then the records that make them exist.

use crate::base::clock::Instant;
use crate::base::error::Result;
use crate::base::iri::Mint;
use crate::base::parallel::{self, both};
use crate::base::rdf::lines::Lines;
use crate::base::vocab::code;
use crate::base::vocab::dct;
use crate::base::vocab::prov;
use crate::base::vocab::qassay;
use crate::base::vocab::rdf;
use crate::base::vocab::xsd;
use crate::kb::allowance::Asking;
use crate::kb::answered_by::AnsweredBy;
use crate::kb::ask::Limits;
use crate::kb::snapshot::AnswerSnapshot;
use crate::measures::fraction::Fraction;
use crate::record::archived::executions::executed;
use crate::record::archived::names::SYSTEM;
use crate::record::archived::names::SharedNames;
use crate::record::publish::blind::Blind;
use crate::record::publish::catalogue;
use crate::record::publish::catalogue::InputGraphs;
use crate::record::publish::catalogue::register;
use crate::record::publish::graphs::{EvaluationGraphs, write};
use crate::record::publish::kinds::GraphKind;
use crate::record::publish::provenance;
use crate::record::publish::provenance::build;
use crate::record::publish::provenance::describe_build;
use crate::record::publish::provenance::engine;
use crate::record::publish::provenance::{Execution, ToldGraphs};
use crate::record::publish::stated::Typed;
use crate::record::summaries;
use crate::record::systems;
use crate::references::ReferenceInput;
use crate::scoring::asked::executed::ExecutedAnswers;
use crate::scoring::asked::refreshed::RefreshedGold;
use crate::scoring::evaluation::Evaluation;
use crate::scoring::experiment::Group;
use crate::sources::archive::Archive;
use crate::sources::archive::StoredGraph;
use crate::sources::archive::digest_graph;
use crate::sources::file::joined::Joined;
use crate::sources::input::Input;
use crate::sources::input::publish;
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::btree_map::Entry;
use std::io;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Writes into an archive what it does not have yet.
#[derive(Debug)]
pub struct Keeper<'a> {
    archive: &'a Archive,
    mint: &'a Mint,
    /// The evaluations of the records of executions that were read.
    executed: Mutex<BTreeMap<PathBuf, String>>,
}

impl<'a> Keeper<'a> {
    /// Nothing is written yet.
    pub fn new(archive: &'a Archive) -> Self {
        Self { archive, mint: archive.mint(), executed: Mutex::default() }
    }

    /// The names that the archive has for the bytes of a submission beside its own.
    pub fn other_names(&self, input: &Input) -> Result<Vec<String>> {
        let names = SharedNames::of(self.archive, input.source.sha256())?;
        Ok(names.iter().flat_map(SharedNames::all).filter(|name| **name != input.name).cloned().collect())
    }

    /// Whether the first name that the archive has for the bytes of a submission is another one.
    pub fn is_shared(&self, input: &Input) -> Result<bool> {
        let names = SharedNames::of(self.archive, input.source.sha256())?;
        Ok(names.is_some_and(|names| names.first != input.name))
    }

    /// Keeps the inputs: of each the file, the graph, the record.
    pub fn inputs(
        &self,
        dataset: &Input,
        submissions: &[Arc<Input>],
        references: &[Arc<ReferenceInput>],
    ) -> Result<()> {
        let mut kept = BTreeSet::new();
        // A file may be named twice.
        let references = references.iter().filter(|reference| kept.insert(&reference.iri)).collect();
        // Who sends what somebody else sent shares it with him: that is known when it is kept.
        let mut kept = BTreeSet::new();
        let (first, again): (Vec<_>, Vec<_>) =
            submissions.iter().partition(|submission| kept.insert(&submission.iri));
        let (dataset, others) = both(
            || self.dataset(dataset),
            || {
                parallel::try_each(references, |reference| self.reference(reference))?;
                parallel::try_each(first, |submission| self.submission(submission))
            },
        );
        dataset.and(others)?;
        again.into_iter().try_for_each(|submission| self.submission(submission))
    }

    /// Keeps the file of an input as received, and the two that it was made of, if it was.
    fn file(&self, input: &Input) -> Result<()> {
        if let Some(joined) = Joined::of(input.source.content()) {
            joined?.parts().iter().try_for_each(|(_, part)| self.archive.keep_file(part))?;
        }
        self.archive.keep_file(&input.source)
    }

    /// Keeps the dataset: file, graph, record.
    pub fn dataset(&self, input: &Input) -> Result<()> {
        self.file(input)?;
        let graphs =
            dataset_graphs(self.mint, input, &|(_, about), fill| self.archive.keep_graph(about, fill))?;
        let mut record = catalogue::dataset(self.mint, input, Some(&graphs));
        self.archive.keep_record("dataset", input.source.sha256(), &mut record)
    }

    /// Keeps the file of a dataset and a record of it, and no graph of its gold answers: what is needed to score blind
    /// submissions later. A dataset that is kept already stays as it is.
    pub fn sealed_dataset(&self, input: &Input) -> Result<()> {
        self.file(input)?;
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
        let provenance = self.archive.keep_graph(&format!("{}#acceptance", blind.iri(self.mint)), |out| {
            lines.write_to(out)?;
            Ok(lines.written())
        })?;
        let mut record = blind.record(self.mint, &provenance);
        self.archive.keep_record("blind", &blind.digest()[..32], &mut record)
    }

    /// Keeps a submission. Where the archive knows the bytes under another name, both systems share it from then on.
    pub fn submission(&self, input: &Input) -> Result<()> {
        self.file(input)?;
        let graphs =
            submission_graphs(self.mint, input, &|(_, about), fill| self.archive.keep_graph(about, fill))?;
        let sha256 = input.source.sha256();
        let first =
            SharedNames::of(self.archive, sha256)?.map_or_else(|| input.name.clone(), |names| names.first);
        let mut record = catalogue::submission(self.mint, input, &first, &graphs);
        self.archive.keep_record("submission", sha256, &mut record)?;
        if first == input.name {
            return Ok(());
        }
        let mut record = systems::record(self.mint, sha256, &input.name);
        self.archive.keep_record(SYSTEM, &systems::key(sha256, &input.name), &mut record)
    }

    /// Keeps refreshed gold answers: what was answered, the graph, the record.
    pub fn refreshed(&self, dataset: &Input, gold: &RefreshedGold, asking: &Asking) -> Result<()> {
        keep_answers(self.archive, self.mint, &gold.kept.snapshot, asking)?;
        let graph = self.archive.keep_graph(&gold.iri, |out| gold.write(out, self.mint, dataset))?;
        let mut record = catalogue::refreshed_gold(self.mint, dataset, gold, &graph);
        self.archive.keep_record("gold", &gold_key(dataset, gold), &mut record)
    }

    /// Keeps executed answers likewise.
    pub fn executed(&self, submission: &Input, executed: &ExecutedAnswers, asking: &Asking) -> Result<()> {
        keep_answers(self.archive, self.mint, &executed.kept.snapshot, asking)?;
        let graph =
            self.archive.keep_graph(&executed.iri, |out| executed.write(out, self.mint, submission))?;
        let mut record = catalogue::executed_answers(self.mint, submission, executed, &graph);
        self.archive.keep_record("executed", &executed_key(submission, executed), &mut record)
    }

    /// Keeps a file of statements.
    pub fn reference(&self, input: &ReferenceInput) -> Result<()> {
        self.archive.keep_file(&input.source)?;
        let graph =
            reference_graph(self.mint, input, &|(_, about), fill| self.archive.keep_graph(about, fill))?;
        let mut record = catalogue::reference(self.mint, input, graph.as_ref());
        self.archive.keep_record(input.kind.name(), input.source.sha256(), &mut record)
    }

    /// Keeps the graphs of an evaluation; the record of the execution comes last.
    pub fn evaluation(&self, evaluation: &Evaluation, execution: &Execution) -> Result<()> {
        let graphs = EvaluationGraphs::try_new(self.mint, |kind| {
            self.archive.keep_graph(&evaluation.iri, |out| write(out, self.mint, evaluation, kind))
        })?;
        let about = self.mint.execution(&execution.digest(evaluation));
        let keep = |mut lines: Lines| {
            self.archive.keep_graph(&about, |out| {
                lines.write_to(out)?;
                Ok(lines.written())
            })
        };
        let messages = execution.messages(self.mint, evaluation).map(keep).transpose()?;
        // Two that compute the same at once: one of them is the first.
        let _lock = self.archive.lock_executions()?;
        let is_first = !self.mint.model().reproduces() || !self.is_executed(&evaluation.digest[..32])?;
        let digest = execution.digest(evaluation);
        let key = &digest[..32];
        self.archive.begin_execution(key)?;
        let provenance = keep(execution.provenance(self.mint, evaluation, &graphs, is_first))?;
        let told = ToldGraphs { provenance, messages };
        let mut record = execution.record(self.mint, evaluation, &graphs, &told);
        self.archive.keep_record("execution", key, &mut record)?;
        self.archive.end_execution(key)?;
        let graphs = graphs.iter().map(|(_, graph)| graph).chain([&told.provenance]).chain(&told.messages);
        let graphs: Vec<&str> = graphs.map(|graph| graph.sha256.as_str()).collect();
        summaries::kept::keep(self.archive, evaluation, &graphs);
        Ok(())
    }

    /// Whether the archive has an execution of an evaluation. Every record is read once.
    fn is_executed(&self, evaluation: &str) -> Result<bool> {
        let mut known = self.executed.lock().unwrap_or_else(PoisonError::into_inner);
        for path in self.archive.records_of("execution")? {
            if let Entry::Vacant(new) = known.entry(path) {
                let key = executed(new.key())?;
                new.insert(key);
            }
        }
        Ok(known.values().any(|known| known == evaluation))
    }

    /// Keeps the aggregates over groups of questions beside an evaluation that is kept. In the first version of the model
    /// they are there already, and where there are no groups nothing is.
    pub fn groups(&self, evaluation: &Evaluation) -> Result<()> {
        if !self.mint.model().splits_scores() || evaluation.groups().all(Group::is_headline) {
            return Ok(());
        }
        let fill = |out: &mut dyn Write| write(out, self.mint, evaluation, GraphKind::Groups);
        let graph = self.archive.keep_graph(&evaluation.iri, fill)?;
        let key = &evaluation.digest[..32];
        self.archive.keep_record("groups", key, &mut provenance::groups_record(self.mint, key, &graph))?;
        summaries::kept::add_graph(self.archive, &evaluation.iri, &graph.sha256);
        Ok(())
    }
}

/// What writes a graph.
pub type Fill<'f> = &'f mut dyn FnMut(&mut dyn Write) -> io::Result<u64>;

/// What makes a graph of a name, and about something: keeps it, or only gives its checksum.
pub type Make<'m> = dyn Fn((&str, &str), Fill<'_>) -> Result<StoredGraph> + 'm;

/// The graphs of a dataset.
fn dataset_graphs(mint: &Mint, input: &Input, make: &Make<'_>) -> Result<InputGraphs> {
    let Input { name, iri, document, queries, .. } = input;
    let write = &mut |out: &mut dyn Write| publish::dataset(out, mint, name, iri, document, queries);
    let own = make((&mint.graph_of(iri), iri), write)?;
    Ok(InputGraphs { own, patterns: patterns_graph(mint, input, make)? })
}

/// The graphs of a submission.
fn submission_graphs(mint: &Mint, input: &Input, make: &Make<'_>) -> Result<InputGraphs> {
    let Input { iri, document, queries, .. } = input;
    let write = &mut |out: &mut dyn Write| publish::submission(out, mint, iri, document, queries);
    let own = make((&mint.graph_of(iri), iri), write)?;
    Ok(InputGraphs { own, patterns: patterns_graph(mint, input, make)? })
}

/// What queries add to the graph of triple patterns, where it is one of its own.
fn patterns_graph(mint: &Mint, input: &Input, make: &Make<'_>) -> Result<Option<StoredGraph>> {
    let has_patterns = input.queries.iter().any(|query| query.patterns().next().is_some());
    let write = &mut |out: &mut dyn Write| publish::triple_patterns(out, mint, &input.queries);
    (has_patterns && mint.model().has_pattern_graph())
        .then(|| make((&mint.patterns_of(&input.iri), &input.iri), write))
        .transpose()
}

/// The graph of a file of statements, unless the file is too large to be one.
fn reference_graph(mint: &Mint, input: &ReferenceInput, make: &Make<'_>) -> Result<Option<StoredGraph>> {
    if !input.is_published() {
        return Ok(None);
    }
    let (name, mut stated) = (mint.graph_of(&input.iri), input.stated()?);
    make((&name, &input.iri), &mut |out| publish::statements(out, &name, std::mem::take(&mut stated)))
        .map(Some)
}

/// A record as bytes.
#[derive(Debug)]
pub struct KeptRecord {
    /// The folder.
    pub kind: &'static str,
    /// The name.
    pub key: String,
    /// The canonical N-Quads.
    pub content: Vec<u8>,
}

impl KeptRecord {
    /// A record with these lines.
    pub(crate) fn new(kind: &'static str, key: String, mut lines: Lines) -> Self {
        let mut content = Vec::new();
        lines.write_to(&mut content).expect("writing to memory cannot fail");
        Self { kind, key, content }
    }
}

/// The record of refreshed gold answers, whose graph `make` makes.
pub fn refreshed_record(
    mint: &Mint,
    dataset: &Input,
    gold: &RefreshedGold,
    make: &Make<'_>,
) -> Result<KeptRecord> {
    let graph = make((&mint.graph_of(&gold.iri), &gold.iri), &mut |out| gold.write(out, mint, dataset))?;
    let described = catalogue::refreshed_gold(mint, dataset, gold, &graph);
    Ok(KeptRecord::new("gold", gold_key(dataset, gold), described))
}

/// The record of executed answers likewise.
pub fn executed_record(
    mint: &Mint,
    submission: &Input,
    executed: &ExecutedAnswers,
    make: &Make<'_>,
) -> Result<KeptRecord> {
    let graph = make((&mint.graph_of(&executed.iri), &executed.iri), &mut |out| {
        executed.write(out, mint, submission)
    })?;
    let described = catalogue::executed_answers(mint, submission, executed, &graph);
    Ok(KeptRecord::new("executed", executed_key(submission, executed), described))
}

/// The record of a dataset; of a sealed one there is no graph.
pub fn dataset_record(mint: &Mint, dataset: &Input, is_sealed: bool, make: &Make<'_>) -> Result<KeptRecord> {
    let graphs = (!is_sealed).then(|| dataset_graphs(mint, dataset, make)).transpose()?;
    let described = catalogue::dataset(mint, dataset, graphs.as_ref());
    Ok(KeptRecord::new("dataset", dataset.source.sha256().to_owned(), described))
}

/// The record of a submission of the system that it names.
pub fn submission_record(mint: &Mint, submission: &Input, make: &Make<'_>) -> Result<KeptRecord> {
    let graphs = submission_graphs(mint, submission, make)?;
    let described = catalogue::submission(mint, submission, &submission.name, &graphs);
    Ok(KeptRecord::new("submission", submission.source.sha256().to_owned(), described))
}

fn gold_key(dataset: &Input, gold: &RefreshedGold) -> String {
    format!("{}-{}", &dataset.source.sha256()[..16], gold.name)
}

fn executed_key(submission: &Input, executed: &ExecutedAnswers) -> String {
    format!("{}-{}", &submission.source.sha256()[..32], executed.name)
}

/// The records that inputs have, whose graphs `make` makes; `others` are the systems that share the submission.
pub fn records(
    mint: &Mint,
    dataset: &Input,
    (submission, others): (&Input, &[String]),
    references: &[Arc<ReferenceInput>],
    make: &Make<'_>,
) -> Result<Vec<KeptRecord>> {
    let mut records =
        vec![dataset_record(mint, dataset, false, make)?, submission_record(mint, submission, make)?];
    let sha256 = submission.source.sha256();
    for name in others {
        let described = systems::record(mint, sha256, name);
        records.push(KeptRecord::new(SYSTEM, systems::key(sha256, name), described));
    }
    for reference in references {
        let graph = reference_graph(mint, reference, make)?;
        let described = catalogue::reference(mint, reference, graph.as_ref());
        let key = reference.source.sha256().to_owned();
        records.push(KeptRecord::new(reference.kind.name(), key, described));
    }
    Ok(records)
}

/// The checksums that the graphs of an evaluation have, without keeping them.
pub fn digests(mint: &Mint, evaluation: &Evaluation) -> Result<EvaluationGraphs> {
    EvaluationGraphs::try_new(mint, |kind| {
        digest_graph(&evaluation.iri, |out| write(out, mint, evaluation, kind))
    })
}

/// The checksum that the graph of the aggregates over groups of questions has, without keeping it.
pub fn groups_digest(mint: &Mint, evaluation: &Evaluation) -> Result<StoredGraph> {
    digest_graph(&evaluation.iri, |out| write(out, mint, evaluation, GraphKind::Groups))
}

/// Keeps an answer snapshot: the graph, then the record `records/answers/KEY.nq`. Gives the key. A snapshot that is there
/// already stays as it is.
pub fn keep_answers(
    archive: &Archive,
    mint: &Mint,
    snapshot: &AnswerSnapshot,
    asking: &Asking,
) -> Result<String> {
    let graph = archive.keep_graph(&snapshot.iri(mint), |out| snapshot.write(mint, out))?;
    let key = snapshot.key();
    if !archive.record("answers", &key).exists() {
        archive.keep_record("answers", &key, &mut record(mint, snapshot, asking, &graph))?;
    }
    Ok(key)
}

/// The record of an answer snapshot: who answered and how it was asked. What was answered is in its graph.
fn record(mint: &Mint, snapshot: &AnswerSnapshot, asking: &Asking, graph: &StoredGraph) -> Lines {
    let iri = snapshot.iri(mint);
    let mut lines = Lines::new(&mint.catalogue_graph());
    register(&mut lines, mint, &mint.graph_of(&iri), &iri, graph);
    describe_build(&mut lines, mint, &build());
    let (who, title) = match &snapshot.answered_by {
        AnsweredBy::Snapshot { iri, .. } => (iri, format!("Answers of {iri}")),
        AnsweredBy::Endpoint { url, time } => (url, format!("Answers of {url}, {time}")),
    };
    lines.subject(&iri).text(dct::TITLE, &title);
    Typed::new(&mut lines, mint).entity(who);
    // The name by which the provenance of evaluations knows these bytes.
    lines
        .subject(&mint.file(&graph.sha256))
        .iri(rdf::TYPE, prov::ENTITY_CLASS)
        .iri(prov::SPECIALIZATION_OF, &iri);
    let Limits { time, rows, memory } = &asking.limits;
    let milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let seconds = Fraction::ratio(milliseconds, 1000).unwrap_or_else(Fraction::zero);
    lines
        .subject(&iri)
        .iri(prov::WAS_DERIVED_FROM, who)
        .iri(prov::WAS_ATTRIBUTED_TO, &engine(mint))
        .typed(qassay::TIME_LIMIT, &seconds.to_decimal(), xsd::DECIMAL)
        .integer(qassay::ROW_LIMIT, *rows)
        .integer(qassay::MEMORY_LIMIT, *memory);
    // What a pinned knowledge base answers does not depend on when it is asked.
    if matches!(snapshot.answered_by, AnsweredBy::Endpoint { .. }) {
        let activity = format!("{iri}#asking");
        lines.subject(&iri).iri(prov::WAS_GENERATED_BY, &activity);
        lines
            .subject(&activity)
            .iri(rdf::TYPE, prov::ACTIVITY)
            .iri(prov::WAS_ASSOCIATED_WITH, &engine(mint))
            .iri(prov::USED, who)
            .iri(prov::GENERATED, &iri)
            .typed(prov::STARTED_AT_TIME, &asking.started.date_time, xsd::DATE_TIME)
            .typed(prov::ENDED_AT_TIME, &asking.ended.date_time, xsd::DATE_TIME);
    }
    for (outcome, count) in outcomes(snapshot) {
        let node = format!("{iri}#{outcome}");
        lines.subject(&iri).iri(qassay::OUTCOME_COUNT, &node);
        lines
            .subject(&node)
            .iri(rdf::TYPE, qassay::OUTCOME_COUNT_CLASS)
            .iri(qassay::COUNTED_OUTCOME, &code::iri(&format!("outcome-{outcome}")))
            .integer(qassay::QUERY_COUNT, count);
    }
    lines
}

/// How many queries have which outcome.
fn outcomes(snapshot: &AnswerSnapshot) -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::new();
    for entry in snapshot.entries.values() {
        *counts.entry(entry.outcome.name()).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::base::clock::Instant;
    use crate::kb::outcome::{Cause, Outcome};
    use crate::sources::document::AnswerSet;
    use crate::sources::file::source::Source;

    #[test]
    fn an_answer_snapshot_is_kept_once_and_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::create(folder.path()).unwrap();
        let mint = Mint::default();
        let yes = Outcome::Answered(AnswerSet { boolean: Some(true), ..AnswerSet::default() });
        let answered_by = AnsweredBy::Endpoint {
            url: "http://a/sparql".to_owned(),
            time: "2026-11-21T09:00:02Z".to_owned(),
        };
        let late = Outcome::failed(Cause::TimedOut, "stopped");
        let outcomes = [("ASK {}".to_owned(), yes), ("SELECT * {}".to_owned(), late)];
        let snapshot = AnswerSnapshot::new(answered_by, outcomes);
        let at = |second: u8| Instant {
            nanoseconds: i128::from(second),
            date_time: format!("2026-11-21T09:00:0{second}Z"),
        };
        let asking = |ended| Asking { limits: Limits::default(), started: at(0), ended: at(ended) };
        let key = keep_answers(&archive, &mint, &snapshot, &asking(2)).unwrap();
        let path = archive.record("answers", &key);
        let record = fs::read_to_string(&path).unwrap();
        for said in [
            "timeLimit> \"30\"",
            "rowLimit> \"100000\"",
            "#timed-out> <https://w3id.org/qassay/ns#queryCount> \"1\"",
            "endedAtTime> \"2026-11-21T09:00:02Z\"",
            "void#triples> \"",
        ] {
            assert!(record.contains(said), "{said}\n{record}");
        }
        assert_eq!(keep_answers(&archive, &mint, &snapshot, &asking(9)).unwrap(), key);
        assert_eq!(fs::read_to_string(&path).unwrap(), record);
        let graph = archive.contents().unwrap().pop().unwrap();
        assert_eq!(AnswerSnapshot::read(&Source::open(&graph).unwrap()).unwrap(), snapshot);
    }
}
