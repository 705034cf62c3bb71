//! An archive to a place elsewhere: what is missing there goes, files and graphs first and records last, so that whoever
//! interrupts it leaves a whole archive there, and the next push goes on.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::base::error::{Error, ErrorKind, Result};
use crate::base::watch::{Steps, Watcher};
use crate::record::archived::Archived;
use crate::record::archived::executions::executed_by;
use crate::record::archived::names::{FurtherNames, SYSTEM, SharedNames};
use crate::record::imported::can_be_united;
use crate::record::systems;
use crate::record::verify::listing::SUMS;
use crate::sources::archive::hashing::read_file;
use crate::sources::archive::stored::{StoredFile, packed_path};
use crate::sources::archive::{Archive, RECORD_KINDS};
use crate::sources::depot::{Depot, Instead, SeenObject, Stored, blocking};
use crate::workbench::Workbench;
use crate::workbench::elsewhere::{
    TakenRecords, checksum, checksums_in, content_at, contents_of, record_at, records_of, run, some_at_once,
    stated,
};
use crate::workbench::import::difference;

/// What a record that contradicts is answered with.
const PULL_FIRST: &str =
    "pull first: `qassay pull` unites what is there with the archive, and says what cannot be united";

/// What came of a push.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pushed {
    /// The files and graphs that were sent.
    pub contents: usize,
    /// The records that were sent.
    pub records: usize,
    /// The bytes of both.
    pub bytes: u64,
    /// What was there already, of both.
    pub known: usize,
}

impl Workbench {
    /// Sends what a place lacks of the archive. What is there is never removed, but for what the archive has united with what
    /// is there, and a record that says something else is not overwritten.
    ///
    /// # Errors
    /// Where the bases or the models differ; where a record there says something that the archive has not taken in; where
    /// somebody else changes one meanwhile; where something is damaged here, or the place cannot be asked.
    pub fn push(&self, to: &Depot, watcher: &dyn Watcher) -> Result<Pushed> {
        let archived = self.archived()?;
        if let Some(folder) = to.folder().filter(|_| to.is_at(self.root())) {
            return Err(Error::input("this is the archive that would be pushed")
                .in_file(folder.display().to_string())
                .hint("`⌥archive DIR` names the archive whose evaluations go elsewhere"));
        }
        let _alone = to.folder().map(|folder| alone_in(folder, &archived)).transpose()?;
        let push =
            PushWork { archived: &archived, to, watcher, taken: TakenRecords::recall(&archived.archive, to) };
        run(push.everything())
    }
}

/// The archive in a folder, which is made where there is none, while nobody else writes into it.
fn alone_in(folder: &Path, archived: &Archived) -> Result<Archive> {
    let made = Archive::create_for(folder, archived.archive.mint());
    let is_input = |error: &Error| error.kind() == ErrorKind::Input;
    made.map_err(|error| {
        let hint = "push to a new or an empty folder, or to one that has an archive";
        if is_input(&error) { error.hint(hint) } else { error }
    })?;
    let alone = Archive::open_alone(folder)?;
    // What a push that was killed had not written to its end: `PROCESS-NUMBER#NUMBER`.
    for entry in fs::read_dir(folder.join("tmp")).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_unfinished =
            name.contains('#') && name.bytes().all(|letter| b"0123456789-#".contains(&letter));
        if is_unfinished && entry.path().is_file() {
            alone.remove(&entry.path())?;
        }
    }
    Ok(alone)
}

/// A file or a graph of the archive.
#[derive(Debug)]
struct Parcel {
    path: String,
    file: StoredFile,
    size: u64,
}

/// A record of the archive beside what is there.
#[derive(Debug)]
struct Letter {
    kind: &'static str,
    key: String,
    path: String,
    content: Vec<u8>,
    sha256: String,
    fate: LetterFate,
}

/// What becomes of a record.
#[derive(Debug, PartialEq, Eq)]
enum LetterFate {
    /// It is there, called so by the store.
    There(Option<String>),
    /// Nothing is there.
    New,
    /// What is there was taken into the archive, whose record says what both said; the graphs that only the other one names.
    Replaces(SeenObject, BTreeSet<String>),
    /// What is there says something else.
    Contradicts,
}

impl Letter {
    fn goes(&self) -> bool {
        matches!(self.fate, LetterFate::New | LetterFate::Replaces(..))
    }

