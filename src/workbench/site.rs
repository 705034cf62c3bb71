//! Writes a whole site: the pages of all that an archive has published, with the records of each publication, as files for
//! any web host.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;

use crate::base::error::{Error, Result};
use crate::base::parallel;
use crate::base::text;
use crate::base::watch::{Steps, Watcher};
use crate::record::archived::Archived;
use crate::record::package::Content;
use crate::record::publication::remembered::ARCHIVE;
use crate::record::publication::signature::SigningKey;
use crate::site::Site;
use crate::site::asset::Asset;
use crate::site::folder::{SiteCounts, SiteFolder};
use crate::site::hosting::htaccess;
use crate::site::route::Route;
use crate::site::view::SiteView;
use crate::workbench::Workbench;
use crate::workbench::public::{LISTS, PublicArchive, write_record};
use crate::workbench::publish::{PublishingDesk, ReadyRecord};
use crate::workbench::publish_request::PublishRequest;

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
        if desk.latest().is_empty() {
            return Err(self.nothing_published());
        }
        refuse_inside(out, self.root())?;
        let folder = SiteFolder::open(out)?;
        let public = PublicArchive::gather(&archived.archive, &desk.latest(), watcher, |publication| {
            let record = desk.published(publication)?;
            write_record(&folder, &record)?;
            Ok(record.parts())
        })?;
        for (path, file) in public.files() {
            folder.put_content(path, &Content::File(file))?;
        }
        folder.remove_others_in(&ARCHIVE)?;
        let shown = public.archived()?;
        let view = SiteView::new(&shown, public.withheld(&shown))?;
        let site = Site::new(&view);
        write_pages(&site, &public, &folder, watcher)?;
        let place = place.as_deref().unwrap_or_else(|| site.linker().base());
        for name in LISTS {
            public.list(name, &site, place)?.map_or(Ok(()), |bytes| folder.put(name, &bytes))?;
        }
        folder.put(".htaccess", htaccess(&site, &view).as_bytes())?;
        let publications = &public.records;
        let sign = |list: &[u8]| {
            let latest = publications.iter().map(|one| one.modified.as_str()).max().unwrap_or_default();
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
pub(crate) fn site_address(stated: &str) -> Result<String> {
    let address = format!("{}/", stated.trim_end_matches('/'));
    let is_web = reqwest::Url::parse(&address).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https") && url.query().is_none() && url.fragment().is_none()
    });
    if is_web {
        return Ok(address);
    }
    Err(Error::input(format!("`{}` is no place for a site or a server", text::name(stated)))
        .allowed("an address of the web, as in https://example.org/qassay/"))
}

/// Writes the pages in all their forms, with what they load.
fn write_pages(
    site: &Site<'_>,
    public: &PublicArchive,
    folder: &SiteFolder,
    watcher: &dyn Watcher,
) -> Result<()> {
    for asset in &Asset::ALL {
        folder.put(&asset.file().join("/"), asset.text.as_bytes())?;
    }
    let whole: BTreeSet<&Route> = site.linker().pages().collect();
    let steps = Steps::new(watcher, "writing pages", whole.len());
    let mut pages = site.pages().peekable();
    while pages.peek().is_some() {
        watcher.check()?;
        let batch: Vec<Route> = pages.by_ref().take(BATCH).collect::<Result<_>>()?;
        let written = parallel::each(batch, |route| {
            let head = public.head(site, &site.linker().iri(&route));
            for form in Site::forms(&route) {
                folder.put(&route.file(form).join("/"), &site.render(&route, form, &head)?.bytes)?;
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
