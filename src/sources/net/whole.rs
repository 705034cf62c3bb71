//! Whole replies within a time: for those who ask one server very often. Everything happens in the thread that asks, so that
//! an exchange costs little more than what the kernel does for it.

use reqwest::{Client as Http, Request, RequestBuilder};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

use crate::base::error::{Error, Result};
use crate::sources::net::client::builder;
use crate::sources::net::clock::Deadline;
use crate::sources::net::failure::{Failure, deepest};
use crate::sources::net::patience::Patience;
use crate::sources::net::reach::NetworkReach;
use crate::sources::net::reply::{Reply, WholeReply};

/// Sends requests, and follows no redirect: the reply that says so is the reply. Each thread has its own.
#[derive(Debug)]
pub(crate) struct WholeClient {
    /// What makes requests: they are sent by [`WholeClient::exchange`].
    pub(crate) http: Http,
    runtime: Runtime,
    reach: NetworkReach,
}

impl WholeClient {
    /// A client without cookies that says who it is, for this part of the network.
    pub(crate) fn new(patience: &Patience, reach: NetworkReach) -> Result<Self> {
        let runtime = Builder::new_current_thread().enable_io().enable_time().build();
        let runtime = runtime.map_err(|error| Error::system(format!("cannot prepare requests: {error}")))?;
        let http = reach.applied(builder(patience)).build();
        let http = http.map_err(|error| Error::system(format!("cannot prepare requests: {error}")))?;
        Ok(Self { http, runtime, reach })
    }

    /// The same, but addresses are checked by nobody but who looks up names.
    #[cfg(test)]
    pub(crate) fn unchecked(patience: &Patience, reach: NetworkReach) -> Result<Self> {
        Ok(Self { reach: NetworkReach::Anybody, ..Self::new(patience, reach)? })
    }

    /// Sends a request; the reply with its whole body as it was sent, packed or not, whatever its status. All of it may take
    /// as long as the deadline leaves, however slowly bytes arrive.
    pub(crate) fn exchange(
        &self,
        request: RequestBuilder,
        deadline: Deadline,
        most: u64,
    ) -> Result<WholeReply, Failure> {
        let request = request.build().map_err(|error| Failure::of(&error))?;
        self.reach.check(request.url())?;
        let in_time = async { timeout(deadline.left(), whole(&self.http, request, most)).await };
        self.runtime.block_on(in_time).unwrap_or(Err(Failure::Late))
    }
}

async fn whole(http: &Http, request: Request, most: u64) -> Result<WholeReply, Failure> {
    let mut response = http.execute(request).await.map_err(|error| Failure::of(&error))?;
    let mut body = Vec::new();
    loop {
        let received = body.len() as u64;
        match response.chunk().await {
            Ok(Some(piece)) if received + piece.len() as u64 > most => return Err(Failure::TooMuch(most)),
            Ok(Some(piece)) => body.extend_from_slice(&piece),
            Ok(None) => return Ok(Reply::with(response.status(), response.headers().clone(), body)),
            Err(error) => return Err(Failure::BrokenOff(received, deepest(&error))),
        }
    }
}
