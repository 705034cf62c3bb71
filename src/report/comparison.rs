//! Comparisons as tables: systems over datasets, pairs, ranks, what systems could do together, questions as items, drift.

use std::collections::BTreeSet;

use clap::ValueEnum;

use crate::measures::fraction::Fraction;
use crate::measures::metric::Metric;
use crate::profiles::ontology::shown_name;
use crate::record::comparison::across::{
    ComparedDatasets, ComparedDrift, ComparedProfiles, SystemComparison,
};
use crate::record::comparison::sentence::said;
use crate::record::comparison::settings::{ClusterUnit, ComparisonSettings};
use crate::record::comparison::{
    ComparedEnsembles, ComparedInterval, ComparedPair, ComparedSystem, ComparedTable, ComparedTest, TableKey,
};
use crate::record::results::decimal::Decimal;
use crate::report::table::{Column, Table};
use crate::statistics::undefined::Undefined;

/// A part of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ComparisonPart {
    /// Systems and datasets
    Matrix,
    /// Each two systems: difference, interval, test
    Pairs,
    /// Intervals, ranks and how certain they are
    Ranks,
    /// What the systems could do together
    Oracle,
    /// Questions and systems, with difficulty and discrimination
    Items,
    /// What refreshed gold answers change
    Drift,
    /// Whether profiles rank alike
    Profiles,
    /// Means over several datasets
    Datasets,
}

/// What stands for a value that is not defined.
const UNDEFINED: &str = "–";

/// The smallest p-value that is shown as a number.
const LEAST_SHOWN: &str = "<0.0001";

impl ComparisonPart {
    /// The tables of this part.
    pub fn tables(
        self,
        comparison: &SystemComparison,
        settings: &ComparisonSettings,
        digits: Option<u32>,
    ) -> Vec<Table> {
        let shown = Shown { digits };
        let each = |of: fn(&Shown, &ComparedTable) -> Table| -> Vec<Table> {
            comparison.tables.iter().map(|table| of(&shown, table)).collect()
        };
        match self {
            Self::Matrix => shown.matrices(&comparison.tables, settings),
            Self::Pairs => {
                let mut tables = each(Shown::pairs);
                for (table, compared) in tables.iter_mut().zip(&comparison.tables) {
                    table.notes.push(computed(compared, settings));
                }
                tables
            }
            Self::Ranks => each(Shown::ranks),
            Self::Oracle => comparison.tables.iter().filter_map(|table| shown.oracle(table)).collect(),
            Self::Items => each(Shown::items),
            Self::Drift => {
                Vec::from_iter((!comparison.drift.is_empty()).then(|| shown.drift(&comparison.drift)))
            }
            Self::Profiles => Vec::from_iter(
                (!comparison.profiles.is_empty()).then(|| shown.profiles(&comparison.profiles)),
            ),
            Self::Datasets => comparison.over_datasets.iter().map(|one| shown.datasets(one)).collect(),
        }
    }
}

/// How numbers are shown: with so many digits behind the point, or all that are published.
struct Shown {
    digits: Option<u32>,
}

impl Shown {
    fn number(&self, value: &Decimal) -> String {
        match self.digits {
            Some(digits) => value.to_fixed(digits),
            None => value.as_str().to_owned(),
        }
    }

    fn optional(&self, value: Option<&Decimal>) -> String {
        value.map_or_else(|| UNDEFINED.to_owned(), |value| self.number(value))
    }

    fn bounds(&self, interval: Option<&ComparedInterval>) -> [String; 2] {
        let both = interval.map(|interval| [self.number(&interval.low), self.number(&interval.high)]);
        both.unwrap_or_else(|| [UNDEFINED, UNDEFINED].map(str::to_owned))
    }

    /// A p-value: never shown as 0.
    fn p(&self, value: &Decimal) -> String {
        let is_small = Fraction::ratio(1, 10_000).is_some_and(|least| value.fraction() < least);
        if self.digits.is_some() && is_small { LEAST_SHOWN.to_owned() } else { self.number(value) }
    }

