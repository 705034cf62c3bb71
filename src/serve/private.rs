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
use crate::report::evaluations::DIGITS_FOR_PEOPLE;
use crate::serve::assess::{self, ASSESS};
use crate::serve::callers::{allowed, owning, same_origin};
use crate::serve::description::SPARQL;
use crate::serve::doing::{page, told};
use crate::serve::live::LiveRun;
use crate::serve::orders::publication;
use crate::serve::pages::{self, without_ending};
use crate::serve::place::{RunAccess, ServerPlace};
use crate::serve::platform::Platform;
use crate::serve::replies::{HttpProblem, moved, reply, see};
use crate::serve::runs::expiry;
use crate::serve::shapes::API;
use crate::serve::uploads::SentForm;
use crate::site::ServedPage;
use crate::site::run::{RunJudging, RunPage, RunPublication};
use crate::workbench::assessing::{ASSESSMENTS, Assessing, AssessorRecord, secret};
use crate::workbench::private::RunSecrets;
use crate::workbench::run::PublishWish;
use crate::workbench::tokens::TokenScope;

/// How often somebody is told at most.
const BETWEEN_EVENTS: Duration = Duration::from_millis(300);

/// How long nothing is told at most: a server that ends does not wait for its readers.
const QUIET: Duration = Duration::from_secs(1);

/// The first segment of the addresses for looking.
const LOOK: &str = "p";

/// The first segment of the addresses for managing.
const MANAGE: &str = "m";

/// The parts of a private address: what it is for, the secret, and what is behind it.
pub(crate) fn private_path(path: &str) -> Option<(&'static str, &str, Option<&str>)> {
    let (first, rest) = path.split_once('/')?;
    let what = [LOOK, MANAGE, ASSESS].into_iter().find(|one| *one == first)?;
    match rest.split_once('/') {
        Some((token, rest)) => Some((what, token, Some(rest))),
        None => Some((what, rest, None)),
    }
}

/// So many characters a secret has.
const WHOLE: usize = 43;

/// So many are more than half of it.
const SECRET: usize = 24;

