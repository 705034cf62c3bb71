//! Writes a whole site: the pages of all that an archive has published, with the records of each publication, as files for
//! any web host.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::Path;

use crate::base::error::{Error, Result};
use crate::base::iri::{catalogue_of, published_path};
use crate::base::parallel;
use crate::base::text;
use crate::base::watch::{Steps, Watcher};
use crate::record::archived::Archived;
use crate::record::package::{Content, with_sums, write_zip};
use crate::record::publication::act::Publication;
use crate::record::publication::metadata::RecordMetadata;
use crate::record::publication::signature::SigningKey;
use crate::record::verify::listing::SUMS;
use crate::report::forms::dcat::catalogue;
use crate::report::forms::schema_org;
use crate::report::forms::signposting::links;
use crate::site::folder::{SiteCounts, SiteFolder};
use crate::site::hosting::{feed, htaccess, robots, sitemap};
use crate::site::route::Route;
use crate::site::view::SiteView;
use crate::site::{PageHead, Site};
use crate::sources::archive::stored::StoredFile;
use crate::sources::archive::{Archive, PUBLICATION};
use crate::workbench::Workbench;
use crate::workbench::publish::{PublishingDesk, ReadyRecord};
use crate::workbench::publish_request::PublishRequest;

/// The folders of a site that are an archive, together one for all records.
const ARCHIVE: [&str; 3] = ["files", "graphs", "records"];

/// How many pages are made at once.
const BATCH: usize = 256;

/// What a site is to be.
#[derive(Debug, Clone, Default)]
pub struct SiteRequest {
    /// What is published before the site is written, each by itself: none, where all is published that should be.
    pub publish: PublishRequest,
    /// Whether that is everything in the archive.
    pub all: bool,
    /// Where the site will be, ending with `/`; none: at the base of its IRIs.
    pub place: Option<String>,
}

/// What came of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SiteReport {
    /// How many publications are on it.
    pub publications: usize,
    /// How much of all that the archive has was not published again, because it, or a part of it, was withdrawn.
    pub withdrawn: usize,
    /// What was written.
    pub counts: SiteCounts,
}

impl Workbench {
    /// Publishes what is to be published, then writes the site of all that the archive has published, its list of checksums
    /// signed where there is a key. What is there already, and the same, is not written again.
    ///
    /// # Errors
    /// As for one publication; where nothing is published; where the folder is that of something else, or cannot be written.
    pub fn publish_site(
        &self,
        request: &SiteRequest,
        out: &Path,
        signing: Option<&SigningKey>,
        watcher: &dyn Watcher,
    ) -> Result<SiteReport> {
        let place = request.place.as_deref().map(site_address).transpose()?;
        let archived = self.archived()?;
        let withdrawn = self.publish_each(&archived, request, watcher)?;
        let desk = PublishingDesk::new(&archived)?;
        let all = desk.latest();
        let publications: Vec<&Publication> =
            all.iter().copied().filter(|one| one.withdrawn.is_none()).collect();
        if all.is_empty() {
            return Err(self.nothing_published());
        }
        refuse_inside(out, self.root())?;
        let folder = SiteFolder::open(out)?;
        let inner = tempfile::tempdir().map_err(|error| Error::io("make the folder", out, &error))?;
        let writing = SiteWriting { desk: &desk, archived: &archived, folder: &folder, inner: inner.path() };
        let records = writing.records(&publications, watcher)?;
        folder.remove_others_in(&ARCHIVE)?;
        let shown = Archived::open(Archive::open(inner.path())?)?;
        // What is left out is read for the numbers of pages, and is on none.
        let is_withheld = |sha256: &str| {
            let place = shown.archive.graph(sha256).plain_path();
            place.strip_prefix(inner.path()).is_ok_and(|name| !out.join(name).is_file())
        };
        let withheld = shown.graphs.iter().filter(|graph| is_withheld(&graph.sha256));
        let view = SiteView::new(&shown, withheld.map(|graph| graph.name.clone()).collect())?;
        let site = Site::new(&view);
        write_pages(&site, &records, &folder, watcher)?;
        write_lists(&site, &records, &folder, place.as_deref())?;
        folder.put(".htaccess", htaccess(&site, &view).as_bytes())?;
        let sign = |list: &[u8]| {
            let latest = publications.iter().map(|one| one.day.as_str()).max().unwrap_or_default();
            let comment =
                format!("site of {} publications, the last of {latest}: {}", publications.len(), view.base());
            signing.map(|key| key.sign(list, &comment)).transpose()
        };
        Ok(SiteReport { publications: publications.len(), withdrawn, counts: folder.finish(sign)? })
    }

