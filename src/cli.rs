//! The command line: words and help only. Parsing does nothing; work begins in `command/`.

mod asking;
mod catalogue;
mod choices;
mod convert;
mod kb;
mod kb_answers;
mod links;
mod release;
mod scoring;
mod verify;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueHint};
use qassay::report::table::Format;

pub(crate) use asking::{GoldChoice, Limiting, Refresh, Run};
pub(crate) use catalogue::{Datasets, Fetch};
pub(crate) use choices::{LoaderName, PartName, SameAsMode};
pub(crate) use convert::Convert;
pub(crate) use kb::{Kb, KbAction, KbAdd, KbList, KbShow};
pub(crate) use kb_answers::{Answers, Compare};
pub(crate) use links::{
    LinkKindName, Links, LinksAdd, LinksCheck, LinksCommand, LinksList, LinksShow, kinds as link_kinds,
};
pub(crate) use release::Release;
pub(crate) use scoring::Scoring;
pub(crate) use verify::{Export, Verify};

use crate::command::CheckFormat;

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
    pub(crate) command: Command,
    /// Say nothing on stderr but errors
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Score the answers of systems against a gold standard
    Evaluate(Box<Evaluate>),
    /// Score blind submissions and show the results
    Release(Release),
    /// Show how a question was scored: both, missed, extra, and why
    Explain(Explain),
    /// Run a SPARQL query over the archive
    Query(Query),
    /// List the published files that qassay knows
    Datasets(Datasets),
    /// Fetch published files into the archive
    Fetch(Fetch),
    /// Register, list and inspect link sets
    Links(Links),
    /// List the experiment types: what is compared
    Experiments(List),
    /// List the measures with their definitions
    Measures(List),
    /// List the profiles: the ways to score
    Profiles(List),
    /// Keep knowledge bases in pinned versions
    Kb(Kb),
    /// Say what files contain and what is wrong with them
    Check(Check),
    /// Convert a file to another format
    Convert(Convert),
    /// Check an archive: checksums, constraints, re-execution
    Verify(Verify),
    /// Write evaluations with all that they use into an archive of their own
    Export(Export),
    /// Answer queries on a knowledge base; qassay starts it itself
    #[command(hide = true)]
    KbWorker,
}

/// Score the answers of systems against a gold standard
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own on the command line")]
pub(crate) struct Evaluate {
    /// The dataset: a file of questions with gold answers (QALD-JSON, eQALD-JSON, QALD-XML, …; gzip too), or the name
    /// of a fetched one (see `qassay datasets`); a file of that name wins
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) gold: PathBuf,
    /// The answers of one or more systems: files in the same formats, or names of fetched ones
    #[arg(required = true, value_hint = ValueHint::FilePath)]
    pub(crate) answers: Vec<PathBuf>,
    /// The way to score; several, separated by commas, are shown together
    #[arg(long, short, default_value = "qassay", value_delimiter = ',')]
    pub(crate) profile: Vec<String>,
    /// The choices that decide numbers
    #[command(flatten)]
    pub(crate) scoring: Scoring,
    /// Which gold answers count; the refreshed ones need `--kb`
    #[arg(long = "gold", value_enum, value_name = "GOLD", default_value_t)]
    pub(crate) gold_answers: GoldChoice,
    /// Only these experiment types (QA, C2KB, P2KB, RE2KB, AT, AIT2KB), separated by commas
    #[arg(long, short = 'x', value_name = "TYPE", value_delimiter = ',')]
    pub(crate) experiment: Vec<String>,
    /// The name of the system; given as often as there are answer files, in their order
    #[arg(long, value_name = "NAME")]
    pub(crate) system: Vec<String>,
    /// How to print the results
    #[arg(long, short, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Write everything that can be shown to one HTML file too, which needs nothing from outside
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) html: Option<PathBuf>,
    /// Show the groups of questions: by answer type, language, question word, query and others
    #[arg(long, short)]
    pub(crate) groups: bool,
    /// Show every question
    #[arg(long, short)]
    pub(crate) details: bool,
    /// Show the questions that the profiles count differently [always shown for several profiles, but in CSV]
    #[arg(long)]
    pub(crate) differences: bool,
    /// Show every measure over all questions, one a row, with what ties between equal scores could make of it
    #[arg(long)]
    pub(crate) all_measures: bool,
    /// Show the questions that each system failed: those with F1 below 1, in a ranking those where the answer that stands
    /// first is not right
    #[arg(long)]
    pub(crate) failed: bool,
    /// Show what is odd about the input
    #[arg(long, short)]
    pub(crate) issues: bool,
    /// Test mode: check and keep the answers, score and show nothing until `qassay release`
    #[arg(long, conflicts_with_all = [
        "no_archive", "groups", "details", "differences", "all_measures", "failed", "gold_answers", "experiment", "html",
        // what `Scoring` has: chosen when it is released
        "links", "link_kind", "labels", "types", "classes", "question_types", "assessments", "same_as", "language",
        "loader", "part", "cutoffs", "kb",
    ])]
    pub(crate) blind: bool,
    /// Where the evaluation is kept
    #[command(flatten)]
    pub(crate) archive: ArchivePlace,
    /// Keep nothing
    #[arg(long, conflicts_with = "archive")]
    pub(crate) no_archive: bool,
}

