//! The interface for programs, `api/v1`: JSON over HTTP, described by `OpenAPI` 3.1 that is made of the types. Fields are only added.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, Query, Request, State};
use axum::http::header::{HeaderMap, HeaderValue, LOCATION};
use axum::http::{HeaderName, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use futures_util::stream::unfold;
use serde::Deserialize;
use utoipa::OpenApi;

use crate::base::error::Error;
use crate::base::token::SecretToken;
use crate::report::json;
use crate::serve::callers::{allowed, bearer, owning, same_origin};
use crate::serve::doing::{Ordered, checked, hand_in, order};
use crate::serve::limits::Limited;
use crate::serve::live::LiveRun;
use crate::serve::once::OnceKey;
use crate::serve::orders::{field_of, is_to_be_public, publication};
use crate::serve::platform::Platform;
use crate::serve::private::{addresses, privately};
use crate::serve::published;
use crate::serve::replies::{ApiReply, FieldProblem, HttpProblem, allowing, json_reply, reply};
use crate::serve::shapes::{
    API, CheckForm, CheckReport, EvaluationStatus, FileReport, PublishForm, RunBegun, RunForm, RunStatus,
    SubmissionForm, WithdrawForm,
};
use crate::serve::uploads::SentForm;
use crate::site::run::{RunPublication, ShownRunPart, ShownRunState};
use crate::workbench::private::RunSecrets;
use crate::workbench::tokens::TokenScope;

/// What makes a request that is sent again the same one (draft-ietf-httpapi-idempotency-key-header).
const ONCE: HeaderName = HeaderName::from_static("idempotency-key");

/// The longest that somebody waits for a change, in seconds.
const LONGEST_WAIT: u64 = 30;

/// How long nothing is told at most.
const QUIET: Duration = Duration::from_secs(1);

/// The interface of a qassay server: begin evaluations, follow them, publish them, read what is published.
#[derive(OpenApi)]
#[openapi(
    info(title = "qassay", version = "1"),
    paths(
        begin,
        status,
        delete,
        events,
        stop,
        publish,
        withdraw,
        submit,
        check,
        published::list_evaluations,
        published::one_evaluation,
        published::list_datasets,
        published::list_systems
    ),
    components(schemas(RunForm, SubmissionForm, CheckForm, PublishForm, WithdrawForm, HttpProblem))
)]
struct ApiDescription;

/// The routes, below the path of the interface.
pub(crate) fn router() -> Router<Arc<Platform>> {
    Router::new()
        .route("/", get(description))
        .route("/openapi.json", get(description))
        .route("/runs", post(begin))
        .route("/runs/{token}", get(status).delete(delete))
        .route("/runs/{token}/events", get(events))
        .route("/runs/{token}/stop", post(stop))
        .route("/runs/{token}/publish", post(publish))
        .route("/runs/{token}/withdraw", post(withdraw))
        .route("/submissions", post(submit))
        .route("/check", post(check))
        .route("/evaluations", get(published::list_evaluations))
        .route("/evaluations/{key}", get(published::one_evaluation))
        .route("/datasets", get(published::list_datasets))
        .route("/systems", get(published::list_systems))
        .fallback(nothing)
        .method_not_allowed_fallback(no_method)
}

/// What may be done at an address behind that of the interface.
pub(crate) fn methods(path: &str) -> &'static str {
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    match parts.as_slice() {
        ["runs" | "check" | "submissions"] | ["runs", _, "stop" | "publish" | "withdraw"] => "POST, OPTIONS",
        ["runs", _] => "GET, HEAD, DELETE, OPTIONS",
        _ => "GET, HEAD, OPTIONS",
    }
}

async fn nothing() -> HttpProblem {
    HttpProblem::new(StatusCode::NOT_FOUND, "not-found", "the interface has nothing at this address")
        .hint("`api/v1/openapi.json` names its addresses")
}

async fn no_method(request: Request) -> Response {
    let methods = methods(request.uri().path());
    let problem =
        HttpProblem::new(StatusCode::METHOD_NOT_ALLOWED, "method", "this is no method of this address");
    allowing(problem.allowed(methods).reply(), methods)
}

async fn description(State(platform): State<Arc<Platform>>) -> Response {
    let mut described = ApiDescription::openapi();
    described.servers = Some(vec![utoipa::openapi::Server::new(format!("{}{API}", platform.place.url))]);
    json_reply(StatusCode::OK, &described)
}

