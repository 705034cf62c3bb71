//! An archive from a place elsewhere: what is missing here comes into a folder of its own, is looked at as a whole, and is
//! merged. Nobody sees any of it before.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::base::error::{Error, Result};
use crate::base::watch::{Steps, Watcher};
use crate::record::verify::findings::Findings;
use crate::record::verify::place::Location;
use crate::sources::archive::hashing::read_file;
use crate::sources::archive::stored::StoredFile;
use crate::sources::archive::{Archive, RECORD_KINDS};
use crate::sources::depot::{Depot, SeenObject, blocking};
use crate::workbench::Workbench;
use crate::workbench::elsewhere::{
    TakenRecords, checksum, checksums_in, content_at, contents_of, records_of, run, some_at_once, stated,
};
use crate::workbench::import::Merged;

/// How often records are read anew that somebody else replaces meanwhile.
const TRIES: usize = 5;

/// What came of a pull.
#[derive(Debug)]
pub struct Pulled {
    /// The files and graphs that were fetched.
    pub contents: usize,
    /// The records that were fetched.
    pub records: usize,
    /// The bytes of both.
    pub bytes: u64,
    /// What was here already, of both.
    pub known: usize,
    /// What was found in the archive as a whole.
    pub findings: Findings,
    /// What came of uniting it with the archive; nothing where something is wrong with it.
    pub merged: Option<Merged>,
}

impl Workbench {
    /// Fetches what a place has and the archive lacks, checks it, and takes it in as [`merge`](Workbench::merge) does. What was
    /// fetched by a pull that was interrupted is not fetched again.
    ///
    /// # Errors
    /// Where there is no archive; where an object is damaged; as for [`merge`](Workbench::merge).
    pub fn pull(&self, from: &Depot, reexecution: bool, watcher: &dyn Watcher) -> Result<Pulled> {
        if let Some(folder) = from.folder().filter(|_| from.is_at(self.root())) {
            return Err(Error::input("this is the archive into which it would be pulled")
                .in_file(folder.display().to_string())
                .hint("`⌥archive DIR` names the archive that gets all that the place has"));
        }
        let there = run(records_of(from))?;
        if there.is_empty() {
            return Err(Error::input("there is no archive")
                .in_file(from.name())
                .hint("`qassay push` puts one there"));
        }
        let mint = run(stated(from, &there))?;
        let archive = Archive::create_for(self.root(), &mint)?;
        let is_new = archive.records()?.iter().all(|record| *record == archive.stated_in());
        if *archive.mint() != mint && !is_new {
            return Err(self.other_model(archive.mint(), &mint));
        }
        // Whoever pulls from the same place waits.
        let _lock = archive.lock_downloads()?;
        let stage = self.stage(from);
        let taken = TakenRecords::recall(&archive, from);
        let mut pull = PullWork { archive: &archive, from, stage: &stage, watcher, taken };
        let mut pulled = run(pull.everything(there))?;
        let taken = pull.taken;
        // Whoever merges has the archive for himself.
        drop(archive);
        let location = Location::staged(stage.clone(), from.name().to_owned());
        pulled.findings = self.check_mergeable(&location, reexecution, watcher)?;
        if !pulled.findings.failed() {
            let merged = self.merge(&location, watcher);
            // What contradicts would do so again.
            fs::remove_dir_all(&stage).map_err(|error| Error::io("remove the folder", &stage, &error))?;
            pulled.merged = Some(merged?);
            taken.remember(&Archive::open(self.root())?, from);
        }
        Ok(pulled)
    }

    /// A report on what was pulled, in which it has the name of its place.
    pub fn named_elsewhere(&self, from: &Depot, report: String) -> String {
        Location::staged(self.stage(from), from.name().to_owned()).named(report, str::to_owned)
    }

    /// Where what a place has comes to be an archive.
    fn stage(&self, from: &Depot) -> PathBuf {
        self.root().join("tmp").join(format!("pulled-{}", &checksum(from.name().as_bytes())[..32]))
    }
}

