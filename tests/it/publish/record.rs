//! A published record: complete, the same bytes again, and nothing in it that breaks out of any form.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use scraper::{Html, Selector};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::{Ran, files_below, qassay};

/// Who publishes in tests: the person that ORCID has for examples.
pub(crate) const WHO: [&str; 6] = [
    "--creator",
    "Josiah Carberry <0000-0002-1825-0097>, Example Laboratory <https://example.org/lab>",
    "--publisher",
    "Example Laboratory <https://example.org/lab>",
    "--date",
    "2026-11-22",
];

/// Runs `qassay publish` on the archive in `kept`.
pub(crate) fn publish(folder: &TempDir, words: &[&str]) -> Ran {
    let words = ["publish", "--archive", "kept"].iter().chain(words);
    qassay(folder.path(), words)
}

/// An archive in `kept` with the two systems of the example.
pub(crate) fn example() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example");
    for name in ["gold.json", "aurora.json", "borealis.json"] {
        fs::copy(example.join(name), folder.path().join(name)).unwrap();
    }
    evaluate(&folder, &["gold.json", "aurora.json", "borealis.json"]).ok();
    folder
}

pub(crate) fn evaluate(folder: &TempDir, words: &[&str]) -> Ran {
    qassay(folder.path(), ["evaluate", "--archive", "kept"].iter().chain(words))
}