/// Begin a run.
#[utoipa::path(
    post, path = "/runs",
    request_body(content = RunForm, content_type = "multipart/form-data"),
    params(("Idempotency-Key" = Option<String>, Header, description = "the same key and the same form of the same caller (by token, else by address) begin one run, however often they are sent")),
    responses(
        (status = 202, description = "it was begun", body = RunBegun),
        (status = 400, description = "the form is not whole", body = HttpProblem, content_type = "application/problem+json"),
        (status = 401, description = "a token is needed", body = HttpProblem, content_type = "application/problem+json"),
        (status = 403, description = "this may not be done", body = HttpProblem, content_type = "application/problem+json"),
        (status = 413, description = "too much was sent", body = HttpProblem, content_type = "application/problem+json"),
        (status = 415, description = "this is no form", body = HttpProblem, content_type = "application/problem+json"),
        (status = 422, description = "nothing was begun: what is wrong, by its fields", body = HttpProblem, content_type = "application/problem+json"),
        (status = 429, description = "too many runs", body = HttpProblem, content_type = "application/problem+json"),
        (status = 503, description = "the queue is full", body = HttpProblem, content_type = "application/problem+json")
    )
)]
async fn begin(State(platform): State<Arc<Platform>>, request: Request) -> ApiReply {
    let headers = request.headers().clone();
    same_origin(&platform, &headers, true)?;
    allowed(&platform, &headers, TokenScope::Run)?;
    let caller = match bearer(&headers) {
        Some(token) => token.text(),
        None => platform.limits.caller(&request).map(|network| network.to_string()).unwrap_or_default(),
    };
    let key = headers.get(ONCE).map(HeaderValue::as_bytes).filter(|key| !key.is_empty());
    let key = key.map(|key| OnceKey::name(&caller, key));
    // Who asks again what he was told begins nothing.
    let is_known = key.as_ref().is_some_and(|key| platform.desk.knows(key));
    platform.limits.pass(&request, if is_known { Limited::Check } else { Limited::Run })?;
    let tray = platform.desk.tray().map_err(HttpProblem::told)?;
    let mut form = SentForm::read(request, tray).await?;
    if form.first("phase").is_some() {
        let error = Error::input("answers for a test phase are no run").hint("`submissions` takes them");
        return Err(HttpProblem::fields(&[("phase".to_owned(), error)]));
    }
    if is_to_be_public(&form) {
        allowed(&platform, &headers, TokenScope::Publish)?;
    }
    let key = key
        .map(|key| tokio::task::block_in_place(|| OnceKey::of(key, &form)))
        .transpose()
        .map_err(HttpProblem::told)?;
    match order(&platform, &mut form, (false, key)).await? {
        Ordered::Begun(secrets, order) => {
            let [look, manage] = addresses(&platform.place, &secrets);
            let token = secrets.manage.as_ref().map(SecretToken::text).unwrap_or_default();
            let run = format!("{}{API}/runs/{token}", platform.place.url);
            let profiles = order.request.profile.len().max(1);
            let begun = RunBegun {
                look,
                manage,
                evaluations: order.request.golds().count() * order.request.answers.len() * profiles,
                run: run.clone(),
                lines: order.request.lines(),
            };
            let mut reply = json_reply(StatusCode::ACCEPTED, &begun);
            if let Ok(run) = HeaderValue::from_str(&run) {
                reply.headers_mut().insert(LOCATION, run);
            }
            Ok(privately(reply))
        }
        Ordered::Checked(files, _) => Ok(json_reply(StatusCode::OK, &report(files))),
        Ordered::Wrong(problems, _) => Err(HttpProblem::fields(&problems)),
    }
}

/// The run whose token somebody shows, and whether he may manage it.
async fn found(
    platform: &Arc<Platform>,
    token: &str,
    must_manage: bool,
) -> Result<Arc<LiveRun>, HttpProblem> {
    let none = || HttpProblem::new(StatusCode::NOT_FOUND, "not-found", "there is no run at this address");
    let token = SecretToken::parse(token).ok_or_else(none)?;
    if must_manage {
        owning(platform)?;
    }
    let desk = Arc::clone(&platform.desk);
    let look_up = move || {
        let managed = desk.find(&RunSecrets::managing(token.clone()));
        if must_manage { managed } else { managed.or_else(|| desk.find(&RunSecrets::looking(token))) }
    };
    let found = tokio::task::spawn_blocking(look_up).await;
    found.map_err(|_| HttpProblem::told(Error::system("a run could not be looked up")))?.ok_or_else(none)
}

