//! Summaries say what the graphs say, whoever made them and whenever; and they can go at any time.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use qassay::record::archived::Archived;
use qassay::record::archived::metadata::ASKED;
use qassay::record::results::Results;
use qassay::record::results::kept::KeptGraphs;
use qassay::record::summaries::kept::{SummaryReader, summaries};
use qassay::record::summaries::make::of_results;
use qassay::sources::archive::Archive;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use crate::common::{files_below, graph_name, kept_text, qassay};

/// The example, evaluated with this program and several profiles, one system twice under another name.
fn new() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let fetched = ["fetch", "qassay-example", "qassay-example-aurora", "qassay-example-borealis"];
    qassay(folder.path(), fetched).ok();
    let words =
        "evaluate qassay-example qassay-example-aurora qassay-example-borealis --profile qassay,gerbil,qald";
    qassay(folder.path(), words.split(' ')).ok();
    let words = "evaluate qassay-example qassay-example-aurora --system other";
    qassay(folder.path(), words.split(' ')).ok();
    folder
}

/// The archives of older versions, each in a folder of its own, and a new one.
fn archives() -> Vec<(String, TempDir)> {
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/archives");
    let mut all = vec![("new".to_owned(), new())];
    for name in files_below(&packed).into_iter().filter(|path| path.extension().is_some_and(|e| e == "gz")) {
        let folder = tempfile::tempdir().unwrap();
        let file = GzDecoder::new(File::open(packed.join(&name)).unwrap());
        tar::Archive::new(file).unpack(folder.path()).unwrap();
        fs::rename(folder.path().join("archive"), folder.path().join("qassay-archive")).unwrap();
        fs::create_dir(folder.path().join("qassay-archive/tmp")).unwrap();
        all.push((name.display().to_string(), folder));
    }
    assert!(all.len() > 4, "the archives of older versions are there");
    all
}

fn root(folder: &TempDir) -> PathBuf {
    folder.path().join("qassay-archive")
}

fn open(folder: &TempDir) -> Archived {
    Archived::open(Archive::open(&root(folder)).unwrap()).unwrap()
}

fn remembered(folder: &TempDir) -> PathBuf {
    root(folder).join("stores/summaries")
}

/// What lists and rankings print.
fn printed(folder: &TempDir) -> Vec<String> {
    let runs = [
        "list",
        "list --format json",
        "list evaluation --format csv",
        "list submission",
        "query leaderboard",
        "query leaderboard --format json",
        "query leaderboard --format csv",
    ];
    runs.into_iter().map(|run| qassay(folder.path(), run.split(' ')).ok()).collect()
}

#[test]
fn summaries_say_what_the_graphs_say() {
    for (name, folder) in archives() {
        let archived = open(&folder);
        assert!(archived.evaluations.len() >= 4, "{name}");
        let kept = KeptGraphs::open(&archived.archive).unwrap();
        for evaluation in &archived.evaluations {
            let key = evaluation.iri.rsplit('/').next().unwrap();
            let file = remembered(&folder).join(format!("{key}.json"));
            // What is evaluated now has one from then on.
            assert_eq!(file.is_file(), name == "new", "{name}");
            let told = of_results(&Results::read(&kept, &evaluation.iri).unwrap());
            for _ in 0..2 {
                assert_eq!(
                    SummaryReader::new(&archived).summary(evaluation).unwrap(),
                    told,
                    "{name} {}",
                    evaluation.iri
                );
                assert!(file.is_file(), "{name}");
            }
            let (whole, questions) = told;
            for experiment in &whole.experiments {
                let each = questions.experiment(&experiment.name).unwrap();
                assert_eq!(each.len(), questions.questions.len(), "{name} {}", experiment.name);
                assert_eq!(experiment.statuses.values().sum::<u64>(), each.len() as u64);
                let all = experiment.group("group-all").unwrap().results();
                let results = Results::read(&kept, &evaluation.iri).unwrap();
                assert_eq!(Some(&all), results.experiment(&experiment.name).unwrap().all());
            }
        }
        for _ in 0..2 {
            let all: Vec<_> = summaries(&archived).into_iter().flatten().collect();
            let each = |evaluation| SummaryReader::new(&archived).summary(evaluation).unwrap().0;
            assert_eq!(all, archived.evaluations.iter().map(each).collect::<Vec<_>>(), "{name}");
        }
    }
}

#[test]
fn an_archive_remembers_what_its_records_and_provenance_say() {
    for (name, folder) in archives() {
        let (complete, damage) = Archived::open_damaged(Archive::open(&root(&folder)).unwrap()).unwrap();
        assert!(damage.is_empty() && !remembered(&folder).join("metadata.json").exists(), "{name}");
        for _ in 0..2 {
            let archived = open(&folder);
            assert!(remembered(&folder).join("metadata.json").is_file(), "{name}");
            for query in ASKED {
                let [rows, all] =
                    [&archived, &complete].map(|archived| archived.metadata.rows(query).unwrap());
                assert_eq!(rows, all, "{name} {query}");
            }
            let told = |archived: &Archived| format!("{:?} {:?}", archived.graphs, archived.evaluations);
            assert_eq!(told(&archived), told(&complete), "{name}");
        }
    }
}

