//! Private addresses: who has one looks at a run, who has the other one decides what becomes of it. For everybody else there is
//! nothing there, in the same words and the same time as anywhere.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, HeaderMap, HeaderName, HeaderValue, REFERRER_POLICY};
use axum::http::{Method, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream::unfold;

use crate::base::error::Error;
use crate::base::token::SecretToken;
use crate::serve::Platform;
use crate::serve::callers::{allowed, same_origin};
use crate::serve::doing::{page, see, told};
use crate::serve::endpoint::SPARQL;
use crate::serve::orders::publication;
use crate::serve::pages;
use crate::serve::place::ServerPlace;
use crate::serve::replies::{HttpProblem, moved};
use crate::serve::runs::{LiveRun, expiry};
use crate::serve::uploads::SentForm;
use crate::site::ServedPage;
use crate::site::run::{RunPage, RunPublication};
use crate::workbench::private::RunSecrets;
use crate::workbench::tokens::TokenScope;

/// How often somebody is told at most.
const BETWEEN_EVENTS: Duration = Duration::from_millis(300);

/// How long nothing is told at most: a server that ends does not wait for its readers.
const QUIET: Duration = Duration::from_secs(1);

/// The first segment of the addresses for looking.
const LOOK: &str = "p";

/// The first segment of the addresses for managing.
const MANAGE: &str = "m";

/// The address of a private page, without the secret: the token and what is behind it, and whether it is for managing.
pub(crate) fn private_path(path: &str) -> Option<(bool, &str, Option<&str>)> {
    let (first, rest) = path.split_once('/')?;
    let is_managing = match first {
        LOOK => false,
        MANAGE => true,
        _ => return None,
    };
    match rest.split_once('/') {
        Some((token, rest)) => Some((is_managing, token, Some(rest))),
        None => Some((is_managing, rest, None)),
    }
}

/// The same for a log.
pub(crate) fn without_secret(path: &str) -> Option<String> {
    let (is_managing, _, rest) = private_path(path)?;
    Some(format!("{}/…{}", if is_managing { MANAGE } else { LOOK }, rest.map_or("", |_| "/…")))
}

/// The addresses of a run: for looking, and for managing.
pub(crate) fn addresses(place: &ServerPlace, secrets: &RunSecrets) -> [String; 2] {
    let manage = secrets.manage.as_ref().map(SecretToken::text).unwrap_or_default();
    [format!("{}{LOOK}/{}/", place.url, secrets.look.text()), format!("{}{MANAGE}/{manage}/", place.url)]
}

/// Answers at a private address.
pub(crate) async fn answer(platform: &Arc<Platform>, path: &str, request: Request) -> Response {
    let headers = request.headers().clone();
    let reply = match found(platform, path, request).await {
        Ok(reply) => reply,
        // Nothing of the address is told.
        Err(problem) => told(platform, "-/-/-", &headers, problem).await,
    };
    privately(reply)
}

/// A reply that nobody keeps, and that leads nobody here.
pub(crate) fn privately(mut reply: Response) -> Response {
    let fixed = [
        (CACHE_CONTROL, "no-store"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("x-robots-tag"), "noindex"),
    ];
    for (name, value) in fixed {
        reply.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    reply.headers_mut().remove("etag");
    reply
}

async fn found(platform: &Arc<Platform>, path: &str, request: Request) -> Result<Response, HttpProblem> {
    let nothing = || {
        let error = Error::input("there is nothing at this address")
            .hint("the search finds what is here by its name, its key or its IRI");
        HttpProblem::of(StatusCode::NOT_FOUND, "not-found", error)
    };
    let (is_managing, token, rest) = private_path(path).ok_or_else(nothing)?;
    let token = SecretToken::parse(token).ok_or_else(nothing)?;
    let secrets = if is_managing { RunSecrets::managing(token) } else { RunSecrets::looking(token) };
    let of = Arc::clone(platform);
    let (run, secrets) = tokio::task::spawn_blocking(move || (of.desk.find(&secrets), secrets))
        .await
        .map_err(|_| HttpProblem::told(Error::system("a run could not be looked up")))?;
    let run = run.ok_or_else(nothing)?;
    let below = if is_managing { MANAGE } else { LOOK };
    let Some(rest) = rest else {
        return Ok(moved(&format!("{}{path}/", platform.place.url)));
    };
    match (is_managing, rest, request.method()) {
        (_, "events", &Method::GET) => Ok(events(platform, &run)),
        (true, "", &Method::GET | &Method::HEAD) | (false, "run", &Method::GET | &Method::HEAD) => {
            run_page(platform, &run, &secrets, (BTreeMap::new(), None), StatusCode::OK).await
        }
        (true, "", &Method::POST) => manage(platform, &run, &secrets, request).await,
        (true, ..) => Err(nothing()),
        (false, "new" | "check", _) => Ok(see(&format!("{}{rest}", platform.place.url))),
        (false, ..) => {
            let public = run.record().published;
            if let Some(public) = public {
                let RunPublication::Public { address, .. } = platform.desk.publication(&run, &platform.place.url) else {
                    return Err(nothing());
                };
                // What was looked at in private has the same path in public, or is gone with the rest.
                let to = if rest.is_empty() || public.is_withdrawn { address } else { format!("{}{rest}", platform.place.url) };
                return Ok(see(&to));
            }
            let shown = run.shown().await.map_err(HttpProblem::told)?;
            let own = platform.place.below(&format!("{below}/{}", secrets.look.text()));
            if rest == SPARQL {
                return Ok(platform.endpoint.answer(&shown, &own, request).await);
            }
            let rest = rest.to_owned();
            let (parts, _) = request.into_parts();
            Ok(pages::answer(&shown, &own, &rest, &parts).await)
        }
    }
}

/// The page of a run.
async fn run_page(
    platform: &Arc<Platform>,
    run: &Arc<LiveRun>,
    secrets: &RunSecrets,
    (sent, problem): (BTreeMap<String, Vec<String>>, Option<Error>),
    status: StatusCode,
) -> Result<Response, HttpProblem> {
    let record = run.record();
    let is_managing = secrets.manage.is_some();
    let below = if is_managing { format!("../../{LOOK}/{}/", secrets.look.text()) } else { String::new() };
    let of = RunPage {
        started: record.started.clone(),
        expires: expiry(&record.visited).unwrap_or_default(),
        parts: platform.desk.parts(run),
        below,
        events: "events".to_owned(),
        publication: platform.desk.publication(run, &platform.place.url),
        addresses: is_managing.then(|| addresses(&platform.place, secrets)),
        problem,
        sent,
    };
    page(platform, "-/-/-", status, ServedPage::Run(Box::new(of))).await
}

/// Tells when a run is other than it was: what it is then is on its page.
fn events(platform: &Arc<Platform>, run: &Arc<LiveRun>) -> Response {
    let changes = run.changes();
    let state = (Arc::clone(platform), changes, true);
    let stream = unfold(state, |(platform, mut changes, is_first)| async move {
        if !is_first {
            tokio::time::sleep(BETWEEN_EVENTS).await;
            while !matches!(tokio::time::timeout(QUIET, changes.changed()).await, Ok(Ok(()))) {
                if platform.is_ending.load(Ordering::Relaxed) || changes.has_changed().is_err() {
                    return None;
                }
            }
        }
        let number = *changes.borrow_and_update();
        let event = Event::default().event("changed").data(number.to_string());
        Some((Ok::<_, Infallible>(event), (platform, changes, false)))
    });
    Sse::new(stream).keep_alive(KeepAlive::new()).into_response()
}

/// Does what the owner of a run wants.
async fn manage(
    platform: &Arc<Platform>,
    run: &Arc<LiveRun>,
    secrets: &RunSecrets,
    request: Request,
) -> Result<Response, HttpProblem> {
    let headers: HeaderMap = request.headers().clone();
    same_origin(platform, &headers, false)?;
    let tray = platform.desk.tray().map_err(HttpProblem::told)?;
    let form = SentForm::read(request, tray).await?;
    let done = match form.first("do").unwrap_or_default() {
        "stop" => platform.desk.stop(run),
        "delete" => match platform.desk.delete(run).await {
            Ok(()) => return Ok(see(&platform.place.url)),
            Err(error) => Err(error),
        },
        "publish" => {
            allowed(platform, &headers, TokenScope::Publish)?;
            publication(&form).and_then(|wish| platform.desk.publish(run, wish))
        }
        "withdraw" => {
            let withdrawn = platform.desk.withdraw(run, form.first("reason").unwrap_or_default()).await;
            platform.makers.renew().await;
            withdrawn
        }
        _ => Err(Error::input("nobody says what is to be done").allowed("publish, stop, delete, withdraw")),
    };
    match done {
        Ok(()) => Ok(see(&addresses(&platform.place, secrets)[1])),
        Err(error) => {
            let status = HttpProblem::told(error.clone()).code_of_http();
            run_page(platform, run, secrets, (form.fields, Some(error)), status).await
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_know_no_secret() {
        for (path, told) in [
            ("p/abc", Some("p/…")),
            ("p/abc/", Some("p/…/…")),
            ("m/abc/events", Some("m/…/…")),
            ("results", None),
            ("profile/qassay/1", None),
        ] {
            assert_eq!(without_secret(path).as_deref(), told, "{path}");
        }
    }
}
