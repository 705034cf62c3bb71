//! The comparisons of an archive, as the provenance of their executions tells them.

use crate::record::archived::metadata::TextRows;

/// A comparison that the archive holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArchivedComparison {
    /// Its IRI.
    pub iri: String,
    /// What it is called.
    pub title: String,
    /// The executions that made it, each with the digest of what it wrote.
    pub executions: Vec<(String, String)>,
    /// The IRIs of the evaluations that were compared.
    pub evaluations: Vec<String>,
}

impl ArchivedComparison {
    /// What stands at the end of its IRI.
    pub fn key(&self) -> &str {
        self.iri.rsplit('/').next().unwrap_or_default()
    }
}

/// The comparisons of an archive, from what `store/comparisons` finds, in the order of their IRIs.
pub(super) fn comparisons(found: &TextRows) -> Vec<ArchivedComparison> {
    let mut all: Vec<ArchivedComparison> = Vec::new();
    for row in &found.rows {
        let Ok([iri, title, execution, digest, evaluation]) = <&[String; 5]>::try_from(row.as_slice()) else {
            continue;
        };
        if all.last().is_none_or(|last| last.iri != *iri) {
            let new = ArchivedComparison {
                iri: iri.clone(),
                title: title.clone(),
                ..ArchivedComparison::default()
            };
            all.push(new);
        }
        let Some(last) = all.last_mut() else { continue };
        let run = (execution.clone(), digest.clone());
        if !last.executions.contains(&run) {
            last.executions.push(run);
        }
        if !last.evaluations.contains(evaluation) {
            last.evaluations.push(evaluation.clone());
        }
    }
    all
}
