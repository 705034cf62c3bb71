//! Every file of the mirror in the JSON and YAML families beside QALD-JSON, compared with counts made by Python
//! (`tests/it/readers/json_counts.py`: json, zipfile, `PyYAML`), and the encodings and archives of real files.

use std::collections::BTreeMap;
use std::path::Path;

use crate::common::mirror;
use crate::readers::digest::digest;
use qassay::base::issue::IssueCode;
use qassay::sources::document::{AnswerState, Document, Question};
use qassay::sources::file::source::Source;
use qassay::sources::format::read;

/// The folder of TEXT2SPARQL in the mirror.
const TEXT2SPARQL: &str = "AKSW/text2sparql.aksw.org/d317a8476a3be27a2eef5bfc5f670a58f5c128ee/docs";

fn open(mirror: &Path, file: &str) -> Source {
    Source::open(&mirror.join(file)).expect("a file of the mirror")
}

/// `en=40 ko=39`, and `-` for texts and queries in no language.
fn languages<'a>(all: impl Iterator<Item = Option<&'a str>>) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for language in all {
        *counts.entry(language.unwrap_or("-")).or_default() += 1;
    }
    counts.iter().map(|(language, count)| format!("{language}={count}")).collect::<Vec<_>>().join(" ")
}

/// The columns of the table, counted in what was read.
fn columns(document: &Document, format: &str) -> Vec<String> {
    let questions = &document.questions;
    let sets = || questions.iter().flat_map(|q| &q.answers.sets);
    let lost = document.issues.iter().filter(|issue| issue.code == IssueCode::ReplacementCharacter);
    vec![
        format.to_owned(),
        questions.len().to_string(),
        questions.iter().filter(|q| q.id_is_number).count().to_string(),
        languages(questions.iter().flat_map(|q| &q.texts).map(|text| text.language.as_deref())),
        languages(questions.iter().flat_map(|q| &q.queries).map(|query| query.language.as_deref())),
        sets().map(|set| set.rows.len()).sum::<usize>().to_string(),
        sets().filter(|set| set.boolean.is_some()).count().to_string(),
        questions.iter().map(|q| q.extras.len()).sum::<usize>().to_string(),
        lost.count().to_string(),
        digest(document.questions.iter().flat_map(records)),
    ]
}

