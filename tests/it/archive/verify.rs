//! `qassay verify` from outside: each first cause, archives of older versions, published and damaged archives.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Ran, files_below, graph_name, plain, qassay};
use qassay::sources::file::source::Source;
use serde_json::Value;
use tempfile::TempDir;

const GOLD: &str = r#"{"dataset": {"id": "tiny"}, "questions": [
 {"id": "1", "answertype": "resource", "question": [{"language": "en", "string": "Which?"}],
  "answers": [{"head": {"vars": ["uri"]}, "results": {"bindings": [
   {"uri": {"type": "uri", "value": "http://e/a"}}, {"uri": {"type": "uri", "value": "http://e/b"}}]}}]},
 {"id": "2", "answertype": "boolean", "question": [{"language": "en", "string": "Is it?"}],
  "answers": [{"head": {}, "boolean": true}]}
]}
"#;

/// An archive in `kept`, with one evaluation of QA: question 1 has F1 2/3, question 2 has 1.
pub(crate) fn archive() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("gold.json"), GOLD).unwrap();
    let answers = GOLD.replace(r#", {"uri": {"type": "uri", "value": "http://e/b"}}"#, "");
    fs::write(folder.path().join("sys.json"), answers).unwrap();
    let links = "<http://e/a> <http://www.w3.org/2002/07/owl#sameAs> <http://f/a> .\n";
    fs::write(folder.path().join("links.nt"), links).unwrap();
    let run = ["evaluate", "gold.json", "sys.json", "--links", "links.nt", "-x", "QA", "--archive", "kept"];
    qassay(folder.path(), run).ok();
    plain(&folder.path().join("kept"));
    folder
}

fn kept_input(folder: &TempDir, name: &str) -> PathBuf {
    let source = Source::open(&folder.path().join(name)).unwrap();
    folder.path().join("kept/files/sha256").join(&source.sha256()[..2]).join(source.sha256())
}

fn sha256(bytes: &[u8]) -> String {
    Source::from_bytes("bytes", bytes.to_vec()).unwrap().sha256().to_owned()
}

pub(crate) fn graph(folder: &TempDir, kind: &str) -> PathBuf {
    let graphs = folder.path().join("kept/graphs");
    let mut paths = files_below(&graphs).into_iter().map(|path| graphs.join(path));
    let is_of_kind =
        |path: &PathBuf| graph_name(&fs::read_to_string(path).unwrap()).contains(&format!("/graph/{kind}/"));
    paths.find(is_of_kind).unwrap()
}

/// Changes a text in a file.
#[track_caller]
pub(crate) fn edit(path: &Path, from: &str, to: &str) {
    let content = fs::read_to_string(path).unwrap();
    assert!(content.contains(from), "{from} is not in {}", path.display());
    fs::write(path, content.replace(from, to)).unwrap();
}

fn records(folder: &TempDir) -> Vec<PathBuf> {
    let records = folder.path().join("kept/records");
    files_below(&records).into_iter().map(|path| records.join(path)).collect()
}

/// Changes a text in a graph, and every checksum that depends on it: nothing looks wrong afterwards.
#[track_caller]
pub(crate) fn forge(folder: &TempDir, kind: &str, from: &str, to: &str) {
    let path = graph(folder, kind);
    edit(&path, from, to);
    let old = path.file_stem().unwrap().to_str().unwrap().to_owned();
    let content = fs::read(&path).unwrap();
    let new = sha256(&content);
    fs::remove_file(&path).unwrap();
    let place = folder.path().join("kept/graphs/sha256").join(&new[..2]);
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join(format!("{new}.nq")), content).unwrap();
    for record in records(folder) {
        let text = fs::read_to_string(&record).unwrap();
        fs::write(&record, text.replace(&old, &new)).unwrap();
    }
    if kind != "prov" {
        forge(folder, "prov", &old, &new);
    }
}

/// Another build made the archive.
fn forge_build(folder: &TempDir) {
    forge(folder, "prov", "engine/qassay/0.1.0", "engine/qassay/0.0.9");
    for record in records(folder) {
        let text = fs::read_to_string(&record).unwrap();
        let text = text.replace("engine/qassay/0.1.0", "engine/qassay/0.0.9");
        fs::write(&record, text.replace("\"0.1.0\"", "\"0.0.9\"")).unwrap();
    }
}