/// A file of a record as text.
pub(super) fn text(folder: &TempDir, path: &str) -> String {
    fs::read_to_string(folder.path().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn a_record_has_every_form_and_is_verified() {
    let folder = example();
    publish(&folder, &[&["aurora", "record"][..], &WHO].concat()).ok();
    for form in [
        "index.html",
        "ro-crate-preview.html",
        "ro-crate-metadata.json",
        "linkset.json",
        "CITATION.cff",
        "citation.bib",
        "metadata/dcat.ttl",
        "metadata/datacite.json",
        "metadata/datacite.xml",
        "metadata/invenio.json",
        "metadata/croissant.json",
        "tables/aggregates.csv",
        "tables/questions.csv",
    ] {
        assert!(!text(&folder, &format!("record/{form}")).is_empty(), "{form}");
    }
    assert_eq!(text(&folder, "record/index.html"), text(&folder, "record/ro-crate-preview.html"));
    // Everything is listed.
    let listed: BTreeSet<String> =
        text(&folder, "record/SHA256SUMS").lines().map(|line| line[66..].to_owned()).collect();
    let there = files_below(&folder.path().join("record")).into_iter();
    let there: BTreeSet<String> = there.map(|path| path.to_string_lossy().into_owned()).collect();
    assert_eq!(there.difference(&listed).collect::<Vec<_>>(), ["SHA256SUMS"]);
    assert_eq!(listed.difference(&there).count(), 0);
    let verified = qassay(folder.path(), ["verify", "record"]);
    assert!(verified.stdout.contains("re-execution") && verified.code == Some(0), "{}", verified.stdout);
    // Nothing tells of the machine.
    let place = folder.path().to_string_lossy().into_owned();
    for name in &there {
        let content =
            String::from_utf8_lossy(&fs::read(folder.path().join("record").join(name)).unwrap()).into_owned();
        assert!(!content.contains(&place), "{name}");
    }
}

/// The bytes depend on the publication only: not on threads, on what was computed since, or on how often it is written.
#[test]
fn the_same_publication_has_the_same_bytes() {
    let folder = example();
    publish(&folder, &[&["borealis", "one.zip"][..], &WHO].concat()).ok();
    // Another execution and groups come later, and another day.
    evaluate(&folder, &["gold.json", "borealis.json", "--groups"]).ok();
    let again = publish(&folder, &["borealis", "two.zip", "--date", "2027-01-01"]);
    assert!(again.stderr.contains("published version 1 of"), "{}", again.stderr);
    let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(bytes("one.zip") == bytes("two.zip"), "the zips differ");
    assert_eq!(qassay(folder.path(), ["verify", "two.zip"]).code, Some(0));
    // What is corrected is another version, which names the one before it.
    publish(
        &folder,
        &["borealis", "next", "--doi", "https://doi.org/10.5281/zenodo.1234", "--date", "2027-01-01"],
    )
    .ok();
    let cite: Value = serde_json::from_str(&text(&folder, "next/metadata/datacite.json")).unwrap();
    assert_eq!((&cite["version"], &cite["doi"]), (&json!("2"), &json!("10.5281/zenodo.1234")));
    let page = text(&folder, "next/index.html");
    assert!(page.contains("rel=\"predecessor-version\"") && page.contains("/v/1\""), "{page}");
    assert_eq!(files_below(&folder.path().join("kept/records/publication")).len(), 2);
}

/// The command of the landing page, run where the record is, makes the evaluation of the record in an empty archive.
#[test]
fn the_command_of_the_page_gives_the_same_iri() {
    let folder = example();
    for (system, record) in [("aurora", "one"), ("borealis", "two")] {
        publish(&folder, &[&[system, record][..], &WHO].concat()).ok();
        let page = Html::parse_document(&text(&folder, &format!("{record}/index.html")));
        let code = Selector::parse("#again ~ pre").unwrap();
        let code: String = page.select(&code).next().unwrap().text().collect();
        let iri = Selector::parse("main a").unwrap();
        let iri = page.select(&iri).next().unwrap().value().attr("href").unwrap();
        let program = assert_cmd::cargo::cargo_bin!("qassay");
        let script = code.replacen("qassay", &format!("'{}'", program.display()), 1);
        let place = folder.path().join(record);
        let ran = Ran::of(Command::new("sh").args(["-c", &script]).current_dir(place));
        assert!(ran.code == Some(0) && ran.stderr.contains(iri), "{code}\n{}", ran.stderr);
    }
}

#[test]
fn a_bag_lists_its_payload() {
    let folder = example();
    publish(&folder, &[&["aurora", "bag", "--bag"][..], &WHO].concat()).ok();
    assert!(text(&folder, "bag/bagit.txt").starts_with("BagIt-Version: 1.0\n"));
    publish(&folder, &["aurora", "bag.zip", "--bag"]).ok();
    for bag in ["bag", "bag.zip"] {
        let verified = qassay(folder.path(), ["verify", bag, "--no-reexecution"]);
        assert!(
            verified.stdout.contains("list of checksums"),
            "{bag}: {}{}",
            verified.stdout,
            verified.stderr
        );
        assert_eq!(verified.code, Some(0), "{bag}: {}", verified.stdout);
    }
    // A folder may be named with its slash.
    publish(&folder, &["aurora", "slash/"]).ok();
    assert!(text(&folder, "slash/SHA256SUMS").lines().count() > 20);
    let manifest = text(&folder, "bag/manifest-sha256.txt");
    assert!(manifest.lines().any(|line| line.ends_with("  data/ro-crate-metadata.json")), "{manifest}");
    let info = text(&folder, "bag/bag-info.txt");
    assert!(info.contains("Bagging-Date: 2026-11-22\n") && info.contains("Payload-Oxum: "), "{info}");
    assert_eq!(qassay(folder.path(), ["verify", "bag/data"]).code, Some(0));
}

#[test]
fn comparisons_and_several_evaluations_are_records_too() {
    let folder = example();
    let compared = qassay(folder.path(), ["compare", "aurora", "borealis", "--archive", "kept"]);
    let iri = compared.stderr.lines().find(|line| line.contains("/comparison/")).unwrap().trim().to_owned();
    publish(&folder, &[&[iri.as_str(), "comparison"][..], &WHO].concat()).ok();
    let crated: Value = serde_json::from_str(&text(&folder, "comparison/ro-crate-metadata.json")).unwrap();
    let root = crated["@graph"].as_array().unwrap().iter().find(|one| one["@id"] == "./").unwrap();
    assert_eq!(root["identifier"].to_string().matches("/comparison/").count().min(1), 1, "{root}");
    assert_eq!(qassay(folder.path(), ["verify", "comparison"]).code, Some(0));
    publish(&folder, &["borealis", "aurora", "both.zip"]).ok();
    publish(&folder, &["aurora", "borealis", "same.zip"]).ok();
    let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(bytes("both.zip") == bytes("same.zip"), "the zips differ");
    let told = publish(&folder, &["aurora", "borealis", "none", "--check", "--format", "json"]).json();
    assert!(told["iri"].as_str().unwrap().contains("/experiment/") && told["known"] == true, "{told}");
}

/// Names that break out of HTML, JSON-LD, XML, BibTeX, YAML or a path, if they can.
#[test]
fn hostile_names_are_text_in_every_form() {
    const NAME: &str = "</script><img src=x onerror=alert(1)>\"'&%{}\\$#_^~ ]]> --> ../../x\u{202e}: - [a]";
    let folder = example();
    let mut gold: Value = serde_json::from_str(&text(&folder, "gold.json")).unwrap();
    gold["dataset"]["id"] = NAME.into();
    gold["questions"][0]["id"] = NAME.into();
    fs::write(folder.path().join("gold-2.json"), gold.to_string()).unwrap();
    fs::write(folder.path().join("answers.json"), text(&folder, "aurora.json") + "\n").unwrap();
    evaluate(&folder, &["gold-2.json", "answers.json", "--system", NAME]).ok();
    publish(&folder, &[&[NAME, "record"][..], &WHO].concat()).ok();
    for name in files_below(&folder.path().join("record")) {
        let name = name.to_string_lossy().into_owned();
        let content = text(&folder, &format!("record/{name}"));
        let ending = Path::new(&name).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if ending == "html" {
            // The JSON-LD is data up to the only end of a script.
            assert_eq!(content.matches("</script>").count(), 1, "{name}");
            let (before, script) = content.split_once("<script type=\"application/ld+json\">").unwrap();
            let (data, behind) = script.split_once("</script>").unwrap();
            let data: Value = serde_json::from_str(data).unwrap();
            assert!(data["name"].as_str().unwrap().contains("<img"), "{data}");
            assert!(![before, behind].concat().contains("<img") && !content.contains('\u{202e}'), "{name}");
        } else if ending == "json" {
            serde_json::from_str::<Value>(&content).unwrap_or_else(|error| panic!("{name}: {error}"));
        } else if ending == "xml" {
            assert!(!content.contains("<img") && !content.contains("]]>"), "{name}");
        }
        assert!(!name.contains("script"), "{name}");
    }
    assert_eq!(qassay(folder.path(), ["verify", "record", "--no-reexecution"]).code, Some(3));
}