/// How long somebody waits.
#[derive(Debug, Deserialize)]
struct Waiting {
    /// Seconds to wait for a change, at most 30.
    #[serde(default)]
    wait: u64,
}

/// How far a run is; with `wait`, as soon as that is other than it was.
#[utoipa::path(
    get, path = "/runs/{token}",
    params(("token" = String, Path, description = "for looking or for managing"),
        ("wait" = Option<u64>, Query, minimum = 0, description = "seconds to wait for a change, at most 30")),
    responses((status = 200, body = RunStatus), (status = 400, body = HttpProblem, content_type = "application/problem+json"), (status = 404, body = HttpProblem, content_type = "application/problem+json"))
)]
async fn status(
    State(platform): State<Arc<Platform>>,
    Path(token): Path<String>,
    waiting: Result<Query<Waiting>, axum::extract::rejection::QueryRejection>,
) -> ApiReply {
    let Query(Waiting { wait }) = waiting.map_err(|_| {
        HttpProblem::new(StatusCode::BAD_REQUEST, "input", "`wait` is no number of seconds")
            .allowed("0 to 30")
    })?;
    let run = found(&platform, &token, false).await?;
    let mut changes = run.changes();
    changes.mark_unchanged();
    if wait > 0 && run_status(&platform, &run).state == "running" {
        let seconds = Duration::from_secs(wait.min(LONGEST_WAIT));
        drop(tokio::time::timeout(seconds, changes.changed()).await);
    }
    Ok(privately(json_reply(StatusCode::OK, &run_status(&platform, &run))))
}

/// The same, told as server-sent events whenever it is other than it was.
#[utoipa::path(
    get, path = "/runs/{token}/events",
    params(("token" = String, Path, description = "for looking or for managing")),
    responses(
        (status = 200, description = "events `status` with a RunStatus each", content_type = "text/event-stream"),
        (status = 404, body = HttpProblem, content_type = "application/problem+json")
    )
)]
async fn events(State(platform): State<Arc<Platform>>, Path(token): Path<String>) -> ApiReply {
    let run = found(&platform, &token, false).await?;
    let changes = run.changes();
    let stream = unfold(Some((platform, run, changes, true)), |state| async move {
        let (platform, run, mut changes, is_first) = state?;
        if !is_first {
            while !matches!(tokio::time::timeout(QUIET, changes.changed()).await, Ok(Ok(()))) {
                if platform.is_ending.load(Ordering::Relaxed) {
                    return None;
                }
            }
        }
        changes.mark_unchanged();
        let status = run_status(&platform, &run);
        let text = serde_json::to_string(&status).unwrap_or_default();
        let event = Event::default().event("status").data(text);
        let next = (status.state == "running").then_some((platform, run, changes, false));
        Some((Ok::<_, Infallible>(event), next))
    });
    Ok(privately(Sse::new(stream).keep_alive(KeepAlive::new()).into_response()))
}

