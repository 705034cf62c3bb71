//! Conversion of any document: nothing is lost through RDF, and every loss of another target is named. Every file of the
//! mirror: `tests/files/convert.rs`.

use proptest::prelude::*;
use qassay::sources::convert::convert;
use qassay::sources::document::Document;
use qassay::sources::file::source::Source;
use qassay::sources::format::{read, targets};

use crate::common::documents;

fn open(bytes: Vec<u8>) -> Document {
    let source = Source::from_bytes("converted", bytes).expect("a source");
    read(&source).expect("what was written can be read").0
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_document_survives_rdf(document in documents::document()) {
        for target in targets().filter(|target| target.is_exact) {
            let converted = convert(&document, &"0".repeat(64), target).expect("RDF");
            prop_assert_eq!(&converted.losses, &[]);
            let again = open(converted.bytes);
            prop_assert_eq!(&again.dataset_id, &document.dataset_id);
            prop_assert_eq!(&again.questions, &document.questions);
        }
    }

    /// `convert` compares what it writes with what it reads and fails where a loss has no name.
    #[test]
    fn every_loss_of_any_document_is_named(document in documents::document()) {
        for target in targets().filter(|target| !target.is_exact) {
            if !document.questions.is_empty() || target.may_be_empty {
                let converted = convert(&document, &"0".repeat(64), target);
                prop_assert!(converted.is_ok(), "{}", converted.expect_err("a loss without a name"));
            }
        }
    }
}
