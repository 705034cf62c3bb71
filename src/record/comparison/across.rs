//! Comparisons across tables: systems over several datasets, what newer gold answers change, whether profiles rank alike.
//! Across tables systems are the same if they have the same name.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::error::Result;
use crate::measures::fraction::Fraction;
use crate::record::comparison::settings::ComparisonSettings;
use crate::record::comparison::tables::{PreparedTable, prepared};
use crate::record::comparison::{ComparedInterval, ComparedPair, ComparedTable, GroupMembers, TableKey};
use crate::record::results::Results;
use crate::record::results::decimal::Decimal;
use crate::statistics::matrix::{Clustering, QuestionMatrix};
use crate::statistics::over_datasets::{DatasetSamples, OverDatasets};
use crate::statistics::sensitivity::{Concordance, GoldDrift};
use crate::statistics::stream::{Purpose, Streams};
use crate::statistics::undefined::Undefined;

/// Evaluations beside each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemComparison {
    /// Its key, which follows from evaluations and settings.
    pub key: String,
    /// What was decided.
    pub settings: ComparisonSettings,
    /// The IRIs of all evaluations, sorted.
    pub evaluations: Vec<String>,
    /// The tables.
    pub tables: Vec<ComparedTable>,
    /// The systems that several datasets have, by the same rules.
    pub over_datasets: Vec<ComparedDatasets>,
    /// What refreshed gold answers change.
    pub drift: Vec<ComparedDrift>,
    /// Whether profiles rank alike.
    pub profiles: Vec<ComparedProfiles>,
}

/// Systems over several datasets: what is said holds for new questions of these, not for new datasets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedDatasets {
    /// The tables.
    pub tables: Vec<TableKey>,
    /// The systems that all have.
    pub systems: Vec<ComparedMean>,
    /// The pairs of them, by the randomisation test.
    pub pairs: Vec<ComparedPair>,
    /// Why nothing is computed.
    pub undefined: Option<Undefined>,
}

/// A system over several datasets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedMean {
    /// Its name.
    pub system: String,
    /// The mean of its means.
    pub value: Decimal,
    /// Where that is.
    pub interval: Option<ComparedInterval>,
    /// Why that is not known.
    pub no_interval: Option<Undefined>,
}

/// A system against curated and refreshed gold answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedDrift {
    /// The table with the refreshed gold answers.
    pub table: TableKey,
    /// The system.
    pub system: String,
    /// How many questions have both gold answers.
    pub questions: usize,
    /// Its mean against the curated ones, over these.
    pub curated: Decimal,
    /// Its mean against the refreshed ones.
    pub refreshed: Decimal,
    /// Refreshed minus curated.
    pub difference: Decimal,
    /// Where that is.
    pub interval: Option<ComparedInterval>,
    /// Why that is not known.
    pub no_interval: Option<Undefined>,
    /// In how many questions it gains.
    pub up: usize,
    /// In how many it loses.
    pub down: usize,
}

/// Two tables that differ in their profile, or in their gold answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedProfiles {
    /// Both tables.
    pub tables: [TableKey; 2],
    /// Kendall's τ-b of the systems that both have; none where one ranks all the same.
    pub tau_b: Option<Decimal>,
    /// The pairs of systems that stand the other way round.
    pub discordant: Vec<[String; 2]>,
}

