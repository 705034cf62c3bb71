//! The JSON of `qassay evaluate --format json`: an interface that scripts rely on (DESIGN section 6).

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::base::issue::Issue;
use crate::measures::fraction::Fraction;
use crate::measures::sets::Counts;
use crate::profiles::loaders::{Loaded, Loader, Part};
use crate::references::ReferenceKind;
use crate::report::differences::differences_json;
use crate::report::evaluations::{metric_value, shown_name};
use crate::report::failed;
use crate::report::gold::refresh_json;
use crate::report::notes::skip_reason;
use crate::scoring::evaluation::Evaluation;
use crate::scoring::experiment::{Experiment, Group};
use crate::scoring::gerbil::same_as::Mode;
use crate::scoring::groups::{ALL, PROCESSED};
use crate::scoring::items::origin::Origin;

/// All evaluations with every question. Undefined values are `null`.
pub fn evaluations(evaluations: &[Evaluation]) -> Value {
    let mut json = json!({ "evaluations": evaluations.iter().map(evaluation).collect::<Vec<_>>() });
    let several = evaluations.iter().any(|other| other.profile().name != evaluations[0].profile().name);
    if several {
        json["differences"] = differences_json(one_gold(evaluations));
    }
    json
}

/// The evaluations with the gold answers of the first: profiles are compared where nothing else differs.
pub fn one_gold<'a>(evaluations: &'a [Evaluation]) -> &'a [Evaluation] {
    let origin = |evaluation: &Evaluation| evaluation.asked.origin();
    let first = evaluations.first().map(origin);
    let others = evaluations.iter().position(|evaluation| Some(origin(evaluation)) != first);
    &evaluations[..others.unwrap_or(evaluations.len())]
}

/// Adds what was chosen beside dataset, submission and profile.
pub(crate) fn add_choices(json: &mut Value, evaluation: &Evaluation) {
    let iris = |kind| {
        let of_kind = evaluation.references().iter().filter(move |reference| reference.kind == kind);
        of_kind.map(|reference| reference.iri.as_str()).collect::<Vec<_>>()
    };
    let loading = evaluation.prepared.loading();
    json["gold"] = evaluation.asked.origin().into();
    json["language"] = evaluation.prepared.options.language.clone().into();
    json["sameAs"] = evaluation.prepared.same_as.map(Mode::name).into();
    json["loader"] = loading.loader.name().into();
    json["part"] = loading.part.map(Part::name).into();
    json["links"] = iris(ReferenceKind::Links).into();
    json["labels"] = iris(ReferenceKind::Labels).into();
    json["classes"] = iris(ReferenceKind::Classes).into();
    json["types"] = iris(ReferenceKind::Types).into();
    json["questionTypes"] = iris(ReferenceKind::QuestionTypes).into();
    json["assessments"] = iris(ReferenceKind::Assessments).into();
    if let Some(executed) = &evaluation.asked.executed {
        json["executed"] = json!({
            "answers": executed.kept.iri,
            "queries": executed.count(),
            "failed": executed.failed(),
            "undecided": executed.undecided(),
        });
    }
}

fn evaluation(evaluation: &Evaluation) -> Value {
    let experiments: Map<String, Value> = evaluation
        .experiments
        .iter()
        .map(|scored| (scored.name().to_owned(), experiment(evaluation, scored)))
        .collect();
    let skipped: Map<String, Value> = evaluation
        .skipped
        .iter()
        .map(|(name, skip)| {
            ((*name).to_owned(), json!({ "code": skip.code(), "reason": skip_reason(*skip) }))
        })
        .collect();
    let loading = evaluation.prepared.loading();
    let mut json = json!({
        "evaluation": evaluation.iri,
        "dataset": evaluation.dataset.slug,
        "datasetVersion": evaluation.dataset.iri,
        "system": evaluation.submission.system,
        "submission": evaluation.submission.iri,
        "profile": evaluation.profile().name,
    });
    add_choices(&mut json, evaluation);
    json["experiments"] = experiments.into();
    json["skipped"] = skipped.into();
    json["issues"] = evaluation.issues().map(|(file, found)| issue(file, found)).collect();
    if let Some(gold) = &evaluation.asked.gold {
        json["goldAnswers"] = refresh_json(&evaluation.dataset.document, gold);
    }
    if loading.loader != Loader::Plain || loading.part.is_some() {
        json["loading"] = loaded(&evaluation.loaded);
    }
    json
}

/// What a loader made of a file: how many questions are loaded, which are left out or changed.
pub fn loaded(loaded: &Loaded) -> Value {
    let left_out = loaded.left_out().map(|(question, left_out)| {
        let reason = left_out.reason;
        json!({
            "id": question.key, "code": reason.code(), "reason": reason.definition(), "detail": left_out.detail,
        })
    });
    let changed = loaded.changes().map(|(question, what)| json!({ "id": question.key, "change": what }));
    json!({
        "loaded": loaded.count(),
        "leftOut": left_out.collect::<Vec<_>>(),
        "changed": changed.collect::<Vec<_>>(),
    })
}

