//! The files of an archive, one by one: those that the list of checksums names and those that it does not, those that no
//! record names, links that lead elsewhere.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::base::error::{Error, Result};
use crate::base::text;
use crate::base::vocab::qassay;
use crate::record::archived::Archived;
use crate::record::verify::absent::AbsentPart;
use crate::record::verify::checks::{checksum_of, described_files, leads_out, resolved};
use crate::record::verify::findings::Findings;
use crate::sources::archive::hashing::file_digest;
use crate::sources::archive::stored::StoredFile;
use crate::sources::archive::{Archive, PUBLICATION};
use crate::sources::format::meter::whole;

/// The checksums of all other files of a published archive: what `sha256sum -c` reads.
pub const SUMS: &str = "SHA256SUMS";

/// A detached signature over the list, as minisign writes it: the list cannot name it.
pub const SIGNATURE: &str = "SHA256SUMS.minisig";

/// What describes a record to those who do not know qassay.
const CRATE: &str = "ro-crate-metadata.json";

/// How many files a sentence names.
const MOST_NAMED: usize = 3;

/// The folders of an archive in which everything is named by a record.
const KEPT: [&str; 3] = ["files", "graphs", "records"];

/// All files and links below an archive, but for what is being made or asked and what can be made again at any time.
#[derive(Debug)]
pub struct Listing {
    files: Vec<PathBuf>,
    /// The links, also those in folders that are left out.
    links: Vec<PathBuf>,
}

impl Listing {
    /// Lists an archive. No link is followed.
    ///
    /// # Errors
    /// Where a folder cannot be listed.
    pub fn of(archive: &Archive) -> Result<Self> {
        let left_out = ["tmp", "asking", "stores"].map(|folder| archive.root().join(folder));
        let (mut files, mut links) = (Vec::new(), Vec::new());
        let mut folders = vec![archive.root().to_path_buf()];
        while let Some(folder) = folders.pop() {
            let failed = |error: io::Error| Error::io("list the folder", &folder, &error);
            for entry in fs::read_dir(&folder).map_err(failed)? {
                let entry = entry.map_err(failed)?;
                let (path, kind) = (entry.path(), entry.file_type().map_err(failed)?);
                if kind.is_symlink() {
                    links.push(path.clone());
                }
                if kind.is_dir() {
                    folders.push(path);
                } else if !left_out.iter().any(|folder| path.starts_with(folder)) {
                    files.push(path);
                }
            }
        }
        files.sort_unstable();
        links.sort_unstable();
        Ok(Self { files, links })
    }

    /// The files that are not among these.
    fn beside(&self, named: &BTreeSet<PathBuf>) -> Vec<&PathBuf> {
        self.files.iter().filter(|path| !named.contains(*path)).collect()
    }
}

/// Links that lead out of the archive, or nowhere, wherever they are: whoever has the archive does not have what they mean.
pub fn links(archive: &Archive, listing: &Listing, report: &mut Findings) -> Result<()> {
    let root = resolved(archive)?;
    let is_nowhere = |link: &&PathBuf| leads_out(link, &root) || !link.exists();
    let told = |link: &PathBuf| format!("{}: is a link that leads out of the archive", text::path(link));
    let problems: Vec<String> = listing.links.iter().filter(is_nowhere).map(told).collect();
    if !problems.is_empty() {
        report.add("links", "files and folders", listing.links.len() as u64, problems, Vec::new());
    }
    Ok(())
}

/// The list of checksums that a published archive has: what it names is here and so, and it names all that is here but for
/// what was added to a copy.
pub fn sums(
    archive: &Archive,
    listing: &Listing,
    (is_packed, added): (bool, &BTreeSet<PathBuf>),
    report: &mut Findings,
) -> Result<()> {
    let path = archive.root().join(SUMS);
    if !path.is_file() {
        return unlisted(archive, is_packed, report);
    }
    let text = whole(&path)?;
    let root = resolved(archive)?;
    let (mut problems, mut missing, mut looked_at) = (Vec::new(), Vec::new(), 0);
    let mut named = BTreeSet::new();
    for (line, number) in String::from_utf8_lossy(&text).lines().zip(1..) {
        looked_at += 1;
        let Some((sha256, name)) = line.split_once("  ") else {
            problems.push(format!("{}, line {number}: no checksum and path", text::path(&path)));
            continue;
        };
        let is_below = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        let file = archive.root().join(name);
        if !is_below {
            let (list, name) = (text::path(&path), text::name(name));
            problems.push(format!("{list}, line {number}: `{name}` is outside of the archive"));
        } else if !file.exists() {
            missing.push(AbsentPart::of_path(&file));
        } else if leads_out(&file, &root) || !file.is_file() {
            problems.push(format!("{}: is no file of the archive", text::path(&file)));
        } else if file_digest(&file)? != sha256 {
            problems.push(format!("{}: {SUMS} has another checksum", text::path(&file)));
        }
        if is_below && !named.insert(file) {
            let (list, name) = (text::path(&path), text::name(name));
            problems.push(format!("{list}, line {number}: `{name}` is named twice"));
        }
    }
    let kept = KEPT.map(|folder| archive.root().join(folder));
    let apart = named.iter().filter(|file| !kept.iter().any(|folder| file.starts_with(folder))).count();
    if apart > 0 {
        report.notes.push(format!(
            "{} beside records and graphs (pages, tables, descriptions) {} only a checksum: whether what they say is what \
             the graphs say is not checked, and a signature tells who wrote it",
            text::counted(apart as u64, "file"),
            if apart == 1 { "has" } else { "have" },
        ));
    }
    named.extend([path, archive.root().join(SIGNATURE)]);
    named.extend(added.iter().cloned());
    let beside = listing.beside(&named);
    if !beside.is_empty() {
        problems.push(format!(
            "{}; an archive that has grown since it was exported has no use for the list",
            told(&beside, &format!("that {SUMS} does not name"))
        ));
    }
    report.add("list of checksums", SUMS, looked_at, problems, missing);
    Ok(())
}

