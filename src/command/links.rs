//! `qassay links`: registers, lists and inspects link sets.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueHint};
use qassay::base::error::{Error, Result};
use qassay::base::text::counted;
use qassay::base::watch::Watcher;
use qassay::profiles::link_kind::LinkKind;
use qassay::references::links::chains::{ClusterLinks, Link, cluster};
use qassay::references::links::namespaces::namespace;
use qassay::references::links::suspicious::{Example, MOST_MEMBERS, Suspicion, examples};
use qassay::references::links::{LinkSet, Links as Closure};
use qassay::references::normalise::{is_of_links, normal_form};
use qassay::references::{ReferenceInput, linked};
use qassay::report;
use qassay::report::table::{Column, Layout, Table};
use qassay::sources::file::source::Source;
use qassay::workbench::links::{NewLinkSet, RegisteredLinks};
use serde_json::{Value, json};

use super::output::Output;
use super::words::{ArchivePlace, Limiting};

/// Register, list and inspect link sets
#[derive(Debug, Args)]
pub(super) struct LinkSets {
    /// What to do
    #[command(subcommand)]
    command: LinksCommand,
}

/// What to do with link sets
#[derive(Debug, Subcommand)]
enum LinksCommand {
    /// Register a version of a link set under a name, for `--links NAME@VERSION`
    Add(LinksAdd),
    /// List the registered versions
    List(LinksList),
    /// Show the cluster of a resource, and the chain of links between two
    Show(LinksShow),
    /// Look for clusters that are probably wrong; exits with 0 where there are some, unless `--strict`
    Check(LinksCheck),
}

/// Register a version of a link set under a name
#[derive(Debug, Args)]
#[command(disable_version_flag = true)]
struct LinksAdd {
    /// The name
    name: String,
    /// The version; what is registered never changes
    #[arg(long, value_name = "VERSION")]
    version: String,
    /// The files: N-Triples, N-Quads, Turtle, TriG, RDF/XML or two columns of IRIs; gzip, bzip2, zstd and zip too
    #[arg(required_unless_present = "from", value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,
    /// Ask an endpoint for the links of what the files of `--for` name, in place of files
    #[arg(long, value_name = "URL", requires = "named_by", conflicts_with = "files", value_hint = ValueHint::Url)]
    from: Option<String>,
    /// Only the links that the resources of these datasets and submissions need: files, or names of fetched ones
    ///
    /// Of an endpoint, what it is asked for; of files, what is cut out of them: they may be larger than memory. An evaluation
    /// of these datasets and submissions with these links finds what it finds with all links.
    #[arg(long = "for", value_name = "FILE", num_args = 1.., value_hint = ValueHint::FilePath)]
    named_by: Vec<PathBuf>,
    /// With `--for`: these links beside owl:sameAs too, separated by commas
    #[arg(long, value_enum, value_name = "KIND", value_delimiter = ',')]
    link_kind: Vec<LinkKind>,
    /// How much a query of `--from` may use
    #[command(flatten)]
    limiting: Limiting,
    /// Where the files come from: a URL, or words [with `--from`: the endpoint]
    #[arg(long, value_name = "URL-OR-TEXT")]
    source: Option<String>,
    /// Where link sets are kept
    #[command(flatten)]
    archive: ArchivePlace,
}

/// List the registered versions
#[derive(Debug, Args)]
struct LinksList {
    /// How to print the list
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
    /// Where link sets are kept
    #[command(flatten)]
    archive: ArchivePlace,
}

/// Show the cluster of a resource, and the chain of links between two
#[derive(Debug, Args)]
struct LinksShow {
    /// The resource
    #[arg(value_name = "IRI")]
    iri: String,
    /// Another one: the shortest chain of links between the two is shown
    #[arg(value_name = "OTHER")]
    other: Option<String>,
    /// A file of links, or the name of a registered version; may be given again [default: all that is registered]
    #[arg(long, value_name = "LINKS", value_hint = ValueHint::FilePath)]
    links: Vec<PathBuf>,
    /// Follow these links too, separated by commas
    #[arg(long, value_enum, value_name = "KIND", value_delimiter = ',')]
    link_kind: Vec<LinkKind>,
    /// How to print the cluster
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
    /// Where link sets are kept
    #[command(flatten)]
    archive: ArchivePlace,
}

/// Look for clusters that are probably wrong; exits with 0 where there are some, unless `--strict`
#[derive(Debug, Args)]
struct LinksCheck {
    /// Files of links, or names of registered versions [default: all that is registered]
    #[arg(value_name = "LINKS", value_hint = ValueHint::FilePath)]
    links: Vec<PathBuf>,
    /// The most resources of a cluster that is not suspicious
    #[arg(long, value_name = "NUMBER", default_value_t = MOST_MEMBERS)]
    most: usize,
    /// How many clusters are shown
    #[arg(long, value_name = "NUMBER", default_value_t = 20)]
    limit: usize,
    /// Exit with 1 where a cluster is suspicious
    #[arg(long)]
    strict: bool,
    /// How to print the clusters
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
    /// Where link sets are kept
    #[command(flatten)]
    archive: ArchivePlace,
}

