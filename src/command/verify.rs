//! `qassay verify`: checksums, constraints, re-execution, and where numbers differ the first cause.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueHint};
use qassay::base::error::Result;
use qassay::base::limits::{ARCHIVE_QUERY_TERMS, ARCHIVE_QUERY_TIME};
use qassay::base::watch::Watcher as _;
use qassay::kb::ask::Limits;
use qassay::kb::remote::{RemoteStore, StoreAddress};
use qassay::record::publication::signature::TrustedKey;
use qassay::record::verify::complete::completed;
use qassay::record::verify::place::Location;
use qassay::report::table::Layout;
use qassay::workbench::archive::{Thoroughness, verify_there};
use serde_json::Value;

use super::output::Output;
use super::words::{ArchivePlace, StorePlace, Threads};

/// Check an archive: checksums, constraints, re-execution
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 nothing is wrong; 1 a check failed or numbers differ; 2 wrong use or bad input; 3 nothing is wrong, and \
    something could not be checked because it is not here."
)]
pub(super) struct Verify {
    /// An archive (a folder, one packed as tar, tar.gz or zip, or the address of either), or one evaluation of the archive (IRI, beginning of
    /// the key, or name of the system), or one comparison (IRI, beginning of the key); default: everything
    what: Option<String>,
    /// One evaluation or comparison of the archive named before it
    evaluation: Option<String>,
    /// The archive is part of one: what is not here is said, and is no failure (exit code 3)
    #[arg(long)]
    partial: bool,
    /// Files that the record leaves out, got from their sources: they complete a copy of it by their checksums, and what
    /// follows from them is computed again. What `qassay fetch` has put into the archive is found there
    #[arg(long, value_name = "FILE", num_args = 1.., value_hint = ValueHint::FilePath)]
    with: Vec<PathBuf>,
    /// The record must be signed with this key of minisign: the file of the public key, or its 56 characters
    #[arg(long, value_name = "PUBLICKEY", value_hint = ValueHint::FilePath)]
    signed_by: Option<String>,
    /// Leave out the re-execution
    #[arg(long)]
    no_reexecution: bool,
    /// How to print the report
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
    /// The longest that the server may take for one request; what takes longer is looked for here
    #[arg(long, hide_short_help = true, value_name = "SECONDS", requires = "store", default_value_t = ARCHIVE_QUERY_TIME.as_secs(), value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
    /// Which server answers the constraints
    #[command(flatten)]
    there: StorePlace,
    /// Where evaluations are kept
    #[command(flatten)]
    archive: ArchivePlace,
    /// How many threads work
    #[command(flatten)]
    threads: Threads,
}

impl Verify {
    /// Runs the command. Exit code 1: something is not as it should be; 3: nothing is wrong with what is here, and not
    /// everything could be checked.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        self.threads.run(|| self.run_here(output))
    }

    fn run_here(&self, output: &Output) -> Result<ExitCode> {
        let signed_by = self.signed_by.as_deref().map(TrustedKey::parse).transpose()?;
        let location = Location::of(&self.archive.archive, self.what.as_deref(), self.evaluation.as_deref())?;
        let location = completed(location, &self.with, &self.archive.archive)?;
        let how = Thoroughness {
            partial: self.partial,
            reexecution: !self.no_reexecution,
            signed_by: signed_by.as_ref(),
        };
        let time = Duration::from_secs(self.timeout);
        let limits = Limits { time, rows: ARCHIVE_QUERY_TERMS, memory: u64::MAX };
        let connect = |address: &StoreAddress| RemoteStore::connect(address, &limits);
        let remote = self.there.address().as_ref().map(connect).transpose()?;
        let findings = verify_there(&location, how, remote.as_ref().map(|remote| (remote, time)), output)?;
        let warnings = remote.iter().flat_map(RemoteStore::warnings);
        warnings.for_each(|warning| output.note(&format!("note: {warning}")));
        // In JSON, a name stands in quotes.
        let quote = |name: &str| match self.format {
            Layout::Json => Value::from(name).to_string().trim_matches('"').to_owned(),
            _ => name.to_owned(),
        };
        output.result(&location.named(findings.render(self.format)?, quote))?;
        Ok(match (findings.failed(), findings.is_complete()) {
            (true, _) => ExitCode::from(1),
            (false, true) => ExitCode::SUCCESS,
            (false, false) => ExitCode::from(3),
        })
    }
}