impl SystemComparison {
    /// Of the results of some evaluations, in any order. `groups` has the groups of the questions of one evaluation at least
    /// of each table in which they are compared, by IRI.
    ///
    /// # Errors
    /// Where two evaluations are of the same system in the same table, evaluations of one dataset version are of different
    /// files, or the baseline is no system of theirs.
    pub fn of(
        results: &[Results],
        settings: &ComparisonSettings,
        groups: &BTreeMap<String, GroupMembers>,
    ) -> Result<Self> {
        let prepared = prepared(results, settings)?;
        let compared = |table: &PreparedTable<'_>| {
            table.compared(settings, table.evaluations().find_map(|iri| groups.get(iri)))
        };
        let tables: Vec<ComparedTable> = prepared.iter().map(compared).collect();
        let evaluations: BTreeSet<String> = results.iter().map(|one| one.iri.clone()).collect();
        Ok(Self {
            key: settings.key(evaluations.iter().map(String::as_str)),
            settings: settings.clone(),
            evaluations: evaluations.into_iter().collect(),
            over_datasets: over_datasets(&prepared, settings),
            drift: drift(&prepared, settings),
            profiles: profiles(&tables),
            tables,
        })
    }
}

/// What tables have in common that differ in some of their key.
fn grouped<'a>(
    tables: &'a [PreparedTable<'a>],
    without: fn(&mut TableKey),
) -> Vec<Vec<&'a PreparedTable<'a>>> {
    let mut groups: BTreeMap<TableKey, Vec<&PreparedTable<'_>>> = BTreeMap::new();
    for table in tables {
        let mut key = table.key().clone();
        without(&mut key);
        groups.entry(key).or_default().push(table);
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}

fn over_datasets(tables: &[PreparedTable<'_>], settings: &ComparisonSettings) -> Vec<ComparedDatasets> {
    let without_dataset = |key: &mut TableKey| {
        for part in [&mut key.dataset, &mut key.dataset_version] {
            part.clear();
        }
        key.refreshed = None;
    };
    let of_group = |group: Vec<&PreparedTable<'_>>| {
        let keys = group.iter().map(|table| table.key().clone()).collect();
        // A mean with a value that means something else means something else.
        let is_common = |name: &&String| group.iter().all(|table| table.is_ranked(name, settings));
        let systems: Vec<&String> = group[0].systems().iter().filter(is_common).collect();
        let dataset = |table: &&PreparedTable<'_>| {
            let scores = table.scores()?;
            let samples = table.sampled(&Clustering::single(scores.questions().len()))?;
            let of_system = |name: &&String| {
                let at = table.systems().iter().position(|one| one == *name);
                at.map(|at| samples[at].clone()).ok_or(Undefined::NotResampled)
            };
            Ok(DatasetSamples {
                gold: table.gold_sha256().to_owned(),
                samples: systems.iter().map(of_system).collect::<Result<_, _>>()?,
            })
        };
        let datasets = group.iter().map(dataset).collect::<Result<Vec<_>, Undefined>>();
        let found = datasets.and_then(|datasets| OverDatasets::of(datasets, &settings.seed, &settings.alpha));
        compared_datasets(keys, &systems, found)
    };
    // Two files that are called alike are two states of one dataset.
    let is_of_several = |group: &Vec<&PreparedTable<'_>>| {
        let names: BTreeSet<&str> = group.iter().map(|table| table.key().dataset.as_str()).collect();
        names.len() == group.len()
    };
    grouped(tables, without_dataset)
        .into_iter()
        .filter(is_of_several)
        .map(of_group)
        .filter(|one| !one.systems.is_empty() || one.undefined.is_some())
        .collect()
}

fn compared_datasets(
    tables: Vec<TableKey>,
    names: &[&String],
    found: Result<OverDatasets, Undefined>,
) -> ComparedDatasets {
    let found = match found {
        Ok(found) => found,
        Err(undefined) => {
            return ComparedDatasets {
                tables,
                systems: Vec::new(),
                pairs: Vec::new(),
                undefined: Some(undefined),
            };
        }
    };
    let systems = names.iter().zip(&found.systems).map(|(name, (value, interval))| {
        let (interval, no_interval) = ComparedInterval::of(interval);
        ComparedMean { system: (*name).clone(), value: Decimal::of(value), interval, no_interval }
    });
    let pairs = found.pairs.iter().map(|pair| {
        ComparedPair::of(pair, pair.systems.map(|system| names[system].as_str()), found.pairs.len())
    });
    ComparedDatasets { tables, systems: systems.collect(), pairs: pairs.collect(), undefined: None }
}

