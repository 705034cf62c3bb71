//! The numbers of comparisons are those of the second implementation, in Python, beside the specification: to a unit of 10⁻¹² where
//! they are rounded, equal where they are counted.

use std::collections::{BTreeMap, BTreeSet};

use qassay::measures::fraction::Fraction;
use qassay::statistics::effect::EffectSizes;
use qassay::statistics::flips::DrawnFlips;
use qassay::statistics::interval::{Interval, IntervalMethod};
use qassay::statistics::items::items;
use qassay::statistics::matrix::{Clustering, variant_cluster};
use qassay::statistics::oracle::OracleEnsembles;
use qassay::statistics::over_datasets::{DatasetSamples, OverDatasets};
use qassay::statistics::question_groups::QuestionGroups;
use qassay::statistics::ranks::Better;
use qassay::statistics::sampled::Sampled;
use qassay::statistics::sensitivity::{Concordance, GoldDrift};
use qassay::statistics::signs::{sign_test, wilcoxon};
use qassay::statistics::stream::{Purpose, Stream, Streams};
use qassay::statistics::table::{
    PairStatistics, PairedTest, SystemStatistics, TableSettings, TableStatistics,
};
use qassay::statistics::undefined::Undefined;
use serde_json::{Value, json};

use super::cases::{FixtureCase, chain, fixture, matrix, measures};
use crate::common::mirror;

/// A unit of 10⁻¹²: of what is rounded.
const UNIT: u64 = 1;
/// Of roots.
const ROOT: u64 = 1000;

/// What is compared with a fixture, and what is different.
#[derive(Default)]
struct Checked {
    number: usize,
    different: Vec<String>,
}

impl Checked {
    fn equal(&mut self, what: &str, ours: impl Into<Value>, known: &Value) {
        let ours = ours.into();
        self.number += 1;
        if ours != *known {
            self.different.push(format!("{what}: {ours}, and not {known}"));
        }
    }

    /// A number, within so many units.
    fn within(&mut self, units: u64, what: &str, ours: Option<&Fraction>, known: &Value) {
        self.number += 1;
        let in_units = |text: &str| Fraction::parse(text).and_then(|number| number.units());
        let is_equal = match (ours.and_then(Fraction::units), in_units(&known.to_string())) {
            (Some(ours), Some(known)) => ours.abs_diff(known) <= units,
            (ours, _) => ours.is_none() && known.is_null(),
        };
        if !is_equal {
            let ours = ours.map(Fraction::to_decimal);
            self.different.push(format!("{what}: {ours:?}, and not {known}"));
        }
    }

    fn interval(&mut self, what: &str, ours: &Result<Interval, Undefined>, known: &Value) {
        let bounds = ours.as_ref().ok();
        self.within(UNIT, &format!("{what} low"), bounds.map(|one| &one.low), &known[0]);
        self.within(UNIT, &format!("{what} high"), bounds.map(|one| &one.high), &known[1]);
    }

    fn pair(&mut self, what: &str, ours: &PairStatistics, known: &Value) {
        self.within(UNIT, &format!("{what} difference"), Some(&ours.difference), &known["difference"]);
        self.interval(what, &ours.interval, &known["interval"]);
        self.equal(&format!("{what} differing"), ours.test.differing, &known["differing"]);
        self.equal(&format!("{what} method"), ours.test.computation.name(), &known["method"]);
        self.within(0, &format!("{what} p"), Some(&ours.test.p), &known["p"]);
        if !known["holm"].is_null() {
            self.within(UNIT, &format!("{what} adjusted"), Some(&ours.adjusted), &known["holm"]);
        }
    }

    #[track_caller]
    fn end(self, number: usize) {
        assert_eq!(self.different, [""; 0]);
        assert_eq!(self.number, number, "not all was compared");
    }
}

