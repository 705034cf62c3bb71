//! What was found in an archive: check by check, evaluation by evaluation.

use std::collections::BTreeSet;

use crate::base::text::{counted, first};
use crate::record::verify::absent::AbsentPart;
use crate::record::verify::reexecute::Reproduction;
use crate::record::verify::reexecute::execution::Reproduced;

/// What was looked at and what was found.
#[derive(Debug)]
pub struct Findings {
    /// What was looked at.
    pub title: String,
    /// Whether things are missing on purpose.
    partial: bool,
    /// The checksums of what a publication says that it leaves out: that is not checked, and no failure.
    pub withheld: BTreeSet<String>,
    /// The checks, in the order in which they were made.
    pub rows: Vec<Finding>,
    /// What came of computing evaluations again.
    pub evaluations: Vec<Reproduction>,
    /// What is worth saying and no problem.
    pub notes: Vec<String>,
}

/// One check.
#[derive(Debug)]
pub struct Finding {
    /// The check.
    pub check: String,
    /// What was checked.
    pub about: String,
    /// How many things were looked at.
    pub looked_at: u64,
    /// What is wrong.
    pub problems: Vec<String>,
    /// What is not here, where that is on purpose.
    pub missing: Vec<String>,
    /// The result, where there is a better word than `ok`.
    pub result: Option<&'static str>,
}

impl Finding {
    /// The result in a word or two.
    pub fn result(&self) -> String {
        match (self.result, self.problems.len(), self.missing.len()) {
            (Some(word), ..) => word.to_owned(),
            (None, 0, 0) => "ok".to_owned(),
            // Where a part is not here, nothing is looked at.
            (None, 0, _) if self.looked_at == 0 => "not checked".to_owned(),
            (None, 0, missing) => format!("{missing} not here"),
            (None, problems, _) => counted(problems, "problem"),
        }
    }
}

impl Findings {
    /// Nothing is looked at yet.
    pub fn new(title: String, partial: bool) -> Self {
        Self {
            title,
            partial,
            withheld: BTreeSet::new(),
            rows: Vec::new(),
            evaluations: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Whether a publication says that this is left out.
    fn is_withheld(&self, absent: &AbsentPart) -> bool {
        absent.sha256.as_ref().is_some_and(|sha256| self.withheld.contains(sha256))
    }

    /// Adds a check. What is missing is a problem, unless it is withheld or the archive is part of one.
    pub fn add(
        &mut self,
        check: &str,
        about: &str,
        looked_at: u64,
        mut problems: Vec<String>,
        absent: Vec<AbsentPart>,
    ) -> &mut Finding {
        let mut missing = Vec::new();
        for one in absent {
            if self.is_withheld(&one) {
                missing.push(format!("{}: it is withheld", one.told));
            } else if self.partial {
                missing.push(one.told);
            } else {
                problems.push(one.told);
            }
        }
        let (check, about) = (check.to_owned(), about.to_owned());
        self.rows.push(Finding { check, about, looked_at, problems, missing, result: None });
        let last = self.rows.len() - 1;
        &mut self.rows[last]
    }

    /// Whether something is not as it should be.
    pub fn failed(&self) -> bool {
        self.rows.iter().any(|finding| !finding.problems.is_empty())
    }

    /// Whether everything could be checked.
    pub fn is_complete(&self) -> bool {
        let is_checked = |verdict: &Reproduction| verdict.outcome != Reproduced::NotChecked;
        self.rows.iter().all(|finding| finding.missing.is_empty()) && self.evaluations.iter().all(is_checked)
    }

    /// Adds what came of computing an evaluation again.
    pub fn verdict(&mut self, verdict: Reproduction) {
        let looked_at = verdict.executions.len() as u64;
        let finding =
            self.add("re-execution", &verdict.iri, looked_at, verdict.problems(), verdict.missing.clone());
        finding.result = Some(verdict.outcome.name());
        self.evaluations.push(verdict);
    }

    /// Adds a note about the records that other versions of the program wrote in their own way.
    pub fn note_rewritten(&mut self) {
        let records: BTreeSet<&String> =
            self.evaluations.iter().flat_map(|verdict| &verdict.rewritten).collect();
        if records.is_empty() {
            return;
        }
        self.notes.push(format!(
            "records of another version of the program, not byte for byte what this one writes: {} ({})",
            records.len(),
            first(records.iter().map(|record| record.as_str()), 3)
        ));
    }
}