impl Evaluate {
    /// How many tables are wanted beside or in place of the overview.
    pub(crate) fn tables(&self) -> usize {
        let wanted =
            [self.groups, self.details, self.issues, self.differences, self.all_measures, self.failed];
        wanted.into_iter().filter(|wanted| *wanted).count()
    }
}

/// Show how a question was scored
#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The evaluation: its IRI, the beginning of its key, or the name of the system
    pub(crate) evaluation: String,
    /// The id of a question; without it, all questions are listed
    pub(crate) question: Option<String>,
    /// The profile, where the system was evaluated with several
    #[arg(long, short)]
    pub(crate) profile: Option<String>,
    /// The experiment type
    #[arg(long, short = 'x', value_name = "TYPE", default_value = "QA")]
    pub(crate) experiment: String,
    /// Only the questions with F1 below 1
    #[arg(long, short, conflicts_with = "question")]
    pub(crate) wrong: bool,
    /// The language in which the question is shown first
    #[arg(long, value_name = "TAG", default_value = "en")]
    pub(crate) language: String,
    /// How to print the list of questions
    #[arg(long, short, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Where evaluations are kept
    #[command(flatten)]
    pub(crate) archive: ArchivePlace,
}

/// Run a SPARQL query over the archive
#[derive(Debug, Args)]
pub(crate) struct Query {
    /// A file, `-` for standard input, or the name of a canned query; without it, these are listed
    #[arg(value_name = "QUERY")]
    pub(crate) wanted: Option<String>,
    /// Print the query in place of running it
    #[arg(long)]
    pub(crate) show: bool,
    /// Load the link sets too, each as a named graph
    #[arg(long)]
    pub(crate) with_links: bool,
    /// How to print the rows
    #[arg(long, short, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Where evaluations are kept
    #[command(flatten)]
    pub(crate) archive: ArchivePlace,
}

/// List definitions
#[derive(Debug, Args)]
pub(crate) struct List {
    /// Only these names; without any, all
    pub(crate) names: Vec<String>,
    /// How to print them
    #[arg(long, short, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Say what files contain and what is wrong with them
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// The files: datasets or answers; or names of fetched ones, where no file has that name
    #[arg(required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
    /// The encoding of the files, such as windows-1252 or gb18030 [default: as the file says, else UTF-8, else a guess]
    #[arg(long, value_name = "LABEL")]
    pub(crate) encoding: Option<String>,
    /// Exit with 1 on warnings too, not only on errors
    #[arg(long)]
    pub(crate) strict: bool,
    /// Say which questions a loader leaves out or changes, in place of the report
    #[arg(long, value_enum, value_name = "LOADER")]
    pub(crate) loader: Option<LoaderName>,
    /// Say how many questions one part of the file has, in place of the report
    #[arg(long, value_enum, value_name = "PART")]
    pub(crate) part: Option<PartName>,
    /// How to print the report
    #[arg(long, short, value_enum, default_value_t)]
    pub(crate) format: CheckFormat,
    /// Where fetched files are
    #[command(flatten)]
    pub(crate) archive: ArchivePlace,
}

/// Where the archive is
#[derive(Debug, Args)]
pub(crate) struct ArchivePlace {
    /// The archive folder
    #[arg(long, value_name = "DIR", default_value = "qassay-archive", value_hint = ValueHint::DirPath)]
    pub(crate) archive: PathBuf,
}