fn records(question: &Question) -> Vec<Vec<&str>> {
    let mut records = vec![vec!["question", question.id.as_str()]];
    let sets = &question.answers.sets;
    records.extend(
        question.texts.iter().map(|t| vec!["text", t.language.as_deref().unwrap_or_default(), &t.text]),
    );
    records.extend(
        question.queries.iter().map(|q| vec!["query", q.language.as_deref().unwrap_or_default(), &q.text]),
    );
    records.extend(question.flags.iter().map(|(name, _)| vec!["flag", name.as_str()]));
    let booleans = sets.iter().filter_map(|set| set.boolean);
    records.extend(booleans.map(|boolean| vec!["boolean", if boolean { "true" } else { "false" }]));
    records.extend(sets.iter().flat_map(|set| &set.rows).map(|row| {
        let fields = row
            .cells
            .iter()
            .flat_map(|cell| [&*cell.variable, &cell.value, cell.language.as_deref().unwrap_or_default()]);
        std::iter::once("row").chain(fields).collect()
    }));
    records.extend(question.extras.iter().map(|extra| vec!["extra", &extra.name, &extra.value]));
    records
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn real_files_have_the_counts_of_an_independent_reader() {
    let mirror = mirror();
    let table = include_str!("json.tsv");
    assert_eq!(table.lines().count(), 1 + 13, "NLQ, LC-QuAD (2), TEXT2SPARQL (8 + 1), one zip");
    for line in table.lines().skip(1) {
        let (file, expected) = line.split_once('\t').expect("columns");
        let (document, format) = read(&open(&mirror, file)).expect("a document");
        assert_eq!(columns(&document, format.name).join("\t"), expected, "{file}");
    }
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn issues_of_real_files() {
    let mirror = mirror();
    let mut found = Vec::new();
    for line in include_str!("json.tsv").lines().skip(1) {
        let (file, _) = line.split_once('\t').expect("columns");
        let (document, _) = read(&open(&mirror, file)).expect("a document");
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for issue in &document.issues {
            *counts.entry(issue.code.name()).or_default() += 1;
        }
        if !counts.is_empty() {
            let name = file.rsplit('/').next().unwrap_or(file);
            found.push(format!("{name}: {counts:?}"));
        }
    }
    // counted in the files: 39 Korean rows are damaged, one pair has no id; `defaultNamespace` of the YAML has no use;
    // in the bestiary, two rows hold the head and the boolean of an ASK query
    insta::assert_snapshot!(found.join("\n"), @r#"
    nlq1_vis.json: {"missing-id": 1, "replacement-character": 39}
    questions_db25.yaml: {"unknown-field": 1}
    beastiary_with_qald_format.json.zip: {"undeclared-variable": 4, "unreadable-answer": 2, "wrong-type": 2}
    "#);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn nlq_has_the_39_questions_of_table_1_and_one_without_id() {
    let mirror = mirror();
    let folder = "AKSW/NLIWOD/28141294f61c0a565cea9de880fd4fb19018fdb3/qa.datasets/src/main/resources";
    let (document, _) = read(&open(&mirror, &format!("{folder}/NLQ-OKBQA/nlq1_vis.json"))).expect("read");
    let numbers = document.questions.iter().filter(|q| q.id.parse::<u32>().is_ok()).count();
    assert_eq!((document.questions.len(), numbers), (40, 39));
    let nameless = document.questions.iter().find(|q| q.id.is_empty()).expect("the pair without id");
    assert_eq!((nameless.texts.len(), nameless.queries.len(), nameless.answers.sets.len()), (2, 2, 2));
    assert!(nameless.texts[0].text.contains("unmanned spacecraft"));
}

/// Every file of the campaign is read, or refused with the reason.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn text2sparql_is_read_or_refused_with_a_reason() {
    let mirror = mirror();
    let mut told = BTreeMap::new();
    for folder in ["benchmark", "results/AIFB", "results/INFAI", "results/MIPT", "results/WSE"] {
        let entries = std::fs::read_dir(mirror.join(TEXT2SPARQL).join(folder)).expect("a folder");
        for entry in entries {
            let name = entry.expect("an entry").file_name().into_string().expect("a name");
            let source = open(&mirror, &format!("{TEXT2SPARQL}/{folder}/{name}"));
            let outcome = match read(&source) {
                Ok((_, format)) => format.name.to_owned(),
                Err(error) => {
                    let told = error.to_string();
                    let first = told.lines().next().unwrap_or_default();
                    first.rsplit(": ").next().unwrap_or_default().to_owned()
                }
            };
            *told.entry(outcome).or_insert(0) += 1;
        }
    }
    let told: Vec<String> = told.iter().map(|(outcome, count)| format!("{count} {outcome}")).collect();
    // ls: 4 files of the benchmark; 4 systems with 2 answers, 2 evaluations and 2 result sets each; WSE's database
    insta::assert_snapshot!(told.join("\n"), @r"
    10 text2sparql
    8 text2sparql-answers
    1 text2sparql-questions
    1 the YAML has no questions.
    8 these are the scores of an evaluation (`set_F`), not answers.
    1 this is an SQLite database, not a file of questions.
    ");
}

/// The questions of the YAML file have the ids of the gold result sets.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn text2sparql_questions_match_the_result_sets() {
    let mirror = mirror();
    let ids = |file: &str| {
        let (document, _) = read(&open(&mirror, &format!("{TEXT2SPARQL}/benchmark/{file}"))).expect("read");
        let ordered = document.questions.iter().filter(|q| !q.flags.is_empty()).count();
        let mut ids: Vec<String> = document.questions.into_iter().map(|question| question.id).collect();
        ids.sort();
        (ids, ordered)
    };
    let questions = ids("questions_db25.yaml");
    assert_eq!((questions.0.len(), questions.1), (200, 4));
    assert_eq!(questions, ids("db25_true_result_set.json"));
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn archives_of_one_file_are_read_as_that_file() {
    let mirror = mirror();
    let folder = "danrd/sparqlgen/1efd5bec491779a48ac46d4a75075106c565c10a";
    let source = open(&mirror, &format!("{folder}/beastiary_with_qald_format.json.zip"));
    assert_eq!((source.bytes().len(), source.content().len()), (11_248, 149_717));
    assert_eq!(source.stem(), "beastiary_with_qald_format");
    let (document, _) = read(&source).expect("a document");
    assert!(document.questions.iter().all(|q| q.answers.state == AnswerState::Given));
    let error = read(&open(&mirror, &format!("{folder}/beastiary_kg.rdf.zip"))).expect_err("no questions");
    assert!(error.to_string().contains("the root element `rdf:RDF`"), "{error}");
}

/// `sample.QApair.txt` decoded with Python's `gb18030`: 7 lines, the checksum of the text in UTF-8.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn gb18030_is_guessed_or_named() {
    let mirror = mirror();
    let path = mirror
        .join("Leputa/NLPCC2017_Task5/ca95d5f43cb5462a684f17807230037bb65236c5/evaltool/sample.QApair.txt");
    let sha256 = |source: &Source| {
        let text = Source::from_bytes("text", source.content().to_vec()).expect("UTF-8");
        text.sha256().to_owned()
    };
    let guessed = Source::open(&path).expect("a file");
    let named = Source::open_with_encoding(&path, Some("gb18030")).expect("a file");
    for source in [&guessed, &named] {
        assert_eq!(sha256(source), "bf7b75ecc3b819315dc0b3cb2a0e0fc09c16f75ba866999fa2dcd5e4686a0b3b");
        assert_eq!(source.content().split(|byte| *byte == b'\n').count(), 8);
        assert_eq!(source.bytes().len(), 632);
    }
    assert_eq!(guessed.sha256(), named.sha256());
    let told = [&guessed, &named].map(|source| {
        let issue = source.encoding_issue().expect("an issue");
        format!("{} {:?}: {}", issue.code.name(), issue.severity(), issue.message)
    });
    insta::assert_snapshot!(told.join("\n"), @r"
    encoding-guessed Warning: the file is not UTF-8; it is read as GBK, a guess from what is not ASCII in it (273 characters); `qassay check --encoding` shows it in others, and a file in UTF-8 needs no guess
    encoding-declared Note: the file is read as gb18030, as the option `encoding` says
    ");
}
