//! Summaries of a computation, and of the same results read back.

use std::collections::{BTreeMap, HashSet};

use oxigraph::model::Term;

use crate::record::comparison::headline::{HeadlineInterval, HeadlineIntervals};
use crate::record::results::decimal::Decimal;
use crate::record::results::of::group;
use crate::record::results::{IDENTICAL, Results};
use crate::record::summaries::{
    GroupSummary, QuestionSummaries, QuestionSummary, Summary, SummaryInterval, TypeSummary,
};
use crate::scoring::evaluation::Evaluation;
use crate::scoring::experiment::Experiment;
use crate::scoring::groups::{ALL, PROCESSED};
use crate::scoring::pairs::pairing::Pair;
use crate::scoring::skip::Skip;
use crate::statistics::undefined::Undefined;

/// An experiment type while it is summed up.
struct TypeTally {
    name: String,
    groups: Vec<GroupSummary>,
    rules: BTreeMap<String, u64>,
    statuses: BTreeMap<String, u64>,
    questions: String,
}

impl TypeTally {
    fn new(name: &str, groups: Vec<GroupSummary>) -> Self {
        Self {
            name: name.to_owned(),
            groups,
            rules: BTreeMap::new(),
            statuses: BTreeMap::new(),
            questions: String::new(),
        }
    }

    fn question(&mut self, question: &QuestionSummary) {
        count(&mut self.statuses, question.code(), 1);
        question.write(&mut self.questions);
    }

    fn matched(&mut self, rule: &str, times: usize) {
        if times > 0 {
            count(&mut self.rules, rule, times as u64);
        }
    }
}

/// Whether a group is no choice of questions.
fn is_summed_up(group: &str) -> bool {
    [ALL, PROCESSED].contains(&group)
}

fn summed_up(tallies: Vec<TypeTally>) -> (Vec<TypeSummary>, BTreeMap<String, String>) {
    let parts = tallies.into_iter().map(|tally| {
        let TypeTally { name, groups, rules, statuses, questions } = tally;
        (TypeSummary { name: name.clone(), groups, rules, statuses, interval: None }, (name, questions))
    });
    parts.unzip()
}

fn reasons<'n>(skipped: impl Iterator<Item = (&'n str, Skip)>) -> BTreeMap<String, String> {
    skipped.map(|(name, skip)| (name.to_owned(), skip.code().to_owned())).collect()
}

fn counted<'i>(issues: impl Iterator<Item = &'i str>) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for issue in issues {
        count(&mut counts, issue, 1);
    }
    counts
}

/// Counts something; only what is new is copied.
fn count(counts: &mut BTreeMap<String, u64>, what: &str, times: u64) {
    match counts.get_mut(what) {
        Some(known) => *known += times,
        None => drop(counts.insert(what.to_owned(), times)),
    }
}

/// The summary of results that were read back, with their matches.
pub fn of_results(results: &Results) -> (Summary, QuestionSummaries) {
    let tallies = results.experiments.iter().map(|experiment| {
        let groups = experiment.groups.iter().filter(|group| is_summed_up(&group.name));
        let mut tally = TypeTally::new(&experiment.name, groups.map(GroupSummary::from).collect());
        for question in &experiment.questions {
            tally.question(&match &question.observed {
                Ok(observation) => {
                    QuestionSummary::Scored(observation.status, observation.counts, observation.f1.clone())
                }
                Err(skip) => QuestionSummary::Skipped(skip.code().to_owned()),
            });
            for pair in question.observed.iter().flat_map(|observation| &observation.matches) {
                tally.matched(&pair.rule, 1);
            }
        }
        tally
    });
    let (experiments, by_type) = summed_up(tallies.collect());
    let summary = Summary {
        evaluation: results.iri.clone(),
        dataset: results.dataset.iri.clone(),
        submission: results.submission.iri.clone(),
        profile: results.profile.iri.clone(),
        profile_name: results.profile.name.clone(),
        ranked_by: results.profile.ranked_by,
        experiments,
        skipped: reasons(results.skipped.iter().map(|(name, skip)| (name.as_str(), *skip))),
        issues: counted(results.issues.iter().map(|(_, issue)| issue.code.name())),
    };
    let questions = results.questions.iter().map(|question| question.key.clone()).collect();
    (summary, QuestionSummaries { questions, experiments: by_type })
}

/// Adds to the summary of results how sure each experiment type is of its headline measure.
pub(crate) fn add_intervals(summary: &mut Summary, results: Results) {
    let results = [results];
    let intervals = HeadlineIntervals::of(&results).unwrap_or_default();
    let [results] = &results;
    for (types, known) in results.experiments.iter().zip(&mut summary.experiments) {
        let of_headline = |found: &HeadlineInterval| SummaryInterval {
            bounds: found.interval.as_ref().map(|bounds| [bounds.low.clone(), bounds.high.clone()]),
            is_constant: found.no_interval == Some(Undefined::NoVariation),
        };
        known.interval = Some(intervals.get(results, types).map(of_headline).unwrap_or_default());
    }
}

/// The summary of a computation.
pub fn of_evaluation(evaluation: &Evaluation) -> (Summary, QuestionSummaries) {
    let (experiments, by_type) = summed_up(evaluation.experiments.iter().map(tally).collect());
    let (cases, profile) = (&evaluation.cases, evaluation.profile());
    let summary = Summary {
        evaluation: evaluation.iri.clone(),
        dataset: cases.dataset.iri.clone(),
        submission: cases.submission.iri.clone(),
        profile: profile.iri.clone(),
        profile_name: profile.name.clone(),
        ranked_by: profile.ranked_by,
        experiments,
        skipped: reasons(evaluation.skipped.iter().map(|(name, skip)| (*name, *skip))),
        issues: counted(evaluation.issues().map(|(_, issue)| issue.code.name())),
    };
    let questions = cases.dataset.document.questions.iter().map(|question| question.key.clone()).collect();
    (summary, QuestionSummaries { questions, experiments: by_type })
}

fn tally(experiment: &Experiment) -> TypeTally {
    let groups = experiment.groups.iter().filter(|group| is_summed_up(&group.name));
    let mut tally =
        TypeTally::new(experiment.name(), groups.map(|one| GroupSummary::from(&group(one))).collect());
    for (matched, result) in experiment.matching.questions.iter().zip(&experiment.results) {
        match (matched.skip, result) {
            (Some(skip), _) => tally.question(&QuestionSummary::Skipped(skip.code().to_owned())),
            (None, Some(result)) => tally.question(&QuestionSummary::Scored(
                result.status,
                result.counts.into(),
                Decimal::of(&result.scores.f1),
            )),
            (None, None) => tally.question(&QuestionSummary::Skipped(Skip::NoItems.code().to_owned())),
        }
        if matched.skip.is_some() {
            continue;
        }
        let rule = |step: u8| experiment.rules.steps[usize::from(step)].rule.as_str();
        let (identical, others): (Vec<&Pair>, Vec<&Pair>) =
            matched.pairs.iter().partition(|pair| rule(pair.step) == IDENTICAL);
        // Identical items are one statement, however often they are given.
        let gold = |pair: &&Pair| experiment.matching.term(matched.gold[pair.gold as usize]);
        let terms: HashSet<&Term> = identical.iter().map(gold).collect();
        tally.matched(IDENTICAL, terms.len());
        for pair in others {
            tally.matched(rule(pair.step), 1);
        }
    }
    tally
}
