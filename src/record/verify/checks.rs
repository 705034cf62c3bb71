//! The checks of `qassay verify` that need no re-execution.

use crate::base::checksum::is_checksum;
use crate::base::error::Error;
use crate::base::error::Result;
use crate::base::parallel::join;
use crate::base::rdf::contents::ContentsCollector;
use crate::base::text;
use crate::base::watch::Steps;
use crate::base::watch::Watcher;
use crate::record::archived::Archived;
use crate::record::comparison::kept::COMPARISON;
use crate::record::verify::absent::AbsentPart;
use crate::record::verify::findings::Findings;
use crate::sources::archive::contents::description_bytes;
use crate::sources::archive::hashing::read_file;
use crate::sources::archive::stored::StoredFile;
use crate::sources::archive::{Archive, CONTENTS, VOCABULARY};
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;
use std::thread;

/// Every kept file has the checksum that is its name. Gives the checksums found of those that have another, by the
/// checksums expected.
pub fn checksums(
    archive: &Archive,
    report: &mut Findings,
    watcher: &dyn Watcher,
) -> Result<BTreeMap<String, String>> {
    let contents = archive.contents()?;
    let root = resolved(archive)?;
    let steps = Steps::new(watcher, "checksums", contents.len());
    let next = AtomicUsize::new(0);
    let work = || {
        let mut problems = Vec::new();
        while let Some(path) = contents.get(next.fetch_add(1, Ordering::Relaxed)) {
            problems.extend(problem_of(path, &root).map(|problem| (path, problem)));
            steps.step();
            if watcher.is_cancelled() {
                break;
            }
        }
        problems
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(contents.len().max(1));
    let mut problems: Vec<(&PathBuf, Problem)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(join).collect()
    });
    problems.sort_unstable_by_key(|(path, _)| *path);
    drop(steps);
    watcher.check()?;
    let changed = problems.iter().filter_map(|(path, problem)| match problem {
        Problem::OtherChecksum(found) => Some((StoredFile::new(path).sha256(), found.clone())),
        Problem::Outside | Problem::Unreadable(_) => None,
    });
    let changed = changed.collect();
    let told = problems.into_iter().map(|(path, problem)| match problem {
        Problem::OtherChecksum(found) => format!("{}: has the checksum {found}", text::path(path)),
        Problem::Outside => format!("{}: is a link that leads out of the archive", text::path(path)),
        Problem::Unreadable(error) => error.to_string(),
    });
    report.add("checksums", "files and graphs", contents.len() as u64, told.collect(), Vec::new());
    Ok(changed)
}

/// What is wrong with a kept file.
enum Problem {
    /// It has this checksum, and not the one that is its name.
    OtherChecksum(String),
    /// It is elsewhere: whoever has the archive does not have it.
    Outside,
    Unreadable(Error),
}

fn problem_of(path: &Path, root: &Path) -> Option<Problem> {
    if leads_out(path, root) {
        return Some(Problem::Outside);
    }
    // Something that is no file is no part of the archive; it is told among the files that nothing names.
    if path.exists() && !path.is_file() {
        return None;
    }
    let file = StoredFile::new(path);
    match file.digest() {
        Ok((found, _)) if found == file.sha256() => None,
        Ok((found, _)) => Some(Problem::OtherChecksum(found)),
        Err(error) => Some(Problem::Unreadable(error)),
    }
}

/// The folder of an archive without links on the way to it.
pub(super) fn resolved(archive: &Archive) -> Result<PathBuf> {
    archive.root().canonicalize().map_err(|error| Error::io("find the folder", archive.root(), &error))
}

/// Whether a path of an archive, whose root has no links in it, leads out of it.
pub(super) fn leads_out(path: &Path, root: &Path) -> bool {
    path.canonicalize().is_ok_and(|place| !place.starts_with(root))
}

/// The files of every knowledge base are there as they were added, and its digest is theirs.
pub fn knowledge_bases(archive: &Archive, changed: &BTreeMap<String, String>, report: &mut Findings) {
    let recorded = crate::kb::find::recorded(archive).unwrap_or_default();
    let (looked_at, problems) =
        crate::kb::find::check(archive, changed).unwrap_or_else(|error| (0, vec![error.to_string()]));
    let (missing, problems): (Vec<String>, Vec<String>) =
        problems.into_iter().partition(|problem| problem.contains(" is not in the archive"));
    let missing = missing.into_iter().map(|told| {
        let file = recorded.iter().flat_map(|one| &one.base.files).find(|file| told.contains(&file.sha256));
        AbsentPart { sha256: file.map(|file| file.sha256.clone()), told }
    });
    let missing: Vec<AbsentPart> = missing.collect();
    if looked_at > 0 || !problems.is_empty() {
        report.add("knowledge bases", "digests and files", looked_at, problems, missing);
    }
}

