//! A record that leaves parts out is completed by whoever gets them from their sources: files by their checksums, and from
//! these, computed again, the graphs. The record itself stays as it is: that happens in a copy.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::base::error::{Error, Result};
use crate::base::text;
use crate::record::archived::{Archived, ArchivedEvaluation, RegisteredGraph};
use crate::record::keep::Fill;
use crate::record::publish::graphs::write;
use crate::record::publish::kinds::GraphKind;
use crate::record::publish::provenance::messages;
use crate::record::verify::checks::{checksum_of, described_files};
use crate::record::verify::inputs::ArchivedInputs;
use crate::record::verify::place::Location;
use crate::scoring::evaluation::Evaluation;
use crate::scoring::groups::Grouping;
use crate::sources::archive::hashing::file_digest;
use crate::sources::archive::{Archive, CONTENTS, StoredGraph, digest_graph};

/// The most files that an error lists.
const MOST_LISTED: usize = 20;

/// The place of a record with what it lacks: `files` are those that somebody names, `kept` is an archive that may have others
/// that are withheld, as `fetch` leaves them there. A folder is copied; where there is nothing to add, nothing is.
///
/// # Errors
/// Where a named file is none that the record lacks; where something cannot be read or written.
pub fn completed(location: Location, files: &[PathBuf], kept: &Path) -> Result<Location> {
    let (archived, _) = Archived::open_damaged(Archive::open(location.root())?)?;
    let wanted = lacking(&archived)?;
    let mut found: BTreeMap<String, PathBuf> = BTreeMap::new();
    for sha256 in archived.withheld()?.intersection(&wanted) {
        let path = Archive::file_below(kept, sha256);
        if path.is_file() && file_digest(&path)? == *sha256 {
            found.insert(sha256.clone(), path);
        }
    }
    for path in files {
        let sha256 = file_digest(path)?;
        if wanted.contains(&sha256) {
            found.insert(sha256, path.clone());
        } else if !archived.archive.kept(&sha256).is_file() {
            return Err(unwanted(path, &sha256, &wanted));
        }
    }
    if found.is_empty() {
        return Ok(location);
    }
    let mut location = location.into_copy(copy)?;
    let archive = writable(location.root())?;
    for (sha256, from) in &found {
        if archived.graphs.iter().any(|graph| graph.sha256 == *sha256) {
            let place = archive.graph_places(sha256)[0].clone();
            copy_file(from, &place)?;
            location.added.insert(place);
        } else {
            archive.keep_path(from, sha256)?;
            location.added.insert(archive.file(sha256));
        }
    }
    let (archived, _) = Archived::open_damaged(archive)?;
    for evaluation in &archived.evaluations {
        let made = Remade { archived: &archived, evaluation }.graphs();
        // What cannot be computed is told where it is computed again.
        location.added.extend(made.unwrap_or_default());
    }
    Ok(location)
}

/// The checksums of the files and graphs that records describe and that are not here.
fn lacking(archived: &Archived) -> Result<BTreeSet<String>> {
    let files = described_files(archived)?;
    let files = files.iter().filter_map(|file| checksum_of(file)).map(str::to_owned);
    let graphs = archived.graphs.iter().map(|graph| graph.sha256.clone());
    Ok(files.chain(graphs).filter(|sha256| !archived.archive.kept(sha256).is_file()).collect())
}

fn unwanted(path: &Path, sha256: &str, wanted: &BTreeSet<String>) -> Error {
    let error = Error::input(format!("the record lacks no file with the checksum {sha256}"))
        .in_file(path.display().to_string());
    if wanted.is_empty() {
        return error.hint("it lacks nothing: leave out `⌥with`");
    }
    error.allowed(format!("a file with one of the checksums {}", text::first(wanted, MOST_LISTED)))
}

/// An archive in a temporary folder, to write into.
fn writable(root: &Path) -> Result<Archive> {
    let folder = root.join("tmp");
    fs::create_dir_all(&folder).map_err(|error| Error::io("create the folder", &folder, &error))?;
    Archive::open(root)
}

