//! Why a try failed, and whether another makes sense.

use std::error::Error as StdError;
use std::time::Duration;

use reqwest::StatusCode;

use crate::base::error::Error;

/// A try that failed.
#[derive(Debug)]
pub(crate) struct Failure {
    /// What to tell.
    pub(crate) error: Error,
    /// Whether another try may succeed.
    pub(crate) is_passing: bool,
    /// Whether nobody was reached.
    pub(crate) is_unreachable: bool,
    /// How long the server wants us to wait.
    pub(crate) asked: Option<Duration>,
}

impl Failure {
    /// Another try may succeed.
    pub(crate) fn passing(error: Error) -> Self {
        Self { error, is_passing: true, is_unreachable: false, asked: None }
    }

    /// Another try would fail like this one.
    pub(crate) fn lasting(error: Error) -> Self {
        Self { error, is_passing: false, is_unreachable: false, asked: None }
    }

    /// A request without a reply.
    pub(crate) fn of_request(address: &str, error: &reqwest::Error) -> Self {
        let text = format!("cannot fetch the file: {}", deepest(error));
        let told = Error::system(text).in_file(address);
        if error.is_redirect() {
            return Self::lasting(told);
        }
        if error.is_connect() {
            let hint = "check the network; proxies are taken from HTTPS_PROXY, HTTP_PROXY and NO_PROXY";
            return Self { is_unreachable: true, ..Self::passing(told.hint(hint)) };
        }
        if error.is_timeout() {
            return Self::passing(Error::system("the server does not answer in time").in_file(address));
        }
        if is_broken(error) { Self::passing(told) } else { Self::lasting(told) }
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
        Self { error, is_passing, is_unreachable: false, asked }
    }
}

impl From<Error> for Failure {
    /// What the machine refuses, it refuses again.
    fn from(error: Error) -> Self {
        Self::lasting(error)
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
pub(crate) fn is_broken(error: &reqwest::Error) -> bool {
    let mut reason = error.source();
    while let Some(inner) = reason {
        if inner.is::<std::io::Error>() || inner.to_string().contains("closed before message completed") {
            return true;
        }
        reason = inner.source();
    }
    error.is_body()
}
