//! `qassay kb-worker`: a process that runs queries on a knowledge base. The program starts it itself.

use std::process::ExitCode;

use qassay::base::error::Result;
use qassay::kb::worker::run_worker;

/// Answers queries from standard input until it ends.
pub(super) fn run() -> Result<ExitCode> {
    run_worker(std::io::BufReader::new(std::io::stdin()), &mut std::io::stdout())?;
    Ok(ExitCode::SUCCESS)
}