    /// What would be on a site, publication by publication: what is to be published, then what is already. Nothing is written.
    /// Gives what was told of each, and how many stay withdrawn.
    ///
    /// # Errors
    /// As for one publication; where there is none; what `tell` fails with.
    pub fn check_site<T>(
        &self,
        request: &SiteRequest,
        watcher: &dyn Watcher,
        tell: impl Fn(ReadyRecord) -> Result<T>,
    ) -> Result<(Vec<T>, usize)> {
        let archived = self.archived()?;
        let desk = PublishingDesk::new(&archived)?;
        let known = RefCell::new(BTreeSet::new());
        let told = |record: ReadyRecord| {
            known.borrow_mut().insert(record.metadata.iri.clone());
            tell(record)
        };
        let (mut all, withdrawn) = ready_each(&desk, request, watcher, told)?;
        for publication in desk.latest() {
            if publication.withdrawn.is_none() && !known.borrow().contains(&publication.of) {
                watcher.check()?;
                all.push(tell(desk.published(publication)?)?);
            }
        }
        if all.is_empty() {
            return Err(self.nothing_published());
        }
        Ok((all, withdrawn))
    }

    fn nothing_published(&self) -> Error {
        Error::input("nothing of this archive is published")
            .in_file(self.root().display().to_string())
            .hint("name evaluations and comparisons, or `⌥all`, and who publishes them with `⌥creator`")
    }

    /// Publishes each of what is named by itself; gives how many stay withdrawn.
    fn publish_each(
        &self,
        archived: &Archived,
        request: &SiteRequest,
        watcher: &dyn Watcher,
    ) -> Result<usize> {
        let desk = PublishingDesk::new(archived)?;
        // All are ready before one is kept.
        let (publications, withdrawn) =
            ready_each(&desk, request, watcher, |record| Ok(record.publication()))?;
        if !publications.is_empty() {
            let archive = self.create()?;
            publications.iter().try_for_each(|publication| publication.keep(&archive))?;
        }
        Ok(withdrawn)
    }
}

/// Makes the record of each of what is to be published ready, and hands it on. Of all that there is, what was withdrawn, or has
/// a part that was, stays what it is; gives how many these are.
fn ready_each<T>(
    desk: &PublishingDesk<'_>,
    request: &SiteRequest,
    watcher: &dyn Watcher,
    hand_on: impl Fn(ReadyRecord) -> Result<T>,
) -> Result<(Vec<T>, usize)> {
    let (words, withdrawn) = if request.all { desk.all() } else { (request.publish.words.clone(), 0) };
    let steps = Steps::new(watcher, "publishing", words.len());
    let ready = |word: String| {
        watcher.check()?;
        steps.step();
        hand_on(desk.ready(&PublishRequest { words: vec![word], ..request.publish.clone() })?)
    };
    Ok((words.into_iter().map(ready).collect::<Result<_>>()?, withdrawn))
}

