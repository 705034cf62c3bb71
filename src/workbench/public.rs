//! What an archive has published, gathered as an archive of its own: what a site is made of, whether it is written or served.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use tempfile::TempDir;

use crate::base::error::{Error, Result};
use crate::base::iri::{catalogue_of, published_path};
use crate::base::watch::{Silent, Steps, Watcher};
use crate::record::archived::Archived;
use crate::record::archived::metadata::ANSWERS;
use crate::record::package::{Content, with_sums, write_zip};
use crate::record::publication::act::Publication;
use crate::record::publication::metadata::RecordMetadata;
use crate::record::publication::names::{apart, keep_published};
use crate::record::publication::remembered::{PublicationMemory, PublishedParts, is_archived};
use crate::record::summaries::kept::{PUBLIC_SUMMARIES, SUMMARIES, lend};
use crate::record::verify::listing::SUMS;
use crate::report::forms::dcat::catalogue;
use crate::report::forms::schema_org;
use crate::report::forms::signposting::{TypedLink, links};
use crate::site::folder::SiteFolder;
use crate::site::hosting::{feed, robots, sitemap};
use crate::site::{HeadLink, PageHead, Site};
use crate::sources::archive::passing::PassingArchive;
use crate::sources::archive::stored::{StoredFile, packed_path};
use crate::sources::archive::{Archive, PUBLICATION};
use crate::workbench::publish::ReadyRecord;

/// The name under which an archive remembers what the records of its public part answer.
const PUBLIC: &str = "public";

/// The files about a whole site.
pub const LISTS: [&str; 4] = ["catalog.ttl", "feed.atom", "sitemap.xml", "robots.txt"];

/// An archive of all that was published and of what that was computed from, for as long as this is kept.
#[derive(Debug)]
pub struct PublicArchive {
    folder: PassingArchive,
    /// The paths of what may be seen, packed or not. All else is read for the numbers of pages, and is on none.
    open: BTreeSet<String>,
    /// What the records say of themselves.
    pub records: Vec<RecordMetadata>,
    /// Where those stand, by their IRIs.
    places: BTreeMap<String, usize>,
}

impl PublicArchive {
    /// Gathers what was published and is not withdrawn, of these publications, each the latest of its thing. `parts_of` makes
    /// each anew, and what it made is remembered.
    ///
    /// # Errors
    /// Where a file is not here, or cannot be written; what `parts_of` fails with.
    pub fn gather(
        archive: &Archive,
        latest: &[&Publication],
        watcher: &dyn Watcher,
        parts_of: impl Fn(&Publication) -> Result<PublishedParts>,
    ) -> Result<Self> {
        let memory = PublicationMemory::new(archive);
        Self::gathered(archive, latest, watcher, |publication| made(&memory, publication, &parts_of))
    }

    /// The same, of what is remembered of publications as far as it is: `parts_of` makes what is not.
    ///
    /// # Errors
    /// As for [`Self::gather`].
    pub fn recalled(
        archive: &Archive,
        latest: &[&Publication],
        parts_of: impl Fn(&Publication) -> Result<PublishedParts>,
    ) -> Result<Self> {
        let memory = PublicationMemory::new(archive);
        let public = Self::gathered(archive, latest, &Silent, |publication| {
            let known = memory.recall(publication).map(Ok);
            known.unwrap_or_else(|| made(&memory, publication, &parts_of))
        })?;
        // What was remembered of the whole is mostly true of the part: who reads it looks.
        let part = Archive::open(public.folder.root())?;
        archive.lend(SUMMARIES, &part, SUMMARIES);
        archive.lend(PUBLIC_SUMMARIES, &part, SUMMARIES);
        archive.lend(PUBLIC, &part, ANSWERS);
        Ok(public)
    }

    /// Has its part remember what the archive does of each evaluation that is in it.
    pub fn borrow(&self, whole: &Archive, part: &Archived) {
        part.evaluations.iter().for_each(|one| lend(whole, &one.iri, &part.archive));
    }

    /// Has the archive remember what the records of its public part answered, and their summaries, for the next time.
    pub fn remember(&self, whole: &Archive, part: &Archived) {
        part.archive.lend(ANSWERS, whole, PUBLIC);
        part.archive.lend(SUMMARIES, whole, PUBLIC_SUMMARIES);
    }

    fn empty(whole: &Archive) -> Result<Self> {
        let (open, records, places) = Default::default();
        Ok(Self { folder: PassingArchive::of(whole)?, open, records, places })
    }

