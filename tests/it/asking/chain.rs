//! The whole chain: a mock, asked by a program that is killed again and again, resumed, verified, evaluated.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{mirror, mirror_2, qassay};

fn example(name: &str) -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("datasets/example").join(name).display().to_string()
}

/// A mock that runs as a program of its own. It ends with the test.
struct Mock {
    child: Child,
    address: String,
}

impl Mock {
    fn start(folder: &Path, words: &[&str]) -> Self {
        let child = Command::new(env!("CARGO_BIN_EXE_qassay"))
            .arg("mock")
            .args(words)
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        Self::of(child.expect("the program starts"))
    }

    /// A server that says first where it is.
    fn of(mut child: Child) -> Self {
        let mut address = String::new();
        let stdout = child.stdout.as_mut().expect("its output");
        BufReader::new(stdout).read_line(&mut address).expect("an address");
        Self { child, address: address.trim().to_owned() }
    }
}

impl Drop for Mock {
    fn drop(&mut self) {
        drop(self.child.kill().and_then(|()| self.child.wait()));
    }
}

/// How many tries the files of exchanges of runs that are under way hold.
fn tries(archive: &Path) -> usize {
    let files = fs::read_dir(archive.join("asking")).into_iter().flatten().flatten();
    let texts = files.map(|file| fs::read(file.path()).unwrap_or_default());
    texts.map(|text| String::from_utf8_lossy(&text).matches("WARC-Type: metadata").count()).sum()
}

/// Asks, and is killed when so many tries are kept. Whether it was killed.
fn killed(folder: &Path, words: &[String], after: usize) -> bool {
    let mut child = Command::new(env!("CARGO_BIN_EXE_qassay"))
        .args(words)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    while tries(&folder.join("qassay-archive")) < after {
        if child.try_wait().expect("a child").is_some() {
            return false;
        }
        thread::sleep(Duration::from_millis(5));
    }
    // SIGKILL
    child.kill().expect("killed");
    child.wait().expect("a child");
    true
}

/// The rows of questions of an experiment type, without what cannot be the same.
fn rows(evaluation: &Value) -> Vec<(String, String, String)> {
    let questions =
        evaluation["evaluations"][0]["experiments"]["QA"]["questions"].as_array().expect("questions");
    let row = |one: &Value| (one["id"].to_string(), one["status"].to_string(), one["f1"].to_string());
    questions.iter().map(row).collect()
}

#[test]
fn a_run_that_is_killed_goes_on_where_it_was() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let mock = Mock::start(folder, &[&example("aurora.json"), "--as", "gerbil", "--delay", "120"]);
    let ask = |more: &[&str]| -> Vec<String> {
        let gold = example("gold.json");
        let words =
            [&["ask", gold.as_str(), mock.address.as_str(), "--system", "aurora", "--language", "en"], more];
        words.concat().into_iter().map(str::to_owned).collect()
    };
    assert!(killed(folder, &ask(&[]), 3));
    // Nobody begins again without saying so.
    let anew = qassay(folder, ask(&[]));
    assert_eq!(anew.code, Some(2));
    assert!(anew.stderr.contains("was interrupted"), "{}", anew.stderr);
    assert!(killed(folder, &ask(&["--resume"]), 6));
    assert!(killed(folder, &ask(&["--resume"]), 9));
    let before = tries(&folder.join("qassay-archive"));
    let ended = qassay(folder, ask(&["--resume", "--format", "json"]));
    let table: Value = serde_json::from_str(&ended.ok()).expect("JSON");
    assert_eq!((table[0]["missing"].as_str(), table[0]["questions"].as_str()), (Some("0"), Some("16")));
    // What was kept was not asked again: one try each, and that one of error.
    assert_eq!(table[0]["tries"].as_str(), Some("16"), "{before} were kept: {table}");
    // The submission is a function of what is kept.
    let verified = qassay(folder, ["verify"]).ok();
    assert!(
        verified.contains("submissions made of exchanges") && !verified.contains("problem"),
        "{verified}"
    );
    assert!(!verified.contains("no record names"), "{verified}");
    // The same scores as the file itself.
    let links = example("same-as.nt");
    let score = |answers: &str, archive: &str| {
        let gold = example("gold.json");
        let words = [
            "evaluate",
            &gold,
            answers,
            "--links",
            &links,
            "--format",
            "json",
            "--archive",
            archive,
            "-x",
            "QA",
        ];
        qassay(folder, words).json()
    };
    let kept = qassay(folder, ask(&["--replay", "--quiet", "--format", "json"])).ok();
    assert!(kept.contains("aurora"));
    let file = submission(&folder.join("qassay-archive"));
    let asked = score(&file.display().to_string(), "other");
    let own = score(&example("aurora.json"), "other");
    let (asked, own) = (rows(&asked), rows(&own));
    let same = asked.iter().zip(&own).filter(|(one, other)| one.2 == other.2).count();
    assert_eq!((asked.len(), same), (16, 16), "{asked:?}\n{own:?}");
}

