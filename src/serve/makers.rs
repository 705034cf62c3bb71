//! Threads that make pages. They own what they read: the published part of an archive as it was when they began. When something
//! is published or withdrawn, others begin, and who is asked before that answers from what was.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, channel, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::thread;
use std::time::SystemTime;

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use tokio::sync::{Semaphore, SemaphorePermit, oneshot};

use crate::base::error::{Error, Result};
use crate::base::text::name;
use crate::record::archived::names::SharedNames;
use crate::record::archived::{Archived, ArchivedEvaluation};
use crate::record::publication::act::Publication;
use crate::site::folder::SiteFolder;
use crate::site::route::{PageForm, Route};
use crate::site::view::SiteView;
use crate::site::{Rendered, Site};
use crate::sources::archive::passing::PassingArchive;
use crate::sources::archive::stored::{StoredFile, input_path};
use crate::sources::archive::{Archive, PUBLICATION};
use crate::workbench::Workbench;
use crate::workbench::public::{PublicArchive, temporary_folder, write_record};
use crate::workbench::publish::PublishingDesk;

/// How many wait for a page before others are sent away.
const WAITING: usize = 512;

/// Deep statements and large tables are written by functions that call themselves.
const STACK: usize = 16 << 20;

/// What threads make pages of.
pub(crate) struct ShownArchive<'a> {
    pub(crate) site: &'a Site<'a>,
    pub(crate) public: &'a PublicArchive,
    /// The records of that.
    pub(crate) archived: &'a Archived,
    /// What records say of their files, by the paths of these.
    pub(crate) stated: &'a BTreeMap<String, StatedFile>,
    /// What was published, the latest versions.
    latest: &'a [&'a Publication],
    /// One record after the other is written.
    desk: &'a OpenDesk<'a>,
    /// The files of records that were asked for.
    records: &'a SiteFolder,
    records_root: &'a Path,
    /// Pages by their paths, as long as many ask for them.
    made: Cache<String, Arc<Rendered>, PageBytes>,
}

/// All of an archive, which is opened when somebody wants a record that is neither remembered nor written: it takes as much memory
/// as all that is shown.
struct OpenDesk<'a> {
    bench: &'a Workbench,
    archived: &'a OnceLock<Archived>,
    desk: Mutex<Option<PublishingDesk<'a>>>,
}

impl OpenDesk<'_> {
    /// Does something at the desk: one after the other.
    fn with<T>(&self, work: impl FnOnce(&PublishingDesk<'_>) -> Result<T>) -> Result<T> {
        let mut desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        if desk.is_none() {
            let archived = if let Some(archived) = self.archived.get() {
                archived
            } else {
                let opened = self.bench.archived()?;
                self.archived.get_or_init(|| opened)
            };
            *desk = Some(PublishingDesk::new(archived)?);
        }
        work(desk.as_ref().expect("it was opened"))
    }
}

/// What records say of a file.
#[derive(Debug, Clone, Default)]
pub(crate) struct StatedFile {
    /// Its media type.
    pub(crate) media_type: String,
    /// The records that have it, by their IRIs, and what they are to it (FAIR Signposting: `collection` or `describes`).
    pub(crate) of: Vec<(String, &'static str)>,
}

/// What the heads of pages say of files, by the paths of these.
fn stated(public: &PublicArchive) -> BTreeMap<String, StatedFile> {
    let mut all: BTreeMap<String, StatedFile> = BTreeMap::new();
    for (iri, links) in public.links() {
        for (relation, href, media_type) in links {
            let back = match relation.as_str() {
                "item" => "collection",
                "describedby" => "describes",
                _ => continue,
            };
            let one = all.entry(href.trim_start_matches("../").to_owned()).or_default();
            one.media_type = media_type;
            one.of.push((iri.to_owned(), back));
        }
    }
    all
}

impl ShownArchive<'_> {
    /// A file of a record, by its path in the site; nothing where there is none. All files of the record are written when the
    /// first is asked for.
    ///
    /// # Errors
    /// Where the record cannot be made.
    pub(crate) fn record_file(&self, path: &str) -> Result<Option<PathBuf>> {
        let Some((page, name)) = path.split_once("/file/") else { return Ok(None) };
        let is_below = name.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
        let metadata = self.public.records.iter().find(|one| one.iri.strip_prefix(&one.base) == Some(page));
        let Some(metadata) = metadata.filter(|_| is_below) else { return Ok(None) };
        let place = self.records_root.join(path);
        // The list of checksums is written last.
        if !self.records_root.join(page).join("file/SHA256SUMS").is_file() {
            let Some(publication) = self.latest.iter().find(|one| one.of == metadata.iri) else {
                return Ok(None);
            };
            self.desk.with(|desk| write_record(self.records, &desk.published(publication)?))?;
        }
        Ok(Some(place).filter(|place| place.is_file()))
    }

