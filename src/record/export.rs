//! Evaluations with exactly what they use, as an archive that can be published and verified.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, BufWriter, Read, Write as _};
use std::path::{Path, PathBuf};

use crate::base::checksum::is_checksum;
use crate::base::error::{Error, Result};
use crate::kb::answered_by::AnsweredBy;
use crate::kb::snapshot::AnswerSnapshot;
use crate::record::archived::comparisons::ArchivedComparison;
use crate::record::archived::{Archived, ArchivedEvaluation, RegisteredGraph};
use crate::record::asking::ASKING;
use crate::record::comparison::kept::COMPARISON;
use crate::record::verify::checks::SUMS;
use crate::record::verify::packed::pack;
use crate::sources::archive::CONTENTS;
use crate::sources::archive::contents::named_in;
use crate::sources::archive::stored::StoredFile;

/// Writes evaluations of an archive into one of their own, with every comparison that compares nothing else: a new folder, or
/// a packed file where the name ends with `.gz` or `.tgz`. Gives the number of files beside the list of their checksums.
///
/// # Errors
/// Where something is there already, or a file that is needed is not here.
pub fn export(
    archived: &Archived,
    chosen: &[&ArchivedEvaluation],
    out: &Path,
    with_inputs: bool,
) -> Result<usize> {
    let mut chest = Chest { archived, files: BTreeMap::new() };
    if archived.archive.stated_in().is_file() {
        chest.keep(StoredFile::new(archived.archive.stated_in()))?;
    }
    for evaluation in chosen {
        chest.add(evaluation, with_inputs)?;
    }
    let is_chosen = |iri: &String| chosen.iter().any(|evaluation| evaluation.iri == *iri);
    for comparison in archived.comparisons.iter().filter(|one| one.evaluations.iter().all(is_chosen)) {
        chest.add_comparison(comparison)?;
    }
    let number = chest.files.len();
    let files = chest.with_sums()?;
    if out.extension().is_some_and(|ending| ending == "gz" || ending == "tgz") {
        write_packed(out, &files)?;
    } else {
        write_folder(out, &files)?;
    }
    Ok(number)
}

/// The files to export: the path in the archive, and the bytes where they are not those of the archive.
struct Chest<'a> {
    archived: &'a Archived,
    files: BTreeMap<String, Exported>,
}

/// Where bytes come from.
enum Exported {
    File(StoredFile),
    Text(String),
}

