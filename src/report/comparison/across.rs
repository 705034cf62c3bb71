//! Across tables: what refreshed gold answers change, whether profiles rank alike, means over several datasets.

use crate::record::comparison::across::{ComparedDatasets, ComparedDrift, ComparedMean, ComparedProfiles};
use crate::record::comparison::settings::ComparisonSettings;
use crate::record::comparison::{ComparedPair, ComparedTable, ComparedTest, TableKey};
use crate::report::comparison::shown::{
    Shown, computed_means, described, failed_in_mean, reason, ruled, without_dataset,
};
use crate::report::table::{Column, Table};

/// A row a system.
pub(crate) fn drift(shown: Shown, all: &[ComparedDrift]) -> Table {
    let mut table = Table { title: "What refreshed gold answers change".to_owned(), ..Table::default() };
    table.columns = vec![
        Column::text("dataset", "dataset"),
        Column::text("profile", "profile"),
        Column::text("experiment", "experiment"),
        Column::text("measure", "measure"),
        Column::text("system", "system"),
        Column::number("n", "questions"),
        Column::number("curated", "curated"),
        Column::number("refreshed", "refreshed"),
        Column::number("change", "difference"),
        Column::number("from", "low"),
        Column::number("to", "high"),
        Column::number("up", "up"),
        Column::number("down", "down"),
    ];
    let row = |one: &ComparedDrift| {
        let TableKey { dataset, profile, experiment, measure, .. } = &one.table;
        let [low, high] = shown.bounds(one.interval.as_ref());
        vec![
            dataset.clone(),
            profile.clone(),
            experiment.clone(),
            measure.clone(),
            one.system.clone(),
            one.questions.to_string(),
            shown.number(&one.curated),
            shown.number(&one.refreshed),
            shown.number(&one.difference),
            low,
            high,
            one.up.to_string(),
            one.down.to_string(),
        ]
    };
    table.rows = all.iter().map(row).collect();
    table.footnotes.push(
        "from, to: the 95 % interval of the change; up, down: questions with a higher, a lower score against the refreshed gold answers"
            .to_owned(),
    );
    table
}

/// A row for each two tables.
pub(super) fn profiles(shown: Shown, all: &[ComparedProfiles], tables: &[ComparedTable]) -> Table {
    let mut table = Table { title: "Whether profiles rank alike".to_owned(), ..Table::default() };
    table.columns = vec![
        Column::text("one", "one"),
        Column::text("other", "other"),
        Column::number("τ-b", "tauB"),
        Column::text("the other way round", "discordant"),
    ];
    let row = |one: &ComparedProfiles| {
        let [first, second] = &one.tables;
        let pairs: Vec<String> =
            one.discordant.iter().map(|both| discordant(shown, both, &one.tables, tables)).collect();
        vec![described(first), described(second), shown.optional(one.tau_b.as_ref()), pairs.join("; ")]
    };
    table.rows = all.iter().map(row).collect();
    table
}

/// Two systems that stand the other way round, with what the test says of them on each side.
fn discordant(shown: Shown, [a, b]: &[String; 2], sides: &[TableKey; 2], tables: &[ComparedTable]) -> String {
    let told = |key: &TableKey| {
        test_of(tables, key, [a, b]).map_or_else(
            || "no test".to_owned(),
            |test| {
                format!(
                    "p {}, adjusted {}",
                    shown.p(&test.p),
                    shown.adjusted(&test.adjusted, test.significant).trim_end()
                )
            },
        )
    };
    let [one, other] = sides.each_ref().map(told);
    format!("{a} and {b} ({one} / {other})")
}

/// What a table says of two systems, in whatever order.
pub(super) fn test_of<'t>(
    tables: &'t [ComparedTable],
    key: &TableKey,
    [a, b]: [&str; 2],
) -> Option<&'t ComparedTest> {
    let table = tables.iter().find(|table| table.key == *key)?;
    let is_pair = |pair: &&ComparedPair| (pair.a == a && pair.b == b) || (pair.a == b && pair.b == a);
    table.pairs.iter().find(is_pair).map(|pair| &pair.test)
}

/// The systems, then the pairs.
pub(super) fn datasets(
    shown: Shown,
    one: &ComparedDatasets,
    tables: &[ComparedTable],
    settings: &ComparisonSettings,
) -> Table {
    let names: Vec<&str> = one.tables.iter().map(|key| key.dataset.as_str()).collect();
    let title = one.tables.first().map(|key| ruled(&without_dataset(key))).unwrap_or_default();
    let mut table = Table { title: format!("Over {}: {title}", names.join(", ")), ..Table::default() };
    table.columns = vec![
        Column::text("a", "a"),
        Column::text("b", "b"),
        Column::number("value", "value"),
        Column::number("from", "low"),
        Column::number("to", "high"),
        Column::number("p", "p"),
        Column::number("adjusted", "adjusted"),
    ];
    for ComparedMean { system, value, interval, .. } in &one.systems {
        let [low, high] = shown.bounds(interval.as_ref());
        let before = [system.clone(), String::new(), shown.number(value), low, high];
        table.rows.push(before.into_iter().chain([const { String::new() }; 2]).collect());
    }
    for ComparedPair { a, b, difference, interval, test, .. } in &one.pairs {
        let [low, high] = shown.bounds(interval.as_ref());
        let before = [a.clone(), b.clone(), shown.number(difference), low, high];
        let ends = [shown.p(&test.p), shown.adjusted(&test.adjusted, test.significant)];
        table.rows.push(before.into_iter().chain(ends).collect());
    }
    table.alerts.extend(failed_in_mean(one, tables));
    table.notes.push(
        "means of means: what they say holds for new questions of these datasets, not for new datasets"
            .to_owned(),
    );
    table.notes.extend(one.undefined.map(|why| reason(why).to_owned()));
    table.footnotes.extend(computed_means(one, settings));
    table
}
