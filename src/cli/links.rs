//! The words of `links`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};
use qassay::references::links::kind::LinkKind;
use qassay::references::links::suspicious::MOST_MEMBERS;
use qassay::report::table::Format;

use super::{ArchivePlace, Limiting};

/// Register, list and inspect link sets
#[derive(Debug, Args)]
pub(crate) struct Links {
    /// What to do
    #[command(subcommand)]
    pub(crate) command: LinksCommand,
}

/// What to do with link sets
#[derive(Debug, Subcommand)]
pub(crate) enum LinksCommand {
    /// Register a version of a link set under a name, for `--links NAME@VERSION`
    Add(LinksAdd),
    /// List the registered versions
    List(LinksList),
    /// Show the cluster of a resource, and the chain of links between two
    Show(LinksShow),
    /// Look for clusters that are probably wrong; exits with 0 where there are some, unless `--strict`
    Check(LinksCheck),
}

/// A kind of links that is followed beside owl:sameAs
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LinkKindName {
    /// owl:sameAs: always followed
    SameAs,
    /// dbo:wikiPageRedirects: other titles of the same page
    Redirect,
    /// Pages of Wikipedias about a resource (foaf:isPrimaryTopicOf, foaf:primaryTopic, schema:about)
    Wikipedia,
}

impl From<LinkKindName> for LinkKind {
    fn from(name: LinkKindName) -> Self {
        match name {
            LinkKindName::SameAs => Self::SameAs,
            LinkKindName::Redirect => Self::Redirect,
            LinkKindName::Wikipedia => Self::Wikipedia,
        }
    }
}

/// The kinds that names mean beside owl:sameAs, each once, in their order.
pub(crate) fn kinds(names: &[LinkKindName]) -> Vec<LinkKind> {
    let is_meant = |kind: &LinkKind| names.iter().any(|name| LinkKind::from(*name) == *kind);
    LinkKind::ALL.into_iter().filter(|kind| *kind != LinkKind::SameAs && is_meant(kind)).collect()
}

/// Register a version of a link set under a name
#[derive(Debug, Args)]
#[command(disable_version_flag = true)]
pub(crate) struct LinksAdd {
    /// The name
    pub(crate) name: String,
    /// The version; what is registered never changes
    #[arg(long, value_name = "VERSION")]
    pub(crate) version: String,
    /// The files: N-Triples, N-Quads, Turtle, TriG, RDF/XML or two columns of IRIs; gzip, bzip2, zstd and zip too
    #[arg(required_unless_present = "from", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
    /// Ask an endpoint for the links of what the files of `--for` name, in place of files
    #[arg(long, value_name = "URL", requires = "named_by", conflicts_with = "files", value_hint = ValueHint::Url)]
    pub(crate) from: Option<String>,
    /// The datasets and submissions whose resources are looked up, with `--from`: files, or names of fetched ones
    #[arg(long = "for", value_name = "FILE", num_args = 1.., value_hint = ValueHint::FilePath)]
    pub(crate) named_by: Vec<PathBuf>,
    /// Ask for these links beside owl:sameAs too, separated by commas
    #[arg(long, value_enum, value_name = "KIND", value_delimiter = ',')]
    pub(crate) link_kind: Vec<LinkKindName>,
    /// How much a query of `--from` may use
    #[command(flatten)]
    pub(crate) limiting: Limiting,
    /// Where the files come from: a URL, or words [with `--from`: the endpoint]
    #[arg(long, value_name = "URL-OR-TEXT")]
    pub(crate) source: Option<String>,
    /// Where link sets are kept
    #[command(flatten)]
    pub(crate) archive: ArchivePlace,
}

/// List the registered versions
#[derive(Debug, Args)]
pub(crate) struct LinksList {
    /// How to print the list
    #[arg(long, short, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Where link sets are kept
    #[command(flatten)]
    pub(crate) archive: ArchivePlace,
}

/// Show the cluster of a resource, and the chain of links between two
#[derive(Debug, Args)]
pub(crate) struct LinksShow {
    /// The resource
    #[arg(value_name = "IRI")]
    pub(crate) iri: String,
    /// Another one: the shortest chain of links between the two is shown
    #[arg(value_name = "OTHER")]
    pub(crate) other: Option<String>,
    /// A file of links, or the name of a registered version; may be given again [default: all that is registered]
    #[arg(long, value_name = "LINKS", value_hint = ValueHint::FilePath)]
    pub(crate) links: Vec<PathBuf>,
    /// Follow these links too, separated by commas
    #[arg(long, value_enum, value_name = "KIND", value_delimiter = ',')]
    pub(crate) link_kind: Vec<LinkKindName>,
    /// How to print the cluster
    #[arg(long, short, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Where link sets are kept
    #[command(flatten)]
    pub(crate) archive: ArchivePlace,
}

/// Look for clusters that are probably wrong; exits with 0 where there are some, unless `--strict`
#[derive(Debug, Args)]
pub(crate) struct LinksCheck {
    /// Files of links, or names of registered versions [default: all that is registered]
    #[arg(value_name = "LINKS", value_hint = ValueHint::FilePath)]
    pub(crate) links: Vec<PathBuf>,
    /// The most resources of a cluster that is not suspicious
    #[arg(long, value_name = "NUMBER", default_value_t = MOST_MEMBERS)]
    pub(crate) most: usize,
    /// How many clusters are shown
    #[arg(long, value_name = "NUMBER", default_value_t = 20)]
    pub(crate) limit: usize,
    /// Exit with 1 where a cluster is suspicious
    #[arg(long)]
    pub(crate) strict: bool,
    /// How to print the clusters
    #[arg(long, short, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Where link sets are kept
    #[command(flatten)]
    pub(crate) archive: ArchivePlace,
}
