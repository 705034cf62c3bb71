//! Each choice is said in every place that says choices: the manifest, both graphs, the recorded command, JSON, title and
//! page; and it is read back.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Ran, graph_name, kept_text, program};
use qassay::base::query::QueryFile;
use qassay::base::vocab::code;
use qassay::profiles::choices::{CHOICES, Choice, Form};
use qassay::scoring::evaluation::Manifest;
use qassay::{Silent, Workbench};
use tempfile::TempDir;

/// A choice by its option, the words that make it, and the profile and the files that it means something for.
const CASES: [(&str, &str, &[&str]); 7] = [
    ("language", "de", &["gold.json", "aurora.json", "-p", "qassay"]),
    ("link-kind", "redirect", &["gold.json", "aurora.json", "-p", "qassay", "--links", "same-as.nt"]),
    ("same-as", "static", &["gold.json", "aurora.json", "-p", "gerbil"]),
    ("experiment", "QA", &["gold.json", "aurora.json", "-p", "qassay"]),
    ("loader", "table1", &["gold.json", "aurora.json", "-p", "qassay"]),
    ("cutoffs", "2", &["sentences.txt", "sentences-scores.txt", "-p", "nlpcc-ranking"]),
    ("part", "multilingual", &["gold.json", "aurora.json", "-p", "qassay"]),
];

/// Evaluates files of the example in a folder.
fn evaluated(folder: &TempDir, words: &[&str], options: &[&str]) -> Ran {
    let example = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("datasets/example");
    let word = |word: &&str| match example.join(word) {
        file if file.is_file() => file.display().to_string(),
        _ => (*word).to_owned(),
    };
    Ran::of(program(folder.path()).arg("evaluate").args(words.iter().map(word)).args(options))
}

/// The graphs of an archive.
fn graphs(folder: &Path) -> Vec<String> {
    let mut folders = vec![folder.join("graphs")];
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else {
                texts.push(kept_text(&entry));
            }
        }
    }
    texts
}

/// The object of a choice in a graph.
fn object(choice: &Choice, value: &str) -> String {
    match choice.form {
        Form::Text => format!("\"{value}\""),
        Form::Integer => format!("\"{value}\"^^"),
        Form::Concept(prefix) => format!("<{}{prefix}{value}>", code::NAMESPACE),
    }
}

#[test]
fn every_choice_is_said_everywhere_and_read_back() {
    for choice in &CHOICES {
        let option = choice.option;
        let (_, value, words) = CASES.into_iter().find(|(name, ..)| *name == option).unwrap();
        let folder = TempDir::new().unwrap();
        let chosen = format!("--{option}");
        let page = folder.path().join("page.html");
        let ran = evaluated(
            &folder,
            words,
            &[&chosen, value, "--html", page.to_str().unwrap(), "--format", "json"],
        );
        let json = &ran.json()["evaluations"][0];
        let said = &json[choice.field];
        let is_said = said == value || said.to_string().contains(value);
        assert!(is_said, "the JSON does not say --{option} {value}: {said}");

        let archive = folder.path().join("qassay-archive");
        let stated = format!("<{}> {}", choice.property, object(choice, value));
        let graphs = graphs(&archive);
        // Aggregates state the cut-off that they were measured at.
        let not_measures = graphs.iter().filter(|graph| !graph_name(graph).contains("/graph/measures/"));
        let number = not_measures.filter(|graph| graph.contains(&stated)).count();
        assert_eq!(number, 2, "scores and provenance state {stated}");
        let command = format!("--{option} {value}");
        assert!(graphs.iter().any(|graph| graph.contains(&command)), "no command with {command}");

        let bench = Workbench::new(&archive);
        let archived = bench.archived().unwrap();
        let known = &archived.evaluations[0];
        assert_eq!(choice.given(&known.choices), [value], "read back: --{option}");
        let again = bench.again(&known.iri, None, &Silent).unwrap();
        assert_eq!(again.iri, known.iri, "--{option}");
        let manifest = Manifest::new(&again.cases, &again.plan);
        let line = format!("{} {value}", choice.manifest);
        assert!(manifest.lines().contains(&line), "the manifest has no line `{line}`");

        let shown = choice.words(&[value.to_owned()]).unwrap();
        let title = evaluated(&folder, words, &[&chosen, value]).ok();
        let title = title.lines().next().unwrap();
        assert!(title.contains(&shown), "the title does not say {shown}: {title}");
        let html = fs::read_to_string(&page).unwrap();
        let fact = html.split(&format!(">{}<", choice.heading)).nth(1).unwrap_or_default();
        assert!(fact[..fact.len().min(200)].contains(value), "the page does not say {shown}");
    }
}

#[test]
fn every_choice_has_a_column_in_the_list_of_executions() {
    let text = QueryFile::find("report/executions").unwrap().text;
    let first = text.lines().find(|line| line.starts_with("SELECT")).unwrap();
    for choice in &CHOICES {
        assert!(
            first.split_whitespace().any(|word| word == format!("?{}", choice.column)),
            "{}",
            choice.option
        );
        assert!(
            text.contains(&format!(":{}", choice.property.rsplit('#').next().unwrap())),
            "{}",
            choice.option
        );
    }
}
