//! Where a server is: what it listens at, and what others see of it. Identity is another matter: the IRIs of an archive are what
//! they are wherever it is served.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use axum::http::header::{HOST, HeaderMap};

use crate::base::error::{Error, Result};
use crate::base::text;
use crate::workbench::site::site_address;

/// The most bytes of a body. Queries are the longest that are sent.
pub(crate) const MOST_SENT: usize = 1 << 20;

/// Where, and how, an archive is served.
#[derive(Debug, Clone)]
pub struct ServeSettings {
    /// The archive.
    pub archive: PathBuf,
    /// Where the server listens; with port 0 at any that is free.
    pub listen: SocketAddr,
    /// Where others see it, ending with `/`, when that is not where it listens: behind a proxy, below a path.
    pub public_url: Option<String>,
    /// The longest that a query runs, in seconds.
    pub query_seconds: u64,
    /// The most bytes of memory of a query.
    pub query_memory: u64,
    /// How many queries run at once.
    pub queries: usize,
    /// How many threads make pages.
    pub makers: usize,
}

impl ServeSettings {
    /// The usual: on this machine only.
    pub fn new(archive: impl Into<PathBuf>) -> Self {
        Self {
            archive: archive.into(),
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            public_url: None,
            query_seconds: 30,
            query_memory: 1 << 30,
            queries: 4,
            makers: std::thread::available_parallelism().map_or(2, |number| number.get().max(2)),
        }
    }

    /// Everybody could read what only who sits at the machine was to see, if an address were opened by accident.
    pub(crate) fn refuse_silent_opening(&self) -> Result<()> {
        let is_local = match self.listen.ip() {
            IpAddr::V4(ip) => ip.is_loopback(),
            IpAddr::V6(ip) => ip.is_loopback(),
        };
        if is_local || self.public_url.is_some() {
            return Ok(());
        }
        Err(Error::input(format!("{} can be reached from other machines, and nobody says under which name", self.listen))
        .hint("`⌥public-url https://example.org/qassay/` says it; without `⌥host` only this machine reaches the server"))
    }
}

/// Where a server is, as others see it.
#[derive(Debug, Clone)]
pub(crate) struct ServerPlace {
    /// What the addresses of pages begin with, ending with `/`.
    pub(crate) url: String,
    /// The path of that, from `/` to `/`.
    pub(crate) path: String,
    /// The names by which it may be asked for: those of a stranger are refused, which ends DNS rebinding.
    hosts: Vec<String>,
}

impl ServerPlace {
    /// Where a server is that listens at an address.
    pub(crate) fn of(settings: &ServeSettings, address: SocketAddr) -> Result<Self> {
        let own = format!("http://{address}/");
        let url = site_address(settings.public_url.as_deref().unwrap_or(&own))?;
        let parsed = url::Url::parse(&url).ok();
        let parsed = parsed.filter(|url| url.username().is_empty() && url.password().is_none());
        let parsed = parsed.ok_or_else(|| {
            Error::input(format!("`{}` has a name or a password", text::name(&url)))
                .allowed("an address of the web, as in https://example.org/qassay/")
        })?;
        let stated = parsed.host_str().map(|host| match parsed.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        });
        let port = address.port();
        let here = ["localhost", "127.0.0.1", "[::1]"].map(|host| format!("{host}:{port}"));
        let hosts = here.into_iter().chain([address.to_string()]).chain(stated).collect();
        Ok(Self { path: parsed.path().to_owned(), url, hosts })
    }

    /// The rest of a path behind that of the server; nothing of one beside it.
    pub(crate) fn behind<'p>(&self, path: &'p str) -> Option<&'p str> {
        path.strip_prefix(self.path.as_str())
    }

    /// Whether a request names this server. A proxy may leave out the usual port.
    pub(crate) fn knows(&self, headers: &HeaderMap, uri_host: Option<&str>) -> bool {
        let stated = headers.get(HOST).and_then(|host| host.to_str().ok()).or(uri_host);
        stated.is_some_and(|stated| self.hosts.iter().any(|known| known.eq_ignore_ascii_case(stated)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(public: Option<&str>) -> Result<ServerPlace> {
        let settings = ServeSettings { public_url: public.map(str::to_owned), ..ServeSettings::new("a") };
        ServerPlace::of(&settings, settings.listen)
    }

    #[test]
    fn a_server_is_below_its_path() {
        let here = place(None).unwrap();
        assert_eq!((here.url.as_str(), here.path.as_str()), ("http://127.0.0.1:8080/", "/"));
        let there = place(Some("https://example.org/a/b")).unwrap();
        assert_eq!((there.url.as_str(), there.path.as_str()), ("https://example.org/a/b/", "/a/b/"));
        assert_eq!(
            [there.behind("/a/b/c"), there.behind("/a/b"), there.behind("/a/bc")],
            [Some("c"), None, None]
        );
        for wrong in ["", "ftp://e/", "https://e/?q", "https://e/#f", "https://u:p@e/", "example.org"] {
            assert!(place(Some(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn strangers_names_are_refused() {
        let there = place(Some("https://example.org/a/")).unwrap();
        let knows = |host: &str| there.knows(&HeaderMap::from_iter([(HOST, host.parse().unwrap())]), None);
        for known in ["example.org", "EXAMPLE.org", "localhost:8080", "127.0.0.1:8080"] {
            assert!(knows(known), "{known}");
        }
        for other in ["evil.example", "example.org.evil.example", "localhost", "127.0.0.1:80", ""] {
            assert!(!knows(other), "{other}");
        }
        assert!(!there.knows(&HeaderMap::new(), None) && there.knows(&HeaderMap::new(), Some("example.org")));
    }
}
