//! `qassay fetch`: published files into the archive.

use std::cell::RefCell;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueHint};
use indicatif::ProgressBar;
use qassay::base::error::{Error, Result};
use qassay::base::watch::Watcher;
use qassay::sources::archive::Archive;
use qassay::sources::catalogue::address::SERVER;
use qassay::sources::catalogue::find::find;
use qassay::sources::catalogue::{Entry, entries};
use qassay::sources::fetch::{Origin, Outcome, Watcher as Downloads, fetch};
use qassay::sources::net::patience::Patience;

use super::output::Output;
use super::words::ArchivePlace;

/// Fetch published files into the archive
#[derive(Debug, Args)]
#[command(
    after_help = "The size and the sha256 checksum of each file are those of the catalogue, or nothing is kept. What is there \
already is not fetched again; an interrupted download goes on where it was. Proxies are taken from \
HTTPS_PROXY, HTTP_PROXY and NO_PROXY. No other command uses the network."
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
        let archive = Archive::create(&self.archive.archive)?;
        let (mut fetched, mut known, mut failures) = (0_usize, 0_usize, Vec::new());
        for entry in &wanted {
            warn(entry, output);
            let shown = Shown { output, bar: RefCell::new(None) };
            let result = fetch(entry, &origin, &archive, &shown);
            shown.finish();
            match result {
                Ok(Outcome::Fetched) => {
                    fetched += 1;
                    let bytes = entry.bytes.unwrap_or_default();
                    output.note(&format!("{}: fetched, {bytes} bytes", entry.name));
                }
                Ok(Outcome::Known) => {
                    known += 1;
                    output.note(&format!("{}: already fetched", entry.name));
                }
                Err(error) => failures.push((entry.name, error)),
            }
        }
        let root = archive.root().display();
        match failures.as_slice() {
            // One name, one error: it needs no list.
            [(_, error)] if wanted.len() == 1 => return Err(error.clone()),
            [] => output.note(&format!("{fetched} fetched, {known} already there: {root}")),
            several => {
                for (_, error) in several {
                    output.error(error);
                }
                let names: Vec<&str> = several.iter().map(|(name, _)| *name).collect();
                output.note(&format!("{fetched} fetched, {known} already there: {root}"));
                let (failed, all) = (names.len(), wanted.len());
                return Err(Error::check(format!(
                    "{failed} of {all} files are not fetched: {}",
                    names.join(", ")
                )));
            }
        }
        Ok(ExitCode::SUCCESS)
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
struct Shown<'a> {
    output: &'a Output,
    bar: RefCell<Option<ProgressBar>>,
}

impl Shown<'_> {
    fn finish(&self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl Downloads for Shown<'_> {
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
}
