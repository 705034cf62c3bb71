//! What a table says: its systems, their pairs, intervals and ranks, questions, ensembles, groups.

use crate::base::iri;
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{code, prov, qassay, rdf, xsd};
use crate::measures::fraction::Fraction;
use crate::record::comparison::graph::cubes::{Cube, NamedTable, decimal};
use crate::record::comparison::graph::{ComparisonWriter, short};
use crate::record::comparison::{
    ComparedGroups, ComparedInterval, ComparedPair, ComparedSystem, ComparedTable, ComparedTest,
};
use crate::record::results::decimal::Decimal;
use crate::scoring::groups::ALL;
use crate::statistics::table::PairedTest;
use crate::statistics::undefined::Undefined;

/// The share of intervals that hold what they are of.
const LEVEL: &str = "0.95";

impl<'a> ComparisonWriter<'a> {
    /// A table with all that is in it.
    pub(super) fn table(&mut self, table: &'a ComparedTable) {
        let Some((iri, number)) = self.named(&table.key) else { return };
        let named = NamedTable { number: &number, iri: &iri, key: &table.key };
        self.describe_table(named, table);
        for (system, place) in table.systems.iter().zip(1..) {
            self.system(named, table, system, place);
            self.interval(named, table, system);
            self.ranks(named, table, system);
        }
        for pair in &table.pairs {
            self.pair(named, table, pair, (ALL, table.questions));
        }
        self.items(named, table);
        self.ensembles(named, table);
        if let Some(groups) = &table.groups {
            self.groups(named, table, groups);
        }
    }

    fn describe_table(&mut self, named: NamedTable<'_>, table: &ComparedTable) {
        let key = &table.key;
        let lines = self.cubes.lines.subject(named.iri);
        lines
            .iri(rdf::TYPE, qassay::COMPARED_TABLE)
            .iri(qassay::DATASET_VERSION, &key.dataset_version)
            .iri(qassay::PROFILE, &key.profile_version)
            .iri(qassay::EXPERIMENT_TYPE, &code::iri(&key.experiment))
            .iri(qassay::METRIC, &code::iri(&key.measure))
            .iri(qassay::GOLD_ORIGIN, &code::iri(&format!("gold-{}", key.gold)))
            .integer(qassay::COMMON_QUESTIONS, table.questions as u64)
            .iri(qassay::CLUSTER_UNIT, &code::iri(&format!("cluster-{}", table.cluster.name())))
            .integer(qassay::CLUSTER_COUNT, table.clusters as u64);
        if let Some(refreshed) = &key.refreshed {
            lines.iri(qassay::REFRESHED_GOLD, refreshed);
        }
        for (option, values) in &key.options {
            for value in values {
                lines.text(qassay::TABLE_OPTION, &format!("{option}={value}"));
            }
        }
        for question in &table.left_out {
            lines.iri(qassay::LEFT_OUT_QUESTION, &iri::question(&key.dataset_version, question));
        }
        state_reason(lines, table.no_pairs);
    }

    fn system(
        &mut self,
        named: NamedTable<'_>,
        table: &ComparedTable,
        system: &ComparedSystem,
        place: usize,
    ) {
        let node = self.cubes.below(&format!("system/{}/{place}", named.number));
        let lines = self.cubes.lines.subject(&node);
        lines
            .iri(rdf::TYPE, qassay::COMPARED_SYSTEM_CLASS)
            .iri(qassay::IN_TABLE, named.iri)
            .text(qassay::COMPARED_SYSTEM, &system.system)
            .iri(qassay::EVALUATION, &system.evaluation)
            .integer(qassay::MISSING_QUESTIONS, system.missing as u64);
        if system.value.is_some() {
            lines.iri(prov::WAS_DERIVED_FROM, &aggregate(named, &system.evaluation));
        }
        if let Some(value) = &system.common_value {
            decimal(lines, qassay::COMMON_VALUE, value);
        }
        let [best, worst] = system.rank_range.map_or([None; 2], |range| range.map(Some));
        for (property, rank) in [
            (qassay::VALUE_RANK, system.rank),
            (qassay::SIGNIFICANCE_RANK, system.significance_rank),
            (qassay::BEST_RANK, best),
            (qassay::WORST_RANK, worst),
        ] {
            if let Some(rank) = rank {
                lines.integer(property, rank as u64);
            }
        }
        if let Some(letters) = &system.letters {
            lines.text(qassay::EQUALITY_LETTERS, letters);
        }
        for caution in &system.cautions {
            // What an issue quotes is elsewhere, so that this can be published without it.
            let scheme = if caution.code == "same-bytes" { "caution" } else { "issue" };
            lines.iri(qassay::CAUTION, &code::iri(&format!("{scheme}-{}", caution.code)));
        }
        state_reason(lines, system.no_interval);
        let without = table.ensembles.iter().flat_map(|ensembles| &ensembles.without);
        if let Some((_, loss)) = without.into_iter().find(|(name, _)| *name == system.system) {
            decimal(lines, qassay::LOSS_WITHOUT, loss);
        }
    }

