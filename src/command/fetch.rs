//! `qassay fetch`: published files into the archive.

use std::cell::RefCell;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueHint};
use indicatif::ProgressBar;
use qassay::base::error::{Error, Result};
use qassay::base::text::counted;
use qassay::base::watch::Watcher;
use qassay::sources::catalogue::find::find;
use qassay::sources::catalogue::{Entry, SERVER, entries};
use qassay::sources::fetch::{Arrival, Downloads, Origin};
use qassay::sources::net::patience::Patience;

use super::output::Output;
use super::words::ArchivePlace;

/// Fetch published files into the archive
#[derive(Debug, Args)]
#[command(
    after_help = "The size and the sha256 checksum of each file are those of the catalogue, or nothing is kept. What is there \
already is not fetched again; an interrupted download goes on where it was. Proxies are taken from \
HTTPS_PROXY, HTTP_PROXY and NO_PROXY. Other commands use the network only where they are given the URL of an endpoint or of a record."
)]
pub(super) struct Fetch {
    /// The names of the files, see `qassay datasets`
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    names: Vec<String>,
    /// Fetch every file of the catalogue
    #[arg(long)]
    all: bool,
    /// Copy from this folder, DIR/OWNER/REPOSITORY/COMMIT/PATH, and leave the network alone
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "base")]
    mirror: Option<PathBuf>,
    /// Another server that has the same layout, URL/OWNER/REPOSITORY/COMMIT/PATH [default: raw.githubusercontent.com]
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    base: Option<String>,
    /// Where the files go
    #[command(flatten)]
    archive: ArchivePlace,
}

impl Fetch {
    /// Fetches what is named, one after the other. A failure does not keep the others from being fetched.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        let wanted = wanted(self, output)?;
        let origin = match &self.mirror {
            Some(folder) => Origin::mirror(folder)?,
            None => Origin::server(self.base.as_deref().unwrap_or(SERVER), Patience::default())?,
        };
        let bench = self.archive.workbench();
        let done = bench.fetch(&wanted, &origin, &DownloadBar { output, bar: RefCell::new(None) })?;
        let failures = done.iter().filter_map(|(entry, outcome)| Some((entry.name, outcome.as_ref().err()?)));
        let failures: Vec<(&str, &Error)> = failures.collect();
        if let ([(_, error)], [_]) = (&failures[..], &wanted[..]) {
            // One name, one error: it needs no list.
            return Err((*error).clone());
        }
        for (_, error) in &failures {
            output.error(error);
        }
        let count = |of: Arrival| done.iter().filter(|(_, outcome)| *outcome == Ok(of)).count();
        let (fetched, known, root) = (count(Arrival::Fetched), count(Arrival::Known), bench.root().display());
        output.note(&format!("{fetched} fetched, {known} already there: {root}"));
        if failures.is_empty() {
            return Ok(ExitCode::SUCCESS);
        }
        let names: Vec<&str> = failures.iter().map(|(name, _)| *name).collect();
        let (failed, all) = (names.len(), wanted.len());
        Err(Error::check(format!("{failed} of {} not fetched: {}", counted(all, "file"), names.join(", "))))
    }
}

/// The entries to fetch, each once.
fn wanted(arguments: &Fetch, output: &Output) -> Result<Vec<&'static Entry>> {
    if arguments.all {
        let (all, absent): (Vec<&Entry>, Vec<&Entry>) = entries().iter().partition(|entry| entry.exists());
        let names: Vec<&str> = absent.iter().map(|entry| entry.name).collect();
        output.note(&format!("note: nobody can fetch {}: {}", absent.len(), names.join(", ")));
        return Ok(all);
    }
    let mut wanted: Vec<&'static Entry> = Vec::new();
    for name in &arguments.names {
        let entry = find(name)?;
        if !wanted.iter().any(|known| known.name == entry.name) {
            wanted.push(entry);
        }
    }
    Ok(wanted)
}

/// Says what is wrong with a file before somebody counts with it.
fn warn(entry: &Entry, output: &Output) {
    if entry.damage.is_empty() || !entry.exists() {
        return;
    }
    let instead = match entry.instead {
        "" => String::new(),
        sibling => format!("; take `{sibling}` for that"),
    };
    output.note(&format!("warning: {}: {}{instead}", entry.name, entry.damage));
}

/// Shows the progress of one file.
struct DownloadBar<'a> {
    output: &'a Output,
    bar: RefCell<Option<ProgressBar>>,
}

impl DownloadBar<'_> {
    fn finish(&self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl Downloads for DownloadBar<'_> {
    fn begin(&self, entry: &Entry) {
        warn(entry, self.output);
    }

    fn here(&self, entry: &Entry, bytes: u64) {
        let mut bar = self.bar.borrow_mut();
        let bar = bar
            .get_or_insert_with(|| self.output.bytes_progress(entry.bytes.unwrap_or_default(), entry.name));
        bar.set_position(bytes);
    }

    fn again(&self, entry: &Entry, error: &Error, wait: Duration) {
        self.finish();
        let (name, seconds) = (entry.name, wait.as_secs_f32());
        let text = error.to_string();
        // The hint comes with the last error, if it comes to that.
        let what = text.lines().next().unwrap_or_default().trim_end_matches('.');
        self.output.note(&format!("note: {name}: {what}; trying again in {seconds:.1} s"));
    }

    fn end(&self, entry: &Entry, outcome: &Result<Arrival>) {
        self.finish();
        let name = entry.name;
        match outcome {
            Ok(Arrival::Fetched) => {
                self.output.note(&format!("{name}: fetched, {} bytes", entry.bytes.unwrap_or_default()));
            }
            Ok(Arrival::Known) => self.output.note(&format!("{name}: already fetched")),
            Err(_) => {}
        }
    }
}
