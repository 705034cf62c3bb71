//! An archive as a whole: what it holds, asked anything, checked, written into another, and things taken out of it.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::base::checksum::is_checksum;
use crate::base::error::{Error, Result};
use crate::base::parallel::each;
use crate::base::text::counted;
use crate::base::vocab::dct;
use crate::base::watch::{Steps, Watcher};
use crate::record::archived::comparisons::ArchivedComparison;
use crate::record::archived::names::SYSTEM;
use crate::record::archived::selected::{Selection, select};
use crate::record::archived::{Archived, ArchivedEvaluation};
use crate::record::asking::{self, ASKING};
use crate::record::comparison::kept::COMPARISON;
use crate::record::export::{export, files_in};
use crate::record::summaries;
use crate::record::systems;
use crate::record::verify::checks::{SUMS, described_files};
use crate::record::verify::constraints::{CheckedEvaluation, Constraints};
use crate::record::verify::findings::Findings;
use crate::record::verify::place::Location;
use crate::record::verify::reask::Reasker;
use crate::record::verify::recompare::recompare;
use crate::record::verify::reexecute::{FORGET, reexecute, was_asked};
use crate::record::verify::{blind, checks};
use crate::references::ReferenceKind;
use crate::sources::archive::contents::named_in;
use crate::sources::archive::stored::StoredFile;
use crate::sources::archive::{Archive, CONTENTS, RECORD_KINDS};
use crate::sources::catalogue::{by_checksum, by_name, entries, named};
use crate::sparql::named_query::NamedQuery;
use crate::sparql::store::Store;
use crate::workbench::Workbench;
use crate::workbench::list::{ListedEvaluation, evaluations};

/// The kinds of [`Holding`]s beside those of the files of statements, [`ReferenceKind`]: the query `store/contents` names
/// them so.
const KINDS: [&str; 13] = [
    "dataset",
    "submission",
    ASKING,
    SYSTEM,
    "evaluation",
    COMPARISON,
    "blind submission",
    "knowledge base",
    "link set",
    "answers",
    "executed answers",
    "refreshed gold",
    FETCHED,
];

/// The kind of a file of the catalogue that no record describes: nothing was made of it yet.
const FETCHED: &str = "fetched file";

/// The state that tells of a removal that is not at its end: the names of the files that go without their endings, for
/// graphs and inputs their checksums, a line each.
const REMOVING: &str = "removing";

/// Something that an archive holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holding {
    /// `dataset`, `submission`, `evaluation`, `knowledge base`, `link set`, `links`, …
    pub kind: String,
    /// What it is called; several may be called the same.
    pub name: String,
    /// Its IRI.
    pub iri: String,
    /// The IRIs of what is made of it, or refers to it.
    pub used_by: Vec<String>,
}

/// What was taken out of an archive.
#[derive(Debug)]
pub struct Removal {
    /// The things.
    pub removed: Vec<Holding>,
    /// The files that went with them: records, graphs, inputs.
    pub files: usize,
}

/// How an archive is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thoroughness {
    /// The archive is part of one: what is not here is no problem.
    pub partial: bool,
    /// Evaluations are computed again.
    pub reexecution: bool,
}

impl Workbench {
    /// What the archive holds of these kinds, of all where none is named, by kind and name; and, where they are wanted, its
    /// evaluations with what came of them.
    ///
    /// # Errors
    /// Where there is no such kind or no archive, or a record cannot be read.
    pub fn list(&self, kinds: &[String], with_values: bool) -> Result<(Vec<Holding>, Vec<ListedEvaluation>)> {
        let known = || KINDS.into_iter().chain(ReferenceKind::ALL.map(ReferenceKind::name));
        if let Some(unknown) = kinds.iter().find(|kind| !known().any(|known| known == **kind)) {
            let allowed: Vec<&str> = known().collect();
            return Err(Error::input(format!("an archive holds no kind of thing called `{unknown}`"))
                .allowed(allowed.join(", ")));
        }
        let archived = self.archived()?;
        let mut held = holdings(&archived)?;
        held.retain(|one| kinds.is_empty() || kinds.contains(&one.kind));
        let evaluations = if with_values { evaluations(&archived)? } else { Vec::new() };
        Ok((held, evaluations))
    }