    /// Tables beside each other that differ in their dataset only.
    fn matrices(&self, tables: &[ComparedTable], settings: &ComparisonSettings) -> Vec<Table> {
        let mut groups: Vec<(TableKey, Vec<&ComparedTable>)> = Vec::new();
        for table in tables {
            let key = without_dataset(&table.key);
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, group)) => group.push(table),
                None => groups.push((key, vec![table])),
            }
        }
        groups.into_iter().map(|(key, group)| self.matrix(&key, &group, settings)).collect()
    }

    fn matrix(&self, key: &TableKey, group: &[&ComparedTable], settings: &ComparisonSettings) -> Table {
        let mut table = Table { title: ruled(key), ..Table::default() };
        table.columns.push(Column::text("system", "system"));
        table.columns.extend(group.iter().map(|one| {
            let name = &one.key.dataset;
            Column::number(&format!("{name} (n {})", one.questions), name)
        }));
        for (row, name) in ordered(group).into_iter().enumerate() {
            let mut cells = vec![name.to_owned()];
            for (column, one) in group.iter().enumerate() {
                let system = one.systems.iter().find(|system| system.system == name);
                let mark = system.and_then(|system| mark(one, system, settings));
                if mark == Some(BEST) {
                    table.bold.push((row, column + 1));
                }
                let value = self.optional(
                    system.and_then(|system| system.common_value.as_ref().or(system.value.as_ref())),
                );
                let mark = mark.filter(|_| self.digits.is_some()).unwrap_or_default();
                cells.push(format!("{value}{mark}"));
            }
            table.rows.push(cells);
        }
        table.notes.extend(group.iter().map(|one| said(one)));
        if self.digits.is_some() {
            table.notes.push(legend(settings));
        }
        table
    }

    fn pairs(&self, compared: &ComparedTable) -> Table {
        let mut table = Table { title: about(compared), ..Table::default() };
        table.columns = vec![
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
        ];
        table.rows = compared.pairs.iter().map(|pair| self.pair(pair)).collect();
        if let Some(why) = compared.no_pairs {
            table.notes.push(reason(why).to_owned());
        }
        table
    }

    fn pair(&self, pair: &ComparedPair) -> Vec<String> {
        let count =
            |number: Option<usize>| number.map_or_else(|| UNDEFINED.to_owned(), |number| number.to_string());
        let effect = pair.effect.as_ref();
        let mark = if pair.test.significant && self.digits.is_some() { " *" } else { "" };
        let ends = [
            self.p(&pair.test.p),
            format!("{}{mark}", self.p(&pair.test.adjusted)),
            pair.test.differing.to_string(),
            count(effect.map(|effect| effect.wins)),
            count(effect.map(|effect| effect.ties)),
            count(effect.map(|effect| effect.losses)),
            self.optional(effect.and_then(|effect| effect.detectable.as_ref())),
        ];
        [pair.a.clone(), pair.b.clone(), self.number(&pair.difference)]
            .into_iter()
            .chain(self.bounds(pair.interval.as_ref()))
            .chain(ends)
            .collect()
    }

    fn ranks(&self, compared: &ComparedTable) -> Table {
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
        let rank = |rank: Option<usize>| rank.map_or_else(|| UNDEFINED.to_owned(), |rank| rank.to_string());
        for name in ordered(&[compared]) {
            let Some(system) = compared.systems.iter().find(|system| system.system == name) else { continue };
            let method = match (&system.interval, system.no_interval) {
                (Some(interval), _) => interval.method.name(),
                (None, Some(why)) => why.code(),
                (None, None) => UNDEFINED,
            };
            let range = match system.rank_range {
                Some([first, last]) if first == last => first.to_string(),
                Some([first, last]) => format!("{first}–{last}"),
                None => UNDEFINED.to_owned(),
            };
            let value = system.common_value.as_ref().or(system.value.as_ref());
            let [low, high] = self.bounds(system.interval.as_ref());
            table.rows.push(vec![
                system.system.clone(),
                self.optional(value),
                low,
                high,
                method.to_owned(),
                system.missing.to_string(),
                rank(system.rank),
                range,
                rank(system.significance_rank),
                system.letters.clone().unwrap_or_else(|| UNDEFINED.to_owned()),
            ]);
        }
        table
    }

    fn oracle(&self, compared: &ComparedTable) -> Option<Table> {
        let ensembles: &ComparedEnsembles = compared.ensembles.as_ref()?;
        let mut table = Table {
            title: format!("{}: the best of each question, an upper bound", about(compared)),
            ..Table::default()
        };
        table.columns = vec![
            Column::number("systems", "size"),
            Column::text("chosen", "selection"),
            Column::number("value", "value"),
            Column::text("which", "systems"),
        ];
        let sets = |name: &'static str| {
            move |set: &crate::record::comparison::ComparedSet| {
                vec![
                    set.systems.len().to_string(),
                    name.to_owned(),
                    self.number(&set.value),
                    set.systems.join(", "),
                ]
            }
        };
        table.rows.extend(ensembles.best.iter().flatten().map(sets("best")));
        table.rows.extend(ensembles.greedy.iter().map(sets("greedy")));
        table.notes.extend(
            ensembles
                .without
                .iter()
                .map(|(name, loss)| format!("without {name} all lose {}", self.number(loss))),
        );
        Some(table)
    }

    fn items(&self, compared: &ComparedTable) -> Table {
        let mut table = Table { title: about(compared), ..Table::default() };
        table.columns = vec![
            Column::text("question", "question"),
            Column::number("difficulty", "difficulty"),
            Column::number("discrimination", "discrimination"),
        ];
        table.rows = compared
            .items
            .iter()
            .map(|item| {
                vec![
                    item.question.clone(),
                    self.number(&item.difficulty),
                    self.optional(item.discrimination.as_ref()),
                ]
            })
            .collect();
        table.notes.push(format!("of {} systems; a high difficulty is easy", compared.systems.len()));
        table
    }

    fn drift(&self, all: &[ComparedDrift]) -> Table {
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
            let [low, high] = self.bounds(one.interval.as_ref());
            vec![
                dataset.clone(),
                profile.clone(),
                experiment.clone(),
                measure.clone(),
                one.system.clone(),
                one.questions.to_string(),
                self.number(&one.curated),
                self.number(&one.refreshed),
                self.number(&one.difference),
                low,
                high,
                one.up.to_string(),
                one.down.to_string(),
            ]
        };
        table.rows = all.iter().map(row).collect();
        table
    }

    fn profiles(&self, all: &[ComparedProfiles]) -> Table {
        let mut table = Table { title: "Whether profiles rank alike".to_owned(), ..Table::default() };
        table.columns = vec![
            Column::text("one", "one"),
            Column::text("other", "other"),
            Column::number("τ-b", "tauB"),
            Column::text("the other way round", "discordant"),
        ];
        let row = |one: &ComparedProfiles| {
            let [first, second] = &one.tables;
            let pairs: Vec<String> = one.discordant.iter().map(|[a, b]| format!("{a} and {b}")).collect();
            vec![described(first), described(second), self.optional(one.tau_b.as_ref()), pairs.join("; ")]
        };
        table.rows = all.iter().map(row).collect();
        table
    }

    fn datasets(&self, one: &ComparedDatasets) -> Table {
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
        for (name, value, interval, _) in &one.systems {
            let [low, high] = self.bounds(interval.as_ref());
            let ends = [String::new(), String::new()];
            table.rows.push(
                [name.clone(), String::new(), self.number(value), low, high]
                    .into_iter()
                    .chain(ends)
                    .collect(),
            );
        }
        for (a, b, difference, interval, test) in &one.pairs {
            let [low, high] = self.bounds(interval.as_ref());
            let ComparedTest { p, adjusted, .. } = test;
            let cells =
                [a.clone(), b.clone(), self.number(difference), low, high, self.p(p), self.p(adjusted)];
            table.rows.push(cells.to_vec());
        }
        table.notes.push(
            "means of means: what they say holds for new questions of these datasets, not for new datasets"
                .to_owned(),
        );
        table.notes.extend(one.undefined.map(|why| reason(why).to_owned()));
        table
    }
}

