//! `qassay query-worker`: a process that answers a query on the archive. The program starts it itself.

use std::io::BufReader;
use std::process::ExitCode;

use clap::Args;
use qassay::base::error::Result;
use qassay::base::watch::Watcher;
use qassay::workbench::apart;

use super::output::Output;
use super::query::{Asked, Asking};

/// Answer a query on the archive; qassay starts it itself
#[derive(Debug, Args)]
#[command(hide = true)]
pub(super) struct QueryWorker {
    /// How it is run
    #[command(flatten)]
    asking: Asking,
}

impl QueryWorker {
    /// Answers the query that standard input gives, as long as that stays open.
    pub(super) fn run(&self, _: &Output) -> Result<ExitCode> {
        let asking = self.asking.clone();
        let work = move |asked: Asked, watcher: &dyn Watcher| asking.answer(&asked, watcher);
        apart::answer(BufReader::new(std::io::stdin()), std::io::stdout(), work)?;
        Ok(ExitCode::SUCCESS)
    }
}
