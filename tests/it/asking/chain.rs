//! The whole chain: a mock, asked by a program that is killed again and again, resumed, verified, evaluated.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use super::mocked::{Mock, example, kept_exchanges, killed, rows, submission, tries};
use crate::common::{mirror, mirror_2, qassay};

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
    assert_eq!(
        (table["asked"][0]["missing"].as_u64(), table["asked"][0]["questions"].as_u64()),
        (Some(0), Some(16))
    );
    // What was kept was not asked again: one try each, and that one of error.
    assert_eq!(table["asked"][0]["tries"], 16, "{before} were kept: {table}");
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
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/chain/ask");
    let mut chain = Command::new(script);
    chain.env("QASSAY", env!("CARGO_BIN_EXE_qassay")).env("MIRROR", mirror()).env("MIRROR_2", mirror_2());
    let ran = chain.output().expect("bash");
    let (told, errors) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{told}\n{errors}");
    assert_eq!(told.matches("killed, ").count(), 3, "{told}");
    let end = told.lines().last().unwrap_or_default();
    assert_eq!(end, "4 of 50 questions failed; the other 46 have the scores of the file itself");
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
    let asked = &ran.json()["asked"][0];
    assert_eq!((asked["answered"].as_u64(), asked["errors"].as_u64()), (Some(2), Some(1)));
}

/// A system that answers with texts, and labels that say whose they are, in one command.
#[test]
fn texts_are_resolved_by_labels() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let question = |(id, text, gold): (&str, &str, &str)| {
        serde_json::json!({"id": id, "question": [{"language": "en", "string": text}], "answers": [{"head": {"vars": ["x"]},
            "results": {"bindings": [{"x": {"type": "uri", "value": format!("http://dbpedia.org/resource/{gold}")}}]}}]})
    };
    let questions = [
        ("1", "Which city is on the Danube?", "Vienna"),
        ("2", "Which one is on the Rhine?", "Cologne"),
        ("3", "Which country is it in?", "Germany"),
        ("4", "Who is not there?", "Nobody"),
    ];
    let gold = serde_json::json!({"questions": questions.map(question)}).to_string();
    fs::write(folder.join("gold.json"), gold).expect("a file");
    // The third is the label in another language, and nothing is called like the fourth.
    let answers = ["Vienna", "Köln", "Deutschland", "Somebody"];
    let answer = |((id, text, _), answer): ((&str, &str, &str), &str)| {
        serde_json::json!({"id": id, "question": text, "answers": [answer]}).to_string()
    };
    let lines: Vec<String> = questions.into_iter().zip(answers).map(answer).collect();
    fs::write(folder.join("answers.jsonl"), lines.join("\n")).expect("a file");
    let labels = "@prefix dbr: <http://dbpedia.org/resource/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        dbr:Vienna rdfs:label \"Vienna\"@en . dbr:Cologne rdfs:label \"Köln\" . dbr:Germany rdfs:label \"Deutschland\"@de .";
    fs::write(folder.join("labels.ttl"), labels).expect("a file");
    let mock = Mock::start(folder, &["answers.jsonl", "--as", "yodaqa"]);
    let ask = ["ask", "gold.json", &mock.address, "--as", "yodaqa", "--system", "live", "--pause", "0"];
    let printed = qassay(folder, ask.into_iter().chain(["--evaluate", "--labels", "labels.ttl"])).ok();
    assert!(printed.contains("macro F1"), "{printed}");
    let scores = |evaluated: &Value| rows(evaluated).into_iter().map(|row| row.2).collect::<Vec<_>>();
    let with = qassay(folder, ["explain", "live", "--format", "json"]).json();
    assert_eq!(scores(&with), ["1", "1", "0", "0"], "{with:#}");
    let explained = qassay(folder, ["explain", "live", "1"]).ok();
    assert!(explained.contains("label") && explained.contains("exchange (1 try)"), "{explained}");
    // It is the labels that do it.
    let file = submission(&folder.join("qassay-archive")).display().to_string();
    let without = ["evaluate", "gold.json", &file, "-x", "QA", "--no-archive", "--format", "json"];
    assert_eq!(scores(&qassay(folder, without).json()), ["0"; 4]);
    qassay(folder, ["verify"]).ok();
}
