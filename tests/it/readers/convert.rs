//! Conversion on every file of the mirror: nothing is lost through RDF, and every loss of another target is named.

use crate::common::documents;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::{files_below, mirror};
use proptest::prelude::*;
use qassay::sources::document::Document;
use qassay::sources::file::source::Source;
use qassay::sources::format::read;
use qassay::sources::write::loss::{Loss, kinds};
use qassay::sources::write::{TARGETS, convert};

/// From here on a file is written in one RDF syntax only: the test should stay below a minute.
const LARGE: usize = 300_000;

/// The targets of the table. JSON Lines are QALD-JSON, and TSV is CSV.
const IN_TABLE: [&str; 5] = ["qald-json", "eqald-json", "qald-xml", "text2sparql", "csv"];

/// The losses of a table: kinds with the number of questions.
fn told(losses: &[Loss]) -> String {
    let kinds = kinds(losses).into_iter().map(|kind| format!("{} {}", kind.what, kind.count));
    let told: Vec<String> = kinds.collect();
    if told.is_empty() { "lossless".to_owned() } else { told.join("; ") }
}

fn open(bytes: Vec<u8>) -> Document {
    let source = Source::from_bytes("converted", bytes).expect("a source");
    read(&source).expect("what was written can be read").0
}

/// The row of a file: what each target loses. Panics where something is lost in silence.
fn row(file: &Path, source: &Source, document: &Document) -> String {
    let sha256 = source.sha256();
    let mut cells = vec![file.display().to_string()];
    for target in TARGETS {
        let is_other_rdf = target.is_exact && !["n-quads", "turtle"].contains(&target.name);
        let is_large = source.content().len() > LARGE && target.name == "turtle";
        if is_other_rdf || is_large {
            continue;
        }
        let converted = match convert(document, sha256, target) {
            Ok(converted) => converted,
            Err(error) if document.questions.is_empty() && !target.may_be_empty => {
                cells.push(format!("{}: {error}", target.name).lines().next().unwrap_or_default().to_owned());
                continue;
            }
            Err(error) => panic!("{} as {}: {error}", file.display(), target.name),
        };
        if target.is_exact {
            assert_eq!(converted.losses, [], "{}", file.display());
        } else if IN_TABLE.contains(&target.name) {
            cells.push(format!("{}: {}", target.name, told(&converted.losses)));
        }
        let again = || open(converted.bytes.clone());
        // what was read again is written to the same bytes
        let write_again = |again: &Document| (target.write)(again, sha256).expect("the same again").0;
        match target.name {
            "n-quads" => {
                let again = again();
                assert_eq!(again.dataset_id, document.dataset_id, "{}", file.display());
                assert!(again.questions == document.questions, "{}: other questions", file.display());
                assert!(write_again(&again) == converted.bytes, "{}: other bytes", file.display());
            }
            "qald-json" => {
                assert!(write_again(&again()) == converted.bytes, "{}: other bytes", file.display());
            }
            _ => {}
        }
    }
    cells.join("\t")
}

/// Every file of the mirror that a reader takes, as rows of a table; and the number of the others.
fn rows(mirror: &Path) -> (Vec<String>, usize) {
    let files: Vec<PathBuf> = files_below(mirror);
    let (next, found, skipped) = (AtomicUsize::new(0), Mutex::new(Vec::new()), AtomicUsize::new(0));
    let work = || {
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let source = Source::open(&mirror.join(file)).expect("a file of the mirror");
            match read(&source) {
                Ok((document, _)) => {
                    let row = row(file, &source, &document);
                    found.lock().expect("no other thread fails").push(row);
                }
                Err(_) => drop(skipped.fetch_add(1, Ordering::Relaxed)),
            }
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
    });
    let mut rows = found.into_inner().expect("no other thread fails");
    rows.sort();
    (rows, skipped.into_inner())
}

/// `QASSAY_WRITE_TABLE=1 cargo test readers::convert` writes the table anew.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn every_file_of_the_mirror_is_converted_without_silent_loss() {
    let mirror = mirror();
    let (rows, skipped) = rows(&mirror);
    let table = format!("{} files read, {skipped} skipped\n{}\n", rows.len(), rows.join("\n"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/readers/convert.tsv");
    if std::env::var_os("QASSAY_WRITE_TABLE").is_some() {
        std::fs::write(&path, &table).expect("the table is written");
    }
    let expected = std::fs::read_to_string(&path).expect("the table");
    for (line, expected) in table.lines().zip(expected.lines()) {
        assert_eq!(line, expected);
    }
    assert_eq!(table.lines().count(), expected.lines().count());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_document_survives_rdf(document in documents::document()) {
        for target in TARGETS.iter().filter(|target| target.is_exact) {
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
        for target in TARGETS.iter().filter(|target| !target.is_exact) {
            if !document.questions.is_empty() || target.may_be_empty {
                let converted = convert(&document, &"0".repeat(64), target);
                prop_assert!(converted.is_ok(), "{}", converted.expect_err("a loss without a name"));
            }
        }
    }
}
