//! What is printed for scripts is what `src/report/output.schema.json` says, and so does the page beside it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::asking::mocked::Mock;
use crate::common::pages::{assert_page, project, text_of};
use crate::common::{KGQAN, QALD_8_TRAIN, QALD_9_TEST_KGQAN, Ran, mirror, program, qald_8_answers};
use boon::{Compiler, Schemas};
use serde_json::Value;
use tempfile::TempDir;

const SCHEMA: &str = "src/report/output.schema.json";
const PAGE: &str = "src/report/README.md";
/// Where the page begins to be written from the schema.
const MARK: &str = "<!-- written from output.schema.json by a test -->\n";

fn schema() -> Value {
    serde_json::from_str(&text_of(Path::new(SCHEMA))).unwrap()
}

/// Runs the program, and holds what it prints against a definition of the schema.
#[track_caller]
pub(crate) fn holds(definition: &str, folder: &Path, arguments: &[&str]) -> Value {
    let printed = Ran::of(program(folder).args(arguments).args(["--format", "json", "--quiet"])).json();
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    let name = "https://w3id.org/qassay/output.schema.json";
    compiler.add_resource(name, schema()).unwrap();
    let index = compiler.compile(&format!("{name}#/$defs/{definition}"), &mut schemas).unwrap();
    if let Err(error) = schemas.validate(&printed, index) {
        panic!("{arguments:?}: not as `{definition}` of {SCHEMA}: {error}");
    }
    printed
}