impl Chest<'_> {
    /// Adds an evaluation: the records that name it or a file that it uses, and what these name.
    fn add(&mut self, evaluation: &ArchivedEvaluation, with_inputs: bool) -> Result<()> {
        let archive = &self.archived.archive;
        let executions: BTreeSet<&str> =
            evaluation.digests.iter().map(|(execution, _)| tail(execution)).collect();
        let mut used = BTreeSet::new();
        for graph in &self.archived.graphs {
            if executions.contains(tail(&graph.subject)) && graph.name.contains("/graph/prov/") {
                used.extend(files_in(&text(&archive.graph(&graph.sha256))?));
            }
        }
        let of_files = [&evaluation.gold[..16], &evaluation.answers[..32]];
        let mut answers: Vec<String> = Vec::new();
        for record in archive.records()? {
            let is_execution = record.parent().is_some_and(|folder| folder.ends_with("execution"));
            let is_groups = record.parent().is_some_and(|folder| folder.ends_with("groups"));
            let is_answers = record.parent().is_some_and(|folder| folder.ends_with("answers"));
            let is_asking = record.parent().is_some_and(|folder| folder.ends_with(ASKING));
            let record = StoredFile::new(record);
            let text = text(&record)?;
            let key = record.sha256();
            let key = key.as_str();
            let named = files_in(&text);
            let is_given = answers.iter().any(|answers| text.contains(&format!("/answers/{answers}>")));
            let belongs = if is_execution {
                executions.contains(key)
            } else if is_groups {
                key == tail(&evaluation.iri)
            } else if is_asking {
                named.contains(&evaluation.answers)
            } else if key.contains('-') {
                // Refreshed gold and executed answers, named after the file and who answered.
                is_given && of_files.iter().any(|of| key.starts_with(*of))
            } else {
                // What was answered is named by the checksum of its graph.
                !named.is_disjoint(&used)
                    || used.iter().any(|sha256| is_answers && text.contains(sha256.as_str()))
            };
            if !belongs {
                continue;
            }
            if is_execution || is_groups || with_inputs {
                // What messages quote from inputs goes where these go.
                let goes = |graph: &&RegisteredGraph| with_inputs || !graph.name.contains("/graph/messages/");
                let graphs = self.archived.graphs.iter().filter(goes);
                for graph in graphs.filter(|graph| text.contains(&format!("<{}>", graph.name))) {
                    self.keep(archive.graph(&graph.sha256))?;
                }
                named.iter().try_for_each(|sha256| self.keep(self.archived.input(sha256)))?;
            }
            if is_answers {
                answers.push(key.to_owned());
            }
            for contents in named_in(archive.mint(), &text) {
                self.keep(StoredFile::new(archive.record(CONTENTS, contents)))?;
            }
            self.keep(record)?;
        }
        if with_inputs {
            used.iter().try_for_each(|sha256| self.expect(sha256))?;
        }
        let answers = [&evaluation.gold_answers, &evaluation.executed_answers];
        let bases: Vec<String> =
            answers.into_iter().flatten().filter_map(|sha256| self.base_of(sha256)).collect();
        self.knowledge_bases(&bases, with_inputs)
    }

    /// Adds a comparison of evaluations that are there: its record, and the graphs that this registers.
    fn add_comparison(&mut self, comparison: &ArchivedComparison) -> Result<()> {
        let archive = &self.archived.archive;
        let record = StoredFile::new(archive.record(COMPARISON, comparison.key()));
        let text = text(&record)?;
        let registered =
            self.archived.graphs.iter().filter(|graph| text.contains(&format!("<{}>", graph.name)));
        registered.map(|graph| archive.graph(&graph.sha256)).try_for_each(|graph| self.keep(graph))?;
        for contents in named_in(archive.mint(), &text) {
            self.keep(StoredFile::new(archive.record(CONTENTS, contents)))?;
        }
        self.keep(record)
    }

    /// An error where a file that was used is here and goes with no record.
    fn expect(&self, sha256: &str) -> Result<()> {
        let file = self.archived.input(sha256);
        if !file.is_file() || self.files.contains_key(&self.name(&file)) {
            return Ok(());
        }
        Err(Error::check("no record names this file, and the evaluation used it")
            .in_file(file.path().display().to_string())
            .hint("the archive is damaged; `qassay verify` lists what is missing"))
    }

    /// The knowledge base that gave these answers, where it is a pinned one.
    fn base_of(&self, sha256: &str) -> Option<String> {
        match AnswerSnapshot::read(&self.archived.source(sha256).ok()?).ok()?.answered_by {
            AnsweredBy::Snapshot { iri, .. } => Some(iri),
            AnsweredBy::Endpoint { .. } => None,
        }
    }

    /// Adds the knowledge bases that answered.
    fn knowledge_bases(&mut self, bases: &[String], with_files: bool) -> Result<()> {
        let archive = &self.archived.archive;
        for recorded in crate::kb::find::recorded(archive)? {
            if bases.contains(&recorded.iri) {
                self.keep(StoredFile::new(archive.record("kb", &recorded.base.key(archive.mint()))))?;
                let files = recorded.base.files.iter().filter(|_| with_files);
                files
                    .map(|file| StoredFile::new(archive.file(&file.sha256)))
                    .try_for_each(|file| self.keep(file))?;
            }
        }
        Ok(())
    }

    fn keep(&mut self, file: StoredFile) -> Result<()> {
        if !file.is_file() {
            return Err(Error::check("this is not here")
                .in_file(file.path().display().to_string())
                .hint("the archive is damaged; `qassay verify` lists what is missing"));
        }
        self.files.insert(self.name(&file), Exported::File(file));
        Ok(())
    }

    /// The name of a file of the archive in what is exported, where nothing is packed: every store reads it.
    fn name(&self, file: &StoredFile) -> String {
        let path = file.plain_path();
        let name = path.strip_prefix(self.archived.archive.root()).unwrap_or(&path);
        let parts = name.components().map(|part| part.as_os_str().to_string_lossy());
        parts.collect::<Vec<_>>().join("/")
    }

    /// The files with a list of their checksums, as `sha256sum -c` reads it.
    fn with_sums(mut self) -> Result<BTreeMap<String, Exported>> {
        let mut sums = String::new();
        for (name, content) in &self.files {
            if let Exported::File(file) = content {
                let (sha256, _) = file.digest()?;
                if !name.starts_with("records/") && file.sha256() != sha256 {
                    return Err(Error::check("the file has another checksum than its name")
                        .in_file(file.path().display().to_string())
                        .hint("the archive is damaged; `qassay verify` lists what is wrong"));
                }
                sums.extend([sha256.as_str(), "  ", name, "\n"]);
            }
        }
        self.files.insert(SUMS.to_owned(), Exported::Text(sums));
        Ok(self.files)
    }
}

