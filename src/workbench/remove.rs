//! Takes things out of an archive: nothing that others use, nothing in part.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::base::checksum::is_checksum;
use crate::base::error::{Error, Result};
use crate::base::text::counted;
use crate::base::vocab::dct;
use crate::base::watch::{Steps, Watcher};
use crate::record::archived::comparisons::ArchivedComparison;
use crate::record::archived::names::SYSTEM;
use crate::record::archived::{Archived, ArchivedEvaluation};
use crate::record::asking::ASKING;
use crate::record::comparison::archived::stated;
use crate::record::comparison::kept::{COMPARISON, registered};
use crate::record::export::files_in;
use crate::record::summaries;
use crate::record::systems;
use crate::record::verify::listing::SUMS;
use crate::sources::archive::contents::named_in;
use crate::sources::archive::hashing::read_file;
use crate::sources::archive::stored::StoredFile;
use crate::sources::archive::{Archive, CONTENTS, PUBLICATION, RECORD_KINDS};
use crate::sources::catalogue::{by_checksum, by_name};
use crate::workbench::Workbench;
use crate::workbench::holdings::{FETCHED, Holding, holdings};

/// The state that tells of a removal that is not at its end: the names of the files that go without their endings, for
/// graphs and inputs their checksums, a line each.
pub(super) const REMOVING: &str = "removing";

/// What was taken out of an archive.
#[derive(Debug)]
pub struct Removal {
    /// The things.
    pub removed: Vec<Holding>,
    /// The files that went with them: records, graphs, inputs.
    pub files: usize,
}

impl Workbench {
    /// Takes things out of the archive, with the graphs and inputs that nothing else names: evaluations and comparisons,
    /// called as in [`Self::again`] and [`Self::comparison`], and whatever else [`Self::list`] tells, by IRI, or by a name that nothing else has. Of systems that
    /// share a submission, one goes by its name, and what was evaluated stays with the others. Records go
    /// first, in the order opposite to that in which they were written: whoever kills it leaves files that no record
    /// names, and nothing that is there in part; the next removal clears these files before it looks for its own, and where nothing is named, all graphs that no
    /// record names, which any run leaves that is killed, and records of comparisons that are damaged. Files of
    /// the catalogue stay, as they may have been fetched, unless they are named themselves.
    ///
    /// # Errors
    /// Where nothing is named, and nothing was to be cleared; where nothing, or several things, are called so; where
    /// something that stays uses it, it is published, or it is a blind submission; where somebody else writes into the archive, or it was
    /// published with a list of its files.
    pub fn remove(&self, words: &[String], profile: Option<&str>, watcher: &dyn Watcher) -> Result<Removal> {
        let archive = Archive::open_alone(&self.root)?;
        if self.root.join(SUMS).is_file() {
            let error = Error::input(
                "the archive was published with a list of its files: nothing is taken out of it",
            );
            return Err(error.in_file(self.root.join(SUMS).display().to_string()));
        }
        let damaged = if words.is_empty() { clear_damaged(&archive, watcher)? } else { 0 };
        let archived = Archived::open(archive)?;
        let cleared = damaged + finish_removal(&archived.archive, watcher)?;
        if words.is_empty() && clear_unnamed(&archived, watcher)? + cleared == 0 {
            return Err(Error::input("nothing is named, and no run that was killed left anything")
                .allowed("what `qassay list` tells"));
        }
        let all = holdings(&archived)?;
        let mut meant: Vec<&Holding> =
            words.iter().map(|word| meant(word, profile, &all, &archived)).collect::<Result<_>>()?;
        meant.sort_by_key(|one| &one.iri);
        meant.dedup();
        let (names, others): (Vec<&Holding>, Vec<&Holding>) =
            meant.iter().partition(|one| one.kind == SYSTEM);
        refuse_used(&others, &all)?;
        refuse_compared(&names, &others, &all, &archived)?;
        let mut files = parted(&names, &archived)?;
        let with_them = files_of(&others, &archived)?;
        files.extend(with_them.into_iter().filter(|file| !files.contains(file)).collect::<Vec<_>>());
        remove_files(&archived.archive, &files, watcher)?;
        for one in &meant {
            summaries::kept::forget(&archived.archive, &one.iri);
        }
        Ok(Removal { removed: meant.into_iter().cloned().collect(), files: files.len() })
    }
}

/// Removes files in their order, and leaves a list of them as long as there are some.
fn remove_files(archive: &Archive, files: &[PathBuf], watcher: &dyn Watcher) -> Result<()> {
    archive.keep_state(REMOVING, |out| {
        let failed = |error| Error::io("write", &archive.state(REMOVING), &error);
        let mut stems = files.iter().map(|file| StoredFile::new(file).sha256());
        stems.try_for_each(|stem| writeln!(out, "{stem}")).map_err(failed)
    })?;
    let steps = Steps::new(watcher, "removing", files.len());
    for file in files {
        watcher.check()?;
        archive.remove(file)?;
        steps.step();
    }
    archive.drop_state(REMOVING)
}

