//! Why an exchange failed.

use std::error::Error as StdError;

use thiserror::Error;

use crate::sources::net::patience::Again;

/// Why there is no reply, or not all of it.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// Nobody was reached, for this reason.
    #[error("{0}")]
    Unreachable(String),
    /// It took too long.
    #[error("it took too long")]
    Late,
    /// The connection broke, or nobody speaks HTTP, or the request cannot be sent.
    #[error("{0}")]
    NoReply(String, Again),
    /// There were more redirects than this.
    #[error("too many redirects")]
    TooManyRedirects(usize),
    /// A redirect leads to what is no address.
    #[error("a redirect to what is no address")]
    NoAddress,
    /// A redirect leads to another server, at this address if it can be shown.
    #[error("a redirect to another server")]
    OtherServer(Option<String>),
    /// The body is packed in this way, which nobody asked for.
    #[error("the encoding `{0}`")]
    Encoding(String),
    /// The body has more bytes than this.
    #[error("more than {0} bytes")]
    TooMuch(u64),
    /// The body broke off after so many bytes, for this reason.
    #[error("broken off after {0} bytes: {1}")]
    BrokenOff(u64, String),
}

impl Failure {
    /// A request without a reply.
    pub(crate) fn of(error: &reqwest::Error) -> Self {
        let why = deepest(error);
        if error.is_connect() {
            Self::Unreachable(why)
        } else if error.is_timeout() {
            Self::Late
        } else {
            Self::NoReply(why, if is_broken(error) { Again::Soon } else { Again::Never })
        }
    }
}

/// The innermost reason: the outer ones only say that there is one.
pub(crate) fn deepest(error: &(dyn StdError + 'static)) -> String {
    let mut reason = error;
    while let Some(inner) = reason.source() {
        reason = inner;
    }
    reason.to_string()
}

/// Whether the connection broke, in contrast to a reply that is no HTTP.
fn is_broken(error: &reqwest::Error) -> bool {
    let mut reason = error.source();
    while let Some(inner) = reason {
        if inner.is::<std::io::Error>() || inner.to_string().contains("closed before message completed") {
            return true;
        }
        reason = inner.source();
    }
    error.is_body()
}
