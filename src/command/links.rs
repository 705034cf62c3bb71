//! `qassay links`: registers, lists and inspects link sets.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use qassay::base::error::{Error, Result};
use qassay::base::iri::{Mint, slug};
use qassay::record::publish::catalogue;
use qassay::references::ReferenceInput;
use qassay::references::links::chains::{ClusterLinks, Link, cluster};
use qassay::references::links::kind::LinkKind;
use qassay::references::links::namespaces::namespace;
use qassay::references::links::{LinkSet, Links};
use qassay::references::normalise::normal_form;
use qassay::report;
use qassay::report::table::{Column, Format, Table};
use qassay::sources::archive::Archive;
use qassay::sources::file::source::Source;
use serde_json::{Value, json};

use super::keep::Keeper;
use super::link_sets::{self, LinkSetVersion};
use super::{Output, linked, links_check, links_from};
use crate::cli::{LinksAdd, LinksCommand, LinksList, LinksShow, link_kinds};

/// Runs the command.
pub(crate) fn run(arguments: &crate::cli::Links, output: &Output) -> Result<ExitCode> {
    match &arguments.command {
        LinksCommand::Add(arguments) => add(arguments, output)?,
        LinksCommand::List(arguments) => list(arguments, output)?,
        LinksCommand::Show(arguments) => show(arguments, output)?,
        LinksCommand::Check(arguments) => return links_check::run(arguments, output),
    }
    Ok(ExitCode::SUCCESS)
}

fn add(arguments: &LinksAdd, output: &Output) -> Result<()> {
    let mint = Mint::default();
    for (what, text) in [("name", &arguments.name), ("version", &arguments.version)] {
        if text.trim().is_empty() || text.chars().any(|c| c.is_control() || c == '@') {
            return Err(Error::input(format!("{text:?} is no {what} of a link set"))
                .allowed("visible characters without `@`"));
        }
    }
    if arguments.from.is_none() && !(arguments.named_by.is_empty() && arguments.link_kind.is_empty()) {
        return Err(Error::input(
            "`--for` and `--link-kind` say what an endpoint is asked for, and none is named",
        )
        .allowed("`--from URL`, in place of files"));
    }
    let mut source = arguments.source.clone();
    let mut files: Vec<ReferenceInput> = Vec::new();
    for path in &arguments.files {
        files.push(ReferenceInput::open_links(path, &LinkKind::ALL, &mint)?);
    }
    if let Some(address) = &arguments.from {
        let (file, endpoint) = links_from::harvested(arguments, address, &mint, output)?;
        files.push(file);
        source.get_or_insert(endpoint);
    }
    files.sort_by(|one, other| one.source.sha256().cmp(other.source.sha256()));
    files.dedup_by(|one, other| one.source.sha256() == other.source.sha256());
    let archive = Archive::create(&arguments.archive.archive)?;
    // Two at once could both find the version free.
    let _alone = archive.lock_versions()?;
    let known = link_sets::all(&archive)?;
    let word = format!("{}@{}", arguments.name, arguments.version);
    let is_same = |known: &&LinkSetVersion| {
        slug(&known.name) == slug(&arguments.name) && slug(&known.version) == slug(&arguments.version)
    };
    if let Some(known) = known.iter().find(is_same) {
        refuse_other(known, arguments, &files)?;
        output.note(&format!("{word} is registered already"));
        return output.result(&format!("{}\n", known.iri));
    }
    let keeper = Keeper::new(&archive, &mint);
    files.iter().try_for_each(|file| keeper.reference(file))?;
    let mut record =
        catalogue::link_set(&mint, &arguments.name, &arguments.version, source.as_deref(), &files);
    let key = format!("{}@{}", slug(&arguments.name), slug(&arguments.version));
    archive.keep_record("linkset", &key, &mut record)?;
    let links: u64 = files.iter().filter_map(ReferenceInput::links).map(LinkSet::count_all).sum();
    output.note(&format!("{word}: {links} links in {}", counted(files.len(), "file")));
    for file in &files {
        for issue in file.issues() {
            output.note(&format!(
                "  {}: {}: {} {}",
                file.source.name(),
                issue.severity().name(),
                issue.message,
                issue.place
            ));
        }
    }
    output.result(&format!("{}\n", mint.link_set(&slug(&arguments.name), &slug(&arguments.version))))
}

