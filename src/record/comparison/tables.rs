//! Evaluations become tables, and each table is compared.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::error::{Error, Result};
use crate::measures::fraction::Fraction;
use crate::measures::metric::Metric;
use crate::measures::result::Status;
use crate::measures::sets::Submitted;
use crate::profiles::rules::EXPERIMENTS;
use crate::record::comparison::meant::Caution;
use crate::record::comparison::measured::{better, sampled, scores, standing_for};
use crate::record::comparison::risk::{ComparedRisk, confidence};
use crate::record::comparison::settings::{ClusterUnit, ComparisonSettings};
use crate::record::comparison::{
    ComparedEnsembles, ComparedGroupEffect, ComparedGroups, ComparedInterval, ComparedItem, ComparedPair,
    ComparedPairInGroup, ComparedSet, ComparedSystem, ComparedTable, GroupMembers, OwnQuestions, TableKey,
};
use crate::record::results::decimal::Decimal;
use crate::record::results::{Chosen, Observation, Results, TypeResults};
use crate::scoring::groups::ALL;
use crate::statistics::items::{ItemStatistics, items};
use crate::statistics::matrix::{Clustering, QuestionMatrix, variant_cluster};
use crate::statistics::oracle::{OracleEnsembles, SystemSet};
use crate::statistics::question_groups::QuestionGroups;
use crate::statistics::ranks::Better;
use crate::statistics::risk::RatedQuestion;
use crate::statistics::sampled::Sampled;
use crate::statistics::stream::{Purpose, Streams};
use crate::statistics::table::{PairStatistics, SystemStatistics, TableSettings, TableStatistics};
use crate::statistics::undefined::Undefined;

/// An evaluation in a table.
#[derive(Debug, Clone, Copy)]
struct TableEntry<'a> {
    results: &'a Results,
    types: &'a TypeResults,
}

/// What systems are compared in.
#[derive(Debug)]
pub struct PreparedTable<'a> {
    key: TableKey,
    gold_sha256: String,
    metric: Metric,
    entries: BTreeMap<&'a str, TableEntry<'a>>,
    /// What each system has in the questions that all of them have.
    observations: QuestionMatrix<&'a Observation>,
    cluster: ClusterUnit,
    clusters: Clustering,
}

/// All tables of some evaluations, by what they compare.
///
/// # Errors
/// Where two evaluations are of the same system in the same table, evaluations of one dataset version are of different files,
/// or the baseline is no system of theirs.
pub fn prepared<'a>(results: &'a [Results], settings: &ComparisonSettings) -> Result<Vec<PreparedTable<'a>>> {
    let mut tables: BTreeMap<TableKey, BTreeMap<&str, (Metric, TableEntry<'_>)>> = BTreeMap::new();
    let is_wanted =
        |types: &&TypeResults| settings.experiments.is_empty() || settings.experiments.contains(&types.name);
    for one in results {
        for types in one.experiments.iter().filter(is_wanted) {
            for metric in measures(one, settings) {
                let metric = standing_for(types, metric);
                let table = tables.entry(table_key(one, types, metric)).or_default();
                let entry = TableEntry { results: one, types };
                if let Some((_, other)) = table.insert(&one.submission.name, (metric, entry)) {
                    return Err(twice(one, other.results));
                }
            }
        }
    }
    let is_known = |name: &String| results.iter().any(|one| one.submission.name == *name);
    if let Some(name) = settings.baseline.as_ref().filter(|name| !is_known(name)) {
        let known: BTreeSet<&str> = results.iter().map(|one| one.submission.name.as_str()).collect();
        let known: Vec<&str> = known.into_iter().collect();
        return Err(
            Error::input(format!("no evaluation is of the system `{name}`")).allowed(known.join(", "))
        );
    }
    let tables = tables.into_iter().map(|(key, entries)| PreparedTable::new(key, entries, settings));
    let mut tables = tables.collect::<Result<Vec<_>>>()?;
    // Experiment types stand as they do everywhere: that of the answers first.
    let place = |name: &str| EXPERIMENTS.iter().position(|known| *known == name).unwrap_or(EXPERIMENTS.len());
    tables.sort_by_cached_key(|table| TableKey {
        experiment: place(&table.key.experiment).to_string(),
        ..table.key.clone()
    });
    apart(&tables).map_or(Ok(tables), Err)
}

/// What was asked for, or what the profile ranks by.
fn measures(one: &Results, settings: &ComparisonSettings) -> Vec<Metric> {
    if !settings.measures.is_empty() {
        return settings.measures.clone();
    }
    one.profile.ranked_by.or_else(|| Metric::named("macroF1")).into_iter().collect()
}