impl LinkSets {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        match &self.command {
            LinksCommand::Add(arguments) => add(arguments, output),
            LinksCommand::List(arguments) => list(arguments, output),
            LinksCommand::Show(arguments) => show(arguments, output),
            LinksCommand::Check(arguments) => check(arguments, output),
        }
    }
}

fn add(arguments: &LinksAdd, output: &Output) -> Result<ExitCode> {
    let wanted = NewLinkSet {
        name: arguments.name.clone(),
        version: arguments.version.clone(),
        files: arguments.files.clone(),
        from: arguments.from.clone(),
        named_by: arguments.named_by.clone(),
        link_kinds: arguments.link_kind.clone(),
        allowance: arguments.limiting.allowance(),
        source: arguments.source.clone(),
    };
    let RegisteredLinks { iri, new } = arguments.archive.workbench().add_links(&wanted, output)?;
    let word = format!("{}@{}", wanted.name, wanted.version);
    match new {
        None => output.note(&format!("{word} is registered already")),
        Some(files) => {
            let links: u64 = files.iter().filter_map(ReferenceInput::links).map(LinkSet::count_all).sum();
            output.note(&format!("{word}: {links} links in {}", counted(files.len(), "file")));
            for (file, issue) in files.iter().flat_map(|file| file.issues().iter().map(move |i| (file, i))) {
                let (name, severity) = (file.source.name(), issue.severity().name());
                output.note(&format!("  {name}: {severity}: {} {}", issue.message, issue.place));
            }
        }
    }
    output.result(&format!("{iri}\n"))
}

fn list(arguments: &LinksList, output: &Output) -> Result<ExitCode> {
    let versions = arguments.archive.workbench().link_sets()?;
    if arguments.format == Layout::Json {
        return output.result(&report::json::text(&json!({ "linkSets": versions })));
    }
    let mut table = Table { title: "Link sets".to_owned(), ..Table::default() };
    table.columns = vec![
        Column::text("name", "name"),
        Column::text("version", "version"),
        Column::number("links", "links"),
        Column::number("files", "files"),
        Column::text("source", "source"),
    ];
    for version in versions {
        let (links, files) = (version.links.to_string(), version.files.len().to_string());
        table.rows.push(vec![version.name, version.version, links, files, version.source]);
    }
    output.result(&table.render(arguments.format)?)
}

fn show(arguments: &LinksShow, output: &Output) -> Result<ExitCode> {
    let kinds = LinkKind::beside_same_as(&arguments.link_kind);
    let (files, names) = arguments.archive.workbench().open_links(&arguments.links, &kinds)?;
    let closure = Closure::close(files.iter().filter_map(ReferenceInput::links));
    let iri = arguments.iri.trim_start_matches('<').trim_end_matches('>');
    let widest = kinds.last().copied().unwrap_or(LinkKind::SameAs);
    let Some(found) = cluster(&closure, widest, iri) else {
        return Err(Error::input(format!("no link has <{iri}>"))
            .hint("are there links of another kind? `--link-kind redirect,wikipedia` follows them too"));
    };
    let sources: Vec<&Source> = files.iter().map(|file| &file.source).collect();
    let links = ClusterLinks::read(&closure, &sources, [iri])?;
    let other = arguments.other.as_deref().map(|other| other.trim_start_matches('<').trim_end_matches('>'));
    if let Some(other) = other.filter(|other| cluster(&closure, widest, other) != Some(found)) {
        return Err(Error::check(format!("no chain of links connects <{iri}> and <{other}>")));
    }
    let chain = other.and_then(|other| links.chain(widest, iri, other));
    let shown = ShownCluster { iri, links: &links, chain, files: &files, names: &names };
    match arguments.format {
        Layout::Json => output.result(&shown.json()),
        format => output.result(&shown.table().render(format)?),
    }
}

struct ShownCluster<'a> {
    iri: &'a str,
    links: &'a ClusterLinks,
    chain: Option<Vec<Link>>,
    files: &'a [ReferenceInput],
    /// What the files are called.
    names: &'a [String],
}