    fn interval(&mut self, named: NamedTable<'_>, table: &ComparedTable, system: &ComparedSystem) {
        let Some(interval) = &system.interval else { return };
        let path = format!("{}/{}", short(ALL), tail(&system.evaluation));
        let lines = self.cubes.observation(Cube::Intervals, named, &path, table.questions);
        lines
            .iri(qassay::EVALUATION, &system.evaluation)
            .iri(qassay::QUESTION_GROUP, &code::iri(ALL))
            .iri(qassay::INTERVAL_METHOD, &code::iri(&format!("interval-{}", interval.method.name())))
            .typed(qassay::LEVEL, LEVEL, xsd::DECIMAL)
            .iri(prov::WAS_DERIVED_FROM, &aggregate(named, &system.evaluation));
        state_bounds(lines, interval);
    }

    fn ranks(&mut self, named: NamedTable<'_>, table: &ComparedTable, system: &ComparedSystem) {
        let resamples: usize = system.ranks.iter().sum();
        for (times, rank) in system.ranks.iter().zip(1..) {
            let Some(share) = Fraction::ratio(*times as u64, resamples as u64) else { continue };
            let path = format!("{}/{rank}", tail(&system.evaluation));
            let lines = self.cubes.observation(Cube::Ranks, named, &path, table.questions);
            lines.iri(qassay::EVALUATION, &system.evaluation).integer(qassay::RANK, rank);
            decimal(lines, qassay::SHARE, &Decimal::of(&share));
        }
    }

    fn pair(
        &mut self,
        named: NamedTable<'_>,
        table: &ComparedTable,
        pair: &ComparedPair,
        (group, questions): (&str, usize),
    ) {
        let [Some(evaluation), Some(baseline)] = [&pair.a, &pair.b].map(|name| evaluation(table, name))
        else {
            return;
        };
        let test = self.comparison.settings.test;
        let test = match &*table.key.measure {
            "exactMatch" if test == PairedTest::Sign => "mcnemar",
            _ => test.name(),
        };
        let path = format!("{}/{}/{}", short(group), tail(evaluation), tail(baseline));
        let lines = self.cubes.observation(Cube::Pairs, named, &path, questions);
        lines
            .iri(qassay::EVALUATION, evaluation)
            .iri(qassay::BASELINE, baseline)
            .iri(qassay::QUESTION_GROUP, &code::iri(group))
            .iri(qassay::TEST, &code::iri(&format!("test-{test}")));
        decimal(lines, qassay::DIFFERENCE, &pair.difference);
        state_test(lines, &pair.test, pair.family_size);
        state_found(lines, pair.interval.as_ref(), pair.no_interval);
        if let Some(effect) = &pair.effect {
            lines
                .integer(qassay::WINS, effect.wins as u64)
                .integer(qassay::TIES, effect.ties as u64)
                .integer(qassay::LOSSES, effect.losses as u64);
            decimal(lines, qassay::DOMINANCE, &effect.dominance);
            for (property, value) in [
                (qassay::STANDARDISED_DIFFERENCE, &effect.standardised),
                (qassay::DETECTABLE_DIFFERENCE, &effect.detectable),
            ] {
                if let Some(value) = value {
                    decimal(lines, property, value);
                }
            }
        }
    }

    fn items(&mut self, named: NamedTable<'_>, table: &ComparedTable) {
        for item in &table.items {
            let path = iri::segment(&item.question);
            let lines = self.cubes.observation(Cube::Items, named, &path, table.questions);
            lines
                .iri(qassay::QUESTION_DIMENSION, &iri::question(&table.key.dataset_version, &item.question))
                .iri(qassay::PROFILE, &table.key.profile_version)
                .integer(qassay::SYSTEM_COUNT, item.scores.len() as u64);
            decimal(lines, qassay::DIFFICULTY, &item.difficulty);
            if let Some(discrimination) = &item.discrimination {
                decimal(lines, qassay::DISCRIMINATION, discrimination);
            }
        }
    }

