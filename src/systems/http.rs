//! Calls over the network: the one client of the program, with a time limit for all calls of a try.

use std::borrow::Cow;
use std::time::Duration;

use reqwest::Url;

use crate::base::clock;
use crate::base::error::Result as Checked;
use crate::sources::failure_kind::FailureKind;
use crate::sources::net::clock::Deadline;
use crate::sources::net::failure::Failure as Unreached;
use crate::sources::net::patience::Again;
use crate::sources::net::whole::WholeClient;
use crate::systems::exchange::{Call, Outgoing, Responder, Transport};
use crate::systems::failure::{AskFailure, TryAgain};
use crate::systems::reply::RawReply;
use crate::systems::request::SystemRequest;
use crate::systems::secrets::KnownSecrets;
use crate::systems::template::Values;

/// The most bytes of an address that is sent: records of longer ones could not be read again.
const LONGEST_ADDRESS: usize = 64 << 10;

/// How much is kept of a longer one.
const MOST_KEPT: usize = 2000;

/// To whom requests go.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Carrier<'c> {
    /// Over the network.
    Network(&'c WholeClient),
    /// To a function of this program.
    Function(&'c dyn Responder),
}

/// The calls of one try.
#[derive(Debug)]
pub(crate) struct Http<'c> {
    carrier: Carrier<'c>,
    deadline: Deadline,
    /// The most bytes of a body.
    most: u64,
    /// What must not be kept, should a server repeat it.
    secrets: KnownSecrets,
    /// What was sent and came so far.
    pub(crate) calls: Vec<Call>,
}

impl<'c> Http<'c> {
    /// A try that must end then.
    pub(crate) fn new(carrier: Carrier<'c>, deadline: Deadline, most: u64, values: &Values) -> Self {
        Self { carrier, deadline, most, secrets: KnownSecrets::of(values), calls: Vec::new() }
    }

    fn received(&self, request: &Outgoing) -> Result<RawReply, AskFailure> {
        let sent = &request.sent;
        let client = match self.carrier {
            Carrier::Network(client) => client,
            Carrier::Function(responder) => {
                let reply = responder.reply(sent, self.deadline.left())?;
                if self.deadline.left().is_zero() {
                    return Err(AskFailure::late());
                }
                if reply.body.len() as u64 > self.most {
                    return Err(failed(Unreached::TooMuch(self.most), self.most));
                }
                return self.secrets.out_of(reply);
            }
        };
        let mut builder = client.http.request(sent.method.clone(), sent.url.clone());
        for (name, value) in &sent.headers {
            builder = builder.header(name, value.as_bytes());
        }
        let builder = builder.body(sent.body.clone());
        let whole = client.exchange(builder, self.deadline, self.most);
        let whole = whole.map_err(|unreached| self.secrets.out_of_failure(failed(unreached, self.most)))?;
        let received = RawReply { status: whole.status.as_u16(), headers: whole.headers(), body: whole.body };
        self.secrets.out_of(received)
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
        let length = [&request.sent, &request.kept].map(|one| one.url.as_str().len());
        let length = length[0].max(length[1]);
        let (kept, received) = if length > LONGEST_ADDRESS {
            let message = format!("an address of {length} bytes is not sent");
            (Cow::Owned(cut(&request.kept)), Err(AskFailure::new(FailureKind::Protocol, message)))
        } else {
            (Cow::Borrowed(&request.kept), self.received(request))
        };
        let took = left.saturating_sub(self.deadline.left());
        self.calls.push(Call {
            address: kept.url.to_string(),
            request: kept.as_http(),
            received: received.clone(),
            sent_at: begun.date_time,
            took,
        });
        received
    }

    fn pause(&mut self, time: Duration) -> Result<(), AskFailure> {
        let left = self.deadline.left();
        std::thread::sleep(time.min(left));
        if left > time { Ok(()) } else { Err(AskFailure::late()) }
    }
}

/// A request with the beginning of its address.
fn cut(request: &SystemRequest) -> SystemRequest {
    let mut url = request.url.clone();
    let beginning: String = url.as_str().chars().take(MOST_KEPT).collect();
    match Url::parse(&beginning) {
        Ok(beginning) => url = beginning,
        // The host alone is too long: there is no beginning.
        Err(_) => url.set_path(""),
    }
    SystemRequest { url, ..request.clone() }
}

/// What a call without a reply means (systems.md 5): broken connections may be mended, our own limits stay.
fn failed(unreached: Unreached, most: u64) -> AskFailure {
    let failure = |kind, message: String| AskFailure::new(kind, message);
    match unreached {
        Unreached::Unreachable(why) if is_tls(&why) => failure(FailureKind::Tls, why).again(TryAgain::Yes),
        Unreached::Late => AskFailure::late(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::net::patience::Patience;
    use crate::sources::net::reach::NetworkReach;
    use reqwest::Method;

    #[test]
    fn an_address_that_is_too_long_is_not_sent() {
        let client = WholeClient::new(&Patience::default(), NetworkReach::Anybody).unwrap();
        let deadline = Deadline::within(Duration::from_secs(5));
        let mut http = Http::new(Carrier::Network(&client), deadline, 1000, &Values::default());
        let url = Url::parse(&format!("http://127.0.0.1:9/?q={}", "a".repeat(70_000))).unwrap();
        let request = SystemRequest { method: Method::GET, url, headers: Vec::new(), body: Vec::new() };
        let failure = http.call(&Outgoing { sent: request.clone(), kept: request }).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Protocol);
        assert_eq!(failure.message, "an address of 70022 bytes is not sent");
        let call = &http.calls[0];
        assert!(call.address.len() == 2000 && call.request.len() < 2100, "{}", call.address);
        assert_eq!(call.received.as_ref().unwrap_err(), &failure);
    }

    #[test]
    fn failures_of_tls_are_known_by_their_words() {
        assert!(is_tls("invalid peer certificate: UnknownIssuer") && is_tls("received corrupt message"));
        assert!(!is_tls("Connection refused (os error 111)"));
    }
}
