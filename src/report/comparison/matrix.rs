//! Systems and datasets: who is best, who is not worse by more than chance, and what one sentence can say.

use crate::record::comparison::across::{ComparedDatasets, ComparedMean, SystemComparison};
use crate::record::comparison::sentence::said;
use crate::record::comparison::settings::ComparisonSettings;
use crate::record::comparison::{ComparedInterval, ComparedPair, ComparedSystem, ComparedTable, TableKey};
use crate::record::results::decimal::Decimal;
use crate::report::comparison::shown::{
    Shown, UNDEFINED, alert_of_twins, alerts, computed, computed_means, failed_in_mean, is_zero, ordered,
    questions_notes, ruled, value, without_dataset,
};
use crate::report::table::{Column, Layout, Table};

/// What stands behind a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValueMark {
    /// The best one.
    Best,
    /// One that is not worse than it by more than chance.
    Equal,
    /// One that is better than the baseline by more than chance.
    Better,
    /// One that is worse.
    Worse,
    /// One that means something else than it seems to.
    Caution,
}

impl ValueMark {
    fn sign(self) -> &'static str {
        match self {
            Self::Best => " *",
            Self::Equal => " =",
            Self::Better => " ▲",
            Self::Worse => " ▼",
            Self::Caution => " !",
        }
    }
}

/// Tables beside each other that differ in their dataset only.
pub(super) fn matrices(shown: Shown, comparison: &SystemComparison) -> Vec<Table> {
    let mut groups: Vec<(TableKey, Vec<&ComparedTable>)> = Vec::new();
    for table in &comparison.tables {
        let key = without_dataset(&table.key);
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, group)) => group.push(table),
            None => groups.push((key, vec![table])),
        }
    }
    let of_group = |(key, group): (TableKey, Vec<&ComparedTable>)| {
        if group.iter().all(|table| is_zero(table)) {
            return nothing(&key, &group);
        }
        let is_mean = |one: &&ComparedDatasets| {
            !one.systems.is_empty() && one.tables.iter().eq(group.iter().map(|table| &table.key))
        };
        let mean = comparison.over_datasets.iter().find(is_mean);
        matrix(shown, &key, &group, mean, &comparison.settings)
    };
    groups.into_iter().map(of_group).collect()
}

/// Where all values are 0 a sentence says so.
fn nothing(key: &TableKey, group: &[&ComparedTable]) -> Table {
    let names: Vec<&str> = group.iter().map(|table| table.key.dataset.as_str()).collect();
    let failed = group.iter().map(|table| (&table.key.dataset, table.failed().collect::<Vec<_>>()));
    let failed = failed.filter(|(_, systems)| !systems.is_empty());
    let failed: Vec<String> = failed
        .map(|(dataset, systems)| format!("; {} failed in every question of {dataset}", systems.join(", ")))
        .collect();
    let title = format!("{}: all values are 0 on {}{}", ruled(key), names.join(", "), failed.concat());
    Table { title, ..Table::default() }
}

