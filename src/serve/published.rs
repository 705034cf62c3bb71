//! What is published, for programs: lists by what somebody looks for, and all numbers of an evaluation.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use serde::Deserialize;

use crate::record::summaries::NumberChoice;
use crate::serve::doing::offered;
use crate::serve::platform::Platform;
use crate::serve::replies::{ApiReply, HttpProblem, json_tagged, unmade};
use crate::serve::shapes::{
    API, DatasetEntry, DatasetList, EvaluationEntry, EvaluationList, SystemEntry, SystemList,
};
use crate::workbench::list::{ListedEvaluation, evaluations};

/// So many things are in an answer.
const A_PAGE: usize = 100;

/// Which evaluations are wanted.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct WantedEvaluations {
    /// The name of the dataset.
    dataset: Option<String>,
    /// The name of the system.
    system: Option<String>,
    /// The name of the profile.
    profile: Option<String>,
    /// The language of the questions.
    language: Option<String>,
    /// The experiment type of the value.
    experiment: Option<String>,
    /// The measure of the value.
    measure: Option<String>,
    /// How many are left out at the beginning.
    after: usize,
}

/// Which datasets are wanted.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct WantedDatasets {
    /// Words of the name.
    q: Option<String>,
    /// The knowledge graph that the questions are about.
    kb: Option<String>,
    /// A language of the questions.
    language: Option<String>,
    /// The licence.
    licence: Option<String>,
}

/// What is published.
#[utoipa::path(
    get, path = "/evaluations",
    params(
        ("dataset" = Option<String>, Query, description = "the name of the dataset"),
        ("system" = Option<String>, Query, description = "the name of the system"),
        ("profile" = Option<String>, Query, description = "the name of the profile"),
        ("language" = Option<String>, Query, description = "the language of the questions that was chosen"),
        ("experiment" = Option<String>, Query, description = "the experiment type of the value; none: the first that was scored"),
        ("measure" = Option<String>, Query, description = "the measure of the value; none: what the profile ranks by"),
        ("after" = Option<usize>, Query, minimum = 0, description = "how many are left out at the beginning")
    ),
    responses((status = 200, body = EvaluationList), (status = 304, description = "the reader has it"), (status = 400, body = HttpProblem, content_type = "application/problem+json"))
)]
pub(crate) async fn list_evaluations(
    State(platform): State<Arc<Platform>>,
    headers: HeaderMap,
    wanted: Result<Query<WantedEvaluations>, QueryRejection>,
) -> ApiReply {
    let Query(wanted) = wanted.map_err(|error| unread(&error))?;
    let number = NumberChoice::named(wanted.experiment.as_deref(), wanted.measure.as_deref());
    let number = number.map_err(HttpProblem::told)?;
    let fits = |wish: &Option<String>, value: &str| {
        wish.as_deref().is_none_or(|wish| wish.to_lowercase() == value.to_lowercase())
    };
    let mut all = published(&platform, number).await?;
    all.retain(|one| {
        fits(&wanted.dataset, &one.dataset)
            && fits(&wanted.system, &one.system)
            && fits(&wanted.profile, &one.profile)
            && fits(&wanted.language, one.language.as_deref().unwrap_or_default())
    });
    let (count, behind) = (all.len(), wanted.after.saturating_add(A_PAGE));
    let next = (behind < count).then(|| {
        let pairs = [
            ("dataset", &wanted.dataset),
            ("system", &wanted.system),
            ("profile", &wanted.profile),
            ("language", &wanted.language),
            ("experiment", &wanted.experiment),
            ("measure", &wanted.measure),
        ];
        let mut address = form_urlencoded::Serializer::new(String::new());
        address.extend_pairs(pairs.iter().filter_map(|(name, value)| Some((*name, value.as_deref()?))));
        address.append_pair("after", &behind.to_string());
        format!("{}{API}/evaluations?{}", platform.place.url, address.finish())
    });
    let evaluations = all.into_iter().skip(wanted.after).take(A_PAGE).map(|one| EvaluationEntry {
        key: one.key,
        iri: one.iri,
        system: one.system,
        dataset: one.dataset,
        profile: one.profile,
        language: one.language,
        time: one.time,
        experiment: one.experiment,
        measure: one.measure,
        value: one.value,
    });
    Ok(json_tagged(&headers, &EvaluationList { count, evaluations: evaluations.collect(), next }))
}

