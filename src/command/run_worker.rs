//! `qassay run-worker`: a process that does a part of what the server was asked. The program starts it itself.

use std::io::BufReader;
use std::process::ExitCode;

use clap::Args;
use qassay::base::error::Result;
use qassay::base::watch::Watcher;
use qassay::workbench::apart;
use qassay::workbench::run::RunTask;

use super::output::Output;

/// Do a part of a run; qassay starts it itself
#[derive(Debug, Args)]
#[command(hide = true)]
pub(super) struct RunWorker {
    /// The most memory that it takes, in megabytes
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    memory: u64,
}

impl RunWorker {
    /// Does the task that standard input gives, as long as that stays open.
    pub(super) fn run(&self, _: &Output) -> Result<ExitCode> {
        let memory = self.memory << 20;
        let work = move |task: RunTask, watcher: &dyn Watcher| task.run(memory, watcher);
        apart::answer(BufReader::new(std::io::stdin()), std::io::stdout(), work)?;
        Ok(ExitCode::SUCCESS)
    }
}
