//! Every QALD-like file of the mirror, compared with counts made by Python (`tests/it/readers/qald_counts.py`).

use std::collections::BTreeMap;
use std::path::Path;

use crate::common::mirror;
use crate::readers::digest::digest;
use qassay::sources::document::{AnswerSet, AnswerState, Document, QueryKind, Question};
use qassay::sources::file::source::Source;
use qassay::sources::format::read;

/// What Python counted in one file.
struct Expected<'a> {
    file: &'a str,
    format: &'a str,
    numbers: [usize; 5],
    digest: &'a str,
    issues: BTreeMap<String, usize>,
}

const COUNTED: [&str; 5] = ["questions", "with answers", "rows", "booleans", "queries"];

fn table() -> Vec<Expected<'static>> {
    include_str!("qald.tsv").lines().skip(1).map(parse).collect()
}

fn parse(line: &'static str) -> Expected<'static> {
    let columns: Vec<&str> = line.split('\t').collect();
    let issues = columns[8].split_whitespace().map(|issue| {
        let (code, count) = issue.split_once('=').expect("code=count");
        (code.to_owned(), count.parse().expect("a count"))
    });
    Expected {
        file: columns[0],
        format: columns[1],
        numbers: [2, 3, 4, 5, 6].map(|column| columns[column].parse().expect("a count")),
        digest: columns[7],
        issues: issues.collect(),
    }
}

fn numbers(document: &Document) -> [usize; 5] {
    let sets = || document.questions.iter().flat_map(|q| &q.answers.sets);
    [
        document.questions.len(),
        document.questions.iter().filter(|q| q.answers.state == AnswerState::Given).count(),
        sets().map(|set| set.rows.len()).sum(),
        sets().filter(|set| set.boolean.is_some()).count(),
        document.questions.iter().map(|q| q.queries.len()).sum(),
    ]
}

fn records(question: &Question) -> Vec<Vec<&str>> {
    let mut records =
        vec![vec!["question", &question.id, question.answer_type.as_deref().unwrap_or_default()]];
    for (name, texts) in [("text", &question.texts), ("keywords", &question.keywords)] {
        records.extend(texts.iter().map(|t| vec![name, t.language.as_deref().unwrap_or_default(), &t.text]));
    }
    for query in &question.queries {
        records.push(vec![if query.kind == QueryKind::Pseudo { "pseudo" } else { "sparql" }, &query.text]);
    }
    records.extend(question.flags.iter().map(|(name, value)| vec!["flag", name, value]));
    records.extend(question.answers.sets.iter().flat_map(answers));
    records
}

fn answers(set: &AnswerSet) -> Vec<Vec<&str>> {
    let boolean = set.boolean.map(|boolean| vec!["boolean", if boolean { "true" } else { "false" }]);
    let rows = set.rows.iter().map(|row| {
        let fields = row.cells.iter().flat_map(|cell| {
            let (datatype, language) = (cell.datatype.as_deref(), cell.language.as_deref());
            [&*cell.variable, &cell.value, datatype.unwrap_or_default(), language.unwrap_or_default()]
        });
        std::iter::once("row").chain(fields).collect()
    });
    boolean.into_iter().chain(rows).collect()
}

fn issues(document: &Document) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for issue in &document.issues {
        *counts.entry(issue.code.name().to_owned()).or_default() += 1;
    }
    counts
}

/// What differs between Python's counts and the document.
fn differences(expected: &Expected, mirror: &Path) -> Vec<String> {
    let source = Source::open(&mirror.join(expected.file)).expect("a file of the mirror");
    let (document, format) = match read(&source) {
        Ok(found) => found,
        Err(error) => return vec![error.to_string()],
    };
    let mut found = Vec::new();
    if format.name != expected.format {
        found.push(format!("{}: format {}, Python {}", expected.file, format.name, expected.format));
    }
    for ((name, ours), theirs) in COUNTED.iter().zip(numbers(&document)).zip(expected.numbers) {
        if ours != theirs {
            found.push(format!("{}: {ours} {name}, Python {theirs}", expected.file));
        }
    }
    if digest(document.questions.iter().flat_map(records)) != expected.digest {
        found.push(format!("{}: other texts, queries, flags or values than Python's", expected.file));
    }
    let ours = issues(&document);
    if ours != expected.issues {
        found.push(format!("{}: issues {ours:?}, Python {:?}", expected.file, expected.issues));
    }
    found
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn real_files_have_the_counts_of_an_independent_reader() {
    let mirror = mirror();
    let table = table();
    assert!(table.len() >= 100, "the table has only {} files", table.len());
    let different: Vec<String> = table.iter().flat_map(|expected| differences(expected, &mirror)).collect();
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn records_of_real_files_are_sound() {
    let mirror = mirror();
    for expected in table().iter().filter(|expected| expected.numbers[0] > 0) {
        let source = Source::open(&mirror.join(expected.file)).expect("a file of the mirror");
        let (document, _) = read(&source).expect("a document");
        let lines = source.content().split(|byte| *byte == b'\n').count() as u64;
        let mut keys = std::collections::BTreeSet::new();
        let mut line_before = 1;
        for question in &document.questions {
            let line = question.place.line.expect("a line");
            assert!((line_before..=lines).contains(&line), "{}: {}", expected.file, question.place);
            assert!(keys.insert(&question.key), "{}: the key {} is not unique", expected.file, question.key);
            assert!(question.answers.sets.iter().flat_map(|set| &set.rows).all(|row| !row.cells.is_empty()));
            line_before = line;
        }
    }
}
