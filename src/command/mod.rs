//! The command line: one file a verb, with its words and what it does with them; the work is in the library.

mod ask;
mod check;
mod compare;
mod convert;
mod datasets;
mod definitions;
mod evaluate;
mod explain;
mod export;
mod fetch;
mod html;
mod import;
mod kb;
mod kb_worker;
mod links;
mod list;
mod matrix;
mod merge;
mod mock;
mod output;
mod publish;
mod pull;
mod push;
mod query;
mod query_worker;
mod release;
mod remove;
mod run_worker;
mod serve;
mod shell;
mod systems;
mod token;
mod upgrade;
mod verify;
mod words;

use std::process::ExitCode;

use clap::{ArgAction, Parser, Subcommand};
use qassay::base::clock::now;
use qassay::base::error::Result;

use self::output::Output;

/// Makes the verbs: each has its arguments, which say what it does, and `run`.
macro_rules! verbs {
    ($($Verb:ident $file:ident::$Words:ident)+) => {
        /// What to do.
        #[derive(Debug, Subcommand)]
        enum Command {
            $($Verb(Box<$file::$Words>),)+
        }

        impl Command {
            fn run(&self, output: &Output) -> Result<ExitCode> {
                match self {
                    $(Self::$Verb(words) => words.run(output),)+
                }
            }
        }
    };
}

// In the order of the help.
verbs! {
    Evaluate evaluate::Evaluate
    Matrix matrix::MatrixVerb
    Ask ask::Ask
    Release release::Release
    Compare compare::CompareSystems
    Explain explain::Explain
    Query query::SparqlQuery
    Datasets datasets::Datasets
    Fetch fetch::Fetch
    Links links::LinkSets
    Experiments definitions::Experiments
    Measures definitions::MeasureList
    Profiles definitions::Profiles
    Systems systems::Systems
    Mock mock::Mock
    Kb kb::Kb
    Check check::Check
    Convert convert::Convert
    Verify verify::Verify
    Export export::Export
    Publish publish::Publish
    Import import::Import
    Merge merge::Merge
    Push push::Push
    Pull pull::Pull
    Serve serve::Serve
    Token token::TokenVerb
    List list::List
    Remove remove::Remove
    Upgrade upgrade::Upgrade
    Completions shell::Completions
    Man shell::ManPages
    KbWorker kb_worker::KbWorker
    QueryWorker query_worker::QueryWorker
    RunWorker run_worker::RunWorker
}

/// Measures how well systems answer questions over knowledge graphs; every number is RDF.
#[derive(Debug, Parser)]
#[command(
    version,
    propagate_version = true,
    max_term_width = 100,
    help_expected = true,
    disable_help_flag = true
)]
// In clap's own form each option of `qassay help` has three lines, and the program would have more than one screen.
#[command(help_template = "{about}\n\n{usage-heading} {usage}\n\nCommands:\n{subcommands}\n\nOptions:\n  \
    -q, --quiet    Say nothing on stderr but errors\n  -h, --help     Print help\n  -V, --version  Print version{after-help}")]
#[command(after_help = "Examples:
  qassay evaluate gold.json system-a.json system-b.json
  qassay explain system-a 99
  qassay evaluate --help      one screen; `qassay help evaluate` says all, or `qassay man evaluate`

Exit codes: 0 done; 1 a check failed or numbers differ; 2 wrong use or bad input.")]
pub(crate) struct Cli {
    /// What to do
    #[command(subcommand)]
    command: Command,
    /// Say nothing on stderr but errors
    // Its place in every help does not depend on the number of verbs.
    #[arg(long, short, global = true, display_order = 16)]
    quiet: bool,
    /// Print one screen; `qassay help COMMAND` says more, and has every option
    // clap's own `--help` says all, over several screens.
    #[arg(long, short, global = true, action = ArgAction::HelpShort, display_order = 999)]
    help: Option<bool>,
}

impl Cli {
    /// Does what the words say; gives the exit code.
    pub(crate) fn run(&self) -> ExitCode {
        let output = Output::new(self.quiet);
        // Queries read the time too, and their evaluator cannot say that the clock is wrong.
        if let Err(error) = now() {
            return output.error(&error);
        }
        self.command.run(&output).unwrap_or_else(|error| output.error(&error))
    }
}