struct PullWork<'a> {
    archive: &'a Archive,
    from: &'a Depot,
    /// Where it comes to be an archive.
    stage: &'a Path,
    watcher: &'a dyn Watcher,
    taken: TakenRecords,
}

/// What became of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Brought {
    /// It was fetched: so many bytes.
    Fetched(u64),
    /// It was here.
    Known,
    /// It is not what its name says.
    Damaged(String),
}

impl PullWork<'_> {
    async fn everything(&mut self, there: BTreeMap<String, SeenObject>) -> Result<Pulled> {
        let (records, named) = self.records_at_rest(there).await?;
        // Contents after records: whoever pushes meanwhile puts contents first.
        let mut contents = contents_of(self.from).await?;
        contents.retain(|path, _| {
            path.starts_with("files/") || content_at(path).is_some_and(|sha256| named.contains(sha256))
        });
        let steps = Steps::new(self.watcher, "fetching", contents.len());
        let arrivals = some_at_once(&contents, async |(path, seen): (&String, &SeenObject)| {
            self.watcher.check()?;
            let arrival = self.content(path, seen).await;
            steps.step();
            arrival
        });
        let arrivals = arrivals.await?;
        let damaged: Vec<String> = records.iter().chain(&arrivals).filter_map(damage).collect();
        if !damaged.is_empty() {
            return Err(Error::check("objects there are not what their names say, and nothing was pulled")
                .in_file(self.from.name())
                .list(damaged)
                .hint("whoever has them whole removes them there and pushes again"));
        }
        let (fetched, bytes) = counts(&arrivals);
        let (fetched_records, bytes_of_records) = counts(&records);
        Ok(Pulled {
            contents: fetched,
            records: fetched_records,
            bytes: bytes + bytes_of_records,
            known: arrivals.len() + records.len() - fetched - fetched_records,
            findings: Findings::new(self.from.name().to_owned(), false),
            merged: None,
        })
    }

    /// The folder for what comes: without the records of a pull that was interrupted, as they may have changed.
    fn prepare(&self) -> Result<()> {
        let records = self.stage.join("records");
        match fs::remove_dir_all(&records) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(Error::io("remove the folder", &records, &error));
            }
            _ => {}
        }
        let folders = ["tmp", "files/sha256", "graphs/sha256"].map(|folder| self.stage.join(folder));
        for folder in folders.into_iter().chain(RECORD_KINDS.map(|kind| records.join(kind))) {
            fs::create_dir_all(&folder).map_err(|error| Error::io("create the folder", &folder, &error))?;
        }
        Ok(())
    }

    /// Brings all records; gives what became of them, and the checksums that they name. Where somebody replaces or removes one
    /// meanwhile, all come again: what took its place may belong to what had not been there.
    async fn records_at_rest(
        &mut self,
        mut there: BTreeMap<String, SeenObject>,
    ) -> Result<(Vec<Brought>, BTreeSet<String>)> {
        for _ in 0..TRIES {
            let records = self.records(&there).await;
            let now = records_of(self.from).await?;
            if there.iter().all(|(path, seen)| now.get(path) == Some(seen)) {
                return records;
            }
            there = now;
        }
        Err(Error::check("others replace records all the time")
            .in_file(self.from.name())
            .hint("try again later"))
    }

    async fn records(
        &mut self,
        there: &BTreeMap<String, SeenObject>,
    ) -> Result<(Vec<Brought>, BTreeSet<String>)> {
        self.prepare()?;
        let steps = Steps::new(self.watcher, "fetching records", there.len());
        let all = some_at_once(there, async |(path, seen): (&String, &SeenObject)| {
            self.watcher.check()?;
            let record = self.record(path, seen).await?;
            steps.step();
            Ok((path, record))
        });
        let (mut arrivals, mut named) = (Vec::new(), BTreeSet::new());
        for (path, (arrival, content, e_tag)) in all.await? {
            named.append(&mut checksums_in(&content));
            self.taken.take(path, e_tag, checksum(&content));
            arrivals.push(arrival);
        }
        Ok((arrivals, named))
    }

    async fn record(&self, path: &str, seen: &SeenObject) -> Result<(Brought, Vec<u8>, Option<String>)> {
        let own = read_file(&self.archive.root().join(path)).ok();
        let untouched = self.taken.untouched(path, seen);
        let known = own.filter(|own| untouched.is_some_and(|sha256| checksum(own) == sha256));
        let (arrival, content, e_tag) = if let Some(own) = known {
            (Brought::Known, own, seen.e_tag.clone())
        } else {
            let (content, seen) = self.from.read(path).await?;
            let arrival = if is_record(&content) {
                Brought::Fetched(content.len() as u64)
            } else {
                Brought::Damaged(format!("{}: it is no whole record", self.from.place(path)))
            };
            (arrival, content, seen.e_tag)
        };
        let place = self.stage.join(path);
        fs::write(&place, &content).map_err(|error| Error::io("write", &place, &error))?;
        Ok((arrival, content, e_tag))
    }

    /// Brings a file or a graph: from the archive itself where it has it, else from the place.
    async fn content(&self, path: &str, seen: &SeenObject) -> Result<Brought> {
        let place = self.stage.join(path);
        let (own, size) = (self.archive.root().join(path), seen.size);
        let here = blocking({
            let place = place.clone();
            move || from_here(&own, &place, size)
        });
        if here.await? {
            return Ok(Brought::Known);
        }
        // With its ending, which says whether it is packed.
        let name = place.file_name().unwrap_or_default();
        let coming = self.stage.join("tmp").join(name);
        let bytes = self.from.fetch(path, &coming).await?;
        let (told, path) = (self.from.place(path), coming.clone());
        let wrong = blocking(move || {
            let file = StoredFile::new(&path);
            Ok(match file.digest() {
                Ok((found, _)) if found == file.sha256() => None,
                Ok((found, _)) => Some(format!("{told}: the bytes have another checksum: {found}")),
                Err(_) => Some(format!("{told}: it cannot be read to its end")),
            })
        });
        if let Some(wrong) = wrong.await? {
            fs::remove_file(&coming).map_err(|error| Error::io("remove the file", &coming, &error))?;
            return Ok(Brought::Damaged(wrong));
        }
        fs::rename(&coming, &place)
            .map_err(|error| Error::io("rename the finished file to", &place, &error))?;
        Ok(Brought::Fetched(bytes))
    }
}

