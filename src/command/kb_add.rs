//! `qassay kb add`: keeps the files of a version, counts what they say, and writes its record.
//!
//! Each file leaves a tally in `tmp/` until the record is there: a run that is killed goes on behind the last file that
//! was read to its end.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use indicatif::ProgressBar;
use qassay::base::error::{Error, Result};
use qassay::base::iri::Mint;
use qassay::kb::base::{KbFile, KnowledgeBase};
use qassay::kb::dump::Dump;
use qassay::kb::find::{Recorded, find_recorded, recorded};
use qassay::kb::statistics::{Counting, Statistics};
use qassay::kb::tally::{Statement, Tally};
use qassay::record::publish::knowledge_base::knowledge_base;
use qassay::sources::archive::Archive;
use qassay::sources::archive::hashing::file_digest;

use super::{Output, kb};
use crate::cli::KbAdd;

/// A file that was given.
struct Given {
    path: PathBuf,
    sha256: String,
}

/// A file that was read.
struct Counted {
    file: KbFile,
    tally: Tally,
    state: String,
}

/// Runs the command.
pub(crate) fn run(arguments: &KbAdd, output: &Output) -> Result<ExitCode> {
    check_names(arguments)?;
    let archive = Archive::create(&arguments.archive.archive)?;
    let given = given(arguments, output)?;
    // Two at once could both find the version free.
    let _alone = archive.lock_versions()?;
    if let Some(known) = known(&archive, arguments, &given)? {
        bring_back(&archive, &given)?;
        output.note(&format!("{} is in the archive already, with these files", known.base.label()));
        return kb::print(&known, arguments.format, false, output);
    }
    let progress = output.progress(given.len(), "reading");
    let mut counted = Vec::new();
    for file in &given {
        counted.push(count(&archive, file, arguments.skip_malformed, &progress)?);
        archive.keep_path(&file.path, &file.sha256)?;
        progress.inc(1);
    }
    progress.finish_and_clear();
    for file in counted.iter().filter(|file| file.tally.skipped > 0) {
        let Counted { file, tally, .. } = file;
        let what = format!("{}: {} malformed statements left out", file.name, tally.skipped);
        output.note_list(&what, &tally.told);
    }
    let files = counted.iter().map(|counted| counted.file.clone()).collect();
    let base = KnowledgeBase::new(&arguments.name, &arguments.version, files);
    let statistics = statistics(&archive, &counted)?;
    let mint = Mint::default();
    archive.keep_record("kb", &base.key(&mint), &mut knowledge_base(&mint, &base, &statistics))?;
    for file in &counted {
        archive.drop_state(&keys(&file.state))?;
        archive.drop_state(&file.state)?;
    }
    kb::print(&find_recorded(&archive, &base.iri(&mint))?, arguments.format, false, output)
}

fn check_names(arguments: &KbAdd) -> Result<()> {
    for (what, text) in [("name", &arguments.name), ("version", &arguments.version)] {
        if text.trim().is_empty() || text.contains('@') || text.contains(char::is_control) {
            return Err(Error::input(format!("`{text}` is no {what} of a knowledge base"))
                .allowed("a text without @, as @ stands between name and version"));
        }
    }
    Ok(())
}

/// The files with their checksums, in the order of these; a file that was given twice is there once.
fn given(arguments: &KbAdd, output: &Output) -> Result<Vec<Given>> {
    let progress = output.progress(arguments.files.len(), "checksums");
    let mut given = Vec::new();
    for path in &arguments.files {
        if !path.is_file() {
            let what = match (path.is_dir(), path.exists()) {
                (true, _) => "this is a folder, no dump",
                (_, true) => "this is no file: what can be read but once cannot be kept by its checksum",
                _ => "no such file",
            };
            return Err(Error::input(what).in_file(path.display().to_string()));
        }
        given.push(Given { path: path.clone(), sha256: file_digest(path)? });
        progress.inc(1);
    }
    progress.finish_and_clear();
    given.sort_by(|a, b| a.sha256.cmp(&b.sha256));
    given.dedup_by(|a, b| a.sha256 == b.sha256);
    Ok(given)
}

/// The version as it is in the archive; an error where that has other files.
fn known(archive: &Archive, arguments: &KbAdd, given: &[Given]) -> Result<Option<Recorded>> {
    let mint = Mint::default();
    let iri = KnowledgeBase::new(&arguments.name, &arguments.version, Vec::new()).iri(&mint);
    let Some(known) = recorded(archive)?.into_iter().find(|recorded| recorded.iri == iri) else {
        return Ok(None);
    };
    // IRIs are made of letters, digits and hyphens: two names may have one.
    if (&known.base.name, &known.base.version) != (&arguments.name, &arguments.version) {
        return Err(Error::input(format!("{} has the same IRI: {iri}", known.base.label()))
            .hint("give this one another name or version"));
    }
    let same = known.base.files.iter().map(|file| &file.sha256).eq(given.iter().map(|file| &file.sha256));
    if same {
        return Ok(Some(known));
    }
    let names: Vec<&str> = known.base.files.iter().map(|file| file.name.as_str()).collect();
    Err(Error::input(format!(
        "{} is in the archive with other files: {}",
        known.base.label(),
        names.join(", ")
    ))
    .hint("a version never changes; give the new one another `--version`"))
}

/// Keeps again what was lost or damaged.
fn bring_back(archive: &Archive, given: &[Given]) -> Result<()> {
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
fn count(archive: &Archive, given: &Given, skip: bool, progress: &ProgressBar) -> Result<Counted> {
    let shown = given.path.display().to_string();
    let (mut dump, packing) = Dump::recognise(&given.path, &shown)?;
    dump.skip_malformed = skip;
    let mode = if skip { "-skip" } else { "" };
    let state = format!("kb-{}-{}{mode}.json", given.sha256, dump.format.file_extension());
    let tally = match read_tally(&archive.state(&state)) {
        Some(tally) if archive.state(&keys(&state)).is_file() => tally,
        _ => tally(archive, &dump, &given.sha256, &state, progress)?,
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
    Ok(Counted { file, tally, state })
}

/// The name of the state with the statements of a tally.
fn keys(state: &str) -> String {
    state.replace(".json", ".keys")
}

fn read_tally(path: &Path) -> Option<Tally> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// Reads a file; its tally comes last, and makes the state complete.
fn tally(archive: &Archive, dump: &Dump, sha256: &str, state: &str, progress: &ProgressBar) -> Result<Tally> {
    let failed = |error: std::io::Error| Error::system(format!("cannot write to the archive: {error}"));
    let mut tally = Tally::default();
    let seen = |count: u64| progress.set_message(format!("{}: {count} statements", dump.name));
    archive.keep_state(&keys(state), |out| {
        let (read, written) = Tally::write(dump, sha256, out, &seen)?;
        tally = read;
        written.map_err(failed)
    })?;
    let text = serde_json::to_vec(&tally).map_err(|error| Error::system(error.to_string()))?;
    archive.keep_state(state, |out| out.write_all(&text).map_err(failed))?;
    Ok(tally)
}

fn statistics(archive: &Archive, counted: &[Counted]) -> Result<Statistics> {
    let mut counting = Counting::default();
    for file in counted {
        let path = archive.state(&keys(&file.state));
        let statements = File::open(&path).map_err(|error| Error::io("read", &path, &error))?;
        counting.add(&file.tally, Statement::read(BufReader::with_capacity(1 << 18, statements)));
    }
    Ok(counting.finish())
}
