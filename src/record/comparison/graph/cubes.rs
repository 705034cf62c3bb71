//! The cubes of a comparison, and the observations, slices and data sets that they are made of.

use std::collections::BTreeSet;

use crate::base::rdf::lines::Lines;
use crate::base::vocab::{code, dcat, dct, prov, qassay, qb, rdf, sdmx_attribute, unit, xsd};
use crate::measures::metric::Metric;
use crate::record::comparison::TableKey;
use crate::record::publish::scores::{CC0, unit_of};
use crate::record::results::decimal::Decimal;

/// A cube of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cube {
    /// Pairs of systems.
    Pairs,
    /// Where values are.
    Intervals,
    /// Which ranks systems may have.
    Ranks,
    /// Questions as items.
    Items,
    /// What systems could do together.
    Ensembles,
    /// Pairs of systems over several datasets.
    OverDatasets,
    /// Systems inside and outside of groups of questions.
    GroupEffects,
    /// What newer gold answers change.
    Drift,
}

impl Cube {
    /// What the IRIs of its observations begin with, below that of the comparison.
    fn name(self) -> &'static str {
        match self {
            Self::Pairs => "pair",
            Self::Intervals => "interval",
            Self::Ranks => "rank",
            Self::Items => "item",
            Self::Ensembles => "ensemble",
            Self::OverDatasets => "over-datasets",
            Self::GroupEffects => "group-effect",
            Self::Drift => "drift",
        }
    }

    fn structure(self) -> &'static str {
        match self {
            Self::Pairs => qassay::DSD_COMPARISON,
            Self::Intervals => qassay::DSD_INTERVAL,
            Self::Ranks => qassay::DSD_RANK,
            Self::Items => qassay::DSD_ITEM,
            Self::Ensembles => qassay::DSD_ENSEMBLE,
            Self::OverDatasets => qassay::DSD_OVER_DATASETS,
            Self::GroupEffects => qassay::DSD_GROUP_EFFECT,
            Self::Drift => qassay::DSD_DRIFT,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Pairs => "Pairs of systems",
            Self::Intervals => "Intervals of values",
            Self::Ranks => "Ranks in resamples",
            Self::Items => "Questions as items",
            Self::Ensembles => "Oracle ensembles",
            Self::OverDatasets => "Pairs of systems over several datasets",
            Self::GroupEffects => "Systems inside and outside of groups of questions",
            Self::Drift => "Drift of gold answers",
        }
    }
}

/// A table, as observations name it.
#[derive(Debug, Clone, Copy)]
pub(super) struct NamedTable<'a> {
    /// Its number, or that of several.
    pub(super) number: &'a str,
    /// Its IRI.
    pub(super) iri: &'a str,
    /// What is compared.
    pub(super) key: &'a TableKey,
}

/// Writes observations, each into its cube and its slice.
pub(super) struct CubeLines {
    pub(super) lines: Lines,
    /// The IRI of the comparison.
    comparison: String,
    /// The cubes and slices that are described.
    described: BTreeSet<String>,
}

impl CubeLines {
    /// Nothing is written yet.
    pub(super) fn new(graph: &str, comparison: &str) -> Self {
        Self { lines: Lines::new(graph), comparison: comparison.to_owned(), described: BTreeSet::new() }
    }

    /// The IRI of something below the comparison.
    pub(super) fn below(&self, path: &str) -> String {
        format!("{}/{path}", self.comparison)
    }

    /// An observation of a table over so many questions: what follows is about it.
    pub(super) fn observation(
        &mut self,
        cube: Cube,
        table: NamedTable<'_>,
        path: &str,
        questions: usize,
    ) -> &mut Lines {
        let name = cube.name();
        let data_set = self.below(&format!("cube/{name}"));
        let slice = self.below(&format!("slice/{name}/{}", table.number));
        let observation = self.below(&format!("{name}/{}/{path}", table.number));
        if self.described.insert(data_set.clone()) {
            self.describe(cube, &data_set);
        }
        if self.described.insert(slice.clone()) {
            self.lines.subject(&data_set).iri(qb::SLICE, &slice);
            self.lines
                .subject(&slice)
                .iri(rdf::TYPE, qb::SLICE_CLASS)
                .iri(qb::SLICE_STRUCTURE, qassay::SLICE_BY_TABLE)
                .iri(qassay::IN_TABLE, table.iri);
        }
        self.lines.subject(&slice).iri(qb::OBSERVATION, &observation);
        // Shares of resamples have no unit; all else has that of its metric.
        let unit = Metric::named(&table.key.measure).filter(|_| cube != Cube::Ranks).map(unit_of);
        self.lines
            .subject(&observation)
            .iri(rdf::TYPE, qb::OBSERVATION_CLASS)
            .iri(qb::DATA_SET, &data_set)
            .iri(qassay::IN_TABLE, table.iri)
            .iri(qassay::EXPERIMENT_TYPE, &code::iri(&table.key.experiment))
            .iri(qassay::METRIC, &code::iri(&table.key.measure))
            .iri(sdmx_attribute::UNIT_MEASURE, unit.unwrap_or(unit::UNITLESS))
            .integer(qassay::SAMPLE_SIZE, questions as u64)
    }

    fn describe(&mut self, cube: Cube, data_set: &str) {
        self.lines.subject(data_set);
        for class in [qb::DATA_SET_CLASS, dcat::DATASET_CLASS, prov::ENTITY_CLASS] {
            self.lines.iri(rdf::TYPE, class);
        }
        self.lines
            .text_in(dct::TITLE, cube.title(), Some("en"))
            .iri(qb::STRUCTURE, cube.structure())
            .iri(dct::IS_PART_OF, &self.comparison)
            .iri(dct::LICENSE, CC0);
    }
}

/// States a number.
pub(super) fn decimal<'l>(lines: &'l mut Lines, property: &str, value: &Decimal) -> &'l mut Lines {
    lines.typed(property, value.as_str(), xsd::DECIMAL)
}
