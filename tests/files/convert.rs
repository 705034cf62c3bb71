//! Conversion of every file of the mirror: nothing is lost through RDF, and every loss of another target is named
//! (`convert.tsv`).

use std::path::Path;

use libtest_mimic::Failed;
use qassay::sources::convert::convert;
use qassay::sources::document::Document;
use qassay::sources::file::source::Source;
use qassay::sources::format::loss::{Loss, kinds};
use qassay::sources::format::{Target, read, targets};

use crate::table::Table;

/// From here on a file is written in one RDF syntax only: the test should stay below a minute.
const LARGE: usize = 300_000;

/// The targets of the table. JSON Lines are QALD-JSON, and TSV is CSV.
const IN_TABLE: [&str; 5] = ["qald-json", "eqald-json", "qald-xml", "text2sparql", "csv"];

/// The order of the columns; a file without questions has a word of every target that cannot hold it.
const COLUMNS: [&str; 7] = ["qald-json", "eqald-json", "jsonl", "qald-xml", "text2sparql", "csv", "tsv"];

/// What each target loses of a file that a reader takes.
pub(crate) const TABLE: Table = Table { name: "convert", text: include_str!("convert.tsv"), columns };

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

fn columns(path: &Path) -> Result<Option<String>, Failed> {
    let source = Source::open(path)?;
    let Ok((document, _)) = read(&source) else { return Ok(None) };
    let is_large = source.content().len() > LARGE;
    let mut targets: Vec<&Target> = targets()
        .filter(|target| {
            let is_other_rdf = target.is_exact && !["n-quads", "turtle"].contains(&target.name);
            !(is_other_rdf || is_large && target.name == "turtle")
        })
        .collect();
    targets.sort_by_key(|target| COLUMNS.iter().position(|name| *name == target.name));
    let cells: Vec<Option<String>> = targets
        .into_iter()
        .map(|target| cell(&document, source.sha256(), target))
        .collect::<Result<_, _>>()?;
    Ok(Some(cells.into_iter().flatten().collect::<Vec<_>>().join("\t")))
}

/// What a target loses, if it is one of the table. Fails where something is lost in silence.
fn cell(document: &Document, sha256: &str, target: &Target) -> Result<Option<String>, Failed> {
    let converted = match convert(document, sha256, target) {
        Ok(converted) => converted,
        Err(error) if document.questions.is_empty() && !target.may_be_empty => {
            return Ok(format!("{}: {error}", target.name).lines().next().map(str::to_owned));
        }
        Err(error) => return Err(format!("{}: {error}", target.name).into()),
    };
    assert!(!target.is_exact || converted.losses.is_empty(), "{}: {:?}", target.name, converted.losses);
    let again = || open(converted.bytes.clone());
    // what was read again is written to the same bytes
    let is_stable =
        |again: &Document| (target.write)(again, sha256).expect("the same again").0 == converted.bytes;
    match target.name {
        "n-quads" => {
            let again = again();
            assert_eq!(again.dataset_id, document.dataset_id);
            assert!(again.questions == document.questions, "n-quads: other questions");
            assert!(is_stable(&again), "n-quads: other bytes");
        }
        "qald-json" => assert!(is_stable(&again()), "qald-json: other bytes"),
        _ => {}
    }
    let is_in_table = IN_TABLE.contains(&target.name);
    Ok(is_in_table.then(|| format!("{}: {}", target.name, told(&converted.losses))))
}