impl ShownCluster<'_> {
    fn table(&self) -> Table {
        let members = self.links.members();
        let title = format!("cluster of {}: {}", self.iri, counted(members.len(), "member"));
        let mut table = Table { title, ..Table::default() };
        table.columns = vec![
            Column::text("member", "member"),
            Column::text("namespace", "namespace"),
            Column::text("files", "files"),
        ];
        for (member, files) in members {
            let files: Vec<&str> = files.iter().map(|file| self.names[*file].as_str()).collect();
            table.rows.push(vec![member.to_owned(), space(member), files.join(", ")]);
        }
        for Link { link, file } in self.chain.iter().flatten() {
            table.notes.push(linked::line(link, &self.names[*file]));
        }
        table
    }

    fn json(&self) -> String {
        let files = |files: &std::collections::BTreeSet<usize>| -> Vec<&str> {
            files.iter().map(|file| self.files[*file].iri.as_str()).collect()
        };
        let members: Vec<Value> = (self.links.members().iter())
            .map(|(member, of)| json!({ "iri": member, "namespace": space(member), "linkSets": files(of) }))
            .collect();
        let chain = self
            .chain
            .as_ref()
            .map(|chain| chain.iter().map(|link| step(link, self.files)).collect::<Vec<_>>());
        report::json::text(&json!({ "iri": self.iri, "members": members, "chain": chain }))
    }
}

/// The namespace of what an IRI is a way to write.
fn space(member: &str) -> String {
    namespace(&normal_form(member, &is_of_links).0).to_owned()
}

/// A link of a chain in JSON.
fn step(link: &Link, files: &[ReferenceInput]) -> Value {
    let Link { link, file } = link;
    json!({ "from": link.from, "predicate": link.predicate, "to": link.to, "linkSet": files[*file].iri })
}

/// Looks for suspicious clusters: exit code 1 with `--strict` where a cluster is suspicious.
fn check(arguments: &LinksCheck, output: &Output) -> Result<ExitCode> {
    let (files, names) = arguments.archive.workbench().open_links(&arguments.links, &[])?;
    let closure = Closure::close(files.iter().filter_map(ReferenceInput::links));
    let found = closure.suspicious(arguments.most, None);
    let shown = &found[..found.len().min(arguments.limit)];
    let sources: Vec<&Source> = files.iter().map(|file| &file.source).collect();
    let examples = examples(&closure, &sources, shown)?;
    let (closure, names) = (&closure, &names);
    let report =
        Suspicions { arguments, closure, files: &files, names, found: &found, shown, examples: &examples };
    match arguments.format {
        Layout::Json => output.result(&report.json())?,
        format => output.result(&report.table().render(format)?)?,
    };
    Ok(if arguments.strict && !found.is_empty() { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

struct Suspicions<'a> {
    arguments: &'a LinksCheck,
    closure: &'a Closure,
    files: &'a [ReferenceInput],
    /// What the files are called.
    names: &'a [String],
    found: &'a [Suspicion],
    shown: &'a [Suspicion],
    examples: &'a [Example],
}

impl Suspicions<'_> {
    fn table(&self) -> Table {
        let (clusters, resources) = self.closure.size();
        let title = format!(
            "{}, {}: {} suspicious (more than {} resources, or several of one namespace)",
            counted(clusters, "cluster"),
            counted(resources, "resource"),
            self.found.len(),
            self.arguments.most
        );
        let mut table = Table { title, ..Table::default() };
        table.columns = vec![
            Column::text("first member", "first_member"),
            Column::number("resources", "resources"),
            Column::text("too large", "too_large"),
            Column::text("several of one namespace", "several_of_one_namespace"),
        ];
        for (number, (suspicion, example)) in self.shown.iter().zip(self.examples).enumerate() {
            let repeated: Vec<String> =
                suspicion.repeated.iter().map(|(space, count)| format!("{count} of {space}")).collect();
            let large = if suspicion.is_large { "yes" } else { "no" };
            let first = example.members.first().cloned().unwrap_or_default();
            table.rows.push(vec![first, suspicion.size.to_string(), large.to_owned(), repeated.join(", ")]);
            let chain = example.chain.iter();
            let lines = chain.map(|found| linked::line(&found.link, &self.names[found.file]));
            table.notes.extend(lines.map(|line| format!("{}: {line}", number + 1)));
        }
        if self.found.len() > self.shown.len() {
            table.notes.push(format!("{} more; `--limit` shows them", self.found.len() - self.shown.len()));
        }
        table
    }

    fn json(&self) -> String {
        let cluster = |(suspicion, example): (&Suspicion, &Example)| {
            let repeated: Vec<Value> = (suspicion.repeated.iter())
                .map(|(space, count)| json!({ "namespace": space, "resources": count }))
                .collect();
            let chain: Vec<Value> = example.chain.iter().map(|link| step(link, self.files)).collect();
            json!({ "resources": suspicion.size, "tooLarge": suspicion.is_large, "repeated": repeated,
                "members": example.members, "chain": chain })
        };
        let shown: Vec<Value> = self.shown.iter().zip(self.examples).map(cluster).collect();
        let (clusters, resources) = self.closure.size();
        let report = json!({ "clusters": clusters, "resources": resources, "most": self.arguments.most,
            "suspicious": self.found.len(), "shown": shown });
        report::json::text(&report)
    }
}
