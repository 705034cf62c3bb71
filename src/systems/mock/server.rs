//! The server of a mock: requests in, replies out, late and with failures where that is wanted.

use std::convert::Infallible;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use sha2::{Digest as _, Sha256};

use crate::base::error::{Error, Result};
use crate::systems::description::{Driver, Protocol};
use crate::systems::mock::book::{AnswerBook, BookEntry};
use crate::systems::mock::heard::{Heard, IncomingRequest};
use crate::systems::mock::said::MockReply;
use crate::systems::template::Values;

/// The most bytes of a request.
const MOST_ASKED: usize = 1 << 20;

/// The wait after a client that could not be heard.
const AFTER_FAILURE: Duration = Duration::from_millis(50);

/// A system that gives the answers of a file.
#[derive(Debug)]
pub struct MockSystem {
    /// The protocol that it speaks.
    pub protocol: Protocol,
    /// What it says.
    pub book: AnswerBook,
    /// How long it takes to say it.
    pub delay: Duration,
    /// The share of questions, in millionths, for which it fails: always the same ones.
    pub failing: u32,
}

/// A place where a mock listens.
#[derive(Debug)]
pub struct Listening(TcpListener);

impl Listening {
    /// Listens; with port 0 at any that is free.
    ///
    /// # Errors
    /// Where the address is taken.
    pub fn at(address: SocketAddr) -> Result<Self> {
        let cannot = |error: std::io::Error| Error::system(format!("cannot listen at {address}: {error}"));
        let listener = TcpListener::bind(address).map_err(cannot)?;
        listener.set_nonblocking(true).map_err(cannot)?;
        Ok(Self(listener))
    }

    /// Where that is.
    ///
    /// # Errors
    /// Where the system does not say it.
    pub fn address(&self) -> Result<SocketAddr> {
        self.0.local_addr().map_err(|error| Error::system(format!("nobody says where it listens: {error}")))
    }

    /// Serves until the program ends.
    ///
    /// # Errors
    /// Where the server cannot work.
    pub fn serve(self, system: MockSystem) -> Result<()> {
        let cannot = |error: std::io::Error| Error::system(format!("the server cannot work: {error}"));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(cannot)?;
        let system = Arc::new(system);
        let served: std::io::Result<()> = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.0)?;
            loop {
                let (stream, _) = heard(|| listener.accept()).await;
                let system = Arc::clone(&system);
                tokio::spawn(async move {
                    let service = service_fn(move |request| reply(Arc::clone(&system), request));
                    let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
                    // Likewise.
                    drop(connection.await);
                });
            }
        });
        served.map_err(cannot)
    }
}

/// The next client. One that went away before it was heard is no failure of the server, nor is it one that there are too
/// many: then it waits until some have ended.
async fn heard<T, F: Future<Output = std::io::Result<T>>>(accept: impl Fn() -> F) -> T {
    loop {
        match accept().await {
            Ok(client) => return client,
            Err(_) => tokio::time::sleep(AFTER_FAILURE).await,
        }
    }
}

async fn reply(
    system: Arc<MockSystem>,
    request: Request<Incoming>,
) -> std::result::Result<Response<Full<Bytes>>, Infallible> {
    let (path, query) =
        (request.uri().path().to_owned(), request.uri().query().unwrap_or_default().to_owned());
    let body = Limited::new(request.into_body(), MOST_ASKED).collect().await;
    let said = match body {
        Ok(body) => system.reply(&IncomingRequest { path, query, body: body.to_bytes().to_vec() }),
        Err(_) => MockReply::json(413, &serde_json::json!({ "error": "the request is too large" })),
    };
    tokio::time::sleep(system.delay).await;
    let mut response = Response::new(Full::new(Bytes::from(said.body)));
    *response.status_mut() = StatusCode::from_u16(said.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(said.media_type));
    Ok(response)
}

impl MockSystem {
    /// What is replied.
    pub fn reply(&self, request: &IncomingRequest) -> MockReply {
        let nothing = BookEntry::default();
        match self.protocol.hears(request) {
            Heard::Question(text) => {
                let known = self.book.find(&text);
                let entry = known.map_or(&nothing, |(_, entry)| entry);
                if self.fails(entry) {
                    return self.protocol.says_failure(500, "an error that was wanted");
                }
                let run = known.map_or_else(|| "none".to_owned(), |(index, _)| index.to_string());
                let begun = matches!(self.protocol.driver, Driver::Poll { .. } | Driver::Qanary);
                match self.protocol.says_run(&run).filter(|_| begun) {
                    Some(reply) if entry.error.is_none() => reply,
                    _ => self.protocol.says(entry, &asked(&text, request)),
                }
            }
            Heard::Run(run) => {
                let entry = run.parse().ok().and_then(|index| self.book.at(index));
                self.protocol.says(entry.unwrap_or(&nothing), &Values::default())
            }
            Heard::Sparql(query) => {
                let run = query.split("urn:graph:").nth(1).and_then(|rest| rest.split('>').next());
                let entry = run.and_then(|run| self.book.at(run.parse().ok()?));
                Protocol::says_annotations(entry, &query)
            }
            Heard::Form | Heard::Nothing => self
                .protocol
                .says_failure(404, &format!("nothing of `{}` is at {}", self.protocol.name, request.path)),
        }
    }

    /// Whether it fails for a question: by chance, and the same for the same question.
    fn fails(&self, entry: &BookEntry) -> bool {
        let chance = Sha256::digest(entry.key.as_bytes());
        let number = u32::from_be_bytes([0, chance[0], chance[1], chance[2]]);
        u64::from(number) * 1_000_000 < u64::from(self.failing) << 24
    }
}

/// What was asked beside the question: echoes repeat it.
fn asked(text: &str, request: &IncomingRequest) -> Values {
    let fields = form_urlencoded::parse(request.query.as_bytes());
    let values = Values::default().with("question", text);
    fields.fold(
        values,
        |values, (name, value)| if name == "dataset" { values.with("dataset", value) } else { values },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::{Document, Question, Text};
    use crate::sources::net::clock::Deadline;
    use std::cell::Cell;

    #[test]
    fn after_a_failure_the_server_waits() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let (deadline, tries) = (Deadline::within(Duration::from_secs(60)), Cell::new(0));
        let accept = || {
            tries.set(tries.get() + 1);
            std::future::ready(if tries.get() < 3 { Err(std::io::Error::other("full")) } else { Ok(7) })
        };
        assert_eq!(runtime.block_on(async { heard(accept).await }), 7);
        assert!(deadline.left() + AFTER_FAILURE * 2 <= Duration::from_secs(60));
    }

    #[test]
    fn failures_are_a_share_and_always_the_same() {
        let text = |number: u32| Text { language: None, text: format!("{number}?") };
        let question = |number: u32| Question {
            key: number.to_string(),
            texts: vec![text(number)],
            ..Question::default()
        };
        let document = Document { questions: (0..2000).map(question).collect(), ..Document::default() };
        let system = |failing| MockSystem {
            protocol: Protocol::named("gerbil").unwrap().clone(),
            book: AnswerBook::of(&document, None).unwrap(),
            delay: Duration::ZERO,
            failing,
        };
        let failed = |failing| {
            let system = system(failing);
            (0..2000).filter(|at| system.fails(system.book.at(*at).unwrap())).collect::<Vec<_>>()
        };
        assert_eq!((failed(0).len(), failed(1_000_000).len()), (0, 2000));
        assert!((70..130).contains(&failed(50_000).len()), "{}", failed(50_000).len());
        assert_eq!(failed(50_000), failed(50_000));
    }
}
