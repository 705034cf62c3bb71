//! `qassay kb-worker`: a process that runs queries on a knowledge base. The program starts it itself.

use std::process::ExitCode;

use clap::Args;
use qassay::base::error::Result;
use qassay::kb::worker::run_worker;

use super::output::Output;

/// Answer queries on a knowledge base; qassay starts it itself
#[derive(Debug, Args)]
#[command(hide = true)]
pub(super) struct KbWorker {}

impl KbWorker {
    /// Answers queries from standard input until it ends.
    #[expect(clippy::unused_self, reason = "every verb has words, if none")]
    pub(super) fn run(&self, _: &Output) -> Result<ExitCode> {
        run_worker(std::io::BufReader::new(std::io::stdin()), &mut std::io::stdout())?;
        Ok(ExitCode::SUCCESS)
    }
}
