//! Where a server is: what it listens at, and what others see of it. Identity is another matter: the IRIs of an archive are what
//! they are wherever it is served.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use axum::http::header::{HOST, HeaderMap};

use crate::base::error::{Error, Result};
use crate::base::text;
use crate::kb::remote::StoreAddress;
use crate::systems::address::AddressPolicy;
use crate::systems::description::Protocol;
use crate::workbench::run_request::AnswerSource;
use crate::workbench::site::site_address;

/// The most bytes of a body. Queries are the longest that are sent.
pub(crate) const MOST_SENT: usize = 1 << 20;

/// Who may begin runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum RunAccess {
    /// Nobody: the server is for reading
    Nobody,
    /// Who shows a token (see `qassay token`)
    Token,
    /// Anyone
    Anyone,
}

/// A system that may be asked by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedSystem {
    /// What it is called.
    pub name: String,
    /// Where it is.
    pub address: String,
    /// How it is asked.
    pub protocol: String,
    /// What stands in the places of the protocol.
    pub set: Vec<String>,
}

impl ListedSystem {
    /// The systems of a text, a line each: address, protocol, settings `NAME=VALUE` of the protocol, and a name. What is behind `#`
    /// at the beginning of a line is passed over.
    ///
    /// # Errors
    /// Where a line is none, or two systems have one name.
    pub fn all(text: &str) -> Result<Vec<Self>> {
        let mut all: Vec<Self> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let wrong = |what: String| {
                Error::input(what)
                    .at(format!("line {}", number + 1))
                    .allowed("ADDRESS PROTOCOL [NAME=VALUE …] NAME")
            };
            let mut words = line.split_whitespace();
            let (Some(address), Some(protocol)) = (words.next(), words.next()) else {
                return Err(wrong("this is no system".to_owned()));
            };
            AddressPolicy::Any.address(address).map_err(|error| error.at(format!("line {}", number + 1)))?;
            let protocol =
                Protocol::named(protocol).map_err(|error| error.at(format!("line {}", number + 1)))?;
            let (set, name): (Vec<&str>, Vec<&str>) = words.partition(|word| word.contains('='));
            let name = name.join(" ");
            if name.is_empty() || all.iter().any(|one| one.name == name) {
                return Err(wrong(format!("`{name}` is no name of a system, or that of two")));
            }
            let set = set.into_iter().map(str::to_owned).collect();
            all.push(Self { name, address: address.to_owned(), protocol: protocol.name.clone(), set });
        }
        Ok(all)
    }
}

/// What strangers may have computed.
#[derive(Debug, Clone)]
pub struct RunSettings {
    /// Who may begin runs; nothing: anyone who reaches a server of this machine alone, else nobody has said.
    pub access: Option<RunAccess>,
    /// How many parts of runs are done at once.
    pub parallel: usize,
    /// The most bytes of memory of a part.
    pub memory: u64,
    /// The longest that a part is scored.
    pub time: Duration,
    /// Whether systems at public addresses may be asked that nobody has listed.
    pub asks_public: bool,
    /// The systems that may be asked by their names.
    pub listed: Vec<ListedSystem>,
}

impl Default for RunSettings {
    fn default() -> Self {
        Self {
            access: None,
            parallel: 1,
            memory: 2 << 30,
            time: Duration::from_secs(3600),
            asks_public: false,
            listed: Vec::new(),
        }
    }
}