/// Whether something is in its place already, or comes there from the archive, whole and of the size that it has elsewhere.
fn from_here(own: &Path, place: &PathBuf, size: u64) -> Result<bool> {
    let is_same = |path: &Path| {
        path.metadata().is_ok_and(|facts| facts.len() == size) && StoredFile::new(path).is_whole()
    };
    if is_same(place) {
        return Ok(true);
    }
    let folder = place.parent().unwrap_or(place);
    fs::create_dir_all(folder).map_err(|error| Error::io("create the folder", folder, &error))?;
    if !is_same(own) {
        return Ok(false);
    }
    // What is in the place has another content.
    drop(fs::remove_file(place));
    let come = fs::hard_link(own, place).or_else(|_| fs::copy(own, place).map(drop));
    come.map(|()| true).map_err(|error| Error::io("copy the file", own, &error))
}

/// Whether these are whole lines of N-Quads: the name of a record says nothing of its bytes.
fn is_record(content: &[u8]) -> bool {
    let is_line = |line: &[u8]| line.starts_with(b"<") && line.ends_with(b" .\n");
    std::str::from_utf8(content).is_ok() && content.split_inclusive(|byte| *byte == b'\n').all(is_line)
}

fn damage(arrival: &Brought) -> Option<String> {
    if let Brought::Damaged(what) = arrival { Some(what.clone()) } else { None }
}

/// How many were fetched, and their bytes.
fn counts(arrivals: &[Brought]) -> (usize, u64) {
    let fetched = arrivals.iter().filter_map(|arrival| match arrival {
        Brought::Fetched(bytes) => Some(bytes),
        _ => None,
    });
    (fetched.clone().count(), fetched.sum())
}
