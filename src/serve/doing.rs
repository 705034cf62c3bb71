//! The forms: files are looked at, runs are begun.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::iter;
use std::sync::Arc;

use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, HeaderMap, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::response::Response;
use serde_json::Value;

use crate::base::error::{Error, ErrorKind, Result};
use crate::base::text::{self, counted};
use crate::base::token::SecretToken;
use crate::profiles::loaders::Loader;
use crate::report::checked::CheckedFile;
use crate::serve::callers::{allowed, same_origin};
use crate::serve::limits::Limited;
use crate::serve::once::OnceKey;
use crate::serve::orders::{RunOrder, field_of, handed_in, is_to_be_public, offer, once_each};
use crate::serve::pages::refused;
use crate::serve::place::RunAccess;
use crate::serve::platform::Platform;
use crate::serve::replies::{HttpProblem, SENDING, other_method, reply, see, unmade};
use crate::serve::uploads::SentForm;
use crate::site::ServedPage;
use crate::site::check::CheckPage;
use crate::site::new::{NewPage, RunOffer};
use crate::sources::catalogue::Entry;
use crate::sources::file::encoding::by_label;
use crate::workbench::private::RunSecrets;
use crate::workbench::run::FileCheck;
use crate::workbench::run_request::AnswerSource;
use crate::workbench::tokens::TokenScope;

/// The path of the page on which runs are begun.
pub(crate) const NEW: &str = "new";

/// The path of the page on which files are looked at.
pub(crate) const CHECK: &str = "check";

pub(crate) const HTML: &str = "text/html; charset=utf-8";

/// What came of an order.
pub(crate) enum Ordered {
    /// It was begun.
    Begun(RunSecrets, RunOrder),
    /// The files were only to be looked at.
    Checked(Vec<CheckedFile>, RunOrder),
    /// What is wrong with it, by its fields; and what was found in its files.
    Wrong(Vec<(String, Error)>, Vec<CheckedFile>),
}

/// Answers a request for one of the forms.
pub(crate) async fn answer(platform: &Arc<Platform>, path: &str, request: Request) -> Response {
    if let Some(other) = other_method(request.method(), SENDING, ("method", "this address is a form")) {
        return other;
    }
    let headers = request.headers().clone();
    let done = match *request.method() {
        Method::GET | Method::HEAD if path == CHECK => {
            check_form(platform, CheckPage::default(), StatusCode::OK).await
        }
        Method::POST => {
            let sent = same_origin(platform, &headers, false);
            match sent {
                Err(problem) => Err(problem),
                Ok(()) if path == CHECK => check(platform, request).await,
                Ok(()) => new(platform, request).await,
            }
        }
        _ => new_empty(platform, request.uri().query().unwrap_or_default()).await,
    };
    let mut reply = match done {
        Ok(reply) => reply,
        Err(problem) => told(platform, path, &headers, problem).await,
    };
    reply.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    reply
}

/// A problem as a page, or for programs.
pub(crate) async fn told(
    platform: &Platform,
    path: &str,
    headers: &HeaderMap,
    problem: HttpProblem,
) -> Response {
    let (headers, path) = (headers.clone(), path.to_owned());
    let makers = platform.makers.makers();
    let made = makers.make(move |shown| {
        refused(shown.site, &headers, &path, &problem)
            .unwrap_or_else(|error| HttpProblem::told(error).reply())
    });
    made.await.unwrap_or_else(|failure| unmade(failure).reply())
}

/// A page that the threads make.
pub(crate) async fn page(
    platform: &Platform,
    path: &str,
    status: StatusCode,
    page: ServedPage,
) -> Result<Response, HttpProblem> {
    let path = path.to_owned();
    let made = platform.makers.makers().make(move |shown| shown.site.served(&path, &page)).await;
    let made = made.map_err(unmade)?.map_err(HttpProblem::told)?;
    Ok(reply(status, HTML, made))
}

/// What can be scored here.
pub(crate) async fn offered(platform: &Arc<Platform>) -> Result<RunOffer, HttpProblem> {
    let of = Arc::clone(platform);
    let offered = tokio::task::spawn_blocking(move || offer(&of.archive, of.desk.settings())).await;
    let mut offer = offered
        .map_err(|_| HttpProblem::told(Error::system("what is here could not be listed")))?
        .map_err(HttpProblem::told)?;
    offer.closed = match platform.access {
        RunAccess::Anyone => None,
        RunAccess::Nobody => Some("Nothing can be begun here: this server is for reading. The line at the end of the page does the same on your machine.".to_owned()),
        RunAccess::Token => Some("Who begins runs here shows a token, by a program: see the end of the page. Files can be looked at by everybody.".to_owned()),
    };
    Ok(offer)
}