    fn gathered(
        archive: &Archive,
        latest: &[&Publication],
        watcher: &dyn Watcher,
        parts_of: impl Fn(&Publication) -> Result<PublishedParts>,
    ) -> Result<Self> {
        let mut public = Self::empty(archive)?;
        let shown: Vec<&&Publication> = latest.iter().filter(|one| one.withdrawn.is_none()).collect();
        let steps = Steps::new(watcher, "gathering records", shown.len());
        for publication in shown {
            watcher.check()?;
            let parts = parts_of(publication)?;
            for (path, content) in &parts.contents {
                public.take_in(path, content)?;
                public.open.insert(path.clone());
            }
            for (path, file) in &parts.left_out {
                public.take_in(path, &Content::File(file.clone()))?;
            }
            public.places.insert(parts.metadata.iri.clone(), public.records.len());
            public.records.push(parts.metadata);
            steps.step();
        }
        let stated = Some(archive.stated_in()).filter(|stated| stated.is_file());
        // Also the versions before.
        for path in archive.records_of(PUBLICATION)?.into_iter().chain(stated) {
            let name = archive.path_of(&path);
            public.take_in(&name, &Content::File(StoredFile::new(&path)))?;
            public.open.insert(name);
        }
        Ok(public)
    }

    /// Gathers all of an archive, for who may see all of it.
    ///
    /// # Errors
    /// Where a file cannot be linked or copied.
    pub fn whole(archive: &Archive) -> Result<Self> {
        let mut all = Self::empty(archive)?;
        let stated = Some(archive.stated_in()).filter(|stated| stated.is_file());
        for path in archive.records()?.into_iter().chain(archive.contents()?).chain(stated) {
            let file = StoredFile::new(&path);
            let name = archive.path_of(&file.plain_path());
            all.take_in(&name, &Content::File(file))?;
            all.open.insert(name);
        }
        Ok(all)
    }

    /// A file of the archive, by its path with `/`: the file of the other archive itself where that can be.
    fn take_in(&self, path: &str, content: &Content) -> Result<()> {
        let plain = self.folder.root().join(path);
        let place = match content {
            Content::File(file) if file.path() != file.plain_path() => packed_path(&plain),
            _ => plain,
        };
        if place.exists() {
            return Ok(());
        }
        let failed = |error: std::io::Error| Error::io("write the file", &place, &error);
        fs::create_dir_all(place.parent().unwrap_or(self.folder.root())).map_err(failed)?;
        match content {
            Content::File(file) => {
                if fs::hard_link(file.path(), &place).is_err() {
                    fs::copy(file.path(), &place).map_err(failed)?;
                }
            }
            Content::Bytes(bytes) => fs::write(&place, bytes).map_err(failed)?,
        }
        Ok(())
    }

    /// The archive with what its records say.
    ///
    /// # Errors
    /// Where a record cannot be read.
    pub fn archived(&self) -> Result<Archived> {
        let mut archived = Archived::open(Archive::open(self.folder.root())?)?;
        keep_published(&mut archived)?;
        Ok(archived)
    }

    /// The names of the graphs that are not to be seen.
    pub fn withheld(&self, archived: &Archived) -> BTreeSet<String> {
        let is_withheld = |sha256: &str| {
            let place = archived.archive.graph(sha256).plain_path();
            !self.open.contains(&archived.archive.path_of(&place))
        };
        let withheld = archived.graphs.iter().filter(|graph| is_withheld(&graph.sha256));
        withheld.map(|graph| graph.name.clone()).collect()
    }

    /// A file of the archive that may be seen, by its path with `/`.
    pub fn file(&self, path: &str) -> Option<StoredFile> {
        self.open.contains(path).then(|| self.stored(path))
    }

    fn stored(&self, path: &str) -> StoredFile {
        StoredFile::at(self.folder.root().join(path))
    }

    /// The files that may be seen, by their paths with `/`.
    pub fn files(&self) -> impl Iterator<Item = (&str, StoredFile)> {
        self.open.iter().map(|path| (path.as_str(), self.stored(path)))
    }

