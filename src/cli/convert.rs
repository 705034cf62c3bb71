//! The words of `convert`.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueHint};
use qassay::sources::write::TARGETS;

use super::ArchivePlace;
use crate::command::ANY_RDF;

/// Convert a file to another format
///
/// What the format cannot hold is listed, and nothing is written unless `--lossy` says so. What is written is read
/// again and compared. RDF holds everything.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  qassay convert qald-4.xml qald-4.json
  qassay convert gold.json gold.ttl
  qassay convert gold.json gold.csv --lossy
  qassay convert gold.json - --to n-quads | sort -c
  qassay convert qald-5-train-json mended.json --queries-from qald-5-train")]
pub(crate) struct Convert {
    /// The file: a dataset or answers, in any format that can be read; or the name of a fetched one
    #[arg(value_name = "IN", value_hint = ValueHint::FilePath)]
    pub(crate) input: PathBuf,
    /// The file to write, its ending says the format; `-` for standard output
    #[arg(value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,
    /// The format, in place of the ending of OUT
    #[arg(long, value_name = "FORMAT", value_parser = targets())]
    pub(crate) to: Option<String>,
    /// The encoding of IN, such as windows-1252 or gb18030 [default: as the file says, else UTF-8, else a guess]
    #[arg(long, value_name = "LABEL")]
    pub(crate) encoding: Option<String>,
    /// Take the queries from this file, question by question: IN is a damaged copy of it
    #[arg(long, value_name = "SIBLING", value_hint = ValueHint::FilePath)]
    pub(crate) queries_from: Option<PathBuf>,
    /// Write also where the format cannot hold everything
    #[arg(long)]
    pub(crate) lossy: bool,
    /// Replace OUT where it exists
    #[arg(long)]
    pub(crate) force: bool,
    /// Where fetched files are
    #[command(flatten)]
    pub(crate) archive: ArchivePlace,
}

/// The names of the formats that can be written.
fn targets() -> PossibleValuesParser {
    let targets = TARGETS.iter().map(|target| PossibleValue::new(target.name).help(target.description));
    let rdf = PossibleValue::new(ANY_RDF).help("RDF in the syntax that the ending of OUT says, else N-Quads");
    PossibleValuesParser::new(targets.chain([rdf]))
}