/// A path for a log: what could be a secret, or most of one, is not in it, however the address was written.
pub(crate) fn without_secrets(path: &str) -> String {
    let decoded = percent_encoding::percent_decode_str(path).decode_utf8_lossy();
    let is_of_secret = |one: char| one.is_ascii_alphanumeric() || one == '-' || one == '_';
    // What stands where a secret does is never told; where it is none, it may be a part of one, and nothing behind it is told.
    let places = [LOOK, MANAGE, ASSESS, "runs"];
    let mut segments = decoded.split('/').skip_while(|segment| !places.contains(segment));
    let (place, word) = (segments.next().unwrap_or_default(), segments.next().unwrap_or_default());
    if !word.is_empty() && (word.len() != WHOLE || !word.chars().all(is_of_secret)) {
        return format!("/{place}/…");
    }
    let decoded = if word.is_empty() { decoded.into_owned() } else { decoded.replacen(word, "…", 1) };
    let mut told = String::new();
    for part in decoded.split_inclusive(|one| !is_of_secret(one)) {
        let word = part.trim_end_matches(|one| !is_of_secret(one));
        // Checksums and names are of fewer letters.
        let has_capitals = word.bytes().any(|byte| byte.is_ascii_uppercase());
        told.push_str(if word.len() >= SECRET && has_capitals { "…" } else { word });
        told.push_str(&part[word.len()..]);
    }
    told
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
    let mut reply = privately(reply);
    if !platform.place.is_trusted() && !path.starts_with(LOOK) {
        // Browsers do not say there where a request is from, and would say of its own forms that they are from nowhere.
        reply.headers_mut().insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    }
    reply
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
    let (what, token, rest) = private_path(path).ok_or_else(nothing)?;
    let token = SecretToken::parse(token).ok_or_else(nothing)?;
    if what == ASSESS {
        let (run, number) =
            assess::found(platform, &token).filter(|_| rest == Some("")).ok_or_else(nothing)?;
        return assess::answer(platform, (&run.folder, number), &token, request).await;
    }
    let is_managing = what == MANAGE;
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
    match (is_managing, without_ending(rest), request.method()) {
        (_, "events", &Method::GET) => Ok(events(platform, &run)),
        (true, "", &Method::GET | &Method::HEAD) | (false, "run", &Method::GET | &Method::HEAD) => {
            run_page(platform, &run, &secrets, (BTreeMap::new(), None), StatusCode::OK).await
        }
        (true, "", &Method::POST) => manage(platform, &run, &secrets, request).await,
        (true, ASSESSMENTS, &Method::GET | &Method::HEAD) => {
            let assessing = Assessing::of(&run.folder).map_err(HttpProblem::told)?.ok_or_else(nothing)?;
            let file = assessing.file(&run.folder).map_err(HttpProblem::told)?;
            Ok(reply(StatusCode::OK, "text/csv; charset=utf-8", file))
        }
        (true, ..) => Err(nothing()),
        (false, door @ ("new" | "check"), _) => Ok(see(&format!("{}{door}", platform.place.url))),
        (false, ..) => {
            let public = run.record().published;
            if let Some(public) = public {
                let RunPublication::Public { address, .. } = platform.desk.publication(&run) else {
                    return Err(nothing());
                };
                // What was looked at in private has the same path in public, or is gone with the rest.
                let to = if rest.is_empty() || public.is_withdrawn { &address } else { rest };
                let query = request.uri().query().filter(|_| to == rest).map(|query| format!("?{query}"));
                return Ok(see(&format!("{}{to}{}", platform.place.url, query.unwrap_or_default())));
            }
            let shown = run.shown(platform.limits.most_questions()).await.map_err(HttpProblem::told)?;
            let own = platform.place.below(&format!("{below}/{}", secrets.look.text()));
            if without_ending(rest) == SPARQL {
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
        publication: platform.desk.publication(run),
        number: run.number(),
        addresses: is_managing.then(|| addresses(&platform.place, secrets)),
        closed: match platform.access {
            RunAccess::Anyone => None,
            RunAccess::Nobody => {
                Some("Nothing is published here by others: this server is for reading.".to_owned())
            }
            RunAccess::Token => Some(format!(
                "Who publishes here shows a token, by a program: see {API}/runs at the end of the page on which runs are begun."
            )),
        },
        judging: judging(platform, run, secrets).map_err(HttpProblem::told)?,
        sent: if problem.is_some() { sent } else { record.stated.fields() },
        problem,
    };
    page(platform, "-/-/-", status, ServedPage::Run(Box::new(of))).await
}

/// Who judges the answers of a run, for its owner.
fn judging(platform: &Platform, run: &LiveRun, secrets: &RunSecrets) -> Result<RunJudging, Error> {
    let Some(assessing) = Assessing::of(&run.folder)?.filter(|_| secrets.manage.is_some()) else {
        return Ok(RunJudging::default());
    };
    let assessor = |(at, one): (usize, &AssessorRecord)| {
        let address = format!("{}{ASSESS}/{}/", platform.place.url, secret(secrets, &one.name)?.text());
        Ok((one.name.clone(), address, assessing.progress(&run.folder, at)?))
    };
    let assessors = assessing.assessors.iter().enumerate().map(assessor).collect::<Result<_, Error>>()?;
    let agreement = assessing.agreement(&run.folder)?;
    Ok(RunJudging {
        assessors,
        agreement: agreement.map(|value| value.map(|value| value.value.to_fixed(DIGITS_FOR_PEOPLE))),
    })
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
    owning(platform)?;
    let tray = platform.desk.tray().map_err(HttpProblem::told)?;
    let form = SentForm::read(request, tray).await?;
    let done = match form.first("do").unwrap_or_default() {
        "stop" => run.stop_wholly().await,
        "delete" => match platform.desk.delete(run).await {
            Ok(()) => return Ok(see(&platform.place.url)),
            Err(error) => Err(error),
        },
        "publish" => {
            allowed(platform, &headers, TokenScope::Publish)?;
            // The form has what was said before.
            let wish = publication(&form, &PublishWish::default());
            wish.problems_now().into_iter().next().map_or_else(|| platform.desk.publish(run, wish), Err)
        }
        "judge" => platform.desk.judge(run, secrets, &form.parted("assessors")).await,
        "score-judged" => platform.desk.score_judged(run),
        "withdraw" => platform.desk.withdraw(run, form.first("reason").unwrap_or_default()).await,
        _ => Err(Error::input("nobody says what is to be done")
            .allowed("publish, stop, delete, withdraw, judge, score-judged")),
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
        let secret = "A-_b".repeat(10) + "xyz";
        for (path, told) in [
            (format!("/p/{secret}/evaluation/x"), "/p/…/evaluation/x"),
            (format!("/%6d/{secret}"), "/m/…"),
            (format!("//{secret}//"), "//…//"),
            (format!("/m%2F{secret}"), "/m/…"),
            (format!("/m/{}", &secret[1..42]), "/m/…"),
            (format!("/m/{}%20{}/", &secret[..21], &secret[21..]), "/m/…"),
            (format!("/m/{}", secret.to_lowercase()), "/m/…"),
            (format!("/p/%25{}", &secret[..10]), "/p/…"),
            ("/dataset/qald-9-plus-test-wikidata/1".to_owned(), "/dataset/qald-9-plus-test-wikidata/1"),
            (
                "/evaluation/ab76dfdbc53492d6c70d8537ca465ecf".to_owned(),
                "/evaluation/ab76dfdbc53492d6c70d8537ca465ecf",
            ),
        ] {
            assert_eq!(without_secrets(&path), told, "{path}");
        }
    }
}
