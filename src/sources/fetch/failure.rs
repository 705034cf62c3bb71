//! Why a try failed, and whether another makes sense.

use std::time::Duration;

use reqwest::StatusCode;

use crate::base::error::Error;
use crate::sources::net::PROXIES;
use crate::sources::net::patience::Again;

/// A try that failed.
#[derive(Debug)]
pub(crate) struct Failure {
    /// What to tell.
    pub(crate) error: Error,
    /// Whether another try may succeed.
    pub(crate) again: Again,
}

impl Failure {
    /// Another try may succeed.
    pub(crate) fn passing(error: Error) -> Self {
        Self { error, again: Again::Soon }
    }

    /// Another try would fail like this one.
    pub(crate) fn lasting(error: Error) -> Self {
        Self { error, again: Again::Never }
    }

    /// A request without a reply that can be read.
    pub(crate) fn of_exchange(address: &str, failure: &crate::sources::net::failure::Failure) -> Self {
        let told = |text: String| Error::system(text).in_file(address);
        let failed = told(format!("cannot fetch the file: {failure}"));
        match failure {
            crate::sources::net::failure::Failure::Unreachable(_) => {
                Self::passing(failed.hint(format!("check the network; {PROXIES}")))
            }
            crate::sources::net::failure::Failure::Late => {
                Self::passing(told("the server does not answer in time".to_owned()))
            }
            crate::sources::net::failure::Failure::NoReply(_, again) => Self { error: failed, again: *again },
            crate::sources::net::failure::Failure::Encoding(_) => {
                let error = told(format!("the server sends the file in {failure}"));
                Self::lasting(error.allowed("identity, gzip"))
            }
            _ => Self::lasting(failed),
        }
    }

    /// A reply that is no file.
    pub(crate) fn of_status(address: &str, status: StatusCode, asked: Option<Duration>) -> Self {
        let told = Error::system(format!("the server says {status}")).in_file(address);
        let is_passing = status.is_server_error()
            || matches!(status, StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS);
        let error = match status {
            StatusCode::NOT_FOUND | StatusCode::GONE => {
                told.hint("the file was there when the catalogue was made; `--mirror DIR` reads a copy")
            }
            _ => told,
        };
        let again = if is_passing { Again::after(asked) } else { Again::Never };
        Self { error, again }
    }
}

impl From<Error> for Failure {
    /// What the machine refuses, it refuses again.
    fn from(error: Error) -> Self {
        Self::lasting(error)
    }
}