    /// When it goes: in the order in which archives write their records, what takes the place of another one before what is
    /// new; but a submission that has another first name only when its former one has a record of its own.
    fn turn(&self) -> usize {
        let place = |kind: &str| RECORD_KINDS.iter().position(|known| *known == kind).unwrap_or_default() * 2;
        match &self.fate {
            LetterFate::Replaces(..) if self.kind == "submission" => place(SYSTEM) + 2,
            LetterFate::Replaces(..) => place(self.kind),
            _ => place(self.kind) + 1,
        }
    }

    /// Where it is told that an execution is on its way, as an archive tells it to those who verify it.
    fn mark(&self) -> String {
        format!("tmp/{}.execution", self.key)
    }
}

struct PushWork<'a> {
    archived: &'a Archived,
    to: &'a Depot,
    watcher: &'a dyn Watcher,
    taken: TakenRecords,
}

impl PushWork<'_> {
    async fn everything(mut self) -> Result<Pushed> {
        let there = records_of(self.to).await?;
        self.check_place(&there).await?;
        // Records before contents: whoever writes into the archive meanwhile writes contents first.
        let letters = self.letters(&there).await?;
        let contents = contents_of(self.to).await?;
        self.refuse_generated_twice(&letters, &there, &contents).await?;
        let parcels = self.parcels()?;
        let missing = missing(&parcels, &contents)?;
        let executions = letters.iter().filter(|letter| letter.kind == "execution");
        for letter in executions.clone().filter(|letter| letter.goes()) {
            let graphs: Vec<String> = match &letter.fate {
                LetterFate::Replaces(_, graphs) => graphs.iter().cloned().collect(),
                _ => Vec::new(),
            };
            self.to.put(&letter.mark(), graphs.join("\n").into_bytes(), Instead::OfAnything).await?;
        }
        self.send(&missing).await?;
        let sent = self.post(letters.iter().collect(), &there).await?;
        self.clear(&letters, &there).await?;
        let called = letters.iter().map(|letter| match &letter.fate {
            LetterFate::There(e_tag) => (letter, e_tag.clone()),
            _ => (letter, sent.get(letter.path.as_str()).cloned().flatten()),
        });
        called.for_each(|(letter, e_tag)| self.taken.take(&letter.path, e_tag, letter.sha256.clone()));
        self.taken.remember(&self.archived.archive, self.to);
        let of_records: u64 =
            letters.iter().filter(|letter| letter.goes()).map(|letter| letter.content.len() as u64).sum();
        Ok(Pushed {
            contents: missing.len(),
            records: sent.len(),
            bytes: of_records + missing.iter().map(|parcel| parcel.size).sum::<u64>(),
            known: parcels.len() + letters.len() - missing.len() - sent.len(),
        })
    }

    /// An error where what is there is of another kind than the archive.
    async fn check_place(&self, there: &BTreeMap<String, SeenObject>) -> Result<()> {
        if self.to.has(SUMS).await? {
            return Err(Error::input(
                "a record that was published or exported is there, with a list of its checksums",
            )
            .in_file(self.to.place(SUMS))
            .hint("nothing can be added to it: push to another place"));
        }
        if there.is_empty() {
            return Ok(());
        }
        let (known, own) = (stated(self.to, there).await?, self.archived.archive.mint());
        if known == *own {
            return Ok(());
        }
        Err(Error::input(difference(("the archive there", &known), ("this one", own)))
            .in_file(self.to.name())
            .hint("`qassay upgrade` makes them alike; or push to another place"))
    }

    /// The records of the archive in their order, each beside what is there.
    async fn letters(&self, there: &BTreeMap<String, SeenObject>) -> Result<Vec<Letter>> {
        let archive = &self.archived.archive;
        let paths: Vec<(PathBuf, String)> =
            archive.records()?.into_iter().map(|path| (path.clone(), archive.path_of(&path))).collect();
        let paths = paths.into_iter().filter(|(_, path)| record_at(path).is_some());
        let paths: Vec<(PathBuf, String)> = paths.collect();
        let steps = Steps::new(self.watcher, "comparing", paths.len());
        let letters = some_at_once(paths, async |(file, path): (PathBuf, String)| {
            self.watcher.check()?;
            let letter = self.letter(&file, path, there).await;
            steps.step();
            letter
        });
        let letters = letters.await?;
        let contradictions = letters.iter().filter(|letter| letter.fate == LetterFate::Contradicts);
        self.refuse_others(contradictions.map(|letter| letter.path.clone()).collect())?;
        Ok(letters)
    }

    /// An error where there are records that contradict those of the archive.
    fn refuse_others(&self, contradictions: Vec<String>) -> Result<()> {
        if contradictions.is_empty() {
            return Ok(());
        }
        Err(Error::check(
            "the archive there has other records of the same things, which this one has not taken in",
        )
        .in_file(self.to.name())
        .list(contradictions)
        .hint(PULL_FIRST))
    }

    /// An error where an evaluation was computed here and there, and neither knows of the other: one of both has to be what
    /// reproduced it. The same evaluation has the same graphs, so nothing is read where none is there.
    async fn refuse_generated_twice(
        &self,
        letters: &[Letter],
        there: &BTreeMap<String, SeenObject>,
        contents: &BTreeMap<String, SeenObject>,
    ) -> Result<()> {
        let graphs: BTreeSet<&str> = contents.keys().filter_map(|path| content_at(path)).collect();
        let has_graphs_there = |letter: &&Letter| {
            checksums_in(&letter.content).iter().any(|graph| graphs.contains(graph.as_str()))
        };
        let new =
            letters.iter().filter(|letter| letter.kind == "execution" && letter.fate == LetterFate::New);
        let own: BTreeSet<String> =
            new.filter(has_graphs_there).map(|letter| executed_by(&letter.content)).collect();
        if own.is_empty() {
            return Ok(());
        }
        let known: BTreeSet<&str> = letters.iter().map(|letter| letter.path.as_str()).collect();
        let is_unknown = |path: &&String| {
            !known.contains(path.as_str()) && record_at(path).is_some_and(|(kind, _)| kind == "execution")
        };
        self.refuse_others(self.executing(&own, there.keys().filter(is_unknown)).await?)
    }

    /// Those of these executions that made one of these evaluations.
    async fn executing(
        &self,
        evaluations: &BTreeSet<String>,
        executions: impl Iterator<Item = &String>,
    ) -> Result<Vec<String>> {
        let executing = some_at_once(executions, async |path: &String| {
            self.watcher.check()?;
            let (content, _) = self.to.read(path).await?;
            Ok(Some(path.clone()).filter(|_| evaluations.contains(&executed_by(&content))))
        });
        Ok(executing.await?.into_iter().flatten().collect())
    }

    /// Sees to it that nobody else brings another execution of an evaluation that is new: where nobody can lock a place, whoever is
    /// first claims the evaluation before the record goes, with that record. Who comes second puts that record there, in case that the
    /// first one was killed, and is refused as if it had been there from the beginning. Gives the claims.
    async fn claim(
        &self,
        new: &[&Letter],
        (known, there): (&BTreeSet<&str>, &BTreeMap<String, SeenObject>),
    ) -> Result<Vec<String>> {
        if self.to.folder().is_some() {
            return Ok(Vec::new());
        }
        let evaluations: BTreeSet<String> = new.iter().map(|letter| executed_by(&letter.content)).collect();
        let made = some_at_once(new, async |letter: &&Letter| {
            let claim = format!("tmp/{}.evaluation", executed_by(&letter.content));
            let content = [letter.path.as_bytes(), b"\n", &letter.content].concat();
            if let Stored::As(_) = self.to.put(&claim, content, Instead::OfNothing).await? {
                return Ok((Some(claim), None));
            }
            // Where the claim is gone by now, its record is there.
            let Ok((claimed, _)) = self.to.read(&claim).await else { return Ok((None, None)) };
            let claimed = String::from_utf8_lossy(&claimed);
            let Some((path, record)) = claimed.split_once('\n').filter(|(path, _)| record_at(path).is_some())
            else {
                return Ok((None, None));
            };
            if path == letter.path {
                return Ok((Some(claim), None));
            }
            if known.contains(path) {
                return Ok((None, None));
            }
            self.to.put(path, record.as_bytes().to_vec(), Instead::OfNothing).await?;
            Ok((None, Some(path.to_owned())))
        });
        let (claims, others): (Vec<_>, Vec<_>) = made.await?.into_iter().unzip();
        let claims: Vec<String> = claims.into_iter().flatten().collect();
        let mut others: Vec<String> = others.into_iter().flatten().collect();
        // Whoever brought one in the meantime has taken his claim back.
        let now = self.to.list("records/execution").await?;
        let is_unknown = |path: &&String| !known.contains(path.as_str()) && !there.contains_key(*path);
        others.extend(self.executing(&evaluations, now.keys().filter(is_unknown)).await?);
        if !others.is_empty() {
            self.give_back(&claims).await?;
            others.sort_unstable();
            others.dedup();
        }
        self.refuse_others(others)?;
        Ok(claims)
    }

    /// Takes back claims: the records are there, or do not come.
    async fn give_back(&self, claims: &[String]) -> Result<()> {
        some_at_once(claims, async |claim: &String| self.to.remove(claim).await).await.map(drop)
    }

    async fn letter(
        &self,
        file: &Path,
        path: String,
        there: &BTreeMap<String, SeenObject>,
    ) -> Result<Letter> {
        let content = read_file(file).map_err(|error| Error::io("read the record", file, &error))?;
        let sha256 = checksum(&content);
        let (kind, key) = record_at(&path).unwrap_or_default();
        let key = key.to_owned();
        let fate = match there.get(&path) {
            None => LetterFate::New,
            Some(seen) if self.taken.untouched(&path, seen) == Some(&sha256) => {
                LetterFate::There(seen.e_tag.clone())
            }
            Some(_) => {
                let (other, seen) = self.to.read(&path).await?;
                if other == content {
                    LetterFate::There(seen.e_tag)
                } else if can_be_united(kind) && self.taken.has(&path, &checksum(&other)) {
                    let (own, mut others) = (checksums_in(&content), checksums_in(&other));
                    others.retain(|graph| {
                        !own.contains(graph) && !self.archived.archive.graph(graph).is_file()
                    });
                    LetterFate::Replaces(seen, others)
                } else {
                    LetterFate::Contradicts
                }
            }
        };
        Ok(Letter { kind, key, path, content, sha256, fate })
    }

    /// The files and graphs of the archive: graphs that a record names, but for vocabularies.
    fn parcels(&self) -> Result<Vec<Parcel>> {
        let archive = &self.archived.archive;
        let named =
            self.archived.graphs.iter().filter(|graph| !archive.mint().is_ontology_graph(&graph.name));
        let named: BTreeSet<&str> = named.map(|graph| graph.sha256.as_str()).collect();
        let mut parcels = Vec::new();
        for place in archive.contents()? {
            let (path, file) = (archive.path_of(&place), StoredFile::new(&place));
            let is_named = |sha256: &str| path.starts_with("files/") || named.contains(sha256);
            if content_at(&path).is_some_and(is_named) {
                let facts =
                    place.metadata().map_err(|error| Error::io("look at the file", &place, &error))?;
                parcels.push(Parcel { path, file, size: facts.len() });
            }
        }
        Ok(parcels)
    }

    /// Sends files and graphs, each looked at before: what is damaged here must not be there under the same name.
    async fn send(&self, parcels: &[&Parcel]) -> Result<()> {
        let steps = Steps::new(self.watcher, "sending", parcels.len());
        let sent = some_at_once(parcels, async |parcel: &&Parcel| {
            self.watcher.check()?;
            let file = parcel.file.clone();
            let (found, _) = blocking(move || file.digest()).await?;
            if found != parcel.file.sha256() {
                return Err(Error::check("the bytes have another checksum than their name says")
                    .in_file(parcel.file.path().display().to_string())
                    .hint("the archive is damaged; `qassay verify` lists what is missing"));
            }
            self.to.send(&parcel.path, parcel.file.path(), parcel.size).await?;
            steps.step();
            Ok(())
        });
        sent.await.map(drop)
    }

    /// Sends records in their order; gives what the store calls each.
    async fn post<'l>(
        &self,
        mut letters: Vec<&'l Letter>,
        there: &BTreeMap<String, SeenObject>,
    ) -> Result<BTreeMap<&'l str, Option<String>>> {
        let known: BTreeSet<&str> = letters.iter().map(|letter| letter.path.as_str()).collect();
        letters.retain(|letter| letter.goes());
        letters.sort_by_key(|letter| letter.turn());
        let steps = Steps::new(self.watcher, "sending records", letters.len());
        let mut sent = BTreeMap::new();
        for turn in letters.chunk_by(|one, next| one.turn() == next.turn()) {
            let is_new_execution =
                |letter: &&&Letter| letter.kind == "execution" && letter.fate == LetterFate::New;
            let executions: Vec<&Letter> = turn.iter().filter(is_new_execution).copied().collect();
            let claims = if executions.is_empty() {
                Vec::new()
            } else {
                self.claim(&executions, (&known, there)).await?
            };
            let posted = some_at_once(turn, async |letter: &&'l Letter| {
                self.watcher.check()?;
                let e_tag = self.post_one(letter).await?;
                steps.step();
                Ok((letter.path.as_str(), e_tag))
            });
            sent.extend(posted.await?);
            self.give_back(&claims).await?;
        }
        Ok(sent)
    }

    async fn post_one(&self, letter: &Letter) -> Result<Option<String>> {
        let instead = match &letter.fate {
            LetterFate::Replaces(seen, _) => Instead::Of(seen),
            _ => Instead::OfNothing,
        };
        if let Stored::As(e_tag) = self.to.put(&letter.path, letter.content.clone(), instead).await? {
            return Ok(e_tag);
        }
        // Somebody else may have brought the same.
        match self.to.read(&letter.path).await {
            Ok((other, seen)) if other == letter.content => Ok(seen.e_tag),
            _ => Err(Error::check("somebody else changed this record meanwhile")
                .in_file(self.to.place(&letter.path))
                .hint(PULL_FIRST)),
        }
    }

    /// Takes away what the records that are there now leave without a use, and then the marks of executions.
    async fn clear(&self, letters: &[Letter], there: &BTreeMap<String, SeenObject>) -> Result<()> {
        let own: BTreeSet<&str> = letters.iter().map(|letter| letter.path.as_str()).collect();
        let others: Vec<&String> = there.keys().filter(|path| !own.contains(path.as_str())).collect();
        let needless = self.needless(letters, &others);
        for path in &needless {
            self.to.remove(path).await?;
        }
        let executions: BTreeMap<String, &Letter> = letters
            .iter()
            .filter(|letter| letter.kind == "execution")
            .map(|letter| (letter.mark(), letter))
            .collect();
        // Whoever was interrupted has left marks that say what is to go.
        let mut marks = self.to.list("tmp").await?;
        marks.retain(|path, _| executions.contains_key(path));
        let mut gone = BTreeSet::new();
        for path in marks.keys() {
            let (graphs, _) = self.to.read(path).await?;
            gone.extend(checksums_in(&graphs));
        }
        // A description that nobody has but this archive names what nobody else does.
        if others.len() == needless.len() {
            gone.extend(letters.iter().flat_map(|letter| match &letter.fate {
                LetterFate::Replaces(_, graphs) => graphs.clone(),
                _ => BTreeSet::new(),
            }));
        }
        for sha256 in gone.iter().filter(|sha256| !self.archived.archive.graph(sha256).is_file()) {
            let plain = format!("graphs/sha256/{}/{sha256}.nq", &sha256[..2]);
            let packed = packed_path(Path::new(&plain)).display().to_string();
            self.to.remove(&plain).await?;
            self.to.remove(&packed).await?;
        }
        for path in marks.keys() {
            self.to.remove(path).await?;
        }
        Ok(())
    }

    /// Records there that say of the first system of a submission that it shares it: the record of the submission says so.
    fn needless<'p>(&self, letters: &[Letter], others: &[&'p String]) -> Vec<&'p String> {
        let of_systems = others.iter().filter(|path| record_at(path).is_some_and(|(kind, _)| kind == SYSTEM));
        let of_systems: Vec<&&String> = of_systems.collect();
        if of_systems.is_empty() {
            return Vec::new();
        }
        let archive = &self.archived.archive;
        let further = FurtherNames::default();
        let submissions = letters.iter().filter(|letter| letter.kind == "submission");
        let first =
            |letter: &Letter| SharedNames::among(&further, archive, &letter.key).map(|names| names.first);
        let firsts: BTreeSet<String> =
            submissions.filter_map(|letter| Some(systems::key(&letter.key, &first(letter)?))).collect();
        let is_first = |path: &str| record_at(path).is_some_and(|(_, key)| firsts.contains(key));
        of_systems.into_iter().filter(|path| is_first(path)).copied().collect()
    }
}

/// What is not there, or not of the right size.
fn missing<'p>(parcels: &'p [Parcel], there: &BTreeMap<String, SeenObject>) -> Result<Vec<&'p Parcel>> {
    let size = |path: &str| there.get(path).map(|object| object.size);
    let mut missing = Vec::new();
    for parcel in parcels {
        let is_there = match (size(&parcel.path), parcel.path.strip_suffix(".zst").and_then(size)) {
            (Some(size), _) => size == parcel.size,
            // Not packed there: it has the size of the content.
            (None, Some(size)) => parcel.file.digest()?.1 == size,
            // Packed there: how small the content becomes hangs on who packs it.
            (None, None) => size(&packed_path(Path::new(&parcel.path)).display().to_string()).is_some(),
        };
        if !is_there {
            missing.push(parcel);
        }
    }
    Ok(missing)
}
