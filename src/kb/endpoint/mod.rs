//! Endpoints: knowledge bases that are asked by the SPARQL 1.1 Protocol.
//!
//! A query is sent by POST, as a form; where the server takes no forms, as it is. Whatever a server does with it becomes an
//! [`Outcome`]: a reply that is not the whole answer is none. Only where every other query would fare the same (nobody is
//! there, a password is wanted, it is no endpoint) is there an error, and nothing else is asked.
//!
//! SERVICE is refused: the endpoint that was named would call one that nobody named.

pub mod address;
pub mod body;
pub mod clock;
pub mod credentials;
pub mod exchange;
pub mod query;
pub mod reply;
pub mod results;
pub mod results_json;
pub mod status;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use reqwest::blocking::Client;
use reqwest::redirect::Policy;
use reqwest::{StatusCode, Url};

use crate::kb::endpoint::credentials::Credentials;

use crate::base::error::{Error, Result};
use crate::kb::ask::{Asker, Limits};
use crate::kb::endpoint::clock::Gate;
use crate::kb::endpoint::exchange::{Exchange, Form, Trouble};
use crate::kb::endpoint::query::Asked;
use crate::kb::endpoint::reply::Reply;
use crate::kb::outcome::{Cause, Outcome};

/// How patient and how polite one is with an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Times, tries, redirects and proxies. The longest that nothing may arrive does not count: [`Limits::time`] does.
    pub network: crate::sources::fetch::settings::Settings,
    /// The shortest time between two requests.
    pub pause: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        let network = crate::sources::fetch::settings::Settings {
            tries: 4,
            ..crate::sources::fetch::settings::Settings::default()
        };
        Self { network, pause: Duration::from_millis(100) }
    }
}

/// An endpoint.
#[derive(Debug)]
pub struct Endpoint {
    url: Url,
    client: Client,
    settings: Settings,
    limits: Limits,
    credentials: Credentials,
    gate: Gate,
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
        let url = address::check(address)?;
        let mut builder = Client::builder()
            .user_agent(concat!("qassay/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(settings.network.connect.min(limits.time))
            .timeout(limits.time)
            .redirect(Policy::none())
            .referer(false);
        if !settings.network.proxies {
            builder = builder.no_proxy();
        }
        let client = builder.build();
        let client = client.map_err(|error| Error::system(format!("cannot prepare requests: {error}")))?;
        let gate = Gate::new(settings.pause);
        let endpoint = Self {
            url,
            client,
            settings,
            limits,
            credentials,
            gate,
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

    /// Its address.
    pub fn address(&self) -> &str {
        self.url.as_str()
    }

    /// Asks whether it is there and answers queries; gives what it says about itself.
    pub fn probe(&self) -> Result<Probe> {
        let query = "ASK { ?subject ?predicate ?object }";
        let (outcome, reply) = self.patiently(query)?;
        if outcome.answers().is_some() {
            return Ok(Probe { server: reply.and_then(|reply| reply.server) });
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
        self.warnings.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }

    fn warn(&self, text: String) {
        let mut warnings = self.warnings.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if !warnings.contains(&text) {
            warnings.push(text);
        }
    }

    /// Tries until there is an outcome that stays, or tries are used up.
    fn patiently(&self, query: &str) -> Result<(Outcome, Option<Reply>)> {
        let network = &self.settings.network;
        let mut wait = network.first_wait;
        for number in 1.. {
            let trouble = match self.once(query) {
                Ok(reply) => return Ok((self.read(query, &reply), Some(reply))),
                Err(trouble) => trouble,
            };
            let (outcome, asked) = match trouble {
                Trouble::Lasting(outcome) => return Ok((self.without_secrets(outcome), None)),
                Trouble::Fatal(error) => return Err(error.in_file(self.address())),
                Trouble::Passing { outcome, asked } => (outcome, asked),
                Trouble::Unreachable(why) if number >= network.tries => {
                    let error = Error::system(format!("the endpoint cannot be reached: {why}"));
                    let hint = "check the address and the network; proxies are taken from HTTPS_PROXY, HTTP_PROXY and NO_PROXY";
                    return Err(error.in_file(self.address()).hint(hint));
                }
                Trouble::Unreachable(why) => (Outcome::failed(Cause::Failed, why), None),
            };
            if let Some(asked) = asked.filter(|asked| *asked > network.longest_asked) {
                let (asked, longest) = (asked.as_secs(), network.longest_asked.as_secs());
                let what =
                    format!("the endpoint wants us to wait {asked} seconds, and {longest} are the most");
                return Err(Error::system(what).in_file(self.address()).hint("try again later"));
            }
            if number >= network.tries {
                return Ok((self.without_secrets(after_tries(outcome, number)), None));
            }
            thread::sleep(asked.unwrap_or(wait));
            wait = (wait * 2).min(network.longest_wait);
        }
        unreachable!("the tries are counted")
    }

    /// One try. A server that takes no forms gets the query as it is, now and later.
    fn once(&self, query: &str) -> Result<Reply, Trouble> {
        let ask = |form| {
            let _turn = self.gate.pass();
            Exchange {
                client: &self.client,
                limits: &self.limits,
                credentials: &self.credentials,
                form,
                query,
            }
            .follow(&self.url, self.settings.network.redirects)
        };
        let wants_text = self.wants_text.load(Ordering::Relaxed);
        let reply = ask(if wants_text { Form::Text } else { Form::Fields })?;
        let is_refused =
            matches!(reply.status, StatusCode::METHOD_NOT_ALLOWED | StatusCode::UNSUPPORTED_MEDIA_TYPE);
        let reply = if is_refused && !wants_text {
            let reply = ask(Form::Text)?;
            self.wants_text.store(reply.status.is_success(), Ordering::Relaxed);
            reply
        } else {
            reply
        };
        status::check(reply, &self.credentials)
    }

    /// What a reply says.
    fn read(&self, query: &str, reply: &Reply) -> Outcome {
        let outcome = match Asked::of(query) {
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
        match Asked::of(query) {
            Ok(_) => self.patiently(query).map(|(outcome, _)| outcome),
            Err(refused) => Ok(Outcome::Failed(refused)),
        }
    }
}
