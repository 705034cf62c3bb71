//! What papers want of a table: their columns, their digits, the best numbers bold.

mod intervals;

use std::collections::BTreeMap;

use crate::base::error::{Error, Result};
use crate::base::vocab::{code, qassay};
use crate::measures::definition::Unit;
use crate::measures::metric::Metric;
use crate::profiles::ontology;
use crate::record::comparison::headline::HeadlineIntervals;
use crate::record::results::{Results, TypeResults};
use crate::report::columns::{ShownMetric, columns, heading};
use crate::report::evaluations::overview_of;
use crate::report::paper::intervals::add_bounds;
use crate::report::table::{Align, Table};

/// What a table of results is to look like.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Look {
    /// The measures, by name (`macroF1`) or heading (`macro F1`); none: the usual ones.
    pub columns: Vec<String>,
    /// The digits behind the point; none: all.
    pub digits: Option<u32>,
    /// Whether the best value of each measure is bold, where several systems stand together.
    pub bold: bool,
    /// Whether values that come from what a submission repeats are marked.
    pub marked: bool,
    /// What stands below the table.
    pub caption: Option<String>,
    /// The intervals that stand beside headline measures; none: no columns for them.
    pub intervals: Option<HeadlineIntervals>,
}

/// The table of results with this look.
///
/// # Errors
/// Where no evaluation has a measure of that name.
pub fn overview(results: &[Results], look: &Look) -> Result<Table> {
    let shown = if look.columns.is_empty() { columns(results) } else { chosen(results, &look.columns)? };
    let (mut table, owners) = overview_of(results, &shown, look.digits, look.marked);
    table.caption.clone_from(&look.caption);
    if look.bold {
        table.bold = best(&table, &shown);
    }
    if let Some(intervals) = &look.intervals {
        add_bounds(&mut table, &owners, &shown, intervals, look.digits);
    }
    Ok(table)
}

/// The metrics that words name.
fn chosen(results: &[Results], words: &[String]) -> Result<Vec<ShownMetric>> {
    let groups = results.iter().flat_map(|one| &one.experiments).filter_map(TypeResults::all);
    let mut known: Vec<ShownMetric> = Vec::new();
    for (metric, _) in groups.flat_map(|group| &group.metrics) {
        if !known.iter().any(|(seen, _)| seen == metric) {
            known.push((*metric, heading(*metric)));
        }
    }
    let find = |word: &String| {
        let word = word.trim();
        let found = known.iter().find(|(metric, heading)| heading == word || metric.to_string() == word);
        found.cloned().ok_or_else(|| {
            let names: Vec<String> = known.iter().map(|(metric, _)| metric.to_string()).collect();
            Error::input(format!("no evaluation has the measure `{word}`")).allowed(names.join(", "))
        })
    };
    words.iter().map(find).collect()
}

/// The cells with the best value of a measure among the rows that differ in the system only; as shown, so that equal
/// numbers are equally bold.
fn best(table: &Table, shown: &[ShownMetric]) -> Vec<(usize, usize)> {
    let first = table.columns.iter().position(|column| column.align == Align::Right).unwrap_or_default();
    let mut together: BTreeMap<&[String], Vec<usize>> = BTreeMap::new();
    for (number, row) in table.rows.iter().enumerate() {
        together.entry(row.get(1..first).unwrap_or_default()).or_default().push(number);
    }
    let mut bold = Vec::new();
    for rows in together.into_values().filter(|rows| rows.len() > 1) {
        for ((metric, _), column) in shown.iter().zip(first..) {
            let Some(is_lower_better) = is_lower_better(*metric) else { continue };
            let value = |row: &usize| table.rows[*row][column].trim_end_matches('!').parse::<f64>().ok();
            let ranked = |row: &usize| value(row).map(|value| if is_lower_better { -value } else { value });
            if rows.iter().filter_map(ranked).count() < 2 {
                continue;
            }
            let best = rows.iter().filter_map(ranked).fold(f64::NEG_INFINITY, f64::max);
            let is_best = |row: &&usize| ranked(row).is_some_and(|value| value >= best);
            bold.extend(rows.iter().filter(is_best).map(|row| (*row, column)));
        }
    }
    bold
}

/// Whether less is better; nothing where no value is better than another, or things are counted.
fn is_lower_better(metric: Metric) -> Option<bool> {
    if metric.measure.unit == Unit::Count {
        return None;
    }
    let direction = format!("{}direction", qassay::NAMESPACE);
    match ontology::terms().codes(&code::iri(&metric.concept()), &direction).next() {
        Some("higher-is-better") => Some(false),
        Some("lower-is-better") => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_better_is_said_by_the_ontology() {
        let better = |name: &str| is_lower_better(Metric::named(name).expect("a metric"));
        assert_eq!(
            ["macroF1", "meanResponseTime", "questionCount"].map(better),
            [Some(false), Some(true), None]
        );
    }
}