#[test]
fn asking_and_scoring_in_one_command() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let mock = Mock::start(folder, &[&example("borealis.json"), "--as", "qanary"]);
    let (gold, links) = (example("gold.json"), example("same-as.nt"));
    let words = [
        "ask",
        &gold,
        &mock.address,
        "--as",
        "qanary",
        "--set",
        "components=NED, QB",
        "--system",
        "borealis",
        "--language",
        "en",
        "--evaluate",
        "--links",
        &links,
    ];
    let ran = qassay(folder, words);
    let printed = ran.ok();
    assert!(printed.contains("borealis") && printed.contains("macro F1"), "{printed}");
    let explained = qassay(folder, ["explain", "borealis", "2"]).ok();
    assert!(explained.starts_with("question 2"), "{explained}");
    let exchange = explained.split("\nexchange (1 try)\n").nth(1).expect("the exchange");
    assert_eq!(exchange.matches("HTTP 20").count(), 3, "{exchange}");
    assert!(exchange.starts_with("  POST http://127.0.0.1:"), "{exchange}");
    // What was changed is found.
    let warc = kept_exchanges(&folder.join("qassay-archive/files/sha256"));
    let text = fs::read(&warc).expect("exchanges");
    let at = text.windows(11).position(|some| some == b"dbpedia.org").expect("an answer");
    let changed = [&text[..at], b"dbpedia.net", &text[at + 11..]].concat();
    fs::write(&warc, changed).expect("a file");
    let verified = qassay(folder, ["verify"]);
    assert_eq!(verified.code, Some(1));
    assert!(verified.stdout.contains("another submission"), "{}", verified.stdout);
}

