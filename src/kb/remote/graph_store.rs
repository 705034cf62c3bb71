//! Graphs on a server, by the SPARQL 1.1 Graph Store HTTP Protocol.

use std::sync::{Mutex, MutexGuard, PoisonError};

use reqwest::blocking::RequestBuilder;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, WWW_AUTHENTICATE};
use reqwest::{Method, StatusCode, Url};

use crate::base::error::{Error, Result};
use crate::kb::ask::Limits;
use crate::kb::endpoint;
use crate::kb::endpoint::credentials::Credentials;
use crate::kb::endpoint::digest::Challenge;
use crate::kb::endpoint::exchange::Trouble;
use crate::kb::endpoint::status::first_line;
use crate::kb::outcome::{Cause, Outcome};
use crate::sources::net::PROXIES;
use crate::sources::net::client::Client;
use crate::sources::net::clock::Deadline;
use crate::sources::net::patience::{Again, Patience};
use crate::sources::net::redirect::Redirects;
use crate::sources::net::reply::WholeReply;

/// Where graphs are written.
#[derive(Debug)]
pub(crate) struct GraphStore {
    url: Url,
    client: Client,
    limits: Limits,
    credentials: Credentials,
    /// What the server wants the password hidden in, and how many requests had it.
    challenge: Mutex<Option<(Challenge, u32)>>,
}

impl GraphStore {
    /// The graphs below an address. Nothing is asked yet.
    pub(crate) fn new(
        text: &str,
        patience: &Patience,
        limits: Limits,
        credentials: Credentials,
    ) -> Result<Self> {
        let client = Client::new(Patience { idle: limits.time, ..patience.clone() }, Redirects::SameServer)?;
        Ok(Self { url: endpoint::url(text)?, client, limits, credentials, challenge: Mutex::default() })
    }

    /// Its address.
    pub(crate) fn address(&self) -> &str {
        self.url.as_str()
    }

    /// Writes a graph in place of what there is (section 5.3 of the protocol): statements as N-Triples.
    pub(crate) fn replace(&self, graph: &str, content: &[u8]) -> Result<()> {
        self.send(&Method::PUT, graph, content)
    }

    /// Adds to a graph (section 5.5).
    pub(crate) fn add(&self, graph: &str, content: &[u8]) -> Result<()> {
        self.send(&Method::POST, graph, content)
    }

    /// Removes a graph, if it is there (section 5.4).
    pub(crate) fn remove(&self, graph: &str) -> Result<()> {
        self.send(&Method::DELETE, graph, &[])
    }

    fn send(&self, method: &Method, graph: &str, content: &[u8]) -> Result<()> {
        let mut url = self.url.clone();
        url.query_pairs_mut().append_pair("graph", graph);
        let attempt = || self.once(method, &url, content);
        let trouble = match self.client.patience.tries(attempt, Trouble::again, |_, _| ()) {
            Ok(()) => return Ok(()),
            Err(trouble) => trouble,
        };
        let wrong = |why: &str| {
            let why = self.credentials.hide(why);
            Error::system(format!("cannot {method} the graph <{graph}>: {why}")).in_file(self.address())
        };
        Err(match trouble {
            Trouble::Failed(Outcome::Failed(why), _) => wrong(&why.message),
            Trouble::Failed(Outcome::Answered(_), _) => wrong("the server says nothing"),
            Trouble::Unreachable(why) => wrong(&format!("the server cannot be reached: {why}"))
                .hint(format!("check the address and the network; {PROXIES}")),
            Trouble::Fatal(error) => error.in_file(self.address()),
        })
    }

    fn once(&self, method: &Method, url: &Url, content: &[u8]) -> Result<(), Trouble> {
        let mut reply = self.exchange(method, url, content)?;
        if reply.status == StatusCode::UNAUTHORIZED && self.credentials.are_given() {
            // Virtuoso does not say how it wants to know who asks, where it was told in another way.
            let says = match reply.header(WWW_AUTHENTICATE) {
                Some(says) => Some(says.to_owned()),
                None => self
                    .ask(self.client.http.request(method.clone(), url.clone()))?
                    .header(WWW_AUTHENTICATE)
                    .map(str::to_owned),
            };
            if let Some(challenge) = says.as_deref().and_then(Challenge::read) {
                *self.lock() = Some((challenge, 0));
                reply = self.exchange(method, url, content)?;
            }
        }
        let said = first_line(&reply);
        let failed = |again| {
            let why = format!("the server says {}{said}", reply.status);
            Err(Trouble::Failed(Outcome::failed(Cause::Failed, why), again))
        };
        match reply.status {
            StatusCode::OK | StatusCode::CREATED | StatusCode::NO_CONTENT => Ok(()),
            StatusCode::NOT_FOUND if *method == Method::DELETE => Ok(()),
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(Trouble::Fatal(
                Error::system(format!(
                    "the server lets only those write whom it knows: it says {}{said}",
                    reply.status
                ))
                .hint(if self.credentials.are_given() {
                    "it does not accept the name and password, or the token, of the environment"
                } else {
                    "set QASSAY_ENDPOINT_USER and QASSAY_ENDPOINT_PASSWORD, or QASSAY_ENDPOINT_TOKEN, in the environment"
                }),
            )),
            StatusCode::TOO_MANY_REQUESTS | StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE => {
                failed(Again::after(reply.asked_wait()))
            }
            _ => failed(Again::Never),
        }
    }

    fn exchange(&self, method: &Method, url: &Url, content: &[u8]) -> Result<WholeReply, Trouble> {
        let request = self.client.http.request(method.clone(), url.clone());
        let request = if content.is_empty() {
            request
        } else {
            request.header(CONTENT_TYPE, "application/n-triples").body(content.to_vec())
        };
        let digest = {
            let mut known = self.lock();
            known.as_mut().and_then(|(challenge, count)| {
                *count += 1;
                let path = format!("{}?{}", url.path(), url.query().unwrap_or_default());
                self.credentials.digest(challenge, (method.as_str(), &path), *count)
            })
        };
        let request = match digest {
            Some(header) => request.header(AUTHORIZATION, header),
            None => self.credentials.add(request),
        };
        self.ask(request)
    }

    fn ask(&self, request: RequestBuilder) -> Result<WholeReply, Trouble> {
        let trouble = |failure| Trouble::of(failure, &self.limits);
        let deadline = Deadline::within(self.limits.time);
        let reply = self.client.exchange(request, Some(deadline)).map_err(trouble)?;
        reply.whole(deadline, self.limits.memory).map_err(trouble)
    }

    fn lock(&self) -> MutexGuard<'_, Option<(Challenge, u32)>> {
        self.challenge.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
