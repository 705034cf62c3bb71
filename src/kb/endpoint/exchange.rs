//! One request and its reply, with redirects on the way.

use std::time::Duration;

use reqwest::blocking::{Client, RequestBuilder, Response};
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, LOCATION};
use reqwest::{StatusCode, Url};

use crate::base::error::Error;
use crate::kb::ask::Limits;
use crate::kb::endpoint::body;
use crate::kb::endpoint::body::Stop;
use crate::kb::endpoint::clock::Deadline;
use crate::kb::endpoint::credentials::Credentials;
use crate::kb::endpoint::reply::Reply;
use crate::kb::endpoint::{address, status};
use crate::kb::outcome::{Cause, Outcome};
use crate::sources::fetch::failure::{deepest, is_broken};

/// The formats of results, the best first: with the kinds of terms, which CSV does not tell.
const FORMATS: &str =
    "application/sparql-results+json, application/sparql-results+xml;q=0.8, text/tab-separated-values;q=0.5";

/// How a query is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// As the field `query` of a form.
    Fields,
    /// As it is.
    Text,
    /// Not at all: the reply is elsewhere (303).
    Nothing,
}

/// Why there is no reply to read.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// Another try would fare the same.
    Lasting(Outcome),
    /// Another try may bring a reply.
    Passing {
        /// What came of this one.
        outcome: Outcome,
        /// How long the server wants us to wait.
        asked: Option<Duration>,
    },
    /// Nobody was reached.
    Unreachable(String),
    /// Every query would fare the same.
    Fatal(Error),
}

/// What is asked, and how.
pub(crate) struct Exchange<'a> {
    pub(crate) client: &'a Client,
    pub(crate) limits: &'a Limits,
    pub(crate) credentials: &'a Credentials,
    pub(crate) form: Form,
    pub(crate) query: &'a str,
}

impl Exchange<'_> {
    /// Asks, and asks again where a redirect on the same host says so.
    pub(crate) fn follow(mut self, url: &Url, redirects: usize) -> Result<Reply, Trouble> {
        let deadline = Deadline::within(self.limits.time);
        let mut url = url.clone();
        for _ in 0..=redirects {
            let response = self.send(&url, deadline)?;
            let Some(next) = target(&response, &url)? else { return self.receive(response, deadline) };
            if response.status() == StatusCode::SEE_OTHER {
                self.form = Form::Nothing;
            }
            url = next;
        }
        Err(Trouble::Fatal(Error::system(format!("the endpoint redirects more than {redirects} times"))))
    }

    fn send(&self, url: &Url, deadline: Deadline) -> Result<Response, Trouble> {
        let left = deadline.left();
        if left.is_zero() {
            return Err(Trouble::Lasting(timed_out(self.limits)));
        }
        let request = self.request(url).timeout(left).header(ACCEPT, FORMATS).header(ACCEPT_ENCODING, "gzip");
        self.credentials.add(request).send().map_err(|error| self.failed(&error))
    }

    fn request(&self, url: &Url) -> RequestBuilder {
        match self.form {
            Form::Fields => {
                let mut fields = Url::clone(url);
                fields.set_query(None);
                let body = fields
                    .query_pairs_mut()
                    .append_pair("query", self.query)
                    .finish()
                    .query()
                    .unwrap_or_default()
                    .to_owned();
                self.client
                    .post(url.clone())
                    .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
                    .body(body)
            }
            Form::Text => self
                .client
                .post(url.clone())
                .header(CONTENT_TYPE, "application/sparql-query")
                .body(self.query.to_owned()),
            Form::Nothing => self.client.get(url.clone()),
        }
    }

    /// A request without a reply.
    fn failed(&self, error: &reqwest::Error) -> Trouble {
        let why = deepest(error);
        if error.is_connect() {
            return Trouble::Unreachable(why);
        }
        if error.is_timeout() {
            return Trouble::Lasting(timed_out(self.limits));
        }
        let outcome = Outcome::failed(Cause::BadReply, format!("there is no reply: {why}"));
        if is_broken(error) { Trouble::Passing { outcome, asked: None } } else { Trouble::Lasting(outcome) }
    }

    /// Takes the body of a reply.
    fn receive(&self, response: Response, deadline: Deadline) -> Result<Reply, Trouble> {
        let mut reply = Reply::of(&response);
        let is_good = reply.status.is_success();
        // Of an error, the first words are enough.
        let most = if is_good { self.limits.memory } else { status::MOST_BYTES };
        let stop = body::read(response, &reply.encoding, deadline, most);
        let outcome = match stop {
            Stop::End(body) => {
                reply.body = body;
                return Ok(reply);
            }
            _ if !is_good => return Ok(reply),
            Stop::TooMuch => Outcome::failed(
                Cause::OutOfMemory,
                format!("the reply has more than {most} bytes, which is the memory limit"),
            ),
            Stop::Late => timed_out(self.limits),
            Stop::Unknown => Outcome::failed(
                Cause::BadReply,
                format!("the reply has the encoding `{}`, which nobody asked for", reply.encoding),
            ),
            Stop::Broken(bytes, why) => {
                let outcome = Outcome::failed(
                    Cause::BadReply,
                    format!("the reply broke off after {bytes} bytes: {why}"),
                );
                return Err(Trouble::Passing { outcome, asked: None });
            }
        };
        Err(Trouble::Lasting(outcome))
    }
}

/// Where a redirect leads, if the reply is one.
fn target(response: &Response, from: &Url) -> Result<Option<Url>, Trouble> {
    let is_redirect = matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308);
    let Some(location) = response.headers().get(LOCATION).filter(|_| is_redirect) else { return Ok(None) };
    let to = location.to_str().ok().and_then(|location| from.join(location).ok());
    let Some(mut to) = to else {
        return Err(Trouble::Fatal(Error::system("the endpoint redirects to what is no address")));
    };
    if address::stays(from, &to) {
        return Ok(Some(to));
    }
    // What stands behind `?` may be a ticket.
    to.set_query(None);
    let is_shown = to.set_username("").and_then(|()| to.set_password(None)).is_ok();
    let to = if is_shown { format!(" <{to}>") } else { String::new() };
    let error = Error::system(format!("the endpoint redirects to another server{to}, which is not asked"));
    Err(Trouble::Fatal(error.hint("name that address if you trust it")))
}

/// It was stopped at the time limit.
fn timed_out(limits: &Limits) -> Outcome {
    Outcome::failed(Cause::TimedOut, format!("stopped at the time limit of {} s", limits.time.as_secs_f64()))
}
