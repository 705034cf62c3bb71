//! What papers want of a table: their columns, their digits, the best numbers bold, where they are.

use std::collections::BTreeMap;

use crate::base::error::{Error, Result};
use crate::base::vocab::{code, qassay};
use crate::measures::definition::Unit;
use crate::measures::metric::Metric;
use crate::profiles::ontology::{self, shown_name};
use crate::record::comparison::headline::{HeadlineInterval, HeadlineIntervals};
use crate::record::comparison::settings::ClusterUnit;
use crate::record::results::{Results, TypeResults};
use crate::report::columns::{ShownMetric, columns, heading};
use crate::report::comparison::shown::{grouped, reason};
use crate::report::evaluations::{RowOwner, number, overview_of};
use crate::report::table::{Align, Column, Table};
use crate::statistics::resample::RESAMPLES;

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

/// Puts the bounds of headline measures behind their columns, and below what they are. The values of a table are its last
/// columns; each row has its owner.
fn add_bounds(
    table: &mut Table,
    owners: &[RowOwner<'_>],
    shown: &[ShownMetric],
    intervals: &HeadlineIntervals,
    digits: Option<u32>,
) {
    let known = |owner: &RowOwner<'_>| owner.and_then(|(results, types)| intervals.get(results, types));
    let of_rows: Vec<Option<&HeadlineInterval>> = owners.iter().map(known).collect();
    let columns: Vec<Option<usize>> =
        of_rows.iter().map(|one| one.and_then(|one| column_of(one.metric, shown))).collect();
    let first = table.columns.len() - shown.len();
    // The last first, so that places before it stay what they are.
    for (at, (metric, _)) in shown.iter().enumerate().rev() {
        if !columns.contains(&Some(at)) {
            continue;
        }
        let place = first + at + 1;
        let headings = [("from", "Low"), ("to", "High")];
        let headings = headings.map(|(heading, bound)| Column::number(heading, &format!("{metric}{bound}")));
        table.columns.splice(place..place, headings);
        for ((row, one), column) in table.rows.iter_mut().zip(&of_rows).zip(&columns) {
            row.splice(place..place, bounds(one.filter(|_| *column == Some(at)), digits));
        }
        for (_, column) in table.bold.iter_mut().filter(|(_, column)| *column >= place) {
            *column += 2;
        }
    }
    table.footnotes.extend(notes(owners, &of_rows, &columns));
}

/// Which of some measures a measure is, or which it is shown as.
fn column_of(metric: Metric, shown: &[ShownMetric]) -> Option<usize> {
    let itself = shown.iter().position(|(known, _)| *known == metric);
    itself.or_else(|| shown.iter().position(|(known, _)| known.to_string() == shown_name(metric)))
}

fn bounds(one: Option<&HeadlineInterval>, digits: Option<u32>) -> [String; 2] {
    let interval = one.and_then(|one| one.interval.as_ref());
    let both = interval.map(|interval| [&interval.low, &interval.high].map(|bound| number(bound, digits)));
    both.unwrap_or_else(|| ["-", "-"].map(str::to_owned))
}

/// What the bounds are, and where there are none.
fn notes(
    owners: &[RowOwner<'_>],
    of_rows: &[Option<&HeadlineInterval>],
    columns: &[Option<usize>],
) -> Vec<String> {
    let (mut measures, mut without): (Vec<String>, BTreeMap<String, Vec<String>>) = Default::default();
    for ((owner, one), column) in owners.iter().zip(of_rows).zip(columns) {
        let (Some((results, types)), Some(one)) = (owner, one) else { continue };
        let unit = match one.cluster {
            ClusterUnit::Question => "questions",
            ClusterUnit::Variant => "questions with their variants",
        };
        let why = match (one.no_interval, column) {
            (Some(why), _) => reason(why).to_owned(),
            (None, None) => format!("{} is not shown: no interval", heading(one.metric)),
            (None, Some(_)) => {
                let words = format!("{} over {unit}", heading(one.metric));
                if !measures.contains(&words) {
                    measures.push(words);
                }
                continue;
            }
        };
        let who = format!("{} of {} ({})", types.name, results.submission.name, results.profile.name);
        without.entry(why).or_default().push(who);
    }
    let has_bounds = !measures.is_empty();
    let (measures, resamples) = (measures.join(", of "), grouped(RESAMPLES));
    let about = format!("from, to: the 95 % interval of {measures}, from {resamples} resamples");
    let without = without.into_iter().map(|(why, who)| format!("{}: {why}", who.join(", ")));
    has_bounds.then_some(about).into_iter().chain(without).collect()
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
