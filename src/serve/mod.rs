//! SERVE: the web platform: over HTTP, the pages of what an archive has published, and its SPARQL endpoint.
//!
//! Nothing else is seen: threads that own the published part of the archive make the pages ([`makers`]), a process of its own
//! answers each query ([`endpoint`]).

mod endpoint;
mod makers;
mod pages;
pub mod place;
mod replies;

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::any;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::TimeoutLayer;

use crate::base::clock::{Stopwatch, now};
use crate::base::error::{Error, Result};
use crate::base::text;
use crate::serve::endpoint::{QueryDesk, SPARQL};
use crate::serve::makers::WatchedArchive;
use crate::serve::place::{MOST_SENT, ServeSettings, ServerPlace};
use crate::serve::replies::{HttpProblem, moved, plain, safe};

/// The longest that a request may take beside the time of a query, its body included.
const LONGEST_REQUEST: Duration = Duration::from_secs(60);

/// How often the archive is looked at for what was published meanwhile.
const LOOK: Duration = Duration::from_secs(2);

/// What every request is answered from.
#[derive(Debug)]
struct Platform {
    place: ServerPlace,
    makers: WatchedArchive,
    endpoint: QueryDesk,
    /// The longest that a request may take.
    patience: Duration,
}

/// A server that listens already.
#[derive(Debug)]
pub struct WebServer {
    listener: TcpListener,
    address: SocketAddr,
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
        let cannot = |error: std::io::Error| {
            Error::system(format!("cannot listen at {}: {error}", settings.listen))
                .hint("`⌥port 0` takes a port that is free")
        };
        let listener = TcpListener::bind(settings.listen).map_err(cannot)?;
        listener.set_nonblocking(true).map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        let place = ServerPlace::of(settings, address)?;
        let makers = WatchedArchive::open(&settings.archive, settings.makers)?;
        let endpoint = QueryDesk::new(settings);
        let patience = LONGEST_REQUEST + Duration::from_secs(settings.query_seconds);
        Ok(Self { listener, address, platform: Arc::new(Platform { place, makers, endpoint, patience }) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What the addresses of its pages begin with.
    pub fn url(&self) -> &str {
        &self.platform.place.url
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
        let cannot = |error: std::io::Error| Error::system(format!("the server cannot work: {error}"));
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(cannot)?;
        let router = self.router();
        let served = runtime.block_on(async {
            let platform = Arc::clone(&self.platform);
            tokio::spawn(async move {
                loop {
                    tokio::time::sleep(LOOK).await;
                    platform.makers.renew().await;
                }
            });
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            axum::serve(listener, router).with_graceful_shutdown(told_to_end()).await
        });
        // A query that runs is ended with its process.
        runtime.shutdown_timeout(Duration::from_secs(1));
        served.map_err(cannot)
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

/// The routes. Below the path of the server only; `health` is for whoever watches the process.
fn router(platform: &Arc<Platform>) -> Router {
    Router::new()
        .route("/health", any(health))
        .fallback(answer)
        .with_state(Arc::clone(platform))
        .layer(CompressionLayer::new().br(true).gzip(true))
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, platform.patience))
        .layer(RequestBodyLimitLayer::new(MOST_SENT))
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
    safe(reply.headers_mut(), platform.place.url.starts_with("https:"));
    log(&method, &path, reply.status(), watch);
    reply
}

/// A line of JSON on standard error: no address of the client, no query string.
fn log(method: &Method, path: &str, status: StatusCode, watch: Stopwatch) {
    let time = now().map(|now| now.date_time).unwrap_or_default();
    let line = serde_json::json!({
        "time": time,
        "method": method.as_str(),
        "path": text::beginning(path, 200),
        "status": status.as_u16(),
        "seconds": watch.elapsed().as_secs_f64(),
    });
    anstream::eprintln!("{line}");
}

/// Answers everything that has no route of its own.
async fn answer(State(platform): State<Arc<Platform>>, request: Request) -> Response {
    let (makers, place) = (&platform.makers, &platform.place);
    let whole = request.uri().path().to_owned();
    match place.behind(&whole) {
        Some(SPARQL) => platform.endpoint.answer(makers, place, request).await,
        Some(path) => {
            let (parts, _) = request.into_parts();
            pages::answer(makers, place, path, &parts).await
        }
        None if format!("{whole}/") == place.path => moved(&place.path),
        None => HttpProblem::new(StatusCode::NOT_FOUND, "not-found", "there is nothing at this address")
            .allowed(&place.url)
            .reply(),
    }
}

async fn health(State(platform): State<Arc<Platform>>) -> Response {
    let is_whole = platform.makers.is_whole();
    let status = if is_whole { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    plain(status, if is_whole { "ready\n" } else { "the archive cannot be read\n" })
}
