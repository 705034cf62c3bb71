//! How sure a single evaluation is of its headline measure: the interval of what its profile ranks by, else of macro F1, over
//! all questions of an experiment type.
//!
//! It is that of a comparison with nobody else, by the same random numbers; no published graph of an evaluation has it.

use std::collections::BTreeMap;

use crate::base::error::Result;
use crate::base::parallel;
use crate::measures::metric::Metric;
use crate::record::comparison::ComparedInterval;
use crate::record::comparison::settings::{ClusterUnit, ComparisonSettings};
use crate::record::comparison::tables::{PreparedTable, prepared};
use crate::record::results::{Results, TypeResults};
use crate::statistics::interval::Interval;
use crate::statistics::resample::replicates;
use crate::statistics::sampled::Sampled;
use crate::statistics::stream::Purpose;
use crate::statistics::undefined::Undefined;

/// The headline measure of an experiment type, and where its value is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadlineInterval {
    /// The measure.
    pub metric: Metric,
    /// What is resampled.
    pub cluster: ClusterUnit,
    /// The interval.
    pub interval: Option<ComparedInterval>,
    /// Why there is none.
    pub no_interval: Option<Undefined>,
}

/// Those of some evaluations, by the IRI of the evaluation and the name of the experiment type.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeadlineIntervals(BTreeMap<(String, String), HeadlineInterval>);

/// What is resampled together: questions of one dataset, by its streams.
type ResampledTogether<'a> = Vec<(&'a PreparedTable<'a>, Sampled)>;

impl HeadlineIntervals {
    /// Of evaluations with [every detail](crate::record::results::Detail::Questions): some measures need it.
    ///
    /// # Errors
    /// Where evaluations cannot be compared at all.
    pub fn of(results: &[Results]) -> Result<Self> {
        let found = intervals(results, &ComparisonSettings::default())?;
        Ok(Self(found.into_iter().collect()))
    }

    /// Of an experiment type of an evaluation those of some measures, in no order: each as it would be alone.
    ///
    /// # Errors
    /// Where the evaluation cannot be compared at all.
    pub fn of_measures(
        results: &Results,
        experiment: &str,
        measures: Vec<Metric>,
    ) -> Result<Vec<HeadlineInterval>> {
        let experiments = vec![experiment.to_owned()];
        let settings = ComparisonSettings { measures, experiments, ..ComparisonSettings::default() };
        let found = intervals(std::slice::from_ref(results), &settings)?;
        Ok(found.into_iter().map(|(_, one)| one).collect())
    }

    /// That of an experiment type of an evaluation, if it was asked for.
    pub fn get(&self, results: &Results, types: &TypeResults) -> Option<&HeadlineInterval> {
        self.0.get(&(results.iri.clone(), types.name.clone()))
    }
}

/// The IRI of an evaluation, the name of an experiment type, and an interval of it.
type FoundInterval = ((String, String), HeadlineInterval);

/// The intervals of evaluations, each compared with nobody else.
fn intervals(results: &[Results], settings: &ComparisonSettings) -> Result<Vec<FoundInterval>> {
    let alone = results.iter().map(|one| prepared(std::slice::from_ref(one), settings));
    let tables: Vec<PreparedTable<'_>> = alone.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
    let mut found = Vec::new();
    // What has as many parts has the same resamples, and is resampled at once.
    let mut all: BTreeMap<(&str, usize), ResampledTogether<'_>> = BTreeMap::new();
    for table in &tables {
        match table.headline() {
            Ok(sample) => {
                all.entry((table.gold_sha256(), sample.parts())).or_default().push((table, sample));
            }
            Err(why) => add(&mut found, table, &Err(why)),
        }
    }
    for together in all.into_values() {
        let Some((first, _)) = together.first() else { continue };
        let samples: Vec<&Sampled> = together.iter().map(|(_, sample)| sample).collect();
        let drawn = replicates(&samples, first.streams(settings).stream(Purpose::Bootstrap));
        let intervals = parallel::each(samples.into_iter().zip(&drawn).collect(), |(sample, drawn)| {
            Interval::of_value(sample, drawn)
        });
        for ((table, _), interval) in together.iter().zip(&intervals) {
            add(&mut found, table, interval);
        }
    }
    Ok(found)
}

fn add(
    found: &mut Vec<FoundInterval>,
    table: &PreparedTable<'_>,
    interval: &std::result::Result<Interval, Undefined>,
) {
    let (interval, no_interval) = ComparedInterval::of(interval);
    let one = HeadlineInterval { metric: table.metric(), cluster: table.cluster(), interval, no_interval };
    for evaluation in table.evaluations() {
        found.push(((evaluation.to_owned(), table.key().experiment.clone()), one.clone()));
    }
}
