//! Why two profiles count a question differently: the rule that one of them has and the other has not.

use std::collections::{BTreeMap, BTreeSet};

use oxigraph::model::Term;

use super::evaluation::Evaluation;
use super::experiment::Experiment;
use crate::graph::term;
use crate::matching::QuestionMatch;
use crate::measure::Counts;
use crate::profile::{Pairing, Reading};

/// A question that profiles count differently in an experiment type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The experiment type.
    pub experiment: String,
    /// The position of the question in the dataset.
    pub position: usize,
    /// The counts of each profile, in the order of the evaluations; none where the question is not scored.
    pub counts: Vec<Option<Counts>>,
    /// The rules that make the difference, each once.
    pub reasons: Vec<Reason>,
}

/// A rule that makes a difference.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reason {
    /// The name of the profile whose rule it is.
    pub profile: String,
    /// The concept, without namespace: of `code:matchRule`, `code:differenceReason`, `code:skipReason`.
    pub rule: String,
    /// Gold item and system item of an example, as texts.
    pub example: Option<(String, String)>,
}

/// The questions that evaluations of one submission with several profiles count differently. The first evaluation is
/// compared with each of the others.
pub fn differences(evaluations: &[&Evaluation<'_>]) -> Vec<Difference> {
    let Some((first, others)) = evaluations.split_first() else { return Vec::new() };
    let mut differences = Vec::new();
    for experiment in &first.experiments {
        let name = experiment.name();
        if others.iter().all(|other| other.experiment(name).is_none()) {
            continue;
        }
        for position in 0..experiment.results.len() {
            let counts: Vec<Option<Option<Counts>>> =
                evaluations.iter().map(|e| e.experiment(name).map(|x| counts(x, position))).collect();
            // An evaluation without the experiment type does not differ in it: it says that it skips it.
            if counts.iter().flatten().all(|found| Some(*found) == counts[0]) {
                continue;
            }
            let reasons: BTreeSet<Reason> = others
                .iter()
                .filter_map(|other| Some((other, other.experiment(name)?)))
                .filter(|(_, other)| Some(self::counts(other, position)) != counts[0])
                .flat_map(|(evaluation, other)| reasons((first, experiment), (evaluation, other), position))
                .collect();
            differences.push(Difference {
                experiment: name.to_owned(),
                position,
                counts: counts.into_iter().map(Option::flatten).collect(),
                reasons: one_example_each(reasons),
            });
        }
    }
    differences
}

fn counts(experiment: &Experiment<'_>, position: usize) -> Option<Counts> {
    experiment.results[position].as_ref().map(|result| result.counts)
}

/// Of several reasons that differ in the example only, the first.
fn one_example_each(reasons: BTreeSet<Reason>) -> Vec<Reason> {
    let mut kept: Vec<Reason> = Vec::new();
    for reason in reasons {
        let is_known = |known: &Reason| (&known.profile, &known.rule) == (&reason.profile, &reason.rule);
        if !kept.iter().any(is_known) {
            kept.push(reason);
        }
    }
    kept
}

type Side<'a> = (&'a Evaluation<'a>, &'a Experiment<'a>);

/// One profile in a question: its pairs with their rules, and its items.
struct View<'a> {
    evaluation: &'a Evaluation<'a>,
    experiment: &'a Experiment<'a>,
    matched: &'a QuestionMatch,
    patterns: BTreeMap<String, String>,
}

impl<'a> View<'a> {
    fn of((evaluation, experiment): Side<'a>, position: usize) -> Self {
        let patterns = evaluation.pattern_texts(experiment, position);
        Self { evaluation, experiment, matched: &experiment.matching.questions[position], patterns }
    }

    fn text(&self, number: u32) -> String {
        let text = term::text(self.experiment.matching.term(number));
        self.patterns.get(text.as_ref()).cloned().unwrap_or_else(|| text.into_owned())
    }

    /// The pairs that count: gold text, system text, rule.
    fn pairs(&self) -> Vec<(String, String, &'a str)> {
        let pair = |pair: &crate::matching::Pair| {
            let rule = self.experiment.rules.steps[usize::from(pair.step)].rule.as_str();
            (
                self.text(self.matched.gold[pair.gold as usize]),
                self.text(self.matched.system[pair.system as usize]),
                rule,
            )
        };
        self.matched.pairs.iter().map(pair).collect()
    }

