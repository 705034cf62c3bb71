//! Downloads by HTTP: tries again, continues where it broke off, and never takes more than expected.

use crate::base::error::{Error, Result};
use crate::sources::catalogue::Entry;
use crate::sources::fetch::Downloads;
use crate::sources::fetch::part::{PartialFile, Stop};
use crate::sources::net::PROXIES;
use crate::sources::net::client::Client;
use crate::sources::net::failure::deepest;
use crate::sources::net::patience::{Again, Patience};
use crate::sources::net::redirect::Redirects;
use crate::sources::net::reply::Reply;
use reqwest::StatusCode;
use reqwest::header::{ACCEPT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, ETAG, IF_RANGE, RANGE};
use std::cell::Cell;
use std::time::Duration;

/// A server that has the files.
#[derive(Debug)]
pub struct Server {
    base: String,
    client: Client,
    /// Whether nobody was there for the last file.
    is_unreachable: Cell<bool>,
}

impl Server {
    pub(crate) fn new(base: &str, patience: Patience) -> Result<Self> {
        crate::sources::net::client::address(base, "a server", "messages show addresses: leave it out")?;
        let client = Client::new(patience, Redirects::Anywhere)?;
        Ok(Self { base: base.to_owned(), client, is_unreachable: Cell::new(false) })
    }

    /// Downloads a file until the part is complete.
    pub(crate) fn download(
        &self,
        entry: &Entry,
        part: &mut PartialFile<'_>,
        watcher: &dyn Downloads,
    ) -> Result<()> {
        let address = entry.address_below(&self.base).unwrap_or_default();
        if self.is_unreachable.get() {
            // Many files would wait long for a network that is not there.
            return Err(Error::system("the server cannot be reached, as before").in_file(address));
        }
        part.comes_from(&address);
        let mut download = Download { server: self, entry, address, part, watcher, tag: None };
        let patience = &self.client.patience;
        let tried = patience.tries(
            || download.attempt(),
            |failure: &FailedTry| failure.again,
            |failure, wait| watcher.again(entry, &failure.error, wait),
        );
        tried.map_err(|FailedTry { error, again }| match patience.refused(again) {
            Some(why) => error.hint(format!("the server {why}: try again later")),
            None if again == Again::Never => error,
            None => error.at(format!("after {} tries", patience.tries)),
        })
    }
}

/// The download of one file over several tries.
struct Download<'a, 'b> {
    server: &'a Server,
    entry: &'a Entry,
    address: String,
    part: &'a mut PartialFile<'b>,
    watcher: &'a dyn Downloads,
    /// The tag of the file that the part belongs to.
    tag: Option<String>,
}

impl Download<'_, '_> {
    /// One try.
    fn attempt(&mut self) -> Result<(), FailedTry> {
        if self.part.missing() > 0 || self.part.here() == 0 {
            let reply = self.request()?;
            self.take(reply)?;
        }
        let Some(wrong) = self.part.check()? else { return Ok(()) };
        // Bytes of an interrupted run may be from another file: once more from the beginning.
        if self.part.is_continued() {
            self.part.start_again()?;
            return Err(FailedTry::passing(self.part.wrong(&wrong)));
        }
        Err(FailedTry::lasting(self.part.refuse(&wrong)))
    }

    /// Asks for what is missing, and gives a reply that has it.
    fn request(&mut self) -> Result<Reply, FailedTry> {
        let here = self.part.here();
        let client = &self.server.client;
        let mut request = client.http.get(&self.address).header(ACCEPT_ENCODING, "identity");
        if here > 0 {
            request = request.header(RANGE, format!("bytes={here}-"));
            if let Some(tag) = &self.tag {
                request = request.header(IF_RANGE, tag);
            }
        }
        let reply = client.exchange(request, None);
        self.server
            .is_unreachable
            .set(matches!(reply, Err(crate::sources::net::failure::Failure::Unreachable(_))));
        let reply = reply.map_err(|failure| self.failed(&failure))?;
        match reply.status {
            StatusCode::OK => {
                self.part.start_again()?;
                Ok(reply)
            }
            _ if here > 0 && continues_at(&reply, here) => Ok(reply),
            StatusCode::RANGE_NOT_SATISFIABLE | StatusCode::PARTIAL_CONTENT if here > 0 => {
                // The server has other ideas of the file: the whole, without conditions.
                self.part.start_again()?;
                self.request()
            }
            status => Err(FailedTry::of_status(&self.address, status, reply.asked_wait())),
        }
    }

    fn failed(&self, failure: &crate::sources::net::failure::Failure) -> FailedTry {
        FailedTry::of_exchange(&self.address, failure)
    }

    /// Takes the body of a reply.
    fn take(&mut self, reply: Reply) -> Result<(), FailedTry> {
        let expected = self.part.expected.bytes;
        let announced = announced(&reply).map(|bytes| bytes + self.part.here());
        if let Some(bytes) = announced.filter(|bytes| *bytes != expected) {
            let what = format!("expected {expected} bytes, the server announces {bytes}");
            return Err(FailedTry::lasting(self.part.refuse(&what)));
        }
        self.tag = strong_tag(&reply);
        let body = reply.stream().map_err(|failure| self.failed(&failure))?;
        let (entry, watcher) = (self.entry, self.watcher);
        match self.part.add(body, |here| watcher.here(entry, here))? {
            Stop::TooMany => {
                let what = format!("expected {expected} bytes, the server sends more");
                Err(FailedTry::lasting(self.part.refuse(&what)))
            }
            Stop::Broken(error) => {
                let here = self.part.here();
                let what =
                    format!("the download broke off after {here} of {expected} bytes: {}", deepest(&error));
                Err(FailedTry::passing(Error::system(what).in_file(&self.address)))
            }
            // Nobody announced where the end is: this may be none.
            Stop::End if announced.is_none() && self.part.missing() > 0 => {
                let here = self.part.here();
                let what = format!("the download ends after {here} of {expected} bytes");
                Err(FailedTry::passing(Error::system(what).in_file(&self.address)))
            }
            Stop::End => Ok(()),
        }
    }
}

/// Whether the body continues what is here: a part of the file that begins at this byte.
pub(crate) fn continues_at(reply: &Reply, here: u64) -> bool {
    let range = || reply.header(CONTENT_RANGE)?.strip_prefix("bytes ")?.split_once('-');
    reply.status == StatusCode::PARTIAL_CONTENT
        && range().and_then(|(start, _)| start.trim().parse().ok()) == Some(here)
        && reply.encoding().is_none()
}

/// The size of the body as announced, where it is the size of the bytes that count.
pub(crate) fn announced(reply: &Reply) -> Option<u64> {
    reply.encoding().is_none().then(|| reply.header(CONTENT_LENGTH)?.parse().ok())?
}

/// The strong tag of the file: with a weak one, ranges of different bytes could be joined.
pub(crate) fn strong_tag(reply: &Reply) -> Option<String> {
    reply.header(ETAG).filter(|tag| tag.starts_with('"')).map(str::to_owned)
}

/// A try that failed.
#[derive(Debug)]
pub(crate) struct FailedTry {
    /// What to tell.
    pub(crate) error: Error,
    /// Whether another try may succeed.
    pub(crate) again: Again,
}

impl FailedTry {
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
                told.hint("the file was there when the catalogue was made; `⌥mirror DIR` reads a copy")
            }
            _ => told,
        };
        let again = if is_passing { Again::after(asked) } else { Again::Never };
        Self { error, again }
    }
}

impl From<Error> for FailedTry {
    /// What the machine refuses, it refuses again.
    fn from(error: Error) -> Self {
        Self::lasting(error)
    }
}
