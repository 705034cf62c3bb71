//! `qassay systems`, and what `qassay ask` and `qassay mock` say before they do anything.

use std::fs;
use std::path::Path;

use crate::common::live::questions;
use crate::common::{Ran, qassay};
use insta::assert_snapshot;
use tempfile::TempDir;

fn run(folder: &Path, words: &[&str]) -> Ran {
    qassay(folder, words)
}

fn systems(words: &[&str]) -> Ran {
    let folder = TempDir::new().expect("a folder");
    run(folder.path(), &[&["systems"], words].concat())
}

#[test]
fn a_protocol_is_explained_with_what_it_sends() {
    assert_snapshot!(systems(&["kgqan"]).ok());
    assert_snapshot!(systems(&["openai"]).ok());
    assert_snapshot!(systems(&["yodaqa", "text2sparql"]).ok());
}

#[test]
fn all_protocols_are_listed() {
    assert_snapshot!(systems(&[]).ok());
    let json = systems(&["gerbil", "hawk", "--format", "json"]).json();
    assert_eq!(json[1]["protocol"], "hawk");
    assert_eq!(json[0]["form"], "query={question}&lang={language}");
}

#[test]
fn an_unknown_protocol_is_told() {
    let ran = systems(&["gerbill"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.starts_with("error: there is no protocol `gerbill`"), "{}", ran.stderr);
}

const OWN: &str = "@prefix qassay: <https://w3id.org/qassay/ns#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix protocol: <https://w3id.org/qassay/protocol/> .
<https://example.org/mine> skos:notation \"mine\" ; skos:prefLabel \"Mine\" ;
    skos:definition \"A service of our own.\" ; qassay:like protocol:kgqan ;
    qassay:header \"Authorization: Bearer {env:MY_KEY}\" ";

#[test]
fn a_description_of_ones_own_works_like_a_built_in_one() {
    let folder = TempDir::new().expect("a folder");
    let write =
        |more: &str| fs::write(folder.path().join("mine.ttl"), format!("{OWN}{more} .")).expect("a file");
    write("; qassay:requestPath \"/ask\"");
    assert_snapshot!(run(folder.path(), &["systems", "mine", "--description", "mine.ttl"]).ok());
    write("; qassay:answerAt \"/x\"");
    let wrong = run(folder.path(), &["systems", "--description", "mine.ttl"]);
    assert_eq!(wrong.code, Some(2));
    assert!(
        wrong.stderr.contains("<https://example.org/mine> has a <https://w3id.org/qassay/ns#answerAt>"),
        "{}",
        wrong.stderr
    );
    write("; qassay:queryAt \"sparql\"");
    let wrong = run(folder.path(), &["systems", "--description", "mine.ttl"]);
    assert!(wrong.stderr.contains("`sparql` is no place in a reply"), "{}", wrong.stderr);
}

#[test]
fn a_dry_run_sends_nothing_and_says_what_it_would() {
    let folder = TempDir::new().expect("a folder");
    questions(folder.path(), 3);
    let words =
        ["ask", "questions.jsonl", "http://127.0.0.1:9/", "--as", "kgqan", "--dry-run", "--set", "kb=yago"];
    let ran = run(folder.path(), &words);
    assert_snapshot!(ran.stderr);
    assert_snapshot!(ran.ok());
    assert!(!folder.path().join("qassay-archive").exists());
}

/// What a model is told is a file, and its key is nowhere.
#[test]
fn a_prompt_is_a_file_and_a_key_is_hidden() {
    let folder = TempDir::new().expect("a folder");
    questions(folder.path(), 1);
    fs::write(folder.path().join("prompt.txt"), "Write SPARQL.\nExample: \"Who?\" ASK {}\n").expect("a file");
    let words = [
        "ask",
        "questions.jsonl",
        "http://127.0.0.1:9/v1",
        "--as",
        "openai",
        "--dry-run",
        "--set",
        "model=m",
    ];
    let mut command = crate::common::program(folder.path());
    command.env("OPENAI_API_KEY", "sk-secret").args(words).args(["--set", "instruction=@prompt.txt"]);
    let shown = Ran::of(&mut command).ok();
    assert!(shown.contains(r#""content":"Write SPARQL.\nExample: \"Who?\" ASK {}""#), "{shown}");
    assert!(
        shown.contains("Authorization: Bearer {env:OPENAI_API_KEY}") && !shown.contains("sk-secret"),
        "{shown}"
    );
    // Its text has places too; one for which nobody says anything is told.
    fs::write(folder.path().join("prompt.txt"), "Classes: {schema}. {shots} ASK { ?a ?b ?c }")
        .expect("a file");
    let mut command = crate::common::program(folder.path());
    command.env("OPENAI_API_KEY", "sk-secret").args(words);
    let ran =
        Ran::of(command.args(["--set", "instruction=@prompt.txt", "--set", "schema=ex:River of {model}"]));
    assert!(ran.stderr.contains("nobody says what stands for {shots}"), "{}", ran.stderr);
    let shown = ran.ok();
    assert!(
        shown.contains(r#""content":"Classes: ex:River of {model}. {shots} ASK { ?a ?b ?c }""#),
        "{shown}"
    );
    let missing = run(folder.path(), &[&words[..], &["--set", "instruction=@nothing.txt"]].concat());
    assert_eq!(missing.code, Some(2));
}

/// Without the key nothing is sent, and the variable is named.
#[test]
fn a_key_that_is_not_there_is_named() {
    let folder = TempDir::new().expect("a folder");
    questions(folder.path(), 1);
    let words = ["ask", "questions.jsonl", "http://127.0.0.1:9/v1", "--as", "openai", "--set", "model=m"];
    let mut command = crate::common::program(folder.path());
    let ran = Ran::of(command.env_remove("OPENAI_API_KEY").args(words));
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("the variable OPENAI_API_KEY of the environment is not set"),
        "{}",
        ran.stderr
    );
}

#[test]
fn what_cannot_be_asked_is_told() {
    let folder = TempDir::new().expect("a folder");
    questions(folder.path(), 2);
    let mut told = Vec::new();
    for words in [
        &["ftp://a.example/"][..],
        &["http://me:secret@a.example/"],
        &["http://a.example/", "--as", "text2sparql"],
        &["http://a.example/", "--set", "kb=x"],
        &["http://a.example/", "--as", "asknow", "--parallel", "2"],
        &["http://a.example/", "--questions", "9"],
        &["http://a.example/", "--resume"],
        &["http://a.example/", "--system", "a", "--system", "b"],
        &["http://a.example/", "http://b.example/", "--system", "a", "--system", "a"],
        &["http://a.example/", "--set", "question=x"],
        &["http://a.example/", "--evaluate", "--format", "csv"],
        &["http://a.example/", "--evaluate", "--kb", "nonsense"],
        &["http://a.example/", "--limit", "0"],
        &["platypus", "--as", "gerbil"],
    ] {
        let ran = run(folder.path(), &[&["ask", "questions.jsonl", "--quiet"], words].concat());
        assert_eq!(ran.code, Some(2), "{words:?}: {}", ran.stderr);
        assert!(!ran.stderr.contains("secret"), "{}", ran.stderr);
        told.push(format!("{}\n{}", words.join(" ").replace("secret", "…"), ran.stderr.trim_end()));
    }
    assert_snapshot!(told.join("\n"));
}

#[test]
fn what_cannot_be_served_is_told() {
    let folder = TempDir::new().expect("a folder");
    questions(folder.path(), 2);
    let pages = run(folder.path(), &["mock", "questions.jsonl", "--as", "qakis"]);
    assert_eq!(pages.code, Some(2));
    assert!(pages.stderr.contains("its replies are web pages"), "{}", pages.stderr);
    let share = run(folder.path(), &["mock", "questions.jsonl", "--errors", "150%"]);
    assert_eq!(share.code, Some(2));
}