    /// A graph that may be seen, by its name.
    pub(crate) fn graph(&self, name: &str) -> Option<StoredFile> {
        let known = self.archived.graphs.iter().find(|graph| graph.name == name)?;
        let graph = self.archived.archive.graph(&known.sha256);
        (self.site.shows_graph(name) && graph.path().is_file()).then_some(graph)
    }

    /// A page in a form: made once, and kept as long as it is asked for more than others.
    ///
    /// # Errors
    /// Where it cannot be made.
    pub(crate) fn rendered(&self, route: &Route, form: PageForm) -> Result<Arc<Rendered>> {
        let head = || self.public.head(self.site, &self.site.linker().iri(route));
        let name = route.file(form).join("/");
        self.made.get_or_insert_with(&name, || self.site.render(route, form, &head()).map(Arc::new))
    }

    /// Something else that was made of it, by its name, which is no path; nothing where nobody has it any more.
    pub(crate) fn known(&self, name: &str) -> Option<Arc<Rendered>> {
        self.made.get(name)
    }

    /// Keeps JSON that was made of it like a page.
    pub(crate) fn keep(&self, name: String, json: &str) -> Arc<Rendered> {
        let (bytes, etag) = (json.as_bytes().to_vec(), Site::tag(json.as_bytes()));
        let kept = Arc::new(Rendered { bytes, media_type: PageForm::Json.media_type(), etag });
        self.made.insert(name, Arc::clone(&kept));
        kept
    }

    /// A submission that is here, by its key or its IRI: what its system is called, and its bytes.
    ///
    /// # Errors
    /// Where there is none, or its file may not be seen.
    pub(crate) fn submission(&self, word: &str) -> Result<(String, Vec<u8>)> {
        let key = word.rsplit('/').next().unwrap_or(word);
        let is_key = key.len() == 32 && key.bytes().all(|byte| byte.is_ascii_hexdigit());
        let of = self.archived.evaluations.iter().find(|one| is_key && one.answers.starts_with(key));
        let of = of.ok_or_else(|| {
            Error::input(format!("no submission `{}` is published here", name(word)))
                .allowed("keys of submissions: the last part of their addresses")
        })?;
        let file = self.public.file(&input_path(&of.answers));
        let file = file.ok_or_else(|| {
            Error::input(format!("the file of the submission {key} is not published"))
                .hint("who has it can upload it")
        })?;
        // Who published the same bytes later under another name changes nothing of what they are called here.
        let here: Vec<&String> = self
            .archived
            .evaluations
            .iter()
            .filter(|one| one.answers == of.answers)
            .flat_map(ArchivedEvaluation::systems)
            .collect();
        let names = SharedNames::of(&self.archived.archive, &of.answers)?;
        let first = names.and_then(|names| names.all().find(|name| here.contains(name)).cloned());
        Ok((first.unwrap_or_else(|| of.system.clone()), file.content()?))
    }
}

/// How many pages are expected to be kept, and how many bytes of them at most.
const PAGES: usize = 1_000;
const MOST_KEPT: u64 = 16 << 20;

/// A page takes the room of its bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PageBytes;

impl Weighter<String, Arc<Rendered>> for PageBytes {
    fn weight(&self, name: &String, page: &Arc<Rendered>) -> u64 {
        (name.len() + page.bytes.len()) as u64
    }
}

/// What of an archive is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArchivePart {
    /// What is published.
    Published,
    /// All of it, to who knows its address.
    Private,
}

