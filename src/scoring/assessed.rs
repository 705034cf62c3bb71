//! What assessments bring into an evaluation beside verdicts: errors and issues, votes.

use std::collections::BTreeSet;

use oxigraph::model::Term;

use crate::base::error::{Error, Result};
use crate::base::issue::{Issue, IssueCode, Place};
use crate::references::assessments::Assessments;
use crate::references::{ReferenceContent, ReferenceInput, ReferenceKind};
use crate::scoring::experiment::Experiment;
use crate::scoring::plan::Plan;
use crate::scoring::references::References;
use crate::sources::input::{Input, term};

/// An error where a file of assessments or question types names a question that the dataset does not have.
pub(crate) fn check(plan: &Plan, dataset: &Input) -> Result<()> {
    let questions = &dataset.document.questions;
    let known: BTreeSet<&String> = questions.iter().map(|question| &question.key).collect();
    for reference in &plan.references.files {
        let mut named = named_questions(reference);
        if let Some((line, id)) = named.find(|(_, id)| !known.contains(id)) {
            let first: Vec<&str> = questions.iter().take(10).map(|question| question.key.as_str()).collect();
            return Err(Error::input(format!("the dataset {} has no question `{id}`", dataset.name))
                .in_file(reference.source.name())
                .at(format!("line {line}"))
                .allowed(format!("{}, … ({} questions)", first.join(", "), questions.len())));
        }
    }
    Ok(())
}

fn named_questions(reference: &ReferenceInput) -> Box<dyn Iterator<Item = (u64, &String)> + '_> {
    match &reference.statements {
        ReferenceContent::Assessments(set) => {
            Box::new(set.lines.iter().map(|line| (line.line, &line.question)))
        }
        ReferenceContent::QuestionTypes(set) => Box::new(set.lines.iter().map(|(line, id, _)| (*line, id))),
        ReferenceContent::Links(_) | ReferenceContent::Others(_) | ReferenceContent::Profiles(_) => {
            Box::new(std::iter::empty())
        }
    }
}

/// Where assessors disagree, and which answers nobody assessed: each with the checksum of a file.
pub(crate) fn issues(
    plan: &Plan,
    dataset: &Input,
    submission: &str,
    experiments: &[Experiment],
) -> Vec<(String, Issue)> {
    let Some(assessments) = &plan.references.assessments else { return Vec::new() };
    let files: Vec<&str> =
        plan.references.of(ReferenceKind::Assessments).map(|file| file.source.sha256()).collect();
    let conflicts = assessments.conflicts().map(|(file, issue)| (files[file].to_owned(), issue));
    let judged = experiments.iter().filter(|experiment| experiment.rules.reads_assessments());
    let open = judged.flat_map(|experiment| not_assessed(assessments, dataset, experiment));
    conflicts.chain(open.map(|issue| (submission.to_owned(), issue))).collect()
}

fn not_assessed(assessments: &Assessments, dataset: &Input, experiment: &Experiment) -> Vec<Issue> {
    let (mut given, mut open, mut issues) = (0, 0, Vec::new());
    for (question, matched) in dataset.document.questions.iter().zip(&experiment.matching.questions) {
        let texts =
            matched.system.iter().map(|item| term::text(experiment.matching.term(*item)).into_owned());
        let missing: Vec<String> =
            texts.filter(|text| assessments.find(&question.key, text).is_none()).collect();
        given += matched.system.len();
        open += missing.len();
        if !missing.is_empty() {
            let verdict = if matched.gold.is_empty() {
                "incorrect, since no answer is known"
            } else {
                "judged by the known answers"
            };
            let place = Place { question: Some(question.id.clone()), ..question.place.clone() };
            let place = Place { line: None, path: None, ..place };
            let message = format!("without assessment: {}; {verdict}", shown(&missing));
            issues.push(Issue::new(IssueCode::NotAssessed, &place, message));
        }
    }
    if open > 0 {
        let message = format!("{open} of {given} different answers have no assessment");
        issues.insert(0, Issue::new(IssueCode::NotAssessed, &Place::default(), message));
    }
    issues
}

/// Some texts for people: the first ones, and how many more there are.
fn shown(texts: &[String]) -> String {
    const MOST: usize = 5;
    let first: Vec<String> = texts.iter().take(MOST).map(|text| format!("{text:?}")).collect();
    let more = texts.len().saturating_sub(MOST);
    if more == 0 { first.join(", ") } else { format!("{} and {more} more", first.join(", ")) }
}

/// Who says what about an answer of the system to a question: a line a person, with file and line.
pub(crate) fn votes(references: &References, question: &str, answer: &Term) -> Vec<String> {
    let Some(assessments) = &references.assessments else { return Vec::new() };
    let files: Vec<&ReferenceInput> = references.of(ReferenceKind::Assessments).collect();
    let assessed = assessments.find(question, &term::text(answer));
    let votes = assessed.into_iter().flat_map(|assessed| &assessed.votes);
    votes.map(|vote| format!("{}  line {} of {}", vote.shown(), vote.line, files[vote.file].iri)).collect()
}
