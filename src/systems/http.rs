//! Calls over the network: the one client of the program, with a time limit for all calls of a try.

use std::time::Duration;

use crate::base::clock;
use crate::base::error::Result as Checked;
use crate::sources::failure_kind::FailureKind;
use crate::sources::net::clock::Deadline;
use crate::sources::net::failure::Failure as Unreached;
use crate::sources::net::patience::Again;
use crate::sources::net::whole::WholeClient;
use crate::systems::exchange::{Call, Outgoing, Transport};
use crate::systems::failure::{AskFailure, TryAgain};
use crate::systems::reply::RawReply;
use crate::systems::template::Values;

/// The calls of one try.
#[derive(Debug)]
pub(crate) struct Http<'c> {
    client: &'c WholeClient,
    deadline: Deadline,
    /// The most bytes of a body.
    most: u64,
    /// What must not be kept, should a server repeat it.
    values: &'c Values,
    /// What was sent and came so far.
    pub(crate) calls: Vec<Call>,
}

impl<'c> Http<'c> {
    /// A try that must end then.
    pub(crate) fn new(client: &'c WholeClient, deadline: Deadline, most: u64, values: &'c Values) -> Self {
        Self { client, deadline, most, values, calls: Vec::new() }
    }

    fn received(&self, request: &Outgoing) -> Result<RawReply, AskFailure> {
        let sent = &request.sent;
        let mut builder = self.client.http.request(sent.method.clone(), sent.url.clone());
        for (name, value) in &sent.headers {
            builder = builder.header(name, value.as_bytes());
        }
        let builder = builder.body(sent.body.clone());
        let whole = self.client.exchange(builder, self.deadline, self.most);
        let whole = whole.map_err(|unreached| failed(unreached, self.most))?;
        let received = RawReply { status: whole.status.as_u16(), headers: whole.headers(), body: whole.body };
        Ok(self.values.secrets().fold(received, |received, (name, secret)| received.without(name, secret)))
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
        if left > time { Ok(()) } else { Err(AskFailure::late()) }
    }
}

/// The fewest bytes of a secret that is looked for in replies.
const LEAST_SECRET: usize = 6;

impl RawReply {
    /// The reply without a secret that the server repeats.
    fn without(mut self, name: &str, secret: &str) -> Self {
        if secret.len() < LEAST_SECRET {
            return self;
        }
        let place = format!("{{{name}}}");
        for (_, value) in &mut self.headers {
            *value = value.replace(secret, &place);
        }
        let found: Vec<usize> = memchr::memmem::find_iter(&self.body, secret.as_bytes()).collect();
        for at in found.into_iter().rev() {
            self.body.splice(at..at + secret.len(), place.bytes());
        }
        self
    }
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

    #[test]
    fn a_secret_that_a_server_repeats_is_not_kept() {
        let reply = RawReply {
            status: 401,
            headers: vec![("X-Key".to_owned(), "sk-secret".to_owned())],
            body: b"sk-secret is no key, sk-secret".to_vec(),
        };
        let kept = reply.without("env:KEY", "sk-secret");
        assert_eq!(kept.body, b"{env:KEY} is no key, {env:KEY}");
        assert_eq!(kept.headers[0].1, "{env:KEY}");
    }

    #[test]
    fn failures_of_tls_are_known_by_their_words() {
        assert!(is_tls("invalid peer certificate: UnknownIssuer") && is_tls("received corrupt message"));
        assert!(!is_tls("Connection refused (os error 111)"));
    }
}