/// Copies an archive but for what can be made again. What is no file is refused: a link would mean something else in the copy.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let failed = |path: &Path, error: io::Error| Error::io("copy the file", path, &error);
    for entry in fs::read_dir(from).map_err(|error| failed(from, error))? {
        let entry = entry.map_err(|error| failed(from, error))?;
        let (path, place) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().map_err(|error| failed(&path, error))?;
        if kind.is_dir() {
            if !["tmp", "stores", "asking"].iter().any(|name| entry.file_name() == *name) {
                fs::create_dir_all(&place).map_err(|error| failed(&path, error))?;
                copy(&path, &place)?;
            }
        } else if kind.is_file() {
            copy_file(&path, &place)?;
        } else {
            return Err(Error::input("this is no file: the record cannot be copied")
                .in_file(path.display().to_string())
                .hint("verify it without what completes it"));
        }
    }
    Ok(())
}

fn copy_file(from: &Path, to: &Path) -> Result<()> {
    let folder = to.parent().unwrap_or(to);
    fs::create_dir_all(folder).map_err(|error| Error::io("create the folder", folder, &error))?;
    fs::copy(from, to).map(drop).map_err(|error| Error::io("copy the file", from, &error))
}

/// The graphs of an evaluation that are not here, computed again.
struct Remade<'a> {
    archived: &'a Archived,
    evaluation: &'a ArchivedEvaluation,
}

impl Remade<'_> {
    /// Keeps each graph that has the checksum that its record says; gives where they are, with what they hold.
    fn graphs(&self) -> Result<Vec<PathBuf>> {
        let (archived, known) = (self.archived, self.evaluation);
        let mint = archived.archive.mint();
        let inputs = ArchivedInputs::read(archived, known, mint)?;
        let places = RefCell::new(Vec::new());
        inputs.records_made(mint, &|(name, about), fill: Fill<'_>| {
            let (stored, made) = self.make(name, about, fill)?;
            places.borrow_mut().extend(made);
            Ok(stored)
        })?;
        let mut places = places.into_inner();
        let evaluation = inputs.evaluate(mint, Grouping::Shown)?;
        let key = known.key();
        for kind in [GraphKind::Scores, GraphKind::Matches, GraphKind::Measures, GraphKind::Groups] {
            let fill: Fill<'_> = &mut |out: &mut dyn Write| write(out, mint, &evaluation, kind);
            places.extend(self.make(&kind.graph(mint, key), &evaluation.iri, fill)?.1);
        }
        places.extend(self.messages(&evaluation)?);
        Ok(places)
    }

    /// The messages of its executions that quote inputs.
    fn messages(&self, evaluation: &Evaluation) -> Result<Vec<PathBuf>> {
        let mint = self.archived.archive.mint();
        let mut places = Vec::new();
        for (execution, _) in &self.evaluation.digests {
            let key = execution.rsplit('/').next().filter(|key| key.len() >= 32).unwrap_or_default();
            if key.is_empty() {
                continue;
            }
            if let Some(mut lines) = messages(mint, key, evaluation) {
                let fill: Fill<'_> = &mut |out: &mut dyn Write| {
                    lines.write_to(out)?;
                    Ok(lines.written())
                };
                places.extend(self.make(&mint.messages_graph(key), execution, fill)?.1);
            }
        }
        Ok(places)
    }

    /// Makes a graph: keeps it where it is registered with what it has, and is not here.
    fn make(&self, name: &str, about: &str, fill: Fill<'_>) -> Result<(StoredGraph, Vec<PathBuf>)> {
        let archive = &self.archived.archive;
        let is_wanted =
            |graph: &&RegisteredGraph| graph.name == name && !archive.graph(&graph.sha256).is_file();
        let Some(wanted) = self.archived.graphs.iter().find(is_wanted) else {
            return Ok((digest_graph(about, fill)?, Vec::new()));
        };
        let stored = archive.keep_graph(about, fill)?;
        let place = archive.graph(&stored.sha256).path().to_path_buf();
        if stored.sha256 != wanted.sha256 {
            // It is told where the evaluation is computed again.
            archive.remove(&place)?;
            return Ok((stored, Vec::new()));
        }
        let contents = stored.contents.iter().map(|key| archive.record(CONTENTS, key)).collect::<Vec<_>>();
        Ok((stored, [contents, vec![place]].concat()))
    }
}
