//! Comparisons that an archive keeps: once, as a graph that can be made again to the byte, with what they compare.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::archive::kill::dataset;
use crate::archive::upgrade::older;
use crate::common::{Ran, files_below, graph_name, plain, qassay};

/// Two groups of ten: as few as have an interval.
const QUESTIONS: usize = 20;

/// The first questions of a file of answers, in which every second one is hybrid.
fn questions(system: usize, name: &str) -> String {
    let mut all: Value = serde_json::from_str(&dataset(system)).unwrap();
    all["dataset"]["id"] = name.into();
    let questions = all["questions"].as_array_mut().unwrap();
    questions.truncate(QUESTIONS);
    for (question, number) in questions.iter_mut().zip(1_usize..) {
        question["hybrid"] = number.is_multiple_of(2).to_string().into();
    }
    all.to_string()
}

/// An archive in `kept` with three systems on two datasets.
pub(crate) fn archive() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for system in 1..=3 {
        fs::write(folder.path().join(format!("system-{system}.json")), questions(system, "answers")).unwrap();
    }
    for name in ["first", "second"] {
        fs::write(folder.path().join(format!("{name}.json")), questions(0, name)).unwrap();
        let words = format!("evaluate {name}.json system-1.json system-2.json system-3.json --archive kept");
        qassay(folder.path(), words.split(' ')).ok();
    }
    folder
}

pub(crate) fn run(folder: &TempDir, words: &str) -> Ran {
    qassay(folder.path(), words.split(' '))
}

/// The IRI that is told where a comparison is kept.
pub(crate) fn kept(ran: &Ran) -> String {
    let line = ran.stderr.lines().find(|line| line.contains("/comparison/"));
    line.unwrap_or_else(|| panic!("{}", ran.stderr)).trim().to_owned()
}

pub(crate) fn key(iri: &str) -> &str {
    iri.rsplit('/').next().unwrap()
}

/// The graph files of a kind: the part of their names behind `/graph/`.
pub(crate) fn graphs(folder: &TempDir, kind: &str) -> Vec<PathBuf> {
    let graphs = folder.path().join("kept/graphs");
    let of_kind = |path: &PathBuf| {
        graph_name(&fs::read_to_string(path).unwrap_or_default()).contains(&format!("/graph/{kind}/"))
    };
    files_below(&graphs).into_iter().map(|path| graphs.join(path)).filter(of_kind).collect()
}

/// The rows of a report that are about something, `check: result`, and all its problems.
pub(super) fn verified(folder: &TempDir, words: &str, about: &str) -> (Vec<String>, String) {
    let ran = run(folder, &format!("verify {words} --format json"));
    let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr));
    let rows = report["checks"].as_array().unwrap().iter();
    let of = rows.filter(|row| row["about"].as_str() == Some(about));
    let told =
        |row: &Value| format!("{}: {}", row["check"].as_str().unwrap(), row["result"].as_str().unwrap());
    (of.map(told).collect(), report["checks"].to_string())
}

/// Writes something else into a graph, and every checksum that depends on it: nothing looks wrong afterwards.
pub(crate) fn forge(folder: &TempDir, path: &Path, from: &str, to: &str) {
    let content = fs::read_to_string(path).unwrap();
    assert!(content.contains(from), "{from} is not in {}", path.display());
    let content = content.replace(from, to);
    let old = path.file_stem().unwrap().to_str().unwrap().to_owned();
    let new =
        qassay::sources::file::source::Source::from_bytes("bytes", content.clone().into_bytes()).unwrap();
    fs::remove_file(path).unwrap();
    let place = folder.path().join("kept/graphs/sha256").join(&new.sha256()[..2]);
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join(format!("{}.nq", new.sha256())), content).unwrap();
    for record in files_below(&folder.path().join("kept/records")) {
        let record = folder.path().join("kept/records").join(record);
        let text = fs::read_to_string(&record).unwrap();
        fs::write(&record, text.replace(&old, new.sha256())).unwrap();
    }
    for dependent in graphs(folder, "prov") {
        if fs::read_to_string(&dependent).unwrap().contains(&old) {
            forge(folder, &dependent, &old, new.sha256());
        }
    }
}

