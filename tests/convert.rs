//! Conversion on every file of the mirror: nothing is lost through RDF, and every loss of another target is named.

#[expect(dead_code, reason = "not every test needs every helper")]
mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{files_below, mirror};
use qassay::read::{Document, Source, read};
use qassay::write::{Loss, TARGETS, Target, convert};

/// From here on a file is written in one RDF syntax only: the test should stay below a minute.
const LARGE: usize = 2_000_000;

/// The losses of a table: kinds with the number of questions.
fn kinds(losses: &[Loss]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for loss in losses {
        *counts.entry(loss.what).or_default() += 1;
    }
    if counts.is_empty() {
        return "lossless".to_owned();
    }
    counts.iter().map(|(what, count)| format!("{what} {count}")).collect::<Vec<_>>().join("; ")
}

fn open(bytes: Vec<u8>) -> Document {
    let source = Source::from_bytes("converted", bytes).expect("a source");
    read(&source).expect("what was written can be read").0
}

fn target(name: &str) -> &'static Target {
    Target::named(name).expect("a target")
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
            let again = open(converted.bytes.clone());
            assert_eq!(again.dataset_id, document.dataset_id, "{}", file.display());
            assert!(again.questions == document.questions, "{} as {}", file.display(), target.name);
            if target.name == "n-quads" {
                let second = convert(&again, sha256, target).expect("the same again");
                assert!(second.bytes == converted.bytes, "{}: other bytes", file.display());
            }
        } else {
            cells.push(format!("{}: {}", target.name, kinds(&converted.losses)));
        }
        if target.name == "qald-json" {
            let again = open(converted.bytes.clone());
            let second = convert(&again, sha256, target).expect("QALD-JSON of QALD-JSON");
            assert!(second.losses.is_empty(), "{}: {}", file.display(), kinds(&second.losses));
            assert!(second.bytes == converted.bytes, "{}: other bytes", file.display());
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

/// `QASSAY_WRITE_TABLE=1 cargo test --test convert` writes the table anew.
#[test]
fn every_file_of_the_mirror_is_converted_without_silent_loss() {
    let Some(mirror) = mirror() else { return };
    let (rows, skipped) = rows(&mirror);
    let table = format!("{} files read, {skipped} skipped\n{}\n", rows.len(), rows.join("\n"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/convert.tsv");
    if std::env::var_os("QASSAY_WRITE_TABLE").is_some() {
        std::fs::write(&path, &table).expect("the table is written");
    }
    let expected = std::fs::read_to_string(&path).expect("the table");
    for (line, expected) in table.lines().zip(expected.lines()) {
        assert_eq!(line, expected);
    }
    assert_eq!(table.lines().count(), expected.lines().count());
}
