//! text2sparql-client, the client of the challenge, asks a mock: the same queries come out as `qassay ask` gets. It is put below
//! `target/` by `.ci/text2sparql-client`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use qassay::sources::document::Question;
use qassay::sources::file::source::Source;
use qassay::sources::format::read;
use tempfile::TempDir;

use super::mocked::{Mock, rows, submission};
use crate::common::{CK25_QUESTIONS, TEXT2SPARQL_2025, mirror, mirror_2, qassay};

const QUESTIONS: &str = r#"
dataset: {id: "https://d.example/graph/", prefix: d}
questions:
  - {id: 0, question: {en: "Does it begin?"}}
  - {id: 1, question: {en: "Which river flows through Köln?", de: "Welcher Fluß fließt durch Köln?"}}
  - {id: 2, question: {en: "50 % of R&D = research + development?", de: "Und das?"}}
  - {id: 3, question: {en: "Who knows?", de: "Wer weiß?"}}
  - {id: 4, question: {en: "Is it broken?"}}
"#;

/// What the mock has: the queries of some, and one failure.
const ANSWERS: [&str; 6] = [
    r#"{"id": "0", "question": "Does it begin?", "sparql": "ASK { ?a ?b 0 }"}"#,
    r#"{"id": "1", "question": [{"language": "en", "string": "Which river flows through Köln?"}, {"language": "de", "string": "Welcher Fluß fließt durch Köln?"}], "sparql": "SELECT ?r {\n  ?r ?p \"Köln\"@de\n}"}"#,
    r#"{"id": "2", "question": "50 % of R&D = research + development?", "sparql": "ASK { ?a ?b \"&+%\" }"}"#,
    r#"{"id": "2a", "question": "Und das?", "sparql": "ASK { ?a ?b 2 }"}"#,
    r#"{"id": "3", "question": [{"language": "en", "string": "Who knows?"}, {"language": "de", "string": "Wer weiß?"}]}"#,
    r#"{"id": "4", "question": "Is it broken?", "error": "it is broken"}"#,
];

/// Asks as people do who have installed the client. Its own commands import what it needs for scores, so only `ask` is run.
#[track_caller]
fn client(folder: &Path, questions: &Path, address: &str) -> PathBuf {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/text2sparql-client/bin/python");
    let ran = Command::new(python)
        .args(["-c", "from text2sparql_client.commands.ask import ask_command; ask_command()"])
        .arg(questions)
        .args([address, "--output", "theirs.json", "--retries", "0"])
        .current_dir(folder)
        .output()
        .expect("Python starts");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    folder.join("theirs.json")
}

/// The queries of a file by the texts of their questions; blank ones are none.
fn queries(path: &Path) -> BTreeMap<String, String> {
    let (document, _) = read(&Source::open(path).expect("a file")).expect("a submission");
    let pair = |question: &Question| {
        let query = question.queries.first().map_or("", |query| query.text.as_str());
        (question.texts[0].text.clone(), query.to_owned())
    };
    let all: BTreeMap<_, _> = document.questions.iter().map(pair).collect();
    assert_eq!(all.len(), document.questions.len());
    all
}

/// What `qassay ask` gets in a language.
#[track_caller]
fn asked(folder: &Path, questions: &Path, address: &str, language: &str) -> BTreeMap<String, String> {
    let archive = folder.join(language);
    let words = ["ask", "--as", "text2sparql", "--retries", "0", "--language", language, "--archive"];
    let words = words.iter().map(AsRef::as_ref).chain([archive.as_os_str(), questions.as_os_str()]);
    qassay(folder, words.chain([address.as_ref()])).ok();
    queries(&submission(&archive))
}

#[test]
#[cfg_attr(not(text2sparql_client), ignore = "no text2sparql-client: .ci/text2sparql-client installs it")]
fn the_same_queries_come_out() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let questions = folder.join("questions.yaml");
    fs::write(&questions, QUESTIONS).expect("a file");
    fs::write(folder.join("answers.jsonl"), ANSWERS.join("\n")).expect("a file");
    let mock = Mock::start(folder, &["answers.jsonl", "--as", "text2sparql"]);
    let file = client(folder, &questions, &mock.address);
    let theirs = queries(&file);
    let mut ours = asked(folder, &questions, &mock.address, "en");
    assert_eq!(ours.len(), 5);
    // Both languages are asked there. A failure is not in its file, and one with a reason here.
    ours.extend(asked(folder, &questions, &mock.address, "de"));
    assert_eq!(ours.remove("Is it broken?").as_deref(), Some(""));
    assert_eq!((theirs.len(), &theirs), (7, &ours));
    assert_eq!(theirs["Which river flows through Köln?"], "SELECT ?r {\n  ?r ?p \"Köln\"@de\n}");
    assert_eq!(theirs["Wer weiß?"], "");
    // What it writes is read as what it is, the question with the id 0 too, to which it gives none.
    let (document, format) = read(&Source::open(&file).expect("a file")).expect("a submission");
    assert_eq!(format.name, "text2sparql-answers");
    let keys: Vec<&str> = document.questions.iter().map(|question| question.key.as_str()).collect();
    assert_eq!(keys, ["~1", "d:1-en", "d:1-de", "d:2-en", "d:2-de", "d:3-en", "d:3-de"]);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
#[cfg_attr(
    all(shared, not(text2sparql_client)),
    ignore = "no text2sparql-client: .ci/text2sparql-client installs it"
)]
fn the_same_scores_come_out_on_real_data() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let campaign = mirror().join(TEXT2SPARQL_2025);
    let path = |path: PathBuf| path.display().to_string();
    let answers = path(campaign.join("results/WSE/ck25_answers.json"));
    let mock = Mock::start(folder, &[&answers, "--as", "text2sparql"]);
    let questions = mirror_2().join(CK25_QUESTIONS);
    let theirs = client(folder, &questions, &mock.address);
    let ours = asked(folder, &questions, &mock.address, "en");
    assert_eq!((ours.len(), queries(&theirs)), (50, ours));
    let words = ["data/prod-inst.ttl", "data/prod-vocab.ttl"].map(|name| path(campaign.join(name)));
    qassay(folder, ["kb", "add", "ck25", "--version", "1", &words[0], &words[1]]).ok();
    let gold = path(campaign.join("benchmark/ck25_true_result_set.json"));
    let score = |file: &Path| {
        let file = file.display().to_string();
        let words = ["evaluate", &gold, &file, "--kb", "ck25", "--profile", "text2sparql", "-x", "QA"];
        rows(&qassay(folder, words.into_iter().chain(["--no-archive", "--format", "json"])).json())
    };
    let (theirs, ours) = (score(&theirs), score(&submission(&folder.join("en"))));
    assert_eq!((theirs.len(), theirs), (50, ours));
}
