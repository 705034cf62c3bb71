//! Bad input, from outside: one clear message on stderr and exit code 2, or counted and listed issues where work can
//! go on; for damaged archives exit code 1 and the name of the file. Never a panic, never a silent drop.

use crate::common;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::common::{Ran, files_below, graph_name, qassay};
use qassay::sources::archive::stored::StoredFile;
use qassay::sources::file::source::Source;
use qassay::sources::format::FORMATS;
use serde_json::Value;
use tempfile::TempDir;

const GOLD: &str = r#"{"dataset": {"id": "tiny"}, "questions": [
 {"id": "1", "answertype": "resource", "hybrid": false,
  "question": [{"language": "en", "string": "Welche Städte?"}],
  "answers": [{"head": {"vars": ["uri"]}, "results": {"bindings": [
   {"uri": {"type": "uri", "value": "http://e/a"}}, {"uri": {"type": "uri", "value": "http://e/b"}}]}}]},
 {"id": "2", "answertype": "boolean",
  "question": [{"language": "en", "string": "Is it?"}],
  "answers": [{"head": {}, "boolean": true}]},
 {"id": "3", "answertype": "number",
  "question": [{"language": "en", "string": "How many?"}],
  "answers": [{"head": {"vars": ["n"]}, "results": {"bindings": [{"n": {"type": "literal", "value": "7"}}]}}]}
]}
"#;

const XML: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<dataset id="tiny">
<question id="1"><string lang="en">Which?</string>
<answers><answer><uri>http://e/a</uri></answer></answers></question>
</dataset>
"#;

const LINKS: &str = "<http://e/a> <http://www.w3.org/2002/07/owl#sameAs> <http://f/a> .\n";

