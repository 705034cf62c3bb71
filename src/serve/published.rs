//! What is published, for programs: lists by what somebody looks for, and all numbers of an evaluation.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::base::error::Error;
use crate::record::archived::ArchivedEvaluation;
use crate::record::summaries::NumberChoice;
use crate::report::json;
use crate::serve::doing::offered;
use crate::serve::limits::Limited;
use crate::serve::platform::Platform;
use crate::serve::replies::{ApiReply, HttpProblem, json_tagged, tagged, unmade};
use crate::serve::shapes::{
    API, DatasetEntry, DatasetList, EvaluationEntry, EvaluationList, SystemEntry, SystemList,
};
use crate::site::chosen::DatasetChoice;
use crate::site::dataset_list::ListedDataset;
use crate::workbench::list::{ListedEvaluation, evaluations};
use crate::workbench::run::RunTask;

/// So many things are in an answer.
const A_PAGE: usize = 100;

/// Which evaluations are wanted.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct WantedEvaluations {
    /// Words of its names.
    q: Option<String>,
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
    /// Which of the answers with so many things, from 1.
    page: Option<usize>,
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
    /// How many are left out at the beginning.
    after: usize,
    /// Which of the answers with so many things, from 1.
    page: Option<usize>,
}

/// Which systems are wanted.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct WantedSystems {
    /// Words of the name.
    q: Option<String>,
    /// How many are left out at the beginning.
    after: usize,
    /// Which of the answers with so many things, from 1.
    page: Option<usize>,
}

/// The part of a list that is in an answer: how many things the list has, those of the part, the address of the next ones.
fn part_of<T>(
    all: Vec<T>,
    (after, page): (usize, Option<usize>),
    list: &str,
    wanted: &[(&str, &Option<String>)],
) -> Result<(usize, Vec<T>, Option<String>), HttpProblem> {
    let (count, pages) = (all.len(), all.len().div_ceil(A_PAGE).max(1));
    let page = page.unwrap_or(1);
    if !(1..=pages).contains(&page) {
        let problem =
            HttpProblem::new(StatusCode::BAD_REQUEST, "input", &format!("there is no page `{page}`"));
        return Err(problem.allowed(&format!("1 to {pages}")));
    }
    let after = after.saturating_add((page - 1) * A_PAGE);
    let behind = after.saturating_add(A_PAGE);
    let next = (behind < count).then(|| {
        let mut address = form_urlencoded::Serializer::new(String::new());
        address.extend_pairs(wanted.iter().filter_map(|(name, value)| Some((*name, value.as_deref()?))));
        format!("{list}?{}", address.append_pair("after", &behind.to_string()).finish())
    });
    Ok((count, all.into_iter().skip(after).take(A_PAGE).collect(), next))
}

/// What is published.
#[utoipa::path(
    get, path = "/evaluations",
    params(
        ("q" = Option<String>, Query, description = "words of the names of its systems, its dataset and its profile, or of its key"),
        ("dataset" = Option<String>, Query, description = "the name of the dataset"),
        ("system" = Option<String>, Query, description = "the name of the system"),
        ("profile" = Option<String>, Query, description = "the name of the profile"),
        ("language" = Option<String>, Query, description = "the language of the questions that was chosen"),
        ("experiment" = Option<String>, Query, description = "the experiment type of the value; none: the first that was scored"),
        ("measure" = Option<String>, Query, description = "the measure of the value; none: what the profile ranks by"),
        ("after" = Option<usize>, Query, minimum = 0, description = "how many are left out at the beginning"),
        ("page" = Option<usize>, Query, minimum = 1, description = "which of the answers with a hundred each, from 1")
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
    let words = wanted.q.clone().unwrap_or_default().to_lowercase();
    let has_words = |one: &EvaluationEntry| {
        let names = format!("{} {} {} {}", one.systems.join(", "), one.dataset, one.profile, one.key);
        words.split_whitespace().all(|word| names.to_lowercase().contains(word))
    };
    all.retain(|one| {
        fits(&wanted.dataset, &one.dataset)
            && one.systems.iter().any(|system| fits(&wanted.system, system))
            && fits(&wanted.profile, &one.profile)
            && fits(&wanted.language, one.language.as_deref().unwrap_or_default())
            && has_words(one)
    });
    let pairs = [
        ("q", &wanted.q),
        ("dataset", &wanted.dataset),
        ("system", &wanted.system),
        ("profile", &wanted.profile),
        ("language", &wanted.language),
        ("experiment", &wanted.experiment),
        ("measure", &wanted.measure),
    ];
    let list = format!("{}{API}/evaluations", platform.place.url);
    let (count, evaluations, next) = part_of(all, (wanted.after, wanted.page), &list, &pairs)?;
    Ok(json_tagged(&headers, &EvaluationList { count, evaluations, next }))
}

