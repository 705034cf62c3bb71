//! Names of systems that share a submission: what was published has those that it was published with, whatever is known since.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::common::{files_below, qassay};
use crate::publish::record::{WHO, evaluate, example, publish, text};

/// The name that nobody publishes.
const SECRET: &str = "Secret Name";

/// The files below a folder that have the secret name in them, packed or not.
fn telling(folder: &Path) -> Vec<String> {
    let tells = |path: &Path| {
        let bytes = fs::read(folder.join(path)).unwrap();
        let plain = if path.extension().is_some_and(|ending| ending == "zst") {
            zstd::decode_all(bytes.as_slice()).unwrap()
        } else {
            bytes
        };
        let is_told = |name: &str| plain.windows(name.len()).any(|part| part == name.as_bytes());
        is_told(SECRET) || is_told("secret-name")
    };
    let all = files_below(folder).into_iter().filter(|path| tells(path));
    all.map(|path| path.display().to_string()).collect()
}

fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let all = files_below(folder).into_iter();
    all.map(|path| (path.display().to_string(), fs::read(folder.join(&path)).unwrap())).collect()
}

fn publish_by(folder: &TempDir, words: &[&str]) {
    publish(folder, &[words, &WHO[..]].concat()).ok();
}

#[test]
fn a_name_that_came_later_is_in_no_version_before() {
    let folder = example();
    publish_by(&folder, &["borealis", "record"]);
    evaluate(&folder, &["gold.json", "borealis.json", "--system", SECRET]).ok();
    publish_by(&folder, &["borealis", "again"]);
    assert!(contents(&folder.path().join("record")) == contents(&folder.path().join("again")));
    publish(&folder, &["--site", "site"]).ok();
    assert_eq!(telling(&folder.path().join("site")), Vec::<String>::new());
    qassay(folder.path(), ["verify", "kept"]).ok();
    // Who says it publishes it, as the next version.
    publish_by(&folder, &[SECRET, "both"]);
    let citation = text(&folder, "both/CITATION.cff");
    assert!(citation.contains("Evaluation of borealis and Secret Name"), "{citation}");
    assert!(citation.contains("version: \"2\""), "{citation}");
    publish_by(&folder, &["borealis", "later"]);
    assert!(contents(&folder.path().join("both")) == contents(&folder.path().join("later")));
    publish(&folder, &["--site", "site"]).ok();
    assert!(telling(&folder.path().join("site")).iter().any(|path| path.contains("index.html")));
    qassay(folder.path(), ["verify", "kept"]).ok();
    qassay(folder.path(), ["verify", "both"]).ok();
}

#[test]
fn one_of_two_names_is_published_alone() {
    let folder = example();
    evaluate(&folder, &["gold.json", "borealis.json", "--system", SECRET]).ok();
    publish_by(&folder, &["borealis", "record"]);
    assert_eq!(telling(&folder.path().join("record")), Vec::<String>::new());
    qassay(folder.path(), ["verify", "record"]).ok();
}