/// Every registered graph and every described file is there, with the number of statements that the record says, and holds
/// what it says.
pub fn registry(archived: &Archived, damage: &[Error], report: &mut Findings) -> Result<()> {
    let mut problems: Vec<String> = damage.iter().map(ToString::to_string).collect();
    let mut missing = Vec::new();
    let mut described = BTreeMap::new();
    for graph in &archived.graphs {
        let file = archived.archive.graph(&graph.sha256);
        if !file.path().exists() {
            let told = format!("<{}> is not here: {}", graph.name, text::path(file.path()));
            missing.push(AbsentPart::of(&graph.sha256, told));
            continue;
        }
        let collector = ContentsCollector::new(&graph.subject);
        let (lines, contents) = match file.open().and_then(|content| collector.read(content)) {
            Ok(read) => read,
            Err(error) => {
                problems.push(format!("<{}> cannot be read: {error}", graph.name));
                continue;
            }
        };
        if lines != graph.statements {
            problems.push(format!(
                "<{}> has {}, its record says {}",
                graph.name,
                text::counted(lines, "statement"),
                graph.statements
            ));
        }
        let Some(key) = &graph.contents else { continue };
        match contents.filter(|contents| contents.key() == *key) {
            Some(contents) => described.extend([(key, contents)]),
            None => problems.push(format!("<{}> holds something else than its record says", graph.name)),
        }
    }
    for (key, contents) in described {
        let path = archived.archive.record(CONTENTS, key);
        match read_file(&path) {
            Ok(known) if known == description_bytes(archived.archive.mint(), &contents) => {}
            Ok(_) => problems.push(format!("{}: this is not what graphs hold", text::path(&path))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                missing.push(AbsentPart::of_path(&path));
            }
            Err(error) => problems.push(Error::io("read the record", &path, &error).to_string()),
        }
    }
    let files = described_files(archived)?;
    for file in &files {
        match checksum_of(file) {
            Some(sha256) if archived.archive.file(sha256).is_file() => {}
            Some(sha256) => missing.push(AbsentPart::of(sha256, format!("<{file}> is not here"))),
            None => problems.push(format!("<{file}> is named by no checksum")),
        }
    }
    problems.extend(empty_records(archived, &files)?);
    let known: BTreeSet<&str> = archived.evaluations.iter().map(|e| e.iri.as_str()).collect();
    let scores = archived.graphs.iter().filter(|graph| graph.name.contains("/graph/scores/"));
    for graph in scores.filter(|graph| !known.contains(graph.subject.as_str())) {
        problems.push(format!("<{}> has no execution that can be read", graph.subject));
    }
    let looked_at = (archived.graphs.len() + files.len()) as u64;
    report.add("registry", "graphs and files of the records", looked_at, problems, missing);
    Ok(())
}

/// The records that do not describe what their names say: cut off, or emptied.
fn empty_records(archived: &Archived, files: &[String]) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    let root = resolved(&archived.archive)?;
    for record in archived.archive.records()? {
        if leads_out(&record, &root) {
            problems.push(format!("{}: is a link that leads out of the archive", text::path(&record)));
        }
        let part = |path: Option<&std::ffi::OsStr>| path.map(|part| part.to_string_lossy().into_owned());
        let key = part(record.file_stem()).unwrap_or_default();
        let kind = record.parent().and_then(|folder| part(folder.file_name())).unwrap_or_default();
        let describes = match kind.as_str() {
            "execution" => {
                let name = format!("/graph/prov/{key}");
                archived.graphs.iter().any(|graph| graph.name.ends_with(&name))
            }
            VOCABULARY => archived
                .graphs
                .iter()
                .any(|graph| graph.sha256 == key && archived.archive.mint().is_ontology_graph(&graph.name)),
            "dataset" | "submission" => files.iter().any(|file| checksum_of(file) == Some(&key)),
            "groups" | COMPARISON => {
                let name = format!("/graph/{kind}/{key}");
                archived.graphs.iter().any(|graph| graph.name.ends_with(&name))
            }
            _ => fs::metadata(&record).is_ok_and(|facts| facts.len() > 0),
        };
        if !describes {
            let record = text::path(&record);
            problems.push(format!("{record}: the record does not describe what its name says"));
        }
    }
    Ok(problems)
}

/// The IRIs of the files that the records describe.
pub(crate) fn described_files(archived: &Archived) -> Result<Vec<String>> {
    let files = archived.metadata.rows("report/files")?.into_owned().rows;
    Ok(files.into_iter().filter_map(|row| row.into_iter().next()).filter(|file| !file.is_empty()).collect())
}

pub(super) fn checksum_of(file: &str) -> Option<&str> {
    let sha256 = file.rsplit('/').next().unwrap_or_default();
    is_checksum(sha256).then_some(sha256)
}