/// After the best value of a column.
const BEST: &str = " *";
/// After one that is not significantly worse.
const EQUAL: &str = " =";
/// After one that is significantly better or worse than the baseline.
const BASELINE: [&str; 2] = [" ▲", " ▼"];

/// What stands behind a value.
fn mark(
    table: &ComparedTable,
    system: &ComparedSystem,
    settings: &ComparisonSettings,
) -> Option<&'static str> {
    let differs = |other: &str| {
        let pair = table.pairs.iter().find(|pair| {
            (pair.a == system.system && pair.b == other) || (pair.b == system.system && pair.a == other)
        })?;
        Some(pair.test.significant)
    };
    let rank = system.rank?;
    if let Some(baseline) = &settings.baseline {
        let base = table.systems.iter().find(|one| one.system == *baseline)?.rank?;
        let [better, worse] = BASELINE;
        return differs(baseline)?.then_some(if rank < base { better } else { worse });
    }
    if rank == 1 {
        return Some(BEST);
    }
    let mut best = table.systems.iter().filter(|one| one.rank == Some(1));
    best.any(|one| differs(&one.system) == Some(false)).then_some(EQUAL)
}

fn legend(settings: &ComparisonSettings) -> String {
    match &settings.baseline {
        Some(name) => format!(
            "▲ ▼ better or worse than {name} by more than chance (Holm, α = {})",
            settings.alpha.to_decimal()
        ),
        None => format!(
            "* best, = not worse than it by more than chance (Holm, α = {})",
            settings.alpha.to_decimal()
        ),
    }
}