fn experiment(evaluation: &Evaluation, experiment: &Experiment) -> Value {
    let mut json = Map::new();
    if let Some(all) = experiment.group(ALL) {
        json.insert("measures".to_owned(), measures(all));
    }
    if let Some(processed) = experiment.group(PROCESSED) {
        json.insert("measuresProcessed".to_owned(), measures(processed));
    }
    let others = experiment.groups.iter().filter(|group| group.name != ALL && group.name != PROCESSED);
    let groups: Map<String, Value> =
        others.map(|group| (group.name.trim_start_matches("group-").to_owned(), measures(group))).collect();
    json.insert("groups".to_owned(), groups.into());
    let ties = experiment.group(ALL).map(ties).unwrap_or_default();
    if !ties.is_empty() {
        json.insert("ties".to_owned(), ties.into());
    }
    let origins = origins(evaluation, experiment);
    if !origins.is_empty() {
        json.insert("origins".to_owned(), origins.into());
    }
    json.insert("questions".to_owned(), questions(evaluation, experiment));
    let failed = failed::of(evaluation, experiment).map(|(question, _)| question.key.as_str().into());
    json.insert("failed".to_owned(), Value::Array(failed.collect()));
    let keys = &evaluation.dataset.document.questions;
    let skipped = experiment.skips().map(|(position, skip)| {
        json!({ "id": keys[position].key, "code": skip.code(), "reason": skip_reason(skip) })
    });
    let skipped: Vec<Value> = skipped.collect();
    if !skipped.is_empty() {
        json.insert("skippedQuestions".to_owned(), skipped.into());
    }
    json.into()
}

/// In how many questions the items come from where, for both sides; nothing where there is only one way.
fn origins(evaluation: &Evaluation, experiment: &Experiment) -> Map<String, Value> {
    let mut counts: [BTreeMap<Origin, u64>; 2] = Default::default();
    for position in 0..experiment.results.len() {
        for (counts, origin) in counts.iter_mut().zip(evaluation.origins(experiment, position)) {
            if let Some(origin) = origin {
                *counts.entry(origin).or_default() += 1;
            }
        }
    }
    let named = |counts: BTreeMap<Origin, u64>| {
        counts
            .into_iter()
            .map(|(origin, count)| (origin.name().to_owned(), count.into()))
            .collect::<Map<_, _>>()
    };
    let sides = ["gold", "system"].into_iter().zip(counts).filter(|(_, counts)| !counts.is_empty());
    sides.map(|(side, counts)| (side.to_owned(), named(counts).into())).collect()
}

pub(crate) fn measures(group: &Group) -> Value {
    let names = group.metrics.iter().map(|(name, _)| shown_name(name));
    let values = names.map(|name| {
        let value = metric_value(group, &name).map_or(Value::Null, number);
        (name, value)
    });
    values.collect::<Map<_, _>>().into()
}

/// What the measures could be with ties between equal scores broken otherwise, where that makes them others.
pub(crate) fn ties(group: &Group) -> Map<String, Value> {
    let tied = group.metrics.iter().filter_map(|(name, value)| Some((name, value.as_ref()?.ties.as_ref()?)));
    let told = tied.map(|(name, ties)| {
        (name.clone(), json!({ "worst": number(&ties.worst), "best": number(&ties.best) }))
    });
    told.collect()
}

fn questions(evaluation: &Evaluation, experiment: &Experiment) -> Value {
    let questions = &evaluation.dataset.document.questions;
    let rows = questions.iter().zip(&experiment.results).filter_map(|(question, result)| {
        let result = result.as_ref()?;
        let mut row = json!({
            "id": question.key,
            "status": result.status.name(),
            "tp": result.counts.true_positives(),
            "fp": result.counts.false_positives(),
            "fn": result.counts.false_negatives(),
            "precision": number(&result.scores.precision),
            "recall": number(&result.scores.recall),
            "f1": number(&result.scores.f1),
        });
        if !result.parts.is_empty() {
            row["parts"] = result
                .parts
                .iter()
                .map(|(part, counts)| ((*part).to_owned(), part_counts(*counts)))
                .collect();
        }
        let own: Map<String, Value> = experiment
            .question_values(&evaluation.prepared, result)
            .into_iter()
            .map(|(name, value)| (name, value.map_or(Value::Null, |value| number(&value.value))))
            .collect();
        if !own.is_empty() {
            row["measures"] = own.into();
        }
        if let Some(ndcg) = &result.ndcg {
            row["ndcg"] = number(ndcg);
        }
        Some(row)
    });
    rows.collect()
}

fn part_counts(counts: Counts) -> Value {
    json!({ "tp": counts.true_positives(), "fp": counts.false_positives(), "fn": counts.false_negatives() })
}

/// An issue with its file (by checksum) and place.
pub(crate) fn issue(file: &str, issue: &Issue) -> Value {
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
pub(crate) fn number(value: &Fraction) -> Value {
    serde_json::from_str(&value.to_decimal()).unwrap_or(Value::Null)
}
