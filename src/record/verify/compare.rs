//! The graphs of an evaluation as they are kept, beside the same graphs computed again.

use crate::base::error::Result;
use crate::record::verify::numbers::{NumberKind, Numbers, OtherNumber};

/// How far two pairs of graphs agree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Agreement {
    /// How many numbers and matches were compared.
    pub compared: u64,
    /// The numbers that differ.
    pub differences: Vec<OtherNumber>,
    /// Metrics that are computed now and were not recorded: a later version measures more.
    pub more: u64,
    /// Statements that are recorded only.
    pub only_recorded: u64,
    /// Statements that are computed only.
    pub only_computed: u64,
}

impl Agreement {
    /// Whether every number that was recorded is computed again.
    pub fn has_same_numbers(&self) -> bool {
        self.differences.is_empty()
    }

    /// How many differences there are of a kind.
    pub fn count(&self, kind: NumberKind) -> u64 {
        self.differences.iter().filter(|difference| difference.kind == kind).count() as u64
    }
}

/// Compares graphs: the IRI of the evaluation and the N-Quads of its graphs, as recorded and as computed.
pub fn compare(recorded: (&str, &[&[u8]]), computed: (&str, &[&[u8]])) -> Result<Agreement> {
    let numbers = |(evaluation, graphs): (&str, &[&[u8]])| {
        let mut numbers = Numbers::default();
        graphs.iter().try_for_each(|graph| numbers.read(evaluation, *graph))?;
        Ok(numbers)
    };
    let (old, new) = (numbers(recorded)?, numbers(computed)?);
    let is_more =
        |difference: &OtherNumber| difference.kind == NumberKind::Aggregate && difference.recorded.is_none();
    let (more, differences): (Vec<_>, Vec<_>) = old.differences(&new).into_iter().partition(is_more);
    let (only_recorded, only_computed) = lines(recorded.1, computed.1);
    Ok(Agreement {
        compared: old.len() as u64,
        differences,
        // The number of questions of a metric is not one more.
        more: more.iter().filter(|difference| !difference.property.contains(',')).count() as u64,
        only_recorded,
        only_computed,
    })
}

/// How many lines are on one side only.
fn lines(recorded: &[&[u8]], computed: &[&[u8]]) -> (u64, u64) {
    let sorted = |graphs: &[&[u8]]| {
        let mut lines: Vec<Vec<u8>> = graphs
            .iter()
            .flat_map(|graph| graph.split(|byte| *byte == b'\n'))
            .filter(|line| !line.is_empty())
            .map(<[u8]>::to_vec)
            .collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    };
    let (old, new) = (sorted(recorded), sorted(computed));
    let only = |these: &[Vec<u8>], those: &[Vec<u8>]| {
        these.iter().filter(|line| those.binary_search(line).is_err()).count() as u64
    };
    (only(&old, &new), only(&new, &old))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::vocab::qassay;

    #[test]
    fn more_metrics_are_no_difference_and_fewer_are() {
        let metric = |name: &str, value: &str| {
            format!("<http://e/agg/QA/all/{name}> <{}> \"{value}\" <http://g> .\n", qassay::VALUE)
        };
        let (one, two) = (metric("microF1", "0.5"), metric("macroF1", "0.5"));
        let both = format!("{one}{two}");
        let (few, many) = ([one.as_bytes()], [both.as_bytes()]);
        let agreement = compare(("http://e", &few), ("http://e", &many)).unwrap();
        assert!(agreement.has_same_numbers());
        assert_eq!((agreement.compared, agreement.more, agreement.only_computed), (1, 1, 1));
        let agreement = compare(("http://e", &many), ("http://e", &few)).unwrap();
        assert_eq!(agreement.count(NumberKind::Aggregate), 1);
        assert_eq!((agreement.more, agreement.only_recorded, agreement.only_computed), (0, 1, 0));
        assert!(compare(("http://e", &[b"<broken"]), ("http://e", &few)).is_err());
    }
}
