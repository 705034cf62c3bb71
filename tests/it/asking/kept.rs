//! What asking leaves in an archive: it is listed, exported, explained, and removed only on purpose.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::mocked::{Mock, example, killed};
use crate::common::{Ran, files_below, program, qassay};

/// The secret that a chat model is asked with.
const SECRET: &str = "sk-do-not-keep-this";

/// Asks a mock of the example by a protocol with a key, and evaluates.
fn asked(folder: &Path, mock: &Mock) {
    let (gold, links) = (example("gold.json"), example("same-as.nt"));
    let words = ["ask", &gold, &mock.address, "--as", "openai", "--set", "model=m", "--system", "live"];
    let more = ["--language", "en", "--retries", "0", "--evaluate", "--links", &links];
    Ran::of(program(folder).args(words).args(more).env("OPENAI_API_KEY", SECRET)).ok();
}

/// What is listed: kind, name, IRI.
fn listed(folder: &Path, kinds: &[&str]) -> Vec<(String, String, String)> {
    let list = qassay(folder, [&["list", "--format", "json"], kinds].concat()).json();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let row = |one: &Value| (text(&one["kind"]), text(&one["name"]), text(&one["iri"]));
    list.as_array().expect("a list").iter().map(row).collect()
}

#[test]
fn an_asking_and_its_submission_go_together() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let mock = Mock::start(folder, &[&example("aurora.json"), "--as", "openai"]);
    asked(folder, &mock);
    let askings = listed(folder, &["asking"]);
    let [(_, name, asking)] = &askings[..] else { panic!("{askings:?}") };
    assert_eq!(name, "live, openai, complete");
    let [(_, _, submission)] = &listed(folder, &["submission"])[..] else { panic!("not one submission") };
    let [(_, _, evaluation)] = &listed(folder, &["evaluation"])[..] else { panic!("not one evaluation") };
    let before = files_below(&folder.join("qassay-archive"));
    // Neither goes alone, by IRI or by name.
    for (alone, user) in [(submission, "asking"), (asking, "submission"), (name, "submission")] {
        let refused = qassay(folder, ["remove", alone]);
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
        assert!(refused.stderr.contains(&format!("({user})")), "{}", refused.stderr);
    }
    let refused = qassay(folder, ["remove", submission, evaluation]);
    assert!(
        refused.stderr.contains("(asking)") && refused.stderr.contains("name both"),
        "{}",
        refused.stderr
    );
    assert_eq!(files_below(&folder.join("qassay-archive")), before);
    // Together they leave nothing that names what is gone, and that is said.
    let removed = qassay(folder, ["remove", evaluation, asking, submission]);
    assert!(removed.stderr.contains("came from them is gone"), "{}", removed.stderr);
    removed.ok();
    assert!(listed(folder, &["asking", "submission", "evaluation"]).is_empty());
    let archive = folder.join("qassay-archive");
    let left = files_below(&archive).into_iter().map(|path| fs::read(archive.join(path)).expect("a file"));
    let key = asking.rsplit('/').next().expect("a key");
    for bytes in left {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(key) && !text.starts_with("WARC/1.1"), "{text}");
    }
    let verified = qassay(folder, ["verify"]).ok();
    assert!(!verified.contains("no record names"), "{verified}");
}

#[test]
fn an_export_has_the_exchanges_and_no_secrets() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let mock = Mock::start(folder, &[&example("aurora.json"), "--as", "openai"]);
    asked(folder, &mock);
    drop(mock);
    qassay(folder, ["export", "live", "out"]).ok();
    let out = folder.join("out");
    let (mut askings, mut exchanges) = (0, 0);
    for path in files_below(&out) {
        let bytes = fs::read(out.join(&path)).expect("a file");
        assert!(memchr::memmem::find(&bytes, SECRET.as_bytes()).is_none(), "{}", path.display());
        askings += usize::from(path.starts_with("records/asking"));
        exchanges += usize::from(bytes.starts_with(b"WARC/1.1"));
    }
    assert_eq!((askings, exchanges), (1, 1));
    let verified = qassay(folder, ["verify", "out"]).ok();
    assert!(verified.contains("submissions made of exchanges"), "{verified}");
    // It explains as the archive does.
    let explained = |archive: &str| qassay(folder, ["explain", "live", "1", "--archive", archive]).ok();
    assert_eq!(explained("out"), explained("qassay-archive"));
    assert!(explained("out").contains("exchange (1 try)"));
    // Where inputs do not go, the record of asking does, and verify says what it lacks.
    qassay(folder, ["export", "live", "bare", "--no-inputs"]).ok();
    let bare = qassay(folder, ["verify", "bare", "--partial"]);
    assert_eq!(bare.code, Some(3), "{}", bare.stdout);
    assert!(bare.stdout.contains("asked systems: bare/records/asking/"), "{}", bare.stdout);
    assert!(!bare.stdout.contains("another submission"), "{}", bare.stdout);
}

#[test]
fn a_run_that_was_interrupted_is_listed() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let mock = Mock::start(folder, &[&example("aurora.json"), "--delay", "100"]);
    let gold = example("gold.json");
    let words = ["ask", &gold, &mock.address, "--language", "en", "--system", "live"].map(str::to_owned);
    assert!(killed(folder, &words, 3));
    let [(kind, name, iri)] = &listed(folder, &[])[..] else { panic!("not one thing") };
    let state = name.strip_prefix(&format!("{}/, interrupted after ", mock.address));
    assert!(state.is_some_and(|state| state.ends_with(" tries")), "{name}");
    assert_eq!((kind.as_str(), iri.as_str()), ("asking", ""));
    let printed = qassay(folder, ["list"]).ok();
    assert!(printed.contains("interrupted after"), "{printed}");
    let resumed = qassay(folder, words.iter().map(String::as_str).chain(["--resume"]));
    assert_eq!(resumed.code, Some(0), "{}", resumed.stderr);
    assert_eq!(listed(folder, &["asking"])[0].1, "live, gerbil, complete");
}