/// Why no two of several systems stand in one table.
fn apart(tables: &[PreparedTable<'_>]) -> Option<Error> {
    if tables.iter().any(|table| table.systems().len() > 1) {
        return None;
    }
    let first = tables.first()?;
    let other = tables.iter().find(|table| table.systems() != first.systems())?;
    let parts = |key: &TableKey| {
        [
            ("dataset", key.dataset.clone()),
            ("gold file", key.dataset_version.clone()),
            ("profile", key.profile_version.clone()),
            ("gold answers", key.gold.clone()),
            ("refreshed gold answers", key.refreshed.clone().unwrap_or_default()),
            ("experiment type", key.experiment.clone()),
            ("measure", key.measure.clone()),
            ("choices", choices(key)),
        ]
    };
    let differing = parts(&first.key).into_iter().zip(parts(&other.key)).filter(|(one, other)| one != other);
    let told: Vec<String> =
        differing.map(|((what, one), (_, other))| format!("{what} ({one}, {other})")).collect();
    let names = |table: &PreparedTable<'_>| table.systems().join(", ");
    let text = format!(
        "no two systems can be compared: {} and {} differ in {}",
        names(first),
        names(other),
        told.join("; ")
    );
    Some(
        Error::input(text)
            .hint("evaluate them on the same gold file, by the same profile with the same choices"),
    )
}

/// `links x.nt, language en`.
fn choices(key: &TableKey) -> String {
    let told = key.options.iter().map(|(name, values)| format!("{name} {}", values.join(" ")));
    let told: Vec<String> = told.collect();
    if told.is_empty() { "none".to_owned() } else { told.join(", ") }
}

fn twice(one: &Results, other: &Results) -> Error {
    let name = &one.submission.name;
    Error::input(format!(
        "two evaluations are of the system `{name}` on the same dataset by the same rules: {} and {}",
        one.iri, other.iri
    ))
    .hint("name one of them by its key")
}

fn table_key(one: &Results, types: &TypeResults, metric: Metric) -> TableKey {
    // Which experiment types were scored beside this one decides nothing.
    let is_stated = |chosen: &&Chosen| !chosen.values.is_empty() && chosen.option != "experiment";
    let chosen = one.conditions.chosen.iter().filter(is_stated);
    let mut options: Vec<(String, Vec<String>)> =
        chosen.map(|chosen| (chosen.option.clone(), chosen.values.clone())).collect();
    options
        .extend(one.references.iter().map(|(kind, file)| (kind.name().to_owned(), vec![file.iri.clone()])));
    TableKey {
        dataset: one.dataset.name.clone(),
        dataset_version: one.dataset.iri.clone(),
        profile: one.profile.name.clone(),
        profile_version: one.profile.iri.clone(),
        options,
        experiment: types.name.clone(),
        measure: metric.to_string(),
        gold: one.conditions.gold.clone(),
        refreshed: one.refreshed.as_ref().map(|gold| gold.iri.clone()),
    }
}

impl<'a> TableEntry<'a> {
    /// The questions that were scored, by key.
    fn observed(&self, only_answered: bool) -> BTreeMap<String, &'a Observation> {
        let all = self.results.questions.iter().zip(&self.types.questions);
        let scored = all.filter_map(|(facts, one)| Some((facts.key.clone(), one.observed.as_ref().ok()?)));
        scored.filter(|(_, one)| !only_answered || one.status == Status::Answered).collect()
    }

    /// The questions of the evaluation, of which so many are compared.
    fn own(&self, compared: usize) -> OwnQuestions {
        let all = self.observed(false);
        OwnQuestions {
            scored: all.len(),
            missing: missing(all.values().copied()),
            failed: failed(all.values().copied()),
            left_out: all.len() - compared,
        }
    }

    /// The published value over all questions.
    fn published(&self, metric: Metric) -> Option<&'a Decimal> {
        let all = self.types.groups.iter().find(|group| group.name == ALL)?;
        let (_, measured) = all.metrics.iter().find(|(known, _)| *known == metric)?;
        measured.as_ref().map(|measured| &measured.value)
    }
}

