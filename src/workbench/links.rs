//! Link sets: registering a version, and reading what is registered.

use std::path::PathBuf;

use crate::base::error::{Error, Result};
use crate::base::iri::slug;
use crate::base::text::counted;
use crate::base::watch::Watcher;
use crate::kb::allowance::Allowance;
use crate::profiles::link_kind::LinkKind;
use crate::record::keep::Keeper;
use crate::record::publish::catalogue;
use crate::references::harvest::harvester::Harvester;
use crate::references::harvest::needs::Needs;
use crate::references::link_sets::{self, LinkSetVersion};
use crate::references::links::cut::{CutLinks, cut};
use crate::references::{ReferenceInput, ReferenceKind, linked};
use crate::sources::archive::Archive;
use crate::sources::file::source::Source;
use crate::sources::format::read;
use crate::sources::input::asked::ask_all;
use crate::workbench::Workbench;

/// A version of a link set that is to be registered.
#[derive(Debug, Clone, Default)]
pub struct NewLinkSet {
    /// The name.
    pub name: String,
    /// The version; what is registered never changes.
    pub version: String,
    /// The files.
    pub files: Vec<PathBuf>,
    /// The address of an endpoint that is asked for links, in place of files.
    pub from: Option<String>,
    /// The datasets and submissions whose resources the endpoint is asked for, or whose links are cut out of the files.
    pub named_by: Vec<PathBuf>,
    /// The kinds of links that are wanted of them beside `owl:sameAs`.
    pub link_kinds: Vec<LinkKind>,
    /// How much its queries may use.
    pub allowance: Allowance,
    /// Where the files come from: a URL, or words; none: the endpoint.
    pub source: Option<String>,
}

/// A version of a link set that the archive has now.
#[derive(Debug)]
pub struct RegisteredLinks {
    /// Its IRI.
    pub iri: String,
    /// Its files; none where it was registered before.
    pub new: Option<Vec<ReferenceInput>>,
}

impl Workbench {
    /// Registers a version of a link set.
    ///
    /// # Errors
    /// Where a file cannot be read or the endpoint does not answer; where the version is there with other files.
    pub fn add_links(&self, wanted: &NewLinkSet, watcher: &dyn Watcher) -> Result<RegisteredLinks> {
        for (what, text) in [("name", &wanted.name), ("version", &wanted.version)] {
            if text.trim().is_empty() || text.chars().any(|c| c.is_control() || c == '@') {
                return Err(Error::input(format!("{text:?} is no {what} of a link set"))
                    .allowed("visible characters without `@`"));
            }
        }
        if wanted.named_by.is_empty() && !wanted.link_kinds.is_empty() {
            return Err(Error::input("`⌥link-kind` says what links resources need, and none are named")
                .allowed("`⌥for FILE…`, datasets and submissions"));
        }
        let mut source = wanted.source.clone();
        let mut files: Vec<ReferenceInput> = Vec::new();
        if wanted.named_by.is_empty() {
            for path in &wanted.files {
                files.push(ReferenceInput::open_links(path, &LinkKind::ALL, &self.mint)?);
            }
        } else if wanted.from.is_none() {
            let (file, of) = self.cut_out(wanted, watcher)?;
            files.push(file);
            source.get_or_insert(of);
        }
        if let Some(address) = &wanted.from {
            let (file, endpoint) = self.harvested(wanted, address, watcher)?;
            files.push(file);
            source.get_or_insert(endpoint);
        }
        files.sort_by(|one, other| one.source.sha256().cmp(other.source.sha256()));
        files.dedup_by(|one, other| one.source.sha256() == other.source.sha256());
        let archive = self.create()?;
        // Two at once could both find the version free.
        let _alone = archive.lock_versions()?;
        let known = link_sets::all(&archive)?;
        if let Some(known) = known.iter().find(|known| is_same(known, wanted)) {
            refuse_other(known, wanted, &files)?;
            return Ok(RegisteredLinks { iri: known.iri.clone(), new: None });
        }
        let keeper = Keeper::new(&archive);
        files.iter().try_for_each(|file| keeper.reference(file))?;
        let (name, version) = (&wanted.name, &wanted.version);
        let mut record = catalogue::link_set(&self.mint, name, version, source.as_deref(), &files);
        let key = format!("{}@{}", slug(name), slug(version));
        archive.keep_record("linkset", &key, &mut record)?;
        Ok(RegisteredLinks { iri: self.mint.link_set(&slug(name), &slug(version)), new: Some(files) })
    }

