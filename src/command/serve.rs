//! `qassay serve`: the archive as a web platform.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueHint};
use ipnet::IpNet;
use qassay::base::error::{Error, Result};
use qassay::base::watch::{Steps, Watcher};
use qassay::serve::WebServer;
use qassay::serve::place::{ListedSystem, RunAccess, RunSettings, ServeSettings};

use super::output::Output;
use super::words::{ArchivePlace, StorePlace};

/// Serve the archive as a web platform
///
/// What is published, a SPARQL endpoint, and forms that begin evaluations, which are private until they are published.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  qassay serve
  qassay serve --archive qassay-archive --port 8080
  qassay serve --public-url https://example.org/qassay/ --accept token --forwarded-from 127.0.0.1
  qassay serve --host 0.0.0.0 --public-url https://example.org/qassay/ --accept nobody")]
pub(super) struct Serve {
    /// Listen at this address; others than those of this machine need `--public-url`
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// Listen at this port; 0: one that is free
    #[arg(long, value_name = "N", default_value_t = 8080)]
    port: u16,
    /// Where others see it, when that is not where it listens: behind a proxy, below a path. The IRIs of the archive stay what
    /// they are
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    /// The longest that a query runs
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    query_timeout: u64,
    /// The most memory of a query, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(256..=1 << 20))]
    query_memory: u64,
    /// How many queries run at once
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=256))]
    queries: u16,
    /// Who may begin runs [default: anyone, on this machine; with `--public-url` it must be said]
    #[arg(long, value_enum, value_name = "WHO")]
    accept: Option<RunAccess>,
    /// How many parts of runs are done at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    runs: u16,
    /// The longest that a part of a run is scored
    #[arg(long, value_name = "SECONDS", default_value_t = 3600, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    run_timeout: u64,
    /// The most memory of a part of a run, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 2048, value_parser = clap::value_parser!(u64).range(512..=1 << 20))]
    run_memory: u64,
    /// Let strangers have systems asked that are at public addresses, none in a private network
    #[arg(long)]
    ask_public: bool,
    /// Let strangers have these systems asked: a file with a line for each, `ADDRESS PROTOCOL [NAME=VALUE …] NAME`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    systems: Option<PathBuf>,
    /// The network of a proxy, whose word is believed about who calls; may be given again
    #[arg(long, value_name = "CIDR", value_parser = network)]
    forwarded_from: Vec<IpNet>,
    /// Tell numbers for Prometheus at this address, below `/metrics`: it should be one that strangers do not reach
    #[arg(long, value_name = "IP:PORT")]
    metrics: Option<SocketAddr>,
    /// Which server finds what queries of the endpoint ask
    #[command(flatten)]
    there: StorePlace,
    /// Say what would be served, and serve nothing
    #[arg(long)]
    check: bool,
    /// Where evaluations are kept
    #[command(flatten)]
    archive: ArchivePlace,
}

impl Serve {
    /// Serves until the program is told to end.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        let settings = ServeSettings {
            listen: SocketAddr::new(self.host, self.port),
            public_url: self.public_url.clone(),
            query_seconds: self.query_timeout,
            query_memory: self.query_memory << 20,
            queries: usize::from(self.queries),
            store: self.there.address(),
            runs: RunSettings {
                access: self.accept,
                parallel: usize::from(self.runs),
                memory: self.run_memory << 20,
                time: Duration::from_secs(self.run_timeout),
                asks_public: self.ask_public,
                listed: self.listed()?,
            },
            proxies: self.forwarded_from.clone(),
            metrics: self.metrics,
            logs: !output.is_quiet(),
            ..ServeSettings::new(&self.archive.archive)
        };
        // What is remembered of an archive makes it quick; what is not is made now.
        let opening = Steps::new(output, "opening the archive", 1);
        let server = WebServer::open(&settings)?;
        drop(opening);
        if self.check {
            return output.result(&server.described());
        }
        output.note(&format!("listening at {}; Ctrl-C ends it", server.address()));
        output.result(&format!("{}\n", server.url()))?;
        server.serve()?;
        Ok(ExitCode::SUCCESS)
    }

    /// The systems that may be asked by their names.
    fn listed(&self) -> Result<Vec<ListedSystem>> {
        let Some(path) = &self.systems else { return Ok(Vec::new()) };
        let text = std::fs::read_to_string(path).map_err(|error| Error::io("read the file", path, &error))?;
        ListedSystem::all(&text).map_err(|error| error.in_file(path.display().to_string()))
    }
}

/// A network, or one address.
fn network(text: &str) -> std::result::Result<IpNet, String> {
    let one = || text.parse::<IpAddr>().ok().map(IpNet::from);
    text.parse().ok().or_else(one).ok_or_else(|| "a network, as in 10.0.0.0/8, or an address".to_owned())
}