/// The catalogue's datasets that are here.
async fn datasets(platform: &Arc<Platform>) -> Result<Vec<&'static Entry>, HttpProblem> {
    Ok(offered(platform).await?.datasets)
}

async fn check_form(
    platform: &Arc<Platform>,
    form: CheckPage,
    status: StatusCode,
) -> Result<Response, HttpProblem> {
    let form = CheckPage { datasets: datasets(platform).await?, place: platform.place.url.clone(), ..form };
    page(platform, CHECK, status, ServedPage::Check(form)).await
}

/// The texts of the form in which files are looked at.
const OF_CHECK: [&str; 3] = ["against", "encoding", "loader"];

/// What was found in the files of a form, or what is wrong with it, by its fields.
pub(crate) type FoundInFiles = Result<Vec<CheckedFile>, Vec<(String, Error)>>;

/// The files of a form, looked at.
pub(crate) async fn checked(
    platform: &Arc<Platform>,
    request: Request,
) -> Result<(SentForm, FoundInFiles), HttpProblem> {
    platform.limits.pass(&request, Limited::Check)?;
    let tray = platform.desk.tray().map_err(HttpProblem::busy)?;
    let form = SentForm::read(request, tray).await?;
    let here = datasets(platform).await?;
    let against = form.first("against").map(str::to_owned);
    let encoding = form.first("encoding").map(str::to_owned);
    let loader = form.first("loader").and_then(Loader::find);
    let mut problems: Vec<(String, Error)> = Vec::new();
    let mut wrong = |field: &str, error: Error| problems.push((field.to_owned(), error));
    for (name, error) in form.unknown(&OF_CHECK, &["file"]) {
        wrong(&name, error);
    }
    if form.tray.files.is_empty() {
        wrong("file", Error::input("there is no file"));
    }
    if let Some(unknown) = against.as_ref().filter(|name| !here.iter().any(|entry| entry.name == **name)) {
        wrong("against", Error::input(format!("this server has no dataset `{}`", text::name(unknown))));
    }
    if let Some(Err(error)) = encoding.as_deref().map(by_label) {
        wrong("encoding", error);
    }
    if let Some(unknown) = form.first("loader").filter(|_| loader.is_none()) {
        let error = Error::input(format!("`{}` is no loader", text::name(unknown)));
        wrong("loader", error.allowed(Loader::ALL.map(Loader::name).join(", ")));
    }
    if !problems.is_empty() {
        return Ok((form, Err(problems)));
    }
    let check = FileCheck {
        folder: form.tray.folder.path().to_path_buf(),
        files: form.tray.files.iter().map(|(_, name)| name.clone()).collect(),
        shelf: platform.archive.clone(),
        encoding,
        against,
        loader,
    };
    let files = platform.desk.check(check).await.map_err(HttpProblem::told)?;
    Ok((form, Ok(files)))
}

async fn check(platform: &Arc<Platform>, request: Request) -> Result<Response, HttpProblem> {
    let (form, found) = match checked(platform, request).await {
        Err(problem) if problem.code_of_http() == StatusCode::UNPROCESSABLE_ENTITY => {
            let problems = vec![("file".to_owned(), problem.error().clone())];
            let page = CheckPage { problems, ..CheckPage::default() };
            return check_form(platform, page, StatusCode::UNPROCESSABLE_ENTITY).await;
        }
        checked => checked?,
    };
    let chosen = |field| form.first(field).map(str::to_owned).into_iter().collect();
    let (against, loader) = (chosen("against"), chosen("loader"));
    let encoding = form.first("encoding").unwrap_or_default().to_owned();
    let page = CheckPage { against, loader, encoding, ..CheckPage::default() };
    match found {
        Ok(files) => check_form(platform, CheckPage { files, ..page }, StatusCode::OK).await,
        Err(problems) => {
            let page = CheckPage { problems, ..page };
            check_form(platform, page, StatusCode::UNPROCESSABLE_ENTITY).await
        }
    }
}