/// What is told where there is no list: a published record must have one, and who packs an archive should.
fn unlisted(archive: &Archive, is_packed: bool, report: &mut Findings) -> Result<()> {
    // An archive that publishes has the records of that, too.
    let is_publication = is_packed && !archive.records_of(PUBLICATION)?.is_empty();
    if is_publication || archive.root().join(CRATE).exists() {
        let path = archive.root().join(SUMS);
        let problem =
            format!("{} is not here: a published record has a list of its files", text::path(&path));
        report.add("list of checksums", SUMS, 0, vec![problem], Vec::new());
    } else if is_packed {
        report
            .notes
            .push(format!("there is no {SUMS}: whether the archive is whole is not checked by a list"));
    }
    Ok(())
}

/// The files that no record names: nothing says what they should be, and no number comes from them. Beside an archive that
/// grows that is worth a note; a record that was exported has no such files, and what is left of an execution whose record
/// is gone was an evaluation, unless somebody was taking it away.
pub fn unnamed(
    archived: &Archived,
    listing: &Listing,
    is_being_cleared: bool,
    report: &mut Findings,
) -> Result<()> {
    let archive = &archived.archive;
    let mut named: BTreeSet<PathBuf> = archive.records()?.into_iter().collect();
    named.extend(archived.graphs.iter().flat_map(|graph| archive.graph_places(&graph.sha256)));
    let files = described_files(archived)?;
    named.extend(files.iter().filter_map(|file| checksum_of(file)).map(|sha256| archive.file(sha256)));
    let is_listed = archive.root().join(SUMS).is_file();
    let mut unnamed = listing.beside(&named);
    let known = [SUMS, SIGNATURE].map(|name| archive.root().join(name));
    unnamed.retain(|path| !known.contains(path));
    let kept = KEPT.map(|folder| archive.root().join(folder));
    // What is beside these folders is named by the list.
    unnamed.retain(|path| !is_listed || kept.iter().any(|folder| path.starts_with(folder)));
    let which = "that no record names";
    let mut problems =
        if is_listed && !unnamed.is_empty() { vec![told(&unnamed, which)] } else { Vec::new() };
    let vanished = if is_being_cleared { Vec::new() } else { vanished(archive, &unnamed) };
    problems.extend(vanished.iter().map(|path| {
        format!(
            "{}: an evaluation was executed, and its record `records/execution/` is not here; evaluated again it is \
             there again, and `qassay remove` clears what is left",
            text::path(path)
        )
    }));
    if !problems.is_empty() {
        report.add("records", "what they name", listing.files.len() as u64, problems, Vec::new());
    }
    unnamed.retain(|path| !is_listed && !vanished.contains(path));
    report.notes.extend((!unnamed.is_empty()).then(|| told(&unnamed, which)));
    Ok(())
}

/// The provenance of executions that were kept to their end, among files that no record names. One that was being kept when
/// its run was killed is none.
fn vanished<'p>(archive: &Archive, unnamed: &[&'p PathBuf]) -> Vec<&'p PathBuf> {
    let interrupted = archive.interrupted_executions();
    let is_vanished = |path: &&&PathBuf| {
        let name = path.to_string_lossy();
        if !path.starts_with(archive.root().join("graphs"))
            || !(name.ends_with(".nq") || name.ends_with(".zst"))
        {
            return false;
        }
        let content = StoredFile::new(path.as_path()).content().unwrap_or_default();
        let content = String::from_utf8_lossy(&content);
        content.contains(qassay::SCORES_DIGEST)
            && content.contains("/graph/prov/")
            && !interrupted.iter().any(|key| content.contains(key))
    };
    unnamed.iter().filter(is_vanished).copied().collect()
}

/// Some files, as a sentence.
fn told(files: &[&PathBuf], which: &str) -> String {
    let first = text::first(files.iter().map(|path| text::path(path)), MOST_NAMED);
    format!("{} {which}: {first}", text::counted(files.len(), "file"))
}