#[test]
fn lists_are_the_same_without_summaries() {
    for (name, folder) in archives() {
        let told = printed(&folder);
        assert!(told[4].lines().count() > 3, "{name}: {}", told[4]);
        assert_eq!(printed(&folder), told, "{name}");
        // The same query, and not the canned one: it is asked of everything.
        let text = qassay(folder.path(), ["query", "leaderboard", "--show"]).ok() + "\n# mine\n";
        fs::write(folder.path().join("mine.rq"), text).unwrap();
        for (format, canned) in [("table", &told[4]), ("json", &told[5]), ("csv", &told[6])] {
            let of_all = qassay(folder.path(), ["query", "mine.rq", "--format", format]).ok();
            assert_eq!(&of_all, canned, "{name}");
        }
        let files = files_below(&remembered(&folder));
        assert!(files.len() > 5, "{name}: {files:?}");
        // Whatever became of one of them, it is made again as it was.
        for file in files.iter().map(|file| remembered(&folder).join(file)).filter(|_| name == "new") {
            let content = fs::read_to_string(&file).unwrap();
            let other = content.replace("macroF1 0", "macroF1 1").replace("aurora", "other");
            for damaged in [&content[..content.len() / 2], &other, ""] {
                fs::write(&file, damaged).unwrap();
                let ranked = qassay(folder.path(), ["query", "leaderboard"]).ok();
                assert_eq!(ranked, told[4], "{name} {}", file.display());
            }
        }
        assert_eq!(printed(&folder), told, "{name}");
        fs::remove_dir_all(root(&folder).join("stores")).unwrap();
        fs::remove_dir_all(root(&folder).join("tmp")).unwrap();
        assert_eq!(printed(&folder), told, "{name}: where nothing can be written");
        assert!(!root(&folder).join("stores").exists(), "{name}");
    }
}

/// The file of a graph of this kind.
fn graph(folder: &TempDir, kind: &str) -> PathBuf {
    let graphs = root(folder).join("graphs");
    let mut paths = files_below(&graphs).into_iter().map(|path| graphs.join(path));
    let is_of_kind = |path: &PathBuf| graph_name(&kept_text(path)).contains(&format!("/graph/{kind}/"));
    paths.find(is_of_kind).unwrap()
}

#[test]
fn a_summary_of_other_graphs_is_not_believed() {
    let folder = new();
    let list = || qassay(folder.path(), ["list", "evaluation", "--format", "csv"]).ok();
    let before = list();
    let path = graph(&folder, "scores");
    let content = fs::read(&path).unwrap();
    let without = before.lines().filter(|line| line.ends_with(',')).count();
    for changed in [Some(content.repeat(2)), None] {
        match changed {
            Some(changed) => fs::write(&path, changed).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        let now = list();
        let empty = now.lines().filter(|line| line.ends_with(',')).count();
        assert!(empty > without && empty < now.lines().count() - 1, "{now}");
    }
    // It is back, and somebody touched it.
    fs::write(&path, &content).unwrap();
    assert_eq!(list(), before);
    // An evaluation that is taken out is not listed, and leaves nothing.
    let keys = || files_below(&remembered(&folder)).len();
    let number = keys();
    qassay(folder.path(), ["remove", "qassay-example-borealis", "--profile", "gerbil"]).ok();
    assert_eq!((list().lines().count() + 1, keys() + 1), (before.lines().count(), number));
    qassay(folder.path(), ["evaluate", "qassay-example", "qassay-example-borealis", "--profile", "gerbil"])
        .ok();
    assert_eq!((list().lines().count(), keys()), (before.lines().count(), number));
}

#[test]
fn forged_summaries_are_found() {
    let folder = new();
    qassay(folder.path(), ["list"]).ok();
    let verify = || qassay(folder.path(), ["verify", "--quiet"]);
    verify().ok();
    let forge = |name: &str, from: &str, to: &str| {
        let path = remembered(&folder).join(name);
        let content = fs::read_to_string(&path).unwrap();
        let (head, body) = content.split_once('\n').unwrap();
        let (form, _) = head.rsplit_once(' ').unwrap();
        let forged = body.replace(from, to);
        assert_ne!(forged, body, "{name}");
        let sum = qassay::base::checksum::hex(&Sha256::digest(&forged));
        fs::write(&path, format!("{form} {sum}\n{forged}")).unwrap();
        content
    };
    let of_one = files_below(&remembered(&folder)).into_iter().find(|path| {
        let text = fs::read_to_string(remembered(&folder).join(path)).unwrap();
        path.as_os_str().len() > 32 && text.contains("macroF1 0.")
    });
    let of_one = of_one.unwrap().display().to_string();
    let cases = [
        (of_one.as_str(), "macroF1 0.", "macroF1 0.9"),
        (of_one.as_str(), " 1 0 0 1;", " 1 0 0 0.5;"),
        ("evaluations.json", "macroF1 0.", "macroF1 0.9"),
        ("metadata.json", "qassay-example-borealis", "mine"),
    ];
    for (name, from, to) in cases {
        let content = forge(name, from, to);
        let ran = verify();
        assert_eq!(ran.code, Some(1), "{name}: {}", ran.stderr);
        assert!(ran.stdout.contains("stores/summaries"), "{name}: {}{}", ran.stdout, ran.stderr);
        fs::write(remembered(&folder).join(name), content).unwrap();
        verify().ok();
    }
}