type Job = Box<dyn for<'s> FnOnce(&ShownArchive<'s>) + Send>;

/// Why nothing was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MakingFailure {
    /// Too many wait.
    Busy,
    /// The making ended in the middle.
    Broken,
}

/// How pages are made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Making {
    /// How many threads make some.
    pub(crate) threads: usize,
    /// Pages are made of evaluations with so many questions at most; none: of all.
    pub(crate) most_questions: Option<u64>,
}

/// Threads with the published part of an archive.
#[derive(Debug)]
pub(crate) struct Makers {
    ask: SyncSender<Job>,
    /// An archive of nothing but what is published, for queries.
    public: Arc<PassingArchive>,
    /// The IRIs of its evaluations.
    evaluations: BTreeSet<String>,
    /// Who computes much, one at a time.
    turns: Semaphore,
    /// What was published when it was opened.
    mark: Vec<(PathBuf, Option<SystemTime>)>,
}

impl Makers {
    /// Opens a part of an archive.
    ///
    /// # Errors
    /// Where there is no archive, or something of it cannot be read.
    pub(crate) fn open(root: &Path, part: ArchivePart, making: Making) -> Result<Self> {
        let mark = mark(root, part)?;
        let (ask, jobs) = sync_channel::<Job>(WAITING);
        let (tell, told) = channel();
        let bench = Workbench::new(root);
        thread::Builder::new()
            .name("site".to_owned())
            .stack_size(STACK)
            .spawn(move || {
                let ready = tell.clone();
                let is_ready = |opened| ready.send(Ok(opened)).unwrap_or_default();
                if let Err(error) = work(&bench, (part, making), jobs, is_ready) {
                    tell.send(Err(error)).unwrap_or_default();
                }
            })
            .map_err(|error| Error::system(format!("cannot start a thread: {error}")))?;
        let opened = told.recv().map_err(|_| Error::system("the pages of the archive cannot be made"))?;
        let (public, evaluations) = opened?;
        Ok(Self { ask, public: Arc::new(public), evaluations, turns: Semaphore::new(1), mark })
    }

    /// The turn of who computes much, for as long as it is kept.
    pub(crate) async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        self.turns.acquire().await.ok()
    }

    /// Has a thread make something.
    pub(crate) async fn make<T: Send + 'static>(
        &self,
        work: impl for<'s> FnOnce(&ShownArchive<'s>) -> T + Send + 'static,
    ) -> Result<T, MakingFailure> {
        let (tell, told) = oneshot::channel();
        let job: Job = Box::new(move |shown| drop(tell.send(work(shown))));
        self.ask.try_send(job).map_err(|error| match error {
            TrySendError::Full(_) => MakingFailure::Busy,
            TrySendError::Disconnected(_) => MakingFailure::Broken,
        })?;
        told.await.map_err(|_| MakingFailure::Broken)
    }

    /// Whether an evaluation is shown, by its IRI.
    pub(crate) fn shows(&self, evaluation: &str) -> bool {
        self.evaluations.contains(evaluation)
    }

    /// An archive of nothing but what is published, as long as this is kept.
    pub(crate) fn public(&self) -> Arc<PassingArchive> {
        Arc::clone(&self.public)
    }
}

