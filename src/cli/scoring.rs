//! The choices that decide numbers: those of `evaluate`, and of `release` for what was accepted blind.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::{Limiting, LinkKindName, LoaderName, PartName, SameAsMode};

/// The choices that decide numbers
#[derive(Debug, Args)]
pub(crate) struct Scoring {
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
    /// The knowledge base on which queries are run, where gold answers are refreshed or a submission gives queries and no
    /// answers: NAME or NAME@VERSION of a pinned one, the URL of an endpoint, or what one of them answered before (a file
    /// or key of an answer snapshot). May be given again with answer snapshots: the one that has all queries of the gold
    /// standard, or of a submission, answers them
    #[arg(long, value_name = "KB")]
    pub(crate) kb: Vec<String>,
    /// How much a query may use
    #[command(flatten)]
    pub(crate) limiting: Limiting,
}
