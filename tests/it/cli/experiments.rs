//! The experiment types that a user names: what is scored, what is kept, what is told.

use std::path::PathBuf;

use crate::common::{Ran, program};
use serde_json::{Value, json};
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
    let cases: [(&[&str], &str); 8] = [
        (&["--same-as", "static"], "`--same-as` is for the profiles that follow GERBIL"),
        (
            &["-p", "qald", "--labels", &gold],
            "`--labels` is for the profiles that resolve the texts of answers",
        ),
        (&["-x", "C2KB", "--labels", &gold], "with QA among the experiment types"),
        (&["-p", "gerbil", "--types", &gold], "`--types` is for AIT2KB"),
        (&["-x", "QA", "--types", &gold], "with AIT2KB among the experiment types"),
        (&["-p", "qald", "--classes", &gold], "`--classes` is for the hierarchical measures of AIT2KB"),
        (&["-p", "gerbil", "--same-as", "none", "--links", &links], "links are not looked at"),
        (&["--differences"], "`--differences` compares profiles"),
    ];
    for (options, message) in cases {
        let ran = evaluated(&folder, options);
        assert_eq!((ran.code, ran.stderr.contains(message)), (Some(2), true), "{options:?}: {}", ran.stderr);
    }
}

/// Wildcards by the thousand are not listed pair by pair, and count as if they were (ontology/gerbil.md, section 0).
#[test]
fn many_wildcards() {
    let folder = TempDir::new().expect("a folder");
    let write = |name: &str, texts: Vec<String>| {
        let cells: Vec<Value> =
            texts.into_iter().map(|text| json!({"x": {"type": "literal", "value": text}})).collect();
        let question = json!({
            "id": "1", "question": [{"language": "en", "string": "Which?"}],
            "answers": [{"head": {"vars": ["x"]}, "results": {"bindings": cells}}],
        });
        let file = json!({"dataset": {"id": "many"}, "questions": [question]}).to_string();
        std::fs::write(folder.path().join(name), file).expect("a file");
    };
    let counts = |size: usize, profile: &str| {
        // Five strings are the same on both sides; of the others none is.
        let texts = |prefix: &str, count: usize| -> Vec<String> {
            (0..count)
                .map(|n| if n < 5 { format!("the same {n}") } else { format!("{prefix} {n}") })
                .collect()
        };
        write("gold.json", texts("gold", size));
        write("answers.json", texts("answer", size - 50));
        let mut command = program(folder.path());
        command.args(["evaluate", "gold.json", "answers.json", "--no-archive", "--format", "json"]);
        let json = Ran::of(command.args(["-x", "QA", "-p", profile])).json();
        let question = &json["evaluations"][0]["experiments"]["QA"]["questions"][0];
        ["tp", "fp", "fn"].map(|name| question[name].as_u64().expect("a count"))
    };
    // 100 by 50 are listed, 2,600 by 2,550 are not.
    for size in [100, 2_600] {
        let all = size as u64;
        assert_eq!(counts(size, "gerbil-2019"), [all - 50, 0, 50], "each takes a partner of its own");
        assert_eq!(counts(size, "gerbil-2023"), [all, all - 56, 0], "the first serves all");
        assert_eq!(counts(size, "gerbil"), [5, all - 55, all - 5], "strings are equal or not");
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