/// The report, and the exit code.
fn verified(folder: &TempDir, options: &[&str]) -> (Option<i32>, Value) {
    let ran = qassay(folder.path(), [&["verify", "kept", "--format", "json"], options].concat());
    (ran.code, serde_json::from_str(&ran.stdout).unwrap())
}

/// The differences of the only execution, one a line.
fn differences(report: &Value) -> String {
    let agreement = &report["evaluations"][0]["executions"][0]["agreement"];
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let line = |difference: &Value| {
        ["kind", "experiment", "about", "property", "recorded", "computed"]
            .map(|name| text(&difference[name]))
            .join(" ")
    };
    agreement["differences"].as_array().unwrap().iter().map(line).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn assert_result(report: &Value, result: &str, cause: &str) {
    let evaluation = &report["evaluations"][0];
    assert_eq!(evaluation["result"], result, "{report:#}");
    assert_eq!(evaluation["cause"]["kind"].as_str().unwrap_or_default(), cause, "{report:#}");
}

pub(crate) const FORGED: (&str, &str, &str) =
    ("scores", "ns#f1> \"0.666666666667\"", "ns#f1> \"0.999999999999\"");

#[test]
fn the_same_bytes() {
    let folder = archive();
    let (code, report) = verified(&folder, &[]);
    assert_eq!((code, &report["ok"], &report["complete"]), (Some(0), &true.into(), &true.into()));
    assert_result(&report, "same", "");
    let execution = &report["evaluations"][0]["executions"][0];
    assert_eq!(execution["scoresDigest"], execution["computedScoresDigest"]);
    assert_eq!(execution["matchDigest"], execution["computedMatchDigest"]);
    assert_eq!((&execution["identical"], &execution["otherPlan"]), (&true.into(), &Value::Array(Vec::new())));
    let roles: Vec<&Value> =
        report["evaluations"][0]["inputs"].as_array().unwrap().iter().map(|input| &input["role"]).collect();
    assert_eq!(roles, ["gold", "answers", "links"]);
    assert_eq!(report["notes"], Value::Array(Vec::new()));
}

#[test]
fn another_input_and_what_it_changes() {
    let folder = archive();
    edit(&kept_input(&folder, "gold.json"), "\"boolean\": true", "\"boolean\":false");
    let (code, report) = verified(&folder, &[]);
    assert_eq!(code, Some(1));
    assert_result(&report, "differs", "other-input");
    let gold = &report["evaluations"][0]["inputs"][0];
    assert_ne!(gold["sha256"], gold["found"]);
    let told = differences(&report);
    let of_questions: Vec<&str> = told.lines().filter(|line| !line.starts_with("aggregate")).collect();
    insta::assert_snapshot!(of_questions.join("\n"), @r#"
    observation QA 2 f1 1 0
    observation QA 2 falseNegatives 0 1
    observation QA 2 falsePositives 0 1
    observation QA 2 precision 1 0
    observation QA 2 recall 1 0
    observation QA 2 truePositives 1 0
    match QA 2 match "true"^^<http://www.w3.org/2001/XMLSchema#boolean> ~ "true"^^<http://www.w3.org/2001/XMLSchema#boolean> (identical) -
    "#);
    assert!(told.contains("aggregate QA all macroF1 "), "{told}");
    // the links decide nothing here, and still the evaluation used others
    let folder = archive();
    edit(&kept_input(&folder, "links.nt"), "/a", "/x");
    let (code, report) = verified(&folder, &[]);
    assert_eq!(code, Some(1));
    assert_result(&report, "differs", "other-input");
    assert_eq!(differences(&report), "");
}

#[test]
fn inputs_that_cannot_be_read_or_are_missing() {
    let folder = archive();
    fs::write(kept_input(&folder, "sys.json"), "{").unwrap();
    let (code, report) = verified(&folder, &[]);
    // nothing is missing, and yet not everything could be checked
    assert_eq!((code, &report["complete"]), (Some(1), &false.into()));
    assert_result(&report, "not checked", "other-input");
    for (input, role) in [("gold.json", "gold"), ("sys.json", "answers"), ("links.nt", "links")] {
        let folder = archive();
        fs::remove_file(kept_input(&folder, input)).unwrap();
        let (code, report) = verified(&folder, &[]);
        assert_eq!((code, &report["ok"]), (Some(1), &false.into()));
        assert_result(&report, "not checked", "missing-input");
        let text = report["evaluations"][0]["cause"]["text"].as_str().unwrap();
        assert!(text.contains(&format!("the role {role}, ")), "{text}");
        // left out on purpose: no failure, and no success
        let (code, report) = verified(&folder, &["--partial"]);
        assert_eq!((code, &report["ok"], &report["complete"]), (Some(3), &true.into(), &false.into()));
        assert_result(&report, "not checked", "missing-input");
    }
}

#[test]
fn forged_scores_are_told_one_by_one() {
    let folder = archive();
    let (kind, from, to) = FORGED;
    forge(&folder, kind, from, to);
    let (code, report) = verified(&folder, &[]);
    assert_eq!(code, Some(1));
    assert_result(&report, "differs", "unexplained");
    assert_eq!(differences(&report), "observation QA 1 f1 0.999999999999 0.666666666667");
    // checksums and registry have nothing to say
    assert_eq!(
        (&report["checks"][0]["result"], &report["checks"][1]["result"]),
        (&"ok".into(), &"ok".into())
    );
    // the table shows it too
    let ran = qassay(folder.path(), ["verify", "kept"]);
    assert!(ran.stdout.starts_with("not verified: kept\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("sys, profile qassay/"), "{}", ran.stdout);
    assert!(ran.stdout.contains("0.999999999999  0.666666666667"), "{}", ran.stdout);
    let folder = archive();
    forge(
        &folder,
        "match",
        "http://e/a> <https://w3id.org/qassay/graph",
        "http://e/z> <https://w3id.org/qassay/graph",
    );
    let (_, report) = verified(&folder, &[]);
    assert_result(&report, "differs", "unexplained");
    insta::assert_snapshot!(differences(&report), @"match QA 1 match <http://e/z> ~ <http://e/z> (identical) <http://e/a> ~ <http://e/a> (identical)");
}

#[test]
fn a_graph_that_was_changed_afterwards() {
    let folder = archive();
    let (kind, from, to) = FORGED;
    edit(&graph(&folder, kind), from, to);
    let (code, report) = verified(&folder, &[]);
    assert_eq!(code, Some(1));
    assert_result(&report, "differs", "changed-graph");
    assert_eq!(differences(&report), "observation QA 1 f1 0.999999999999 0.666666666667");
}

/// The checksum that the provenance has for a file of the plan.
fn plan_checksum(folder: &TempDir, path: &str) -> String {
    let prov = fs::read_to_string(graph(folder, "prov")).unwrap();
    let title = prov.lines().find(|line| line.contains(&format!("\"{path}\""))).unwrap();
    let node = title.split('>').next().unwrap().to_owned();
    let sum =
        prov.lines().find(|line| line.starts_with(&format!("{node}-sha256> ")) && line.contains("Value>"));
    sum.unwrap().split('"').nth(1).unwrap().to_owned()
}

#[test]
fn another_query_text() {
    let folder = archive();
    let checksum = plan_checksum(&folder, "queries/match/identical.rq");
    forge(&folder, "prov", &checksum, &"0".repeat(64));
    let (code, report) = verified(&folder, &[]);
    // the numbers are the same: the other text is said, and no failure
    assert_eq!(code, Some(0));
    assert_result(&report, "same", "");
    let plan = &report["evaluations"][0]["executions"][0]["otherPlan"];
    assert_eq!(plan[0]["path"], "queries/match/identical.rq");
    assert_eq!(
        (&plan[0]["recorded"], plan[0]["thisProgram"].as_str()),
        (&"0".repeat(64).into(), Some(checksum.as_str()))
    );
    let (kind, from, to) = FORGED;
    forge(&folder, kind, from, to);
    let (code, report) = verified(&folder, &[]);
    assert_eq!(code, Some(1));
    assert_result(&report, "differs", "other-plan");
    assert_eq!(report["evaluations"][0]["cause"]["files"], serde_json::json!(["queries/match/identical.rq"]));
}

#[test]
fn other_software() {
    let folder = archive();
    forge_build(&folder);
    let (code, report) = verified(&folder, &[]);
    assert_eq!(code, Some(0));
    assert_result(&report, "same", "");
    assert_eq!(report["evaluations"][0]["executions"][0]["version"], "0.0.9");
    // other statements and the same numbers: another version may say other things beside the numbers
    forge(&folder, "scores", "Scores per question", "Scores");
    let (code, report) = verified(&folder, &[]);
    assert_eq!(code, Some(0));
    assert_result(&report, "same numbers", "other-software");
    let agreement = &report["evaluations"][0]["executions"][0]["agreement"];
    assert!(agreement["statementsOnlyRecorded"].as_u64() >= Some(1), "{agreement}");
    let (kind, from, to) = FORGED;
    forge(&folder, kind, from, to);
    let (code, report) = verified(&folder, &[]);
    assert_eq!(code, Some(1));
    assert_result(&report, "differs", "other-software");
    let text = report["evaluations"][0]["cause"]["text"].as_str().unwrap();
    assert!(text.contains("qassay 0.0.9") && text.contains("qassay 0.1.0"), "{text}");
    // the same build has no excuse
    let folder = archive();
    forge(&folder, "scores", "Scores per question", "Scores");
    let (code, report) = verified(&folder, &[]);
    assert_eq!(code, Some(1));
    assert_result(&report, "differs", "unexplained");
}

#[test]
fn a_profile_that_this_program_does_not_know() {
    let folder = archive();
    let prov = fs::read_to_string(graph(&folder, "prov")).unwrap();
    let at = prov.find("profile/qassay/").unwrap();
    let profile = prov[at..].split('>').next().unwrap().to_owned();
    forge(&folder, "prov", &profile, "profile/qassay/99");
    let (code, report) = verified(&folder, &[]);
    assert_eq!(code, Some(1));
    assert_result(&report, "not checked", "other-plan");
    let text = report["evaluations"][0]["cause"]["text"].as_str().unwrap();
    assert!(text.contains("no profile <https://w3id.org/qassay/profile/qassay/99>"), "{text}");
}

/// The archives of older versions, see `tests/archives/README.md`.
#[test]
fn archives_of_older_versions_are_computed_again() {
    let archives = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/archives");
    for (name, profiles) in [
        ("e565836", ["nliwod/1", "qald/1", "qassay/1", "qassay/1"]),
        ("6fb2ab3", ["qald/2", "qassay/2", "gerbil/1", "qassay/2"]),
        ("36bbb3c", ["qald/2", "qassay/2", "gerbil/1", "qassay/2"]),
        ("bccfdd8", ["qald/2", "qassay/3", "gerbil/1", "qassay/3"]),
    ] {
        let archive = archives.join(format!("{name}.tar.gz"));
        let ran = qassay(&archives, [Path::new("verify"), &archive, Path::new("-f"), Path::new("json")]);
        let report: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.stdout);
        let evaluations = report["evaluations"].as_array().unwrap();
        let mut told: Vec<&str> = Vec::new();
        for evaluation in evaluations {
            assert_eq!(evaluation["result"], "same", "{name}");
            assert!(evaluation["executions"][0]["commit"].as_str().unwrap().starts_with(name));
            told.push(evaluation["profile"].as_str().unwrap().rsplit_once("/profile/").unwrap().1);
        }
        told.sort_unstable();
        let mut profiles = profiles;
        profiles.sort_unstable();
        assert_eq!(told, profiles, "{name}");
        // what was unpacked is not named by the place where it was for a moment
        assert!(!ran.stdout.contains(&std::env::temp_dir().join("qassay-").display().to_string()));
    }
}

#[test]
fn one_evaluation_of_a_packed_archive() {
    let archive = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/archives/e565836.tar.gz");
    let run = [Path::new("verify"), &archive, Path::new("aurora"), Path::new("-f"), Path::new("csv")];
    let table = qassay(Path::new("."), run).ok();
    assert_eq!(table.lines().filter(|line| line.starts_with("re-execution")).count(), 1, "{table}");
}

#[test]
fn published_evaluations() {
    let folder = archive();
    let export = |out: &str, more: &[&str]| {
        qassay(folder.path(), [&["export", "sys", out, "--archive", "kept"], more].concat())
    };
    export("one.tar.gz", &[]).ok();
    export("two.tar.gz", &[]).ok();
    let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert_eq!(bytes("one.tar.gz"), bytes("two.tar.gz"));
    for name in ["one.tar.gz", "one.tar.gz"] {
        let report = qassay(folder.path(), ["verify", name, "-f", "json"]).json();
        assert_eq!((&report["ok"], &report["complete"]), (&true.into(), &true.into()));
        assert_result(&report, "same", "");
    }
    assert_eq!(export("one.tar.gz", &[]).code, Some(2), "nothing is written over");
    let zip = export("one.zip", &[]);
    assert_eq!(zip.code, Some(2), "{}", zip.stderr);
    assert!(zip.stderr.contains("allowed: a new folder, or a new file"), "{}", zip.stderr);
    // as a folder it is what the whole archive is, with a list of checksums
    export("folder", &[]).ok();
    let exported: Vec<PathBuf> = files_below(&folder.path().join("folder"));
    let all = files_below(&folder.path().join("kept"));
    let all: Vec<PathBuf> = all.into_iter().filter(|path| !path.starts_with("tmp")).collect();
    assert!(all.iter().all(|path| exported.contains(path)), "{exported:?}");
    // and with the vocabulary: its graph, what that holds, and the record of both
    let more: Vec<&PathBuf> = exported.iter().filter(|path| !all.contains(path)).collect();
    let folders = ["SHA256SUMS", "graphs/sha256", "records/contents", "records/vocabulary"];
    assert!(
        more.len() == 4 && more.iter().zip(folders).all(|(path, folder)| path.starts_with(folder)),
        "{more:?}"
    );
    assert_eq!(qassay(folder.path(), ["verify", "folder"]).code, Some(0));
    let record = folder.path().join("folder/records/execution");
    let record = record.join(&files_below(&record)[0]);
    let content = fs::read_to_string(&record).unwrap();
    fs::write(&record, format!("{content}\n")).unwrap();
    let ran = qassay(folder.path(), ["verify", "folder"]);
    assert!(ran.code == Some(1) && ran.stdout.contains("SHA256SUMS has another checksum"), "{}", ran.stdout);
    // without inputs it is checked as far as it goes
    export("bare", &["--no-inputs"]).ok();
    assert!(!folder.path().join("bare/files/sha256").read_dir().unwrap().any(|_| true));
    assert_eq!(qassay(folder.path(), ["verify", "bare"]).code, Some(1));
    let ran = qassay(folder.path(), ["verify", "bare", "--partial", "-f", "json"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &report["ok"], &report["complete"]), (Some(3), &true.into(), &false.into()));
    assert_result(&report, "not checked", "missing-input");
}

/// Packed graphs are exported as if they were not.
#[test]
fn exports_hold_plain_graphs() {
    let folder = archive();
    let run = ["evaluate", "gold.json", "sys.json", "-x", "QA", "--archive", "packed"];
    qassay(folder.path(), run).ok();
    let export = |out: &str| qassay(folder.path(), ["export", "sys", out, "--archive", "packed"]).ok();
    export("one.tar.gz");
    export("one");
    let kept = folder.path().join("packed");
    let is_packed = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "zst");
    assert!(files_below(&kept).iter().any(is_packed), "no graph is large enough");
    plain(&kept);
    export("two.tar.gz");
    export("two");
    let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert_eq!(bytes("one.tar.gz"), bytes("two.tar.gz"));
    let exported = files_below(&folder.path().join("one"));
    assert_eq!(exported, files_below(&folder.path().join("two")));
    for path in exported {
        assert!(!is_packed(&path));
        let both = ["one", "two"].map(|name| fs::read(folder.path().join(name).join(&path)).unwrap());
        assert_eq!(both[0], both[1], "{}", path.display());
    }
    assert_eq!(qassay(folder.path(), ["verify", "one"]).code, Some(0));
}

/// The report of an archive says of each evaluation what verifying it alone says.
#[test]
fn a_broken_constraint_is_told_of_the_evaluation_that_has_it() {
    let folder = archive();
    let other =
        fs::read_to_string(folder.path().join("gold.json")).unwrap().replace("http://e/b", "http://e/d");
    fs::write(folder.path().join("other.json"), other).unwrap();
    let run = ["evaluate", "gold.json", "other.json", "-x", "QA", "--archive", "kept"];
    qassay(folder.path(), run).ok();
    plain(&folder.path().join("kept"));
    let constraints = |report: &Value| -> Vec<Value> {
        let rows = report["checks"].as_array().unwrap().iter();
        rows.filter(|row| row["check"] == "constraints").cloned().collect()
    };
    let (code, report) = verified(&folder, &["--no-reexecution"]);
    assert_eq!(code, Some(0), "{report:#}");
    let sound = constraints(&report);
    assert_eq!(sound.len(), 2);
    assert!(
        sound.iter().all(|row| row["result"] == "ok" && row["lookedAt"].as_u64() > Some(80)),
        "{sound:?}"
    );
    // The F1 of one of them is another.
    let (_, from, to) = FORGED;
    let scores = folder.path().join("kept/graphs");
    let has = |path: &&PathBuf| fs::read_to_string(scores.join(path)).unwrap().contains(from);
    assert_eq!(files_below(&scores).iter().filter(has).count(), 1, "{from}");
    let path = scores.join(files_below(&scores).iter().find(has).unwrap());
    edit(&path, from, to);
    let broken = fs::read_to_string(&path).unwrap();
    let (code, report) = verified(&folder, &["--no-reexecution"]);
    assert_eq!(code, Some(1));
    let rows = constraints(&report);
    for (row, sound) in rows.iter().zip(&sound) {
        let iri = row["about"].as_str().unwrap();
        let (_, alone) = verified(&folder, &["--no-reexecution", iri]);
        assert_eq!(constraints(&alone), std::slice::from_ref(row));
        assert_eq!(row == sound, !broken.contains(iri), "{row:#}");
    }
    assert_ne!(rows, sound);
}

#[test]
fn files_that_nothing_names_are_noted() {
    let folder = archive();
    let place = folder.path().join("kept/files/sha256/ab");
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join(sha256(b"mine")), "mine").unwrap();
    fs::write(folder.path().join("kept/NOTES"), "mine").unwrap();
    let (code, report) = verified(&folder, &[]);
    assert_eq!(code, Some(0));
    let note = report["notes"][0].as_str().unwrap();
    assert!(note.starts_with("2 files that no record names: ") && note.contains("NOTES"), "{note}");
}

#[test]
fn what_is_no_archive() {
    let folder = archive();
    for (name, bytes) in [("text", &b"hello"[..]), ("cut.tar.gz", &[0x1f, 0x8b, 8, 0, 0]), ("empty", b"")] {
        fs::write(folder.path().join(name), bytes).unwrap();
        let ran = qassay(folder.path(), ["verify", name]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{name}");
        assert!(ran.stderr.contains(name), "{}", ran.stderr);
    }
}

fn copy(from: &Path, to: &Path) {
    for file in files_below(from) {
        fs::create_dir_all(to.join(&file).parent().unwrap()).unwrap();
        fs::copy(from.join(&file), to.join(&file)).unwrap();
    }
}

/// A generator of numbers that are the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).unwrap()
    }
}