/// Delete a run with all that came of it.
#[utoipa::path(
    delete, path = "/runs/{token}",
    params(("token" = String, Path, description = "for managing")),
    responses((status = 204, description = "it is gone"), (status = 400, body = HttpProblem, content_type = "application/problem+json"), (status = 404, body = HttpProblem, content_type = "application/problem+json"))
)]
async fn delete(
    State(platform): State<Arc<Platform>>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> ApiReply {
    same_origin(&platform, &headers, true)?;
    let run = found(&platform, &token, true).await?;
    platform.desk.delete(&run).await.map_err(HttpProblem::told)?;
    Ok(privately(reply(StatusCode::NO_CONTENT, "application/json", "")))
}

/// Stop what is left of a run.
#[utoipa::path(
    post, path = "/runs/{token}/stop",
    params(("token" = String, Path, description = "for managing")),
    responses((status = 200, body = RunStatus), (status = 404, body = HttpProblem, content_type = "application/problem+json"))
)]
async fn stop(
    State(platform): State<Arc<Platform>>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> ApiReply {
    same_origin(&platform, &headers, true)?;
    let run = found(&platform, &token, true).await?;
    run.stop_wholly().await.map_err(HttpProblem::told)?;
    Ok(privately(json_reply(StatusCode::OK, &run_status(&platform, &run))))
}

/// Verify and publish a run when all of it is done.
#[utoipa::path(
    post, path = "/runs/{token}/publish",
    params(("token" = String, Path, description = "for managing")),
    request_body(content = PublishForm, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 202, body = RunStatus), (status = 401, body = HttpProblem, content_type = "application/problem+json"), (status = 403, body = HttpProblem, content_type = "application/problem+json"),
        (status = 404, body = HttpProblem, content_type = "application/problem+json"), (status = 415, body = HttpProblem, content_type = "application/problem+json"), (status = 422, body = HttpProblem, content_type = "application/problem+json")
    )
)]
async fn publish(
    State(platform): State<Arc<Platform>>,
    Path(token): Path<String>,
    request: Request,
) -> ApiReply {
    same_origin(&platform, request.headers(), true)?;
    allowed(&platform, request.headers(), TokenScope::Publish)?;
    let run = found(&platform, &token, true).await?;
    let form = SentForm::read(request, platform.desk.tray().map_err(HttpProblem::told)?).await?;
    form.refuse_unknown(&["creator", "licence", "title"])?;
    let wish = publication(&form, &run.record().stated);
    let wrong = wish.problems_now().into_iter().map(|error| (field_of(&error, "creator"), error));
    match wrong.collect::<Vec<_>>() {
        wrong if wrong.is_empty() => platform.desk.publish(&run, wish).map_err(HttpProblem::unfit)?,
        wrong => return Err(HttpProblem::fields(&wrong)),
    }
    Ok(privately(json_reply(StatusCode::ACCEPTED, &run_status(&platform, &run))))
}

/// Withdraw what a run published.
#[utoipa::path(
    post, path = "/runs/{token}/withdraw",
    params(("token" = String, Path, description = "for managing")),
    request_body(content = WithdrawForm, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 200, body = RunStatus), (status = 404, body = HttpProblem, content_type = "application/problem+json"), (status = 415, body = HttpProblem, content_type = "application/problem+json"),
        (status = 422, body = HttpProblem, content_type = "application/problem+json")
    )
)]
async fn withdraw(
    State(platform): State<Arc<Platform>>,
    Path(token): Path<String>,
    request: Request,
) -> ApiReply {
    same_origin(&platform, request.headers(), true)?;
    let run = found(&platform, &token, true).await?;
    let form = SentForm::read(request, platform.desk.tray().map_err(HttpProblem::told)?).await?;
    form.refuse_unknown(&["reason"])?;
    let reason = form.first("reason").unwrap_or_default();
    platform.desk.withdraw(&run, reason).await.map_err(HttpProblem::unfit)?;
    Ok(privately(json_reply(StatusCode::OK, &run_status(&platform, &run))))
}

/// Hand answers in for a test phase: what is accepted is scored when its organiser releases all results.
#[utoipa::path(
    post, path = "/submissions",
    request_body(content = SubmissionForm, content_type = "multipart/form-data"),
    responses(
        (status = 201, description = "the numbers of what was accepted, with what its ids meet: nothing about what is right", body = Object),
        (status = 400, body = HttpProblem, content_type = "application/problem+json"), (status = 401, body = HttpProblem, content_type = "application/problem+json"), (status = 403, body = HttpProblem, content_type = "application/problem+json"),
        (status = 413, body = HttpProblem, content_type = "application/problem+json"), (status = 415, body = HttpProblem, content_type = "application/problem+json"), (status = 422, body = HttpProblem, content_type = "application/problem+json"),
        (status = 429, body = HttpProblem, content_type = "application/problem+json")
    )
)]
async fn submit(State(platform): State<Arc<Platform>>, request: Request) -> ApiReply {
    same_origin(&platform, request.headers(), true)?;
    allowed(&platform, request.headers(), TokenScope::Run)?;
    platform.limits.pass(&request, Limited::Run)?;
    let form = SentForm::read(request, platform.desk.tray().map_err(HttpProblem::busy)?).await?;
    match hand_in(&platform, &form).await? {
        Ok(accepted) => Ok(privately(json_reply(StatusCode::CREATED, &accepted))),
        Err(problem) => Err(HttpProblem::fields(&[problem])),
    }
}

