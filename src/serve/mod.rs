//! SERVE: the web platform: over HTTP, the pages of what an archive has published, and its SPARQL endpoint.
//!
//! Nothing else is seen: threads that own the published part of the archive make the pages ([`makers`]), a process of its own
//! answers each query ([`endpoint`]).

mod api;
mod assess;
mod callers;
mod description;
mod doing;
mod endpoint;
mod limits;
mod live;
mod makers;
mod metrics;
mod once;
mod orders;
mod pages;
pub mod place;
mod platform;
mod private;
mod published;
mod replies;
mod runs;
mod shapes;
mod uploads;

use std::collections::BTreeSet;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use axum::extract::{ConnectInfo, DefaultBodyLimit, Request, State};
use axum::http::header::CACHE_CONTROL;
use axum::http::uri::Authority;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use axum::{Extension, Router};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use socket2::{Domain, Protocol, Socket, Type};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, watch};
use tower::ServiceExt as _;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, Predicate};
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::TimeoutLayer;

use crate::base::clock::{Stopwatch, now};
use crate::base::error::{Error, Result};
use crate::base::text;
use crate::kb::ask::Limits;
use crate::kb::remote::RemoteStore;
use crate::serve::description::{SPARQL, VOID, described};
use crate::serve::doing::{CHECK, NEW};
use crate::serve::endpoint::{GRAPH_STORE, QueryDesk};
use crate::serve::limits::{CallLimits, Limited};
use crate::serve::makers::{ArchivePart, Making, WatchedArchive};
use crate::serve::metrics::ServerMetrics;
use crate::serve::pages::{is_comparing, without_ending};
use crate::serve::place::{RunAccess, ServeSettings, ServerPlace};
use crate::serve::platform::Platform;
use crate::serve::private::{private_path, without_secrets};
use crate::serve::replies::{
    HttpProblem, ProblemCode, READING, liked, moved, options, other_method, plain, safe, see, weakened,
};
use crate::serve::runs::RunDesk;
use crate::serve::shapes::API;
use crate::serve::uploads::{KeptTrays, MOST_OF_FORM};
use crate::site::ServedPage;
use crate::site::route::ListPage;
use crate::workbench::tokens::AccessTokens;

/// The longest that a request may take beside the time of a query, its body included.
const LONGEST_REQUEST: Duration = Duration::from_secs(60);

/// How often the archive is looked at for what was published meanwhile.
const LOOK: Duration = Duration::from_secs(2);

/// The longest that the head of a request takes.
const SLOWEST_HEAD: Duration = Duration::from_secs(15);

/// How a client begins who speaks HTTP/2 (RFC 9113, section 3.4).
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// How many connections are open at once; others wait to be taken.
const MOST_CONNECTIONS: usize = 2_000;

/// How long replies may take that were begun when the server was told to end.
const LAST_REPLIES: Duration = Duration::from_secs(10);

/// What is waited after a connection could not be taken: there are too many files, for a moment.
const AFTER_FAILURE: Duration = Duration::from_millis(100);

/// Where hosts tell of their data (RFC 8615).
const WELL_KNOWN: &str = "/.well-known/void";

/// How often what is old is let go.
const CLEANING: Duration = Duration::from_secs(600);

/// A server that listens already.
#[derive(Debug)]
pub struct WebServer {
    listener: TcpListener,
    address: SocketAddr,
    /// Where its numbers are told.
    metrics: Option<SocketAddr>,
    platform: Arc<Platform>,
}