/// Changes each file of the archive somewhere, one at a time: a bit, the end, a line, or all of it.
#[test]
fn damage_anywhere_is_found() {
    let folder = archive();
    let kept = folder.path().join("kept");
    let mut numbers = Numbers(0x5eed_0123_4567_89ab);
    let files = files_below(&kept);
    let mut tried = 0;
    for file in files.iter().filter(|file| !file.starts_with("tmp")) {
        let whole = fs::read(kept.join(file)).unwrap();
        let lines: Vec<&[u8]> = whole.split_inclusive(|byte| *byte == b'\n').collect();
        let mut flipped = whole.clone();
        let at = numbers.below(whole.len());
        flipped[at] ^= 1 << numbers.below(7);
        let mut without = lines.clone();
        without.remove(numbers.below(lines.len()));
        let mut damages = vec![flipped, whole[..numbers.below(whole.len())].to_vec()];
        if file.starts_with("records") {
            for _ in 0..4 {
                let mut flipped = whole.clone();
                let at = numbers.below(whole.len());
                flipped[at] ^= 1 << numbers.below(7);
                damages.push(flipped);
            }
            damages.extend([without.concat(), Vec::new(), [&whole[..], &whole].concat()]);
        }
        for damage in damages {
            let other = tempfile::tempdir().unwrap();
            let place = other.path().join("kept");
            copy(&kept, &place);
            fs::write(place.join(file), &damage).unwrap();
            let ran = qassay(other.path(), ["verify", "kept", "--quiet"]);
            assert_eq!(
                ran.code,
                Some(1),
                "{}: {}\n{}",
                file.display(),
                ran.stdout,
                String::from_utf8_lossy(&damage)
            );
            tried += 1;
        }
    }
    assert!(tried > 40, "{tried}");
}

