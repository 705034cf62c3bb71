//! The words of `kb refresh` and `kb run`, and those that they share with `evaluate`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum, ValueHint};
use qassay::kb::ask::Limits;
use qassay::report::table::Format;

use super::ArchivePlace;

/// How much a query may use
#[derive(Debug, Args)]
pub(crate) struct Limiting {
    /// The longest that a query may run
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: u64,
    /// The most rows that a query may have
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub(crate) max_rows: u64,
    /// The most memory that a query may use beside the knowledge base, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    pub(crate) memory: u64,
    /// How many queries run at the same time [default: as many as there are processors; 2 with an endpoint]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
}

impl Limiting {
    /// As the library has them.
    pub(crate) fn limits(&self) -> Limits {
        Limits { time: Duration::from_secs(self.timeout), rows: self.max_rows, memory: self.memory << 20 }
    }

    /// How many queries run at the same time; fewer where others are asked.
    pub(crate) fn jobs(&self, most: usize) -> NonZeroUsize {
        let processors = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.jobs.unwrap_or_else(|| processors.min(NonZeroUsize::new(most).unwrap_or(NonZeroUsize::MIN)))
    }
}

/// Which gold answers count
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum GoldChoice {
    /// Those of the dataset
    #[default]
    Curated,
    /// Those that the gold queries give on the knowledge base of `--kb`, where there are
    Refreshed,
    /// Both, side by side
    Both,
}

impl GoldChoice {
    /// The word on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Curated => "curated",
            Self::Refreshed => "refreshed",
            Self::Both => "both",
        }
    }
}

/// Run the gold queries of a dataset on a knowledge base
#[derive(Debug, Args)]
#[command(
    after_help = "The curated answers stay as they are. Where a query failed, was stopped, is not there, or has answers that the \
data do not decide (LIMIT without ORDER BY, rows that tie at the cut, RAND, NOW, SAMPLE, …), there is no refreshed \
answer, and `evaluate --gold refreshed` uses the curated one."
)]
pub(crate) struct Refresh {
    /// The dataset: a file of questions with gold queries, or the name of a fetched one
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) dataset: PathBuf,
    /// The knowledge base: NAME or NAME@VERSION of a pinned one, the URL of an endpoint, or what one of them answered
    /// before (a file or key of an answer snapshot)
    #[arg(long, value_name = "KB")]
    pub(crate) kb: String,
    /// How much a query may use
    #[command(flatten)]
    pub(crate) limiting: Limiting,
    /// Show every question, not only those that are not the same
    #[arg(long, short)]
    pub(crate) details: bool,
    /// How to print the results
    #[arg(long, short, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Where the knowledge base is and the answers are kept
    #[command(flatten)]
    pub(crate) archive: ArchivePlace,
}

/// Run the queries of a submission on a knowledge base
#[derive(Debug, Args)]
pub(crate) struct Run {
    /// The submission: a file with a query for each question
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) answers: PathBuf,
    /// The knowledge base: NAME or NAME@VERSION of a pinned one, the URL of an endpoint, or what one of them answered
    /// before (a file or key of an answer snapshot)
    #[arg(long, value_name = "KB")]
    pub(crate) kb: String,
    /// How much a query may use
    #[command(flatten)]
    pub(crate) limiting: Limiting,
    /// Write the submission with its answers; the ending says the format, as in `qassay convert`
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// The format of the file, where its ending does not say it
    #[arg(long, value_name = "FORMAT", requires = "output")]
    pub(crate) to: Option<String>,
    /// Replace the file if it exists
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
    /// How to print the results
    #[arg(long, short, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Where the knowledge base is and the answers are kept
    #[command(flatten)]
    pub(crate) archive: ArchivePlace,
}
