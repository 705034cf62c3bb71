//! Knowledge bases: adding a version, and asking one for the answers to queries.
//!
//! Each file of a version leaves a tally in `tmp/` until the record is there: a run that is killed goes on behind the last
//! file that was read to its end.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::error::{Error, Result};
use crate::base::watch::{Steps, Watcher};
use crate::kb::allowance::Allowance;
use crate::kb::base::{KbFile, KnowledgeBase, PinnedGraph, ServedGraphs};
use crate::kb::dump::Dump;
use crate::kb::find::{Recorded, find_recorded, recorded};
use crate::kb::served::pin;
use crate::kb::tally::{Counting, Statistics, Tallied, Tally};
use crate::profiles::answers_from::AnswersFrom;
use crate::profiles::gold_rules::LimitTies;
use crate::record::keep::Keeper;
use crate::record::publish::knowledge_base::knowledge_base;
use crate::scoring::asked::executed::ExecutedAnswers;
use crate::scoring::asked::refreshed::RefreshedGold;
use crate::sources::archive::Archive;
use crate::sources::archive::hashing::file_digest;
use crate::sources::input::Input;
use crate::workbench::Workbench;
use crate::workbench::asked::{executed, refreshed};
use crate::workbench::asker::NamedAsker;

/// A version of a knowledge base that is to be pinned.
#[derive(Debug, Clone)]
pub struct KbVersion {
    /// The name of the knowledge base.
    pub name: String,
    /// The version, such as `2016-10`.
    pub version: String,
    /// The dumps.
    pub files: Vec<PathBuf>,
    /// Leave out malformed statements and count them, in place of refusing the file.
    pub skip_malformed: bool,
    /// Where a server has it, in place of dumps.
    pub there: Option<KbPlace>,
}

/// Graphs on a server that are to be pinned.
#[derive(Debug, Clone)]
pub struct KbPlace {
    /// The address for queries.
    pub address: String,
    /// The names of the graphs.
    pub graphs: Vec<String>,
    /// How much a query may use.
    pub allowance: Allowance,
}

/// Gold answers of a dataset as a knowledge base gives them.
#[derive(Debug)]
pub struct Refreshing {
    /// The dataset.
    pub dataset: Arc<Input>,
    /// What its queries gave.
    pub gold: RefreshedGold,
    /// Who answered, for people.
    pub answered_by: String,
}

/// Answers of a submission as a knowledge base gives them.
#[derive(Debug)]
pub struct Running {
    /// The submission.
    pub submission: Input,
    /// What its queries gave.
    pub executed: ExecutedAnswers,
    /// Who answered, for people.
    pub answered_by: String,
}

impl Workbench {
    /// Runs the gold queries of a dataset, and keeps what they give.
    ///
    /// # Errors
    /// Where `kb` names nobody who can be asked; where the dataset cannot be read or has no queries.
    pub fn refresh(
        &self,
        dataset: &Path,
        kb: &str,
        allowance: &Allowance,
        watcher: &dyn Watcher,
    ) -> Result<Refreshing> {
        let asker = NamedAsker::open(kb, &self.root, allowance)?;
        let dataset = Arc::new(Input::dataset(self.open(dataset, None)?, &self.mint)?);
        let archive = self.create()?;
        let gold = refreshed(&self.mint, (&dataset, LimitTies::default()), &asker, watcher)?;
        let asking = asker.asking()?;
        let keeper = Keeper::new(&archive);
        keeper.dataset(&dataset)?;
        keeper.refreshed(&dataset, &gold, &asking)?;
        Ok(Refreshing { dataset, gold, answered_by: asker.label() })
    }

    /// Runs the queries of a submission that has no answers to them, and keeps what they give.
    ///
    /// # Errors
    /// Where `kb` names nobody who can be asked; where the submission cannot be read or has no query to run.
    pub fn run(
        &self,
        submission: &Path,
        kb: &str,
        allowance: &Allowance,
        watcher: &dyn Watcher,
    ) -> Result<Running> {
        let asker = NamedAsker::open(kb, &self.root, allowance)?;
        let submission = Input::submission(self.open(submission, None)?, None, &self.mint)?;
        let archive = self.create()?;
        let Some(executed) = executed(&self.mint, &submission, AnswersFrom::Given, &asker, watcher)? else {
            return Err(Error::input("there is no query to run: every question has answers, or no query")
                .in_file(submission.source.name()));
        };
        let asking = asker.asking()?;
        let keeper = Keeper::new(&archive);
        keeper.submission(&submission)?;
        keeper.executed(&submission, &executed, &asking)?;
        Ok(Running { submission, executed, answered_by: asker.label() })
    }