fn settings(streams: &Streams) -> TableSettings {
    TableSettings {
        unranked: BTreeSet::new(),
        streams: streams.clone(),
        test: PairedTest::Randomisation,
        alpha: Fraction::ratio(5, 100).unwrap(),
        better: Better::Higher,
        baseline: None,
    }
}

/// All measures of all profiles.
fn tables(case: &FixtureCase, checked: &mut Checked) {
    for (profile, systems) in &case.profiles {
        let known = &case.fixture["profiles"][profile];
        let measures = measures(systems, profile);
        assert_eq!(known.as_object().unwrap().len(), measures.len());
        for (measure, samples) in measures {
            let ours = TableStatistics::of(&samples, &settings(&case.streams));
            table(
                &format!("{profile} {measure}"),
                systems.systems(),
                &samples,
                &ours,
                &known[measure],
                checked,
            );
        }
    }
}

/// The intervals that the program prints beside headline measures, which all are macro F1.
fn headlines(case: &FixtureCase, checked: &mut Checked) {
    for one in case.printed["evaluations"].as_array().unwrap() {
        let (profile, system) = (one["profile"].as_str().unwrap(), one["system"].as_str().unwrap());
        let headline = &one["experiments"]["QA"]["headline"];
        // Variants belong together by themselves, and fixtures with variants have both.
        let is_clustered = headline["cluster"] == "variant" && !case.fixture["clustered"].is_null();
        let known = if is_clustered {
            &case.fixture["clustered"]
        } else {
            &case.fixture["profiles"][profile]["macroF1"]
        };
        let known = known["systems"].as_array().unwrap().iter().find(|known| known["system"] == system);
        let (known, what) = (&known.unwrap()["interval"], format!("headline of {system}, {profile}"));
        checked.equal(&what, headline["measure"].clone(), &json!("macroF1"));
        checked.equal(&what, profile == "text2sparql", &json!(headline["cluster"] == "variant"));
        let reason = if known.is_null() { json!("no-variation") } else { Value::Null };
        checked.equal(&what, headline["noInterval"].clone(), &reason);
        let method = if known.is_null() { Value::Null } else { json!("bca") };
        checked.equal(&what, headline["intervalMethod"].clone(), &method);
        for bound in 0..2 {
            let ours = Fraction::parse(&headline["interval"][bound].to_string());
            checked.within(UNIT, &what, ours.as_ref(), &known[bound]);
        }
    }
}

fn table(
    what: &str,
    names: &[String],
    samples: &[Sampled],
    ours: &TableStatistics,
    known: &Value,
    checked: &mut Checked,
) {
    for (at, (name, system)) in names.iter().zip(&ours.systems).enumerate() {
        let (known, what) = (&known["systems"][at], format!("{what} {name}"));
        checked.equal(&what, name.as_str(), &known["system"]);
        checked.within(UNIT, &what, system.value.as_ref(), &known["value"]);
        checked.interval(&what, &system.interval, &known["interval"]);
        if known["interval"].is_null() {
            assert_eq!(system.interval, Err(Undefined::NoVariation), "{what}");
        }
        let ranks = system.ranks.as_ref().unwrap();
        checked.equal(&format!("{what} ranks"), ranks.times.clone(), &known["ranks"]);
        checked.equal(&format!("{what} range"), ranks.range.to_vec(), &known["rankRange"]);
    }
    let pairs = ours.pairs.as_ref().unwrap();
    assert_eq!(known["pairs"].as_array().unwrap().len(), pairs.len());
    for (at, pair) in pairs.iter().enumerate() {
        let [one, other] = pair.systems;
        let (known, what) = (&known["pairs"][at], format!("{what} {} {}", names[one], names[other]));
        checked.equal(&what, json!([names[one], names[other]]), &json!([known["a"], known["b"]]));
        checked.pair(&what, pair, known);
        checked.equal(&format!("{what} significant"), pair.is_significant, &known["significant"]);
        let Some(effect) = &pair.effect else {
            checked.equal(&what, Value::Null, &known["wins"]);
            continue;
        };
        effect_sizes(&what, effect, known, checked);
        let units =
            |system: usize| samples[system].scores().unwrap().iter().map(|score| score.units().unwrap());
        let differences: Vec<i64> = units(one).zip(units(other)).map(|(one, other)| one - other).collect();
        let ranks = wilcoxon(&differences, &DrawnFlips::of(Stream(0), 0));
        checked.within(0, &format!("{what} Wilcoxon"), Some(&ranks.test.p), &known["wilcoxonP"]);
        checked.within(0, &format!("{what} rank sum"), Some(&ranks.rank_sum), &known["wilcoxonRankSum"]);
    }
}

