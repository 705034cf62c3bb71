//! The JSON of `qassay evaluate --format json`: an interface that scripts rely on (DESIGN section 6).

use serde_json::{Map, Value, json};

use super::evaluations::{metric_value, shown_name};
use crate::measure::Fraction;
use crate::observe::groups::{ALL, PROCESSED};
use crate::observe::{Evaluation, Group};
use crate::read::Issue;

/// All evaluations with every question. Undefined values are `null`.
pub fn evaluations(evaluations: &[Evaluation<'_>]) -> Value {
    json!({ "evaluations": evaluations.iter().map(evaluation).collect::<Vec<_>>() })
}

fn evaluation(evaluation: &Evaluation<'_>) -> Value {
    let mut experiment = Map::new();
    if let Some(all) = evaluation.group(ALL) {
        experiment.insert("measures".to_owned(), measures(all));
    }
    if let Some(processed) = evaluation.group(PROCESSED) {
        experiment.insert("measuresProcessed".to_owned(), measures(processed));
    }
    let others = evaluation.groups.iter().filter(|group| group.name != ALL && group.name != PROCESSED);
    let groups: Map<String, Value> =
        others.map(|group| (group.name.trim_start_matches("group-").to_owned(), measures(group))).collect();
    experiment.insert("groups".to_owned(), groups.into());
    experiment.insert("questions".to_owned(), questions(evaluation));
    json!({
        "evaluation": evaluation.iri,
        "dataset": evaluation.dataset.slug,
        "datasetVersion": evaluation.dataset.iri,
        "system": evaluation.submission.system,
        "submission": evaluation.submission.iri,
        "profile": evaluation.profile.name,
        "language": evaluation.language,
        "links": evaluation.links.iter().map(|links| links.iri.as_str()).collect::<Vec<_>>(),
        "experiments": { "QA": experiment },
        "skipped": {},
        "issues": evaluation.issues().map(|(file, found)| issue(file, found)).collect::<Vec<_>>(),
    })
}

fn measures(group: &Group) -> Value {
    let names = group.metrics.iter().map(|(name, _)| shown_name(name));
    let values = names.map(|name| {
        let value = metric_value(group, &name).map_or(Value::Null, number);
        (name, value)
    });
    values.collect::<Map<_, _>>().into()
}

fn questions(evaluation: &Evaluation<'_>) -> Value {
    let questions = &evaluation.dataset.document.questions;
    let rows = questions.iter().zip(&evaluation.results).map(|(question, result)| {
        json!({
            "id": question.key,
            "status": result.status.name(),
            "tp": result.counts.true_positives(),
            "fp": result.counts.false_positives(),
            "fn": result.counts.false_negatives(),
            "precision": number(&result.scores.precision),
            "recall": number(&result.scores.recall),
            "f1": number(&result.scores.f1),
        })
    });
    rows.collect()
}

/// An issue with its file (by checksum) and place.
pub(super) fn issue(file: &str, issue: &Issue) -> Value {
    json!({
        "code": issue.code.name(),
        "severity": issue.severity().name(),
        "message": issue.message,
        "file": format!("sha256:{file}"),
        "line": issue.place.line,
        "question": issue.place.question,
        "path": issue.place.path,
    })
}

/// A published decimal as a JSON number: whole numbers without a point.
fn number(value: &Fraction) -> Value {
    serde_json::from_str(&value.to_decimal()).unwrap_or(Value::Null)
}