/// An error where a site and the archive would be parts of each other.
fn refuse_inside(site: &Path, archive: &Path) -> Result<()> {
    let place = |path: &Path| {
        let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        whole.canonicalize().unwrap_or(whole)
    };
    let (one, other) = (place(site), place(archive));
    if one.starts_with(&other) || other.starts_with(&one) {
        return Err(Error::input("the site and the archive would be parts of each other")
            .in_file(site.display().to_string())
            .allowed("a folder outside of the archive, and not around it"));
    }
    Ok(())
}

/// Where a site will be, as its addresses begin.
fn site_address(stated: &str) -> Result<String> {
    let address = format!("{}/", stated.trim_end_matches('/'));
    let is_web = reqwest::Url::parse(&address).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https") && url.query().is_none() && url.fragment().is_none()
    });
    if is_web {
        return Ok(address);
    }
    Err(Error::input(format!("`{}` is no place for a site", text::name(stated)))
        .allowed("an address of the web, as in https://example.org/qassay/"))
}

/// The path of the page of a publication, without ending.
fn page_path(metadata: &RecordMetadata) -> String {
    metadata.iri.strip_prefix(&metadata.base).unwrap_or(&metadata.iri).to_owned()
}

/// Whether a file of a record is in the archive of the site.
fn is_archived(path: &str) -> bool {
    path.split_once('/').is_some_and(|(first, _)| ARCHIVE.contains(&first))
}

/// Records on their way into a site.
struct SiteWriting<'a> {
    desk: &'a PublishingDesk<'a>,
    archived: &'a Archived,
    folder: &'a SiteFolder,
    /// An archive of what is published and of what that was computed from, for the time of writing.
    inner: &'a Path,
}

impl SiteWriting<'_> {
    /// Writes the archive that all records of a site share, and beside the page of each publication its metadata, its tables
    /// and the record as a zip. Gives what the records say of themselves.
    fn records(&self, publications: &[&Publication], watcher: &dyn Watcher) -> Result<Vec<RecordMetadata>> {
        let steps = Steps::new(watcher, "writing records", publications.len());
        let mut all = Vec::new();
        for publication in publications {
            watcher.check()?;
            let record = self.desk.published(publication)?;
            self.record(&record)?;
            all.push(record.metadata);
            steps.step();
        }
        let archive = &self.archived.archive;
        let stated = Some(archive.stated_in()).filter(|stated| stated.is_file());
        // Also the versions before.
        for path in archive.records_of(PUBLICATION)?.into_iter().chain(stated) {
            let name = path.strip_prefix(archive.root()).unwrap_or(&path);
            let names: Vec<_> = name.components().map(|name| name.as_os_str().to_string_lossy()).collect();
            self.keep(&names.join("/"), &Content::File(StoredFile::new(&path)))?;
        }
        Ok(all)
    }

    fn record(&self, record: &ReadyRecord) -> Result<()> {
        let place = format!("{}/file", page_path(&record.metadata));
        for (path, content) in record.contents() {
            match path.as_str() {
                // The page of the evaluation is that of the record.
                "index.html" | "ro-crate-preview.html" => {}
                path if is_archived(path) => self.keep(path, content)?,
                path => self.folder.put_content(&format!("{place}/{path}"), content)?,
            }
        }
        for (path, file) in record.left_out() {
            self.take_in(path, &Content::File(file.clone()))?;
        }
        let files = with_sums(record.contents().clone())?;
        let sums = format!("{place}/{SUMS}");
        let Some(Content::Bytes(list)) = files.get(SUMS) else { return Ok(()) };
        // The same files are packed already.
        let is_same = self.folder.has(&sums, list);
        let name = record.metadata.short_name();
        let zip = format!("{place}/{name}.zip");
        self.folder.put_made(&zip, is_same, |part| write_zip(part, &name, &files))?;
        self.folder.put(&sums, list)
    }

    /// A file of the archive of the site.
    fn keep(&self, path: &str, content: &Content) -> Result<()> {
        self.folder.put_content(path, content)?;
        self.take_in(path, content)
    }

    /// A file of the archive that pages are made of.
    fn take_in(&self, path: &str, content: &Content) -> Result<()> {
        let place = self.inner.join(path);
        if place.exists() {
            return Ok(());
        }
        let failed = |error: std::io::Error| Error::io("write the file", &place, &error);
        fs::create_dir_all(place.parent().unwrap_or(self.inner)).map_err(failed)?;
        if let Content::File(file) = content
            && file.path() == file.plain_path()
            && fs::hard_link(file.path(), &place).is_ok()
        {
            return Ok(());
        }
        let mut out = File::create_new(&place).map_err(failed)?;
        std::io::copy(&mut content.open()?, &mut out).map_err(failed)?;
        Ok(())
    }
}

