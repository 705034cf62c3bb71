//! A record into an archive of one's own: what it used and what it gave, checked before anything of it is visible.

use std::io;
use std::path::Path;

use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::base::model::Model;
use crate::base::watch::{Steps, Watcher};
use crate::record::archived::Archived;
use crate::record::imported::{ImportPlan, Precedence, planned};
use crate::record::verify::findings::Findings;
use crate::record::verify::place::Location;
use crate::sources::archive::Archive;
use crate::sources::archive::stored::StoredFile;
use crate::workbench::Workbench;
use crate::workbench::archive::{Thoroughness, verify};

/// What came of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Imported {
    /// The records that are new.
    pub records: usize,
    /// The records that were there already.
    pub known: usize,
}

/// What came of merging one archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// How many of its records are new, and how many were there.
    pub imported: Imported,
    /// What is the same in part: names that share a submission, descriptions of which one stays.
    pub notes: Vec<String>,
}

/// In which of base and model two archives differ, each with what it is called.
pub(super) fn difference((one, known): (&str, &Mint), (other, wanted): (&str, &Mint)) -> String {
    if known.base() != wanted.base() {
        let bases = [known, wanted].map(Mint::base);
        return format!("the IRIs of {one} begin with {}, those of {other} with {}", bases[0], bases[1]);
    }
    let models = [known.model(), wanted.model()].map(Model::number);
    format!("{one} has version {} of the model, {other} version {}", models[0], models[1])
}

impl Workbench {
    /// Verifies a record and, where nothing is wrong with it, takes it into the archive: gives what was found, and what came of
    /// it.
    ///
    /// # Errors
    /// As for [`verify`]; where a record of the archive says something else, where the models differ, or something cannot be
    /// written.
    pub fn import(
        &self,
        location: &Location,
        how: Thoroughness<'_>,
        watcher: &dyn Watcher,
    ) -> Result<(Findings, Option<Imported>)> {
        let findings = verify(location, how, watcher)?;
        let imported = (!findings.failed()).then(|| self.take(location.root(), watcher)).transpose()?;
        Ok((findings, imported))
    }

    /// Takes what a record holds into the archive: what is there already must be the same. Two names for one submission, and two
    /// executions of one evaluation, are both kept.
    ///
    /// # Errors
    /// Where a record of the archive says something else, where the models differ, or something cannot be read or written.
    fn take(&self, from: &Path, watcher: &dyn Watcher) -> Result<Imported> {
        let from = Archived::open(Archive::open(from)?)?;
        let archive = self.archive_for(&from)?;
        let _lock = archive.lock_executions()?;
        let into = Archived::open(archive)?;
        carry_out(&from, &into, &planned(&from, &into, Precedence::Known)?, watcher)
    }

    /// The archive to write into; a new one gets the model and the base of the record.
    pub(super) fn archive_for(&self, from: &Archived) -> Result<Archive> {
        let archive = self.create()?;
        let (known, wanted) = (archive.mint().clone(), from.archive.mint());
        if known == *wanted {
            return Ok(archive);
        }
        if archive.records()?.iter().all(|record| *record == archive.stated_in()) {
            archive.keep_model(wanted)?;
            drop(archive);
            return self.create();
        }
        Err(self.other_model(&known, wanted))
    }

    /// What is said where an archive of another base or another version of the model is to come into this one.
    pub(super) fn other_model(&self, known: &Mint, wanted: &Mint) -> Error {
        let hint = if known.base() == wanted.base() {
            "`qassay upgrade` upgrades an archive; an older record goes into a new archive, `⌥archive DIR`, which can be upgraded"
        } else {
            "import into a new archive, which gets the base of the record: `⌥archive DIR`"
        };
        Error::input(difference(("the archive", known), ("the record", wanted)))
            .in_file(self.root.display().to_string())
            .hint(hint)
    }
}

/// Does what is planned: files and graphs first, records last, so that nothing is there in part.
///
/// # Errors
/// Where a record of the archive says something else, or something cannot be read or written.
pub(super) fn carry_out(
    from: &Archived,
    into: &Archived,
    plan: &ImportPlan,
    watcher: &dyn Watcher,
) -> Result<Imported> {
    if !plan.conflicts.is_empty() {
        return Err(Error::check("the archive has other records of the same things")
            .in_file(into.archive.root().display().to_string())
            .list(plan.conflicts.iter().cloned())
            .hint("import into another archive: `⌥archive DIR`"));
    }
    let executions = plan.records.iter().filter(|(kind, ..)| kind == "execution");
    let executions: Vec<&str> = executions.map(|(_, key, _)| key.as_str()).collect();
    executions.iter().try_for_each(|key| into.archive.begin_execution(key))?;
    contents(from, &into.archive, plan, watcher)?;
    for (kind, key, content) in &plan.records {
        into.archive.keep_record_bytes(kind, key, content)?;
    }
    executions.iter().try_for_each(|key| into.archive.end_execution(key))?;
    Ok(Imported { records: plan.records.len(), known: plan.known })
}

/// Copies the files and the graphs of a record.
fn contents(from: &Archived, into: &Archive, plan: &ImportPlan, watcher: &dyn Watcher) -> Result<()> {
    let steps = Steps::new(watcher, "importing", from.graphs.len());
    for graph in &from.graphs {
        watcher.check()?;
        steps.step();
        let file = from.archive.graph(&graph.sha256);
        let is_other = into.mint().is_ontology_graph(&graph.name) || plan.replaced.contains(&graph.name);
        if is_other || !file.is_file() {
            continue;
        }
        let mut content = file.checked().map_err(|error| file.unreadable(&error))?;
        into.keep_graph(&graph.subject, |out| io::copy(&mut content, out).map(|_| graph.statements))?;
    }
    for (about, graph) in &plan.graphs {
        into.keep_graph(about, |out| out.write_all(graph).map(|()| 0))?;
    }
    for path in from.archive.contents()? {
        let file = StoredFile::new(&path);
        if path == from.archive.file(&file.sha256()) {
            watcher.check()?;
            into.keep_path(&path, &file.sha256())?;
        }
    }
    Ok(())
}
