//! Connections: who sends the head of a request too slowly, or is one too many, waits or is let go.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ConnectInfo;
use axum::{Extension, Router};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// The longest that the head of a request takes.
const SLOWEST_HEAD: Duration = Duration::from_secs(15);

/// How many connections are open at once; others wait to be taken.
const MOST_CONNECTIONS: usize = 2_000;

/// How long replies may take that were begun when the server was told to end.
const LAST_REPLIES: Duration = Duration::from_secs(10);

/// What is waited after a connection could not be taken: there are too many files, for a moment.
const AFTER_FAILURE: Duration = Duration::from_millis(100);

/// Takes connections until the server is told to end; what was begun is answered, for a while.
pub(crate) async fn listen(listener: TcpListener, router: Router, told_to_end: impl Future<Output = ()>) {
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(SLOWEST_HEAD);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(SLOWEST_HEAD);
    let (graceful, places) = (GracefulShutdown::new(), Arc::new(Semaphore::new(MOST_CONNECTIONS)));
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
        let connection = builder.serve_connection_with_upgrades(TokioIo::new(stream), service).into_owned();
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // Who breaks off is nobody's error.
            drop(connection.await);
            drop(place);
        });
    }
    drop(listener);
    drop(tokio::time::timeout(LAST_REPLIES, graceful.shutdown()).await);
}
