//! Every text file of the mirror (NLPCC, TREC), compared with counts made by Python (`tests/it/readers/text_counts.py`).

use std::path::Path;

use crate::common::mirror;
use crate::readers::digest::digest;
use qassay::sources::document::{AnswerState, Candidate, Document, Question};
use qassay::sources::file::source::Source;
use qassay::sources::format::{FORMATS, read};

/// A file of the mirror, as UTF-8.
fn source(mirror: &Path, file: &str) -> Source {
    let bytes = std::fs::read(mirror.join(file)).expect("a file of the mirror");
    let utf8 = match std::str::from_utf8(&bytes) {
        Ok(_) => bytes,
        Err(_) => encoding_rs::GB18030.decode(&bytes).0.into_owned().into_bytes(),
    };
    Source::from_bytes(file, utf8).expect("a source")
}

fn numbers(document: &Document) -> Vec<usize> {
    let questions = &document.questions;
    let rows = |q: &Question| q.answers.sets.iter().map(|set| set.rows.len()).sum::<usize>();
    vec![
        questions.len(),
        questions.iter().filter(|q| q.answers.state == AnswerState::Given).count(),
        questions.iter().map(rows).sum(),
        questions.iter().map(|q| q.candidates.len()).sum(),
        questions.iter().map(|q| q.extras.len()).sum(),
    ]
}

fn record(question: &Question) -> Vec<&str> {
    let mut fields = vec![question.id.as_str()];
    fields.extend(question.texts.iter().map(|text| text.text.as_str()));
    let rows = question.answers.sets.iter().flat_map(|set| &set.rows);
    fields.extend(rows.flat_map(|row| &row.cells).map(|cell| cell.value.as_str()));
    fields.extend(question.candidates.iter().flat_map(candidate));
    fields
}

