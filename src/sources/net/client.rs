//! The client: requests, and the redirects that they meet.

use crate::base::error::{Error, Result};
use crate::sources::net::clock::Deadline;
use crate::sources::net::failure::Failure;
use crate::sources::net::patience::{Again, Patience};
use crate::sources::net::redirect;
use crate::sources::net::redirect::Redirects;
use crate::sources::net::reply::Reply;
use reqwest::Url;
use reqwest::blocking::{Client as Http, ClientBuilder as HttpBuilder, RequestBuilder};

/// Sends requests.
#[derive(Debug)]
pub(crate) struct Client {
    /// What makes requests: they are sent by [`Client::exchange`].
    pub(crate) http: Http,
    pub(crate) patience: Patience,
    redirects: Redirects,
}

impl Client {
    /// A client without cookies that says who it is.
    pub(crate) fn new(patience: Patience, redirects: Redirects) -> Result<Self> {
        // In the blocking client, the timeout is the longest wait for the next bytes.
        let http = HttpBuilder::from(builder(&patience)).timeout(patience.idle).build();
        let http = http.map_err(|error| Error::system(format!("cannot prepare requests: {error}")))?;
        Ok(Self { http, patience, redirects })
    }

    /// Sends a request, and sends it again where a redirect says so. All of it may take as long as the deadline leaves.
    pub(crate) fn exchange(
        &self,
        request: RequestBuilder,
        deadline: Option<Deadline>,
    ) -> Result<Reply, Failure> {
        let mut request = request.build().map_err(|error| Failure::of(&error))?;
        for _ in 0..=self.patience.redirects {
            if let Some(deadline) = deadline {
                let left = deadline.left();
                if left.is_zero() {
                    return Err(Failure::Late);
                }
                *request.timeout_mut() = Some(left);
            }
            let Some(sent) = request.try_clone() else {
                return Err(Failure::NoReply("the request cannot be sent again".to_owned(), Again::Never));
            };
            let response = self.http.execute(sent).map_err(|error| Failure::of(&error))?;
            if !redirect::follow(&response, &mut request, self.redirects)? {
                return Ok(Reply::of(response));
            }
        }
        Err(Failure::TooManyRedirects(self.patience.redirects))
    }
}

/// What makes clients: without cookies, they say who they are, and follow no redirect by themselves.
pub(crate) fn builder(patience: &Patience) -> reqwest::ClientBuilder {
    let builder = reqwest::Client::builder()
        .user_agent(concat!("qassay/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(patience.connect)
        .redirect(reqwest::redirect::Policy::none())
        .referer(false);
    if patience.proxies { builder } else { builder.no_proxy() }
}

/// The address of `whom`, if it is one of a server and holds no name and no password; `instead` says where those belong.
pub(crate) fn address(text: &str, whom: &str, instead: &str) -> Result<Url> {
    let web = |url: &Url| matches!(url.scheme(), "http" | "https") && url.has_host();
    let Some(url) = Url::parse(text).ok().filter(web) else {
        // An address that cannot be read may hold a password all the same.
        let shown = if text.contains('@') { "this".to_owned() } else { format!("`{text}`") };
        return Err(Error::input(format!("{shown} is no address of {whom}"))
            .allowed("an address that begins with https:// or http://"));
    };
    if url.username().is_empty() && url.password().is_none() {
        return Ok(url);
    }
    Err(Error::input(format!("the address of {whom} holds a name or a password")).hint(instead))
}
