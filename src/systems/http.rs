//! Calls over the network: the one client of the program, with a time limit for all calls of a try.

use std::time::Duration;

use crate::base::clock;
use crate::base::error::Result as Checked;
use crate::sources::net::client::Client;
use crate::sources::net::clock::Deadline;
use crate::sources::net::failure::Failure as Unreached;
use crate::sources::net::patience::Again;
use crate::sources::net::reply::Reply;
use crate::systems::exchange::{Call, Outgoing, Transport};
use crate::systems::failure::{AskFailure, FailureKind, TryAgain};
use crate::systems::reply::RawReply;

/// The calls of one try.
#[derive(Debug)]
pub(crate) struct Http<'c> {
    client: &'c Client,
    deadline: Deadline,
    /// The most bytes of a body.
    most: u64,
    /// What was sent and came so far.
    pub(crate) calls: Vec<Call>,
}

impl<'c> Http<'c> {
    /// A try that may take so long.
    pub(crate) fn new(client: &'c Client, limit: Duration, most: u64) -> Self {
        Self { client, deadline: Deadline::within(limit), most, calls: Vec::new() }
    }

    fn received(&self, request: &Outgoing) -> Result<RawReply, AskFailure> {
        let sent = &request.sent;
        let mut builder = self.client.http.request(sent.method.clone(), sent.url.clone());
        for (name, value) in &sent.headers {
            builder = builder.header(name, value.as_bytes());
        }
        let builder = builder.body(sent.body.clone());
        let reply = self.client.exchange(builder, Some(self.deadline));
        let whole = reply.and_then(|reply| Reply::received(reply, self.deadline, self.most));
        let whole = whole.map_err(|unreached| failed(unreached, self.most))?;
        Ok(RawReply { status: whole.status.as_u16(), headers: whole.headers(), body: whole.body })
    }
}

impl Transport for Http<'_> {
    fn call(&mut self, request: &Outgoing) -> Result<RawReply, AskFailure> {
        let now = || -> Checked<_> { clock::now() };
        let system = |error: crate::base::error::Error| {
            AskFailure::new(FailureKind::Connection, error.to_string()).stopping()
        };
        let begun = now().map_err(system)?;
        let left = self.deadline.left();
        let received = self.received(request);
        let took = left.saturating_sub(self.deadline.left());
        self.calls.push(Call {
            address: request.kept.url.to_string(),
            request: request.kept.as_http(),
            received: received.clone(),
            sent_at: begun.date_time,
            took,
        });
        received
    }

    fn pause(&mut self, time: Duration) -> Result<(), AskFailure> {
        let left = self.deadline.left();
        std::thread::sleep(time.min(left));
        if left > time { Ok(()) } else { Err(late()) }
    }
}

fn late() -> AskFailure {
    AskFailure::new(FailureKind::Timeout, "it took longer than the time limit")
}

/// What a call without a reply means (systems.md 5): broken connections may be mended, our own limits stay.
fn failed(unreached: Unreached, most: u64) -> AskFailure {
    let failure = |kind, message: String| AskFailure::new(kind, message);
    match unreached {
        Unreached::Unreachable(why) if is_tls(&why) => failure(FailureKind::Tls, why).again(TryAgain::Yes),
        Unreached::Late => late(),
        Unreached::NoReply(why, Again::Never) => failure(FailureKind::Protocol, why).again(TryAgain::Yes),
        Unreached::Unreachable(why) | Unreached::NoReply(why, _) => {
            failure(FailureKind::Connection, why).again(TryAgain::Yes)
        }
        Unreached::TooManyRedirects(most) => {
            failure(FailureKind::Redirect, format!("more than {most} redirects"))
        }
        Unreached::NoAddress => failure(FailureKind::Redirect, "a redirect to what is no address".to_owned()),
        Unreached::OtherServer(to) => {
            let to = to.map_or_else(String::new, |to| format!(" <{to}>"));
            failure(FailureKind::Redirect, format!("a redirect to another server{to}, which is not followed"))
        }
        Unreached::Encoding(encoding) => failure(
            FailureKind::Protocol,
            format!("the body has the encoding `{encoding}`, which nobody asked for"),
        ),
        Unreached::TooMuch(_) => {
            failure(FailureKind::TooLarge, format!("the body has more than {most} bytes"))
        }
        Unreached::BrokenOff(bytes, why) => {
            failure(FailureKind::Protocol, format!("the body broke off after {bytes} bytes: {why}"))
                .again(TryAgain::Yes)
        }
    }
}

/// Whether the reason why nobody was reached is that the server could not prove who it is.
fn is_tls(why: &str) -> bool {
    let why = why.to_ascii_lowercase();
    ["certificate", "handshake", "tls", "corrupt message"].iter().any(|word| why.contains(word))
}