async fn new_empty(platform: &Arc<Platform>, query: &str) -> Result<Response, HttpProblem> {
    let mut sent: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        sent.entry(name.into_owned()).or_default().push(value.into_owned());
    }
    let form = NewPage {
        offer: offered(platform).await?,
        sent,
        place: platform.place.url.clone(),
        ..NewPage::default()
    };
    page(platform, NEW, StatusCode::OK, ServedPage::New(Box::new(form))).await
}

/// The answers that are published here already and that a form names by their keys: their bytes go into the folder of its files.
async fn taken(
    platform: &Arc<Platform>,
    form: &SentForm,
) -> Result<Result<Vec<AnswerSource>, Error>, HttpProblem> {
    let keys = once_each(form.parted("submission"));
    if keys.is_empty() {
        return Ok(Ok(Vec::new()));
    }
    let folder = form.tray.folder.path().to_path_buf();
    let makers = platform.makers.makers();
    let made = makers.make(move |shown| {
        keys.iter()
            .map(|key| {
                let (system, bytes) = shown.submission(key)?;
                let first = format!("submission-{}", key.rsplit('/').next().unwrap_or_default());
                // A file that was sent may be called so, too.
                let others = (2_u32..).map(|at| format!("{first}-{at}"));
                let is_free = |name: &String| !folder.join(name).exists();
                let file = iter::once(first.clone()).chain(others).find(is_free).unwrap_or(first);
                let place = folder.join(&file);
                let written = std::fs::File::create_new(&place).and_then(|mut out| out.write_all(&bytes));
                written.map_err(|error| Error::io("write the file", &place, &error))?;
                Ok(AnswerSource::File { file, system: Some(system) })
            })
            .collect::<Result<Vec<_>, Error>>()
    });
    match made.await.map_err(unmade)? {
        Err(error) if error.kind() != ErrorKind::Input => Err(HttpProblem::told(error)),
        told => Ok(told),
    }
}

/// Begins what a form orders, once its files were looked at. `only_checks`: nothing is begun; `key`: whoever sends the same again
/// begins nothing else.
pub(crate) async fn order(
    platform: &Arc<Platform>,
    form: &mut SentForm,
    (only_checks, key): (bool, Option<OnceKey>),
) -> Result<Ordered, HttpProblem> {
    let offer = offered(platform).await?;
    let (taken, not_taken) = match taken(platform, form).await? {
        Ok(taken) => (taken, None),
        Err(error) => (Vec::new(), Some(("submission".to_owned(), error))),
    };
    let order = tokio::task::block_in_place(|| RunOrder::of(form, &offer, platform.desk.settings(), &taken));
    // Who mends his form mends all of it at once: files are looked at whatever the fields say.
    let (order, mut problems) = match order {
        Ok(order) => (Some(order), Vec::new()),
        Err(problems) => (None, problems),
    };
    if let Some(problem) = not_taken {
        // That there are no answers is told by it.
        problems.retain(|(field, _)| field != "answers");
        problems.push(problem);
    }
    // What is only referred to is read by its own readers.
    let (gold, answers) = (form.files("gold"), form.files("answers"));
    let files: Vec<String> = gold.iter().chain(&answers).cloned().collect();
    let checked = if files.is_empty() {
        Vec::new()
    } else {
        let check = FileCheck {
            folder: form.tray.folder.path().to_path_buf(),
            files,
            shelf: platform.archive.clone(),
            encoding: None,
            loader: None,
            against: order.as_ref().and_then(|order| order.request.dataset.first().cloned()),
        };
        platform.desk.check(check).await.map_err(HttpProblem::told)?
    };
    let failed = checked.iter().filter_map(|one| {
        let field = if gold.contains(&one.file) { "gold" } else { "answers" };
        Some((field.to_owned(), one.error.clone()?))
    });
    problems.extend(failed);
    let Some(order) = order.filter(|_| problems.is_empty()) else {
        return Ok(Ordered::Wrong(problems, checked));
    };
    if only_checks {
        return Ok(Ordered::Checked(checked, order));
    }
    let empty = platform.desk.tray().map_err(HttpProblem::busy)?;
    let tray = std::mem::replace(&mut form.tray.folder, empty);
    let begun =
        platform.desk.begin(tray, order.request.clone(), (order.stated.clone(), order.is_public), key);
    let secrets = begun.map_err(HttpProblem::busy)?;
    Ok(Ordered::Begun(secrets, order))
}