/// What is wrong with the words behind an address: the parser says which, and what there is.
fn unread(error: &QueryRejection) -> HttpProblem {
    let said = error.body_text();
    let said = said.rsplit("query string: ").next().unwrap_or_default();
    HttpProblem::new(StatusCode::BAD_REQUEST, "input", &format!("the query string cannot be read: {said}"))
}

async fn published(
    platform: &Arc<Platform>,
    number: NumberChoice,
) -> Result<Vec<ListedEvaluation>, HttpProblem> {
    let made = platform.makers.makers().make(move |shown| evaluations(shown.archived, &number)).await;
    made.map_err(unmade)?.map_err(HttpProblem::told)
}

/// An evaluation with all its numbers: what `qassay evaluate --format json` prints.
#[utoipa::path(
    get, path = "/evaluations/{key}",
    params(("key" = String, Path, description = "the key of a published evaluation")),
    responses((status = 200, description = "see the schema of `qassay evaluate --format json`", body = Object), (status = 304, description = "the reader has it"), (status = 404, body = HttpProblem, content_type = "application/problem+json"), (status = 410, description = "it was withdrawn", body = HttpProblem, content_type = "application/problem+json"))
)]
pub(crate) async fn one_evaluation(
    State(platform): State<Arc<Platform>>,
    headers: HeaderMap,
    Path(key): Path<String>,
) -> ApiReply {
    let place = platform.place.url.clone();
    let makers = platform.makers.makers();
    let made = makers.make(move |shown| {
        if let Some(gone) = shown.site.withdrawn_around(&key) {
            return Err(HttpProblem::withdrawn(&place, gone));
        }
        let none = || HttpProblem::new(StatusCode::NOT_FOUND, "not-found", "there is no such evaluation");
        shown.site.evaluation_json(&key).map_err(HttpProblem::told)?.ok_or_else(none)
    });
    Ok(json_tagged(&headers, &made.await.map_err(unmade)??))
}

/// The datasets with which answers can be scored here.
#[utoipa::path(
    get, path = "/datasets",
    params(
        ("q" = Option<String>, Query, description = "words of the name"),
        ("kb" = Option<String>, Query, description = "the knowledge graph that the questions are about"),
        ("language" = Option<String>, Query, description = "a language of the questions"),
        ("licence" = Option<String>, Query, description = "the licence")
    ),
    responses((status = 200, body = DatasetList), (status = 304, description = "the reader has it"), (status = 400, body = HttpProblem, content_type = "application/problem+json"))
)]
pub(crate) async fn list_datasets(
    State(platform): State<Arc<Platform>>,
    headers: HeaderMap,
    wanted: Result<Query<WantedDatasets>, QueryRejection>,
) -> ApiReply {
    let Query(wanted) = wanted.map_err(|error| unread(&error))?;
    let words = wanted.q.unwrap_or_default().to_lowercase();
    let fits = |wish: &Option<String>, known: &str| {
        wish.as_deref().is_none_or(|wish| wish.eq_ignore_ascii_case(known))
    };
    let here = offered(&platform).await?.datasets.into_iter().filter(|entry| {
        let name = format!("{} {}", entry.name, entry.title).to_lowercase();
        words.split_whitespace().all(|word| name.contains(word))
            && fits(&wanted.kb, entry.kb)
            && fits(&wanted.licence, entry.licence)
            && (wanted.language.is_none() || entry.languages.iter().any(|one| fits(&wanted.language, one)))
    });
    let datasets = here.map(|entry| DatasetEntry {
        name: entry.name,
        title: entry.title,
        questions: entry.questions,
        kb: entry.kb,
        languages: entry.languages.clone(),
        licence: entry.licence,
    });
    Ok(json_tagged(&headers, &DatasetList { datasets: datasets.collect() }))
}

/// The systems with published evaluations.
#[utoipa::path(get, path = "/systems", responses((status = 200, body = SystemList), (status = 304, description = "the reader has it")))]
pub(crate) async fn list_systems(State(platform): State<Arc<Platform>>, headers: HeaderMap) -> ApiReply {
    let mut systems: BTreeMap<String, usize> = BTreeMap::new();
    for one in published(&platform, NumberChoice::default()).await? {
        *systems.entry(one.system).or_default() += 1;
    }
    let systems = systems.into_iter().map(|(name, evaluations)| SystemEntry { name, evaluations });
    Ok(json_tagged(&headers, &SystemList { systems: systems.collect() }))
}
