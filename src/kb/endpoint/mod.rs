//! Endpoints: knowledge bases that are asked by the SPARQL 1.1 Protocol.
//!
//! A query is sent by POST, as a form; where the server takes no forms, as it is. Whatever a server does with it becomes an
//! [`Outcome`]: a reply that is not the whole answer is none. Only where every other query would fare the same (nobody is
//! there, a password is wanted, it is no endpoint) is there an error, and nothing else is asked.
//!
//! SERVICE is refused: the endpoint that was named would call one that nobody named.

pub mod address;
pub mod credentials;
pub mod dataset;
pub(crate) mod digest;
pub mod exchange;
pub mod query;
pub mod results;
pub mod status;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::header::SERVER;
use reqwest::{StatusCode, Url};

use crate::kb::endpoint::credentials::Credentials;

use crate::base::clock::{self, Instant};
use crate::base::error::{Error, Result};
use crate::kb::ask::{Asker, Limits};
use crate::kb::endpoint::exchange::{Posting, Trouble, exchange};
use crate::kb::endpoint::query::Sendable;
use crate::kb::evaluate::other_graph;
use crate::kb::outcome::Outcome;
use crate::sources::net::PROXIES;
use crate::sources::net::client::Client;
use crate::sources::net::clock::Gate;
use crate::sources::net::patience::{Again, Patience};
use crate::sources::net::redirect::Redirects;
use crate::sources::net::reply::WholeReply;

/// How patient and how polite one is with an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Times, tries, redirects and proxies. The longest that nothing may arrive does not count: [`Limits::time`] does.
    pub network: Patience,
    /// The shortest time between two requests.
    pub pause: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        let network = Patience { tries: 4, ..Patience::default() };
        Self { network, pause: Duration::from_millis(100) }
    }
}

/// An endpoint.
#[derive(Debug)]
pub struct Endpoint {
    url: Url,
    client: Client,
    limits: Limits,
    credentials: Credentials,
    gate: Gate,
    /// The graphs that are asked; none: what the endpoint asks by itself.
    graphs: Vec<String>,
    /// Whether it takes no forms.
    wants_text: AtomicBool,
    warnings: Mutex<Vec<String>>,
}

/// What an endpoint says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// The software that it names, as in `Virtuoso/07.20.3229 (Linux) x86_64-pc-linux-gnu`.
    pub server: Option<String>,
}

impl Endpoint {
    /// The endpoint with this address. Nothing is asked yet.
    pub fn new(address: &str, settings: Settings, limits: Limits, credentials: Credentials) -> Result<Self> {
        let url = url(address)?;
        let Settings { network: mut patience, pause } = settings;
        (patience.connect, patience.idle) = (patience.connect.min(limits.time), limits.time);
        let client = Client::new(patience, Redirects::SameServer)?;
        let gate = Gate::new(pause);
        let endpoint = Self {
            url,
            client,
            limits,
            credentials,
            gate,
            graphs: Vec::new(),
            wants_text: AtomicBool::new(false),
            warnings: Mutex::default(),
        };
        if endpoint.credentials.are_given()
            && endpoint.url.scheme() == "http"
            && !address::is_local(&endpoint.url)
        {
            endpoint.warn(
                "the password goes over the network in clear: the address begins with http://".to_owned(),
            );
        }
        Ok(endpoint)
    }

    /// The same, asked for some of its graphs only.
    #[must_use]
    pub fn about(self, graphs: Vec<String>) -> Self {
        Self { graphs, ..self }
    }

    /// Its address.
    pub fn address(&self) -> &str {
        self.url.as_str()
    }

    /// Asks whether it is there and answers queries; gives what it says about itself.
    pub fn probe(&self) -> Result<Probe> {
        let query = "ASK { ?subject ?predicate ?object }";
        let (outcome, reply) = self.patiently(query, &self.graphs)?;
        if outcome.answers().is_some() {
            return Ok(Probe { server: reply.and_then(|reply| reply.header(SERVER).map(str::to_owned)) });
        }
        let why = match outcome {
            Outcome::Failed(failure) => failure.message,
            Outcome::Answered(_) => String::new(),
        };
        let error = Error::system(format!("the endpoint does not answer a simple query: {why}"));
        Err(error.in_file(self.address()))
    }