impl WebServer {
    /// Opens the archive, and listens.
    ///
    /// # Errors
    /// Where there is no archive, or it cannot be read; where the address is taken, or others could reach it and nobody said
    /// under which name.
    pub fn open(settings: &ServeSettings) -> Result<Self> {
        settings.refuse_silent_opening()?;
        if let Some(store) = &settings.store {
            // Whether somebody is there and keeps what it is given is known before anybody asks.
            let limits = Limits { time: Duration::from_secs(settings.query_seconds), ..Limits::default() };
            RemoteStore::connect(store, &limits)?;
        }
        let cannot = |error: io::Error| {
            Error::system(format!("cannot listen at {}: {error}", settings.listen))
                .hint("`⌥port 0` takes a port that is free")
        };
        let listener = bound(settings.listen).map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        let place = ServerPlace::of(settings, address)?;
        let limits = CallLimits::new(settings.public_url.is_some(), &settings.proxies);
        let making = Making { threads: settings.makers, most_questions: limits.most_questions() };
        let makers = Arc::new(WatchedArchive::open(&settings.archive, ArchivePart::Published, making)?);
        let desk = RunDesk::open(&settings.archive, Arc::clone(&makers), settings.runs.clone())?;
        if !desk.is_owner() && settings.access() != RunAccess::Nobody {
            return Err(Error::input(
                "another server does the runs of this archive, or it cannot be written",
            )
            .in_file(settings.archive.display().to_string())
            .hint("`⌥accept nobody` serves it for reading"));
        }
        let platform = Platform {
            archive: std::fs::canonicalize(&settings.archive).map_err(cannot)?,
            place,
            makers,
            endpoint: QueryDesk::new(settings),
            desk: Arc::new(desk),
            trays: KeptTrays::default(),
            tokens: AccessTokens::of(&settings.archive),
            access: settings.access(),
            limits,
            metrics: ServerMetrics::new(),
            judging: tokio::sync::Mutex::default(),
            is_ending: AtomicBool::new(false),
            logs: settings.logs,
            patience: LONGEST_REQUEST + Duration::from_secs(settings.query_seconds),
        };
        Ok(Self { listener, address, metrics: settings.metrics, platform: Arc::new(platform) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What the addresses of its pages begin with.
    pub fn url(&self) -> &str {
        &self.platform.place.url
    }

    /// What it would do, for who runs it.
    pub fn described(&self) -> String {
        let Platform { place, archive, .. } = &*self.platform;
        format!(
            "archive     {}\nlistens at  {}\nis seen at  {}\nruns        {}\n",
            archive.display(),
            self.address,
            place.url,
            self.platform.runs_told()
        )
    }

    /// Its routes, as a service.
    pub fn router(&self) -> Router {
        router(&self.platform)
    }

    /// Serves until the program is told to end; what was begun is answered.
    ///
    /// # Errors
    /// Where the server cannot work.
    pub fn serve(self) -> Result<()> {
        let cannot = |error: io::Error| Error::system(format!("the server cannot work: {error}"));
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(cannot)?;
        let router = self.router();
        let served = runtime.block_on(async {
            self.platform.desk.resume().map_err(io::Error::other)?;
            tokio::spawn(look_after(Arc::clone(&self.platform)));
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let platform = Arc::clone(&self.platform);
            if let Some(address) = self.metrics {
                let told = Arc::clone(&platform);
                tokio::spawn(async move {
                    let text = move || told.metrics.text(told.desk.queue(), &told.desk.stages());
                    if let Err(error) = metrics::tell(address, text).await {
                        anstream::eprintln!("the metrics cannot be told at {address}: {error}");
                    }
                });
            }
            let told = async move {
                told_to_end().await;
                platform.is_ending.store(true, Ordering::Relaxed);
                platform.desk.end();
            };
            listen(listener, router, told).await;
            Ok(())
        });
        // What runs is ended with its process; parts of runs that were not done to their end begin again.
        runtime.shutdown_timeout(Duration::from_secs(2));
        served.map_err(cannot)
    }
}

/// Binds an address. As many may wait for a connection as can have one: who is not let wait tries again after a second.
fn bound(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    // Elsewhere it would let others take the address too.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    socket.listen(i32::try_from(MOST_CONNECTIONS).unwrap_or(i32::MAX))?;
    socket.set_nonblocking(true)?;
    Ok(socket.into())
}

/// Takes connections until the server is told to end; what was begun is answered, for a while.
async fn listen(listener: tokio::net::TcpListener, router: Router, told_to_end: impl Future<Output = ()>) {
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(SLOWEST_HEAD);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(SLOWEST_HEAD);
    let (graceful, places) = (GracefulShutdown::new(), Arc::new(Semaphore::new(MOST_CONNECTIONS)));
    let (end, ended) = watch::channel(());
    tokio::pin!(told_to_end);
    loop {
        let accepted = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut told_to_end => break,
        };
        let Ok((stream, peer)) = accepted else {
            tokio::time::sleep(AFTER_FAILURE).await;
            continue;
        };
        let service = TowerToHyperService::new(router.clone().layer(Extension(ConnectInfo(peer))));
        let (builder, watcher, mut ended) = (builder.clone(), graceful.watcher(), ended.clone());
        tokio::spawn(async move {
            let has_spoken = tokio::select! {
                spoke = tokio::time::timeout(SLOWEST_HEAD, speaks(&stream)) => spoke.unwrap_or(false),
                _ = ended.changed() => false,
            };
            if has_spoken {
                let connection = builder.serve_connection_with_upgrades(TokioIo::new(stream), service);
                // Who breaks off is nobody's error.
                drop(watcher.watch(connection.into_owned()).await);
            }
            drop(place);
        });
    }
    drop((listener, end));
    drop(tokio::time::timeout(LAST_REPLIES, graceful.shutdown()).await);
}

/// Waits until it is known which version of HTTP somebody speaks: he has no place for saying nothing. Whether he does.
async fn speaks(stream: &TcpStream) -> bool {
    let mut seen = [0; PREFACE.len()];
    loop {
        match stream.peek(&mut seen).await {
            Ok(0) | Err(_) => return false,
            Ok(number) if number < PREFACE.len() && PREFACE.starts_with(&seen[..number]) => {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            Ok(_) => return true,
        }
    }
}

/// Sees what was published meanwhile, and lets go what is old.
async fn look_after(platform: Arc<Platform>) {
    let mut since = Stopwatch::start();
    loop {
        tokio::time::sleep(LOOK).await;
        platform.makers.renew().await;
        if since.elapsed() > CLEANING {
            since = Stopwatch::start();
            platform.trays.clear();
            platform.limits.forget();
            let desk = Arc::clone(&platform.desk);
            if let Ok(Err(error)) = tokio::task::spawn_blocking(move || desk.expire()).await {
                anstream::eprintln!("{error}");
            }
        }
    }
}

/// Ends when the program is told to.
async fn told_to_end() {
    let interrupted = async { tokio::signal::ctrl_c().await.unwrap_or_default() };
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let Ok(mut terminated) = signal(SignalKind::terminate()) else { return interrupted.await };
        tokio::select! {
            () = interrupted => {}
            _ = terminated.recv() => {}
        }
    }
    #[cfg(not(unix))]
    interrupted.await;
}

/// The routes. Below the path of the server only; `health` is also above it, for whoever watches the process.
fn router(platform: &Arc<Platform>) -> Router {
    let places = BTreeSet::from(["/health".to_owned(), format!("{}health", platform.place.path)]);
    let routes = places.iter().fold(Router::new(), |routes, place| routes.route(place, any(health)));
    routes
        .fallback(answer)
        .with_state(Arc::clone(platform))
        .layer(CompressionLayer::new().br(true).gzip(true).compress_when(Public.and(DefaultPredicate::new())))
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, platform.patience))
        .layer(DefaultBodyLimit::disable())
        .layer(RequestBodyLimitLayer::new(MOST_OF_FORM))
        .layer(CatchPanicLayer::custom(|_: Box<dyn std::any::Any + Send>| {
            plain(StatusCode::INTERNAL_SERVER_ERROR, "the server failed; nothing is lost\n")
        }))
        .layer(from_fn_with_state(Arc::clone(platform), guard))
}

