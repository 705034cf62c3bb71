//! `qassay kb`: its commands.

use std::process::ExitCode;

use qassay::Result;

use super::{Output, kb_answers};
use crate::cli::Kb;

/// Runs one of them.
pub(crate) fn run(command: &Kb, output: &Output) -> Result<ExitCode> {
    match command {
        Kb::Answers(arguments) => kb_answers::answers(arguments, output),
        Kb::Compare(arguments) => kb_answers::run_compare(arguments, output),
    }
}