    /// What was odd so far and is no failure, each once.
    pub fn warnings(&self) -> Vec<String> {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn warn(&self, text: String) {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        if !warnings.contains(&text) {
            warnings.push(text);
        }
    }

    /// Tries until there is an outcome that stays, or tries are used up.
    fn patiently(&self, query: &str, graphs: &[String]) -> Result<(Outcome, Option<WholeReply>)> {
        let (patience, mut tries) = (&self.client.patience, 0);
        let attempt = || {
            tries += 1;
            self.once(query, graphs)
        };
        let trouble = match patience.tries(attempt, Trouble::again, |_, _| ()) {
            Ok(reply) => return Ok((self.read(query, &reply), Some(reply))),
            Err(trouble) => trouble,
        };
        let wrong = |what: String| Error::system(what).in_file(self.address());
        if let Some(why) = patience.refused(trouble.again()) {
            return Err(wrong(format!("the endpoint {why}")).hint("try again later"));
        }
        match trouble {
            Trouble::Failed(outcome, Again::Never) => Ok((self.without_secrets(outcome), None)),
            Trouble::Failed(outcome, _) => Ok((self.without_secrets(after_tries(outcome, tries)), None)),
            Trouble::Unreachable(why) => Err(wrong(format!("the endpoint cannot be reached: {why}"))
                .hint(format!("check the address and the network; {PROXIES}"))),
            Trouble::Fatal(error) => Err(error.in_file(self.address())),
        }
    }

    /// One try. A server that takes no forms gets the query as it is, now and later.
    fn once(&self, query: &str, graphs: &[String]) -> Result<WholeReply, Trouble> {
        let ask = |form| {
            let _turn = self.gate.pass();
            exchange(&self.client, &self.url, &self.credentials, (form, query, graphs), &self.limits)
        };
        let wants_text = self.wants_text.load(Ordering::Relaxed);
        let reply = ask(if wants_text { Posting::Text } else { Posting::Fields })?;
        let is_refused =
            matches!(reply.status, StatusCode::METHOD_NOT_ALLOWED | StatusCode::UNSUPPORTED_MEDIA_TYPE);
        let reply = if is_refused && !wants_text {
            let reply = ask(Posting::Text)?;
            self.wants_text.store(reply.status.is_success(), Ordering::Relaxed);
            reply
        } else {
            reply
        };
        status::check(reply, &self.credentials)
    }

    /// What a reply says.
    fn read(&self, query: &str, reply: &WholeReply) -> Outcome {
        let outcome = match Sendable::of(query) {
            Ok(asked) => {
                let (outcome, warning) = results::outcome(&asked, reply, &self.limits);
                if let Some(warning) = warning {
                    self.warn(warning);
                }
                outcome
            }
            Err(refused) => Outcome::Failed(refused),
        };
        self.without_secrets(outcome)
    }

    fn without_secrets(&self, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Failed(failure) => {
                Outcome::failed(failure.cause, self.credentials.hide(&failure.message))
            }
            answered @ Outcome::Answered(_) => answered,
        }
    }
}

/// The address of an endpoint or of its graphs, if it is one of a server and holds no secret.
pub(crate) fn url(text: &str) -> Result<Url> {
    address::check(text)
}

fn after_tries(outcome: Outcome, tries: usize) -> Outcome {
    match outcome {
        Outcome::Failed(failure) if tries > 1 => {
            Outcome::failed(failure.cause, format!("{} ({tries} tries)", failure.message))
        }
        other => other,
    }
}

impl Asker for Endpoint {
    fn ask(&self, query: &str) -> Result<Outcome> {
        let asked = match Sendable::of(query) {
            Ok(asked) => asked,
            Err(refused) => return Ok(Outcome::Failed(refused)),
        };
        // What the protocol names replaces what the query names: the query would mean something else.
        let graphs = if asked.names.is_empty() { &self.graphs[..] } else { &[] };
        if let Some(other) =
            asked.names.iter().find(|name| !self.graphs.is_empty() && !self.graphs.contains(name))
        {
            return Ok(Outcome::Failed(other_graph(other)));
        }
        self.patiently(query, graphs).map(|(outcome, _)| outcome)
    }
}

/// An endpoint that is asked each query once in a run: gold and systems often ask the same, and what is answered twice may
/// be answered in two ways.
#[derive(Debug)]
pub struct OnceAsked {
    endpoint: Endpoint,
    /// The time where the clock has none any more.
    began: Instant,
    known: Mutex<BTreeMap<String, (Outcome, Instant)>>,
    /// When the last of the answers that were wanted was there.
    last: Mutex<Option<Instant>>,
}

impl OnceAsked {
    /// Nothing is asked yet.
    pub fn new(endpoint: Endpoint) -> Result<Self> {
        Ok(Self { endpoint, began: clock::now()?, known: Mutex::default(), last: Mutex::default() })
    }

    /// Its address.
    pub fn address(&self) -> &str {
        self.endpoint.address()
    }

    /// When the last answer was there of those that were wanted since this was asked before: whoever wants the same answers
    /// gets the same time.
    pub fn take_time(&self) -> String {
        let now = || clock::now().unwrap_or_else(|_| self.began.clone());
        lock(&self.last).take().unwrap_or_else(now).date_time
    }
}

impl Asker for OnceAsked {
    fn ask(&self, query: &str) -> Result<Outcome> {
        let known = lock(&self.known).get(query).cloned();
        let (outcome, time) = if let Some(known) = known {
            known
        } else {
            let answered = (self.endpoint.ask(query)?, clock::now()?);
            lock(&self.known).insert(query.to_owned(), answered.clone());
            answered
        };
        let mut last = lock(&self.last);
        if last.as_ref().is_none_or(|last| last.nanoseconds < time.nanoseconds) {
            *last = Some(time);
        }
        Ok(outcome)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