#[test]
fn a_comparison_is_kept_once_and_is_that_of_the_files() {
    let folder = archive();
    let nothing = run(&folder, "compare --archive kept --no-archive");
    assert!(!nothing.stderr.contains("kept in"), "{}", nothing.stderr);
    let first = run(&folder, "compare first --archive kept");
    let iri = kept(&first);
    let files = files_below(&folder.path().join("kept"));
    assert_eq!(kept(&run(&folder, "compare system-3 system-1 system-2 first --archive kept")), iri);
    assert_eq!(files_below(&folder.path().join("kept")), files);
    let listed = run(&folder, "list comparison --format json --archive kept").json();
    assert_eq!(listed[0]["iri"].as_str(), Some(&*iri));
    assert_eq!(listed[0]["name"], "system-1, system-2, system-3 on first: macroF1 by qassay");
    assert_eq!(listed.as_array().unwrap().len(), 1);
    // Scored and compared at once, elsewhere: the same bytes.
    let words = "compare first.json system-1.json system-2.json system-3.json --archive other";
    assert_eq!(kept(&run(&folder, words)), iri);
    let graph = |archive: &str| {
        let record = folder.path().join(archive).join("records/comparison").join(format!("{}.nq", key(&iri)));
        let record = fs::read_to_string(record).unwrap();
        let node =
            format!("/graph/comparison/{}#sha256> <http://spdx.org/rdf/terms#checksumValue>", key(&iri));
        record.lines().find(|line| line.contains(&node)).unwrap().to_owned()
    };
    assert_eq!(graph("kept"), graph("other"));
    let (rows, all) = verified(&folder, "other", &iri);
    assert_eq!(rows, ["constraints: ok", "re-execution: same"], "{all}");
}

/// All cubes, with all that may be chosen, hold all constraints, and are the same bytes when they are made again.
#[test]
fn everything_that_is_compared_holds() {
    let folder = archive();
    let mut seen = String::new();
    let kept: Vec<String> = [
        "--measure macroF1,exactMatch --groups -x QA,AT --test sign --seed x --alpha 0.5",
        "--measure microF1,macroF1Qald --groups -x QA --baseline system-2 --cluster variant",
        "--questions answered -x QA --test wilcoxon --show matrix",
    ]
    .iter()
    .map(|words| kept(&run(&folder, &format!("compare --archive kept {words}"))))
    .collect();
    for iri in &kept {
        let (rows, told) = verified(&folder, &format!("kept {}", key(iri)), iri);
        assert_eq!(rows, ["constraints: ok", "re-execution: same"], "{told}");
    }
    plain(&folder.path().join("kept"));
    for path in graphs(&folder, "comparison") {
        seen.push_str(&fs::read_to_string(path).unwrap());
    }
    for cube in ["comparison", "interval", "rank", "item", "ensemble", "over-datasets", "group-effect"] {
        assert!(seen.contains(&format!("ns#dsd-{cube}>")), "no cube dsd-{cube}");
    }
    for term in [
        "code#test-mcnemar",
        "code#test-shuffle",
        "code#undefined-not-resampled",
        "ns#acrossTable",
        "code#group-hybrid-true",
    ] {
        assert!(seen.contains(term), "nothing has {term}");
    }
    assert!(!seen.contains("_:"), "no blank nodes");
    // Neither clock nor program is in it.
    assert!(!seen.contains("engine/qassay") && !seen.contains("dateTime"));
    let better = run(&folder, "query comparisons --format csv --archive kept").ok();
    let row = better
        .lines()
        .find(|row| row.starts_with("first,curated,qassay,QA,exactMatch,system-1,system-2,"))
        .unwrap();
    assert!(row.split(',').nth(7).unwrap().parse::<f64>().unwrap() > 0.0, "{row}");
}

#[test]
fn what_was_changed_is_told_with_the_first_statement() {
    let folder = archive();
    let iri = kept(&run(&folder, "compare first --archive kept"));
    plain(&folder.path().join("kept"));
    let path = graphs(&folder, "comparison").remove(0);
    let text = fs::read_to_string(&path).unwrap();
    let line = text.lines().find(|line| line.contains("ns#pValue>") && line.contains("/pair/")).unwrap();
    let p = line.split('"').nth(1).unwrap();
    let forged = line.replace(&format!("\"{p}\""), "\"1.5\"");
    forge(&folder, &path, line, &forged);
    let (rows, told) = verified(&folder, "kept", &iri);
    assert_eq!(rows.last().unwrap(), "re-execution: differs", "{told}");
    let subject = line.split("> ").next().unwrap().trim_start_matches('<');
    assert!(told.contains(subject) && told.contains("was recorded"), "{told}");
    assert!(told.contains(&format!("\\\"{p}\\\"^^")), "{told}");
    assert!(told.contains("model-comparison-adjusted"), "{told}");
    // Other settings have another key.
    let path = graphs(&folder, "comparison").remove(0);
    forge(&folder, &path, "ns#seed> \"\"", "ns#seed> \"y\"");
    let (_, told) = verified(&folder, "kept", &iri);
    assert!(told.contains("its key is not that of its evaluations and its settings"), "{told}");
    // Who compares the same is told, and nothing is written over it.
    let again = run(&folder, "compare first --archive kept");
    assert!(again.stderr.contains("the archive has another graph of the comparison"), "{}", again.stderr);
    assert_eq!(again.code, Some(1));
    // Without its graph nothing can be said.
    fs::remove_file(graphs(&folder, "comparison").remove(0)).unwrap();
    let (rows, told) = verified(&folder, "kept", &iri);
    assert!(rows.last().unwrap().contains("not checked"), "{rows:?}\n{told}");
    assert_eq!(run(&folder, "verify kept").code, Some(1));
}