fn drift(tables: &[PreparedTable<'_>], settings: &ComparisonSettings) -> Vec<ComparedDrift> {
    let without_gold = |key: &mut TableKey| {
        key.gold.clear();
        key.refreshed = None;
    };
    let mut all = Vec::new();
    for group in grouped(tables, without_gold) {
        let is_curated = |table: &&&PreparedTable<'_>| table.key().refreshed.is_none();
        let Some(curated) = group.iter().find(is_curated) else { continue };
        for refreshed in group.iter().filter(|table| !is_curated(table)) {
            let (Ok(before), Ok(after)) = (curated.scores(), refreshed.scores()) else { continue };
            let streams = Streams::of([curated.gold_sha256()], &settings.seed);
            for name in refreshed.systems() {
                let both = [(&before, "before"), (&after, "after")]
                    .map(|(scores, side)| Some((side.to_owned(), cells(scores, name)?)));
                let [Some(before), Some(after)] = both else { continue };
                // The questions that have both.
                let common = QuestionMatrix::of(BTreeMap::from([before, after]));
                let [after, before] = [0, 1].map(|row| &common.rows()[row]);
                let Ok(found) = GoldDrift::of(before, after, streams.stream(Purpose::Bootstrap)) else {
                    continue;
                };
                let (interval, no_interval) = ComparedInterval::of(&found.interval);
                all.push(ComparedDrift {
                    table: refreshed.key().clone(),
                    system: name.clone(),
                    questions: common.questions().len(),
                    curated: Decimal::of(&found.curated),
                    refreshed: Decimal::of(&found.refreshed),
                    difference: Decimal::of(&found.difference),
                    interval,
                    no_interval,
                    up: found.up,
                    down: found.down,
                });
            }
        }
    }
    all
}

/// What a system has, by question.
fn cells(scores: &QuestionMatrix<Fraction>, system: &str) -> Option<BTreeMap<String, Fraction>> {
    let row = scores.systems().iter().position(|name| name == system)?;
    Some(scores.questions().iter().cloned().zip(scores.rows()[row].iter().cloned()).collect())
}

/// Each two tables that differ in their profile only, or in their gold answers only.
fn profiles(tables: &[ComparedTable]) -> Vec<ComparedProfiles> {
    let is_alike = |one: &TableKey, other: &TableKey| {
        let with_profile = TableKey {
            profile: other.profile.clone(),
            profile_version: other.profile_version.clone(),
            measure: other.measure.clone(),
            // Profiles choose.
            options: other.options.clone(),
            ..one.clone()
        };
        let with_gold =
            TableKey { gold: other.gold.clone(), refreshed: other.refreshed.clone(), ..one.clone() };
        (one.profile_version != other.profile_version && with_profile == *other) || with_gold == *other
    };
    let mut all = Vec::new();
    for (at, one) in tables.iter().enumerate() {
        for other in tables[at + 1..].iter().filter(|other| is_alike(&one.key, &other.key)) {
            let value = |table: &ComparedTable, name: &str| {
                let system = table.systems.iter().find(|system| system.system == name)?;
                system.common_value.as_ref().or(system.value.as_ref()).map(Decimal::fraction)
            };
            let both = one.systems.iter().filter_map(|system| {
                let name = &system.system;
                Some((name.clone(), (value(one, name)?, value(other, name)?)))
            });
            let (names, values): (Vec<String>, Vec<_>) = both.unzip();
            let found = Concordance::of(&values);
            all.push(ComparedProfiles {
                tables: [one.key.clone(), other.key.clone()],
                tau_b: found.tau_b.as_ref().map(Decimal::of),
                discordant: found
                    .discordant
                    .iter()
                    .map(|both| both.map(|system| names[system].clone()))
                    .collect(),
            });
        }
    }
    all
}