fn candidate(candidate: &Candidate) -> Vec<&str> {
    let cells = candidate.cells.iter().map(|cell| cell.value.as_str());
    let more = [&candidate.label, &candidate.score, &candidate.rank];
    cells.chain(more.map(|text| text.as_deref().unwrap_or_default())).collect()
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn real_files_have_the_counts_of_an_independent_reader() {
    let mirror = mirror();
    let table: Vec<Vec<&str>> =
        include_str!("text.tsv").lines().skip(1).map(|line| line.split('\t').collect()).collect();
    assert_eq!(table.len(), 16, "files");
    for columns in table {
        let (file, format) = (columns[0], columns[1]);
        let (document, found) = read(&source(&mirror, file)).expect("a document");
        let counts: Vec<String> = numbers(&document).iter().map(usize::to_string).collect();
        assert_eq!(
            (found.name, counts),
            (format, columns[2..7].iter().map(|c| (*c).to_owned()).collect()),
            "{file}"
        );
        assert_eq!(digest(document.questions.iter().map(record)), columns[7], "{file}");
        let codes: Vec<&str> = document.issues.iter().map(|issue| issue.code.name()).collect();
        let expected: &[&str] = match file.rsplit('/').next().unwrap_or_default() {
            "sample.QApair.txt" => &["missing-id"],
            // 3681 + 3000 lines are of the groups 1 and 2: `awk '{print $2}' | sort | uniq -c`
            "qrels.123" | "qrels.comments.123" => &["duplicate-candidate"],
            // five lines have something behind their tag
            "results.trunc" => &["unknown-field"],
            _ => &[],
        };
        assert_eq!(codes, expected, "{file}");
    }
}

/// What a reader of `trec_eval` sees first: the documents of highest score.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn runs_are_in_the_order_of_trec_eval() {
    let mirror = mirror();
    let folder = "usnistgov/trec_eval/f4253652c8efd0d86ddffd0d163cc0a0f813111a/test";
    let (document, _) = read(&source(&mirror, &format!("{folder}/results.test"))).expect("a document");
    // `sort -k5,5gr -k3,3r` over the lines of question 301
    let first: Vec<&str> =
        document.questions[0].candidates.iter().take(3).map(|c| c.cells[0].value.as_str()).collect();
    assert_eq!(first, ["FBIS4-50478", "FBIS3-21938", "FBIS3-22085"]);
    assert_eq!(document.questions[0].extras[0].value, "STANDARD");
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn files_that_hold_no_questions_are_named() {
    let mirror = mirror();
    let trec = "usnistgov/trec_eval/f4253652c8efd0d86ddffd0d163cc0a0f813111a/test";
    let nlpcc = "Leputa/NLPCC2017_Task5/ca95d5f43cb5462a684f17807230037bb65236c5/evaltool";
    let nliwod = "AKSW/NLIWOD/28141294f61c0a565cea9de880fd4fb19018fdb3/qa.ml/src/main/resources/QALD8Answers";
    let tebaqa = "dice-group/TeBaQA/d88c7647f41debd10c3163b64ca4e3c9cb77e83d/evaluation";
    let qald = "ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf/3/data";
    let scores = "these are scores of an evaluation, not answers.";
    let mut cases = vec![
        (format!("{trec}/prefs.test"), "this is preferences of `trec_eval`"),
        (format!("{trec}/prefs.comment.test"), "this is preferences of `trec_eval`"),
        (format!("{trec}/prefs.rank20"), "this is a TREC run without the id of the question"),
        (format!("{trec}/zscores_file"), "this is means and deviations of measures"),
        (format!("{nlpcc}/sample.result.txt"), scores),
        (
            format!("{qald}/dbpedia_test_classes_properties.txt"),
            "no known format: this is text that begins with",
        ),
        (
            format!("{qald}/dbpedia_train_classes_properties.txt"),
            "no known format: this is text that begins with",
        ),
    ];
    for name in ["AskNow", "GANSWER2", "QAKIS", "TeBaQA"] {
        cases.push((format!("{nliwod}/{name}_QALD8_Train.csv"), scores));
    }
    for number in [13, 53, 93] {
        cases.push((format!("{tebaqa}/answers_{number}_TeBaQA (WS)_QAMatchingsCounter.csv"), scores));
    }
    let outputs = std::fs::read_dir(mirror.join(trec)).expect("a folder").map(|entry| entry.expect("a file"));
    let outputs = outputs.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let outputs: Vec<String> = outputs.filter(|name| name.starts_with("out.")).collect();
    assert_eq!(outputs.len(), 12);
    cases.extend(outputs.iter().map(|name| (format!("{trec}/{name}"), scores)));
    for (file, message) in cases {
        let source = Source::open(&mirror.join(&file)).expect("a source");
        let error = read(&source).expect_err("no questions").to_string();
        assert!(error.contains(message), "{error}");
    }
}

/// Small files of each text format.
const SEEDS: [&str; 7] = [
    "<question id=\"1\">\tq é\n<triple id=\"1\">\tt\n<answer id=\"1\">\ta\tb\n====\n",
    "多大 吗？\t第一句。\t0\r\n多大 吗？\t第二句。\t1\r\n",
    "1\ta table\tc\tx |_| y\t1 |_| 2 |_|_| 3\n",
    "# c\n301 0 A 1\n301 1 A 0\n",
    "7 Q0 A 1 2.5 me\n7 Q0 B 2 1e1 me x\n",
    "who is it\nhow tall\t6 ft\tx\n",
    "id,answer,type,row,confidence,n\n1,\"a, \"\"b\"\"\",uri,1,0.5,x\n1,true,boolean,,,\n",
];

/// Every cut of a file, and every byte replaced by bytes that mean something.
fn damaged(seed: &[u8], step: usize) -> impl Iterator<Item = Vec<u8>> {
    (0..seed.len()).step_by(step).flat_map(|at| {
        let set = |byte: u8| [&seed[..at], &[byte], &seed[at + 1..]].concat();
        [0, b'\t', b'\n', b'"', b'<', b' ', b'9', 0xff].map(set).into_iter().chain([seed[..at].to_vec()])
    })
}

#[test]
fn damaged_texts_do_no_harm() {
    for content in SEEDS.iter().flat_map(|seed| damaged(seed.as_bytes(), 1)) {
        let recognised = FORMATS.iter().filter(|format| (format.recognise)(&content)).count();
        assert!(recognised <= FORMATS.len());
        for format in FORMATS {
            if let Ok(document) = format.document(&content) {
                let keys: std::collections::BTreeSet<&str> =
                    document.questions.iter().map(|question| question.key.as_str()).collect();
                assert_eq!(keys.len(), document.questions.len(), "{}: keys are unique", format.name);
            }
        }
    }
}

#[test]
fn damaged_archives_do_no_harm() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in [
        ("1.srj", "{\"head\": {}, \"boolean\": true}"),
        ("2.csv", "x\n1\n"),
        ("3.srx", "<sparql/>"),
        ("4.tsv", "?x\n"),
    ] {
        std::fs::write(folder.path().join(name), content).expect("a file");
    }
    let source = Source::open(folder.path()).expect("a tar");
    let mut read_again = 0;
    for content in damaged(source.content(), 5) {
        let source = Source::from_bytes("damaged.tar", content).expect("a source");
        read_again += usize::from(read(&source).is_ok());
    }
    assert!(read_again > 100, "most damages leave something to read: {read_again}");
}
