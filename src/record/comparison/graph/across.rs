//! What several tables say together: of systems over datasets, of newer gold answers, of profiles.

use crate::base::vocab::{code, qassay, rdf};
use crate::record::comparison::TableKey;
use crate::record::comparison::across::ComparedDatasets;
use crate::record::comparison::graph::ComparisonWriter;
use crate::record::comparison::graph::cubes::{Cube, NamedTable, decimal};
use crate::record::comparison::graph::tables::{
    evaluation, state_bounds, state_found, state_reason, state_test,
};
use crate::statistics::table::PairedTest;

impl ComparisonWriter<'_> {
    /// All of it.
    pub(super) fn across(&mut self) {
        for (datasets, number) in self.comparison.over_datasets.iter().zip(1..) {
            self.over_datasets(datasets, &number.to_string());
        }
        self.drift();
        self.agreements();
    }

    fn over_datasets(&mut self, datasets: &ComparedDatasets, number: &str) {
        let Some(key) = datasets.tables.first() else { return };
        let node = self.cubes.below(&format!("tables/{number}"));
        let tables: Vec<&String> =
            datasets.tables.iter().filter_map(|key| self.tables.get(key)).map(|(iri, _)| iri).collect();
        let lines = self.cubes.lines.subject(&node);
        lines
            .iri(rdf::TYPE, qassay::COMPARED_TABLE)
            .iri(qassay::PROFILE, &key.profile_version)
            .iri(qassay::EXPERIMENT_TYPE, &code::iri(&key.experiment))
            .iri(qassay::METRIC, &code::iri(&key.measure))
            .iri(qassay::GOLD_ORIGIN, &code::iri(&format!("gold-{}", key.gold)));
        for table in tables {
            lines.iri(qassay::ACROSS_TABLE, table);
        }
        state_reason(lines, datasets.undefined);
        for (mean, place) in datasets.systems.iter().zip(1..) {
            let system = self.cubes.below(&format!("system/over-{number}/{place}"));
            let lines = self.cubes.lines.subject(&system);
            lines
                .iri(rdf::TYPE, qassay::COMPARED_SYSTEM_CLASS)
                .iri(qassay::IN_TABLE, &node)
                .text(qassay::COMPARED_SYSTEM, &mean.system);
            decimal(lines, qassay::COMMON_VALUE, &mean.value);
            if let Some(interval) = &mean.interval {
                let method = code::iri(&format!("interval-{}", interval.method.name()));
                state_bounds(lines.iri(qassay::INTERVAL_METHOD, &method), interval);
            }
            state_reason(lines, mean.no_interval);
        }
        let named = NamedTable { number, iri: &node, key };
        let all = &self.comparison.tables;
        let of_these = all.iter().filter(|table| datasets.tables.contains(&table.key));
        let questions = of_these.map(|table| table.questions).sum();
        let place = |name: &String| {
            1 + datasets.systems.iter().position(|mean| mean.system == *name).unwrap_or_default()
        };
        for pair in &datasets.pairs {
            let path = format!("{}/{}", place(&pair.a), place(&pair.b));
            let lines = self.cubes.observation(Cube::OverDatasets, named, &path, questions);
            let by = code::iri(&format!("test-{}", PairedTest::Randomisation.name()));
            lines
                .text(qassay::COMPARED_SYSTEM, &pair.a)
                .text(qassay::COMPARED_WITH, &pair.b)
                .iri(qassay::PROFILE, &key.profile_version)
                .iri(qassay::TEST, &by);
            decimal(lines, qassay::DIFFERENCE, &pair.difference);
            state_test(lines, &pair.test, pair.family_size);
            state_found(lines, pair.interval.as_ref(), None);
        }
    }

    fn drift(&mut self) {
        let comparison = self.comparison;
        for drift in &comparison.drift {
            let curated_key = |key: &TableKey| {
                let gold = drift.table.gold.clone();
                key.refreshed.is_none()
                    && TableKey { gold, refreshed: drift.table.refreshed.clone(), ..key.clone() }
                        == drift.table
            };
            let refreshed = comparison.tables.iter().find(|table| table.key == drift.table);
            let curated = comparison.tables.iter().find(|table| curated_key(&table.key));
            let (Some(refreshed), Some(curated)) = (refreshed, curated) else { continue };
            let sides = [refreshed, curated].map(|table| evaluation(table, &drift.system));
            let [Some(after), Some(before)] = sides else { continue };
            let Some((iri, number)) = self.named(&refreshed.key) else { continue };
            let named = NamedTable { number: &number, iri: &iri, key: &refreshed.key };
            let path = after.rsplit('/').next().unwrap_or_default();
            let lines = self.cubes.observation(Cube::Drift, named, path, drift.questions);
            lines
                .iri(qassay::EVALUATION, after)
                .iri(qassay::BASELINE, before)
                .integer(qassay::WINS, drift.up as u64)
                .integer(qassay::LOSSES, drift.down as u64);
            decimal(lines, qassay::DIFFERENCE, &drift.difference);
            decimal(lines, qassay::MINUEND, &drift.refreshed);
            decimal(lines, qassay::SUBTRAHEND, &drift.curated);
            state_found(lines, drift.interval.as_ref(), drift.no_interval);
        }
    }

    fn agreements(&mut self) {
        for (agreement, number) in self.comparison.profiles.iter().zip(1..) {
            let node = self.cubes.below(&format!("agreement/{number}"));
            let lines = self.cubes.lines.subject(&node);
            lines.iri(rdf::TYPE, qassay::RANKING_AGREEMENT);
            for (table, _) in agreement.tables.iter().filter_map(|key| self.tables.get(key)) {
                lines.iri(qassay::IN_TABLE, table);
            }
            if let Some(tau) = &agreement.tau_b {
                decimal(lines, qassay::TAU_B, tau);
            }
            for ([one, other], place) in agreement.discordant.iter().zip(1..) {
                let pair = format!("{node}/{place}");
                self.cubes.lines.subject(&node).iri(qassay::DISCORDANT_PAIR, &pair);
                self.cubes
                    .lines
                    .subject(&pair)
                    .iri(rdf::TYPE, qassay::DISCORDANT_PAIR_CLASS)
                    .text(qassay::COMPARED_SYSTEM, one)
                    .text(qassay::COMPARED_WITH, other);
            }
        }
    }
}
