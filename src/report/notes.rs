//! What is said below the table: what was skipped, and how many issues the inputs have.

use std::collections::BTreeMap;

use crate::base::issue::Severity;
use crate::base::vocab::{code, skos};
use crate::measures::fraction::Fraction;
use crate::profiles::answers_from::AnswersFrom;
use crate::profiles::ontology;
use crate::report::columns::heading;
use crate::report::evaluations::DIGITS_FOR_PEOPLE;
use crate::scoring::evaluation::Evaluation;
use crate::scoring::experiment::{Experiment, Group};
use crate::scoring::groups::ALL;
use crate::scoring::skip::Skip;

/// Why something is skipped, for people: the definition in the ontology.
pub fn skip_reason(skip: Skip) -> String {
    let facts = ontology::terms();
    facts.text(&code::iri(skip.code()), skos::DEFINITION).unwrap_or(skip.code()).to_owned()
}

/// Which measures of which system depend on the order of equal scores, and by how much.
pub(crate) fn tie_notes(evaluations: &[Evaluation]) -> Vec<String> {
    let notes = |evaluation| tie_note(evaluation, &who(evaluation));
    evaluations.iter().flat_map(notes).collect()
}

/// The same of one evaluation, which is called so; one note an experiment type.
pub(crate) fn tie_note(evaluation: &Evaluation, who: &str) -> Vec<String> {
    let of = |experiment: &Experiment| {
        let all = experiment.group(ALL).into_iter().flat_map(|group| &group.metrics);
        let shown = evaluation.prepared.metrics(&experiment.rules.headline);
        let measures = all.filter(|(name, _)| shown.contains(name));
        let told = measures.filter_map(|(name, value)| {
            let ties = value.as_ref()?.ties.as_ref()?;
            let [worst, best] = apart(&ties.worst, &ties.best);
            Some(format!("{} {worst} to {best}", heading(name)))
        });
        let told: Vec<String> = told.collect();
        let note = || format!("{who}: equal scores; broken otherwise they give {}", told.join(", "));
        (!told.is_empty()).then(note)
    };
    evaluation.experiments.iter().filter_map(of).collect()
}

/// What an evaluation is called.
fn who(evaluation: &Evaluation) -> String {
    format!("{} ({})", evaluation.submission.system, evaluation.profile().name)
}

/// How much the assessors agree, where several assessed an answer: the same for all systems.
pub(crate) fn assessor_note(evaluations: &[Evaluation]) -> Option<String> {
    let groups =
        evaluations.iter().flat_map(|e| &e.experiments).filter_map(|experiment| experiment.group(ALL));
    let value = |group: &Group, metric: &str| {
        let found = group.metrics.iter().find(|(name, _)| name == metric);
        found.and_then(|(_, value)| value.clone())
    };
    let mut agreement = groups.filter_map(|group| Some((group, value(group, "assessorAgreement")?)));
    let (group, agreement) = agreement.next_back()?;
    let kappa = value(group, "assessorKappa");
    let kappa = kappa.map_or_else(|| "-".to_owned(), |kappa| kappa.value.to_fixed(DIGITS_FOR_PEOPLE));
    Some(format!(
        "assessors: kappa {kappa}, agreement {} on {} answers that two or more assessed",
        agreement.value.to_fixed(DIGITS_FOR_PEOPLE),
        agreement.sample_size
    ))
}

/// How many queries were not run although their answers would count in place of those of the file.
pub(crate) fn query_notes(evaluations: &[Evaluation]) -> Vec<String> {
    let of_query =
        evaluations.iter().filter(|evaluation| evaluation.profile().answers_from == AnswersFrom::Query);
    let told = of_query.filter_map(|evaluation| {
        Some(format!("{}: {}", who(evaluation), evaluation.not_executed()?.message))
    });
    let mut notes: Vec<String> = told.collect();
    notes.dedup();
    notes
}

/// Two values that are not the same with as many digits as it takes to see it.
fn apart(one: &Fraction, other: &Fraction) -> [String; 2] {
    let shown = |digits| [one, other].map(|value| value.to_fixed(digits));
    (DIGITS_FOR_PEOPLE..12).map(shown).find(|[one, other]| one != other).unwrap_or_else(|| shown(12))
}

/// Experiment types without scores, and how many questions an experiment type leaves out. What holds for several
/// experiment types or systems is said once.
pub(crate) fn skip_notes(evaluations: &[Evaluation]) -> Vec<String> {
    let mut said: Vec<(String, Vec<&str>, String)> = Vec::new();
    for evaluation in evaluations {
        let who = who(evaluation);
        for (experiment, what) in skips(evaluation) {
            match said.iter_mut().find(|(known, _, text)| *known == who && *text == what) {
                Some((_, experiments, _)) => experiments.push(experiment),
                None => said.push((who.clone(), vec![experiment], what)),
            }
        }
    }
    let mut notes: Vec<(Vec<String>, Vec<&str>, String)> = Vec::new();
    for (who, experiments, what) in said {
        match notes.iter_mut().find(|(_, known, text)| *known == experiments && *text == what) {
            Some((all, _, _)) => all.push(who),
            None => notes.push((vec![who], experiments, what)),
        }
    }
    let note = |(who, experiments, what): (Vec<String>, Vec<&str>, String)| {
        format!("{}: {} {what}", who.join(", "), experiments.join(", "))
    };
    notes.into_iter().map(note).collect()
}

/// What is skipped in an evaluation: the experiment type, and what is said about it.
fn skips<'a>(evaluation: &'a Evaluation) -> Vec<(&'a str, String)> {
    let whole = evaluation.skipped.iter();
    let mut skips: Vec<(&str, String)> =
        whole.map(|(name, skip)| (*name, format!("skipped: {}", skip_reason(*skip)))).collect();
    for experiment in &evaluation.experiments {
        let mut reasons: BTreeMap<Skip, usize> = BTreeMap::new();
        for (_, skip) in experiment.skips() {
            *reasons.entry(skip).or_default() += 1;
        }
        for (skip, count) in reasons {
            let questions = if count == 1 { "1 question".to_owned() } else { format!("{count} questions") };
            skips.push((experiment.name(), format!("without {questions}: {}", skip_reason(skip))));
        }
    }
    skips
}

/// How many issues each system's run met.
pub(crate) fn issue_notes(evaluations: &[Evaluation]) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for evaluation in evaluations {
        let note = issue_note(evaluation, &evaluation.submission.system);
        // Several profiles read the same files.
        notes.extend(note.filter(|note| !notes.contains(note)));
    }
    notes
}

/// The same of one run, which is called so; nothing where it met none.
pub(crate) fn issue_note(evaluation: &Evaluation, who: &str) -> Option<String> {
    let count = |severity| evaluation.issues().filter(|(_, issue)| issue.severity() == severity).count();
    let [errors, warnings] = [Severity::Error, Severity::Warning].map(count);
    let plural = |number: usize, word: &str| format!("{number} {word}{}", if number == 1 { "" } else { "s" });
    (errors + warnings > 0).then(|| {
        let (errors, warnings) = (plural(errors, "error"), plural(warnings, "warning"));
        format!("input of {who}: {errors}, {warnings}; `--issues` lists them")
    })
}