/// WSE's answers to CK25, served with failures, asked by a program that is killed three times, and scored on the graph: what
/// was answered has the scores of the file itself.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn the_chain_on_real_data() {
    const CAMPAIGN: &str = "AKSW/text2sparql.aksw.org/d317a8476a3be27a2eef5bfc5f670a58f5c128ee/docs";
    const QUESTIONS: &str = "ad-freiburg/grasp/2ff24829de070e6e3b42c252438c0732603acb9d/data/benchmark/ck25/text2sparql2025/questions.yml";
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let path = |path: PathBuf| path.display().to_string();
    let campaign = mirror().join(CAMPAIGN);
    let [instances, vocabulary] =
        ["inst", "vocab"].map(|name| path(campaign.join(format!("data/prod-{name}.ttl"))));
    qassay(folder, ["kb", "add", "ck25", "--version", "1", &instances, &vocabulary]).ok();
    let answers = path(campaign.join("results/WSE/ck25_answers.json"));
    let mock = Mock::start(folder, &[&answers, "--as", "text2sparql", "--delay", "40", "--errors", "5%"]);
    let questions = path(mirror_2().join(QUESTIONS));
    let ask = |more: &[&str]| -> Vec<String> {
        let words =
            ["ask", &questions, &mock.address, "--as", "text2sparql", "--system", "WSE", "--retries", "0"];
        words.iter().chain(more).map(|&word| word.to_owned()).collect()
    };
    for (number, after) in [8, 20, 32].into_iter().enumerate() {
        assert!(killed(folder, &ask(if number == 0 { &[] } else { &["--resume"] }), after));
    }
    let table = qassay(folder, ask(&["--resume", "--format", "json"])).json();
    assert_eq!(
        (table[0]["questions"].as_str(), table[0]["missing"].as_str()),
        (Some("50"), Some("0")),
        "{table}"
    );
    let errors: usize = table[0]["errors"].as_str().and_then(|errors| errors.parse().ok()).expect("a number");
    assert!((1..8).contains(&errors), "{table}");
    let gold = path(campaign.join("benchmark/ck25_true_result_set.json"));
    let score = |answers: &str| {
        let words = [
            "evaluate",
            &gold,
            answers,
            "--kb",
            "ck25",
            "--profile",
            "text2sparql",
            "-x",
            "QA",
            "--format",
            "json",
        ];
        rows(&qassay(folder, words).json())
    };
    let (asked, own) = (score(&path(submission(&folder.join("qassay-archive")))), score(&answers));
    let failed = asked.iter().filter(|row| row.1.contains("error")).count();
    let others = asked.iter().zip(&own).filter(|(one, other)| !one.1.contains("error") && one != other);
    let others: Vec<_> = others.collect();
    assert_eq!((asked.len(), failed, others.len()), (50, errors, 0), "{others:?}");
}

/// The submission that asking left in an archive.
fn submission(archive: &Path) -> PathBuf {
    let files = archive.join("files/sha256");
    let below = crate::common::files_below(&files).into_iter().map(|file| files.join(file));
    let mut found = below.filter(|file| {
        fs::read_to_string(file).is_ok_and(|text| text.starts_with('{') && text.contains("\"asked\":{"))
    });
    found.next().expect("a submission")
}

/// A server that somebody else could have written, by the words of GERBIL's protocol only.
#[test]
#[cfg_attr(not(python), ignore = "no Python")]
fn an_independent_server_is_asked() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let server = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/asking/gerbil_server.py");
    let child = Command::new("python3").arg(server).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let server = Mock::of(child.expect("Python starts"));
    let lines = [
        r#"{"id": "1", "question": [{"language": "en", "string": "Which river flows through Köln?"}]}"#,
        r#"{"id": "2", "question": [{"language": "de", "string": "Welche Städte liegen am Rhein & an der Mosel?"}]}"#,
        r#"{"id": "3", "question": [{"language": "fr", "string": "Qui ?"}]}"#,
        r#"{"id": "4", "question": [{"language": "en", "string": "Who?"}]}"#,
    ];
    fs::write(folder.join("questions.jsonl"), lines.join("\n")).expect("a file");
    let words = ["ask", "questions.jsonl", &server.address, "--language", "en,de", "--format", "json"];
    let ran = qassay(folder, words);
    assert!(ran.stderr.contains("3 questions to ask, in `en`, else `de`"), "{}", ran.stderr);
    assert!(ran.stderr.contains("1 of them in `de`"), "{}", ran.stderr);
    assert!(ran.stderr.contains("not asked, without a text in en, de: 1 question: 3"), "{}", ran.stderr);
    assert!(ran.stderr.contains("http-status: 1 question, the last: "), "{}", ran.stderr);
    let table = ran.json();
    assert_eq!((table[0]["answered"].as_str(), table[0]["errors"].as_str()), (Some("2"), Some("1")));
}

fn kept_exchanges(folder: &Path) -> PathBuf {
    let below = crate::common::files_below(folder).into_iter().map(|file| folder.join(file));
    let mut found = below.filter(|file| fs::read(file).is_ok_and(|text| text.starts_with(b"WARC/1.1")));
    found.next().expect("a file of exchanges")
}
