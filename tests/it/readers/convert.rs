//! Conversion of any document: nothing is lost through RDF, and every loss of another target is named. Every file of the
//! mirror: `tests/files/convert.rs`.

use proptest::prelude::*;
use qassay::sources::convert::convert;
use qassay::sources::document::{AnswerSet, Answers, Cell, CellKind, Document, Question, Row};
use qassay::sources::file::source::Source;
use qassay::sources::format::{read, targets};

use crate::common::documents;

fn open(bytes: Vec<u8>) -> Document {
    let source = Source::from_bytes("converted", bytes).expect("a source");
    read(&source).expect("what was written can be read").0
}

fn survives_rdf(document: &Document) {
    for target in targets().filter(|target| target.is_exact) {
        let converted = convert(document, &"0".repeat(64), target).expect("RDF");
        assert_eq!(converted.losses, []);
        let again = open(converted.bytes);
        assert_eq!((&again.dataset_id, &again.questions), (&document.dataset_id, &document.questions));
    }
}

/// `convert` compares what it writes with what it reads and fails where a loss has no name.
fn losses_have_names(document: &Document) {
    for target in targets().filter(|target| !target.is_exact) {
        if !document.questions.is_empty() || target.may_be_empty {
            let converted = convert(document, &"0".repeat(64), target);
            assert!(converted.is_ok(), "{}", converted.expect_err("a loss without a name"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_document_survives_rdf(document in documents::document()) {
        survives_rdf(&document);
    }

    #[test]
    fn every_loss_of_any_document_is_named(document in documents::document()) {
        losses_have_names(&document);
    }
}

/// What it came to when the two above failed: an answer without a variable before one without rows; an id that is a slash.
#[test]
fn documents_that_were_lost_once() {
    let cell = Cell { kind: CellKind::Uri, ..Cell::default() };
    let with_rows = |rows| AnswerSet { has_bindings: true, rows, ..AnswerSet::default() };
    let sets = vec![with_rows(vec![Row { cells: [cell].into() }]), with_rows(Vec::new())];
    let answers = Answers { sets, ..Answers::default() };
    let nameless = Question { key: "~1".to_owned(), answers, ..Question::default() };
    let slash = Question { id: "/".to_owned(), key: "/".to_owned(), ..Question::default() };
    for question in [nameless, slash] {
        let document = Document { questions: vec![question], ..Document::default() };
        survives_rdf(&document);
        losses_have_names(&document);
    }
}
