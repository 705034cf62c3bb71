//! What an archive holds, and taking things out of it: nothing that others use, nothing in part.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::archive::kill::{Moment, dataset, kill};
use crate::common::{files_below, qassay};

const SAME_AS: &str = "<http://dbpedia.org/resource/R1_0> <http://www.w3.org/2002/07/owl#sameAs> <http://www.wikidata.org/entity/Q1> .\n";

/// An archive with the evaluations of some systems, and registered links.
fn archive(name: &str, systems: usize) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("gold.json"), dataset(0)).unwrap();
    fs::write(folder.path().join("links.nt"), SAME_AS).unwrap();
    qassay(folder.path(), ["links", "add", "same", "--version", "1", "links.nt", "--archive", name]).ok();
    let mut arguments = vec!["evaluate".to_owned(), "gold.json".to_owned()];
    for system in 1..=systems {
        let answers = format!("system-{system}.json");
        fs::write(folder.path().join(&answers), dataset(system)).unwrap();
        arguments.push(answers);
    }
    arguments.extend(["--links", "same", "--archive", name].map(str::to_owned));
    qassay(folder.path(), &arguments).ok();
    folder
}

/// What is there: kind, name, how many use it.
fn held(folder: &Path, name: &str) -> Vec<(String, String, String)> {
    let all = qassay(folder, ["list", "--format", "json", "--archive", name]).json();
    let text = |one: &Value, key: &str| one[key].as_str().unwrap().to_owned();
    let one = |one: &Value| (text(one, "kind"), text(one, "name"), one["usedBy"].to_string());
    all.as_array().unwrap().iter().map(one).collect()
}

/// The IRIs of what is there.
fn iris(folder: &Path, name: &str) -> Vec<String> {
    let all = qassay(folder, ["list", "--format", "json", "--archive", name]).json();
    all.as_array().unwrap().iter().map(|one| one["iri"].as_str().unwrap().to_owned()).collect()
}

fn owned(rows: &[(&str, &str, &str)]) -> Vec<(String, String, String)> {
    rows.iter().map(|(kind, name, users)| [kind, name, users].map(|text| (*text).to_owned()).into()).collect()
}

/// The files of an archive, without its locks.
/// What an archive holds beside the version of its model, which stays.
fn kept(folder: &Path, name: &str) -> Vec<PathBuf> {
    let stays = |path: &PathBuf| path.starts_with("tmp") || path.starts_with("records/archive");
    files_below(&folder.join(name)).into_iter().filter(|path| !stays(path)).collect()
}

#[test]
fn an_evaluation_goes_with_what_only_it_has() {
    let folder = archive("kept", 2);
    let folder = folder.path();
    let all = [
        ("dataset", "killed", "2"),
        ("evaluation", "system-1, qassay", "0"),
        ("evaluation", "system-2, qassay", "0"),
        ("link set", "same@1", "0"),
        ("links", "owl:sameAs links", "3"),
        ("submission", "system-1", "1"),
        ("submission", "system-2", "1"),
    ];
    assert_eq!(held(folder, "kept"), owned(&all));
    for (kind, ..) in all {
        let listed = qassay(folder, ["list", kind, "--archive", "kept"]).ok();
        assert!(listed.contains(kind), "{listed}");
    }
    // evaluations with what came of them
    let csv = qassay(folder, ["list", "evaluation", "--format", "csv", "--archive", "kept"]).ok();
    assert!(csv.starts_with("evaluation,system,dataset,profile,time,measure,value\n"), "{csv}");
    let row: Vec<&str> = csv.lines().nth(1).expect("a row").split(',').collect();
    assert_eq!(row[1..4], ["system-1", "killed", "qassay"], "{csv}");
    assert!(row[0].len() == 32 && row[4].ends_with('Z') && row[5] == "QA macroF1", "{csv}");
    assert!(row[6].parse::<f64>().is_ok_and(|value| (0.0..=1.0).contains(&value)), "{csv}");
    let everything = qassay(folder, ["list", "--archive", "kept"]).ok();
    assert!(everything.contains(row[0]) && everything.contains("\nkind "), "{everything}");
    let unknown = qassay(folder, ["list", "datasets", "--archive", "kept"]);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.stderr.contains("allowed: dataset, submission, "), "{}", unknown.stderr);
    let before = kept(folder, "kept");
    let ran = qassay(folder, ["remove", "system-1", "--archive", "kept"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("removed, with 6 files:\n  https://w3id.org/qassay/evaluation/"),
        "{}",
        ran.stderr
    );
    let left = kept(folder, "kept");
    let gone =
        |kind: &str| before.iter().filter(|path| path.starts_with(kind) && !left.contains(path)).count();
    // Scores, measures, matches and provenance, the execution and what only one of the graphs held; the inputs stay.
    assert_eq!([gone("records"), gone("graphs"), gone("files")], [2, 4, 0]);
    assert!(!held(folder, "kept").contains(&owned(&all)[1]));
    qassay(folder, ["explain", "system-2", "1", "--archive", "kept"]).ok();
    let verified = qassay(folder, ["verify", "kept"]).ok();
    assert!(!verified.contains("note:"), "nothing is left that no record names: {verified}");

    // What nobody uses any longer goes with its graph and its file.
    let submission = iris(folder, "kept").into_iter().find(|iri| iri.contains("/submission/")).unwrap();
    qassay(folder, ["remove", &submission, "--archive", "kept"]).ok();
    assert_eq!(kept(folder, "kept").len(), left.len() - 3);
    // Computed again, it is as it was.
    qassay(folder, ["evaluate", "gold.json", "system-1.json", "--links", "same", "--archive", "kept"]).ok();
    assert_eq!(held(folder, "kept"), owned(&all));
}