/// Opens everything, says so, and works until nobody asks any more.
fn work(
    bench: &Workbench,
    (part, making): (ArchivePart, Making),
    jobs: Receiver<Job>,
    ready: impl FnOnce((PassingArchive, BTreeSet<String>)),
) -> Result<()> {
    let archive = Archive::open(bench.root())?;
    let publications = Publication::all(&archive)?;
    let latest = Publication::latest(&publications);
    let archived = OnceLock::new();
    let desk = OpenDesk { bench, archived: &archived, desk: Mutex::new(None) };
    let public = match part {
        ArchivePart::Published => PublicArchive::recalled(&archive, &latest, |publication| {
            desk.with(|desk| Ok(desk.published(publication)?.parts()))
        })?,
        ArchivePart::Private => PublicArchive::whole(&archive)?,
    };
    let own: Archived = public.archived()?;
    public.borrow(&archive, &own);
    let view = SiteView::new(&own, public.withheld(&own))?.bounded(making.most_questions);
    if part == ArchivePart::Published {
        public.remember(&archive, &own);
    }
    let site = match part {
        ArchivePart::Published => Site::new(&view),
        ArchivePart::Private => Site::new(&view).privately(),
    };
    let stated = stated(&public);
    let folder = temporary_folder()?;
    let records_root = folder.path().join("records");
    let records = SiteFolder::open(&records_root)?;
    let shown = ShownArchive {
        site: &site,
        public: &public,
        archived: &own,
        stated: &stated,
        latest: &latest,
        desk: &desk,
        records: &records,
        records_root: &records_root,
        made: Cache::with_weighter(PAGES, MOST_KEPT, PageBytes),
    };
    let evaluations = own.evaluations.iter().map(|one| one.iri.clone()).collect();
    ready((public.open_part(&archive, &own)?, evaluations));
    let jobs = Mutex::new(jobs);
    let make = || {
        // Nobody holds the lock while he works.
        let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        while let Ok(job) = next() {
            // Who asked is told by the end of his channel.
            drop(catch_unwind(AssertUnwindSafe(|| job(&shown))));
        }
    };
    thread::scope(|scope| {
        for _ in 1..making.threads {
            let maker = thread::Builder::new().name("page".to_owned()).stack_size(STACK);
            // One is enough, and that is this thread.
            drop(maker.spawn_scoped(scope, make));
        }
        make();
    });
    Ok(())
}

/// What is shown, by names and times of its records.
fn mark(root: &Path, part: ArchivePart) -> Result<Vec<(PathBuf, Option<SystemTime>)>> {
    let archive = Archive::open(root)?;
    let stated = archive.stated_in();
    let mut all = match part {
        ArchivePart::Published => archive.records_of(PUBLICATION)?,
        ArchivePart::Private => archive.records()?,
    };
    all.push(stated);
    all.sort();
    let time = |path: &PathBuf| std::fs::metadata(path).and_then(|known| known.modified()).ok();
    Ok(all.into_iter().map(|path| (path.clone(), time(&path))).collect())
}

/// An archive that is looked at from time to time.
#[derive(Debug)]
pub(crate) struct WatchedArchive {
    root: PathBuf,
    part: ArchivePart,
    making: Making,
    /// What could be read last, and whether that is all that there is.
    now: RwLock<(Arc<Makers>, bool)>,
}

impl WatchedArchive {
    /// Opens an archive.
    ///
    /// # Errors
    /// Where there is none, or it cannot be read.
    pub(crate) fn open(root: &Path, part: ArchivePart, making: Making) -> Result<Self> {
        let makers = Makers::open(root, part, making)?;
        Ok(Self { root: root.to_path_buf(), part, making, now: RwLock::new((Arc::new(makers), true)) })
    }

    /// Who makes pages now.
    pub(crate) fn makers(&self) -> Arc<Makers> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner).0)
    }

    /// Whether only what is published is shown.
    pub(crate) fn is_public(&self) -> bool {
        matches!(self.part, ArchivePart::Published)
    }

    /// Whether the archive could be read when it was last looked at.
    pub(crate) fn is_whole(&self) -> bool {
        self.now.read().unwrap_or_else(PoisonError::into_inner).1
    }

    /// Opens the archive again if something was published or withdrawn. Where that fails, all stays as it was, and
    /// [`Self::is_whole`] says so.
    pub(crate) async fn renew(&self) {
        let (root, part, making, known) = (self.root.clone(), self.part, self.making, self.makers());
        let opened = tokio::task::spawn_blocking(move || {
            (mark(&root, part)? != known.mark).then(|| Makers::open(&root, part, making)).transpose()
        });
        let opened = opened.await.map_err(|_| Error::system("the archive cannot be looked at"));
        let mut now = self.now.write().unwrap_or_else(PoisonError::into_inner);
        match opened.and_then(|opened| opened) {
            Ok(Some(new)) => *now = (Arc::new(new), true),
            Ok(None) => now.1 = true,
            Err(error) => {
                if now.1 {
                    anstream::eprintln!("{error}");
                }
                now.1 = false;
            }
        }
    }
}
