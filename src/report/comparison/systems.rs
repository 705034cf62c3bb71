//! The systems of a table: value, interval, ranks and how certain they are.

use crate::record::comparison::settings::ComparisonSettings;
use crate::record::comparison::{ComparedSystem, ComparedTable};
use crate::report::comparison::shown::{Shown, about, alerts, ordered, questions_notes, value};
use crate::report::table::{Column, Table};
use crate::statistics::undefined::Undefined;

/// A row a system, the best first.
pub(crate) fn systems(shown: Shown, compared: &ComparedTable, settings: &ComparisonSettings) -> Table {
    let mut table = Table { title: about(compared), ..Table::default() };
    table.columns = vec![
        Column::text("system", "system"),
        Column::number("value", "value"),
        Column::number("from", "low"),
        Column::number("to", "high"),
        Column::text("interval", "intervalMethod"),
        Column::number("missing", "missing"),
        Column::number("rank", "rank"),
        Column::text("ranks", "rankRange"),
        Column::number("significance rank", "significanceRank"),
        Column::text("equals", "letters"),
    ];
    // Where some questions are left out, the value over all of them is another one.
    let is_another = |system: &ComparedSystem| value(system) != system.value.as_ref();
    let with_own = shown.is_plain() || compared.systems.iter().any(is_another);
    if with_own {
        table.columns.push(Column::number("over its own questions", "ownValue"));
    }
    if shown.is_plain() {
        table.columns.push(Column::text("cautions", "cautions"));
    }
    for system in ordered(compared) {
        let mut row = row(shown, system);
        if with_own {
            row.push(shown.optional(system.value.as_ref()));
        }
        if shown.is_plain() {
            let codes: Vec<&str> = system.cautions.iter().map(|caution| caution.code.as_str()).collect();
            row.push(codes.join(" "));
        }
        table.rows.push(row);
    }
    table.alerts = alerts(compared, settings);
    table.footnotes = questions_notes(compared);
    table
}

fn row(shown: Shown, system: &ComparedSystem) -> Vec<String> {
    let method = match (&system.interval, system.no_interval) {
        (Some(interval), _) => interval.method.name().to_owned(),
        (None, why) => why.map_or_else(|| shown.undefined(), |why: Undefined| why.code().to_owned()),
    };
    let range = match system.rank_range {
        Some([first, last]) if first == last => first.to_string(),
        Some([first, last]) => format!("{first}–{last}"),
        None => shown.undefined(),
    };
    let [low, high] = shown.bounds(system.interval.as_ref());
    vec![
        system.system.clone(),
        shown.optional(value(system)),
        low,
        high,
        method,
        system.missing.to_string(),
        shown.count(system.rank),
        range,
        shown.count(system.significance_rank),
        system.letters.clone().unwrap_or_else(|| shown.undefined()),
    ]
}