#[test]
fn what_others_use_stays() {
    let folder = archive("kept", 1);
    let folder = folder.path();
    let before = kept(folder, "kept");
    let of_kind = |kind: &str| iris(folder, "kept").into_iter().find(|iri| iri.contains(kind)).unwrap();
    let evaluation = of_kind("/evaluation/");
    let used = [
        ("killed".to_owned(), "`killed` (dataset)"),
        (of_kind("/submission/"), "`system-1` (submission)"),
        (of_kind("/links/"), "`owl:sameAs links` (links)"),
    ];
    for (word, told) in used {
        let ran = qassay(folder, ["remove", &word, "--archive", "kept"]);
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        let told = format!("error: {told} is used by `system-1, qassay` (evaluation), <{evaluation}>");
        assert!(ran.stderr.starts_with(&told), "{}", ran.stderr);
        assert!(ran.stderr.contains("hint: remove what uses it before it, or with it"), "{}", ran.stderr);
    }
    let ran = qassay(folder, ["remove", "nothing", "--archive", "kept"]);
    assert!(ran.stderr.contains("the archive has nothing called `nothing`"), "{}", ran.stderr);
    // A word that is more than one thing takes none of them, and a profile is that of what is named.
    let words = [
        vec!["remove", evaluation.as_str(), "--profile", "qald"],
        vec!["remove", "system-1", "--profile", "qald"],
        vec!["remove", "system-2"],
    ];
    let told = [
        format!("error: `{evaluation}` is no evaluation with the profile `qald`."),
        "error: kept: the archive has no evaluation `system-1` with the profile `qald`.".to_owned(),
        "error: the archive has nothing called `system-2`.".to_owned(),
    ];
    for (words, told) in words.into_iter().zip(told) {
        let ran = qassay(folder, [words, vec!["--archive", "kept"]].concat());
        assert!(ran.code == Some(2) && ran.stderr.starts_with(&told), "{}", ran.stderr);
    }
    assert_eq!(kept(folder, "kept"), before);

    // While somebody writes, nothing is taken away that he may take for kept.
    let lock = File::create(folder.join("kept/tmp/.lock")).unwrap();
    lock.lock_shared().unwrap();
    let ran = qassay(folder, ["remove", "system-1", "--archive", "kept"]);
    assert!(ran.stderr.contains("another program writes into the archive"), "{}", ran.stderr);
    drop(lock);

    // A published archive has a list of its files.
    qassay(folder, ["export", "system-1", "--archive", "kept", "public"]).ok();
    let ran = qassay(folder, ["remove", "system-1", "--archive", "public"]);
    assert!(ran.stderr.contains("was published with a list of its files"), "{}", ran.stderr);
    assert_eq!(kept(folder, "kept"), before);
}

