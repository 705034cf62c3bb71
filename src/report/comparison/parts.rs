//! The parts of a comparison that can be asked for, each as tables.

use clap::ValueEnum;

use crate::record::comparison::across::{ComparedDatasets, SystemComparison};
use crate::record::comparison::{ComparedTable, TableKey};
use crate::report::comparison::shown::{Shown, told_apart, without_dataset};
use crate::report::comparison::{absent, across, groups, matrix, pairs, risk, systems, together};
use crate::report::table::{Column, Layout, Table};

/// A part of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ComparisonPart {
    /// Systems and datasets
    Matrix,
    /// Each two systems: difference, interval, test
    Pairs,
    /// Intervals, ranks and how certain they are
    Ranks,
    /// What hurts whom: groups of questions
    Groups,
    /// What the systems could do together
    Oracle,
    /// Questions and systems, with difficulty and discrimination
    Items,
    /// How far systems are from right on what they are most sure of
    Risk,
    /// What refreshed gold answers change
    Drift,
    /// Whether profiles rank alike
    Profiles,
    /// Means over several datasets
    Datasets,
}

impl ComparisonPart {
    /// The tables of this part in a format. In CSV it is one at most: what differs from table to table is in columns.
    pub fn tables(self, comparison: &SystemComparison, format: Layout) -> Vec<Table> {
        let (shown, apart) = (Shown { format }, told_apart(comparison));
        let comparison = &*apart;
        // Means over datasets and drift name their tables in columns already.
        if format != Layout::Csv || matches!(self, Self::Drift | Self::Profiles) {
            let tables = self.each(shown, comparison).into_iter().map(|(_, table)| table);
            let mut tables: Vec<Table> = tables.map(|table| for_paper(table, comparison, format)).collect();
            // Once for all of them.
            if let Some(last) = tables.iter_mut().rfind(|table| !table.columns.is_empty()) {
                last.footnotes.extend(self.legend(comparison).filter(|_| !shown.is_plain()));
            }
            return tables;
        }
        // Scripts put systems and datasets beside each other as they like.
        let part = if self == Self::Matrix { Self::Ranks } else { self };
        Vec::from_iter(together_of(part.each(shown, comparison)))
    }

    /// Each table with what it is about.
    fn each(self, shown: Shown, comparison: &SystemComparison) -> Vec<(Option<TableKey>, Table)> {
        let settings = &comparison.settings;
        let of_tables = |of: &dyn Fn(&ComparedTable) -> Vec<Table>| -> Vec<(Option<TableKey>, Table)> {
            let with_key = |table: &ComparedTable| {
                of(table).into_iter().map(|one| (Some(table.key.clone()), one)).collect::<Vec<_>>()
            };
            comparison.tables.iter().flat_map(with_key).collect()
        };
        let all = |tables: Vec<Table>| tables.into_iter().map(|table| (None, table)).collect();
        match self {
            Self::Matrix => all(matrix::matrices(shown, comparison)),
            Self::Pairs => {
                // For people pairs are those of somebody who is ranked by something; where nobody is, that is said.
                let is_told = |table: &ComparedTable| shown.is_plain() || pairs::tells(table);
                let is_any = comparison.tables.iter().any(is_told);
                let wanted = |table: &ComparedTable| !is_any || is_told(table);
                of_tables(&|table| {
                    wanted(table).then(|| pairs::pairs(shown, table, settings)).into_iter().collect()
                })
            }
            Self::Ranks => of_tables(&|table| vec![systems::systems(shown, table, settings)]),
            Self::Groups => of_tables(&|table| match absent::groups(table, settings) {
                Some(why) => why.table(shown, table).into_iter().collect(),
                None => groups::groups(shown, table),
            }),
            Self::Oracle => of_tables(&|table| match absent::oracle(table) {
                Some(why) => why.table(shown, table).into_iter().collect(),
                None => together::oracle(shown, table).into_iter().collect(),
            }),
            Self::Items => of_tables(&|table| match absent::items(table) {
                Some(why) => why.table(shown, table).into_iter().collect(),
                None => vec![together::items(shown, table)],
            }),
            Self::Risk => of_tables(&|table| match absent::risk(table) {
                Some(why) => why.table(shown, table).into_iter().collect(),
                None => vec![risk::risk(shown, table)],
            }),
            Self::Drift if comparison.drift.is_empty() => Vec::new(),
            Self::Drift => all(vec![across::drift(shown, &comparison.drift)]),
            Self::Profiles if comparison.profiles.is_empty() => Vec::new(),
            Self::Profiles => all(vec![across::profiles(shown, &comparison.profiles, &comparison.tables)]),
            Self::Datasets => {
                let with_key =
                    |one| (key_of(one), across::datasets(shown, one, &comparison.tables, settings));
                comparison.over_datasets.iter().map(with_key).collect()
            }
        }
    }

    /// What the columns are that are not told by their names.
    fn legend(self, comparison: &SystemComparison) -> Option<String> {
        match self {
            Self::Pairs => Some(pairs::legend(&comparison.tables)),
            Self::Groups => {
                let has_pairs = |table: &ComparedTable| !groups::without_pairs(table);
                comparison.tables.iter().any(has_pairs).then(|| pairs::legend(&comparison.tables))
            }
            Self::Ranks => Some(systems::legend(comparison.settings.baseline.is_none())),
            _ => None,
        }
    }

