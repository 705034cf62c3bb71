//! Families of metrics: one concept for all cut-offs, such as accuracy at N. A member is the name and the cut-off.

use crate::base::vocab::code;
use crate::measures::cutoff::with_cutoff;
use crate::profiles::ontology;
use crate::profiles::read::property;

/// A member of a family: `accuracyAt5` is `accuracyAt` with 5.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member<'a> {
    /// The concept of the family, without namespace.
    pub family: &'a str,
    /// The cut-off, 1 or more.
    pub cutoff: u64,
}

impl<'a> Member<'a> {
    /// What a metric is a member of; nothing where it stands for itself.
    pub fn of(metric: &'a str) -> Option<Self> {
        let (family, cutoff) = with_cutoff(metric)?;
        is_family(family).then_some(Self { family, cutoff })
    }

    /// Whether its cut-off is a rank, which users may choose; else it is a share.
    pub fn is_of_ranks(&self) -> bool {
        ontology::terms().text(&code::iri(self.family), &property("cutoffOf"))
            == Some(&code::iri("cutoff-rank"))
    }
}

/// Whether a concept is a family of metrics.
fn is_family(name: &str) -> bool {
    ontology::terms().text(&code::iri(name), &property("cutoffOf")).is_some()
}

/// The concept that defines a metric: that of its family, if it is in one.
pub fn defining(metric: &str) -> &str {
    Member::of(metric).map_or(metric, |member| member.family)
}

/// Metrics with the members of every family of ranks at these cut-offs in place of their own.
pub fn at_cutoffs(metrics: &[String], cutoffs: &[u64]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for metric in metrics {
        let members = match Member::of(metric).filter(Member::is_of_ranks) {
            Some(member) => cutoffs.iter().map(|cutoff| format!("{}{cutoff}", member.family)).collect(),
            None => vec![metric.clone()],
        };
        all.extend(members.into_iter().filter(|member| !all.contains(member)).collect::<Vec<_>>());
    }
    all
}