#[test]
fn refreshed_answers_and_their_knowledge_base_stay_while_they_count() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example");
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = |name: &str| example.join(name).display().to_string();
    qassay(folder, ["kb", "add", "small", "--version", "1", &file("kb.ttl")]).ok();
    let (gold, answers) = (file("gold.json"), file("aurora.json"));
    // Its bytes are used as labels, and kept without it.
    qassay(folder, ["kb", "add", "labels", "--version", "1", &file("kb.ttl")]).ok();
    qassay(folder, ["evaluate", &gold, &answers, "--labels", "labels"]).ok();
    qassay(folder, ["remove", "labels@1"]).ok();
    qassay(folder, ["verify"]).ok();
    qassay(folder, ["evaluate", &gold, &answers, "--kb", "small", "--gold", "refreshed"]).ok();
    let iri = |part: &str| iris(folder, "qassay-archive").into_iter().find(|iri| iri.contains(part)).unwrap();
    for (word, user) in [
        ("small@1".to_owned(), "(answers)"),
        (iri("/answers/"), "(evaluation)"),
        (iri("/gold/"), "(evaluation)"),
    ] {
        let ran = qassay(folder, ["remove", &word]);
        assert_eq!(ran.code, Some(2), "{word} is removed");
        assert!(ran.stderr.contains(user), "{word}: {}", ran.stderr);
    }
    let all = iris(folder, "qassay-archive");
    qassay(folder, ["remove"].into_iter().chain(all.iter().map(String::as_str))).ok();
    // Files of the example may have been fetched.
    assert!(held(folder, "qassay-archive").iter().all(|(kind, ..)| kind == "fetched file"));

    // A blind submission is a promise.
    qassay(folder, ["evaluate", "--blind", &gold, &answers, "--system", "Aurora"]).ok();
    let ran = qassay(folder, ["remove", &iri("/blind/")]);
    assert!(ran.stderr.contains("stays: whoever sent it was told its number"), "{}", ran.stderr);
}

/// What was fetched is there before anything is made of it, and after.
#[test]
fn a_fetched_file_is_held() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    qassay(folder, ["fetch", "qassay-example", "qassay-example-aurora"]).ok();
    let fetched =
        |names: &[&str]| owned(&names.iter().map(|name| ("fetched file", *name, "0")).collect::<Vec<_>>());
    assert_eq!(held(folder, "qassay-archive"), fetched(&["qassay-example", "qassay-example-aurora"]));
    qassay(folder, ["evaluate", "qassay-example", "qassay-example-aurora"]).ok();
    assert!(held(folder, "qassay-archive").iter().all(|(kind, ..)| kind != "fetched file"));
    let all = iris(folder, "qassay-archive");
    qassay(folder, ["remove"].into_iter().chain(all.iter().map(String::as_str))).ok();
    assert_eq!(held(folder, "qassay-archive"), fetched(&["qassay-example", "qassay-example-aurora"]));
    qassay(folder, ["remove", "qassay-example"]).ok();
    assert_eq!(held(folder, "qassay-archive"), fetched(&["qassay-example-aurora"]));
    // Nothing was interrupted.
    let ran = qassay(folder, ["remove"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("nothing is named"), "{}", ran.stderr);
}

#[test]
fn whoever_kills_it_leaves_nothing_in_part() {
    let folder = archive("whole", 3);
    let folder = folder.path();
    let (words, all) = (iris(folder, "whole"), kept(folder, "whole").len());
    let arguments =
        ["remove"].into_iter().chain(words.iter().map(String::as_str)).chain(["--archive", "killed"]);
    let arguments: Vec<String> = arguments.map(str::to_owned).collect();
    let (mut in_the_middle, mut left) = (0, all);
    for few in (0..=all).rev() {
        copy(&folder.join("whole"), &folder.join("killed"));
        // The locks are files too, and so are the list of what goes and the version of the model.
        let beside = files_below(&folder.join("killed")).len() - all;
        kill(folder, &arguments, &Moment::Left(few + beside + 1));
        left = kept(folder, "killed").len();
        in_the_middle += usize::from(left > 0 && left < all);
        // No record without its graphs and files, no evaluation without its inputs.
        let ran = qassay(folder, ["verify", "killed", "--no-reexecution"]);
        assert_eq!(ran.code, Some(0), "killed at {few} of {all}: {}\n{}", ran.stdout, ran.stderr);
        // What is still there can be taken away too, with what no record names any longer.
        let rest = iris(folder, "killed");
        let words = ["remove"].into_iter().chain(rest.iter().map(String::as_str));
        let ran = qassay(folder, words.chain(["--archive", "killed"]));
        assert!(ran.code == Some(0) || rest.is_empty(), "{}", ran.stderr);
        let was_interrupted = left > 0 && rest.is_empty();
        let told = ran.stderr.contains("of a removal that was interrupted") || !was_interrupted;
        assert!(told, "{}", ran.stderr);
        assert_eq!(kept(folder, "killed"), [""; 0].map(PathBuf::from));
        fs::remove_dir_all(folder.join("killed")).unwrap();
    }
    assert!(in_the_middle >= all / 3, "only {in_the_middle} of {all} kills were in the middle");
    assert_eq!(left, 0, "nobody killed the last one before its end");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to.join("tmp")).unwrap();
    for path in files_below(from) {
        fs::create_dir_all(to.join(&path).parent().unwrap()).unwrap();
        fs::copy(from.join(&path), to.join(&path)).unwrap();
    }
}
