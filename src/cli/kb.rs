//! The words of `kb`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};
use qassay::report::table::Format;

use super::{Answers, ArchivePlace, Compare, Refresh, Run};

/// Keep knowledge bases in pinned versions
#[derive(Debug, Args)]
pub(crate) struct Kb {
    /// What to do
    #[command(subcommand)]
    pub(crate) action: KbAction,
}

/// What to do with knowledge bases.
#[derive(Debug, Subcommand)]
pub(crate) enum KbAction {
    /// Keep the dumps of a version, count what they say
    Add(KbAdd),
    /// List the knowledge bases of the archive
    List(KbList),
    /// Show the files and the numbers of a version
    Show(KbShow),
    /// Run the gold queries of a dataset on a knowledge base
    Refresh(Refresh),
    /// Run the queries of a submission on a knowledge base
    Run(Run),
    /// List what knowledge bases answered, or show the answers of one
    Answers(Answers),
    /// Compare what was answered at two times, or by two knowledge bases
    Compare(Compare),
}

/// Keep the dumps of a version, count what they say
#[derive(Debug, Args)]
#[command(disable_version_flag = true)]
#[command(after_help = "Examples:
  qassay kb add ck25 --version 2025-05 prod-inst.ttl prod-vocab.ttl
  qassay kb add dbpedia --version 2016-10 labels_en.ttl.gz mappingbased_objects_en.ttl.gz --skip-malformed

A version never changes: other files need another version. A run that was killed goes on with the file where it was.")]
pub(crate) struct KbAdd {
    /// The name of the knowledge base
    pub(crate) name: String,
    /// The version, such as 2016-10
    #[arg(long, value_name = "V")]
    pub(crate) version: String,
    /// The dumps: N-Triples, N-Quads, Turtle, TriG, RDF/XML; packed too
    #[arg(required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
    /// Leave out malformed statements and count them, in place of refusing the file
    #[arg(long)]
    pub(crate) skip_malformed: bool,
    /// How to print what was added
    #[arg(long, short, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Where it is kept
    #[command(flatten)]
    pub(crate) archive: ArchivePlace,
}

/// List the knowledge bases of the archive
#[derive(Debug, Args)]
pub(crate) struct KbList {
    /// How to print the list
    #[arg(long, short, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Where they are kept
    #[command(flatten)]
    pub(crate) archive: ArchivePlace,
}

/// Show the files and the numbers of a version
#[derive(Debug, Args)]
pub(crate) struct KbShow {
    /// NAME@VERSION; NAME where there is one version; its IRI; the beginning of its digest
    #[arg(value_name = "NAME")]
    pub(crate) wanted: String,
    /// Show all properties and classes, not only those used most
    #[arg(long, short)]
    pub(crate) all: bool,
    /// How to print it; JSON has everything
    #[arg(long, short, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Where it is kept
    #[command(flatten)]
    pub(crate) archive: ArchivePlace,
}
