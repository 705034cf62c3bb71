//! The JSON of `qassay compare --format json`: an interface that scripts rely on, described in
//! `src/report/output.schema.json`. What a field means is told by what it is made of, in [`crate::record::comparison`].

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::base::iri::Mint;
use crate::record::comparison::across::{
    ComparedDatasets, ComparedDrift, ComparedProfiles, SystemComparison,
};
use crate::record::comparison::deciding::{AnswerFault, DecidedTable};
use crate::record::comparison::meant::Caution;
use crate::record::comparison::risk::ComparedRisk;
use crate::record::comparison::settings::{ClusterUnit, ComparisonSettings};
use crate::record::comparison::{
    ComparedEnsembles, ComparedGroups, ComparedInterval, ComparedItem, ComparedPair, ComparedSet,
    ComparedSystem, ComparedTable, ComparedTest, TableKey,
};
use crate::record::results::decimal::Decimal;
use crate::report::comparison::absent;
use crate::report::comparison::across::test_of;
use crate::report::comparison::shown::reason;
use crate::report::failed::text;
use crate::report::json::{Num, value};
use crate::statistics::flips::{ALL_FLIPS_UP_TO, FLIPS};
use crate::statistics::interval::LEVEL;
use crate::statistics::resample::RESAMPLES;
use crate::statistics::undefined::Undefined;

/// Everything that a comparison says. What is not defined is `null`, with its reason beside it and in `skipped`. Ensembles,
/// items, curves and groups name their table by its position.
pub fn comparison(compared: &SystemComparison, mint: &Mint) -> Value {
    let each = |of: &dyn Fn(usize, &ComparedTable) -> Vec<Value>| -> Vec<Value> {
        compared.tables.iter().enumerate().flat_map(|(at, table)| of(at, table)).collect()
    };
    json!({
        "comparison": mint.comparison(&compared.key),
        "settings": settings(&compared.settings),
        "evaluations": evaluations(compared),
        "tables": compared.tables.iter().map(table).collect::<Vec<_>>(),
        "overDatasets": compared.over_datasets.iter().map(datasets).collect::<Vec<_>>(),
        "groups": each(&|at, table| table.groups.iter().map(|one| groups(at, one)).collect()),
        "oracle": each(&|at, table| table.ensembles.iter().map(|one| oracle(at, one)).collect()),
        "items": each(&|at, table| table.items.iter().map(|one| item(at, table, one)).collect()),
        "risk": each(&|at, table| table.risk.iter().map(|one| risk(at, one)).collect()),
        "drift": compared.drift.iter().map(drift).collect::<Vec<_>>(),
        "profiles": compared.profiles.iter().map(|one| profiles(one, &compared.tables)).collect::<Vec<_>>(),
        "skipped": skipped(compared),
    })
}

fn settings(settings: &ComparisonSettings) -> Value {
    json!({
        "measures": settings.measures.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "experiments": settings.experiments,
        "test": settings.test.name(),
        "alpha": number(&Decimal::of(&settings.alpha)),
        "level": optional(Decimal::parse(LEVEL).as_ref()),
        "resamples": RESAMPLES,
        "flips": FLIPS,
        "exactUpTo": ALL_FLIPS_UP_TO,
        "seed": settings.seed,
        "baseline": settings.baseline,
        "cluster": settings.cluster.map(ClusterUnit::name),
        "questions": if settings.only_answered { "answered" } else { "scored" },
        "groups": settings.groups,
        "aliases": settings.aliases.iter().map(|(iri, name)| json!({ "evaluation": iri, "system": name })).collect::<Vec<_>>(),
    })
}

/// What is compared, by IRI.
fn evaluations(compared: &SystemComparison) -> Vec<Value> {
    let mut known: BTreeMap<&str, Value> = BTreeMap::new();
    for table in &compared.tables {
        for system in &table.systems {
            let one = known.entry(&system.evaluation).or_insert_with(|| {
                json!({
                    "evaluation": system.evaluation,
                    "goldSha256": table.gold_sha256,
                    "dataset": table.key.dataset,
                    "datasetVersion": table.key.dataset_version,
                    "system": system.system,
                    "profile": table.key.profile,
                    "profileVersion": table.key.profile_version,
                    "gold": table.key.gold,
                    "experiments": {},
                })
            });
            one["experiments"][&table.key.experiment] = own(system);
        }
    }
    known.into_values().collect()
}

/// What an evaluation has in an experiment type: the same in all tables of it with the same other systems.
fn own(system: &ComparedSystem) -> Value {
    json!({
        "questions": system.own.scored,
        "missing": system.own.missing,
        "failed": system.own.failed,
        "leftOut": system.own.left_out,
        "cautions": system.cautions.iter().map(caution).collect::<Vec<_>>(),
    })
}

