//! A profile of a user's own in an archive: what is kept of it, and that nobody needs the file again.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{files_below, qassay};

const STRICT: &str = include_str!("../scoring/strict.ttl");

/// A folder with the example, and the profile in `strict.ttl`.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example");
    for name in ["gold.json", "aurora.json"] {
        fs::copy(example.join(name), folder.path().join(name)).unwrap();
    }
    fs::write(folder.path().join("strict.ttl"), STRICT).unwrap();
    folder
}

/// The same with an evaluation by the profile, whose file is gone. Gives also what was printed.
fn archive() -> (TempDir, Value) {
    let folder = folder();
    let words = ["evaluate", "gold.json", "aurora.json", "--profile", "strict.ttl", "--format", "json"];
    let mut printed = qassay(folder.path(), words).json();
    fs::remove_file(folder.path().join("strict.ttl")).unwrap();
    (folder, printed["evaluations"][0].take())
}

fn kept_profile(folder: &Path) -> PathBuf {
    let files = folder.join("qassay-archive/files");
    let mut all = files_below(&files).into_iter().map(|path| files.join(path));
    all.find(|path| fs::read_to_string(path).unwrap() == STRICT).unwrap()
}

#[test]
fn it_is_kept_with_its_statements() {
    let (folder, printed) = archive();
    let folder = folder.path();
    assert_eq!(printed["profile"], "strict");
    let file = printed["profileFile"][0].as_str().unwrap();
    assert!(file.starts_with("https://w3id.org/qassay/profiles/"), "{file}");
    // The numbers of the library, see `scoring::own_profile`: only the same term is right.
    assert_eq!(printed["experiments"]["QA"]["measures"]["macroRecall"], 0.28125);

    let again = qassay(folder, ["explain", "aurora", "--profile", "strict", "--format", "json"]).json();
    for part in ["evaluation", "profileFile", "experiments", "skipped"] {
        assert_eq!(again["evaluations"][0][part], printed[part]);
    }
    let explained = qassay(folder, ["explain", "aurora", "3", "--profile", "strict"]).ok();
    assert!(explained.contains("tp 0   fp 1   fn 1"), "{explained}");

    // From the evaluation to the rules, with no file but those of the archive.
    let query = "PREFIX qassay: <https://w3id.org/qassay/ns#>
        SELECT ?step ?score WHERE {
          ?evaluation a qassay:Evaluation ; qassay:policy ?policy ; qassay:profileFile ?file .
          ?policy qassay:systemEmpty ?score ; qassay:experimentRules/qassay:matchStep ?step .
        }";
    fs::write(folder.join("rules.rq"), query).unwrap();
    let rows = qassay(folder, ["query", "rules.rq", "--format", "csv"]).ok();
    let told = "https://w3id.org/qassay/step/identical,https://w3id.org/qassay/code#score-precision-one";
    assert_eq!(rows.lines().skip(1).collect::<Vec<_>>(), [told]);

    let verified = qassay(folder, ["verify"]).ok();
    assert!(verified.contains("same") && !verified.contains("note:"), "{verified}");
}

