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
    ];
    // Beside a baseline nobody is compared with all others.
    let is_each_with_each = shown.is_plain() || compared.baseline.is_none();
    if is_each_with_each {
        let more =
            [Column::number("significance rank", "significanceRank"), Column::text("equals", "letters")];
        table.columns.extend(more);
    }
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
        if is_each_with_each {
            row.push(shown.count(system.significance_rank));
            row.push(system.letters.clone().unwrap_or_else(|| shown.undefined()));
        }
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

/// What the columns are.
pub(crate) fn legend(is_each_with_each: bool) -> String {
    let ranks = "from, to: the 95 % interval; interval: bca (bias-corrected and accelerated bootstrap), wilson (of shares), or why there \
                 is none; missing: questions without an entry; rank: one more than there are better ones; ranks: those of 95 % of the resamples";
    let tested = "; significance rank: one more than there are better ones by more than chance; equals: who shares a letter cannot \
                  be told apart";
    format!("{ranks}{}", if is_each_with_each { tested } else { "" })
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
    ]
}
