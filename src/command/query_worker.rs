//! `qassay query-worker`: a process that answers a query on the archive. The program starts it itself.

use std::io::BufReader;
use std::process::ExitCode;

use clap::Args;
use qassay::base::error::Result;
use qassay::base::watch::Watcher;
use qassay::workbench::apart;
use qassay::workbench::query::QueryText;

use super::output::Output;
use super::query::QueryOptions;

/// Answer a query on the archive; qassay starts it itself
#[derive(Debug, Args)]
#[command(hide = true)]
pub(super) struct QueryWorker {
    /// How it is run
    #[command(flatten)]
    options: QueryOptions,
}

impl QueryWorker {
    /// Answers the query that standard input gives, as long as that stays open.
    pub(super) fn run(&self, _: &Output) -> Result<ExitCode> {
        let options = self.options.clone();
        let work = move |asked: QueryText, watcher: &dyn Watcher| options.answer(&asked, watcher);
        apart::answer(BufReader::new(std::io::stdin()), std::io::stdout(), work)?;
        Ok(ExitCode::SUCCESS)
    }
}