#[test]
fn verify_finds_what_became_of_it() {
    let (folder, _) = archive();
    let folder = folder.path();
    let file = kept_profile(folder);
    for (from, to) in [("score-precision-one", "score-zero"), ("skos:notation", "skos:"), (STRICT, "")] {
        fs::write(&file, STRICT.replace(from, to)).unwrap();
        let ran = qassay(folder, ["verify"]);
        assert_eq!(ran.code, Some(1), "{}", ran.stdout);
        assert!(ran.stdout.contains("another input: the file of the role profiles"), "{}", ran.stdout);
        let ran = qassay(folder, ["explain", "aurora", "3"]);
        assert!(ran.code == Some(1) && ran.stderr.contains("another checksum"), "{}", ran.stderr);
    }
    fs::remove_file(&file).unwrap();
    let ran = qassay(folder, ["verify"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    assert!(ran.stdout.contains("a missing input: the file of the role profiles"), "{}", ran.stdout);
}

#[test]
fn what_is_damaged_is_not_exported() {
    let (folder, _) = archive();
    let folder = folder.path();
    let record = folder.join("qassay-archive/records/profiles");
    let record = record.join(&files_below(&record)[0]);
    let (text, file) = (fs::read(&record).unwrap(), kept_profile(folder));
    fs::remove_file(&record).unwrap();
    let ran = qassay(folder, ["export", "aurora", "public"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("no record names this file"), "{}", ran.stderr);
    fs::write(&record, text).unwrap();
    fs::write(&file, "# another").unwrap();
    let ran = qassay(folder, ["export", "aurora", "public"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("another checksum than its name"), "{}", ran.stderr);
    assert!(!folder.join("public").exists());
    fs::write(&file, STRICT).unwrap();
    qassay(folder, ["export", "aurora", "public"]).ok();
}

#[test]
fn it_goes_with_its_evaluation_and_not_before() {
    let (folder, _) = archive();
    let folder = folder.path();
    qassay(folder, ["export", "aurora", "public.tar.gz"]).ok();
    let verified = qassay(folder, ["verify", "public.tar.gz"]).ok();
    assert!(verified.contains("same"), "{verified}");

    let ran = qassay(folder, ["remove", "strict"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.starts_with("error: `strict` (profiles) is used by `aurora, strict` (evaluation)"),
        "{}",
        ran.stderr
    );
    qassay(folder, ["remove", "aurora"]).ok();
    let held = qassay(folder, ["list", "profiles", "--format", "json"]).json();
    assert_eq!((&held[0]["name"], &held[0]["usedBy"]), (&"strict".into(), &0.into()));
    let file = kept_profile(folder);
    qassay(folder, ["remove", "strict"]).ok();
    assert!(!file.exists());
    qassay(folder, ["verify"]).ok();
}

#[test]
fn another_text_is_another_evaluation() {
    let (folder, printed) = archive();
    let folder = folder.path();
    fs::write(folder.join("edited.ttl"), STRICT.replace("score-precision-one", "score-zero")).unwrap();
    let words = ["evaluate", "gold.json", "aurora.json", "--profile", "edited.ttl", "--format", "json"];
    let edited = qassay(folder, words).json();
    assert_ne!(edited["evaluations"][0]["evaluation"], printed["evaluation"]);
    qassay(folder, ["verify"]).ok();
}

#[test]
fn blind_submissions_wait_for_it() {
    let folder = folder();
    let folder = folder.path();
    let blind = |profile: &str| {
        let words = ["evaluate", "--blind", "gold.json", "aurora.json", "--system", "Aurora", "--profile"];
        qassay(folder, words.into_iter().chain([profile])).ok()
    };
    blind("strict.ttl");
    blind("strict.ttl");
    fs::write(folder.join("strict.ttl"), STRICT.replace("score-precision-one", "score-zero")).unwrap();
    blind("strict.ttl");
    fs::remove_file(folder.join("strict.ttl")).unwrap();
    qassay(folder, ["verify"]).ok();
    let ran = qassay(folder, ["remove", "strict"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    let released = qassay(folder, ["release", "qassay-example", "--format", "json"]).json();
    let told = released.to_string();
    assert_eq!(told.matches("\"profile\":\"strict\"").count(), 2, "{told}");
    let verified = qassay(folder, ["verify"]).ok();
    assert_eq!(verified.matches("  same").count(), 2, "{verified}");
    // What is kept is not what it was.
    fs::write(kept_profile(folder), "").unwrap();
    assert_eq!(qassay(folder, ["verify"]).code, Some(1));
}

#[test]
fn what_is_no_profile_is_told() {
    let folder = folder();
    let folder = folder.path();
    fs::create_dir(folder.join("dir.ttl")).unwrap();
    let write = |name: &str, from: &str, to: &str| {
        assert!(STRICT.contains(from));
        fs::write(folder.join(name), STRICT.replace(from, to)).unwrap();
    };
    write("broken.ttl", "qassay:basedOn", "basedOn");
    write("none.ttl", STRICT, "");
    write("theirs.ttl", "https://example.org/profile/strict/1", "https://w3id.org/qassay/profile/qassay/4");
    write("twin.ttl", "strict", "qassay");
    write("copy.ttl", "As qassay", "Unlike qassay");
    write("unnamed.ttl", "skos:notation \"strict\"", "skos:notation \"lax\"");
    write("typo.ttl", "qassay:systemEmpty", "qassay:systemEmtpy");
    write("nothing.ttl", "code:groups-length", "code:groups-size");
    write("blank.ttl", "step:identical", "[]");
    for (word, told) in [
        ("missing.ttl", "missing.ttl: no such file"),
        ("./missing", "./missing: no such file"),
        ("missing", "there is no profile `missing`"),
        ("dir.ttl", "dir.ttl: this is a folder"),
        ("broken.ttl", "broken.ttl: the Turtle cannot be read: Parser error at line 10"),
        ("none.ttl", "none.ttl: there is no profile in this file"),
        ("theirs.ttl", "theirs.ttl: <https://w3id.org/qassay/profile/qassay/4> is built in"),
        (
            "qassay,twin.ttl",
            "twin.ttl: <https://example.org/profile/qassay/1> is called `qassay`, as a built-in profile is",
        ),
        (
            "strict.ttl,copy.ttl",
            "two profiles are called `strict`: <https://example.org/profile/strict/1> (strict.ttl) and",
        ),
        (
            "unnamed.ttl",
            "unnamed.ttl: <https://example.org/profile/strict/1> has the name (skos:notation) `lax`",
        ),
        (
            "typo.ttl",
            "typo.ttl: <https://example.org/profile/strict/1> says qassay:systemEmtpy, which no profile has",
        ),
        (
            "nothing.ttl",
            "nothing.ttl: the qassay:group of <https://example.org/profile/strict/1> is unknown: <https://w3id.org/qassay/code#groups-size>",
        ),
        (
            "blank.ttl",
            "blank.ttl: the <https://w3id.org/qassay/ns#matchStep> of <https://example.org/profile/strict/1/QA> has no IRI",
        ),
    ] {
        let ran = qassay(folder, ["evaluate", "gold.json", "aurora.json", "--profile", word]);
        assert_eq!(ran.code, Some(2), "{word}");
        assert!(ran.stderr.starts_with(&format!("error: {told}")), "{word}: {}", ran.stderr);
        assert!(!folder.join("qassay-archive").exists(), "{word}");
    }
    // A file may be named twice, and is one.
    let twice =
        ["evaluate", "gold.json", "aurora.json", "--no-archive", "--profile", "strict.ttl,./strict.ttl"];
    assert_eq!(qassay(folder, twice).ok().matches("aurora  strict").count(), 1);
    let shown = qassay(folder, ["profiles", "strict.ttl"]).ok();
    assert!(shown.starts_with("strict\n  version         1\n"), "{shown}");
}
