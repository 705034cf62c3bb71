//! Plots of comparisons, and the page with them: the same bytes however they are asked for, and nobody's file is lost.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::common::qassay;

/// An archive with the example, and with a system that answers as the gold file does and has markup for a name.
fn archive() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example");
    let file = |name: &str| example.join(name).to_str().unwrap().to_owned();
    let [gold, aurora, borealis] = ["gold.json", "aurora.json", "borealis.json"].map(file);
    let systems = ["--system", "aurora", "--system", "borealis", "--system", "<b>gold</b>"];
    let files = [gold.clone(), aurora, borealis, gold];
    let arguments = ["evaluate"].into_iter().chain(files.iter().map(String::as_str)).chain(systems);
    qassay(folder.path(), arguments.chain(["--experiment", "QA,AT", "--quiet"])).ok();
    folder
}

fn plots(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let text = |entry: fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap())
    };
    entries.map(text).collect()
}

#[test]
fn pages_and_plots_are_the_same_in_any_order() {
    let folder = archive();
    let ran = qassay(folder.path(), ["compare", "--groups", "--html", "page.html", "--plots", "plots"]);
    assert!(ran.stderr.contains("written to page.html"), "{}", ran.stderr);
    let first = plots(&folder.path().join("plots"));
    assert!(ran.stderr.contains(&format!("{} plots written to plots:", first.len())), "{}", ran.stderr);
    for name in first.keys() {
        assert!(ran.stderr.contains(&format!("  {name}  ")), "{name}: {}", ran.stderr);
    }
    ran.ok();
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    let others =
        ["compare", "<b>gold</b>", "borealis", "aurora", "--groups", "--threads", "1", "--format", "json"];
    let written = ["--html", "other.html", "--plots", "others"];
    qassay(folder.path(), others.iter().chain(&written)).ok();
    assert_eq!(fs::read_to_string(folder.path().join("other.html")).unwrap(), page);
    assert_eq!(plots(&folder.path().join("others")), first);
    // QA and AT.
    let kinds = ["differences", "equals", "oracle", "questions", "ranks", "values"];
    for kind in kinds {
        assert_eq!(first.keys().filter(|name| name.ends_with(&format!("-{kind}.svg"))).count(), 2, "{kind}");
    }
    for (name, svg) in &first {
        assert!(!svg.contains("<b>"), "{name}");
        assert!(name.contains("-questions") || svg.contains("&#60;b&#62;gold&#60;/b&#62;"), "{name}: {svg}");
    }
    assert!(!page.contains("<b>gold") && page.contains("&#60;b&#62;gold&#60;/b&#62;"), "{page}");
}

/// What is no plot or page of the program is not replaced, and then nothing is written; its own are.
#[test]
fn files_of_others_are_kept() {
    let folder = archive();
    let path = |name: &str| folder.path().join(name);
    let compare =
        |arguments: &[&str]| qassay(folder.path(), ["compare", "aurora", "borealis"].iter().chain(arguments));
    compare(&["--plots", "plots"]).ok();
    let first = plots(&path("plots"));
    compare(&["--plots", "plots"]).ok();
    assert_eq!(plots(&path("plots")), first);
    let name = first.keys().last().unwrap();
    fs::create_dir(path("mine")).unwrap();
    fs::write(path("mine").join(name), "<svg/>").unwrap();
    let refused = compare(&["--plots", "mine"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("cannot write the plot") && refused.stderr.contains(name),
        "{}",
        refused.stderr
    );
    assert_eq!(plots(&path("mine")), BTreeMap::from([(name.clone(), "<svg/>".to_owned())]));
    fs::write(path("notes.txt"), "mine").unwrap();
    for arguments in [
        ["--plots", "notes.txt"],
        ["--plots", "no/such"],
        ["--html", "notes.txt"],
        ["--html", "no/such.html"],
    ] {
        let refused = compare(&arguments);
        assert_eq!(
            (refused.code, refused.stdout.as_str()),
            (Some(2), ""),
            "{arguments:?}: {}",
            refused.stderr
        );
    }
    assert_eq!(fs::read_to_string(path("notes.txt")).unwrap(), "mine");
}
