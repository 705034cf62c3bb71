//! The command line: one file a verb, with its words and what it does with them; the work is in the library.

mod check;
mod convert;
mod datasets;
mod evaluate;
mod explain;
mod export;
mod fetch;
mod html;
mod kb;
mod kb_worker;
mod links;
mod lists;
mod output;
mod query;
mod release;
mod verify;
mod words;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use qassay::base::clock::now;

use self::output::Output;

/// Measures how well systems answer questions over knowledge graphs; every number is RDF.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true, max_term_width = 100, help_expected = true)]
#[command(after_help = "Examples:
  qassay evaluate gold.json system-a.json system-b.json
  qassay evaluate gold.json answers.json --links same-as.nt.gz --format markdown
  qassay evaluate --blind gold.xml answers.xml --system NAME --profile qald-4
  qassay release gold.xml
  qassay explain kgqan 99
  qassay query leaderboard
  qassay fetch qald-9-test
  qassay verify

Exit codes: 0 done; 1 a check failed or numbers differ; 2 wrong use or bad input; 3 (verify)\nnothing is wrong, and something could not be checked because it is not here.")]
pub(crate) struct Cli {
    /// What to do
    #[command(subcommand)]
    command: Command,
    /// Say nothing on stderr but errors
    #[arg(long, short, global = true)]
    quiet: bool,
}

/// What to do.
#[derive(Debug, Subcommand)]
enum Command {
    /// Score the answers of systems against a gold standard
    Evaluate(Box<evaluate::Evaluate>),
    /// Score blind submissions and show the results
    Release(release::Release),
    /// Show how a question was scored: both, missed, extra, and why
    Explain(explain::Explain),
    /// Run a SPARQL query over the archive
    Query(query::Query),
    /// List the published files that qassay knows
    Datasets(datasets::Datasets),
    /// Fetch published files into the archive
    Fetch(fetch::Fetch),
    /// Register, list and inspect link sets
    Links(links::Links),
    /// List the experiment types: what is compared
    Experiments(lists::List),
    /// List the measures with their definitions
    Measures(lists::List),
    /// List the profiles: the ways to score
    Profiles(lists::List),
    /// Keep knowledge bases in pinned versions
    Kb(kb::Kb),
    /// Say what files contain and what is wrong with them
    Check(check::Check),
    /// Convert a file to another format
    Convert(convert::Convert),
    /// Check an archive: checksums, constraints, re-execution
    Verify(verify::Verify),
    /// Write evaluations with all that they use into an archive of their own
    Export(export::Export),
    /// Answer queries on a knowledge base; qassay starts it itself
    #[command(hide = true)]
    KbWorker,
}

impl Cli {
    /// Does what the words say; gives the exit code.
    pub(crate) fn run(&self) -> ExitCode {
        let output = Output::new(self.quiet);
        // Queries read the time too, and their evaluator cannot say that the clock is wrong.
        if let Err(error) = now() {
            return output.error(&error);
        }
        let done = match &self.command {
            Command::Evaluate(words) => words.run(&output),
            Command::Release(words) => words.run(&output),
            Command::Explain(words) => words.run(&output),
            Command::Query(words) => words.run(&output),
            Command::Datasets(words) => words.run(&output),
            Command::Fetch(words) => words.run(&output),
            Command::Links(words) => words.run(&output),
            Command::Experiments(words) => words.experiments(&output),
            Command::Measures(words) => words.measures(&output),
            Command::Profiles(words) => words.profiles(&output),
            Command::Kb(words) => words.run(&output),
            Command::Check(words) => words.run(&output),
            Command::Convert(words) => words.run(&output),
            Command::Verify(words) => words.run(&output),
            Command::Export(words) => words.run(&output),
            Command::KbWorker => kb_worker::run(),
        };
        done.unwrap_or_else(|error| output.error(&error))
    }
}