/// A version never changes.
fn refuse_other(known: &LinkSetVersion, arguments: &LinksAdd, files: &[ReferenceInput]) -> Result<()> {
    let found: Vec<&str> = files.iter().map(|file| file.source.sha256()).collect();
    let is_other_name = known.name != arguments.name || known.version != arguments.version;
    if known.files == found && !is_other_name {
        return Ok(());
    }
    let what = if is_other_name { "a name that is written otherwise" } else { "other files" };
    Err(Error::input(format!("{}@{} is registered with {what}", known.name, known.version))
        .allowed(format!("the files with the checksums {}", known.files.join(", ")))
        .hint("a version never changes: name a new one with `--version`"))
}

pub(super) fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

fn list(arguments: &LinksList, output: &Output) -> Result<()> {
    let versions = link_sets::all(&Archive::open(&arguments.archive.archive)?)?;
    if arguments.format == Format::Json {
        let version = |v: &LinkSetVersion| {
            json!({ "iri": v.iri, "name": v.name, "version": v.version, "source": v.source, "links": v.links,
                "files": v.files })
        };
        let versions: Vec<Value> = versions.iter().map(version).collect();
        return output.result(&qassay::report::json::text(&json!({ "linkSets": versions })));
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

/// The link sets that words mean, or all that are registered.
pub(super) fn opened(words: &[PathBuf], root: &Path, kinds: &[LinkKind]) -> Result<Vec<ReferenceInput>> {
    let mint = Mint::default();
    let mut meant = Vec::new();
    if words.is_empty() {
        meant.extend(link_sets::all(&Archive::open(root)?)?.into_iter().map(linked::Meant::Version));
        if meant.is_empty() {
            return Err(Error::input("no link set is registered")
                .in_file(root.display().to_string())
                .hint("`qassay links add NAME --version V FILE…` registers one; or name files of links"));
        }
    }
    for word in words {
        meant.push(linked::meant(word, root)?);
    }
    let mut files = Vec::new();
    for meant in &meant {
        files.extend(linked::open(meant, root, kinds, &mint)?);
    }
    files.sort_by(|one, other| one.iri.cmp(&other.iri));
    files.dedup_by(|one, other| one.iri == other.iri);
    Ok(files)
}

fn show(arguments: &LinksShow, output: &Output) -> Result<()> {
    let kinds = link_kinds(&arguments.link_kind);
    let files = opened(&arguments.links, &arguments.archive.archive, &kinds)?;
    let closure = Links::close(files.iter().filter_map(ReferenceInput::links));
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
    let names = linked::names(&files, &arguments.archive.archive)?;
    let shown = Shown { iri, links: &links, chain, files: &files, names: &names };
    match arguments.format {
        Format::Json => output.result(&shown.json()),
        format => output.result(&shown.table().render(format)?),
    }
}

struct Shown<'a> {
    iri: &'a str,
    links: &'a ClusterLinks,
    chain: Option<Vec<Link>>,
    files: &'a [ReferenceInput],
    /// What the files are called.
    names: &'a [String],
}

impl Shown<'_> {
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
        qassay::report::json::text(&json!({ "iri": self.iri, "members": members, "chain": chain }))
    }
}

/// The namespace of what an IRI is a way to write.
fn space(member: &str) -> String {
    namespace(&normal_form(member, &|_| true).0).to_owned()
}

/// A link of a chain in JSON.
pub(super) fn step(link: &Link, files: &[ReferenceInput]) -> Value {
    let Link { link, file } = link;
    json!({ "from": link.from, "predicate": link.predicate, "to": link.to, "linkSet": files[*file].iri })
}