fn matrix(
    shown: Shown,
    key: &TableKey,
    group: &[&ComparedTable],
    mean: Option<&ComparedDatasets>,
    settings: &ComparisonSettings,
) -> Table {
    let mut table = Table { title: ruled(key), ..Table::default() };
    table.columns.push(Column::text("system", "system"));
    for one in group {
        table
            .columns
            .push(Column::number(&format!("{} (n {})", one.key.dataset, one.questions), &one.key.dataset));
        if group.len() == 1 {
            table.columns.extend([Column::number("from", "low"), Column::number("to", "high")]);
        }
    }
    let mut marks = Vec::new();
    if mean.is_some() {
        table.columns.push(Column::number("mean", "mean"));
    }
    for name in names(group) {
        let mut cells = vec![name.to_owned()];
        for one in group {
            let system = one.systems.iter().find(|system| system.system == name);
            let mark = system.and_then(|system| mark(one, system, settings));
            marks.extend(mark);
            dress(&mut table, cells.len(), mark);
            let interval = system.and_then(|system| system.interval.as_ref());
            let number = system.and_then(value);
            if group.len() == 1 {
                cells.push(marked(shown, &shown.optional(number), mark));
                cells.extend(shown.bounds(interval));
            } else {
                cells.push(marked(shown, &beside(shown, number, interval), mark));
            }
        }
        if let Some(mean) = mean {
            let found = mean.systems.iter().find(|one| one.system == name);
            let mark = found.and_then(|found| mark_of_mean(mean, found, group, settings));
            marks.extend(mark);
            dress(&mut table, cells.len(), mark);
            let number = found.map(|found| &found.value);
            let interval = found.and_then(|found| found.interval.as_ref());
            cells.push(marked(shown, &beside(shown, number, interval), mark));
        }
        table.rows.push(cells);
    }
    let sentences = group.iter().map(|one| said(one));
    // In a paper the text says it.
    if shown.format == Layout::Markdown { &mut table.footnotes } else { &mut table.notes }.extend(sentences);
    for one in group {
        table.alerts.extend(alerts(one, settings));
        table.footnotes.extend(questions_notes(one));
    }
    table.alerts.extend(alert_of_twins(group));
    let of_mean = mean.map(|mean| failed_in_mean(mean, group.iter().copied())).unwrap_or_default();
    table.alerts.extend(of_mean);
    table.alerts.dedup();
    table.footnotes.extend(legend(shown, &marks, group, settings));
    table.footnotes.extend(not_there(group, settings));
    table.footnotes.extend(how(group, mean, settings));
    table
}

/// What a cell without a value means, where there is one.
fn not_there(group: &[&ComparedTable], settings: &ComparisonSettings) -> Option<String> {
    let is_whole = |table: &&ComparedTable| table.systems.len() == names(group).len();
    let or_same = if settings.aliases.is_empty() { "" } else { ", or its file is that of another system" };
    (!group.iter().all(is_whole)).then(|| format!("{UNDEFINED} not evaluated there{or_same}"))
}

/// How each table was computed, and the means over them.
fn how(
    group: &[&ComparedTable],
    mean: Option<&ComparedDatasets>,
    settings: &ComparisonSettings,
) -> Vec<String> {
    let mut lines: Vec<(&str, String)> =
        group.iter().map(|table| (table.key.dataset.as_str(), computed(table, settings))).collect();
    lines.extend(mean.and_then(|mean| computed_means(mean, settings)).map(|line| ("mean", line)));
    lines.retain(|(_, line)| !line.is_empty());
    let named = |(name, line): (&str, String)| if group.len() > 1 { format!("{name}: {line}") } else { line };
    lines.into_iter().map(named).collect()
}

/// A value with its bounds, where one was expected.
fn beside(shown: Shown, value: Option<&Decimal>, interval: Option<&ComparedInterval>) -> String {
    value.map_or_else(|| shown.undefined(), |value| shown.with_bounds(&shown.number(value), interval))
}

fn marked(shown: Shown, value: &str, mark: Option<ValueMark>) -> String {
    let is_dressed =
        shown.format == Layout::Latex && matches!(mark, Some(ValueMark::Best | ValueMark::Equal));
    let mark = mark.filter(|_| !is_dressed);
    shown.marked(value, mark.map_or("", ValueMark::sign))
}

/// Bold or underlined, in the row that comes next.
fn dress(table: &mut Table, column: usize, mark: Option<ValueMark>) {
    let row = table.rows.len();
    match mark {
        Some(ValueMark::Best) => table.bold.push((row, column)),
        Some(ValueMark::Equal) => table.underlined.push((row, column)),
        _ => {}
    }
}

