//! Each two systems: difference, interval, test, wins and losses.

use crate::record::comparison::settings::ComparisonSettings;
use crate::record::comparison::{ComparedPair, ComparedTable};
use crate::report::comparison::shown::{Shown, about, alerts, computed, ordered, questions_notes, reason};
use crate::report::table::{Column, Table};

/// The columns that tell of two systems.
pub(crate) fn columns() -> Vec<Column> {
    vec![
        Column::text("a", "a"),
        Column::text("b", "b"),
        Column::number("a − b", "difference"),
        Column::number("from", "low"),
        Column::number("to", "high"),
        Column::number("p", "p"),
        Column::number("adjusted", "adjusted"),
        Column::number("differ", "differing"),
        Column::number("W", "wins"),
        Column::number("T", "ties"),
        Column::number("L", "losses"),
        Column::number("detectable", "detectable"),
    ]
}

/// A row a pair.
pub(super) fn pairs(shown: Shown, compared: &ComparedTable, settings: &ComparisonSettings) -> Table {
    let mut table = Table { title: about(compared), columns: columns(), ..Table::default() };
    table.rows = if shown.is_plain() {
        compared.pairs.iter().map(|pair| row(shown, pair)).collect()
    } else {
        best_first(compared).iter().map(|pair| row(shown, pair)).collect()
    };
    table.alerts = alerts(compared, settings);
    table.footnotes = questions_notes(compared);
    table.footnotes.push(match compared.no_pairs {
        Some(why) => reason(why).to_owned(),
        None => computed(compared, settings),
    });
    table
}

/// The pairs of the best system first, in each the better one; a baseline stays where it is.
fn best_first(compared: &ComparedTable) -> Vec<ComparedPair> {
    let order = ordered(compared);
    let place = |name: &String| order.iter().position(|system| system.system == *name);
    let turned = |pair: &ComparedPair| {
        let is_turned = compared.baseline.is_none() && place(&pair.b) < place(&pair.a);
        if is_turned { pair.turned() } else { pair.clone() }
    };
    let mut pairs: Vec<ComparedPair> = compared.pairs.iter().map(turned).collect();
    pairs.sort_by_key(|pair| (place(&pair.a), place(&pair.b)));
    pairs
}

/// The cells of [`columns`].
pub(crate) fn row(shown: Shown, pair: &ComparedPair) -> Vec<String> {
    let effect = pair.effect.as_ref();
    let ends = [
        shown.p(&pair.test.p),
        shown.adjusted(&pair.test.adjusted, pair.test.significant),
        pair.test.differing.to_string(),
        shown.count(effect.map(|effect| effect.wins)),
        shown.count(effect.map(|effect| effect.ties)),
        shown.count(effect.map(|effect| effect.losses)),
        shown.optional(effect.and_then(|effect| effect.detectable.as_ref())),
    ];
    [pair.a.clone(), pair.b.clone(), shown.number(&pair.difference)]
        .into_iter()
        .chain(shown.bounds(pair.interval.as_ref()))
        .chain(ends)
        .collect()
}
