//! What must hold for every input, however broken. Also used by `tests/it/readers/fuzz_regressions.rs`, on the stable compiler.

use std::collections::HashSet;

use qassay::sources::document::{AnswerState, Document, Question};
use qassay::sources::file::source::Source;
use qassay::sources::format::{FORMATS, read};
use qassay::sources::input::asked::{Asked, ask_all};
use qassay::sources::input::audit::audit;
use qassay::sparql::read::analyse;
use qassay::sparql::walk::markings;

/// The most bytes of one query that is also given to the bare parser.
const SHORT: usize = 2_000;

/// Reads with the reader of one format, also what it would not recognise.
///
/// # Panics
///
/// If a format of that name does not exist, or something does not hold.
pub fn fuzz_reader(name: &str, data: &[u8]) {
    let format = FORMATS.iter().find(|format| format.name == name).expect("a format of that name");
    let _ = (format.recognise)(data);
    match format.document(data) {
        Ok(document) => {
            check_document(&document, name);
            let again = format.document(data);
            assert_eq!(again.ok().as_ref(), Some(&document), "the same bytes give the same document");
            check_uses(document);
        }
        Err(error) => check_error(&error),
    }
}

/// Reads as the program does: decompression, recognition, reading.
///
/// # Panics
///
/// If something does not hold.
pub fn fuzz_all(data: &[u8]) {
    let source = match Source::from_bytes("fuzz", data.to_vec()) {
        Ok(source) => source,
        Err(error) => return check_error(&error),
    };
    match read(&source) {
        Ok((document, format)) => {
            assert!((format.recognise)(source.content()), "what reads a file has recognised it");
            check_document(&document, format.name);
            check_uses(document);
        }
        Err(error) => check_error(&error),
    }
}

/// Reads a query.
///
/// # Panics
///
/// If something does not hold.
pub fn fuzz_query(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let found = analyse(text);
    assert_eq!(analyse(text), found, "the same text asks the same");
    drop(markings(text));
    match found {
        Ok(graph) => {
            for pattern in &graph.patterns {
                assert!(!pattern.text().is_empty());
            }
            // After the limits of `analyse` the bare parser is safe.
            if text.len() <= SHORT && spargebra::SparqlParser::new().parse_query(text).is_ok() {
                assert_eq!(graph.repairs, [], "what parses as it stands needs no repair");
            }
        }
        Err(error) => assert!(!error.to_string().is_empty(), "an error says something"),
    }
}

fn check_error(error: &qassay::base::error::Error) {
    assert!(!error.to_string().trim().is_empty(), "an error says something");
}

/// What every document promises to those who use it.
///
/// RDF may say anything of a question, and a file of an archive has no line of its own: fewer promises hold there.
pub fn check_document(document: &Document, format: &str) {
    let mut keys = HashSet::new();
    for question in &document.questions {
        assert!(!question.key.is_empty(), "every question has a key");
        assert!(keys.insert(question.key.as_str()), "the key `{}` is unique", question.key);
        check_answers(question);
        if format != "rdf" {
            check_question(question);
        }
        if !["rdf", "sparql-results"].contains(&format) {
            assert!(question.place.line.is_some_and(|line| line > 0), "every question has a place");
        }
    }
    for issue in &document.issues {
        assert!(!issue.message.is_empty(), "an issue says something");
        assert!(issue.place.line != Some(0), "lines count from 1");
    }
}

fn check_question(question: &Question) {
    assert_eq!(question.id, question.id.trim(), "ids are trimmed");
    assert!(question.queries.iter().all(|query| !query.text.trim().is_empty()), "queries are not empty");
    let confidences = question.answers.sets.iter().filter_map(|set| set.confidence.as_deref());
    for numeral in confidences.chain(question.response_time.as_deref()) {
        assert!(is_decimal(numeral), "`{numeral}` is a decimal numeral");
    }
}

fn check_answers(question: &Question) {
    let sets = &question.answers.sets;
    assert!(sets.iter().flat_map(|set| &set.rows).all(|row| !row.cells.is_empty()), "rows are not empty");
    let given = sets.iter().any(|set| set.boolean.is_some() || !set.rows.is_empty());
    assert_eq!(question.answers.state == AnswerState::Given, given, "Given means rows or a boolean");
}

fn is_decimal(numeral: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = numeral.strip_prefix('-').unwrap_or(numeral);
    match unsigned.split_once('.') {
        None => digits(unsigned),
        Some((whole, fraction)) => digits(whole) && digits(fraction),
    }
}

/// What comes after reading: the values as terms, the queries as graphs.
fn check_uses(mut document: Document) {
    let (questions, issues) = (document.questions.clone(), document.issues.len());
    audit(&mut document);
    let asked = ask_all(&mut document);
    assert_eq!(document.questions, questions, "looking changes nothing");
    assert!(document.issues.len() >= issues, "issues are only added");
    assert_eq!(asked.len(), questions.len(), "every question is asked about");
    for (question, asked) in questions.iter().zip(&asked) {
        assert!(!question.queries.is_empty() || *asked == Asked::Nothing, "no query asks nothing: {asked:?}");
    }
}
