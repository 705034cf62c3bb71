//! What is said below the table: what was skipped, and how many issues the inputs have.

use std::collections::BTreeMap;

use crate::base::issue::Severity;
use crate::base::vocab::{code, skos};
use crate::profiles::ontology;
use crate::record::results::decimal::Decimal;
use crate::record::results::{Measured, Results, TypeResults};
use crate::report::columns::heading;
use crate::report::evaluations::DIGITS_FOR_PEOPLE;
use crate::scoring::skip::Skip;

/// Why something is skipped, for people: the definition in the ontology.
pub fn skip_reason(skip: Skip) -> String {
    let facts = ontology::terms();
    facts.text(&code::iri(skip.code()), skos::DEFINITION).unwrap_or(skip.code()).to_owned()
}

/// Which measures of which system depend on the order of equal scores, and by how much.
pub(crate) fn tie_notes(results: &[Results]) -> Vec<String> {
    results.iter().flat_map(|one| tie_note(one, &who(one))).collect()
}

/// The same of one evaluation, which is called so; one note an experiment type.
pub(crate) fn tie_note(results: &Results, who: &str) -> Vec<String> {
    let of = |experiment: &TypeResults| {
        let all = experiment.all().into_iter().flat_map(|group| &group.metrics);
        let measures = all.filter(|(metric, _)| experiment.headline.contains(metric));
        let told = measures.filter_map(|(metric, value)| {
            let ties = value.as_ref()?.ties.as_ref()?;
            let [worst, best] = apart(&ties.worst, &ties.best);
            Some(format!("{} {worst} to {best}", heading(*metric)))
        });
        let told: Vec<String> = told.collect();
        let note = || format!("{who}: equal scores; broken otherwise they give {}", told.join(", "));
        (!told.is_empty()).then(note)
    };
    results.experiments.iter().filter_map(of).collect()
}

/// What an evaluation is called.
fn who(results: &Results) -> String {
    format!("{} ({})", results.submission.name, results.profile.name)
}

/// How much the assessors agree, where several assessed an answer: the same for all systems.
pub(crate) fn assessor_note(results: &[Results]) -> Option<String> {
    let groups = results.iter().flat_map(|one| &one.experiments).filter_map(TypeResults::all);
    let mut agreement = groups.filter_map(|group| Some((group, group.measured("assessorAgreement")?)));
    let (group, agreement) = agreement.next_back()?;
    let shown = |measured: &Measured| measured.value.to_fixed(DIGITS_FOR_PEOPLE);
    let kappa = group.measured("assessorKappa").map_or_else(|| "-".to_owned(), shown);
    Some(format!(
        "assessors: kappa {kappa}, agreement {} on {} answers that two or more assessed",
        shown(agreement),
        agreement.sample_size
    ))
}

/// How many queries were not run although their answers would count in place of those of the file.
pub(crate) fn query_notes(results: &[Results]) -> Vec<String> {
    let of_query = results.iter().filter(|one| one.profile.prefers_queries);
    let told = of_query.filter_map(|one| Some(format!("{}: {}", who(one), one.not_executed()?.message)));
    let mut notes: Vec<String> = told.collect();
    notes.dedup();
    notes
}

/// Two values that are not the same with as many digits as it takes to see it.
fn apart(one: &Decimal, other: &Decimal) -> [String; 2] {
    let shown = |digits| [one, other].map(|value| value.to_fixed(digits));
    (DIGITS_FOR_PEOPLE..12).map(shown).find(|[one, other]| one != other).unwrap_or_else(|| shown(12))
}

/// Experiment types without scores, and how many questions an experiment type leaves out. What holds for several
/// experiment types or systems is said once.
pub(crate) fn skip_notes(results: &[Results]) -> Vec<String> {
    let mut said: Vec<(String, Vec<&str>, String)> = Vec::new();
    for one in results {
        let who = who(one);
        for (experiment, what) in skips(one) {
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
fn skips(results: &Results) -> Vec<(&str, String)> {
    let whole = results.skipped.iter();
    let mut skips: Vec<(&str, String)> =
        whole.map(|(name, skip)| (name.as_str(), format!("skipped: {}", skip_reason(*skip)))).collect();
    for experiment in &results.experiments {
        let mut reasons: BTreeMap<Skip, usize> = BTreeMap::new();
        for (_, skip) in experiment.skips() {
            *reasons.entry(skip).or_default() += 1;
        }
        for (skip, count) in reasons {
            let questions = if count == 1 { "1 question".to_owned() } else { format!("{count} questions") };
            skips.push((&experiment.name, format!("without {questions}: {}", skip_reason(skip))));
        }
    }
    skips
}

/// How many issues each system's run met.
pub(crate) fn issue_notes(results: &[Results]) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for one in results {
        let note = issue_note(one, &one.submission.name);
        // Several profiles read the same files.
        notes.extend(note.filter(|note| !notes.contains(note)));
    }
    notes
}

/// The same of one run, which is called so; nothing where it met none.
pub(crate) fn issue_note(results: &Results, who: &str) -> Option<String> {
    let count = |severity| results.issues.iter().filter(|(_, issue)| issue.severity() == severity).count();
    let [errors, warnings] = [Severity::Error, Severity::Warning].map(count);
    let plural = |number: usize, word: &str| format!("{number} {word}{}", if number == 1 { "" } else { "s" });
    (errors + warnings > 0).then(|| {
        let (errors, warnings) = (plural(errors, "error"), plural(warnings, "warning"));
        format!("input of {who}: {errors}, {warnings}; `--issues` lists them")
    })
}
