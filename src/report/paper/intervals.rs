//! Intervals beside the headline measures of evaluations: two bounds, or the reason why there are none.

use std::collections::BTreeMap;

use crate::measures::metric::Metric;
use crate::profiles::ontology::shown_name;
use crate::record::comparison::headline::{HeadlineInterval, HeadlineIntervals};
use crate::record::comparison::settings::ClusterUnit;
use crate::report::columns::{ShownMetric, heading};
use crate::report::comparison::shown::{grouped, reason};
use crate::report::evaluations::{RowOwner, number};
use crate::report::table::{Column, Table};
use crate::statistics::resample::RESAMPLES;

/// Puts the bounds of headline measures behind their columns, and below what they are. The values of a table are its last
/// columns; each row has its owner.
pub(crate) fn add_bounds(
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
