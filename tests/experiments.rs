//! The experiment types that a user names: what is scored, what is kept, what is told.

#[expect(dead_code, reason = "not every test needs every helper")]
mod common;

use std::path::PathBuf;

use common::{Ran, program};
use tempfile::TempDir;

fn example(name: &str) -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("datasets/example").join(name).display().to_string()
}

/// Evaluates the example in a folder of its own.
fn evaluated(folder: &TempDir, options: &[&str]) -> Ran {
    let mut command = program(folder.path());
    command.args(["evaluate", &example("gold.json"), &example("aurora.json")]).args(options);
    Ran::of(&mut command)
}

fn verified(folder: &TempDir) {
    let ran = Ran::of(program(folder.path()).arg("verify"));
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn named_types_are_scored_and_verify() {
    for (profiles, types) in [
        ("qassay", "QA"),
        ("qassay,gerbil", "QA,AIT2KB"),
        ("gerbil,gerbil-2019", "RE2KB,AT"),
        ("qassay,qald", "QA,C2KB"),
    ] {
        let folder = TempDir::new().expect("a folder");
        let json = evaluated(&folder, &["-p", profiles, "-x", types, "--format", "json"]).json();
        for evaluation in json["evaluations"].as_array().expect("evaluations") {
            let scored = evaluation["experiments"].as_object().expect("experiments");
            assert!(scored.keys().all(|name| types.split(',').any(|wanted| wanted == name)), "{scored:?}");
            assert!(!scored.is_empty());
        }
        verified(&folder);
    }
}

#[test]
fn the_same_evaluation_has_the_same_bytes_however_its_types_are_named() {
    let folder = TempDir::new().expect("a folder");
    evaluated(&folder, &["-p", "qassay,gerbil", "-x", "QA,AIT2KB"]).ok();
    evaluated(&folder, &["-p", "gerbil", "-x", "QA"]).ok();
    verified(&folder);
}

#[test]
fn a_profile_that_scores_none_of_them_is_an_error() {
    let folder = TempDir::new().expect("a folder");
    let ran = evaluated(&folder, &["-p", "qassay,qald", "-x", "C2KB"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("the profile `qald` scores none of these experiment types"),
        "{}",
        ran.stderr
    );
    assert!(!folder.path().join("qassay-archive").exists());
}

#[test]
fn choices_that_nothing_looks_at_are_errors() {
    let folder = TempDir::new().expect("a folder");
    let (links, gold) = (example("same-as.nt"), example("gold.json"));
    let cases: [(&[&str], &str); 5] = [
        (&["--same-as", "static"], "`--same-as` is for the profiles that follow GERBIL"),
        (&["--labels", &gold], "`--labels` is for the profiles that follow GERBIL"),
        (&["-p", "qald", "--classes", &gold], "`--classes` is for the hierarchical measures of AIT2KB"),
        (&["-p", "gerbil", "--same-as", "none", "--links", &links], "links are not looked at"),
        (&["--differences"], "`--differences` compares profiles"),
    ];
    for (options, message) in cases {
        let ran = evaluated(&folder, options);
        assert_eq!((ran.code, ran.stderr.contains(message)), (Some(2), true), "{options:?}: {}", ran.stderr);
    }
}

#[test]
fn definitions_of_experiment_types() {
    let folder = TempDir::new().expect("a folder");
    let printed = Ran::of(program(folder.path()).args(["experiments", "RE2KB"])).ok();
    assert!(printed.contains("triple patterns"), "{printed}");
    let ran = Ran::of(program(folder.path()).args(["measures", "C2KB"]));
    assert!(ran.stderr.contains("qassay experiments C2KB"), "{}", ran.stderr);
}