fn key(key: &TableKey) -> Value {
    json!({
        "dataset": key.dataset,
        "datasetVersion": key.dataset_version,
        "profile": key.profile,
        "profileVersion": key.profile_version,
        "options": key.options.iter().map(|(name, values)| (name.clone(), json!(values))).collect::<serde_json::Map<_, _>>(),
        "gold": key.gold,
        "refreshed": key.refreshed,
        "experiment": key.experiment,
        "measure": key.measure,
    })
}

/// A key, with what is said of it behind.
fn with(mut key: Value, more: Value) -> Value {
    if let (Value::Object(key), Value::Object(more)) = (&mut key, more) {
        key.extend(more);
    }
    key
}

fn table(table: &ComparedTable) -> Value {
    let more = json!({
        "direction": if table.lower_is_better { "lower" } else { "higher" },
        "goldSha256": table.gold_sha256,
        "questions": table.questions,
        "cluster": table.cluster.name(),
        "clusters": table.clusters,
        "leftOut": table.left_out,
        "systems": table.systems.iter().map(system).collect::<Vec<_>>(),
        "pairs": table.pairs.iter().map(pair).collect::<Vec<_>>(),
        "noPairs": table.no_pairs.map(Undefined::code),
    });
    with(key(&table.key), more)
}

fn system(system: &ComparedSystem) -> Value {
    json!({
        "system": system.system,
        "evaluation": system.evaluation,
        "value": optional(system.value.as_ref()),
        "commonValue": optional(system.common_value.as_ref()),
        "interval": interval(system.interval.as_ref()),
        "intervalMethod": system.interval.as_ref().map(|one| one.method.name()),
        "noInterval": system.no_interval.map(Undefined::code),
        "missing": system.missing,
        "failed": system.failed,
        "rank": system.rank,
        "significanceRank": system.significance_rank,
        "ranks": system.ranks,
        "rankRange": system.rank_range,
        "letters": system.letters,
        "cautions": system.cautions.iter().map(caution).collect::<Vec<_>>(),
    })
}

fn caution(caution: &Caution) -> Value {
    json!({ "code": caution.code, "reason": caution.reason })
}

fn pair(pair: &ComparedPair) -> Value {
    let effect = pair.effect.as_ref();
    let more = json!({
        "familySize": pair.family_size,
        "wins": effect.map(|effect| effect.wins),
        "ties": effect.map(|effect| effect.ties),
        "losses": effect.map(|effect| effect.losses),
        "dominance": optional(effect.map(|effect| &effect.dominance)),
        "standardised": optional(effect.and_then(|effect| effect.standardised.as_ref())),
        "detectable": optional(effect.and_then(|effect| effect.detectable.as_ref())),
    });
    with(two(pair), more)
}

/// Two systems, how far they are apart, and what the test says.
fn two(pair: &ComparedPair) -> Value {
    let apart = json!({
        "a": pair.a,
        "b": pair.b,
        "difference": number(&pair.difference),
        "interval": interval(pair.interval.as_ref()),
        "noInterval": pair.no_interval.map(Undefined::code),
    });
    with(apart, test(&pair.test))
}

fn test(test: &ComparedTest) -> Value {
    json!({
        "method": test.computation.name(),
        "differing": test.differing,
        "p": number(&test.p),
        "adjusted": number(&test.adjusted),
        "significant": test.significant,
    })
}

fn groups(at: usize, groups: &ComparedGroups) -> Value {
    let effects = groups.effects.iter().map(|one| {
        json!({
            "system": one.system,
            "group": one.group,
            "questions": one.questions,
            "inside": number(&one.inside),
            "outside": number(&one.outside),
            "difference": number(&one.difference),
            "p": number(&one.p),
            "adjusted": number(&one.adjusted),
            "significant": one.significant,
        })
    });
    let pairs = groups
        .pairs
        .iter()
        .map(|one| with(json!({ "group": one.group, "questions": one.questions }), pair(&one.pair)));
    json!({ "table": at, "effects": effects.collect::<Vec<_>>(), "pairs": pairs.collect::<Vec<_>>() })
}

fn oracle(at: usize, ensembles: &ComparedEnsembles) -> Value {
    let set = |set: &ComparedSet| json!({ "size": set.systems.len(), "systems": set.systems, "value": number(&set.value) });
    let sets = |sets: &[ComparedSet]| sets.iter().map(set).collect::<Vec<_>>();
    let without =
        ensembles.without.iter().map(|(name, loss)| json!({ "system": name, "loss": number(loss) }));
    let gains = ensembles
        .gains
        .iter()
        .map(|(one, other, gain)| json!({ "system": one, "by": other, "gain": number(gain) }));
    json!({
        "table": at,
        "best": ensembles.best.as_deref().map(sets),
        "greedy": sets(&ensembles.greedy),
        "without": without.collect::<Vec<_>>(),
        "gains": gains.collect::<Vec<_>>(),
    })
}