fn mark(table: &ComparedTable, system: &ComparedSystem, settings: &ComparisonSettings) -> Option<ValueMark> {
    if !system.cautions.is_empty() {
        return Some(ValueMark::Caution);
    }
    // Where the baseline is not, nobody is better than it.
    if settings.baseline != table.baseline {
        return None;
    }
    let differs = |other: &str| {
        let is_pair =
            |a: &str, b: &str| (a == system.system && b == other) || (b == system.system && a == other);
        table.pairs.iter().find(|pair| is_pair(&pair.a, &pair.b)).map(|pair| pair.test.significant)
    };
    let rank = system.rank?;
    if let Some(baseline) = &table.baseline {
        let base = value(table.systems.iter().find(|one| one.system == *baseline)?)?.fraction();
        let own = value(system)?.fraction();
        let is_better = if table.lower_is_better { own < base } else { own > base };
        return differs(baseline)?.then_some(if is_better { ValueMark::Better } else { ValueMark::Worse });
    }
    // Who is the only one with a rank is best of nobody.
    if rank == 1 {
        let ranked = table.systems.iter().filter(|one| one.rank.is_some());
        return (ranked.count() > 1).then_some(ValueMark::Best);
    }
    let mut best = table.systems.iter().filter(|one| one.rank == Some(1));
    best.any(|one| differs(&one.system) == Some(false)).then_some(ValueMark::Equal)
}

/// The mark of a mean over datasets. Who has a caution in any of them has no mean.
fn mark_of_mean(
    mean: &ComparedDatasets,
    own: &ComparedMean,
    group: &[&ComparedTable],
    settings: &ComparisonSettings,
) -> Option<ValueMark> {
    if settings.baseline.is_some() {
        return None;
    }
    let lower = group.iter().any(|table| table.lower_is_better);
    let values = || mean.systems.iter().map(|one| one.value.fraction());
    let best = if lower { values().min() } else { values().max() }?;
    if own.value.fraction() == best {
        return (mean.systems.len() > 1).then_some(ValueMark::Best);
    }
    let is_best =
        |name: &str| mean.systems.iter().any(|one| one.system == name && one.value.fraction() == best);
    let is_equal = |pair: &ComparedPair| {
        let with_best =
            (pair.a == own.system && is_best(&pair.b)) || (pair.b == own.system && is_best(&pair.a));
        with_best && !pair.test.significant
    };
    mean.pairs.iter().any(is_equal).then_some(ValueMark::Equal)
}

/// What the marks mean that the table has.
fn legend(
    shown: Shown,
    marks: &[ValueMark],
    group: &[&ComparedTable],
    settings: &ComparisonSettings,
) -> Option<String> {
    let [best, equal] = if shown.format == Layout::Latex { ["bold:", "underlined:"] } else { ["*", "="] };
    let chance = format!("by more than chance (Holm, α = {})", settings.alpha.to_decimal());
    let has = |mark: ValueMark| marks.contains(&mark);
    if let Some(name) = &settings.baseline {
        let is_tested = group.iter().any(|table| table.baseline.is_some() && !table.pairs.is_empty());
        return match (has(ValueMark::Better), has(ValueMark::Worse)) {
            (true, true) => Some(format!("▲ ▼ better or worse than {name} {chance}")),
            (true, false) => Some(format!("▲ better than {name} {chance}")),
            (false, true) => Some(format!("▼ worse than {name} {chance}")),
            (false, false) => is_tested.then(|| format!("nobody is better or worse than {name} {chance}")),
        };
    }
    let is_tested = group.iter().all(|table| !table.pairs.is_empty());
    match (has(ValueMark::Best), has(ValueMark::Equal)) {
        (_, true) => Some(format!("{best} best, {equal} not worse than it {chance}")),
        (true, false) if is_tested => Some(format!("{best} best: the others are worse {chance}")),
        (true, false) => Some(format!("{best} best")),
        (false, false) => None,
    }
}

/// The systems of some tables, in the order of the first that has them.
fn names<'a>(group: &[&'a ComparedTable]) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for system in group.iter().flat_map(|table| ordered(table)) {
        if !names.contains(&system.system.as_str()) {
            names.push(&system.system);
        }
    }
    names
}
