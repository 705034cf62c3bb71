//! Every measure of every experiment type: one row each.

use crate::profiles::metric_family::Member;
use crate::record::results::decimal::Decimal;
use crate::record::results::{Results, TieBounds};
use crate::report::definitions::Meaning;
use crate::report::evaluations::number;
use crate::report::table::{Column, Table};

/// One row a system, experiment type and measure that is defined, over all questions, with what ties could make of it.
pub fn all_measures<'a>(results: impl IntoIterator<Item = &'a Results>, digits: Option<u32>) -> Table {
    let mut table = Table { title: "All measures".to_owned(), ..Table::default() };
    table.columns = ["system", "profile", "experiment", "measure", "name"]
        .map(|heading| Column::text(heading, heading))
        .to_vec();
    for name in ["value", "worst", "best", "sample"] {
        table.columns.push(Column::number(name, name));
    }
    for one in results {
        for experiment in &one.experiments {
            let metrics = experiment.all().into_iter().flat_map(|group| &group.metrics);
            for (metric, value) in metrics.filter_map(|(metric, value)| Some((metric, value.as_ref()?))) {
                let shown = |value| number(value, digits.filter(|_| !metric.ends_with("Count")));
                let bound = |of: fn(&TieBounds) -> &Decimal| {
                    value.ties.as_ref().map_or_else(String::new, |ties| shown(of(ties)))
                };
                table.rows.push(vec![
                    one.submission.name.clone(),
                    one.profile.name.clone(),
                    experiment.name.clone(),
                    metric.clone(),
                    name(metric),
                    shown(&value.value),
                    bound(|ties| &ties.worst),
                    bound(|ties| &ties.best),
                    value.sample_size.to_string(),
                ]);
            }
        }
    }
    table
}

/// The name of a metric for people, with the cut-off of a member of a family.
fn name(metric: &str) -> String {
    let name = Meaning::of_metric(metric).unwrap_or_default().name;
    Member::of(metric).map_or(name.clone(), |member| format!("{name} {}", member.cutoff))
}
