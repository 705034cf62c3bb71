//! One query and its reply.

use reqwest::Url;
use reqwest::blocking::RequestBuilder;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE};

use crate::base::error::Error;
use crate::kb::ask::Limits;
use crate::kb::endpoint::credentials::Credentials;
use crate::kb::evaluate::timed_out;
use crate::kb::outcome::{Cause, Outcome};
use crate::sources::net::client::Client;
use crate::sources::net::clock::Deadline;
use crate::sources::net::failure::Failure;
use crate::sources::net::patience::Again;
use crate::sources::net::reply::WholeReply;

/// The formats of results, the best first: with the kinds of terms, which CSV does not tell.
const FORMATS: &str =
    "application/sparql-results+json, application/sparql-results+xml;q=0.8, text/tab-separated-values;q=0.5";

/// How a query is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Posting {
    /// As the field `query` of a form.
    Fields,
    /// As it is.
    Text,
}

/// Why there is no reply to read.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// What came of a try, and whether another may bring a reply.
    Failed(Outcome, Again),
    /// Nobody was reached.
    Unreachable(String),
    /// Every query would fare the same.
    Fatal(Error),
}

impl Trouble {
    /// Another try would fare the same.
    pub(crate) fn lasting(cause: Cause, why: impl Into<String>) -> Self {
        Self::Failed(Outcome::failed(cause, why), Again::Never)
    }

    /// Whether another try makes sense.
    pub(crate) fn again(&self) -> Again {
        match self {
            Self::Failed(_, again) => *again,
            Self::Unreachable(_) => Again::Soon,
            Self::Fatal(_) => Again::Never,
        }
    }

    /// What a failed exchange means.
    pub(crate) fn of(failure: Failure, limits: &Limits) -> Self {
        let bad = |why: String, again| Self::Failed(Outcome::failed(Cause::BadReply, why), again);
        let fatal = |why: String| Error::system(format!("the endpoint redirects {why}"));
        match failure {
            Failure::Unreachable(why) => Self::Unreachable(why),
            Failure::Late => Self::Failed(timed_out(limits), Again::Never),
            Failure::NoReply(why, again) => bad(format!("there is no reply: {why}"), again),
            Failure::TooManyRedirects(most) => Self::Fatal(fatal(format!("more than {most} times"))),
            Failure::NoAddress => Self::Fatal(fatal("to what is no address".to_owned())),
            Failure::OtherServer(address) => {
                let to = address.map_or_else(String::new, |address| format!(" <{address}>"));
                let error = fatal(format!("to another server{to}, which is not asked"));
                Self::Fatal(error.hint("name that address if you trust it"))
            }
            Failure::Encoding(encoding) => {
                bad(format!("the reply has the encoding `{encoding}`, which nobody asked for"), Again::Never)
            }
            Failure::TooMuch(most) => Self::lasting(
                Cause::OutOfMemory,
                format!("the reply has more than {most} bytes, which is the memory limit"),
            ),
            Failure::BrokenOff(bytes, why) => {
                bad(format!("the reply broke off after {bytes} bytes: {why}"), Again::Soon)
            }
        }
    }
}

/// Sends a query in a form with the graphs of its dataset (none: all that the endpoint asks by itself), and takes the reply.
pub(crate) fn exchange(
    client: &Client,
    url: &Url,
    credentials: &Credentials,
    (form, query, graphs): (Posting, &str, &[String]),
    limits: &Limits,
) -> Result<WholeReply, Trouble> {
    let trouble = |failure| Trouble::of(failure, limits);
    let deadline = Deadline::within(limits.time);
    let request =
        request(client, url, form, (query, graphs)).header(ACCEPT, FORMATS).header(ACCEPT_ENCODING, "gzip");
    let reply = client.exchange(credentials.add(request), Some(deadline)).map_err(trouble)?;
    reply.whole(deadline, limits.memory).map_err(trouble)
}

fn request(client: &Client, url: &Url, form: Posting, (query, graphs): (&str, &[String])) -> RequestBuilder {
    let mut to = url.clone();
    let (media_type, body) = match form {
        Posting::Fields => {
            let mut fields = url.clone();
            fields.set_query(None);
            fields.query_pairs_mut().append_pair("query", query);
            name_graphs(&mut fields, graphs);
            ("application/x-www-form-urlencoded", fields.query().unwrap_or_default().to_owned())
        }
        Posting::Text => {
            name_graphs(&mut to, graphs);
            ("application/sparql-query", query.to_owned())
        }
    };
    client.http.post(to).header(CONTENT_TYPE, media_type).body(body)
}

/// Names the graphs of a dataset (SPARQL 1.1 Protocol, section 2.1.4): each is in the default graph and has its own name.
fn name_graphs(url: &mut Url, graphs: &[String]) {
    for graph in graphs {
        url.query_pairs_mut().append_pair("default-graph-uri", graph).append_pair("named-graph-uri", graph);
    }
}