/// Who asks for another host is refused; every reply says how safe it is to be shown; each request is a line of the log.
async fn guard(State(platform): State<Arc<Platform>>, request: Request, next: Next) -> Response {
    let watch = Stopwatch::start();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let mut reply =
        if platform.place.knows(request.headers(), request.uri().authority().map(Authority::as_str)) {
            next.run(request).await
        } else {
            HttpProblem::new(StatusCode::MISDIRECTED_REQUEST, "host", "this server has another name")
                .allowed(&platform.place.url)
                .reply()
        };
    // What the layer of limits says of itself is no problem for programs.
    if reply.status() == StatusCode::PAYLOAD_TOO_LARGE && reply.extensions().get::<ProblemCode>().is_none() {
        reply = HttpProblem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", "too much was sent")
            .allowed(&format!("{} MB", MOST_OF_FORM >> 20))
            .reply();
    }
    let whole = path;
    let behind = platform.place.behind(&whole).map(without_ending).unwrap_or_default();
    let is_open = private_path(behind).is_none()
        && ![NEW, CHECK].contains(&behind)
        && !["runs", "check", "submissions"].iter().any(|end| behind.starts_with(&format!("{API}/{end}")));
    safe(reply.headers_mut(), platform.place.url.starts_with("https:"), is_open);
    // Its own place is no secret, whatever it is called.
    let path = match platform.place.behind(&whole) {
        Some(own) => format!("{}{}", platform.place.path, without_secrets(own).trim_start_matches('/')),
        None => without_secrets(&whole),
    };
    weakened(reply.headers_mut());
    platform.metrics.count(behind, reply.status(), watch.elapsed());
    if let Some(ProblemCode(code)) = reply.extensions().get() {
        platform.metrics.refused(behind, code);
    }
    let id = request_id();
    if platform.logs {
        log((&method, &path, &id), reply.status(), watch);
    }
    if let Ok(id) = HeaderValue::from_str(&id) {
        reply.headers_mut().insert(HeaderName::from_static("x-request-id"), id);
    }
    reply
}

/// What names a request in the log, for who complains about its reply.
fn request_id() -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let time = now().map(|now| now.nanoseconds / 1_000_000).unwrap_or_default();
    format!("{time:x}-{:x}", NUMBER.fetch_add(1, Ordering::Relaxed))
}

