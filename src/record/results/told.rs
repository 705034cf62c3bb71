//! What results do not tell of a question in an experiment type: which items met and which did not, and what explains the
//! counts. Computed here, read back in [`published_sides`](crate::record::results::published_sides).

use std::collections::{BTreeMap, BTreeSet};

use oxigraph::model::Term;

use crate::base::error::{Error, Result};
use crate::base::iri;
use crate::profiles::rules::Reading;
use crate::record::results::of::matches;
use crate::record::results::tied;
use crate::record::results::tied::ExplainedTies;
use crate::record::results::{MatchedPair, ReadLabel};
use crate::scoring::cases::{Answer, Case};
use crate::scoring::evaluation::Evaluation;
use crate::scoring::experiment::Experiment;
use crate::scoring::pairs::pairing::Pair;
use crate::scoring::traits::{Peculiarity, peculiarities};
use crate::sources::document::{Candidate, Query};
use crate::sources::input::answer::Item;
use crate::sources::input::asked::Asked;
use crate::sources::input::pattern::QueryNodes;
use crate::sources::input::term;
use crate::sparql::repair::Repair;

/// What results do not tell of a question.
pub(super) struct Told {
    /// What the items are.
    pub(super) reading: Reading,
    /// The pairs that count.
    pub(super) pairs: Vec<MatchedPair>,
    /// The items of gold and system that are in no pair. None where no graph tells them.
    pub(super) unmatched: Option<[Vec<Term>; 2]>,
    /// What was read as a label of other items, in no order.
    pub(super) labels: [Vec<ReadLabel>; 2],
    /// The rows of the gold answer that tie.
    pub(super) ties: Vec<ExplainedTies>,
    /// What is odd about the queries of gold and system, where they count.
    pub(super) asked: [Vec<String>; 2],
    pub(super) queries: [Vec<Query>; 2],
    /// What the nodes of triple patterns and candidates stand for.
    pub(super) texts: BTreeMap<String, String>,
    /// What the rules of GERBIL do. None where a profile follows GERBIL and no graph tells it.
    pub(super) peculiarities: Option<Vec<Peculiarity>>,
    pub(super) error: Option<String>,
    /// The nodes of the gold answer and of the system's answer.
    pub(super) nodes: (String, Option<String>),
}

impl Told {
    /// What a computation tells, by the name of the experiment type and the position of the question.
    pub(super) fn of(evaluation: &Evaluation, experiment: &str, position: usize) -> Result<Self> {
        let experiment = evaluation
            .experiment(experiment)
            .ok_or_else(|| Error::system("the results are not those of the evaluation"))?;
        let Case { gold, system, .. } = evaluation.cases.at(position);
        let question = &evaluation.cases.dataset.document.questions[position];
        let sides = [Some(Answer { question, ..gold }), system];
        let texts = evaluation.pattern_texts(experiment, position).into_iter();
        Ok(Self {
            reading: experiment.rules.reading,
            pairs: matches(evaluation, experiment, position),
            unmatched: Some(unmatched(experiment, position)),
            labels: evaluation.labels(experiment, position).map(|items| read_labels(&items)),
            ties: tied::of(evaluation, experiment, position),
            asked: sides.map(|side| side.map(|side| query_note(side.query)).unwrap_or_default()),
            queries: sides.map(|side| side.map_or_else(Vec::new, |side| side.question.queries.clone())),
            texts: texts.chain(candidates(evaluation, experiment, position)).collect(),
            peculiarities: Some(peculiarities(evaluation, experiment, position)),
            error: system.and_then(|answer| answer.question.error.clone()),
            nodes: (evaluation.gold_node(experiment, position), evaluation.system_node(experiment, position)),
        })
    }
}

/// The items of both sides that are in no pair; none where candidates are ranked, or the question has no scores.
fn unmatched(experiment: &Experiment, position: usize) -> [Vec<Term>; 2] {
    let matched = &experiment.matching.questions[position];
    let is_compared = experiment.rules.reading != Reading::Candidates && matched.skip.is_none();
    let free = |items: &[u32], side: fn(&Pair) -> u32| {
        let met: BTreeSet<u32> = matched.pairs.iter().map(side).collect();
        let free = items.iter().zip(0u32..).filter(|(_, number)| is_compared && !met.contains(number));
        free.map(|(item, _)| experiment.matching.term(*item).clone()).collect()
    };
    [free(&matched.gold, |pair| pair.gold), free(&matched.system, |pair| pair.system)]
}

/// The labels among items.
fn read_labels(items: &[Item<'_>]) -> Vec<ReadLabel> {
    let label = |item: &Item<'_>| {
        Some(ReadLabel {
            term: item.term.term.to_string(),
            column: item.cell?.variable.clone(),
            of: term::text(&term::of_cell(item.label_of?).term).into_owned(),
        })
    };
    items.iter().filter_map(label).collect()
}

/// The texts of the candidates by their nodes below the gold answer, where they are ranked or judged one by one.
fn candidates(
    evaluation: &Evaluation,
    experiment: &Experiment,
    position: usize,
) -> impl Iterator<Item = (String, String)> {
    let is_wanted = experiment.rules.reading == Reading::Candidates || experiment.rules.judging.is_some();
    let node = evaluation.cases.gold_node(position);
    let text = |candidate: &Candidate| {
        candidate.cells.iter().map(|cell| cell.value.trim()).collect::<Vec<_>>().join(PART)
    };
    let all = &evaluation.cases.dataset.document.questions[position].candidates;
    let all = all.iter().filter(move |_| is_wanted).zip(1..);
    all.map(move |(one, number)| (iri::candidate(&node, number), text(one)))
}

/// What is odd about a query: it cannot be read, or only after repairs.
fn query_note(query: &QueryNodes) -> Vec<String> {
    match &query.asked {
        Asked::Unparsable(why) => vec![unreadable(why)],
        Asked::Graph(graph) => graph.repairs.iter().map(repaired).collect(),
        Asked::Nothing | Asked::Pseudo(_) => Vec::new(),
    }
}

/// What stands between the parts of a candidate.
pub(super) const PART: &str = " / ";

pub(super) fn unreadable(why: &str) -> String {
    format!("cannot be read: {why}")
}

pub(super) fn repaired(repair: &Repair) -> String {
    format!("was read after a repair: {repair}")
}