/// Clears the graphs, inputs and descriptions of a removal that was interrupted, where no record names them; gives how many.
fn finish_removal(archive: &Archive, watcher: &dyn Watcher) -> Result<usize> {
    let Ok(stems) = fs::read_to_string(archive.state(REMOVING)) else { return Ok(0) };
    let mut records = archive.records()?;
    records.retain(|path| !is_contents(path) && !is_publication(path));
    let kept: Vec<String> = records.iter().map(|path| record_text(path)).collect::<Result<_>>()?;
    let left: Vec<&str> =
        stems.lines().filter(|stem| !kept.iter().any(|text| text.contains(*stem))).collect();
    let sums = left.iter().filter(|stem| is_checksum(stem));
    let files =
        sums.flat_map(|sha256| archive.graph_places(sha256).into_iter().chain([archive.file(sha256)]));
    let contents = archive.records_of(CONTENTS)?.into_iter();
    let contents = contents.filter(|path| left.contains(&StoredFile::new(path).sha256().as_str()));
    let files: BTreeSet<PathBuf> = files.filter(|path| path.is_file()).chain(contents).collect();
    files.iter().try_for_each(|file| archive.remove(file))?;
    archive.drop_state(REMOVING)?;
    if !files.is_empty() {
        let cleared = counted(files.len(), "file");
        watcher.note(&format!("note: cleared {cleared} of a removal that was interrupted"));
    }
    Ok(files.len())
}

/// Clears the records of comparisons that cannot be read: whoever compares again has them again. Gives how many.
fn clear_damaged(archive: &Archive, watcher: &dyn Watcher) -> Result<usize> {
    let mut records = archive.records_of(COMPARISON)?;
    records.retain(|path| {
        let key = StoredFile::new(path).sha256();
        read_file(path).is_ok_and(|record| registered(&record, archive.mint(), &key).is_none())
    });
    records.iter().try_for_each(|record| archive.remove(record))?;
    if !records.is_empty() {
        let cleared = counted(records.len(), "record");
        watcher.note(&format!("note: cleared {cleared} of a comparison that is damaged"));
    }
    Ok(records.len())
}

/// Clears the graphs that no record names, and the descriptions of what only they held; gives how many files.
fn clear_unnamed(archived: &Archived, watcher: &dyn Watcher) -> Result<usize> {
    let archive = &archived.archive;
    let graphs: BTreeSet<PathBuf> =
        archived.graphs.iter().flat_map(|graph| archive.graph_places(&graph.sha256)).collect();
    let described: BTreeSet<&String> =
        archived.graphs.iter().filter_map(|graph| graph.contents.as_ref()).collect();
    let is_unnamed = |path: &PathBuf| {
        let sha256 = StoredFile::new(path).sha256();
        is_checksum(&sha256) && archive.graph_places(&sha256).contains(path) && !graphs.contains(path)
    };
    let mut files: Vec<PathBuf> = archive.contents()?.into_iter().filter(is_unnamed).collect();
    let contents = archive.records_of(CONTENTS)?.into_iter();
    files.extend(contents.filter(|path| !described.contains(&StoredFile::new(path).sha256())));
    files.iter().try_for_each(|file| archive.remove(file))?;
    archive.interrupted_executions().iter().try_for_each(|key| archive.end_execution(key))?;
    if !files.is_empty() {
        watcher.note(&format!("note: cleared {} that no record named", counted(files.len(), "file")));
    }
    Ok(files.len())
}

/// Whether a record describes what graphs hold: it stays as long as the record of a graph names it.
fn is_contents(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.ends_with(CONTENTS))
}

/// Whether a record is that of a publication: what is public is not removed, and of what was withdrawn no file is kept by it.
fn is_publication(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.ends_with(PUBLICATION))
}

fn record_text(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| Error::io("read the record", path, &error))
}