/// A line of JSON on standard error: no address of the client, no query string.
fn log((method, path, id): (&Method, &str, &str), status: StatusCode, watch: Stopwatch) {
    let time = now().map(|now| now.date_time).unwrap_or_default();
    let line = serde_json::json!({
        "time": time,
        "id": id,
        "method": method.as_str(),
        "path": text::beginning(path, 200),
        "status": status.as_u16(),
        "seconds": watch.elapsed().as_secs_f64(),
    });
    anstream::eprintln!("{line}");
}

/// What may be packed: a secret beside what a stranger chooses could be guessed from the size (BREACH).
#[derive(Debug, Clone, Copy)]
struct Public;

impl Predicate for Public {
    fn should_compress<B: http_body::Body>(&self, reply: &axum::http::Response<B>) -> bool {
        reply.headers().get(CACHE_CONTROL).is_none_or(|stated| stated != "no-store")
    }
}

/// Answers everything that has no route of its own.
async fn answer(State(platform): State<Arc<Platform>>, request: Request) -> Response {
    let (makers, place) = (&platform.makers, &platform.place);
    let whole = request.uri().path().to_owned();
    let behind = place.behind(&whole).map(without_ending);
    // In private it costs as much.
    let within = behind.map(|path| private_path(path).map_or(path, |(_, _, rest)| rest.unwrap_or_default()));
    let asks = within.map(without_ending);
    let searches = asks == Some("search") && request.uri().query().is_some();
    let asks =
        searches || asks.is_some_and(|path| [SPARQL, GRAPH_STORE].contains(&path) || is_comparing(path));
    if asks && let Err(problem) = platform.limits.pass(&request, Limited::Query) {
        return problem.reply();
    }
    let read = behind.filter(|_| [Method::GET, Method::HEAD].contains(request.method()));
    if let Some(headers) = read.and_then(|path| described(path, request.headers())) {
        return platform.endpoint.described(makers, place, &headers).await;
    }
    // Who knows nothing but the name of the host begins here (W3C, Describing Linked Datasets with the VoID Vocabulary, section 7.2).
    if whole == WELL_KNOWN {
        return see(&format!("{}{VOID}", place.url));
    }
    if read == Some(ListPage::About.name()) && liked(request.headers(), &["text/html"]).is_some() {
        let page = ServedPage::About(platform.about());
        let made = doing::page(&platform, ListPage::About.name(), StatusCode::OK, page).await;
        return made.unwrap_or_else(IntoResponse::into_response);
    }
    match behind {
        Some(path @ (NEW | CHECK)) => doing::answer(&platform, path, request).await,
        Some(path) if private_path(path).is_some() => private::answer(&platform, path, request).await,
        Some(path) if path == API || path.starts_with("api/v1/") => {
            let path = path[API.len()..].to_owned();
            for_programs(&platform, &path, request).await
        }
        Some(SPARQL) => platform.endpoint.answer(makers, place, request).await,
        Some(GRAPH_STORE) => platform.endpoint.graph(makers, &request.into_parts().0).await,
        Some(_) => {
            let (parts, _) = request.into_parts();
            pages::answer(makers, place, place.behind(&whole).unwrap_or_default(), &parts).await
        }
        None if format!("{whole}/") == place.path => moved(&place.path),
        None => HttpProblem::new(StatusCode::NOT_FOUND, "not-found", "there is nothing at this address")
            .allowed(&place.url)
            .reply(),
    }
}

/// Answers a program.
async fn for_programs(platform: &Arc<Platform>, path: &str, mut request: Request) -> Response {
    if request.method() == Method::OPTIONS {
        return options(api::methods(path));
    }
    let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
    let path = if path.is_empty() { "/" } else { path };
    let Ok(uri) = format!("{path}{query}").parse() else {
        return HttpProblem::new(StatusCode::NOT_FOUND, "not-found", "there is nothing at this address")
            .reply();
    };
    *request.uri_mut() = uri;
    let answered = api::router().with_state(Arc::clone(platform)).oneshot(request).await;
    answered.unwrap_or_else(|never| match never {})
}

/// Whether the server works; with `ready`, whether it can take more to do.
async fn health(State(platform): State<Arc<Platform>>, request: Request) -> Response {
    if let Some(other) = other_method(request.method(), READING, ("method", "this address is for reading")) {
        return other;
    }
    let mut lacks: Vec<&str> = Vec::new();
    lacks.extend((!platform.makers.is_whole()).then_some("the archive cannot be read"));
    if request.uri().query().is_some_and(|query| query.split('&').any(|word| word == "ready")) {
        lacks.extend(platform.is_ending.load(Ordering::Relaxed).then_some("the server ends"));
        lacks.extend(platform.desk.is_full().then_some("the queue or the disk is full"));
    }
    let status = if lacks.is_empty() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let said = if lacks.is_empty() { "ready".to_owned() } else { lacks.join("; ") };
    plain(status, &format!("{said}\n"))
}