#[test]
fn every_missing_file_is_found() {
    let folder = archive();
    let kept = folder.path().join("kept");
    for file in files_below(&kept).iter().filter(|file| !file.starts_with("tmp")) {
        let other = tempfile::tempdir().unwrap();
        copy(&kept, &other.path().join("kept"));
        fs::remove_file(other.path().join("kept").join(file)).unwrap();
        let ran = qassay(other.path(), ["verify", "kept"]);
        assert_eq!(ran.code, Some(1), "{}: {}", file.display(), ran.stdout);
        // Without its only execution there is no evaluation, and what it left says that there was one.
        if file.starts_with("records/execution") {
            assert!(ran.stdout.contains("an evaluation was executed"), "{}", ran.stdout);
        }
    }
}

/// Records and provenance that name each other, themselves, or nothing.
#[test]
fn odd_records_end() {
    let fake = "0".repeat(64);
    let base = "https://w3id.org/qassay/";
    let register = |graph: &str, subject: &str, sha256: &str| {
        format!(
            "<{graph}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/ns/sparql-service-description#Graph> <{base}graph/catalog> .\n\
             <{graph}> <http://purl.org/dc/terms/subject> <{subject}> <{base}graph/catalog> .\n\
             <{graph}> <http://rdfs.org/ns/void#triples> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> <{base}graph/catalog> .\n\
             <{graph}> <http://spdx.org/rdf/terms#checksum> <{graph}> <{base}graph/catalog> .\n\
             <{graph}> <http://spdx.org/rdf/terms#checksumValue> \"{sha256}\" <{base}graph/catalog> .\n"
        )
    };
    let (one, two) = (format!("{base}graph/prov/a"), format!("{base}graph/scores/b"));
    let circle = [register(&one, &two, &fake), register(&two, &one, &fake)].concat();
    for record in [circle, register(&one, &one, "ää"), register(&one, &one, ""), "\u{0}".to_owned()] {
        let folder = archive();
        fs::write(folder.path().join("kept/records/execution/odd.nq"), record).unwrap();
        let ran: Ran = qassay(folder.path(), ["verify", "kept"]);
        assert_eq!(ran.code, Some(1), "{}", ran.stdout);
        assert!(ran.stdout.contains("registry"), "{}", ran.stdout);
    }
}