impl<'a> PreparedTable<'a> {
    fn new(
        key: TableKey,
        entries: BTreeMap<&'a str, (Metric, TableEntry<'a>)>,
        settings: &ComparisonSettings,
    ) -> Result<Self> {
        let files: BTreeSet<&str> =
            entries.values().map(|(_, entry)| entry.results.dataset.sha256.as_str()).collect();
        let (Some(gold_sha256), Some((metric, _))) = (files.first(), entries.values().next()) else {
            return Err(Error::system("a table without evaluations"));
        };
        if files.len() > 1 {
            let text = format!("the evaluations on {} are of different gold files", key.dataset);
            return Err(Error::input(text).hint("compare evaluations on the same file"));
        }
        let (gold_sha256, metric) = ((*gold_sha256).to_owned(), *metric);
        let entries: BTreeMap<&str, TableEntry<'_>> =
            entries.into_iter().map(|(name, (_, entry))| (name, entry)).collect();
        let observed =
            entries.iter().map(|(name, entry)| ((*name).to_owned(), entry.observed(settings.only_answered)));
        let observations = QuestionMatrix::of(observed.collect());
        let usual = || {
            if key.profile.starts_with("text2sparql") { ClusterUnit::Variant } else { ClusterUnit::Question }
        };
        let cluster = settings.cluster.unwrap_or_else(usual);
        let clusters = match cluster {
            ClusterUnit::Question => Clustering::single(observations.questions().len()),
            ClusterUnit::Variant => {
                let names: Vec<&str> =
                    observations.questions().iter().map(|id| variant_cluster(id)).collect();
                Clustering::by(&names)
            }
        };
        Ok(Self { key, gold_sha256, metric, entries, observations, cluster, clusters })
    }

    /// What it compares.
    pub fn key(&self) -> &TableKey {
        &self.key
    }

    /// sha256 of the gold file.
    pub fn gold_sha256(&self) -> &str {
        &self.gold_sha256
    }

    /// The names of the systems.
    pub fn systems(&self) -> &[String] {
        self.observations.systems()
    }

    /// The measure.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// What is resampled and exchanged.
    pub fn cluster(&self) -> ClusterUnit {
        self.cluster
    }

    /// The streams of its dataset.
    pub fn streams(&self, settings: &ComparisonSettings) -> Streams {
        Streams::of([self.gold_sha256.as_str()], &settings.seed)
    }

    /// The measure of the first system, as it is resampled.
    ///
    /// # Errors
    /// As [`Self::sampled`].
    pub fn headline(&self) -> Result<Sampled, Undefined> {
        self.sampled(&self.clusters)?.into_iter().next().ok_or(Undefined::NotResampled)
    }

    /// The scores of single questions, where the measure is their mean.
    ///
    /// # Errors
    /// Where it is not.
    pub fn scores(&self) -> Result<QuestionMatrix<Fraction>, Undefined> {
        let rows = self
            .observations
            .rows()
            .iter()
            .map(|row| scores(self.metric, row))
            .collect::<Result<Vec<_>, _>>()?;
        let cells = |row: Vec<Fraction>| self.observations.questions().iter().cloned().zip(row).collect();
        Ok(QuestionMatrix::of(self.systems().iter().cloned().zip(rows.into_iter().map(cells)).collect()))
    }

    /// The measure of each system over the common questions.
    ///
    /// # Errors
    /// Where it does not follow from what is published of single questions.
    pub fn sampled(&self, clusters: &Clustering) -> Result<Vec<Sampled>, Undefined> {
        if self.observations.questions().is_empty() && self.entries.len() > 1 {
            return Err(Undefined::NoCommonQuestions);
        }
        let all = self.entries.values().zip(self.observations.rows());
        let sampled = all.map(|(entry, row)| {
            let sample = sampled(self.metric, row, clusters)?;
            // What is resampled must be what is published, up to the rounding of what it is the mean of.
            let published =
                entry.published(self.metric).map(Decimal::fraction).and_then(|value| value.units());
            let is_whole = row.len() == entry.observed(false).len();
            let is_same =
                published.zip(sample.value().units()).is_some_and(|(one, other)| one.abs_diff(other) <= 1);
            if is_whole && !is_same { Err(Undefined::NotResampled) } else { Ok(sample) }
        });
        sampled.collect()
    }

    /// What is to be said of the values of its systems, by system.
    fn cautions(&self, settings: &ComparisonSettings) -> Vec<Vec<Caution>> {
        self.entries.values().map(|entry| self.cautions_of(entry, settings)).collect()
    }

    fn cautions_of(&self, entry: &TableEntry<'_>, settings: &ComparisonSettings) -> Vec<Caution> {
        let of_it = settings.aliases.iter().filter(|(iri, _)| *iri == entry.results.iri);
        let others: Vec<&str> = of_it.map(|(_, name)| name.as_str()).collect();
        Caution::all(entry.results, &self.key.experiment, &others)
    }

    /// Whether it has a system, and its value is what it seems to be.
    pub fn is_ranked(&self, name: &str, settings: &ComparisonSettings) -> bool {
        self.entries.get(name).is_some_and(|entry| self.cautions_of(entry, settings).is_empty())
    }

    /// The IRIs of its evaluations.
    pub fn evaluations(&self) -> impl Iterator<Item = &'a str> {
        self.entries.values().map(|entry| entry.results.iri.as_str())
    }

    /// The table, compared; with groups of questions where there are some.
    pub fn compared(&self, settings: &ComparisonSettings, groups: Option<&GroupMembers>) -> ComparedTable {
        let better = better(self.metric);
        let cautions = self.cautions(settings);
        let unranked: BTreeSet<usize> =
            (0..cautions.len()).filter(|system| !cautions[*system].is_empty()).collect();
        let samples = self.sampled(&self.clusters);
        // What they have in other questions is not comparable.
        let unranked = if samples.as_ref().err() == Some(&Undefined::NoCommonQuestions) {
            (0..cautions.len()).collect()
        } else {
            unranked
        };
        let baseline =
            settings.baseline.as_ref().and_then(|name| self.systems().iter().position(|one| one == name));
        let of_table = TableSettings {
            streams: self.streams(settings),
            test: settings.test,
            alpha: settings.alpha.clone(),
            better,
            baseline,
            unranked,
        };
        let found = match &samples {
            Ok(samples) => TableStatistics::of(samples, &of_table),
            Err(why) => {
                let published = |entry: &TableEntry<'_>| entry.published(self.metric).map(Decimal::fraction);
                let published: Vec<_> = self.entries.values().map(published).collect();
                TableStatistics::of_values(&published, *why, better, &of_table.unranked)
            }
        };
        let scores = self.scores().ok().filter(|_| samples.is_ok());
        ComparedTable {
            key: self.key.clone(),
            gold_sha256: self.gold_sha256.clone(),
            lower_is_better: better == Better::Lower,
            questions: self.observations.questions().len(),
            cluster: self.cluster,
            clusters: self.clusters.members().len(),
            left_out: self.observations.left_out().to_vec(),
            systems: self.compared_systems(&found, samples.is_ok(), cautions),
            baseline: baseline.map(|system| self.systems()[system].clone()),
            no_pairs: found.pairs.as_ref().err().copied(),
            pairs: found.pairs.map(|pairs| self.compared_pairs(&pairs)).unwrap_or_default(),
            groups: scores
                .as_ref()
                .zip(groups)
                .map(|(scores, groups)| self.groups(scores, groups, &of_table)),
            ensembles: scores.as_ref().and_then(|scores| Self::ensembles(scores, &of_table.unranked)),
            items: scores.as_ref().map(compared_items).unwrap_or_default(),
            risk: scores.as_ref().map(|scores| self.risk(scores)).unwrap_or_default(),
        }
    }

    fn compared_systems(
        &self,
        found: &TableStatistics,
        is_sampled: bool,
        cautions: Vec<Vec<Caution>>,
    ) -> Vec<ComparedSystem> {
        let all = self.entries.values().zip(self.observations.rows()).zip(&found.systems).zip(cautions);
        let of_system = |(((entry, row), found), cautions): (
            ((&TableEntry<'_>, &Vec<&Observation>), &SystemStatistics),
            _,
        )| {
            let (interval, no_interval) = ComparedInterval::of(&found.interval);
            ComparedSystem {
                system: entry.results.submission.name.clone(),
                evaluation: entry.results.iri.clone(),
                value: entry.published(self.metric).cloned(),
                common_value: found.value.as_ref().filter(|_| is_sampled).map(Decimal::of),
                interval,
                no_interval,
                failed: failed(row.iter().copied()),
                missing: missing(row.iter().copied()),
                rank: found.rank,
                significance_rank: found.significance_rank,
                ranks: found.ranks.as_ref().map(|ranks| ranks.times.clone()).unwrap_or_default(),
                rank_range: found.ranks.as_ref().map(|ranks| ranks.range),
                letters: found.letters.clone(),
                cautions,
                own: entry.own(row.len()),
            }
        };
        all.map(of_system).collect()
    }

    /// Of each system that says how sure it is.
    fn risk(&self, scores: &QuestionMatrix<Fraction>) -> Vec<ComparedRisk> {
        let all = self.systems().iter().zip(self.observations.rows()).zip(scores.rows());
        let of_system = |((name, row), scores): ((&String, &Vec<&Observation>), &Vec<Fraction>)| {
            let rated = row
                .iter()
                .zip(scores)
                .map(|(one, score)| RatedQuestion { confidence: confidence(one), score: score.clone() });
            ComparedRisk::of(name, &rated.collect::<Vec<_>>())
        };
        all.filter_map(of_system).collect()
    }

    fn compared_pairs(&self, pairs: &[PairStatistics]) -> Vec<ComparedPair> {
        pairs.iter().map(|pair| self.compared_pair(pair, pairs.len())).collect()
    }

    fn compared_pair(&self, pair: &PairStatistics, family_size: usize) -> ComparedPair {
        ComparedPair::of(pair, pair.systems.map(|system| &*self.systems()[system]), family_size)
    }

    fn groups(
        &self,
        scores: &QuestionMatrix<Fraction>,
        groups: &GroupMembers,
        settings: &TableSettings,
    ) -> ComparedGroups {
        let position = |key: &String| scores.questions().binary_search(key).ok();
        let positions = groups
            .iter()
            .map(|(name, keys)| (name.clone(), keys.iter().filter_map(position).collect()))
            .collect();
        let groups = QuestionGroups::of(scores.questions().len(), &positions);
        let size = |group: &str| groups.members().get(group).map_or(0, Vec::len);
        let effects = groups.effects(scores, settings.streams.stream(Purpose::Shuffle));
        let effects = effects.unwrap_or_default().into_iter().map(|effect| ComparedGroupEffect {
            system: self.systems()[effect.system].clone(),
            questions: size(&effect.group),
            group: effect.group,
            inside: Decimal::of(&effect.inside),
            outside: Decimal::of(&effect.outside),
            difference: Decimal::of(&effect.difference),
            p: Decimal::of(&effect.p),
            significant: effect.adjusted <= settings.alpha,
            adjusted: Decimal::of(&effect.adjusted),
        });
        let family = groups.members().len();
        let pairs = groups.pairs(scores, settings).unwrap_or_default();
        let pairs = pairs.into_iter().map(|one| ComparedPairInGroup {
            questions: size(&one.group),
            pair: self.compared_pair(&one.pair, family),
            group: one.group,
        });
        ComparedGroups { effects: effects.collect(), pairs: pairs.collect() }
    }

    /// What the systems that have a rank could do together.
    fn ensembles(scores: &QuestionMatrix<Fraction>, unranked: &BTreeSet<usize>) -> Option<ComparedEnsembles> {
        let scores = scores.without(unranked);
        let (found, names) = (OracleEnsembles::of(&scores).ok()?, scores.systems());
        let sets = |sets: &[SystemSet]| {
            let set = |set: &SystemSet| ComparedSet {
                value: Decimal::of(&set.value),
                systems: set.systems.iter().map(|system| names[*system].clone()).collect(),
            };
            sets.iter().map(set).collect::<Vec<_>>()
        };
        let gains = names.iter().zip(&found.gains).flat_map(|(one, gains)| {
            let gain = move |(other, gain): (&String, &Option<Fraction>)| {
                Some((one.clone(), other.clone(), Decimal::of(gain.as_ref()?)))
            };
            names.iter().zip(gains).filter_map(gain)
        });
        Some(ComparedEnsembles {
            best: found.best.as_deref().map(sets),
            greedy: sets(&found.greedy),
            without: names.iter().cloned().zip(found.losses.iter().map(Decimal::of)).collect(),
            gains: gains.collect(),
        })
    }
}

/// How many questions the submission does not have.
fn missing<'o>(all: impl Iterator<Item = &'o Observation>) -> usize {
    all.filter(|one| one.status == Status::Missing).count()
}

/// In how many the system failed.
fn failed<'o>(all: impl Iterator<Item = &'o Observation>) -> usize {
    all.filter(|one| one.status.submitted() == Submitted::Error).count()
}

fn compared_items(scores: &QuestionMatrix<Fraction>) -> Vec<ComparedItem> {
    let item = |(at, (question, item)): (usize, (&String, ItemStatistics))| ComparedItem {
        question: question.clone(),
        difficulty: Decimal::of(&item.difficulty),
        discrimination: item.discrimination.as_ref().map(Decimal::of),
        scores: scores.column(at).map(Decimal::of).collect(),
    };
    scores.questions().iter().zip(items(scores)).enumerate().map(item).collect()
}
