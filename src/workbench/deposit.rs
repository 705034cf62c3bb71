//! DEPOSIT: a record as a draft in a repository that runs `InvenioRDM`, such as Zenodo. Nothing is published by it: who looks
//! after the repository, or who deposits, does that there.
//!
//! The four calls are those of its REST API: make a draft, announce a file, send it, commit it.

use std::fs;
use std::path::Path;
use std::time::Duration;

use reqwest::blocking::RequestBuilder;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Method, Url};
use serde_json::{Value, json};

use crate::base::error::{Error, Result};
use crate::base::text;
use crate::kb::endpoint::credentials::Credentials;
use crate::record::publication::metadata::RecordMetadata;
use crate::report::forms::invenio::invenio;
use crate::sources::net::client::{Client, address};
use crate::sources::net::clock::Deadline;
use crate::sources::net::failure::Failure;
use crate::sources::net::patience::Patience;
use crate::sources::net::redirect::Redirects;
use crate::sources::net::reply::WholeReply;

/// The variable with the token of a repository.
const TOKEN: &str = "QASSAY_DEPOSIT_TOKEN";

/// How long a repository may take for a call, without the time for a file.
const CALL: Duration = Duration::from_secs(60);

/// A line that is slower than this, in bytes a second, is given up.
const SLOWEST: u64 = 50_000;

/// The most bytes of a reply.
const MOST: u64 = 4 << 20;

/// How much of what a repository says is repeated, in characters.
const SAID: usize = 300;

/// A repository, and who deposits.
#[derive(Debug)]
pub struct Repository {
    client: Client,
    /// The address of its interface, ending with `/api/records`.
    records: Url,
    who: Credentials,
}

/// A draft that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DepositDraft {
    /// Its name in the repository.
    pub id: String,
    /// Its page, where somebody looks at it and publishes it.
    pub page: String,
    /// The DOI that the repository keeps for it, if it says so.
    pub doi: Option<String>,
}

impl Repository {
    /// The repository at an address, with the token of the environment (`QASSAY_DEPOSIT_TOKEN`). Nobody is called.
    ///
    /// # Errors
    /// Where it is no address, the token would travel in the clear, or there is no token.
    pub fn new(stated: &str) -> Result<Self> {
        let token = std::env::var(TOKEN).ok().map(|token| token.trim().to_owned());
        Self::with(stated, token.as_deref().unwrap_or_default(), Patience::default())
    }