    /// An archive of nothing but what may be seen, for as long as it is kept, beside the whole one. It remembers what the archive
    /// of `own`, which is this one, does.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn open_part(&self, whole: &Archive, own: &Archived) -> Result<PassingArchive> {
        let part = Self::empty(whole)?;
        // What is there before a file is not replaced by it.
        let apart = apart(own)?;
        let is_apart = !apart.is_empty();
        for (record, bytes) in apart {
            part.take_in(&own.archive.path_of(&record), &Content::Bytes(bytes))?;
        }
        for (path, file) in self.files() {
            part.take_in(path, &Content::File(file))?;
        }
        let archive = Archive::open(part.folder.root())?;
        own.evaluations.iter().for_each(|one| lend(&own.archive, &one.iri, &archive));
        for name in [SUMMARIES, ANSWERS] {
            own.archive.lend(name, &archive, name);
        }
        if is_apart {
            // It has other records than that: what these say is read once.
            drop(Archived::open(archive)?);
        }
        Ok(part.folder)
    }

    /// What the head of the page about an IRI says: a record as JSON-LD, and typed links.
    pub fn head(&self, site: &Site<'_>, iri: &str) -> PageHead {
        let record = self.places.get(iri).map(|at| &self.records[*at]);
        let json_ld = record.map(schema_org::script);
        PageHead { json_ld, links: self.links_of(site, iri), is_private: false }
    }

    /// The typed links of the page about an IRI.
    pub fn links_of(&self, site: &Site<'_>, iri: &str) -> Vec<HeadLink> {
        let link = |path: &str, media_type: &str| {
            vec![("alternate".to_owned(), path.to_owned(), media_type.to_owned())]
        };
        let base = site.linker().base();
        match self.places.get(iri) {
            Some(at) => head_links(&self.records[*at]),
            None if iri == base => link("feed.atom", "application/atom+xml"),
            None if iri == catalogue_of(base) => link("catalog.ttl", "text/turtle"),
            None => Vec::new(),
        }
    }

    /// The typed links of the records, by their IRIs.
    pub fn links(&self) -> impl Iterator<Item = (&str, Vec<HeadLink>)> {
        self.records.iter().map(|metadata| (metadata.iri.as_str(), head_links(metadata)))
    }

    /// What is about the whole site, by one of the names in [`LISTS`]; nothing by another. `place` is where the site is.
    ///
    /// # Errors
    /// Where there is no memory for it.
    pub fn list(&self, name: &str, site: &Site<'_>, place: &str) -> Result<Option<Vec<u8>>> {
        match name {
            "catalog.ttl" => catalogue(&self.records).map(Some),
            "feed.atom" => feed(site, &self.records, place).map(Some),
            "sitemap.xml" => sitemap(site, &self.records, place).map(Some),
            "robots.txt" => Ok(Some(robots(place))),
            _ => Ok(None),
        }
    }
}

/// A folder that goes with its owner.
pub(crate) fn temporary_folder() -> Result<TempDir> {
    tempfile::tempdir().map_err(|error| Error::io("make the folder", &std::env::temp_dir(), &error))
}

/// What a publication gives, made anew and remembered.
fn made(
    memory: &PublicationMemory<'_>,
    publication: &Publication,
    parts_of: &dyn Fn(&Publication) -> Result<PublishedParts>,
) -> Result<PublishedParts> {
    let made = parts_of(publication)?;
    memory.remember(publication, &made);
    Ok(made)
}

/// Writes the files of a record into a site, beside the page of the publication: its metadata, its tables and all of it as a
/// zip. What is in the archive of the site is not among them.
///
/// # Errors
/// Where they cannot be written.
pub(crate) fn write_record(folder: &SiteFolder, record: &ReadyRecord) -> Result<()> {
    let place = format!("{}/file", page_path(&record.metadata));
    for (path, content) in record.contents() {
        // The page of the evaluation is that of the record.
        if !is_archived(path) && !["index.html", "ro-crate-preview.html"].contains(&path.as_str()) {
            folder.put_content(&format!("{place}/{path}"), content)?;
        }
    }
    let files = with_sums(record.contents().clone())?;
    let sums = format!("{place}/{SUMS}");
    let Some(Content::Bytes(list)) = files.get(SUMS) else { return Ok(()) };
    // The same files are packed already.
    let is_same = folder.has(&sums, list);
    let name = record.metadata.short_name();
    let zip = format!("{place}/{name}.zip");
    folder.put_made(&zip, is_same, |part| write_zip(part, &name, &files))?;
    folder.put(&sums, list)
}

/// The path of the page of a publication, without ending.
fn page_path(metadata: &RecordMetadata) -> String {
    metadata.iri.strip_prefix(&metadata.base).unwrap_or(&metadata.iri).to_owned()
}

/// The typed links that the page of a publication has in its head.
fn head_links(metadata: &RecordMetadata) -> Vec<HeadLink> {
    let page = page_path(metadata);
    let up = "../".repeat(page.matches('/').count());
    let place = |path: &str| {
        if is_archived(path) { format!("{up}{path}") } else { format!("{up}{page}/file/{path}") }
    };
    let link = |link: TypedLink| {
        let href = link.path.as_deref().map_or_else(|| link.iri.clone(), place);
        (link.relation.to_owned(), href, link.media_type.unwrap_or_default())
    };
    let zip = published_path(&format!("{page}/file/{}.zip", metadata.short_name()));
    let zip = ("item".to_owned(), format!("{up}{zip}"), "application/zip".to_owned());
    links(metadata).into_iter().map(link).chain([zip]).collect()
}