/// The answers: the gold standard without its flag, with one item less.
fn answers() -> String {
    GOLD.replace(r#" "hybrid": false,"#, "")
        .replace(r#", {"uri": {"type": "uri", "value": "http://e/b"}}"#, "")
}

/// A folder with a dataset, answers, links, and the files of the case.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, content: &[u8]| fs::write(folder.path().join(name), content).expect("a file");
    write("gold.json", GOLD.as_bytes());
    write("answers.json", answers().as_bytes());
    write("links.nt", LINKS.as_bytes());
    for (name, content) in files {
        write(name, content);
    }
    folder
}

/// The message of a command that is refused.
#[track_caller]
fn refused(folder: &TempDir, arguments: &[&str]) -> String {
    let ran = qassay(folder.path(), arguments);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{arguments:?}: {}", ran.stderr);
    let messages = ran.stderr.lines().filter(|line| line.starts_with("error: ")).count();
    assert_eq!(messages, 1, "one message: {}", ran.stderr);
    ran.stderr
}

/// The messages for files that cannot be read, as gold and as answers.
#[track_caller]
fn unreadable(files: &[(&str, &[u8])]) -> String {
    let folder = folder(files);
    let mut told = Vec::new();
    for (name, _) in files {
        let message = refused(&folder, &["evaluate", name, "answers.json"]);
        assert!(message.starts_with(&format!("error: {name}")), "the file is named: {message}");
        assert_eq!(message, refused(&folder, &["evaluate", "gold.json", name]));
        let checked = qassay(folder.path(), ["check", name]);
        assert_eq!((checked.code, &checked.stderr), (Some(2), &message));
        told.push(message);
    }
    assert!(!folder.path().join("qassay-archive").exists(), "nothing is kept");
    let all_names = FORMATS.iter().map(|format| format.name).collect::<Vec<_>>().join(", ");
    told.join("---\n").replace(&all_names, "[the names of all formats]")
}

/// What `--format json` lists about an evaluation: severity, code, file, line, question and message.
fn issues(folder: &TempDir, gold: &str, answers: &str) -> (Value, String) {
    let arguments = ["evaluate", gold, answers, "--no-archive", "--issues", "--format", "json"];
    let mut output = qassay(folder.path(), arguments).json();
    let evaluation = output["evaluations"][0].take();
    let names = [gold, answers].map(|name| {
        let source = Source::open(&folder.path().join(name)).expect("an input");
        (format!("sha256:{}", source.sha256()), name)
    });
    let line = |issue: &Value| {
        let text = |key: &str| issue[key].as_str().unwrap_or("-").to_owned();
        let name = names.iter().find(|(file, _)| issue["file"] == *file).map_or("?", |(_, name)| name);
        let (severity, code, question) = (text("severity"), text("code"), text("question"));
        let line = issue["line"].as_u64().map_or("-".to_owned(), |line| line.to_string());
        format!("{severity} {code}, {name} line {line} question {question}: {}\n", text("message"))
    };
    let told = evaluation["issues"].as_array().expect("issues").iter().map(line).collect();
    (evaluation, told)
}

/// The questions of an evaluation with their status and counts.
fn questions(evaluation: &Value) -> Vec<String> {
    let questions = evaluation["experiments"]["QA"]["questions"].as_array().expect("questions");
    let text = |q: &Value| {
        let word = |key: &str| q[key].as_str().expect("a text").to_owned();
        format!("{} {} {} {} {}", word("id"), word("status"), q["tp"], q["fp"], q["fn"])
    };
    questions.iter().map(text).collect()
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(content).expect("memory");
    encoder.finish().expect("memory")
}

#[test]
fn truncated_and_invalid_json() {
    let truncated = &GOLD.as_bytes()[..500];
    let invalid = GOLD.replacen("\"boolean\",", "\"boolean\",,", 1);
    let files: [(&str, &[u8]); 3] = [
        ("truncated.json", truncated),
        ("begun.json", b"{\"questions\""),
        ("invalid.json", invalid.as_bytes()),
    ];
    insta::assert_snapshot!(unreadable(&files), @r"
    error: truncated.json, line 9, column 21: this is no valid JSON: EOF while parsing a string.
    hint: the file ends too early: fetch it again, or compare its size with the original
    ---
    error: begun.json, line 1, column 12: this is no valid JSON: EOF while parsing an object.
    hint: the file ends too early: fetch it again, or compare its size with the original
    ---
    error: invalid.json, line 6, column 38: this is no valid JSON: key must be a string.
    hint: look at the text just before this place: a comma, quote or bracket too many or too few
    ");
}

#[test]
fn json_of_another_kind() {
    let files: [(&str, &[u8]); 4] = [
        ("numbers.json", b"[1, 2, 3]"),
        ("results.json", b"{\"head\": {\"vars\": []}, \"results\": {\"bindings\": []}}"),
        ("list.json", b"[{\"title\": \"x\", \"body\": \"y\"}]"),
        ("lines.json", b"[1]\n{\"id\": 2}\n"),
    ];
    insta::assert_snapshot!(unreadable(&files), @r"
    error: numbers.json: no known format: this is a JSON list of none of the known forms.
    allowed: [the names of all formats]
    ---
    error: results.json: this is one SPARQL result (JSON), and nothing says of which question.
    allowed: a folder of results, each named after its question
    hint: call it `FOLDER/ID.srj`, where ID is the id of the question, and name the folder
    ---
    error: list.json: no known format: this is a JSON list of none of the known forms; it has `title`, `body`.
    allowed: [the names of all formats]
    ---
    error: lines.json, line 2, column 1: this is no valid JSON: trailing characters.
    hint: look at the text just before this place: a comma, quote or bracket too many or too few
    ");
}

#[test]
fn truncated_and_invalid_xml() {
    let nested = XML.replace("</answer></answers>", "</answers></answer>");
    let attribute = XML.replace("id=\"1\"", "id=\"1");
    let files: [(&str, &[u8]); 4] = [
        ("truncated.xml", &XML.as_bytes()[..110]),
        ("nested.xml", nested.as_bytes()),
        ("attribute.xml", attribute.as_bytes()),
        ("results.xml", b"<sparql xmlns=\"http://www.w3.org/2005/sparql-results#\"><head/></sparql>"),
    ];
    insta::assert_snapshot!(unreadable(&files), @r#"
    error: truncated.xml, line 4, column 1: the file ends inside `<question>` of line 3.
    hint: the file ends too early: fetch it again, or compare its size with the original
    ---
    error: nested.xml, line 4, column 39: this is no well-formed XML: `<answer>` of line 4 is closed by `</answers>`.
    ---
    error: attribute.xml, line 3, column 1: this is no well-formed XML: syntax error: attribute value not closed: `"` not found before end of input.
    hint: the file may end too early: fetch it again
    ---
    error: results.xml: this is one SPARQL result (XML), and nothing says of which question.
    allowed: a folder of results, each named after its question
    hint: call it `FOLDER/ID.srx`, where ID is the id of the question, and name the folder
    "#);
}

#[test]
fn no_questions() {
    let files: [(&str, &[u8]); 3] = [
        ("none.json", b"{\"questions\": []}"),
        ("null.json", b"{\"questions\": null}"),
        ("object.json", b"{\"questions\": {\"id\": \"1\"}}"),
    ];
    insta::assert_snapshot!(unreadable(&files), @r"
    error: none.json, $.questions: the list of questions is empty.
    allowed: a list of questions
    ---
    error: null.json, $.questions: `questions` is null.
    allowed: a list of questions
    ---
    error: object.json, $.questions: `questions` is an object.
    allowed: a list of questions
    ");
}

#[test]
fn other_encodings_and_no_text() {
    let mut damaged = GOLD.replace("Is it?", "Über äöü?").into_bytes();
    damaged[20] = 0xe4;
    let utf16: Vec<u8> = GOLD.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let cut = [b"\xff\xfe".as_slice(), &utf16, b"\n"].concat();
    let declared =
        [b"<?xml version='1.0' encoding='EUC-KR'?>\n<dataset>\xff".as_slice(), b"</dataset>"].concat();
    let null = GOLD.replace("Is it?", "Is\0it?");
    let files: [(&str, &[u8]); 11] = [
        ("damaged.json", &damaged),
        ("no-mark.json", &utf16),
        ("cut.json", &cut),
        ("declared.xml", &declared),
        ("data.json", b"SQLite format 3\0\x10\0"),
        ("null.json", null.as_bytes()),
        ("empty.json", b""),
        ("blank.json", b" \n\n"),
        ("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        ("packed.zip", b"PK\x03\x04\x14\0"),
        ("page.html", b"<!DOCTYPE html>\n<html><body>404</body></html>"),
    ];
    insta::assert_snapshot!(unreadable(&files), @r"
    error: damaged.json, line 1: the byte 0xE4 at offset 20 is not UTF-8.
    hint: the file is damaged: fetch it again, or name its encoding if it has another, e.g. `--encoding windows-1252`
    ---
    error: no-mark.json: the file is encoded in UTF-16 without byte order mark.
    hint: name the order of its bytes: `--encoding utf-16le` or `--encoding utf-16be`
    ---
    error: cut.json, line 13: the byte 0x0A at offset 1378 is not UTF-16LE, as its byte order mark says.
    hint: name the encoding of the file: `--encoding LABEL`, e.g. windows-1252, gb18030 or euc-kr
    ---
    error: declared.xml, line 2: the byte 0xFF at offset 49 is not EUC-KR, as its XML declaration says.
    hint: name the encoding of the file: `--encoding LABEL`, e.g. windows-1252, gb18030 or euc-kr
    ---
    error: data.json: this is an SQLite database, not a file of questions.
    hint: export what is in it: `sqlite3 FILE .tables` lists the tables
    ---
    error: null.json, line 7: a null byte at offset 423: this is no text.
    hint: the file is damaged or in another encoding: fetch it again or convert it to UTF-8
    ---
    error: empty.json: the file is empty.
    hint: fetch it again, or check the program that wrote it
    ---
    error: blank.json: the file is empty.
    hint: fetch it again, or check the program that wrote it
    ---
    error: picture.png: no known format: this is binary data, not text.
    allowed: [the names of all formats]
    ---
    error: packed.zip: the zip archive is damaged: invalid Zip archive: Could not find EOCD.
    hint: fetch the file again, or test it with `unzip -t`
    ---
    error: page.html: this is a web page (HTML), not a file of questions.
    hint: fetch the file itself: on GitHub that is the address behind `Raw`
    ");
}

/// Text in another encoding is read, and what was done is an issue of the file.
#[test]
fn other_encodings_are_read() {
    let latin: Vec<u8> = GOLD.chars().map(|c| u8::try_from(u32::from(c)).expect("Latin-1")).collect();
    let utf16: Vec<u8> =
        std::iter::once(0xfeff).chain(GOLD.encode_utf16()).flat_map(u16::to_be_bytes).collect();
    let xml = XML.replace("UTF-8", "ISO-8859-1").replace("Which?", "Welche St\u{e4}dte?");
    let xml: Vec<u8> = xml.chars().map(|c| u8::try_from(u32::from(c)).expect("Latin-1")).collect();
    let folder = folder(&[("latin-1.json", &latin), ("utf-16.json", &utf16), ("latin-1.xml", &xml)]);
    let told = |arguments: &[&str]| {
        let output = qassay(folder.path(), [&["check", "--format", "json"], arguments].concat()).json();
        let report = &output["files"][0];
        let issues = report["issues"].as_array().expect("issues").iter();
        let issues: Vec<String> =
            issues.map(|issue| format!("{} {}", issue["severity"], issue["message"])).collect();
        format!("{} {}: {}", arguments.join(" "), report["languages"], issues.join("; "))
    };
    let found = [
        told(&["latin-1.json"]),
        told(&["latin-1.json", "--encoding", "iso-8859-1"]),
        told(&["utf-16.json"]),
        told(&["latin-1.xml"]),
    ];
    insta::assert_snapshot!(found.join("\n"), @r#"
    latin-1.json {"en":3}: "warning" "the file is not UTF-8; it is read as windows-1252, a guess from what is not ASCII in it (1 characters); `qassay check --encoding` shows it in others, and a file in UTF-8 needs no guess"
    latin-1.json --encoding iso-8859-1 {"en":3}: "note" "the file is read as windows-1252, as the option `--encoding` says"
    utf-16.json {"en":3}: "note" "the file is read as UTF-16BE, as its byte order mark says"
    latin-1.xml {"en":1}: "note" "the file is read as windows-1252, as its XML declaration says"
    "#);
    for file in ["latin-1.json", "utf-16.json"] {
        let source = Source::open(&folder.path().join(file)).expect("an input");
        assert_eq!(source.content(), GOLD.as_bytes());
        assert!(source.packing().is_none() && source.bytes() != GOLD.as_bytes());
    }
    let refused = refused(&folder, &["check", "gold.json", "--encoding", "klingon"]);
    insta::assert_snapshot!(refused, @r"
    error: `klingon` is no encoding.
    allowed: utf-8, windows-1252, iso-8859-1, gb18030, euc-kr and the others of the web's encoding standard
    ");
}

#[test]
fn damaged_gzip() {
    let packed = gzip(GOLD.as_bytes());
    let mut flipped = packed.clone();
    let checksum = flipped.len() - 8;
    flipped[checksum] ^= 1;
    // 50 MB of nothing in 50 kB: it is unpacked, and recognised as what it is
    let bomb = gzip(&vec![b' '; 50_000_000]);
    assert!(bomb.len() < 100_000);
    let files: [(&str, &[u8]); 3] = [
        ("cut.json.gz", &packed[..packed.len() / 2]),
        ("flipped.json.gz", &flipped),
        ("bomb.json.gz", &bomb),
    ];
    let told = unreadable(&files);
    insta::with_settings!({filters => vec![(r"after \d+ bytes", "after [N] bytes")]}, {
        insta::assert_snapshot!(told, @r"
        error: cut.json.gz: the gzip data are damaged after [N] bytes of content: incomplete deflate stream.
        hint: fetch the file again, or unpack it with `gzip -dc` to see how far it goes
        ---
        error: flipped.json.gz: the gzip data are damaged after [N] bytes of content: corrupt gzip stream does not have a matching checksum.
        hint: fetch the file again, or unpack it with `gzip -dc` to see how far it goes
        ---
        error: bomb.json.gz: the file is empty.
        hint: fetch it again, or check the program that wrote it
        ");
    });
    // an undamaged one is read like the plain file
    let folder = folder(&[("gold.json.gz", &packed)]);
    let counted = |gold: &str| questions(&issues(&folder, gold, "answers.json").0);
    assert_eq!(counted("gold.json.gz"), counted("gold.json"));
}

#[test]
fn places_that_are_no_files() {
    let folder = folder(&[("a-file", b"")]);
    fs::create_dir(folder.path().join("a-folder")).expect("a folder");
    let cases: [&[&str]; 7] = [
        &["evaluate", "a-folder", "answers.json"],
        &["evaluate", "gold.json", "missing.json"],
        &["evaluate", "gold.json", "answers.json", "--links", "missing.nt"],
        &["evaluate", "gold.json", "answers.json", "./answers.json"],
        &["evaluate", "gold.json", "answers.json", "--archive", "a-file"],
        &["verify"],
        &["verify", "a-folder"],
    ];
    let told: Vec<String> = cases.iter().map(|arguments| refused(&folder, arguments)).collect();
    insta::assert_snapshot!(told.join("---\n"), @r"
    error: a-folder: this is a folder without SPARQL results.
    allowed: a folder of files named after questions: `ID.srj`, `ID.srx`, `ID.csv`, `ID.tsv`
    hint: name one of the files in it
    ---
    error: missing.json: no such file.
    ---
    error: missing.nt: no such file.
    ---
    error: two systems are called `answers`.
    hint: `--system NAME` names them, once for each file of answers, in their order
    ---
    error: a-file: the archive must be a folder, and this is a file.
    ---
    error: qassay-archive: there is no qassay archive here.
    hint: `qassay evaluate GOLD ANSWERS` makes one; `--archive DIR` names another
    ---
    error: a-folder: there is no qassay archive here.
    hint: `qassay evaluate GOLD ANSWERS` makes one; `--archive DIR` names another
    ");
}

#[test]
fn wrong_words() {
    let folder = folder(&[]);
    let cases: [&[&str]; 9] = [
        &["evaluate", "gold.json", "answers.json", "--profile", "gerbill"],
        &["evaluate", "gold.json", "answers.json", "--language", "English please"],
        &["evaluate", "gold.json", "answers.json", "--system", "a", "--system", "b"],
        &["evaluate", "gold.json", "answers.json", "--format", "yaml"],
        &["evaluate", "gold.json", "answers.json", "--no-archive", "--archive", "kept"],
        &["evaluate", "gold.json"],
        &["measures", "macroF2"],
        &["profiles", "gerbill"],
        &["export", "answers"],
    ];
    let told: Vec<String> = cases.iter().map(|arguments| refused(&folder, arguments)).collect();
    insta::assert_snapshot!(told.join("---\n"), @r"
    error: there is no profile `gerbill`.
    allowed: clef-2004, cwq, gerbil, gerbil-2019, gerbil-2023, grailqa, grasp, mintaka, nliwod, nlpcc-kbqa, nlpcc-ranking, qald, qald-4, qassay, row-major, text2sparql, trec, trec-9, webqsp
    hint: `qassay profiles` says what they do
    ---
    error: `English please` is no language tag.
    allowed: a tag such as `en` or `pt-br`
    ---
    error: 2 system names for 1 answer file.
    allowed: as many `--system` as answer files, in their order, or none
    ---
    error: invalid value 'yaml' for '--format <FORMAT>'
      [possible values: table, json, csv, markdown, latex]

    For more information, try '--help'.
    ---
    error: the argument '--no-archive' cannot be used with '--archive <DIR>'

    Usage: qassay evaluate --no-archive <GOLD> <ANSWERS>...

    For more information, try '--help'.
    ---
    error: the following required arguments were not provided:
      <ANSWERS>...

    Usage: qassay evaluate <GOLD> <ANSWERS>...

    For more information, try '--help'.
    ---
    error: there is no measure `macroF2`.
    allowed: microPrecision, microRecall, microF1, macroPrecision, macroRecall, macroF1, macroF1Qald, macroF1Harmonic, exactMatch, questionCount, answeredCount, emptyCount, missingCount, errorCount, truePositiveCount, falsePositiveCount, falseNegativeCount, meanResponseTime, inKbMicroPrecision, ndcg, inKbMicroRecall, macroF1Ndcg, accuracy, inKbMicroF1, inKbMacroPrecision, inKbMacroRecall, inKbMacroF1, eeMicroPrecision, eeMicroRecall, eeMicroF1, eeMacroPrecision, eeMacroRecall, eeMacroF1, hierarchicalMicroPrecision, hierarchicalMicroRecall, hierarchicalMicroF1, hierarchicalMacroPrecision, hierarchicalMacroRecall, hierarchicalMacroF1, confidenceThreshold, meanReciprocalRank, accuracyAt, hitsAt, precisionAt, recallAt, meanRPrecision, meanAveragePrecision, meanAveragePrecisionNlpcc, meanNdcg, ndcgAt, retrievedCount, relevantCount, relevantRetrievedCount, meanBpref, interpolatedPrecisionAtRecall, geometricMeanAveragePrecision, kMeasure, k1Measure, confidenceWeightedScore, selfScoreCorrelation, expectedCalibrationError, brierScore, areaUnderRiskCoverage, coverageAtPrecision, answerRecall, answerPrecision, distinctGoldCount, givenAnswerCount, correctAnswerCount, questionsWithCorrectCount, answeredWithConfidenceCount, assessorKappa, assessorAgreement, failedCount, meanAskingTime, medianAskingTime, percentile95AskingTime, totalAskingTime, gerbilMeanTime, allTriesMeanTime, askingErrorRate
    ---
    error: there is no profile `gerbill`.
    allowed: clef-2004, cwq, gerbil, gerbil-2019, gerbil-2023, grailqa, grasp, mintaka, nliwod, nlpcc-kbqa, nlpcc-ranking, qald, qald-4, qassay, row-major, text2sparql, trec, trec-9, webqsp
    ---
    error: `answers` is the only word.
    allowed: evaluations, and behind them where to export them to
    ");
    assert!(!folder.path().join("qassay-archive").exists(), "nothing is kept");
}

#[test]
fn links_that_are_none() {
    let cut = &LINKS.as_bytes()[..LINKS.len() - 10];
    let files: [(&str, &[u8]); 4] = [
        ("words.nt", b"these are no links\n"),
        ("cut.nt", cut),
        ("other.nt", b"<http://e/a> <http://e/p> <http://e/b> .\n"),
        ("empty.nt", b""),
    ];
    let folder = folder(&files);
    let told: Vec<String> = files
        .iter()
        .map(|(name, _)| refused(&folder, &["evaluate", "gold.json", "answers.json", "--links", name]))
        .collect();
    insta::assert_snapshot!(told.join("---\n"), @r"
    error: words.nt, line 1: the links cannot be read: Parser error at line 1 between columns 1 and 6: these is not a valid subject or graph name.
    ---
    error: cut.nt, line 1: the links cannot be read: Parser error at line 1 between columns 53 and 58: Unexpected end of file.
    ---
    error: other.nt: there is no `<a> owl:sameAs <b>` in it.
    allowed: N-Triples, N-Quads, Turtle, TriG, RDF/XML or two columns of IRIs with statements `<a> owl:sameAs <b>`
    ---
    error: empty.nt: there is no `<a> owl:sameAs <b>` in it.
    allowed: N-Triples, N-Quads, Turtle, TriG, RDF/XML or two columns of IRIs with statements `<a> owl:sameAs <b>`
    ");
}

#[test]
fn no_id_in_common() {
    let other = answers().replace("\"id\": \"", "\"id\": \"q");
    let folder = folder(&[("other.json", other.as_bytes())]);
    insta::assert_snapshot!(refused(&folder, &["evaluate", "gold.json", "other.json"]), @r"
    error: other.json: no question id occurs in both files: the dataset has 3 questions (`1`, `2`, `3`), the submission 3 questions (`q1`, `q2`, `q3`).
    hint: 3 questions have the same text on both sides, under other ids (`q1` is `1` of the dataset): give the answers the ids of the dataset
    ");
}

#[test]
fn duplicate_ids() {
    let twice = GOLD.replace("\"id\": \"3\"", "\"id\": \"1\"");
    let folder = folder(&[("twice.json", twice.as_bytes())]);
    let (evaluation, told) = issues(&folder, "twice.json", "answers.json");
    assert_eq!(questions(&evaluation), ["1 answered 1 0 1", "2 answered 1 0 0", "1~2 missing 0 0 1"]);
    insta::assert_snapshot!(told, @r"
    warning duplicate-id, twice.json line 9 question 1: the id `1` occurs again; this question is called `1~2`
    warning question-not-submitted, twice.json line 9 question 1: the submission has no question `1~2`
    warning question-not-in-gold, answers.json line 9 question 3: the dataset has no question `3`; its answers do not count
    ");
    let (evaluation, told) = issues(&folder, "gold.json", "twice.json");
    assert_eq!(questions(&evaluation), ["1 answered 2 0 0", "2 answered 1 0 0", "3 missing 0 0 1"]);
    insta::assert_snapshot!(told, @r"
    warning duplicate-id, twice.json line 9 question 1: the id `1` occurs again; this question is called `1~2`
    warning question-not-submitted, gold.json line 9 question 3: the submission has no question `3`
    warning question-not-in-gold, twice.json line 9 question 1: the dataset has no question `1~2`; its answers do not count
    ");
}

#[test]
fn ids_missing_on_one_side() {
    let one_other = answers().replace("\"id\": \"3\"", "\"id\": \"4\"").replace("\"id\": \"2\", ", "");
    let folder = folder(&[("other.json", one_other.as_bytes())]);
    let (evaluation, told) = issues(&folder, "gold.json", "other.json");
    assert_eq!(questions(&evaluation), ["1 answered 1 0 1", "2 missing 0 0 1", "3 missing 0 0 1"]);
    insta::assert_snapshot!(told, @r"
    warning missing-id, other.json line 6 question -: the question has no id; it is called `~2`
    warning question-not-submitted, gold.json line 6 question 2: the submission has no question `2`
    warning question-not-submitted, gold.json line 9 question 3: the submission has no question `3`
    warning question-not-in-gold, other.json line 6 question -: the dataset has no question `~2`; its answers do not count
    warning question-not-in-gold, other.json line 9 question 4: the dataset has no question `4`; its answers do not count
    error wrong-gold-file, other.json line - question -: 2 of 3 answers are of questions that the dataset does not have: is this the gold file that the answers are for?
    ");
}

#[test]
fn unknown_answer_types() {
    let odd = GOLD.replace("\"number\"", "\"fish\"").replace("\"boolean\",", "\"Boolean\",");
    let folder = folder(&[("odd.json", odd.as_bytes())]);
    let (evaluation, told) = issues(&folder, "odd.json", "odd.json");
    assert_eq!(questions(&evaluation), ["1 answered 2 0 0", "2 answered 1 0 0", "3 answered 1 0 0"]);
    insta::assert_snapshot!(told, @"warning unknown-answer-type, odd.json line 9 question 3: the answer type `fish` is none of resource, string, number, date, boolean; answers are read without it");
}

#[test]
fn null_values() {
    let nulls = r#"{"questions": [
{"id": "1", "question": null, "answers": null},
{"id": null, "question": [{"language": "en", "string": null}], "answers": [null]},
{"id": "3", "question": [null], "answers": [{"head": null, "results": {"bindings": [{"n": {"type": "literal", "value": null}}]}}]},
{"id": "4", "question": [{"language": null, "string": "x"}], "answers": [{"results": {"bindings": null}, "boolean": null}]},
{"id": "5", "question": [{"language": "en", "string": "x"}], "query": null, "answers": [{"results": null}]},
null]}"#;
    let folder = folder(&[("nulls.json", nulls.as_bytes())]);
    let (evaluation, told) = issues(&folder, "nulls.json", "answers.json");
    assert_eq!(
        questions(&evaluation),
        ["1 answered 0 1 0", "~2 missing 0 0 0", "3 answered 0 1 0", "4 missing 0 0 0", "5 missing 0 0 0"]
    );
    insta::assert_snapshot!(told, @r"
    warning null-value, nulls.json line 2 question 1: null stands for a list; it is read as empty
    warning null-value, nulls.json line 2 question 1: the answers are null; they are read as none
    note missing-text, nulls.json line 2 question 1: the question has no text
    warning null-value, nulls.json line 3 question -: null stands for a text; it is left out
    warning null-value, nulls.json line 3 question -: an answer is null; it is left out
    note missing-text, nulls.json line 3 question -: the question has no text
    warning null-value, nulls.json line 4 question 3: null stands for an object; it is left out (2 times, here first)
    warning null-value, nulls.json line 4 question 3: null stands for a text; it is left out
    note missing-text, nulls.json line 4 question 3: the question has no text
    warning null-value, nulls.json line 5 question 4: null stands for a text; it is left out
    warning null-value, nulls.json line 5 question 4: null stands for a list; it is read as empty
    warning null-value, nulls.json line 5 question 4: the boolean is null; it is left out
    warning null-value, nulls.json line 6 question 5: null stands for an object; it is left out (2 times, here first)
    error not-a-question, nulls.json line 7 question -: the entry is null, not a question
    warning missing-id, nulls.json line 3 question -: the question has no id; it is called `~2`
    warning missing-id, nulls.json line 7 question -: the question has no id; it is called `~6`
    warning no-gold-answers, nulls.json line - question -: no question of this file has an answer, so every gold answer set is empty
    warning question-not-submitted, nulls.json line 3 question -: the submission has no question `~2`
    warning question-not-submitted, nulls.json line 5 question 4: the submission has no question `4`
    warning question-not-submitted, nulls.json line 6 question 5: the submission has no question `5`
    warning question-not-submitted, nulls.json line 7 question -: the submission has no question `~6`
    warning question-not-in-gold, answers.json line 6 question 2: the dataset has no question `2`; its answers do not count
    ");
    let (evaluation, _) = issues(&folder, "gold.json", "nulls.json");
    assert_eq!(questions(&evaluation), ["1 empty 0 0 2", "2 missing 0 0 1", "3 empty 0 0 1"]);
}

#[test]
fn invalid_iris() {
    let odd = answers().replace("http://e/a", "the city of A").replace(
        r#""type": "literal", "value": "7""#,
        r#""type": "typed-literal", "datatype": "a number", "value": "7""#,
    );
    let folder = folder(&[("odd.json", odd.as_bytes())]);
    let (evaluation, told) = issues(&folder, "gold.json", "odd.json");
    assert_eq!(questions(&evaluation), ["1 answered 0 1 2", "2 answered 1 0 0", "3 answered 1 0 0"]);
    insta::assert_snapshot!(told, @r"
    warning invalid-iri, odd.json line 2 question 1: `the city of A` is no IRI; read as a plain literal
    warning invalid-datatype, odd.json line 9 question 3: the datatype `a number` cannot be one; read as a plain literal
    ");
}

#[test]
fn swapped_files() {
    let folder = folder(&[]);
    let (evaluation, told) = issues(&folder, "answers.json", "gold.json");
    assert_eq!(questions(&evaluation), ["1 answered 1 1 0", "2 answered 1 0 0", "3 answered 1 0 0"]);
    insta::assert_snapshot!(told, @"warning files-swapped, gold.json line - question -: the submission has flags, keywords or several languages, and the gold file has none; were the two files swapped?");
    assert_eq!(issues(&folder, "gold.json", "answers.json").1, "");
}

/// Terms that RDF does not allow: they are told, and what is published can be read by everyone.
#[test]
fn odd_terms_are_published_as_valid_rdf() {
    let tags = ["a", "en-a", "en-us-us", "x", "123", "de-1", "en--us", "-", "i-klingon", "EN", "pt_BR"];
    let datatypes = [
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString",
        "relative",
        "http://e/ x",
        "http://www.w3.org/2001/XMLSchema#integer",
        "http://www.w3.org/2001/XMLSchema#date",
    ];
    let iris =
        ["", "//x", "http://e/%zz", "http://e/{}|^`", "http://[::1", "<http://e/c>", "http://e/\u{202e}"];
    let values = ["", "\n\r\t\"\\", "\u{1}\u{7f}\u{85}\u{2028}", "\u{feff}", "\u{fffe}\u{ffff}"];
    let literal = |number: usize, more: Value| {
        let mut cell = serde_json::json!({"type": "literal", "value": format!("v{number}")});
        cell.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        serde_json::json!({ "x": cell })
    };
    let mut rows: Vec<Value> = Vec::new();
    rows.extend(tags.iter().zip(0..).map(|(tag, n)| literal(n, serde_json::json!({ "xml:lang": tag }))));
    rows.extend(
        datatypes.iter().zip(100..).map(|(iri, n)| literal(n, serde_json::json!({ "datatype": iri }))),
    );
    rows.extend(
        iris.iter().zip(200..).map(|(iri, n)| literal(n, serde_json::json!({"type": "uri", "value": iri}))),
    );
    rows.extend(values.iter().zip(300..).map(|(value, n)| literal(n, serde_json::json!({ "value": value }))));
    rows.push(literal(400, serde_json::json!({"type": "bnode", "value": "b 0"})));
    let ids = ["a/b", "..", "é ü", "<>", "~1", "%41", "a#b?c", "\u{1}\u{1b}[31m"];
    let question = |id: &&str| {
        serde_json::json!({"id": id, "question": [{"language": "x-", "string": "?"}],
            "answers": [{"head": {"vars": ["x"]}, "results": {"bindings": &rows}}]})
    };
    let questions: Vec<Value> = ids.iter().map(question).collect();
    let file = serde_json::json!({"dataset": {"id": "Ünï / x"}, "questions": questions}).to_string();
    let folder = folder(&[("odd.json", file.as_bytes())]);
    let evaluated =
        qassay(folder.path(), ["evaluate", "odd.json", "odd.json", "-f", "json", "--language", "en"]);
    let output = evaluated.json();
    let qa = &output["evaluations"][0]["experiments"]["QA"];
    assert_eq!(qa["measures"]["macroF1"], 1, "odd terms equal themselves");
    let verified = qassay(folder.path(), ["verify"]);
    assert_eq!(verified.code, Some(0), "{}", verified.stdout);
}

/// An archive with one evaluation.
fn archive() -> TempDir {
    let folder = folder(&[]);
    qassay(
        folder.path(),
        ["evaluate", "gold.json", "answers.json", "--links", "links.nt", "--archive", "kept"],
    )
    .ok();
    folder
}

/// They would overflow the stack of the parser, or keep it busy for ever.
#[test]
fn heavy_queries_are_refused() {
    let folder = archive();
    let queries = [
        format!("SELECT * {{FILTER(1{})}}", "||1".repeat(20_000)),
        format!("SELECT * {{FILTER({}1)}}", "!".repeat(1_000_000)),
        format!("SELECT * {{FILTER({}1", "regex(".repeat(25)),
        format!("SELECT * {{{{}}{}}}", "UNION{?a ?b ?c}".repeat(20_000)),
    ];
    for query in queries {
        let mut command = common::program(folder.path());
        let ran = Ran::of(command.args(["query", "-", "--archive", "kept"]).write_stdin(query));
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        assert!(ran.stderr.contains("the query "), "{}", ran.stderr);
    }
}

/// The kept graph of a kind.
fn graph(folder: &TempDir, kind: &str) -> PathBuf {
    let graphs = folder.path().join("kept/graphs");
    let mut paths = files_below(&graphs).into_iter().map(|path| graphs.join(path));
    let is_of_kind =
        |path: &PathBuf| graph_name(&common::kept_text(path)).contains(&format!("/graph/{kind}/"));
    paths.find(is_of_kind).expect("a graph of each kind")
}

/// A query that touches every graph ends without rows.
#[track_caller]
fn not_asked(folder: &TempDir) {
    let query = "SELECT ?s { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } } LIMIT 1";
    let mut command = common::program(folder.path());
    let command = command.args(["query", "-", "--with-links", "--archive", "kept", "--format", "csv"]);
    let ran = Ran::of(command.write_stdin(query));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("kept"), "{}", ran.stderr);
}

/// The record of a kind.
fn record(folder: &TempDir, kind: &str) -> PathBuf {
    let records = folder.path().join("kept/records").join(kind);
    records.join(&files_below(&records)[0])
}

/// `verify` finds the damage, and names what is damaged.
#[track_caller]
fn is_found(folder: &TempDir, named: &str) -> Ran {
    let ran = qassay(folder.path(), ["verify", "kept"]);
    assert_eq!(ran.code, Some(1), "exit code: {}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains(named), "{named} is not named: {}", ran.stdout);
    assert_eq!(ran.stderr, "");
    let scripts = qassay(folder.path(), ["verify", "kept", "--format", "json"]);
    let report: Value = serde_json::from_str(&scripts.stdout).expect("JSON");
    assert_eq!((scripts.code, &report["ok"]), (Some(1), &Value::Bool(false)));
    ran
}

/// The name without endings: of a graph, its checksum.
fn name(path: &Path) -> String {
    StoredFile::new(path).sha256()
}

/// An archive whose graphs are packed, and one whose graphs are not.
fn archives() -> [TempDir; 2] {
    let plain = archive();
    common::plain(&plain.path().join("kept"));
    [archive(), plain]
}

const GRAPH_KINDS: [&str; 6] = ["dataset", "submission", "links", "scores", "match", "prov"];

#[test]
fn a_changed_graph_is_found() {
    for kind in GRAPH_KINDS {
        for folder in archives() {
            let graph = graph(&folder, kind);
            let mut content = fs::read(&graph).expect("the graph");
            let middle = content.len() / 2;
            content[middle] ^= 1;
            fs::write(&graph, content).expect("the graph");
            is_found(&folder, &name(&graph));
            not_asked(&folder);
        }
    }
}

#[test]
fn a_deleted_graph_is_found() {
    for kind in GRAPH_KINDS {
        let folder = archive();
        let graph = graph(&folder, kind);
        fs::remove_file(&graph).expect("the graph");
        is_found(&folder, &name(&graph));
    }
}

#[test]
fn a_truncated_graph_is_found() {
    for kind in GRAPH_KINDS {
        for folder in archives() {
            let graph = graph(&folder, kind);
            let content = fs::read(&graph).expect("the graph");
            fs::write(&graph, &content[..content.len() - 20]).expect("the graph");
            is_found(&folder, &name(&graph));
            not_asked(&folder);
        }
    }
}

#[test]
fn changed_and_deleted_inputs_are_found() {
    for input in ["gold.json", "answers.json", "links.nt"] {
        let folder = archive();
        let source = Source::open(&folder.path().join(input)).expect("an input");
        let sha256 = source.sha256();
        let kept = folder.path().join("kept/files/sha256").join(&sha256[..2]).join(sha256);
        fs::write(&kept, [source.bytes(), b" "].concat()).expect("the input");
        is_found(&folder, sha256);
        fs::remove_file(&kept).expect("the input");
        is_found(&folder, sha256);
        // What was published is shown without the files of the answers and the links.
        let explained = qassay(folder.path(), ["explain", "answers", "--archive", "kept"]);
        if input == "gold.json" {
            assert_eq!((explained.code, explained.stdout.as_str()), (Some(2), ""));
            assert!(
                explained.stderr.contains("`qassay verify` lists what is missing"),
                "{}",
                explained.stderr
            );
        } else {
            explained.ok();
        }
    }
}

#[test]
fn a_forged_score_is_found() {
    let [_, folder] = archives();
    let graph = graph(&folder, "scores");
    let content = fs::read_to_string(&graph).expect("the graph");
    let forged = content.replace("ns#f1> \"0.666666666667\"", "ns#f1> \"0.999999999999\"");
    assert_ne!(forged, content);
    fs::write(&graph, forged).expect("the graph");
    let ran = is_found(&folder, &name(&graph));
    assert!(ran.stdout.contains("model-f1"), "{}", ran.stdout);
}

/// Edits of provenance and records that are still N-Quads.
#[test]
fn edited_provenance_and_records_are_found() {
    let source = |input: &str| {
        let folder = folder(&[]);
        Source::open(&folder.path().join(input)).expect("an input").sha256().to_owned()
    };
    let (gold, answers, links) = (source("gold.json"), source("answers.json"), source("links.nt"));
    for (from, to) in [
        (gold.as_str(), "f"),
        (&answers, "cda6"),
        (&links, ""),
        (&gold, "\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}"),
        (&gold, &answers),
        ("profile/qassay/4", "profile/nope/4"),
    ] {
        let [_, folder] = archives();
        let graph = graph(&folder, "prov");
        let content = fs::read_to_string(&graph).expect("the graph");
        assert!(content.contains(from));
        fs::write(&graph, content.replace(from, to)).expect("the graph");
        is_found(&folder, &name(&graph));
        // no other command panics
        for arguments in [&["explain", "answers"][..], &["query", "leaderboard"]] {
            qassay(folder.path(), [arguments, &["--archive", "kept"]].concat());
        }
    }
    for (kind, from, to) in [
        ("execution", "void#triples> \"", "void#triples> \"1"),
        ("execution", "checksumValue> \"", "checksumValue> \"0"),
        ("execution", "checksumValue> \"", "checksumValue> \"\" # \""),
        ("submission", "/system> <", "/systems> <"),
        ("dataset", "<https://w3id.org/qassay/", "nonsense <https://w3id.org/qassay/"),
    ] {
        let folder = archive();
        let record = record(&folder, kind);
        let content = fs::read_to_string(&record).expect("the record");
        assert!(content.contains(from), "{kind} {from}");
        fs::write(&record, content.replace(from, to)).expect("the record");
        is_found(&folder, "registry");
    }
}

#[test]
fn deleted_records_of_inputs_are_found() {
    for kind in ["dataset", "submission"] {
        let folder = archive();
        fs::remove_file(record(&folder, kind)).expect("the record");
        is_found(&folder, kind);
    }
}

#[test]
fn files_that_are_no_records_do_not_matter() {
    let folder = archive();
    fs::write(folder.path().join("kept/records/execution/.DS_Store"), b"\0\0\0\x01Bud1").expect("a file");
    fs::create_dir(folder.path().join("kept/records/execution/folder")).expect("a folder");
    qassay(folder.path(), ["verify", "kept"]).ok();
}

#[test]
fn unknown_evaluations_questions_and_queries() {
    let folder = archive();
    qassay(folder.path(), ["evaluate", "gold.json", "answers.json", "-p", "qald", "--archive", "kept"]).ok();
    fs::write(folder.path().join("service.rq"), "SELECT * { SERVICE <http://localhost:1/> { ?s ?p ?o } }")
        .expect("a query");
    fs::write(folder.path().join("latin-1.rq"), b"ASK { ?s ?p \"\xe4\" }").expect("a query");
    let cases: [&[&str]; 9] = [
        &["explain", "nobody"],
        &["explain", "answers"],
        &["verify", "answers"],
        &["explain", "3bc2", "99"],
        &["verify", "nobody"],
        &["query", "leaderbord"],
        &["query", "SELECT * { ?s ?p ?o }"],
        &["query", "service.rq"],
        &["query", "latin-1.rq"],
    ];
    let told: Vec<String> = cases
        .iter()
        .map(|arguments| refused(&folder, &[arguments, &["--archive", "kept"][..]].concat()))
        .collect();
    insta::assert_snapshot!(told.join("---\n"), @r"
    error: kept: the archive has no evaluation `nobody`.
    allowed: 77da28481872075b2a6dc01122cea2bd (answers, qald); 822586d6432aefce1eda3466c910564a (answers, qassay)
    ---
    error: `answers` means 2 evaluations.
    allowed: 77da28481872075b2a6dc01122cea2bd (answers, qald); 822586d6432aefce1eda3466c910564a (answers, qassay)
    hint: name the profile with `--profile NAME`, or one by the beginning of its key
    ---
    error: `answers` means 2 evaluations.
    allowed: 77da28481872075b2a6dc01122cea2bd (answers, qald); 822586d6432aefce1eda3466c910564a (answers, qassay)
    hint: name one by the beginning of its key
    ---
    error: kept: the archive has no evaluation `3bc2`.
    allowed: 77da28481872075b2a6dc01122cea2bd (answers, qald); 822586d6432aefce1eda3466c910564a (answers, qassay)
    ---
    error: kept: the archive has no evaluation `nobody`.
    allowed: 77da28481872075b2a6dc01122cea2bd (answers, qald); 822586d6432aefce1eda3466c910564a (answers, qassay)
    ---
    error: there is no canned query and no file `leaderbord`.
    allowed: aggregate, blind, comparisons, complementarity, dataset, executions, experiment, files, files-only, graphs, groups, hardest, issues, latest, leaderboard, link-sets, match, measures, patterns, provenance, question, question-systems, ranking, rules, search, skipped, system, unanswered
    hint: `qassay query -` reads the text of a query from standard input
    ---
    error: there is no canned query and no file `SELECT * { ?s ?p ?o }`.
    allowed: aggregate, blind, comparisons, complementarity, dataset, executions, experiment, files, files-only, graphs, groups, hardest, issues, latest, leaderboard, link-sets, match, measures, patterns, provenance, question, question-systems, ranking, rules, search, skipped, system, unanswered
    hint: `qassay query -` reads the text of a query from standard input
    ---
    error: service.rq: the query cannot be evaluated: The service <http://localhost:1/> is not supported.
    hint: SERVICE is off: qassay does not query the network
    ---
    error: latin-1.rq: cannot read the query: stream did not contain valid UTF-8.
    ");
    for text in ["SELECT ?x WHERE { ?x ", "INSERT DATA { <http://a> <http://b> <http://c> }", ""] {
        fs::write(folder.path().join("bad.rq"), text).expect("a query");
        let message = refused(&folder, &["query", "bad.rq", "--archive", "kept"]);
        assert!(
            message.starts_with("error: bad.rq, line 1, column ")
                && message.contains(": the query is no SPARQL: "),
            "{message}"
        );
    }
}

/// What was computed is shown, with the reason why it is not kept.
#[test]
fn results_are_shown_where_nothing_can_be_kept() {
    let folder = folder(&[("a-file", b"")]);
    let ran = qassay(folder.path(), ["evaluate", "gold.json", "answers.json", "--archive", "a-file/archive"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stdout.contains("macro F1"), "{}", ran.stdout);
    let why = "a-file/archive: cannot list the folder: Not a directory (os error 20)";
    assert!(ran.stderr.contains(&format!("note: nothing will be kept: {why}")), "{}", ran.stderr);
    let hint = "hint: `--archive DIR` names another archive, `--no-archive` keeps nothing";
    assert!(ran.stderr.contains(&format!("error: {why}")) && ran.stderr.contains(hint), "{}", ran.stderr);
}

/// `check` goes on to the next file, and says at the end which could not be read.
#[test]
fn check_reports_every_file() {
    let folder = folder(&[("odd.json", b"{\"questions\": [{\"id\": \"1\"}, null]}")]);
    let ran = qassay(folder.path(), ["check", "missing.json", "gold.json", ".", "odd.json"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stdout.contains("gold.json (qald-json)") && ran.stdout.contains("not-a-question"),
        "{}",
        ran.stdout
    );
    insta::assert_snapshot!(ran.stderr, @r"
    error: missing.json: no such file.
    error: .: no file in it holds SPARQL results; the first one, question answers, answers.json: the JSON has no `head` with `results` or `boolean`.
    allowed: files named after questions: `ID.srj`, `ID.srx`, `ID.csv`, `ID.tsv`
    hint: name one of the files in it, if each is a dataset
    ");
    // errors in a file that can be read
    assert_eq!(qassay(folder.path(), ["check", "odd.json", "gold.json"]).code, Some(1));
}