    /// Pins a version of a knowledge base: keeps its files, counts what they say, and writes its record.
    ///
    /// # Errors
    /// Where a file cannot be read, or a server has none of a graph; where the version is there with other files or graphs, as
    /// a version never changes.
    pub fn add_knowledge_base(&self, wanted: &KbVersion, watcher: &dyn Watcher) -> Result<Recorded> {
        check_names(wanted)?;
        if let Some(there) = &wanted.there {
            return self.pin(wanted, there, watcher);
        }
        let archive = self.create()?;
        let given = given(&wanted.files, watcher)?;
        // Two at once could both find the version free.
        let _alone = archive.lock_versions()?;
        let is_same = |known: &KnowledgeBase| {
            known.served.is_none()
                && known.files.iter().map(|file| &file.sha256).eq(given.iter().map(|file| &file.sha256))
        };
        if let Some(known) = known(&archive, wanted, is_same)? {
            bring_back(&archive, &given)?;
            // A run that was killed when it was done may have left them.
            given.iter().try_for_each(|file| drop_tallies(&archive, file))?;
            watcher.note(&format!("{} is in the archive already, with these files", known.base.label()));
            return Ok(known);
        }
        let steps = Steps::new(watcher, "reading", given.len());
        let mut counted = Vec::new();
        for file in &given {
            watcher.check()?;
            counted.push(count(&archive, file, wanted.skip_malformed, watcher)?);
            archive.keep_path(&file.path, &file.sha256)?;
            steps.step();
        }
        drop(steps);
        for file in counted.iter().filter(|file| file.tally.skipped > 0) {
            let TalliedFile { file, tally, .. } = file;
            let what = format!("{}: {} malformed statements left out", file.name, tally.skipped);
            watcher.note_list(&what, &tally.told);
        }
        let files = counted.iter().map(|counted| counted.file.clone()).collect();
        let base = KnowledgeBase::new(&wanted.name, &wanted.version, files);
        let statistics = statistics(&archive, &counted)?;
        let record = &mut knowledge_base(&self.mint, &base, &statistics);
        archive.keep_record("kb", &base.key(&self.mint), record)?;
        given.iter().try_for_each(|file| drop_tallies(&archive, file))?;
        find_recorded(&archive, &base.iri(&self.mint))
    }

    /// Pins a version that stays on a server.
    fn pin(&self, wanted: &KbVersion, there: &KbPlace, watcher: &dyn Watcher) -> Result<Recorded> {
        let graphs = pin(&there.address, &there.graphs, &there.allowance, watcher)?;
        let base = KnowledgeBase::served(&wanted.name, &wanted.version, graphs);
        let archive = self.create()?;
        let _alone = archive.lock_versions()?;
        if let Some(known) = known(&archive, wanted, |known| known.digest() == base.digest())? {
            watcher.note(&format!("{} is in the archive already, with these graphs", known.base.label()));
            return Ok(known);
        }
        let record = &mut knowledge_base(&self.mint, &base, &Statistics::default());
        archive.keep_record("kb", &base.key(&self.mint), record)?;
        find_recorded(&archive, &base.iri(&self.mint))
    }
}

/// A file that was given.
struct HashedFile {
    path: PathBuf,
    sha256: String,
}

/// A file that was read.
struct TalliedFile {
    file: KbFile,
    tally: Tally,
    state: String,
}

fn check_names(version: &KbVersion) -> Result<()> {
    for (what, text) in [("name", &version.name), ("version", &version.version)] {
        if text.trim().is_empty() || text.contains('@') || text.contains(char::is_control) {
            return Err(Error::input(format!("`{text}` is no {what} of a knowledge base"))
                .allowed("a text without @, as @ stands between name and version"));
        }
    }
    Ok(())
}

/// The files with their checksums, in the order of these; a file that was given twice is there once.
fn given(files: &[PathBuf], watcher: &dyn Watcher) -> Result<Vec<HashedFile>> {
    let steps = Steps::new(watcher, "checksums", files.len());
    let mut given = Vec::new();
    for path in files {
        watcher.check()?;
        if !path.is_file() {
            let what = match (path.is_dir(), path.exists()) {
                (true, _) => "this is a folder, no dump",
                (_, true) => "this is no file: what can be read but once cannot be kept by its checksum",
                _ => "no such file",
            };
            return Err(Error::input(what).in_file(path.display().to_string()));
        }
        given.push(HashedFile { path: path.clone(), sha256: file_digest(path)? });
        steps.step();
    }
    given.sort_by(|a, b| a.sha256.cmp(&b.sha256));
    given.dedup_by(|a, b| a.sha256 == b.sha256);
    Ok(given)
}