#[test]
fn comparisons_go_where_all_that_they_compare_goes() {
    let folder = archive();
    let iri = kept(&run(&folder, "compare first --archive kept"));
    let other = kept(&run(&folder, "compare --archive kept"));
    run(&folder, &format!("export {} one.tar.gz --archive kept", key(&iri))).ok();
    let (rows, told) = verified(&folder, "one.tar.gz", &iri);
    assert_eq!(rows, ["constraints: ok", "re-execution: same"], "{told}");
    assert!(!told.contains(&other), "what compares more stays");
    assert_eq!(told.matches("\"constraints\"").count(), 4, "{told}");
    // An evaluation alone goes without.
    let evaluation = run(&folder, "list evaluation --format json --archive kept").json()[0]["iri"].clone();
    run(&folder, &format!("export {} alone --archive kept", evaluation.as_str().unwrap())).ok();
    assert!(!folder.path().join("alone/records/comparison").exists());
    // Without inputs the groups cannot be made again, and all else can.
    run(&folder, &format!("export {iri} bare.tar.gz --no-inputs --archive kept")).ok();
    assert!([Some(0), Some(3)].contains(&run(&folder, "verify bare.tar.gz --partial").code));
}

#[test]
fn what_is_compared_stays_as_long_as_its_comparison() {
    let folder = archive();
    let before = files_below(&folder.path().join("kept"));
    let iri = kept(&run(&folder, "compare first --archive kept"));
    let evaluations = run(&folder, "list evaluation --format json --archive kept").json();
    let used = evaluations.as_array().unwrap().iter().find(|one| one["usedBy"] == 1).unwrap();
    let used = used["iri"].as_str().unwrap();
    let refused = run(&folder, &format!("remove {used} --archive kept"));
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains(&format!("(comparison), <{iri}>")), "{}", refused.stderr);
    assert!(refused.stderr.contains("remove what uses it before it, or with it"), "{}", refused.stderr);
    run(&folder, &format!("remove {iri} --archive kept")).ok();
    let stays = |path: &PathBuf| !path.starts_with("stores") && !path.starts_with("tmp");
    let left = files_below(&folder.path().join("kept")).into_iter().filter(stays);
    assert!(left.eq(before.into_iter().filter(stays)), "nothing of it is left");
    // Both at once.
    let iri = kept(&run(&folder, "compare first --archive kept"));
    run(&folder, &format!("remove {used} {iri} --archive kept")).ok();
    assert_eq!(run(&folder, "verify kept").code, Some(0));
}

/// A comparison says names of systems: those that it knew stay with it.
#[test]
fn a_name_that_a_comparison_says_stays() {
    let folder = archive();
    let iri = kept(&run(&folder, "compare first --archive kept"));
    let refuse = |name: &str, user: &str| {
        let ran = run(&folder, &format!("remove {name} --archive kept"));
        assert_eq!(ran.code, Some(2), "{name} is gone");
        let told = ran.stderr.starts_with(&format!("error: `{name}` (system) is used by `"));
        assert!(told && ran.stderr.contains(&format!("(comparison), <{user}>")), "{}", ran.stderr);
    };
    let learn = "evaluate first.json system-1.json --system learned --archive kept";
    run(&folder, learn).ok();
    refuse("system-1", &iri);
    // It was made before this name was there.
    run(&folder, "remove learned --archive kept").ok();
    let (rows, told) = verified(&folder, &format!("kept {}", key(&iri)), &iri);
    assert_eq!(rows, ["constraints: ok", "re-execution: same"], "{told}");
    run(&folder, learn).ok();
    let both = kept(&run(&folder, "compare first --archive kept"));
    assert_ne!(both, iri);
    refuse("learned", &both);
    run(&folder, &format!("remove system-1 {iri} {both} --archive kept")).ok();
    assert_eq!(run(&folder, "verify kept").code, Some(0));
}