/// How the pairs of a table were computed.
fn computed(table: &ComparedTable, settings: &ComparisonSettings) -> String {
    let unit = match table.cluster {
        ClusterUnit::Question => String::new(),
        ClusterUnit::Variant => format!(" in {} clusters of variants", table.clusters),
    };
    format!(
        "{}, adjusted by Holm among {} (α = {}); intervals of 95 % from 9,999 resamples of {} questions{unit}",
        settings.test.title(),
        table.pairs.first().map_or(0, |pair| pair.family_size),
        settings.alpha.to_decimal(),
        table.questions,
    )
}

/// Why there is no number, in words.
pub(crate) fn reason(why: Undefined) -> &'static str {
    match why {
        Undefined::TooFewQuestions => "fewer than ten questions: no interval",
        Undefined::NoVariation => "all resamples have one value: no interval",
        Undefined::NotResampled => {
            "the measure does not follow from what is published of single questions: not resampled"
        }
        Undefined::OneSystem => "one system: nobody to compare it with",
    }
}

/// The systems of tables, the best first: by the first table that has them.
fn ordered<'a>(group: &[&'a ComparedTable]) -> Vec<&'a str> {
    let (mut seen, mut names) = (BTreeSet::new(), Vec::new());
    for table in group {
        let mut systems: Vec<&ComparedSystem> = table.systems.iter().collect();
        systems.sort_by_key(|system| {
            let rank = |rank: Option<usize>| rank.unwrap_or(usize::MAX);
            (rank(system.significance_rank), rank(system.rank), &system.system)
        });
        names.extend(
            systems.into_iter().map(|system| system.system.as_str()).filter(|name| seen.insert(*name)),
        );
    }
    names
}

fn without_dataset(key: &TableKey) -> TableKey {
    TableKey { dataset: String::new(), dataset_version: String::new(), refreshed: None, ..key.clone() }
}

/// Everything that is said of a table.
fn described(key: &TableKey) -> String {
    format!("{}, {}", key.dataset, ruled(key))
}

fn about(table: &ComparedTable) -> String {
    format!("{}, {} questions", described(&table.key), table.questions)
}

/// By which rules a table was made.
fn ruled(key: &TableKey) -> String {
    let options: Vec<String> =
        key.options.iter().map(|(name, values)| format!(", {name} {}", values.join(" "))).collect();
    let gold = if key.gold == "curated" { String::new() } else { format!(", gold {}", key.gold) };
    let measure = Metric::named(&key.measure).map_or_else(|| key.measure.clone(), shown_name);
    format!("{} {measure}, profile {}{gold}{}", key.experiment, key.profile, options.concat())
}
