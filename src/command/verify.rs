//! `qassay verify`: checksums, constraints, re-execution, and where numbers differ the first cause.

mod blind;
mod checks;
mod place;
mod report;

use std::collections::BTreeSet;
use std::process::ExitCode;

use qassay::base::error::Result;
use qassay::sources::archive::Archive;

pub(super) use self::checks::SUMS;
use self::place::Place;
use self::report::Report;
use super::Output;
use super::archived::{Archived, ArchivedEvaluation};
use super::reask::Reasker;
use super::reexecute::{Verdict, reexecute};
use crate::cli::Verify;

/// Runs the command. Exit code 1: something is not as it should be; 3: nothing is wrong with what is here, and not
/// everything could be checked.
pub(crate) fn run(arguments: &Verify, output: &Output) -> Result<ExitCode> {
    let place = Place::of(arguments)?;
    let archive = Archive::open(place.root())?;
    let mut report = Report::new(place.title(), arguments.partial);
    let changed = checks::checksums(&archive, &mut report, output)?;
    checks::sums(&archive, &mut report)?;
    checks::knowledge_bases(&archive, &changed, &mut report);
    blind::submissions(&archive, &mut report)?;
    let (archived, damage) = Archived::open_damaged(archive)?;
    let chosen: Vec<&ArchivedEvaluation> = match &place.word {
        Some(word) => vec![archived.find(word, None)?],
        None => archived.evaluations.iter().collect(),
    };
    checks::registry(&archived, &damage, &mut report)?;
    report.notes.extend(checks::unlisted(&archived.archive)?);
    report.notes.extend(checks::unnamed(&archived)?);
    let reasker = Reasker::new(&archived);
    let progress = output.progress(chosen.len(), "verifying");
    for evaluation in chosen {
        checks::constraints(&archived, evaluation, &mut report)?;
        if !arguments.no_reexecution {
            report.verdict(reexecute(&archived, evaluation, &reasker));
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    report.notes.extend(rewritten(&report.evaluations));
    output.result(&place.named(report.render(arguments.format)?, arguments.format))?;
    Ok(report.exit_code())
}

/// The records that other versions of the program wrote in their own way.
fn rewritten(verdicts: &[Verdict]) -> Option<String> {
    let records: BTreeSet<&String> = verdicts.iter().flat_map(|verdict| &verdict.rewritten).collect();
    (!records.is_empty()).then(|| {
        let first: Vec<&str> = records.iter().take(3).map(|record| record.as_str()).collect();
        let more = if records.len() > first.len() { ", …" } else { "" };
        format!(
            "records of another version of the program, not byte for byte what this one writes: {} ({}{more})",
            records.len(),
            first.join(", ")
        )
    })
}

impl Report {
    /// Adds what came of computing an evaluation again.
    fn verdict(&mut self, verdict: Verdict) {
        let looked_at = verdict.executions.len() as u64;
        let finding =
            self.add("re-execution", &verdict.iri, looked_at, verdict.problems(), verdict.missing.clone());
        finding.result = Some(verdict.outcome.name());
        self.evaluations.push(verdict);
    }
}
