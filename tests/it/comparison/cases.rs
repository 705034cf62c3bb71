//! Real systems on real files, as the program scores them: what the fixtures of the specification are about.

use std::collections::BTreeMap;
use std::path::Path;

use qassay::measures::fraction::Fraction;
use qassay::statistics::matrix::{Clustering, QuestionMatrix};
use qassay::statistics::sampled::{ItemCounts, MicroMeasure, Sampled};
use qassay::statistics::stream::Streams;
use serde_json::Value;

use crate::common::{mirror, qassay, shared};

/// What a system has in a question.
#[derive(Debug, Clone)]
pub(crate) struct PrintedScores {
    pub(crate) counts: ItemCounts,
    pub(crate) precision: Fraction,
    pub(crate) recall: Fraction,
    pub(crate) f1: Fraction,
}

impl PrintedScores {
    fn read(question: &Value) -> Self {
        let count = |name: &str| question[name].as_u64().unwrap();
        let counts = ItemCounts { matched: count("tp"), wrong: count("fp"), missed: count("fn") };
        let ItemCounts { matched, wrong, missed } = counts;
        // Exact where something matches; else the decimal is 0 or 1.
        let score = |name: &str, over: u64, under: u64| {
            let published = Fraction::parse(&question[name].to_string()).unwrap();
            if matched > 0 { Fraction::ratio(over, under).unwrap() } else { published }
        };
        Self {
            counts,
            precision: score("precision", matched, matched + wrong),
            recall: score("recall", matched, matched + missed),
            f1: score("f1", 2 * matched, 2 * matched + wrong + missed),
        }
    }
}

/// A fixture, and what the program scores on its files.
pub(crate) struct FixtureCase {
    pub(crate) fixture: Value,
    /// What the program prints.
    pub(crate) printed: Value,
    /// The systems, by profile.
    pub(crate) profiles: BTreeMap<String, QuestionMatrix<PrintedScores>>,
    pub(crate) streams: Streams,
}

