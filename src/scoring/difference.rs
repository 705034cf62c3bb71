//! Why two profiles count a question differently: the rule that one of them has and the other has not.

use std::collections::{BTreeMap, BTreeSet};

use oxigraph::model::Term;

use crate::base::vocab::code;
use crate::measures::sets::Counts;
use crate::profiles::rules::Reading;
use crate::scoring::evaluation::Evaluation;
use crate::scoring::experiment::Experiment;
use crate::scoring::matching::QuestionMatch;
use crate::scoring::traits::traits;
use crate::sources::input::term;

/// A question that profiles count differently in an experiment type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// The experiment type.
    pub experiment: String,
    /// The position of the question in the dataset.
    pub position: usize,
    /// The counts of each profile, in the order of the evaluations; none where the question is not scored.
    pub counts: Vec<Option<Counts>>,
    /// The rules that make the difference, each once.
    pub reasons: Vec<Peculiarity>,
}

/// A rule that makes a difference.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct Peculiarity {
    /// The name of the profile whose rule it is.
    pub profile: String,
    /// The concept, without namespace: of `code:matchRule`, `code:differenceReason`, `code:skipReason`.
    pub rule: String,
    /// Gold item and system item of an example, as texts.
    pub example: Option<(String, String)>,
}

/// The questions that evaluations of one submission with several profiles count differently. The first evaluation is
/// compared with each of the others.
pub fn differences(evaluations: &[&Evaluation]) -> Vec<Disagreement> {
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
            let reasons: BTreeSet<Peculiarity> = others
                .iter()
                .filter_map(|other| Some((other, other.experiment(name)?)))
                .filter(|(_, other)| Some(self::counts(other, position)) != counts[0])
                .flat_map(|(evaluation, other)| reasons((first, experiment), (evaluation, other), position))
                .collect();
            differences.push(Disagreement {
                experiment: name.to_owned(),
                position,
                counts: counts.into_iter().map(Option::flatten).collect(),
                reasons: one_example_each(reasons),
            });
        }
    }
    differences
}

/// What the rules of GERBIL do in a question, where the profile follows it: what an explanation must mention.
pub fn peculiarities(evaluation: &Evaluation, experiment: &Experiment, position: usize) -> Vec<Peculiarity> {
    let follows_gerbil = evaluation.profile().era.is_some();
    let found = if follows_gerbil { traits(evaluation, experiment, position) } else { Vec::new() };
    let profile = &evaluation.profile().name;
    found
        .into_iter()
        .map(|(rule, example)| Peculiarity { profile: profile.clone(), rule: rule.to_owned(), example })
        .collect()
}

fn counts(experiment: &Experiment, position: usize) -> Option<Counts> {
    experiment.results[position].as_ref().map(|result| result.counts)
}

/// Of several reasons that differ in the example only, the first.
fn one_example_each(reasons: BTreeSet<Peculiarity>) -> Vec<Peculiarity> {
    let mut kept: Vec<Peculiarity> = Vec::new();
    for reason in reasons {
        let is_known = |known: &Peculiarity| (&known.profile, &known.rule) == (&reason.profile, &reason.rule);
        if !kept.iter().any(is_known) {
            kept.push(reason);
        }
    }
    kept
}

type Side<'a> = (&'a Evaluation, &'a Experiment);

/// One profile in a question: its pairs with their rules, and its items.
struct View<'a> {
    evaluation: &'a Evaluation,
    experiment: &'a Experiment,
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
        let text = text.strip_prefix(code::NAMESPACE).unwrap_or(&text);
        // A row of one value is shown, and compared with other profiles, as its value.
        if self.experiment.rules.reading == Reading::Rows
            && let Ok([value]) = serde_json::from_str::<[String; 1]>(text)
        {
            return value;
        }
        self.patterns.get(text).cloned().unwrap_or_else(|| text.to_owned())
    }

    /// The pairs that count: gold text, system text, rule.
    fn pairs(&self) -> Vec<(String, String, &'a str)> {
        let pair = |pair: &crate::scoring::pairs::pairing::Pair| {
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

    fn reason(&self, rule: &str, example: Option<(&str, &str)>) -> Peculiarity {
        Peculiarity {
            profile: self.evaluation.profile().name.clone(),
            rule: rule.to_owned(),
            example: example.map(|(gold, system)| (gold.to_owned(), system.to_owned())),
        }
    }
}

fn reasons(one: Side<'_>, other: Side<'_>, position: usize) -> Vec<Peculiarity> {
    let (one, other) = (View::of(one, position), View::of(other, position));
    let mut reasons = Vec::new();
    for view in [&one, &other] {
        reasons.extend(view.matched.skip.map(|skip| view.reason(skip.code(), None)));
    }
    let answer = |view: &View<'_>| view.evaluation.cases.alignment.answers[position];
    if answer(&one) != answer(&other) {
        reasons.push(other.reason("diff-other-answer", None));
    }
    if !reasons.is_empty() {
        return reasons;
    }
    for view in [&one, &other] {
        reasons.extend(peculiarities(view.evaluation, view.experiment, position));
    }
    let (pairs, others) = (one.pairs(), other.pairs());
    for (view, against, mine, theirs) in [(&one, &other, &pairs, &others), (&other, &one, &others, &pairs)] {
        for (gold, system, rule) in mine {
            if !theirs.iter().any(|(g, s, _)| (g, s) == (gold, system)) {
                reasons.extend(reason_of_pair(view, against, (gold, system, rule)));
            }
        }
    }
    if reasons.is_empty() {
        reasons.push(other.reason(difference_of_items(&one, &other), None));
    }
    reasons
}

/// Why one profile has a pair that the other has not: its rule; or that the other chose another partner. Nothing
/// where the other does not have the items at all: that is not a matter of the rule.
fn reason_of_pair(
    view: &View<'_>,
    against: &View<'_>,
    (gold, system, rule): (&str, &str, &str),
) -> Option<Peculiarity> {
    let example = Some((gold, system));
    let found = (against.find(&against.matched.gold, gold), against.find(&against.matched.system, system));
    let same_items = view.experiment.is_of_answers() || view.experiment.rules.reading == Reading::AnswerType;
    let follows_gerbil = against.evaluation.profile().era.is_some();
    match found {
        (Some(Term::NamedNode(_)), Some(Term::NamedNode(_))) if follows_gerbil && gold == system => {
            against.experiment.is_of_answers().then(|| against.reason("diff-greedy", example))
        }
        (Some(_), Some(_)) if follows_gerbil && gold == system => None,
        (Some(_), Some(_)) => Some(view.reason(rule, example)),
        _ if same_items && view.evaluation.profile().era.is_none() => Some(view.reason(rule, example)),
        _ if rule == "match-gerbil-emerging" && gold != system => Some(view.reason(rule, example)),
        _ => None,
    }
}

/// Nothing that is known explains the counts: the items or the pairing are not the same.
fn difference_of_items(one: &View<'_>, other: &View<'_>) -> &'static str {
    let is_same = one.experiment.rules.reading == other.experiment.rules.reading;
    if is_same { "diff-pairing" } else { "diff-reading" }
}
