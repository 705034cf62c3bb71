//! One execution of an evaluation beside what is computed now.

use serde::Serialize;

use crate::base::checksum::is_checksum;
use crate::base::iri::Mint;
use crate::base::text;
use crate::record::publish::graphs::{EvaluationGraphs, write};
use crate::record::publish::kinds::GraphKind;
use crate::record::verify::cause::FirstCause;
use crate::record::verify::compare::{Agreement, compare};
use crate::record::verify::execution::{Build, PlanDifference, RecordedExecution};
use crate::scoring::evaluation::Evaluation;
use crate::sources::archive::StoredGraph;
use crate::sources::archive::stored::StoredFile;

use crate::record::archived::{Archived, ArchivedEvaluation, RegisteredGraph};

/// What came of computing an evaluation again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Reproduced {
    /// The same bytes.
    #[serde(rename = "same")]
    Same,
    /// The same numbers and matches in graphs that say something else too, by another version of the program.
    #[serde(rename = "same numbers")]
    SameNumbers,
    /// It could not be computed again.
    #[serde(rename = "not checked")]
    NotChecked,
    /// Other numbers, or other bytes that nothing explains.
    #[serde(rename = "differs")]
    Differs,
}

impl Reproduced {
    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::SameNumbers => "same numbers",
            Self::NotChecked => "not checked",
            Self::Differs => "differs",
        }
    }
}

/// How an execution compares with what is computed now.
#[derive(Debug)]
pub struct ReproducedExecution {
    /// What was recorded.
    pub recorded: RecordedExecution,
    /// What came of it.
    pub outcome: Reproduced,
    /// The first cause, where the bytes are not the same.
    pub cause: Option<FirstCause>,
    /// The files of the plan that are others in this program.
    pub plan: Vec<PlanDifference>,
    /// Number by number, where the bytes are not the same and the recorded graphs are here.
    pub agreement: Option<Agreement>,
    /// The graphs that it has now.
    pub computed: Option<EvaluationGraphs>,
}

/// An evaluation that was computed again.
pub struct Now<'a> {
    /// What makes IRIs.
    pub mint: &'a Mint,
    /// The evaluation.
    pub evaluation: &'a Evaluation,
    /// The checksums of its graphs.
    pub graphs: EvaluationGraphs,
}

/// What the provenance of an execution says.
pub fn execution(
    archived: &Archived,
    known: &ArchivedEvaluation,
    (iri, scores): &(String, String),
) -> ReproducedExecution {
    let graph = archived.graphs.iter().find(|g| g.subject == *iri && g.name.contains("/graph/prov/"));
    let file = graph.and_then(|graph| archived.archive.graph(&graph.sha256).open().ok());
    let read = file.and_then(|file| RecordedExecution::read(iri, file).ok());
    let recorded = read.unwrap_or_else(|| RecordedExecution { iri: iri.clone(), ..Default::default() });
    let mut recorded = recorded;
    recorded.digests.insert(GraphKind::Scores, scores.clone());
    // No execution says what groups there are: whoever asked for them registered their graph.
    recorded.digests.extend(groups(archived, known).map(|graph| (GraphKind::Groups, graph.sha256.clone())));
    let profile = archived.profile(known, |sha256| archived.source(sha256));
    let plan = profile.map(|profile| recorded.other_plan(&profile)).unwrap_or_default();
    let (outcome, cause, agreement, computed) = (Reproduced::NotChecked, None, None, None);
    ReproducedExecution { recorded, outcome, cause, plan, agreement, computed }
}

/// The graph of the aggregates over groups of questions, where somebody asked for them.
pub fn groups<'a>(archived: &'a Archived, known: &ArchivedEvaluation) -> Option<&'a RegisteredGraph> {
    let key = known.iri.rsplit('/').next().filter(|key| key.len() == 32)?;
    archived.graph(&GraphKind::Groups.graph(archived.archive.mint(), key)).ok()
}