/// Look at files: what they hold and what is wrong with them. Nothing is kept.
#[utoipa::path(
    post, path = "/check",
    request_body(content = CheckForm, content_type = "multipart/form-data"),
    responses(
        (status = 200, body = CheckReport), (status = 400, body = HttpProblem, content_type = "application/problem+json"), (status = 413, body = HttpProblem, content_type = "application/problem+json"),
        (status = 415, body = HttpProblem, content_type = "application/problem+json"), (status = 422, body = HttpProblem, content_type = "application/problem+json"), (status = 429, body = HttpProblem, content_type = "application/problem+json")
    )
)]
async fn check(State(platform): State<Arc<Platform>>, request: Request) -> ApiReply {
    same_origin(&platform, request.headers(), true)?;
    let (_, found) = checked(&platform, request).await?;
    let files = found.map_err(|problems| HttpProblem::fields(&problems))?;
    Ok(privately(json_reply(StatusCode::OK, &report(files))))
}

fn report(files: Vec<crate::report::checked::CheckedFile>) -> CheckReport {
    let one = |file: crate::report::checked::CheckedFile| {
        let (loaded, refused) = match file.loaded {
            Some(Ok(loaded)) => (Some(loaded), None),
            Some(Err(error)) => (None, Some(FieldProblem::of("loader", &error))),
            None => (None, None),
        };
        FileReport {
            readable: file.report.is_some(),
            problem: file.error.as_ref().map(|error| FieldProblem::of("file", error)).or(refused),
            against: file.against.as_ref().map(json::value),
            file: file.file,
            report: file.report,
            loaded,
        }
    };
    CheckReport { files: files.into_iter().map(one).collect() }
}

fn run_status(platform: &Platform, run: &LiveRun) -> RunStatus {
    let record = run.record();
    let parts = platform.desk.parts(run);
    let (publication, published, refused) = match platform.desk.publication(run) {
        RunPublication::Private => ("private", None, None),
        RunPublication::Wanted => ("wanted", None, None),
        RunPublication::Refused(error) => ("refused", None, Some(FieldProblem::of("", &error))),
        RunPublication::Public { iri, is_withdrawn, .. } => {
            (if is_withdrawn { "withdrawn" } else { "published" }, Some(iri), None)
        }
    };
    let moves =
        |part: &ShownRunPart| matches!(part.state, ShownRunState::Waiting(_) | ShownRunState::Running(..));
    let is_running = publication == "wanted" || parts.iter().any(moves);
    let is_stopped = parts.iter().any(|part| matches!(part.state, ShownRunState::Stopped));
    let usual = vec!["qassay".to_owned()];
    let profiles = if record.request.profile.is_empty() { &usual } else { &record.request.profile };
    let evaluations = parts.iter().flat_map(|part| statuses(part, profiles, platform.desk.base()));
    RunStatus {
        state: match (is_running, is_stopped) {
            (true, _) => "running",
            (false, true) => "stopped",
            (false, false) => "done",
        },
        started: record.started.clone(),
        publication,
        published,
        refused,
        evaluations: evaluations.collect(),
    }
}

/// The evaluations of a part: one for each profile.
fn statuses(part: &ShownRunPart, profiles: &[String], base: &str) -> Vec<EvaluationStatus> {
    let status = |profile: &str, state| EvaluationStatus {
        system: part.system.clone(),
        dataset: part.dataset.clone(),
        profile: profile.to_owned(),
        state,
        errors: part.failures.as_ref().map(|failed| failed.count),
        last_error: part.failures.as_ref().and_then(|failed| failed.last.clone()),
        ..EvaluationStatus::default()
    };
    if let ShownRunState::Done(results) = &part.state {
        let one = |result: &crate::site::run::RunResult| EvaluationStatus {
            key: Some(result.key.clone()),
            evaluation: Some(format!("{base}evaluation/{}", result.key)),
            measure: Some(result.measure.clone()),
            value: result.value.clone(),
            known: Some(result.is_known),
            ..status(&result.profile, "done")
        };
        return results.iter().map(one).collect();
    }
    let one = |profile: &String| match &part.state {
        ShownRunState::Waiting(place) => {
            EvaluationStatus { place: Some(*place), ..status(profile, "waiting") }
        }
        ShownRunState::Running(stage) => EvaluationStatus {
            stage: Some(stage.name.clone()),
            done: Some(stage.done),
            of: Some(stage.of),
            ..status(profile, if stage.name == "asking" { "asking" } else { "running" })
        },
        ShownRunState::Failed(error) => {
            EvaluationStatus { problem: Some(FieldProblem::of("", error)), ..status(profile, "failed") }
        }
        ShownRunState::Stopped | ShownRunState::Done(_) => status(profile, "stopped"),
    };
    profiles.iter().map(one).collect()
}
