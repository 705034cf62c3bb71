//! Evaluations of an archive beside each other, from what is published of them.

use std::path::Path;

use qassay::Workbench;
use qassay::measures::metric::Metric;
use qassay::record::comparison::ComparedTable;
use qassay::record::comparison::across::SystemComparison;
use qassay::record::comparison::settings::{ClusterUnit, ComparisonSettings};
use qassay::statistics::undefined::Undefined;
use qassay::workbench::compare::CompareRequest;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::cases::fixture;
use crate::common::{mirror, qassay};

fn compare(folder: &Path, request: &CompareRequest) -> qassay::Result<SystemComparison> {
    Workbench::new(folder.join("qassay-archive")).compare(request)
}

fn with(settings: ComparisonSettings) -> CompareRequest {
    CompareRequest { settings, ..CompareRequest::default() }
}

/// An archive with evaluations of files.
fn archive(gold: &str, systems: &[(&str, String)], profiles: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut arguments = vec!["evaluate", gold];
    arguments.extend(systems.iter().map(|(_, file)| file.as_str()));
    arguments.extend(systems.iter().flat_map(|(name, _)| ["--system", name]));
    arguments.extend(["--profile", profiles, "--experiment", "QA", "--quiet"]);
    qassay(folder.path(), arguments).ok();
    folder
}

pub(super) fn write(folder: &Path, name: &str, answers: &[(&str, &[&str])]) -> String {
    let question = |(id, answers): &(&str, &[&str])| {
        let bindings: Vec<Value> =
            answers.iter().map(|iri| json!({"x": {"type": "uri", "value": iri}})).collect();
        json!({"id": id, "question": [{"language": "en", "string": id}], "query": {"sparql": ""},
            "answers": [{"head": {"vars": ["x"]}, "results": {"bindings": bindings}}]})
    };
    let all: Vec<Value> = answers.iter().map(question).collect();
    let path = folder.join(name);
    std::fs::write(&path, json!({"dataset": {"id": "small"}, "questions": all}).to_string()).unwrap();
    path.to_str().unwrap().to_owned()
}

fn rounded(value: &Value) -> String {
    qassay::measures::fraction::Fraction::parse(&value.to_string()).unwrap().to_decimal()
}