fn effect_sizes(what: &str, effect: &EffectSizes, known: &Value, checked: &mut Checked) {
    let counts = [effect.wins, effect.ties, effect.losses];
    checked.equal(
        &format!("{what} wins"),
        json!(counts),
        &json!([known["wins"], known["ties"], known["losses"]]),
    );
    checked.within(UNIT, &format!("{what} dominance"), Some(&effect.dominance), &known["dominance"]);
    checked.within(
        ROOT,
        &format!("{what} standardised"),
        effect.standardised.as_ref(),
        &known["standardised"],
    );
    checked.within(ROOT, &format!("{what} detectable"), effect.detectable.as_ref(), &known["detectable"]);
    checked.within(
        0,
        &format!("{what} signs"),
        Some(&sign_test(effect.wins, effect.losses).p),
        &known["signP"],
    );
}

/// What the systems could do together, and how difficult the questions are.
fn oracle_and_items(case: &FixtureCase, checked: &mut Checked) {
    let (scores, known) = (case.f1(), &case.fixture["oracle"]);
    let (names, found) = (scores.systems(), OracleEnsembles::of(&scores).unwrap());
    for (set, known) in found.best.iter().flatten().zip(known["exact"].as_array().unwrap()) {
        checked.within(UNIT, "best set", Some(&set.value), &known["value"]);
        let systems: Vec<&str> = set.systems.iter().map(|system| names[*system].as_str()).collect();
        checked.equal("best set", systems, &known["systems"]);
    }
    for (set, known) in found.greedy.iter().zip(known["greedy"].as_array().unwrap()) {
        checked.within(UNIT, "greedy set", Some(&set.value), &known["value"]);
        checked.equal("greedy set", set.systems.last().map(|last| names[*last].clone()), &known["added"]);
    }
    for (name, loss) in names.iter().zip(&found.losses) {
        checked.within(UNIT, "loss", Some(loss), &known["withoutOne"][name]);
    }
    for known in known["complementarity"].as_array().unwrap() {
        let [one, other] =
            ["of", "by"].map(|side| names.iter().position(|name| known[side] == **name).unwrap());
        checked.within(UNIT, "gain", found.gains[one][other].as_ref(), &known["gain"]);
    }
    let items = items(&scores);
    assert_eq!(case.fixture["items"].as_array().unwrap().len(), items.len());
    for ((id, item), known) in
        scores.questions().iter().zip(items).zip(case.fixture["items"].as_array().unwrap())
    {
        checked.equal("item", id.as_str(), &known[0]);
        checked.within(UNIT, &format!("{id} difficulty"), Some(&item.difficulty), &known[1]);
        checked.within(ROOT, &format!("{id} discrimination"), item.discrimination.as_ref(), &known[2]);
    }
}

