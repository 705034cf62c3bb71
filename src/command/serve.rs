//! `qassay serve`: the archive as a web platform.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::ExitCode;

use clap::Args;
use qassay::base::error::Result;
use qassay::base::watch::Watcher;
use qassay::serve::WebServer;
use qassay::serve::place::ServeSettings;

use super::output::Output;
use super::words::ArchivePlace;

/// Serve what the archive has published: pages, files, a SPARQL endpoint
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  qassay serve
  qassay serve --archive qassay-archive --port 8080
  qassay serve --host 0.0.0.0 --public-url https://example.org/qassay/")]
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
            ..ServeSettings::new(&self.archive.archive)
        };
        let server = WebServer::open(&settings)?;
        output.note(&format!("listening at {}; Ctrl-C ends it", server.address()));
        output.result(&format!("{}\n", server.url()))?;
        server.serve()?;
        Ok(ExitCode::SUCCESS)
    }
}
