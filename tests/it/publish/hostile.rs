//! Texts of strangers in what is published, read by programs of others: nothing breaks out of any form, and the text is still
//! there.

use std::fs;
use std::path::Path;
use std::process::Command;

use scraper::{Html, Selector};
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{Ran, files_below, kept_bytes, program, qassay};
use crate::publish::record::{WHO, evaluate, example, publish, text};

/// What breaks out of HTML, JSON-LD, XML, BibTeX, YAML, CSV, shells and paths, if it can.
const NAMES: [&str; 9] = [
    "</script><script>alert(1)</script><img src=x onerror=alert(1)>",
    "\"' onmouseover=alert(1) x=\"&lt;]]>--><!--",
    "=cmd|' /C calc'!A0",
    "@misc{a, title={b}}, % \\end{document} #",
    "- a: [b, {c: d}] # e",
    "null",
    "O'Neill & sons; $(touch pwned) `touch pwned` \\",
    "../../C:\\x\u{202e}\u{200b}y",
    "javascript:alert(1)//{{constructor.constructor('alert(1)')()}}",
];

/// An archive in which system, dataset and the first question have these names, each in an evaluation of its own.
fn hostile() -> TempDir {
    let folder = example();
    fs::remove_dir_all(folder.path().join("kept")).unwrap();
    let mut gold: Value = serde_json::from_str(&text(&folder, "gold.json")).unwrap();
    let mut answers: Value = serde_json::from_str(&text(&folder, "aurora.json")).unwrap();
    for (number, name) in NAMES.into_iter().chain([&*"long ".repeat(60)]).enumerate() {
        gold["dataset"]["id"] = name.into();
        for questions in [&mut gold, &mut answers] {
            questions["questions"][0]["id"] = name.into();
            questions["questions"][0]["question"][0]["string"] = name.into();
        }
        let files = [format!("gold-{number}.json"), format!("answers-{number}.json")];
        fs::write(folder.path().join(&files[0]), gold.to_string()).unwrap();
        fs::write(folder.path().join(&files[1]), answers.to_string()).unwrap();
        evaluate(&folder, &[&files[0], &files[1], &format!("--system={name}")]).ok();
    }
    folder
}

/// The evaluations.
fn iris(folder: &TempDir) -> Vec<String> {
    let list = qassay(folder.path(), ["list", "evaluation", "--archive", "kept", "--format", "json"]).json();
    list.as_array().unwrap().iter().map(|one| one["iri"].as_str().unwrap().to_owned()).collect()
}

/// What the readers of others find wrong in a folder.
fn read_by_others(folder: &TempDir, place: &str) -> String {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ran = Command::new(project.join("target/fair/validators/bin/python"))
        .arg(project.join("tests/it/publish/hostile.py"))
        .arg(place)
        .args(NAMES)
        .current_dir(folder.path())
        .output()
        .expect("Python starts");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8_lossy(&ran.stdout).trim().to_owned()
}

/// That the inputs may go with it.
const LICENCES: [&str; 4] = ["--input-licence", "dataset=CC0-1.0", "--input-licence", "submission=CC0-1.0"];

#[test]
#[cfg_attr(not(fair), ignore = "no readers of others: .ci/fair installs them")]
fn programs_of_others_read_hostile_texts_as_texts() {
    let folder = hostile();
    let iris = iris(&folder);
    let all: Vec<&str> = iris.iter().map(String::as_str).collect();
    publish(&folder, &[&all, &["together"][..], &WHO, &LICENCES].concat()).ok();
    publish(&folder, &[&["--site", "site", "--all"][..], &WHO, &LICENCES].concat()).ok();
    for place in ["together", "site"] {
        assert_eq!(read_by_others(&folder, place), "", "{place}");
        let verified = qassay(folder.path(), ["verify", place, "--no-reexecution"]);
        assert_eq!(verified.code, Some(0), "{place}: {}", verified.stdout);
    }
    qassay(folder.path(), ["import", "together", "--archive", "fresh"]).ok();
}

/// The command of the page, run by a shell, computes the evaluation and nothing else.
#[test]
fn a_shell_reads_the_command_of_the_page() {
    let folder = hostile();
    for (number, iri) in iris(&folder).into_iter().enumerate() {
        let record = format!("record-{number}");
        publish(&folder, &[&[&*iri, &record][..], &WHO, &LICENCES].concat()).ok();
        let page = Html::parse_document(&text(&folder, &format!("{record}/index.html")));
        let code: String =
            page.select(&Selector::parse("#again ~ pre").unwrap()).next().unwrap().text().collect();
        let program = assert_cmd::cargo::cargo_bin!("qassay");
        let script = code.replacen("qassay", &format!("'{}'", program.display()), 1);
        let place = folder.path().join(&record);
        let ran = Ran::of(assert_cmd::Command::new("sh").args(["-c", &script]).current_dir(&place));
        assert!(ran.code == Some(0) && ran.stderr.contains(&iri), "{code}\n{}", ran.stderr);
        assert!(!place.join("pwned").exists(), "{code}");
    }
}

/// Nothing that is published tells who computed it, on which machine, in which folder, or in which environment.
#[test]
fn nothing_tells_of_the_machine() {
    const SECRET: &str = "zqsecretzq";
    let folder = tempfile::Builder::new().prefix(SECRET).tempdir().unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example");
    for name in ["gold.json", "aurora.json", "borealis.json"] {
        fs::copy(example.join(name), folder.path().join(name)).unwrap();
    }
    let run = |words: &[&str]| {
        let mut command = program(folder.path());
        for name in
            ["HOME", "USER", "LOGNAME", "HOSTNAME", "QASSAY_SIGN_PASSWORD", "QASSAY_DEPOSIT_TOKEN", "MAIL"]
        {
            command.env(name, format!("/{SECRET}/{name}"));
        }
        Ran::of(command.args(words).args(["--archive", &format!("{}/kept", folder.path().display())])).ok()
    };
    let path = |name: &str| format!("{}/{name}", folder.path().display());
    run(&["evaluate", &path("gold.json"), &path("aurora.json"), "borealis.json"]);
    run(&["compare", "aurora", "borealis"]);
    run(&[&["publish", "aurora", &path("record")][..], &WHO, &LICENCES].concat());
    run(&["publish", "aurora", "record.zip"]);
    run(&[&["publish", "--site", &path("site"), "--all"][..], &WHO, &LICENCES].concat());
    let host = fs::read_to_string("/etc/hostname").unwrap_or_default().trim().to_owned();
    let secrets = [SECRET, host.as_str()].into_iter().filter(|secret| secret.len() > 5);
    let secrets: Vec<&str> = secrets.collect();
    let mut looked_at = 0;
    for place in ["record", "site", "record.zip"] {
        let root = folder.path().join(place);
        let files = if root.is_dir() { files_below(&root) } else { vec!["".into()] };
        for name in files {
            let path = if root.is_dir() { root.join(&name) } else { root.clone() };
            let content = if root.is_dir() { kept_bytes(&path) } else { fs::read(&path).unwrap() };
            let content = String::from_utf8_lossy(&content);
            for secret in &secrets {
                assert!(!content.contains(secret), "{place}/{}: {secret}", name.display());
            }
            looked_at += 1;
        }
    }
    assert!(looked_at > 1_000, "{looked_at}");
}
