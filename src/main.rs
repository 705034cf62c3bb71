//! The program: parses the command line, runs one command, prints errors, sets the exit code.

mod command;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    command::Cli::parse().run()
}
