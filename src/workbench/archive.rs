//! An archive as a whole: asked anything, checked, written into another.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

use crate::base::error::{Error, Result};
use crate::base::parallel::each;
use crate::base::text::counted;
use crate::base::watch::{Steps, Watcher};
use crate::kb::remote::RemoteStore;
use crate::record::archived::comparisons::ArchivedComparison;
use crate::record::archived::selected::{Selection, select};
use crate::record::archived::sent;
use crate::record::archived::{Archived, ArchivedEvaluation};
use crate::record::asking;
use crate::record::export::export;
use crate::record::publication::act::{self, Publication};
use crate::record::publication::remembered::PublicationMemory;
use crate::record::publication::signature::{self, TrustedKey};
use crate::record::summaries;
use crate::record::verify::constraints::{CheckedEvaluation, Constraints};
use crate::record::verify::elsewhere::RemoteChecks;
use crate::record::verify::findings::Findings;
use crate::record::verify::listing::{self, Listing};
use crate::record::verify::place::Location;
use crate::record::verify::reask::Reasker;
use crate::record::verify::recompare::recompare;
use crate::record::verify::reexecute::{FORGET, reexecute, was_asked};
use crate::record::verify::{blind, checks};
use crate::sources::archive::{Archive, PUBLICATION};
use crate::sparql::dataset::Dataset as _;
use crate::sparql::named_query::NamedQuery;
use crate::sparql::store::Store;
use crate::workbench::Workbench;
use crate::workbench::publish::PublishingDesk;
use crate::workbench::remove::REMOVING;

/// How an archive is checked.
#[derive(Debug, Clone, Copy)]
pub struct Thoroughness<'a> {
    /// The archive is part of one: what is not here is no problem.
    pub partial: bool,
    /// Evaluations are computed again.
    pub reexecution: bool,
    /// The key of whoever must have signed it; none: whether it is signed is told.
    pub signed_by: Option<&'a TrustedKey>,
}

impl Workbench {
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
            let is_vocabulary = archived.archive.mint().is_ontology_graph(&graph.name);
            // Of vocabularies, that of the program is there already.
            if !is_vocabulary && (!graph.is_links() || with_links) {
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

    /// A query, and its text, with what a server finds in place of its pattern: it needs no data any more, and finds without any what it
    /// finds in [`Self::everything`]. The server gets the graphs that it does not have yet; of a query that the summaries of
    /// evaluations answer, only these.
    ///
    /// # Errors
    /// Where there is no archive, or a record or a graph cannot be read; where the server does not answer in full.
    pub fn found_there(
        &self,
        (query, text): (&NamedQuery, &str),
        with_links: bool,
        remote: &RemoteStore,
        watcher: &dyn Watcher,
    ) -> Result<NamedQuery> {
        let there = (remote, watcher);
        match self.headlines(text)? {
            Some(store) => {
                let statements = store.construct(&NamedQuery::find("store/statements")?)?;
                sent::find_in((&self.mint.summaries_graph(), statements), query, there)
            }
            None => sent::find(&Archive::open(&self.root)?, query, with_links, there),
        }
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
pub fn verify(location: &Location, how: Thoroughness<'_>, watcher: &dyn Watcher) -> Result<Findings> {
    verify_there(location, how, None, watcher)
}

/// The same, with a server that answers the constraints: what is found is the same.
///
/// # Errors
/// Also where the server fails.
pub fn verify_there(
    location: &Location,
    how: Thoroughness<'_>,
    remote: Option<(&RemoteStore, Duration)>,
    watcher: &dyn Watcher,
) -> Result<Findings> {
    let (archived, damage) = Archived::open_damaged(Archive::open(location.root())?)?;
    let archive = &archived.archive;
    let mut findings = Findings::new(location.title(), how.partial);
    findings.withheld = archived.withheld()?;
    act::check(&archived, &mut findings)?;
    let changed = checks::checksums(archive, &mut findings, watcher)?;
    let listing = Listing::of(archive)?;
    listing::links(archive, &listing, &mut findings)?;
    listing::sums(archive, &listing, (location.is_packed, &location.added), &mut findings)?;
    signature::check(archive.root(), how.signed_by, &mut findings)?;
    if !location.added.is_empty() {
        let added = counted(location.added.len(), "file");
        findings.notes.push(format!("completed in a copy with {added} that the record leaves out"));
    }
    checks::knowledge_bases(archive, &changed, &mut findings);
    blind::submissions(archive, &mut findings)?;
    asking::check_submissions(archive, &mut findings)?;
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
    let interrupted = archive.state(REMOVING).is_file();
    listing::unnamed(&archived, &listing, interrupted, &mut findings)?;
    findings
        .notes
        .extend(interrupted.then(|| "a removal was interrupted; `qassay remove` ends it".to_owned()));
    let there = remote.map(|remote| RemoteChecks::new(remote, &changed, watcher));
    let constraints = Constraints::new(&archived)?.answered_by(there.as_ref());
    checked(&constraints, (&archived, &chosen, comparisons), how.reexecution, &mut findings, watcher)?;
    findings.notes.extend(there.iter().flat_map(RemoteChecks::told));
    if !how.reexecution {
        findings.notes.push(unchecked(&chosen));
    }
    findings.notes.extend(shared(&archived));
    findings.note_rewritten();
    Ok(findings)
}

/// Checks evaluations and computes them again, several at a time; what was found is in their order.
fn checked(
    constraints: &Constraints<'_>,
    (archived, chosen, comparisons): (&Archived, &[&ArchivedEvaluation], Vec<&ArchivedComparison>),
    reexecution: bool,
    findings: &mut Findings,
    watcher: &dyn Watcher,
) -> Result<()> {
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

/// What stays unchecked without re-execution.
fn unchecked(chosen: &[&ArchivedEvaluation]) -> String {
    let evaluations = counted(chosen.len(), "evaluation");
    format!(
        "not checked without re-execution: whether the inputs of {evaluations} give these numbers, matches and records, \
         and whether knowledge bases give these answers"
    )
}

/// What lists and rankings would show, and is not so.
fn remembered(archived: &Archived) -> Result<Vec<String>> {
    let listed = summaries::kept::otherwise_listed(archived).into_iter();
    let listed = listed.map(|evaluation| format!("the summary of <{}> in the list of all", evaluation.iri));
    let answers = archived.metadata.otherwise_answered(&archived.archive)?.into_iter();
    let answers = answers.map(|query| format!("what records answered to `queries/{query}.rq`"));
    // Where a publication cannot be read, that is told elsewhere, and nobody believes what is remembered of it.
    let has_records = archived.archive.records_of(PUBLICATION).is_ok_and(|all| !all.is_empty());
    let desk = has_records.then(|| PublishingDesk::new(archived).ok()).flatten();
    let memory = PublicationMemory::new(&archived.archive);
    let is_other = |publication: &&Publication| {
        let known = memory.recall(publication)?;
        let made = desk.as_ref()?.published(publication).ok().map(|record| record.parts());
        made.is_none_or(|made| !made.is_same(&known)).then_some(())
    };
    let published = desk.iter().flat_map(PublishingDesk::latest).filter(|one| is_other(one).is_some());
    let published = published.map(|one| format!("what <{}> published", one.of));
    Ok(listed.chain(answers).chain(published).map(|what| format!("{what} is another; {FORGET}")).collect())
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
