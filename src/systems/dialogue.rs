//! One question for one system: the requests that its protocol makes of it.

use reqwest::{Method, Url};

use crate::base::error::Result as Checked;
use crate::sources::failure_kind::FailureKind;
use crate::systems::description::Protocol;
use crate::systems::exchange::Outgoing;
use crate::systems::failure::AskFailure;
use crate::systems::request::SystemRequest;
use crate::systems::template::{Secrets, Values};

/// Asks a system one question.
#[derive(Debug, Clone, Copy)]
pub struct Dialogue<'q> {
    /// How it is asked.
    pub protocol: &'q Protocol,
    /// Where it is.
    pub address: &'q Url,
    /// What stands in the places of its templates.
    pub values: &'q Values,
}

impl Dialogue<'_> {
    /// The first request.
    pub(crate) fn first(&self) -> Result<Outgoing, AskFailure> {
        outgoing(self.values, |values| SystemRequest::first(self.protocol, self.address, values))
    }

    /// A form sent to a path of the same server.
    pub(crate) fn post_form(&self, path: &str, field: &str, value: &str, accept: &str) -> Outgoing {
        let mut url = self.address.clone();
        url.set_path(path);
        url.set_query(None);
        let form: String = form_urlencoded::Serializer::new(String::new()).append_pair(field, value).finish();
        let headers =
            [("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8"), ("Accept", accept)];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        let request = SystemRequest { method: Method::POST, url, headers, body: form.into_bytes() };
        Outgoing { sent: request.clone(), kept: request }
    }
}

/// A request as it is sent and as it is kept.
pub(crate) fn outgoing(
    values: &Values,
    request: impl Fn(&Values) -> Checked<SystemRequest>,
) -> Result<Outgoing, AskFailure> {
    let made = |secrets| {
        let made = request(&values.clone().with_secrets(secrets));
        made.map_err(|error| AskFailure::new(FailureKind::Protocol, error.to_string()).stopping())
    };
    // What is kept first: what is wrong with it is said without secrets.
    Ok(Outgoing { kept: made(Secrets::Hidden)?, sent: made(Secrets::Sent)? })
}
