//! The command line: one file a verb, with its words and what it does with them; the work is in the library.

mod html;
mod output;
mod words;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use qassay::base::clock::now;
use qassay::base::error::Result;

use self::output::Output;

/// Declares the files of the verbs, and the verbs: each has its arguments, which say what it does, and `run`.
/// `rustfmt src/command/*.rs` formats them: `cargo fmt` does not look into macros.
macro_rules! verbs {
    ($($file:ident: $($Words:ident $verb:literal)+,)+) => {
        $(mod $file;)+

        /// What to do.
        #[derive(Debug, Subcommand)]
        enum Command {
            $($(#[command(name = $verb)] $Words(Box<$file::$Words>),)+)+
        }

        impl Command {
            fn run(&self, output: &Output) -> Result<ExitCode> {
                match self {
                    $($(Self::$Words(words) => words.run(output),)+)+
                }
            }
        }
    };
}

// In the order of the help.
verbs! {
    evaluate: Evaluate "evaluate",
    release: Release "release",
    explain: Explain "explain",
    query: SparqlQuery "query",
    datasets: Datasets "datasets",
    fetch: Fetch "fetch",
    links: LinkSets "links",
    definitions: Experiments "experiments" MeasureList "measures" Profiles "profiles",
    kb: Kb "kb",
    check: Check "check",
    convert: Convert "convert",
    verify: Verify "verify",
    export: Export "export",
    list: List "list",
    remove: Remove "remove",
    kb_worker: KbWorker "kb-worker",
}

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
    // Its place in every help does not depend on the number of verbs.
    #[arg(long, short, global = true, display_order = 16)]
    quiet: bool,
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