    /// Why there is nothing of this part to show.
    pub fn nothing(self) -> &'static str {
        match self {
            Self::Matrix | Self::Pairs | Self::Ranks | Self::Items => "nothing was scored",
            Self::Groups => absent::SMALL_GROUPS,
            Self::Oracle => "the measure is no mean over questions: there are no ensembles",
            Self::Risk => absent::NO_CONFIDENCES.reason,
            Self::Drift => "no system stands against curated and refreshed gold answers",
            Self::Profiles => "no two tables differ in their profile only, or in their gold answers only",
            Self::Datasets => "no two tables differ in their dataset only",
        }
    }
}

/// In papers the caption says what a table is about, and a line below it where its numbers are.
fn for_paper(mut table: Table, comparison: &SystemComparison, format: Layout) -> Table {
    if format == Layout::Latex && !table.columns.is_empty() {
        table.caption = Some(table.title.clone());
        table.footnotes.push(format!("comparison {}", comparison.key));
    }
    table
}

/// What means over several datasets are about: all of it but the dataset.
fn key_of(one: &ComparedDatasets) -> Option<TableKey> {
    let mut key = without_dataset(one.tables.first()?);
    let names: Vec<&str> = one.tables.iter().map(|key| key.dataset.as_str()).collect();
    key.dataset = names.join(" ");
    Some(key)
}

/// Several tables as one: before the columns of each stand those that say what it is about, and a column that only some have
/// is empty in the others.
fn together_of(tables: Vec<(Option<TableKey>, Table)>) -> Option<Table> {
    let mut all: Option<Table> = None;
    for (key, table) in tables {
        let all = all.get_or_insert_with(|| Table {
            columns: ["dataset", "profile", "gold", "experiment", "measure"]
                .map(|name| Column::text(name, name))
                .into(),
            ..Table::default()
        });
        let before = key.map_or_else(
            || vec![String::new(); 5],
            |key| vec![key.dataset, key.profile, key.gold, key.experiment, key.measure],
        );
        let mut places = Vec::new();
        for column in &table.columns {
            let known = all.columns.iter().skip(before.len()).position(|known| known.name == column.name);
            places.push(
                before.len()
                    + known.unwrap_or_else(|| {
                        all.columns.push(column.clone());
                        all.columns.len() - 1 - before.len()
                    }),
            );
        }
        for cells in table.rows {
            let mut row = before.clone();
            row.resize(all.columns.len(), String::new());
            for (place, cell) in places.iter().zip(cells) {
                row[*place] = cell;
            }
            all.rows.push(row);
        }
    }
    let mut all = all?;
    let width = all.columns.len();
    all.rows.iter_mut().for_each(|row| row.resize(width, String::new()));
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::comparison::across::ComparedMean;
    use crate::record::results::decimal::Decimal;
    use crate::report::plots::{sample_comparison, sample_table};

    #[test]
    fn tables_with_other_columns_are_one() {
        let table = |names: &[&str]| Table {
            columns: names.iter().map(|name| Column::text(name, name)).collect(),
            rows: vec![names.iter().map(|name| format!("{name}1")).collect()],
            ..Table::default()
        };
        let both =
            together_of(vec![(None, table(&["q", "x"])), (None, table(&["q", "y", "dataset"]))]).unwrap();
        assert_eq!(
            both.columns.iter().skip(5).map(|one| one.name.as_str()).collect::<Vec<_>>(),
            ["q", "x", "y", "dataset"]
        );
        let rows: Vec<Vec<String>> = both.rows.iter().map(|row| row[5..].to_vec()).collect();
        assert_eq!(rows, [["q1", "x1", "", ""], ["q1", "", "y1", "dataset1"]]);
        assert_eq!(together_of(Vec::new()), None);
    }

    /// Who failed in every question of a dataset is not worse by its answers: sentence, table and means say so, and nobody
    /// reads it only below.
    #[test]
    fn who_failed_in_every_question_is_named() {
        let mut small = sample_table(&["A", "B"], 12, "small");
        small.systems[1].failed = 12;
        let mut large = sample_table(&["A", "B"], 40, "large");
        large.systems[1].failed = 3;
        let keys = vec![small.key.clone(), large.key.clone()];
        let mean = |name: &str, value: &str| ComparedMean {
            system: name.to_owned(),
            value: Decimal::parse(value).unwrap(),
            interval: None,
            no_interval: None,
        };
        let mut all = sample_comparison(vec![small, large]);
        all.over_datasets = vec![ComparedDatasets {
            tables: keys,
            systems: vec![mean("A", "0.9"), mean("B", "0.3")],
            pairs: Vec::new(),
            undefined: None,
        }];
        let shown = |part: ComparisonPart| part.tables(&all, Layout::Table)[0].render(Layout::Table).unwrap();
        let matrix = shown(ComparisonPart::Matrix);
        for told in [
            "! B failed in every question of small: what stands there says nothing of the quality of answers\n",
            "! the mean of B counts small, where it failed in every question\n",
            "on these 12 questions of small; B failed in every question\n",
            "large: failed in some of 40 questions: B 3\n",
        ] {
            assert!(matrix.contains(told), "{told}: {matrix}");
        }
        assert!(!matrix.contains("failed in every question of large"), "{matrix}");
        let datasets = shown(ComparisonPart::Datasets);
        assert!(datasets.contains("! the mean of B counts small"), "{datasets}");
        // Where all is 0 the reason stands beside it.
        for system in all.tables.iter_mut().flat_map(|table| &mut table.systems) {
            (system.value, system.common_value) = (Decimal::parse("0"), Decimal::parse("0"));
        }
        all.over_datasets.clear();
        let zero = ComparisonPart::Matrix.tables(&all, Layout::Table)[0].render(Layout::Table).unwrap();
        let told = "all values are 0 on small, large; B failed in every question of small\n";
        assert!(zero.ends_with(told), "{zero}");
    }
}
