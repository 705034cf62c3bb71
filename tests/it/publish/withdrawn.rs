//! What an archive has published: it stays, goes with what is exported, and is withdrawn where somebody says why.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{Ran, files_below, graph_name, qassay};
use crate::publish::record::{WHO, example, publish, text};

const REASON: &str = "The gold answers of <q1> & others are wrong: \"all\" </p><script>";

fn run(folder: &TempDir, words: &[&str]) -> Ran {
    qassay(folder.path(), words.iter().chain(&["--archive", "kept"]))
}

/// The one IRI of an evaluation of a system.
fn iri(folder: &TempDir, system: &str) -> String {
    let all = run(folder, &["list", "evaluation", "--format", "json"]).json();
    let all = all.as_array().unwrap().clone();
    let one = all.into_iter().find(|one| one["name"].as_str().unwrap().starts_with(system)).unwrap();
    one["iri"].as_str().unwrap().to_owned()
}

/// The names of the publications that are listed.
fn listed(folder: &TempDir) -> Vec<String> {
    let all = run(folder, &["list", "publication", "--format", "json"]).json();
    let all: Vec<Value> = all.as_array().unwrap().clone();
    all.iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

fn withdraw(folder: &TempDir, words: &[&str]) -> Ran {
    publish(folder, &[&["--withdraw", "--reason", REASON, "--date", "2026-12-24"], words].concat())
}

#[test]
fn what_is_published_stays_and_goes_with_exports() {
    let folder = example();
    publish(&folder, &[&["aurora", "record"][..], &WHO].concat()).ok();
    let evaluation = iri(&folder, "aurora");
    let key = evaluation.rsplit('/').next().unwrap();
    assert_eq!(listed(&folder), [format!("evaluation {}, version 1, 2026-11-22", &key[..8])]);
    for what in ["aurora", evaluation.as_str(), &format!("{evaluation}/v/1")] {
        let ran = run(&folder, &["remove", what]);
        let told = ran.code == Some(2) && ran.stderr.contains("hint: ") && ran.stderr.contains("--withdraw");
        assert!(told, "{what}: {}", ran.stderr);
    }
    run(&folder, &["remove", "borealis"]).ok();
    // An export has the record of the publication, and it is checked.
    run(&folder, &["export", "aurora", "out"]).ok();
    let record = format!("records/publication/{key}-1.nq");
    assert_eq!(text(&folder, &format!("out/{record}")), text(&folder, &format!("kept/{record}")));
    let verify = |what: &str| qassay(folder.path(), ["verify", what, "--no-reexecution"]);
    let told = verify("out").ok();
    assert!(told.lines().any(|line| line.starts_with("publications") && line.ends_with("1  ok")), "{told}");
    let path = folder.path().join("kept").join(&record);
    let content = text(&folder, &format!("kept/{record}"));
    for (from, to, why) in [
        ("2026-11-22", "2025-11-22", None),
        ("\"1\"", "\"7\"", Some("is not as a publication is written")),
        ("Carberry", "Car\\u0062erry", Some("is not as a publication is written")),
        ("http://xmlns.com/foaf/0.1/name", "http://example.org/name", Some("is damaged")),
    ] {
        fs::write(&path, content.replace(from, to)).unwrap();
        let ran = verify("kept");
        assert_eq!(ran.code, Some(i32::from(why.is_some())), "{from}: {}", ran.stdout);
        assert!(ran.stdout.contains(why.unwrap_or("publications")), "{from}: {}", ran.stdout);
    }
}

/// Numbers are ours: no licence of anybody keeps them back.
#[test]
fn scores_that_are_declared_to_be_withheld_are_missed() {
    let folder = example();
    run(&folder, &["export", "aurora", "out"]).ok();
    let out = folder.path().join("out");
    let mut graphs = files_below(&out.join("graphs")).into_iter().map(|path| out.join("graphs").join(path));
    let is_scores =
        |path: &PathBuf| graph_name(&fs::read_to_string(path).unwrap()).contains("/graph/scores/");
    let scores = graphs.find(is_scores).unwrap();
    let name = graph_name(&fs::read_to_string(&scores).unwrap()).to_owned();
    let (node, graph) = ("https://w3id.org/qassay/x", "https://w3id.org/qassay/graph/catalog");
    let lines = [
        format!("<{node}> <http://purl.org/dc/terms/subject> <{name}> <{graph}> .\n"),
        format!(
            "<{node}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <https://w3id.org/qassay/ns#WithheldPart> <{graph}> .\n"
        ),
    ];
    fs::create_dir_all(out.join("records/publication")).unwrap();
    fs::write(out.join("records/publication/0-1.nq"), lines.concat()).unwrap();
    fs::remove_file(out.join("SHA256SUMS")).unwrap();
    fs::remove_file(scores).unwrap();
    let ran = qassay(folder.path(), ["verify", "out"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    assert!(ran.stdout.contains("says that it is withheld, and numbers never are"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("it is withheld\n"), "{}", ran.stdout);
}

#[test]
fn what_is_withdrawn_has_a_tombstone() {
    let folder = example();
    publish(&folder, &[&["aurora", "record", "--doi", "10.5281/zenodo.1"][..], &WHO].concat()).ok();
    let next = iri(&folder, "borealis");
    let told = withdraw(&folder, &["aurora", "gone", "--successor", &next]);
    assert!(told.stderr.contains("by version 2; the tombstone is in gone"), "{}", told.stderr);
    assert!(listed(&folder)[1].ends_with(", version 2, 2026-12-24, withdrawn"));
    let page = text(&folder, "gone/index.html");
    for part in
        ["Withdrawn: ", "2026-11-22", "2026-12-24", "Josiah Carberry", "Example Laboratory", "10.5281", &next]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(page.contains("The gold answers of &#60;q1&#62;") && !page.contains("<script"), "{page}");
    let turtle = text(&folder, "gone/tombstone.ttl");
    for part in [
        "adms:status <http://publications.europa.eu/resource/authority/dataset-status/WITHDRAWN>",
        "prov:wasInvalidatedBy",
        "\"2026-12-24T00:00:00Z\"^^xsd:dateTime",
        "dct:isReplacedBy",
        "are wrong",
    ] {
        assert!(turtle.contains(part), "{part}: {turtle}");
    }
    assert!(text(&folder, "gone/tombstone.jsonld").parse::<Value>().unwrap().is_array());
    let listed_files: Vec<String> =
        text(&folder, "gone/SHA256SUMS").lines().map(|line| line[66..].to_owned()).collect();
    assert_eq!(listed_files, ["index.html", "tombstone.jsonld", "tombstone.nt", "tombstone.ttl"]);
    for verb in ["verify", "import"] {
        let ran = qassay(folder.path(), [verb, "gone"]);
        assert!(ran.code == Some(2) && ran.stderr.contains("this is its tombstone"), "{}", ran.stderr);
    }
    qassay(folder.path(), ["verify", "kept"]).ok();
    // Said again, it is the same; in a zip, too.
    for zip in ["one.zip", "two.zip"] {
        let again = withdraw(&folder, &["aurora", zip, "--successor", &next]);
        assert!(again.stderr.contains("by version 2, as before"), "{}", again.stderr);
    }
    let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(bytes("one.zip") == bytes("two.zip"));
    // It can be published again, and that is said.
    let again = publish(&folder, &["aurora", "again", "--date", "2027-01-01"]);
    assert!(again.stderr.contains("again, which was withdrawn on 2026-12-24, to again"), "{}", again.stderr);
    assert_eq!(qassay(folder.path(), ["verify", "again"]).code, Some(0));
    assert!(run(&folder, &["remove", "aurora"]).stderr.contains("what is published stays"));
    // Once it is withdrawn, it can go; that it was there stays.
    withdraw(&folder, &["aurora"]).ok();
    run(&folder, &["remove", "aurora"]).ok();
    assert_eq!(listed(&folder).len(), 4);
    qassay(folder.path(), ["verify", "kept"]).ok();
}

#[test]
fn what_cannot_be_withdrawn_is_told() {
    let folder = example();
    for (words, why) in [
        (&["aurora", "out"][..], "was not published"),
        (&["aurora", "borealis"], "`borealis` is the last word"),
        (&["zephyr"], "has no evaluation `zephyr`"),
        (&["aurora", "out", "--bag"], "cannot be used with"),
        (&["aurora", "--successor", "no iri"], "is no IRI"),
        (&["aurora", "--reason", " "], "cannot be used multiple times"),
    ] {
        let ran = withdraw(&folder, words);
        assert!(ran.code == Some(2) && ran.stderr.contains(why), "{words:?}: {}", ran.stderr);
    }
    let ran = publish(&folder, &["aurora", "--withdraw", "--reason", " "]);
    assert!(ran.code == Some(2) && ran.stderr.contains("this is no reason"), "{}", ran.stderr);
    let ran = publish(&folder, &["aurora", "--withdraw"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("--reason"), "{}", ran.stderr);
    assert!(files_below(&folder.path().join("kept/records/publication")).is_empty());
}

#[test]
fn what_is_withdrawn_stays_so_until_it_is_named() {
    let folder = example();
    run(&folder, &["compare", "aurora", "borealis"]).ok();
    publish(&folder, &[&["aurora", "borealis", "together"][..], &WHO].concat()).ok();
    publish(&folder, &[&["--site", "site", "--all"][..], &WHO].concat()).ok();
    let comparison = run(&folder, &["list", "comparison", "--format", "json"]).json();
    let comparison = comparison[0]["iri"].as_str().unwrap().to_owned();
    // What it goes with would show it still.
    let refused = withdraw(&folder, &["aurora"]);
    assert!(
        refused.code == Some(2) && refused.stderr.contains("goes with what is public"),
        "{}",
        refused.stderr
    );
    assert!(
        refused.stderr.contains(&comparison) && refused.stderr.contains("/experiment/"),
        "{}",
        refused.stderr
    );
    let experiment = listed(&folder).into_iter().find(|one| one.starts_with("experiment")).unwrap();
    assert!(experiment.ends_with("version 1, 2026-11-22"), "{experiment}");
    withdraw(&folder, &["aurora", "borealis", "gone"]).ok();
    withdraw(&folder, &[&comparison]).ok();
    withdraw(&folder, &["aurora"]).ok();
    let told = publish(&folder, &[&["--site", "site", "--all"][..], &WHO].concat());
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    assert!(
        told.stderr.contains("not published again: 2 that were, or have parts that were, withdrawn"),
        "{}",
        told.stderr
    );
    let page = |iri: &str| {
        text(&folder, &format!("site/{}.html", iri.strip_prefix("https://w3id.org/qassay/").unwrap()))
    };
    for iri in [&comparison, &iri(&folder, "aurora")] {
        assert!(page(iri).contains("<title>Withdrawn: "), "{iri}");
    }
    assert!(!page(&iri(&folder, "borealis")).contains("Withdrawn: "));
    let refused = publish(&folder, &[&["aurora", "borealis", "again"][..], &WHO].concat());
    assert!(refused.code == Some(2) && refused.stderr.contains("was withdrawn"), "{}", refused.stderr);
    // By its name it is public again.
    publish(&folder, &[&["aurora", "again"][..], &WHO].concat()).ok();
    publish(&folder, &[&["aurora", "borealis", "both"][..], &WHO].concat()).ok();
}

#[test]
fn evaluations_that_are_published_together_have_a_page() {
    let folder = example();
    publish(&folder, &[&["aurora", "borealis", "together"][..], &WHO].concat()).ok();
    publish(&folder, &["--site", "site"]).ok();
    let pages = fs::read_dir(folder.path().join("site/experiment")).unwrap();
    let pages: Vec<PathBuf> = pages.map(|entry| entry.unwrap().path()).collect();
    let page = pages.iter().find(|path| path.extension().is_some_and(|ending| ending == "html")).unwrap();
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("2 evaluations, published together"), "{page}");
    for system in ["aurora", "borealis"] {
        let link = format!("../evaluation/{}.html", iri(&folder, system).rsplit('/').next().unwrap());
        assert!(page.contains(&link), "{system}");
    }
    assert!(pages.iter().any(|path| path.extension().is_some_and(|ending| ending == "ttl")));
}