/// The version as it is in the archive; an error where that is another one.
fn known(
    archive: &Archive,
    wanted: &KbVersion,
    is_same: impl Fn(&KnowledgeBase) -> bool,
) -> Result<Option<Recorded>> {
    let iri = KnowledgeBase::new(&wanted.name, &wanted.version, Vec::new()).iri(archive.mint());
    let Some(known) = recorded(archive)?.into_iter().find(|recorded| recorded.iri == iri) else {
        return Ok(None);
    };
    // IRIs are made of letters, digits and hyphens: two names may have one.
    if (&known.base.name, &known.base.version) != (&wanted.name, &wanted.version) {
        return Err(Error::input(format!("{} has the same IRI: {iri}", known.base.label()))
            .hint("give this one another name or version"));
    }
    if is_same(&known.base) {
        return Ok(Some(known));
    }
    let label = known.base.label();
    let what = if let Some(ServedGraphs { address, graphs }) = &known.base.served {
        let graph = |PinnedGraph { name, statements, checksum }: &PinnedGraph| {
            let checksum = checksum.as_deref().unwrap_or("none");
            format!("<{name}> of {statements} statements with the checksum {checksum}")
        };
        let graphs: Vec<String> = graphs.iter().map(graph).collect();
        format!("{label} is in the archive as other graphs on {address}: {}", graphs.join(", "))
    } else {
        let names: Vec<&str> = known.base.files.iter().map(|file| file.name.as_str()).collect();
        format!("{label} is in the archive with other files: {}", names.join(", "))
    };
    Err(Error::input(what).hint("a version never changes; give the new one another `⌥version`"))
}

/// Keeps again what was lost or damaged.
fn bring_back(archive: &Archive, given: &[HashedFile]) -> Result<()> {
    for file in given {
        let kept = archive.file(&file.sha256);
        if kept.is_file() && file_digest(&kept)? != file.sha256 {
            fs::remove_file(&kept).map_err(|error| Error::io("remove the damaged file", &kept, &error))?;
        }
        archive.keep_path(&file.path, &file.sha256)?;
    }
    Ok(())
}

/// Reads a file, or takes what an earlier run has left.
fn count(archive: &Archive, given: &HashedFile, skip: bool, watcher: &dyn Watcher) -> Result<TalliedFile> {
    let shown = given.path.display().to_string();
    let (mut dump, packing) = Dump::recognise(&given.path, &shown)?;
    dump.skip_malformed = skip;
    let mode = if skip { "-skip" } else { "" };
    let state = format!("kb-{}-{}{mode}.json", given.sha256, dump.format.file_extension());
    let tally = match read_tally(&archive.state(&state)) {
        Some(tally) if archive.state(&keys(&state)).is_file() => tally,
        _ => tally(archive, &dump, &given.sha256, &state, watcher)?,
    };
    let bytes = fs::metadata(&given.path).map_err(|e| Error::io("read the file", &given.path, &e))?.len();
    let name = given.path.file_name().map_or(shown, |name| name.to_string_lossy().into_owned());
    let file = KbFile {
        sha256: given.sha256.clone(),
        name,
        bytes,
        media_type: dump.format.media_type().to_owned(),
        packing: packing.map(|packing| packing.media_type().to_owned()),
        statements: tally.statements,
        skipped: tally.skipped,
    };
    Ok(TalliedFile { file, tally, state })
}

/// Forgets what was counted of a file, however it was read.
fn drop_tallies(archive: &Archive, file: &HashedFile) -> Result<()> {
    let beginning = format!("kb-{}-", file.sha256);
    let all = fs::read_dir(archive.root().join("tmp")).into_iter().flatten().flatten();
    let names = all.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| name.starts_with(&beginning)).try_for_each(|name| archive.drop_state(&name))
}

/// The name of the state with the statements of a tally.
fn keys(state: &str) -> String {
    state.replace(".json", ".keys")
}

fn read_tally(path: &Path) -> Option<Tally> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// Reads a file; its tally comes last, and makes the state complete.
fn tally(archive: &Archive, dump: &Dump, sha256: &str, state: &str, watcher: &dyn Watcher) -> Result<Tally> {
    let failed = |error: std::io::Error| Error::system(format!("cannot write to the archive: {error}"));
    let mut tally = Tally::default();
    let seen = |count: u64| watcher.detail(&format!("{}: {count} statements", dump.name));
    archive.keep_state(&keys(state), |out| {
        let (read, written) = Tally::write(dump, sha256, out, &seen)?;
        tally = read;
        written.map_err(failed)
    })?;
    let text = serde_json::to_vec(&tally).map_err(|error| Error::system(error.to_string()))?;
    archive.keep_state(state, |out| out.write_all(&text).map_err(failed))?;
    Ok(tally)
}

fn statistics(archive: &Archive, counted: &[TalliedFile]) -> Result<Statistics> {
    let mut counting = Counting::default();
    for file in counted {
        let path = archive.state(&keys(&file.state));
        let statements = File::open(&path).map_err(|error| Error::io("read", &path, &error))?;
        counting.add(&file.tally, Tallied::read(BufReader::with_capacity(1 << 18, statements)));
    }
    Ok(counting.finish())
}