    fn with(stated: &str, token: &str, patience: Patience) -> Result<Self> {
        let mut records =
            address(stated, "a repository", &format!("set {TOKEN} to a token of the repository"))?;
        let is_here = matches!(records.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
        if records.scheme() != "https" && !is_here {
            return Err(Error::input(format!(
                "the token would travel in the clear to `{}`",
                text::name(stated)
            ))
            .allowed("an address that begins with https://"));
        }
        if token.is_empty() {
            return Err(Error::input("there is no token for the repository").hint(format!(
                "set {TOKEN} to a token that may write deposits; the repository makes one in the settings of your account"
            )));
        }
        if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::input(format!("{TOKEN} has what no token has")).allowed("one word, in ASCII"));
        }
        let path = records.path().trim_end_matches('/').trim_end_matches("/records").trim_end_matches("/api");
        let path = format!("{path}/api/records");
        records.set_path(&path);
        records.set_query(None);
        records.set_fragment(None);
        let client = Client::new(patience, Redirects::SameServer)?;
        Ok(Self { client, records, who: Credentials::bearer(token) })
    }

    /// Makes a draft with a file. Where a call fails, the draft is taken away again.
    ///
    /// # Errors
    /// Where the repository cannot be reached or refuses something; where it has not the file as it is.
    pub fn deposit(&self, metadata: &RecordMetadata, file: &Path) -> Result<DepositDraft> {
        let content = fs::read(file).map_err(|error| Error::io("read the record", file, &error))?;
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let made = self.call("make the draft", Method::POST, &[], |request| {
            request.header(CONTENT_TYPE, "application/json").body(invenio(metadata))
        })?;
        let id = made["id"].as_str().filter(|id| is_name(id));
        let id = id.ok_or_else(|| self.strange("make the draft", "the reply names no draft"))?.to_owned();
        if let Err(error) = self.send(&id, &name, content) {
            let removed = self.call("remove the draft", Method::DELETE, &[&id, "draft"], |request| request);
            return Err(match removed {
                Ok(_) => error,
                Err(_) => error.hint(format!("the draft {id} could not be removed: do it in the repository")),
            });
        }
        let page = made["links"]["self_html"].as_str().filter(|page| self.is_own(page));
        let page = page.map_or_else(|| self.at(&[&id, "draft"]).to_string(), str::to_owned);
        let doi = made["pids"]["doi"]["identifier"].as_str();
        let doi = doi.map(|doi| text::name(doi).into_owned());
        Ok(DepositDraft { id, page, doi })
    }

    fn send(&self, id: &str, name: &str, content: Vec<u8>) -> Result<()> {
        let size = content.len() as u64;
        let announced = json!([{ "key": name }]).to_string();
        self.call("announce the file", Method::POST, &[id, "draft", "files"], |request| {
            request.header(CONTENT_TYPE, "application/json").body(announced)
        })?;
        let time = CALL + Duration::from_secs(size / SLOWEST);
        self.call_within(
            time,
            "send the file",
            Method::PUT,
            &[id, "draft", "files", name, "content"],
            |request| request.header(CONTENT_TYPE, "application/octet-stream").body(content),
        )?;
        let committed =
            self.call("commit the file", Method::POST, &[id, "draft", "files", name, "commit"], |request| {
                request
            })?;
        match committed["size"].as_u64() {
            Some(there) if there != size => {
                let problem = format!("it has {there} bytes of the file, which has {size}");
                Err(self.strange("commit the file", &problem))
            }
            _ => Ok(()),
        }
    }

    /// Whether an address is one of the repository.
    fn is_own(&self, page: &str) -> bool {
        Url::parse(page).is_ok_and(|page| page.origin() == self.records.origin())
    }

    fn at(&self, parts: &[&str]) -> Url {
        let mut url = self.records.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.extend(parts);
        }
        url
    }

    fn strange(&self, what: &str, problem: &str) -> Error {
        Error::system(format!("cannot {what}: {problem}"))
            .in_file(self.records.to_string())
            .allowed("a repository that runs InvenioRDM, such as Zenodo")
    }

    fn call(
        &self,
        what: &str,
        method: Method,
        parts: &[&str],
        filled: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> Result<Value> {
        self.call_within(CALL, what, method, parts, filled)
    }

    /// One call; gives the JSON of its reply, `null` where it is empty.
    fn call_within(
        &self,
        time: Duration,
        what: &str,
        method: Method,
        parts: &[&str],
        filled: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> Result<Value> {
        let request = self.client.http.request(method, self.at(parts)).header(ACCEPT, "application/json");
        let deadline = Deadline::within(time);
        let reply = self.client.exchange(self.who.add(filled(request)), Some(deadline));
        let reply = reply
            .and_then(|reply| reply.whole(deadline, MOST))
            .map_err(|failure| self.failed(what, &failure))?;
        let body: Option<Value> = serde_json::from_slice(&reply.body).ok();
        if reply.status.is_success() {
            return match body {
                Some(body) => Ok(body),
                None if reply.body.is_empty() => Ok(Value::Null),
                None => Err(self.strange(what, "the reply is no JSON")),
            };
        }
        Err(self.refused(what, &reply, body.as_ref()))
    }

    fn failed(&self, what: &str, failure: &Failure) -> Error {
        let error = Error::system(format!("cannot {what}: {}", self.who.hide(&failure.to_string())));
        let error = error.in_file(self.records.to_string());
        match failure {
            Failure::OtherServer(_) => error.hint("name the address of that server if you trust it"),
            _ => error.hint("try again; nothing is published by a draft"),
        }
    }

    /// What a repository says that refuses something.
    fn refused(&self, what: &str, reply: &WholeReply, body: Option<&Value>) -> Error {
        let said = |text: &str| text::brief(&self.who.hide(text), SAID).into_owned();
        let message = body.and_then(|body| body["message"].as_str()).map(said);
        let message = message.map(|message| format!(": {message}")).unwrap_or_default();
        let error = Error::system(format!("cannot {what}: status {}{message}", reply.status.as_u16()));
        let error = error.in_file(self.records.to_string());
        let problems = body.and_then(|body| body["errors"].as_array()).into_iter().flatten();
        let problem = |problem: &Value| {
            let messages = problem["messages"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let messages: Vec<&str> = messages.collect();
            said(&format!("{}: {}", problem["field"].as_str().unwrap_or_default(), messages.join("; ")))
        };
        let error = error.list(problems.map(problem));
        match reply.status.as_u16() {
            401 | 403 => {
                error.hint(format!("{TOKEN} must be a token of this repository that may write deposits"))
            }
            404 | 405 => error.allowed("a repository that runs InvenioRDM, such as https://zenodo.org"),
            429 | 503 => error.hint("the repository is busy: try again later"),
            _ => error,
        }
    }
}

/// Whether a repository may call a draft so: it stands in addresses.
fn is_name(id: &str) -> bool {
    !id.is_empty() && id.len() <= 64 && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_that_of_a_repository() {
        let at = |stated: &str| Repository::with(stated, "secret", Patience::default());
        for (stated, records) in [
            ("https://zenodo.org", "https://zenodo.org/api/records"),
            ("https://zenodo.org/api/", "https://zenodo.org/api/records"),
            (
                "https://example.org/repository/api/records?q=1#x",
                "https://example.org/repository/api/records",
            ),
            ("http://127.0.0.1:5000", "http://127.0.0.1:5000/api/records"),
        ] {
            assert_eq!(at(stated).unwrap().records.as_str(), records);
        }
        for (stated, said) in [
            ("http://example.org", "the token would travel in the clear"),
            ("zenodo.org", "is no address of a repository"),
            ("https://me:secret@zenodo.org", "holds a name or a password"),
        ] {
            let error = at(stated).unwrap_err().to_string();
            assert!(error.contains(said) && !error.contains("secret@"), "{error}");
        }
        let none = Repository::with("https://zenodo.org", "", Patience::default()).unwrap_err();
        assert!(none.to_string().contains("there is no token"), "{none}");
        assert!(Repository::with("https://zenodo.org", "a\nb", Patience::default()).is_err());
        assert!(!format!("{:?}", at("https://zenodo.org").unwrap()).contains("secret"));
    }

    #[test]
    fn what_names_a_draft_cannot_lead_elsewhere() {
        assert!(is_name("q5jr8-hny72") && is_name("12345"));
        for id in ["", "..", "a/b", "a?b", "a b", "%2e", &"a".repeat(65)] {
            assert!(!is_name(id), "{id}");
        }
    }
}