/// Writes the pages in all their forms, with what they load.
fn write_pages(
    site: &Site<'_>,
    records: &[RecordMetadata],
    folder: &SiteFolder,
    watcher: &dyn Watcher,
) -> Result<()> {
    let link =
        |path: &str, media_type: &str| vec![("alternate".to_owned(), path.to_owned(), media_type.to_owned())];
    let of_site = [
        (site.linker().base().to_owned(), link("feed.atom", "application/atom+xml")),
        (catalogue_of(site.linker().base()), link("catalog.ttl", "text/turtle")),
    ];
    let of_site = of_site.map(|(iri, links)| (iri, PageHead { json_ld: None, links }));
    let of_records = records.iter().map(|metadata| (metadata.iri.clone(), head(metadata)));
    let heads: BTreeMap<String, PageHead> = of_records.chain(of_site).collect();
    for (names, asset) in Site::assets() {
        folder.put(&names.join("/"), asset.text.as_bytes())?;
    }
    let whole: BTreeSet<&Route> = site.linker().pages().collect();
    let steps = Steps::new(watcher, "writing pages", whole.len());
    let mut pages = site.pages().peekable();
    while pages.peek().is_some() {
        watcher.check()?;
        let batch: Vec<Route> = pages.by_ref().take(BATCH).collect::<Result<_>>()?;
        let written = parallel::each(batch, |route| {
            let none = PageHead::default();
            let head = heads.get(&site.linker().iri(&route)).unwrap_or(&none);
            for form in Site::forms(&route) {
                folder.put(&route.file(form).join("/"), &site.render(&route, form, head)?.bytes)?;
            }
            if whole.contains(&route) {
                steps.step();
            }
            Ok(())
        });
        written.into_iter().collect::<Result<()>>()?;
    }
    Ok(())
}

/// What the page of a publication says in its head: the record as JSON-LD, and its typed links.
fn head(metadata: &RecordMetadata) -> PageHead {
    let page = page_path(metadata);
    let up = "../".repeat(page.matches('/').count());
    let place = |path: &str| {
        if is_archived(path) { format!("{up}{path}") } else { format!("{up}{page}/file/{path}") }
    };
    let link = |link: crate::report::forms::signposting::TypedLink| {
        let href = link.path.as_deref().map_or_else(|| link.iri.clone(), place);
        (link.relation.to_owned(), href, link.media_type.unwrap_or_default())
    };
    let zip = published_path(&format!("{page}/file/{}.zip", metadata.short_name()));
    let zip = ("item".to_owned(), format!("{up}{zip}"), "application/zip".to_owned());
    PageHead {
        json_ld: Some(schema_org::script(metadata)),
        links: links(metadata).into_iter().map(link).chain([zip]).collect(),
    }
}

/// Writes what is about the whole site.
fn write_lists(
    site: &Site<'_>,
    records: &[RecordMetadata],
    folder: &SiteFolder,
    place: Option<&str>,
) -> Result<()> {
    let place = place.unwrap_or_else(|| site.linker().base());
    folder.put("catalog.ttl", &catalogue(records)?)?;
    folder.put("feed.atom", &feed(site, records, place)?)?;
    folder.put("sitemap.xml", &sitemap(site, records, place)?)?;
    folder.put("robots.txt", &robots(place))
}
