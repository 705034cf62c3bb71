//! Checking an archive, and writing evaluations of one into another.

use std::path::Path;

use crate::base::error::{Error, Result};
use crate::base::watch::{Steps, Watcher};
use crate::record::archived::{Archived, ArchivedEvaluation};
use crate::record::export::export;
use crate::record::verify::findings::Findings;
use crate::record::verify::place::Location;
use crate::record::verify::reask::Reasker;
use crate::record::verify::reexecute::reexecute;
use crate::record::verify::{blind, checks};
use crate::sources::archive::Archive;
use crate::workbench::Workbench;

/// How an archive is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thoroughness {
    /// The archive is part of one: what is not here is no problem.
    pub partial: bool,
    /// Evaluations are computed again.
    pub reexecution: bool,
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
    let (archived, damage) = Archived::open_damaged(archive)?;
    let chosen: Vec<&ArchivedEvaluation> = match &location.word {
        Some(word) => vec![archived.find(word, None)?],
        None => archived.evaluations.iter().collect(),
    };
    checks::registry(&archived, &damage, &mut findings)?;
    findings.notes.extend(checks::unlisted(&archived.archive)?);
    findings.notes.extend(checks::unnamed(&archived)?);
    let reasker = Reasker::new(&archived);
    let steps = Steps::new(watcher, "verifying", chosen.len());
    for evaluation in chosen {
        watcher.check()?;
        checks::constraints(&archived, evaluation, &mut findings)?;
        if how.reexecution {
            findings.verdict(reexecute(&archived, evaluation, &reasker));
        }
        steps.step();
    }
    findings.note_rewritten();
    Ok(findings)
}

impl Workbench {
    /// Writes evaluations, each named by its IRI, the beginning of its key or the name of its system, with all that they
    /// use into an archive of their own: a new folder, or a new file that ends with `.tar.gz`. Gives the number of files.
    ///
    /// # Errors
    /// Where something is there already; where no evaluation, or several, are called so; where a file is not here.
    pub fn export(&self, evaluations: &[String], out: &Path, with_inputs: bool) -> Result<usize> {
        if out.exists() {
            return Err(Error::input("this is there already")
                .in_file(out.display().to_string())
                .allowed("a new folder, or a new file that ends with .tar.gz"));
        }
        let archived = self.archived()?;
        let chosen: Vec<&ArchivedEvaluation> =
            evaluations.iter().map(|word| archived.find(word, None)).collect::<Result<_>>()?;
        export(&archived, &chosen, out, with_inputs)
    }
}
