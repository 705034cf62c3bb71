//! The program: parses the command line, runs one command, prints errors, sets the exit code.

mod command;

use std::process::ExitCode;

use clap::Parser;
use mimalloc::MiMalloc;
use qassay::base::text::write_choices;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    // On a command line, what users choose is an option.
    write_choices(|name| format!("--{name}"));
    command::Cli::parse().run()
}
