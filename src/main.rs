//! The program: parses the command line, runs one command, prints errors, sets the exit code.

mod cli;
mod command;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    let output = command::Output::new(cli.quiet);
    // Queries read the time too, and their evaluator cannot say that the clock is wrong.
    if let Err(error) = command::now() {
        return output.error(&error);
    }
    let result = match &cli.command {
        cli::Command::Evaluate(arguments) => command::evaluate(arguments, &output),
        cli::Command::Release(arguments) => command::release(arguments, &output),
        cli::Command::Explain(arguments) => command::explain(arguments, &output),
        cli::Command::Query(arguments) => command::query(arguments, &output),
        cli::Command::Links(arguments) => command::links(arguments, &output),
        cli::Command::Experiments(arguments) => command::experiments(arguments, &output),
        cli::Command::Measures(arguments) => command::measures(arguments, &output),
        cli::Command::Profiles(arguments) => command::profiles(arguments, &output),
        cli::Command::Datasets(arguments) => command::datasets(arguments, &output),
        cli::Command::Fetch(arguments) => command::fetch(arguments, &output),
        cli::Command::Check(arguments) => command::check(arguments, &output),
        cli::Command::Convert(arguments) => command::convert(arguments, &output),
        cli::Command::Export(arguments) => command::export(arguments, &output),
        cli::Command::Kb(arguments) => command::kb(arguments, &output),
        cli::Command::KbWorker => command::kb_worker(),
        cli::Command::Verify(arguments) => command::verify(arguments, &output),
    };
    match result {
        Ok(code) => code,
        Err(error) => output.error(&error),
    }
}