/// What a word means: the IRI of something, the name of one thing that is no evaluation, a comparison, or an evaluation.
fn meant<'a>(
    word: &str,
    profile: Option<&str>,
    all: &'a [Holding],
    archived: &Archived,
) -> Result<&'a Holding> {
    let hint = "`qassay list` tells what is there; everything has an IRI";
    let other_profile = |name: &str| {
        Err(Error::input(format!("`{word}` is no evaluation with the profile `{name}`")).hint(hint))
    };
    let evaluations = archived.called(word, profile);
    let of_iri: Vec<&Holding> = all.iter().filter(|one| one.iri == word).collect();
    if let [one, other, ..] = of_iri[..]
        && one.kind == SYSTEM
    {
        return Err(Error::input(format!("`{word}` is what several systems share"))
            .allowed(format!("the name of one of them: {}, {}, …", one.name, other.name)));
    }
    if let Some(one) = of_iri.first().copied() {
        return profile.filter(|_| evaluations.is_empty()).map_or(Ok(one), other_profile);
    }
    // An evaluation is called like its system, and so is the submission that it is made of.
    let is_evaluated = !archived.called(word, None).is_empty();
    let is_made_of = |one: &Holding| one.kind == "evaluation" || (is_evaluated && one.kind == "submission");
    let compared = archived.comparison(word)?.map(|comparison| &comparison.iri);
    let is_named = |one: &&Holding| (one.name == word && !is_made_of(one)) || Some(&one.iri) == compared;
    let named: Vec<&Holding> = all.iter().filter(is_named).collect();
    if let ([one], None) = (named.as_slice(), profile)
        && one.kind == SYSTEM
        && evaluations.iter().all(|evaluation| is_of_system(&evaluation.answers, &one.iri, archived))
    {
        return Ok(one);
    }
    match (named.as_slice(), is_evaluated) {
        ([], true) => {}
        ([], false) => {
            return Err(Error::input(format!("the archive has nothing called `{word}`")).hint(hint));
        }
        ([one], false) => return profile.map_or(Ok(one), other_profile),
        (several, _) => {
            let told = several.iter().map(|one| format!("{} <{}>", one.kind, one.iri)).collect::<Vec<_>>();
            let also = if is_evaluated { "; evaluations, by the beginning of their keys" } else { "" };
            return Err(Error::input(format!("`{word}` means several things"))
                .allowed(told.join("; ") + also)
                .hint(hint));
        }
    }
    let iri = &archived.find_with(word, profile)?.iri;
    all.iter().find(|one| one.iri == *iri).ok_or_else(|| {
        Error::check(format!("the records do not tell what <{iri}> is of"))
            .hint("the archive is damaged; `qassay verify` lists what is missing")
    })
}

/// An error where something that stays uses what goes.
fn refuse_used(meant: &[&Holding], all: &[Holding]) -> Result<()> {
    let stays = |iri: &&String| !meant.iter().any(|one| one.iri == **iri);
    for one in meant {
        if one.kind == "blind submission" {
            return Err(Error::input(format!("`{}` stays: whoever sent it was told its number", one.name)));
        }
        if one.kind == PUBLICATION {
            return Err(Error::input(format!(
                "`{}` stays: that it was published is not taken back",
                one.name
            ))
            .hint("`⌥withdraw` of `qassay publish` says that it is no longer public"));
        }
        refuse_used_by(one, &one.used_by.iter().filter(stays).collect::<Vec<_>>(), all)?;
    }
    Ok(())
}

/// An error where something has users.
fn refuse_used_by(one: &Holding, users: &[&String], all: &[Holding]) -> Result<()> {
    let Some(first) = users.first() else { return Ok(()) };
    let told = |one: &Holding| format!("`{}` ({})", one.name, one.kind);
    let user = all.iter().find(|other| other.iri == **first).map_or_else(String::new, told);
    let more = if users.len() > 1 { format!(", and by {} more", users.len() - 1) } else { String::new() };
    let each_other = one.kind == ASKING || user.ends_with("(asking)");
    let hint = if user.ends_with("(publication)") {
        "what is published stays; `⌥withdraw` of `qassay publish` withdraws it, and then it can be removed"
    } else if each_other {
        "a submission and the exchanges that it is made of go together: name both"
    } else {
        "remove what uses it before it, or with it"
    };
    Err(Error::input(format!("{} is used by {user}, <{first}>{more}", told(one))).hint(hint))
}

/// An error where a comparison that stays says a name of a submission that goes.
fn refuse_compared(
    names: &[&Holding],
    others: &[&Holding],
    all: &[Holding],
    archived: &Archived,
) -> Result<()> {
    let stays = |comparison: &&ArchivedComparison| !others.iter().any(|one| one.iri == comparison.iri);
    for name in names {
        let evaluations = archived.evaluations.iter();
        let evaluations: Vec<&ArchivedEvaluation> =
            evaluations.filter(|one| is_of_system(&one.answers, &name.iri, archived)).collect();
        let comparisons = archived.comparisons.iter().filter(stays);
        let users = comparisons.filter(|comparison| says(archived, comparison, &evaluations, &name.name));
        refuse_used_by(name, &users.map(|comparison| &comparison.iri).collect::<Vec<_>>(), all)?;
    }
    Ok(())
}