/// What a fixture and a comparison both say of a table.
fn is_as_known(table: &ComparedTable, known: &Value) {
    let mut names: Vec<&str> = Vec::new();
    for (system, known) in table.systems.iter().zip(known["systems"].as_array().unwrap()) {
        assert_eq!(known["system"], *system.system);
        let interval = system.interval.as_ref().unwrap();
        let ours = [system.value.as_ref().unwrap(), &interval.low, &interval.high]
            .map(|one| one.as_str().to_owned());
        assert_eq!(ours, [&known["value"], &known["interval"][0], &known["interval"][1]].map(rounded));
        assert_eq!(system.value, system.common_value);
        assert_eq!(json!([system.ranks, system.rank_range]), json!([known["ranks"], known["rankRange"]]));
        names.push(&system.system);
    }
    assert_eq!(table.pairs.len(), names.len() * (names.len() - 1) / 2);
    for (pair, known) in table.pairs.iter().zip(known["pairs"].as_array().unwrap()) {
        let ours = [&pair.difference, &pair.test.p, &pair.test.adjusted].map(|one| one.as_str().to_owned());
        assert_eq!(
            ours,
            ["difference", "p", "holm"].map(|name| rounded(&known[name])),
            "{} {}",
            pair.a,
            pair.b
        );
        assert_eq!(
            json!([pair.a, pair.b, pair.test.significant]),
            json!([known["a"], known["b"], known["significant"]])
        );
        assert_eq!((pair.family_size, pair.effect.is_none()), (table.pairs.len(), known["wins"].is_null()));
    }
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn what_is_published_is_compared() {
    let known = fixture("qald8train");
    let path = |value: &Value| mirror().join(value.as_str().unwrap()).to_str().unwrap().to_owned();
    let systems = known["submissions"].as_object().unwrap().iter();
    let systems: Vec<(&str, String)> = systems.map(|(name, file)| (name.as_str(), path(file))).collect();
    let folder = archive(&path(&known["gold"]), &systems, "qassay,qald");
    let found = compare(folder.path(), &CompareRequest::default()).unwrap();
    let told: Vec<_> = found.tables.iter().map(|table| (&*table.key.profile, &*table.key.measure)).collect();
    assert_eq!(told, [("qald", "macroF1Harmonic"), ("qassay", "macroF1")]);
    for table in &found.tables {
        assert_eq!((table.questions, table.clusters, table.cluster), (219, 219, ClusterUnit::Question));
        is_as_known(table, &known["profiles"][&table.key.profile]["macroF1"]);
    }
    // Of a harmonic mean no question has a share.
    assert_eq!((&found.tables[0].ensembles, found.tables[0].items.len()), (&None, 0));
    assert_eq!(found.tables[1].items.len(), 219);
    let best = found.tables[1].ensembles.as_ref().unwrap().best.as_ref().unwrap();
    assert_eq!((best.len(), &*best[3].value.to_fixed(4)), (4, "0.6049"));
    let letters = found.tables[1].systems.iter().map(|one| one.letters.as_deref().unwrap());
    assert!(letters.eq(["c", "b", "b", "a"]));
    let profiles = &found.profiles[0];
    assert_eq!(profiles.tau_b.as_ref().map(|tau| tau.to_fixed(4)).as_deref(), Some("0.6667"));
    assert_eq!(profiles.discordant, [["QAKiS", "TeBaQA"]]);
    assert!(found.drift.is_empty() && found.over_datasets.is_empty());
    // Measures that are asked for, of some systems, with one profile.
    let measures = ["microF1", "exactMatch", "macroF1Qald"].map(|name| Metric::named(name).unwrap()).to_vec();
    let request = CompareRequest {
        profiles: vec!["qassay".to_owned()],
        ..with(ComparisonSettings { measures, ..ComparisonSettings::default() })
    };
    let some = compare(folder.path(), &request).unwrap();
    assert_eq!(some.tables.len(), 3);
    for table in &some.tables {
        match &*table.key.measure {
            "macroF1Qald" => {
                assert_eq!(
                    [table.no_pairs, table.systems[0].no_interval],
                    [Some(Undefined::NotResampled); 2]
                );
            }
            measure => is_as_known(table, &known["profiles"]["qassay"][measure]),
        }
    }
}

/// Two systems, of which one skips a question; what cannot be compared is said.
#[test]
fn small_archives() {
    let files = tempfile::tempdir().unwrap();
    let (a, b) = ("http://example.org/a", "http://example.org/b");
    let gold = write(files.path(), "gold.json", &[("1", &[a]), ("2", &[a, b]), ("10", &[b])]);
    let one = write(files.path(), "one.json", &[("1", &[a]), ("2", &[a]), ("10", &[b])]);
    let other = write(files.path(), "other.json", &[("1", &[b]), ("10", &[b])]);
    let third = write(files.path(), "third.json", &[("1", &[a])]);
    let folder = archive(&gold, &[("One", one), ("Other", other)], "qassay");
    let found = compare(folder.path(), &CompareRequest::default()).unwrap();
    let table = &found.tables[0];
    assert_eq!((table.questions, table.left_out.len()), (3, 0));
    // A question that is missing is scored, and counted.
    assert_eq!(table.systems.iter().map(|one| one.missing).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(table.systems[0].no_interval, Some(Undefined::TooFewQuestions));
    // (1 + 2/3 + 1)/3 and 1/3.
    assert_eq!(table.pairs[0].difference.as_str(), "0.555555555556");
    assert_eq!((table.pairs[0].test.p.as_str(), table.pairs[0].test.differing), ("0.5", 2));
    assert_eq!(table.items.iter().map(|item| &*item.question).collect::<Vec<_>>(), ["1", "10", "2"]);
    let answered = compare(
        folder.path(),
        &with(ComparisonSettings { only_answered: true, ..ComparisonSettings::default() }),
    )
    .unwrap();
    let table = &answered.tables[0];
    assert_eq!((table.questions, &table.left_out[..]), (2, &["2".to_owned()][..]));
    let values = |one: &qassay::record::comparison::ComparedSystem| {
        (one.value.clone().unwrap().to_fixed(4), one.common_value.clone().unwrap().to_fixed(4))
    };
    assert_eq!(
        table.systems.iter().map(values).collect::<Vec<_>>(),
        [("0.8889".to_owned(), "1.0000".to_owned()), ("0.3333".to_owned(), "0.5000".to_owned())]
    );
    let baseline =
        with(ComparisonSettings { baseline: Some("One".to_owned()), ..ComparisonSettings::default() });
    let pairs = compare(folder.path(), &baseline).unwrap().tables.remove(0).pairs;
    assert_eq!(pairs.iter().map(|pair| (&*pair.a, &*pair.b)).collect::<Vec<_>>(), [("Other", "One")]);
    let alone = CompareRequest { words: vec!["one".to_owned()], ..CompareRequest::default() };
    assert_eq!(compare(folder.path(), &alone).unwrap().tables[0].no_pairs, Some(Undefined::OneSystem));
    // Words that name nothing, and two evaluations in one cell.
    let error = |request: &CompareRequest| compare(folder.path(), request).unwrap_err().to_string();
    let unknown = CompareRequest { words: vec!["Nobody".to_owned()], ..CompareRequest::default() };
    assert!(error(&unknown).contains("no evaluation, system or dataset `Nobody`"), "{}", error(&unknown));
    let unknown =
        with(ComparisonSettings { baseline: Some("Nobody".to_owned()), ..ComparisonSettings::default() });
    assert!(error(&unknown).contains("no evaluation is of the system `Nobody`"), "{}", error(&unknown));
    let unknown = CompareRequest { profiles: vec!["nobody".to_owned()], ..CompareRequest::default() };
    assert!(error(&unknown).contains("no evaluation is by the profile `nobody`"), "{}", error(&unknown));
    qassay(
        folder.path(),
        [
            "evaluate",
            &gold,
            &third,
            "--system",
            "One",
            "--profile",
            "qassay",
            "--experiment",
            "QA",
            "--quiet",
        ],
    )
    .ok();
    assert!(error(&CompareRequest::default()).contains("two evaluations are of the system `One`"));
}