/// What is wrong with the words behind an address: the parser says which, and what there is.
fn unread(error: &QueryRejection) -> HttpProblem {
    let said = error.body_text();
    let said = said.rsplit("query string: ").next().unwrap_or_default();
    HttpProblem::new(StatusCode::BAD_REQUEST, "input", &format!("the query string cannot be read: {said}"))
}

/// What is published, each evaluation once.
async fn published(
    platform: &Arc<Platform>,
    number: NumberChoice,
) -> Result<Vec<EvaluationEntry>, HttpProblem> {
    let makers = platform.makers.makers();
    let made = makers.make(move |shown| {
        let systems = |one: &ArchivedEvaluation| one.systems().cloned().collect::<Vec<String>>();
        let mut named: BTreeMap<&str, Vec<String>> =
            shown.archived.evaluations.iter().map(|one| (one.iri.as_str(), systems(one))).collect();
        // A row each name: the names of an evaluation are taken with its first.
        let all = evaluations(shown.archived, &number)?.into_iter();
        let once = all.filter_map(|one| Some((named.remove(one.iri.as_str())?, one)));
        let entries = once.map(|(systems, one)| {
            let cautions = shown.site.cautions(&one.iri, &number);
            entry(one, systems, cautions)
        });
        Ok::<_, Error>(entries.collect::<Vec<_>>())
    });
    made.await.map_err(unmade)?.map_err(HttpProblem::told)
}

fn entry(one: ListedEvaluation, systems: Vec<String>, cautions: Vec<&'static str>) -> EvaluationEntry {
    EvaluationEntry {
        key: one.key,
        iri: one.iri,
        system: systems.first().cloned().unwrap_or_default(),
        systems,
        dataset: one.dataset,
        profile: one.profile,
        language: one.language,
        time: one.time,
        experiment: one.experiment,
        measure: one.measure,
        value: one.value,
        cautions,
    }
}

/// An evaluation with all its numbers: what `qassay evaluate --format json` prints. `groups` that nobody has kept are computed when
/// somebody asks; they are null where that is not possible.
#[utoipa::path(
    get, path = "/evaluations/{key}",
    params(("key" = String, Path, description = "the key of a published evaluation")),
    responses((status = 200, description = "see the schema of `qassay evaluate --format json`", body = Object), (status = 304, description = "the reader has it"), (status = 404, body = HttpProblem, content_type = "application/problem+json"), (status = 410, description = "it was withdrawn", body = HttpProblem, content_type = "application/problem+json"), (status = 429, body = HttpProblem, content_type = "application/problem+json"))
)]
pub(crate) async fn one_evaluation(
    State(platform): State<Arc<Platform>>,
    Path(key): Path<String>,
    request: Request,
) -> ApiReply {
    let (place, name, wanted) = (platform.place.url.clone(), format!("{API}/{key}"), key.clone());
    let makers = platform.makers.makers();
    let made = makers.make(move |shown| {
        if let Some(gone) = shown.site.withdrawn_around(&wanted) {
            return Err(HttpProblem::withdrawn(&place, gone));
        }
        if let Some(known) = shown.known(&name) {
            return Ok(Err(known));
        }
        let none = || HttpProblem::new(StatusCode::NOT_FOUND, "not-found", "there is no such evaluation");
        let told = shown.site.evaluation_json(&wanted).map_err(HttpProblem::told)?.ok_or_else(none)?;
        Ok(Ok((told, shown.archived.archive.root().to_path_buf(), name)))
    });
    let known = match made.await.map_err(unmade)?? {
        Err(known) => known,
        Ok((mut told, archive, name)) => {
            if lacks_groups(&told) {
                platform.limits.pass(&request, Limited::Query)?;
                let again = platform.desk.apart(RunTask::Groups { archive, key }).await;
                take_groups(&mut told, again.as_ref().unwrap_or(&Value::Null));
            }
            let text = json::text(&told);
            makers.make(move |shown| shown.keep(name, &text)).await.map_err(unmade)?
        }
    };
    let known = Arc::unwrap_or_clone(known);
    Ok(tagged(request.headers(), (known.media_type, known.bytes), &known.etag, "no-cache"))
}

/// Whether an evaluation was kept without the groups of questions, or its profile has none.
fn lacks_groups(told: &Value) -> bool {
    let types = told["evaluations"][0]["experiments"].as_object();
    types.is_some_and(|types| types.values().all(|one| one["groups"].as_object().is_some_and(Map::is_empty)))
}