fn item(at: usize, table: &ComparedTable, item: &ComparedItem) -> Value {
    let scores = table.systems.iter().zip(&item.scores);
    json!({
        "table": at,
        "question": item.question,
        "difficulty": number(&item.difficulty),
        "discrimination": optional(item.discrimination.as_ref()),
        "systems": item.scores.len(),
        "scores": scores.map(|(system, score)| (system.system.clone(), number(score))).collect::<serde_json::Map<_, _>>(),
    })
}

fn risk(at: usize, curve: &ComparedRisk) -> Value {
    let points = curve.points.iter().map(|point| {
        json!({
            "confidence": number(&point.confidence),
            "questions": point.questions,
            "coverage": number(&point.coverage),
            "risk": number(&point.risk),
        })
    });
    json!({ "table": at, "system": curve.system, "points": points.collect::<Vec<_>>() })
}

fn datasets(one: &ComparedDatasets) -> Value {
    let systems = one.systems.iter().map(|mean| {
        json!({
            "system": mean.system,
            "value": number(&mean.value),
            "interval": interval(mean.interval.as_ref()),
            "noInterval": mean.no_interval.map(Undefined::code),
        })
    });
    let pairs = one.pairs.iter().map(two);
    json!({
        "tables": one.tables.iter().map(key).collect::<Vec<_>>(),
        "systems": systems.collect::<Vec<_>>(),
        "pairs": pairs.collect::<Vec<_>>(),
        "undefined": one.undefined.map(Undefined::code),
    })
}

fn drift(one: &ComparedDrift) -> Value {
    let more = json!({
        "system": one.system,
        "questions": one.questions,
        "curated": number(&one.curated),
        "refreshedValue": number(&one.refreshed),
        "difference": number(&one.difference),
        "interval": interval(one.interval.as_ref()),
        "noInterval": one.no_interval.map(Undefined::code),
        "up": one.up,
        "down": one.down,
    });
    with(key(&one.table), more)
}

fn profiles(one: &ComparedProfiles, tables: &[ComparedTable]) -> Value {
    let sides = |[a, b]: &[String; 2]| {
        one.tables.iter().map(|key| test_of(tables, key, [a, b]).map_or(Value::Null, test)).collect::<Value>()
    };
    json!({
        "discordantTests": one.discordant.iter().map(sides).collect::<Vec<_>>(),
        "tables": one.tables.iter().map(key).collect::<Vec<_>>(),
        "tauB": optional(one.tau_b.as_ref()),
        "discordant": one.discordant,
    })
}

/// The questions that decide between two systems.
pub fn deciding_json(decided: &DecidedTable) -> Value {
    let of_system = |faults: &[AnswerFault]| -> Vec<Value> {
        faults.iter().map(|fault| json!({ "code": fault.code, "reason": fault.reason })).collect()
    };
    let questions = decided.questions.iter().map(|(found, faults)| {
        json!({
            "question": found.question.key,
            "text": text(&found.question, None),
            "scores": found.scores.each_ref().map(number),
            "difference": number(&found.difference),
            "why": faults.each_ref().map(|all| of_system(all)),
        })
    });
    json!({
        "dataset": decided.key.dataset,
        "profile": decided.key.profile,
        "gold": decided.key.gold,
        "experiment": decided.key.experiment,
        "measure": decided.key.measure,
        "systems": decided.systems,
        "evaluations": decided.evaluations,
        "differing": decided.differing,
        "questions": questions.collect::<Vec<_>>(),
    })
}

/// What has no number, and why, each once.
fn skipped(compared: &SystemComparison) -> Vec<Value> {
    let mut all = Vec::new();
    let mut skip = |about: String, why: Undefined| {
        all.push(json!({ "about": about, "code": why.code(), "reason": reason(why) }));
    };
    for (at, table) in compared.tables.iter().enumerate() {
        for system in &table.systems {
            system
                .no_interval
                .into_iter()
                .for_each(|why| skip(format!("tables/{at}: the interval of {}", system.system), why));
        }
        table.no_pairs.into_iter().for_each(|why| skip(format!("tables/{at}: pairs"), why));
        for pair in &table.pairs {
            pair.no_interval
                .into_iter()
                .for_each(|why| skip(format!("tables/{at}: the interval of {} − {}", pair.a, pair.b), why));
        }
    }
    for (at, table) in compared.tables.iter().enumerate() {
        let of_table = [
            ("oracle", absent::oracle(table)),
            ("items", absent::items(table)),
            ("risk", absent::risk(table)),
            ("groups", absent::groups(table, &compared.settings)),
        ];
        for (what, why) in of_table {
            all.extend(why.map(|why| {
                json!({ "about": format!("tables/{at}: {what}"), "code": why.code, "reason": why.reason })
            }));
        }
    }
    for (at, one) in compared.over_datasets.iter().enumerate() {
        let skip = |why: Undefined| json!({ "about": format!("overDatasets/{at}"), "code": why.code(), "reason": reason(why) });
        all.extend(one.undefined.map(skip));
    }
    all
}