/// The end of an IRI.
fn tail(iri: &str) -> &str {
    iri.rsplit('/').next().unwrap_or_default()
}

fn text(file: &StoredFile) -> Result<String> {
    String::from_utf8(file.content()?)
        .map_err(|_| Error::check("this is no UTF-8").in_file(file.path().display().to_string()))
}

/// The checksums of the files that N-Quads name: `…/file/sha256/abcd…>`.
pub(crate) fn files_in(text: &str) -> BTreeSet<String> {
    let checksum = |rest: &str| {
        let sha256 = rest.split('>').next().unwrap_or_default();
        is_checksum(sha256).then(|| sha256.to_owned())
    };
    text.split("/file/sha256/").skip(1).filter_map(checksum).collect()
}

fn write_packed(out: &Path, files: &BTreeMap<String, Exported>) -> Result<()> {
    let failed = |error: io::Error| Error::io("write the file", out, &error);
    let mut sums = tempfile::NamedTempFile::new().map_err(failed)?;
    let mut sources: Vec<(String, StoredFile)> = Vec::new();
    for (name, content) in files {
        match content {
            Exported::File(file) => sources.push((name.clone(), file.clone())),
            Exported::Text(text) => {
                sums.write_all(text.as_bytes()).map_err(failed)?;
                sources.push((name.clone(), StoredFile::new(sums.path())));
            }
        }
    }
    // What is not complete never has the name.
    let mut part = out.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let packed = fs::File::create(&part).map_err(failed).and_then(|file| {
        let mut file = BufWriter::new(file);
        pack(&mut file, sources)?;
        file.flush().map_err(failed)
    });
    let done = packed.and_then(|()| fs::rename(&part, out).map_err(failed));
    if done.is_err() {
        drop(fs::remove_file(&part));
    }
    done
}

fn write_folder(out: &Path, files: &BTreeMap<String, Exported>) -> Result<()> {
    // An archive has the folder for what is being written, so that it can grow.
    let all = files.iter().map(|(name, content)| (out.join(name), content));
    for folder in [out.join("tmp"), out.join("files/sha256"), out.join("graphs/sha256"), out.join("records")]
    {
        fs::create_dir_all(&folder).map_err(|error| Error::io("create the folder", &folder, &error))?;
    }
    for (path, content) in all {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| Error::io("create the folder", folder, &error))?;
        }
        let written = match content {
            Exported::File(from) => {
                let content = from.open().map_err(|error| from.unreadable(&error))?;
                copy(content, &path)
            }
            Exported::Text(text) => fs::write(&path, text),
        };
        written.map_err(|error| Error::io("write the file", &path, &error))?;
    }
    Ok(())
}

fn copy(mut content: impl Read, path: &Path) -> io::Result<()> {
    let mut out = fs::File::create_new(path)?;
    io::copy(&mut content, &mut out).map(drop)
}