/// Takes the groups of questions of the same evaluation, computed again. They are not known where nobody could do that, or
/// something else came of it.
fn take_groups(told: &mut Value, again: &Value) {
    let types = told["evaluations"][0]["experiments"].as_object_mut();
    for (name, one) in types.into_iter().flatten() {
        let same = again.get(name).filter(|again| again["measures"] == one["measures"]);
        one["groups"] = same.map_or(Value::Null, |same| same["groups"].clone());
    }
}

/// The datasets of which something is published, as the page of these lists them; then those with which answers can be scored here.
#[utoipa::path(
    get, path = "/datasets",
    params(
        ("q" = Option<String>, Query, description = "words of the name"),
        ("kb" = Option<String>, Query, description = "the knowledge graph that the questions are about"),
        ("language" = Option<String>, Query, description = "a language of the questions"),
        ("licence" = Option<String>, Query, description = "the licence"),
        ("after" = Option<usize>, Query, minimum = 0, description = "how many are left out at the beginning"),
        ("page" = Option<usize>, Query, minimum = 1, description = "which of the answers with a hundred each, from 1")
    ),
    responses((status = 200, body = DatasetList), (status = 304, description = "the reader has it"), (status = 400, body = HttpProblem, content_type = "application/problem+json"))
)]
pub(crate) async fn list_datasets(
    State(platform): State<Arc<Platform>>,
    headers: HeaderMap,
    wanted: Result<Query<WantedDatasets>, QueryRejection>,
) -> ApiReply {
    let Query(wanted) = wanted.map_err(|error| unread(&error))?;
    let here = offered(&platform).await?.datasets;
    let choice = DatasetChoice {
        words: wanted.q.clone().unwrap_or_default(),
        kb: wanted.kb.clone(),
        language: wanted.language.clone(),
        licence: wanted.licence.clone(),
    };
    let listed = move |all: &[&str]| (!all.is_empty()).then(|| all.join(", "));
    let makers = platform.makers.makers();
    let made = makers.make(move |shown| {
        let all = shown.site.datasets(&choice, &here);
        let entry = |one: &ListedDataset<'_>| {
            let offered = one.entries.iter().find(|entry| here.iter().any(|known| known.name == entry.name));
            let own = one.iri.rsplit('/').next().unwrap_or_default();
            DatasetEntry {
                name: offered.map_or(own, |entry| entry.name).to_owned(),
                offered: offered.is_some(),
                iri: Some(one.iri.to_owned()).filter(|iri| !iri.is_empty()),
                title: one.title.clone(),
                questions: one.questions,
                kb: listed(&one.graphs().into_iter().collect::<Vec<_>>()),
                languages: one.languages().into_iter().collect(),
                licence: listed(&one.licences.iter().map(String::as_str).collect::<Vec<_>>()),
                evaluations: one.evaluations,
            }
        };
        all.iter().map(entry).collect::<Vec<_>>()
    });
    let all = made.await.map_err(unmade)?;
    let pairs =
        [("q", &wanted.q), ("kb", &wanted.kb), ("language", &wanted.language), ("licence", &wanted.licence)];
    let list = format!("{}{API}/datasets", platform.place.url);
    let (count, datasets, next) = part_of(all, (wanted.after, wanted.page), &list, &pairs)?;
    Ok(json_tagged(&headers, &DatasetList { count, datasets, next }))
}

/// The systems with published evaluations, as the page of these lists them.
#[utoipa::path(
    get, path = "/systems",
    params(
        ("q" = Option<String>, Query, description = "words of the name"),
        ("after" = Option<usize>, Query, minimum = 0, description = "how many are left out at the beginning"),
        ("page" = Option<usize>, Query, minimum = 1, description = "which of the answers with a hundred each, from 1")
    ),
    responses((status = 200, body = SystemList), (status = 304, description = "the reader has it"), (status = 400, body = HttpProblem, content_type = "application/problem+json"))
)]
pub(crate) async fn list_systems(
    State(platform): State<Arc<Platform>>,
    headers: HeaderMap,
    wanted: Result<Query<WantedSystems>, QueryRejection>,
) -> ApiReply {
    let Query(wanted) = wanted.map_err(|error| unread(&error))?;
    let words = wanted.q.clone().unwrap_or_default();
    let makers = platform.makers.makers();
    let made = makers.make(move |shown| {
        let all = shown.site.systems(&words).into_iter();
        let entry = |(name, iri, evaluations): (String, &str, usize)| SystemEntry {
            name,
            iri: iri.to_owned(),
            evaluations,
        };
        all.map(entry).collect::<Vec<_>>()
    });
    let all = made.await.map_err(unmade)?;
    let list = format!("{}{API}/systems", platform.place.url);
    let (count, systems, next) = part_of(all, (wanted.after, wanted.page), &list, &[("q", &wanted.q)])?;
    Ok(json_tagged(&headers, &SystemList { count, systems, next }))
}