    /// The links that an endpoint has of the resources that some files name; and its address as it is kept.
    fn harvested(
        &self,
        wanted: &NewLinkSet,
        address: &str,
        watcher: &dyn Watcher,
    ) -> Result<(ReferenceInput, String)> {
        self.refuse_known(wanted)?;
        let needs = self.needs(wanted)?;
        let endpoint = Harvester::open(address, &wanted.allowance)?;
        let kinds = LinkKind::beside_same_as(&wanted.link_kinds);
        let found = endpoint.ask(ReferenceKind::Links, &needs, &kinds, &self.mint, watcher)?;
        let file = found.ok_or_else(|| {
            Error::input(format!(
                "{} has no links of what is named: {}",
                endpoint.address(),
                counted(needs.resources.len(), "resource")
            ))
        })?;
        Ok((file, endpoint.address().to_owned()))
    }

    /// The links that the resources that some files name need, of files that may be too large for memory; and which files.
    fn cut_out(&self, wanted: &NewLinkSet, watcher: &dyn Watcher) -> Result<(ReferenceInput, String)> {
        let resources = self.needs(wanted)?.linked();
        let kinds = LinkKind::beside_same_as(&wanted.link_kinds);
        let Some(CutLinks { bytes, files }) = cut(&wanted.files, &resources, &kinds, watcher)? else {
            let what =
                format!("the files have no links of what is named: {}", counted(resources.len(), "IRI"));
            return Err(Error::input(what));
        };
        let file = ReferenceInput::links_of(
            Source::from_bytes("links of what is named", bytes)?,
            &LinkKind::ALL,
            &self.mint,
        )?;
        Ok((file, format!("cut out of files with the checksums {}", files.join(", "))))
    }

    /// What the files of `--for` name.
    fn needs(&self, wanted: &NewLinkSet) -> Result<Needs> {
        let mut needs = Needs::default();
        for path in &wanted.named_by {
            let (mut document, _) = read(&self.open(path, None)?)?;
            needs = needs.and(Needs::of(&document, &[]));
            for query in ask_all(&mut document) {
                needs.add_query(&query);
            }
        }
        if needs.linked().is_empty() {
            return Err(Error::input("the files of `⌥for` name no resources")
                .allowed("datasets and submissions with answers that are IRIs"));
        }
        Ok(needs)
    }

    /// An endpoint never gives the same file twice: its time is in it.
    fn refuse_known(&self, wanted: &NewLinkSet) -> Result<()> {
        let Ok(archive) = Archive::open(&self.root) else { return Ok(()) };
        let known = link_sets::all(&archive)?.into_iter().find(|known| is_same(known, wanted));
        known.map_or(Ok(()), |known| {
            Err(Error::input(format!("{}@{} is registered already", known.name, known.version))
                .hint("a version never changes: name a new one with `⌥version`"))
        })
    }

    /// The versions of link sets that are registered, by name and version.
    ///
    /// # Errors
    /// Where there is no archive, or a record cannot be read.
    pub fn link_sets(&self) -> Result<Vec<LinkSetVersion>> {
        link_sets::all(&Archive::open(&self.root)?)
    }

    /// The files of links that words mean, or all that are registered, in order of their IRIs; and what to call them.
    ///
    /// # Errors
    /// Where a word means nothing, or nothing is registered; where a file cannot be read.
    pub fn open_links(
        &self,
        words: &[PathBuf],
        kinds: &[LinkKind],
    ) -> Result<(Vec<ReferenceInput>, Vec<String>)> {
        let mut meant = Vec::new();
        if words.is_empty() {
            meant.extend(self.link_sets()?.into_iter().map(linked::Meant::Version));
            if meant.is_empty() {
                return Err(Error::input("no link set is registered")
                    .in_file(self.root.display().to_string())
                    .hint(
                        "`qassay links add NAME --version V FILE…` registers one; or name files of links",
                    ));
            }
        }
        for word in words {
            meant.push(linked::meant(word, &self.root)?);
        }
        let mut files = Vec::new();
        for meant in &meant {
            files.extend(linked::open(meant, &self.root, kinds, &self.mint)?);
        }
        files.sort_by(|one, other| one.iri.cmp(&other.iri));
        files.dedup_by(|one, other| one.iri == other.iri);
        let names = linked::names(&files, &self.root)?;
        Ok((files, names))
    }
}

/// Whether a version has the name and the version of another: IRIs are made of letters, digits and hyphens.
fn is_same(known: &LinkSetVersion, wanted: &NewLinkSet) -> bool {
    slug(&known.name) == slug(&wanted.name) && slug(&known.version) == slug(&wanted.version)
}

/// A version never changes.
fn refuse_other(known: &LinkSetVersion, wanted: &NewLinkSet, files: &[ReferenceInput]) -> Result<()> {
    let found: Vec<&str> = files.iter().map(|file| file.source.sha256()).collect();
    let is_other_name = known.name != wanted.name || known.version != wanted.version;
    if known.files == found && !is_other_name {
        return Ok(());
    }
    let what = if is_other_name { "a name that is written otherwise" } else { "other files" };
    Err(Error::input(format!("{}@{} is registered with {what}", known.name, known.version))
        .allowed(format!("the files with the checksums {}", known.files.join(", ")))
        .hint("a version never changes: name a new one with `⌥version`"))
}