/// The expected values of a file of fixtures.
pub(crate) fn fixture(name: &str) -> Value {
    let path = shared().join(format!("specs/comparison/{name}.json"));
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

impl FixtureCase {
    pub(crate) fn run(name: &str) -> Self {
        let (fixture, mirror, folder) = (fixture(name), mirror(), tempfile::tempdir().unwrap());
        let path = |value: &Value| mirror.join(value.as_str().unwrap()).to_str().unwrap().to_owned();
        let profiles: Vec<&str> =
            fixture["profiles"].as_object().unwrap().keys().map(String::as_str).collect();
        let systems = fixture["submissions"].as_object().unwrap();
        let mut arguments = vec!["evaluate".to_owned(), path(&fixture["gold"])];
        arguments.extend(systems.values().map(path));
        arguments.extend(systems.keys().flat_map(|system| ["--system".to_owned(), system.clone()]));
        let profiles_named = profiles.join(",");
        let rest = ["--profile", &profiles_named, "--experiment", "QA", "--format", "json", "--quiet"];
        arguments.extend(rest.map(str::to_owned));
        if let Some(files) = fixture["kb"].as_array() {
            let mut add = ["kb", "add", "kb", "--version", "1", "--quiet"].map(str::to_owned).to_vec();
            add.extend(files.iter().map(path));
            qassay(folder.path(), add).ok();
            arguments.extend(["--kb", "kb"].map(str::to_owned));
        } else {
            arguments.push("--no-archive".to_owned());
        }
        let printed = qassay(folder.path(), arguments).json();
        let streams = Streams::of(fixture["goldSha256"].as_str(), "");
        let profiles =
            profiles.iter().map(|profile| ((*profile).to_owned(), matrix(&printed, profile, "curated")));
        let profiles = profiles.collect();
        Self { fixture, printed, profiles, streams }
    }

    /// The systems with the first profile.
    pub(crate) fn first(&self) -> &QuestionMatrix<PrintedScores> {
        let first = self.fixture["profiles"].as_object().unwrap().keys().next().unwrap();
        &self.profiles[first]
    }

    pub(crate) fn f1(&self) -> QuestionMatrix<Fraction> {
        self.first().map(|scores| scores.f1.clone())
    }
}

/// The systems of what the program prints, with a profile and an origin of gold answers.
pub(crate) fn matrix(printed: &Value, profile: &str, gold: &str) -> QuestionMatrix<PrintedScores> {
    let evaluations = printed["evaluations"].as_array().unwrap();
    let chosen = evaluations.iter().filter(|one| one["profile"] == profile && one["gold"] == gold);
    let systems = chosen.map(|one| {
        let questions = one["experiments"]["QA"]["questions"].as_array().unwrap();
        let scores =
            questions.iter().map(|one| (one["id"].as_str().unwrap().to_owned(), PrintedScores::read(one)));
        (one["system"].as_str().unwrap().to_owned(), scores.collect())
    });
    QuestionMatrix::of(systems.collect())
}

/// The measures of the fixtures, of each system.
pub(crate) fn measures(
    systems: &QuestionMatrix<PrintedScores>,
    profile: &str,
) -> BTreeMap<&'static str, Vec<Sampled>> {
    let single = Clustering::single(systems.questions().len());
    let of = |row: &[PrintedScores]| {
        let values = |of: fn(&PrintedScores) -> &Fraction| row.iter().map(of).cloned().collect::<Vec<_>>();
        let counts: Vec<ItemCounts> = row.iter().map(|one| one.counts).collect();
        let exact: Vec<bool> = row.iter().map(|one| one.f1 == Fraction::one()).collect();
        let (precisions, recalls) = (values(|one| &one.precision), values(|one| &one.recall));
        let micro = |which| Sampled::micro(&counts, which, &single);
        let f1 = match profile {
            "qald" => Sampled::harmonic(&precisions, &recalls, &single),
            _ => Sampled::mean(&values(|one| &one.f1), &single),
        };
        [
            ("macroPrecision", Sampled::mean(&precisions, &single)),
            ("macroRecall", Sampled::mean(&recalls, &single)),
            ("macroF1", f1),
            ("exactMatch", Sampled::share(&exact, &single)),
            ("microPrecision", micro(MicroMeasure::Precision)),
            ("microRecall", micro(MicroMeasure::Recall)),
            ("microF1", micro(MicroMeasure::F1)),
        ]
    };
    let mut measures: BTreeMap<&str, Vec<Sampled>> = BTreeMap::new();
    for (name, sample) in systems.rows().iter().flat_map(|row| of(row)) {
        measures.entry(name).or_default().push(sample.unwrap());
    }
    measures
}

/// What the program prints of three systems against gold answers that were refreshed (`tests/chain/run`).
pub(crate) fn chain() -> Value {
    let docs = mirror().join("AKSW/text2sparql.aksw.org/d317a8476a3be27a2eef5bfc5f670a58f5c128ee/docs");
    let (folder, file) =
        (tempfile::tempdir().unwrap(), |path: &str| docs.join(path).to_str().unwrap().to_owned());
    let run = |words: &str, files: &[String]| {
        let words = words.split(' ').map(str::to_owned);
        qassay(Path::new(folder.path()), words.chain(files.iter().cloned()))
    };
    let answers = |system: &str| file(&format!("results/{system}/ck25_answers.json"));
    run("--quiet kb add ck25 --version 1", &[file("data/prod-inst.ttl"), file("data/prod-vocab.ttl")]).ok();
    let gold = file("benchmark/ck25_true_result_set.json");
    run(
        "--quiet convert --force",
        &[gold, "ck25.nq".to_owned(), "--queries-from".to_owned(), answers("WSE")],
    )
    .ok();
    run("--quiet kb refresh ck25.nq --kb ck25", &[]).ok();
    let options = "--quiet evaluate ck25.nq --kb ck25 --gold both --profile text2sparql --experiment QA --format json \
                   --system INFAI --system MIPT --system WSE";
    run(options, &["INFAI", "MIPT", "WSE"].map(answers)).json()
}
