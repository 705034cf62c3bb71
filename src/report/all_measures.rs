//! Every measure of every experiment type: one row each.

use crate::measures::definition::Unit;
use crate::measures::metric::Metric;
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
                let shown = |value| number(value, digits.filter(|_| metric.measure.unit != Unit::Count));
                let bound = |of: fn(&TieBounds) -> &Decimal| {
                    value.ties.as_ref().map_or_else(String::new, |ties| shown(of(ties)))
                };
                table.rows.push(vec![
                    one.submission.name.clone(),
                    one.profile.name.clone(),
                    experiment.name.clone(),
                    metric.to_string(),
                    name(*metric),
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
fn name(metric: Metric) -> String {
    let name = Meaning::of(metric).unwrap_or_default().name;
    metric.cutoff.map_or(name.clone(), |cutoff| format!("{name} {cutoff}"))
}
