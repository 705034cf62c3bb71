//! The words of `datasets` and `fetch`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use qassay::report::table::Format;

use super::ArchivePlace;

/// List the published files that qassay knows
#[derive(Debug, Args)]
pub(crate) struct Datasets {
    /// The name of one file (also GERBIL's name, an IRI or a checksum), which is shown in full; or words: files whose
    /// names have all of them are listed
    #[arg(value_name = "FILTER")]
    pub(crate) filter: Vec<String>,
    /// Only questions about this knowledge graph (a part of its name: dbpedia, wikidata, …)
    #[arg(long, value_name = "KB")]
    pub(crate) kb: Option<String>,
    /// Only questions in this language
    #[arg(long, short, value_name = "TAG")]
    pub(crate) language: Option<String>,
    /// Only this format (a part of its name: JSON-2, XML, TREC, …)
    #[arg(long, value_name = "NAME")]
    pub(crate) format_name: Option<String>,
    /// Only this kind of file
    #[arg(long, short, value_enum)]
    pub(crate) kind: Option<FileKind>,
    /// Only what is in the archive
    #[arg(long)]
    pub(crate) fetched: bool,
    /// How to print the list; JSON has every field
    #[arg(long, short, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Where fetched files are
    #[command(flatten)]
    pub(crate) archive: ArchivePlace,
}

/// What a file is
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FileKind {
    /// Questions, most with gold answers
    Dataset,
    /// Answers of a system
    Submission,
    /// Links between equal resources
    Links,
    /// A knowledge graph
    Kb,
}

impl FileKind {
    /// The name in the catalogue.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Dataset => "dataset",
            Self::Submission => "submission",
            Self::Links => "links",
            Self::Kb => "kb",
        }
    }
}

/// Fetch published files into the archive
#[derive(Debug, Args)]
#[command(
    after_help = "The size and the sha256 checksum of each file are those of the catalogue, or nothing is kept. What is there \
already is not fetched again; an interrupted download goes on where it was. Proxies are taken from \
HTTPS_PROXY, HTTP_PROXY and NO_PROXY. No other command uses the network."
)]
pub(crate) struct Fetch {
    /// The names of the files, see `qassay datasets`
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    pub(crate) names: Vec<String>,
    /// Fetch every file of the catalogue
    #[arg(long)]
    pub(crate) all: bool,
    /// Copy from this folder, DIR/OWNER/REPOSITORY/COMMIT/PATH, and leave the network alone
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "base")]
    pub(crate) mirror: Option<PathBuf>,
    /// Another server that has the same layout, URL/OWNER/REPOSITORY/COMMIT/PATH [default: raw.githubusercontent.com]
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) base: Option<String>,
    /// Where the files go
    #[command(flatten)]
    pub(crate) archive: ArchivePlace,
}