const BASE: &str = "<http://e/x> <http://e/in> <http://e/a> .\n<http://e/x> <http://e/in> <http://e/b> .\n\
                    <http://e/x> <http://e/is> true .\n";

/// An archive in `kept` with refreshed gold and executed answers on a knowledge base.
fn archive_with_knowledge_base() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let asked = |query: &str| format!(r#""query": {{"sparql": "{query}"}}, "question""#);
    let one = asked("SELECT ?uri WHERE { <http://e/x> <http://e/in> ?uri }");
    let two = asked("ASK { <http://e/x> <http://e/is> true }");
    let gold = GOLD.replacen("\"question\"", &one, 1);
    let at = gold.find("\"id\": \"2\"").unwrap();
    let gold = format!("{}{}", &gold[..at], gold[at..].replacen("\"question\"", &two, 1));
    fs::write(folder.path().join("gold.json"), &gold).unwrap();
    let query = |id: &str, text: &str| format!(r#"{{"id": "{id}", "query": {{"sparql": "{text}"}}}}"#);
    let answers =
        [query("1", "SELECT ?uri WHERE { ?x <http://e/in> ?uri }"), query("2", "ASK { }")].join(", ");
    fs::write(folder.path().join("sys.json"), format!(r#"{{"questions": [{answers}]}}"#)).unwrap();
    fs::write(folder.path().join("base.ttl"), BASE).unwrap();
    qassay(folder.path(), ["kb", "add", "tiny", "--version", "1", "base.ttl", "--archive", "kept"]).ok();
    let run = ["evaluate", "gold.json", "sys.json", "--gold", "refreshed", "--kb", "tiny", "-x", "QA"];
    qassay(folder.path(), [&run[..], &["--archive", "kept"]].concat()).ok();
    plain(&folder.path().join("kept"));
    folder
}

#[test]
fn knowledge_bases_are_asked_again() {
    let folder = archive_with_knowledge_base();
    let (code, report) = verified(&folder, &[]);
    assert_eq!(code, Some(0), "{report:#}");
    assert_result(&report, "same", "");
    let asked = report["evaluations"][0]["asked"].as_array().unwrap();
    let told: Vec<(&str, Option<u64>)> =
        asked.iter().map(|asked| (asked["what"].as_str().unwrap(), asked["queries"].as_u64())).collect();
    assert_eq!(told, [("gold-answers", Some(2)), ("executed-answers", Some(2))]);
    // one triple less: one question of gold and one of the system have other answers
    let base = kept_input(&folder, "base.ttl");
    edit(&base, "<http://e/in> <http://e/b>", "<http://e/on> <http://e/b>");
    let (code, report) = verified(&folder, &[]);
    assert_eq!(code, Some(1));
    let row =
        report["checks"].as_array().unwrap().iter().find(|row| row["check"] == "knowledge bases").unwrap();
    assert_eq!(row["result"], "1 problem");
    let [expected, found] = [sha256(BASE.as_bytes()), sha256(&fs::read(&base).unwrap())];
    let problem = row["problems"][0].as_str().unwrap();
    let said =
        format!("the file base.ttl of tiny@1 was changed: expected the checksum {expected}, found {found}");
    assert!(problem.ends_with(&said), "{problem}");
    assert_result(&report, "differs", "other-input");
    for asked in report["evaluations"][0]["asked"].as_array().unwrap() {
        assert_eq!(asked["otherQuestions"], serde_json::json!(["1"]), "{asked:#}");
    }
    // the scores are those of the answers that were kept
    let execution = &report["evaluations"][0]["executions"][0];
    assert_eq!(execution["scoresDigest"], execution["computedScoresDigest"]);
    // without the knowledge base, what was answered can still be scored
    fs::remove_file(&base).unwrap();
    let (code, report) = verified(&folder, &[]);
    assert_eq!(code, Some(1));
    assert_result(&report, "same", "");
    let (code, report) = verified(&folder, &["--partial"]);
    assert_eq!(
        (code, &report["ok"], &report["complete"]),
        (Some(3), &true.into(), &false.into()),
        "{report:#}"
    );
}

#[test]
fn answers_that_nobody_gave() {
    let folder = archive_with_knowledge_base();
    // what the knowledge base answered to the gold queries, with another answer
    let files = folder.path().join("kept/graphs/sha256");
    let of_gold = |path: &&PathBuf| {
        fs::read_to_string(files.join(path))
            .is_ok_and(|text| text.contains("<http://e/x> <http://e/in> ?uri"))
    };
    let answers = files_below(&files);
    let answers = answers
        .iter()
        .filter(|path| fs::read_to_string(files.join(path)).unwrap().contains("/ns#QueryAnswer>"));
    let answers = files.join(answers.clone().find(of_gold).unwrap());
    let content = fs::read_to_string(&answers).unwrap().replace("http://e/b", "http://e/c");
    let old = answers.file_stem().unwrap().to_str().unwrap().to_owned();
    let new = sha256(content.as_bytes());
    fs::remove_file(&answers).unwrap();
    fs::create_dir_all(files.join(&new[..2])).unwrap();
    fs::write(files.join(&new[..2]).join(format!("{new}.nq")), content).unwrap();
    for record in records(&folder) {
        let text = fs::read_to_string(&record).unwrap();
        fs::write(&record, text.replace(&old, &new)).unwrap();
    }
    forge(&folder, "prov", &old, &new);
    let (code, report) = verified(&folder, &[]);
    assert_eq!(code, Some(1));
    let asked = &report["evaluations"][0]["asked"][0];
    assert_eq!(asked["otherQuestions"], serde_json::json!(["1"]), "{report:#}");
    assert_eq!(asked["cause"]["kind"], "other-answers");
    assert_result(&report, "differs", "other-answers");
}
