//! NET: the one HTTP client, under downloads, endpoints and live systems. Nothing else uses the network.
//!
//! A `Client` sends a request, follows redirects as far as it may, and gives a `Reply`, whose body is read as it comes
//! or within a time and a size; a `WholeClient` does so in the thread of those who ask often, and follows nobody. What goes
//! wrong on the way is a `Failure`; those who asked say what it means to them, and `Patience` whether and when they try
//! again.

pub mod client;
pub mod clock;
pub mod failure;
pub mod patience;
pub mod reach;
pub mod redirect;
pub mod reply;
pub mod whole;

/// Where the settings for proxies are, for hints.
pub(crate) const PROXIES: &str = "proxies are taken from HTTPS_PROXY, HTTP_PROXY and NO_PROXY";