/// Whether a comparison says the name of a system that it knows by some evaluations: names that an archive learned later are
/// not in it. One whose graph cannot be read may say each.
fn says(
    archived: &Archived,
    comparison: &ArchivedComparison,
    evaluations: &[&ArchivedEvaluation],
    name: &str,
) -> bool {
    let mut compared = evaluations.iter().filter(|one| comparison.evaluations.contains(&one.iri)).peekable();
    if compared.peek().is_none() {
        return false;
    }
    let Ok((_, stated)) = stated(archived, comparison) else { return true };
    let Some(settings) = stated.settings else { return true };
    compared.any(|one| one.system == name || settings.aliases.contains(&(one.iri.clone(), name.to_owned())))
}

/// The records that go where systems leave the submission that they share with others.
fn parted(names: &[&Holding], archived: &Archived) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let submissions: BTreeSet<&str> = names.iter().map(|one| one.iri.as_str()).collect();
    for system in submissions {
        let leaving: Vec<&str> =
            names.iter().filter(|one| one.iri == system).map(|one| one.name.as_str()).collect();
        for record in archived.archive.records_of("submission")? {
            let sha256 = record.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            if is_checksum(sha256) && is_of_system(sha256, system, archived) {
                files.extend(systems::part(archived, sha256, &leaving)?);
            }
        }
    }
    Ok(files)
}

/// Whether the submission with this checksum is that of a system.
fn is_of_system(sha256: &str, system: &str, archived: &Archived) -> bool {
    system.strip_suffix("/system") == Some(&archived.archive.mint().submission(sha256))
}

/// The files that go: records, then graphs and inputs that no other record names.
fn files_of(meant: &[&Holding], archived: &Archived) -> Result<Vec<PathBuf>> {
    let archive = &archived.archive;
    let (mut gone, mut kept) = (BTreeMap::new(), Vec::new());
    for path in archive.records()? {
        let text = record_text(&path)?;
        if meant.iter().any(|one| is_of(&path, &text, &one.iri, archived)) {
            gone.insert(path, text);
        } else if !is_contents(&path) && !is_publication(&path) {
            kept.push(text);
        }
    }
    let contents: BTreeSet<&str> = gone.values().flat_map(|text| named_in(archive.mint(), text)).collect();
    let contents = contents.into_iter().filter(|key| !kept.iter().any(|text| text.contains(key)));
    let contents: Vec<PathBuf> = contents.map(|key| archive.record(CONTENTS, key)).collect();
    let is_free = |sha256: &str| !kept.iter().any(|text| text.contains(sha256));
    let graphs =
        archived.graphs.iter().filter(|graph| gone.values().any(|text| text.contains(&graph.sha256)));
    let graphs = graphs.filter(|graph| is_free(&graph.sha256));
    let graphs: BTreeSet<PathBuf> = graphs.flat_map(|graph| archive.graph_places(&graph.sha256)).collect();
    let inputs: BTreeSet<String> = gone.values().flat_map(|text| files_in(text)).collect();
    let inputs = inputs.iter().map(String::as_str).filter(|sha256| by_checksum(sha256).is_none());
    let fetched = meant.iter().filter(|one| one.kind == FETCHED).filter_map(|one| by_name(&one.name));
    let inputs = inputs.chain(fetched.map(|entry| entry.sha256)).filter(|sha256| is_free(sha256));
    let rank = |path: &PathBuf| {
        RECORD_KINDS.iter().rposition(|kind| path.parent().is_some_and(|folder| folder.ends_with(kind)))
    };
    let mut files: Vec<PathBuf> = gone.into_keys().chain(contents).collect();
    files.sort_by_key(|path| std::cmp::Reverse(rank(path)));
    files.extend(graphs.into_iter().chain(inputs.map(|sha256| archive.file(sha256))));
    files.retain(|path| path.is_file());
    Ok(files)
}

/// Whether a record makes this thing exist: that of an execution its evaluation, any other what it gives a title to.
fn is_of(path: &Path, text: &str, iri: &str, archived: &Archived) -> bool {
    let key = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    if path.parent().is_some_and(|folder| folder.ends_with("execution")) {
        let evaluation = archived.evaluations.iter().find(|evaluation| evaluation.iri == iri);
        return evaluation.is_some_and(|evaluation| {
            evaluation.digests.iter().any(|(execution, _)| execution.rsplit('/').next() == Some(key))
        });
    }
    if path.parent().is_some_and(|folder| folder.ends_with("groups")) {
        return iri.rsplit('/').next() == Some(key);
    }
    if path.parent().is_some_and(|folder| folder.ends_with(ASKING)) {
        return iri == archived.archive.mint().asking(key);
    }
    if path.parent().is_some_and(|folder| folder.ends_with(SYSTEM)) {
        return text.contains(&format!("<{iri}/system> "));
    }
    let title = format!("<{iri}> <{}> ", dct::TITLE);
    text.lines().any(|line| line.starts_with(&title))
}