    /// Takes things out of the archive, with the graphs and inputs that nothing else names: evaluations, called as in
    /// [`Self::again`], and whatever else [`Self::list`] tells, by IRI, or by a name that nothing else has. Of systems that
    /// share a submission, one goes by its name, and what was evaluated stays with the others. Records go
    /// first, in the order opposite to that in which they were written: whoever kills it leaves files that no record
    /// names, and nothing that is there in part; the next removal clears these files before it looks for its own. Files of
    /// the catalogue stay, as they may have been fetched, unless they are named themselves.
    ///
    /// # Errors
    /// Where nothing is named, and nothing was to be cleared; where nothing, or several things, are called so; where
    /// something that stays uses it, or it is a blind submission; where somebody else writes into the archive, or it was
    /// published with a list of its files.
    pub fn remove(&self, words: &[String], profile: Option<&str>, watcher: &dyn Watcher) -> Result<Removal> {
        let archived = Archived::open(Archive::open_alone(&self.root)?)?;
        if self.root.join(SUMS).is_file() {
            let error = Error::input(
                "the archive was published with a list of its files: nothing is taken out of it",
            );
            return Err(error.in_file(self.root.join(SUMS).display().to_string()));
        }
        let cleared = finish_removal(&archived.archive, watcher)?;
        if words.is_empty() && cleared == 0 {
            return Err(Error::input("nothing is named, and no removal was interrupted")
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
        let mut files = parted(&names, &archived)?;
        let with_them = files_of(&others, &archived)?;
        files.extend(with_them.into_iter().filter(|file| !files.contains(file)).collect::<Vec<_>>());
        remove_files(&archived.archive, &files, watcher)?;
        for one in &meant {
            summaries::kept::forget(&archived.archive, &one.iri);
        }
        Ok(Removal { removed: meant.into_iter().cloned().collect(), files: files.len() })
    }

    /// Everything that the archive holds, with the ontology, to ask it anything. Link sets only where asked for, as named
    /// graphs.
    ///
    /// # Errors
    /// Where there is no archive, or a record or a graph cannot be read.
    pub fn everything(&self, with_links: bool, watcher: &dyn Watcher) -> Result<Store> {
        let archived = self.archived()?;
        let store = archived.store()?;
        let steps = Steps::new(watcher, "loading", archived.graphs.len());
        for graph in &archived.graphs {
            watcher.check()?;
            if !graph.is_links() || with_links {
                archived.load(graph, &store)?;
            }
            steps.step();
        }
        drop(steps);
        Ok(store)
    }

    /// What a query can touch of the archive, with the ontology: it finds there what it finds in [`Self::everything`]. Link
    /// sets only where asked for.
    ///
    /// # Errors
    /// Where there is no archive, or a record or a graph that the query can touch cannot be read, or is another one by now.
    pub fn select(&self, query: &NamedQuery, with_links: bool, watcher: &dyn Watcher) -> Result<Selection> {
        let selection = select(&Archive::open(&self.root)?, query, with_links, watcher)?;
        if selection.parts.only_files > 0 {
            watcher.note(&format!(
                "note: {} kept as a file only, too large for a graph; `qassay links show` reads it",
                counted(selection.parts.only_files, "link set")
            ));
        }
        Ok(selection)
    }

    /// Writes evaluations, each named by its IRI, the beginning of its key or the name of its system, with all that they
    /// use into an archive of their own: a new folder, or a new file that ends with `.tar.gz`. A comparison, by its IRI or the
    /// beginning of its key, means all that it compares; each goes where all its evaluations go. Gives the number of files.
    ///
    /// # Errors
    /// Where something is there already; where no evaluation, or several, are called so; where a file is not here.
    pub fn export(&self, words: &[String], out: &Path, with_inputs: bool) -> Result<usize> {
        check_target(out)?;
        let archived = self.archived()?;
        let mut chosen: Vec<&ArchivedEvaluation> = Vec::new();
        for word in words {
            match archived.comparison(word)? {
                Some(comparison) => {
                    let all = comparison.evaluations.iter().map(|iri| archived.find(iri));
                    chosen.extend(all.collect::<Result<Vec<_>>>()?);
                }
                None => chosen.push(archived.find(word)?),
            }
        }
        chosen.sort_by(|one, other| one.iri.cmp(&other.iri));
        chosen.dedup_by(|one, other| one.iri == other.iri);
        export(&archived, &chosen, out, with_inputs)
    }
}

/// Checks an archive, or one evaluation of it: checksums, constraints, re-execution, and where numbers differ the first
/// cause.
///
/// # Errors
/// Where there is no archive, or no such evaluation; where the watcher no longer wants it. What is wrong with an archive
/// is no error: it is found.
pub fn verify(location: &Location, how: Thoroughness, watcher: &dyn Watcher) -> Result<Findings> {
    let archive = Archive::open(location.root())?;
    let mut findings = Findings::new(location.title(), how.partial);
    let changed = checks::checksums(&archive, &mut findings, watcher)?;
    checks::sums(&archive, &mut findings)?;
    checks::knowledge_bases(&archive, &changed, &mut findings);
    blind::submissions(&archive, &mut findings)?;
    asking::check_submissions(&archive, &mut findings)?;
    let (archived, damage) = Archived::open_damaged(archive)?;
    let compared = location.word.as_deref().map_or(Ok(None), |word| archived.comparison(word))?;
    let chosen: Vec<&ArchivedEvaluation> = match (&location.word, compared) {
        (Some(_), Some(_)) => Vec::new(),
        (Some(word), None) => vec![archived.find(word)?],
        (None, _) => archived.evaluations.iter().collect(),
    };
    let comparisons = match location.word {
        Some(_) => compared.into_iter().collect(),
        None => archived.comparisons.iter().collect(),
    };
    checks::registry(&archived, &damage, &mut findings)?;
    findings.notes.extend(checks::unlisted(&archived.archive)?);
    findings.notes.extend(checks::unnamed(&archived)?);
    let interrupted = archived.archive.state(REMOVING).is_file();
    findings
        .notes
        .extend(interrupted.then(|| "a removal was interrupted; `qassay remove` ends it".to_owned()));
    checked(&archived, (&chosen, comparisons), how.reexecution, &mut findings, watcher)?;
    findings.notes.extend(shared(&archived));
    findings.note_rewritten();
    Ok(findings)
}

/// Checks evaluations and computes them again, several at a time; what was found is in their order.
fn checked(
    archived: &Archived,
    (chosen, comparisons): (&[&ArchivedEvaluation], Vec<&ArchivedComparison>),
    reexecution: bool,
    findings: &mut Findings,
    watcher: &dyn Watcher,
) -> Result<()> {
    let constraints = Constraints::new(archived)?;
    let steps = Steps::new(watcher, "verifying", chosen.len());
    let all = each(chosen.to_vec(), |evaluation| {
        watcher.check()?;
        let checked = constraints.check(evaluation)?;
        // Knowledge bases are asked one after the other, each once: below.
        let again = (reexecution && !was_asked(evaluation)).then(|| reexecute(archived, evaluation, None));
        steps.step();
        Ok((evaluation, checked, again))
    });
    drop(steps);
    let reasker = Reasker::new(archived);
    let known = findings.rows.len();
    for one in all {
        let (evaluation, CheckedEvaluation { looked_at, problems, missing }, again) = one?;
        findings.add("constraints", &evaluation.iri, looked_at, problems, missing);
        if reexecution {
            watcher.check()?;
            findings.verdict(again.unwrap_or_else(|| reexecute(archived, evaluation, Some(&reasker))));
        }
    }
    for comparison in comparisons {
        watcher.check()?;
        let CheckedEvaluation { looked_at, problems, missing } = constraints.check_comparison(comparison)?;
        findings.add("constraints", &comparison.iri, looked_at, problems, missing);
        if reexecution {
            recompare(archived, comparison, findings);
        }
    }
    let remembered = remembered(archived)?;
    if !remembered.is_empty() {
        findings.add("remembered", "stores/summaries", remembered.len() as u64, remembered, Vec::new());
    }
    if chosen.len() == archived.evaluations.len() && !chosen.is_empty() {
        let told: BTreeSet<&str> =
            findings.rows[known..].iter().flat_map(|row| &row.problems).map(String::as_str).collect();
        let CheckedEvaluation { looked_at, problems, missing } = constraints.check_records(&told)?;
        if !problems.is_empty() {
            findings.add("constraints", "records", looked_at, problems, missing);
        }
    }
    Ok(())
}

/// What lists and rankings would show, and is not so.
fn remembered(archived: &Archived) -> Result<Vec<String>> {
    let listed = summaries::kept::otherwise_listed(archived).into_iter();
    let listed = listed.map(|evaluation| format!("the summary of <{}> in the list of all", evaluation.iri));
    let answers = archived.metadata.otherwise_answered(&archived.archive)?.into_iter();
    let answers = answers.map(|query| format!("what records answered to `queries/{query}.rq`"));
    Ok(listed.chain(answers).map(|what| format!("{what} is another; {FORGET}")).collect())
}

/// Which systems share a submission.
fn shared(archived: &Archived) -> BTreeSet<String> {
    let shared = archived.evaluations.iter().filter(|evaluation| !evaluation.others.is_empty());
    let told = |evaluation: &ArchivedEvaluation| {
        let names: Vec<&str> = evaluation.systems().map(String::as_str).collect();
        format!("{} share a submission: they gave the same bytes", names.join(", "))
    };
    shared.map(told).collect()
}

/// An error where nothing can be exported to: something is there, or the name is that of a file packed in another way.
fn check_target(out: &Path) -> Result<()> {
    let others = ["zip", "tar", "bz2", "xz", "zst", "7z", "rar"];
    let is_packed = |ending: &OsStr| others.iter().any(|other| ending.eq_ignore_ascii_case(other));
    let why = match out.extension() {
        _ if out.exists() => "this is there already",
        Some(ending) if is_packed(ending) => "an archive is not packed in this way",
        _ => return Ok(()),
    };
    Err(Error::input(why)
        .in_file(out.display().to_string())
        .allowed("a new folder, or a new file that ends with .tar.gz"))
}

fn holdings(archived: &Archived) -> Result<Vec<Holding>> {
    let mut all: Vec<Holding> = Vec::new();
    for row in archived.metadata.rows("store/contents")?.into_owned().rows {
        let Ok([kind, name, iri, user]) = <[String; 4]>::try_from(row) else { continue };
        if all.last().is_none_or(|last| (&last.kind, &last.name, &last.iri) != (&kind, &name, &iri)) {
            all.push(Holding { kind, name, iri, used_by: Vec::new() });
        }
        if let Some(last) = all.last_mut() {
            last.used_by.extend((!user.is_empty()).then_some(user));
        }
    }
    let known: BTreeSet<String> = all.iter().map(|one| one.iri.clone()).collect();
    for one in &mut all {
        one.used_by.retain(|user| known.contains(user));
    }
    let described = described_files(archived)?;
    let fetched = entries().iter().filter(|entry| named::place(archived.archive.root(), entry).is_some());
    let fetched = fetched.map(|entry| (entry.name.to_owned(), archived.archive.mint().file(entry.sha256)));
    let unused = fetched.filter(|(_, iri)| !described.contains(iri));
    all.extend(unused.map(|(name, iri)| Holding {
        kind: FETCHED.to_owned(),
        name,
        iri,
        used_by: Vec::new(),
    }));
    all.sort_by(|a, b| (&a.kind, &a.name, &a.iri).cmp(&(&b.kind, &b.name, &b.iri)));
    Ok(all)
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
    records.retain(|path| !is_contents(path));
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

/// Whether a record describes what graphs hold: it stays as long as the record of a graph names it.
fn is_contents(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.ends_with(CONTENTS))
}

fn record_text(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| Error::io("read the record", path, &error))
}

/// What a word means: the IRI of something, the name of one thing that is no evaluation, or an evaluation.
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
    let named: Vec<&Holding> = all.iter().filter(|one| one.name == word && !is_made_of(one)).collect();
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
        let users: Vec<&String> = one.used_by.iter().filter(stays).collect();
        if let Some(first) = users.first() {
            let told = |one: &Holding| format!("`{}` ({})", one.name, one.kind);
            let user = all.iter().find(|other| other.iri == **first).map_or_else(String::new, told);
            let more =
                if users.len() > 1 { format!(", and by {} more", users.len() - 1) } else { String::new() };
            let each_other = one.kind == ASKING || user.ends_with("(asking)");
            let hint = if each_other {
                "a submission and the exchanges that it is made of go together: name both"
            } else {
                "remove what uses it before it, or with it"
            };
            return Err(Error::input(format!("{} is used by {user}, <{first}>{more}", told(one))).hint(hint));
        }
    }
    Ok(())
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
        } else if !is_contents(&path) {
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
