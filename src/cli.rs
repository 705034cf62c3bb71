//! The command line: words and help only. Parsing does nothing; work begins in `command/`.

mod asking;
mod catalogue;
mod choices;
mod convert;
mod kb;
mod kb_answers;
mod links;
mod release;
mod verify;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueHint};
use qassay::report::Format;

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
    /// A file of links (N-Triples, N-Quads, Turtle, TriG, RDF/XML, two columns of IRIs; packed too), NAME[@VERSION]
    /// of a registered link set (see `qassay links`), or the URL of an endpoint, which is asked for the links of all
    /// resources that are named; may be given again
    #[arg(long, value_name = "LINKS", value_hint = ValueHint::FilePath)]
    pub(crate) links: Vec<PathBuf>,
    /// Follow these links beside owl:sameAs, separated by commas
    #[arg(long, value_enum, value_name = "KIND", value_delimiter = ',')]
    pub(crate) link_kind: Vec<LinkKindName>,
    /// A file of labels (rdfs:label, skos:prefLabel, skos:altLabel): a text in an answer names the resources called so;
    /// for qassay, and for the gerbil profiles, which read rdfs:label only. Or NAME[@VERSION] of a pinned knowledge base,
    /// whose labels they are, or the URL of an endpoint, which is asked for those that are needed (`--kb` alone brings no
    /// labels and no types); may be given again
    #[arg(long, value_name = "LABELS", value_hint = ValueHint::FilePath)]
    pub(crate) labels: Vec<PathBuf>,
    /// A file of rdf:type statements, for AIT2KB: the classes of the answers count where neither file nor query says
    /// the types of the items; or a knowledge base or endpoint, as for `--labels`; may be given again
    #[arg(long, value_name = "TYPES", value_hint = ValueHint::FilePath)]
    pub(crate) types: Vec<PathBuf>,
    /// A file of rdfs:subClassOf statements, for the hierarchical measures of AIT2KB; or a knowledge base or endpoint, as
    /// for `--labels`
    #[arg(long, value_name = "CLASSES", value_hint = ValueHint::FilePath)]
    pub(crate) classes: Vec<PathBuf>,
    /// A table (CSV, TSV) with the columns question and type: the types of the questions in place of those of the dataset;
    /// for the profiles that group questions by type
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) question_types: Option<PathBuf>,
    /// A table (CSV, TSV) with the columns question, answer, verdict (correct, incorrect, repeated) and assessor
    /// (optional): people say which answers are correct, in place of matching; for clef-2004. May be given again
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) assessments: Vec<PathBuf>,
    /// How the gerbil profiles find equal resources [default: closure with --links, else static]
    #[arg(long, value_enum, value_name = "MODE")]
    pub(crate) same_as: Option<SameAsMode>,
    /// Which gold answers count; the refreshed ones need `--kb`
    #[arg(long = "gold", value_enum, value_name = "GOLD", default_value_t)]
    pub(crate) gold_answers: GoldChoice,
    /// The knowledge base on which queries are run, where gold answers are refreshed or a submission gives queries and no
    /// answers: NAME or NAME@VERSION of a pinned one, the URL of an endpoint, or what one of them answered before (a file
    /// or key of an answer snapshot). May be given again with answer snapshots: the one that has all queries of the gold
    /// standard, or of a submission, answers them
    #[arg(long, value_name = "KB")]
    pub(crate) kb: Vec<String>,
    /// How much a query may use
    #[command(flatten)]
    pub(crate) limiting: Limiting,
    /// Only these experiment types (QA, C2KB, P2KB, RE2KB, AT, AIT2KB), separated by commas
    #[arg(long, short = 'x', value_name = "TYPE", value_delimiter = ',')]
    pub(crate) experiment: Vec<String>,
    /// The language of the questions; the gerbil profiles leave out questions without a text in it [there: en]
    #[arg(long, value_name = "TAG")]
    pub(crate) language: Option<String>,
    /// Which questions of the gold file count, and with which text and answers [default: plain]
    #[arg(long, value_enum, value_name = "LOADER")]
    pub(crate) loader: Option<LoaderName>,
    /// Only one of the two tasks of the gold file, told apart by the flag `hybrid` (QALD-5)
    #[arg(long, value_enum, value_name = "PART")]
    pub(crate) part: Option<PartName>,
    /// The ranks at which measures such as accuracy at N look, separated by commas [default: those of the profile]
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) cutoffs: Vec<u64>,
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
    /// Show the questions that each system failed: those with F1 below 1
    #[arg(long)]
    pub(crate) failed: bool,
    /// Show what is odd about the input
    #[arg(long, short)]
    pub(crate) issues: bool,
    /// Test mode: check and keep the answers, score and show nothing until `qassay release`
    #[arg(long, conflicts_with_all = [
        "no_archive", "groups", "details", "differences", "all_measures", "failed", "kb", "gold_answers", "links", "link_kind", "labels", "types",
        "classes", "same_as", "experiment", "language", "loader", "part", "cutoffs", "html", "question_types",
        "assessments",
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