fn number(decimal: &Decimal) -> Value {
    value(&Num(decimal))
}

fn optional(decimal: Option<&Decimal>) -> Value {
    decimal.map_or(Value::Null, number)
}

fn interval(interval: Option<&ComparedInterval>) -> Value {
    interval.map_or(Value::Null, |bounds| json!([number(&bounds.low), number(&bounds.high)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::plots::{sample_comparison, sample_table};

    /// What each side says of systems that stand the other way round, whoever is first there; nothing where it does not have
    /// both.
    #[test]
    fn both_sides_tell_of_systems_that_stand_the_other_way_round() {
        let one = sample_table(&["A", "B", "C"], 40, "d");
        let mut other = sample_table(&["B", "A"], 40, "d");
        other.key.profile = "qald".to_owned();
        let tables = [one.key.clone(), other.key.clone()];
        let mut all = sample_comparison(vec![one, other]);
        let discordant = [["A", "B"], ["A", "C"]].map(|both| both.map(str::to_owned)).to_vec();
        all.profiles = vec![ComparedProfiles { tables, tau_b: None, discordant }];
        let found = comparison(&all, &Mint::default());
        let told = &found["profiles"][0];
        assert_eq!((&told["discordant"], &told["tauB"]), (&json!([["A", "B"], ["A", "C"]]), &Value::Null));
        let test = |differing: usize| json!({"method": "sampled", "differing": differing, "p": 0.00001, "adjusted": 0.001, "significant": true});
        assert_eq!(told["discordantTests"], json!([[test(40), test(40)], [test(40), null]]));
    }

    /// Each part that needs scores of questions says that there are none; groups, where they are asked for.
    #[test]
    fn measures_that_are_no_means_are_skipped_by_code() {
        let mut table = sample_table(&["A", "B"], 12, "d");
        (table.ensembles, table.items, table.risk) = (None, Vec::new(), Vec::new());
        let mut all = sample_comparison(vec![table]);
        let told = |all: &SystemComparison| {
            let found = comparison(all, &Mint::default());
            let skipped = found["skipped"].as_array().unwrap();
            let of =
                |one: &Value| format!("{} {}", one["about"].as_str().unwrap(), one["code"].as_str().unwrap());
            skipped.iter().map(of).collect::<Vec<_>>()
        };
        assert_eq!(
            told(&all),
            ["tables/0: oracle no-mean", "tables/0: items no-mean", "tables/0: risk no-mean"]
        );
        all.settings.groups = true;
        assert_eq!(told(&all)[3], "tables/0: groups no-mean");
        // Where no question is common that is the reason.
        all.tables[0].no_pairs = Some(Undefined::NoCommonQuestions);
        assert_eq!(told(&all)[0], "tables/0: pairs no-common-questions");
        assert_eq!(told(&all)[1], "tables/0: oracle no-common-questions");
    }

    /// An evaluation stands once, with what is said of each of its experiment types.
    #[test]
    fn evaluations_have_counts_and_cautions() {
        let mut table = sample_table(&["A", "B"], 12, "d");
        table.systems[1].own.missing = 3;
        table.systems[1].own.left_out = 2;
        table.systems[1].cautions =
            vec![Caution { code: "gold-file".to_owned(), reason: "it is the gold file itself".to_owned() }];
        let mut types = table.clone();
        types.key.experiment = "AT".to_owned();
        types.systems[1].cautions.clear();
        let found = comparison(&sample_comparison(vec![types, table]), &Mint::default());
        assert_eq!(found["evaluations"].as_array().unwrap().len(), 2);
        let own = |missing: usize, left_out: usize, cautions: Value| json!({"questions": 12, "missing": missing, "failed": 0, "leftOut": left_out, "cautions": cautions});
        let caution = json!([{"code": "gold-file", "reason": "it is the gold file itself"}]);
        let none = json!([]);
        assert_eq!(
            found["evaluations"][1]["experiments"],
            json!({"AT": own(3, 2, none.clone()), "QA": own(3, 2, caution)})
        );
        assert_eq!(found["evaluations"][0]["experiments"]["QA"], own(0, 0, none));
    }
}