/// Newer gold answers beside curated ones: what they change for each system is a cube.
#[test]
fn drift_of_gold_answers_holds() {
    let folder = tempfile::tempdir().unwrap();
    let statement = |letter: &str, number: usize| {
        format!("<http://e/{letter}{number}> <http://e/in> <http://e/c{number}> .\n")
    };
    let first = (1..=12).map(|number| statement("a", number));
    let statements: String = first.chain([3, 6, 9, 12].map(|number| statement("b", number))).collect();
    fs::write(folder.path().join("kb.nt"), statements).unwrap();
    for (name, letter) in [("gold", "a"), ("one", "a"), ("two", "b")] {
        let question = |number: usize| {
            let letter = if number.is_multiple_of(2) { letter } else { "a" };
            let answer = json!({ "x": { "type": "uri", "value": format!("http://e/{letter}{number}") } });
            json!({
                "id": number.to_string(),
                "question": [{ "language": "en", "string": "Which?" }],
                "query": { "sparql": format!("SELECT ?x {{ ?x <http://e/in> <http://e/c{number}> }}") },
                "answers": [{ "head": { "vars": ["x"] }, "results": { "bindings": [answer] } }],
            })
        };
        let questions: Vec<Value> = (1..=12).map(question).collect();
        let file = json!({ "dataset": { "id": "changed" }, "questions": questions });
        fs::write(folder.path().join(format!("{name}.json")), file.to_string()).unwrap();
    }
    run(&folder, "kb add small --version 1 kb.nt --archive kept").ok();
    run(&folder, "evaluate gold.json one.json two.json --kb small --gold both --archive kept").ok();
    let ran = run(&folder, "compare -x QA --archive kept --show drift --format csv");
    let row = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let drift: Vec<Vec<String>> = ran.stdout.lines().map(row).collect();
    let column = drift[0].iter().position(|name| name == "difference").unwrap();
    let differences: Vec<f64> = drift[1..].iter().map(|row| row[column].parse().unwrap()).collect();
    // Of twelve questions four have a second answer. `one` has half of each, by F1 two thirds: four times a third is lost.
    // `two` has lost two of them so, and gained two thirds twice.
    assert!((differences[0] + 4.0 / 36.0).abs() < 1e-4, "{differences:?}");
    assert!((differences[1] - 2.0 / 36.0).abs() < 1e-4 && differences.len() == 2, "{differences:?}");
    let iri = kept(&ran);
    let (rows, told) = verified(&folder, "kept", &iri);
    assert_eq!(rows, ["constraints: ok", "re-execution: same"], "{told}");
    plain(&folder.path().join("kept"));
    let text = fs::read_to_string(graphs(&folder, "comparison").remove(0)).unwrap();
    assert!(text.contains("ns#dsd-drift>"), "no cube dsd-drift");
    let pairs = run(&folder, "query comparisons --format csv --archive kept").ok();
    for gold in ["curated", "refreshed"] {
        assert_eq!(
            pairs.lines().filter(|row| row.starts_with(&format!("changed,{gold},"))).count(),
            1,
            "{pairs}"
        );
    }
}

/// An archive of the first version of the model is compared, and keeps nothing.
#[test]
fn an_older_archive_keeps_no_comparison() {
    let folder = older("bccfdd8");
    let example = format!("{}/datasets/example", env!("CARGO_MANIFEST_DIR"));
    let files = ["gold", "aurora", "borealis"].map(|name| format!("{example}/{name}.json")).join(" ");
    run(&folder, &format!("evaluate {files} --experiment QA --archive kept")).ok();
    let ran = run(&folder, "compare --profile qassay --archive kept");
    assert!(ran.stderr.contains("not kept: the archive is of the first version"), "{}", ran.stderr);
    ran.ok();
    assert_eq!(files_below(&folder.path().join("kept/records/comparison")), [""; 0].map(PathBuf::from));
    run(&folder, "upgrade --archive kept").ok();
    let iri = kept(&run(&folder, "compare --profile qassay --archive kept"));
    let (rows, told) = verified(&folder, "kept", &iri);
    assert_eq!(rows, ["constraints: ok", "re-execution: same"], "{told}");
}