/// A folder with the files of the example.
fn example() -> TempDir {
    let folder = TempDir::new().unwrap();
    for entry in fs::read_dir(project().join("datasets/example")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    folder
}

#[test]
fn evaluations() {
    let folder = example();
    let holds = |arguments: &[&str]| holds("evaluate", folder.path(), arguments);
    let links = ["gold.json", "aurora.json", "borealis.json", "--links", "same-as.nt"];
    holds(&[&["evaluate"], &links[..]].concat());
    holds(&["explain", "aurora"]);
    let profiles = ["--no-archive", "--profile", "qassay,gerbil,gerbil-2019,qald,qald-4,nliwod,text2sparql"];
    let several = holds(&[&["evaluate"], &links[..], &profiles[..]].concat());
    assert!(several["differences"].as_array().is_some_and(|all| !all.is_empty()));
    let loader =
        ["--no-archive", "--profile", "gerbil", "--loader", "gerbil-current", "--part", "multilingual"];
    holds(&[&["evaluate"], &links[..], &loader[..]].concat());
    let ranked = ["sentences.txt", "sentences-scores.txt", "--profile", "nlpcc-ranking", "--no-archive"];
    let ranked = holds(&[&["evaluate"], &ranked[..]].concat());
    assert!(ranked["evaluations"][0]["experiments"]["QA"]["ties"].is_object(), "{ranked:#}");
    let judged = ["clef-gold.csv", "clef-run.csv", "--profile", "clef-2004", "--no-archive"];
    holds(&[&["evaluate"], &judged[..], &["--assessments", "clef-assessments.csv"]].concat());
}

#[test]
fn comparisons() {
    let folder = example();
    let holds = |definition: &str, arguments: &[&str]| holds(definition, folder.path(), arguments);
    let files = ["compare", "gold.json", "aurora.json", "borealis.json"];
    holds("compare", &[&files[..], &["--groups", "--measure", "macroF1,microF1,exactMatch"]].concat());
    let kept = holds("compare", &[&files[..], &["--profile", "qassay,qald"]].concat());
    let key = kept["comparison"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let decided = holds("decide", &["explain", &key, "aurora", "borealis"]);
    assert!(decided[0]["differing"].as_u64().is_some_and(|count| count > 0), "{decided:#}");
}

#[test]
fn explanations() {
    let folder = example();
    let evaluate = |arguments: &[&str]| Ran::of(program(folder.path()).arg("evaluate").args(arguments)).ok();
    evaluate(&["gold.json", "aurora.json", "--links", "same-as.nt", "--profile", "qassay,gerbil"]);
    evaluate(&["clef-gold.csv", "clef-run.csv", "--system", "run", "--profile", "clef-2004"]);
    let explain = |arguments: &[&str]| holds("explain", folder.path(), &[&["explain"], arguments].concat());
    let linked = explain(&["aurora", "1", "--profile", "qassay"]);
    let rules = linked["pairs"].as_array().unwrap().iter().map(|pair| pair["rule"].as_str().unwrap());
    assert!(rules.eq(["match-identical", "match-sameas", "match-sameas", "match-sameas"]), "{linked:#}");
    assert_eq!((&linked["scores"]["tp"], &linked["scores"]["fp"]), (&Value::from(4), &Value::from(1)));
    assert_eq!(linked["extra"].as_array().map(Vec::len), Some(1), "{linked:#}");
    let mock = Mock::start(folder.path(), &["aurora.json"]);
    let ask = ["ask", "gold.json", &mock.address, "--system", "live", "--language", "en", "--retries", "0"];
    Ran::of(program(folder.path()).args(ask).arg("--evaluate")).ok();
    let asked = explain(&["live", "1"]);
    assert_eq!(
        (&asked["exchange"]["failure"], &asked["exchange"]["tries"][0]["calls"][0]["status"]),
        (&Value::Null, &Value::from(200)),
        "{asked:#}"
    );
    let failed = explain(&["live", "15"]);
    assert_eq!(failed["exchange"]["failure"]["kind"], "http-status", "{failed:#}");
    drop(mock);
    let gerbil = explain(&["aurora", "1", "--profile", "gerbil", "-x", "C2KB"]);
    assert!(!gerbil["reasons"].as_array().unwrap().is_empty(), "{gerbil:#}");
    let skipped = explain(&["aurora", "13", "--profile", "qassay", "-x", "RE2KB"]);
    assert_eq!(skipped["skipped"]["code"], "skip-gold-query-absent", "{skipped:#}");
    let judged = explain(&["run", "1"]);
    assert!(!judged["judged"].as_array().unwrap().is_empty(), "{judged:#}");
}

#[test]
fn the_test_phase() {
    let folder = example();
    let blind =
        ["evaluate", "--blind", "gold.json", "aurora.json", "--system", "Aurora", "--profile", "qald-4"];
    holds("blind", folder.path(), &blind);
    holds("release", folder.path(), &["release", "qassay-example"]);
}

#[test]
fn knowledge_bases() {
    let folder = example();
    Ran::of(program(folder.path()).args(["kb", "add", "example", "--version", "1", "kb.ttl"])).ok();
    let holds = |definition: &str, arguments: &[&str]| holds(definition, folder.path(), arguments);
    holds("refresh", &["kb", "refresh", "gold.json", "--kb", "example@1"]);
    let queries = serde_json::json!({ "questions": [
        { "id": "8", "query": { "sparql": "ASK { <http://dbpedia.org/resource/Vienna> ?p ?o }" } },
        { "id": "9", "query": { "sparql": "SELECT" } },
    ] });
    fs::write(folder.path().join("queries.json"), queries.to_string()).unwrap();
    holds("run", &["kb", "run", "queries.json", "--kb", "example@1"]);
    let gold = ["gold.json", "queries.json", "--kb", "example@1", "--gold", "both", "--no-archive"];
    let both = holds("evaluate", &[&["evaluate"], &gold[..]].concat());
    assert!(both["evaluations"][0]["executed"].is_object(), "{both:#}");
    assert!(both["evaluations"][1]["goldAnswers"].is_object(), "{both:#}");
}

#[test]
fn checks_and_lists() {
    let folder = example();
    let holds = |definition: &str, arguments: &[&str]| holds(definition, folder.path(), arguments);
    holds("check", &["check", "gold.json", "aurora.json", "borealis.json", "clef-run.csv"]);
    holds("load", &["check", "gold.json", "--loader", "gerbil-current"]);
    holds("datasets", &["datasets"]);
    Ran::of(program(folder.path()).args(["evaluate", "gold.json", "aurora.json"])).ok();
    holds("verify", &["verify"]);
    let old = project().join("tests/archives/6fb2ab3.tar.gz");
    holds("verify", &["verify", old.to_str().unwrap()]);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn real_files() {
    let mirror = mirror();
    let folder = TempDir::new().unwrap();
    let path = |file: &str| mirror.join(file).to_str().unwrap().to_owned();
    for (gold, answers, profiles) in [
        (QALD_9_TEST_KGQAN, KGQAN.to_owned(), "qassay,qald"),
        (QALD_8_TRAIN, qald_8_answers("GANSWER2", "json"), "gerbil"),
    ] {
        let (gold, answers) = (path(gold), path(&answers));
        let arguments = ["evaluate", &gold, &answers, "--profile", profiles, "--no-archive"];
        holds("evaluate", folder.path(), &arguments);
        holds("check", folder.path(), &["check", &gold, &answers]);
    }
}

/// A row for each field that the schema describes, parts that have a section of their own by a link.
fn fields(defs: &Value, schema: &Value, prefix: &str, rows: &mut String) {
    for part in schema["allOf"].as_array().into_iter().flatten() {
        let name = part["$ref"].as_str().unwrap().trim_start_matches("#/$defs/");
        writeln!(rows, "| `{prefix}…` | those of [{name}](#{name}) |").unwrap();
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let mut path = format!("{prefix}.{name}").trim_start_matches('.').to_owned();
        let mut inner = field;
        loop {
            if inner["items"].is_object() {
                path += "[]";
                inner = &inner["items"];
            } else if inner["additionalProperties"].is_object() {
                path += ".NAME";
                inner = &inner["additionalProperties"];
            } else if let Some(some) =
                inner["anyOf"].as_array().and_then(|all| all.iter().find(|one| one["type"] != "null"))
            {
                inner = some;
            } else {
                break;
            }
        }
        let named = inner["$ref"].as_str().map(|name| name.trim_start_matches("#/$defs/"));
        let link = named.filter(|name| is_section(&defs[*name]));
        let link = link.map(|name| format!("; see [{name}](#{name})")).unwrap_or_default();
        let meaning = field["description"].as_str().unwrap_or_default();
        writeln!(rows, "| `{path}` | {meaning}{link} |").unwrap();
        fields(defs, inner, &path, rows);
    }
}

/// Whether a definition has fields to tell of.
fn is_section(definition: &Value) -> bool {
    let fields = definition["properties"].as_object().into_iter().flatten();
    definition["items"]["properties"].is_object()
        || fields.into_iter().any(|(_, field)| field["description"].is_string())
}

#[test]
fn the_page_tells_every_field() {
    let page = text_of(Path::new(PAGE));
    let (by_hand, _) = page.split_once(MARK).expect("the page has the mark");
    let schema = schema();
    let defs = &schema["$defs"];
    let mut now = format!("{by_hand}{MARK}");
    let sections = defs.as_object().unwrap().iter().filter(|(_, definition)| is_section(definition));
    for (name, definition) in sections {
        writeln!(now, "\n### {name}\n").unwrap();
        if let Some(description) = definition["description"].as_str() {
            writeln!(now, "{description}\n").unwrap();
        }
        now += "| field | meaning |\n|---|---|\n";
        let (prefix, inner) =
            if definition["items"].is_object() { ("[]", &definition["items"]) } else { ("", definition) };
        fields(defs, inner, prefix, &mut now);
    }
    assert_page(&PathBuf::from(PAGE), &now);
}