impl RunSettings {
    /// Whether answers come from a system that who runs the server has listed.
    pub(crate) fn is_listed(&self, answers: &AnswerSource) -> bool {
        let AnswerSource::Live { address, protocol, .. } = answers else { return false };
        self.listed.iter().any(|one| (&one.address, &one.protocol) == (address, protocol))
    }
}

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
    /// Which SPARQL server finds what queries ask, in place of the embedded store.
    pub store: Option<StoreAddress>,
    /// How many threads make pages.
    pub makers: usize,
    /// What strangers may have computed.
    pub runs: RunSettings,
    /// The networks of proxies, which say who calls.
    pub proxies: Vec<ipnet::IpNet>,
    /// Where the server tells its numbers, beside its pages; none: nowhere.
    pub metrics: Option<SocketAddr>,
    /// Whether each request is a line of the log.
    pub logs: bool,
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
            store: None,
            makers: std::thread::available_parallelism().map_or(2, |number| number.get().max(2)),
            runs: RunSettings::default(),
            proxies: Vec::new(),
            metrics: None,
            logs: true,
        }
    }

    /// Everybody could read what only who sits at the machine was to see, if an address were opened by accident.
    pub(crate) fn refuse_silent_opening(&self) -> Result<()> {
        let is_local = match self.listen.ip() {
            IpAddr::V4(ip) => ip.is_loopback(),
            IpAddr::V6(ip) => ip.is_loopback(),
        };
        if !is_local && self.public_url.is_none() {
            let what = format!(
                "{} can be reached from other machines, and nobody says under which name",
                self.listen
            );
            return Err(Error::input(what)
                .allowed("`⌥public-url https://example.org/qassay/` and `⌥accept nobody`, `⌥accept token` or `⌥accept anyone`")
                .hint("without `⌥host` only this machine reaches the server"));
        }
        if self.public_url.is_some() && self.runs.access.is_none() {
            return Err(Error::input("others reach this server, and nobody says who may begin runs").allowed(
                "`⌥accept nobody` (it is for reading), `⌥accept token` (see `qassay token`) or `⌥accept anyone`",
            ));
        }
        Ok(())
    }

    /// Who may begin runs.
    pub(crate) fn access(&self) -> RunAccess {
        self.runs.access.unwrap_or(RunAccess::Anyone)
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

    /// What a page of this server says of where it is from.
    pub(crate) fn origin(&self) -> String {
        url::Url::parse(&self.url).map(|url| url.origin().ascii_serialization()).unwrap_or_default()
    }

    /// Whether browsers trust what comes from here, and say where requests are from (W3C Secure Contexts, section 3.1).
    pub(crate) fn is_trusted(&self) -> bool {
        let parsed = url::Url::parse(&self.url);
        parsed.is_ok_and(|url| {
            let is_here = match url.host() {
                Some(url::Host::Domain(name)) => name == "localhost",
                Some(url::Host::Ipv4(address)) => address.is_loopback(),
                Some(url::Host::Ipv6(address)) => address.is_loopback(),
                None => false,
            };
            url.scheme() == "https" || is_here
        })
    }

    /// Whether a page of this server says so: by the name that others know, or one of this machine.
    pub(crate) fn is_origin(&self, origin: &str) -> bool {
        let own = self.hosts.iter().map(|host| format!("http://{host}"));
        origin.eq_ignore_ascii_case(&self.origin())
            || own.into_iter().any(|own| own.eq_ignore_ascii_case(origin))
    }

    /// A place below this one.
    pub(crate) fn below(&self, path: &str) -> Self {
        Self {
            url: format!("{}{path}/", self.url),
            path: format!("{}{path}/", self.path),
            hosts: self.hosts.clone(),
        }
    }

    /// Whether a request names this server. A proxy may leave out the usual port.
    pub(crate) fn knows(&self, headers: &HeaderMap, uri_host: Option<&str>) -> bool {
        let is_known = |stated: &str| self.hosts.iter().any(|known| known.eq_ignore_ascii_case(stated));
        // An address that names a host counts, whatever the header says (RFC 9112, section 3.2.2); two headers are none.
        let stated: Vec<&str> =
            headers.get_all(HOST).iter().map(|host| host.to_str().unwrap_or_default()).collect();
        stated.len() <= 1
            && stated.iter().copied().chain(uri_host).all(is_known)
            && (!stated.is_empty() || uri_host.is_some())
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
        assert!(there.is_trusted() && place(None).unwrap().is_trusted());
        assert!(!place(Some("http://example.org/")).unwrap().is_trusted());
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