/// A graph as it is kept.
struct GraphState {
    file: StoredFile,
    recorded: String,
    /// Its checksum; none: it is not here.
    found: Option<String>,
}

impl GraphState {
    fn of(archived: &Archived, sha256: &str) -> Option<Self> {
        is_checksum(sha256).then(|| {
            let file = archived.archive.graph(sha256);
            let found = file.digest().ok().map(|(found, _)| found);
            Self { file, recorded: sha256.to_owned(), found }
        })
    }
}

impl ReproducedExecution {
    /// What is wrong, in words.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if self.outcome != Reproduced::Differs {
            return problems;
        }
        let recorded = &self.recorded;
        for (kind, new) in self.computed.iter().flat_map(EvaluationGraphs::iter) {
            let (what, new) = (kind.name(), &new.sha256);
            if let Some(old) = recorded.digests.get(kind).filter(|old| *old != new) {
                problems.push(format!(
                    "<{}> recorded {what} with the digest {old}, computed again they have {new}",
                    recorded.iri
                ));
            }
        }
        problems.extend(self.cause.as_ref().map(|cause| format!("first cause: {}", cause.text)));
        problems
    }

    /// Compares what was recorded with what is computed.
    pub fn compare(
        &mut self,
        archived: &Archived,
        iri: &str,
        now: &Now<'_>,
        input_cause: Option<&FirstCause>,
    ) {
        let recorded = &self.recorded.digests;
        let is_as_recorded = |(kind, graph): &(GraphKind, StoredGraph)| {
            recorded.get(kind).is_none_or(|old| *old == graph.sha256)
        };
        let is_same = now.graphs.iter().all(is_as_recorded);
        self.computed = Some(now.graphs.clone());
        let kept =
            recorded.iter().filter_map(|(kind, sha256)| Some((*kind, GraphState::of(archived, sha256)?)));
        let kept: Vec<(GraphKind, GraphState)> = kept.collect();
        let changed = kept.iter().find_map(|(_, graph)| {
            let found = graph.found.as_ref().filter(|found| **found != graph.recorded)?;
            Some(FirstCause::changed_graph(&text::path(graph.file.path()), &graph.recorded, found))
        });
        if is_same && changed.is_none() {
            self.outcome = Reproduced::Same;
            return;
        }
        self.agreement = agreement(now, iri, &kept);
        let cause = input_cause.cloned().or(changed).unwrap_or_else(|| self.program_cause());
        let has_same_numbers = self.agreement.as_ref().is_some_and(Agreement::has_same_numbers);
        let is_explained = has_same_numbers && cause.kind.is_of_program();
        self.outcome = if is_explained { Reproduced::SameNumbers } else { Reproduced::Differs };
        self.cause = Some(cause);
    }

    /// The first cause that is in the program.
    fn program_cause(&self) -> FirstCause {
        let this = Build::this();
        if !self.plan.is_empty() {
            FirstCause::other_plan(&self.plan)
        } else if self.recorded.build == this {
            FirstCause::unexplained(&this)
        } else {
            FirstCause::other_software(&self.recorded.build, &this)
        }
    }
}

/// Compares the kept graphs with the same ones computed now; none where nothing can be compared.
fn agreement(now: &Now<'_>, recorded_iri: &str, kept: &[(GraphKind, GraphState)]) -> Option<Agreement> {
    let Now { mint, evaluation, .. } = now;
    let (mut recorded, mut computed) = (Vec::new(), Vec::new());
    for (kind, graph) in kept {
        let Ok(old) = graph.file.content() else { continue };
        let mut new = Vec::new();
        write(&mut new, mint, evaluation, *kind).ok()?;
        recorded.push(old);
        computed.push(new);
    }
    if recorded.is_empty() {
        return None;
    }
    let old: Vec<&[u8]> = recorded.iter().map(Vec::as_slice).collect();
    let new: Vec<&[u8]> = computed.iter().map(Vec::as_slice).collect();
    compare((recorded_iri, &old), (&evaluation.iri, &new)).ok()
}
