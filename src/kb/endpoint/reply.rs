//! What a server replied.

use std::time::Duration;

use reqwest::StatusCode;
use reqwest::blocking::Response;
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, RETRY_AFTER, SERVER, WWW_AUTHENTICATE};

/// A reply: what its head says, and its bytes.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    /// The media type without parameters, in lower case.
    pub(crate) media_type: String,
    /// How the body is packed, in lower case; empty for not.
    pub(crate) encoding: String,
    pub(crate) server: Option<String>,
    /// How long the server wants us to wait. A date is not looked at: clocks differ.
    pub(crate) asked_wait: Option<Duration>,
    /// The ways in which the server wants to know who asks.
    pub(crate) authentication: String,
    /// Virtuoso: the state of a query that was interrupted.
    pub(crate) sql_state: Option<String>,
    /// Virtuoso: why it was.
    pub(crate) sql_message: Option<String>,
    /// Virtuoso: the most rows that it gives, where there are as many.
    pub(crate) most_rows: Option<u64>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    /// The head of a reply.
    pub(crate) fn of(response: &Response) -> Self {
        let header =
            |name: &str| response.headers().get(name)?.to_str().ok().map(|text| text.trim().to_owned());
        let lower = |name: &str| header(name).unwrap_or_default().to_ascii_lowercase();
        let media_type = lower(CONTENT_TYPE.as_str());
        Self {
            status: response.status(),
            media_type: media_type.split(';').next().unwrap_or_default().trim().to_owned(),
            encoding: lower(CONTENT_ENCODING.as_str()),
            server: header(SERVER.as_str()),
            asked_wait: header(RETRY_AFTER.as_str())
                .and_then(|text| text.parse().ok())
                .map(Duration::from_secs),
            authentication: lower(WWW_AUTHENTICATE.as_str()),
            sql_state: header("x-sql-state"),
            sql_message: header("x-sql-message"),
            most_rows: header("x-sparql-maxrows").and_then(|text| text.parse().ok()),
            body: Vec::new(),
        }
    }
}