async fn new(platform: &Arc<Platform>, request: Request) -> Result<Response, HttpProblem> {
    let headers = request.headers().clone();
    platform.limits.pass(&request, Limited::Check)?;
    let tray = platform.desk.tray().map_err(HttpProblem::told)?;
    let address = platform.limits.caller(&request);
    let mut form = SentForm::read(request, tray).await?;
    platform.trays.complete(&mut form)?;
    let only = form.first("only").unwrap_or_default().to_owned();
    if only == "find" {
        return again(platform, form, (Vec::new(), Vec::new()), None, StatusCode::OK).await;
    }
    if only != CHECK {
        allowed(platform, &headers, TokenScope::Run)?;
        if is_to_be_public(&form) {
            allowed(platform, &headers, TokenScope::Publish)?;
        }
        platform.limits.pass_from(address, Limited::Run)?;
    }
    if form.first("phase").is_some() && only != CHECK {
        return match hand_in(platform, &form).await? {
            Ok(accepted) => {
                form.fields.clear();
                form.tray.files.clear();
                let page_of = NewPage { accepted: sentences(&accepted), ..NewPage::default() };
                again_as(platform, form, page_of, StatusCode::OK).await
            }
            Err(problem) => {
                let page_of = NewPage { problems: vec![problem], ..NewPage::default() };
                again_as(platform, form, page_of, StatusCode::UNPROCESSABLE_ENTITY).await
            }
        };
    }
    match order(platform, &mut form, (only == CHECK, None)).await? {
        Ordered::Begun(secrets, _) => {
            let manage = secrets.manage.as_ref().map(SecretToken::text).unwrap_or_default();
            Ok(see(&format!("{}m/{manage}/", platform.place.url)))
        }
        Ordered::Checked(files, order) => {
            again(platform, form, (Vec::new(), files), Some(&order), StatusCode::OK).await
        }
        Ordered::Wrong(problems, files) => {
            again(platform, form, (problems, files), None, StatusCode::UNPROCESSABLE_ENTITY).await
        }
    }
}

/// The form as it was sent, with what is wrong or was found.
async fn again(
    platform: &Arc<Platform>,
    form: SentForm,
    (problems, checked): (Vec<(String, Error)>, Vec<CheckedFile>),
    order: Option<&RunOrder>,
    status: StatusCode,
) -> Result<Response, HttpProblem> {
    let lines = order.map(|order| order.request.lines()).unwrap_or_default();
    again_as(platform, form, NewPage { problems, checked, lines, ..NewPage::default() }, status).await
}

/// The form as it was sent, on a page that says something about it.
async fn again_as(
    platform: &Arc<Platform>,
    form: SentForm,
    page_of: NewPage,
    status: StatusCode,
) -> Result<Response, HttpProblem> {
    let files = form.tray.files.clone();
    let kept = if files.is_empty() { None } else { platform.trays.keep(form.tray) };
    let page_of = NewPage {
        offer: offered(platform).await?,
        sent: form.fields,
        tray: kept.map(|token| (token.text(), files)),
        place: platform.place.url.clone(),
        ..page_of
    };
    page(platform, NEW, status, ServedPage::New(Box::new(page_of))).await
}

/// Hands answers in: what was accepted, or what is wrong with the form.
pub(crate) async fn hand_in(
    platform: &Arc<Platform>,
    form: &SentForm,
) -> Result<Result<Value, (String, Error)>, HttpProblem> {
    let order = match handed_in(form, &platform.archive, platform.desk.settings()) {
        Ok(order) => order,
        Err(problem) => return Ok(Err(problem)),
    };
    match platform.desk.hand_in(&form.tray, order).await {
        Ok(accepted) => Ok(Ok(accepted)),
        Err(error) if error.kind() == ErrorKind::Input => Ok(Err((field_of(&error, "answers"), error))),
        Err(error) => Err(HttpProblem::told(error)),
    }
}

/// What is told of what was accepted: nothing about what is right.
fn sentences(accepted: &Value) -> Vec<String> {
    let one = |one: &Value| {
        let count = |name: &str| one[name].as_array().map_or(0, Vec::len);
        format!(
            " as answers of `{}`, with the number {}{}: {} of {} questions answered, {} missing, {} unknown, {} to look at.",
            one["system"].as_str().unwrap_or_default(),
            one["number"],
            one["time"].as_str().map(|time| format!(", at {time}")).unwrap_or_default(),
            one["processed"],
            one["questions"],
            count("missing"),
            count("unknown"),
            counted(count("issues"), "issue")
        )
    };
    accepted["blind"].as_array().into_iter().flatten().map(one).collect()
}