    /// The item with this text on a side.
    fn find(&self, items: &[u32], text: &str) -> Option<&'a Term> {
        let found = items.iter().find(|item| self.text(**item) == text)?;
        Some(self.experiment.matching.term(*found))
    }

    /// Whether an item is there only because GERBIL counts properties among the concepts.
    fn counts_properties(&self, other: &Self, gold: &str) -> bool {
        self.experiment.rules.reading == Reading::GerbilConcepts
            && other.find(&other.matched.gold, gold).is_none()
    }

    fn reason(&self, rule: &str, example: Option<(&str, &str)>) -> Reason {
        Reason {
            profile: self.evaluation.profile().name.clone(),
            rule: rule.to_owned(),
            example: example.map(|(gold, system)| (gold.to_owned(), system.to_owned())),
        }
    }
}

fn reasons(one: Side<'_>, other: Side<'_>, position: usize) -> Vec<Reason> {
    let (one, other) = (View::of(one, position), View::of(other, position));
    let mut reasons = Vec::new();
    for view in [&one, &other] {
        reasons.extend(view.matched.skip.map(|skip| view.reason(skip.code(), None)));
    }
    if !reasons.is_empty() {
        return reasons;
    }
    let (pairs, others) = (one.pairs(), other.pairs());
    for (view, against, mine, theirs) in [(&one, &other, &pairs, &others), (&other, &one, &others, &pairs)] {
        for (gold, system, rule) in mine {
            if theirs.iter().any(|(g, s, _)| (g, s) == (gold, system)) {
                continue;
            }
            let example = Some((gold.as_str(), system.as_str()));
            match obstacle(against, gold, system) {
                Some(obstacle) => reasons.push(against.reason(obstacle, example)),
                None if view.counts_properties(against, gold) => {
                    reasons.push(view.reason("diff-concepts", example));
                }
                None => reasons.push(view.reason(rule, example)),
            }
        }
    }
    if reasons.is_empty() {
        reasons.push(other.reason(difference_of_items(&one, &other), None));
    }
    reasons
}

/// What keeps a profile from a pair that another profile has, where it is a rule of that profile; nothing where it
/// simply lacks the rule that makes the pair.
fn obstacle(view: &View<'_>, gold: &str, system: &str) -> Option<&'static str> {
    let gold_item = view.find(&view.matched.gold, gold);
    let system_item = view.find(&view.matched.system, system);
    let follows_gerbil = view.evaluation.profile().era.is_some();
    match (gold_item, system_item) {
        (Some(Term::Literal(_)), Some(Term::NamedNode(_)))
        | (Some(Term::NamedNode(_)), Some(Term::Literal(_)))
            if follows_gerbil =>
        {
            Some("diff-typed-as-strings")
        }
        (Some(_), Some(_)) if follows_gerbil && gold == system => Some("diff-greedy"),
        (Some(_), Some(_)) => None,
        _ if !follows_gerbil => None,
        _ => match view.experiment.rules.reading {
            Reading::GerbilAnswers => Some("diff-merged"),
            Reading::GerbilAnswerType => Some("diff-answer-types"),
            _ => Some("diff-walk"),
        },
    }
}

/// The same pairs, and yet other counts: the items are not the same.
fn difference_of_items(one: &View<'_>, other: &View<'_>) -> &'static str {
    let rules = &other.experiment.rules;
    let follows_gerbil = other.evaluation.profile().era.is_some();
    let size = |view: &View<'_>| view.matched.gold.len() + view.matched.system.len();
    match rules.reading {
        Reading::GerbilAnswerType => "diff-answer-types",
        Reading::GerbilAnswers if size(other) < size(one) => "diff-merged",
        Reading::GerbilAnswers => "diff-strings-discarded",
        _ if follows_gerbil && size(other) < size(one) => "diff-walk",
        _ if follows_gerbil && size(other) > size(one) => "diff-listed",
        _ if rules.pairing == Pairing::GreedyReuse => "diff-used-again",
        reading if reading == one.experiment.rules.reading => "diff-pairing",
        _ => "diff-reading",
    }
}
