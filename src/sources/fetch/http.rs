//! Downloads by HTTP: tries again, continues where it broke off, and never takes more than expected.

use std::cell::Cell;

use reqwest::StatusCode;
use reqwest::header::{ACCEPT_ENCODING, IF_RANGE, RANGE};

use crate::base::error::{Error, Result};
use crate::sources::catalogue::Entry;
use crate::sources::fetch::failure::Failure;
use crate::sources::fetch::part::{Part, Stop};
use crate::sources::fetch::{Watcher, reply};
use crate::sources::net::client::Client;
use crate::sources::net::failure::deepest;
use crate::sources::net::patience::{Again, Patience};
use crate::sources::net::redirect::Redirects;
use crate::sources::net::reply::Reply;

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
        crate::sources::net::address::address(base, "a server", "messages show addresses: leave it out")?;
        let client = Client::new(patience, Redirects::Anywhere)?;
        Ok(Self { base: base.to_owned(), client, is_unreachable: Cell::new(false) })
    }

    /// Downloads a file until the part is complete.
    pub(crate) fn download(&self, entry: &Entry, part: &mut Part<'_>, watcher: &dyn Watcher) -> Result<()> {
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
            |failure: &Failure| failure.again,
            |failure, wait| watcher.again(entry, &failure.error, wait),
        );
        tried.map_err(|Failure { error, again }| match patience.refused(again) {
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
    part: &'a mut Part<'b>,
    watcher: &'a dyn Watcher,
    /// The tag of the file that the part belongs to.
    tag: Option<String>,
}

impl Download<'_, '_> {
    /// One try.
    fn attempt(&mut self) -> Result<(), Failure> {
        if self.part.missing() > 0 || self.part.here() == 0 {
            let reply = self.request()?;
            self.take(reply)?;
        }
        let Some(wrong) = self.part.check()? else { return Ok(()) };
        // Bytes of an interrupted run may be from another file: once more from the beginning.
        if self.part.is_continued() {
            self.part.start_again()?;
            return Err(Failure::passing(self.part.wrong(&wrong)));
        }
        Err(Failure::lasting(self.part.refuse(&wrong)))
    }

    /// Asks for what is missing, and gives a reply that has it.
    fn request(&mut self) -> Result<Reply, Failure> {
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
            _ if here > 0 && reply::continues_at(&reply, here) => Ok(reply),
            StatusCode::RANGE_NOT_SATISFIABLE | StatusCode::PARTIAL_CONTENT if here > 0 => {
                // The server has other ideas of the file: the whole, without conditions.
                self.part.start_again()?;
                self.request()
            }
            status => Err(Failure::of_status(&self.address, status, reply.asked_wait())),
        }
    }

    fn failed(&self, failure: &crate::sources::net::failure::Failure) -> Failure {
        Failure::of_exchange(&self.address, failure)
    }

    /// Takes the body of a reply.
    fn take(&mut self, reply: Reply) -> Result<(), Failure> {
        let expected = self.part.expected.bytes;
        let announced = reply::announced(&reply).map(|bytes| bytes + self.part.here());
        if let Some(bytes) = announced.filter(|bytes| *bytes != expected) {
            let what = format!("expected {expected} bytes, the server announces {bytes}");
            return Err(Failure::lasting(self.part.refuse(&what)));
        }
        self.tag = reply::strong_tag(&reply);
        let body = reply.stream().map_err(|failure| self.failed(&failure))?;
        let (entry, watcher) = (self.entry, self.watcher);
        match self.part.add(body, |here| watcher.here(entry, here))? {
            Stop::TooMany => {
                let what = format!("expected {expected} bytes, the server sends more");
                Err(Failure::lasting(self.part.refuse(&what)))
            }
            Stop::Broken(error) => {
                let here = self.part.here();
                let what =
                    format!("the download broke off after {here} of {expected} bytes: {}", deepest(&error));
                Err(Failure::passing(Error::system(what).in_file(&self.address)))
            }
            // Nobody announced where the end is: this may be none.
            Stop::End if announced.is_none() && self.part.missing() > 0 => {
                let here = self.part.here();
                let what = format!("the download ends after {here} of {expected} bytes");
                Err(Failure::passing(Error::system(what).in_file(&self.address)))
            }
            Stop::End => Ok(()),
        }
    }
}
