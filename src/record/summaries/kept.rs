//! Where summaries are kept, and when one is believed: while the graphs that it was made of are those that records register,
//! and are here as they were. Else it is made of the graphs anew.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::base::error::Result;
use crate::record::archived::{Archived, ArchivedEvaluation, RegisteredGraph};
use crate::record::results::Results;
use crate::record::results::kept::KeptGraphs;
use crate::record::summaries::make::{add_intervals, of_evaluation, of_results};
use crate::record::summaries::{QuestionSummaries, Summary};
use crate::scoring::evaluation::Evaluation;
use crate::sources::archive::Archive;
use crate::sources::archive::cache::GraphMark;

/// The name under which the summaries of all evaluations are remembered.
pub const SUMMARIES: &str = "evaluations";

/// The name under which an archive remembers those of its public part.
pub const PUBLIC_SUMMARIES: &str = "public-evaluations";

/// A summary, and what it was made of.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct KeptSummary {
    /// Sorted by their checksums.
    graphs: Vec<GraphMark>,
    summary: Summary,
}

/// The same with its questions.
#[derive(Debug, Serialize, Deserialize)]
struct KeptQuestions {
    kept: KeptSummary,
    questions: QuestionSummaries,
}

/// Remembers the summary of an evaluation that was kept, in these graphs.
pub(crate) fn keep(archive: &Archive, evaluation: &Evaluation, graphs: &[&str]) {
    let marks: Option<Vec<GraphMark>> = graphs.iter().map(|sha256| archive.mark(sha256)).collect();
    if let Some(mut graphs) = marks {
        graphs.sort_unstable_by(|a, b| a.sha256.cmp(&b.sha256));
        let (summary, questions) = of_evaluation(evaluation);
        let name = name(&summary.evaluation).to_owned();
        archive.remember(&name, &KeptQuestions { kept: KeptSummary { graphs, summary }, questions });
    }
}

/// Adds a graph that tells what came of an evaluation to those that its summary was made of: it says nothing new about the
/// evaluation as a whole.
pub(crate) fn add_graph(archive: &Archive, evaluation: &str, sha256: &str) {
    let known = archive.recall::<KeptQuestions>(name(evaluation));
    let Some((mut known, mark)) = known.zip(archive.mark(sha256)) else { return };
    let graphs = &mut known.kept.graphs;
    if let Err(place) = graphs.binary_search_by(|graph| graph.sha256.as_str().cmp(sha256)) {
        graphs.insert(place, mark);
        archive.remember(name(evaluation), &known);
    }
}

/// Whether a summary that would be believed says something else of an evaluation than what is computed now.
pub(crate) fn is_other(archived: &Archived, known: &ArchivedEvaluation, evaluation: &Evaluation) -> bool {
    let Some(held) = archived.archive.recall::<KeptQuestions>(name(&known.iri)) else { return false };
    let (summary, questions) = of_evaluation(evaluation);
    SummaryReader::new(archived).as_it_is(&held.kept, known).is_some()
        && !(held.kept.summary.has_values_of(&summary) && held.questions == questions)
}

/// The evaluations of which the list of all summaries would be believed, and says something else than the summary of the
/// evaluation alone.
pub(crate) fn otherwise_listed(archived: &Archived) -> Vec<&ArchivedEvaluation> {
    let lists = [SUMMARIES, PUBLIC_SUMMARIES].map(|name| archived.archive.recall::<Vec<KeptSummary>>(name));
    let mut all: BTreeMap<&str, Vec<&KeptSummary>> = BTreeMap::new();
    for kept in lists.iter().flatten().flatten() {
        all.entry(&kept.summary.evaluation).or_default().push(kept);
    }
    let reader = SummaryReader::new(archived);
    let is_other = |evaluation: &&ArchivedEvaluation| {
        let mut listed = all.get(evaluation.iri.as_str()).into_iter().flatten();
        listed.any(|listed| {
            reader.as_it_is(listed, evaluation).is_some()
                && reader.read(evaluation).is_ok_and(|own| !own.kept.summary.has_values_of(&listed.summary))
        })
    };
    archived.evaluations.iter().filter(is_other).collect()
}

/// Forgets the summary of an evaluation.
pub(crate) fn forget(archive: &Archive, evaluation: &str) {
    archive.forget(name(evaluation));
}

/// The summaries of the evaluations of an archive, in their order; none where the graphs do not tell what came of one.
/// What is not remembered is made and remembered.
pub fn summaries(archived: &Archived) -> Vec<Option<Summary>> {
    all_read(&SummaryReader::new(archived))
}

/// The same with how sure the headline measures are.
pub fn summaries_with_intervals(archived: &Archived) -> Vec<Option<Summary>> {
    all_read(&SummaryReader { with_intervals: true, ..SummaryReader::new(archived) })
}

