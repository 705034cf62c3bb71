//! Several systems in one run: each by its address or its name, each with its record, its measures, its scores.

use std::fs;
use std::path::{Path, PathBuf};

use qassay::measures::fraction::Fraction;
use qassay::systems::description::Protocol;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::live::{example, mock};
use crate::common::{Ran, qassay};
use crate::pages::schemas::holds;

/// A description of one's own: a system with an address.
fn described(folder: &Path, address: &str) {
    let turtle = format!(
        "@prefix qassay: <https://w3id.org/qassay/ns#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix protocol: <https://w3id.org/qassay/protocol/> .
<https://example.org/mine> skos:notation \"mine\" ; skos:prefLabel \"Mine\" ;
    skos:definition \"A service of our own.\" ; qassay:like protocol:gerbil ;
    qassay:serviceAddress \"{address}\"^^xsd:anyURI .\n"
    );
    fs::write(folder.join("mine.ttl"), turtle).expect("a file");
}

fn protocol(name: &str) -> &'static Protocol {
    Protocol::named(name).expect("a protocol")
}

/// One system by its name, one by its address on another host, both evaluated.
fn asked(folder: &Path) -> Value {
    described(folder, &mock(protocol("gerbil"), 0));
    let other = mock(protocol("gerbil"), 400_000).replace("127.0.0.1", "localhost");
    let gold = example("gold.json").display().to_string();
    let words = ["ask", &gold, "mine", &other, "--as", "gerbil", "--description", "mine.ttl"];
    let words = [&words[..], &["--language", "en", "--retries", "0", "--evaluate"]].concat();
    holds("ask", folder, &words)
}

fn record(folder: &Path, system: &str) -> PathBuf {
    let records = fs::read_dir(folder.join("qassay-archive/records/asking")).expect("records");
    let mut paths = records.map(|entry| entry.expect("an entry").path());
    let name = format!("\"{system}\"");
    paths.find(|path| fs::read_to_string(path).expect("a record").contains(&name)).expect("the record")
}

#[test]
fn names_and_addresses_are_asked_in_one_run() {
    let folder = TempDir::new().expect("a folder");
    let told = asked(folder.path());
    let systems = told["asked"].as_array().expect("systems");
    assert_eq!((systems.len(), &systems[0]["system"]), (2, &Value::from("mine")));
    let failed = |one: &Value| one["errors"].as_u64().expect("a number");
    let (own, other) = (failed(&systems[0]), failed(&systems[1]));
    assert!(own < other && other < 16, "{own} and {other} of 16");
    let rate = systems[1]["measures"]["askingErrorRate"].to_string();
    let expected = Fraction::ratio(other, 16).expect("a share").to_decimal();
    assert_eq!(rate, expected);
    let names = told["evaluations"].as_array().expect("evaluations").iter().map(|one| &one["system"]);
    assert!(names.eq(systems.iter().map(|one| &one["system"])));
}

/// What is measured is in RDF, can be asked for, and cannot be changed without being seen.
#[test]
fn measures_are_recorded_and_verified() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let told = asked(folder);
    fs::write(
        folder.join("times.rq"),
        "PREFIX qassay: <https://w3id.org/qassay/ns#> PREFIX dqv: <http://www.w3.org/ns/dqv#>
PREFIX code: <https://w3id.org/qassay/code#> PREFIX schema: <http://schema.org/>
SELECT ?value ?size ?languages { GRAPH ?g { ?asking schema:name \"mine\" ; qassay:askedLanguage ?languages ;
    qassay:runSetting \"parallel=1\" ; dqv:hasQualityMeasurement ?measure .
  ?measure dqv:isMeasurementOf code:meanAskingTime ; dqv:value ?value ; qassay:sampleSize ?size } }",
    )
    .expect("a file");
    let row = qassay(folder, ["query", "times.rq", "--format", "json"]).json();
    let cell = |name: &str| row["results"]["bindings"][0][name]["value"].as_str().map(str::to_owned);
    let value: f64 = cell("value").expect("a value").parse().expect("a number");
    assert_eq!(Some(value), told["asked"][0]["measures"]["meanAskingTime"].as_f64(), "{row}");
    assert_eq!((cell("size").as_deref(), cell("languages").as_deref()), (Some("16"), Some("en")), "{row}");
    assert!(qassay(folder, ["verify"]).ok().contains("asked systems"));
    let path = record(folder, "mine");
    let sound = fs::read_to_string(&path).expect("a record");
    let is_rate = |line: &&str| line.contains("measure/askingErrorRate>") && line.contains("dqv#value");
    let rate = sound.lines().find(is_rate).expect("a rate");
    let wrong = rate.replace("\"0.", "\"0.9");
    assert_ne!(rate, wrong);
    for (what, forged) in [
        ("a value", sound.replace(rate, &wrong)),
        ("a setting", sound.replace("parallel=1", "parallel=8")),
        ("a number", sound.replace("\"16\"^^", "\"17\"^^")),
        ("less", sound.replace(&format!("{rate}\n"), "")),
    ] {
        assert_ne!(forged, sound, "{what}");
        fs::write(&path, forged).expect("a record");
        let found = qassay(folder, ["verify"]);
        assert_eq!(found.code, Some(1), "{what}: {}", found.stdout);
    }
}

#[test]
fn what_names_nobody_is_told() {
    let folder = TempDir::new().expect("a folder");
    let gold = example("gold.json").display().to_string();
    let ask = |words: &[&str]| -> Ran { qassay(folder.path(), [&["ask", &gold], words].concat()) };
    for (words, said) in [
        (&["kgqan"][..], "nobody says where `kgqan` is"),
        (&["kgqam"], "there is no protocol `kgqam`"),
        (&["localhost:8080"], "an address that begins with http:// or https://"),
        (&["http://127.0.0.1:9/", "http://127.0.0.1:9/"], "is to be asked twice"),
    ] {
        let ran = ask(&[words, &["--language", "en"]].concat());
        assert_eq!(ran.code, Some(2), "{words:?}");
        assert!(ran.stderr.contains(said), "{words:?}: {}", ran.stderr);
    }
}
