//! Downloads by HTTP: tries again, continues where it broke off, and never takes more than expected.

use std::cell::Cell;
use std::io::Read;
use std::rc::Rc;
use std::thread;
use std::time::Duration;

use backon::{BlockingRetryable, ExponentialBuilder};
use flate2::read::MultiGzDecoder;
use reqwest::blocking::{Client, Response};
use reqwest::header::{ACCEPT_ENCODING, IF_RANGE, RANGE};
use reqwest::redirect::Policy;
use reqwest::{StatusCode, Url};

use crate::base::error::{Error, Result};
use crate::sources::catalogue::Entry;
use crate::sources::fetch::failure::{Failure, deepest};
use crate::sources::fetch::part::{Part, Stop};
use crate::sources::fetch::settings::Settings;
use crate::sources::fetch::{Watcher, reply};

/// A server that has the files.
#[derive(Debug)]
pub struct Server {
    base: String,
    client: Client,
    settings: Settings,
    /// Whether nobody was there for the last file.
    is_unreachable: Cell<bool>,
}

impl Server {
    pub(crate) fn new(base: &str, settings: Settings) -> Result<Self> {
        let is_web = |url: &Url| matches!(url.scheme(), "http" | "https") && url.has_host();
        if Url::parse(base).is_ok_and(|url| !url.username().is_empty() || url.password().is_some()) {
            return Err(Error::input("the address of the server holds a name or a password")
                .hint("messages show addresses: leave it out"));
        }
        if !Url::parse(base).is_ok_and(|url| is_web(&url)) {
            return Err(Error::input(format!("`{base}` is no address of a server"))
                .allowed("an address that begins with https:// or http://"));
        }
        let mut builder = Client::builder()
            .user_agent(concat!("qassay/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(settings.connect)
            // In the blocking client, the longest wait for the next bytes.
            .timeout(settings.idle)
            .redirect(Policy::limited(settings.redirects))
            .referer(false);
        if !settings.proxies {
            builder = builder.no_proxy();
        }
        let client = builder.build();
        let client = client.map_err(|error| Error::system(format!("cannot prepare downloads: {error}")))?;
        Ok(Self { base: base.to_owned(), client, settings, is_unreachable: Cell::new(false) })
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
        let asked: Rc<Cell<Option<Duration>>> = Rc::default();
        let sleeper = Rc::clone(&asked);
        let waits = ExponentialBuilder::default()
            .with_min_delay(self.settings.first_wait)
            .with_max_delay(self.settings.longest_wait)
            .with_max_times(self.settings.tries.saturating_sub(1));
        let tried = (|| download.attempt())
            .retry(waits)
            .sleep(move |wait| thread::sleep(sleeper.take().unwrap_or(wait)))
            .when(|failure: &Failure| failure.is_passing)
            .notify(|failure, wait| {
                asked.set(failure.asked);
                watcher.again(entry, &failure.error, failure.asked.unwrap_or(wait));
            })
            .call();
        tried.map_err(|failure| {
            self.is_unreachable.set(failure.is_unreachable);
            if failure.is_passing { given_up(failure.error, self.settings.tries) } else { failure.error }
        })
    }
}

/// The error after the last try.
fn given_up(error: Error, tries: usize) -> Error {
    error.at(format!("after {tries} tries"))
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
            let response = self.request()?;
            self.take(response)?;
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
    fn request(&mut self) -> Result<Response, Failure> {
        let here = self.part.here();
        let mut request = self.server.client.get(&self.address).header(ACCEPT_ENCODING, "identity");
        if here > 0 {
            request = request.header(RANGE, format!("bytes={here}-"));
            if let Some(tag) = &self.tag {
                request = request.header(IF_RANGE, tag);
            }
        }
        let response = request.send().map_err(|error| Failure::of_request(&self.address, &error))?;
        match response.status() {
            StatusCode::OK => {
                self.part.start_again()?;
                Ok(response)
            }
            _ if here > 0 && reply::continues_at(&response, here) && reply::encoding(&response).is_none() => {
                Ok(response)
            }
            StatusCode::RANGE_NOT_SATISFIABLE | StatusCode::PARTIAL_CONTENT if here > 0 => {
                // The server has other ideas of the file: the whole, without conditions.
                self.part.start_again()?;
                self.request()
            }
            status => Err(self.refused(status, reply::asked_wait(&response))),
        }
    }

    /// The failure for a status that brings no file.
    fn refused(&self, status: StatusCode, asked: Option<Duration>) -> Failure {
        let failure = Failure::of_status(&self.address, status, asked);
        let longest = self.server.settings.longest_asked;
        match asked.filter(|asked| failure.is_passing && *asked > longest) {
            None => failure,
            Some(asked) => Failure::lasting(failure.error.hint(format!(
                "the server wants us to wait {} seconds, and {} are the most: try again later",
                asked.as_secs(),
                longest.as_secs()
            ))),
        }
    }

    /// Takes the body of a reply.
    fn take(&mut self, response: Response) -> Result<(), Failure> {
        let expected = self.part.expected.bytes;
        let announced = reply::announced(&response).map(|bytes| bytes + self.part.here());
        if let Some(bytes) = announced.filter(|bytes| *bytes != expected) {
            let what = format!("expected {expected} bytes, the server announces {bytes}");
            return Err(Failure::lasting(self.part.refuse(&what)));
        }
        self.tag = reply::strong_tag(&response);
        let body: Box<dyn Read> = match reply::encoding(&response) {
            None => Box::new(response),
            Some("gzip" | "x-gzip") => Box::new(MultiGzDecoder::new(response)),
            Some(other) => {
                let error = Error::system(format!("the server sends the file in the encoding `{other}`"));
                return Err(Failure::lasting(error.in_file(&self.address).allowed("identity, gzip")));
            }
        };
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
