//! Systems and datasets: who is best, who is not worse by more than chance, and what one sentence can say.

use crate::measures::fraction::Fraction;
use crate::record::comparison::across::{ComparedDatasets, SystemComparison};
use crate::record::comparison::sentence::said;
use crate::record::comparison::settings::ComparisonSettings;
use crate::record::comparison::{ComparedInterval, ComparedSystem, ComparedTable, TableKey};
use crate::record::results::decimal::Decimal;
use crate::report::comparison::shown::{
    Shown, alert_of_twins, alerts, computed, computed_means, is_zero, ordered, questions_notes, ruled, value,
    without_dataset,
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
    Table { title: format!("{}: all values are 0 on {}", ruled(key), names.join(", ")), ..Table::default() }
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
            let found = mean.systems.iter().find(|(known, ..)| known == name);
            let mark = found.and_then(|_| mark_of_mean(mean, group, name, settings));
            marks.extend(mark);
            dress(&mut table, cells.len(), mark);
            let (number, interval) = found.map(|(_, value, interval, _)| (value, interval.as_ref())).unzip();
            cells.push(marked(shown, &beside(shown, number, interval.flatten()), mark));
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
    table.alerts.dedup();
    table.footnotes.extend(legend(shown, &marks, group, settings));
    table.footnotes.extend(how(group, mean, settings));
    table
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
    // Who stands alone is best of nobody.
    if rank == 1 {
        return (table.systems.len() > 1).then_some(ValueMark::Best);
    }
    let mut best = table.systems.iter().filter(|one| one.rank == Some(1));
    best.any(|one| differs(&one.system) == Some(false)).then_some(ValueMark::Equal)
}

/// The mark of a mean over datasets, of systems without cautions in any of them.
fn mark_of_mean(
    mean: &ComparedDatasets,
    group: &[&ComparedTable],
    name: &str,
    settings: &ComparisonSettings,
) -> Option<ValueMark> {
    let is_cautious = |name: &str| {
        let systems = group.iter().flat_map(|table| &table.systems);
        systems.filter(|system| system.system == name).any(|system| !system.cautions.is_empty())
    };
    if is_cautious(name) {
        return Some(ValueMark::Caution);
    }
    if settings.baseline.is_some() {
        return None;
    }
    let of = |wanted: &str| {
        mean.systems.iter().find(|(known, ..)| known == wanted).map(|(_, mean, ..)| mean.fraction())
    };
    let lower = group.iter().any(|table| table.lower_is_better);
    let ranked = mean.systems.iter().filter(|(known, ..)| !is_cautious(known));
    let values: Vec<Fraction> = ranked.map(|(_, mean, ..)| mean.fraction()).collect();
    let best = if lower { values.iter().min() } else { values.iter().max() }?;
    if of(name)? == *best {
        return (values.len() > 1).then_some(ValueMark::Best);
    }
    let is_equal = |(a, b, _, _, test): &&(String, String, _, _, crate::record::comparison::ComparedTest)| {
        let other = if a == name { b } else { a };
        (a == name || b == name)
            && of(other).as_ref() == Some(best)
            && !is_cautious(other)
            && !test.significant
    };
    mean.pairs.iter().any(|pair| is_equal(&pair)).then_some(ValueMark::Equal)
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