    fn ensembles(&mut self, named: NamedTable<'_>, table: &ComparedTable) {
        let Some(ensembles) = &table.ensembles else { return };
        let selections = [("best", ensembles.best.as_deref()), ("greedy", Some(&*ensembles.greedy))];
        for (selection, sets) in selections {
            for set in sets.unwrap_or_default() {
                let path = format!("{selection}/{}", set.systems.len());
                let lines = self.cubes.observation(Cube::Ensembles, named, &path, table.questions);
                lines
                    .iri(qassay::DATASET_VERSION, &table.key.dataset_version)
                    .iri(qassay::PROFILE, &table.key.profile_version)
                    .integer(qassay::SIZE, set.systems.len() as u64)
                    .iri(qassay::SELECTION, &code::iri(&format!("selection-{selection}")));
                decimal(lines, qassay::VALUE, &set.value);
                for member in set.systems.iter().filter_map(|name| evaluation(table, name)) {
                    lines.iri(qassay::MEMBER, member);
                }
            }
        }
    }

    fn groups(&mut self, named: NamedTable<'_>, table: &ComparedTable, groups: &ComparedGroups) {
        for effect in &groups.effects {
            let Some(evaluation) = evaluation(table, &effect.system) else { continue };
            let path = format!("{}/{}", short(&effect.group), tail(evaluation));
            let lines = self.cubes.observation(Cube::GroupEffects, named, &path, effect.questions);
            lines
                .iri(qassay::EVALUATION, evaluation)
                .iri(qassay::QUESTION_GROUP, &code::iri(&effect.group))
                .iri(qassay::TEST, &code::iri("test-shuffle"))
                .iri(qassay::COMPUTATION, &code::iri("computation-sampled"))
                .typed(qassay::SIGNIFICANT, &effect.significant.to_string(), xsd::BOOLEAN);
            for (property, value) in [
                (qassay::DIFFERENCE, &effect.difference),
                (qassay::P_VALUE, &effect.p),
                (qassay::ADJUSTED_P_VALUE, &effect.adjusted),
                (qassay::MINUEND, &effect.inside),
                (qassay::SUBTRAHEND, &effect.outside),
            ] {
                decimal(lines, property, value);
            }
        }
        for one in &groups.pairs {
            self.pair(named, table, &one.pair, (&one.group, one.questions));
        }
    }
}

/// The evaluation of a system.
pub(super) fn evaluation<'t>(table: &'t ComparedTable, system: &str) -> Option<&'t str> {
    table.systems.iter().find(|known| known.system == system).map(|known| known.evaluation.as_str())
}

/// The aggregate that has the published value.
fn aggregate(named: NamedTable<'_>, evaluation: &str) -> String {
    iri::aggregate(evaluation, &named.key.experiment, short(ALL), &named.key.measure)
}

/// The key of an evaluation.
pub(super) fn tail(iri: &str) -> &str {
    iri.rsplit('/').next().unwrap_or_default()
}

/// What a test says.
pub(super) fn state_test(lines: &mut Lines, test: &ComparedTest, family: usize) {
    decimal(lines, qassay::P_VALUE, &test.p);
    decimal(lines, qassay::ADJUSTED_P_VALUE, &test.adjusted);
    lines
        .integer(qassay::FAMILY_SIZE, family as u64)
        .typed(qassay::SIGNIFICANT, &test.significant.to_string(), xsd::BOOLEAN)
        .iri(qassay::COMPUTATION, &code::iri(&format!("computation-{}", test.computation.name())))
        .integer(qassay::DIFFERING, test.differing as u64);
}

/// Where something is, or why that is not known.
pub(super) fn state_found(lines: &mut Lines, interval: Option<&ComparedInterval>, reason: Option<Undefined>) {
    if let Some(interval) = interval {
        state_bounds(lines, interval);
    }
    state_reason(lines, reason);
}

pub(super) fn state_bounds(lines: &mut Lines, interval: &ComparedInterval) {
    decimal(lines, qassay::CI_LOWER, &interval.low);
    decimal(lines, qassay::CI_UPPER, &interval.high);
}

/// Why something is absent.
pub(super) fn state_reason(lines: &mut Lines, reason: Option<Undefined>) {
    if let Some(reason) = reason {
        lines.iri(qassay::UNDEFINED_REASON, &code::iri(&format!("undefined-{}", reason.code())));
    }
}
