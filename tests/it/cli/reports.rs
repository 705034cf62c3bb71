//! Snapshots of what people see: the example evaluated, every canned query, explanations.
//!
//! The example is ours and in the project, so these run everywhere. IRIs of evaluations are stable by design: a
//! change here is a change of inputs, of rules, or of what the page says, and must be meant.

use std::path::PathBuf;

use assert_cmd::cargo::cargo_bin_cmd;
use qassay::base::query::QueryFile;
use tempfile::TempDir;

fn example(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("datasets/example").join(name)
}

/// Runs the program in a folder and gives its standard output.
fn stdout(folder: &TempDir, arguments: &[&str]) -> String {
    let output = cargo_bin_cmd!("qassay").current_dir(folder.path()).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Evaluates the example in a fresh folder; gives the folder and what was printed.
fn evaluated(options: &[&str]) -> (TempDir, String) {
    let folder = TempDir::new().unwrap();
    let paths = ["gold.json", "aurora.json", "borealis.json", "same-as.nt"].map(example);
    let [gold, aurora, borealis, links] = paths.each_ref().map(|path| path.to_str().unwrap());
    let mut arguments = vec!["evaluate", gold, aurora, borealis, "--links", links];
    arguments.extend(options);
    let printed = stdout(&folder, &arguments);
    (folder, printed)
}

/// Times, executions and what depends on them are not the same twice.
fn settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"execution/[0-9a-f]{32}", "execution/[EXECUTION]");
    settings.add_filter(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "[TIME]");
    settings
}

#[test]
fn the_first_table() {
    let (_folder, printed) = evaluated(&[]);
    insta::assert_snapshot!("evaluate", printed);
}

/// Bounds stand behind the measure that they are of, and in its rows only.
#[test]
fn intervals_stand_beside_headline_measures() {
    let (_folder, printed) = evaluated(&[
        "--no-archive",
        "--format=csv",
        "--intervals",
        "--profile=qassay,qald-4,clef-2004",
        "--experiment=QA",
    ]);
    let mut lines = printed.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let at = |name: &str| header.iter().position(|known| *known == name).unwrap();
    let measures = ["macroF1", "macroF1Harmonic"];
    for row in lines.filter(|row| row[0] == "aurora") {
        let bounds = measures.map(|name| {
            let place = at(name);
            assert_eq!([header[place + 1], header[place + 2]], [format!("{name}Low"), format!("{name}High")]);
            [0, 1, 2].map(|behind| row[place + behind].parse::<f64>().ok())
        });
        let is_there = bounds.map(|[_, low, high]| low.is_some() && high.is_some());
        // What the third ranks by does not follow from single questions.
        let known = [row[1] == "qassay", row[1] == "qald-4"];
        assert_eq!(is_there, known, "{row:?}");
        for [value, low, high] in bounds.into_iter().filter(|[_, low, _]| low.is_some()) {
            assert!(low < value && value < high, "{row:?}");
        }
    }
    let folder = TempDir::new().unwrap();
    let (gold, answers) = (example("gold.json"), example("aurora.json"));
    let mut command = cargo_bin_cmd!("qassay");
    command.current_dir(folder.path()).arg("evaluate").args([gold, answers]);
    let output = command.args(["--format=csv", "--intervals", "--details", "--no-archive"]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && told.contains("CSV holds one table"), "{told}");
}

#[test]
fn two_metrics_that_profiles_call_alike_are_told_apart() {
    for (profiles, shown) in [
        ("qald-4", &["macro F1"][..]),
        ("qassay,qald-4", &["macro F1", "Macro F1 (harmonic mean)"]),
        ("qald-4,qassay", &["Macro F1 (harmonic mean)", "macro F1"]),
    ] {
        let (_folder, printed) = evaluated(&["--no-archive", "--format", "markdown", "--profile", profiles]);
        let header = printed.lines().find(|line| line.starts_with("| system")).unwrap();
        let found =
            header.split('|').map(str::trim).filter(|name| name.to_lowercase().starts_with("macro f1"));
        assert_eq!(found.collect::<Vec<_>>(), shown, "{header}");
    }
}

#[test]
fn groups_details_and_issues() {
    let (_folder, printed) =
        evaluated(&["--groups", "--details", "--issues", "--profile", "qassay,qald,nliwod"]);
    insta::assert_snapshot!("evaluate-everything", printed);
}

#[test]
fn json_for_scripts() {
    let (_folder, printed) = evaluated(&["--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&printed).unwrap();
    insta::assert_snapshot!("evaluate-json", format!("{json:#}"));
}

/// Whether a line is about a graph of an execution.
fn is_of_execution(line: &str) -> bool {
    ["graph/prov/", "graph/messages/"].iter().any(|kind| line.contains(kind))
}

#[test]
fn canned_queries() {
    let (folder, _) = evaluated(&["--profile", "qassay,qald", "--groups"]);
    settings().bind(|| {
        for query in QueryFile::folder("report") {
            let name = query.name.trim_start_matches("report/");
            if ["executions", "latest", "provenance", "graphs"].contains(&name) {
                // Names and times of executions are not the same twice: neither are the order of their rows and the
                // width of their columns.
                let printed = stdout(&folder, &["query", name, "--format", "csv"]);
                let mut lines: Vec<&str> = printed.lines().filter(|line| !is_of_execution(line)).collect();
                lines[1..].sort_unstable();
                insta::assert_snapshot!(format!("query-{name}"), lines.join("\n"));
            } else {
                insta::assert_snapshot!(format!("query-{name}"), stdout(&folder, &["query", name]));
            }
        }
    });
}

#[test]
fn explanations() {
    let (folder, _) = evaluated(&[]);
    insta::assert_snapshot!("explain-list", stdout(&folder, &["explain", "aurora"]));
    insta::assert_snapshot!("explain-wrong", stdout(&folder, &["explain", "borealis", "--wrong"]));
    for question in 1..=16 {
        let question = question.to_string();
        for system in ["aurora", "borealis"] {
            let printed = stdout(&folder, &["explain", system, &question]);
            insta::assert_snapshot!(format!("explain-{system}-{question}"), printed);
        }
    }
}

#[test]
fn the_example_verifies_and_checks() {
    let (folder, _) = evaluated(&["--profile", "qassay,qald,nliwod"]);
    let verified = stdout(&folder, &["verify"]);
    assert!(!verified.contains("problem"), "{verified}");
    let gold = example("gold.json");
    let checked = stdout(&folder, &["check", gold.to_str().unwrap()]);
    let checked = checked.lines().skip(1).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!("check-gold", checked);
}

#[test]
fn definitions() {
    let folder = TempDir::new().unwrap();
    insta::assert_snapshot!("measures", stdout(&folder, &["measures"]));
    insta::assert_snapshot!("profiles", stdout(&folder, &["profiles"]));
}