fn all_read(reader: &SummaryReader<'_>) -> Vec<Option<Summary>> {
    let archived = reader.archived;
    let remembered: Vec<KeptSummary> = archived.archive.recall(SUMMARIES).unwrap_or_default();
    let number = remembered.len();
    let mut known: BTreeMap<String, KeptSummary> =
        remembered.into_iter().map(|kept| (kept.summary.evaluation.clone(), kept)).collect();
    let mut all: Vec<Option<KeptSummary>> = Vec::new();
    let mut is_new = number > archived.evaluations.len();
    for evaluation in &archived.evaluations {
        let kept = known.remove(&evaluation.iri).and_then(|kept| {
            let graphs = reader.as_it_is(&kept, evaluation)?;
            is_new |= graphs != kept.graphs;
            Some(KeptSummary { graphs, ..kept })
        });
        is_new |= kept.is_none();
        all.push(kept.or_else(|| reader.read(evaluation).ok().map(|read| read.kept)));
    }
    if is_new {
        archived.archive.remember(SUMMARIES, &all.iter().flatten().collect::<Vec<_>>());
    }
    all.into_iter().map(|kept| kept.map(|kept| kept.summary)).collect()
}

/// Lets another archive have what this one remembers of an evaluation.
pub fn lend(archive: &Archive, evaluation: &str, other: &Archive) {
    archive.lend(name(evaluation), other, name(evaluation));
}

/// Reads summaries, or makes them: the records of the archive are read once, and only where one is to be made.
#[derive(Debug)]
pub struct SummaryReader<'a> {
    archived: &'a Archived,
    /// The graphs that records register, by what they are about.
    graphs: BTreeMap<&'a str, Vec<&'a RegisteredGraph>>,
    records: std::cell::OnceCell<KeptGraphs<'a>>,
    /// Whether intervals are wanted, too: they take longer than all else, and few need them.
    with_intervals: bool,
}

impl<'a> SummaryReader<'a> {
    /// A reader of an archive.
    pub fn new(archived: &'a Archived) -> Self {
        let mut graphs: BTreeMap<&str, Vec<&RegisteredGraph>> = BTreeMap::new();
        for graph in &archived.graphs {
            graphs.entry(&graph.subject).or_default().push(graph);
        }
        Self { archived, graphs, records: std::cell::OnceCell::new(), with_intervals: false }
    }

    /// The summary of an evaluation with its questions.
    ///
    /// # Errors
    /// Where its graphs, or the dataset, cannot be read.
    pub fn summary(&self, evaluation: &ArchivedEvaluation) -> Result<(Summary, QuestionSummaries)> {
        let KeptQuestions { kept, questions } = self.read(evaluation)?;
        Ok((kept.summary, questions))
    }

    /// The checksums of the graphs that tell what came of an evaluation, sorted.
    fn told_by(&self, evaluation: &ArchivedEvaluation) -> Vec<&'a str> {
        let executions = evaluation.digests.iter().map(|(execution, _)| execution.as_str());
        let subjects = executions.chain([evaluation.iri.as_str()]);
        let graphs = subjects.filter_map(|subject| self.graphs.get(subject)).flatten();
        let mut all: Vec<&str> = graphs.map(|graph| graph.sha256.as_str()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The graphs that a summary was made of, as they are now; nothing where it is not to be believed.
    fn as_it_is(&self, kept: &KeptSummary, evaluation: &ArchivedEvaluation) -> Option<Vec<GraphMark>> {
        let is_of_them = kept.summary.evaluation == evaluation.iri
            && (kept.summary.has_intervals() || !self.with_intervals)
            && kept.graphs.iter().map(|graph| graph.sha256.as_str()).eq(self.told_by(evaluation));
        is_of_them.then(|| self.archived.archive.all_marked_again(&kept.graphs))?
    }

    fn read(&self, evaluation: &ArchivedEvaluation) -> Result<KeptQuestions> {
        let archive = &self.archived.archive;
        let remembered = archive.recall::<KeptQuestions>(name(&evaluation.iri));
        let held = remembered.and_then(|known| {
            let graphs = self.as_it_is(&known.kept, evaluation)?;
            Some(KeptQuestions { kept: KeptSummary { graphs, ..known.kept }, ..known })
        });
        if let Some(held) = held {
            return Ok(held);
        }
        if self.records.get().is_none() {
            drop(self.records.set(KeptGraphs::open(archive)?));
        }
        let records = self.records.get().expect("they were read");
        // Before they are read: what is written meanwhile is not what is read.
        let marks: Option<Vec<GraphMark>> =
            self.told_by(evaluation).into_iter().map(|sha256| archive.mark(sha256)).collect();
        let results = Results::read(records, &evaluation.iri)?;
        let (mut summary, questions) = of_results(&results);
        if self.with_intervals {
            add_intervals(&mut summary, results);
        }
        let kept = KeptSummary { graphs: marks.unwrap_or_default(), summary };
        let made = KeptQuestions { kept, questions };
        // Of graphs that are not all here nothing is remembered.
        if !made.kept.graphs.is_empty() {
            archive.remember(name(&evaluation.iri), &made);
        }
        Ok(made)
    }
}

/// The key of an evaluation, as the name of a file.
fn name(evaluation: &str) -> &str {
    let key = evaluation.rsplit('/').next().unwrap_or_default();
    let is_key = key.len() == 32 && key.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_key { key } else { "other" }
}