/// The groups of questions of a fixture, which says how many are in each.
fn groups(case: &FixtureCase, groups: &BTreeMap<String, BTreeSet<usize>>, checked: &mut Checked) {
    let (scores, known) = (case.f1(), &case.fixture["groups"]);
    let found = QuestionGroups::of(scores.questions().len(), groups);
    let members: BTreeMap<&String, usize> =
        found.members().iter().map(|(name, members)| (name, members.len())).collect();
    checked.equal("members", json!(members), &known["members"]);
    checked.equal("tests", found.tests(), &known["tests"]);
    let effects = found.effects(&scores, case.streams.stream(Purpose::Shuffle)).unwrap();
    assert_eq!(known["effects"].as_array().unwrap().len(), effects.len());
    for (effect, known) in effects.iter().zip(known["effects"].as_array().unwrap()) {
        let name = &scores.systems()[effect.system];
        let what = format!("{name} {}", effect.group);
        checked.equal(&what, json!([name, effect.group]), &json!([known["system"], known["group"]]));
        checked.within(UNIT, &format!("{what} inside"), Some(&effect.inside), &known["inside"]);
        checked.within(UNIT, &format!("{what} outside"), Some(&effect.outside), &known["outside"]);
        checked.within(UNIT, &format!("{what} difference"), Some(&effect.difference), &known["difference"]);
        checked.within(0, &format!("{what} p"), Some(&effect.p), &known["p"]);
        checked.within(UNIT, &format!("{what} adjusted"), Some(&effect.adjusted), &known["holm"]);
    }
    let pairs = found.pairs(&scores, &settings(&case.streams)).unwrap();
    assert_eq!(known["pairs"].as_array().unwrap().len(), pairs.len());
    for (ours, known) in pairs.iter().zip(known["pairs"].as_array().unwrap()) {
        let [one, other] = ours.pair.systems.map(|system| &scores.systems()[system]);
        let what = format!("{one} {other} {}", ours.group);
        checked.equal(
            &what,
            json!([one, other, ours.group]),
            &json!([known["a"], known["b"], known["group"]]),
        );
        checked.pair(&what, &ours.pair, known);
    }
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn qald_8_train() {
    let (case, mut checked) = (FixtureCase::run("qald8train"), Checked::default());
    tables(&case, &mut checked);
    headlines(&case, &mut checked);
    groups_of_equals(&case);
    oracle_and_items(&case, &mut checked);
    let path = mirror().join(case.fixture["gold"].as_str().unwrap());
    let gold: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let positions = case.first().questions().iter().zip(0..);
    let positions: BTreeMap<&str, usize> = positions.map(|(id, at)| (id.as_str(), at)).collect();
    let mut chosen: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for question in gold["questions"].as_array().unwrap() {
        let at = positions[question["id"].as_str().unwrap()];
        for property in ["answertype", "aggregation"] {
            let value = question[property].to_string().trim_matches('"').to_lowercase();
            chosen.entry(format!("{property}-{value}")).or_default().insert(at);
        }
    }
    groups(&case, &chosen, &mut checked);
    let values = |profile: &str| {
        let samples = &measures(&case.profiles[profile], profile)["macroF1"];
        samples.iter().map(|sample| sample.value().clone()).collect::<Vec<_>>()
    };
    let (known, both) = (fixture("profiles"), values("qassay").into_iter().zip(values("qald")));
    let found = Concordance::of(&both.collect::<Vec<_>>());
    checked.within(ROOT, "tau", found.tau_b.as_ref(), &known["tauB"]);
    let names = |systems: &[usize; 2]| systems.map(|system| case.first().systems()[system].clone());
    checked.equal(
        "discordant",
        json!(found.discordant.iter().map(names).collect::<Vec<_>>()),
        &known["pairs"],
    );
    checked.end(2529);
}

/// Who is ahead by more than chance, as the specification says it.
fn groups_of_equals(case: &FixtureCase) {
    let found = TableStatistics::of(&measures(case.first(), "qassay")["macroF1"], &settings(&case.streams));
    let of = |system: &SystemStatistics| {
        (system.rank.unwrap(), system.significance_rank.unwrap(), system.letters.clone().unwrap())
    };
    assert_eq!(case.first().systems(), ["AskNow", "QAKiS", "TeBaQA", "gAnswer2"]);
    let told: Vec<_> = found.systems.iter().map(of).collect();
    let known = [(4, 4, "c"), (2, 2, "b"), (3, 2, "b"), (1, 1, "a")];
    assert_eq!(told, known.map(|(rank, significance, letters)| (rank, significance, letters.to_owned())));
    let methods = found.systems.iter().map(|system| system.interval.as_ref().unwrap().method);
    assert!(methods.eq([IntervalMethod::Bca; 4]));
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn ck25() {
    let (case, mut checked) = (FixtureCase::run("ck25"), Checked::default());
    tables(&case, &mut checked);
    headlines(&case, &mut checked);
    oracle_and_items(&case, &mut checked);
    checked.end(352);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn hawk() {
    let (case, mut checked) = (FixtureCase::run("hawk"), Checked::default());
    tables(&case, &mut checked);
    headlines(&case, &mut checked);
    oracle_and_items(&case, &mut checked);
    checked.end(965);
}

/// DB25 with its languages and its clusters, CK25 with queries that are run, and both together.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn db25_and_ck25_queries() {
    let (db25, ck25, mut checked) =
        (FixtureCase::run("db25"), FixtureCase::run("ck25-queries"), Checked::default());
    for case in [&db25, &ck25] {
        tables(case, &mut checked);
        headlines(case, &mut checked);
        oracle_and_items(case, &mut checked);
    }
    let mut languages: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (at, id) in db25.first().questions().iter().enumerate() {
        let (_, language) = id.rsplit_once('-').unwrap();
        languages.entry(format!("language-{language}")).or_default().insert(at);
    }
    groups(&db25, &languages, &mut checked);
    clustered(&db25, &mut checked);
    over_datasets(&db25, &ck25, &mut checked);
    checked.end(1806);
}

fn clustered(case: &FixtureCase, checked: &mut Checked) {
    let (scores, known) = (case.f1(), &case.fixture["clustered"]);
    let names: Vec<&str> = scores.questions().iter().map(|id| variant_cluster(id)).collect();
    let clusters = Clustering::by(&names);
    checked.equal("clusters", clusters.members().len(), &known["clusters"]);
    let samples: Vec<Sampled> =
        scores.rows().iter().map(|row| Sampled::mean(row, &clusters).unwrap()).collect();
    let found = TableStatistics::of(&samples, &settings(&case.streams));
    for (system, known) in found.systems.iter().zip(known["systems"].as_array().unwrap()) {
        checked.within(UNIT, "clustered value", system.value.as_ref(), &known["value"]);
        checked.interval("clustered", &system.interval, &known["interval"]);
    }
    checked.pair("clustered", &found.pairs.unwrap()[0], &known["pairs"][0]);
}

fn over_datasets(one: &FixtureCase, other: &FixtureCase, checked: &mut Checked) {
    let (known, names) = (fixture("two-datasets"), ["AIFB", "INFAI"]);
    let samples = |case: &FixtureCase| {
        let (scores, single) = (case.f1(), Clustering::single(case.first().questions().len()));
        let row = |name: &&str| scores.systems().iter().position(|system| system == name).unwrap();
        let samples =
            names.iter().map(|name| Sampled::mean(&scores.rows()[row(name)], &single).unwrap()).collect();
        let gold = case.fixture["goldSha256"].as_str().unwrap().to_owned();
        DatasetSamples { gold, samples }
    };
    let datasets = vec![samples(one), samples(other)];
    let found = OverDatasets::of(datasets, "", &Fraction::ratio(5, 100).unwrap()).unwrap();
    for ((value, interval), known) in found.systems.iter().zip(known["systems"].as_array().unwrap()) {
        checked.within(UNIT, "mean of means", Some(value), &known["value"]);
        checked.interval("mean of means", interval, &known["interval"]);
    }
    let (pair, known) = (&found.pairs[0], &known["pairs"][0]);
    checked.within(UNIT, "difference of means", Some(&pair.difference), &known["difference"]);
    checked.interval("difference of means", &pair.interval, &known["interval"]);
    checked.equal(
        "differing",
        json!([pair.test.differing, pair.test.computation.name()]),
        &json!([known["differing"], known["method"]]),
    );
    checked.within(0, "p", Some(&pair.test.p), &known["p"]);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn drift() {
    let (printed, known, mut checked) = (chain(), fixture("drift"), Checked::default());
    let [curated, refreshed] = ["curated", "refreshed"]
        .map(|gold| matrix(&printed, "text2sparql", gold).map(|scores| scores.f1.clone()));
    let mut means = Vec::new();
    for (at, name) in curated.systems().iter().enumerate() {
        let (found, known) = (
            GoldDrift::of(&curated.rows()[at], &refreshed.rows()[at], Stream(0)).unwrap(),
            &known["systems"][at],
        );
        checked.equal("system", name.as_str(), &known["system"]);
        checked.within(UNIT, "curated", Some(&found.curated), &known["curated"]);
        checked.within(UNIT, "refreshed", Some(&found.refreshed), &known["refreshed"]);
        checked.within(UNIT, "difference", Some(&found.difference), &known["difference"]);
        checked.equal("changes", json!([found.up, found.down]), &json!([known["up"], known["down"]]));
        means.push((found.refreshed, found.curated));
    }
    let found = Concordance::of(&means);
    checked.within(ROOT, "tau", found.tau_b.as_ref(), &known["tauB"]);
    checked.equal("discordant", found.discordant.len(), &known["discordant"]);
    checked.end(17);
}

/// The stream, its purposes, and the normal distribution.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn vectors() {
    use qassay::statistics::normal::{Z, normal_cumulative, normal_quantile};
    let (known, mut checked) = (fixture("vectors"), Checked::default());
    let hex = |word: u64| format!("{word:016x}");
    let of = |purpose: Purpose, seed: &str| Streams::of(["0".repeat(64)], seed).stream(purpose);
    let first = |stream: Stream, number: u64| (0..number).map(move |position| stream.output(position));
    let decimals: Vec<String> = first(Stream(1_234_567), 5).map(|word| word.to_string()).collect();
    checked.equal("1234567", decimals, &known["splitmix64 from 1234567"]);
    checked.equal("0", first(Stream(0), 3).map(hex).collect::<Vec<_>>(), &known["splitmix64 from 0"]);
    for (name, purpose) in
        [("bootstrap", Purpose::Bootstrap), ("flip", Purpose::Flip), ("shuffle", Purpose::Shuffle)]
    {
        checked.equal(name, hex(of(purpose, "").0), &known[format!("stream({name}, 64 zeros)")]);
    }
    let second = hex(of(Purpose::Bootstrap, "second").0);
    checked.equal("seed", second, &known["stream(bootstrap, 64 zeros, seed second)"]);
    let bootstrap = of(Purpose::Bootstrap, "");
    checked.equal(
        "replicates",
        first(bootstrap, 3).map(hex).collect::<Vec<_>>(),
        &known["replicate seeds 0 1 2"],
    );
    let drawn =
        |number, parts| (0..number).map(|at| bootstrap.replicate(0).below(at, parts)).collect::<Vec<_>>();
    checked.equal("of 10", drawn(10, 10), &known["first resample of 10"]);
    checked.equal("of 219", drawn(8, 219), &known["first resample of 219, first 8"]);
    checked.equal("deck", of(Purpose::Shuffle, "").replicate(0).deck(10), &known["first shuffle of 10"]);
    checked.equal("below", normal_cumulative(-Z), &known["normal_cdf(-1.959963984540054)"]);
    checked.equal("quantile", normal_quantile(0.3), &known["normal_quantile(0.3)"]);
    checked.end(12);
}
